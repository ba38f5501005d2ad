/**
 * The remote file systems, which of them do not answer now, and the one rule for all that waits for them.
 *
 * Files on them are called by readers only: threads, or processes ({@linkcode ReaderProcess}), that note each call before
 * they make it (`call_watch.ts`). A file system hangs while a call of any reader takes longer than its timeout; it is
 * judged by these calls, not by a probe, which the kernel may answer from its cache. While it hangs, what waits for it
 * fails at once, what comes is not tried, and the thread or process that waits is left alone: the kernel keeps it. When
 * the call returns, the file system answers again; its next calls get twice the time until {@linkcode forgive}, as it may
 * be slow only.
 * @module
 */
import { ArchiveError } from "../formats/parts.ts";
import type { CallUnderWay } from "./call_watch.ts";
import { FileSystems, type RemoteFileSystem } from "./file_systems.ts";

/** Milliseconds that a call on a file may take for a command. */
const defaultTimeout = 5000;
/** Time between two looks at the calls of readers; milliseconds. */
const betweenLooks = 250;
/** Maximum factor of the timeout of a slow file system. */
const maxAllowance = 64;
/** Numbers fit in a byte; file systems beyond share the last one. */
const maxNumber = 255;

/** A call that takes too long, or a file system that others wait for. */
export interface HungCall {
  /** Empty if it is unknown. */
  readonly path: string;
  /** Number of the file system; 0 if it is not known as one that may hang. */
  readonly fileSystem: number;
  /** Mount point; null if unknown. */
  readonly mountPoint: string | null;
}

/** The file system that a file is on does not answer. */
export class NotAnsweringError extends ArchiveError implements HungCall {
  /** Name of the class. */
  override readonly name = "NotAnsweringError";
  readonly fileSystem: number;
  readonly mountPoint: string | null;

  /** @param subject Description of the file system. */
  constructor(subject: string, { path, fileSystem, mountPoint }: HungCall) {
    super(`${subject} does not answer`, { path });
    this.fileSystem = fileSystem;
    this.mountPoint = mountPoint;
  }
}

/** A thread or process that calls files. */
export interface WatchedReader {
  /** Returns its calls that have not returned. */
  readonly calls: () => readonly ReaderCall[];
  /** Returns the number of the file system that a path is on; default: by the table of mounts. */
  readonly locate?: (path: string) => number;
  /** File systems that it cannot do without, even if others wait for them; default: none. */
  readonly needs?: (fileSystem: number) => boolean;
  /** Milliseconds that a call may take; default: the list's timeout. */
  readonly timeout?: number;
}

/** A call of a reader. */
export interface ReaderCall extends CallUnderWay {
  /** Mount point of its file system, if the reader knows it. */
  readonly mountPoint?: string | null;
}

/** A call that was running at the last check. */
interface SeenCall extends HungCall {
  readonly since: number;
}

/** A reader, and who is informed of it. */
interface Watch extends WatchedReader {
  readonly onLook: (hung: HungCall | undefined) => void;
  seen: ReadonlyMap<string, SeenCall>;
}

/** Options of {@linkcode RemoteFileSystems}. */
export interface RemoteOptions {
  /** Returns the text of `/proc/self/mountinfo`, empty where that cannot be read; default: it is empty. */
  readonly readTable?: () => string;
  /** Milliseconds that a call may take. */
  readonly timeout?: number;
  /** Called when a file system no longer answers, and when it does again. */
  readonly report?: (sentence: string, isProblem: boolean) => void;
  /** Returns where this process itself mounts. */
  readonly ownMounts?: () => readonly string[];
}

/** Remote file systems by number, for the life of a process. Main thread only. */
export class RemoteFileSystems implements Disposable {
  readonly #options: RemoteOptions;
  readonly #timeout: number;
  readonly #numbers = new Map<string, number>();
  readonly #known: RemoteFileSystem[] = [];
  readonly #watches = new Set<Watch>();
  #hung: ReadonlySet<number> = new Set();
  /** Factors of timeouts, by number of the file system. */
  readonly #allowances = new Map<number, number>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;
  #table = "";
  protected fileSystems: FileSystems = new FileSystems("");

  constructor(options: RemoteOptions = {}) {
    this.#options = options;
    this.#timeout = options.timeout ?? defaultTimeout;
  }

  /** Returns the number of the remote file system that a path is on or has below it, 0 if it has none. */
  numberOf(path: string): number {
    this.renewed();
    return this.numberFor(this.fileSystems.remoteIn(path));
  }

  /** Returns whether a path is on a remote file system. */
  isRemote(path: string): boolean {
    this.renewed();
    return this.fileSystems.remoteOf(path) !== undefined;
  }

  /** Returns the file system of a number. */
  fileSystem(number: number): RemoteFileSystem | undefined {
    return this.#known[number - 1];
  }

  /** Returns whether a file system does not answer. */
  isHung(number: number): boolean {
    return this.#hung.has(number);
  }

