/**
 * Executes the protocol's methods on a catalog. It is independent of sockets: the server, an in-process connection and
 * tests call it. The methods themselves are in `methods/`, by topic.
 * @module
 */
import type { Catalog } from "../views/mod.ts";
import { ContentHashes, ContentReader, ContentSearch, HashStore, RoutedContent } from "../index/mod.ts";
import type { MethodContext, Peer, ServiceHost } from "./methods/method.ts";
import { generationOf } from "./methods/pages.ts";
import { answerMethod } from "./methods/table.ts";
import { rpcError } from "./rpc_errors.ts";
import { SqlQueries } from "./sql/queries.ts";

/** Number of replaced indexes that are kept for unfinished listings, and for how long, in milliseconds. */
const maxOlder = 2;
const keptFor = 30_000;

/** The context of all calls that use one index. */
type IndexContext = Omit<MethodContext, "call">;

/** Executes methods. */
export class Service implements AsyncDisposable {
  #context: IndexContext;
  readonly #hashes: ContentHashes;
  readonly #store: HashStore;
  readonly #search: ContentSearch;
  /** Recently replaced indexes: listings continue on theirs. */
  readonly #older: IndexContext[] = [];
  #dropping: ReturnType<typeof setTimeout> | undefined;
  #following: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  /** Closing readers of indexes that are no longer needed. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(host: ServiceHost) {
    const { catalog, remoteReaders, hashStore = new HashStore() } = host;
    this.#store = hashStore;
    this.#hashes = new ContentHashes({ store: hashStore, remoteReaders });
    this.#search = new ContentSearch(remoteReaders);
    this.#context = {
      host,
      generation: 0,
      queries: new SqlQueries(remoteReaders?.remotes),
      started: Date.now(),
      ...this.#readersOf(host, catalog),
    };
  }

  /**
   * Executes one method.
   * @param peer The caller, if it can receive events.
   * @throws {RpcError} any failure, as a protocol error.
   */
  async call(method: string, params: unknown, signal?: AbortSignal, peer?: Peer): Promise<unknown> {
    try {
      signal?.throwIfAborted();
      return await answerMethod(method, { ...this.#contextFor(params), peer }, params, signal);
    } catch (error) {
      throw rpcError(error, signal);
    }
  }

  /** Follows a refresh: without calls, too, the index before it is not kept for longer. */
  refreshed(): void {
    if (this.#isClosed) return;
    this.#following ??= setTimeout(() => {
      this.#following = undefined;
      this.#currentContext();
    }, keptFor);
    Deno.unrefTimer(this.#following);
  }

  /** Closes open resources. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#following);
    this.#dropOlder(0);
    this.#hashes[Symbol.dispose]();
    this.#search[Symbol.dispose]();
    await Promise.all([
      this.#closing,
      this.#context.content[Symbol.asyncDispose](),
      this.#context.queries[Symbol.asyncDispose](),
      this.#store[Symbol.asyncDispose](),
    ]);
  }

  /** Returns the context of a call's cursor, otherwise the context of a new call. */
  #contextFor(params: unknown): IndexContext {
    const current = this.#currentContext();
    const wanted = generationOf(params);
    return this.#older.find(({ generation }) => generation === wanted) ?? current;
  }

  /** Drops all older indexes except the first `kept`. */
  #dropOlder(kept: number): void {
    clearTimeout(this.#dropping);
    const dropped = this.#older.splice(kept);
    for (const { catalog } of dropped) {
      this.#hashes.forget(catalog.index);
      this.#search.forget(catalog.index);
    }
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
      generation: generation + 1,
      ...this.#readersOf(host, catalog),
    };
    return this.#context;
  }

  #readersOf(host: ServiceHost, catalog: Catalog): Pick<IndexContext, "catalog" | "content" | "hashes" | "search"> {
    const { index } = catalog;
    return {
      catalog,
      content: contentOf(host, catalog),
      hashes: () => this.#hashes.of(index),
      search: (expression) => this.#search.of(index, expression),
    };
  }
}

function contentOf({ remoteReaders, lookAt }: ServiceHost, catalog: Catalog): ContentReader {
  return remoteReaders
    ? new RoutedContent(catalog.index, remoteReaders, lookAt)
    : new ContentReader(catalog.snapshot, lookAt);
}
