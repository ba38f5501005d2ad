/**
 * Decompresses members into their slots, and answers the reads that wait for them. For decoders and the threads of
 * remote file systems.
 * @module
 */
import { at } from "../../index/columns/columns.ts";
import { messageOf, provesDamage } from "../../formats/core/errors.ts";
import { Snapshot } from "../../index/columns/snapshot.ts";
import { DecompressedArchives } from "../shared/decompressed_archives.ts";
import { EntryStates, slotKind, slotStatus, verification } from "../shared/decode_memory.ts";
import type { IndexVersion } from "../shared/thread_messages.ts";
import { ArchiveDecompressor } from "./archive_decompressor.ts";
import { MemberDecoder } from "./member_decoder.ts";
import { type AnswerParts, answerWaiters } from "./waiting_reads.ts";

/** Parts for decompressing members of one index. */
export interface DecodingParts extends AnswerParts {
  readonly decoder: MemberDecoder;
}

/** Parts for decoding that all indexes share. */
export interface SlotTools extends Pick<AnswerParts, "memory" | "library" | "replier" | "counters" | "report"> {
  readonly spillDirectory: string;
}

/** Parts for decoding slots of one index. */
export interface SlotParts extends DecodingParts, SlotTools {
  readonly opener: ArchiveDecompressor;
  readonly decompressed: DecompressedArchives;
}

/** Makes the parts for an index. */
export function slotParts(
  tools: SlotTools,
  { catalog, entries, decompressed: states, failures }: IndexVersion,
): SlotParts {
  const { memory, library, spillDirectory } = tools;
  const snapshot = Snapshot.from(catalog.snapshot);
  const isStopping = () => memory.isStopping;
  const decoder = new MemberDecoder(snapshot, library, isStopping);
  const decompressed = new DecompressedArchives(snapshot, states);
  const opener = new ArchiveDecompressor({ snapshot, library, decoder, decompressed, spillDirectory }, isStopping);
  return {
    ...tools,
    snapshot,
    states: new EntryStates(entries),
    failures: new Uint32Array(failures),
    decoder,
    opener,
    decompressed,
  };
}

/** Works on a slot that was taken off the queue, and answers the requests that wait for it. The caller releases it. */
export async function workOnSlot(parts: SlotParts, slot: number): Promise<void> {
  using mapped = new DisposableStack();
  const isOpen = await openSlot(parts, slot);
  if (isOpen && parts.memory.kind(slot) === slotKind.file) await spillSlot(parts, slot, mapped);
  else if (isOpen) decodeSlot(parts, slot);
  answerWaiters(parts, slot);
}

/**
 * Decompresses the member of a slot in memory, or verifies it, and publishes the outcome. The caller answers the
 * waiting requests and releases the slot.
 */
export function decodeSlot(parts: DecodingParts, slot: number): void {
  const { memory, states, decoder, snapshot, report, counters } = parts;
  const entry = memory.entry(slot);
  const length = at(snapshot.columns.entrySizes, entry);
  try {
    if (memory.kind(slot) === slotKind.verify) {
      states.setSound(entry, decoder.verify(entry, memory.fileDescriptor(slot)));
    } else {
      const start = memory.start(slot);
      const target = memory.ring.subarray(start, start + length);
      states.setSound(entry, decoder.decode(entry, memory.fileDescriptor(slot), target));
    }
    counters.add("decoded", 1);
    memory.publish(slot, slotStatus.ready);
  } catch (error) {
    if (provesDamage(error)) states.verified[entry] = verification.damaged;
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(messageOf(error), snapshot.sourceOf(entry).path);
  }
}

async function spillSlot(parts: SlotParts, slot: number, mapped: DisposableStack) {
  const { memory, states, snapshot, decoder, report, counters, spillDirectory } = parts;
  const entry = memory.entry(slot);
  try {
    const file = await decoder.spill(entry, memory.fileDescriptor(slot), spillDirectory, mapped);
    counters.add("decoded", 1);
    states.verified[entry] = verification.sound;
    memory.publish(slot, slotStatus.ready, file);
  } catch (error) {
    // After any other error, such as a full disk, only this attempt has failed.
    if (provesDamage(error)) states.verified[entry] = verification.damaged;
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(messageOf(error), snapshot.sourceOf(entry).path);
  }
}

/** Opens the file of a slot whose file had to be made first; false, and the slot has failed, if that is impossible. */
async function openSlot({ memory, snapshot, opener, report }: SlotParts, slot: number): Promise<boolean> {
  if (memory.fileDescriptor(slot) >= 0) return true;
  try {
    memory.setFileDescriptor(slot, await opener.descriptorOf(memory.entry(slot)));
    return true;
  } catch (error) {
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(messageOf(error), snapshot.sourceOf(memory.entry(slot)).path);
    return false;
  }
}
