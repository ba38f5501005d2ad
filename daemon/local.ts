/**
 * A connection to an index in this process: the same methods as over the socket, without a daemon.
 * @module
 */
import type { GameOptions } from "../index/game.ts";
import { type LiveIndex, type LiveIndexOptions, openLiveIndex } from "./live_index.ts";
import type { Profile } from "../index/profiles.ts";
import { type Connection, errorCodes, type MethodName, type ParamsOf, type ResultOf, RpcError } from "./protocol.ts";
import { Service } from "./service.ts";

/** Which game to index. */
export interface LocalOptions {
  /** Base directories, highest first; or one archive. */
  readonly sources: readonly string[];
  readonly profile?: string | Profile;
  /** Name shown in views. */
  readonly game?: string;
  /** Files with names that packs without names may hold. */
  readonly names?: readonly string[];
  /** How packs without names hash theirs. */
  readonly hash?: string;
  /** Leave out what is beyond the limits of the engine. */
  readonly strict?: boolean;
}

/** A {@linkcode Connection} that asks a {@linkcode Service} directly. */
class LocalConnection implements Connection {
  readonly #index: LiveIndex;
  readonly #service: Service;
  #closed = false;

  constructor(index: LiveIndex) {
    this.#index = index;
    this.#service = new Service({
      get catalog() {
        return index.catalog;
      },
      refresh: () => index.refresh(),
      mountPoint: null,
      socket: "",
      clients: () => 1,
      problems: () => [],
      counters: () => ({}),
      stop: () => {},
    });
  }

  async call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    options: { signal?: AbortSignal } = {},
  ): Promise<ResultOf<M>> {
    if (this.#closed) throw new RpcError({ code: errorCodes.cancelled, message: "the index is closed" });
    return await this.#service.call(method, params, options.signal) as ResultOf<M>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#service[Symbol.asyncDispose]();
    await this.#index[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Indexes one game, and answers from that. Requires `--allow-read`.
 * @throws {GameError} if the game's directories or profile are not what they should be.
 */
export function openLocal(options: LocalOptions, index: LiveIndexOptions = {}): Promise<Connection> {
  const { sources, profile, game, strict = false, names, hash } = options;
  const gameOptions: GameOptions = {
    sources,
    strict,
    ...(profile === undefined ? {} : { profile }),
    ...(game === undefined ? {} : { name: game }),
    ...(names === undefined ? {} : { names }),
    ...(hash === undefined ? {} : { hash }),
  };
  return openLocalGames([gameOptions], index);
}

/** Indexes several games, and answers from those. */
export async function openLocalGames(
  games: readonly GameOptions[],
  options: LiveIndexOptions = {},
): Promise<Connection> {
  return new LocalConnection(await openLiveIndex(games, options));
}
