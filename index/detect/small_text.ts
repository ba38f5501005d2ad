/**
 * Reads the settings files of other programs, which may be missing or may be anything.
 * @module
 */
import { readFileSync, statSync } from "node:fs";

/** Bytes of a settings file that is read. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The text of a file, or undefined if there is none.
 * @throws {RangeError} if it is too large for what it should be.
 * @throws {Error} if it cannot be read.
 */
export function readSmallText(path: string): string | undefined {
  // A pipe would be waited on for ever.
  const information = statSync(path, { throwIfNoEntry: false });
  if (!information?.isFile()) return undefined;
  if (information.size > maxBytes) throw new RangeError(`it is larger than ${maxBytes} bytes`);
  return readFileSync(path, "utf8");
}
