/**
 * Passes a received message to its handler, with exactly one reply.
 * @module
 */
import type { ActiveRequest } from "./active_request.ts";
import { Capability } from "./raw/capabilities.ts";
import { Errno } from "./raw/errno.ts";
import { FuseStateError } from "./raw/errors.ts";
import type { FileSystem } from "./file_system.ts";
import { Opcode, OpenFlag } from "./raw/kernel_abi.ts";
import type { ReceivedMessage } from "./raw/received_message.ts";

/** Names of operations by number. */
const operationNames: string[] = [];
for (const [name, opcode] of Object.entries(Opcode)) operationNames[opcode] = name.toLowerCase();

/** Calls the handlers of one filesystem. */
export class Dispatcher {
  /** Bits of the agreed capabilities. */
  wanted = 0;
  readonly #fileSystem: FileSystem;
  readonly #message: ReceivedMessage;
  readonly #request: ActiveRequest;
  readonly #onError: (error: unknown, operation: string) => void;

  constructor(
    fileSystem: FileSystem,
    message: ReceivedMessage,
    request: ActiveRequest,
    onError: (error: unknown, operation: string) => void,
  ) {
    this.#fileSystem = fileSystem;
    this.#message = message;
    this.#request = request;
    this.#onError = onError;
  }

  /** Replies to the request at `pointer`, whose message was received last. Never throws: its caller is C. */
  dispatch(pointer: Deno.PointerValue): void {
    const request = this.#request;
    const message = this.#message;
    try {
      request.begin(pointer);
      request.operation = operationNames[message.opcode] ?? "unknown";
      request.userId = message.userId;
      request.groupId = message.groupId;
      request.processId = message.processId;
      this.#call(request, message);
      if (request.isPending) {
        throw new FuseStateError(`The handler of "${request.operation}" returned without answering or detaching`);
      }
    } catch (error) {
      this.report(error, request.operation);
      if (request.isPending) request.replyError(Errno.EIO);
    }
  }

  /** Reports the INTERRUPT message that was received last; libfuse only records it. */
  interrupt(): void {
    try {
      this.#fileSystem.interrupt?.(this.#message.interrupted);
    } catch (error) {
      this.report(error, "interrupt");
    }
  }

  /** Calls `onError` and ignores errors that it throws. */
  report(error: unknown, operation: string): void {
    try {
      this.#onError(error, operation);
    } catch {
      // An exception must not pass through the C frames below.
    }
  }

  #call(request: ActiveRequest, message: ReceivedMessage): void {
    const fileSystem = this.#fileSystem;
    const high = message.nodeHigh;
    const low = message.nodeLow;
    switch (message.opcode) {
      case Opcode.LOOKUP:
        return fileSystem.lookup(request, high, low, message.name(0));
      case Opcode.GETATTR:
        return fileSystem.getattr(request, high, low);
      case Opcode.FORGET:
        fileSystem.forget?.(high, low, message.longArgument(0));
        return request.replyNone();
      case Opcode.BATCH_FORGET:
        this.#forgetMany(message);
        return request.replyNone();
      case Opcode.READLINK:
        return fileSystem.readlink?.(request, high, low);
      case Opcode.OPEN:
        if (fileSystem.open !== undefined) return fileSystem.open(request, high, low, message.argument(0));
        return this.#openDefault(request, Capability.NO_OPEN_SUPPORT, OpenFlag.KEEP_CACHE);
      case Opcode.OPENDIR:
        if (fileSystem.opendir !== undefined) return fileSystem.opendir(request, high, low, message.argument(0));
        return this.#openDefault(
          request,
          Capability.NO_OPENDIR_SUPPORT,
          OpenFlag.KEEP_CACHE | OpenFlag.CACHE_DIR,
        );
      case Opcode.READ:
      case Opcode.READDIR:
      case Opcode.READDIRPLUS:
        return this.#read(request, message, high, low);
      case Opcode.RELEASE:
        return fileSystem.release?.(request, high, low, message.longArgument(0));
      case Opcode.RELEASEDIR:
        return fileSystem.releasedir?.(request, high, low, message.longArgument(0));
      case Opcode.STATFS:
        return fileSystem.statfs?.(request, high, low);
      case Opcode.GETXATTR:
        request.size = message.argument(0);
        return fileSystem.getxattr?.(request, high, low, message.name(2));
      case Opcode.LISTXATTR:
        request.size = message.argument(0);
        return fileSystem.listxattr?.(request, high, low);
      case Opcode.ACCESS:
        return fileSystem.access?.(request, high, low, message.argument(0));
      default:
        return request.replyError(Errno.ENOSYS);
    }
  }

  /** `struct fuse_read_in`: fh, offset, size. */
  #read(request: ActiveRequest, message: ReceivedMessage, high: number, low: number): void {
    const handle = message.longArgument(0);
    const offset = message.longArgument(2);
    const size = message.argument(4);
    if (!Number.isSafeInteger(offset)) return request.replyError(Errno.EINVAL);
    request.size = size;
    if (message.opcode === Opcode.READ) return this.#fileSystem.read?.(request, high, low, offset, size, handle);
    request.directory.reset(size);
    if (message.opcode === Opcode.READDIR) {
      return this.#fileSystem.readdir?.(request, high, low, offset, size, handle);
    }
    return this.#fileSystem.readdirplus?.(request, high, low, offset, size, handle);
  }

  /** `struct fuse_batch_forget_in` (count) and as many `struct fuse_forget_one` (nodeid, nlookup). */
  #forgetMany(message: ReceivedMessage): void {
    const count = message.argument(0);
    for (let index = 0; index < count; index++) {
      const word = 2 + index * 4;
      this.#fileSystem.forget?.(message.argument(word + 1), message.argument(word), message.longArgument(word + 2));
    }
  }

  #openDefault(request: ActiveRequest, capability: number, flags: number): void {
    if ((this.wanted & capability) !== 0) request.replyError(Errno.ENOSYS);
    else request.replyOpen(0, flags);
  }
}
