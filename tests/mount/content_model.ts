/**
 * Runs the session thread and two decoders on one thread, so that a test decides how their steps interleave: whenever
 * one accesses the shared memory, the others may continue first.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Errno, type FuseRequest, type Replier } from "deno-fuse-ffi";
import { answerWaiters } from "../../mount/decoding/waiting_reads.ts";
import { ReadHandler } from "../../mount/session/read_handler.ts";
import { HandedRequests } from "../../mount/session/handed_requests.ts";
import { createRequestQueueBuffer, RequestQueue } from "../../mount/shared/request_queue.ts";
import { Counters, createCounterBuffer, readCounters } from "../../mount/shared/counters.ts";
import {
  createDecodeBuffers,
  type DecodeBuffers,
  DecodeMemory,
  slotCount,
  slotKind,
  slotStatus,
} from "../../mount/shared/decode_memory.ts";
import { createEntryBuffers, EntryStates } from "../../mount/shared/entry_states.ts";
import { MemberDecoder } from "../../mount/decoding/member_decoder.ts";
import { MemberCache } from "../../mount/session/member_cache.ts";
import { type SlotParts, workOnSlot } from "../../mount/decoding/slot_decoding.ts";
import { createArchiveStates, DecompressedArchives } from "../../mount/shared/decompressed_archives.ts";
import { ArchiveDecompressor } from "../../mount/decoding/archive_decompressor.ts";
import { SegmentReader } from "../../mount/decoding/segment_reader.ts";
import { FileCalls } from "../../system/file_calls.ts";
import type { Catalog } from "../../views/catalog.ts";

/** Compressible bytes that differ for every name and offset. */
export function content(name: string, size: number): Uint8Array<ArrayBuffer> {
  const lines = Array.from({ length: Math.ceil(size / 16) }, (_, line) => `${name} ${line}`.padEnd(16).slice(-16));
  return new TextEncoder().encode(lines.join("")).slice(0, size);
}

/** A C library that counts descriptors, and fails on demand. */
export class FailingLibrary extends FileCalls {
  readonly open = new Set<number>();
  /** Error number that every read fails with; 0: none. */
  readError = 0;
  /** Number of bytes by which files appear shorter to reads. */
  shortBy = 0;
  openError = 0;
  /** Whether unnamed files have no space. */
  isFull = false;
  /** Whether unnamed files cannot be made. */
  hasNoFiles = false;
  /** Whether open files appear with another time. */
  isChanged = false;

  override information(fileDescriptor: number): ReturnType<FileCalls["information"]> {
    const information = super.information(fileDescriptor);
    return information && this.isChanged ? { ...information, mtime: 1000 } : information;
  }

  override openForReading(path: string): number {
    return this.#opened(this.openError === 0 ? super.openForReading(path) : -this.openError);
  }

  override openBelow(directory: number, path: string): number {
    return this.#opened(this.openError === 0 ? super.openBelow(directory, path) : -this.openError);
  }

  override openUnnamed(directory: string): number {
    return this.hasNoFiles ? -Errno.ENOSPC : this.#opened(super.openUnnamed(directory));
  }

  override close(fileDescriptor: number): void {
    assert(this.open.delete(fileDescriptor), `${fileDescriptor} was not open`);
    super.close(fileDescriptor);
  }

  override readAt(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    if (this.readError !== 0) return -this.readError;
    if (this.shortBy === 0) return super.readAt(fileDescriptor, bytes, offset);
    return super.readAt(fileDescriptor, bytes.subarray(0, Math.max(0, bytes.length - this.shortBy)), offset);
  }

  override writeAt(fileDescriptor: number, bytes: Uint8Array, offset: number): boolean {
    return this.isFull ? false : super.writeAt(fileDescriptor, bytes, offset);
  }

  #opened(fileDescriptor: number): number {
    if (fileDescriptor >= 0) this.open.add(fileDescriptor);
    return fileDescriptor;
  }
}

/** Decompressed archives for decoders on one thread, where none can wait for another's file. */
class SharedArchives extends DecompressedArchives {
  #making: Promise<unknown> = Promise.resolve();

  override obtain(...parameters: Parameters<DecompressedArchives["obtain"]>): Promise<number> {
    const result = this.#making.then(() => super.obtain(...parameters));
    this.#making = result.catch(() => {});
    return result;
  }
}

/** Shared memory in which other threads may continue before each step. */
class SteppedMemory extends DecodeMemory {
  readonly #step: () => void;
  readonly #answer: (slot: number) => void;
  /** Slots whose answers were already given by {@linkcode publish}. */
  readonly #answered = new Set<number>();
  /** Completes a started publication before the session's next wait. */
  late: (() => void) | undefined;

  constructor(buffers: DecodeBuffers, step: () => void, answer: (slot: number) => void) {
    super(buffers);
    this.#step = step;
    this.#answer = answer;
  }

