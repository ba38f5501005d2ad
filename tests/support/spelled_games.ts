/**
 * Random games whose names differ only in case, and the file that an engine loads for a name: maps and loops, without
 * shared code.
 * @module
 */
import { pak, zip } from "../formats/bytes.ts";
import type { Files } from "../index/fixtures.ts";
import fc from "./fast_check.ts";

/** A directory of loose files or a pack, by the order in which the engine searches it. */
interface SpelledSource {
  readonly isPack: boolean;
  readonly names: readonly string[];
  /** Names of its unreadable files. */
  readonly damaged?: readonly string[];
}

/** A game, and paths to request. */
export interface SpelledGame {
  readonly profile: "ioquake3" | "yquake2";
  readonly sources: readonly SpelledSource[];
  readonly asked: readonly string[];
}

/** Answer of an engine to one path: the content, a damaged file, a directory, or null if not found. */
export type Said =
  | { readonly content: string }
  | { readonly isDamaged: true }
  | { readonly isDirectory: true }
  | null;

const directory = fc.constantFrom("", "maps/", "Maps/", "MAPS/", "maps/sub/", "Maps/Sub/", "maps/SUB/", "MAPS/sub/");
const file = fc.constantFrom("x.bsp", "X.bsp", "X.BSP", "readme.txt", "Readme.txt", "q.cfg");
/** Files that an engine loads from directories only, and names next to theirs. */
const settings = fc.constantFrom("q3config.cfg", "q3config.cfgs", "Q3config.cfg", "maps.lst", "maps.lsts", "MAPS.lst");
const path = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(directory, file).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: settings },
);
const source = (isPack: boolean) =>
  fc.uniqueArray(path, { maxLength: 5 }).map((names) => ({ isPack, names: isPack ? onceFolded(names) : names }));

/** Random games of both kinds of engines. */
export const spelledGame: fc.Arbitrary<SpelledGame> = fc.record({
  profile: fc.constantFrom("ioquake3", "yquake2"),
  // The home directory, then the base directory: each a directory and two packs.
  sources: fc.tuple(source(false), source(true), source(true), source(false), source(true), source(true)),
  asked: fc.uniqueArray(fc.oneof(path, path, directory.map((name) => name.slice(0, -1) || "maps")), {
    minLength: 8,
    maxLength: 16,
  }),
});

/** Such games with damaged files in packs. */
export const damagedGame: fc.Arbitrary<SpelledGame> = fc.tuple(spelledGame, fc.infiniteStream(fc.boolean())).map(
  ([game, coins]) => ({
    ...game,
    sources: game.sources.map((one) => ({
      ...one,
      damaged: one.isPack ? one.names.filter(() => coins.next().value) : [],
    })),
  }),
);

function onceFolded(names: readonly string[]): string[] {
  return Array.from(new Map(names.map((name) => [name.toLowerCase(), name])).values());
}

const roots = ["home", "base"];
const shape = {
  ioquake3: { base: "baseq3", packs: ["pak1.pk3", "pak0.pk3"], looseOnly: "q3config.cfg" },
  yquake2: { base: "baseq2", packs: ["pak1.pak", "pak0.pak"], looseOnly: "maps.lst" },
};

/** Returns the content of the file `name` of source `place`. */
function contentOf(place: number, name: string): string {
  return `${place} ${name}`;
}

/** The directories of a game, highest first, below `root`. */
export function rootsOf(root: string): string[] {
  return roots.map((name) => `${root}/${name}`);
}

/** Name of the game's base directory. */
export function baseOf({ profile }: SpelledGame): string {
  return shape[profile].base;
}

/** The game's files. */
export function filesOf(game: SpelledGame): Files {
  const { base, packs } = shape[game.profile];
  const files: Record<string, string | Uint8Array> = Object.fromEntries(roots.map((root) => [`${root}/${base}/`, ""]));
  for (const [place, { isPack, names, damaged = [] }] of game.sources.entries()) {
    const top = `${roots[place < 3 ? 0 : 1]}/${base}`;
    const members = [["other.txt", "other"], ...names.map((name) => [name, contentOf(place, name)])] as [
      string,
      string,
    ][];
    if (!isPack) { for (const [name, content] of members) files[`${top}/${name}`] = content; }
    else {
      const bytes = game.profile === "yquake2"
        ? spoiled(pak(members), members.map(([name]) => damaged.includes(name)))
        : zip(
          members.map(([name, content]) => ({ name, content, ...(damaged.includes(name) ? { offset: 1 << 20 } : {}) })),
        );
      files[`${top}/${packs[place % 3 - 1]}`] = bytes;
    }
  }
  return files;
}

/** Moves some members of a PAK after its end. */
function spoiled(bytes: Uint8Array, isDamaged: readonly boolean[]): Uint8Array {
  const view = new DataView(bytes.buffer);
  const directory = view.getUint32(4, true);
  isDamaged.forEach((is, index) => is && view.setUint32(directory + index * 64 + 56, 1 << 20, true));
  return bytes;
}

/** Returns the engine's answer to the path `asked`. */
export function saidByHand(game: SpelledGame, asked: string): Said {
  const isYamagi = game.profile === "yquake2";
  const order = isYamagi ? [1, 2, 0, 4, 5, 3] : [0, 1, 2, 3, 4, 5];
  const found = (name: string, isPack: boolean, wanted: string) =>
    name === wanted ||
    (name.toLowerCase() === wanted.toLowerCase() && (isPack || (isYamagi && name === name.toLowerCase())));
  let isDamaged = false;
  for (const place of order) {
    const { isPack, names, damaged = [] } = game.sources[place] ?? { isPack: false, names: [] };
    if (isPack && asked === shape[game.profile].looseOnly) continue;
    const own = names.find((name) => !isPack && name === asked) ?? names.find((name) => found(name, isPack, asked));
    if (own !== undefined && !damaged.includes(own)) return { content: contentOf(place, own) };
    isDamaged ||= own !== undefined;
  }
  if (isDamaged) return { isDamaged };
  const isAbove = game.sources.some(({ isPack, names }) =>
    names.some((name) => {
      const above = name.split("/").slice(0, asked.split("/").length).join("/");
      return above !== name && found(above, isPack, asked);
    })
  );
  return isAbove ? { isDirectory: true } : null;
}
