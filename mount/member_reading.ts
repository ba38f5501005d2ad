/**
 * The decoders of a mount, and which members were verified or have points to decompress from. Loaded while the session
 * starts, which answers without them.
 * @module
 */
import type { Snapshot } from "../index/columns/snapshot.ts";
import { soon } from "../system/clock.ts";
import { DecoderPool } from "./decoder_pool.ts";
import { decoderCount } from "./prestarted_session.ts";
import { SeekPointCache } from "./seek_point_cache.ts";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { DecoderStart, IndexVersion } from "./shared/thread_messages.ts";
import { type VerifiedCache, VerifiedEntries } from "./verified_entries.ts";

/** Start message of a decoder without what is known here. */
type ReadingStart = Omit<DecoderStart, "thread" | "seekDirectory">;

/** Reading of members beside the session thread. Main thread. */
export class MemberReading {
  readonly #verified: VerifiedEntries;
  readonly #seekPoints: SeekPointCache;
  #decoders: DecoderPool | undefined;

  /** @param cache Where what is known of members is kept; undefined: nowhere. */
  constructor(cache: VerifiedCache | undefined, snapshot: Snapshot, version: IndexVersion) {
    this.#verified = new VerifiedEntries(cache);
    this.#seekPoints = new SeekPointCache(cache);
    this.#verified.follow(snapshot, version);
    this.#seekPoints.follow(snapshot, version);
  }

  /** Reads what earlier mounts have kept. */
  async read(): Promise<void> {
    await Promise.all([this.#verified.read(), this.#seekPoints.read()]);
  }

  /** Starts the first decoder soon, others when there is work for them. */
  start(start: ReadingStart, memory: DecodeMemory, onProblem: (message: string, source?: string) => void): void {
    const seekPoints = this.#seekPoints;
    const onSeekPoints = seekPoints.add.bind(seekPoints);
    const { directory: seekDirectory } = seekPoints;
    this.#decoders = new DecoderPool(decoderCount, { ...start, seekDirectory }, memory, { onProblem, onSeekPoints });
    soon(() => this.#verified.startWriting());
  }

  /** Starts the first decoder now. */
  work(): void {
    this.#decoders?.start();
  }

  /** Follows another index, before any thread sees it. */
  show(snapshot: Snapshot, version: IndexVersion): void {
    this.#verified.follow(snapshot, version);
    this.#seekPoints.follow(snapshot, version);
    this.#decoders?.show(version);
  }

  /** Ends all decoders, and writes what was found. */
  async end(): Promise<void> {
    await this.#decoders?.end();
    await Promise.all([this.#verified.end(), this.#seekPoints.end()]);
  }
}