  /** A publishing decoder: once the session has seen a busy slot, its wait may only come afterwards. */
  override publish(slot: number, status: number, result = -1): void {
    let isDone = false;
    this.late = () => {
      if (isDone) return;
      isDone = true;
      super.publish(slot, status, result);
      this.#answer(slot);
      this.#answered.add(slot);
    };
    this.#step();
    if (!isDone) super.publish(slot, status, result);
    this.late = undefined;
    this.#step();
  }

  override takeWaiters(slot: number): ReturnType<DecodeMemory["takeWaiters"]> {
    // A decoder takes waiters only once.
    if (this.#answered.delete(slot)) return [];
    const waiters = super.takeWaiters(slot);
    this.#step();
    return waiters;
  }
}

/** The session's memory: a publication may end before a request is on its list. */
class SessionMemory extends DecodeMemory {
  beforeWait: () => void = () => {};

  override wait(...parameters: Parameters<DecodeMemory["wait"]>): boolean {
    this.beforeWait();
    return super.wait(...parameters);
  }
}

/** A requested read. */
export interface AskedRead {
  readonly entry: number;
  readonly offset: number;
  readonly size: number;
  /** Bytes of the file, or the error. */
  answer: Uint8Array | number | undefined;
  /** Called when another thread has answered. */
  onAnswered?: () => void;
}

/** Bytes of the ring of {@linkcode ContentModel}, which takes members up to a quarter of a megabyte smaller. */
export const modelRing = 512 * 1024;

/** Parts of a {@linkcode ContentModel} that only some tests need. */
interface ModelOptions {
  /** Bytes of the ring. */
  readonly ring?: number;
  /** Directory of the points of large members. */
  readonly seekDirectory?: string;
  /** Called with each processed slot, before it is released. */
  readonly onWorked?: (parts: SlotParts, slot: number) => void;
}

/** Everything that serves the bytes of one index. */
export class ContentModel implements AsyncDisposable {
  readonly library = new FailingLibrary();
  readonly reports: string[] = [];
  readonly states: EntryStates;
  readonly #buffers: DecodeBuffers;
  readonly #session: SessionMemory;
  readonly #segments: SegmentReader | undefined;
  readonly #onWorked: ModelOptions["onWorked"];
  readonly #decoderMemory: SteppedMemory;
  readonly #slots: MemberCache;
  readonly #counters = createCounterBuffer(1);
  /** Number of failed reads by source number. */
  readonly failures: Uint32Array;
  /** Reads passed to the threads of remote file systems. */
  readonly handed: RequestQueue;
  readonly content: ReadHandler;
  readonly #decoder: SlotParts;
  readonly #asked = new Map<bigint, AskedRead>();
  readonly #work = new Set<Promise<unknown>>();
  #lastAddress = 2n ** 40n;
  #depth = 0;
  /** Called whenever a decoder accesses the shared memory: a step of the session. */
  onStep: () => void = () => {};

  /** @param remotes Remote file system number by source number, 0 for a local one. */
  constructor(
    catalog: Catalog,
    spillDirectory: string,
    remotes = new Uint8Array(0),
    { ring = modelRing, seekDirectory, onWorked }: ModelOptions = {},
  ) {
    const { snapshot } = catalog;
    this.#buffers = createDecodeBuffers(ring);
    this.#session = new SessionMemory(this.#buffers);
    this.#segments = seekDirectory === undefined ? undefined : new SegmentReader(this.library, seekDirectory);
    this.#onWorked = onWorked;
    this.failures = new Uint32Array(snapshot.sources.length);
    const entryBuffers = createEntryBuffers(snapshot.entryCount);
    this.states = new EntryStates(entryBuffers);
    const decompressedStates = createArchiveStates(snapshot);
    const { library } = this;
    const decompressed = new SharedArchives(snapshot, decompressedStates);
    const decoder = new MemberDecoder(snapshot, library);
    const replier: Replier = {
      error: (address, errno) => this.#answer(address, errno),
      buffer: (address, bytes) => this.#answer(address, bytes.slice()),
      fileDescriptor: () => assert(false, "a short reply would be the end of the file"),
      entry: (address) => this.#answer(address, Errno.EINVAL),
      attributes: (address) => this.#answer(address, Errno.EINVAL),
      close: () => {},
      [Symbol.dispose]: () => {},
    };
    const shared = {
      snapshot,
      states: this.states,
      library,
      decoder,
      decompressed,
      replier,
      counters: new Counters(this.#counters, 0),
      failures: this.failures,
      report: (message: string) => this.reports.push(message),
    };
    this.#decoderMemory = new SteppedMemory(
      this.#buffers,
      () => this.#step(),
      (slot) => answerWaiters(this.#decoder, slot),
    );
    this.#decoder = {
      ...shared,
      memory: this.#decoderMemory,
      segments: this.#segments,
      spillDirectory,
      opener: new ArchiveDecompressor({ snapshot, library, decoder, decompressed, spillDirectory }, () => false),
    };
    this.#session.beforeWait = () => this.#decoderMemory.late?.();
    this.#slots = new MemberCache(this.#session, (descriptor) => library.close(descriptor), 2 ** 20);
    const handed = createRequestQueueBuffer();
    this.handed = new RequestQueue(handed);
    this.content = new ReadHandler({
      ...shared,
      version: 0,
      memory: this.#session,
      slots: this.#slots,
      remote: { numbers: remotes, reads: new HandedRequests([handed], replier, () => {}) },
    });
  }

