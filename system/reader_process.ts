/**
 * A process that reads files which may hang. A thread that hangs in the kernel keeps its process from ending in any
 * way; so calls that may hang are made in another process, which is abandoned in that case.
 *
 * A thread that hangs in a system call cannot be ended, so the process ends with `Deno.exit`; and the kernel keeps a
 * process, even from SIGKILL, until its threads return. So games are looked at by a process that nothing waits for, and
 * which holds no stream of its parent open. Reads of mounted files and of questions wait in threads of the daemon, whose
 * memory has the index and the requests of the kernel.
 * @module
 */
import { join } from "@std/path";
import { programRoot } from "./program_root.ts";
import { encodeFrame, type ReaderFrame, readFrames } from "./reader_frames.ts";
import {
  answerInTime,
  NotAnsweringError,
  type ReaderCall,
  RemoteFileSystems,
  type RemoteOptions,
} from "./remote_file_systems.ts";

const config = join(programRoot, "deno.json");
const script = join(programRoot, "system/reader");
const program = new URL("./reader_program_worker.ts", import.meta.url).href;
/** Time that a process may take to end; milliseconds. */
const maxEnd = 1000;
/** The kernel starts nothing with a variable that is longer. */
const maxTable = 100_000;

/** Bounds each temporary file of SQLite to 4 GiB, as `system/reader` does: writing more is an error. */
const fileLimit = "trap '' XFSZ; ulimit -f 8388608";

/** Starts the program of a reader, with all permissions if this one has them: Deno opens no file below `/dev` with less. */
function spawn(parameters: readonly string[]): Deno.ChildProcess {
  // It may outlive this process, and must not keep a pipe open that is this process's standard error.
  const streams = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
  if (Deno.permissions.querySync({ name: "run" }).state !== "granted") {
    return new Deno.Command(script, { args: [...parameters], ...streams }).spawn();
  }
  const args = ["run", "--quiet", "--no-prompt", "--cached-only", "--config", config, "--allow-all", ...parameters];
  const table = Deno.readTextFileSync("/proc/self/mountinfo");
  const env = { PAKFS_MOUNTS: table.length < maxTable ? table : "" };
  const command = ["-c", `${fileLimit}; exec "$@"`, "sh", Deno.execPath(), ...args];
  return new Deno.Command("/bin/sh", { args: command, env, ...streams }).spawn();
}

/** A process that carries out orders by a module's `answer`, one at a time: {@linkcode ReaderModule}. */
export class ReaderProcess<Order, Answer, Progress = never> implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #frames: ReadableStreamDefaultReader<Uint8Array>;
  readonly #orders: WritableStreamDefaultWriter<Uint8Array>;
  /** Why nothing is answered any more. */
  #end: Error | undefined;
  #answer: PromiseWithResolvers<Answer> | undefined;
  #onProgress: (progress: Progress) => void = () => {};
  #calls: readonly ReaderCall[] = [];
  #endsLater = false;

  /** @param module Address of the module. */
  constructor(module: URL) {
    this.#child = spawn([program, module.href]);
    this.#child.unref();
    this.#orders = this.#child.stdin.getWriter();
    this.#frames = this.#child.stdout.getReader();
    void this.#receive();
  }

  /** Returns its calls that take long. */
  readonly calls = (): readonly ReaderCall[] => this.#calls;

  /** Carries out an order, however long its calls take. */
  async ask(order: Order, onProgress: (progress: Progress) => void = () => {}): Promise<Answer> {
    if (this.#end) throw this.#end;
    const answer = this.#answer = Promise.withResolvers<Answer>();
    this.#onProgress = onProgress;
    void this.#send(order);
    return await answer.promise;
  }

  /** Leaves the process alone until its calls return, which says that their file system answers again. */
  endLater(): void {
    this.#endsLater = true;
    this.#note(this.#calls);
  }

  /** Ends the process, which the kernel may keep: an unfinished call is not awaited. */
  async [Symbol.asyncDispose](): Promise<void> {
    const isHung = this.#calls.length > 0;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await Promise.all([this.#orders.close().catch(() => {}), this.#frames.cancel().catch(() => {})]);
    if (isHung) return;
    this.#child.ref();
    // A call that hangs may not have been noticed yet.
    await answerInTime(this.#child.status, maxEnd);
    this.#child.unref();
  }

  async #send(order: Order): Promise<void> {
    try {
      // deno-lint-ignore no-await-in-loop -- no part is made before the one before it has been read
      for (const bytes of encodeFrame({ order })) await this.#orders.write(bytes);
    } catch {
      // It has ended, which its answers say.
    }
  }

  async #receive(): Promise<void> {
    let reason = "the process that reads files has ended";
    try {
      for await (const frame of readFrames(this.#frames)) this.#take(frame as ReaderFrame);
    } catch (error) {
      reason = `${reason}: ${error}`;
    }
    this.#calls = [];
    this.#end = new Error(reason);
    this.#answer?.reject(this.#end);
  }

  #take(frame: ReaderFrame): void {
    if (frame.type === "progress") this.#onProgress(frame.progress as Progress);
    else if (frame.type === "answer") this.#answer?.resolve(frame.answer as Answer);
    else if (frame.type === "failure") this.#answer?.reject(new Error(frame.message));
    else this.#note(frame.calls);
  }

  #note(calls: readonly ReaderCall[]): void {
    this.#calls = calls;
    if (calls.length === 0 && this.#endsLater) void this[Symbol.asyncDispose]();
  }
}

/** Order for a module that leaves out what does not answer. */
export interface CarefulOrder {
  /** Unresponsive paths and mount points: {@linkcode hidesFrom}. */
  readonly silent: readonly string[];
}

/** Sends a request to a module in a separate process until it replies, each time without the paths that hung before. */
export class CarefulReader<Order extends object, Answer> implements AsyncDisposable {
  readonly #module: URL;
  readonly #remotes: RemoteFileSystems;
  readonly #silent: string[] = [];
  #process: ReaderProcess<Order & CarefulOrder, Answer> | undefined;

  /** @param module Address of the module. */
  constructor(module: URL, options: RemoteOptions = {}) {
    this.#module = module;
    this.#remotes = new RemoteFileSystems(options);
  }

  /** Unresponsive paths and mount points. */
  get silent(): readonly string[] {
    return this.#silent;
  }

  /**
   * Carries out an order.
   * @throws {NotAnsweringError} if the module looks at what does not answer although it knows that.
   */
  async ask(order: Order): Promise<Answer> {
    for (;;) {
      const process = this.#process ??= new ReaderProcess(this.#module);
      try {
        // deno-lint-ignore no-await-in-loop -- again only without what does not answer
        return await this.#remotes.answered(process, () => process.ask({ ...order, silent: this.#silent }));
      } catch (error) {
        if (!(error instanceof NotAnsweringError)) throw error;
        this.#process = undefined;
        process.endLater();
        const silent = error.mountPoint ?? error.path;
        if (this.#silent.includes(silent)) throw error;
        this.#silent.push(silent);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }
}
