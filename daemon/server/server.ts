/**
 * The daemon's socket: creates it, accepts clients and removes it.
 * @module
 */
import { dirname } from "@std/path";
import { messageOf } from "../../formats/parts.ts";
import { type Clock, lockDirectory, systemClock } from "../../system/mod.ts";
import { maxClients, maxGreetingTime, strangerOnWay } from "../../protocol/mod.ts";
import { type Callee, Client } from "./client.ts";

/**
 * Pause before accepting is tried again after a failure, or while all connections are too young to drop, in
 * milliseconds.
 */
const acceptPause = 100;
/** Interval of checks for other users' programs, as each check reads all descriptors; milliseconds. */
const checkPause = 5;

/** The socket cannot be used. The message is for the user. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  /** Whether another daemon is ready there. */
  readonly isTaken: boolean;

  constructor(message: string, options: ErrorOptions & { isTaken?: boolean } = {}) {
    super(message, options);
    this.isTaken = options.isTaken ?? false;
  }
}

/** Options of {@linkcode listen}. */
export interface ServerOptions {
  /** Maximum number of connected clients; beyond it the client that has been idle longest is dropped. */
  readonly maxClients?: number;
  /** Time that a client has for its greeting; milliseconds. */
  readonly greetingTime?: number;
  /**
   * Closes connections from other users' programs and returns their number; called before accepted connections
   * are read.
   */
  readonly refuseStrangers?: (path: string) => number;
  /** Clock that limits requests; default: the system clock. */
  readonly clock?: Clock;
}

/** A listening socket. */
export interface Server extends AsyncDisposable {
  readonly path: string;
  /** Returns the number of connected clients. */
  clients(): number;
  /** Returns the number of requests answered since the start. */
  calls(): number;
  /** Starts to accept clients. */
  serve(service: Callee): void;
  /** Stops listening, disconnects all clients and removes the socket. */
  close(): Promise<void>;
}

/**
 * Creates the socket, which only its owner can connect to. Replaces a socket that a dead daemon left.
 * @throws {SocketError} if another daemon answers there, or the directory is not safe or not writable.
 */
export async function listen(path: string, options: ServerOptions = {}): Promise<Server> {
  prepareDirectory(dirname(path));
  // Otherwise two daemons that find the same dead socket would remove each other's.
  using _lock = await lockDirectory(dirname(path));
  await removeStale(path);
  try {
    // Other users cannot connect before the mode is set either: Deno creates sockets as 0755, and connecting needs
    // write access.
    const listener = Deno.listen({ transport: "unix", path });
    await Deno.chmod(path, 0o600);
    return new SocketServer(path, listener, options);
  } catch (error) {
    throw new SocketError(`${path}: cannot create the socket: ${messageOf(error)}`, { cause: error });
  }
}

/** Creates the directory with mode 0700; no other user may be able to write to it or to a directory above it. */
function prepareDirectory(directory: string): void {
  try {
    Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const information = Deno.lstatSync(directory);
    if (!information.isDirectory) throw new Error("not a directory");
    // Clients refuse a socket that another user could replace.
    const stranger = strangerOnWay(directory);
    if (stranger !== undefined) throw new Error(stranger);
  } catch (error) {
    throw new SocketError(`${directory}: cannot hold the socket: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the attributes of a path, without following a link; `undefined` if it is missing or too long. */
function itemAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined; // for other faults, listening fails too
  }
}

async function removeStale(path: string): Promise<void> {
  const information = itemAt(path);
  if (!information) return;
  if (!information.isSocket) {
    throw new SocketError(`${path}: exists and is not a socket; remove it or choose another --socket`);
  }
  try {
    (await Deno.connect({ transport: "unix", path })).close();
  } catch (error) {
    // A daemon that is busy or hangs refuses no client: the kernel says that there is no room for one more.
    const isDead = error instanceof Deno.errors.ConnectionRefused || error instanceof Deno.errors.NotFound;
    if (isDead) return unlinkSyncIfThere(path);
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new SocketError(
        `${path}: permission denied: it may be another user's; remove it or choose another --socket`,
      );
    }
  }
  const message = `${path}: another daemon answers there; stop it with "pakfs stop", or choose another --socket`;
  throw new SocketError(message, { isTaken: true });
}

