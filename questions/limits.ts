/**
 * How close a view is to the limits of its engine, and what exceeds them.
 * @module
 */
import { shaderRulesOf } from "./shaders/shader_rules.ts";
import { entriesOf, none, ownEntryCount, type Source } from "../index/mod.ts";
import { type EngineLimit, type LimitKind, limitTitles, type PackRule, tiedPacks, tieKey } from "../engines/mod.ts";
import { entryMeasure, type View } from "../views/mod.ts";
import { numbered, type PagedQuestion, type ViewParameter } from "./question.ts";

/** A pack, file or directory that exceeds a limit. */
export interface OffenderRow {
  /** Absolute path of the pack or directory; name of the view if the limit applies to all of it. */
  source: string;
  /** Name inside `source`, if the limit applies to single files. */
  member: string | null;
  /** Number of files, bytes or packs. */
  value: number;
}

/** A limit of an engine, and how close a view is to it. */
export interface LimitRow {
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Kind of the limit. */
  limit: LimitKind;
  /** The kind in words. */
  title: string;
  /** Maximum that the engine accepts: files, bytes or packs. */
  most: number;
  /** Highest value in the view. */
  largest: number;
  /** Number of packs, files or directories that exceed the limit. */
  over: number;
  /** The first few of these. */
  offenders: OffenderRow[];
  /** Behaviour of the engine beyond the limit, as a sentence. */
  effect: string;
  /** Whether excess files are omitted: the game is indexed strictly, and it is known which files the engine omits. */
  enforced: boolean;
}

/** Lists the limits of a view's engine, and how close the view is to them. */
export const limits: PagedQuestion<ViewParameter, LimitRow> = {
  parameters: { view: "string" },
  list: ({ catalog }, { view }, from) => numbered(limitRows(catalog.view(view)), from),
};

/** Maximum number of listed offenders per limit. */
const maxOffenders = 20;

/**
 * Returns a row for each limit of a view's engine, and one for packs whose order depends on the file system, if any.
 * One pass over the entries of its game directories.
 */
export function limitRows(view: View): LimitRow[] {
  const rows = view.game.profile.limits.map((limit) => measure(view, limit));
  const ties = measure(view, tiedPacks);
  return ties.over > 0 ? [...rows, ties] : rows;
}

/** Measures everything that one limit applies to. */
function measure(view: View, limit: EngineLimit): LimitRow {
  const { snapshot, game, gameDirectories, name } = view;
  const { kind, most, then, refuses } = limit;
  const offenders: OffenderRow[] = [];
  let largest = 0;
  let over = 0;
  const add = (source: string, value: number, entry: number) => {
    largest = Math.max(largest, value);
    if (value <= most) return;
    over++;
    if (offenders.length >= maxOffenders) return;
    offenders.push({ source, member: entry === none ? null : snapshot.memberOf(entry), value });
  };
  /** All sources that the engine would load, including those that a strict index omits. */
  const sources = snapshot.sources.filter((source) =>
    source.game === game.id && source.ignored === null && gameDirectories.includes(source.gameDirectory)
  );
  if (kind === "shader-files") {
    const { tree } = view;
    const files = tree.childrenAt(shaderRulesOf(view).folder.directory)
      .filter((node) => !tree.isDirectory(node) && /\.shader$/i.test(tree.nameOf(node)));
    add(name, files.length, none);
  } else if (kind === "directory-packs" || kind === "tied-packs") {
    const { packs } = game.profile;
    const isTied = kind === "tied-packs";
    for (const { path, count } of packCounts(sources, (pack) => isTied ? tieOf(packs, pack) : "")) {
      add(path, count, none);
    }
  } else if (kind === "pack-files") {
    for (const source of sources) {
      if (source.format === "quake-pak") add(source.path, ownEntryCount(source), none);
    }
  } else {
    for (const entry of entriesOf(sources)) {
      const source = snapshot.sourceOf(entry);
      if (!snapshot.isDirectory(entry)) add(source.path, entryMeasure(snapshot, limit, source, entry), entry);
    }
  }
  return {
    view: name,
    limit: kind,
    title: limitTitles[kind],
    most,
    largest,
    over,
    offenders,
    effect: `With more ${game.profile.engine} ${then}.`,
    enforced: game.strict && refuses !== null,
  };
}

/** Returns a key that is the same for packs of one directory that the engine takes for one; undefined for others. */
function tieOf(
  packs: readonly PackRule[],
  { group, folder, name, identity: { mtime } }: Source,
): string | undefined {
  const key = tieKey(packs[group], { name, mtime });
  return key === undefined ? undefined : `${group} ${folder} ${key}`;
}

/**
 * Returns the directories of packs, and the number of packs in each.
 * @param keyOf Returns the same key for packs of one directory that count together, `undefined` for others.
 */
function packCounts(
  sources: readonly Source[],
  keyOf: (pack: Source) => string | undefined,
): { readonly path: string; readonly count: number }[] {
  const counted = new Map<string, Source[]>();
  for (const source of sources) {
    const key = source.kind === "pack" ? keyOf(source) : undefined;
    if (key === undefined) continue;
    counted.getOrInsert(`${source.rootIndex} ${source.gameDirectory} ${key}`, []).push(source);
  }
  return Array.from(counted.values(), (packs) => {
    const { path = "" } = packs[0] ?? {};
    return { path: path.slice(0, path.lastIndexOf("/")), count: packs.length };
  });
}
