/**
 * Answers the protocol's methods from a catalog. Knows nothing of sockets: the server, an in-process connection and
 * tests all ask it.
 * @module
 */
import { ArchiveError } from "../formats/errors.ts";
import type { Catalog } from "../index/catalog.ts";
import { ViewError } from "../index/view_error.ts";
import { none } from "../index/columns.ts";
import { findFiles } from "../index/find.ts";
import { fileRow, treeRow } from "../index/rows.ts";
import { type ShaderIndex, shaderIndex } from "../index/shaders/shader_index.ts";
import type { View } from "../index/view.ts";
import { whichCandidates } from "../index/which.ts";
import { checksumResult, packNamed } from "./checksum.ts";
import { completePack, completePath, completeView } from "./complete.ts";
import { ContentReader } from "./content_reader.ts";
import { gameRows, packRows, pathRows, viewRows } from "./listings.ts";
import { invalid, Parameters } from "./parameters.ts";
import {
  defaultPageSize,
  errorCodes,
  largestRead,
  type MethodName,
  oldestProtocolVersion,
  type Page,
  protocolVersion,
  type ResultOf,
  RpcError,
  type StatusResult,
} from "./protocol.ts";
import { version } from "./version.ts";

/** What the service cannot know by itself. */
export interface ServiceHost {
  readonly catalog: Catalog;
  /** Mount point, or null. */
  readonly mountPoint: string | null;
  readonly socket: string;
  /** Number of clients now. */
  clients(): number;
  /** What went wrong since the start, and could not be indexed. */
  problems(): string[];
  counters(): Record<string, number>;
  /** Ends the daemon, soon after the answer is out. */
  stop(): void;
}

type Handler<M extends MethodName> = (
  parameters: Parameters,
  signal: AbortSignal | undefined,
) => ResultOf<M> | Promise<ResultOf<M>>;

/** Rows made between two looks at what else there is to do. */
const rowsPerTurn = 500;

/** What this server can do beyond the methods every version has. */
const capabilities: readonly string[] = ["cancel", "complete", "read"];

