/**
 * Which files of a game directory are packs to an engine, and in what order it searches them.
 * @module
 */
import type { FormatName } from "../../formats/core/entry_table.ts";
import { archiveFormats } from "../../formats/table.ts";
import { type Collation, compareKeys, orderKey } from "./pack_names.ts";

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
  /** Folder of the game directory that it lies in; absent or empty: none. */
  readonly folder?: string;
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
  /** Further texts after the number: of one number the pack with the last of them is searched first. */
  readonly otherSuffixes: readonly string[];
  /** The highest number it looks for; null: unlimited. */
  readonly last: number | null;
  /** Names in capitals count too, as where the engine runs on a file system that ignores case. */
  readonly anyCase: boolean;
  /** A name that is in capitals as a whole counts where the one in small letters is missing. */
  readonly capitals: boolean;
  /** Whether a pack is skipped whose name differs only in case from that of one loaded before. */
  readonly exceptTwins: boolean;
  /** The first number that is missing ends the loading. */
  readonly stopsAtGap: boolean;
  /** A Quake PAK without members counts as missing. */
  readonly emptyIsMissing: boolean;
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** A prefix of names, and another that takes its place. */
export interface PrefixRule {
  /** Beginning of the names that the rule concerns. */
  readonly prefix: string;
  /** Text that takes its place. */
  readonly as: string;
  /** Whether the prefix counts in any case. */
  readonly anyCase: boolean;
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
  /** Whether a pack is skipped whose name differs only in case from that of one loaded before. */
  readonly exceptTwins: boolean;
  /** How names are compared. */
  readonly collation: Collation;
  /** Prefixes that count as others when names are compared. */
  readonly sortsAs: readonly PrefixRule[];
  /** Prefixes, case-sensitive, of packs that are not loaded. */
  readonly except: readonly string[];
  /** Prefixes that the engine replaces before it opens a pack, so that it misses the pack. */
  readonly opensAs: readonly PrefixRule[];
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
  /** Whether a file whose name is nothing but the ending counts. */
  readonly bareEnding: boolean;
  /** How packs in folders of the game directory count. */
  readonly folders: FolderRule;
}

/** Packs in the profile's folders: as those beside the folders, not at all, or loaded after those. */
export type FolderRule = "any" | "none" | "after";

/** Packs that a text file of the game directory names, one per line; a later line is searched first. */
export interface ListedPacks {
  /** Discriminates the kinds of rules. */
  readonly kind: "listed";
  /** Their name in sentences. */
  readonly title: string;
  /** Name of the text file. */
  readonly file: string;
  /** Endings with the dot, lower case, that a listed pack can have. */
  readonly suffixes: readonly string[];
  /** Whether a pack is skipped whose name differs only in case from that of one loaded before. */
  readonly exceptTwins: boolean;
  /** Prefixes of lines that are skipped. */
  readonly except: readonly string[];
  /** Whether no step loads packs by name where the file exists. */
  readonly replacesSorted: boolean;
  /** Whether words name the packs, in quotation marks where they hold blanks, and `//` begins a comment; else lines. */
  readonly words: boolean;
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** One step in which an engine loads packs of a game directory: what a later step loads is searched first. */
export type PackRule = NumberedPacks | SortedPacks | ListedPacks;

/** By name of a list: the packs that it names, and their lines. */
export type PackLists = ReadonlyMap<string, ReadonlyMap<string, number>>;

const noLists: PackLists = new Map();

/** Returns the packs that a list names: names with slashes or colons could lead out of the game directory. */
export function readPackList(text: string, { except, words }: ListedPacks): Map<string, number> {
  const names = new Map<string, number>();
  const named = words
    ? Array.from(text.matchAll(/\/\/[^\n]*|"([^"]*)"?|[^\s"]+/g), ([word, quoted]) => quoted ?? word)
    : text.split("\n").map((line) => line.trim().replace(/^"(.*)"$/, "$1"));
  for (const name of named) {
    if (name === "" || /[/\\:\0]/.test(name) || except.some((prefix) => name.startsWith(prefix))) continue;
    if (!names.has(name)) names.set(name, names.size);
  }
  return names;
}

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
  return rules.flatMap((rule) => rule.kind === "numbered" ? suffixesOf(rule) : rule.suffixes);
}