  /** Returns a sentence for each file system that does not answer. */
  problems(): string[] {
    return Array.from(this.#hung, (number) => this.#sentence(number));
  }

  /** Returns where a file system is mounted, and its type. */
  describe(number: number): string {
    const fileSystem = this.fileSystem(number);
    return fileSystem ? `${fileSystem.mountPoint} (${fileSystem.type})` : "a remote file system";
  }

  /** Calls `listener` when a file system answers that did not. */
  onBack(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Gives slow file systems no more time than others. */
  forgive(): void {
    this.#allowances.clear();
  }

  /**
   * Looks at the calls of a reader from time to time.
   * @param onLook Called at each look, with a call of it or a file system that does not answer.
   * @returns Ends that.
   */
  watch(reader: WatchedReader, onLook: (hung: HungCall | undefined) => void): () => void {
    const watch: Watch = { ...reader, onLook, seen: new Map() };
    this.#watches.add(watch);
    if (!this.#isClosed) this.#timer ??= setInterval(() => this.#look(), betweenLooks);
    return () => {
      if (!this.#watches.delete(watch) || this.#watches.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#look();
    };
  }

  /**
   * Returns the result of work that a reader does.
   * @param path Subject of the work, for messages; default: the path of the call that hangs.
   * @throws {NotAnsweringError} as soon as what it needs does not answer. It is watched until the work is over.
   */
  async answered<Result>(reader: WatchedReader, work: () => Promise<Result>, path?: string): Promise<Result> {
    const hung = Promise.withResolvers<never>();
    const fail = (call: HungCall) => hung.reject(this.#error({ ...call, path: path ?? call.path }));
    const needed = this.#hung.values().find((number) => reader.needs?.(number));
    if (needed !== undefined) throw this.#error({ ...this.#place(needed), path: path ?? "" });
    const result = work();
    const unwatch = this.watch(reader, (call) => call && fail(call));
    result.catch(() => {}).finally(unwatch);
    return await Promise.race([result, hung.promise]);
  }

  /** Fails what waits, as if nothing answered, and reports no more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { onLook } of this.#watches) onLook({ path: "", ...this.#place(0) });
    this.#watches.clear();
  }

  /** Reads the table of mounts again; returns it, and whether there is or was a remote file system. */
  protected renewed(): { readonly table: string; readonly hasRemotes: boolean } {
    // There is a mount: an empty text means that the table could not be read.
    const table = this.#options.readTable?.() || this.#table;
    if (table !== this.#table) this.fileSystems = new FileSystems(table, this.#options.ownMounts?.());
    this.#table = table;
    return { table, hasRemotes: this.#known.length > 0 || this.fileSystems.hasRemotes };
  }

  /** Returns the number of a remote file system; 0 for none. */
  protected numberFor(fileSystem: RemoteFileSystem | undefined): number {
    if (!fileSystem) return 0;
    const known = this.#numbers.get(fileSystem.device);
    if (known !== undefined) return known;
    const number = Math.min(maxNumber, this.#known.length + 1);
    this.#numbers.set(fileSystem.device, number);
    if (number > this.#known.length) this.#known.push(fileSystem);
    return number;
  }

  #look(): void {
    const now = performance.now();
    const silences = new Map<number, number>();
    for (const watch of this.#watches) {
      watch.seen = new Map(
        watch.calls().map((call) => [call.id, watch.seen.get(call.id) ?? this.#see(watch, call, now)]),
      );
      for (const { fileSystem, since } of watch.seen.values()) {
        if (fileSystem > 0) silences.set(fileSystem, Math.max(now - since, silences.get(fileSystem) ?? 0));
      }
    }
    this.#note(new Set(silences.keys().filter((number) => this.#isLate(number, silences.get(number)))));
    for (const watch of this.#watches) {
      const { seen, timeout, needs } = watch;
      const own = seen.values().find(({ fileSystem, since }) => this.#isLate(fileSystem, now - since, timeout));
      const needed = silences.entries().find(([number, silence]) =>
        needs?.(number) && this.#isLate(number, silence, timeout)
      );
      watch.onLook(own ?? (needed && { ...this.#place(needed[0]), path: "" }));
    }
  }

  #see({ locate }: Watch, { path, mountPoint }: ReaderCall, since: number): SeenCall {
    this.renewed();
    // Without a path it is no call on a source.
    const located = path === "" ? 0 : locate?.(path) ?? this.numberFor(this.fileSystems.remoteOf(path));
    return { path, since, ...this.#place(located), ...mountPoint ? { mountPoint } : {} };
  }

  #isLate(number: number, silence = 0, timeout: number = this.#timeout): boolean {
    return silence > timeout * (this.#allowances.get(number) ?? 1);
  }

  /** Reports the file systems that hang now and did not, and the other way round. */
  #note(hung: ReadonlySet<number>): void {
    const before = this.#hung;
    this.#hung = hung;
    for (const number of hung.difference(before)) this.#options.report?.(this.#sentence(number), true);
    const back = before.difference(hung);
    for (const number of back) {
      this.#allowances.set(number, Math.min(maxAllowance, 2 * (this.#allowances.get(number) ?? 1)));
      this.#options.report?.(`${this.describe(number)} answers again`, false);
    }
    if (back.size > 0) { for (const listener of this.#listeners) listener(); }
  }

  #place(fileSystem: number): Omit<HungCall, "path"> {
    return { fileSystem, mountPoint: this.fileSystem(fileSystem)?.mountPoint ?? null };
  }

  #error(call: HungCall): NotAnsweringError {
    return new NotAnsweringError(call.fileSystem > 0 ? this.describe(call.fileSystem) : "it", call);
  }

  #sentence(number: number): string {
    return `${this.describe(number)} does not answer; its files are kept in the index and cannot be read until it does`;
  }
}

/**
 * Returns the result of a call on files; `undefined` if it does not return in time, and then the process must end with
 * `Deno.exit`.
 */
export async function answerInTime<Result extends object>(
  call: Promise<Result>,
  timeout: number = defaultTimeout,
): Promise<Result | undefined> {
  // Not `setTimeout`: Deno loads modules at the first call, for which a mount would wait.
  const late = AbortSignal.timeout(timeout);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  late.addEventListener("abort", end);
  return await Promise.race([call, promise]).finally(() => late.removeEventListener("abort", end));
}
