/**
 * Inner packs that an engine searches, and their order, according to its profile.
 *
 * Inner packs are not separate sources: an engine searches them with the outer pack, which is one file with one
 * identity, so a refresh reads all of them again or none.
 * @module
 */
import { type EntryTable, type FormatName, isTypedWad, type PackSearch } from "../../formats/parts.ts";
import { at } from "../columns/columns.ts";
import {
  type LoadOrder,
  type NestedPacks,
  orderPacks,
  type PackFile,
  type PackLists,
  type PackRule,
  type Profile,
  readPackList,
  typedLumps,
} from "../../engines/mod.ts";

/** A part of a profile, which can be sent to other threads. */
export interface NestedSearch extends NestedPacks {
  /** The steps in which the engine loads packs. */
  readonly steps: readonly PackRule[];
  readonly engine: string;
  /** Whether names that differ only in case are one. */
  readonly ignoreCase: boolean;
  readonly lumpTypes: boolean;
  /** Whether the last of several equal names wins instead of the first. */
  readonly takesLast: boolean;
}

/** Returns how inner packs are searched, or null. */
export function nestedSearch(profile: Profile): NestedSearch | null {
  const { nestedPacks, packs, engine, ignoreCase, memberNames } = profile;
  if (nestedPacks === null) return null;
  const lumpTypes = memberNames?.lumpTypes ?? false;
  return { ...nestedPacks, steps: packs, engine, ignoreCase, lumpTypes, takesLast: profile.duplicates === "last" };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the format of packs with a name: no engine checks their content. */
function formatsOf(name: string): readonly FormatName[] {
  if (/\.pak$/i.test(name)) return ["quake-pak"];
  return /\.wad$/i.test(name) ? ["wad2", "wad3"] : ["zip"];
}

/** Returns a finder of packs among the members of `table`. */
export function packSearch(search: NestedSearch, table: EntryTable, outer: FormatName): PackSearch {
  const { suffixes, isAbove, order, lumpTypes } = search;
  return {
    isAbove,
    formats: formatsOf,
    listed: (inner, format, name) =>
      lumpTypes && isTypedWad(format) ? typedLumps(inner, format, name.slice(name.lastIndexOf("/") + 1)) : inner,
    choose: (first, end, textOf) => {
      // src/fs.c 2716: FS_AddWildDataFiles; FSZIP_LoadZipFile of ezQuake converts names to lower case,
      // FSPAK_LoadPackFile does not.
      const isExact = order === "stored" && (first > 0 || outer !== "zip");
      const isPack = (name: string) =>
        suffixes.some((suffix) => (isExact ? name : name.toLowerCase()).endsWith(suffix));
      const rows = new Map<string, number>();
      for (let row = first; row < end; row++) {
        const path = table.path(row);
        // A name whose spelling differs from the displayed one is not requested. In inner packs all names are kept.
        const raw = first === 0 ? table.rawNames.get(row) : undefined;
        if (table.isDirectory(row) || !isPack(path) || (raw && decoder.decode(raw) !== path)) continue;
        const name = search.ignoreCase ? path.toLowerCase() : path;
        if (search.takesLast || !rows.has(name)) rows.set(name, row);
      }
      if (rows.size === 0) return [];
      if (order === "steps") return inSteps(rows, search, table, textOf);
      return Array.from(rows.values()).reverse();
    },
  };
}

function isAtTop(name: string): boolean {
  return !name.includes("/");
}

/**
 * Returns the load orders of packs of a directory: packs inside directories that are packs come right before or after
 * these.
 */
export function orderAll(
  { packs: steps, engine, nestedPacks }: Profile,
  packs: readonly PackFile[],
  lists: PackLists,
  innerLists: ReadonlyMap<string, PackLists> | undefined,
  filled: string | null,
): readonly LoadOrder[] {
  const isInner = (pack: PackFile) => innerLists?.has(pack.folder ?? "") === true;
  const outer = packs.filter((pack) => !isInner(pack));
  const orders = orderPacks(steps, outer, engine, lists, filled);
  const ordered = new Map(orders.map((order, index) => [outer[index], order]));
  for (const [folder, own] of innerLists ?? []) {
    const around = ordered.get(outer.find(({ name, isDirectory }) => isDirectory && name === folder));
    const inner = packs.filter((pack) => pack.folder === folder);
    if (!around) continue;
    const within = orderPacks(steps, inner.map((pack) => ({ ...pack, folder: "" })), engine, own)
      .map((order, index) => ({ order, pack: inner[index] })).sort((a, b) => bySearch(a.order, b.order));
    for (const [index, { order, pack }] of within.entries()) {
      const share = (index + 1) / (within.length + 1);
      ordered.set(pack, {
        group: around.group,
        order: around.order + (nestedPacks?.isAbove ? 1 - share : -share),
        ignored: around.ignored === null ? order.ignored : `it lies in ${folder}, and ${around.ignored}`,
      });
    }
  }
  const ignored = { group: -1, order: -1, ignored: `${engine} does not search it` };
  return packs.map((pack) => ordered.get(pack) ?? ignored);
}

/** Sorts packs in search order. */
function bySearch(a: LoadOrder, b: LoadOrder): number {
  return b.group - a.group || b.order - a.order;
}

/**
 * Returns packs in the load order of a directory's steps, the last loaded first. Only a list can name packs in folders.
 */
function inSteps(
  rows: ReadonlyMap<string, number>,
  { steps, engine, ignoreCase }: NestedSearch,
  table: EntryTable,
  textOf: (name: string) => string | undefined,
): number[] {
  const lists = new Map(
    steps.flatMap((step) => {
      const text = step.kind === "listed" ? textOf(step.file) : undefined;
      if (step.kind !== "listed" || text === undefined) return [];
      const lines = readPackList(ignoreCase ? text.toLowerCase() : text, step, true);
      const named = Array.from(lines).flatMap(([name, line]) => {
        const row = rows.get(name);
        return row === undefined ? [] : [[table.path(row), line] as const];
      });
      return [[step.file, new Map(named)] as const];
    }),
  );
  const listed = new Set(Array.from(lists.values()).flatMap((names) => Array.from(names.keys())));
  const packs = Array.from(rows.values()).filter((row) => isAtTop(table.path(row)) || listed.has(table.path(row)));
  // In a pack names are looked up without case.
  const found = ignoreCase ? steps.map((step) => step.kind === "numbered" ? { ...step, anyCase: true } : step) : steps;
  const files = packs.map((row) => {
    const name = table.path(row);
    const [format = "zip"] = formatsOf(name);
    return { name, isDirectory: false, files: 1, failure: null, format, mtime: at(table.mtimes, row) };
  });
  return orderPacks(found, files, engine, lists)
    .flatMap((order, index) => order.ignored === null ? [{ order, row: packs[index] ?? 0 }] : [])
    .sort((a, b) => bySearch(a.order, b.order))
    .map(({ row }) => row);
}
