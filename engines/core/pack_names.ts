/**
 * Orders the names of packs as engines do.
 * @module
 */

/** How two pack names are compared: see {@linkcode comparePackNames}. */
export type Collation = "quake3" | "chomenor" | "doom3" | "strcasecmp" | "bytes" | "q2pro" | "listing" | "newest";

const encoder = new TextEncoder();

/**
 * Returns the byte value by which ioquake3's `FS_PathCmp` (code/qcommon/files.c) compares: lower case counts as upper
 * case, `\` and `:` as `/`, and `char` is signed, so that bytes from 0x80 sort before all others.
 */
function quake3Weight(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x20;
  if (byte === 0x5c || byte === 0x3a) return 0x2f;
  return byte >= 0x80 ? byte - 0x100 : byte;
}

/** `strcasecmp` in the C locale: upper case counts as lower case, and bytes from 0x80 come last. */
function lowerWeight(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

/** `idStr::Icmp` of Doom 3 (idlib/Str.cpp): upper case counts as lower case, and `char` is signed. */
function doom3Weight(byte: number): number {
  return byte >= 0x80 ? byte - 0x100 : lowerWeight(byte);
}

/**
 * `FS_WriteSortString` of Chomenor's code/filesystem/fs_misc.c: letters, without case, come after digits, and digits
 * after all others.
 */
function chomenorWeight(byte: number): number {
  const lower = lowerWeight(byte);
  if (lower >= 0x61 && lower <= 0x7a) return 0x200 + lower;
  return lower >= 0x30 && lower <= 0x39 ? 0x100 + lower : lower;
}

const weights: Readonly<Record<Collation, (byte: number) => number>> = {
  quake3: quake3Weight,
  chomenor: chomenorWeight,
  doom3: doom3Weight,
  strcasecmp: lowerWeight,
  bytes: (byte) => byte,
  q2pro: lowerWeight,
  // The engine uses the file system's order; users see the packs in the order of their names.
  listing: (byte) => byte,
  newest: lowerWeight,
};

/** Orders two names; the greater one is searched first. */
export function comparePackNames(a: string, b: string, collation: Collation): number {
  return compareKeys(orderKey(a, collation), orderKey(b, collation));
}

/** Returns a string that sorts like the whole second of an mtime, given in milliseconds. */
export function secondKey(mtime: number): string {
  return String(Math.max(0, Math.floor(mtime / 1000))).padStart(16, "0");
}

/** Returns a string that sorts like the name. Thousands of names are sorted, so each is converted once. */
export function orderKey(name: string, collation: Collation): string {
  if (collation === "q2pro") return q2proKey(name);
  if (collation !== "chomenor") return weightKey(name, collation);
  // The bytes after the name are less than any letter.
  return weightKey(withoutEnding(name), collation) + (isPackDirectoryName(name) ? "\x02" : "\x01");
}

/**
 * `pakcmp` of Q2PRO's src/common/files.c: names that begin with "pak" come first, sorted by the number after it (none
 * is 0) and then by the rest of the name.
 */
function q2proKey(name: string): string {
  const [, digits] = /^pak(\d*)/i.exec(name) ?? [];
  if (digits === undefined) return "\x02" + weightKey(name, "q2pro");
  const number = digits.replace(/^0+/, "");
  // Without leading zeros the longer number is greater.
  const rest = weightKey(name.slice("pak".length + digits.length), "q2pro");
  return `\x01${String.fromCharCode(0x100 + number.length)}${number}\x00${rest}`;
}

/** Returns the weights of a name's bytes as a string, for comparison only. */
function weightKey(name: string, collation: Collation): string {
  const weight = weights[collation];
  return Array.from(encoder.encode(name), (byte) => String.fromCharCode(0x100 + weight(byte))).join("");
}

export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutEnding(name: string): string {
  return name.replace(/\.pk3(dir)?$/i, "");
}

function isPackDirectoryName(name: string): boolean {
  return name.toLowerCase().endsWith(".pk3dir");
}
