/**
 * One opened archive: listing, finding and reading its members.
 * @module
 */
import { elementAt } from "./core/cursor.ts";
import { basename, dirname, resolve } from "@std/path";
import { type ByteReader, FileByteReader } from "./core/byte_reader.ts";
import { memberDamage } from "./core/damage.ts";
import { type EntryTable, type ExactSizes, type FormatName, type Method, methodNames } from "./core/entry_table.ts";
import { ArchiveError, UnknownFormatError } from "./core/errors.ts";
import type { ArchiveFormat } from "./core/format.ts";
import { joinFiles } from "./joined_reader.ts";
import { memberStream, readMember, type ReadMemberOptions } from "./member.ts";
import type { NameHashVariant } from "./core/name_hashes.ts";
import { memberHashes, recoverNames, withNames } from "./name_recovery.ts";
import { spelledName } from "./core/names.ts";
import { addNested } from "./nested.ts";
import { locateInFiles } from "./core/ranges.ts";
import { archiveOfPart, detectFormat, formatNamed, memberFormat } from "./table.ts";
import { describeUnknown } from "./unknown_format.ts";

/** File in an archive, a row of `archive list`. Sizes and offsets in bytes. */
export interface ArchiveRow {
  /** Type of the row. */
  readonly type: "file";
  /** Display path. */
  readonly qpath: string;
  /** Decompressed size. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** Absolute path of the archive. */
  readonly source: string;
  /** Name as the archive spells it. */
  readonly member: string;
  /** Format of the archive; for members of an inner archive, the inner format. */
  readonly format: FormatName;
  /**
   * Offset of the member's record in the archive, or in `part`: for zip its local header, else its data. For a member
   * of a compressed inner archive: offset in its decompressed bytes.
   */
  readonly offset: number;
  /**
   * Absolute path of the file that holds the data, if the archive's own does not: one of several files of the archive, or
   * the file that it was unpacked to.
   */
  readonly part?: string;
  /** Size in the archive. */
  readonly packedSize: number;
  /** Decimal digits of `size` if it exceeds 2^53, which a number would round; valid files never have such a size. */
  readonly exactSize?: string;
  /** Decimal digits of `packedSize` if it exceeds 2^53. */
  readonly exactPackedSize?: string;
  /** Compression. */
  readonly method: Method;
  /** Eight hex digits, or null if the format stores no checksum. */
  readonly crc32: string | null;
  /** Reason why the member cannot be read, one sentence; only if the table shows it. */
  readonly damaged?: string;
}

function exactDigits(exact: ExactSizes | undefined): Pick<ArchiveRow, "exactSize" | "exactPackedSize"> {
  const digits = (value: bigint | undefined) => value !== undefined && value > Number.MAX_SAFE_INTEGER && String(value);
  const size = digits(exact?.size);
  const packedSize = digits(exact?.packedSize);
  return { ...(size && { exactSize: size }), ...(packedSize && { exactPackedSize: packedSize }) };
}

/**
 * An opened archive. Iterating it gives a row per file, in the order of the archive's table; rows are created on
 * demand.
 *
 * An archive may list one path several times. All are iterated; {@linkcode Archive.find}, `read` and `stream` use the
 * one that the format's original engine uses: the first in a Quake PAK and the last in a zip.
 */
export class Archive implements Disposable, Iterable<ArchiveRow> {
  /** Reader of the opened file. */
  readonly source: ByteReader;
  /** Format of the archive. */
  readonly format: ArchiveFormat;
  /**
   * Members in columns, directories included.
   * @internal
   */
  readonly table: EntryTable;
  /**
   * Options for reading members.
   * @internal
   */
  readonly readOptions: ReadMemberOptions;
  readonly #absolutePath: string;
  #indices: Map<string, number> | undefined;

