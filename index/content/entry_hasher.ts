/**
 * SHA-256 and CRC-32 of members, loose files and whole packs.
 * @module
 */
import {
  ArchiveError,
  type ByteReader,
  crc32,
  crypto,
  EntryTable,
  formatNamed,
  memberStream,
  MemoryReader,
  messageOf,
  readMember,
} from "../../formats/parts.ts";
import { at, none } from "../columns/columns.ts";
import { entryRow } from "../columns/entry_tables.ts";
import { type FileState, type Identity, isIndexedFile, type OpenState, stateFrom } from "../columns/identity.ts";
import { isDirectorySource, type Source } from "../columns/source.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { ContentReader } from "./content_reader.ts";
import { type FileProvider, openEntry } from "./open_entry.ts";
import { openByPath } from "./path_files.ts";

/** Bytes of a SHA-256. */
export const sha256Bytes = 32;
/** Members up to this size are decompressed whole, larger ones as streams; bytes. */
const maxWhole = 16 * 1024 * 1024;
/** Bytes of a file that are read at a time. */
const pieceBytes = 1024 * 1024;

/** Hashes of some subjects, in their order. */
export interface Hashes {
  /** {@linkcode sha256Bytes} for each; zeros for those with a problem. */
  readonly sha256: Uint8Array;
  readonly crc32: Uint32Array;
  /** By index among the subjects: why one cannot be read. */
  readonly problems: ReadonlyMap<number, string>;
}

/** Returns the subject for a whole pack: subjects are entries, and after these the sources. */
export function packSubject(snapshot: Snapshot, source: Pick<Source, "id">): number {
  return snapshot.entryCount + source.id;
}

/** Returns the source that a subject is in, or that it is. */
export function sourceOfSubject(snapshot: Snapshot, subject: number): Source {
  const source = subject < snapshot.entryCount
    ? snapshot.sourceOf(subject)
    : snapshot.sources[subject - snapshot.entryCount];
  if (source) return source;
  throw new RangeError(`Cannot find subject ${subject}: the index has ${snapshot.entryCount} entries`);
}

/** Returns the number of bytes that are hashed of a subject. */
export function subjectBytes(snapshot: Snapshot, subject: number): number {
  if (subject < snapshot.entryCount) return at(snapshot.columns.entrySizes, subject);
  return filesOfPack(sourceOfSubject(snapshot, subject)).reduce((sum, { identity }) => sum + identity.size, 0);
}

/** Returns the files on disk that a pack consists of. */
function filesOfPack({ byteLayout, path, identity }: Source): readonly { path: string; identity: Identity }[] {
  return byteLayout?.files.filter((file) => file.kind === "disk") ?? [{ path, identity }];
}

/** Hashes the subjects of one snapshot. The archive of the last member stays open until the last of a call is hashed. */
export class EntryHasher {
  readonly #snapshot: Snapshot;
  readonly #content: ContentReader;
  readonly #files: FileProvider;
  readonly #table = new EntryTable();
  #open: { readonly source: Source; readonly reader: ByteReader } | undefined;
  #decompressed: { readonly entry: number; readonly reader: ByteReader } | undefined;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#content = new ContentReader(snapshot);
    this.#files = {
      open: (file) => file.archive === none ? openByPath(file, look) : this.#decompressedArchive(file.archive),
    };
  }

  /** Hashes subjects. One that cannot be read is a problem of its own. */
  async hash(subjects: Uint32Array): Promise<Hashes> {
    const sha256 = new Uint8Array(subjects.length * sha256Bytes);
    const crcs = new Uint32Array(subjects.length);
    const problems = new Map<number, string>();
    for (const [index, subject] of subjects.entries()) {
      try {
        // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
        const sum = await this.#sumOf(subject);
        sha256.set(sum.digest(), index * sha256Bytes);
        crcs[index] = sum.crc32;
      } catch (error) {
        this.#close();
        problems.set(index, messageOf(error));
      }
    }
    this.#close();
    return { sha256, crc32: crcs, problems };
  }

  #close(): void {
    this.#open?.reader.close();
    this.#open = undefined;
    this.#decompressed = undefined;
  }

  async #sumOf(subject: number): Promise<Sum> {
    const source = sourceOfSubject(this.#snapshot, subject);
    if (subject >= this.#snapshot.entryCount) return this.#sumOfPack(source);
    if (isDirectorySource(source)) {
      using file = openEntry(this.#snapshot, subject, this.#files);
      return new Sum().addFile(file);
    }
    const format = formatNamed(this.#snapshot.formatOf(subject));
    if (!format) throw new ArchiveError("its format is not known", { path: source.path });
    const reader = this.#readerOf(source, subject);
    const row = entryRow(this.#snapshot, subject, this.#table);
    if (subjectBytes(this.#snapshot, subject) <= maxWhole) {
      // Reading has verified the checksum of the archive.
      return new Sum(row.crc(0)).add(readMember(reader, format, row, 0));
    }
    const sum = new Sum(row.crc(0));
    for await (const piece of memberStream(reader, format, row, 0)) sum.add(piece);
    return sum;
  }

  /** Sums up the file of a pack; of a pack in several files all of them, one after the other. */
  #sumOfPack(source: Source): Sum {
    const sum = new Sum();
    for (const { path, identity } of filesOfPack(source)) {
      const isSame = (now: OpenState) => isIndexedFile(identity, now);
      using reader = openByPath({ path, directory: undefined, isSame }, look);
      sum.addFile(reader);
    }
    return sum;
  }

  #readerOf(source: Source, entry: number): ByteReader {
    if (this.#open?.source !== source) {
      this.#close();
      this.#open = { source, reader: openEntry(this.#snapshot, entry, this.#files) };
    }
    return this.#open.reader;
  }

  #decompressedArchive(entry: number): ByteReader {
    if (this.#decompressed?.entry !== entry) {
      const { path, identity } = this.#snapshot.sourceOf(entry);
      this.#decompressed = { entry, reader: new MemoryReader(this.#content.readWhole(entry), path, identity.mtime) };
    }
    return this.#decompressed.reader;
  }
}

/** Looks at a file, which is done around each read: Deno takes a fifth of the time of Node's modules. */
function look(path: string): FileState | undefined {
  try {
    return stateFrom(Deno.statSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Sums of bytes that are added one after another. */
export class Sum {
  readonly #hash = crypto().createHash("sha256");
  readonly #known: number | undefined;
  #crc32 = 0;

  /** @param known CRC-32 of all bytes, if it is known. */
  constructor(known?: number) {
    this.#known = known;
  }

  /** CRC-32 of the bytes. */
  get crc32(): number {
    return this.#known ?? this.#crc32;
  }

  add(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    if (this.#known === undefined) this.#crc32 = crc32(bytes, this.#crc32);
    return this;
  }

  /** Adds all bytes of a file. */
  addFile(file: ByteReader): this {
    for (let offset = 0; offset < file.size; offset += pieceBytes) {
      this.add(file.read(offset, Math.min(pieceBytes, file.size - offset)));
    }
    return this;
  }

  /** Returns the SHA-256; once. */
  digest(): Uint8Array {
    return this.#hash.digest();
  }
}
