/**
 * `mount` and `daemon` while a daemon runs: that daemon mounts the games in addition to its own.
 *
 * A second `pakfs mount` joins the daemon at its socket instead of starting one, since commands ask one daemon: Deno
 * grants the daemon all reading, so it needs no permission for new directories. The requesting process sorts sources
 * into games (`daemon/mount_sources.ts`) and sends them as a configuration. Only the demo opens a separate socket if
 * the default one is in use, since its games have the names of real games.
 * @module
 */
import { isMountPoint, releaseDeadMount, unmount } from "deno-fuse-ffi";
import { Log, type OptionValues, UsageError } from "../system/mod.ts";
import { messageOf } from "../formats/parts.ts";
import { MountError } from "../mount/mod.ts";
import {
  ConnectionLostError,
  connectSocket,
  DaemonUnreachableError,
  errorCodes,
  type ResultOf,
  RpcError,
  type SocketConnection,
  socketPath,
  version,
} from "../protocol/mod.ts";
import type { DaemonOptions, OptionsReader, ProcessContext } from "./lifecycle/daemon_options.ts";
import { mountRequest } from "./lifecycle/mount_request.ts";
import { ScanDisplay } from "./lifecycle/scan_display.ts";

/** Flags that apply to the whole daemon. */
const daemonFlags = ["debug-fuse", "log-format"] as const;

/** A mount that a running daemon has made. */
export interface JoinedMount {
  readonly socket: string;
  /** Process of the daemon. */
  readonly pid: number;
  readonly mounted: ResultOf<"mount">;
}

/**
 * Asks the daemon at a mount's socket to mount; undefined if no daemon replies, it is just ending, or a signal aborts.
 * @throws {MountError | UsageError} if it cannot.
 */
export async function joinDaemon(
  options: DaemonOptions,
  given: OptionValues,
  { display, signal }: { readonly display: ScanDisplay; readonly signal?: AbortSignal | undefined },
): Promise<JoinedMount | undefined> {
  const path = socketPath(options.socket);
  const request = mountRequest(options);
  const { mount } = request.config;
  const wasMounted = isMountPoint(mount);
  const cancelling = signal ? { signal } : {};
  try {
    await using connection = await connectSocket(path, {
      client: `pakfs mount ${version}`,
      onProgress: ({ done, total, name }) => display.update(done, total, name),
      ...cancelling,
    });
    requireJoinable(connection, given, path);
    const mounted = await connection.call("mount", request, cancelling);
    return { socket: path, pid: connection.server.pid, mounted };
  } catch (error) {
    if (error instanceof DaemonUnreachableError && /did not answer/.test(error.message)) {
      throw new MountError(`${path}: the daemon does not answer; end it, or choose another --socket`, { cause: error });
    }
    if (error instanceof DaemonUnreachableError || error instanceof ConnectionLostError) return undefined;
    if (!(error instanceof RpcError)) throw error;
    if (error.code === errorCodes.cancelled) {
      // The daemon may have mounted before it got to know.
      if (signal?.aborted && !wasMounted && isMountPoint(mount)) await unmount(mount, { lazy: true });
      return undefined;
    }
    if (error.code === errorCodes.invalidParams) throw new UsageError(error.message);
    throw new MountError(error.message, { cause: error });
  } finally {
    display.end();
  }
}

function requireJoinable({ server }: SocketConnection, given: OptionValues, path: string): void {
  const other = `end it with "pakfs stop", or use a separate daemon for this mount: --socket PATH`;
  if (!server.capabilities.includes("mount")) {
    throw new MountError(`the daemon at ${path} is pakfs ${server.version} and cannot add mounts; ${other}`);
  }
  const flag = daemonFlags.find((name) => given.flag(name));
  const runs = `and process ${server.pid} serves this user already`;
  if (flag !== undefined) throw new UsageError(`--${flag} applies to a whole daemon, ${runs}; ${other}`);
}

/** Poll interval of the table of mounts, in milliseconds. */
const betweenLooks = 250;

/** Signals that end a command in the foreground, or make a service reload its configuration. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Records signals from before mounting until the mount has ended, so that no signal leaves a mount behind. */
export class Foreground implements Disposable {
  readonly #over = new AbortController();
  #isToReload = false;
  readonly #listeners: ReadonlyMap<Deno.Signal, () => void>;

