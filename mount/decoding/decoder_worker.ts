/**
 * A decoder: a thread that decompresses queued members and replies to the requests that wait for them.
 * @module
 */
import { openPageStore, openReplier } from "deno-fuse-ffi";
import { collectGarbage, FileCalls, OwnChannel } from "../../system/mod.ts";
import { failSlot } from "./waiting_reads.ts";
import { Counters } from "../shared/counters.ts";
import {
  DecodeMemory,
  timeToReadAhead,
  timeToReleaseMemory,
  timeToStop,
  timeToWorkAlone,
} from "../shared/decode_memory.ts";
import { PlannedFault } from "../shared/planned_faults.ts";
import { IndexVersions } from "../shared/index_versions.ts";
import type { DecoderMessage, DecoderStart, IndexAnswerer } from "../shared/thread_messages.ts";
import { PageCacheFiller } from "./page_cache_filler.ts";
import { restTime, SeekPointMaker } from "./seek_point_maker.ts";
import { SegmentReader } from "./segment_reader.ts";
import { type SlotParts, slotParts, type SlotTools, workOnSlot } from "./slot_decoding.ts";

const channel = new OwnChannel<DecoderMessage, DecoderStart, IndexAnswerer>();

async function serve(
  { memory, library, replier }: SlotTools,
  versions: IndexVersions<SlotParts>,
  start: DecoderStart,
): Promise<void> {
  const { thread, faultAfter } = start;
  using filler = new PageCacheFiller(memory, library, openPageStore(start.session));
  const points = new SeekPointMaker(
    memory,
    (made) => channel.post({ type: "seekPoints", made }, [made.bytes.buffer]),
  );
  const next = () => memory.dequeue(points.hasWork ? restTime : Infinity);
  let takenCount = 0;
  let hasCalledForHelp = false;
  for (let slot = next(); slot !== timeToStop; slot = next()) {
    if (slot === timeToWorkAlone) {
      points.step();
      continue;
    }
    if (slot === timeToReleaseMemory) {
      versions.forgetBefore(memory.oldestVersion);
      collectGarbage();
      continue;
    }
    if (slot === timeToReadAhead) {
      // deno-lint-ignore no-await-in-loop -- as there is nothing else to do
      await filler.fillNoted(thread, (version) => versions.of(version));
      continue;
    }
    memory.hold(thread, slot);
    if (memory.hasQueued && !hasCalledForHelp) {
      channel.post({ type: "busy" });
      hasCalledForHelp = true;
    }
    if (++takenCount === faultAfter) throw new PlannedFault("decoder");
    // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
    const parts = await versions.of(memory.version(slot));
    if (!parts) {
      memory.releaseHeld(thread);
      failSlot(memory, replier, slot);
      continue;
    }
    const began = Date.now();
    // deno-lint-ignore no-await-in-loop -- as above
    await workOnSlot(parts, slot, () => {
      memory.releaseHeld(thread);
      points.note(parts, slot, began);
    });
  }
  points.end();
}

async function run(start: DecoderStart): Promise<void> {
  const memory = new DecodeMemory(start.buffers);
  memory.join();
  try {
    // The session does not wait for a decoder that is still starting: it may have ended.
    if (memory.isStopping) return;
    using library = new FileCalls();
    using replier = openReplier();
    const counters = new Counters(start.counters, start.thread);
    const report = (message: string, source?: string) => channel.post({ type: "problem", message, source });
    const { spillDirectory, seekDirectory } = start;
    using segments = seekDirectory === undefined ? undefined : new SegmentReader(library, seekDirectory);
    const tools = { memory, library, replier, counters, report, spillDirectory, segments };
    using versions = new IndexVersions(start.version, {
      make: (version) => slotParts(tools, version),
      drop: ({ decoder }) => decoder[Symbol.dispose](),
      ask: (version) => channel.ask(version),
    });
    channel.post({ type: "ready" });
    await serve(tools, versions, start);
  } finally {
    memory.leave();
  }
}

channel.run(run);
