/**
 * The decoders of a mount, as used by the main thread. If a decoder fails, this is reported, requests that waited for
 * its current work fail with EIO, and another decoder is started.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { RestartedThreads, soon } from "../system/mod.ts";
import { failHeld, failQueue } from "./decoding/waiting_reads.ts";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { MadeSeekPoints } from "./shared/seek_members.ts";
import type { DecoderMessage, DecoderStart, IndexAnswerer } from "./shared/thread_messages.ts";
import type { ShownIndexes } from "./shown_indexes.ts";

/** Interval of calls to a decoder that must end, in milliseconds. */
const betweenCalls = 50;

/** Parts of the mount that its decoders need. */
export interface DecoderPoolHost {
  readonly memory: DecodeMemory;
  readonly indexes: ShownIndexes;
  /** Maximum number of decoders; their threads are numbered from 1. */
  readonly count: number;
  /** Parts of the start message that all decoders share. */
  readonly start: Omit<DecoderStart, "type" | "thread" | "version">;
  /** Called when a member is damaged or a decoder failed. */
  readonly onProblem: (message: string, source?: string) => void;
  /** Called with new seek points of a member. */
  readonly onSeekPoints: (made: MadeSeekPoints) => void;
}

/** Starts the decoders, the first soon and others when there is work for them, and replaces failed ones. */
export class DecoderPool {
  readonly #host: DecoderPoolHost;
  readonly #decoders: RestartedThreads<DecoderStart, DecoderMessage, IndexAnswerer>;
  readonly #cancelStart: () => void;
  readonly #open: typeof openReplier;
  #startedCount = 0;

  /**
   * @param open Creates the object that replies to the requests of a failed decoder.
   */
  constructor(host: DecoderPoolHost, open: typeof openReplier = openReplier) {
    const { indexes, start, memory } = host;
    this.#host = host;
    this.#open = open;
    this.#decoders = new RestartedThreads({
      program: new URL("./decoding/decoder_worker.ts", import.meta.url),
      pauses: [50, 5000],
      start: (thread) => ({ type: "start", ...start, thread, version: indexes.shown.version }),
      onMessage: (message) => this.#receive(message),
      answer: (number) => indexes.versionOf(number),
      onFailure: (reason, thread) => this.#answerFor(thread, reason),
      isEnding: () => memory.isStopping,
    });
    // Mounting has priority, but reading ahead must work for the first reader.
    this.#cancelStart = soon(() => this.start());
  }

  /** Starts the first decoder now, if it has not started yet. */
  start(): void {
    this.#cancelStart();
    if (this.#startedCount === 0) this.#startNext();
  }

  /** Ends all decoders, unless the session has done so before it died, and stops replacing failed ones. */
  async end(): Promise<void> {
    this.#cancelStart();
    const { memory } = this.#host;
    memory.askToStop();
    const asking = setInterval(() => memory.askToStop(), betweenCalls);
    await this.#decoders.ended();
    clearInterval(asking);
  }

  /** Starts another decoder. Each takes ten megabytes, so small files, or one large file, use only the first. */
  #startNext(): void {
    if (this.#startedCount < this.#host.count) this.#decoders.start(++this.#startedCount);
  }

  #receive(message: DecoderMessage): void {
    if (message.type === "busy") this.#startNext();
    else if (message.type === "problem") this.#host.onProblem(message.message, message.source);
    else if (message.type === "seekPoints") this.#host.onSeekPoints(message.made);
  }

  /** Fails the work of a failed decoder. While the session ends, its thread does this. */
  #answerFor(thread: number, reason: string): void {
    const { memory, onProblem } = this.#host;
    memory.beforeEnd(() => {
      using replier = this.#open();
      failHeld(memory, replier, thread);
      if (!this.#decoders.isServing) failQueue(memory, replier);
      onProblem(`a decoder thread failed and is started again; what it was decompressing reads as EIO: ${reason}`);
    });
  }
}
