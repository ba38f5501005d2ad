/**
 * libarchive, where it is installed: reads archives of other programs, entry by entry. Functions, constants and results
 * as in archive.h and archive_entry.h of 3.6.
 *
 * Only the process of `unpack_worker.ts` loads it: damaged archives have crashed it before.
 * @module
 */

/** Name of the library, which has had this version since 2011. */
const libraryName = "libarchive.so.13";

const pointerToNumber = { parameters: ["pointer"], result: "i32" } as const;
const pointerToPointer = { parameters: ["pointer"], result: "pointer" } as const;
const pointerToLong = { parameters: ["pointer"], result: "i64" } as const;

const symbols = {
  archive_read_new: { parameters: [], result: "pointer" },
  archive_read_free: pointerToNumber,
  archive_read_support_filter_gzip: pointerToNumber,
  archive_read_support_filter_bzip2: pointerToNumber,
  archive_read_support_filter_xz: pointerToNumber,
  archive_read_support_filter_zstd: pointerToNumber,
  archive_read_support_format_tar: pointerToNumber,
  archive_read_support_format_7zip: pointerToNumber,
  archive_read_support_format_rar: pointerToNumber,
  archive_read_support_format_rar5: pointerToNumber,
  archive_read_support_format_iso9660: pointerToNumber,
  archive_read_support_format_cpio: pointerToNumber,
  archive_read_support_format_lha: pointerToNumber,
  archive_read_support_format_cab: pointerToNumber,
  // int archive_read_open_filename(struct archive *, const char *filename, size_t block_size)
  archive_read_open_filename: { parameters: ["pointer", "buffer", "usize"], result: "i32" },
  // int archive_read_open_memory(struct archive *, const void *buff, size_t size)
  archive_read_open_memory: { parameters: ["pointer", "buffer", "usize"], result: "i32" },
  // int archive_read_next_header(struct archive *, struct archive_entry **)
  archive_read_next_header: { parameters: ["pointer", "buffer"], result: "i32" },
  // int archive_read_data_block(struct archive *, const void **buff, size_t *size, la_int64_t *offset)
  archive_read_data_block: { parameters: ["pointer", "buffer", "buffer", "buffer"], result: "i32" },
  archive_error_string: pointerToPointer,
  archive_entry_pathname: pointerToPointer,
  archive_entry_pathname_utf8: pointerToPointer,
  archive_entry_symlink: pointerToPointer,
  archive_entry_hardlink: pointerToPointer,
  archive_entry_filetype: { parameters: ["pointer"], result: "u32" },
  archive_entry_size: pointerToLong,
  archive_entry_size_is_set: pointerToNumber,
  archive_entry_sparse_count: pointerToNumber,
  archive_entry_mtime: pointerToLong,
  archive_entry_mtime_is_set: pointerToNumber,
  archive_entry_is_data_encrypted: pointerToNumber,
} as const satisfies Deno.ForeignLibraryInterface;

/** Formats of libarchive, and whether they may be compressed as a whole. */
const supported = {
  tar: { formats: ["archive_read_support_format_tar"], isFiltered: true },
  "7z": { formats: ["archive_read_support_format_7zip"], isFiltered: false },
  rar: { formats: ["archive_read_support_format_rar", "archive_read_support_format_rar5"], isFiltered: false },
  iso: { formats: ["archive_read_support_format_iso9660"], isFiltered: false },
  cpio: { formats: ["archive_read_support_format_cpio"], isFiltered: true },
  lha: { formats: ["archive_read_support_format_lha"], isFiltered: false },
  cab: { formats: ["archive_read_support_format_cab"], isFiltered: false },
} as const;

const filters = [
  "archive_read_support_filter_gzip",
  "archive_read_support_filter_bzip2",
  "archive_read_support_filter_xz",
  "archive_read_support_filter_zstd",
] as const;

/** Name of a format that libarchive reads. */
export type UnpackedFormat = keyof typeof supported;

/** Returns whether libarchive reads a format of that name. */
export function isUnpackedFormat(name: string): name is UnpackedFormat {
  return Object.hasOwn(supported, name);
}

/** Results of libarchive: the end of the archive or of the data, and the worst that is no failure. */
const atEnd = 1;
const warned = -20;
const readBlock = 64 * 1024;
const maxNameBytes = 64 * 1024;

/** Kind of an entry. Others are devices, pipes and sockets. */
export type EntryKind = "file" | "directory" | "symlink" | "hardlink" | "other";

const regularFile = 0o100000;
const directory = 0o040000;
const symbolicLink = 0o120000;

/** Properties of an entry. Sizes in bytes. */
export interface EntryHeader {
  /** Name as the archive has it, or in UTF-8 where the archive keeps names in UTF-16. */
  readonly name: Uint8Array;
  readonly kind: EntryKind;
  /** Target of a link. */
  readonly target: Uint8Array;
  /** Size, if the archive gives it. */
  readonly size: bigint | undefined;
  /** Whether the entry may have holes. */
  readonly isSparse: boolean;
  /** Milliseconds since the epoch, if the archive gives them. */
  readonly mtime: number | undefined;
  readonly isEncrypted: boolean;
}

/** Bytes of an entry at an offset of it, in memory of libarchive. */
export interface DataBlock {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly offset: bigint;
}

/** libarchive cannot read an archive, or an entry of it, further. */
export class LibarchiveError extends Error {
  /** Name of the class. */
  override readonly name = "LibarchiveError";
}

/** The library. */
export class Libarchive implements Disposable {
  readonly #library: Deno.DynamicLibrary<typeof symbols>;

