/**
 * Connects to the daemon's socket, for every client.
 * @module
 */
import { strangerOnWay } from "./socket_owner.ts";

/** No daemon replies at a socket. The message has the socket and how to start a daemon. */
export class DaemonUnreachableError extends Error {
  /** Name of the class. */
  override readonly name = "DaemonUnreachableError";
  /** Path of the socket that was tried. */
  readonly path: string;

  /** Creates the error for the socket at `path`; `reason` is part of a sentence. */
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(
      `no daemon answers at ${path} (${reason}); start one with "pakfs daemon" or "pakfs mount SOURCE... MOUNTPOINT", or ` +
        "name a game's directory: --source DIR",
      options,
    );
    this.path = path;
  }
}

const rootUser = 0;

function unreachableReason(error: unknown): string | undefined {
  if (error instanceof Deno.errors.NotFound) return "no such socket";
  if (error instanceof Deno.errors.ConnectionRefused) return "no process listens on it";
  if (error instanceof Deno.errors.WouldBlock) return "it did not answer: too many clients wait for it";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied; it may be another user's";
  if (error instanceof Deno.errors.NotCapable) return undefined;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Connects to the socket of a daemon. Requires `--allow-read` for `path` and the directories above it, `--allow-write`
 * for `path`, and `--allow-sys=uid,gid`.
 * @param onStranger Called with a message if another user may have created the socket; root is connected anyway.
 * @throws {DaemonUnreachableError} if no process listens there, or another user may have created the socket.
 */
export async function connectUnix(
  path: string,
  onStranger?: (sentence: string) => void,
): Promise<Deno.UnixConn> {
  try {
    // Before connecting, not after: no other user can change the path of the socket.
    const stranger = strangerOnWay(path);
    if (stranger !== undefined) {
      if (Deno.uid() !== rootUser || !onStranger) throw new DaemonUnreachableError(path, `not safe: ${stranger}`);
      onStranger(`${path}: ${stranger}; it is used nonetheless, as --socket names it`);
    }
    return await Deno.connect({ transport: "unix", path });
  } catch (error) {
    if (error instanceof DaemonUnreachableError) throw error;
    const reason = unreachableReason(error);
    if (reason === undefined) throw error;
    throw new DaemonUnreachableError(path, reason, { cause: error });
  }
}
