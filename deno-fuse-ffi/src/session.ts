/**
 * A session: one mounted filesystem and the loop that serves it.
 * @module
 */
import { ActiveRequest } from "./active_request.ts";
import { Capability, capabilityBits, type CapabilityName, capabilityNamesOf } from "./raw/capabilities.ts";
import { Dispatcher } from "./dispatcher.ts";
import { OPERATIONS_BYTES, operationTable } from "./raw/operation_table.ts";
import { Errno, errnoName } from "./raw/errno.ts";
import { FuseMountError, FuseProtocolError, FuseStateError } from "./raw/errors.ts";
import type { FileSystem } from "./file_system.ts";
import {
  lastErrno,
  openSessionLibrary,
  openSystemLibrary,
  type SessionLibrary,
  type SystemLibrary,
  toCString,
} from "./raw/library.ts";
import { Opcode, wordAt } from "./raw/kernel_abi.ts";
import { assertMountable } from "./mount_point.ts";
import { ReceivedMessage } from "./raw/received_message.ts";
import { hearing } from "./standard_error.ts";

/**
 * Capabilities for a read-only tree that changes only when the filesystem reports it: everything is cached until it is
 * invalidated explicitly. Capabilities that the kernel does not offer are silently omitted.
 */
export const defaultCapabilities: readonly CapabilityName[] = [
  "ASYNC_READ",
  "EXPORT_SUPPORT",
  "READDIRPLUS",
  "NO_OPEN_SUPPORT",
  "PARALLEL_DIROPS",
  "CACHE_SYMLINKS",
  "NO_OPENDIR_SUPPORT",
  "EXPLICIT_INVAL_DATA",
];

/** Options of a session. */
export interface SessionOptions {
  /** Name of the device in mount tables (`fsname`). Default `"deno-fuse-ffi"`. */
  readonly name?: string;
  /** Subtype shown in mount tables, after `fuse.`. Default: no subtype. */
  readonly subtype?: string;
  /**
   * Mount options besides `ro,nosuid,nodev,noatime`, which are always set. Default `["default_permissions"]`: the
   * kernel checks modes. Combine `allow_other` with it. An option unknown to libfuse is refused.
   */
  readonly mountOptions?: readonly string[];
  /** Requested capabilities, as far as the kernel offers them. Default {@linkcode defaultCapabilities}. */
  readonly capabilities?: readonly CapabilityName[];
  /** Upper limit of read-ahead, in bytes. Default: the kernel's value. */
  readonly maxReadahead?: number;
  /** Maximum number of waiting background requests (read-ahead). Default: the kernel's 12. */
  readonly maxBackground?: number;
  /**
   * Number of background requests above which the kernel considers the filesystem congested. Default: three quarters of
   * `maxBackground`.
   */
  readonly congestionThreshold?: number;
  /**
   * Number of polls for the next request after a reply, each yielding to other threads, before the thread sleeps.
   * Waking a thread that sleeps on another processor costs several times as much as a reply, so a client that sends one
   * request after the other is served up to five times as fast. 0: sleep at once. Default 32, about 25 microseconds; an
   * idle session uses no processor time in any case.
   */
  readonly busyPolls?: number;
  /** Whether libfuse prints every request on standard error. Default `false`. */
  readonly debug?: boolean;
  /**
   * Called when a handler throws or returns without a reply; the request fails with EIO. Default: one line on standard
   * error.
   */
  readonly onError?: (error: unknown, operation: string) => void;
}

/** A session of libfuse. It belongs to the thread that opened it, except members documented otherwise. */
export interface FuseSession extends Disposable {
  /** Write to it through {@linkcode openWaker}, from any thread, to make {@linkcode run} return. */
  readonly wakeFileDescriptor: number;
  /** Address of libfuse's session, for {@linkcode openNotifier} in any thread. */
  readonly address: bigint;
  /**
   * Mounts at an existing directory, whose content is hidden while mounted. Requests wait until {@linkcode run} is
   * called.
   *
   * @param mountPoint Absolute path, or `/dev/fd/N` for a FUSE device that is open and mounted already.
   * @throws {FuseMountError} If it is refused; with the reason that libfuse or `fusermount3` prints.
   * @throws {FuseUnsupportedError} If `/dev/fuse` is missing or may not be used.
   * @throws {FuseStateError} If the session is mounted or has been destroyed.
   */
  mount(mountPoint: string): void;
  /**
   * Serves requests, blocking this thread: its timers, messages and promises wait until it returns. Returns `"woken"`
   * after a wake-up, to be called again, and `"ended"` once the filesystem is unmounted.
   *
   * @throws {FuseProtocolError} If receiving fails, or the kernel refuses to start the session.
   * @throws {FuseStateError} If the session is not mounted, or this is called from a handler.
   */
  run(): "woken" | "ended";
  /**
   * Unmounts at once: files still open fail from now on. To let programs finish, use {@linkcode unmount} with `lazy` in
   * another thread and keep serving. May be called again.
   *
   * @throws {FuseStateError} If it is called from a handler.
   */
  unmount(): void;
  /**
   * Unmounts and frees everything. All detached requests must have been answered, all notifications settled and all
   * wakers closed. May be called again.
   *
   * @throws {FuseStateError} If it is called from a handler.
   */
  destroy(): void;
}

