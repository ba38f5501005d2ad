/**
 * Errors of readers and writers. One class per kind, with the location, so that the message can be shown unchanged and
 * a program can read the numbers.
 * @module
 */

/** Details of a failure. */
export interface ArchiveErrorDetails {
  /** Path of the archive, as given. */
  readonly path: string;
  /** Byte offset in the archive, if known. */
  readonly offset?: number;
  /** Expected value. */
  readonly expected?: string | number;
  /** Actual value. */
  readonly actual?: string | number;
  /** Name of the affected member, if any. */
  readonly member?: string;
}

/** Base class of all errors about one archive, for `instanceof ArchiveError`. */
export class ArchiveError extends Error {
  /** Name of the class. */
  override readonly name: string = "ArchiveError";
  /** Path of the archive, as given. */
  readonly path: string;
  /** Byte offset in the archive, or `undefined`. */
  readonly offset: number | undefined;
  /** Expected value, or `undefined`. */
  readonly expected: string | number | undefined;
  /** Actual value, or `undefined`. */
  readonly actual: string | number | undefined;
  /** Name of the affected member, or `undefined` if the archive itself is affected. */
  readonly member: string | undefined;

  /**
   * Makes an error whose message is the path, a colon and `message`.
   * @param message One sentence, without the path.
   */
  constructor(message: string, details: ArchiveErrorDetails, options?: ErrorOptions) {
    super(`${details.path}: ${message}`, options);
    this.path = details.path;
    this.offset = details.offset;
    this.expected = details.expected;
    this.actual = details.actual;
    this.member = details.member;
  }
}

/** The format of the file is unknown, or not the requested one. */
export class UnknownFormatError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "UnknownFormatError";
}

/** The archive is shorter than its header or table requires. */
export class TruncatedError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "TruncatedError";
}

/**
 * The file could not be read at the moment: an I/O error, or it was truncated meanwhile. This does not mean damage; the
 * next attempt may succeed.
 */
export class ReadError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "ReadError";
}

/** The archive's structure contradicts itself or the format. */
export class CorruptArchiveError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "CorruptArchiveError";
}

/** The archive is larger than a limit that protects this process. */
export class LimitError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "LimitError";
}

/** One member cannot be read: damaged data, a wrong checksum, an unsupported method. Other members can. */
export class DamagedMemberError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "DamagedMemberError";
}

/** Returns whether an error proves that the bytes are damaged: reading them again would not help. */
export function provesDamage(error: unknown): boolean {
  return error instanceof DamagedMemberError || error instanceof CorruptArchiveError || error instanceof TruncatedError;
}

/** A file or name cannot be stored in the requested format. */
export class UnwritableError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "UnwritableError";
}

/** Returns the message of an error, or another thrown value as a string. */
export function messageOf(error: unknown): string {
  return kernelPathProblem(error) ?? (error instanceof Error ? error.message : String(error));
}

/**
 * Describes an error of opening a path below `/dev`, `/proc` or `/sys`, which requires all permissions in Deno;
 * `undefined` for other errors.
 */
function kernelPathProblem(error: unknown): string | undefined {
  if (!(error instanceof Deno.errors.NotCapable)) return undefined;
  const path = /^Requires all access to "(.*)"/s.exec(error.message)?.[1];
  if (path === undefined) return undefined;
  return `${path}: below /dev, /proc and /sys Deno requires all permissions, which pakfs has only if it was started ` +
    "with such a path: name it on the command line (to mount while a daemon runs, with a --socket of its own), or " +
    "use a directory elsewhere";
}

/** Returns whether a disk or quota is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/**
 * Describes an error of writing `partial`, a file before its final rename, without naming it; `undefined` for other
 * errors.
 */
export function writeProblem(error: unknown, partial: string): string | undefined {
  if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) return undefined;
  const system = /^.*?\(os error \d+\)/.exec(error.message)?.[0];
  if (system !== undefined && (error.message === system || error.message.includes(partial))) {
    return `cannot be written: ${system}`;
  }
  return undefined;
}
