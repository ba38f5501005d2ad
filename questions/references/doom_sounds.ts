/**
 * Names of sounds: `SNDINFO` and `SNDSEQ` of Hexen and GZDoom.
 *
 * `SNDINFO` has lines: `NAME LUMP`, `NAME = LUMP`, `$random NAME { OTHER ... }`, `$alias NAME OTHER`, `$playersound
 * CLASS SEX NAME LUMP`, `$playersoundDup CLASS SEX NAME OTHER`, `$playeralias CLASS SEX NAME OTHER`, `$map NUMBER
 * LUMP`, `$ambient NUMBER NAME ...`. (`S_ParseSndInfo` of GZDoom s_advsound.cpp.) `SNDSEQ`: `:NAME`, commands such as
 * `play NAME`, `end`; `[NAME ... ]` a group. (`S_ParseSndSeq` of s_sndseq.cpp.)
 * @module
 */
import { soundName } from "./doom_names.ts";
import type { DoomDefinition } from "./doom_textures.ts";
import { needed, optional, type Reference } from "./reference.ts";

/** Content of `SNDINFO`. */
export interface SoundInfo {
  readonly definitions: readonly DoomDefinition[];
  /** Music by the number of a map: `$map`. */
  readonly music: ReadonlyMap<number, string>;
}

/** A line's words without comments, and its position. */
interface Line {
  readonly words: readonly string[];
  readonly offset: number;
  readonly number: number;
}

// One byte per letter, so that positions are offsets.
const latin = new TextDecoder("latin1");

/** Yields the lines of a text that have words; braces are separate words. */
function* linesOf(bytes: Uint8Array): Generator<Line> {
  const text = latin.decode(bytes).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => comment.replace(/[^\n]/g, " "));
  let offset = 0;
  let number = 0;
  for (const line of text.split("\n")) {
    number++;
    const bare = line.replace(/(?:\/\/|;)[^]*/, "");
    const words = Array.from(bare.matchAll(/"([^"]*)"|[{}]|[^\s"{}]+/g), ([word, string]) => string ?? word);
    if (words.length > 0) yield { words, offset, number };
    offset += line.length + 1;
  }
}

function lump(name: string): Reference {
  return needed("sound", name, "sound");
}

function other(name: string): Reference {
  return needed("definition", soundName(name), "sound");
}

/** Commands of `SNDINFO` with the index of the word with the sound's name, and whether the next word is a lump. */
const commands: ReadonlyMap<string, readonly [name: number, isLump: boolean]> = new Map([
  ["$alias", [1, false]],
  ["$playersound", [3, true]],
  ["$playersounddup", [3, false]],
  ["$playeralias", [3, false]],
]);

/** Reads `SNDINFO`. */
export function readSoundInfo(bytes: Uint8Array): SoundInfo {
  const definitions: DoomDefinition[] = [];
  const music = new Map<number, string>();
  const pending: { name: string; at: Line; references: Reference[] }[] = [];
  const add = (name: string, { offset, number: line }: Line, references: readonly Reference[]) =>
    definitions.push({ type: "sound", name: name.toLowerCase(), offset, line, references });
  for (const line of linesOf(bytes)) {
    const { words } = line;
    const [first = "", second = ""] = words;
    const command = first.toLowerCase();
    const random = pending.at(-1);
    if (random) {
      for (const word of words) {
        if (word === "}") {
          add(random.name, random.at, random.references);
          pending.length = 0;
          break;
        }
        random.references.push(other(word));
      }
    } else if (command === "$random") {
      const inside = words.slice(words.indexOf("{") + 1);
      const end = inside.indexOf("}");
      const names = words.includes("{") ? inside.slice(0, end < 0 ? undefined : end) : [];
      if (end >= 0) add(second, line, names.map(other));
      else pending.push({ name: second, at: line, references: names.map(other) });
    } else if (command === "$map") music.set(Number(second), words[2] ?? "");
    else if (commands.has(command)) {
      const [name, isLump] = commands.get(command) ?? [1, false];
      const target = words[name + 1] ?? "";
      if (target !== "") add(words[name] ?? "", line, [isLump ? lump(target) : other(target)]);
    } else if (!command.startsWith("$")) {
      const target = second === "=" ? words[2] ?? "" : second;
      if (target !== "" && target !== "{") add(first, line, [lump(target)]);
    }
  }
  return { definitions, music };
}

/** Commands of `SNDSEQ` with a sound's name. */
const plays = /^(?:play\w*|stopsound)$/i;

/** Reads `SNDSEQ`. */
export function readSoundSequences(bytes: Uint8Array): DoomDefinition[] {
  const found: DoomDefinition[] = [];
  let open: { name: string; at: Line; references: Reference[] } | undefined;
  const close = () => {
    if (open) {
      const { name, at: { offset, number: line }, references } = open;
      found.push({ type: "sequence", name, offset, line, references });
    }
    open = undefined;
  };
  for (const line of linesOf(bytes)) {
    const [first = "", second = ""] = line.words;
    if (/^[:[]/.test(first)) {
      close();
      open = { name: (first.length > 1 ? first.slice(1) : second).toLowerCase(), at: line, references: [] };
    } else if (first === "]" || first.toLowerCase() === "end") close();
    else if (open && plays.test(first) && second !== "") open.references.push(other(second));
    // Each line of a group has a number and a sequence.
    else if (open && /^\d+$/.test(first)) {
      open.references.push(optional("definition", "sequence", `sequence ${second.toLowerCase()}`));
    }
  }
  close();
  return found;
}
