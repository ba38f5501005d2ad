/**
 * Opening indexed files by their paths.
 * @module
 */
import { fs } from "../formats/core/builtins.ts";
import { FileByteReader, readError } from "../formats/core/byte_reader.ts";
import { ArchiveError } from "../formats/core/errors.ts";
import { ChangedError, type IndexedDirectory, type IndexedFile } from "./indexed_file.ts";

/**
 * Opens a file on disk.
 * @throws {ChangedError} if it was changed or deleted since it was indexed.
 * @throws {ReadError} if it cannot be opened.
 */
export function openByPath(file: IndexedFile): FileByteReader {
  const { path, directory } = file;
  try {
    if (isUnchanged(path, file)) {
      const opened = new FileByteReader(path);
      const { inode = 0, size, mtime } = opened;
      // Another file may have been put in its place in between.
      if (file.isSame({ inode, size, mtime }) && (!directory || isUnchangedDirectory(directory))) return opened;
      opened.close();
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : readError(path, error);
  }
  throw new ChangedError(path);
}

function isUnchangedDirectory(directory: IndexedDirectory): boolean {
  const { path, inner, isSameInner } = directory;
  if (!isUnchanged(path, directory)) return false;
  const now = inner === "" ? undefined : fs().statSync(`${path}/${inner}`, { throwIfNoEntry: false });
  return inner === "" || (now !== undefined && isSameInner(now.ino));
}

function isUnchanged(path: string, indexed: Pick<IndexedFile, "isSame">): boolean {
  const now = fs().statSync(path, { throwIfNoEntry: false });
  return now !== undefined && indexed.isSame({ inode: now.ino, size: now.size, mtime: now.mtimeMs });
}
