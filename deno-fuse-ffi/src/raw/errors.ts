/**
 * The errors this package throws: one class per kind, all of them a {@linkcode FuseError}.
 * @module
 */

/** Base of all errors of this package: `instanceof FuseError` catches every one of them. */
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
  /** The mount point concerned, as it was given. */
  readonly mountPoint: string;
  /** The system's error number where one is known, else `undefined`. */
  readonly errno: number | undefined;

  /**
   * Makes the error.
   *
   * @param message One sentence, without the mount point: it is put in front.
   * @param mountPoint The mount point concerned.
   * @param errno The system's error number, where one is known.
   */
  constructor(message: string, mountPoint: string, errno?: number) {
    super(`${mountPoint}: ${message}`);
    this.mountPoint = mountPoint;
    this.errno = errno;
  }
}

/** The kernel and this library could not talk to each other: a failed receive, notification or start of session. */
export class FuseProtocolError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseProtocolError";
  /** The system's error number where one is known, else `undefined`. */
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

/** A method was called at a time when it has no meaning: a second reply, a call after `destroy()`. */
export class FuseStateError extends FuseError {
  /** Name of the class. */
  override readonly name = "FuseStateError";
}
