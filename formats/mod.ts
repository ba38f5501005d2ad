/**
 * Reads and writes game archives: PAK, WAD, VPK, the zip family (pk3, pk4, pkz, kpf) and others. Works alone, without the
 * index, the mount or the daemon. Needs `--allow-read`, and `--allow-write` to create or extract.
 *
 * Archives are untrusted: members are listed from the archive's own table without reading their data, every bound is
 * checked first, names are cleaned by one policy, and damaged data is an error, never wrong bytes.
 *
 * @example List and read
 * ```ts
 * import { createArchive, openArchive } from "@pakfs/pakfs/formats";
 *
 * const folder = Deno.makeTempDirSync();
 * Deno.mkdirSync(`${folder}/mymod/maps`, { recursive: true });
 * Deno.writeTextFileSync(`${folder}/mymod/maps/start.ent`, "{}");
 * await createArchive(`${folder}/pak0.pak`, `${folder}/mymod`);
 *
 * using archive = openArchive(`${folder}/pak0.pak`);
 * for (const { qpath, size } of archive) {
 *   if (qpath !== "maps/start.ent" || size !== 2) throw new Error("unexpected listing");
 * }
 * if (new TextDecoder().decode(archive.read("maps/start.ent")) !== "{}") throw new Error("unexpected content");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 * @module
 */
export { Archive, type ArchiveRow, openArchive, type OpenOptions } from "./archive.ts";
export { type ByteReader, MemoryReader } from "./core/byte_reader.ts";
export type { FormatName, Method } from "./core/entry_table.ts";
export {
  ArchiveError,
  type ArchiveErrorDetails,
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  ReadError,
  TruncatedError,
  UnknownFormatError,
  UnwritableError,
} from "./core/errors.ts";
export type { ArchiveFormat, DeflateContents, WriteEntry } from "./core/format.ts";
export { compileGlob, type GlobOptions } from "./core/glob.ts";
export { type NameHashFunction, nameHashFunctions, type NameHashVariant, variantNamed } from "./core/name_hashes.ts";
export { type DisplayName, displayName } from "./core/names.ts";
export { deflateContents } from "./archives/zip_writer.ts";
export { createArchive, type CreateOptions, type CreateResult } from "./create.ts";
export {
  extractArchive,
  type ExtractOptions,
  type ExtractProblem,
  type ExtractResult,
  type RenamedFile,
} from "./extract.ts";
export { nameList } from "./name_recovery.ts";
export { type FormatRow, formatRows } from "./table.ts";
export { verifyArchive, type VerifyOptions, type VerifyRow } from "./verify.ts";
