/**
 * Answers the protocol's methods from a catalog. Knows nothing of sockets: the server, an in-process connection and
 * tests all ask it. The methods themselves are in `methods/`, by topic.
 * @module
 */
import { ArchiveError } from "../formats/errors.ts";
import { SourceNameError } from "../index/questions/named_sources.ts";
import { ViewError } from "../index/view_error.ts";
import { ContentReader } from "./content_reader.ts";
import { browseHandlers } from "./methods/browse.ts";
import { controlHandlers } from "./methods/control.ts";
import type { Handler, HandlerContext, Handlers, ServiceHost } from "./methods/handler.ts";
import { placeHandlers } from "./methods/places.ts";
import { provenanceHandlers } from "./methods/provenance.ts";
import { shaderHandlers } from "./methods/shaders.ts";
import { Parameters } from "./parameters.ts";
import { errorCodes, type MethodName, RpcError } from "./protocol.ts";

export type { ServiceHost };

const handlers: Handlers<MethodName> = {
  ...placeHandlers,
  ...browseHandlers,
  ...provenanceHandlers,
  ...shaderHandlers,
  ...controlHandlers,
};

/** Answers methods. */
export class Service implements AsyncDisposable {
  readonly #context: HandlerContext;

  constructor(host: ServiceHost) {
    this.#context = { host, content: new ContentReader(host.catalog.snapshot), started: Date.now() };
  }

  /**
   * Answers one method.
   * @throws {RpcError} whatever went wrong, in the protocol's terms.
   */
  async call(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (!Object.hasOwn(handlers, method)) {
      const message = `There is no method "${method}"; there are ${Object.keys(handlers).join(", ")}`;
      throw new RpcError({ code: errorCodes.methodNotFound, message });
    }
    try {
      signal?.throwIfAborted();
      const handler: Handler<MethodName> = handlers[method as MethodName];
      return await handler(this.#context, new Parameters(params), signal);
    } catch (error) {
      throw rpcError(error, signal);
    }
  }

  /** Closes what is open. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.content[Symbol.asyncDispose]();
  }
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
    const data = { errno: "EIO", path: error.path, ...(error.offset === undefined ? {} : { offset: error.offset }) };
    return new RpcError({ code: errorCodes.unreadable, message, data });
  }
  return new RpcError({ code: errorCodes.internalError, message });
}
