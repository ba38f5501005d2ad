/**
 * Pages whose rows are JSON already: the server encodes each row once, and a client that prints JSON does not parse them.
 * @module
 */
import type { Page } from "./methods.ts";

/** Separates the rows of a page. JSON escapes the tabs of strings, so that a client can separate rows without parsing. */
export const rowSeparator = ",\t";

/** A page with its rows as text. */
export class EncodedPage<Row> implements Page<Row> {
  /** Rows as JSON, with {@linkcode rowSeparator} between them. */
  readonly text: string;
  /** The page without its rows. */
  readonly rest: Omit<Page<Row>, "rows">;

  constructor(text: string, rest: Omit<Page<Row>, "rows">) {
    this.text = text;
    this.rest = rest;
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

  /** The page as JSON. */
  get json(): string {
    return `{"rows":[\t${this.text}],${JSON.stringify(this.rest).slice(1)}`;
  }

  /** The page with its rows as values. */
  get parsed(): Page<Row> {
    return { rows: this.rows, ...this.rest };
  }
}

/**
 * Returns the page in a reply line of {@linkcode EncodedPage.json} and the id of its request, without parsing rows;
 * undefined for any other line.
 */
export function pageInReply(line: string): { readonly id: number; readonly page: EncodedPage<unknown> } | undefined {
  const head = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),"result":\{"rows":\[\t/.exec(line);
  const end = line.lastIndexOf('],"cursor":');
  if (!head || end < head[0].length) return undefined;
  const text = line.slice(head[0].length, end);
  return { id: Number(head[1]), page: new EncodedPage(text, JSON.parse(`{${line.slice(end + 2, -1)}`)) };
}
