/**
 * Errors of this package: one class per kind, all of them a {@linkcode FuseError}.
 * @module
 */

/** Base class of all errors of this package, for `instanceof FuseError`. */
export class FuseError extends Error {
  /** Name of the class. */
  override readonly name: string = "FuseError";
}

/** libfuse 3 or the C library could not be loaded, or lacks a function that is needed. */
export class FuseLibraryError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseLibraryError";
}

/** This machine cannot serve a filesystem: processor, libfuse version, or no usable `/dev/fuse`. */
export class FuseUnsupportedError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseUnsupportedError";
}

/** A mount or an unmount was refused. */
export class FuseMountError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseMountError";
  /** The mount point concerned, as given. */
  readonly mountPoint: string;
  /** The system's error number, or `undefined` if unknown. */
  readonly errno: number | undefined;

  /**
   * Makes the error.
   *
   * @param message One sentence, without the mount point: it is prepended.
   * @param mountPoint The mount point concerned.
   * @param errno The system's error number, where one is known.
   */
  constructor(message: string, mountPoint: string, errno?: number) {
    super(`${mountPoint}: ${message}`);
    this.mountPoint = mountPoint;
    this.errno = errno;
  }
}

/** Communication between the kernel and this library failed: receiving, notifying or starting a session. */
export class FuseProtocolError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseProtocolError";
  /** The system's error number, or `undefined` if unknown. */
  readonly errno: number | undefined;

  /**
   * Makes the error.
   *
   * @param message One sentence.
   * @param errno The system's error number, where one is known.
   */
  constructor(message: string, errno?: number) {
    super(message);
    this.errno = errno;
  }
}

/** A method was called in the wrong state: a second reply, or a call after `destroy()`. */
export class FuseStateError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseStateError";
}
