/**
 * A decoder: a thread that unpacks members off the queue and answers the requests that wait for them.
 * @module
 */
import { openReplier, type Replier } from "deno-fuse-ffi";
import { Snapshot } from "../../index/snapshot.ts";
import { CLibrary } from "../native/c_library.ts";
import { answerWaiters, decodeSlot, type DecodingParts, sentenceOf } from "./content_server.ts";
import { Counters } from "./counters.ts";
import { DecodeMemory, slotKind, slotStatus, verification } from "./decode_memory.ts";
import { MemberDecoder } from "./member_decoder.ts";
import type { DecoderMessage, DecoderStart } from "./messages.ts";
import { workerScope } from "./worker_scope.ts";

const scope = workerScope<DecoderStart, DecoderMessage>();

interface DecoderParts extends DecodingParts {
  readonly replier: Replier;
  readonly spillDirectory: string;
}

function tell(message: DecoderMessage): void {
  scope.postMessage(message);
}

async function spillSlot({ memory, decoder, report, counters, spillDirectory }: DecoderParts, slot: number) {
  const entry = memory.entry(slot);
  try {
    const file = await decoder.spill(entry, memory.fileDescriptor(slot), spillDirectory);
    counters.add("decoded", 1);
    memory.verified[entry] = verification.sound;
    memory.publish(slot, slotStatus.ready, file);
  } catch (error) {
    // A full disk is no damage of the archive: the entry is not marked, only this attempt has failed.
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(sentenceOf(error));
  }
}

async function serve(parts: DecoderParts): Promise<void> {
  const { memory } = parts;
  for (let slot = memory.dequeue(); slot >= 0; slot = memory.dequeue()) {
    if (memory.kind(slot) === slotKind.file) {
      // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
      await spillSlot(parts, slot);
    } else decodeSlot(parts, slot);
    answerWaiters(parts, slot);
    memory.release(slot);
  }
}

scope.onmessage = async ({ data }) => {
  const memory = new DecodeMemory(data.buffers);
  memory.join();
  try {
    const snapshot = Snapshot.from(data.catalog.snapshot);
    using library = new CLibrary();
    using decoder = new MemberDecoder(snapshot, library, () => memory.isStopping);
    using replier = openReplier();
    const counters = new Counters(data.counters, data.thread);
    const report = (message: string) => tell({ type: "problem", message });
    tell({ type: "ready" });
    await serve({ memory, snapshot, decoder, replier, counters, report, spillDirectory: data.spillDirectory });
  } finally {
    memory.leave();
  }
  tell({ type: "ended" });
  scope.close();
};
