/**
 * A mount, seen from the main thread: starts the session thread and the decoders, and stops them.
 * @module
 */
import { openWaker } from "deno-fuse-ffi";
import type { Catalog } from "../../index/catalog.ts";
import { createCounterBuffer, readCounters } from "./counters.ts";
import { createDecodeBuffers, createEntryBuffers, DecodeMemory, decoderPatience } from "./decode_memory.ts";
import { forgetNames } from "./kernel_memory.ts";
import type { LayoutOptions } from "./layout.ts";
import type {
  DecoderMessage,
  DecoderStart,
  Generation,
  SessionMessage,
  SessionStart,
  ShowMessage,
  StopMessage,
} from "./messages.ts";
import type { KnownName } from "./mounted_tree.ts";
import { createUnpackedStates } from "./unpacked_files.ts";

/** How something is to be mounted. */
export interface MountOptions {
  readonly mountPoint: string;
  readonly layout: LayoutOptions;
  /** Options for libfuse besides those that are always set. */
  readonly mountOptions: readonly string[];
  /** Bytes of memory for unpacked members. */
  readonly cacheBytes: number;
  /** Bytes that unpacked members too large for memory may take in `spillDirectory`. */
  readonly spillBytes: number;
  readonly spillDirectory: string;
  /** Told of each damaged member, vanished file or broken thread. */
  readonly onProblem: (message: string) => void;
}

/** It could not be mounted. The message is for the user. */
export class MountError extends Error {
  override readonly name = "MountError";
}

/** A running mount. */
export interface Mount {
  readonly mountPoint: string;
  /** Resolved when nothing is mounted any more and all threads are gone; rejected if the session broke. */
  readonly ended: Promise<void>;
  /**
   * Shows another index in the place of the one that is shown, and makes the kernel forget what is different: nothing
   * else. Resolved when whoever looks sees the new one. One call at a time.
   */
  show(catalog: Catalog): Promise<void>;
  /** Counters since the start. */
  counters(): Record<string, number>;
  /** Unmounts; a busy mount disappears from the tree at once and its open files end. */
  stop(): void;
}

/**
 * The threads of a mount. That of the session is started before there is anything to mount: it loads its code while the
 * main thread indexes. The decoders, which the first reads need, are started when the mount answers. Disposing of threads
 * that serve no mount ends them.
 */
export class MountThreads implements Disposable {
  /** Blocks in libfuse. */
  readonly session: Worker = new Worker(new URL("./session_worker.ts", import.meta.url), { type: "module" });
  /** Number of threads that unpack members. */
  readonly decoderCount: number;
  #isTaken = false;

  /** @param decoderCount Number of threads that unpack members. */
  constructor(decoderCount: number) {
    this.decoderCount = decoderCount;
  }

  /** From now on the threads are a mount's, which ends them. */
  take(): void {
    this.#isTaken = true;
  }

  /** Starts the threads that unpack members; they belong to the caller. */
  startDecoders(): Worker[] {
    const url = new URL("./decoder_worker.ts", import.meta.url);
    return Array.from({ length: this.decoderCount }, () => new Worker(url, { type: "module" }));
  }

