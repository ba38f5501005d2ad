/**
 * Pages whose rows are JSON already: the server encodes each row once, and a client that prints JSON does not parse them.
 * @module
 */
import { joinBytes } from "../system/mod.ts";
import type { Page } from "./methods.ts";

/** Separates the rows of a page. JSON escapes the tabs of strings, so that a client can separate rows without parsing. */
export const rowSeparator = ",\t";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A page with its rows as JSON. */
export class EncodedPage<Row> implements Page<Row> {
  readonly #rows: string | readonly Uint8Array[];
  /** The page without its rows. */
  readonly rest: Omit<Page<Row>, "rows">;

  /** @param rows Rows as JSON, with {@linkcode rowSeparator} between them. */
  constructor(rows: string | readonly Uint8Array[], rest: Omit<Page<Row>, "rows">) {
    this.#rows = rows;
    this.rest = rest;
  }

  /** Rows as JSON, with {@linkcode rowSeparator} between them. */
  get text(): string {
    return typeof this.#rows === "string" ? this.#rows : decoder.decode(joinBytes(this.#rows).bytes);
  }

  get rows(): Row[] {
    return JSON.parse(`[${this.text}]`);
  }

  get cursor(): string | null {
    return this.rest.cursor;
  }

  /** Rows as JSON, with line breaks between them. */
  get lines(): string {
    return this.text.replaceAll(rowSeparator, "\n");
  }

  /** Returns the line with the reply to a request. */
  replyLine(id: number | string): Uint8Array {
    const head = encoder.encode(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"rows":[\t`);
    const rows = typeof this.#rows === "string" ? [encoder.encode(this.#rows)] : this.#rows;
    const end = encoder.encode(`],${JSON.stringify(this.rest).slice(1)}}\n`);
    return joinBytes([head, ...rows, end]).bytes;
  }

  /** The page with its rows as values. */
  get parsed(): Page<Row> {
    return { rows: this.rows, ...this.rest };
  }
}

/**
 * Returns the page in a reply line of {@linkcode EncodedPage.replyLine} and the id of its request, without parsing rows;
 * undefined for any other line.
 */
export function pageInReply(line: string): { readonly id: number; readonly page: EncodedPage<unknown> } | undefined {
  const head = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),"result":\{"rows":\[\t/.exec(line);
  const end = line.lastIndexOf('],"cursor":');
  if (!head || end < head[0].length) return undefined;
  const text = line.slice(head[0].length, end);
  return { id: Number(head[1]), page: new EncodedPage(text, JSON.parse(`{${line.slice(end + 2, -1)}`)) };
}
