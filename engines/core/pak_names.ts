/**
 * Names of packs with versions, `NAME_VERSION.dpk` with their folder, of the Daemon engine (src/common/FileSystem.cpp:
 * `ParsePakName`, `VersionCmp`, `RefreshPaks`).
 * @module
 */

/** The parts of a pack's name. */
export interface PakName {
  readonly name: string;
  readonly version: string;
  /** Checksum in eight hexadecimal digits, or null. */
  readonly checksum: string | null;
  readonly isDirectory: boolean;
}

/** Valid names of files in a directory: `Path::IsValid`. */
const seenName = /^[\w+~-]+(\.[\w+~-]+)*$/;

/**
 * Returns the parts of a pack's path below the directory of packs; undefined if the engine loads no pack with this
 * name. In a folder the engine skips the first character of the file name when it searches for the end of the name.
 * @param isLegacy Whether packs without a version are loaded: `NAME.pk3`.
 */
export function pakNameOf(path: string, isLegacy = false): PakName | undefined {
  if (!path.split("/").every((part) => seenName.test(part))) return undefined;
  const legacy = isLegacy ? /^(.*)\.pk3(dir)?$/.exec(path) : null;
  if (legacy) return { name: legacy[1] ?? "", version: "", checksum: null, isDirectory: legacy[2] !== undefined };
  const match = /^((?:.*\/.)?[^_/]*)_([^_/]*)(?:_([0-9A-Fa-f]{8}))?\.dpk(dir)?$/.exec(path);
  if (!match) return undefined;
  const [, name = "", version = "", checksum = null, directory] = match;
  const isDirectory = directory !== undefined;
  return isDirectory && checksum !== null ? undefined : { name, version, checksum, isDirectory };
}

/** Returns the path of a pack below its game directory. */
export function pathInDirectory({ folder, name }: { readonly folder: string; readonly name: string }): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Orders packs of one name; the greater one is chosen. */
export function comparePaks(a: PakName, b: PakName): number {
  return compareVersions(a.version, b.version) || compareChecksums(a.checksum, b.checksum) ||
    Number(b.isDirectory) - Number(a.isDirectory);
}

/** A pack without a checksum is chosen before packs with one; among these, the smaller number. */
function compareChecksums(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(b !== null) - Number(a !== null);
  return Number.parseInt(b, 16) - Number.parseInt(a, 16);
}

/**
 * Orders versions like dpkg's `verrevcmp`: strings and numbers alternate, `~` is less than the end, and letters are
 * less than other characters.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = index % 2 === 0
      ? compareTexts(left[index] ?? "", right[index] ?? "")
      : compareNumbers(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns alternating strings and numbers, beginning with a string, which may be empty. */
function partsOf(version: string): string[] {
  return version.split(/(\d+)/);
}

function compareTexts(a: string, b: string): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = weight(a, index) - weight(b, index);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the weight of a character; the end, or a digit after the string, is 0. */
function weight(text: string, index: number): number {
  const character = text.charAt(index);
  if (character === "~") return -1;
  if (character === "") return 0;
  return character.charCodeAt(0) + (/[A-Za-z]/.test(character) ? 0 : 256);
}

/** Compares numbers of any length. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}
