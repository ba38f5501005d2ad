/**
 * Losing files of a view, each with the winner and the reason.
 * @module
 */
import { none } from "../index/mod.ts";
import { filterTest, type FindFilters } from "./filters.ts";
import { findFiles } from "./find.ts";
import { Contest, contestsPerTurn, type Verdict } from "./contest.ts";
import { type HolderRow, holderRow } from "./holder_row.ts";
import {
  type CompareParameter,
  type PagedQuestion,
  type Position,
  type Step,
  type ViewParameter,
  withPatterns,
} from "./question.ts";
import type { Comparison } from "./same_bytes.ts";

/** A file that the engine never loads, because another file has its path, or its map is from elsewhere. */
export interface ShadowedRow extends HolderRow, Verdict {
  /** Path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** The winner, which the engine loads instead, or the map for which it ignores the file. */
  winner: HolderRow;
  /** Whether the winner has the same bytes; null if unknown. */
  identical: boolean | null;
}

/** Parameters of `shadowed`. */
export interface ShadowedParameters extends ViewParameter, CompareParameter {
  /** Patterns as for `find`, compared with paths in the view; default: all files. */
  patterns?: string[];
  /** Conditions on the losing file. */
  filters?: FindFilters;
}

/** Lists files that the engine never loads, because another file has their path, or their map is from elsewhere. */
export const shadowed: PagedQuestion<ShadowedParameters, ShadowedRow> = {
  parameters: { view: "string", patterns: "strings", filters: "filters", compare: "flag" },
  list: ({ catalog, compare }, parameters, from) => {
    const contest = new Contest(catalog.view(parameters.view));
    const { patterns = [], filters = {} } = parameters;
    const found = withPatterns(() => shadowedFiles(contest, patterns, filters, from));
    return shadowedSteps(contest, found, compare(parameters.compare));
  },
};

function* shadowedSteps(
  contest: Contest,
  found: Iterable<Shadowed | undefined>,
  compare: Comparison,
): Generator<Step<ShadowedRow>> {
  for (const file of found) {
    yield file && {
      row: shadowedRow(contest, file, compare),
      next: { at: file.node, part: file.index + 1 },
    };
  }
}

/** A losing file. */
export interface Shadowed {
  /** Node of the view's tree. */
  readonly node: number;
  /** Index among the losers at this node, best first, from 0, including filtered ones. */
  readonly index: number;
  /** The file that the engine loads instead, or the map for which it ignores the loser. */
  readonly winner: number;
  readonly loser: number;
}

/**
 * Finds losing files, from a position on, in the order of a walk. `patterns` are as for {@linkcode findFiles},
 * `filters` apply to the losing file. Yields undefined periodically so that a caller can stop or let other work run.
 * @throws {RangeError} at once, if a pattern is too long.
 */
export function shadowedFiles(
  contest: Contest,
  patterns: readonly string[],
  filters: FindFilters,
  from: Position,
): Generator<Shadowed | undefined> {
  const passes = filterTest(contest.view.snapshot, contest.view.searchPath, filters);
  return fromPosition(contest, findFiles(contest.view, patterns, {}, from.at), passes, from);
}

function* fromPosition(
  contest: Contest,
  nodes: Generator<number>,
  passes: (entry: number) => boolean,
  from: Position,
): Generator<Shadowed | undefined> {
  if (from.part > 0 && from.at < contest.view.tree.length) yield* losersAt(contest, from.at, from.part, passes);
  let contests = 0;
  for (const node of nodes) {
    // A losing file with an unlisted spelling may win with the listed one.
    if (node !== none && contest.view.tree.isVariant(node)) return;
    if (node === none || ++contests % contestsPerTurn === 0) yield undefined;
    if (node !== none) yield* losersAt(contest, node, 0, passes);
  }
}

function* losersAt(
  contest: Contest,
  node: number,
  first: number,
  passes: (entry: number) => boolean,
): Generator<Shadowed> {
  const winner = contest.winnerOf(node);
  if (winner === none) return;
  const above = contest.mapAbove(node, winner);
  const losers = [...above ? [winner] : [], ...contest.losersAt(node)];
  for (const [index, loser] of losers.entries()) {
    if (index >= first && passes(loser)) yield { node, index, winner: above?.map ?? winner, loser };
  }
}

/** Returns the row of a losing file. */
async function shadowedRow(contest: Contest, found: Shadowed, compare: Comparison): Promise<ShadowedRow> {
  const { snapshot, tree, name } = contest.view;
  const { node, winner, loser } = found;
  const above = winner === contest.winnerOf(node) ? null : contest.mapAbove(node, loser);
  return {
    qpath: tree.pathOf(node),
    view: name,
    ...holderRow(snapshot, loser),
    winner: holderRow(snapshot, winner),
    identical: await compare(winner, loser),
    ...above ? { decidedBy: "game-directory", because: `${above.reason}.` } : contest.verdictAt(node, loser),
  };
}
