/**
 * Creates methods from the questions in `questions/table.ts`.
 * @module
 */
import {
  type PagedQuestion,
  type Question,
  type QuestionContext,
  type Reading,
  shaderEntries,
  type ShaderIndex,
  shaderIndex,
  type Step,
  viewReferences,
} from "../../questions/mod.ts";
import * as questions from "../../questions/table.ts";
import { maxPageTime, type MethodName, type Page } from "../../protocol/mod.ts";
import { contentComparison, listingComparison } from "./content_comparison.ts";
import { type MethodContext, takeTurn } from "./method.ts";
import { cursorAt, pageRequest, PageRows } from "./pages.ts";
import { checkParameters } from "./parameters.ts";
import { NotAnsweringError } from "../../system/mod.ts";

type Signal = AbortSignal | undefined;

/** A question with any parameters and any result. */
type AnyQuestion = Question<Record<string, unknown>, unknown> | PagedQuestion<Record<string, unknown>, unknown>;

const table = new Map(Object.entries(questions as unknown as Readonly<Record<string, AnyQuestion>>));

/** Names of the methods that query the index. */
export const questionNames = Array.from(table.keys()) as readonly MethodName[];

/** Number of rows after which to yield. */
const rowsPerTurn = 500;
/** Milliseconds after which to yield if rows require reading files. */
const turnTime = 10;

/**
 * Executes the method of a question.
 * @returns undefined if no question has that name.
 */
export function answerQuestion(
  name: string,
  context: MethodContext,
  params: unknown,
  signal: Signal,
): Promise<unknown> | undefined {
  const question = table.get(name);
  if (!question) return undefined;
  return "list" in question
    ? listRows(name, question, context, params, signal)
    : Promise.try(() =>
      question.answer(questionContext(context, signal), checkParameters(question.parameters, params))
    );
}

async function listRows<Parameters, Row>(
  name: string,
  listing: PagedQuestion<Parameters, Row>,
  context: MethodContext,
  params: unknown,
  signal: Signal,
): Promise<Page<Row>> {
  const parameters = checkParameters(listing.parameters, params);
  const { from, limit } = pageRequest(name, params, context.generation);
  const page = new PageRows<Row>(limit);
  const until = performance.now() + maxPageTime;
  let turnEnds = performance.now() + turnTime;
  let last: Step<Row>;
  for (const step of await listing.list(questionContext(context, signal, from.at === 0), parameters, from)) {
    if (!step) {
      // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
      await takeTurn(signal);
      continue;
    }
    // deno-lint-ignore no-await-in-loop -- rows are made in order; files that must be read, one after the other
    const row = step.row instanceof Promise ? await step.row : step.row;
    if (row !== undefined) page.add(row);
    last = step;
    const { next, total } = step;
    if (page.isFull || (total && performance.now() > until)) {
      return page.page({ cursor: next && cursorAt(name, next, context.generation), ...progressOf(step) });
    }
    const isTurnOver = total ? performance.now() > turnEnds : page.count % rowsPerTurn === 0;
    if (!isTurnOver) continue;
    // deno-lint-ignore no-await-in-loop -- as above
    await takeTurn(signal);
    turnEnds = performance.now() + turnTime;
  }
  return page.page({ cursor: null, ...progressOf(last) });
}

/** Returns the progress of a listing that reads files after a step. */
function progressOf<Row>(step: Step<Row>): Pick<Page<Row>, "progress"> {
  if (!step?.total) return {};
  const total = step.total();
  return { progress: { done: step.next?.at ?? total, total, ...step.bytes?.() } };
}

function questionContext(context: MethodContext, signal: Signal, isFirstPage = true): QuestionContext {
  const { catalog, content } = context;
  let retries = isFirstPage;
  const hashes = () => {
    const found = context.hashes();
    // Files that an earlier question could not read may be readable now.
    if (retries) found.retry();
    retries = false;
    return found;
  };
  const { snapshot } = catalog;
  const reading: Reading = {
    read: (entry, offset, length) => content.read(entry, offset, length, signal),
    pause: () => takeTurn(signal),
  };
  return {
    catalog,
    ...reading,
    hashes,
    search: context.search,
    ended: signal ?? new AbortController().signal,
    dataOffset: (entry) => content.dataOffset(entry),
    compare: (readsFiles) => readsFiles ? contentComparison(hashes(), signal) : listingComparison(snapshot),
    shaders: (view) => shaderIndexOf(context, view),
    references: async (view) => await viewReferences(await shaderIndexOf(context, view), reading),
  };
}

/** Returns the shaders of a view; reads its shader files the first time. */
export async function shaderIndexOf(
  { catalog, content }: MethodContext,
  name: string | undefined,
): Promise<ShaderIndex> {
  const view = catalog.view(name);
  const remote = new Map<number, Uint8Array | Error>();
  for (const entry of shaderEntries(view).filter((candidate) => content.isRemote(candidate))) {
    // deno-lint-ignore no-await-in-loop -- one file after the other is how its file system is read
    const read = await content.readRemote(entry).catch((error: Error) => error);
    // Its file system may reply the next time; other faults of a file remain until a refresh.
    if (read instanceof NotAnsweringError) throw read;
    remote.set(entry, read);
  }
  return shaderIndex(view, (entry) => {
    const read = remote.get(entry) ?? content.readWhole(entry);
    if (read instanceof Error) throw read;
    return read;
  });
}
