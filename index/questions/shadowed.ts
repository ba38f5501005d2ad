/**
 * Files of a view that lose, each with the file that wins and why.
 * @module
 */
import { none } from "../columns/columns.ts";
import { filterTest, findFiles, type FindFilters } from "./find.ts";
import { type Contest, contestsPerTurn, type Verdict } from "./contest.ts";
import { type HolderRow, holderRow } from "./holder_row.ts";
import type { Comparison } from "./same_bytes.ts";

/** A file that the engine never loads, because another has its path. */
export interface ShadowedRow extends HolderRow, Verdict {
  /** Path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** The file that the engine loads instead. */
  winner: HolderRow;
  /** Whether the winner has the same bytes; null where that is not known. */
  identical: boolean | null;
}

/** One file that loses. */
export interface Shadowed {
  /** Node of the view's tree. */
  readonly node: number;
  /** Place among those that lose at this node, best first, from 0; those that filters leave out count too. */
  readonly place: number;
  readonly winner: number;
  readonly loser: number;
}

/** Where to go on: at the loser of that place of that node. */
export interface ShadowedPosition {
  readonly node: number;
  readonly place: number;
}

/**
 * Files that lose, from a position on, in the order of a walk. `patterns` are as for {@linkcode findFiles}, `filters`
 * are about the file that loses. Undefined now and then so that a caller can stop or let others work.
 * @throws {RangeError} at once, if a pattern is too long.
 */
export function shadowed(
  contest: Contest,
  patterns: readonly string[],
  filters: FindFilters,
  from: ShadowedPosition,
): Generator<Shadowed | undefined> {
  const passes = filterTest(contest.view, filters);
  return fromPosition(contest, findFiles(contest.view, patterns, {}, from.node), passes, from);
}

function* fromPosition(
  contest: Contest,
  nodes: Generator<number>,
  passes: (entry: number) => boolean,
  from: ShadowedPosition,
): Generator<Shadowed | undefined> {
  if (from.place > 0) yield* losersAt(contest, from.node, from.place, passes);
  let contests = 0;
  for (const node of nodes) {
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
  for (const [place, loser] of contest.losersAt(node).entries()) {
    if (place >= first && passes(loser)) yield { node, place, winner, loser };
  }
}

/** The row of a file that loses. */
export async function shadowedRow(contest: Contest, found: Shadowed, compare: Comparison): Promise<ShadowedRow> {
  const { snapshot, tree, name } = contest.view;
  const { node, winner, loser } = found;
  return {
    qpath: tree.pathOf(node),
    view: name,
    ...holderRow(snapshot, loser),
    winner: holderRow(snapshot, winner),
    identical: await compare(winner, loser),
    ...contest.verdictAt(node, loser),
  };
}