  /** @param reloads Whether SIGHUP asks to reload, instead of ending the command. */
  constructor(reloads = false) {
    const stop = () => this.#over.abort();
    const reload = () => void (this.#isToReload = true);
    this.#listeners = new Map(signals.map((signal) => [signal, reloads && signal === "SIGHUP" ? reload : stop]));
    for (const [signal, listener] of this.#listeners) Deno.addSignalListener(signal, listener);
  }

  /** Aborts at a signal that ends the command. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /**
   * Returns `over` once a mount is gone (a signal unmounts it), `lost` once it is released because its daemon has died,
   * and `reload` at a signal to reload.
   */
  async hold({ mounted: { mount }, socket }: JoinedMount): Promise<"over" | "lost" | "reload"> {
    await using daemon = await DaemonWatch.of(socket);
    for (;;) {
      // deno-lint-ignore no-await-in-loop -- waiting is the point
      if (this.signal.aborted && isMountPoint(mount)) await unmount(mount, { lazy: true });
      if (!isMountPoint(mount)) return "over";
      if (!daemon.isAlive && releaseDeadMount(mount)) return "lost";
      if (daemon.isAlive && this.#isToReload) {
        this.#isToReload = false;
        return "reload";
      }
      // deno-lint-ignore no-await-in-loop -- waiting is the point
      await new Promise((resolve) => setTimeout(resolve, betweenLooks));
    }
  }

  [Symbol.dispose](): void {
    for (const [signal, listener] of this.#listeners) Deno.removeSignalListener(signal, listener);
  }
}

/** A connection that ends when the daemon at its other end does. */
class DaemonWatch implements AsyncDisposable {
  isAlive = true;
  readonly #connection: SocketConnection | undefined;

  private constructor(connection: SocketConnection | undefined) {
    this.#connection = connection;
    this.isAlive = connection !== undefined;
  }

  /** Connects to the daemon at a socket. */
  static async of(socket: string): Promise<DaemonWatch> {
    const connection = await connectSocket(socket, { client: `pakfs mount ${version}` }).catch(() => undefined);
    const watch = new DaemonWatch(connection);
    void watch.#follow();
    return watch;
  }

  /** Subscribes to events, so that the daemon does not consider the connection idle. */
  async #follow(): Promise<void> {
    try {
      const events = await this.#connection?.subscribe({ views: [] }) ?? [];
      for await (const _ of events) { /* only the end counts */ }
    } catch {
      // The connection is lost.
    }
    this.isAlive = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.close();
  }
}

/** Parts of a process that serves a configuration. */
export interface BesideParts extends Pick<ProcessContext, "manager" | "launcher"> {
  readonly read: OptionsReader;
  /** Whether SIGHUP reloads the configuration. */
  readonly reloads: boolean;
}

/**
 * Asks the running daemon of this user to mount the games of a configuration, and waits until the mounts end.
 * @returns False if no daemon runs, or it has died: this process must serve the games itself, unless a signal ends it.
 * @throws {MountError | UsageError | ConfigError} if it cannot.
 */
export async function serveBeside(given: OptionValues, parts: BesideParts): Promise<boolean> {
  const { read, manager, launcher } = parts;
  using foreground = new Foreground(parts.reloads);
  for (;;) {
    // deno-lint-ignore no-await-in-loop -- one configuration after the other
    const options = await read();
    const log = new Log({ quiet: options.quiet, format: options.logFormat });
    // deno-lint-ignore no-await-in-loop -- as above
    const joined = await joinDaemon(options, given, {
      display: new ScanDisplay(launcher, options.quiet),
      signal: foreground.signal,
    });
    if (!joined) return foreground.signal.aborted;
    const { mounted: { mount, problems }, socket, pid } = joined;
    for (const problem of problems) log.write("warning", problem);
    const state = `mounted at ${mount} by process ${pid}, which serves this user already`;
    log.write("notice", `${state}; socket ${socket}`);
    launcher.succeed(socket);
    manager.ready(() => state);
    // deno-lint-ignore no-await-in-loop -- as above
    const end = await holdUntilChanged(joined, foreground, { read, manager, log });
    if (end === "unmounted") continue;
    if (end === "lost") log.write("warning", `process ${pid}, which served ${mount}, has died; serving the games here`);
    else manager.stopping();
    return end === "over";
  }
}

/** Waits until a mount is over or lost; unmounts it if the configuration has changed and must be mounted again. */
async function holdUntilChanged(
  joined: JoinedMount,
  foreground: Foreground,
  { read, manager, log }: Pick<BesideParts, "read" | "manager"> & { readonly log: Log },
): Promise<"over" | "lost" | "unmounted"> {
  const { socket, mounted: { mount } } = joined;
  for (;;) {
    // deno-lint-ignore no-await-in-loop -- one signal after the other
    const end = await foreground.hold(joined);
    if (end !== "reload") return end;
    manager.reloading();
    try {
      // deno-lint-ignore no-await-in-loop -- as above
      await read();
      // deno-lint-ignore no-await-in-loop -- as above
      await unmountAt(socket, mount);
      return "unmounted";
    } catch (error) {
      log.write("warning", `configuration not reloaded: ${messageOf(error)}`);
      manager.reloaded();
    }
  }
}

async function unmountAt(socket: string, mount: string): Promise<void> {
  await using connection = await connectSocket(socket, { client: `pakfs daemon ${version}` });
  await connection.call("unmount", { mount });
}
