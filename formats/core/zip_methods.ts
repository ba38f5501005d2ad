/**
 * Compression methods of zip: supported methods, and programs that read the others. Numbers of APPNOTE.TXT 4.4.5.
 * @module
 */
import { type Method, methodCode } from "./entry_table.ts";

/** Codes of the supported methods, by zip's number. */
export const zipMethodCodes: ReadonlyMap<number, number> = new Map([
  [0, methodCode.store],
  [8, methodCode.deflate],
  [12, methodCode.bzip2],
  [14, methodCode.lzma],
  [93, methodCode.zstd],
]);

/** Engines that support a method, other than stored and deflated members, which all engines support. */
const engines: Readonly<Partial<Record<Method, string>>> = {
  bzip2: "GZDoom and FTE read it, Quake 3 and Doom 3 engines do not",
  lzma: "GZDoom reads it, Quake 3 and Doom 3 engines do not",
  zstd: "no known engine reads it",
};

/** Returns a clause with the engines that read a method in a zip; `undefined` if all do. */
export function zipEngines(method: Method): string | undefined {
  return engines[method];
}

/** Names of unsupported methods, and programs that read them. */
const foreignMethods: Readonly<Record<number, { readonly name: string; readonly readers: string }>> = {
  1: { name: "Shrink", readers: "unzip, 7-Zip and GZDoom read it" },
  2: { name: "Reduce 1", readers: "7-Zip reads it" },
  3: { name: "Reduce 2", readers: "7-Zip reads it" },
  4: { name: "Reduce 3", readers: "7-Zip reads it" },
  5: { name: "Reduce 4", readers: "7-Zip reads it" },
  6: { name: "Implode", readers: "unzip, 7-Zip and GZDoom read it" },
  9: { name: "Deflate64", readers: "unzip, 7-Zip and FTE read it" },
  94: { name: "MP3", readers: "WinZip reads it" },
  95: { name: "XZ", readers: "7-Zip and GZDoom read it" },
  96: { name: "JPEG", readers: "WinZip reads it" },
  97: { name: "WavPack", readers: "WinZip reads it" },
  98: { name: "PPMd", readers: "7-Zip reads it" },
  99: { name: "AES encryption", readers: "7-Zip reads it, with the password" },
};

/** Returns the name of an unsupported method, and the programs that read it. */
export function foreignMethod(number: number): { name: string; readers: string } {
  const known = foreignMethods[number];
  return known
    ? { name: `compression ${number} (${known.name})`, readers: known.readers }
    : { name: `compression ${number}`, readers: "no known engine reads it" };
}
