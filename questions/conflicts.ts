/**
 * Paths in several sources of a view: all conflicts, the conflicts of one pack or game directory, the files that it
 * replaces or that others replace, and the files that only it provides.
 * @module
 */
import { at, none } from "../index/mod.ts";
import { filesAfter, walkSteps } from "./find.ts";
import { Contest, contestsPerTurn, type Verdict } from "./contest.ts";
import { type HolderRow, holderRow } from "./holder_row.ts";
import { sourcesNamed } from "./named_sources.ts";
import type { CompareParameter, PagedQuestion, QuestionContext, Step, ViewParameter } from "./question.ts";
import { type FieldsParameter, type FileRow, TreeRows } from "./rows.ts";
import { allSame, type Comparison } from "./same_bytes.ts";

/** A losing file. */
export interface LoserRow extends HolderRow, Verdict {
  /** Whether it has the winner's bytes; null if unknown. */
  identical: boolean | null;
}

/** A path with several files on a view's search path. */
export interface ConflictRow {
  /** Path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Whether all have the same bytes; null if unknown. */
  identical: boolean | null;
  /** The winner, which the engine loads. */
  winner: HolderRow;
  /** The losers, best first. */
  losers: LoserRow[];
}

/** Parameters of `conflicts`. */
export interface ConflictsParameters extends ViewParameter, CompareParameter {
  /** Pack or game directory in the conflict; default: all conflicts of the view. */
  source?: string;
}

/** Lists paths that several sources have. */
export const conflicts: PagedQuestion<ConflictsParameters, ConflictRow> = {
  parameters: { view: "string", source: "string", compare: "flag" },
  list: (context, parameters, from) => {
    const contest = new Contest(context.catalog.view(parameters.view));
    const { source } = parameters;
    const sources = source === undefined ? undefined : sourcesNamed(contest.view, source);
    return conflictSteps(context, contest, parameters, findConflicts(contest, from.at, sources));
  },
};

/** Parameters of `overrides`. */
export interface OverridesParameters extends ViewParameter, CompareParameter {
  /** Pack or game directory of the view. */
  source: string;
  /** Whether to list the files of it that others replace instead of those that it replaces. */
  by?: boolean;
}

/** Lists the files that a pack or game directory replaces, or its files that others replace. */
export const overrides: PagedQuestion<OverridesParameters, ConflictRow> = {
  parameters: { view: "string", source: "required string", by: "flag", compare: "flag" },
  list: (context, parameters, from) => {
    const contest = new Contest(context.catalog.view(parameters.view));
    const sources = sourcesNamed(contest.view, parameters.source);
    const found = findConflicts(contest, from.at, sources, parameters.by ? "loses" : "wins");
    return conflictSteps(context, contest, parameters, found);
  },
};

function* conflictSteps(
  { compare }: QuestionContext,
  contest: Contest,
  parameters: CompareParameter,
  found: Iterable<Conflict | undefined>,
): Generator<Step<ConflictRow>> {
  const comparison = compare(parameters.compare);
  for (const conflict of found) {
    yield conflict && { row: conflictRow(contest, conflict, comparison), next: { at: conflict.node, part: 0 } };
  }
}

/** Parameters of `unique`. */
export interface UniqueParameters extends ViewParameter, FieldsParameter {
  /** Pack or game directory of the view. */
  source: string;
}

/** Lists files that only a pack or game directory provides, which the view would lack without it. */
export const unique: PagedQuestion<UniqueParameters, FileRow> = {
  parameters: { view: "string", source: "required string", fields: "strings" },
  list: ({ catalog }, { view: name, source, fields }, from) => {
    const contest = new Contest(catalog.view(name));
    const rows = new TreeRows(contest.view, fields);
    const nodes = uniqueFiles(contest, from.at, sourcesNamed(contest.view, source));
    return walkSteps(contest.view.tree, nodes, (node, path) => rows.ofFile(node, path));
  },
};

/** Role of some sources in a conflict: any, winners, or losers. */
export type ConflictRole = "any" | "wins" | "loses";

/** Entries with the same path. */
export interface Conflict {
  readonly node: number;
  readonly winner: number;
  readonly losers: readonly number[];
}

/** Numbers of sources. */
type SourceSet = ReadonlySet<number>;

/**
 * Returns the conflict at a node of the tree, or undefined if one source has all files of its path. With `sources` only
 * if they have that role; for winners the losers are from other sources, for losers only their own.
 */
function conflictAt(
  contest: Contest,
  node: number,
  sources?: SourceSet,
  role: ConflictRole = "any",
): Conflict | undefined {
  const { entrySources } = contest.view.snapshot.columns;
  const sourceOf = (entry: number) => at(entrySources, entry);
  const winner = contest.winnerOf(node);
  const wins = sources?.has(sourceOf(winner)) ?? false;
  if (sources && role !== "any" && wins !== (role === "wins")) return undefined;
  const losers = contest.losersAt(node);
  if (!losers.some((loser) => sourceOf(loser) !== sourceOf(winner))) return undefined;
  if (!sources) return { node, winner, losers };
  const isTheirs = (entry: number) => sources.has(sourceOf(entry));
  if (role === "any") return wins || losers.some(isTheirs) ? { node, winner, losers } : undefined;
  const concerned = losers.filter((loser) => isTheirs(loser) === (role === "loses"));
  return concerned.length > 0 ? { node, winner, losers: concerned } : undefined;
}

/**
 * Finds the conflicts of a view after node `after` of its tree, in the order of a walk. Yields undefined periodically so
 * that a caller can stop or let other work run.
 */
export function* findConflicts(
  contest: Contest,
  after: number,
  sources?: SourceSet,
  role: ConflictRole = "any",
): Generator<Conflict | undefined> {
  for (const node of filesAfter(contest.view.tree, after, contestsPerTurn)) {
    if (node === none) yield undefined;
    const conflict = node === none ? undefined : conflictAt(contest, node, sources, role);
    if (conflict) yield conflict;
  }
}

/**
 * Finds the nodes of files after node `after` that the view would lack without `sources`: no other source has a usable
 * file of their path. Yields {@linkcode none} periodically.
 */
export function* uniqueFiles(contest: Contest, after: number, sources: SourceSet): Generator<number> {
  const { entrySources } = contest.view.snapshot.columns;
  for (const node of filesAfter(contest.view.tree, after, contestsPerTurn)) {
    if (node === none) {
      yield none;
      continue;
    }
    const winner = contest.winnerOf(node);
    if (winner === none || !sources.has(at(entrySources, winner))) continue;
    if (contest.losersAt(node).every((loser) => sources.has(at(entrySources, loser)))) yield node;
  }
}

/** Returns the row of a conflict. */
async function conflictRow(contest: Contest, conflict: Conflict, compare: Comparison): Promise<ConflictRow> {
  const { view } = contest;
  const { node, winner } = conflict;
  const losers: LoserRow[] = [];
  for (const loser of conflict.losers) {
    // deno-lint-ignore no-await-in-loop -- files are read one after the other, if at all
    const identical = await compare(winner, loser);
    losers.push({ ...holderRow(view.snapshot, loser), identical, ...contest.verdictAt(node, loser) });
  }
  return {
    qpath: view.tree.pathOf(node),
    view: view.name,
    identical: allSame(losers.map((loser) => loser.identical)),
    winner: holderRow(view.snapshot, winner),
    losers,
  };
}
