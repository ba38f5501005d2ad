/**
 * The session thread: blocks in libfuse for requests and replies to them from the shared columns.
 * @module
 */
import { type FileSystem, openReplier, openSession } from "deno-fuse-ffi";
import { indexFrom, type IndexParts } from "../../index/mod.ts";
import { Catalog } from "../../views/mod.ts";
import { collectGarbage, ContentWatches, FileCalls, isDying, OwnChannel } from "../../system/mod.ts";
import { descriptorBounds } from "../shared/descriptor_bounds.ts";
import { failRemaining } from "../decoding/waiting_reads.ts";
import { messageOf } from "../../formats/parts.ts";
import { Counters } from "../shared/counters.ts";
import { DecodeMemory, decoderTimeout } from "../shared/decode_memory.ts";
import { GameFileSystem } from "./game_file_system.ts";
import type { ConvertedFiles } from "./converted_files.ts";
import type {
  ExpectMessage,
  KindsMessage,
  SessionMessage,
  SessionOrder,
  SessionStart,
} from "../shared/thread_messages.ts";
import type { CachedName } from "../layout/mounted_tree.ts";
import { ReadAhead } from "./read_ahead.ts";
import { HandedRequests } from "./handed_requests.ts";
import { slotCount } from "../shared/request_queue.ts";
import { MemberCache } from "./member_cache.ts";
import { ServedIndexes, type ServingTools } from "./served_indexes.ts";

/** Messages of the main thread: first the expected index, if any, then the start, then orders. */
type Received = ExpectMessage | SessionStart | SessionOrder;

const channel = new OwnChannel<SessionMessage, Received>();

/** Maximum waiting background requests of the kernel, in addition to forwarded ones. */
const ownBackground = 64;

/** Number of the converter that is started when a view of converted files is first looked up: one for pictures. */
const firstConverter = 1;

/** Loads the module for converted files; undefined if no converter can start. */
async function loadConvertedFiles(
  { kinds }: KindsMessage,
  requests: HandedRequests,
  { inputNotes }: SessionStart,
): Promise<ConvertedFiles | undefined> {
  if (!kinds) return undefined;
  const { ConvertedFiles } = await import("./converted_files.ts");
  return new ConvertedFiles(kinds, requests, inputNotes);
}

/** Ends this thread without closing anything that it has opened, for tests. */
async function breakDown(): Promise<never> {
  const { PlannedFault }: typeof import("../shared/planned_faults.ts") = await import(
    "../shared/planned_faults.ts" as string
  );
  setTimeout(() => {
    throw new PlannedFault("session thread");
  }, 0);
  return await new Promise(() => {});
}

/** Returns the libraries, loaded before anything is mounted, while the main thread indexes. */
function openLibraries() {
  const resources = new DisposableStack();
  return {
    library: resources.use(new FileCalls()),
    replier: resources.use(openReplier()),
    watches: resources.use(new ContentWatches()),
    [Symbol.dispose]: () => resources.dispose(),
  };
}

const loading = Promise.try(openLibraries);
// Starting the session reports the failure.
loading.catch(() => {});

/** Returns a file system that reports each request. */
async function traced(fileSystem: GameFileSystem): Promise<FileSystem> {
  const module = await import("./traced_file_system.ts");
  return new module.TracedFileSystem(fileSystem, (line) => channel.post({ type: "request", line }));
}

/** Returns an index with one of its views resolved. */
function resolved({ catalog: parts, view }: ExpectMessage): Catalog {
  const catalog = new Catalog(indexFrom(parts));
  try {
    void catalog.view(view).tree;
  } catch {
    // The code that mounts the index reports the missing view.
  }
  return catalog;
}

