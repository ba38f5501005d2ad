/**
 * Reads of files on one remote file system, one after the other: each gets bytes of the index that it refers to, or
 * fails.
 * @module
 */
import { collectGarbage } from "../../system/mod.ts";
import { type SlotParts, slotParts, type SlotTools, workOnSlot } from "../decoding/slot_decoding.ts";
import type { MemberCache } from "../session/member_cache.ts";
import { ReadHandler } from "../session/read_handler.ts";
import { createArchiveStates } from "../shared/decompressed_archives.ts";
import type { IndexVersions } from "../shared/index_versions.ts";
import type { RequestQueue } from "../shared/request_queue.ts";
import type { IndexVersion } from "../shared/thread_messages.ts";
import type { ClaimedRequest } from "./claimed_request.ts";

/** Parts for the entries of one index. */
export interface RemoteParts extends SlotParts {
  readonly content: ReadHandler;
}

/** Makes the parts for an index. */
export function remoteParts(tools: SlotTools, slots: MemberCache, version: IndexVersion): RemoteParts {
  // The session thread closes the files that it knows; files decompressed here belong to this thread.
  const decompressed = createArchiveStates(version.catalog.snapshot);
  const parts = slotParts(tools, { ...version, decompressed });
  return { ...parts, content: new ReadHandler({ ...parts, slots, version: version.number }) };
}

/** Replies to the requests of a queue until it is stopped. */
export async function serveReads(
  queue: RequestQueue,
  versions: Pick<IndexVersions<RemoteParts>, "of" | "forgetBefore">,
  hand: ClaimedRequest,
): Promise<void> {
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
    hand.begin(read);
    // deno-lint-ignore no-await-in-loop -- one read at a time, so that a file system that hangs takes one thread
    const parts = await versions.of(read.version);
    if (parts) {
      const { content, memory } = parts;
      content.read(hand, read.entry, read.offset, read.size);
      for (let slot = memory.takeQueued(); slot >= 0; slot = memory.takeQueued()) {
        // deno-lint-ignore no-await-in-loop -- as above
        await workOnSlot(parts, slot);
      }
    }
    hand.end();
  }
}
