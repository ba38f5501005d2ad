/**
 * Answers the protocol's methods from a catalog. Knows nothing of sockets: the server, an in-process connection and
 * tests all ask it. The methods themselves are in `methods/`, by topic.
 * @module
 */
import { ArchiveError } from "../formats/core/errors.ts";
import type { Catalog } from "../index/views/catalog.ts";
import { GameError } from "../index/profiles/game.ts";
import { SourceNameError } from "../index/questions/named_sources.ts";
import { ViewError } from "../index/views/view_error.ts";
import { ContentReader } from "../content/content_reader.ts";
import { browseHandlers } from "./methods/browse.ts";
import { controlHandlers } from "./methods/control.ts";
import {
  generationOf,
  type Handler,
  type HandlerContext,
  type Handlers,
  type Peer,
  type ServiceHost,
} from "./methods/handler.ts";
import { placeHandlers } from "./methods/places.ts";
import { provenanceHandlers } from "./methods/provenance.ts";
import { shaderHandlers } from "./methods/shaders.ts";
import { subscriptionHandlers } from "./methods/subscriptions.ts";
import { RoutedContent } from "../content/routed_content.ts";
import { Parameters } from "./parameters.ts";
import { errorCodes, type MethodName, RpcError } from "../protocol/messages.ts";

export type { Peer, ServiceHost };

const handlers: Handlers<MethodName> = {
  ...placeHandlers,
  ...browseHandlers,
  ...provenanceHandlers,
  ...shaderHandlers,
  ...controlHandlers,
  ...subscriptionHandlers,
};

/** Names of all methods. */
export const methodNames = Object.keys(handlers) as readonly MethodName[];

/** Indexes that are kept after they have been replaced, for listings that are under way; and how long, in milliseconds. */
const maxOlder = 2;
const keptFor = 30_000;

/** Answers methods. */
export class Service implements AsyncDisposable {
  #context: HandlerContext;
  /** Indexes that were replaced a moment ago: listings that are under way go on with theirs. */
  readonly #older: HandlerContext[] = [];
  #dropping: ReturnType<typeof setTimeout> | undefined;
  /** Readers of indexes that are not needed any more, until they are closed. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(host: ServiceHost) {
    const { catalog } = host;
    const content = contentOf(host, catalog);
    this.#context = { host, catalog, generation: 0, content, started: Date.now() };
  }

  /**
   * Answers one method.
   * @param peer Who calls, if that can be told of more than answers.
   * @throws {RpcError} whatever went wrong, in the protocol's terms.
   */
  async call(method: string, params: unknown, signal?: AbortSignal, peer?: Peer): Promise<unknown> {
    if (!Object.hasOwn(handlers, method)) {
      const message = `There is no method "${method}"; there are ${Object.keys(handlers).join(", ")}`;
      throw new RpcError({ code: errorCodes.methodNotFound, message });
    }
    try {
      signal?.throwIfAborted();
      const handler: Handler<MethodName> = handlers[method as MethodName];
      return await handler({ ...this.#contextFor(params), peer }, new Parameters(params), signal);
    } catch (error) {
      throw rpcError(error, signal);
    }
  }

  /** Closes what is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#dropOlder(0);
    await Promise.all([this.#closing, this.#context.content[Symbol.asyncDispose]()]);
  }

  /** The context that a call's cursor is of, else that of a new call. */
  #contextFor(params: unknown): HandlerContext {
    const current = this.#currentContext();
    const wanted = generationOf(params);
    return this.#older.find(({ generation }) => generation === wanted) ?? current;
  }

  /** Lets go of all older indexes but so many. */
  #dropOlder(kept: number): void {
    clearTimeout(this.#dropping);
    const dropped = this.#older.splice(kept);
    this.#closing = Promise.all([this.#closing, ...dropped.map(({ content }) => content[Symbol.asyncDispose]())]);
    if (kept > 0) this.#dropping = setTimeout(() => this.#dropOlder(0), keptFor);
  }

  /** The context for a new call: calls that are under way go on with what they began with. */
  #currentContext(): HandlerContext {
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

/** Returns the name of the errno with which the operating system refused something, if that is what happened. */
function systemErrorName(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && !code.startsWith("ERR_") ? code : undefined;
}

function contentOf({ remoteReaders }: ServiceHost, catalog: Catalog): ContentReader {
  return remoteReaders ? new RoutedContent(catalog, remoteReaders) : new ContentReader(catalog.snapshot);
}

/** Any error, in the protocol's terms. */
function rpcError(error: unknown, signal: AbortSignal | undefined): RpcError {
  if (error instanceof RpcError) return error;
  if (signal?.aborted) return new RpcError({ code: errorCodes.cancelled, message: "cancelled" });
  if (error instanceof ViewError || error instanceof SourceNameError) {
    return new RpcError({
      code: errorCodes.notFound,
      message: error.message,
      data: { errno: "ENOENT", suggestions: [...error.suggestions] },
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArchiveError) {
    const errno = systemErrorName(error.cause) ?? "EIO";
    const data = { errno, path: error.path, ...(error.offset === undefined ? {} : { offset: error.offset }) };
    return new RpcError({ code: errorCodes.unreadable, message, data });
  }
  if (error instanceof GameError) {
    return new RpcError({ code: errorCodes.unreadable, message, data: { path: error.subject } });
  }
  const errno = systemErrorName(error);
  if (errno !== undefined) return new RpcError({ code: errorCodes.unreadable, message, data: { errno } });
  return new RpcError({ code: errorCodes.internalError, message });
}
