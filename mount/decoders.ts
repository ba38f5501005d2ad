/**
 * The decoders of a mount, seen from the main thread. One that breaks is reported, the requests that waited for what it
 * had in hand get EIO, and another takes its place.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { abandonQueue, failHeld } from "./abandon.ts";
import type { DecodeMemory } from "./decode_memory.ts";
import type { DecoderMessage, DecoderStart, ForgottenMessage, Generation, ShowMessage } from "./messages.ts";

/** Before a broken decoder is replaced, doubled each time one breaks before it serves; milliseconds. */
const firstPause = 50;
const longestPause = 5000;

/** Between two calls to a decoder that is to end; milliseconds. */
const betweenCalls = 50;

/** What all decoders are started with. */
export type CommonDecoderStart = Omit<DecoderStart, "thread" | "generation">;

/** Starts the decoders, the first at once and others when there is work for them, and replaces those that break. */
export class Decoders {
  readonly #memory: DecodeMemory;
  readonly #start: CommonDecoderStart;
  readonly #onProblem: (message: string, source?: string) => void;
  readonly #places: readonly DecoderPlace[];
  /** The index that is shown and the one before it, for decoders that ask for them. */
  #generations: readonly Generation[];

  /**
   * @param count Number of decoders at most; their threads are numbered from 1.
   * @param onProblem Told of damaged members and of decoders that broke.
   */
  constructor(
    count: number,
    { generation, ...start }: Omit<DecoderStart, "thread">,
    memory: DecodeMemory,
    onProblem: (message: string, source?: string) => void,
  ) {
    this.#memory = memory;
    this.#start = start;
    this.#onProblem = onProblem;
    this.#generations = [generation];
    this.#places = Array.from({ length: count }, (_, index) => new DecoderPlace(index + 1));
    this.#startNext();
  }

  /**
   * Keeps another index ready, before the session shows it. Decoders ask for it when they need it: to one that sleeps,
   * messages would pile up, each with an index.
   */
  show({ generation }: ShowMessage): void {
    this.#generations = [...this.#generations.slice(-1), generation];
  }

  /** Ends all decoders, unless the session has done so before it died, and replaces none any more. */
  async end(): Promise<void> {
    this.#memory.askToStop();
    const asking = setInterval(() => this.#memory.askToStop(), betweenCalls);
    for (const place of this.#places) {
      clearTimeout(place.timer);
      if (!place.worker) place.ended.resolve();
    }
    await Promise.all(this.#places.map(({ ended }) => ended.promise));
    clearInterval(asking);
  }

  /** Each thread takes some ten megabytes: who only reads small files, or one large one, has but one decoder. */
  #startNext(): void {
    const place = this.#places.find(({ isTaken }) => !isTaken);
    if (place && !this.#memory.isStopping) this.#fill(place);
  }

  #fill(place: DecoderPlace): void {
    place.isTaken = true;
    const worker = new Worker(new URL("./decoder_worker.ts", import.meta.url), { type: "module" });
    place.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.type === "ready") place.isServing = true;
      else if (data.type === "busy") this.#startNext();
      else if (data.type === "wants") worker.postMessage(this.#answerTo(data.generation));
      else if (data.type === "problem") this.#onProblem(data.message, data.source);
      else place.ended.resolve();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#replace(place, event.message);
    };
    const generation = this.#generations.at(-1);
    if (generation) worker.postMessage({ ...this.#start, thread: place.thread, generation } satisfies DecoderStart);
  }

  #answerTo(number: number): ShowMessage | ForgottenMessage {
    const generation = this.#generations.find((known) => known.number === number);
    return generation ? { type: "show", generation } : { type: "forgotten" };
  }

  #replace(place: DecoderPlace, reason: string): void {
    place.worker = undefined;
    place.pause = place.isServing ? firstPause : Math.min(longestPause, place.pause * 2);
    place.isServing = false;
    this.#answerFor(place);
    if (this.#memory.isStopping) return place.ended.resolve();
    this.#onProblem(`a decoder thread failed and is started again; what it was decompressing reads as EIO: ${reason}`);
    place.timer = setTimeout(() => this.#fill(place), place.pause);
  }

  /** Fails what a broken decoder has left. While the session ends that is its own thread's to do. */
  #answerFor({ thread }: DecoderPlace): void {
    const memory = this.#memory;
    memory.beginNotifying();
    try {
      if (memory.isStopping) return;
      using replier = openReplier();
      failHeld(memory, replier, thread);
      if (!this.#places.some(({ isServing }) => isServing)) abandonQueue(memory, replier);
    } finally {
      memory.endNotifying();
    }
  }
}

/** The place of one decoder, which several threads may take one after the other. */
class DecoderPlace {
  readonly thread: number;
  /** Resolved when no thread has the place and none will. */
  readonly ended: PromiseWithResolvers<void> = Promise.withResolvers();
  worker: Worker | undefined;
  /** A thread was started for it once. */
  isTaken = false;
  isServing = false;
  pause = firstPause / 2;
  timer: ReturnType<typeof setTimeout> | undefined;

  constructor(thread: number) {
    this.thread = thread;
  }
}
