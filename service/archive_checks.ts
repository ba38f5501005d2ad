/**
 * Checks archives on disk for engines, without an index.
 * @module
 */
import { basename, resolve } from "@std/path";
import { openArchive, type OpenOptions } from "../formats/parts.ts";
import { pk3Checksum } from "../index/mod.ts";
import { archiveWarnings } from "../engines/mod.ts";
import type { ChecksumResult } from "../protocol/rows.ts";

/**
 * Computes the checksums by which Quake III's engines identify a pk3; `undefined` for an archive that is not a zip.
 * @param feed The server's `sv_checksumFeed`, for the pure checksum.
 * @throws {ArchiveError} if the file is not an archive, or is damaged.
 * @example
 * ```ts
 * import { fileChecksum } from "@pakfs/pakfs";
 * import { createArchive } from "@pakfs/pakfs/formats";
 *
 * const folder = Deno.makeTempDirSync();
 * Deno.mkdirSync(`${folder}/mod/scripts`, { recursive: true });
 * Deno.writeTextFileSync(`${folder}/mod/scripts/arenas.txt`, "{ map q3dm1 }");
 * await createArchive(`${folder}/mod.pk3`, `${folder}/mod`);
 *
 * const result = fileChecksum(`${folder}/mod.pk3`, 12345);
 * if (result?.checksum !== 444983844 || result.pure !== -785961076) throw new Error("ioquake3 would say otherwise");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function fileChecksum(path: string, feed: number): ChecksumResult | undefined {
  using archive = openArchive(path);
  if (archive.format.name !== "zip") return undefined;
  const { checksum, pure, feed: usedFeed } = pk3Checksum(archive.table, { feed });
  return { pack: basename(path), source: resolve(path), checksum, unsigned: checksum >>> 0, pure, feed: usedFeed };
}

/**
 * Returns sentences about the files of an archive that engines would not find, and the reasons why they would reject
 * it.
 * @param options The format, for archives that are not detected by content.
 * @throws {ArchiveError} if the file is not an archive, or is damaged.
 */
export function engineWarnings(path: string, options: Pick<OpenOptions, "format"> = {}): string[] {
  using archive = openArchive(path, options);
  return archiveWarnings(archive.format.name, Array.from(archive, ({ qpath }) => qpath));
}
