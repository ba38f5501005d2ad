/**
 * The session thread: blocks in libfuse for requests and answers them from the shared columns.
 * @module
 */
import { type FileSystem, openReplier, openSession } from "deno-fuse-ffi";
import { Catalog } from "../../views/catalog.ts";
import { collectGarbage } from "../../system/memory_release.ts";
import { descriptorBounds } from "../shared/descriptor_bounds.ts";
import { ContentWatches } from "../../system/content_watches.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { failRemaining } from "../decoding/waiting_reads.ts";
import { messageOf } from "../../formats/core/errors.ts";
import { Counters } from "../shared/counters.ts";
import { DecodeMemory, decoderPatience } from "../shared/decode_memory.ts";
import { GameFileSystem } from "./game_file_system.ts";
import type { ConvertedFiles } from "./converted_files.ts";
import type {
  ExpectMessage,
  IndexVersion,
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
import { ServedIndexes } from "./served_indexes.ts";
import { catalogAfter } from "../shared/catalog_messages.ts";
import { Inbox, workerChannel } from "../../system/worker_channel.ts";

const scope = workerChannel<ExpectMessage | SessionStart | SessionOrder, SessionMessage>();
const inbox = new Inbox(scope);

/** Background requests of the kernel that may wait at one time beside those that are handed on. */
const ownBackground = 64;

/** Number of the converter that is started when a view of converted files is first looked up: one for pictures. */
const firstConverter = 1;

function post(message: SessionMessage): void {
  scope.postMessage(message);
}

/** Shows another index, unless the view at the root is not in it: then the mount stays as it is. */
function showOrReport(versions: ServedIndexes, next: IndexVersion, fileSystem: GameFileSystem): readonly CachedName[] {
  try {
    return versions.show(next, fileSystem);
  } catch (error) {
    post({ type: "problem", message: `the mount still shows what was there before: ${messageOf(error)}` });
    return [];
  }
}

/** Loads what shows converted files; undefined if no converter can start. */
async function loadConvertedFiles(
  { kinds }: KindsMessage,
  requests: HandedRequests,
  { inputNotes }: SessionStart,
): Promise<ConvertedFiles | undefined> {
  if (!kinds) return undefined;
  const { ConvertedFiles }: typeof import("./converted_files.ts") = await import("./converted_files.ts" as string);
  return new ConvertedFiles(kinds, requests, inputNotes);
}

/** Breaks this thread in the worst way: nothing of what it has opened is closed. */
async function breakDown(): Promise<never> {
  const { PlannedFault }: typeof import("../shared/planned_faults.ts") = await import(
    "../shared/planned_faults.ts" as string
  );
  setTimeout(() => {
    throw new PlannedFault("session thread");
  }, 0);
  return await new Promise(() => {});
}

/** Returns the libraries, loaded before there is anything to mount: the main thread still indexes. */
function openLibraries() {
  const library = new FileCalls();
  const replier = openReplier();
  const watches = new ContentWatches();
  return {
    library,
    replier,
    watches,
    [Symbol.dispose](): void {
      watches[Symbol.dispose]();
      replier.close();
      library[Symbol.dispose]();
    },
  };
}

const loading = Promise.try(openLibraries);
// Starting the session reports the failure.
loading.catch(() => {});

/** Returns a file system that reports each request; `as string` has Deno read its module only then. */
async function traced(fileSystem: GameFileSystem): Promise<FileSystem> {
  const module: typeof import("./traced_file_system.ts") = await import("./traced_file_system.ts" as string);
  return new module.TracedFileSystem(fileSystem, (line) => post({ type: "request", line }));
}

/** Returns an index with one of its views resolved. */
function resolved({ catalog: parts, view }: ExpectMessage): Catalog {
  const catalog = new Catalog(parts);
  try {
    void catalog.view(view).tree;
  } catch {
    // What mounts the index reports that it has no such view.
  }
  return catalog;
}

/** @param expected Index that this thread was sent before. */
async function runSession(start: SessionStart, expected: Catalog | undefined): Promise<void> {
  let sent = start.version.catalog ?? expected;
  if (!sent) throw new Error("the session was started without an index");
  const memory = new DecodeMemory(start.buffers);
  memory.onFirstWork(() => post({ type: "work" }));
  using libraries = await loading;
  const { library, replier, watches } = libraries;
  const { spilled } = descriptorBounds(library);
  using slots = new MemberCache(memory, (descriptor) => library.close(descriptor), start.spillLimit, spilled);
  const counters = new Counters(start.counters, start.thread);
  const report = (message: string, source?: string) => post({ type: "problem", message, source });
  const remoteReads = new HandedRequests(start.remoteQueues, replier, (thread) => post({ type: "remote", thread }));
  const callConverter = (thread: number) => post({ type: "converter", thread });
  const conversions = new HandedRequests(start.converterQueues, replier, callConverter);
  using versions = new ServedIndexes(
    {
      library,
      memory,
      slots,
      replier,
      counters,
      report,
      watches,
      remoteReads,
      onTree: (version, view, { parts }) => post({ type: "tree", version, view, tree: parts }),
    },
    { ...start.version, catalog: sent },
    start.layout,
  );
  const ownership = {
    userId: Deno.uid() ?? 0,
    groupId: Deno.gid() ?? 0,
    mounted: Math.floor(Date.now() / 1000),
    umask: start.mountOptions.umask,
  };
  const fileSystem = new GameFileSystem(
    versions.shown,
    {
      counters,
      readAhead: new ReadAhead(memory),
      interruptible: [remoteReads, conversions],
      onConverted: () => callConverter(firstConverter),
      onListAgain: (directories) => post({ type: "listAgain", directories }),
    },
    ownership,
    ({ protocol }) => {
      post({ type: "ready", protocol: protocol.join(".") });
    },
  );
  using session = openSession(start.traces ? await traced(fileSystem) : fileSystem, {
    name: "pakfs",
    subtype: "pakfs",
    mountOptions: ["default_permissions", ...start.mountOptions.libfuse],
    // Reads that wait for a file system that hangs count: there must be room for those of others beside them.
    maxBackground: (start.remoteQueues.length + start.converterQueues.length) * slotCount + ownBackground,
    onError: (error) => post({ type: "problem", message: messageOf(error) }),
  });
  try {
    session.mount(start.mountPoint);
    post({ type: "started", wakeFileDescriptor: session.wakeFileDescriptor, address: session.address });
    let handled = 0;
    let isStopped = false;
    while (!isStopped && session.run() === "woken") {
      for (; !isStopped && handled !== memory.messages; handled++) {
        // deno-lint-ignore no-await-in-loop -- the loop belongs to the kernel; it is left only for messages
        const message = await inbox.next();
        if (message.type === "stop") isStopped = true;
        else if (message.type === "tidy") collectGarbage();
        else if (message.type === "kinds") {
          // deno-lint-ignore no-await-in-loop -- as above
          fileSystem.convert(await loadConvertedFiles(message, conversions, start), replier);
        }
        if (message.type !== "replace") continue;
        const { number } = message.version;
        // deno-lint-ignore no-await-in-loop -- it never comes back
        if (number === start.faultAfter) await breakDown();
        sent = catalogAfter(sent, message.catalog);
        const names = showOrReport(versions, { ...message.version, catalog: sent }, fileSystem);
        post({ type: "shown", version: number, names });
      }
    }
    // Nothing new is to begin that writes to the device, whose descriptor is closed now.
    memory.askToStop();
    remoteReads.end();
    conversions.end();
    session.unmount();
  } finally {
    // Every detached request must have been answered before the session is destroyed.
    remoteReads.end();
    conversions.end();
    fileSystem.convert(undefined, replier);
    failRemaining(memory, replier, start.decoderCount, memory.stop(decoderPatience));
  }
}

let first = await inbox.next();
const expected = first.type === "expect" ? resolved(first) : undefined;
if (expected) first = await inbox.next();
try {
  if (first.type === "start") await runSession(first, expected);
  post({ type: "ended" });
} catch (error) {
  post({ type: "failed", message: messageOf(error) });
}
scope.close();
