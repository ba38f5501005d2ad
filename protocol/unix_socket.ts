/**
 * Connecting to the daemon's socket, for every client.
 * @module
 */

/** No daemon answers at a socket. The message names the socket and says how to start a daemon. */
export class DaemonUnreachableError extends Error {
  /** Name of the class. */
  override readonly name = "DaemonUnreachableError";
  /** Path of the socket that was tried. */
  readonly path: string;

  /** Creates the error for the socket at `path`; `reason` is part of a sentence. */
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(
      `no daemon answers at ${path} (${reason}); start one with "pakfs daemon" or "pakfs mount SOURCE... MOUNTPOINT"`,
      options,
    );
    this.path = path;
  }
}

const rootUser = 0;

function unreachableReason(error: unknown): string | undefined {
  if (error instanceof Deno.errors.NotFound) return "no such socket";
  if (error instanceof Deno.errors.ConnectionRefused) return "no process listens on it";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied; it may be another user's";
  if (error instanceof Deno.errors.NotCapable) return undefined;
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether another user has made the socket to pass for a daemon; false if that cannot be determined. */
async function isStrangers(path: string): Promise<boolean> {
  try {
    const own = Deno.uid();
    const { uid } = await Deno.stat(path);
    return own !== rootUser && uid !== rootUser && uid !== own;
  } catch {
    return false;
  }
}

/**
 * Connects to the socket of a daemon. Requires `--allow-read` and `--allow-write` for `path`.
 * @throws {DaemonUnreachableError} if no process listens there, or another user has made the socket.
 */
export async function connectUnix(path: string): Promise<Deno.UnixConn> {
  if (await isStrangers(path)) throw new DaemonUnreachableError(path, "it is another user's");
  try {
    return await Deno.connect({ transport: "unix", path });
  } catch (error) {
    const reason = unreachableReason(error);
    if (reason === undefined) throw error;
    throw new DaemonUnreachableError(path, reason, { cause: error });
  }
}
