/**
 * Makes seek points of large members for later decompression, in the background, after a member was verified. Finding
 * the blocks of deflated data takes three times as long as decompressing it, so no reader waits for it. For decoders.
 * @module
 */
import {
  encodeSeekPoints,
  hasShortSpan,
  isSettled,
  type SeekMember,
  type SeekSegment,
  segmentBytes,
  segmentCount,
  segmentEnd,
  windowBytes,
  windowLength,
} from "../../index/mod.ts";
import { collectGarbage, type FileCalls } from "../../system/mod.ts";
import { type DecodeMemory, slotKind, slotStatus } from "../shared/decode_memory.ts";
import { type MadeSeekPoints, seekMemberOf } from "../shared/seek_members.ts";
import { DeflateBlocks } from "./deflate_blocks.ts";
import { Libdeflate } from "./libdeflate.ts";
import type { SlotParts } from "./slot_decoding.ts";

/** Milliseconds of work at a time, and of the pause after each, so that others get the processor. */
const workTime = 3;
export const restTime: number = 27;
/** Maximum milliseconds for the remaining work when the mount ends. */
const lastWorkTime = 700;
/** Maximum members that wait for points; points of further members are made when they are decompressed again. */
const maxWaiting = 4;
/** Maximum blocks of deflated data per segment: more only occur in data crafted to waste time. */
const maxBlocks = 20_000;

/** A position between two blocks. */
type Boundary = Pick<SeekSegment, "start" | "startBit">;
/** Start and end of a segment's decompression. */
type Span = Omit<SeekSegment, "crc32" | "windowCrc32">;

interface Waiting extends Omit<MadeSeekPoints, "bytes"> {
  /** Makes the file in short steps; returns undefined if the file cannot be made. */
  readonly work: Generator<void, Uint8Array<ArrayBuffer> | undefined>;
}

/** The members that wait for points. */
export class SeekPointMaker {
  readonly #memory: DecodeMemory;
  readonly #onMade: (made: MadeSeekPoints) => void;
  readonly #waiting: Waiting[] = [];

  constructor(memory: DecodeMemory, onMade: (made: MadeSeekPoints) => void) {
    this.#memory = memory;
    this.#onMade = onMade;
  }

  /** Whether there is work. */
  get hasWork(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Schedules the member of a slot that was decompressed into a file, if it can have points. The slot is still in use.
   * @param began Time before it was verified; milliseconds since the epoch.
   */
  note(parts: SlotParts, slot: number, began: number): void {
    const { snapshot, library, decoder, segments } = parts;
    const memory = this.#memory;
    const isVerified = memory.kind(slot) === slotKind.file && memory.status(slot) === slotStatus.ready;
    if (!segments || !isVerified || this.#waiting.length >= maxWaiting || memory.isStopping) return;
    const [entry, version, pack] = [memory.entry(slot), memory.version(slot), memory.fileDescriptor(slot)];
    const member = seekMemberOf(snapshot, entry);
    // A change after the verification must show in the ctime.
    if (!member || !isSettled(member.identity, began)) return;
    const files = { pack: openAgain(library, pack), content: openAgain(library, memory.result(slot)) };
    const work = makePoints(library, member, files, () => decoder.dataOffset(entry, files.pack));
    this.#waiting.push({ member, version, entry, work });
  }

  /** Works for a moment. */
  step(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const end = performance.now() + workTime;
    do {
      const { done, value } = next(first.work);
      if (!done) continue;
      this.#waiting.shift();
      const { member, version, entry } = first;
      if (value) this.#onMade({ member, version, entry, bytes: value });
      if (!this.#memory.isStopping) collectGarbage();
      return;
    } while (performance.now() < end);
  }

  /** Finishes the work that can be finished soon, as the mount ends. */
  end(): void {
    const end = performance.now() + lastWorkTime;
    while (this.hasWork && performance.now() < end) this.step();
    for (const { work } of this.#waiting.splice(0)) work.return(undefined);
  }
}

/** Opens an open file a second time, so that the thread that opened it first may close it. */
function openAgain(library: FileCalls, descriptor: number): number {
  return library.openForReading(`/proc/self/fd/${descriptor}`);
}

/** Continues; stops without points for data that zlib considers damaged, or that cannot be read. */
function next(work: Waiting["work"]): IteratorResult<void, Uint8Array<ArrayBuffer> | undefined> {
  try {
    return work.next();
  } catch {
    return { done: true, value: undefined };
  }
}

/**
 * Makes the points of a member.
 * @param files Descriptors of the pack and of the member's verified content; closed at the end.
 * @param locate Returns the offset of the compressed data in the pack.
 * @throws {Error} if one cannot be read.
 */
export function* makePoints(
  library: FileCalls,
  member: SeekMember,
  files: { readonly pack: number; readonly content: number },
  locate: () => number,
): Generator<void, Uint8Array<ArrayBuffer> | undefined> {
  using resources = new DisposableStack();
  for (const descriptor of Object.values(files)) resources.defer(() => library.close(descriptor));
  const deflate = resources.use(Libdeflate.open());
  const dataOffset = locate();
  // Bytes of the pack after the member are not part of its data.
  const read = (target: Uint8Array, offset: number) =>
    library.readAt(files.pack, target.subarray(0, Math.max(0, member.compressedSize - offset)), dataOffset + offset);
  const blocks = resources.use(DeflateBlocks.open(read));
  if (!deflate || !blocks) return undefined;
  const spans = yield* findSpans(blocks, member);
  if (!spans?.every(hasShortSpan)) return undefined;
  const segments: SeekSegment[] = [];
  const windows = new Uint8Array(spans.length * windowBytes);
  const segmentContent = new Uint8Array(segmentEnd(member.size, 0));
  for (const [index, span] of spans.entries()) {
    const window = windows.subarray(index * windowBytes, index * windowBytes + windowLength(span));
    const content = segmentContent.subarray(0, segmentEnd(member.size, index) - index * segmentBytes);
    readAll(library, files.content, window, span.start - window.length);
    readAll(library, files.content, content, index * segmentBytes);
    segments.push({ ...span, crc32: deflate.crc32(content), windowCrc32: deflate.crc32(window) });
    yield;
  }
  return encodeSeekPoints({ member, dataOffset, segments }, windows);
}

function readAll(library: FileCalls, descriptor: number, target: Uint8Array, offset: number): void {
  const count = library.readFully(descriptor, target, offset);
  if (count !== target.length) throw new Error(`Cannot read a decompressed file: ${count} of ${target.length} bytes`);
}

/**
 * Finds the block boundaries around each segment; undefined if the data are not the member, or have too many blocks.
 */
function* findSpans(blocks: DeflateBlocks, { size }: SeekMember): Generator<void, Span[] | undefined> {
  const count = segmentCount(size);
  const starts: Boundary[] = [];
  const spans: Span[] = [];
  let before: Boundary = { start: 0, startBit: 0 };
  let steps = 0;
  for (;;) {
    const position = blocks.advance();
    if (++steps > maxBlocks * count) return undefined;
    yield;
    if (position === "inside") continue;
    const { bytes: end, bits: endBit } = blocks;
    // The last boundary at or before the beginning of a segment.
    while (starts.length < count && end > starts.length * segmentBytes) starts.push(before);
    while (spans.length < starts.length && end >= segmentEnd(size, spans.length)) {
      spans.push({ ...(starts[spans.length] ?? before), end, endBit });
    }
    before = { start: end, startBit: endBit };
    if (position === "end") return spans.length === count && end === size ? spans : undefined;
    if (end > size) return undefined;
  }
}
