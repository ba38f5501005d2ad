/**
 * The rows of a directory or a search, as they arrive.
 * @module
 */
import { pages, ServerError } from "./server.js";

/**
 * @typedef {{ type: "file" | "directory", qpath: string, size?: number, shadows?: number, entries?: number }} Row
 * @typedef {import("./address.js").Address} Address
 */

const fields = ["type", "qpath", "size", "shadows", "entries", "damaged"];
/** Rows of the first page, which is to come quickly, and of the others. */
const sizes = { first: 400, next: 10_000 };

/**
 * Returns a key that is the same for addresses with the same rows.
 * @param {Address} address
 * @param {string} directory
 */
export function listingKey({ view, find, isFlat }, directory) {
  return JSON.stringify([view, find, isFlat, directory]);
}

/** Escapes what patterns give a meaning to. @param {string} path */
function literal(path) {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/**
 * Returns the patterns of a search: words; those without a wildcard match anywhere in a name.
 * @param {string} find
 * @param {string} directory
 */
export function patternsOf(find, directory) {
  const words = find.split(/\s+/).filter((word) => word !== "");
  const patterns = words.map((word) => /[*?[{/]/.test(word) ? word : `*${word}*`);
  const inside = directory === "" ? "" : `${literal(directory)}/`;
  if (patterns.length === 0) return [`${inside}**`];
  return inside === "" ? patterns : patterns.map((pattern) => `${inside}**/${pattern}`);
}

/** Rows that arrive page by page. */
export class Listing {
  /** @type {Row[]} */
  rows = [];
  isComplete = false;
  /** @type {Error | undefined} */
  error;
  /** @type {Set<() => void>} */
  #readers = new Set();
  #controller = new AbortController();

  /**
   * @param {Address} address
   * @param {string} directory
   */
  constructor(address, directory) {
    this.address = address;
    this.directory = directory;
    this.key = listingKey(address, directory);
    /** Whether paths rather than names are shown. */
    this.isDeep = address.find !== "" || address.isFlat;
    this.done = this.#load();
  }

  /** Calls a function when rows have arrived. @param {() => void} reader */
  onRows(reader) {
    this.#readers.add(reader);
  }

  /** Stops loading. */
  end() {
    this.#readers.clear();
    this.#controller.abort();
  }

  /** Returns the number of a row. @param {string} qpath */
  indexOf(qpath) {
    return this.rows.findIndex((row) => row.qpath === qpath);
  }

  async #load() {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        // deno-lint-ignore no-await-in-loop -- again only if the index was replaced meanwhile
        await this.#loadPages();
        break;
      } catch (error) {
        if (this.#controller.signal.aborted) return;
        if (error instanceof ServerError && error.status === 409) continue;
        this.error = error instanceof Error ? error : new Error(String(error));
        break;
      }
    }
    this.isComplete = true;
    this.#notify();
  }

  async #loadPages() {
    const { view, find } = this.address;
    const { signal } = this.#controller;
    /** @type {Row[]} */
    const rows = [];
    const params = { view, fields, limit: sizes.first };
    const listed = this.isDeep
      ? pages("find", Object.assign(params, { patterns: patternsOf(find, this.directory) }), signal)
      : pages("ls", Object.assign(params, { path: this.directory }), signal);
    for await (const page of listed) {
      rows.push(.../** @type {Row[]} */ (page));
      // Directories first, as in every file manager; each page is sorted by name.
      if (!this.isDeep) rows.sort((a, b) => Number(a.type === "file") - Number(b.type === "file"));
      this.rows = rows;
      params.limit = sizes.next;
      this.#notify();
    }
    this.rows = rows;
  }

  #notify() {
    for (const reader of this.#readers) reader();
  }
}