  /** Requests bytes of an entry, as the session thread. */
  read(entry: number, offset: number, size: number): AskedRead {
    const asked: AskedRead = { entry, offset, size, answer: undefined };
    const answer = (value: Uint8Array | number) => {
      assertEquals(asked.answer, undefined, "a request was answered twice");
      asked.answer = value;
    };
    const unexpected = () => {
      throw new Error("no read is answered like that");
    };
    const request: FuseRequest = {
      operation: "read",
      userId: 0,
      groupId: 0,
      processId: 1,
      unique: 0n,
      size,
      get directory(): never {
        return unexpected();
      },
      replyError: answer,
      replySuccess: unexpected,
      replyEntry: unexpected,
      replyNoEntry: unexpected,
      replyAttributes: unexpected,
      replyOpen: unexpected,
      replyData: (bytes) => answer(bytes.slice()),
      replyFileDescriptor: unexpected,
      replyDirectory: unexpected,
      replyLink: unexpected,
      replyStatistics: unexpected,
      replyExtendedAttribute: unexpected,
      replyExtendedAttributeNames: unexpected,
      detach: () => {
        const address = ++this.#lastAddress;
        this.#asked.set(address, asked);
        return address;
      },
    };
    this.content.serve(request, entry, offset, size);
    return asked;
  }

  /** Requests bytes, and runs the decoders to the end. Without `works` they do not start yet. */
  async readNow(entry: number, offset: number, size: number, works = true): Promise<Uint8Array | number> {
    const asked = this.read(entry, offset, size);
    if (works) await this.finish();
    assert(asked.answer !== undefined, "a request was never answered");
    return asked.answer;
  }

  /** Starts a decoder with the next slot, if any. */
  decode(): void {
    const slot = this.#decoderMemory.takeQueued();
    if (slot < 0) return;
    const work: Promise<unknown> = workOnSlot(this.#decoder, slot, () => this.#onWorked?.(this.#decoder, slot))
      .then(() => this.#work.delete(work));
    this.#work.add(work);
  }

  /** Uses all memory for members that no decoder works on. */
  fillSlots(): void {
    const version = -1;
    for (let entry = 0; this.#slots.allocateInRing({ version, entry }, 1, -1) >= 0;) entry++;
    for (let entry = slotCount; this.#slots.allocateOutside({ version, entry }, 1, -1, slotKind.verify) >= 0;) entry++;
  }

  /** Frees what {@linkcode ContentModel.fillSlots} has used. */
  freeSlots(): void {
    for (let slot = 0; slot < slotCount; slot++) {
      if (this.#session.version(slot) !== -1 || this.#session.isIdle(slot)) continue;
      this.#session.publish(slot, slotStatus.failed);
      this.#session.release(slot);
    }
  }

  /** Ends the session, as its threads observe it. */
  askToStop(): void {
    this.#session.askToStop();
  }

  /** Waits until the decoders have finished all work. */
  async finish(): Promise<void> {
    while (this.#work.size > 0 || this.#decoderMemory.hasQueued) {
      this.decode();
      // deno-lint-ignore no-await-in-loop -- one after the other
      await Promise.all(this.#work);
    }
  }

  /** Whether slots wait for a decoder. */
  get hasQueued(): boolean {
    return this.#session.hasQueued;
  }

  /** Counters of all threads. */
  get counters(): Record<string, number> {
    return readCounters(this.#counters);
  }

  /** Waiting requests. */
  get waiting(): number {
    return this.#asked.size;
  }

  /** Slots that are not idle. No thread may be running. */
  get busySlots(): number {
    return Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => !this.#session.isIdle(slot)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.onStep = () => {};
    await this.finish();
    this.#slots[Symbol.dispose]();
    this.#segments?.[Symbol.dispose]();
    this.content[Symbol.dispose]();
    assertEquals(this.library.open, new Set(), "descriptors stay open");
    this.library[Symbol.dispose]();
  }

  #step(): void {
    if (this.#depth > 0) return;
    this.#depth++;
    try {
      this.onStep();
    } finally {
      this.#depth--;
    }
  }

  #answer(address: bigint, value: Uint8Array | number): void {
    const asked = this.#asked.get(address);
    assert(asked, "a request was answered twice, or never asked");
    this.#asked.delete(address);
    asked.answer = value;
    asked.onAnswered?.();
  }
}
