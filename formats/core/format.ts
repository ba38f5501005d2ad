/**
 * What one archive format is able to do: the row type of the format table in `formats/table.ts`, which feeds
 * detection, the `formats` listing and the documentation.
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import type { EntryTable, FormatName, Method } from "./entry_table.ts";
import type { NameHashVariant } from "./name_hashes.ts";
import type { DecodedName } from "./names.ts";

/** A file to be written into an archive. */
export interface WriteEntry {
  /** Path inside the archive, `/`-separated. */
  readonly path: string;
  /**
   * Content. Asked for when its turn comes, so that one file at a time is in memory; by formats whose header or table
   * names compressed sizes beforehand too. It must be the same each time.
   */
  readonly content: () => Uint8Array | Promise<Uint8Array>;
  /**
   * The content in pieces, for contents that should not be in memory as a whole; the same each time. Asked for where
   * `size` is large and the writer can do without the whole.
   */
  readonly pieces?: () => AsyncIterable<Uint8Array>;
  /**
   * Length of the content in bytes, if known beforehand. With it a Quake PAK is written one file at a time; without it
   * that writer holds all contents, since its header must name the end of the data.
   */
  readonly size?: number;
  /** Modification time, milliseconds since the epoch. */
  readonly mtime?: number;
}

/** What a writer may do to bytes that it has given already, where the archive is written to a file. */
export interface GivenBytes {
  /** Replaces the bytes at `position` of the archive. */
  replace(position: number, bytes: Uint8Array): Promise<void>;
  /** Takes back all bytes from `position` of the archive on. */
  takeBack(position: number): Promise<void>;
}

/** Options of a writer. */
export interface WriteOptions {
  /** Path of the archive, for messages. */
  readonly path: string;
  /** Compression where the format has a choice; default `deflate` for zip. */
  readonly method?: "store" | "deflate";
  /** How a hashed pack turns paths into hashes; default FNV-1a of the path as it is. */
  readonly hash?: NameHashVariant;
  /**
   * Changes bytes that were given before. Without it, large contents whose compressed size is not known beforehand are held
   * in memory.
   */
  readonly given?: GivenBytes;
  /** Told after each member: how many are done of how many. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops writing with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A member that is decrypted while it is read. */
export interface DecryptedMember {
  /** How what was encrypted is packed. */
  readonly method: Method;
  /** CRC-32 of the decompressed bytes, or `undefined` if the encryption has a checksum of its own. */
  readonly crc32: number | undefined;
  /** Where the encrypted bytes begin. */
  readonly offset: number;
  /** Number of compressed bytes. */
  readonly packedSize: number;
  /** The compressed bytes. Errors of decryption are thrown while they are read. */
  readonly compressed: () => Iterable<Uint8Array>;
}

/** One archive format. */
export interface ArchiveFormat {
  /** Name for the command line and JSON. */
  readonly name: FormatName;
  /** The format's name for people: `Quake PAK`. */
  readonly title: string;
  /** Games that use it: `Quake, Quake 2, Half-Life`. */
  readonly games: string;
  /** What it is known by, for people: `PACK, and entries of 64 bytes`. */
  readonly signature: string;
  /** How members can be packed in it, as far as they can be read. */
  readonly methods: readonly Method[];
  /** Usual file name endings, with the dot, lower case. A hint for people; never used to decide. */
  readonly extensions: readonly string[];
  /** Which of several members of one path the format's original engine takes. */
  readonly duplicates: "first" | "last";
  /**
   * Whether `source` is in this format, judged by content. Never throws for odd content.
   * @internal
   */
  detect(source: ByteReader): boolean;
  /**
   * Lists the members without reading any payload.
   * @throws {ArchiveError} if the archive's own structure cannot be trusted.
   * @internal
   */
  read(source: ByteReader): EntryTable;
  /**
   * Where the compressed bytes of member `index` begin, for formats whose table points at a header in front of them.
   * Absent when `table.offsets` already is that place.
   * @throws {DamagedMemberError} if the header there does not belong to the member.
   * @internal
   */
  dataOffset?(source: ByteReader, table: EntryTable, index: number): number;
  /**
   * How member `index`, whose damage is `encrypted`, is read with a password. Absent for formats without passwords.
   * @throws {DamagedMemberError} if it is encrypted in a way that is not known, or not sound.
   * @internal
   */
  decrypt?(source: ByteReader, table: EntryTable, index: number, password: string): DecryptedMember;
  /**
   * Members are known by a hash of their name only, and listed as `unknown/` and that hash.
   * @internal
   */
  readonly nameless?: true;
  /**
   * For formats in several files: name of the archive that the file called `fileName` is a part of, if it is named as
   * parts are. Such a file is no archive by itself, whatever it holds.
   * @internal
   */
  archiveOfPart?(fileName: string): string | undefined;
  /**
   * Turns a name as the archive holds it into UTF-8, for formats with a character set of their own.
   * @internal
   */
  decodeName?(raw: Uint8Array): DecodedName;
  /**
   * Writes an archive, chunk by chunk. Same input, same bytes. Absent for formats that are only read.
   * @internal
   */
  write?(entries: readonly WriteEntry[], options: WriteOptions): AsyncIterable<Uint8Array>;
}