const BUSY_POLLS = 32;
/** Number of received messages after which to check for a wake-up even if requests keep coming. */
const maxUnpolled = 16;
const POLLIN = 1;
const EFD_FLAGS = 0o2000000 | 0o4000; // EFD_CLOEXEC | EFD_NONBLOCK
const F_GETFL = 3;
const F_SETFL = 4;
const O_NONBLOCK = 0o4000;
const CONNECTION_INFO_BYTES = 128;
const EVENT_COUNTER_BYTES = 8n;

const stderrEncoder = new TextEncoder();

function reportOnStandardError(error: unknown, operation: string): void {
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  Deno.stderr.writeSync(stderrEncoder.encode(`deno-fuse-ffi: ${operation}: ${text}\n`));
}

class LibrarySession implements FuseSession {
  readonly wakeFileDescriptor: number;
  readonly address: bigint;

  readonly #library: SessionLibrary;
  readonly #system: SystemLibrary;
  readonly #fileSystem: FileSystem;
  readonly #options: SessionOptions;
  readonly #message = new ReceivedMessage();
  readonly #dispatcher: Dispatcher;
  readonly #initCallback: Deno.UnsafeCallback<{ parameters: ["pointer", "pointer"]; result: "void" }>;
  readonly #requestCallback: Deno.UnsafeCallback<{ parameters: ["pointer"]; result: "void" }>;
  /** Two `struct pollfd`: the session's descriptor, then the wake-up counter. */
  readonly #pollBytes = new Uint8Array(16);
  readonly #pollFiles = new Int32Array(this.#pollBytes.buffer);
  readonly #pollEvents = new Uint16Array(this.#pollBytes.buffer);
  readonly #eventCounter = new Uint8Array(8);
  #session: Deno.PointerValue;
  #state: "new" | "mounted" | "unmounted" | "destroyed" = "new";
  #isInitialized = false;
  #isRunning = false;

