/**
 * `mount` while a daemon runs: that daemon mounts the games beside its own.
 * @module
 */
import { isMountPoint, unmount } from "deno-fuse-ffi";
import { UsageError } from "../command_line/usage.ts";
import type { OptionValues } from "../command_line/options.ts";
import { MountError } from "../mount/mount.ts";
import { ConnectionLostError, connectSocket, type SocketConnection } from "../protocol/client.ts";
import { errorCodes, RpcError } from "../protocol/messages.ts";
import type { ResultOf } from "../protocol/methods.ts";
import { socketPath } from "../protocol/socket_path.ts";
import { DaemonUnreachableError } from "../protocol/unix_socket.ts";
import { version } from "../protocol/version.ts";
import type { DaemonOptions } from "./lifecycle/daemon_options.ts";
import { mountRequest } from "./lifecycle/mount_request.ts";
import type { ScanDisplay } from "./lifecycle/scan_display.ts";

/** Flags that hold for a whole daemon. */
const daemonFlags = ["debug-fuse", "log-format"] as const;

/** A mount that a running daemon has made. */
export interface JoinedMount {
  readonly socket: string;
  /** Process of the daemon. */
  readonly pid: number;
  readonly mounted: ResultOf<"mount">;
}

/**
 * Has the daemon at the socket of a mount make it; undefined if none answers there, or it is just ending.
 * @throws {MountError | UsageError} if it cannot.
 */
export async function joinDaemon(
  options: DaemonOptions,
  given: OptionValues,
  display: ScanDisplay,
): Promise<JoinedMount | undefined> {
  const path = socketPath(options.socket);
  try {
    await using connection = await connectSocket(path, {
      client: `pakfs mount ${version}`,
      onProgress: ({ done, total, name }) => display.update(done, total, name),
    });
    requireJoinable(connection, given, path);
    const mounted = await connection.call("mount", mountRequest(options));
    return { socket: path, pid: connection.server.pid, mounted };
  } catch (error) {
    if (error instanceof DaemonUnreachableError && /did not answer/.test(error.message)) {
      throw new MountError(`${path}: the daemon does not answer; end it, or choose another --socket`, { cause: error });
    }
    if (error instanceof DaemonUnreachableError || error instanceof ConnectionLostError) return undefined;
    if (!(error instanceof RpcError)) throw error;
    if (error.code === errorCodes.cancelled) return undefined;
    if (error.code === errorCodes.invalidParams) throw new UsageError(error.message);
    throw new MountError(error.message, { cause: error });
  } finally {
    display.end();
  }
}

function requireJoinable({ server }: SocketConnection, given: OptionValues, path: string): void {
  const other = `end it with "pakfs stop", or give this mount a daemon of its own with --socket PATH`;
  if (!server.capabilities.includes("mount")) {
    throw new MountError(`the daemon at ${path} is pakfs ${server.version} and makes no second mount; ${other}`);
  }
  const flag = daemonFlags.find((name) => given.flag(name));
  const runs = `and process ${server.pid} serves this user already`;
  if (flag !== undefined) throw new UsageError(`--${flag} holds for a whole daemon, ${runs}; ${other}`);
}

/** Time between two looks at the table of mounts; milliseconds. */
const betweenLooks = 250;

/** Signals that end a command in the foreground. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Notes signals from before a mount is made until it has ended, so that none leaves it behind. */
export class Foreground implements Disposable {
  #isOver = false;
  readonly #stop = () => void (this.#isOver = true);

  constructor() {
    for (const signal of endingSignals) Deno.addSignalListener(signal, this.#stop);
  }

  /** Returns once a mount is gone; unmounts it at a signal. */
  async hold(mountPoint: string): Promise<void> {
    while (!this.#isOver && isMountPoint(mountPoint)) {
      // deno-lint-ignore no-await-in-loop -- waiting is the point
      await new Promise((resolve) => setTimeout(resolve, betweenLooks));
    }
    if (isMountPoint(mountPoint)) await unmount(mountPoint, { lazy: true });
  }

  [Symbol.dispose](): void {
    for (const signal of endingSignals) Deno.removeSignalListener(signal, this.#stop);
  }
}
