/**
 * What every writer asks of the paths it is given.
 * @module
 */
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry } from "../core/format.ts";
import { displayName } from "../core/names.ts";

const encoder = new TextEncoder();

/**
 * The paths of `entries` in UTF-8, in order.
 * @param archive Path of the archive, for messages.
 * @throws {UnwritableError} if a path occurs twice, or would come back as another one when the archive is read.
 */
export function requireWritablePaths(entries: readonly WriteEntry[], archive: string): Uint8Array[] {
  const seen = new Set<string>();
  return entries.map(({ path }) => {
    if (seen.has(path)) {
      throw new UnwritableError(`${path} is given twice; engines do not agree which of the two counts`, {
        path: archive,
        member: path,
      });
    }
    seen.add(path);
    const bytes = encoder.encode(path);
    if (!path.isWellFormed() || displayName(bytes).path !== bytes) {
      throw new UnwritableError(
        `the name ${JSON.stringify(path)} cannot be kept in an archive; use "/" between directories, ` +
          `and no "..", "\\", control characters or drive letters`,
        { path: archive, member: path },
      );
    }
    return bytes;
  });
}
