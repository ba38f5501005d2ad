/**
 * Unpacks an archive by libarchive into a spool file, in one pass: what a compressed tar or a solid 7z holds can be read
 * in order only.
 *
 * Links are treated as in zips: a symbolic link is a file that holds its target. A hard link is one more name of an
 * earlier file. After damage in an entry libarchive reads no further, so the archive is opened again and read without that
 * entry; the others are listed and read.
 * @module
 */
import { fs } from "../core/builtins.ts";
import { crc32 } from "../core/crc32.ts";
import { latin1 } from "../core/cursor.ts";
import { grouped } from "../core/grouped.ts";
import { maxEntryCount, maxTableBytes, maxUnpackedBytes } from "../core/limits.ts";
import { notAllListed, partOfArchive } from "../core/omissions.ts";
import { type EntryHeader, type Libarchive, LibarchiveError, type UnpackedFormat } from "./libarchive.ts";
import { rarChecksums } from "./rar_checksums.ts";
import type { SpoolDamage, SpooledEntry, SpooledList, UnpackFailure } from "./spool_file.ts";

/** Times that an archive is opened again after damage; the rest is then listed without being read. */
const maxRestarts = 8;
const missingTarget: SpooledEntry = ["", 0, 0, 0, null, false, "missing-target"];
const zeros = new Uint8Array(64 * 1024);

/** An archive is not unpacked. */
export class UnpackError extends Error {
  /** Name of the class. */
  override readonly name = "UnpackError";
  readonly kind: UnpackFailure["kind"];