  /**
   * Joins the parts of an archive, for {@linkcode openArchive}.
   * @param source Closed together with the archive.
   * @internal
   */
  constructor(source: ByteReader, format: ArchiveFormat, table: EntryTable, readOptions: ReadMemberOptions = {}) {
    this.source = source;
    this.format = format;
    this.table = table;
    this.readOptions = readOptions;
    this.#absolutePath = resolve(source.path);
  }

  /** Warnings about the archive as a whole. */
  get warnings(): readonly string[] {
    return this.table.warnings;
  }

  /** Returns the row of member `index` of {@linkcode Archive.table}. */
  row(index: number): ArchiveRow {
    const { table } = this;
    const qpath = table.path(index);
    const raw = table.rawNames.get(index);
    const damaged = memberDamage(table, index);
    const reader = memberFormat(this.format, table, index);
    return {
      type: "file",
      qpath,
      size: elementAt(table.sizes, index),
      mtime: elementAt(table.mtimes, index),
      source: this.#absolutePath,
      member: raw ? spelledName(raw, reader.decodeName) : qpath,
      format: reader.name,
      ...this.#location(index, damaged !== undefined),
      packedSize: elementAt(table.compressedSizes, index),
      method: elementAt(methodNames, elementAt(table.methods, index)),
      crc32: table.crc(index)?.toString(16).padStart(8, "0") ?? null,
      ...exactDigits(table.exactSizes.get(index)),
      ...(damaged !== undefined && { damaged }),
    };
  }

  /** Yields the rows of all files. */
  *[Symbol.iterator](): IterableIterator<ArchiveRow> {
    for (let index = 0; index < this.table.length; index++) {
      if (!this.table.isDirectory(index)) yield this.row(index);
    }
  }

  /**
   * Returns the index of the file at `path` (a display path, case-sensitive) in {@linkcode Archive.table}, or
   * `undefined`.
   */
  indexOf(path: string): number | undefined {
    return this.#byPath().get(path);
  }

  /** Returns the row of the file at `path` (a display path, case-sensitive), or `undefined`. */
  find(path: string): ArchiveRow | undefined {
    const index = this.indexOf(path);
    return index === undefined ? undefined : this.row(index);
  }

