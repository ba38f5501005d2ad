/**
 * Decides which files of a game directory are packs of an engine, and in what order it searches them.
 * @module
 */
import { archiveFormats } from "../../formats/parts.ts";
import { compareKeys, orderKey, secondKey } from "./pack_names.ts";
import type {
  FolderRule,
  ListedPacks,
  LoadOrder,
  NumberedPacks,
  PackFile,
  PackLists,
  PackRule,
  PrefixRule,
  SortedPacks,
} from "./pack_steps.ts";
import type { EnginePack, Profile } from "./profile.ts";

/** Extensions of archives, with the dot, lower case. */
export const packEndings: ReadonlySet<string> = new Set([
  ...archiveFormats.flatMap((format) => format.isNoPack ? [] : format.extensions),
  ".pak",
  ".zip",
]);

/** Extensions that many programs give to files of all kinds: such a file is a pack only if it is an archive. */
export const sharedEndings: ReadonlySet<string> = new Set([".dat"]);

/** Group of packs that are searched after the loose files next to them. */
export const belowLoose = -2;

/** Minimum characters of a line that names a pack. */
const minLine = 5;

const noLists: PackLists = new Map();

/**
 * Returns the packs that a list names: names with slashes or colons could lead out of the game directory.
 * @param isInPack Whether the list is in a pack, where slashes are harmless.
 */
export function readPackList(
  text: string,
  { except, words, loadsAgain }: ListedPacks,
  isInPack = false,
): Map<string, readonly number[]> {
  const names = new Map<string, readonly number[]>();
  const named = words
    ? Array.from(text.matchAll(/\/\/[^\n]*|"([^"]*)"?|[^\s"]+/g), ([word, quoted]) => quoted ?? word)
    : text.split("\n").map((line) => line.replace(/\r$/, "")).filter((line) => line.length >= minLine);
  for (const [line, name] of named.entries()) {
    if (
      name === "" || (isInPack ? /[\\:\0]/ : /[/\\:\0]/).test(name) ||
      except.some((prefix) => name.toLowerCase().startsWith(prefix))
    ) continue;
    const known = names.get(name);
    if (!loadsAgain) names.set(name, known ?? [names.size]);
    else names.set(name, [...known?.slice(0, 1) ?? [], line]);
  }
  return names;
}

/** Returns whether an engine's packs come from a file system that ignores case. */
export function ignoresHostCase(rules: readonly PackRule[]): boolean {
  return rules.some((rule) => rule.kind === "numbered" && rule.anyCase);
}

/**
 * Returns the name with which a file would be a pack; undefined if it is one already, or is none in lower case either.
 */
export function packNameMeant(rules: readonly PackRule[], name: string): string | undefined {
  const small = name.toLowerCase();
  const isPackNamed = (wanted: string) =>
    rules.some((rule) => accepts(rule, { name: wanted, isDirectory: false }, rules));
  return small !== name && !isPackNamed(name) && isPackNamed(small) ? small : undefined;
}

/** Extensions of directories that count as packs. */
export function packDirectoryEndings(rules: readonly PackRule[]): string[] {
  return rules.flatMap((rule) => rule.kind === "sorted" ? rule.directories : []);
}

/** Extensions of files that may be packs. */
export function packFileEndings(rules: readonly PackRule[]): string[] {
  const suffixes = rules.flatMap((rule) => rule.kind === "numbered" ? suffixesOf(rule) : rule.suffixes);
  return suffixes.map((suffix) => suffix.slice(Math.max(0, suffix.lastIndexOf("."))));
}

/**
 * Returns the load order of each pack of one game directory, as in `packs`: by the first rule that loads it, or by a
 * list that loads it again.
 * @param lists The lists of packs that the game directory has.
 * @param filled Name of a pack that is no missing number even if it is empty: see {@linkcode filledPack}.
 */
