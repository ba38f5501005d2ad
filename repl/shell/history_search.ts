/**
 * Ctrl-R: a search for an earlier line by a part of it, as in shells.
 * @module
 */

/** A key, as `node:readline` reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly sequence?: string | undefined;
}

/** Effect of a key: the search continues, or ends with a line and perhaps passes the key to the editor. */
export type SearchStep =
  | { readonly kind: "searching" }
  | { readonly kind: "ended"; readonly line: string; readonly passOn: boolean };

const searching: SearchStep = { kind: "searching" };

/** One search, from Ctrl-R to the chosen line. */
export class HistorySearch {
  readonly #entries: readonly string[];
  readonly #before: string;
  #text = "";
  /** Index of the shown entry, or -1. */
  #shown = -1;
  #isFailing = false;

  /**
   * @param entries Earlier lines, newest first.
   *
   * @param before The line when the search began.
   */
  constructor(entries: readonly string[], before: string) {
    this.#entries = entries;
    this.#before = before;
  }

  /** Prompt during the search. */
  get prompt(): string {
    return `(${this.#isFailing ? "failing " : ""}search)'${this.#text}': `;
  }

  /** Shown line. */
  get line(): string {
    return this.#entries[this.#shown] ?? this.#before;
  }

  /** Handles one key. */
  take(text: string | undefined, key: Key): SearchStep {
    if (key.ctrl && key.name === "r") return this.#look(this.#shown + 1, 1);
    if (key.ctrl && key.name === "s") return this.#look(this.#shown - 1, -1);
    if (key.ctrl && (key.name === "g" || key.name === "c")) return this.#end(this.#before, false);
    if (key.name === "escape") return this.#end(this.line, false);
    if (key.name === "backspace" || (key.ctrl && key.name === "h")) {
      this.#text = Array.from(this.#text).slice(0, -1).join("");
      return this.#look(0, 1);
    }
    if (!isText(text, key)) return this.#end(this.line, true);
    this.#text += text;
    return this.#look(Math.max(0, this.#shown), 1);
  }

  #end(line: string, passOn: boolean): SearchStep {
    return { kind: "ended", line, passOn };
  }

  /** Shows the first entry from `start` on that contains the text; otherwise keeps the shown one. */
  #look(start: number, step: 1 | -1): SearchStep {
    if (this.#text === "") {
      this.#shown = -1;
      this.#isFailing = false;
      return searching;
    }
    for (let index = start; index >= 0 && index < this.#entries.length; index += step) {
      if (!this.#entries[index]?.includes(this.#text)) continue;
      this.#shown = index;
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
