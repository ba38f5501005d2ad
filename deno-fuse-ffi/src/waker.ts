/**
 * Wakes a session's thread from its blocking wait.
 * @module
 */
import { Errno, errnoName } from "./raw/errno.ts";
import { FuseProtocolError } from "./raw/errors.ts";
import { lastErrno, LibraryUser, openSystemLibrary, type SystemLibrary } from "./raw/library.ts";
import type { systemSymbols } from "./raw/symbols.ts";

/**
 * Makes {@linkcode FuseSession.run} return `"woken"`, from any thread of the process. Several wake-ups before the
 * session notices the first count as one.
 */
export interface Waker extends Disposable {
  /**
   * Wakes the session, now or as soon as it runs.
   * @throws {FuseProtocolError} If the descriptor is no longer open.
   */
  wake(): void;
  /** Unloads the C library; the descriptor belongs to the session and stays open. May be called again. */
  close(): void;
}

class EventWaker extends LibraryUser<typeof systemSymbols> implements Waker {
  readonly #fileDescriptor: number;
  readonly #one = new Uint8Array(new BigUint64Array([1n]).buffer);

  constructor(fileDescriptor: number, library: SystemLibrary) {
    super(library, "wake a session: the waker");
    this.#fileDescriptor = fileDescriptor;
  }

  wake(): void {
    if (this.library.symbols.write(this.#fileDescriptor, this.#one, 8n) === 8n) return;
    const errno = lastErrno(this.library);
    // A full counter has woken the session already.
    if (errno === Errno.EAGAIN) return;
    throw new FuseProtocolError(`Cannot wake a session: ${errnoName(errno)}`, errno);
  }
}

/**
 * Opens a waker for the session whose {@linkcode FuseSession.wakeFileDescriptor} this is. Close it before that session
 * is destroyed, or the number may refer to another file. Needs `--allow-ffi`.
 *
 * @throws {FuseLibraryError} If the C library cannot be loaded.
 */
export function openWaker(wakeFileDescriptor: number): Waker {
  return new EventWaker(wakeFileDescriptor, openSystemLibrary());
}
