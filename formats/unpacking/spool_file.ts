/**
 * The file that holds what an archive unpacks to: the contents of its members one after the other, and their list.
 *
 * | offset   | size | content                                |
 * |---------:|-----:|----------------------------------------|
 * |        0 |      | contents                               |
 * | size - n |      | {@linkcode SpooledList} as JSON        |
 * |      -16 |    8 | {@linkcode spoolMagic}                 |
 * |       -8 |    8 | length of the JSON, as a 64-bit float  |
 * @module
 */
import type { Damage } from "../core/entry_table.ts";

/** Last bytes but eight of a spool file. The number is to be raised when the layout, or what is unpacked, becomes another. */
export const spoolMagic = "PAKFSUP1";
/** Bytes after the list. */
export const spoolEnd = 16;

/** Reason why a member was not unpacked. */
export type SpoolDamage = Extract<Damage, "none" | "encrypted" | "unreadable" | "missing-target">;

/** A member: name with a character a byte, offset and size in the contents, CRC-32, time (ms) or null, kind, damage. */
export type SpooledEntry = readonly [
  name: string,
  offset: number,
  size: number,
  crc32: number,
  mtime: number | null,
  isDirectory: boolean,
  damage: SpoolDamage,
];

/** Members of an archive. */
export interface SpooledList {
  /** Length of all contents. */
  readonly dataSize: number;
  readonly entries: readonly SpooledEntry[];
  readonly warnings: readonly string[];
}

/** Why an archive was not unpacked. */
export interface UnpackFailure {
  readonly kind: "missing-library" | "changed" | "corrupt" | "limit" | "disk";
  /** Sentence without the path. */
  readonly message: string;
}

/** Order for the process that unpacks an archive. */
export interface UnpackOrder {
  /** Name of the format. */
  readonly format: string;
  /** Directory of the spool files. */
  readonly directory: string;
  /** Name of the spool file. */
  readonly name: string;
  /** Path of the archive; null: its bytes are the standard input. */
  readonly path: string | null;
  /** Identity of the file at `path`: {@linkcode identityOf}. */
  readonly identity: string;
}

/** Numbers that change with a file, as `node:fs` has them. */
export type FileStamps = Readonly<Record<"dev" | "ino" | "size" | "mtimeNs" | "ctimeNs", bigint>>;

/** Returns what is different once a file was changed or replaced. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: FileStamps): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}