class SocketServer implements Server {
  readonly path: string;
  readonly #listener: Deno.UnixListener;
  readonly #options: ServerOptions;
  /** Clients in order of arrival. */
  readonly #clients = new Set<Client>();
  /** Accepted connections that are not checked yet. */
  readonly #unchecked: Deno.UnixConn[] = [];
  readonly #clock: Clock;
  #lastCheck = -Infinity;
  #cancelCheck: (() => void) | undefined;
  #accepting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #calls = 0;

  constructor(path: string, listener: Deno.UnixListener, options: ServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.path = path;
    this.#listener = listener;
  }

  clients(): number {
    return this.#clients.size;
  }

  calls(): number {
    return this.#calls;
  }

  serve(service: Callee): void {
    this.#accepting = this.#accept(service);
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    // Removed while this daemon still listens: afterwards it may be the socket of another daemon.
    unlinkSyncIfThere(this.path);
    this.#listener.close();
    await this.#accepting;
    this.#cancelCheck?.();
    for (const connection of this.#unchecked) connection.close();
    const clients = Array.from(this.#clients);
    for (const client of clients) client.close();
    await Promise.all(clients.map((client) => client.ended));
  }

  async #accept(service: Callee): Promise<void> {
    while (!this.#closing) {
      // deno-lint-ignore no-await-in-loop -- one client after the other
      const connection = this.#isCrowded() ? null : await this.#listener.accept().catch(() => null);
      if (this.#closing) connection?.close();
      // No place, or too many open files: clients that are served continue, and some will leave.
      // deno-lint-ignore no-await-in-loop -- as above
      else if (!connection) await new Promise((resolve) => setTimeout(resolve, acceptPause));
      else this.#arrive(connection, service);
    }
  }

  /** Returns whether accepting another client would drop one that has had no time for its greeting. */
  #isCrowded(): boolean {
    const { maxClients: limit = maxClients } = this.#options;
    if (this.#clients.size + this.#unchecked.length < limit) return false;
    const oldest = this.#oldestSilent();
    return oldest !== undefined && this.#clock.now() - oldest.lastActive < acceptPause;
  }

  /** Checks a connection at once, or together with others that arrive shortly after the last check. */
  #arrive(connection: Deno.UnixConn, service: Callee): void {
    const { maxClients: limit = maxClients, refuseStrangers } = this.#options;
    this.#unchecked.push(connection);
    const pause = refuseStrangers ? this.#lastCheck + checkPause - this.#clock.now() : 0;
    if (pause <= 0 || this.#unchecked.length >= limit) this.#check(service);
    else this.#checkIn(pause, service);
  }

  #checkIn(pause: number, service: Callee): void {
    this.#cancelCheck ??= this.#clock.after(pause, () => {
      this.#cancelCheck = undefined;
      this.#check(service);
    });
  }

  #check(service: Callee): void {
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    const connections = this.#unchecked.splice(0);
    const refused = this.#options.refuseStrangers?.(this.path) ?? 0;
    this.#lastCheck = this.#clock.now();
    for (const connection of connections) {
      if (refused === 0) this.#welcome(connection, service);
      // Writing no bytes fails on those that were shut down.
      else connection.write(new Uint8Array(0)).then(() => this.#welcome(connection, service), () => connection.close());
    }
  }

  #welcome(connection: Deno.UnixConn, service: Callee): void {
    if (this.#closing) return connection.close();
    const { maxClients: limit = maxClients, greetingTime = maxGreetingTime } = this.#options;
    const clock = this.#clock;
    if (this.#clients.size >= limit) {
      const leaving = this.#longestIdle();
      if (!leaving) return connection.close();
      this.#clients.delete(leaving);
      leaving.close();
    }
    const client = new Client(connection, service, { greetingTime, clock, onCall: () => this.#calls++ });
    this.#clients.add(client);
    client.ended.finally(() => this.#clients.delete(client));
  }

  #oldestSilent(): Client | undefined {
    return this.#clients.values().find(({ isGreeted }) => !isGreeted);
  }

  /** Returns the client to drop: one that has not greeted, else the one that has been idle for longest. */
  #longestIdle(): Client | undefined {
    return this.#oldestSilent() ??
      Array.from(this.#clients).filter(({ isIdle }) => isIdle).sort((a, b) => a.lastActive - b.lastActive)[0];
  }
}

function unlinkSyncIfThere(path: string): void {
  if (itemAt(path)) Deno.removeSync(path);
}
