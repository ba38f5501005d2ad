/**
 * The session thread, as used by the main thread.
 * @module
 */
import { isMountPoint, openWaker, unmount, type Waker } from "deno-fuse-ffi";
import type { TreeParts } from "../views/mod.ts";
import { type Clock, systemClock, Thread } from "../system/mod.ts";
import { Invalidation } from "./invalidation.ts";
import type { CachedName } from "./layout/mounted_tree.ts";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type {
  KindsMessage,
  ReplaceMessage,
  SessionMessage,
  SessionOrder,
  SessionStart,
} from "./shared/thread_messages.ts";

/** Interval of the checks whether the kernel has processed notifications, and their timeout; milliseconds. */
const notifying = { pause: 5, timeout: 1000 } as const;

/** Mounting failed; the message is for the user. */
export class MountError extends Error {
  override readonly name = "MountError";
}

/** Mount point and callbacks of a session thread. */
export interface SessionOptions {
  readonly mountPoint: string;
  /** Called with a line for each request of the kernel. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Called once per damaged member, missing file or failed thread. */
  readonly onProblem: (message: string, source?: string) => void;
  /** Called with the number of an index and the resolved tree of one of its views. */
  readonly onTree: (version: number, view: string, tree: TreeParts) => void;
  /** Called when the first decoder is needed. */
  readonly onWork: () => void;
  /** Called when the thread of remote file systems with a number is needed. */
  readonly onRemote: (thread: number) => void;
  /** Called when the converter with a number is needed. */
  readonly onConverter: (thread: number) => void;
}

/** Sends messages to the session thread and handles its reports. */
export class SessionThread {
  readonly ended: Promise<void>;
  readonly #thread: Thread<SessionStart | SessionOrder, SessionMessage>;
  readonly #options: SessionOptions;
  readonly #memory: DecodeMemory;
  readonly #clock: Clock;
  readonly #ready = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  /** Resolves with the changed names when the sent index is shown. */
  #shown: PromiseWithResolvers<readonly CachedName[]> | undefined;
  #address = 0n;
  #wakeFileDescriptor = -1;
  /** Opened when the thread is first woken. */
  #waker: Waker | undefined;
  #invalidation: Invalidation | undefined;

  constructor(worker: Worker, memory: DecodeMemory, options: SessionOptions, clock: Clock = systemClock) {
    this.#memory = memory;
    this.#clock = clock;
    this.#options = options;
    this.ended = this.#over.promise;
    this.#thread = new Thread(worker, {
      onMessage: (message) => this.#receive(message),
      onFailure: (reason) => void this.#release(`the session thread failed: ${reason}`),
    });
    this.#over.promise.catch(() => {});
  }

  /** Starts the session; resolves when the mount is ready. */
  start(start: SessionStart): Promise<void> {
    this.#thread.post(start);
    return this.#ready.promise;
  }

  /** Shows another index, and invalidates the differences in the kernel; does nothing if nothing is mounted. */
  async show(message: ReplaceMessage): Promise<void> {
    if (this.#wakeFileDescriptor < 0) return;
    this.#shown = Promise.withResolvers();
    this.#send(message);
    const names = await this.#shown.promise;
    await this.#reportFailure(this.#invalidation?.forgetNames(names));
  }

  async #reportFailure(invalidation: Promise<void> | undefined): Promise<void> {
    try {
      await invalidation;
    } catch (error) {
      this.#options.onProblem(`the kernel may still show the previous index: ${String(error)}`);
    }
  }

  /** Sends the session the kinds of converted files that it shows; null: none. */
  announceKinds(kinds: KindsMessage["kinds"]): void {
    if (this.#wakeFileDescriptor >= 0) this.#send({ type: "kinds", kinds });
  }

  tidy(): void {
    if (this.#wakeFileDescriptor >= 0) this.#send({ type: "tidy" });
  }

  /** Address of libfuse's session, once it has started. */
  get address(): bigint {
    return this.#address;
  }

  /**
   * Ends the session, after the kernel has processed its notifications: a notification may wait for a page that a read
   * fills, and a thread that waits in the kernel keeps the process from ending, even by SIGKILL.
   */
  stop(): void {
    if (this.#wakeFileDescriptor < 0) return;
    this.#memory.refuseNotifications();
    const end = this.#clock.now() + notifying.timeout;
    const sendOnceTaken = () => {
      if (this.#wakeFileDescriptor < 0) return;
      const mayWait = this.#clock.now() < end;
      if (this.#memory.isNotifying && mayWait) this.#clock.after(notifying.pause, sendOnceTaken);
      else this.#send({ type: "stop" });
    };
    sendOnceTaken();
  }

  #send(message: SessionOrder): void {
    // At its end the session may not exist any more; this is reported separately.
    this.#memory.beforeEnd(() => {
      this.#memory.countMessage();
      this.#thread.post(message);
      this.#waker ??= openWaker(this.#wakeFileDescriptor);
      this.#waker.wake();
    });
  }

  #receive(message: SessionMessage): void {
    if (message.type === "started") {
      this.#wakeFileDescriptor = message.wakeFileDescriptor;
      this.#address = message.address;
      this.#invalidation = new Invalidation(this.#memory, message.address);
    } else if (message.type === "shown") this.#shown?.resolve(message.names);
    else if (message.type === "ready") this.#ready.resolve();
    else if (message.type === "problem") this.#options.onProblem(message.message, message.source);
    else if (message.type === "tree") this.#options.onTree(message.version, message.view, message.tree);
    else if (message.type === "work") this.#options.onWork();
    else if (message.type === "remote") this.#options.onRemote(message.thread);
    else if (message.type === "converter") this.#options.onConverter(message.thread);
    else if (message.type === "listAgain") {
      void this.#reportFailure(this.#invalidation?.forgetListings(message.directories));
    } else if (message.type === "request") this.#options.onRequest?.(message.line);
    else if (message.type === "failed") this.#fail(message.message);
    else {
      this.#close();
      this.#ready.reject(
        new MountError(`${this.#options.mountPoint} not mounted: it was unmounted before it answered`),
      );
      this.#over.resolve();
    }
  }

  /** Stops sending messages: the session has ended. */
  #close(): void {
    this.#wakeFileDescriptor = -1;
    this.#shown?.resolve([]);
    this.#waker?.close();
    this.#waker = undefined;
    this.#invalidation?.[Symbol.dispose]();
  }

  /** Detaches the mount of a failed session thread, so that waiting requests fail. */
  async #release(message: string): Promise<void> {
    const { mountPoint } = this.#options;
    this.#close();
    try {
      if (this.#address !== 0n && isMountPoint(mountPoint)) await unmount(mountPoint, { lazy: true });
    } catch (error) {
      this.#options.onProblem(String(error));
    }
    this.#fail(message);
  }

  #fail(message: string): void {
    this.#close();
    const error = new MountError(message);
    this.#ready.reject(error);
    this.#over.reject(error);
  }
}
