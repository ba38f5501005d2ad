/**
 * The HTTP server of `pakfs web`: serves a browser's requests over a connection, and writes nothing.
 * @module
 */
import {
  converters,
  convertersOf,
  DroppedError,
  MediaError,
  mimeTypeOf,
  type Palette,
  type Showing,
  showingOf,
  type ShownKind,
  startBytes,
  type Target,
  targets,
} from "../media/mod.ts";
import {
  type Connection,
  errorCodes,
  maxPendingRequests,
  maxStringLength,
  type MethodName,
  RpcError,
  version,
} from "../protocol/mod.ts";
import { type FileAddress, PageConversions, readFile } from "./conversions.ts";
import { answer, Guard, newSecret, refusal } from "./guard.ts";
import { LiveEvents } from "./live_events.ts";
import { pageFile, threeFile } from "./page_files.ts";
import { viewShares } from "./view_shares.ts";

/** Path prefix of everything except the page; no game can have this name, as a mount hides such names too. */
const own = "/.pakfs/";
/** Maximum concurrent requests: as many as can wait on the socket, for several pages. */
const maxRequests = 4 * maxPendingRequests;

/** Maximum files in one request for kinds, and maximum that are read at a time. */
const maxKinds = 200;
const kindsAtATime = 8;

const questions = [
  "views",
  "games",
  "path",
  "packs",
  "ls",
  "find",
  "stat",
  "which",
  "complete",
  "shader",
  "shaders",
  "needs",
  "users",
  "missing",
  "usage",
  "diff",
  "diffstat",
  "shadowed",
  "conflicts",
  "duplicates",
  "unused",
  "undecided",
  "sql",
] as const satisfies readonly MethodName[];
/** Methods that a page may call: queries. */
const askable: ReadonlySet<string> = new Set(questions);

/** Options of {@linkcode serveWeb}. */
export interface WebOptions {
  /** The daemon, or an index in this process. */
  readonly connection: Pick<Connection, "call" | "subscribe">;
  /** Port on 127.0.0.1; 0 chooses a free one. */
  readonly port: number;
  /** Path of the page in the URLs: `/quake/id1/`. */
  readonly path?: string;
  /** Directory for conversions that are cached across processes; default: none. */
  readonly directory?: string | undefined;
  /** Palette that is used instead of the views'. */
  readonly palette?: Palette | undefined;
}

/** A running server. */
export interface WebServer extends AsyncDisposable {
  /** URL with the token. */
  readonly url: string;
  /** Returns a URL for a single visit within a minute, for a command line that other users can read. */
  ticket(): string;
}

const types: Readonly<Record<Target, string>> = {
  png: "image/png",
  wav: "audio/wav",
  mid: "audio/midi",
  glb: "model/gltf-binary",
  svg: "image/svg+xml",
  json: "application/json",
  txt: "text/plain; charset=utf-8",
};

/** Handler of a path component; the signal aborts when nobody waits for its response. */
type Route = (url: URL, signal: AbortSignal) => Response | Promise<Response>;

