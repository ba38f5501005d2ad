/**
 * Ctrl-R: looking for an earlier line by a part of it, as shells do.
 * @module
 */

/** A key as `node:readline` tells it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly sequence?: string | undefined;
}

/** What a key did: the search goes on, or ends with a line and perhaps leaves the key to the editor. */
export type SearchStep =
  | { readonly kind: "searching" }
  | { readonly kind: "ended"; readonly line: string; readonly passOn: boolean };

const searching: SearchStep = { kind: "searching" };

/** One search, from Ctrl-R to the line that was chosen. */
export class HistorySearch {
  readonly #entries: readonly string[];
  readonly #before: string;
  #text = "";
  /** Place of the shown entry; -1 while there is none. */
  #place = -1;
  #isFailing = false;

  /**
   * @param entries Earlier lines, newest first.
   * @param before What was typed when the search began.
   */
  constructor(entries: readonly string[], before: string) {
    this.#entries = entries;
    this.#before = before;
  }

  /** What stands in front of the line meanwhile. */
  get prompt(): string {
    return `(${this.#isFailing ? "failing " : ""}search)'${this.#text}': `;
  }

  /** The line that is shown. */
  get line(): string {
    return this.#entries[this.#place] ?? this.#before;
  }

  /** Takes one key. */
  take(text: string | undefined, key: Key): SearchStep {
    if (key.ctrl && key.name === "r") return this.#look(this.#place + 1, 1);
    if (key.ctrl && key.name === "s") return this.#look(this.#place - 1, -1);
    if (key.ctrl && (key.name === "g" || key.name === "c")) return this.#end(this.#before, false);
    if (key.name === "escape") return this.#end(this.line, false);
    if (key.name === "backspace" || (key.ctrl && key.name === "h")) {
      this.#text = Array.from(this.#text).slice(0, -1).join("");
      return this.#look(0, 1);
    }
    if (!isText(text, key)) return this.#end(this.line, true);
    this.#text += text;
    return this.#look(Math.max(0, this.#place), 1);
  }

  #end(line: string, passOn: boolean): SearchStep {
    return { kind: "ended", line, passOn };
  }

  /** Shows the first entry from `start` on that has the text; keeps the shown one if there is none. */
  #look(start: number, step: 1 | -1): SearchStep {
    if (this.#text === "") {
      this.#place = -1;
      this.#isFailing = false;
      return searching;
    }
    for (let place = start; place >= 0 && place < this.#entries.length; place += step) {
      if (!this.#entries[place]?.includes(this.#text)) continue;
      this.#place = place;
      this.#isFailing = false;
      return searching;
    }
    this.#isFailing = true;
    return searching;
  }
}

function isText(text: string | undefined, key: Key): text is string {
  // deno-lint-ignore no-control-regex -- control characters are no text
  return text !== undefined && text !== "" && !key.ctrl && !key.meta && !/[\x00-\x1f\x7f]/.test(text);
}