/**
 * Returns the load order of each pack of one game directory, as in `packs`: that of the first rule that loads it.
 * @param lists The lists of packs that the game directory has.
 */
export function orderPacks(
  rules: readonly PackRule[],
  packs: readonly PackFile[],
  engine: string,
  lists: PackLists = noLists,
): LoadOrder[] {
  const orders: (LoadOrder | undefined)[] = packs.map(() => undefined);
  const isLoaded = (index: number) => orders[index]?.ignored === null;
  for (const [group, rule] of rules.entries()) {
    const accepted = [...packs.keys()].filter((index) => {
      const pack = packs[index];
      return pack !== undefined && accepts(rule, pack, rules, lists);
    });
    // A number that an earlier step has loaded is no gap.
    const members = accepted.filter((index) => rule.kind === "numbered" || !isLoaded(index))
      .flatMap((index) => packs[index] ?? []);
    const ordering = orderingOf(rule, members, engine, lists);
    const loading = accepted.flatMap((index) => {
      const pack = packs[index];
      return pack && !isLoaded(index) ? [{ index, pack, order: { group, ...ordering(pack) } }] : [];
    }).sort((a, b) => a.order.order - b.order.order);
    for (const { index, pack, order: own } of loading) {
      const small = pack.name.toLowerCase();
      const twin = rule.exceptTwins
        ? packs.find((other, at) => other.name.toLowerCase() === small && isLoaded(at) && !isEmptyPak(other))
        : undefined;
      const ignored = twin ? `to ${engine} it is ${twin.name}, which is loaded already` : own.ignored;
      const order = { ...own, ignored };
      if (order.ignored === null) orders[index] = order;
      else orders[index] ??= order;
    }
  }
  return packs.map((pack, index) => orders[index] ?? noPack(rules, pack, engine, lists));
}

/** Returns whether a pack is one that engines do not load for want of members; they do load zips without. */
function isEmptyPak({ files, format }: PackFile): boolean {
  return files === 0 && format === "quake-pak";
}

function orderingOf(rule: PackRule, packs: readonly PackFile[], engine: string, lists: PackLists): Ordering {
  if (rule.kind === "numbered") return orderNumbered(rule, packs, engine);
  if (rule.kind === "sorted") return orderSorted(rule, packs, engine);
  const lines = lists.get(rule.file);
  return (pack) => ({ order: lines?.get(pack.name) ?? -1, ignored: failureOf(rule, pack, engine) });
}

/** Returns the load order of a file that no rule accepts. */
function noPack(
  rules: readonly PackRule[],
  { name, isDirectory, failure, folder = "" }: PackFile,
  engine: string,
  lists: PackLists,
): LoadOrder {
  if (folder !== "" && rules.some((rule) => accepts(rule, { name, isDirectory }, rules, lists))) {
    return { group: -1, order: -1, ignored: `${engine} loads no such packs in ${folder}/` };
  }
  const list = replacingList(rules, lists);
  if (list && rules.some((rule) => accepts(rule, { name, isDirectory }, rules, noLists))) {
    const ignored = `${list.file} does not name it, and ${engine} then loads only numbered packs beside those listed`;
    return { group: -1, order: -1, ignored };
  }
  const meant = isDirectory || failure !== null ? undefined : packNameMeant(rules, name);
  const hint = meant === undefined ? "" : `; renamed to ${meant} it would be one of them`;
  return { group: -1, order: -1, ignored: `${engine} loads only packs ${description(rules)}${hint}` };
}

/** Returns the step whose list exists and replaces all packs that are loaded by name. */
function replacingList(rules: readonly PackRule[], lists: PackLists): ListedPacks | undefined {
  return rules.find((rule): rule is ListedPacks =>
    rule.kind === "listed" && rule.replacesSorted && lists.has(rule.file)
  );
}

