/**
 * A file system that logs each request: operation, node, outcome and duration.
 * @module
 */
import {
  type Connection,
  type DirectoryBuffer,
  errnoName,
  type FileSystem,
  type FileSystemStatistics,
  type FuseRequest,
  type NodeAttributes,
} from "deno-fuse-ffi";
import type { GameFileSystem } from "./game_file_system.ts";

const decoder = new TextDecoder();

/** Forwards all requests to another file system. */
export class TracedFileSystem implements FileSystem {
  readonly #inner: GameFileSystem;
  readonly #traceLine: (line: string) => void;

  /**
   * @param onLine Called with a line for each request, after its reply or when it was detached.
   */
  constructor(inner: GameFileSystem, onLine: (line: string) => void) {
    this.#inner = inner;
    this.#traceLine = onLine;
  }

  init(connection: Connection): void {
    this.#inner.init(connection);
  }

  lookup(request: FuseRequest, parentHigh: number, parentLow: number, name: Uint8Array): void {
    const what = `${this.#inner.pathOf(parentHigh, parentLow)} "${decoder.decode(name)}"`;
    this.#trace(request, what, (traced) => this.#inner.lookup(traced, parentHigh, parentLow, name));
  }

  getattr(request: FuseRequest, high: number, low: number): void {
    this.#trace(request, this.#inner.pathOf(high, low), (traced) => this.#inner.getattr(traced, high, low));
  }

  readdir(request: FuseRequest, high: number, low: number, offset: number): void {
    const what = `${this.#inner.pathOf(high, low)} from ${offset}`;
    this.#trace(request, what, (traced) => this.#inner.readdir(traced, high, low, offset));
  }

  readdirplus(request: FuseRequest, high: number, low: number, offset: number): void {
    const what = `${this.#inner.pathOf(high, low)} from ${offset}`;
    this.#trace(request, what, (traced) => this.#inner.readdirplus(traced, high, low, offset));
  }

  read(request: FuseRequest, high: number, low: number, offset: number, size: number): void {
    const what = `${this.#inner.pathOf(high, low)} ${size} bytes at ${offset}`;
    this.#trace(request, what, (traced) => this.#inner.read(traced, high, low, offset, size));
  }

  interrupt(unique: bigint): void {
    this.#traceLine(`fuse: interrupt ${unique}`);
    this.#inner.interrupt(unique);
  }

  statfs(request: FuseRequest): void {
    this.#trace(request, "/", (traced) => this.#inner.statfs(traced));
  }

  getxattr(request: FuseRequest, high: number, low: number, name: Uint8Array): void {
    const what = `${this.#inner.pathOf(high, low)} ${decoder.decode(name)}`;
    this.#trace(request, what, (traced) => this.#inner.getxattr(traced, high, low, name));
  }

  listxattr(request: FuseRequest, high: number, low: number): void {
    this.#trace(request, this.#inner.pathOf(high, low), (traced) => this.#inner.listxattr(traced, high, low));
  }

  #trace(request: FuseRequest, what: string, handle: (traced: FuseRequest) => void): void {
    const traced = new TracedRequest(request);
    const start = performance.now();
    try {
      handle(traced);
    } finally {
      const microseconds = Math.round((performance.now() - start) * 1000);
      this.#traceLine(`fuse: ${request.operation} ${what}: ${traced.outcome} (${microseconds} microseconds)`);
    }
  }
}

/** A request that records its reply. */
class TracedRequest implements FuseRequest {
  readonly #inner: FuseRequest;
  outcome = "not answered";

  constructor(inner: FuseRequest) {
    this.#inner = inner;
  }

  get operation(): string {
    return this.#inner.operation;
  }

  get userId(): number {
    return this.#inner.userId;
  }

  get groupId(): number {
    return this.#inner.groupId;
  }

  get processId(): number {
    return this.#inner.processId;
  }

  get unique(): bigint {
    return this.#inner.unique;
  }

  get size(): number {
    return this.#inner.size;
  }

  get directory(): DirectoryBuffer {
    return this.#inner.directory;
  }

  replyError(errno: number): void {
    this.#answer(errnoName(errno), () => this.#inner.replyError(errno));
  }

  replySuccess(): void {
    this.#answer("done", () => this.#inner.replySuccess());
  }

  replyEntry(attributes: NodeAttributes): void {
    this.#answer(describe(attributes), () => this.#inner.replyEntry(attributes));
  }

  replyNoEntry(timeout: number): void {
    this.#answer("ENOENT", () => this.#inner.replyNoEntry(timeout));
  }

  replyAttributes(attributes: NodeAttributes): void {
    this.#answer(describe(attributes), () => this.#inner.replyAttributes(attributes));
  }

  replyOpen(handle: number, flags: number): void {
    this.#answer("open", () => this.#inner.replyOpen(handle, flags));
  }

  replyData(bytes: Uint8Array): void {
    this.#answer(`${bytes.length} bytes`, () => this.#inner.replyData(bytes));
  }

  replyFileDescriptor(fileDescriptor: number, position: number, size: number): void {
    const outcome = `${size} bytes from descriptor ${fileDescriptor} at ${position}`;
    this.#answer(outcome, () => this.#inner.replyFileDescriptor(fileDescriptor, position, size));
  }

  replyDirectory(): void {
    this.#answer(`${this.#inner.directory.length} bytes of names`, () => this.#inner.replyDirectory());
  }

  replyLink(target: Uint8Array): void {
    this.#answer("link", () => this.#inner.replyLink(target));
  }

  replyStatistics(statistics: FileSystemStatistics): void {
    this.#answer("statistics", () => this.#inner.replyStatistics(statistics));
  }

  replyExtendedAttribute(value: Uint8Array): void {
    this.#answer(`${value.length} bytes`, () => this.#inner.replyExtendedAttribute(value));
  }

  replyExtendedAttributeNames(names: Uint8Array): void {
    this.#answer(`${names.length} bytes`, () => this.#inner.replyExtendedAttributeNames(names));
  }

  detach(): bigint {
    this.outcome = "left to a decoder";
    return this.#inner.detach();
  }

  #answer(outcome: string, reply: () => void): void {
    this.outcome = outcome;
    reply();
  }
}

function describe({ nodeHigh, nodeLow, size }: NodeAttributes): string {
  return `node ${nodeHigh}.${nodeLow}, ${size} bytes`;
}
