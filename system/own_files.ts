/**
 * Files that pakfs stores for its user: written atomically, and read only if no other user can write them.
 * @module
 */

/** Reason for not using a stored file. */
export class UnusableCacheError extends Error {
  override readonly name = "UnusableCacheError";
}

/** A stored file that is being read. */
export interface CacheBytes {
  /** Size of the file in bytes. */
  readonly size: number;
  /** Fills `target` with the next bytes. Throws if there are not enough. */
  readonly read: (target: Uint8Array) => void;
}

/**
 * Reads a file with `reader`; it must belong to this user and be writable by no other.
 * @param maxSize Bytes; a larger file was not written by pakfs.
 * @throws {UnusableCacheError} if it is not used.
 */
export function readOwnFile<T>(path: string, maxSize: number, reader: (bytes: CacheBytes) => T): T {
  // Opening a pipe would block indefinitely.
  if (!Deno.statSync(path).isFile) throw new UnusableCacheError("it is not a regular file");
  using file = Deno.openSync(path);
  const { size, mode, uid } = file.statSync();
  if (((mode ?? 0) & 0o022) !== 0) throw new UnusableCacheError("other users can write to it");
  if (uid !== (ownUser() ?? uid)) throw new UnusableCacheError("it is another user's");
  if (size > maxSize) throw new UnusableCacheError(`its ${size} bytes are too many`);
  return reader({ size, read: (target) => fill(file, target) });
}

/** Returns the bytes of a file that {@linkcode readOwnFile} would read. */
export function ownFileBytes(path: string, maxSize: number): Uint8Array {
  return readOwnFile(path, maxSize, ({ size, read }) => {
    const bytes = new Uint8Array(size);
    read(bytes);
    return bytes;
  });
}

/** Writes a file for this user alone, in a directory that is made if it is missing; replaces an earlier one. */
export async function writeOwnFile(directory: string, path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
    await writePieces(temporary, pieces);
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {}); // it may never have been created
    throw error;
  }
}

function fill(file: Deno.FsFile, target: Uint8Array): void {
  for (let done = 0; done < target.length;) {
    const count = file.readSync(target.subarray(done));
    if (count === null) throw new UnusableCacheError("it became shorter while it was read");
    done += count;
  }
}

/** User id of this process, if permitted. */
function ownUser(): number | null {
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "uid" });
  return state === "granted" ? Deno.uid() : null;
}

async function writePieces(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (const piece of pieces) {
    for (let written = 0; written < piece.length;) {
      // deno-lint-ignore no-await-in-loop -- one piece after the other, each whole
      written += await file.write(piece.subarray(written));
    }
  }
}
