/**
 * Names in lumps whose structure is not parsed; each counts as a reference only if the item exists.
 *
 * Compiled ACS (`BEHAVIOR`, `acs/`) contains its strings NUL-terminated, unless it hides them (chunk `STRE`).
 * @module
 */
import { doomWords, MediaError } from "../../media/mod.ts";
import { optional, type Reference } from "./reference.ts";

/** Maximum letters of a name. */
const maxName = 64;
/** Maximum different names of one file. */
const maxNames = 20_000;

/** Returns the name of a class in references of kind `definition`. */
export function actorName(name: string): string {
  return `actor ${name.toLowerCase()}`;
}

/** Returns the name of a sound in references of kind `definition`. */
export function soundName(name: string): string {
  return `sound ${name.toLowerCase()}`;
}

/** Returns the possible references of a string in any kind of lump. */
export function namedBy(string: string, why: string): Reference[] {
  if (string.length < 2 || string.length > maxName || !/^[\w./:*^[\]-]+$/.test(string)) return [];
  return [
    optional("definition", why, actorName(string)),
    optional("definition", why, soundName(string)),
    optional("texture", why, string),
    optional("texture", why, `flats/${string}`),
    optional("image", why, string),
    optional("music", why, string),
    optional("file", why, string),
  ];
}

function referencesOf(names: Iterable<string>, why: string): Reference[] {
  const known = new Set<string>();
  for (const name of names) {
    if (known.size >= maxNames) throw new MediaError(`it has more than ${maxNames} names`);
    known.add(name);
  }
  return Array.from(known).flatMap((name) => namedBy(name, why));
}

const latin = new TextDecoder("latin1");

/**
 * Reads the strings of compiled ACS.
 * @throws {MediaError} if they are hidden, or too many.
 */
export function readScripts(bytes: Uint8Array): Reference[] {
  const text = latin.decode(bytes);
  if (text.startsWith("ACS") && text.includes("STRE")) throw new MediaError("its scripts hide their strings");
  return referencesOf(
    Array.from(text.matchAll(/(?<![ -~])[!-~]{2,}(?=\0)/g), ([string]) => string),
    "name in a script",
  );
}

/**
 * Reads the words of a text.
 * @throws {MediaError} if there are too many.
 */
export function readWords(bytes: Uint8Array): Reference[] {
  const names = doomWords(bytes).filter(({ kind, text }) => kind === "string" || /^[A-Za-z]/.test(text));
  return referencesOf(names.map(({ text }) => text), "name");
}
