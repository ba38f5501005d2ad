/**
 * Decompresses members into their slots, and replies to the reads that wait for them. For decoders and the threads of
 * remote file systems.
 * @module
 */
import { at, segmentBytes, segmentCount, segmentEnd, Snapshot } from "../../index/mod.ts";
import { messageOf, provesDamage } from "../../formats/parts.ts";
import { DecompressedArchives } from "../shared/decompressed_archives.ts";
import { slotKind, slotStatus, wholeMember } from "../shared/decode_memory.ts";
import { EntryStates, verification } from "../shared/entry_states.ts";
import { seekMemberOf } from "../shared/seek_members.ts";
import type { IndexVersion } from "../shared/thread_messages.ts";
import { ArchiveDecompressor } from "./archive_decompressor.ts";
import { MemberDecoder } from "./member_decoder.ts";
import type { SegmentReader } from "./segment_reader.ts";
import { type AnswerParts, answerWaiters } from "./waiting_reads.ts";

/** Maximum read segments of a member of any size, before it is decompressed as a whole. */
const fewReads = 16;

/** Parts for decompressing members of one index. */
export interface DecodingParts extends AnswerParts {
  readonly decoder: MemberDecoder;
}

/** Parts for decoding that all indexes share. */
export interface SlotTools extends Pick<AnswerParts, "memory" | "library" | "replier" | "counters" | "report"> {
  readonly spillDirectory: string;
  /** Reads segments of large members; absent if no points are stored. */
  readonly segments?: SegmentReader | undefined;
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

/**
 * Works on a dequeued slot, replies to the requests that wait for it, and releases it.
 * @param onWorked Called before it is released.
 */
export async function workOnSlot(parts: SlotParts, slot: number, onWorked: () => void = () => {}): Promise<void> {
  if (await openSlot(parts, slot)) {
    if (parts.memory.kind(slot) === slotKind.file) await spillSlot(parts, slot);
    else if (parts.memory.segment(slot) !== wholeMember) await decodeSegment(parts, slot);
    else decodeSlot(parts, slot);
  }
  answerWaiters(parts, slot, () => {
    onWorked();
    parts.memory.release(slot);
  });
}

/**
 * Decompresses the member of a slot in memory, or verifies it, and publishes the result. The caller replies to the
 * waiting requests and releases the slot.
 */
export function decodeSlot(parts: DecodingParts, slot: number): void {
  const { memory, states, decoder, snapshot, counters } = parts;
  const entry = memory.entry(slot);
  try {
    if (memory.kind(slot) === slotKind.verify) {
      states.setSound(entry, decoder.verify(entry, memory.fileDescriptor(slot)));
    } else {
      const target = memory.bytes(slot, at(snapshot.columns.entrySizes, entry));
      states.setSound(entry, decoder.decode(entry, memory.fileDescriptor(slot), target));
    }
    counters.add("decoded", 1);
    memory.publish(slot, slotStatus.ready);
  } catch (error) {
    failDecoding(parts, slot, error);
  }
}

async function spillSlot(parts: SlotParts, slot: number): Promise<void> {
  try {
    parts.memory.publish(slot, slotStatus.ready, await spill(parts, slot));
  } catch (error) {
    failDecoding(parts, slot, error);
  }
}

/** Decompresses a segment of a large member, or the whole member if its points are unusable. */
async function decodeSegment(parts: SlotParts, slot: number): Promise<void> {
  const { memory, states, snapshot, library, counters, report } = parts;
  const [entry, segment] = [memory.entry(slot), memory.segment(slot)];
  const start = segment * segmentBytes;
  const target = memory.bytes(slot, segmentEnd(at(snapshot.columns.entrySizes, entry), segment) - start);
  try {
    const member = seekMemberOf(snapshot, entry);
    if (!member || !parts.segments) throw new Error("Cannot decompress a segment: nothing is kept of the member");
    parts.segments.read(member, segment, memory.fileDescriptor(slot), target);
    counters.add("segments", 1);
    // Reads all over a member decompress its segments again and again: from here on decompressing the whole is cheaper.
    if (parts.segments.readsOf(member) > 2 * segmentCount(member.size) + fewReads) states.setUnseekable(entry);
    return memory.publish(slot, slotStatus.ready);
  } catch (error) {
    states.setUnseekable(entry);
    report(messageOf(error));
  }
  try {
    using resources = new DisposableStack();
    const file = resources.adopt(await spill(parts, slot), (opened) => library.close(opened));
    if (library.readFully(file, target, start) !== target.length) {
      throw new Error("Cannot read a decompressed file");
    }
    memory.publish(slot, slotStatus.ready);
  } catch (error) {
    failDecoding(parts, slot, error);
  }
}

/** Decompresses the member of a slot into a file, and marks it as verified; returns the descriptor. */
async function spill(parts: SlotParts, slot: number): Promise<number> {
  const { memory, states, decoder, counters, spillDirectory } = parts;
  const entry = memory.entry(slot);
  const file = await decoder.spill(entry, memory.fileDescriptor(slot), spillDirectory);
  counters.add("decoded", 1);
  if (!states.isSeekable(entry)) states.verified[entry] = verification.sound;
  return file;
}

/** Publishes that a slot has failed; only proven damage is recorded: other errors may be temporary. */
function failDecoding({ memory, states, snapshot, report }: DecodingParts, slot: number, error: unknown): void {
  const entry = memory.entry(slot);
  if (provesDamage(error)) states.verified[entry] = verification.damaged;
  memory.publish(slot, slotStatus.failed);
  if (!memory.isStopping) report(messageOf(error), snapshot.sourceOf(entry).path);
}

/** Opens the file of a slot that must be decompressed first; false, with a failed slot, if that is impossible. */
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