function accepts(
  rule: PackRule,
  { name, isDirectory, folder = "" }: Pick<PackFile, "name" | "isDirectory" | "folder">,
  rules: readonly PackRule[],
  lists: PackLists = noLists,
): boolean {
  if (rule.kind === "listed") {
    return !isDirectory && lists.get(rule.file)?.has(name) === true && endsWithAny(name.toLowerCase(), rule.suffixes);
  }
  if (rule.kind === "sorted" && replacingList(rules, lists)) return false;
  if (rule.kind === "numbered") return !isDirectory && orderOf(name, rule) !== undefined;
  if (rule.folders === "none" && folder !== "") return false;
  if (isDirectory) return endsWithAny(name.toLowerCase(), rule.directories);
  if (!rule.bareEnding && name.lastIndexOf(".") === 0) return false;
  if (rule.exceptNumbered && isNumbered(name.toLowerCase(), rules)) return false;
  return rule.suffixes.length === 0 || endsWithAny(rule.anyCase ? name.toLowerCase() : name, rule.suffixes);
}

function isNumbered(name: string, rules: readonly PackRule[]): boolean {
  return rules.some((rule) => rule.kind === "numbered" && orderOf(name, rule) !== undefined);
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
function failureOf(
  { formats: all, formatByEnding }: PackRule,
  { name, failure, format, isDirectory }: PackFile,
  engine: string,
): string | null {
  if (failure !== null || isDirectory || all.length === 0) return failure;
  const ofEnding = name.toLowerCase().endsWith(".pak") ? all.slice(0, 1) : all.slice(1);
  const formats = formatByEnding ? ofEnding : all;
  if (formats.some((known) => known === format)) return null;
  return `its format is ${format}, and ${engine} reads packs of such a name as ${formats.join(" or ")}`;
}

type Ordering = (pack: PackFile) => Omit<LoadOrder, "group">;

function orderNumbered(rule: NumberedPacks, packs: readonly PackFile[], engine: string): Ordering {
  // Of names that differ only in case the one in small letters is used, else the first.
  const spelled = (name: string) => rule.anyCase || rule.capitals ? name.toLowerCase() : name;
  const inOrder = packs.toSorted((a, b) => compareKeys(b.name, a.name));
  const byName = new Map(inOrder.map((pack) => [spelled(pack.name), pack]));
  for (const pack of packs) if (pack.name === spelled(pack.name)) byName.set(pack.name, pack);
  const suffixes = suffixesOf(rule);
  const isMissing = (number: number) =>
    suffixes.every((suffix) => {
      const pack = byName.get(nameOf(rule, number, suffix));
      return !pack || (rule.emptyIsMissing && pack.failure === null && isEmptyPak(pack));
    });
  let gap = 0;
  while (!isMissing(gap)) gap++;
  return (pack) => {
    const order = orderOf(pack.name, rule) ?? -1;
    const overridden = byName.get(spelled(pack.name));
    if (overridden && overridden !== pack) {
      return { order, ignored: `${overridden.name} has the same name but for its case` };
    }
    const failure = failureOf(rule, pack, engine);
    if (failure !== null) return { order, ignored: failure };
    if (rule.emptyIsMissing && isEmptyPak(pack)) return { order, ignored: "it has no files" };
    if (rule.stopsAtGap && order > gap) {
      const first = nameOf(rule, gap);
      const reason = byName.has(first) ? "is empty" : "is missing";
      return { order, ignored: `${first} ${reason}, and ${engine} stops at the first missing number` };
    }
    return { order, ignored: null };
  };
}

function suffixesOf({ suffix, otherSuffixes }: NumberedPacks): readonly string[] {
  return [suffix, ...otherSuffixes];
}

function nameOf(rule: NumberedPacks, number: number, suffix = rule.suffix): string {
  const name = `${rule.prefix}${number}${suffix}`;
  return rule.anyCase ? name.toLowerCase() : name;
}

/** Returns the number of a pack, and for further endings a part of one more; undefined if it has none. */
function orderOf(name: string, rule: NumberedPacks): number | undefined {
  const suffixes = suffixesOf(rule);
  const isCapitals = rule.capitals && name === name.toUpperCase();
  const spelled = (text: string) => rule.anyCase || isCapitals ? text.toLowerCase() : text;
  if (!spelled(name).startsWith(spelled(rule.prefix))) return undefined;
  const ending = suffixes.findIndex((suffix) => spelled(name).endsWith(spelled(suffix)));
  const suffix = suffixes[ending];
  if (suffix === undefined) return undefined;
  const digits = name.slice(rule.prefix.length, name.length - suffix.length);
  if (!/^(0|[1-9]\d{0,8})$/.test(digits) || Number(digits) > (rule.last ?? Infinity)) return undefined;
  // A pack of the engine's own, at half a number, comes after all endings of the number.
  return Number(digits) + ending / (2 * suffixes.length);
}

function orderSorted(rule: SortedPacks, packs: readonly PackFile[], engine: string): Ordering {
  const isAfter = ({ folder = "" }: PackFile) => rule.folders === "after" && folder !== "";
  const pathOf = (pack: PackFile) => isAfter(pack) ? `${pack.folder}/${pack.name}` : pack.name;
  const order = new Map(
    packs.map((pack) => ({ pack, key: orderKey(renamed(pack.name, rule.sortsAs), rule.collation) }))
      .sort((a, b) =>
        Number(isAfter(a.pack)) - Number(isAfter(b.pack)) || compareKeys(a.key, b.key) ||
        compareKeys(a.pack.name, b.pack.name)
      )
      .map(({ pack }, index) => [pathOf(pack), index]),
  );
  const reason = (pack: PackFile) => {
    const prefix = rule.except.find((beginning) => pack.name.startsWith(beginning));
    if (prefix !== undefined) return `${engine} skips packs whose name begins with ${prefix}`;
    const opened = renamed(pack.name, rule.opensAs);
    if (opened !== pack.name) return `${engine} opens it under the name ${opened}`;
    return rule.emptyIsMissing && !pack.isDirectory && pack.files === 0 ? "it has no files" : null;
  };
  return (pack) => ({ order: order.get(pathOf(pack)) ?? 0, ignored: failureOf(rule, pack, engine) ?? reason(pack) });
}

function renamed(name: string, rules: readonly PrefixRule[]): string {
  const rule = rules.find(({ prefix, anyCase }) =>
    anyCase ? name.toLowerCase().startsWith(prefix.toLowerCase()) : name.startsWith(prefix)
  );
  return rule ? rule.as + name.slice(rule.prefix.length) : name;
}

/** Group of an engine's own pack that is searched after the loose files beside it. */
export const belowLoose = -2;

/** Returns where a pack of the engine's own is among the packs of the base. */
export function enginePackOrder(
  { enginePack, packs }: {
    readonly enginePack: Pick<LoadOrder, "order"> & { readonly belowLoose: boolean } | null;
    readonly packs: readonly PackRule[];
  },
): Pick<LoadOrder, "group" | "order"> {
  const group = enginePack?.belowLoose ? belowLoose : Math.max(0, packs.findIndex(({ kind }) => kind === "numbered"));
  return { group, order: enginePack?.order ?? 0 };
}

/** Returns why a pack of the engine's own that follows another is not loaded, as a clause, or null. */
export function missingBefore(
  { enginePack, engine, packs }: {
    readonly enginePack: Pick<LoadOrder, "order"> & { readonly followsPack: boolean } | null;
    readonly engine: string;
    readonly packs: readonly PackRule[];
  },
  loaded: readonly LoadOrder[],
): string | null {
  if (!enginePack?.followsPack) return null;
  const group = packs.findIndex(({ kind }) => kind === "numbered");
  const number = Math.floor(enginePack.order);
  const isLoaded = loaded.some((one) =>
    one.group === group && one.ignored === null && Math.floor(one.order) === number
  );
  return isLoaded ? null : `${engine} loads it only after pack number ${number} beside the base`;
}
