/**
 * The table of archive formats: what detection tries, what `formats` lists, what writers can be asked for by name.
 * @module
 */
import type { ByteSource } from "./byte_source.ts";
import type { ArchiveFormat } from "./format.ts";
import { quakePak } from "./quake_pak.ts";
import { vpk } from "./vpk.ts";
import { wad } from "./wad.ts";
import { wad2, wad3 } from "./wad2.ts";
import { zip } from "./zip.ts";

/** Every archive format, in the order in which detection tries them. */
export const archiveFormats: readonly ArchiveFormat[] = [zip, quakePak, wad, wad2, wad3, vpk];

/**
 * The format of `source`, judged by its content and never by its name; `undefined` if it is in none of them.
 * @example
 * ```ts
 * import { detectFormat, MemorySource } from "@pakfs/pakfs/formats";
 *
 * using source = new MemorySource(new TextEncoder().encode("PACK\x0c\0\0\0\0\0\0\0"));
 * if (detectFormat(source)?.name !== "quake-pak") throw new Error("an empty Quake PAK was not recognised");
 * ```
 */
export function detectFormat(source: ByteSource): ArchiveFormat | undefined {
  return archiveFormats.find((format) => format.detect(source));
}

/** The format of that name (`zip`, `quake-pak`), or `undefined`. */
export function formatNamed(name: string): ArchiveFormat | undefined {
  return archiveFormats.find((format) => format.name === name);
}

/** The format usually kept in files with `fileName`'s ending. For choosing what to write; reading looks inside. */
export function formatForFileName(fileName: string): ArchiveFormat | undefined {
  const lower = fileName.toLowerCase();
  return archiveFormats.find((format) => format.extensions.some((extension) => lower.endsWith(extension)));
}

/**
 * Name of the archive that a file is a part of, judged by the name alone: `pak01_dir.vpk` for `pak01_003.vpk`;
 * `undefined` if it is not named as parts are.
 */
export function archiveOfPart(fileName: string): string | undefined {
  for (const format of archiveFormats) {
    const archive = format.archiveOfPart?.(fileName);
    if (archive !== undefined) return archive;
  }
  return undefined;
}
