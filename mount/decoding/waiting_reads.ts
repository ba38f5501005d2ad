/**
 * Replies to reads that wait for a member: with its bytes, or with EIO if it is damaged, its decoder failed, or the
 * mount ends.
 * @module
 */
import { Errno, type Replier } from "deno-fuse-ffi";
import { ChangedError, filePathOf, isDirectorySource, none, type Snapshot } from "../../index/mod.ts";
import type { FileCalls } from "../../system/mod.ts";
import type { Counters } from "../shared/counters.ts";
import { type DecodeMemory, slotKind, slotStatus, type Waiter } from "../shared/decode_memory.ts";
import type { EntryStates } from "../shared/entry_states.ts";
import { isStillIndexed, readingError } from "./descriptor_files.ts";

/** Fails requests. */
type ErrorReplier = Pick<Replier, "error">;

/** Parts for replying to reads of one index. */
export interface AnswerParts {
  readonly snapshot: Snapshot;
  /** State of each entry of the index. */
  readonly states: EntryStates;
  readonly memory: DecodeMemory;
  readonly library: FileCalls;
  readonly replier: Pick<Replier, "error" | "buffer">;
  readonly counters: Counters;
  /** Number of failed reads, by source number. */
  readonly failures: Uint32Array;
  /** Called once per damaged member or missing file, with its source. */
  readonly report: (message: string, source?: string) => void;
}

/**
 * Replies to all requests that wait for a finished slot.
 * @param release Called when the slot is no longer used.
 */
export function answerWaiters(parts: AnswerParts, slot: number, release: () => void = () => {}): void {
  const { memory, states, snapshot, replier } = parts;
  const isReady = memory.status(slot) === slotStatus.ready;
  const kind = memory.kind(slot);
  const waiters = memory.takeWaiters(slot);
  if (!isReady) {
    for (const _ of waiters) countFailure(parts, memory.entry(slot));
    return failWaiters(replier, waiters, release);
  }
  for (const { address, offset, size } of waiters) {
    if (kind === slotKind.memory) {
      const start = memory.start(slot) + offset;
      replier.buffer(address, memory.ring.subarray(start, start + size));
      continue;
    }
    const entry = memory.entry(slot);
    const isFile = kind === slotKind.file;
    const start = isFile ? 0 : states.dataOffsets[entry] ?? snapshot.columns.entryOffsets[entry] ?? none;
    const descriptor = isFile ? memory.result(slot) : memory.fileDescriptor(slot);
    const bytes = bytesOfFile(parts, entry, descriptor, start + offset, size, isFile);
    if (bytes && (isFile || isUnchanged(parts, entry, descriptor))) replier.buffer(address, bytes);
    else replier.error(address, Errno.EIO);
  }
  release();
}

/** Fails the reads that waited for a slot, which is released before: a later read tries again. */
function failWaiters(replier: ErrorReplier, waiters: readonly Waiter[], release: () => void): void {
  release();
  for (const { address } of waiters) replier.error(address, Errno.EIO);
}

/**
 * Returns whether the file of a verified entry is still the indexed one, after bytes were read from it: it may have
 * changed since it was verified.
 */
function isUnchanged(parts: AnswerParts, entry: number, descriptor: number): boolean {
  if (isStillIndexed(parts.library, parts.snapshot, entry, descriptor)) return true;
  const { path } = parts.snapshot.sourceOf(entry);
  parts.report(new ChangedError(path).message, path);
  countFailure(parts, entry);
  return false;
}

/** Fails a dequeued slot, and the reads that wait for it. */
export function failSlot(memory: DecodeMemory, replier: ErrorReplier, slot: number): void {
  if (memory.status(slot) === slotStatus.working) memory.publish(slot, slotStatus.failed);
  failWaiters(replier, memory.takeWaiters(slot), () => memory.release(slot));
}

/** Fails the slot that a thread was working on when it failed. */
export function failHeld(memory: DecodeMemory, replier: ErrorReplier, thread: number): void {
  memory.ahead.releaseHeld(thread);
  const slot = memory.held(thread);
  if (slot < 0) return;
  memory.releaseHeld(thread);
  failSlot(memory, replier, slot);
}

/** Fails all queued slots, if no decoder is left. */
export function failQueue(memory: DecodeMemory, replier: ErrorReplier): void {
  for (let slot = memory.takeQueued(); slot >= 0; slot = memory.takeQueued()) failSlot(memory, replier, slot);
}

/**
 * Fails the unfinished work of decoders 1 to `decoderCount` at the end, before the session is destroyed.
 * @param areOver Whether no decoder is still working: a running one keeps its slot, and finds no requests there.
 */
export function failRemaining(
  memory: DecodeMemory,
  replier: ErrorReplier,
  decoderCount: number,
  areOver: boolean,
): void {
  for (let thread = 1; thread <= decoderCount; thread++) {
    const slot = memory.held(thread);
    if (areOver) failHeld(memory, replier, thread);
    else if (slot >= 0) failWaiters(replier, memory.takeWaiters(slot), () => {});
  }
  failQueue(memory, replier);
}

/** Counts a failed read. */
export function countFailure(
  { counters, failures, snapshot }: Pick<AnswerParts, "counters" | "failures" | "snapshot">,
  entry: number,
): void {
  counters.add("failedReads", 1);
  Atomics.add(failures, snapshot.sourceOf(entry).id, 1);
}

/** Buffer of bytes between a file and the kernel. */
let outgoing = new Uint8Array(0);

/**
 * Reads bytes of an entry from its file, valid until the next call. Returns all of them, or reports the error and
 * returns `undefined`: the kernel interprets a short reply as the end of the file.
 * @param isDecompressed Whether the file has the decompressed entry.
 */
export function bytesOfFile(
  parts: Pick<AnswerParts, "library" | "snapshot" | "report" | "counters" | "failures">,
  entry: number,
  descriptor: number,
  offset: number,
  count: number,
  isDecompressed = false,
): Uint8Array | undefined {
  if (outgoing.length < count) outgoing = new Uint8Array(count);
  const bytes = outgoing.subarray(0, count);
  const done = parts.library.readFully(descriptor, bytes, offset);
  if (done === count) return bytes;
  const source = parts.snapshot.sourceOf(entry);
  const member = parts.snapshot.memberOf(entry);
  const file = isDirectorySource(source) ? filePathOf(source, member) : source.path;
  const path = isDecompressed ? `${file}: the temporary file with ${member}` : file;
  parts.report(readingError(path, offset, done).message, source.path);
  countFailure(parts, entry);
  return undefined;
}
