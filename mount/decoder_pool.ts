/**
 * The decoders of a mount, seen from the main thread. One that breaks is reported, the requests that waited for what it
 * had in hand get EIO, and another one is started.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { soon } from "../system/clock.ts";
import { failHeld, failQueue } from "./decoding/waiting_reads.ts";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { MadeSeekPoints } from "./shared/seek_members.ts";
import type { DecoderMessage, DecoderStart } from "./shared/thread_messages.ts";
import type { ShownIndexes } from "./shown_indexes.ts";

/** Before a broken decoder is replaced, doubled each time one breaks before it serves; milliseconds. */
const firstPause = 50;
const longestPause = 5000;

/** Between two calls to a decoder that is to end; milliseconds. */
const betweenCalls = 50;

/** Parts of the mount that its decoders need. */
export interface DecoderPoolHost {
  readonly memory: DecodeMemory;
  readonly indexes: ShownIndexes;
  /** Number of decoders at most; their threads are numbered from 1. */
  readonly count: number;
  /** Parts of the start message that all decoders share. */
  readonly start: Omit<DecoderStart, "type" | "thread" | "version">;
  /** Called when a member is damaged or a decoder broke. */
  readonly onProblem: (message: string, source?: string) => void;
  /** Called with the points of a member that were made. */
  readonly onSeekPoints: (made: MadeSeekPoints) => void;
}

/** Starts the decoders, the first soon and others when there is work for them, and replaces those that break. */
export class DecoderPool {
  readonly #host: DecoderPoolHost;
  readonly #decoders: readonly PooledDecoder[];
  readonly #cancelStart: () => void;
  readonly #open: typeof openReplier;

  /** @param open Opens what answers the requests of a decoder that breaks. */
  constructor(host: DecoderPoolHost, open: typeof openReplier = openReplier) {
    this.#host = host;
    this.#open = open;
    this.#decoders = Array.from({ length: host.count }, (_, index) => new PooledDecoder(index + 1));
    // Mounting goes first, but files must be read ahead for the first reader already.
    this.#cancelStart = soon(() => this.start());
  }

  /** Starts the first decoder now, if it has not started yet. */
  start(): void {
    this.#cancelStart();
    if (!this.#decoders.some(({ wasStarted }) => wasStarted)) this.#startNext();
  }

  /** Ends all decoders, unless the session has done so before it died, and replaces none any more. */
  async end(): Promise<void> {
    this.#cancelStart();
    const { memory } = this.#host;
    memory.askToStop();
    const asking = setInterval(() => memory.askToStop(), betweenCalls);
    for (const decoder of this.#decoders) {
      clearTimeout(decoder.timer);
      if (!decoder.worker) decoder.ended.resolve();
    }
    await Promise.all(this.#decoders.map(({ ended }) => ended.promise));
    clearInterval(asking);
  }

  /** Starts another decoder. Each takes ten megabytes, so small files, or one large file, use only the first. */
  #startNext(): void {
    const decoder = this.#decoders.find(({ wasStarted }) => !wasStarted);
    if (decoder && !this.#host.memory.isStopping) this.#fill(decoder);
  }

  #fill(decoder: PooledDecoder): void {
    const { indexes, start, onProblem, onSeekPoints } = this.#host;
    decoder.wasStarted = true;
    const worker = new Worker(new URL("./decoding/decoder_worker.ts", import.meta.url), { type: "module" });
    decoder.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.type === "ready") decoder.isServing = true;
      else if (data.type === "busy") this.#startNext();
      else if (data.type === "wants") worker.postMessage(indexes.answerTo(data.version));
      else if (data.type === "problem") onProblem(data.message, data.source);
      else if (data.type === "seekPoints") onSeekPoints(data.made);
      else decoder.ended.resolve();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#replace(decoder, event.message);
    };
    const message: DecoderStart = { type: "start", ...start, thread: decoder.thread, version: indexes.shown.version };
    worker.postMessage(message);
  }

  #replace(decoder: PooledDecoder, reason: string): void {
    decoder.worker = undefined;
    decoder.pause = decoder.isServing ? firstPause : Math.min(longestPause, decoder.pause * 2);
    decoder.isServing = false;
    this.#answerFor(decoder);
    if (this.#host.memory.isStopping) return decoder.ended.resolve();
    this.#host.onProblem(
      `a decoder thread failed and is started again; what it was decompressing reads as EIO: ${reason}`,
    );
    decoder.timer = setTimeout(() => this.#fill(decoder), decoder.pause);
  }

  /** Fails what a broken decoder has left. While the session ends that is its own thread's to do. */
  #answerFor({ thread }: PooledDecoder): void {
    const { memory } = this.#host;
    memory.beginNotifying();
    try {
      if (memory.isStopping) return;
      using replier = this.#open();
      failHeld(memory, replier, thread);
      if (!this.#decoders.some(({ isServing }) => isServing)) failQueue(memory, replier);
    } finally {
      memory.endNotifying();
    }
  }
}

/** One decoder of the pool: a thread, and after it broke another one. */
class PooledDecoder {
  readonly thread: number;
  /** Resolved when the thread has ended and no other will be started. */
  readonly ended: PromiseWithResolvers<void> = Promise.withResolvers();
  worker: Worker | undefined;
  /** Whether a thread was started. */
  wasStarted = false;
  isServing = false;
  pause = firstPause / 2;
  timer: ReturnType<typeof setTimeout> | undefined;

  constructor(thread: number) {
    this.thread = thread;
  }
}
