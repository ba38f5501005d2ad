/**
 * The thread of a remote file system: does the work of the session thread and the decoders for its files. If the file
 * system hangs, only this thread hangs.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { ClaimedRequest } from "./claimed_request.ts";
import { Counters } from "../shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../shared/decode_memory.ts";
import { IndexVersions } from "../shared/index_versions.ts";
import type { DecoderMessage, IndexAnswerer, RemoteStart } from "../shared/thread_messages.ts";
import { descriptorBounds } from "../shared/descriptor_bounds.ts";
import { RequestQueue } from "../shared/request_queue.ts";
import { MemberCache } from "../session/member_cache.ts";
import type { SlotTools } from "../decoding/slot_decoding.ts";
import { type RemoteParts, remoteParts, serveReads } from "./remote_reads.ts";
import { FileCalls, noteCalls, OwnChannel } from "../../system/mod.ts";

const channel = new OwnChannel<DecoderMessage, RemoteStart, IndexAnswerer>();

async function run(start: RemoteStart): Promise<void> {
  const queue = new RequestQueue(start.queue);
  using library = new FileCalls();
  noteCalls(start.calls, 0, library);
  using hand = new ClaimedRequest(queue, openReplier());
  const memory = new DecodeMemory(createDecodeBuffers(start.cacheBytes));
  const { spilled } = descriptorBounds(library);
  using slots = new MemberCache(memory, (descriptor) => library.close(descriptor), start.spillLimit, spilled);
  const tools: SlotTools = {
    memory,
    library,
    replier: hand,
    counters: new Counters(start.counters, start.thread),
    report: (message, source) => channel.post({ type: "problem", message, source }),
    spillDirectory: start.spillDirectory,
  };
  using versions = new IndexVersions<RemoteParts>(start.version, {
    make: (version) => remoteParts(tools, slots, version),
    drop: ({ content }) => content[Symbol.dispose](),
    ask: (version) => channel.ask(version),
  });
  channel.post({ type: "ready" });
  await serveReads(queue, versions, hand);
}

channel.run(run);
