/**
 * Methods that tell where files come from: `which`, `shadowed`, `conflicts`, `unique`, `overrides`, `diff`, `diffstat`.
 * @module
 */
import { none } from "../../index/columns/columns.ts";
import { type Conflict, conflictRow, conflicts, uniqueFiles } from "../../index/questions/conflicts.ts";
import { Contest } from "../../index/questions/contest.ts";
import { difference, diffRow, diffSummary } from "../../index/questions/diff.ts";
import { sourcesNamed } from "../../index/questions/named_sources.ts";
import type { Comparison } from "../../index/questions/same_bytes.ts";
import { type Shadowed, shadowed as shadowedFiles, shadowedRow } from "../../index/questions/shadowed.ts";
import { fileRow } from "../../index/questions/rows.ts";
import { whichCandidates } from "../../index/views/which.ts";
import { contentComparison, listingComparison } from "../content_comparison.ts";
import { invalid, type Parameters } from "../parameters.ts";
import type { Page, ResultOf } from "../../protocol/messages.ts";
import {
  cleanPath,
  cursorAt,
  type HandlerContext,
  type Handlers,
  PageRows,
  partOf,
  positionOf,
  rowsPerTurn,
  takeTurn,
  viewOf,
} from "./handler.ts";

type Signal = AbortSignal | undefined;

function which(context: HandlerContext, parameters: Parameters): ResultOf<"which"> {
  const view = viewOf(context, parameters);
  const qpath = cleanPath(parameters.text("qpath"));
  const candidates = whichCandidates(view, qpath);
  return { qpath, view: view.name, profile: view.game.profile.name, candidates };
}

/** How rows are to tell whether files have the same bytes. */
function comparisonFor({ catalog, content }: HandlerContext, parameters: Parameters, signal: Signal): Comparison {
  const { snapshot } = catalog;
  return parameters.flag("compare") ? contentComparison(snapshot, content, signal) : listingComparison(snapshot);
}

/** A page of the rows of what was found; undefined among it lets others have their turn. */
async function pageOfFound<Found, Row>(
  parameters: Parameters,
  found: Iterable<Found | undefined>,
  rowOf: (found: Found) => Row | Promise<Row>,
  cursorAfter: (found: Found) => string,
  signal: Signal,
): Promise<Page<Row>> {
  const page = new PageRows<Row>(parameters.pageSize());
  for (const item of found) {
    if (item === undefined) {
      // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
      await takeTurn(signal);
      continue;
    }
    // deno-lint-ignore no-await-in-loop -- rows are made in order; files that must be read, one after the other
    page.add(await rowOf(item));
    if (page.isFull) return { rows: page.rows, cursor: cursorAfter(item) };
    // deno-lint-ignore no-await-in-loop -- as above
    if (page.rows.length % rowsPerTurn === 0) await takeTurn(signal);
  }
  return { rows: page.rows, cursor: null };
}

function shadowed(context: HandlerContext, parameters: Parameters, signal: Signal): Promise<ResultOf<"shadowed">> {
  const contest = new Contest(viewOf(context, parameters));
  const compare = comparisonFor(context, parameters, signal);
  const from = { node: positionOf(context, parameters, "shadowed"), place: partOf(parameters) };
  return pageOfFound(
    parameters,
    matchingShadowed(contest, parameters, from),
    (found) => shadowedRow(contest, found, compare),
    ({ node, place }) => cursorAt(context, "shadowed", node, place + 1),
    signal,
  );
}

function matchingShadowed(
  contest: Contest,
  parameters: Parameters,
  from: { node: number; place: number },
): Generator<Shadowed | undefined> {
  try {
    return shadowedFiles(contest, parameters.optionalTexts("patterns") ?? [], parameters.filters(), from);
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

function conflictPage(
  context: HandlerContext,
  parameters: Parameters,
  signal: Signal,
  kind: string,
  find: (contest: Contest, after: number) => Generator<Conflict | undefined>,
): Promise<ResultOf<"conflicts">> {
  const contest = new Contest(viewOf(context, parameters));
  const compare = comparisonFor(context, parameters, signal);
  return pageOfFound(
    parameters,
    find(contest, positionOf(context, parameters, kind)),
    (conflict) => conflictRow(contest, conflict, compare),
    ({ node }) => cursorAt(context, kind, node),
    signal,
  );
}

function allConflicts(context: HandlerContext, parameters: Parameters, signal: Signal): Promise<ResultOf<"conflicts">> {
  const source = parameters.optionalText("source");
  return conflictPage(
    context,
    parameters,
    signal,
    "conflicts",
    (contest, after) =>
      conflicts(contest, after, source === undefined ? undefined : sourcesNamed(contest.view, source)),
  );
}

function overrides(context: HandlerContext, parameters: Parameters, signal: Signal): Promise<ResultOf<"overrides">> {
  const source = parameters.text("source");
  const role = parameters.flag("by") ? "loses" : "wins";
  return conflictPage(
    context,
    parameters,
    signal,
    "overrides",
    (contest, after) => conflicts(contest, after, sourcesNamed(contest.view, source), role),
  );
}

function unique(context: HandlerContext, parameters: Parameters, signal: Signal): Promise<ResultOf<"unique">> {
  const contest = new Contest(viewOf(context, parameters));
  const sources = sourcesNamed(contest.view, parameters.text("source"));
  return pageOfFound(
    parameters,
    uniqueNodes(contest, positionOf(context, parameters, "unique"), sources),
    (node) => fileRow(contest.view, node),
    (node) => cursorAt(context, "unique", node),
    signal,
  );
}

function* uniqueNodes(contest: Contest, after: number, sources: ReadonlySet<number>): Generator<number | undefined> {
  for (const node of uniqueFiles(contest, after, sources)) yield node === none ? undefined : node;
}

function differenceFor(context: HandlerContext, parameters: Parameters) {
  const { catalog } = context;
  return difference(catalog.view(parameters.text("from")), catalog.view(parameters.text("to")));
}

function diff(context: HandlerContext, parameters: Parameters, signal: Signal): Promise<ResultOf<"diff">> {
  const found = differenceFor(context, parameters);
  const compare = comparisonFor(context, parameters, signal);
  const from = positionOf(context, parameters, "diff");
  return pageOfFound(
    parameters,
    numbersFrom(from, found.before.length),
    (place) => diffRow(found, place, compare),
    (place) => cursorAt(context, "diff", place + 1),
    signal,
  );
}

function* numbersFrom(first: number, end: number): Generator<number> {
  for (let number = first; number < end; number++) yield number;
}

function diffstat(context: HandlerContext, parameters: Parameters, signal: Signal): Promise<ResultOf<"diffstat">> {
  const compare = comparisonFor(context, parameters, signal);
  return diffSummary(differenceFor(context, parameters), compare, () => takeTurn(signal));
}

/** Handlers of this file. */
export const provenanceHandlers: Handlers<
  "which" | "shadowed" | "conflicts" | "unique" | "overrides" | "diff" | "diffstat"
> = { which, shadowed, conflicts: allConflicts, unique, overrides, diff, diffstat };
