/**
 * Replies to reads. Compressed members are decompressed once, by the decoders, and the first thread that has the bytes
 * replies. The session thread never waits for a decoder.
 *
 * The kernel interprets a short reply as the end of a file, so a read gets all bytes or EIO.
 * @module
 */
import { Errno, type FuseRequest } from "deno-fuse-ffi";
import { ArchiveError, messageOf, methodCode, provesDamage } from "../../formats/parts.ts";
import { at, ChangedError, isDirectorySource, none, segmentBytes, segmentCount, segmentEnd } from "../../index/mod.ts";
import { type OpenEntry, OpenFiles } from "./open_files.ts";
import { inlineLimit, slotKind, slotStatus } from "../shared/decode_memory.ts";
import { verification } from "../shared/entry_states.ts";
import type { ReadAheadFiles } from "./read_ahead.ts";
import { decodeSlot, type DecodingParts } from "../decoding/slot_decoding.ts";
import { answerWaiters, bytesOfFile, countFailure } from "../decoding/waiting_reads.ts";
import type { HandedRequests } from "./handed_requests.ts";
import { noConvertedNode } from "../shared/request_queue.ts";
import type { IndexedEntry, MemberCache } from "./member_cache.ts";
import type { DecompressedArchives } from "../shared/decompressed_archives.ts";
import type { ContentWatches } from "../../system/mod.ts";

/** Share of the ring above which a member is written to a file. */
const ringShare = 2;
/** Minimum number of segments in the ring for decompressing the next one ahead. */
const minSegmentsInRing = 3;
/** Bytes per request that the kernel only uses for programs that read in order. */
const readInOrder = 64 * 1024;

/** Parts for serving the bytes of one index. */
export interface ReadHandlerParts extends DecodingParts {
  /** Number of the index among the indexes of the mount. */
  readonly version: number;
  /** Cache of decompressed members, which all indexes share. */
  readonly slots: MemberCache;
  readonly decompressed: DecompressedArchives;
  readonly watches?: ContentWatches;
  /** Threads that read files on remote file systems; absent if this thread does. */
  readonly remote?: RemoteParts;
}

/** Remote file systems, for a thread that must not wait for them. */
export interface RemoteParts {
  /** Number of the remote file system of each source, 0 for a local one. */
  readonly numbers: Uint8Array;
  readonly reads: HandedRequests;
}

/** The part of a request that a reply to a read needs. */
export type ReadRequest = Pick<FuseRequest, "replyData" | "replyError" | "detach">;

/** Serves the bytes of the entries of one index. Session thread, or a remote file system's thread. */
export class ReadHandler implements ReadAheadFiles, Disposable {
  readonly #parts: ReadHandlerParts;
  readonly #files: OpenFiles;
  readonly #reported = new Set<number>();
  readonly #maxInRing: number;
  /** Small members that one request covers entirely are decompressed here: no further request will follow. */
  readonly #once = new Uint8Array(inlineLimit);
  /** The entry whose bytes are prepared, by {@linkcode ReadHandler.prepare}. */
  #prepared: number = none;

  constructor(parts: ReadHandlerParts) {
    this.#parts = parts;
    const { memory, library, snapshot, decompressed, slots, watches } = parts;
    const isBusy = (descriptor: number) => slots.isBusy(descriptor) || memory.ahead.isBusy(descriptor);
    this.#files = new OpenFiles(snapshot, library, decompressed, isBusy, watches);
    this.#maxInRing = Math.floor(memory.ring.length / ringShare);
  }

  /** Replies to a read of an entry, or queues it for the thread of its remote file system. */
  serve(request: FuseRequest, entry: number, offset: number, size: number): void {
    const fileSystem = this.#remoteOf(entry);
    if (fileSystem === 0) return this.read(request, entry, offset, size);
    const { remote, version } = this.#parts;
    if (!remote) return request.replyError(Errno.EIO);
    remote.reads.hand(request, fileSystem - 1, { version, entry, offset, size, ...noConvertedNode });
  }

