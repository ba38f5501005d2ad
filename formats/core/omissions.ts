/**
 * Warnings of archives whose list leaves bytes of the file out.
 * @module
 */

/** Begins warnings about bytes that the format allows next to an archive, so that the archive itself may be whole. */
export const notAllListed = "not all of the file is listed: ";
/** Begins warnings about a file whose other bytes are archives too, or that is damaged. */
export const partOfArchive = "only a part of the file is listed: ";

/** Returns whether a warning of an archive says that its list leaves bytes of the file out. */
export function isOmission(warning: string): boolean {
  return warning.startsWith(notAllListed) || isPartOfArchive(warning);
}

/** Returns whether a warning of an archive says that the file is more than the archive that is listed, or damaged. */
export function isPartOfArchive(warning: string): boolean {
  return warning.startsWith(partOfArchive);
}