export function orderPacks(
  rules: readonly PackRule[],
  packs: readonly PackFile[],
  engine: string,
  lists: PackLists = noLists,
  filled: string | null = null,
): LoadOrder[] {
  const orders: (LoadOrder | undefined)[] = packs.map(() => undefined);
  const isLoaded = (index: number) => orders[index]?.ignored === null;
  for (const [step, rule] of rules.entries()) {
    const group = rule.kind === "sorted" && rule.belowLoose ? belowLoose : step;
    const loadsAgain = rule.kind === "listed" && rule.loadsAgain;
    const accepted = [...packs.keys()].filter((index) => {
      const pack = packs[index];
      return pack !== undefined && accepts(rule, pack, rules, lists);
    });
    // A number that an earlier step has loaded is no gap.
    const members = accepted.filter((index) => rule.kind === "numbered" || loadsAgain || !isLoaded(index))
      .flatMap((index) => packs[index] ?? []);
    const loaded = new Set(packs.filter((pack, index) => isLoaded(index) && !isEmptyPak(pack)).map(smallName));
    const ordering = orderingOf(rule, members, engine, { lists, loaded, filled });
    const loading = accepted.flatMap((index) => {
      const pack = packs[index];
      return pack && (loadsAgain || !isLoaded(index)) ? [{ index, pack, order: { group, ...ordering(pack) } }] : [];
    }).sort((a, b) => a.order.order - b.order.order);
    for (const { index, pack, order: own } of loading) {
      const twin = rule.exceptTwins
        ? packs.find((other, at) => smallName(other) === smallName(pack) && isLoaded(at) && !isEmptyPak(other))
        : undefined;
      const ignored = twin ? `to ${engine} it is ${twin.name}, which is loaded already` : own.ignored;
      const order = { ...own, ignored };
      const known = orders[index];
      // Where it was loaded first, the packs in it were.
      const line = rule.kind === "listed" ? lists.get(rule.file)?.get(pack.name)?.[0] : undefined;
      const first = loadsAgain && known?.ignored === null ? known.inner ?? known : { group, order: line ?? own.order };
      const isAgain = first.group !== group || first.order !== own.order;
      const inner = isAgain ? { inner: { group: first.group, order: first.order } } : {};
      if (order.ignored === null) orders[index] = { ...order, ...inner };
      else orders[index] ??= order;
    }
  }
  return packs.map((pack, index) => orders[index] ?? noPack(rules, pack, engine, lists));
}

/** Returns the lists of packs of one game directory, by the packs that they load. */
export function loadedLists(
  rules: readonly PackRule[],
  packs: readonly (Pick<PackFile, "name"> & Pick<LoadOrder, "group" | "order" | "inner">)[],
): PackLists {
  return new Map(rules.flatMap((rule, group) => {
    if (rule.kind !== "listed") return [];
    const listed = packs.filter((pack) => pack.group === group);
    const lines = listed.map(({ name, order, inner }) =>
      [name, inner?.group === group ? [inner.order, order] : [order]] as const
    );
    return listed.length === 0 ? [] : [[rule.file, new Map(lines)] as const];
  }));
}

/** Returns whether engines do not load a pack because it has no members; they do load empty zips. */
function isEmptyPak({ files, format }: PackFile): boolean {
  return files === 0 && format === "quake-pak";
}

function smallName({ name }: PackFile): string {
  return name.toLowerCase();
}

/**
 * Returns the name of a pack of a game directory that may be empty, as the engine loads a pack inside its program with it;
 * null if there is none.
 */
export function filledPack(
  { profile: { programPack }, base, roots }: {
    readonly profile: Pick<Profile, "programPack">;
    readonly base: string;
    readonly roots: readonly string[];
  },
  { name, rootIndex }: { readonly name: string; readonly rootIndex: number },
): string | null {
  if (programPack === null || name !== base) return null;
  const isOfUser = (root: string) => programPack.userRoots.includes(root.slice(root.lastIndexOf("/") + 1));
  return roots.findIndex((root) => !isOfUser(root)) === rootIndex ? programPack.follows : null;
}

/** Lists of packs, and the packs that are loaded already. */
interface Earlier {
  readonly lists: PackLists;
  /** Names, in lower case, of the packs that earlier steps have loaded. */
  readonly loaded: ReadonlySet<string>;
  /** Name of a pack that is no missing number even if it is empty. */
  readonly filled: string | null;
}

