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
import { UnpackedFiles } from "./unpacked_files.ts";
import { UnpackedOpener } from "./unpacked_opener.ts";
import { workerScope } from "./worker_scope.ts";

const scope = workerScope<DecoderStart, DecoderMessage>();

interface DecoderParts extends DecodingParts {
  readonly replier: Replier;
  readonly opener: UnpackedOpener;
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

/** Opens the file of a slot whose file had to be made first; false, and the slot has failed, if that is impossible. */
async function openSlot({ memory, opener, report }: DecoderParts, slot: number): Promise<boolean> {
  if (memory.fileDescriptor(slot) >= 0) return true;
  try {
    memory.setFileDescriptor(slot, await opener.descriptorOf(memory.entry(slot)));
    return true;
  } catch (error) {
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(sentenceOf(error));
    return false;
  }
}

async function serve(parts: DecoderParts): Promise<void> {
  const { memory } = parts;
  for (let slot = memory.dequeue(); slot >= 0; slot = memory.dequeue()) {
    // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
    const isOpen = await openSlot(parts, slot);
    if (isOpen && memory.kind(slot) === slotKind.file) {
      // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
      await spillSlot(parts, slot);
    } else if (isOpen) decodeSlot(parts, slot);
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
    const { spillDirectory } = data;
    const unpacked = new UnpackedFiles(snapshot, data.unpacked);
    const opener = new UnpackedOpener(
      { snapshot, library, decoder, unpacked, spillDirectory },
      () => memory.isStopping,
    );
    await serve({ memory, snapshot, decoder, replier, counters, report, opener, spillDirectory });
  } finally {
    memory.leave();
  }
  tell({ type: "ended" });
  scope.close();
};
