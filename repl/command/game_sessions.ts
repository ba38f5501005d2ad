/**
 * Calls over a separate connection for each game.
 * @module
 */
import type { Caller, MethodName, ParamsOf, ResultOf } from "../../protocol/mod.ts";
import type { Session } from "./session.ts";

/** Maximum connections; calls of further games share one. */
const maxConnections = 32;

/**
 * Sends calls over a separate connection for each game, and for reads: the daemon handles the calls of a connection one
 * by one, and a hung file system must only delay the calls of its own games.
 */
export class GameSessions implements Caller, AsyncDisposable {
  readonly #session: Session;
  readonly #sessions = new Map<string, Session>();

  /**
   * @param session Sends calls without a view, and opens the other connections.
   */
  constructor(session: Session) {
    this.#session = session;
  }

  /** Calls a method, like {@linkcode Session}. */
  call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    options: { signal?: AbortSignal } = {},
  ): Promise<ResultOf<M>> {
    return this.#sessionOf(method, params).call(method, params, options);
  }

  /** Subscribes over the given session. */
  subscribe(...parameters: Parameters<Session["subscribe"]>): ReturnType<Session["subscribe"]> {
    return this.#session.subscribe(...parameters);
  }

  /** Closes the connections, except the given session's. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#sessions.values(), (session) => session.disconnect()));
  }

  #sessionOf(method: MethodName, params: object): Session {
    if (!("view" in params) || typeof params.view !== "string") return this.#session;
    const key = `${method === "read" ? "read" : "ask"} ${params.view.split("/", 1)[0]}`;
    const known = this.#sessions.get(key);
    if (known) return known;
    if (this.#sessions.size === maxConnections) return this.#session;
    const session = this.#session.another();
    this.#sessions.set(key, session);
    return session;
  }
}