  /**
   * Reads the file at `path`, verified.
   * @throws {DamagedMemberError} if it cannot be read or does not match its checksum or size.
   * @throws {ArchiveError} if the file is not found.
   */
  read(path: string): Uint8Array {
    return readMember(this.source, this.format, this.table, this.#require(path), this.readOptions);
  }

  /**
   * Reads the file at `path` as a stream, of any size. The archive must stay open until the stream has ended, and
   * its bytes must not be trusted before: damage found at the end is an error instead of the end.
   * @throws {ArchiveError} as {@linkcode Archive.read} does.
   */
  stream(path: string): ReadableStream<Uint8Array> {
    return memberStream(this.source, this.format, this.table, this.#require(path), this.readOptions);
  }

  /** Closes the archive. */
  [Symbol.dispose](): void {
    this.source.close();
  }

  /** Returns offset and file of a member; for a damaged one, the offset stored in the archive. */
  #location(index: number, isDamaged: boolean): { offset: number; part?: string } {
    const { layout, offsets, sizes } = this.table;
    const offset = elementAt(offsets, index);
    if (!layout || isDamaged || sizes[index] === 0) return { offset };
    const location = locateInFiles(layout.ranges, offset);
    const file = layout.files[location.file];
    if (file?.kind !== "part") return { offset: location.offset };
    return { offset: location.offset, part: resolve(dirname(this.#absolutePath), file.name) };
  }

  #byPath(): Map<string, number> {
    if (this.#indices) return this.#indices;
    const indices = new Map<string, number>();
    for (let index = 0; index < this.table.length; index++) {
      if (this.table.isDirectory(index)) continue;
      const path = this.table.path(index);
      if (this.format.duplicates === "last" || !indices.has(path)) indices.set(path, index);
    }
    return this.#indices = indices;
  }

  #require(path: string): number {
    const index = this.indexOf(path);
    if (index !== undefined) return index;
    const folded = path.toLowerCase();
    const similar = this.#byPath().keys().find((other) => other.toLowerCase() === folded);
    throw new ArchiveError(`has no file ${path}${similar === undefined ? "" : `; did you mean ${similar}?`}`, {
      path: this.source.path,
      member: path,
    });
  }
}

/** Options of {@linkcode openArchive}. */
export interface OpenOptions {
  /** Format of the file, regardless of its content: for hashed packs, which have no signature. */
  readonly format?: FormatName;
  /** Possible paths of members in an archive without names. */
  readonly names?: readonly string[];
  /** Hash function of an archive without names; default: detected with the help of `names`. */
  readonly hash?: NameHashVariant;
  /**
   * Lists the members of inner archives too, to a depth of four: the lumps of `gfx.wad` below `gfx.wad.d/`. Compressed
   * inner archives are decompressed into memory. Each unreadable one causes a warning.
   */
  readonly nested?: boolean;
  /** Password of encrypted members, which cannot be read without it. */
  readonly password?: string;
}

/** Returns the table with the names that hash to its members. */
function namedTable(table: EntryTable, { names, hash }: OpenOptions): EntryTable {
  if (!names || names.length === 0) return table;
  const found = recoverNames(memberHashes(table), names, hash);
  const named = withNames(table, found.names);
  named.warnings.push(
    found.hash === null
      ? `none of the ${found.tried} names hashes to one of its files`
      : `${found.named} of ${found.files} files have a name among the ${found.tried}, hashed by ${found.hash}`,
    ...found.collisions.map((collision) =>
      `${collision.names.join(" and ")} have the same hash (${collision.hash}); the first is used`
    ),
  );
  return named;
}

/** Rejects a part of a multi-file archive, whose first bytes may look like any format. */
function refusePart(source: ByteReader): void {
  const name = basename(source.path);
  const archive = archiveOfPart(name);
  if (archive === undefined) return;
  using found = source.beside?.(archive);
  if (found) throw new UnknownFormatError(`${name} is a data part; open ${archive}`, { path: source.path });
}

/**
 * Opens an archive. The format is detected by content, not by name.
 * @param from Path of a file (requires `--allow-read`), or an opened reader, which the archive then owns.
 * @throws {UnknownFormatError} if its format is unknown.
 * @throws {ArchiveError} if its structure is damaged; the message says where.
 * @example
 * ```ts
 * import { MemoryReader, openArchive, UnknownFormatError } from "@pakfs/pakfs/formats";
 *
 * try {
 *   using archive = openArchive(new MemoryReader(new TextEncoder().encode("Game"), "maps.pk3"));
 *   throw new Error(`unexpectedly a ${archive.format.title}`);
 * } catch (error) {
 *   if (!(error instanceof UnknownFormatError)) throw error;
 * }
 * ```
 */
export function openArchive(from: string | ByteReader, options: OpenOptions = {}): Archive {
  if (typeof from === "string" && Deno.statSync(from).isDirectory) {
    throw new UnknownFormatError("is a directory, not an archive; name a file", { path: from });
  }
  const source = typeof from === "string" ? new FileByteReader(from) : from;
  try {
    refusePart(source);
    const format = options.format === undefined ? detectFormat(source) : formatNamed(options.format);
    if (!format) {
      throw new UnknownFormatError(describeUnknown(source), { path: source.path, offset: 0 });
    }
    const listed = format.read(source);
    const table = format.nameless ? namedTable(listed, options) : listed;
    if (options.nested === true) addNested(source, format, table);
    const { password } = options;
    return new Archive(
      joinFiles(source, format, table),
      format,
      table,
      password === undefined ? {} : { password },
    );
  } catch (error) {
    source.close();
    throw error;
  }
}
