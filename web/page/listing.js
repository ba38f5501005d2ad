/**
 * The rows of a directory or a search, as they arrive: some of them, in an order.
 * @module
 */
import { hasThumbnail, isLump, kindOf, kindsOf, pages, ServerError } from "./server.js";

/**
 * @typedef {object} Row
 * @property {"file" | "directory"} type
 * @property {string} qpath
 * @property {number} [size]
 * @property {number} [shadows]
 * @property {number} [entries]
 * @property {number} [mtime]
 * @property {string} [source]
 */
/**
 * @typedef {import("./address.js").Address} Address
 * @typedef {import("./server.js").Kind} Kind
 */

const fields = ["type", "qpath", "size", "shadows", "entries", "mtime", "source"];
/** Rows of the first page, which is to come quickly, and of the others. */
const sizes = { first: 400, next: 10_000 };
/** Files below a directory among which its picture is chosen, lumps among them, bytes of one, and directories at a time. */
const covers = { files: 100, lumps: 16, bytes: 512 * 1024, atATime: 4 };

/**
 * Returns a key that is equal for addresses with the same rows.
 * @param {Address} address
 * @param {string} directory
 */
export function listingKey({ view, find, isFlat, sort, kind, pack }, directory) {
  return JSON.stringify([view, find, isFlat, sort, kind, pack, directory]);
}

