/**
 * Warnings about archives that do not list all bytes of the file.
 * @module
 */

/** Prefix of warnings about bytes that the format allows next to an archive, so that the archive may be complete. */
export const notAllListed = "not all of the file is listed: ";
/** Prefix of warnings about a file that contains further archives, or is damaged. */
export const partOfArchive = "only a part of the file is listed: ";

/** Returns whether a warning reports unlisted bytes of the file. */
export function isOmission(warning: string): boolean {
  return warning.startsWith(notAllListed) || isPartOfArchive(warning);
}

/** Returns whether a warning reports that the file contains more than the listed archive, or is damaged. */
export function isPartOfArchive(warning: string): boolean {
  return warning.startsWith(partOfArchive);
}
