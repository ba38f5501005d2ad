/**
 * A file system in a separate process that shows a copy of a directory from memory. Stopped with SIGSTOP, it hangs like
 * an unreachable server. `deno run -A stoppable_program.ts DIRECTORY MOUNTPOINT HOLD`. The kernel caches nothing of it,
 * so each access is a request. While a file HOLD exists, requests are accepted but not answered; if the file contains
 * names of calls, only those calls are held, and they fail in the end. While a file HOLD.newer exists, all times are
 * later.
 * @module
 */
import {
  Errno,
  type FileSystem,
  type FuseRequest,
  NodeAttributes,
  openReplier,
  openSession,
  S_IFDIR,
  S_IFREG,
} from "deno-fuse-ffi";
import type { WakerStart } from "./stoppable_waker.ts";

interface Node {
  readonly name: string;
  readonly parent: number;
  /** Bytes of a file, `undefined` for a directory. */
  readonly content: Uint8Array | undefined;
  readonly mtime: number;
}

const [directory = "", mountPoint = "", hold = ""] = Deno.args;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** The index is the node id; 0 is unused and 1 the root. */
const nodes: (Node | undefined)[] = [undefined, { name: "", parent: 1, content: undefined, mtime: 1_000_000_000 }];

function copy(path: string, parent: number): void {
  for (const { name, isDirectory } of [...Deno.readDirSync(path)]) {
    const id = nodes.length;
    const own = `${path}/${name}`;
    const mtime = Math.floor((Deno.statSync(own).mtime?.getTime() ?? 0) / 1000);
    nodes.push({ name, parent, content: isDirectory ? undefined : Deno.readFileSync(own), mtime });
    if (isDirectory) copy(own, id);
  }
}

copy(directory, 1);

const attributes = new NodeAttributes();
attributes.entryTimeout = attributes.attributeTimeout = 0;

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function describe(id: number): NodeAttributes | undefined {
  const node = nodes[id];
  if (!node) return undefined;
  attributes.setNode(0, id);
  attributes.setTimes(node.mtime + (isThere(`${hold}.newer`) ? 60 : 0));
  attributes.mode = node.content ? S_IFREG | 0o444 : S_IFDIR | 0o555;
  attributes.linkCount = node.content ? 1 : 2;
  attributes.size = node.content?.length ?? 4096;
  return attributes;
}

/** Calls that are held: names of calls, nothing for all of them; `undefined` for none. */
function heldCalls(): string | undefined {
  try {
    return Deno.readTextFileSync(hold);
  } catch {
    return undefined;
  }
}

const replier = openReplier();
/** Requests held while others are answered. */
const waiting: bigint[] = [];

/** Waits while all requests are held; returns whether this one stays unanswered, as its call is held. */
function isHeld(call: keyof FileSystem, request: FuseRequest): boolean {
  const word = new Int32Array(new SharedArrayBuffer(4));
  let calls = heldCalls();
  for (; calls === ""; calls = heldCalls()) Atomics.wait(word, 0, 0, 20);
  if (!calls?.split(" ").includes(call)) return false;
  waiting.push(request.detach());
  return true;
}

const fileSystem: FileSystem = {
  lookup(request, _high, parent, nameBytes) {
    if (isHeld("lookup", request)) return;
    const name = decoder.decode(nameBytes);
    const found = describe(nodes.findIndex((node) => node?.parent === parent && node.name === name));
    if (found) request.replyEntry(found);
    else request.replyNoEntry(0);
  },
  getattr(request, _high, id) {
    if (isHeld("getattr", request)) return;
    const found = describe(id);
    if (found) request.replyAttributes(found);
    else request.replyError(Errno.ESTALE);
  },
  opendir(request) {
    if (isHeld("opendir", request)) return;
    request.replyOpen(0, 0);
  },
  readdir(request, _high, parent, offset) {
    if (isHeld("readdir", request)) return;
    for (let id = Math.max(2, offset); id < nodes.length; id++) {
      const node = nodes[id];
      const found = node?.parent === parent ? describe(id) : undefined;
      if (node && found && !request.directory.add(encoder.encode(node.name), id + 1, found)) break;
    }
    request.replyDirectory();
  },
  read(request, _high, id, offset, size) {
    if (isHeld("read", request)) return;
    const content = nodes[id]?.content;
    if (content) request.replyData(content.subarray(offset, offset + size));
    else request.replyError(Errno.EISDIR);
  },
  // Reopening each time leaves no read data in the kernel.
  open(request) {
    if (isHeld("open", request)) return;
    request.replyOpen(0, 0);
  },
  release(request) {
    if (isHeld("release", request)) return;
    request.replySuccess();
  },
  statfs(request) {
    if (isHeld("statfs", request)) return;
    request.replyError(Errno.ENOSYS);
  },
};

using session = openSession(fileSystem, { name: "stoppable", subtype: "stoppable" });
session.mount(mountPoint);
const waker = new Worker(new URL("./stoppable_waker.ts", import.meta.url), { type: "module" });
waker.postMessage({ hold, wakeFileDescriptor: session.wakeFileDescriptor } satisfies WakerStart);
// The thread that wakes this one starts while messages are delivered.
await new Promise((resolve) => waker.onmessage = resolve);
Deno.stdout.writeSync(encoder.encode("mounted\n"));
while (session.run() === "woken") {
  if (heldCalls() === undefined) { for (const address of waiting.splice(0)) replier.error(address, Errno.EIO); }
}
Deno.exit();
