/**
 * Interface of an archive format, a row of the table in `formats/table.ts`, which is used for detection, the `formats`
 * listing and the documentation.
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import type { EntryTable, FormatName, Method } from "./entry_table.ts";
import type { NameHashVariant } from "./name_hashes.ts";
import type { DecodedName } from "./names.ts";

/** File to be written into an archive. */
export interface WriteEntry {
  /** Path inside the archive, `/`-separated. */
  readonly path: string;
  /**
   * Returns the content, the same each time. Called when the file is written, so that one file at a time is in memory;
   * formats whose header or table holds compressed sizes call it before that too.
   */
  readonly content: () => Uint8Array | Promise<Uint8Array>;
  /**
   * Returns the content in chunks, for contents that should not be in memory as a whole; the same each time. Called if
   * `size` is large and the writer does not need the whole.
   */
  readonly pieces?: () => AsyncIterable<Uint8Array>;
  /**
   * Length of the content in bytes, if known beforehand. With it a Quake PAK is written one file at a time; without it
   * that writer holds all contents, since its header must contain the end of the data.
   */
  readonly size?: number;
  /** Modification time, milliseconds since the epoch. */
  readonly mtime?: number;
}

/** Access to already written bytes, if the archive is written to a file. */
export interface GivenBytes {
  /** Replaces the bytes at `position` of the archive. */
  replace(position: number, bytes: Uint8Array): Promise<void>;
  /** Removes all bytes from `position` of the archive. */
  takeBack(position: number): Promise<void>;
}

/** Options of a writer. */
export interface WriteOptions {
  /** Path of the archive, for messages. */
  readonly path: string;
  /** Compression, if the format has a choice; default `deflate` for zip. */
  readonly method?: "store" | "deflate";
  /** Hash function of a hashed pack; default: FNV-1a of the unchanged path. */
  readonly hash?: NameHashVariant;
  /** Access to already written bytes. Without it, large contents with unknown compressed size are held in memory. */
  readonly given?: GivenBytes;
  /** Called after each member with the number of finished members and of all members. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Aborts writing with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Deflates the contents of a zip, several at a time; default: in this thread. */
  readonly deflate?: DeflateContents;
}

/** Deflates contents like `deflateContents`, perhaps in another thread. Called again before it has returned. */
export type DeflateContents = (contents: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>;

/** Member that is decrypted while it is read. */
export interface DecryptedMember {
  /** Compression of the decrypted bytes. */
  readonly method: Method;
  /** CRC-32 of the decompressed bytes, or `undefined` if the encryption has its own checksum. */
  readonly crc32: number | undefined;
  /** Offset of the encrypted bytes. */
  readonly offset: number;
  /** Number of compressed bytes. */
  readonly packedSize: number;
  /** Yields the compressed bytes. Decryption errors are thrown while reading. */
  readonly compressed: () => Iterable<Uint8Array>;
}

/** Archive format. */
export interface ArchiveFormat {
  /** Name for the command line and JSON. */
  readonly name: FormatName;
  /** Name for people: `Quake PAK`. */
  readonly title: string;
  /** Games that use it: `Quake, Quake 2, Half-Life`. */
  readonly games: string;
  /** Content by which it is detected, for people: `PACK, and entries of 64 bytes`. */
  readonly signature: string;
  /** Supported compression of members. */
  readonly methods: readonly Method[];
  /** Common file name extensions, with the dot, lower case. A hint for people; never used for detection. */
  readonly extensions: readonly string[];
  /** The member that the format's original engine uses if several have the same path. */
  readonly duplicates: "first" | "last";
  /**
   * Returns whether an archive has this format, by its content. Never throws for invalid content.
   * @internal
   */
  detect(reader: ByteReader): boolean;
  /**
   * Lists the members without reading any payload.
   * @throws {ArchiveError} if the archive's own structure cannot be trusted.
   * @internal
   */
  read(reader: ByteReader): EntryTable;
  /**
   * Returns the offset of member `index`'s compressed bytes, for formats whose table points to a header before them.
   * Absent if `table.offsets` points to the data.
   * @throws {DamagedMemberError} if the header there does not belong to the member.
   * @internal
   */
  dataOffset?(reader: ByteReader, table: EntryTable, index: number): number;
  /**
   * Opens member `index`, whose damage is `encrypted`, with a password. Absent for formats without passwords.
   * @throws {DamagedMemberError} if its encryption is unknown, or it is damaged.
   * @internal
   */
  decrypt?(reader: ByteReader, table: EntryTable, index: number, password: string): DecryptedMember;
  /**
   * Whether members are identified only by a hash of their name, and listed as `unknown/` and that hash.
   * @internal
   */
  readonly nameless?: true;
  /**
   * No engine loads a pack in it, unless its rules name the format.
   * @internal
   */
  readonly isNoPack?: true;
  /**
   * Returns the name of the archive that the file `fileName` is a part of, if it is named as parts are, for formats in
   * several files. Such a file is not an archive by itself, regardless of its content.
   * @internal
   */
  archiveOfPart?(fileName: string): string | undefined;
  /**
   * Converts a name in the archive to UTF-8, for formats with their own character set.
   * @internal
   */
  decodeName?(raw: Uint8Array): DecodedName;
  /**
   * Writes an archive in chunks. Same input, same bytes. Absent for read-only formats.
   * @internal
   */
  write?(entries: readonly WriteEntry[], options: WriteOptions): AsyncIterable<Uint8Array>;
}
