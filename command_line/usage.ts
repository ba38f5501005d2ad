/**
 * What every pakfs command line has in common: exit codes, and the error of a line that cannot be understood.
 * @module
 */

/** Exit codes of every pakfs command. */
export const exitCodes = {
  ok: 0,
  /** The command failed, or what it was asked about does not exist. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** A script stopped at an error. */
  scriptStopped: 3,
  /** No daemon answers. */
  unreachable: 4,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
  /** Nobody reads the output any more. */
  brokenPipe: 141,
} as const;

/** The command line cannot be understood. The message says what is wrong and what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
