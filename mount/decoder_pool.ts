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
import type {
  DecoderMessage,
  DecoderStart,
  ForgottenMessage,
  IndexVersion,
  ShowMessage,
} from "./shared/thread_messages.ts";

/** Before a broken decoder is replaced, doubled each time one breaks before it serves; milliseconds. */
const firstPause = 50;
const longestPause = 5000;

/** Between two calls to a decoder that is to end; milliseconds. */
const betweenCalls = 50;

/** Parts of the start message that all decoders share. */
export type SharedDecoderStart = Omit<DecoderStart, "thread" | "version">;

/** Called with what decoders report. */
export interface DecoderListener {
  /** A member is damaged, or a decoder broke. */
  onProblem(message: string, source?: string): void;
  /** The points of a member were made. */
  onSeekPoints(made: MadeSeekPoints): void;
}

/** Starts the decoders, the first soon and others when there is work for them, and replaces those that break. */
export class DecoderPool {
  readonly #memory: DecodeMemory;
  readonly #start: SharedDecoderStart;
  readonly #listener: DecoderListener;
  readonly #decoders: readonly PooledDecoder[];
  readonly #cancelStart: () => void;
  readonly #open: typeof openReplier;
  /** The index that is shown and the one before it, for decoders that ask for them. */
  #versions: readonly IndexVersion[];

  /**
   * @param count Number of decoders at most; their threads are numbered from 1.
   * @param open Opens what answers the requests of a decoder that breaks.
   */
  constructor(
    count: number,
    { version, ...start }: Omit<DecoderStart, "thread">,
    memory: DecodeMemory,
    listener: DecoderListener,
    open: typeof openReplier = openReplier,
  ) {
    this.#open = open;
    this.#memory = memory;
    this.#start = start;
    this.#listener = listener;
    this.#versions = [version];
    this.#decoders = Array.from({ length: count }, (_, index) => new PooledDecoder(index + 1));
    // Mounting goes first, but files must be read ahead for the first reader already.
    this.#cancelStart = soon(() => this.start());
  }

  /** Starts the first decoder now, if it has not started yet. */
  start(): void {
    this.#cancelStart();
    if (!this.#decoders.some(({ wasStarted }) => wasStarted)) this.#startNext();
  }

  /**
   * Keeps another index ready, before the session shows it. DecoderPool ask for it when they need it: to one that
   * sleeps, messages would pile up, each with an index.
   */
  show(version: IndexVersion): void {
    this.#versions = [...this.#versions.slice(-1), version];
  }

  /** Ends all decoders, unless the session has done so before it died, and replaces none any more. */
  async end(): Promise<void> {
    this.#cancelStart();
    this.#memory.askToStop();
    const asking = setInterval(() => this.#memory.askToStop(), betweenCalls);
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
    if (decoder && !this.#memory.isStopping) this.#fill(decoder);
  }

  #fill(decoder: PooledDecoder): void {
    decoder.wasStarted = true;
    const worker = new Worker(new URL("./decoding/decoder_worker.ts", import.meta.url), { type: "module" });
    decoder.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.type === "ready") decoder.isServing = true;
      else if (data.type === "busy") this.#startNext();
      else if (data.type === "wants") worker.postMessage(this.#answerTo(data.version));
      else if (data.type === "problem") this.#listener.onProblem(data.message, data.source);
      else if (data.type === "seekPoints") this.#listener.onSeekPoints(data.made);
      else decoder.ended.resolve();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#replace(decoder, event.message);
    };
    const version = this.#versions.at(-1);
    if (version) worker.postMessage({ ...this.#start, thread: decoder.thread, version } satisfies DecoderStart);
  }

  #answerTo(number: number): ShowMessage | ForgottenMessage {
    const version = this.#versions.find((known) => known.number === number);
    return version ? { type: "show", version } : { type: "forgotten" };
  }

  #replace(decoder: PooledDecoder, reason: string): void {
    decoder.worker = undefined;
    decoder.pause = decoder.isServing ? firstPause : Math.min(longestPause, decoder.pause * 2);
    decoder.isServing = false;
    this.#answerFor(decoder);
    if (this.#memory.isStopping) return decoder.ended.resolve();
    this.#listener.onProblem(
      `a decoder thread failed and is started again; what it was decompressing reads as EIO: ${reason}`,
    );
    decoder.timer = setTimeout(() => this.#fill(decoder), decoder.pause);
  }

  /** Fails what a broken decoder has left. While the session ends that is its own thread's to do. */
  #answerFor({ thread }: PooledDecoder): void {
    const memory = this.#memory;
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
