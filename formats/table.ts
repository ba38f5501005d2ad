/**
 * Table of archive formats: detection tries them, `formats` lists them, readers and writers find them by name.
 * @module
 */
import { anachronoxDat } from "./archives/anachronox_dat.ts";
import { bfgResources } from "./archives/bfg_resources.ts";
import type { ByteReader } from "./core/byte_reader.ts";
import { daikatanaPak } from "./archives/daikatana_pak.ts";
import { dragonNestPak } from "./archives/dragonnest_pak.ts";
import { type EntryTable, type FormatName, type Method, nestedAt } from "./core/entry_table.ts";
import type { ArchiveFormat } from "./core/format.ts";
import { foreignFormats } from "./archives/foreign.ts";
import { hashedPack } from "./archives/hashed_pack.ts";
import { gma } from "./archives/gma.ts";
import { grimrock } from "./archives/grimrock.ts";
import { grp } from "./archives/grp.ts";
import { hog } from "./archives/hog.ts";
import { hog2 } from "./archives/hog2.ts";
import { quakePak } from "./archives/quake_pak.ts";
import { rff } from "./archives/rff.ts";
import { sinPak } from "./archives/sin_pak.ts";
import { sourceBsp } from "./archives/source_bsp.ts";
import { vpk } from "./archives/vpk.ts";
import { wad } from "./archives/wad.ts";
import { wad2, wad3 } from "./archives/wad2.ts";
import { zip } from "./archives/zip.ts";

/**
 * Every archive format, in detection order: first formats with a signature at the beginning, then zip, which may be
 * identified only by its end (as may an archive whose last member is a stored zip), then formats without a signature.
 */
export const archiveFormats: readonly ArchiveFormat[] = [
  quakePak,
  daikatanaPak,
  sinPak,
  anachronoxDat,
  wad,
  wad2,
  wad3,
  grp,
  rff,
  hog,
  hog2,
  vpk,
  dragonNestPak,
  grimrock,
  bfgResources,
  gma,
  sourceBsp,
  ...foreignFormats,
  zip,
  hashedPack,
];

/**
 * Detects the format of an archive by its content, never by its name; `undefined` if it is unknown.
 */
export function detectFormat(source: ByteReader): ArchiveFormat | undefined {
  return archiveFormats.find((format) => format.detect(source));
}

const formatsByName: ReadonlyMap<string, ArchiveFormat> = new Map(
  archiveFormats.map((format) => [format.name, format]),
);

/** Returns the format with an identifier (`zip`, `quake-pak`), or `undefined`. */
export function formatNamed(name: string): ArchiveFormat | undefined {
  return formatsByName.get(name);
}

const namelessFormats: ReadonlySet<string> = new Set(
  archiveFormats.filter((format) => format.nameless).map((format) => format.name),
);

/** Returns whether the format with that name stores no names of members. */
export function isNameless(name: string): boolean {
  return namelessFormats.has(name);
}

/** Returns the format of member `index`: the archive's, or the inner archive's. */
export function memberFormat(format: ArchiveFormat, { nested }: EntryTable, index: number): ArchiveFormat {
  const inner = nestedAt(nested, index);
  return inner && formatNamed(inner.format) || format;
}

/**
 * Returns the usual format of files with `fileName`'s extension, preferring one that can be written. For writing only;
 * reading checks the content.
 */
export function formatForFileName(fileName: string): ArchiveFormat | undefined {
  const lower = fileName.toLowerCase();
  const candidates = archiveFormats.filter(({ extensions }) => extensions.some((ending) => lower.endsWith(ending)));
  return candidates.find((format) => format.write !== undefined) ?? candidates[0];
}

/** Description of a format: a row of `pakfs formats --json` and of docs/formats.md. */
export interface FormatRow {
  /** Name for the command line. */
  readonly format: FormatName;
  /** Name for people. */
  readonly title: string;
  /** Games that use it. */
  readonly games: string;
  /** Content by which it is detected. */
  readonly signature: string;
  /** Common file name extensions. */
  readonly extensions: readonly string[];
  /** Supported compression of members. */
  readonly methods: readonly Method[];
  /** The member that its games use if several have the same path. */
  readonly duplicates: "first" | "last";
  /** Whether it can be written; all formats can be read. */
  readonly writable: boolean;
}

/** Returns a row for each of {@linkcode archiveFormats}. */
export function formatRows(): FormatRow[] {
  return archiveFormats.map(({ name, title, games, signature, extensions, methods, duplicates, write }) => ({
    format: name,
    title,
    games,
    signature,
    extensions,
    methods,
    duplicates,
    writable: write !== undefined,
  }));
}

const formatsInParts = archiveFormats.filter((format) => format.archiveOfPart !== undefined);

/**
 * Returns the name of the archive to which a file belongs as a part, from its name alone: `pak01_dir.vpk` for
 * `pak01_003.vpk`; `undefined` if it does not have the name of a part.
 */
export function archiveOfPart(fileName: string): string | undefined {
  for (const format of formatsInParts) {
    const archive = format.archiveOfPart?.(fileName);
    if (archive !== undefined) return archive;
  }
  return undefined;
}