/** Returns the file system, with the index that is shown first. */
function openParts(start: SessionStart, catalog: IndexParts, libraries: Awaited<typeof loading>) {
  const { library, replier } = libraries;
  const resources = new DisposableStack();
  const memory = new DecodeMemory(start.buffers);
  memory.onFirstWork(() => channel.post({ type: "work" }));
  const { spilled } = descriptorBounds(library);
  const slots = resources.use(new MemberCache(memory, (file) => library.close(file), start.spillLimit, spilled));
  const counters = new Counters(start.counters, start.thread);
  const endsBySignal = (process: number) => isDying(library, process);
  const remoteReads = new HandedRequests(
    start.remoteQueues,
    replier,
    (thread) => channel.post({ type: "remote", thread }),
    endsBySignal,
  );
  const conversions = new HandedRequests(
    start.converterQueues,
    replier,
    (thread) => channel.post({ type: "converter", thread }),
    endsBySignal,
  );
  const tools: ServingTools = {
    ...libraries,
    memory,
    slots,
    counters,
    report: (message, source) => channel.post({ type: "problem", message, source }),
    remoteReads,
    onTree: (version, view, { parts }) => channel.post({ type: "tree", version, view, tree: parts }),
  };
  const indexes = resources.use(new ServedIndexes(tools, { ...start.version, catalog }, start.layout));
  const fileSystem = new GameFileSystem(
    indexes.shown,
    {
      counters,
      readAhead: new ReadAhead(memory),
      interruptible: [remoteReads, conversions],
      onConverted: () => channel.post({ type: "converter", thread: firstConverter }),
      onListAgain: (directories) => channel.post({ type: "listAgain", directories }),
    },
    {
      userId: Deno.uid() ?? 0,
      groupId: Deno.gid() ?? 0,
      generation: start.generation,
      mounted: Math.floor(Date.now() / 1000),
      umask: start.mountOptions.umask,
    },
    ({ protocol }) => channel.post({ type: "ready", protocol: protocol.join(".") }),
  );
  const dispose = () => resources.dispose();
  return { memory, replier, remoteReads, conversions, indexes, fileSystem, [Symbol.dispose]: dispose };
}

/** Executes the orders of the main thread; returns whether the session must stop. */
async function obey(order: Received, start: SessionStart, parts: ReturnType<typeof openParts>): Promise<boolean> {
  const { replier, conversions, indexes, fileSystem } = parts;
  if (order.type === "tidy") collectGarbage();
  else if (order.type === "kinds") fileSystem.convert(await loadConvertedFiles(order, conversions, start), replier);
  else if (order.type === "replace") {
    const { number } = order.version;
    if (number === start.faultAfter) await breakDown();
    let names: readonly CachedName[] = [];
    try {
      names = indexes.show(order, fileSystem);
    } catch (error) {
      channel.post({ type: "problem", message: `the mount still shows the previous index: ${messageOf(error)}` });
    }
    channel.post({ type: "shown", version: number, names });
  }
  return order.type === "stop";
}

/** Serves an index, and its successors, until nothing is mounted any more. */
async function runSession(start: SessionStart, catalog: IndexParts): Promise<void> {
  using libraries = await loading;
  using parts = openParts(start, catalog, libraries);
  const { memory, replier, remoteReads, conversions, fileSystem } = parts;
  using session = openSession(start.traces ? await traced(fileSystem) : fileSystem, {
    name: "pakfs",
    subtype: "pakfs",
    mountOptions: ["default_permissions", ...start.mountOptions.libfuse],
    // Reads that wait for a hung file system count: there must be capacity for other reads, too.
    maxBackground: (start.remoteQueues.length + start.converterQueues.length) * slotCount + ownBackground,
    onError: (error) => channel.post({ type: "problem", message: messageOf(error) }),
  });
  try {
    session.mount(start.mountPoint);
    channel.post({ type: "started", wakeFileDescriptor: session.wakeFileDescriptor, address: session.address });
    let handled = 0;
    let isStopped = false;
    while (!isStopped && session.run() === "woken") {
      for (; !isStopped && handled !== memory.messages; handled++) {
        // deno-lint-ignore no-await-in-loop -- the loop belongs to the kernel; it is left only for messages
        isStopped = await obey(await channel.next(), start, parts);
      }
    }
    // From here on nothing may write to the device, whose descriptor is closed.
    memory.askToStop();
    remoteReads.end();
    conversions.end();
    session.unmount();
  } finally {
    // Every detached request must have a reply before the session is destroyed.
    remoteReads.end();
    conversions.end();
    fileSystem.convert(undefined, replier);
    failRemaining(memory, replier, start.decoderCount, memory.stop(decoderTimeout));
  }
}

channel.run(async (first) => {
  try {
    const expected = first.type === "expect" ? resolved(first) : undefined;
    const message = expected ? await channel.next() : first;
    if (message.type === "start") {
      const catalog = message.version.catalog ?? expected;
      if (!catalog) throw new Error("the session was started without an index");
      await runSession(message, catalog);
    }
    channel.post({ type: "ended" });
  } catch (error) {
    channel.post({ type: "failed", message: messageOf(error) });
  }
});