class Server {
  readonly #connection: WebOptions["connection"];
  readonly #conversions: PageConversions;
  readonly #events = new LiveEvents();
  readonly #ended = new AbortController();
  readonly #following: Promise<void>;
  /** Part of the URLs of results, so that a browser caches only results of this process and this index. */
  readonly #start = newSecret().slice(0, 8);
  #refreshes = 0;
  #requests = 0;
  readonly #routes: ReadonlyMap<string, Route> = new Map<string, Route>([
    ["call", (url, signal) => this.#call(url, signal)],
    ["state", () => this.#state()],
    ["events", () => this.#stream()],
    ["as", (url, signal) => this.#converted(url, signal)],
    ["raw", (url, signal) => this.#raw(url, signal)],
    ["kinds", async (url, signal) => json(await this.#kinds(url, signal))],
    ["kind", async (url, signal) => json(await this.#showing(addressOf(url), signal))],
    ["shares", async (url, signal) => json(await viewShares(this.#connection, required(url, "view"), signal))],
    ["page", (url) => pageFile(url.pathname.slice(`${own}page/`.length))],
    ["three", (url) => threeFile(url.pathname.slice(`${own}three/`.length))],
  ]);

  constructor({ connection, directory, palette }: Pick<WebOptions, "connection" | "directory" | "palette">) {
    this.#connection = connection;
    this.#conversions = new PageConversions(connection, directory, palette);
    this.#following = this.#events.follow(connection, this.#ended.signal, {
      onChange: () => {
        this.#refreshes++;
        this.#conversions.refresh();
      },
    });
  }

  async answer(request: Request, guard: Guard): Promise<Response> {
    const url = new URL(request.url);
    const isPage = !url.pathname.startsWith(own);
    const refused = guard.check(request, url, isPage);
    if (refused) return refused;
    if (this.#requests >= maxRequests) return refusal(503, "too many requests at a time", { "retry-after": "1" });
    this.#requests++;
    try {
      if (isPage) return await pageFile("index.html");
      const route = this.#routes.get(url.pathname.slice(own.length).split("/", 1)[0] ?? "");
      if (!route) return refusal(404, "not found");
      // A server that ends waits for its answers.
      return await route(url, AbortSignal.any([request.signal, this.#ended.signal]));
    } catch (error) {
      return errorAnswer(error);
    } finally {
      this.#requests--;
    }
  }

  async end(): Promise<void> {
    this.#ended.abort();
    this.#conversions[Symbol.dispose]();
    await this.#following;
  }

  async #call(url: URL, signal: AbortSignal): Promise<Response> {
    const method = url.pathname.slice(`${own}call/`.length);
    if (!askable.has(method)) return refusal(404, "unknown method");
    let params: unknown;
    try {
      params = JSON.parse(url.searchParams.get("params") ?? "{}");
    } catch {
      return refusal(400, "params is not JSON");
    }
    // The other side checks parameters with the same table as for the socket.
    const call = this.#connection.call as (name: string, params: unknown, options: object) => Promise<unknown>;
    return json(await call.call(this.#connection, method, params, { signal }));
  }

  #state(): Response {
    const rows = converters.map(({ title, extensions, paths, to }) => ({
      title,
      extensions,
      paths: paths?.source ?? null,
      to,
    }));
    return json({ version, age: `${this.#start}${this.#refreshes}`, converters: rows });
  }

  #stream(): Response {
    const stream = this.#events.open();
    return stream ? answer(stream, "text/event-stream") : refusal(503, "too many pages are open");
  }

  async #converted(url: URL, signal: AbortSignal): Promise<Response> {
    const wanted = url.pathname.slice(`${own}as/`.length);
    if (wanted !== "thumbnail" && !isTarget(wanted)) return refusal(404, "no such format");
    const address = addressOf(url);
    if (wanted !== "thumbnail" && convertersOf(address.qpath, wanted).length === 0) {
      return refusal(404, `files of this name are not converted to ${wanted}`);
    }
    if (wanted === "thumbnail") return await this.#thumbnail(url, address, signal);
    const bytes = await this.#conversions.get(address, wanted, signal);
    return answer(bytes, types[wanted], { headers: { ...this.#keeping(url), ...saving(url, address, wanted) } });
  }

  /** A file without a small picture is no fault: nothing is answered, and no browser logs an error. */
  async #thumbnail(url: URL, address: FileAddress, signal: AbortSignal): Promise<Response> {
    try {
      const bytes = await this.#conversions.get(address, "thumbnail", signal);
      return answer(bytes, types.png, { headers: this.#keeping(url) });
    } catch (error) {
      if (error instanceof MediaError) return answer(null, types.png, { status: 204, headers: this.#keeping(url) });
      throw error;
    }
  }

  /** Kinds of some files; those that cannot be read are data. */
  async #kinds(url: URL, signal: AbortSignal): Promise<ShownKind[]> {
    const view = required(url, "view");
    let qpaths: unknown;
    try {
      qpaths = JSON.parse(url.searchParams.get("qpaths") ?? "");
    } catch {
      qpaths = undefined;
    }
    if (!Array.isArray(qpaths) || qpaths.length > maxKinds || !qpaths.every((qpath) => typeof qpath === "string")) {
      throw new RpcError({ code: errorCodes.invalidParams, message: `qpaths is a list of up to ${maxKinds} paths` });
    }
    const names: readonly string[] = qpaths;
    const kinds: ShownKind[] = [];
    for (let first = 0; first < names.length; first += kindsAtATime) {
      const some = names.slice(first, first + kindsAtATime).map(async (qpath): Promise<ShownKind> => {
        try {
          return (await this.#showing({ view, qpath, candidate: 1 }, signal)).kind;
        } catch (error) {
          if (error instanceof RpcError) return "data";
          throw error;
        }
      });
      // deno-lint-ignore no-await-in-loop -- some at a time, so that other requests are answered
      kinds.push(...await Promise.all(some));
    }
    return kinds;
  }

  async #showing({ view, qpath, candidate }: FileAddress, signal: AbortSignal): Promise<Showing> {
    const params = { view, qpath, length: startBytes, ...candidate > 1 ? { candidate } : {} };
    const { data, size } = await this.#connection.call("read", params, { signal });
    return showingOf(qpath, Uint8Array.fromBase64(data), size);
  }

  async #raw(url: URL, signal: AbortSignal): Promise<Response> {
    const address = addressOf(url);
    const bytes = await readFile(this.#connection, address, signal);
    const type = url.searchParams.has("save") ? "application/octet-stream" : mimeTypeOf(address.qpath, bytes);
    return answer(bytes, type, { headers: { ...this.#keeping(url), ...saving(url, address) } });
  }

  /** A browser caches a result by a URL that contains this state of the index. */
  #keeping(url: URL): Record<string, string> {
    const isCurrent = url.searchParams.get("age") === `${this.#start}${this.#refreshes}`;
    return isCurrent ? { "cache-control": "private, max-age=86400, immutable" } : {};
  }
}

function isTarget(name: string): name is Target {
  return (targets as readonly string[]).includes(name);
}

function json(value: unknown): Response {
  return answer(JSON.stringify(value), "application/json");
}

/**
 * @throws {RpcError} if the parameter is missing or longer than allowed on the socket.
 */
function required(url: URL, name: string): string {
  const value = url.searchParams.get(name);
  if (value !== null && value.length <= maxStringLength) return value;
  throw new RpcError({ code: errorCodes.invalidParams, message: `${name} is missing or too long` });
}

function addressOf(url: URL): FileAddress {
  const candidate = url.searchParams.get("candidate") ?? "1";
  if (!/^[1-9]\d{0,5}$/.test(candidate)) {
    throw new RpcError({ code: errorCodes.invalidParams, message: "candidate is a number from 1 up" });
  }
  return { view: required(url, "view"), qpath: required(url, "qpath"), candidate: Number(candidate) };
}

/** Returns the header that has a browser save an answer under the name of its file, if the request asks for it. */
function saving(url: URL, { qpath }: FileAddress, to?: Target): Record<string, string> {
  if (!url.searchParams.has("save")) return {};
  const name = `${qpath.slice(qpath.lastIndexOf("/") + 1)}${to === undefined ? "" : `.${to}`}`;
  return { "content-disposition": `attachment; filename*=UTF-8''${headerText(name)}` };
}

/** Encodes a name for a header (RFC 8187). */
function headerText(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
}

const statuses: ReadonlyMap<number, number> = new Map([
  [errorCodes.notFound, 404],
  [errorCodes.invalidParams, 400],
  [errorCodes.unreadable, 422],
  [errorCodes.staleCursor, 409],
  [errorCodes.tooLarge, 413],
]);

function errorAnswer(error: unknown): Response {
  if (error instanceof RpcError) {
    const body = JSON.stringify({ message: error.message, suggestions: error.data?.suggestions ?? [] });
    return answer(body, "application/json", { status: statuses.get(error.code) ?? 500 });
  }
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof MediaError ? 422 : error instanceof DroppedError ? 503 : 502;
  return answer(JSON.stringify({ message, suggestions: [] }), "application/json", { status });
}

/**
 * Serves views to browsers of this machine. Requires `--allow-net=127.0.0.1`.
 * @throws {Deno.errors.AddrInUse} if the port is in use.
 */
export async function serveWeb({ port, path = "/", ...shown }: WebOptions): Promise<WebServer> {
  let guard: Guard | undefined;
  const server = new Server(shown);
  try {
    const http = Deno.serve({
      hostname: "127.0.0.1",
      port,
      onListen: () => {},
      onError: () => refusal(500, "internal server error"),
    }, (request) => guard ? server.answer(request, guard) : refusal(503, "starting"));
    const own = new Guard(http.addr.port);
    guard = own;
    return {
      url: own.urlOf(path),
      ticket: () => own.ticketFor(path),
      [Symbol.asyncDispose]: async () => {
        await server.end();
        await http.shutdown();
      },
    };
  } catch (error) {
    await server.end();
    throw error;
  }
}
