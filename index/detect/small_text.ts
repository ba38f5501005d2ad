/**
 * Reads settings files of other programs, which may be missing or anything.
 * @module
 */
import { readFileSync, statSync } from "node:fs";

/** Maximum bytes of a settings file. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Returns the text of a file, or undefined if it does not exist.
 * @throws {RangeError} if it is too large for a settings file.
 * @throws {Error} if it cannot be read.
 */
export function readSmallText(path: string): string | undefined {
  // Reading a pipe could block for ever.
  const information = statSync(path, { throwIfNoEntry: false });
  if (!information?.isFile()) return undefined;
  if (information.size > maxBytes) throw new RangeError(`it is larger than ${maxBytes} bytes`);
  return readFileSync(path, "utf8");
}
