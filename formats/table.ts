/**
 * The table of archive formats: what detection tries, what `formats` lists, what writers can be asked for by name.
 * @module
 */
import { anachronoxDat } from "./anachronox_dat.ts";
import type { ByteSource } from "./byte_source.ts";
import { daikatanaPak } from "./daikatana_pak.ts";
import type { ArchiveFormat } from "./format.ts";
import { dragonNestPak } from "./dragonnest_pak.ts";
import { hashedPack } from "./hashed_pack.ts";
import { grimrock } from "./grimrock.ts";
import { grp } from "./grp.ts";
import { hog } from "./hog.ts";
import { hog2 } from "./hog2.ts";
import { quakePak } from "./quake_pak.ts";
import { rff } from "./rff.ts";
import { sinPak } from "./sin_pak.ts";
import { zip } from "./zip.ts";

/**
 * Every archive format, in the order in which detection tries them: first those with a signature of their own at the
 * beginning, then zip, which may be known only by its end (an archive whose last member is a stored zip ends in the same
 * way), then what has no signature at all.
 */
export const archiveFormats: readonly ArchiveFormat[] = [
  quakePak,
  daikatanaPak,
  sinPak,
  anachronoxDat,
  grp,
  rff,
  hog,
  hog2,
  dragonNestPak,
  grimrock,
  zip,
  hashedPack,
];

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

/**
 * The format usually kept in files with `fileName`'s ending; of several the first that can be written. For choosing what
 * to write; reading looks inside.
 */
export function formatForFileName(fileName: string): ArchiveFormat | undefined {
  const lower = fileName.toLowerCase();
  const candidates = archiveFormats.filter(({ extensions }) => extensions.some((ending) => lower.endsWith(ending)));
  return candidates.find((format) => format.write !== undefined) ?? candidates[0];
}
