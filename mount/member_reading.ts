/**
 * The decoders of a mount, and its seek points. Loaded while the session starts, which works without them.
 * @module
 */
import { DecoderPool, type DecoderPoolHost } from "./decoder_pool.ts";
import { decoderCount } from "./prestarted_session.ts";
import { type MemberCache, SeekPointCache } from "./seek_point_cache.ts";
import type { ShownIndex } from "./shown_indexes.ts";

/** Parts of the mount that its decoders need, without the parts that are provided here. */
type ReadingHost = Omit<DecoderPoolHost, "count" | "start" | "onSeekPoints"> & {
  readonly start: Omit<DecoderPoolHost["start"], "seekDirectory">;
};

/** Reading of members outside the session thread. Main thread. */
export class MemberReading {
  readonly #seekPoints: SeekPointCache;
  #decoders: DecoderPool | undefined;

  /**
   * @param cache Directory for facts about members; undefined: none.
   */
  constructor(cache: MemberCache | undefined, index: ShownIndex) {
    this.#seekPoints = new SeekPointCache(cache);
    this.follow(index);
  }

  /** Reads the data that earlier mounts have stored. */
  async read(): Promise<void> {
    await this.#seekPoints.read();
  }

  /** Starts the first decoder soon, others when there is work for them. */
  start({ start, ...host }: ReadingHost): void {
    this.#decoders = new DecoderPool({
      ...host,
      count: decoderCount,
      start: { ...start, seekDirectory: this.#seekPoints.directory },
      onSeekPoints: (made) => this.#seekPoints.add(made),
    });
  }

  /** Starts the first decoder now. */
  work(): void {
    this.#decoders?.start();
  }

  /** Adopts another index, before any thread gets it. */
  follow(index: ShownIndex): void {
    this.#seekPoints.follow(index);
  }

  /** Ends all decoders, and stores the results. */
  async end(): Promise<void> {
    await this.#decoders?.end();
    await this.#seekPoints.end();
  }
}
