/**
 * Sends requests to the server.
 * @module
 */

/**
 * @typedef {import("../../protocol/methods.ts").MethodName} MethodName
 * @typedef {import("../../protocol/methods.ts").PagedMethod} PagedMethod
 * @typedef {{ title: string, extensions: string[], paths: string | null, to: string }} ConverterRow
 * @typedef {{ version: string, age: string, converters: ConverterRow[] }} State
 * @typedef {{ view: string, qpath: string, candidate?: number }} Address
 * @typedef {import("../view_shares.ts").SourceShare} SourceShare
 * @typedef {import("../../media/convert/showing.ts").Showing} Showing
 * @typedef {Showing["kind"]} Kind
 */

/** An error response. */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {readonly string[]} suggestions
   */
  constructor(message, status, suggestions) {
    super(message);
    this.status = status;
    this.suggestions = suggestions;
  }
}

/**
 * Fetches from the server.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function get(path, signal) {
  const response = await fetch(path, signal ? { signal } : {});
  if (response.ok) return response;
  const text = await response.text();
  try {
    const { message, suggestions } = JSON.parse(text);
    throw new ServerError(String(message), response.status, suggestions ?? []);
  } catch (error) {
    throw error instanceof ServerError ? error : new ServerError(text.trim(), response.status, []);
  }
}

/**
 * Calls a method of the protocol.
 * @template {MethodName} M
 * @param {M} method
 * @param {import("../../protocol/methods.ts").ParamsOf<M>} params
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("../../protocol/methods.ts").ResultOf<M>>}
 */
export async function call(method, params, signal) {
  const response = await get(
    `/.pakfs/call/${method}?${new URLSearchParams({ params: JSON.stringify(params) })}`,
    signal,
  );
  return await response.json();
}

/**
 * Yields the rows of a listing, page by page.
 * @template {PagedMethod} M
 * @param {M} method
 * @param {import("../../protocol/methods.ts").ParamsOf<M>} params
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<import("../../protocol/methods.ts").RowOf<M>[], void, void>}
 */
export async function* pages(method, params, signal) {
  /** @type {string | null} */
  let cursor = null;
  do {
    const next = /** @type {typeof params} */ (cursor === null ? params : { ...params, cursor });
    const page = /** @type {import("../../protocol/methods.ts").Page<import("../../protocol/methods.ts").RowOf<M>>} */ (
      // deno-lint-ignore no-await-in-loop -- each page's cursor comes with the page before it
      /** @type {unknown} */ (await call(method, next, signal))
    );
    yield page.rows;
    cursor = page.cursor;
  } while (cursor !== null);
}

/**
 * Yields the rows of a statement of SQL, page by page.
 * @param {string} statement
 * @param {AbortSignal} signal
 */
