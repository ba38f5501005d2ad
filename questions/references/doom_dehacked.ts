/**
 * Reads `DEHACKED`: new names for sprites, sounds and music in the engine's tables, and replaced strings.
 *
 * `Text 4 4`, then on the next line this many letters of the old and the new string, without a space; carriage returns
 * are not counted. Boom's extensions: `[SPRITES]`, `[SOUNDS]`, `[MUSIC]`, `[STRINGS]`, each with lines `OLD = NEW` up
 * to an empty one. Old names refer to the engine's tables, regardless of earlier renames. (`deh_procText` of
 * dsda-doom's d_deh.c, which reads these lumps without a switch, as GZDoom does; Chocolate Doom only with -dehlump.)
 * @module
 */
import { MediaError } from "../../media/mod.ts";
import { namedBy, readWords } from "./doom_names.ts";
import type { Reference } from "./reference.ts";

/** Content of a `DEHACKED` lump. */
export interface Dehacked {
  /** New names by `sprite`, `sound` or `music` and the old name in lower case. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly references: readonly Reference[];
  /** Whether it changes states or things by their numbers. */
  readonly hasNumbers: boolean;
}

const maxStrings = 20_000;
const latin = new TextDecoder("latin1");
const sections: Readonly<Record<string, string>> = { sprites: "sprite", sounds: "sound", music: "music" };

/** Returns the key of an old name in {@linkcode Dehacked.renamed}. */
export function renamedKey(type: "sprite" | "sound" | "music", name: string): string {
  return `${type} ${name.toLowerCase()}`;
}

/**
 * Reads `DEHACKED`.
 * @throws {MediaError} if it has too many strings, or a string is truncated.
 */
export function readDehacked(bytes: Uint8Array): Dehacked {
  const text = latin.decode(bytes).replaceAll("\r", "");
  const renamed = new Map<string, string>();
  const strings = new Set<string>();
  const rename = (type: string, from: string, to: string) => {
    renamed.set(`${type} ${from.toLowerCase()}`, to.toUpperCase());
    strings.add(to);
    if (strings.size > maxStrings) throw new MediaError(`it has more than ${maxStrings} strings`);
  };
  let section = "";
  let hasNumbers = false;
  const line = /[^\n]*\n?/y;
  while (line.lastIndex < text.length) {
    const [said = ""] = line.exec(text) ?? [];
    const [, from, to] = /^text +(\d{1,7}) +(\d{1,7})/i.exec(said)?.map(Number) ?? [];
    if (from !== undefined && to !== undefined) {
      const start = line.lastIndex;
      if (start + from + to > text.length) throw new MediaError(`a string of ${from + to} letters breaks off`);
      line.lastIndex += from + to;
      const [old, next] = [text.slice(start, start + from), text.slice(start + from, start + from + to)];
      // The engine searches this name first among sprites, then sounds, then music.
      const types = from === 4 && to === 4
        ? ["sprite", "sound", "music"]
        : from < 7 && to < 7
        ? ["sound", "music"]
        : [];
      for (const type of types.length > 0 ? types : ["string"]) rename(type, old, next);
      continue;
    }
    const head = /^\s*\[(\w+)\]/.exec(said)?.[1]?.toLowerCase();
    if (head !== undefined) section = head;
    else if (said.trim() === "") section = "";
    hasNumbers ||= head === "codeptr" || /^(?:thing|frame|pointer|sound|sprite|weapon) +\d/i.test(said);
    const pair = /^\s*([^\s=#]+)\s*=\s*(\S+)/.exec(said);
    if (pair && Object.hasOwn(sections, section)) rename(sections[section] ?? "", pair[1] ?? "", pair[2] ?? "");
  }
  const named = Array.from(strings).flatMap((string) => namedBy(string, "name in DEHACKED"));
  return { renamed, references: [...readWords(bytes), ...named], hasNumbers };
}