/** Answers methods. */
export class Service implements AsyncDisposable {
  readonly #host: ServiceHost;
  readonly #content: ContentReader;
  readonly #started = Date.now();
  readonly #handlers: { readonly [M in MethodName]: Handler<M> } = {
    hello: (parameters) => this.#hello(parameters),
    games: (parameters) => this.#page(parameters, gameRows(this.#host.catalog)),
    views: (parameters) => this.#page(parameters, viewRows(this.#host.catalog, parameters.optionalText("game"))),
    path: (parameters) => this.#page(parameters, pathRows(this.#view(parameters))),
    packs: (parameters) => this.#packs(parameters),
    checksum: (parameters) => this.#checksum(parameters),
    ls: (parameters, signal) => this.#ls(parameters, signal),
    find: (parameters, signal) => this.#find(parameters, signal),
    stat: (parameters) => this.#stat(parameters),
    which: (parameters) => this.#which(parameters),
    shader: (parameters) => this.#shader(parameters),
    shaders: (parameters) => this.#page(parameters, this.#shaders(parameters).rows(parameters.optionalText("pattern"))),
    read: (parameters) => this.#read(parameters),
    complete: (parameters) => this.#complete(parameters),
    status: () => this.#status(),
    stop: () => {
      this.#host.stop();
      return { stopping: true };
    },
  };

  constructor(host: ServiceHost) {
    this.#host = host;
    this.#content = new ContentReader(host.catalog.snapshot);
  }

  /**
   * Answers one method.
   * @throws {RpcError} whatever went wrong, in the protocol's terms.
   */
  async call(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (!Object.hasOwn(this.#handlers, method)) {
      const message = `There is no method "${method}"; there are ${Object.keys(this.#handlers).join(", ")}`;
      throw new RpcError({ code: errorCodes.methodNotFound, message });
    }
    try {
      signal?.throwIfAborted();
      return await this.#handlers[method as MethodName](new Parameters(params), signal);
    } catch (error) {
      throw rpcError(error, signal);
    }
  }

  /** Closes what is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#content[Symbol.asyncDispose]();
  }

  #hello(parameters: Parameters): ResultOf<"hello"> {
    const [oldest, newest] = parameters.versions("protocol");
    parameters.text("client");
    const shared = Math.min(newest, protocolVersion);
    if (shared < oldest || shared < oldestProtocolVersion) {
      throw new RpcError({
        code: errorCodes.protocolMismatch,
        message: `this daemon speaks protocol ${oldestProtocolVersion} to ${protocolVersion}, ` +
          `the client ${oldest} to ${newest}`,
      });
    }
    return { protocol: shared, server: "pakfs", version, pid: Deno.pid, capabilities: [...capabilities] };
  }

  #optionalView(parameters: Parameters): View | undefined {
    const name = parameters.optionalText("view");
    return name === undefined || name === "" ? undefined : this.#host.catalog.view(name);
  }

  #view(parameters: Parameters): View {
    return this.#host.catalog.view(parameters.optionalText("view"));
  }

  /** Part of a list that is made as a whole: games, views, packs are few. */
  #page<Row>(parameters: Parameters, rows: readonly Row[]): Page<Row> {
    const from = this.#position(parameters, "list");
    const to = from + parameters.pageSize();
    return { rows: rows.slice(from, to), cursor: to < rows.length ? cursorAt("list", to) : null };
  }

  #packs(parameters: Parameters): ResultOf<"packs"> {
    const checksum = parameters.optionalInteger32("checksum");
    return this.#page(parameters, packRows(this.#host.catalog, this.#optionalView(parameters), checksum));
  }

  #checksum(parameters: Parameters): ResultOf<"checksum"> {
    const { catalog } = this.#host;
    const pack = packNamed(catalog, this.#optionalView(parameters), parameters.text("pack"));
    return checksumResult(catalog, pack, parameters.optionalInteger32("feed") ?? 0);
  }

  async #ls(parameters: Parameters, signal: AbortSignal | undefined): Promise<ResultOf<"ls">> {
    const view = this.#view(parameters);
    const path = parameters.optionalText("path") ?? "";
    const node = this.#node(view, path);
    const { tree } = view;
    if (!tree.isDirectory(node)) return { rows: [fileRow(view, node)], cursor: null };
    const from = this.#position(parameters, "ls");
    const count = tree.childCounts[node] ?? 0;
    const to = Math.min(count, from + parameters.pageSize());
    const first = tree.firstChildren[node] ?? 0;
    const rows: ResultOf<"ls">["rows"] = [];
    for (let place = from; place < to; place++) {
      rows.push(treeRow(view, first + place));
      // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
      if (rows.length % rowsPerTurn === 0) await takeTurn(signal);
    }
    return { rows, cursor: to < count ? cursorAt("ls", to) : null };
  }

  async #find(parameters: Parameters, signal: AbortSignal | undefined): Promise<ResultOf<"find">> {
    const view = this.#view(parameters);
    const limit = parameters.pageSize();
    const after = this.#position(parameters, "find");
    const rows: ResultOf<"find">["rows"] = [];
    for (const node of matchingNodes(view, parameters, after)) {
      if (node === none) {
        // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
        await takeTurn(signal);
        continue;
      }
      rows.push(fileRow(view, node));
      if (rows.length === limit) return { rows, cursor: cursorAt("find", node) };
      // deno-lint-ignore no-await-in-loop -- as above
      if (rows.length % rowsPerTurn === 0) await takeTurn(signal);
    }
    return { rows, cursor: null };
  }

  #stat(parameters: Parameters): ResultOf<"stat"> {
    const view = this.#view(parameters);
    const node = this.#node(view, parameters.text("qpath"));
    const row = treeRow(view, node);
    if (row.type === "directory") return row;
    return { ...row, dataOffset: this.#content.dataOffset(view.tree.entries[node] ?? none) };
  }

  #which(parameters: Parameters): ResultOf<"which"> {
    const view = this.#view(parameters);
    const qpath = cleanPath(parameters.text("qpath"));
    const candidates = whichCandidates(view, qpath);
    return { qpath, view: view.name, profile: view.game.profile.name, candidates };
  }

  #shaders(parameters: Parameters): ShaderIndex {
    return shaderIndex(this.#view(parameters), (entry) => this.#content.readWhole(entry));
  }

  #shader(parameters: Parameters): ResultOf<"shader"> {
    const name = parameters.text("name");
    const index = this.#shaders(parameters);
    return {
      name,
      view: index.view.name,
      profile: index.view.game.profile.name,
      rules: index.rules.name,
      definitions: index.definitions(name),
      warnings: index.warningsFor(name),
    };
  }

  async #read(parameters: Parameters): Promise<ResultOf<"read">> {
    const view = this.#view(parameters);
    const qpath = parameters.text("qpath");
    const node = this.#node(view, qpath);
    const entry = view.tree.entries[node] ?? none;
    if (entry === none) {
      const message = `${qpath} is a directory`;
      throw new RpcError({ code: errorCodes.invalidParams, message, data: { errno: "EISDIR", path: qpath } });
    }
    const offset = parameters.wholeNumber("offset", 0);
    const length = Math.min(parameters.wholeNumber("length", largestRead), largestRead);
    const bytes = await this.#content.read(entry, offset, length);
    const size = view.snapshot.columns.entrySizes[entry] ?? 0;
    return { data: bytes.toBase64(), size, end: offset + bytes.length >= size };
  }

  #complete(parameters: Parameters): ResultOf<"complete"> {
    const kind = parameters.text("kind");
    const prefix = parameters.text("prefix");
    const limit = Math.min(parameters.wholeNumber("limit", 100), defaultPageSize);
    const { catalog } = this.#host;
    if (kind === "view") return { matches: completeView(catalog, prefix, limit) };
    if (kind === "pack") return { matches: completePack(catalog, this.#optionalView(parameters), prefix, limit) };
    if (kind === "qpath") return { matches: completePath(this.#view(parameters), prefix, limit) };
    throw invalid(`"kind" must be "qpath", "view" or "pack"`);
  }

  #status(): StatusResult {
    const { catalog, mountPoint, socket } = this.#host;
    const packs = catalog.packs.length;
    return {
      pid: Deno.pid,
      version,
      mount: mountPoint,
      socket,
      started: this.#started,
      games: catalog.games.length,
      views: catalog.views.length,
      packs,
      files: gameRows(catalog).reduce((sum, game) => sum + game.files, 0),
      indexBytes: catalog.snapshot.byteLength,
      residentBytes: Deno.memoryUsage().rss,
      clients: this.#host.clients(),
      problems: [...catalog.problems, ...this.#host.problems()],
      counters: this.#host.counters(),
    };
  }

  #node(view: View, path: string): number {
    const node = view.tree.find(path);
    if (node !== none) return node;
    throw new RpcError({
      code: errorCodes.notFound,
      message: `There is no "${cleanPath(path)}" in ${view.name}`,
      data: { errno: "ENOENT", path: cleanPath(path) },
    });
  }

  #position(parameters: Parameters, kind: string): number {
    const cursor = parameters.optionalText("cursor");
    if (cursor === undefined) return 0;
    const match = /^([a-z]+):(\d{1,15})$/.exec(cursor);
    if (match?.[1] === kind) return Number(match[2]);
    throw new RpcError({
      code: errorCodes.staleCursor,
      message: "This cursor is of another listing; ask from the start",
    });
  }
}

/** Lets what else there is to do be done. */
async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}

function matchingNodes(view: View, parameters: Parameters, after: number): Generator<number> {
  try {
    return findFiles(view, parameters.texts("patterns"), parameters.filters(), after);
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

function cursorAt(kind: string, position: number): string {
  return `${kind}:${position}`;
}

/** A path as it is shown: without leading, trailing and double slashes. */
function cleanPath(path: string): string {
  return path.split("/").filter((part) => part !== "" && part !== ".").join("/");
}

/** Any error, in the protocol's terms. */
function rpcError(error: unknown, signal: AbortSignal | undefined): RpcError {
  if (error instanceof RpcError) return error;
  if (signal?.aborted) return new RpcError({ code: errorCodes.cancelled, message: "cancelled" });
  if (error instanceof ViewError) {
    return new RpcError({
      code: errorCodes.notFound,
      message: error.message,
      data: { errno: "ENOENT", suggestions: [...error.suggestions] },
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArchiveError) {
    const data = { errno: "EIO", path: error.path, ...(error.offset === undefined ? {} : { offset: error.offset }) };
    return new RpcError({ code: errorCodes.unreadable, message, data });
  }
  return new RpcError({ code: errorCodes.internalError, message });
}
