/**
 * Pages of listings: their cursors and time limits.
 * @module
 */
import { EncodedRow, type Position } from "../../questions/mod.ts";
import {
  defaultPageSize,
  EncodedPage,
  errorCodes,
  maxPageBytes,
  maxPageSize,
  type Page,
  type PageParameters,
  rowSeparator,
  RpcError,
} from "../../protocol/mod.ts";

import { JsonBytes } from "../../system/mod.ts";
import { checkParameters, invalid } from "./parameters.ts";

const cursorPattern = /^([a-z]+):(\d{1,15})(?:\.(\d{1,15}))?:(\d{1,15})$/;

/** Returns a cursor of method `name`, valid while the index of that generation is kept. */
export function cursorAt(name: string, { at, part }: Position, generation: number): string {
  return `${name}:${at}${part === 0 ? "" : `.${part}`}:${generation}`;
}

/** Returns the generation of the index of the cursor in `params`, or undefined without a cursor. */
export function generationOf(params: unknown): number | undefined {
  const cursor = typeof params === "object" && params !== null && "cursor" in params ? params.cursor : undefined;
  const match = typeof cursor === "string" ? cursorPattern.exec(cursor) : null;
  return match ? Number(match[4]) : undefined;
}

/** The part of a listing that a call requests. */
export interface PageRequest {
  readonly from: Position;
  readonly limit: number;
}

/**
 * Returns the part of method `name`'s listing that a call requests.
 * @throws {RpcError} if its cursor belongs to another listing or index.
 */
export function pageRequest(name: string, params: unknown, generation: number): PageRequest {
  const checks = { limit: "count", cursor: "string" } as const;
  const { limit = defaultPageSize, cursor } = checkParameters<PageParameters>(checks, params);
  if (limit < 1) throw invalid(`"limit" must be at least 1`);
  return { from: cursor === undefined ? { at: 0, part: 0 } : positionAt(cursor, name, generation), limit };
}

function positionAt(cursor: string, name: string, generation: number): Position {
  const match = cursorPattern.exec(cursor);
  if (match?.[1] === name && Number(match[4]) === generation) {
    return { at: Number(match[2]), part: Number(match[3] ?? 0) };
  }
  const message = match?.[1] === name
    ? "the index was refreshed since this cursor was given; start again"
    : "this cursor belongs to another listing; start again";
  throw new RpcError({ code: errorCodes.staleCursor, message });
}

/** Rows of one page, which ends at the client's limit, or when its rows get too long. */
export class PageRows<Row> {
  readonly #json = new JsonBytes();
  #count = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = Math.min(limit, maxPageSize);
  }

  /** Number of rows. */
  get count(): number {
    return this.#count;
  }

  /** Whether no further row can be added. */
  get isFull(): boolean {
    return this.#count >= this.#limit || this.#json.length >= maxPageBytes;
  }

  add(row: Row | EncodedRow): void {
    if (this.#count++ > 0) this.#json.ascii(rowSeparator);
    if (row instanceof EncodedRow) row.write(this.#json);
    else this.#json.value(row);
  }

  /** Returns the page. */
  page(rest: Omit<Page<Row>, "rows">): EncodedPage<Row> {
    return new EncodedPage(this.#json.parts, rest);
  }
}
