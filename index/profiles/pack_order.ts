/**
 * Which files of a game directory are packs to an engine, and in what order it searches them.
 * @module
 */
import type { FormatName } from "../../formats/core/entry_table.ts";
import { archiveFormats } from "../../formats/table.ts";

/** Endings of archives, with the dot, lower case. */
export const packEndings: ReadonlySet<string> = new Set([
  ...archiveFormats.flatMap((format) => format.extensions),
  ".pak",
  ".zip",
]);

/** Endings that many programs give to files of all kinds: such a file is a pack only if it is an archive. */
export const sharedEndings: ReadonlySet<string> = new Set([".dat"]);

/** A pack found in a game directory, before it is ordered. */
export interface PackFile {
  /** File name, without its directory. */
  readonly name: string;
  /** Whether it is a directory that counts as a pack: its ending has been looked at already. */
  readonly isDirectory: boolean;
  /** Number of members; 0 for a pack that could not be read. */
  readonly files: number;
  /** Why it cannot be read at all, else null. */
  readonly failure: string | null;
  /** Name of its format. */
  readonly format: string;
}

/** Load order of a pack. Groups are searched from the last to the first, and in each the higher `order` first. */
export interface LoadOrder {
  /** Index of the profile's pack rule that accepted it; -1 if none did. */
  readonly group: number;
  readonly order: number;
  /** Why the engine never loads it, else null. */
  readonly ignored: string | null;
}

/** How two pack names are compared: see {@linkcode comparePackNames}. */
export type Collation = "quake3" | "chomenor" | "doom3" | "strcasecmp" | "bytes";

/** Packs that an engine looks for as `pak0.pak`, `pak1.pak`, ... by exact name; a higher number is searched first. */
export interface NumberedPacks {
  /** Discriminates the two kinds of rules. */
  readonly kind: "numbered";
  /** Their name in sentences. */
  readonly title: string;
  /** Text before the number. */
  readonly prefix: string;
  /** Text after the number. */
  readonly suffix: string;
  /** The highest number it looks for; null: unlimited. */
  readonly last: number | null;
  /** Names in capitals count too, as where the engine runs on a file system that ignores case. */
  readonly anyCase: boolean;
  /** The first number that is missing ends the loading. */
  readonly stopsAtGap: boolean;
  /** A pack without members counts as missing. */
  readonly emptyIsMissing: boolean;
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
}

/** Every file with one of some endings; a later name is searched first. */
export interface SortedPacks {
  /** Discriminates the two kinds of rules. */
  readonly kind: "sorted";
  /** Their name in sentences. */
  readonly title: string;
  /** Endings with the dot, lower case. Empty: every archive. */
  readonly suffixes: readonly string[];
  /** Endings of directories that count as packs, lower case; compared without case. */
  readonly directories: readonly string[];
  /** Whether endings in capitals count too. */
  readonly anyCase: boolean;
  /** Whether names of the profile's numbered packs in another case are excluded. */
  readonly exceptNumbered: boolean;
  /** A pack without members is not loaded. */
  readonly emptyIsMissing: boolean;
  /** How names are compared. */
  readonly collation: Collation;
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether a file whose name is nothing but the ending counts. */
  readonly bareEnding: boolean;
}

/** One step in which an engine loads packs of a game directory: what a later step loads is searched first. */
export type PackRule = NumberedPacks | SortedPacks;

/** Returns whether an engine's packs come from a file system that ignores case. */
export function ignoresHostCase(rules: readonly PackRule[]): boolean {
  return rules.some((rule) => rule.kind === "numbered" && rule.anyCase);
}

/**
 * Returns the name under which a file would be a pack; undefined where it is one, or would be none in small letters
 * either.
 */
export function packNameMeant(rules: readonly PackRule[], name: string): string | undefined {
  const small = name.toLowerCase();
  const isPackNamed = (wanted: string) =>
    rules.some((rule) => accepts(rule, { name: wanted, isDirectory: false }, rules));
  return small !== name && !isPackNamed(name) && isPackNamed(small) ? small : undefined;
}

/** Endings of directories that count as packs. */
export function packDirectoryEndings(rules: readonly PackRule[]): string[] {
  return rules.flatMap((rule) => rule.kind === "sorted" ? rule.directories : []);
}

/** Endings of files that may be packs. */
export function packFileEndings(rules: readonly PackRule[]): string[] {
  return rules.flatMap((rule) => rule.kind === "sorted" ? rule.suffixes : [rule.suffix]);
}

const encoder = new TextEncoder();