  constructor(kind: UnpackFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Output for unpacked contents. */
export interface SpoolOutput {
  /** Writes bytes at an offset; bytes that are never written are zero. */
  write(bytes: Uint8Array, offset: number): void;
  /** Removes all bytes from an offset. */
  truncate(offset: number): void;
}

/** Output into an opened file. */
export class FileOutput implements SpoolOutput {
  readonly #file: number;

  /** @param file Descriptor. */
  constructor(file: number) {
    this.#file = file;
  }

  write(bytes: Uint8Array, offset: number): void {
    for (let done = 0; done < bytes.length;) {
      done += fs().writeSync(this.#file, bytes, done, bytes.length - done, offset + done);
    }
  }

  truncate(offset: number): void {
    fs().ftruncateSync(this.#file, offset);
  }
}

/** Limits of unpacking; bytes. */
export interface UnpackLimits {
  readonly maxBytes: number;
}

/**
 * Unpacks an archive.
 * @param from Path, or all bytes.
 * @throws {UnpackError} if nothing of it can be read, or it is too large.
 */
export function unpack(
  library: Libarchive,
  format: UnpackedFormat,
  from: string | Uint8Array<ArrayBuffer>,
  output: SpoolOutput,
  { maxBytes }: UnpackLimits = { maxBytes: maxUnpackedBytes },
): SpooledList {
  return new Unpacker(library, format, from, output, maxBytes).run();
}

function checksumsOf(format: UnpackedFormat, from: string | Uint8Array): readonly (number | undefined)[] {
  if (format !== "rar") return [];
  if (typeof from !== "string") return rarChecksums(from.length, (start, end) => from.subarray(start, end));
  const file = fs().openSync(from, "r");
  try {
    return rarChecksums(fs().fstatSync(file).size, (start, end) => {
      const bytes = new Uint8Array(end - start);
      return bytes.subarray(0, fs().readSync(file, bytes, 0, bytes.length, start));
    });
  } finally {
    fs().closeSync(file);
  }
}

class Unpacker {
  readonly #library: Libarchive;
  readonly #format: UnpackedFormat;
  readonly #from: string | Uint8Array<ArrayBuffer>;
  readonly #output: SpoolOutput;
  readonly #maxBytes: number;
  /** Checksums that libarchive does not compare, by the position of their entries. */
  readonly #checksums: readonly (number | undefined)[];
  readonly #entries: SpooledEntry[] = [];
  readonly #byName = new Map<string, number>();
  /** Other names of an entry, by its index. */
  readonly #links = new Map<number, number[]>();
  readonly #warnings: string[] = [];
  #offset = 0;
  #nameBytes = 0;
  #others = 0;
  /** Entries that were taken, of all kinds. */
  #taken = 0;
  /** Whether data are read. */
  #isRead = true;

  constructor(
    library: Libarchive,
    format: UnpackedFormat,
    from: string | Uint8Array<ArrayBuffer>,
    output: SpoolOutput,
    maxBytes: number,
  ) {
    this.#library = library;
    this.#format = format;
    this.#from = from;
    this.#output = output;
    this.#maxBytes = maxBytes;
    this.#checksums = checksumsOf(format, from);
  }

  run(): SpooledList {
    for (let restarts = 0; !this.#pass(); restarts++) this.#isRead = restarts < maxRestarts;
    if (this.#others > 0) {
      const what = this.#others === 1
        ? "1 device, pipe or socket is"
        : `${this.#others} devices, pipes and sockets are`;
      this.#warnings.push(`${notAllListed}${what} left out`);
    }
    return { dataSize: this.#offset, entries: this.#entries, warnings: this.#warnings };
  }

  /** Reads the entries that are not taken yet; returns false if one of them was damaged, after which no other is read. */
  #pass(): boolean {
    let position = 0;
    try {
      using archive = this.#library.read(this.#format, this.#from);
      for (;;) {
        const header = archive.next();
        if (!header) return true;
        if (position++ < this.#taken) continue;
        this.#taken++;
        if (!this.#take(header, () => archive.blocks())) return false;
      }
    } catch (error) {
      if (!(error instanceof LibarchiveError)) throw error;
      if (this.#taken === 0) throw new UnpackError("corrupt", `cannot be read: ${error.message}`);
      const after = this.#entries.length === 0 ? "" : ` after ${this.#lastName()}`;
      this.#warnings.push(`${partOfArchive}it is damaged or cut short${after}: ${error.message}`);
      return true;
    }
  }

  /** Adds an entry; returns false if its data are damaged. */
  #take(header: EntryHeader, blocks: () => Iterable<{ bytes: Uint8Array; offset: bigint }>): boolean {
    if (header.kind === "other") {
      this.#others++;
      return true;
    }
    this.#nameBytes += header.name.length;
    if (this.#entries.length === maxEntryCount || this.#nameBytes > maxTableBytes) {
      throw new UnpackError("limit", `has more than ${grouped(maxEntryCount)} files; more are not read`);
    }
    const name = latin1(plainStart(header.name));
    // Archives of `.` list it too.
    if (header.kind === "directory" && /^\.?\/*$/.test(name)) return true;
    const target = header.kind === "hardlink" ? this.#byName.get(latin1(plainStart(header.target))) : undefined;
    // In cpio archives the last of the names has the data.
    if (header.kind === "hardlink" && (header.size ?? 0n) === 0n) {
      const [, offset, size, crc, , , damage] = this.#entries[target ?? -1] ?? missingTarget;
      this.#add(header, [name, offset, size, crc, null, false, damage], target);
      return true;
    }
    if (header.kind === "directory") {
      this.#add(header, [name, 0, 0, 0, null, true, "none"]);
      return true;
    }
    const content = new Content(this.#output, this.#offset, this.#maxBytes);
    let damage: SpoolDamage = "none";
    if (header.kind === "symlink") content.append(header.target);
    else if (header.isEncrypted) damage = "encrypted";
    else if (!this.#isRead) damage = "unreadable";
    else {
      content.require(header.size ?? 0n);
      try {
        for (const { bytes, offset } of blocks()) {
          content.skipTo(offset);
          content.append(bytes);
        }
        if (header.size !== undefined && header.size > content.size && header.isSparse) content.skipTo(header.size);
        if (header.size !== undefined && header.size !== BigInt(content.size)) damage = "unreadable";
        const checksum = this.#checksums[this.#taken - 1];
        if (checksum !== undefined && checksum !== content.crc32) damage = "unreadable";
      } catch (error) {
        if (!(error instanceof LibarchiveError)) throw error;
        damage = "unreadable";
      }
    }
    const size = damage === "none" ? content.size : shownSize(header.size);
    this.#add(header, [name, this.#offset, size, content.crc32, null, false, damage], target);
    if (target !== undefined && this.#entries[target]?.[2] === 0) this.#shareData(target);
    if (damage === "none") this.#offset += content.size;
    else this.#output.truncate(this.#offset);
    return damage !== "unreadable" || !this.#isRead;
  }

  /** @param target Index of the entry that this name stands for. */
  #add(
    { mtime }: EntryHeader,
    [name, offset, size, crc, , isDirectory, damage]: SpooledEntry,
    target?: number,
  ): void {
    const index = this.#entries.push([name, offset, size, crc, mtime ?? null, isDirectory, damage]) - 1;
    if (isDirectory) return;
    if (target === undefined) this.#byName.set(name, index);
    else {
      this.#byName.set(name, target);
      const links = this.#links.get(target);
      if (links) links.push(index);
      else this.#links.set(target, [index]);
    }
  }

  /** Gives the data of the last entry to all other names of its file. */
  #shareData(target: number): void {
    const [, offset, size, crc, , , damage] = this.#entries.at(-1) ?? missingTarget;
    for (const index of [target, ...this.#links.get(target) ?? []]) {
      const [name, , , , mtime] = this.#entries[index] ?? missingTarget;
      this.#entries[index] = [name, offset, size, crc, mtime, false, damage];
    }
  }

  #lastName(): string {
    const name = this.#entries.at(-1)?.[0] ?? "";
    const decoded = new TextDecoder().decode(Uint8Array.from(name, (character) => character.charCodeAt(0)));
    // deno-lint-ignore no-control-regex -- names may hold any
    return decoded.slice(0, 200).replaceAll(/[\0-\x1f\x7f-\x9f]/g, "?");
  }
}

/** Content of one member, as it is written. */
class Content {
  size = 0;
  crc32 = 0;
  readonly #output: SpoolOutput;
  readonly #start: number;
  readonly #maxBytes: number;

  /** @param start Offset of its first byte in the output. */
  constructor(output: SpoolOutput, start: number, maxBytes: number) {
    this.#output = output;
    this.#start = start;
    this.#maxBytes = maxBytes;
  }

  append(bytes: Uint8Array): void {
    this.require(BigInt(bytes.length + this.size));
    this.#output.write(bytes, this.#start + this.size);
    this.#take(bytes);
  }

  /** Appends zeros, which are not written. */
  skipTo(offset: bigint): void {
    if (offset < this.size) throw new LibarchiveError("blocks of data overlap");
    this.require(offset);
    while (this.size < offset) this.#take(zeros.subarray(0, Math.min(zeros.length, Number(offset) - this.size)));
  }

  /** @throws {UnpackError} if there is no room for a content of a size. */
  require(size: bigint): void {
    if (BigInt(this.#start) + size <= this.#maxBytes) return;
    throw new UnpackError(
      "limit",
      `unpacks to more than ${
        grouped(this.#maxBytes)
      } bytes, which is too much to be kept; extract what you need from it`,
    );
  }

  #take(bytes: Uint8Array): void {
    this.crc32 = crc32(bytes, this.crc32);
    this.size += bytes.length;
  }
}

/** Returns a name without the `./` of archives that were made of `.`. */
function plainStart(name: Uint8Array): Uint8Array {
  let start = 0;
  while (name[start] === 0x2e && name[start + 1] === 0x2f) {
    start += 2;
    while (name[start] === 0x2f) start++;
  }
  const end = name.at(-1) === 0x2f ? name.length - 1 : name.length;
  return name.subarray(start, Math.max(start, end));
}

function shownSize(size: bigint | undefined): number {
  return size === undefined || size < 0n ? 0 : Number(size < 2n ** 53n ? size : 2n ** 53n - 1n);
}
