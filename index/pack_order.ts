/**
 * Which files of a game directory are packs to an engine, and in what order it searches them.
 * @module
 */

/** A pack found in a game directory, before it has a place. */
export interface PackFile {
  /** File name, without its directory. */
  readonly name: string;
  /** Whether it is a directory that counts as a pack: its ending has been looked at already. */
  readonly isDirectory: boolean;
  /** Number of members; 0 for a pack that could not be read. */
  readonly files: number;
  /** Why it cannot be read at all, else null. */
  readonly failure: string | null;
}

/** Where a pack stands: higher `order` is searched first. */
export interface PackPlace {
  readonly order: number;
  /** Why the engine never loads it, else null. */
  readonly ignored: string | null;
}

/** How an engine chooses and orders the packs of one game directory. */
export type PackRule =
  | {
    /** `pak0.pak`, `pak1.pak`, ... by exact name, a higher number searched first. */
    readonly kind: "numbered";
    readonly prefix: string;
    readonly suffix: string;
    /** The first number that is missing ends the loading. */
    readonly stopsAtGap: boolean;
    /** A pack without members counts as missing. */
    readonly emptyIsMissing: boolean;
  }
  | {
    /** Every file with one of these endings; a later name is searched first. */
    readonly kind: "sorted";
    /** Endings with the dot, lower case; compared without case. Empty: every archive. */
    readonly suffixes: readonly string[];
    /** How names are compared. */
    readonly collation: "quake3" | "bytes";
  };

const encoder = new TextEncoder();

/**
 * The byte value by which ioquake3's `FS_PathCmp` (code/qcommon/files.c) compares: small letters as capitals, `\` and
 * `:` as `/`, and `char` signed, so that bytes from 0x80 sort before all others.
 */
function quake3Weight(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x20;
  if (byte === 0x5c || byte === 0x3a) return 0x2f;
  return byte >= 0x80 ? byte - 0x100 : byte;
}

/** Orders two names; the greater one is searched first. */
export function comparePackNames(a: string, b: string, collation: "quake3" | "bytes"): number {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  const weight = collation === "quake3" ? quake3Weight : (byte: number) => byte;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = weight(left[index] ?? 0) - weight(right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The places of all packs of one game directory, by the pack's place in `packs`. */
export function placePacks(rule: PackRule, packs: readonly PackFile[], engine: string): PackPlace[] {
  return rule.kind === "numbered" ? placeNumbered(rule, packs, engine) : placeSorted(rule, packs, engine);
}

function placeNumbered(
  rule: Extract<PackRule, { kind: "numbered" }>,
  packs: readonly PackFile[],
  engine: string,
): PackPlace[] {
  const nameOf = (number: number) => `${rule.prefix}${number}${rule.suffix}`;
  const byName = new Map(packs.map((pack) => [pack.name, pack]));
  const isMissing = (number: number) => {
    const pack = byName.get(nameOf(number));
    return !pack || (rule.emptyIsMissing && pack.failure === null && pack.files === 0);
  };
  let gap = 0;
  while (!isMissing(gap)) gap++;
  return packs.map((pack) => {
    const number = numberOf(pack.name, rule);
    if (number === undefined) {
      return { order: -1, ignored: `${engine} loads only packs named ${nameOf(0)}, ${nameOf(1)}, and so on` };
    }
    if (pack.failure !== null) return { order: number, ignored: pack.failure };
    if (rule.emptyIsMissing && pack.files === 0) return { order: number, ignored: "it has no files" };
    if (rule.stopsAtGap && number > gap) {
      const reason = byName.has(nameOf(gap)) ? "is empty" : "is missing";
      return { order: number, ignored: `${nameOf(gap)} ${reason}, and ${engine} stops at the first missing number` };
    }
    return { order: number, ignored: null };
  });
}

function numberOf(name: string, rule: { prefix: string; suffix: string }): number | undefined {
  if (!name.startsWith(rule.prefix) || !name.endsWith(rule.suffix)) return undefined;
  const digits = name.slice(rule.prefix.length, name.length - rule.suffix.length);
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : undefined;
}

function placeSorted(
  rule: Extract<PackRule, { kind: "sorted" }>,
  packs: readonly PackFile[],
  engine: string,
): PackPlace[] {
  const order = new Map(
    packs.map((pack) => pack.name).sort((a, b) => comparePackNames(a, b, rule.collation) || (a < b ? -1 : 1))
      .map((name, place) => [name, place]),
  );
  return packs.map((pack) => {
    const place = order.get(pack.name) ?? 0;
    if (pack.failure !== null) return { order: place, ignored: pack.failure };
    const lower = pack.name.toLowerCase();
    if (!pack.isDirectory && rule.suffixes.length > 0 && !rule.suffixes.some((suffix) => lower.endsWith(suffix))) {
      return { order: place, ignored: `${engine} loads only packs ending in ${rule.suffixes.join(" or ")}` };
    }
    return { order: place, ignored: null };
  });
}