  /** Ends threads that no mount has taken. */
  [Symbol.dispose](): void {
    if (!this.#isTaken) this.session.terminate();
  }
}

/**
 * Mounts a catalog. Returned when the mount answers.
 * @throws {MountError} if it cannot be mounted.
 */
export async function mountCatalog(catalog: Catalog, threads: MountThreads, options: MountOptions): Promise<Mount> {
  threads.take();
  const counters = createCounterBuffer(1 + threads.decoderCount);
  const buffers = createDecodeBuffers(options.cacheBytes);
  const common = { type: "start", generation: generationOf(catalog, 0), buffers, counters } as const;
  let decoders: readonly Decoder[] = [];
  const memory = new DecodeMemory(buffers);
  const session = new SessionThread(threads.session, memory, options);
  const everything = session.ended.finally(() => {
    // The session thread has stopped the decoders, unless it never came to serve or died.
    memory.stop(decoderPatience);
    return Promise.all(decoders.map(({ ended }) => ended));
  });
  // The caller may look at `ended` much later than it rejects.
  everything.catch(() => {});
  const { mountPoint, layout, mountOptions, spillBytes: spillLimit, spillDirectory } = options;
  try {
    await session.start({ ...common, thread: 0, mountPoint, layout, mountOptions, spillLimit });
  } catch (error) {
    await everything.catch(() => {});
    throw error;
  }
  decoders = threads.startDecoders().map((worker, index) =>
    startDecoder(worker, { ...common, thread: index + 1, spillDirectory }, options)
  );
  let number = 0;
  return {
    mountPoint: options.mountPoint,
    ended: everything,
    show(next) {
      const message: ShowMessage = { type: "show", generation: generationOf(next, ++number) };
      for (const { worker } of decoders) worker.postMessage(message);
      return session.show(message);
    },
    counters: () => readCounters(counters),
    stop: () => session.stop(),
  };
}

function generationOf(catalog: Catalog, number: number): Generation {
  return {
    number,
    catalog: catalog.parts(),
    entries: createEntryBuffers(catalog.snapshot.entryCount),
    unpacked: createUnpackedStates(catalog.snapshot),
  };
}

/** A thread that unpacks members; it ends when the session thread says so. */
interface Decoder {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

function startDecoder(worker: Worker, start: DecoderStart, { onProblem }: MountOptions): Decoder {
  const ended = new Promise<void>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.type === "problem") onProblem(data.message);
      if (data.type === "ended") resolve();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      onProblem(`a decoder thread failed: ${event.message}`);
      resolve();
    };
    worker.postMessage(start);
  });
  return { worker, ended };
}

class SessionThread {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #options: MountOptions;
  readonly #memory: DecodeMemory;
  readonly #ready = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  /** Whoever waits for an index to be shown. */
  #shown: PromiseWithResolvers<readonly KnownName[]> | undefined;
  #address = 0n;
  #wakeFileDescriptor = -1;

  constructor(worker: Worker, memory: DecodeMemory, options: MountOptions) {
    this.#memory = memory;
    this.#options = options;
    this.ended = this.#over.promise;
    this.#worker = worker;
    this.#worker.onmessage = ({ data }: MessageEvent<SessionMessage>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(`the session thread failed: ${event.message}`);
    };
    this.#over.promise.catch(() => {});
  }

  /** Resolved when the mount answers. */
  start(start: SessionStart): Promise<void> {
    this.#worker.postMessage(start);
    return this.#ready.promise;
  }

  /** Has another index shown, and the kernel forget what was different; does nothing where nothing is mounted. */
  async show(message: ShowMessage): Promise<void> {
    if (this.#wakeFileDescriptor < 0) return;
    this.#shown = Promise.withResolvers();
    this.#send(message);
    const names = await this.#shown.promise;
    try {
      await forgetNames(this.#memory, this.#address, names);
    } catch (error) {
      this.#options.onProblem(`the kernel may show what was there before: ${String(error)}`);
    }
  }

  stop(): void {
    if (this.#wakeFileDescriptor < 0) return;
    this.#send({ type: "stop" });
  }

  #send(message: ShowMessage | StopMessage): void {
    this.#worker.postMessage(message);
    using waker = openWaker(this.#wakeFileDescriptor);
    waker.wake();
  }

  #receive(message: SessionMessage): void {
    if (message.type === "started") {
      this.#wakeFileDescriptor = message.wakeFileDescriptor;
      this.#address = message.address;
    } else if (message.type === "shown") this.#shown?.resolve(message.names);
    else if (message.type === "ready") this.#ready.resolve();
    else if (message.type === "problem") this.#options.onProblem(message.message);
    else if (message.type === "failed") this.#fail(message.message);
    else {
      this.#wakeFileDescriptor = -1;
      this.#shown?.resolve([]);
      this.#ready.reject(new MountError(`${this.#options.mountPoint} was unmounted before it answered`));
      this.#over.resolve();
    }
  }

  #fail(message: string): void {
    this.#wakeFileDescriptor = -1;
    this.#shown?.resolve([]);
    const error = new MountError(message);
    this.#ready.reject(error);
    this.#over.reject(error);
  }
}