  constructor(library: SessionLibrary, system: SystemLibrary, fileSystem: FileSystem, options: SessionOptions) {
    this.#library = library;
    this.#system = system;
    this.#fileSystem = fileSystem;
    this.#options = options;
    this.#dispatcher = new Dispatcher(
      fileSystem,
      this.#message,
      new ActiveRequest(library.symbols, this.#message),
      options.onError ?? reportOnStandardError,
    );
    this.#initCallback = new Deno.UnsafeCallback(
      { parameters: ["pointer", "pointer"], result: "void" },
      (_userdata, connection) => this.#negotiate(connection),
    );
    // One callback serves every operation and reads further arguments from the message.
    this.#requestCallback = new Deno.UnsafeCallback(
      { parameters: ["pointer"], result: "void" },
      (request) => this.#dispatcher.dispatch(request),
    );
    this.wakeFileDescriptor = system.symbols.eventfd(0, EFD_FLAGS);
    const { result, reason } = hearing(system, () => this.#createSession());
    this.#session = result;
    if (this.#session === null || this.wakeFileDescriptor < 0) {
      this.#free();
      throw new FuseProtocolError(
        `Cannot create a FUSE session: ${reason || "libfuse refuses"}; its options were ` +
          JSON.stringify(mountOptionText(options)),
      );
    }
    this.address = Deno.UnsafePointer.value(this.#session);
  }

  mount(mountPoint: string): void {
    if (this.#state !== "new") throw new FuseStateError(`Cannot mount at ${mountPoint}: the session is ${this.#state}`);
    if (!mountPoint.startsWith("/dev/fd/")) assertMountable(this.#system, mountPoint);
    const { symbols } = this.#library;
    const mount = () => symbols.fuse_session_mount(this.#session, toCString(mountPoint));
    const { result, reason } = hearing(this.#system, mount);
    if (result !== 0) throw new FuseMountError(`Cannot mount: ${reason || "libfuse refuses"}`, mountPoint);
    this.#state = "mounted";
    const device = symbols.fuse_session_fd(this.#session);
    // A request can be withdrawn between poll and read; a blocking read could then not be woken.
    const { fcntl } = this.#system.symbols;
    fcntl(device, F_SETFL, fcntl(device, F_GETFL, 0) | O_NONBLOCK);
    this.#pollFiles[0] = device;
    this.#pollFiles[2] = this.wakeFileDescriptor;
    this.#pollEvents[2] = POLLIN;
    this.#pollEvents[6] = POLLIN;
  }

  run(): "woken" | "ended" {
    if (this.#state === "unmounted") return "ended";
    if (this.#state !== "mounted") throw new FuseStateError(`Cannot run: the session is ${this.#state}`);
    this.#assertOutsideHandler("run");
    this.#isRunning = true;
    try {
      return this.#serve();
    } finally {
      this.#isRunning = false;
    }
  }

  unmount(): void {
    this.#assertOutsideHandler("unmount");
    if (this.#state !== "mounted") return;
    this.#library.symbols.fuse_session_unmount(this.#session);
    this.#state = "unmounted";
  }

  destroy(): void {
    this.#assertOutsideHandler("destroy");
    if (this.#state === "destroyed") return;
    this.unmount();
    this.#state = "destroyed";
    this.#free();
    if (this.#isInitialized) this.#fileSystem.destroy?.();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  #serve(): "woken" | "ended" {
    const { poll, read, sched_yield } = this.#system.symbols;
    const { fuse_session_receive_buf, fuse_session_process_buf, fuse_session_exited } = this.#library.symbols;
    const { busyPolls = BUSY_POLLS } = this.#options;
    const session = this.#session;
    const message = this.#message;
    const { fuseBuffer } = message;
    const pollBytes = this.#pollBytes;
    const pollEvents = this.#pollEvents;
    let looksLeft = 0;
    let unpolled = maxUnpolled;
    for (;;) {
      // Receiving also shows whether there is a request; only a wake-up and sleeping need a separate call.
      if (looksLeft === 0 || unpolled >= maxUnpolled) {
        unpolled = 0;
        const ready = poll(pollBytes, 2n, looksLeft > 0 ? 0 : -1);
        if (ready < 0) {
          const errno = lastErrno(this.#system);
          unpolled = maxUnpolled;
          if (errno === Errno.EINTR || errno === Errno.EAGAIN) continue;
          throw new FuseProtocolError(`Cannot wait for requests: ${errnoName(errno)}`, errno);
        }
        if (ready > 0 && pollEvents[7] !== 0) {
          read(this.wakeFileDescriptor, this.#eventCounter, EVENT_COUNTER_BYTES);
          return "woken";
        }
      }
      unpolled++;
      const received = fuse_session_receive_buf(session, fuseBuffer);
      if (received > 0) {
        message.refresh(received);
        fuse_session_process_buf(session, fuseBuffer);
        if (message.opcode === Opcode.INTERRUPT) this.#dispatcher.interrupt();
        looksLeft = busyPolls;
        if (!this.#isInitialized && fuse_session_exited(session) !== 0) {
          throw new FuseProtocolError("Cannot start the session: libfuse and the kernel do not agree", Errno.EPROTO);
        }
      } else if (isEnd(received)) return "ended";
      else {
        looksLeft = Math.max(0, looksLeft - 1);
        sched_yield();
      }
    }
  }

  #createSession(): Deno.PointerValue {
    const { symbols } = this.#library;
    // struct fuse_args { int argc; char **argv; int allocated; }
    const args = new Uint8Array(24);
    const words = ["deno-fuse-ffi", "-o", mountOptionText(this.#options)];
    if (this.#options.debug === true) words.push("-d");
    for (const word of words) symbols.fuse_opt_add_arg(args, toCString(word));
    const operations = operationTable(
      this.#fileSystem,
      Deno.UnsafePointer.value(this.#initCallback.pointer),
      Deno.UnsafePointer.value(this.#requestCallback.pointer),
    );
    const session = symbols.fuse_session_new(args, operations, BigInt(OPERATIONS_BYTES), null);
    symbols.fuse_opt_free_args(args);
    return session;
  }

  /**
   * The `init` operation. `struct fuse_conn_info` has the same beginning in all versions: protocol 0 and 1,
   * max_readahead 4, capable 5, want 6, max_background 7, congestion_threshold 8, in words. From libfuse 3.17 there is
   * a 64-bit `want_ext` too, which must not be changed when `want` is used.
   */
  #negotiate(connection: Deno.PointerValue): void {
    try {
      if (connection === null) return;
      const words = new Uint32Array(Deno.UnsafePointerView.getArrayBuffer(connection, CONNECTION_INFO_BYTES));
      const capable = wordAt(words, 5);
      const wanted = capable & this.#wantedBits();
      const { maxReadahead, maxBackground, congestionThreshold } = this.#options;
      words[6] = wanted;
      if (maxReadahead !== undefined) words[4] = Math.min(maxReadahead, wordAt(words, 4));
      if (maxBackground !== undefined) words[7] = maxBackground;
      if (congestionThreshold !== undefined) words[8] = congestionThreshold;
      this.#dispatcher.wanted = wanted;
      this.#isInitialized = true;
      this.#fileSystem.init?.({
        protocol: [wordAt(words, 0), wordAt(words, 1)],
        capable: capabilityNamesOf(capable),
        wanted: capabilityNamesOf(wanted),
        maxReadahead: wordAt(words, 4),
        maxBackground: wordAt(words, 7),
        congestionThreshold: wordAt(words, 8),
      });
    } catch (error) {
      this.#dispatcher.report(error, "init");
    }
  }

  #wantedBits(): number {
    let bits = capabilityBits(this.#options.capabilities ?? defaultCapabilities);
    if (this.#fileSystem.readdirplus === undefined) bits &= ~(Capability.READDIRPLUS | Capability.READDIRPLUS_AUTO);
    else if (this.#fileSystem.readdir === undefined) bits &= ~Capability.READDIRPLUS_AUTO;
    return bits;
  }

  #assertOutsideHandler(method: string): void {
    if (this.#isRunning) throw new FuseStateError(`Cannot ${method}: the session is serving a request`);
  }

  #free(): void {
    if (this.#session !== null) this.#library.symbols.fuse_session_destroy(this.#session);
    this.#session = null;
    const { memory } = this.#message;
    this.#message.forget();
    if (memory !== null) this.#system.symbols.free(memory);
    if (this.wakeFileDescriptor >= 0) this.#system.symbols.close(this.wakeFileDescriptor);
    this.#initCallback.close();
    this.#requestCallback.close();
    this.#library.close();
    this.#system.close();
  }
}

/**
 * Returns whether receiving nothing ends the session; `false` if there is just no message.
 * @param received 0, or a negative error number.
 * @throws {FuseProtocolError} If receiving has failed.
 */
export function isEnd(received: number): boolean {
  // Unmounted, or the connection was aborted by an administrator.
  if (received === 0 || received === -Errno.ECONNABORTED) return true;
  if (received === -Errno.EINTR || received === -Errno.EAGAIN) return false;
  throw new FuseProtocolError(`Cannot receive a request: ${errnoName(-received)}`, -received);
}

function mountOptionText(options: SessionOptions): string {
  const { name = "deno-fuse-ffi", subtype, mountOptions = ["default_permissions"] } = options;
  return [
    "ro",
    "nosuid",
    "nodev",
    "noatime",
    `fsname=${escapeOption(name)}`,
    ...(subtype === undefined ? [] : [`subtype=${escapeOption(subtype)}`]),
    ...mountOptions,
  ].join(",");
}

/** Escapes an option: libfuse splits options at commas that follow no backslash. */
function escapeOption(value: string): string {
  return value.replaceAll(/[\\,]/g, "\\$&");
}

/**
 * Opens a session that serves `fileSystem`; nothing is mounted yet. Needs `--allow-ffi`, unscoped. The thread will be
 * blocked in {@linkcode FuseSession.run}: use a separate Worker. No thread of a process should use a mount that the
 * process itself serves.
 *
 * @throws {FuseLibraryError} If libfuse 3 is not installed or incomplete.
 * @throws {FuseUnsupportedError} If machine or version are not supported.
 * @throws {FuseProtocolError} If libfuse refuses the options.
 */
export function openSession(fileSystem: FileSystem, options: SessionOptions = {}): FuseSession {
  const library = openSessionLibrary();
  let system: SystemLibrary;
  try {
    system = openSystemLibrary();
  } catch (error) {
    library.close();
    throw error;
  }
  return new LibrarySession(library, system, fileSystem, options);
}
