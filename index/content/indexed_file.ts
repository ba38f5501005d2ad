/**
 * The indexed files with the bytes of entries. Multi-file archives and inner archives are ranges of such files; see
 * `ByteLayout`.
 * @module
 */
import { dirname, isAbsolute } from "@std/path";
import { ArchiveError, directoryNumber, formatNamed, locateInFiles } from "../../formats/parts.ts";
import { at, none } from "../columns/columns.ts";
import { filePathOf, isDirectorySource, type LayoutFile, type Source } from "../columns/source.ts";
import { changedSinceIndexed, isIndexedDirectory, isIndexedFile, type OpenState } from "../columns/identity.ts";
import type { Snapshot } from "../columns/snapshot.ts";

/** Maximum length of a header before a member's data: a zip's, with name and extra field. */
const maxMemberHeader = 30 + 2 * 65535;

/** A file was changed or deleted since it was indexed. */
export class ChangedError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "ChangedError";

  /** @param path Path of the file. */
  constructor(path: string) {
    super(changedSinceIndexed, { path });
  }
}

/** Listed directory of a loose file, which may have been replaced by another with equal files. */
export interface IndexedDirectory {
  readonly path: string;
  /** Path of the file below it. */
  readonly below: string;
  /** Path of the file's parent below the directory; empty for the directory itself. */
  readonly inner: string;
  isSame(now: Pick<OpenState, "inode">): boolean;
  /** Returns whether the parent directory is the indexed one, by its inode. */
  isSameInner(inode: number | null): boolean;
}

/** An indexed file with bytes of an entry. */
export class IndexedFile {
  readonly #snapshot: Snapshot;
  readonly #entry: number;
  /** Number of the file in the source's layout; 0 for a source without one. */
  readonly number: number;

  constructor(snapshot: Snapshot, entry: number, number = 0) {
    this.#snapshot = snapshot;
    this.#entry = entry;
    this.number = number;
  }

  /** Path of the file; for a decompressed inner archive the path of the outer archive. */
  get path(): string {
    const file = this.#layoutFile;
    if (file?.kind === "disk") return file.path;
    // Building the name of a member takes longer than all else here.
    if (file || !isDirectorySource(this.#source)) return this.#source.path;
    return filePathOf(this.#source, this.#snapshot.memberOf(this.#entry));
  }

  /** Length in bytes. */
  get size(): number {
    const { columns } = this.#snapshot;
    const file = this.#layoutFile;
    if (file?.kind === "disk") return file.identity.size;
    if (file) return at(columns.entrySizes, this.archive);
    return isDirectorySource(this.#source) ? at(columns.entrySizes, this.#entry) : this.#source.identity.size;
  }

  /** Modification time of the source, in milliseconds since the epoch. */
  get mtime(): number {
    return this.#source.identity.mtime;
  }

  /** Entry of the inner archive whose decompressed content the file is; `none` for a file on disk. */
  get archive(): number {
    const file = this.#layoutFile;
    return file?.kind === "decompressed" ? this.#source.firstEntry + file.row : none;
  }

  /** Directory of a loose file; `undefined` for all others. */
  get directory(): IndexedDirectory | undefined {
    if (!isDirectorySource(this.#source)) return undefined;
    const { path, identity } = this.#source;
    const below = this.#snapshot.memberOf(this.#entry);
    if (isAbsolute(below)) return undefined;
    const number = this.#snapshot.directoryOf(this.#entry);
    return {
      path,
      below,
      inner: below.includes("/") ? dirname(below) : "",
      isSame: (now) => isIndexedDirectory(identity, now),
      isSameInner: (inode) => directoryNumber(inode) === number,
    };
  }

  /**
   * Returns whether an opened file is still the indexed one.
   * @param isKnownSame See {@linkcode isIndexedFile}.
   */
  isSame(now: OpenState, isKnownSame = false): boolean {
    const file = this.#layoutFile;
    if (file?.kind === "disk") return isIndexedFile(file.identity, now, isKnownSame);
    return this.#snapshot.isUnchanged(this.#entry, now, isKnownSame);
  }

  get #source(): Source {
    return this.#snapshot.sourceOf(this.#entry);
  }

  get #layoutFile(): LayoutFile | undefined {
    return this.#source.byteLayout?.files[this.number];
  }
}

/** Location of an entry's bytes. */
export interface EntryLocation {
  /** File of the first byte. */
  readonly file: IndexedFile;
  /** Difference between the offset in that file and the offset in the index. */
  readonly shift: number;
  /** Whether all bytes are in that file. */
  readonly isWhole: boolean;
}

/** Returns the location of an entry's bytes. */
export function locateEntry(snapshot: Snapshot, entry: number): EntryLocation {
  const { byteLayout } = snapshot.sourceOf(entry);
  if (!byteLayout) return { file: new IndexedFile(snapshot, entry), shift: 0, isWhole: true };
  const { entryOffsets, entryCompressedSizes } = snapshot.columns;
  const offset = at(entryOffsets, entry);
  const { file, offset: offsetInFile, length } = locateInFiles(byteLayout.ranges, offset);
  const hasHeader = formatNamed(snapshot.formatOf(entry))?.dataOffset !== undefined;
  const needed = at(entryCompressedSizes, entry) + (hasHeader ? maxMemberHeader : 0);
  return {
    file: new IndexedFile(snapshot, entry, file),
    shift: offsetInFile - offset,
    isWhole: byteLayout.ranges.starts.length === 1 || length >= needed,
  };
}

/** Returns the offset in a file of `length` bytes at `address` of its source; -1 if not all of them are in the file. */
export function offsetInFile({ byteLayout }: Source, file: number, address: number, length: number): number {
  if (!byteLayout) return address;
  const found = locateInFiles(byteLayout.ranges, address);
  return found.file === file && found.length >= length ? found.offset : -1;
}
