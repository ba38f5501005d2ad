/**
 * Types of a question: its parameters, and the function that answers it from a catalog. A question is declared in one
 * file of this folder, with the types of its rows, and listed in `table.ts`. The socket's method, the check of its
 * parameters, the types of client and library, and its entry in `docs/protocol.md` follow from that.
 * @module
 */
import type { ShaderIndex } from "./shaders/shader_index.ts";
import type { Expression, IndexHashes, IndexSearch } from "../index/mod.ts";
import type { Catalog } from "../views/mod.ts";
import type { FindFilters } from "./filters.ts";
import type { Comparison } from "./same_bytes.ts";
import type { ViewReferences } from "./reference_rows.ts";

/** Name of the check for a parameter of type `Value`; `integer32` accepts a sign and its lack, and gives a signed number. */
type CheckOf<Value> = Value extends string ? "string"
  : Value extends readonly [number, number] ? "versions"
  : Value extends readonly string[] ? "strings"
  : Value extends boolean ? "flag"
  : Value extends number ? "count" | "integer32"
  : Value extends FindFilters ? "filters"
  : Value extends Readonly<Record<string, unknown>> ? "table"
  : never;

/** Checks of the parameters `Parameters`: each by its name, with `required` in front where it must be present. */
export type Checks<Parameters> = {
  readonly [Name in keyof Parameters]-?: Record<never, never> extends Pick<Parameters, Name>
    ? CheckOf<NonNullable<Parameters[Name]>>
    : `required ${CheckOf<Parameters[Name]>}`;
};

/** Parameters of a question that has none. */
export type NoParameters = Record<never, never>;

/** Parameter of questions about a view. */
export interface ViewParameter {
  /** Name of the view; default: the only game's base view. */
  view?: string;
}

/** Parameter of questions that compare files. */
export interface CompareParameter {
  /** Reads files whose sizes and CRC-32 do not decide whether they are the same. */
  compare?: boolean;
}

/** Everything a question is answered from. */
export interface QuestionContext {
  readonly catalog: Catalog;
  /** Reads part of an entry, verified. */
  read(entry: number, offset: number, length: number): Promise<Uint8Array>;
  /** Returns the offset of an entry's compressed bytes, or null if it cannot be found. */
  dataOffset(entry: number): number | null | Promise<number | null>;
  /** Returns the hashes of the catalog's files. */
  hashes(): IndexHashes;
  /** Returns the search of the catalog's text files for an expression. */
  search(expression: Expression): IndexSearch;
  /** Aborts when the question is cancelled. */
  readonly ended: AbortSignal;
  /** Compares files by the index alone or, with `readsFiles`, by reading those that it cannot decide. */
  compare(readsFiles: boolean | undefined): Comparison;
  /** Returns the shaders of the catalog's view of that name. */
  shaders(view: string | undefined): Promise<ShaderIndex>;
  /** Returns what the files of the catalog's view of that name refer to. */
  references(view: string | undefined): Promise<ViewReferences>;
  /** Yields to other work; throws when the question is cancelled. */
  pause(): Promise<void>;
}

/** A question with one answer. */
export interface Question<Parameters, Result> {
  readonly parameters: Checks<Parameters>;
  /** @throws {QuestionError | ViewError | ArchiveError} if the question cannot be answered. */
  answer(context: QuestionContext, parameters: Parameters): Result | Promise<Result>;
}

/** Position in a listing: an element, and how much of it has been listed. */
export interface Position {
  readonly at: number;
  readonly part: number;
}

/**
 * One row of a listing with the position after it, null where the listing is known to end; or undefined where other
 * work may run. A promise of undefined is a step without a row.
 */
export type Step<Row> = {
  readonly row: Row | Promise<Row | undefined>;
  readonly next: Position | null;
  /** Number of steps of the whole listing, as far as known, if steps take long: its pages then end early. */
  readonly total?: () => number;
  /** Bytes that are read so far, and bytes of the whole listing. */
  readonly bytes?: () => { readonly bytes: number; readonly totalBytes: number };
} | undefined;

/** A question that is answered by rows, which are made only when they are requested. */
export interface PagedQuestion<Parameters, Row> {
  readonly parameters: Checks<Parameters>;
  /** @throws {QuestionError | ViewError | ArchiveError} if the question cannot be answered. */
  list(
    context: QuestionContext,
    parameters: Parameters,
    from: Position,
  ): Iterable<Step<Row>> | Promise<Iterable<Step<Row>>>;
}

/** Rows that are skipped between two pauses. */
const rowsPerPause = 500;

/** Steps through rows in their order; undefined among them is a pause. */
export function* numbered<Row>(rows: Iterable<Row | undefined>, { at }: Position): Generator<Step<Row>> {
  let held: Row | undefined;
  let count = 0;
  for (const row of rows) {
    if (row === undefined || (count < at && count % rowsPerPause === 0)) yield undefined;
    if (row === undefined) continue;
    if (held !== undefined && count > at) yield { row: held, next: { at: count, part: 0 } };
    held = row;
    count++;
  }
  if (held !== undefined && count > at) yield { row: held, next: null };
}

/** A question that cannot be answered as it was asked. */
export class QuestionError extends Error {
  override readonly name = "QuestionError";
  /** Whether the parameters are at fault, or something that they name is missing. */
  readonly fault: "invalid" | "notFound";
  /** An errno name, a path, and names that may have been meant. */
  readonly data: { errno?: string; path?: string; suggestions?: string[] } | undefined;

  constructor(fault: QuestionError["fault"], message: string, data?: QuestionError["data"]) {
    super(message);
    this.fault = fault;
    this.data = data;
  }
}

/**
 * Calls a function that throws a RangeError for patterns that are too long or too many.
 * @throws {QuestionError} in its stead.
 */
export function withPatterns<Result>(search: () => Result): Result {
  try {
    return search();
  } catch (error) {
    throw error instanceof RangeError ? new QuestionError("invalid", error.message) : error;
  }
}
