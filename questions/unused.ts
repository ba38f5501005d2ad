/**
 * Unreachable files, and files for which this is unknown.
 * @module
 */
import { numbered, type PagedQuestion, type Position, type QuestionContext, type Step } from "./question.ts";
import type { ViewParameter } from "./question.ts";
import type { UndecidedRow, UnusedFiles } from "./reference_rows.ts";
import { type FileRow, TreeRows } from "./rows.ts";

/** Parameters of `unused` and `undecided`. */
export interface UnusedParameters extends ViewParameter {
  /**
   * Maps that are played, named as for `needs`; default: all maps of the view's game directory, or else of the view.
   */
  maps?: string[];
  /**
   * A pack or game directory whose files are checked; default: the view's game directory without the base game's packs.
   */
  source?: string;
}

const parameters = { view: "string", maps: "strings", source: "string" } as const;

/** Lists files that are unreachable from maps, and from names in menus, configuration and game code. */
export const unused: PagedQuestion<UnusedParameters, FileRow> = {
  parameters,
  list: async (context, { view: name, maps, source }, from) => {
    const references = await context.references(name);
    const search = await references.unused(maps ?? [], source);
    const rows = new TreeRows(references.view);
    return await steps(context, search, from, () => search.files, (node) => rows.ofFile(node));
  },
};

/** Lists files that `unused` omits, by kind, and unreadable files, whose references are unknown. */
export const undecided: PagedQuestion<UnusedParameters, UndecidedRow> = {
  parameters,
  list: async (context, { view: name, maps, source }, from) => {
    const search = await (await context.references(name)).unused(maps ?? [], source);
    return await steps(context, search, from, () => search.undecided, (row) => row);
  },
};

/** Steps through the walk, then through its results. */
async function steps<Found, Row>(
  context: QuestionContext,
  search: UnusedFiles,
  { at }: Position,
  resultsOf: () => readonly Found[],
  rowOf: (found: Found) => Row,
): Promise<Iterable<Step<Row>>> {
  // A walk that was dropped is repeated.
  if (at >= search.length) await search.advance(at, context);
  return function* (): Generator<Step<Row>> {
    const nothing = async (index: number) => void await search.advance(index, context);
    for (let index = at; index < search.length; index++) {
      const row = nothing(index).then(() => undefined);
      yield { row, next: { at: index + 1, part: 0 }, total: () => search.length };
    }
    const walked = search.length;
    for (const step of numbered(resultsOf().map(rowOf), { at: Math.max(0, at - walked), part: 0 })) {
      yield step && { ...step, next: step.next && { at: walked + step.next.at, part: 0 } };
    }
  }();
}