function orderingOf(
  rule: PackRule,
  packs: readonly PackFile[],
  engine: string,
  { lists, ...earlier }: Earlier,
): Ordering {
  if (rule.kind === "numbered") return orderNumbered(rule, packs, engine, earlier);
  if (rule.kind === "sorted") return orderSorted(rule, packs, engine);
  const lines = lists.get(rule.file);
  return (pack) => ({ order: lines?.get(pack.name)?.at(-1) ?? -1, ignored: failureOf(rule, pack, engine) });
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
    const ignored =
      `${list.file} does not name it, and ${engine} then loads only numbered packs in addition to those listed`;
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

/** Returns whether a name has one of some extensions, or is one of some names; every name has the empty extension. */
function endsWithAny(name: string, endings: readonly string[]): boolean {
  return endings.some((ending) => ending.indexOf(".") > 0 ? name === ending : name.endsWith(ending));
}

/** Returns the description of the packs that an engine loads, to follow "only packs". */
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

/** Returns the reason why the engine cannot read a pack, as a clause, or null. */
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

function orderNumbered(
  rule: NumberedPacks,
  packs: readonly PackFile[],
  engine: string,
  { loaded, filled }: Omit<Earlier, "lists">,
): Ordering {
  // If names differ only in case, the one in lower case is used, else the first.
  const spelled = (name: string) => rule.anyCase || rule.capitals ? name.toLowerCase() : name;
  const failure = (pack: PackFile) => {
    const isEmptyZip = rule.unreadableIsMissing && pack.files === 0 && pack.format === "zip";
    return failureOf(rule, pack, engine) ?? (isEmptyZip ? `${engine} cannot open a zip without files` : null);
  };
  const present = rule.unreadableIsMissing ? packs.filter((pack) => failure(pack) === null) : packs;
  const inOrder = present.toSorted((a, b) => compareKeys(b.name, a.name));
  const byName = new Map(inOrder.map((pack) => [spelled(pack.name), pack]));
  for (const pack of present) if (pack.name === spelled(pack.name)) byName.set(pack.name, pack);
  const suffixes = suffixesOf(rule);
  const isMissing = (number: number) =>
    suffixes.every((suffix) => {
      const name = nameOf(rule, number, suffix);
      // A number whose pack is loaded with a name of any case is no gap.
      if (rule.exceptTwins && loaded.has(name.toLowerCase())) return false;
      const pack = byName.get(name);
      return !pack || (rule.emptyIsMissing && name !== filled && pack.failure === null && isEmptyPak(pack));
    });
  let gap = 0;
  while (!isMissing(gap)) gap++;
  return (pack) => {
    const order = orderOf(pack.name, rule) ?? -1;
    const overridden = byName.get(spelled(pack.name));
    if (overridden && overridden !== pack) {
      return { order, ignored: `${overridden.name} has the same name but for its case` };
    }
    const failed = failure(pack);
    if (failed !== null) return { order, ignored: failed };
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

/** Returns the number of a pack, plus a fraction for further extensions; undefined if it has none. */
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
  // An engine pack with a half number comes after all extensions of the number.
  return Number(digits) + ending / (2 * suffixes.length);
}

function orderSorted(rule: SortedPacks, packs: readonly PackFile[], engine: string): Ordering {
  // Packs in folders count as those next to them if this is "any".
  const sides: Readonly<Record<FolderRule, number>> = { any: 0, none: 0, before: -1, after: 1 };
  const sideOf = ({ folder = "" }: PackFile) => folder === "" ? 0 : sides[rule.folders];
  const pathOf = (pack: PackFile) => sideOf(pack) === 0 ? pack.name : `${pack.folder}/${pack.name}`;
  const order = new Map(
    packs.map((pack) => ({ pack, key: sortKey(rule, pack) }))
      .sort((a, b) =>
        sideOf(a.pack) - sideOf(b.pack) || compareKeys(a.key, b.key) ||
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

function sortKey(
  { collation, sortsAs }: SortedPacks,
  { name, mtime = 0 }: Pick<PackFile, "name" | "mtime">,
): string {
  const key = orderKey(renamed(name, sortsAs), collation);
  return collation === "newest" ? secondKey(mtime) + key : key;
}

/**
 * Returns a key of the packs of one step and directory whose order comes from the directory listing; undefined if their
 * order is defined otherwise.
 */
export function tieKey(step: PackRule | undefined, pack: Pick<PackFile, "name" | "mtime">): string | undefined {
  if (step?.kind !== "sorted") return undefined;
  return step.collation === "listing" ? "" : sortKey(step, pack);
}

function renamed(name: string, rules: readonly PrefixRule[]): string {
  const rule = rules.find(({ prefix, anyCase }) =>
    anyCase ? name.toLowerCase().startsWith(prefix.toLowerCase()) : name.startsWith(prefix)
  );
  return rule ? rule.as + name.slice(rule.prefix.length) : name;
}

/** Returns the position of an engine pack among the packs of the base. */
export function enginePackOrder(
  { enginePack, packs }: {
    readonly enginePack: Pick<EnginePack, "name" | "order" | "belowLoose" | "followsListed"> | null;
    readonly packs: readonly PackRule[];
  },
  lists: PackLists = noLists,
): Pick<LoadOrder, "group" | "order"> {
  const listedAt = packs.findIndex(({ kind }) => kind === "listed");
  const rule = packs[listedAt];
  const prefix = enginePack?.followsListed ?? "";
  if (enginePack && prefix !== "" && rule?.kind === "listed") {
    const ending = enginePack.name.slice(enginePack.name.lastIndexOf("."));
    for (const [name, lines] of lists.get(rule.file) ?? []) {
      const line = lines.at(-1) ?? -1;
      const isFollowed = name.toLowerCase().startsWith(prefix) && name.endsWith(ending);
      if (isFollowed) return { group: listedAt, order: line + 0.5 };
    }
  }
  const group = enginePack?.belowLoose ? belowLoose : Math.max(0, packs.findIndex(({ kind }) => kind === "numbered"));
  return { group, order: enginePack?.order ?? 0 };
}

/** Returns the reason why an engine pack that follows another is not loaded, as a clause, or null. */
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
  return isLoaded ? null : `${engine} loads it only after pack number ${number} next to the base`;
}
