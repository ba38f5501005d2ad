/**
 * Types of a question (a query of the index): its parameters, and the function that computes its rows from a catalog. A
 * question is declared in one file of this folder, with the types of its rows, and listed in `table.ts`. The socket's
 * method, the check of its parameters, the types of client and library, and its entry in `docs/protocol.md` follow from
 * that.
 * @module
 */
import type { ShaderIndex } from "./shaders/shader_index.ts";
import type { Expression, IndexHashes, IndexSearch } from "../index/mod.ts";
import type { JsonBytes } from "../system/mod.ts";
import type { Catalog } from "../views/mod.ts";
import type { FindFilters } from "./filters.ts";
import type { Comparison } from "./same_bytes.ts";
import type { Reading, ViewReferences } from "./reference_rows.ts";

/**
 * Name of the check for a parameter of type `Value`; `integer32` accepts signed and unsigned numbers, and returns a
 * signed one.
 */
type CheckOf<Value> = Value extends string ? "string"
  : Value extends readonly [number, number] ? "versions"
  : Value extends readonly string[] ? "strings"
  : Value extends boolean ? "flag"
  : Value extends number ? "count" | "integer32"
  : Value extends FindFilters ? "filters"
  : Value extends Readonly<Record<string, unknown>> ? "table"
  : never;

/** Checks of the parameters `Parameters`: each by its name, with the prefix `required` for mandatory ones. */
export type Checks<Parameters> = {
  readonly [Name in keyof Parameters]-?: Record<never, never> extends Pick<Parameters, Name>
    ? CheckOf<NonNullable<Parameters[Name]>>
    : `required ${CheckOf<Parameters[Name]>}`;
};

/** Parameters of a question without any. */
export type NoParameters = Record<never, never>;

/** Parameter of questions about a view. */
export interface ViewParameter {
  /** Name of the view; default: the only game's base view. */
  view?: string;
}

/** Parameter of questions that compare files. */
export interface CompareParameter {
  /** Whether to read files whose sizes and CRC-32 do not show whether they are the same. */
  compare?: boolean;
}

/** Data and functions from which a question is answered. */
export interface QuestionContext extends Reading {
  readonly catalog: Catalog;
  /** Returns the offset of an entry's compressed bytes, or null if it cannot be found. */
  dataOffset(entry: number): number | null | Promise<number | null>;
  /** Returns the hashes of the catalog's files. */
  hashes(): IndexHashes;
  /** Returns the search of the catalog's text files for an expression. */
  search(expression: Expression): IndexSearch;
  /** Aborts when the question is cancelled. */
  readonly ended: AbortSignal;
  /** Compares files by the index alone or, with `readsFiles`, by reading the undecided ones. */
  compare(readsFiles: boolean | undefined): Comparison;
  /** Returns the shaders of the catalog's view with that name. */
  shaders(view: string | undefined): Promise<ShaderIndex>;
  /** Returns the references of the files of the catalog's view with that name. */
  references(view: string | undefined): Promise<ViewReferences>;
}

/** A question with one result. */
export interface Question<Parameters, Result> {
  readonly parameters: Checks<Parameters>;
  /** @throws {QuestionError | ViewError | ArchiveError} if the question cannot be answered. */
  answer(context: QuestionContext, parameters: Parameters): Result | Promise<Result>;
}

/** Position in a listing: an element, and the number of its rows that were listed. */
export interface Position {
  readonly at: number;
  readonly part: number;
}

/**
 * A row of a listing with the position after it, null if the listing is known to end; or undefined to yield. A promise
 * of undefined is a step without a row.
 */
export type Step<Row> = {
  readonly row: Row | EncodedRow | Promise<Row | undefined>;
  readonly next: Position | null;
  /** Total number of steps, as far as known, if steps take long: pages then end early. */
  readonly total?: () => number;
  /** Bytes read so far, and total bytes. */
  readonly bytes?: () => { readonly bytes: number; readonly totalBytes: number };
} | undefined;

/** A row that is written as JSON, for listings of many rows: an object would only be made to be encoded. */
export class EncodedRow {
  readonly write: (json: JsonBytes) => void;

  /** @param write Adds the row to JSON. */
  constructor(write: (json: JsonBytes) => void) {
    this.write = write;
  }
}

/** A question whose rows are created only on request. */
export interface PagedQuestion<Parameters, Row> {
  readonly parameters: Checks<Parameters>;
  /** @throws {QuestionError | ViewError | ArchiveError} if the question cannot be answered. */
  list(
    context: QuestionContext,
    parameters: Parameters,
    from: Position,
  ): Iterable<Step<Row>> | Promise<Iterable<Step<Row>>>;
}

/** Number of skipped rows after which to yield. */
const rowsPerPause = 500;

/** Steps through rows in order; undefined among them means yielding. */
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

/** A question with invalid parameters. */
export class QuestionError extends Error {
  override readonly name = "QuestionError";
  /** Whether the parameters are invalid, or something that they name is missing. */
  readonly fault: "invalid" | "notFound";
  /** An errno name, a path, and similar names. */
  readonly data: { errno?: string; path?: string; suggestions?: string[] } | undefined;

  constructor(fault: QuestionError["fault"], message: string, data?: QuestionError["data"]) {
    super(message);
    this.fault = fault;
    this.data = data;
  }
}

/**
 * Calls a function that throws a RangeError for patterns that are too long or too many.
 * @throws {QuestionError} instead of a RangeError.
 */
export function withPatterns<Result>(search: () => Result): Result {
  try {
    return search();
  } catch (error) {
    throw error instanceof RangeError ? new QuestionError("invalid", error.message) : error;
  }
}
