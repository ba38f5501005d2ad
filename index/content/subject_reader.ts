/**
 * Bytes of members, loose files and whole packs, read one after the other.
 * @module
 */
import {
  ArchiveError,
  type ByteReader,
  EntryTable,
  formatNamed,
  memberStream,
  MemoryReader,
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

/** Members up to this size are decompressed whole, larger ones as streams; bytes. */
const maxWhole = 16 * 1024 * 1024;
/** Bytes of a file that are read at a time. */
const pieceBytes = 1024 * 1024;

/** Returns the subject for a whole pack: subjects are the entries, followed by the sources. */
export function packSubject(snapshot: Snapshot, source: Pick<Source, "id">): number {
  return snapshot.entryCount + source.id;
}

/** Returns the source of a subject, which may be the subject itself. */
export function sourceOfSubject(snapshot: Snapshot, subject: number): Source {
  const source = subject < snapshot.entryCount
    ? snapshot.sourceOf(subject)
    : snapshot.sources[subject - snapshot.entryCount];
  if (source) return source;
  throw new RangeError(`Cannot find subject ${subject}: the index has ${snapshot.entryCount} entries`);
}

/** Returns the number of hashed bytes of a subject. */
export function subjectBytes(snapshot: Snapshot, subject: number): number {
  if (subject < snapshot.entryCount) return at(snapshot.columns.entrySizes, subject);
  return filesOfPack(sourceOfSubject(snapshot, subject)).reduce((sum, { identity }) => sum + identity.size, 0);
}

/** Returns the files of a pack on disk. */
function filesOfPack({ byteLayout, path, identity }: Source): readonly { path: string; identity: Identity }[] {
  return byteLayout?.files.filter((file) => file.kind === "disk") ?? [{ path, identity }];
}

/** Reads the subjects of one snapshot. The archive of the last member stays open until {@linkcode SubjectReader.close}. */
export class SubjectReader {
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

  /**
   * Reads a subject, verified.
   * @param add Called with its bytes, in chunks.
   * @throws {ArchiveError} if it cannot be read, perhaps after some chunks.
   */
  async read(subject: number, add: (piece: Uint8Array) => void): Promise<void> {
    const source = sourceOfSubject(this.#snapshot, subject);
    if (subject >= this.#snapshot.entryCount) return readPack(source, add);
    if (isDirectorySource(source)) {
      using file = openEntry(this.#snapshot, subject, this.#files);
      return readPieces(file, add);
    }
    const format = formatNamed(this.#snapshot.formatOf(subject));
    if (!format) throw new ArchiveError("its format is not known", { path: source.path });
    const reader = this.#readerOf(source, subject);
    const row = entryRow(this.#snapshot, subject, this.#table);
    if (subjectBytes(this.#snapshot, subject) <= maxWhole) return add(readMember(reader, format, row, 0));
    for await (const piece of memberStream(reader, format, row, 0)) add(piece);
  }

  /** Closes open files; also after an error. */
  close(): void {
    this.#open?.reader.close();
    this.#open = undefined;
    this.#decompressed = undefined;
  }

  #readerOf(source: Source, entry: number): ByteReader {
    if (this.#open?.source !== source) {
      this.close();
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

/** Reads the file of a pack, or all files of a multi-file pack, one after the other. */
function readPack(source: Source, add: (piece: Uint8Array) => void): void {
  for (const { path, identity } of filesOfPack(source)) {
    const isSame = (now: OpenState) => isIndexedFile(identity, now);
    using reader = openByPath({ path, directory: undefined, isSame }, look);
    readPieces(reader, add);
  }
}

function readPieces(file: ByteReader, add: (piece: Uint8Array) => void): void {
  for (let offset = 0; offset < file.size; offset += pieceBytes) {
    add(file.read(offset, Math.min(pieceBytes, file.size - offset)));
  }
}

/** Returns the attributes of a file, needed around each read: Deno takes a fifth of the time of Node's modules. */
function look(path: string): FileState | undefined {
  try {
    return stateFrom(Deno.statSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