/**
 * Returns the byte value by which ioquake3's `FS_PathCmp` (code/qcommon/files.c) compares: small letters as capitals,
 * `\` and `:` as `/`, and `char` signed, so that bytes from 0x80 sort before all others.
 */
function quake3Weight(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x20;
  if (byte === 0x5c || byte === 0x3a) return 0x2f;
  return byte >= 0x80 ? byte - 0x100 : byte;
}

/** `strcasecmp` in the C locale: capitals as small letters, bytes from 0x80 after all others. */
function lowerWeight(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

/** `idStr::Icmp` of Doom 3 (idlib/Str.cpp): capitals as small letters, and `char` signed. */
function doom3Weight(byte: number): number {
  return byte >= 0x80 ? byte - 0x100 : lowerWeight(byte);
}

/**
 * `FS_WriteSortString` of Chomenor's code/filesystem/fs_misc.c: letters, their case aside, after digits, and digits
 * after everything else.
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
};

/** Orders two names; the greater one is searched first. */
export function comparePackNames(a: string, b: string, collation: Collation): number {
  return compareKeys(orderKey(a, collation), orderKey(b, collation));
}

/** Returns a text that sorts as the name does. Thousands of names are sorted, so each is converted once. */
function orderKey(name: string, collation: Collation): string {
  if (collation !== "chomenor") return weightKey(name, collation);
  // What follows the name is less than any letter.
  return weightKey(withoutEnding(name), collation) + (isPackDirectoryName(name) ? "\x02" : "\x01");
}

/** Returns the weights of a name's bytes, as characters without a meaning of their own. */
function weightKey(name: string, collation: Collation): string {
  const weight = weights[collation];
  let key = "";
  for (let index = 0; index < name.length; index++) {
    const unit = name.charCodeAt(index);
    if (unit >= 0x80) return key + weightsOf(encoder.encode(name.slice(index)), weight);
    key += String.fromCharCode(0x100 + weight(unit));
  }
  return key;
}

function weightsOf(bytes: Uint8Array, weight: (byte: number) => number): string {
  return Array.from(bytes, (byte) => String.fromCharCode(0x100 + weight(byte))).join("");
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutEnding(name: string): string {
  return name.replace(/\.pk3(dir)?$/i, "");
}

function isPackDirectoryName(name: string): boolean {
  return name.toLowerCase().endsWith(".pk3dir");
}

/**
 * Returns the load order of each pack of one game directory, as in `packs`. The first rule that accepts a pack decides.
 */
export function orderPacks(rules: readonly PackRule[], packs: readonly PackFile[], engine: string): LoadOrder[] {
  const groups = packs.map((pack) => rules.findIndex((rule) => accepts(rule, pack, rules)));
  const orderings = rules.map((rule, group) => {
    const members = packs.filter((_, index) => groups[index] === group);
    return rule.kind === "numbered" ? orderNumbered(rule, members, engine) : orderSorted(rule, members, engine);
  });
  return packs.map((pack, index) => {
    const group = groups[index] ?? -1;
    const ordered = orderings[group]?.(pack);
    return ordered ? { group, ...ordered } : noPack(rules, pack, engine);
  });
}

/** Returns the load order of a file that no rule accepts. */
function noPack(rules: readonly PackRule[], { name, isDirectory, failure }: PackFile, engine: string): LoadOrder {
  const meant = isDirectory || failure !== null ? undefined : packNameMeant(rules, name);
  const hint = meant === undefined ? "" : `; renamed to ${meant} it would be one of them`;
  return { group: -1, order: -1, ignored: `${engine} loads only packs ${description(rules)}${hint}` };
}

function accepts(
  rule: PackRule,
  { name, isDirectory }: Pick<PackFile, "name" | "isDirectory">,
  rules: readonly PackRule[],
): boolean {
  if (rule.kind === "numbered") return !isDirectory && numberOf(name, rule) !== undefined;
  if (isDirectory) return endsWithAny(name.toLowerCase(), rule.directories);
  if (!rule.bareEnding && name.lastIndexOf(".") === 0) return false;
  if (rule.exceptNumbered && isNumbered(name.toLowerCase(), rules)) return false;
  return rule.suffixes.length === 0 || endsWithAny(rule.anyCase ? name.toLowerCase() : name, rule.suffixes);
}

function isNumbered(name: string, rules: readonly PackRule[]): boolean {
  return rules.some((rule) => rule.kind === "numbered" && numberOf(name, rule) !== undefined);
}

function endsWithAny(name: string, endings: readonly string[]): boolean {
  return endings.some((ending) => name.endsWith(ending));
}

/** Returns which packs an engine loads, a phrase after "only packs". */
function description(rules: readonly PackRule[]): string {
  const endings = rules.flatMap((rule) => rule.kind === "sorted" ? [...rule.suffixes, ...rule.directories] : []);
  const isSmall = rules.some((rule) => rule.kind === "sorted" && !rule.anyCase);
  const except = rules.some((rule) => rule.kind === "sorted" && rule.exceptNumbered);
  const small = except ? ", and numbered ones only in small letters" : isSmall ? ", in small letters" : "";
  if (endings.length > 0) return `ending in ${listed(endings)}${small}`;
  return listed(rules.flatMap((rule) => rule.kind === "numbered" ? [names(rule)] : []));
}

function names(rule: NumberedPacks): string {
  const first = nameOf(rule, 0);
  return rule.last === null
    ? `named ${first}, ${nameOf(rule, 1)}, and so on`
    : `named ${first} to ${nameOf(rule, rule.last)}`;
}

function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** Returns why the engine cannot read a pack, as a clause, or null. */
function failureOf({ formats }: PackRule, { failure, format, isDirectory }: PackFile, engine: string): string | null {
  if (failure !== null || isDirectory || formats.length === 0) return failure;
  if (formats.some((known) => known === format)) return null;
  return `its format is ${format}, and ${engine} reads packs of such a name as ${formats.join(" or ")}`;
}

type Ordering = (pack: PackFile) => Omit<LoadOrder, "group">;

function orderNumbered(rule: NumberedPacks, packs: readonly PackFile[], engine: string): Ordering {
  // Of names that differ only in case the one in small letters is used, else the first.
  const spelled = (name: string) => rule.anyCase ? name.toLowerCase() : name;
  const inOrder = packs.toSorted((a, b) => compareKeys(b.name, a.name));
  const byName = new Map(inOrder.map((pack) => [spelled(pack.name), pack]));
  for (const pack of packs) if (pack.name === spelled(pack.name)) byName.set(pack.name, pack);
  const isMissing = (number: number) => {
    const pack = byName.get(nameOf(rule, number));
    return !pack || (rule.emptyIsMissing && pack.failure === null && pack.files === 0);
  };
  let gap = 0;
  while (!isMissing(gap)) gap++;
  return (pack) => {
    const order = numberOf(pack.name, rule) ?? -1;
    const overridden = byName.get(spelled(pack.name));
    if (overridden && overridden !== pack) {
      return { order, ignored: `${overridden.name} has the same name but for its case` };
    }
    const failure = failureOf(rule, pack, engine);
    if (failure !== null) return { order, ignored: failure };
    if (rule.emptyIsMissing && pack.files === 0) return { order, ignored: "it has no files" };
    if (rule.stopsAtGap && order > gap) {
      const first = nameOf(rule, gap);
      const reason = byName.has(first) ? "is empty" : "is missing";
      return { order, ignored: `${first} ${reason}, and ${engine} stops at the first missing number` };
    }
    return { order, ignored: null };
  };
}

function nameOf(rule: NumberedPacks, number: number): string {
  const name = `${rule.prefix}${number}${rule.suffix}`;
  return rule.anyCase ? name.toLowerCase() : name;
}

function numberOf(name: string, rule: NumberedPacks): number | undefined {
  const spelled = (text: string) => rule.anyCase ? text.toLowerCase() : text;
  if (!spelled(name).startsWith(spelled(rule.prefix)) || !spelled(name).endsWith(spelled(rule.suffix))) {
    return undefined;
  }
  const digits = name.slice(rule.prefix.length, name.length - rule.suffix.length);
  if (!/^(0|[1-9]\d{0,8})$/.test(digits)) return undefined;
  return rule.last === null || Number(digits) <= rule.last ? Number(digits) : undefined;
}

function orderSorted(rule: SortedPacks, packs: readonly PackFile[], engine: string): Ordering {
  const order = new Map(
    packs.map(({ name }) => ({ name, key: orderKey(name, rule.collation) }))
      .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.name, b.name))
      .map(({ name }, index) => [name, index]),
  );
  const isMissing = (pack: PackFile) => rule.emptyIsMissing && !pack.isDirectory && pack.files === 0;
  return (pack) => ({
    order: order.get(pack.name) ?? 0,
    ignored: failureOf(rule, pack, engine) ?? (isMissing(pack) ? "it has no files" : null),
  });
}