/** Escapes the special characters of patterns. @param {string} path */
function literal(path) {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/**
 * Returns the patterns of a search: words; a word without a wildcard matches anywhere in a name.
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

/** Orders of files that have the same type. @type {Readonly<Record<Address["sort"], (a: Row, b: Row) => number>>} */
const orders = {
  "": () => 0,
  size: (a, b) => (b.size ?? 0) - (a.size ?? 0),
  time: (a, b) => (b.mtime ?? 0) - (a.mtime ?? 0),
  pack: (a, b) => (a.source ?? "").localeCompare(b.source ?? ""),
};

/** Rows that arrive page by page. */
export class Listing {
  /** Rows that are shown. @type {Row[]} */
  rows = [];
  isComplete = false;
  /** @type {Error | undefined} */
  error;
  /** All rows. @type {Row[]} */
  #all = [];
  /** Kinds of files whose names do not tell. @type {Map<string, Kind>} */
  #kinds = new Map();
  /** Pictures of maps by the name of the map. @type {Map<string, string>} */
  #levelshots = new Map();
  /** Pictures of directories by path. @type {Map<string, Row>} */
  #covers = new Map();
  /** Files whose kinds are requested, and directories whose pictures are. @type {Set<string>} */
  #asked = new Set();
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
    this.isDeep = address.find !== "" || address.isFlat || address.pack !== "";
    this.done = this.#load();
  }

  /** Number of rows before a kind is chosen. */
  get total() {
    return this.#all.length;
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

  /** Returns the index of a row. @param {string} qpath */
  indexOf(qpath) {
    return this.rows.findIndex((row) => row.qpath === qpath);
  }

  /** Returns the kind of a file; undefined until its content is known. @param {Row} row */
  kindOf({ type, qpath }) {
    if (type === "directory") return undefined;
    return isLump(qpath) ? this.#kinds.get(qpath) : kindOf(qpath);
  }

  /**
   * Returns the file whose picture is shown: one in a directory, the picture that the game shows for a map while it loads,
   * else the file itself. @param {Row} row @returns {Row}
   */
  faceOf(row) {
    const [, map = ""] = /(?:^|\/)maps\/(.+)\.bsp$/i.exec(row.qpath) ?? [];
    const levelshot = this.#levelshots.get(map.toLowerCase());
    return levelshot !== undefined ? { type: "file", qpath: levelshot } : this.#covers.get(row.qpath) ?? row;
  }

  /** Asks for pictures of directories. @param {readonly Row[]} rows */
  async askCovers(rows) {
    const wanted = rows.filter(({ type, qpath }) => type === "directory" && !this.#asked.has(qpath));
    for (const { qpath } of wanted) this.#asked.add(qpath);
    const left = wanted.values();
    const work = async () => {
      for (const { qpath } of left) {
        // deno-lint-ignore no-await-in-loop -- some at a time
        const cover = await this.#findCover(qpath).catch(() => undefined);
        if (!cover) continue;
        this.#covers.set(qpath, cover);
        for (const reader of this.#readers) reader();
      }
    };
    await Promise.all(Array.from({ length: covers.atATime }, work));
  }

  /** Returns a picture or model below a directory. @param {string} directory */
  async #findCover(directory) {
    const { view } = this.address;
    const { signal } = this.#controller;
    const params = { view, patterns: [`${literal(directory)}/**`], fields, limit: covers.files };
    const { value } = await pages("find", params, signal).next();
    const files = /** @type {Row[]} */ (value ?? []);
    const lumps = files.map(({ qpath }) => qpath).filter(isLump).slice(0, covers.lumps);
    for await (const kinds of kindsOf(view, lumps, signal)) {
      for (const [qpath, kind] of kinds) this.#kinds.set(qpath, kind);
    }
    const pictures = files.filter((row) => this.kindOf(row) === "picture" && (row.size ?? 0) <= covers.bytes);
    // The largest one shows more than icons and plain colours do.
    const [largest] = pictures.sort((a, b) => (b.size ?? 0) - (a.size ?? 0));
    return largest ?? files.find((row) => this.kindOf(row) === "model" && hasThumbnail(row.qpath, "model"));
  }

  async #findLevelshots() {
    if (!this.#all.some(({ qpath }) => /\.bsp$/i.test(qpath))) return;
    const params = { view: this.address.view, patterns: ["levelshots/**"], fields: ["qpath"], limit: sizes.next };
    for await (const page of pages("find", params, this.#controller.signal)) {
      for (const { qpath } of page) {
        const [, map = ""] = /^levelshots\/(.+)\.(?:jpe?g|tga|png|dds)$/i.exec(qpath) ?? [];
        if (map !== "") this.#levelshots.set(map.toLowerCase(), qpath);
      }
    }
  }

  /** Asks for the kinds of files whose names do not tell. @param {readonly Row[]} rows */
  async askKinds(rows) {
    const { signal } = this.#controller;
    const wanted = rows.filter(({ type, qpath }) => type === "file" && isLump(qpath) && !this.#asked.has(qpath))
      .map(({ qpath }) => qpath);
    for (const qpath of wanted) this.#asked.add(qpath);
    try {
      for await (const kinds of kindsOf(this.address.view, wanted, signal)) {
        for (const [qpath, kind] of kinds) this.#kinds.set(qpath, kind);
        this.#arrange();
      }
    } catch {
      // They are requested again when the files are visible again; a refresh may have removed them.
      for (const qpath of wanted) this.#asked.delete(qpath);
    }
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
    await this.#findLevelshots().catch(() => {});
    if (this.address.kind !== "") await this.askKinds(this.#all);
    this.isComplete = true;
    this.#arrange();
  }

  async #loadPages() {
    const { view, find, pack } = this.address;
    const { signal } = this.#controller;
    /** @type {Row[]} */
    const rows = [];
    const params = { view, fields, limit: sizes.first };
    const filters = { patterns: patternsOf(find, this.directory), ...pack === "" ? {} : { source: pack } };
    const found = this.isDeep
      ? pages("find", Object.assign(params, filters), signal)
      : pages("ls", Object.assign(params, { path: this.directory }), signal);
    for await (const page of found) {
      rows.push(.../** @type {Row[]} */ (page));
      params.limit = sizes.next;
      this.#all = rows;
      this.#arrange();
    }
    this.#all = rows;
  }

  /** Chooses and orders the rows: directories first, as in every file manager; each page is sorted by name. */
  #arrange() {
    const { kind, sort } = this.address;
    const isChosen = (/** @type {Row} */ row) => kind === "" || this.kindOf(row) === kind;
    const order = orders[sort];
    this.rows = this.#all.filter(isChosen).sort((a, b) =>
      Number(a.type === "file") - Number(b.type === "file") || order(a, b)
    );
    for (const reader of this.#readers) reader();
  }
}
