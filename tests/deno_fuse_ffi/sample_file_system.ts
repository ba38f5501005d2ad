/**
 * The file system that the tests mount: small, with every kind of entry and some handlers that misbehave.
 * @module
 */
import { Errno, type FileSystem, type FuseRequest, NodeAttributes, S_IFDIR, S_IFLNK, S_IFREG } from "deno-fuse-ffi";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Entries of the directory `many`. */
export const MANY = 5000;
/** Upper half of the node ids in `many`: with the highest bit set, which must not turn negative. */
export const MANY_HIGH = 0xfedc_ba98;
/** Bytes of the file `huge`, which is served from a descriptor. */
export const HUGE_BYTES = 5 * 2 ** 30;
/** Content of the file `detached`, sent by another Worker. */
export const DETACHED_TEXT = "answered by another thread\n";
/** Content of the file `shared`, sent by another Worker from shared memory. */
export const SHARED_TEXT = "answered from shared memory\n";
/** Modification times visible to the tests are in this second. */
export const MODIFIED_SECONDS = 1_234_567_890;

/** Name and parent of every node outside `many`. The index is the node id; 0 is unused and 1 the root. */
const nodes = [
  { name: "", parent: 0, mode: 0 },
  { name: "", parent: 0, mode: S_IFDIR | 0o755 },
  { name: "hello.txt", parent: 1, mode: S_IFREG | 0o444 },
  { name: "folder", parent: 1, mode: S_IFDIR | 0o555 },
  { name: "네 파일.txt", parent: 3, mode: S_IFREG | 0o444 },
  { name: "link", parent: 1, mode: S_IFLNK | 0o777 },
  { name: "many", parent: 1, mode: S_IFDIR | 0o555 },
  { name: "huge", parent: 1, mode: S_IFREG | 0o444 },
  { name: "throws", parent: 1, mode: S_IFREG | 0o444 },
  { name: "forgets", parent: 1, mode: S_IFREG | 0o444 },
  { name: "detached", parent: 1, mode: S_IFREG | 0o444 },
  { name: "shared", parent: 1, mode: S_IFREG | 0o444 },
  { name: "changing", parent: 1, mode: S_IFREG | 0o444 },
  { name: "twice", parent: 1, mode: S_IFREG | 0o444 },
  { name: "too-long", parent: 1, mode: S_IFREG | 0o444 },
  { name: "private", parent: 1, mode: S_IFREG | 0o400 },
  { name: "waits", parent: 1, mode: S_IFREG | 0o444 },
];

/** Commands to a mount of the sample. */
export interface SampleOptions {
  /** Descriptor from which `huge` is served. */
  readonly hugeFile?: number;
  /** Sends a detached request to another thread. */
  readonly forward?: (address: bigint, kind: string) => void;
  /** Seconds for which the kernel may cache names and attributes. */
  readonly timeout?: number;
  /** Whether handlers for `open`, `release`, `opendir` and `releasedir` exist. */
  readonly withHandles?: boolean;
  /** Whether `readdirplus` is missing, so that the plain listing is used. */
  readonly plainListing?: boolean;
}

/** The sample and its switches for tests. */
export interface Sample {
  readonly fileSystem: FileSystem;
  /** Changes the content of the file `changing`, and creates or removes the file `appearing`. */
  change(text: string, appears: boolean): void;
  /** Number of requests for each operation. */
  readonly counts: Record<string, number>;
  /** Handles given out and not yet released. */
  readonly handles: Set<number>;
}

