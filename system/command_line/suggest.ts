/**
 * Suggestions for mistyped names: "did you mean ...?"
 * @module
 */

import { quoted } from "./usage.ts";

/**
 * Returns the number of single-letter changes (insert, delete, replace, swap neighbours) that turn `from` into `to`.
 * @param limit Maximum distance: any value from this one on may be returned for a larger distance.
 */
export function editDistance(from: string, to: string, limit = Infinity): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let beforeLast: readonly number[] = [];
  let before = 0;
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  let distance = to.length;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let nearest = row;
    let left = row;
    let diagonal = row - 1;
    for (const [column, above] of last.entries()) {
      if (column === 0) continue;
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(above + 1, left + 1, diagonal + (isSame ? 0 : 1));
      const swapped = beforeLast[column - 2];
      if (swapped !== undefined && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, swapped + 1);
      }
      current.push(cost);
      nearest = Math.min(nearest, cost);
      left = cost;
      diagonal = above;
    }
    // A swap uses the cell two rows back, plus one.
    if (nearest >= limit && before >= limit) return limit;
    before = nearest;
    beforeLast = last;
    last = current;
    distance = left;
  }
  return distance;
}

/** Returns the word of `known` that is most similar to `word`, or undefined if none is. Ignores case. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined || wanted.length < 2) return best;
  for (const candidate of known) {
    if (candidate.toLowerCase().startsWith(wanted)) return candidate;
  }
  return undefined;
}

/** Maximum length of a name for which similar ones are searched: the cost is its square. */
const maxCompared = 256;

/**
 * Returns the names of `known` that are similar to `word`, the likeliest first. A path is also similar if its last
 * component is, with or without an extension. Ignores case.
 * @param count Maximum number of names.
 */
export function nearestNames(word: string, known: Iterable<string>, count = 5): string[] {
  const wanted = word.toLowerCase();
  if (wanted.length > maxCompared) return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of known) {
    const whole = name.toLowerCase();
    const last = whole.slice(whole.lastIndexOf("/") + 1);
    const stem = last.replace(/\.[^.]*$/, "");
    // A whole name is preferred to a part of one.
    const parts = Math.min(editDistance(wanted, last, limit), editDistance(wanted, stem, limit)) + 0.5;
    const distance = Math.min(editDistance(wanted, whole, limit), parts);
    if (distance < limit) found.push({ name, distance });
    else if (wanted.length > 1 && (whole.startsWith(wanted) || last.startsWith(wanted))) {
      found.push({ name, distance: limit });
    }
  }
  return found.sort((a, b) => a.distance - b.distance).slice(0, count).map(({ name }) => name);
}

/**
 * Returns `; did you mean find?`, or an empty string if no word of `known` is similar.
 * @param prefix Text before the suggested word.
 */
export function didYouMean(word: string, known: Iterable<string>, prefix = ""): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? "" : `; did you mean ${prefix}${quoted(suggestion)}?`;
}

const readOnly = "packs are read-only here; extract files, change them, and archive create a pack";
const copyOut = "extract PATTERN -o DIR copies files out of a view";

/** Habitual commands from other programs, and their equivalents. */
const commandHabits: Readonly<Record<string, string>> = {
  "/?": "help lists commands",
  "/help": "help lists commands",
  list: "ls lists a view, archive list FILE an archive",
  unzip: "archive extract FILE -o DIR extracts an archive",
  unpack: "archive extract FILE -o DIR extracts an archive",
  zip: "archive create OUT DIR makes an archive",
  pack: "archive create OUT DIR makes an archive",
  tail: "pipe cat to it: cat FILE | tail",
  less: "cat FILE prints a text file, page by page if it is long",
  more: "cat FILE prints a text file, page by page if it is long",
  search: "find finds names, grep text",
  cp: copyOut,
  copy: copyOut,
  export: copyOut,
  rm: readOnly,
  del: readOnly,
  mv: readOnly,
  ren: readOnly,
  mkdir: readOnly,
  edit: readOnly,
  start: "pakfs mount SOURCE... MOUNTPOINT or pakfs daemon starts a daemon",
  restart: "pakfs stop ends the daemon, pakfs mount or pakfs daemon starts one",
  run: ".read FILE runs a script, in a shell pakfs --batch < FILE",
  "service start": "in a shell: systemctl --user start pakfs",
  "service stop": "in a shell: systemctl --user stop pakfs",
  "service restart": "in a shell: systemctl --user restart pakfs",
};

/** Returns the equivalent of a command from other programs, or a suggestion for a path. */
export function commandAdvice(typed: string): string | undefined {
  if (Object.hasOwn(commandHabits, typed)) return commandHabits[typed];
  if (!/^\S*(?:[/\\]\S*|\.(?:pak|pk[34z]|dpk|kpf|wad|zip|vpk|grp|hog))$/i.test(typed)) return undefined;
  return "a path follows a command: pakfs mount PATH MOUNTPOINT, or archive list PATH for an archive";
}

const byProfile = "did you mean --profile?";
const byView = "choose a mod with --view GAME/MOD";
const intoDirectory = "the output directory is -o DIR";

/** Habitual options from other programs, by command. */
const optionHabits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": { "-v": "-V prints the version" },
  find: {
    "-name": "names need no option: find '*.wav'",
    "--name": "names need no option: find '*.wav'",
    "-iname": "names need no option: find '*.wav'",
    "-type": "find lists files; tree -d lists directories",
  },
  ls: { "-R": "tree lists all below", "-t": "did you mean --sort mtime?", "-S": "did you mean --sort size?" },
  tree: { "--depth": "did you mean --level?" },
  mount: { "--engine": byProfile, "--mod": byView, "-game": byView, "--fs_game": byView },
  extract: { "-d": intoDirectory, "--dir": intoDirectory, "-C": intoDirectory },
  "archive extract": { "-d": intoDirectory, "--dir": intoDirectory, "-C": intoDirectory },
};

/** Returns the equivalent of an option from other programs. */
export function optionAdvice(command: string, typed: string): string | undefined {
  const habits = Object.hasOwn(optionHabits, command) ? optionHabits[command] ?? {} : {};
  return Object.hasOwn(habits, typed) ? habits[typed] : undefined;
}
