/**
 * The thread of a remote file system: does for its files what the session thread and the decoders do for local ones. If
 * the file system hangs, so does this thread, and nothing else.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { collectGarbage } from "../../system/memory_release.ts";
import { ClaimedRequest, MeasuredLibrary } from "./claimed_request.ts";
import { ReadHandler } from "../session/read_handler.ts";
import { Counters } from "../shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../shared/decode_memory.ts";
import { IndexVersions } from "../shared/index_versions.ts";
import type {
  DecoderMessage,
  ForgottenMessage,
  IndexVersion,
  RemoteStart,
  ShowMessage,
} from "../shared/thread_messages.ts";
import { RequestQueue } from "../shared/request_queue.ts";
import { MemberCache } from "../session/member_cache.ts";
import { type SlotParts, slotParts, type SlotTools, workOnSlot } from "../decoding/slot_decoding.ts";
import { createArchiveStates } from "../shared/decompressed_archives.ts";
import { Inbox, workerChannel } from "../../system/worker_channel.ts";

const scope = workerChannel<RemoteStart | ShowMessage | ForgottenMessage, DecoderMessage>();
const inbox = new Inbox(scope);

function post(message: DecoderMessage): void {
  scope.postMessage(message);
}

/** Parts for the entries of one index. */
interface RemoteParts extends SlotParts {
  readonly content: ReadHandler;
}

function partsOf(tools: SlotTools, slots: MemberCache, version: IndexVersion): RemoteParts {
  // The session thread closes the files that it knows of; those that are decompressed here are this thread's own.
  const decompressed = createArchiveStates(version.catalog.snapshot);
  const parts = slotParts(tools, { ...version, decompressed });
  return { ...parts, content: new ReadHandler({ ...parts, slots, version: version.number }) };
}

async function serve(queue: RequestQueue, versions: IndexVersions<RemoteParts>, hand: ClaimedRequest): Promise<void> {
  let oldest = queue.oldestVersion;
  while (!queue.isStopping) {
    const read = queue.take();
    if (!read) {
      if (oldest === queue.oldestVersion) continue;
      oldest = queue.oldestVersion;
      versions.forgetBefore(oldest);
      collectGarbage();
      continue;
    }
    queue.busySince = Date.now();
    hand.begin(read);
    // deno-lint-ignore no-await-in-loop -- one read at a time, so that a file system that hangs takes one thread
    const parts = await versions.of(read.version);
    if (parts) {
      const { content, memory } = parts;
      content.read(hand, read.entry, read.offset, read.size);
      for (let slot = memory.takeQueued(); slot >= 0; slot = memory.takeQueued()) {
        // deno-lint-ignore no-await-in-loop -- as above
        await workOnSlot(parts, slot);
        memory.release(slot);
      }
    }
    hand.end();
    queue.busySince = 0;
    queue.isRefusing = false;
  }
}

async function run(start: RemoteStart): Promise<void> {
  const queue = new RequestQueue(start.queue);
  // A thread that failed may have left it otherwise.
  queue.busySince = 0;
  using library = new MeasuredLibrary(queue);
  using hand = new ClaimedRequest(queue, library, openReplier());
  const memory = new DecodeMemory(createDecodeBuffers(start.cacheBytes));
  using slots = new MemberCache(memory, (descriptor) => library.close(descriptor), start.spillLimit);
  const tools: SlotTools = {
    memory,
    library,
    replier: hand,
    counters: new Counters(start.counters, start.thread),
    report: (message, source) => post({ type: "problem", message, source }),
    spillDirectory: start.spillDirectory,
  };
  using versions = new IndexVersions<RemoteParts>(start.version, {
    make: (version) => partsOf(tools, slots, version),
    drop: ({ content }) => content[Symbol.dispose](),
    ask: (version) => {
      post({ type: "wants", version });
      return inbox.next();
    },
  });
  post({ type: "ready" });
  await serve(queue, versions, hand);
}

const first = await inbox.next();
if (first.type === "start") await run(first);
post({ type: "ended" });
scope.close();
