/**
 * By their endings: which files are looked into as packs, whatever the engine.
 * @module
 */
import { archiveFormats } from "../../formats/table.ts";

/** Endings of archives, with the dot, lower case. */
export const packEndings: ReadonlySet<string> = new Set([
  ...archiveFormats.flatMap((format) => format.extensions),
  ".pak",
  ".zip",
]);

/** Endings that many programs give to files of all kinds: such a file is a pack only if it is an archive. */
export const sharedEndings: ReadonlySet<string> = new Set([".dat"]);
