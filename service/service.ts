/**
 * Answers the protocol's methods from a catalog. Knows nothing of sockets: the server, an in-process connection and
 * tests all ask it. The methods themselves are in `methods/`, by topic.
 * @module
 */
import type { Catalog } from "../views/mod.ts";
import { ContentReader, RoutedContent } from "../index/mod.ts";
import type { MethodContext, Peer, ServiceHost } from "./methods/method.ts";
import { generationOf } from "./methods/pages.ts";
import { answerMethod } from "./methods/table.ts";
import { rpcError } from "./rpc_errors.ts";
import { SqlQueries } from "./sql/queries.ts";

/** Indexes that are kept after they have been replaced, for listings that are under way; and how long, in milliseconds. */
const maxOlder = 2;
const keptFor = 30_000;

/** The surroundings of all calls that see one index. */
type IndexContext = Omit<MethodContext, "call">;

/** Answers methods. */
export class Service implements AsyncDisposable {
  #context: IndexContext;
  /** Indexes that were replaced a moment ago: listings continue on theirs. */
  readonly #older: IndexContext[] = [];
  #dropping: ReturnType<typeof setTimeout> | undefined;
  /** Closing readers of indexes that are no longer needed. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(host: ServiceHost) {
    const { catalog } = host;
    const content = contentOf(host, catalog);
    this.#context = { host, catalog, generation: 0, content, queries: new SqlQueries(), started: Date.now() };
  }

  /**
   * Answers one method.
   * @param peer The caller, if it can be sent more than answers.
   * @throws {RpcError} any failure, in the protocol's terms.
   */
  async call(method: string, params: unknown, signal?: AbortSignal, peer?: Peer): Promise<unknown> {
    try {
      signal?.throwIfAborted();
      return await answerMethod(method, { ...this.#contextFor(params), peer }, params, signal);
    } catch (error) {
      throw rpcError(error, signal);
    }
  }

  /** Closes what is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#dropOlder(0);
    const { content, queries } = this.#context;
    await Promise.all([this.#closing, content[Symbol.asyncDispose](), queries[Symbol.asyncDispose]()]);
  }

  /** Returns the context that a call's cursor belongs to, otherwise that of a new call. */
  #contextFor(params: unknown): IndexContext {
    const current = this.#currentContext();
    const wanted = generationOf(params);
    return this.#older.find(({ generation }) => generation === wanted) ?? current;
  }

  /** Drops all older indexes except the first `kept`. */
  #dropOlder(kept: number): void {
    clearTimeout(this.#dropping);
    const dropped = this.#older.splice(kept);
    this.#closing = Promise.all([this.#closing, ...dropped.map(({ content }) => content[Symbol.asyncDispose]())]);
    if (kept > 0) this.#dropping = setTimeout(() => this.#dropOlder(0), keptFor);
  }

  /** Returns the context for a new call: earlier calls continue with theirs. */
  #currentContext(): IndexContext {
    const { host, generation } = this.#context;
    const { catalog } = host;
    if (catalog === this.#context.catalog) return this.#context;
    this.#older.unshift(this.#context);
    this.#dropOlder(maxOlder);
    this.#context = {
      ...this.#context,
      catalog,
      generation: generation + 1,
      content: contentOf(host, catalog),
    };
    return this.#context;
  }
}

function contentOf({ remoteReaders, lookAt }: ServiceHost, catalog: Catalog): ContentReader {
  return remoteReaders
    ? new RoutedContent(catalog.index, remoteReaders, lookAt)
    : new ContentReader(catalog.snapshot, lookAt);
}
