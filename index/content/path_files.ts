/**
 * Opens indexed files by their paths.
 * @module
 */
import { ArchiveError, FileByteReader, fs, readError } from "../../formats/parts.ts";
import type { FileState, LookAtFile } from "../columns/identity.ts";
import { ChangedError, type IndexedDirectory, type IndexedFile } from "./indexed_file.ts";

/** Attributes of a file, for opening it. */
export type OpenableFile = Pick<IndexedFile, "path" | "directory" | "isSame">;

/**
 * Opens a file on disk. Its attributes are checked after each read: bytes that were written meanwhile are an error.
 * @throws {ChangedError} if it was changed or deleted since it was indexed.
 * @throws {ReadError} if it cannot be opened.
 */
export function openByPath(file: OpenableFile, look: LookAtFile = lookByNode): FileByteReader {
  const { path, directory } = file;
  try {
    if (isUnchanged(path, file, look)) {
      const opened = new IndexedReader(file, look);
      // Another file may have replaced it in between.
      if (opened.isIndexed && (!directory || isUnchangedDirectory(directory, look))) return opened;
      opened.close();
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : readError(path, error);
  }
  throw new ChangedError(path);
}

class IndexedReader extends FileByteReader {
  readonly #file: OpenableFile;
  readonly #look: LookAtFile;

  constructor(file: OpenableFile, look: LookAtFile) {
    super(file.path);
    this.#file = file;
    this.#look = look;
  }

  get isIndexed(): boolean {
    const { inode = 0, size, mtime, ctime = 0 } = this;
    return this.#file.isSame({ inode, size, mtime, ctime });
  }

  override read(offset: number, length: number): Uint8Array {
    const bytes = super.read(offset, length);
    if (isUnchanged(this.path, this.#file, this.#look)) return bytes;
    throw new ChangedError(this.path);
  }
}

function isUnchangedDirectory(directory: IndexedDirectory, look: LookAtFile): boolean {
  const { path, inner, isSameInner } = directory;
  if (!isUnchanged(path, directory, look)) return false;
  const now = inner === "" ? undefined : look(`${path}/${inner}`);
  return inner === "" || (now !== undefined && isSameInner(now.inode));
}

function isUnchanged(path: string, indexed: Pick<IndexedFile, "isSame">, look: LookAtFile): boolean {
  const now = look(path);
  return now !== undefined && indexed.isSame(now);
}

function lookByNode(path: string): FileState | undefined {
  const now = fs().statSync(path, { throwIfNoEntry: false });
  if (!now) return undefined;
  const { dev: device, ino: inode, size, mtimeMs: mtime, ctimeMs: ctime } = now;
  return { device, inode, size, mtime, ctime, isFile: now.isFile() };
}