  private constructor(library: Deno.DynamicLibrary<typeof symbols>) {
    this.#library = library;
  }

  /** Loads libarchive; returns undefined where it is not installed. */
  static open(): Libarchive | undefined {
    try {
      return new Libarchive(Deno.dlopen(libraryName, symbols));
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      return undefined;
    }
  }

  /**
   * Opens an archive.
   * @param from Path, or all bytes, which must stay until the archive is closed.
   * @throws {LibarchiveError} if it cannot be opened.
   */
  read(format: UnpackedFormat, from: string | Uint8Array<ArrayBuffer>): LibarchiveReader {
    return new LibarchiveReader(this.#library.symbols, format, from);
  }

  [Symbol.dispose](): void {
    this.#library.close();
  }
}

/** An opened archive. */
class LibarchiveReader implements Disposable {
  readonly #calls: Deno.DynamicLibrary<typeof symbols>["symbols"];
  readonly #archive: Deno.PointerValue;
  readonly #entry = new BigUint64Array(1);
  readonly #block = new BigUint64Array(1);
  readonly #size = new BigUint64Array(1);
  readonly #offset = new BigInt64Array(1);

  /** @throws {LibarchiveError} if the archive cannot be opened. */
  constructor(
    calls: Deno.DynamicLibrary<typeof symbols>["symbols"],
    format: UnpackedFormat,
    from: string | Uint8Array<ArrayBuffer>,
  ) {
    this.#calls = calls;
    this.#archive = calls.archive_read_new();
    const { formats, isFiltered } = supported[format];
    for (const name of formats) calls[name](this.#archive);
    if (isFiltered) { for (const name of filters) calls[name](this.#archive); }
    const status = typeof from === "string"
      ? calls.archive_read_open_filename(this.#archive, new TextEncoder().encode(`${from}\0`), BigInt(readBlock))
      : calls.archive_read_open_memory(this.#archive, from, BigInt(from.length));
    if (status < warned) {
      const reason = this.#problem();
      calls.archive_read_free(this.#archive);
      throw new LibarchiveError(reason);
    }
  }

  /**
   * Returns the next entry; undefined at the end of the archive.
   * @throws {LibarchiveError} if the archive cannot be read further.
   */
  next(): EntryHeader | undefined {
    const status = this.#calls.archive_read_next_header(this.#archive, this.#entry);
    if (status === atEnd) return undefined;
    if (status < warned) throw new LibarchiveError(this.#problem());
    return this.#header(Deno.UnsafePointer.create(this.#entry[0] ?? 0n));
  }

  /**
   * Yields the data of the entry that was returned last. A block is valid until the next one.
   * @throws {LibarchiveError} if the data are damaged.
   */
  *blocks(): Generator<DataBlock> {
    for (;;) {
      const status = this.#calls.archive_read_data_block(this.#archive, this.#block, this.#size, this.#offset);
      if (status === atEnd) return;
      // A warning about data says that they are wrong.
      if (status < 0) throw new LibarchiveError(this.#problem());
      const length = Number(this.#size[0]);
      const pointer = Deno.UnsafePointer.create(this.#block[0] ?? 0n);
      const bytes = pointer === null || length === 0
        ? new Uint8Array(0)
        : new Uint8Array(Deno.UnsafePointerView.getArrayBuffer(pointer, length));
      yield { bytes, offset: this.#offset[0] ?? 0n };
    }
  }

  [Symbol.dispose](): void {
    this.#calls.archive_read_free(this.#archive);
  }

  #header(entry: Deno.PointerValue): EntryHeader {
    const calls = this.#calls;
    const name = stringAt(calls.archive_entry_pathname(entry)) ?? stringAt(calls.archive_entry_pathname_utf8(entry));
    const hardlink = stringAt(calls.archive_entry_hardlink(entry));
    const symlink = stringAt(calls.archive_entry_symlink(entry));
    const type = calls.archive_entry_filetype(entry);
    // Archives of systems without types of files give none.
    const kind = hardlink
      ? "hardlink"
      : type === regularFile || type === 0
      ? "file"
      : type === directory
      ? "directory"
      : type === symbolicLink
      ? "symlink"
      : "other";
    return {
      name: name ?? new Uint8Array(0),
      kind,
      target: hardlink ?? symlink ?? new Uint8Array(0),
      size: calls.archive_entry_size_is_set(entry) !== 0 ? calls.archive_entry_size(entry) : undefined,
      isSparse: calls.archive_entry_sparse_count(entry) > 0,
      mtime: calls.archive_entry_mtime_is_set(entry) !== 0
        ? Number(calls.archive_entry_mtime(entry)) * 1000
        : undefined,
      isEncrypted: calls.archive_entry_is_data_encrypted(entry) !== 0,
    };
  }

  #problem(): string {
    const bytes = stringAt(this.#calls.archive_error_string(this.#archive));
    // It gives no reason for a 7z that is cut short.
    return bytes ? new TextDecoder().decode(bytes) : "it is damaged or cut short";
  }
}

/** Returns a copy of a string of C without its end; undefined for null. */
function stringAt(pointer: Deno.PointerValue): Uint8Array<ArrayBuffer> | undefined {
  if (pointer === null) return undefined;
  const view = new Deno.UnsafePointerView(pointer);
  let length = 0;
  while (length < maxNameBytes && view.getUint8(length) !== 0) length++;
  const bytes = new Uint8Array(length);
  if (length > 0) view.copyInto(bytes);
  return bytes;
}
