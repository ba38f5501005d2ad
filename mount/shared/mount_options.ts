/**
 * Options of a mount after `-o`: pakfs's own, and libfuse's.
 * @module
 */

/** Mount options, sorted by who handles them. */
export interface ParsedMountOptions {
  /** Permission bits that are masked in files and directories. */
  readonly umask: number;
  /** Options for libfuse, such as `allow_other`. */
  readonly libfuse: readonly string[];
}

/** An option that a pakfs mount cannot have. */
export class MountOptionError extends Error {
  /** Name of the class. */
  override readonly name = "MountOptionError";
}

/** Default options of a mount: files are 0444 and directories 0555. */
export const defaultMountOptions: ParsedMountOptions = { umask: 0o222, libfuse: [] };

/**
 * Sorts mount options by who handles them.
 *
 * @throws {MountOptionError} for `rw`, and for a umask that is not octal.
 */
export function parseMountOptions(options: readonly string[]): ParsedMountOptions {
  let { umask } = defaultMountOptions;
  const libfuse: string[] = [];
  for (const option of options) {
    if (option === "rw") throw new MountOptionError("option rw: a pakfs mount is read-only");
    if (option.startsWith("umask=")) umask = parseUmask(option.slice("umask=".length));
    else if (option !== "ro" && option !== "") libfuse.push(option);
  }
  return { umask, libfuse };
}

function parseUmask(written: string): number {
  if (!/^0?[0-7]{1,3}$/.test(written)) {
    throw new MountOptionError(`option umask=${written}: expected octal digits, such as umask=022`);
  }
  return parseInt(written, 8);
}

/** Modes of reads from a file system that does not reply: wait, or fail with EIO. */
export const hungModes = ["wait", "error"] as const;

/** One of {@linkcode hungModes}. */
export type HungMode = (typeof hungModes)[number];

/** Handling of a file system that does not reply. */
export interface HungOptions {
  /** Milliseconds without a reply after which it counts as hung. */
  readonly timeout: number;
  /** Whether reads of its files then wait or fail. */
  readonly mode: HungMode;
}