export async function* sqlPages(statement, signal) {
  /** @type {string | null} */
  let cursor = null;
  do {
    const params = cursor === null ? { statement } : { statement, cursor };
    // deno-lint-ignore no-await-in-loop -- each page's cursor comes with the page before it
    const answer = /** @type {unknown} */ (await call("sql", params, signal));
    const page = /** @type {{ columns: string[], rows: unknown[][], cursor: string | null }} */ (answer);
    yield page;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** @type {State} */
export const state = { version: "", age: "", converters: [] };

/** Converters of files with an extension. @type {Map<string, ConverterRow[]>} */
const byExtension = new Map();

/** Requests the current state of the server's index. */
export async function refreshState() {
  Object.assign(state, await (await get("/.pakfs/state")).json());
  byExtension.clear();
}

/**
 * Returns the URL of a file, unchanged or converted. A browser caches its response.
 * @param {Address} address
 * @param {string} how `raw`, `as/png`, `as/thumbnail`, ...
 */
export function fileUrl({ view, qpath, candidate }, how) {
  const params = new URLSearchParams({ view, qpath, age: state.age });
  if (candidate !== undefined && candidate > 1) params.set("candidate", String(candidate));
  return `/.pakfs/${how}?${params}`;
}

/**
 * Asks how a file is shown: by its content, which no name tells.
 * @param {Address} address
 * @param {AbortSignal} signal
 * @returns {Promise<Showing>}
 */
export async function showingOf(address, signal) {
  return await (await get(fileUrl(address, "kind"), signal)).json();
}

/** Files in one request for kinds. */
const maxKinds = 200;

/**
 * Yields the kinds of files, some at a time: by their content, which no name tells.
 * @param {string} view
 * @param {readonly string[]} qpaths
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<[string, Kind][], void, void>}
 */
export async function* kindsOf(view, qpaths, signal) {
  for (let first = 0; first < qpaths.length; first += maxKinds) {
    const some = qpaths.slice(first, first + maxKinds);
    const params = new URLSearchParams({ view, qpaths: JSON.stringify(some), age: state.age });
    /** @type {Kind[]} */
    // deno-lint-ignore no-await-in-loop -- some at a time
    const kinds = await (await get(`/.pakfs/kinds?${params}`, signal)).json();
    yield some.map((qpath, index) => [qpath, kinds[index] ?? "data"]);
  }
}

/** Returns whether only the content of a file says what it is. @param {string} qpath */
export function isLump(qpath) {
  return !/[^/]\.[^./]+$/.test(qpath);
}

/**
 * Returns the formats that a file is converted to, the usual one first.
 * @param {string} qpath
 * @returns {string[]}
 */
export function targetsOf(qpath) {
  const lower = qpath.toLowerCase();
  const extension = /\.([^./]+)$/.exec(lower)?.[1] ?? "";
  const rows = byExtension.get(extension) ??
    state.converters.filter(({ extensions }) => extensions.includes(extension));
  byExtension.set(extension, rows);
  return rows.filter(({ paths }) => !paths || new RegExp(paths).test(lower)).map(({ to }) => to);
}

/** Extensions of files that a browser shows without a converter. */
const shown = /** @type {const} */ ({
  picture: ["png", "jpg", "jpeg", "webp", "gif", "tga"],
  sound: ["ogg", "opus", "mp3", "wav", "flac"],
  text: [
    ...["txt", "cfg", "shader", "mtr", "map", "ent", "qc", "def", "arena", "bot", "menu", "skin", "lst", "log", "rc"],
    ...["json", "xml", "html", "md", "lua", "glsl", "vert", "frag", "loc", "lang", "sndshd", "af", "gui", "script"],
    ...["pk", "ini", "csv", "c", "h", "animation", "particle", "surf", "bat", "sh", "yml", "yaml", "dtd", "decl", "fx"],
  ],
});

/** @type {Readonly<Record<string, Kind>>} */
const kindsByTarget = {
  png: "picture",
  svg: "picture",
  wav: "sound",
  mid: "music",
  glb: "model",
  txt: "text",
  json: "text",
};

/**
 * Returns what kind of file a name promises.
 * @param {string} qpath
 * @returns {Kind}
 */
export function kindOf(qpath) {
  const [target] = targetsOf(qpath);
  if (target) return kindsByTarget[target] ?? "data";
  const extension = /\.([^./]+)$/.exec(qpath.toLowerCase())?.[1] ?? "";
  for (const kind of /** @type {const} */ (["picture", "sound", "text"])) {
    if (/** @type {readonly string[]} */ (shown[kind]).includes(extension)) return kind;
  }
  return "data";
}

/**
 * Returns whether the server makes a small picture of a file of a kind. Maps are too large to be read for a list.
 * @param {string} qpath
 * @param {Kind} kind
 */
export function hasThumbnail(qpath, kind) {
  if (kind === "sound") return isLump(qpath) || /\.wav$/i.test(qpath) || targetsOf(qpath).includes("wav");
  return kind === "picture" || (kind === "model" && !/\.bsp$/i.test(qpath));
}