  /** Replies to a read of an entry, now or through a decoder. */
  read(request: ReadRequest, entry: number, offset: number, size: number): void {
    const { snapshot, states, counters } = this.#parts;
    const length = at(snapshot.columns.entrySizes, entry);
    const count = Math.min(size, length - offset);
    counters.add("reads", 1);
    if (count <= 0) return request.replyData(new Uint8Array(0));
    if (snapshot.columns.entryDamage[entry] !== 0 || states.verified[entry] === verification.damaged) {
      countFailure(this.#parts, entry);
      return request.replyError(Errno.EIO);
    }
    counters.add("bytes", count);
    const opened = this.#open(entry);
    if (!opened) return request.replyError(Errno.EIO);
    if (this.#prepared === entry && count === length) {
      this.#prepared = none;
      return request.replyData(this.#once.subarray(0, count));
    }
    if (isDirectorySource(snapshot.sourceOf(entry))) {
      return this.#replyFrom(request, entry, opened.descriptor, offset, count);
    }
    this.#readMember(request, entry, opened, offset, count);
  }

  /**
   * Returns whether a file can be looked up: the kernel never reads an empty file, so a member that may only appear to
   * be empty is read now. If it cannot be checked here, because its archive is remote or must be decompressed first,
   * this fails too.
   */
  canLookUp(entry: number): boolean {
    const { snapshot, states } = this.#parts;
    if (!snapshot.isDoubtfullyEmpty(entry) || states.verified[entry] === verification.sound) return true;
    const isDamaged = snapshot.columns.entryDamage[entry] !== 0 || states.verified[entry] === verification.damaged;
    const packedSize = at(snapshot.columns.entryCompressedSizes, entry);
    const isReadable = !isDamaged && packedSize <= inlineLimit && this.#remoteOf(entry) === 0;
    const opened = isReadable ? this.#tryOpen(entry) : undefined;
    if (opened && opened.descriptor >= 0) return this.#decodeOnce(entry, opened.descriptor, new Uint8Array(0));
    countFailure(this.#parts, entry);
    return false;
  }

  /** Returns whether a listing can show a file with its attributes, which counts as a lookup; reads nothing. */
  isKnownToBeSound(entry: number): boolean {
    const { snapshot, states } = this.#parts;
    return !snapshot.isDoubtfullyEmpty(entry) || states.verified[entry] === verification.sound;
  }

  get version(): number {
    return this.#parts.version;
  }

  /** Returns the beginning of a stored file; undefined if it must be decompressed, is remote, damaged or gone. */
  startOf(entry: number, length: number): Uint8Array | undefined {
    const { snapshot, states, library } = this.#parts;
    const isDamaged = snapshot.columns.entryDamage[entry] !== 0 || states.verified[entry] === verification.damaged;
    const opened = isDamaged || this.#remoteOf(entry) !== 0 ? undefined : this.#tryOpen(entry);
    if (!opened || opened.descriptor < 0) return undefined;
    const start = isDirectorySource(snapshot.sourceOf(entry)) ? 0 : this.#startAsItIs(entry, opened);
    const bytes = new Uint8Array(Math.min(length, at(snapshot.columns.entrySizes, entry)));
    return start >= 0 && library.readAt(opened.descriptor, bytes, start) === bytes.length ? bytes : undefined;
  }

  /**
   * Reads the bytes of a small file that will be read next, while the lookup returns to its program. Errors are
   * ignored, since the read reports them and checks that the file is unchanged.
   */
  prepare(entry: number): void {
    const { snapshot, states, slots } = this.#parts;
    const { entrySizes, entryDamage } = snapshot.columns;
    const length = at(entrySizes, entry);
    const isReadable = entryDamage[entry] === 0 && states.verified[entry] !== verification.damaged;
    if (this.#remoteOf(entry) !== 0) return;
    if (length === 0 || length > inlineLimit || !isReadable || slots.slotOf(this.#indexed(entry)) >= 0) return;
    const opened = this.#tryOpen(entry);
    if (!opened || opened.descriptor < 0) return;
    this.#prepared = none;
    if (this.#bringOnce(entry, opened, this.#once.subarray(0, length))) this.#prepared = entry;
  }

  /**
   * Returns the descriptor of the file of an entry that can be read ahead, negative if it cannot: it must be small, so
   * that no reader waits long for a decoder, and have a checksum, or be stored in an archive or a loose file.
   */
  aheadDescriptor(entry: number): number {
    const { snapshot, states } = this.#parts;
    const { entrySizes, entryDamage, entryMethods } = snapshot.columns;
    const length = at(entrySizes, entry);
    const isSound = entryDamage[entry] === 0 && states.verified[entry] !== verification.damaged;
    if (length === 0 || length > inlineLimit || !isSound || this.#remoteOf(entry) !== 0) return -1;
    const { byteLayout } = snapshot.sourceOf(entry);
    // If a decoder must decompress the archive first, readers wait for it.
    if (byteLayout?.files.some(({ kind }) => kind !== "disk")) return -1;
    const liesAsItIs = !byteLayout && entryMethods[entry] === methodCode.store;
    if (snapshot.crcOf(entry) === null && !liesAsItIs) return -1;
    // The decoder compares the checksum, or the file after reading, so this is not necessary here.
    return this.#files.openArchive(entry) ?? (this.#files.hasTooMany ? -1 : this.#tryOpen(entry)?.descriptor ?? -1);
  }

  /** Whether a decoder still reads from one of the files, or will create one. */
  get isBusy(): boolean {
    const { slots, version } = this.#parts;
    return slots.isWorkingFor(version) || this.#files.isBusy;
  }

  /** Closes all files. No request for this index may be in progress. */
  [Symbol.dispose](): void {
    const { decompressed, library, decoder } = this.#parts;
    decompressed.closeAll((descriptor) => library.close(descriptor));
    this.#files[Symbol.dispose]();
    decoder[Symbol.dispose]();
  }

  /** Returns the number of an entry's remote file system, 0 if this thread reads it. */
  #remoteOf(entry: number): number {
    const { remote, snapshot } = this.#parts;
    return remote?.numbers[at(snapshot.columns.entrySources, entry)] ?? 0;
  }

  /** Reads a whole entry before it is requested; false if that fails. */
  #bringOnce(entry: number, opened: OpenEntry, content: Uint8Array): boolean {
    const { snapshot, library } = this.#parts;
    const start = isDirectorySource(snapshot.sourceOf(entry)) ? 0 : this.#startAsItIs(entry, opened);
    if (start >= 0) return library.readAt(opened.descriptor, content, start) === content.length;
    try {
      this.#decodeWhole(entry, opened.descriptor, content);
      return true;
    } catch {
      return false;
    }
  }

  #readMember(request: ReadRequest, entry: number, opened: OpenEntry, offset: number, count: number): void {
    const { snapshot, memory } = this.#parts;
    const { descriptor } = opened;
    const start = this.#startAsItIs(entry, opened);
    if (start >= 0) return this.#replyFrom(request, entry, descriptor, start + offset, count);
    const length = at(snapshot.columns.entrySizes, entry);
    const known = this.#parts.slots.slotOf(this.#indexed(entry));
    if (known >= 0) return this.#readSlot(request, known, offset, count);
    if (this.#parts.states.isSeekable(entry) && this.#readSegment(request, entry, descriptor, offset, count)) return;
    if (length <= inlineLimit && descriptor >= 0) return this.#readSmall(request, entry, descriptor, offset, count);
    const slot = this.#beginSlot(entry, length, descriptor, this.#isStored(entry, opened));
    if (slot < 0) return this.#readAlone(request, entry, descriptor, offset, count);
    this.#waitFor(request, slot, offset, count);
    memory.enqueue(slot);
  }

  /** Replies from a segment of a large member; false if the range is in none, or the ring is full. */
  #readSegment(request: ReadRequest, entry: number, descriptor: number, offset: number, count: number): boolean {
    const { snapshot, slots, memory } = this.#parts;
    const size = at(snapshot.columns.entrySizes, entry);
    const segment = Math.floor(offset / segmentBytes);
    const within = offset - segment * segmentBytes;
    if (offset + count > segmentEnd(size, segment)) return false;
    const known = slots.slotOf({ ...this.#indexed(entry), segment });
    const slot = known >= 0 ? known : this.#beginSegment(entry, descriptor, segment);
    if (slot < 0) return false;
    this.#readSlot(request, slot, within, count);
    const isInOrder = count >= readInOrder && within >= segmentBytes / 2 && segment + 1 < segmentCount(size);
    if (!isInOrder || memory.ring.length < minSegmentsInRing * segmentEnd(size, 0)) return true;
    if (slots.slotOf({ ...this.#indexed(entry), segment: segment + 1 }) < 0) {
      this.#beginSegment(entry, descriptor, segment + 1);
    }
    return true;
  }

  /** Queues a segment for decompression; returns its slot, or -1 if the ring is full. */
  #beginSegment(entry: number, descriptor: number, segment: number): number {
    const { snapshot, slots, memory } = this.#parts;
    const length = segmentEnd(at(snapshot.columns.entrySizes, entry), segment) - segment * segmentBytes;
    if (length > this.#maxInRing) return -1;
    const slot = slots.allocateInRing({ ...this.#indexed(entry), segment }, length, descriptor);
    if (slot >= 0) memory.enqueue(slot);
    return slot;
  }

  /**
   * Replies at once, in any case: a decoder that reads ahead may be waiting for the pages of this request. A member
   * that one request covers entirely is not cached.
   */
  #readSmall(request: ReadRequest, entry: number, descriptor: number, offset: number, count: number): void {
    const { snapshot, slots } = this.#parts;
    const length = at(snapshot.columns.entrySizes, entry);
    if (count === length) {
      const content = this.#once.subarray(0, length);
      this.#prepared = none;
      return this.#decodeOnce(entry, descriptor, content) ? request.replyData(content) : request.replyError(Errno.EIO);
    }
    const slot = slots.allocateInRing(this.#indexed(entry), length, descriptor);
    if (slot < 0) return this.#readAlone(request, entry, descriptor, offset, count);
    this.#decodeHere(slot);
    this.#readSlot(request, slot, offset, count);
  }

  /** Returns whether a member is stored contiguously in one file. */
  #isStored(entry: number, { isWhole }: OpenEntry): boolean {
    return isWhole && this.#parts.snapshot.columns.entryMethods[entry] === methodCode.store;
  }

  /** Returns the offset of bytes that can be read directly, without a checksum or with a verified one; else -1. */
  #startAsItIs(entry: number, opened: OpenEntry): number {
    const { snapshot, states } = this.#parts;
    if (opened.descriptor < 0 || !this.#isStored(entry, opened)) return -1;
    if (snapshot.crcOf(entry) === null) return at(snapshot.columns.entryOffsets, entry) + opened.shift;
    return states.soundOffset(entry);
  }

  #indexed(entry: number): IndexedEntry {
    return { version: this.#parts.version, entry };
  }

  /**
   * Allocates a slot: outside the ring for bytes that stay in their file and are only verified; otherwise in the ring,
   * or in a file if the ring is full.
   */
  #beginSlot(entry: number, length: number, descriptor: number, canStay: boolean): number {
    const { slots } = this.#parts;
    const indexed = this.#indexed(entry);
    const inRing = length <= this.#maxInRing && !canStay ? slots.allocateInRing(indexed, length, descriptor) : -1;
    if (inRing >= 0) return inRing;
    return slots.allocateOutside(indexed, length, descriptor, canStay ? slotKind.verify : slotKind.file);
  }

  #readSlot(request: ReadRequest, slot: number, offset: number, count: number): void {
    const { memory, states, snapshot, counters } = this.#parts;
    const status = memory.status(slot);
    if (status === slotStatus.working) return this.#waitFor(request, slot, offset, count);
    if (status === slotStatus.failed) {
      countFailure(this.#parts, memory.entry(slot));
      return request.replyError(Errno.EIO);
    }
    counters.add("cacheHits", 1);
    const kind = memory.kind(slot);
    if (kind === slotKind.memory) {
      const start = memory.start(slot) + offset;
      return request.replyData(memory.ring.subarray(start, start + count));
    }
    const entry = memory.entry(slot);
    if (kind === slotKind.file) {
      const bytes = bytesOfFile(this.#parts, entry, memory.result(slot), offset, count, true);
      return bytes ? request.replyData(bytes) : request.replyError(Errno.EIO);
    }
    const start = states.dataOffsets[entry] ?? at(snapshot.columns.entryOffsets, entry);
    this.#replyFrom(request, entry, memory.fileDescriptor(slot), start + offset, count);
  }

  #replyFrom(request: ReadRequest, entry: number, descriptor: number, position: number, count: number): void {
    const bytes = bytesOfFile(this.#parts, entry, descriptor, position, count);
    // The file may have been written to while it was read.
    if (bytes && this.#open(entry)) request.replyData(bytes);
    else request.replyError(Errno.EIO);
  }

  /**
   * Queues a request for a slot. The slot may become ready while the request is added to its list. The decoder may have
   * emptied the list before that, so the thread that empties it now replies.
   */
  #waitFor(request: ReadRequest, slot: number, offset: number, count: number): void {
    const { memory, replier } = this.#parts;
    const address = request.detach();
    if (!memory.wait(slot, address, offset, count)) return replier.error(address, Errno.EAGAIN);
    if (memory.status(slot) === slotStatus.working) return;
    answerWaiters(this.#parts, slot);
  }

  #decodeHere(slot: number): void {
    decodeSlot(this.#parts, slot);
    this.#parts.memory.release(slot);
  }

  /** Decompresses a member for one request, when all memory is in use. */
  #readAlone(request: ReadRequest, entry: number, descriptor: number, offset: number, count: number): void {
    const length = at(this.#parts.snapshot.columns.entrySizes, entry);
    if (length > this.#maxInRing || descriptor < 0) return request.replyError(Errno.EAGAIN);
    const content = new Uint8Array(length);
    if (!this.#decodeOnce(entry, descriptor, content)) return request.replyError(Errno.EIO);
    request.replyData(content.subarray(offset, offset + count));
  }

  /**
   * Decompresses a member into `content`, which has its length, without caching it.
   * @throws {ArchiveError} if it is damaged.
   */
  #decodeWhole(entry: number, descriptor: number, content: Uint8Array): void {
    const { decoder, states, counters } = this.#parts;
    states.setSound(entry, decoder.decode(entry, descriptor, content));
    counters.add("decoded", 1);
  }

  /**
   * Decompresses a member likewise; reports an error and returns false. Only proven damage is recorded: other errors
   * may be temporary.
   */
  #decodeOnce(entry: number, descriptor: number, content: Uint8Array): boolean {
    const { snapshot, states, report } = this.#parts;
    try {
      this.#decodeWhole(entry, descriptor, content);
      return true;
    } catch (error) {
      if (provesDamage(error)) states.verified[entry] = verification.damaged;
      report(messageOf(error), snapshot.sourceOf(entry).path);
      countFailure(this.#parts, entry);
      return false;
    }
  }

  #tryOpen(entry: number): OpenEntry | undefined {
    try {
      return this.#files.open(entry);
    } catch (error) {
      if (error instanceof ArchiveError) return undefined;
      throw error;
    }
  }

  /** Opens the file of a requested entry; reports an error and returns `undefined`. */
  #open(entry: number): OpenEntry | undefined {
    try {
      return this.#files.open(entry);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      const { id, path } = this.#parts.snapshot.sourceOf(entry);
      countFailure(this.#parts, entry);
      const isKnown = error instanceof ChangedError && this.#reported.has(id);
      if (error instanceof ChangedError) this.#reported.add(id);
      if (!isKnown) this.#parts.report(error.message, path);
      return undefined;
    }
  }
}
