/**
 * One mount of the daemon, from its mount point to its end. Without a mount point it does nothing.
 * @module
 */
import { isInUse } from "deno-fuse-ffi";
import type { Catalog } from "../../views/mod.ts";
import { Mount, type MountOptions, type PrestartedSession } from "../../mount/mod.ts";
import { lockDirectory, type Log } from "../../system/mod.ts";
import { type MountPoint, requireFree } from "./mount_point.ts";

/** Options of a mount without its mount point. */
type StartOptions = Omit<MountOptions, "mountPoint">;

/** One mount of a daemon. */
export class DaemonMount implements AsyncDisposable {
  /** Mount point, or null. */
  readonly location: MountPoint | null;
  readonly #threads: PrestartedSession;
  readonly #log: Log;
  readonly #ended = Promise.withResolvers<void>();
  #mount: Mount | undefined;
  #rootView: string | null = null;
  #hasEnded = false;
  #isStopping = false;

  /** @param threads Threads of the mount; without a mount point they end at once. */
  constructor(location: MountPoint | null, threads: PrestartedSession, log: Log) {
    this.location = location;
    this.#threads = threads;
    this.#log = log;
    this.#ended.promise.catch(() => {});
    if (location === null) threads[Symbol.dispose]();
  }

  /** Absolute path of the mount point, or null. */
  get path(): string | null {
    return this.location && this.location.path;
  }

  /** The view at the mount point itself; null if each view has a directory. */
  get rootView(): string | null {
    return this.#rootView;
  }

  /** Whether the mount is ready. */
  get isMounted(): boolean {
    return this.#mount !== undefined && !this.#hasEnded;
  }

  /** Whether it was mounted and is gone. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolved when a mount that was started is gone; rejected if its session broke. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /**
   * Mounts a catalog. Returns once the mount is ready.
   * @param onFree Called before mounting, when nothing is mounted there: a mount seen there afterwards is this one.
   * @throws {MountError} if it cannot be mounted.
   */
  async start(catalog: Catalog, options: StartOptions, onFree: () => void): Promise<void> {
    if (this.location === null) return;
    const mountPoint = this.location.path;
    // Another daemon may have mounted there since this one was started: a second mount would hide the first.
    using _lock = await lockDirectory(mountPoint);
    requireFree(mountPoint);
    onFree();
    // fusermount3 refuses a link.
    this.#mount = await Mount.start(catalog, this.#threads, { ...options, mountPoint: this.location.real });
    this.#rootView = options.layout.view;
    this.#mount.ended.finally(() => this.#hasEnded = true).then(this.#ended.resolve, this.#ended.reject);
  }

  /**
   * Shows another index. Resolves when every program sees it.
   * @param games Names of the games that are shown.
   */
  async show(catalog: Catalog, games: readonly string[]): Promise<void> {
    if (this.isMounted) await this.#mount?.show(catalog, games);
  }

  /** Tells the threads to release memory of earlier indexes. */
  tidy(): void {
    this.#mount?.tidy();
  }

  /** Returns counters since the start. */
  counters(): Record<string, number> {
    return this.#mount?.counters() ?? {};
  }

  /** Returns the number of failed reads since the start, by path of the pack or game directory. */
  failedReads(): Map<string, number> {
    return this.#mount?.failedReads() ?? new Map();
  }

  /** Begins to unmount. */
  stop(): void {
    if (!this.#mount || this.#isStopping || this.#hasEnded) return;
    this.#isStopping = true;
    const { mountPoint } = this.#mount;
    if (isInUse(mountPoint)) {
      this.#log.write("notice", `${mountPoint} is busy; detached it anyway: open files will fail`);
    }
    this.#mount.stop();
  }

  /** Unmounts, and waits until the mount is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    this.#threads[Symbol.dispose]();
    await this.#mount?.ended.catch((error) => this.#log.write("warning", String(error)));
  }
}