/** Makes a sample filesystem. */
export function makeSample(options: SampleOptions): Sample {
  const attributes = new NodeAttributes();
  const counts: Record<string, number> = {};
  const handles = new Set<number>();
  /** Addresses of requests for the file `waits`, by their numbers. */
  const waiting = new Map<bigint, bigint>();
  let changing = encoder.encode("first\n");
  let hasAppeared = false;
  let nextHandle = 2 ** 40;

  const contents = new Map<string, () => Uint8Array>([
    ["hello.txt", () => encoder.encode("Hello, world\n")],
    ["네 파일.txt", () => encoder.encode("deep\n")],
    ["changing", () => changing],
    ["appearing", () => encoder.encode("here\n")],
  ]);
  const sizes: Record<string, number> = {
    huge: HUGE_BYTES,
    throws: 10,
    forgets: 10,
    twice: 10,
    "too-long": 10,
    waits: 4096,
    detached: DETACHED_TEXT.length,
    shared: SHARED_TEXT.length,
  };

  function count(request: FuseRequest): void {
    counts[request.operation] = (counts[request.operation] ?? 0) + 1;
  }

  /** Counts a reference to a node that the kernel received and will return with `forget`. */
  function remember(high: number, low: number): void {
    const key = `known ${high}:${low}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }

  function describe(high: number, low: number): NodeAttributes | undefined {
    const node = high === MANY_HIGH
      ? { name: `entry ${low}`, mode: S_IFREG | 0o444 }
      : low === nodes.length
      ? { name: "appearing", mode: S_IFREG | 0o444 }
      : nodes[low];
    if (node === undefined || node.mode === 0) return undefined;
    attributes.setNode(high, low);
    attributes.mode = node.mode;
    attributes.size = high === MANY_HIGH ? low : contents.get(node.name)?.().length ?? sizes[node.name] ?? 0;
    attributes.linkCount = 3;
    attributes.userId = 1234;
    attributes.groupId = 5678;
    attributes.setTimes(MODIFIED_SECONDS, 500_000_000);
    attributes.entryTimeout = attributes.attributeTimeout = options.timeout ?? 0;
    return attributes;
  }

  function list(request: FuseRequest, node: number, offset: number, withAttributes: boolean): void {
    count(request);
    const names = node === 6
      ? Array.from({ length: MANY }, (_, index) => ({ name: `entry ${index}`, high: MANY_HIGH, low: index }))
      : nodes.map(({ name, parent }, index) => ({ name, parent, high: 0, low: index }))
        .filter(({ parent }) => parent === node);
    for (let index = offset; index < names.length; index++) {
      const entry = names[index];
      const found = entry && describe(entry.high, entry.low);
      if (entry === undefined || found === undefined) break;
      const name = encoder.encode(`/${entry.name}`); // to be added from its second byte on
      const added = withAttributes
        ? request.directory.addWithAttributes(name, index + 1, found, 1)
        : request.directory.add(name, index + 1, found, 1);
      if (!added) break;
      if (withAttributes) remember(entry.high, entry.low);
    }
    request.replyDirectory();
  }

  const fileSystem: FileSystem = {
    lookup(request, _parentHigh, parent, nameBytes) {
      count(request);
      const name = decoder.decode(nameBytes);
      if (parent === 6) {
        const index = Number(/^entry (\d+)$/.exec(name)?.[1] ?? MANY);
        const found = index < MANY ? describe(MANY_HIGH, index) : undefined;
        if (found === undefined) return request.replyError(Errno.ENOENT);
        remember(MANY_HIGH, index);
        return request.replyEntry(found);
      }
      if (name === "lookup-throws") throw new Error("on purpose");
      if (name === "appearing" && hasAppeared) {
        const found = describe(0, nodes.length);
        if (found !== undefined) return request.replyEntry(found);
      }
      const index = nodes.findIndex((node) => node.parent === parent && node.name === name && parent > 0);
      const found = describe(0, index);
      if (found === undefined) return request.replyNoEntry(options.timeout ?? 0);
      remember(0, index);
      request.replyEntry(found);
    },
    getattr(request, high, low) {
      count(request);
      const found = describe(high, low);
      if (found === undefined) request.replyError(Errno.ESTALE);
      else request.replyAttributes(found);
    },
    readlink(request) {
      request.replyLink(encoder.encode("folder/네 파일.txt"));
    },
    readdir(request, _high, low, offset) {
      list(request, low, offset, false);
    },
    read(request, high, low, offset, size, handle) {
      count(request);
      if (options.withHandles === true && !handles.has(handle)) return request.replyError(Errno.EBADF);
      if (high === MANY_HIGH) return request.replyData(new Uint8Array(Math.max(0, Math.min(size, low - offset))));
      const name = low === nodes.length ? "appearing" : nodes[low]?.name ?? "";
      switch (name) {
        case "huge":
          return request.replyFileDescriptor(options.hugeFile ?? -1, offset, Math.min(size, HUGE_BYTES - offset));
        case "throws":
          throw new Error("on purpose");
        case "forgets":
          return;
        case "twice":
          request.replyData(encoder.encode("answered.\n"));
          return request.replyError(Errno.EIO);
        case "too-long":
          return request.replyData(new Uint8Array(size + 1));
        case "detached":
        case "shared":
          return options.forward?.(request.detach(), name);
        case "waits":
          waiting.set(request.unique, request.detach());
          return;
      }
      const content = contents.get(name)?.();
      if (content === undefined) request.replyError(Errno.EISDIR);
      else request.replyData(content.subarray(offset, offset + size));
    },
    statfs(request) {
      request.replyStatistics({ blocks: 2 ** 33, freeBlocks: 3, files: 42, blockSize: 4096, nameLength: 200 });
    },
    getxattr(request, _high, low, name) {
      if (low === 2 && decoder.decode(name) === "user.sample.kind") {
        request.replyExtendedAttribute(encoder.encode("greeting"));
      } else request.replyError(Errno.ENODATA);
    },
    listxattr(request, _high, low) {
      request.replyExtendedAttributeNames(encoder.encode(low === 2 ? "user.sample.kind\0user.sample.other\0" : ""));
    },
    forget(high, low, lookups) {
      const key = `forget ${high}:${low}`;
      counts[key] = (counts[key] ?? 0) + lookups;
    },
    interrupt(unique) {
      counts.interrupt = (counts.interrupt ?? 0) + 1;
      const address = waiting.get(unique);
      if (address !== undefined) options.forward?.(address, "interrupted");
      waiting.delete(unique);
    },
    destroy() {
      counts.destroy = (counts.destroy ?? 0) + 1;
    },
  };

  if (options.plainListing !== true) {
    fileSystem.readdirplus = (request, _high, low, offset) => list(request, low, offset, true);
  }
  if (options.withHandles === true) {
    const open = (request: FuseRequest): void => {
      count(request);
      handles.add(nextHandle);
      request.replyOpen(nextHandle++, 0);
    };
    const release = (request: FuseRequest, handle: number): void => {
      count(request);
      handles.delete(handle);
      request.replySuccess();
    };
    fileSystem.open = open;
    fileSystem.opendir = open;
    fileSystem.release = (request, _high, _low, handle) => release(request, handle);
    fileSystem.releasedir = (request, _high, _low, handle) => release(request, handle);
    fileSystem.access = (request, _high, low, mask) => {
      count(request);
      if (nodes[low]?.name === "private" && mask === 4) request.replyError(Errno.EACCES);
      else request.replySuccess();
    };
  }

  return {
    fileSystem,
    counts,
    handles,
    change(text, appears) {
      changing = encoder.encode(text);
      hasAppeared = appears;
    },
  };
}
