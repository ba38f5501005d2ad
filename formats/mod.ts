/**
 * Reading and writing game archives: Quake PAK and the zip family (pk3, pk4, pkz, kpf, zip). Usable alone, without the
 * index, the mount or the daemon. Needs `--allow-read`, and `--allow-write` to create or extract.
 *
 * Archives are taken as hostile: members are listed from the archive's own table without reading their data, every
 * bound is checked first, names are cleaned by one policy, and damaged data is an error, never wrong bytes.
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
export * from "./archive.ts";
export * from "./core/byte_reader.ts";
export * from "./codecs/codec.ts";
export * from "./codecs/codecs.ts";
export * from "./core/content_type.ts";
export * from "./create.ts";
export * from "./core/damage.ts";
export * from "./core/directory.ts";
export * from "./core/entry_table.ts";
export * from "./core/errors.ts";
export * from "./extract.ts";
export * from "./core/format.ts";
export * from "./core/glob.ts";
export * from "./joined_reader.ts";
export { findByHash, memberHash, unknownDirectory } from "./archives/hashed_pack.ts";
export * from "./core/limits.ts";
export * from "../index/checksums/md4.ts";
export * from "./member.ts";
export * from "./core/name_hashes.ts";
export * from "./name_recovery.ts";
export * from "./core/names.ts";
export * from "./nested.ts";
export * from "../index/checksums/pk3_checksum.ts";
export * from "./core/ranges.ts";
export * from "../index/checksums/quake_pak_directory_crc.ts";
export * from "./core/raw_names.ts";
export * from "./table.ts";
export * from "./verify.ts";
