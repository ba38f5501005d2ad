/**
 * The cache of decompressed members: allocates a slot and space in the ring for each, and evicts the oldest. The ring
 * is filled and overwritten in order, without fragmentation or search. The kernel's page cache keeps hot files.
 * @module
 */
import { type DecodeMemory, slotCount, slotKind, slotStatus, wholeMember } from "../shared/decode_memory.ts";

/** Offsets in the ring are multiples of this. */
const alignment = 64;

/** An entry of a current or earlier index. */
export interface IndexedEntry {
  /** Number of the index. */
  readonly version: number;
  readonly entry: number;
  /** Segment of a large member; absent: the whole entry. */
  readonly segment?: number;
}

type Key = number | string;

/**
 * Returns one number for both, since far fewer than 2^21 indexes occur during a daemon's life; a string if there is a
 * segment.
 */
function keyOf({ version, entry, segment }: IndexedEntry): Key {
  return segment === undefined ? version * 2 ** 32 + entry : `${version} ${entry} ${segment}`;
}

/** A slot in use. */
interface UsedSlot {
  readonly slot: number;
  /** {@linkcode keyOf} its entry. */
  readonly key: Key;
  readonly start: number;
  readonly end: number;
}

/** Slot allocation of the session thread. */
export class MemberCache implements Disposable {
  readonly #memory: DecodeMemory;
  readonly #closeFile: (fileDescriptor: number) => void;
  readonly #spillLimit: number;
  readonly #maxSpilled: number;
  readonly #byEntry = new Map<Key, number>();
  readonly #free: number[] = Array.from({ length: slotCount }, (_, index) => slotCount - 1 - index);
  /** Members in the ring, oldest first. */
  readonly #inRing: UsedSlot[] = [];
  #oldestInRing = 0;
  /** Members in files, and members that are only verified, oldest first. */
  #outside: UsedSlot[] = [];
  #head = 0;
  #spilledBytes = 0;
  #spilledFiles = 0;

  /**
   * @param closeFile Closes the file of an evicted member.
   * @param spillLimit Maximum bytes of all decompressed files.
   * @param maxSpilled Maximum number of such files, besides unfinished ones.
   */
  constructor(
    memory: DecodeMemory,
    closeFile: (fileDescriptor: number) => void,
    spillLimit: number,
    maxSpilled = Infinity,
  ) {
    this.#maxSpilled = maxSpilled;
    this.#memory = memory;
    this.#closeFile = closeFile;
    this.#spillLimit = spillLimit;
  }

  /** Returns the slot of an entry, or -1. A failed slot is released first: the error may be gone by now. */
  slotOf(entry: IndexedEntry): number {
    const slot = this.#byEntry.get(keyOf(entry));
    if (slot === undefined) return -1;
    if (this.#memory.status(slot) !== slotStatus.failed || !this.#memory.isIdle(slot)) return slot;
    this.#evictOutside(0);
    // Its space in the ring is reused in turn.
    if (this.#byEntry.get(keyOf(entry)) === slot && this.#memory.kind(slot) === slotKind.memory) {
      this.#byEntry.delete(keyOf(entry));
    }
    return this.#byEntry.get(keyOf(entry)) ?? -1;
  }

  /** Returns whether a decoder reads or replies from a descriptor. */
  isBusy(fileDescriptor: number): boolean {
    for (const slot of this.#byEntry.values()) {
      if (!this.#memory.isIdle(slot) && this.#memory.fileDescriptor(slot) === fileDescriptor) return true;
    }
    return false;
  }

  /** Returns whether a decoder works on, or replies from, an entry of the index with a number. */
  isWorkingFor(version: number): boolean {
    return this.#byEntry.values().some((slot) => !this.#memory.isIdle(slot) && this.#memory.version(slot) === version);
  }

  /** Allocates a slot with `length` bytes in the ring, ready for work; -1 if all space is in use. */
  allocateInRing(entry: IndexedEntry, length: number, fileDescriptor: number): number {
    const room = Math.ceil(Math.max(1, length) / alignment) * alignment;
    if (room > this.#memory.ring.length) return -1;
    if (this.#head + room > this.#memory.ring.length) {
      if (!this.#evictWhile((used) => used.start >= this.#head)) return -1;
      this.#head = 0;
    }
    const start = this.#head;
    const end = start + room;
    if (!this.#evictWhile((used) => used.start < end && used.end > start)) return -1;
    const slot = this.#takeSlot();
    if (slot < 0) return -1;
    this.#head = end;
    this.#inRing.push({ slot, key: keyOf(entry), start, end });
    this.#byEntry.set(keyOf(entry), slot);
    this.#memory.begin(slot, { kind: slotKind.memory, segment: wholeMember, ...entry, fileDescriptor, start });
    return slot;
  }

  /** Allocates a slot for a member that is written to a file or only verified; -1 if all slots are in use. */
  allocateOutside(entry: IndexedEntry, length: number, fileDescriptor: number, kind: number): number {
    const bytes = kind === slotKind.file ? length : 0;
    this.#evictOutside(bytes);
    const slot = this.#takeSlot();
    if (slot < 0) return -1;
    this.#spilledBytes += bytes;
    if (kind === slotKind.file) this.#spilledFiles++;
    this.#outside.push({ slot, key: keyOf(entry), start: 0, end: bytes });
    this.#byEntry.set(keyOf(entry), slot);
    this.#memory.begin(slot, { kind, segment: wholeMember, ...entry, fileDescriptor, start: 0 });
    return slot;
  }

  /** Closes the files of all members. No request may be in progress. */
  [Symbol.dispose](): void {
    for (const used of this.#outside) this.#closeResult(used);
    this.#outside = [];
  }

  #takeSlot(): number {
    if (this.#free.length === 0) this.#evictOutside(0);
    if (this.#free.length === 0) this.#evictOldest();
    return this.#free.pop() ?? -1;
  }

  /** Evicts the oldest in the ring as long as `overlaps` holds; false if one of them is in use. */
  #evictWhile(overlaps: (used: UsedSlot) => boolean): boolean {
    for (;;) {
      const oldest = this.#inRing[this.#oldestInRing];
      if (!oldest || !overlaps(oldest)) return true;
      if (!this.#evictOldest()) return false;
    }
  }

  #evictOldest(): boolean {
    const oldest = this.#inRing[this.#oldestInRing];
    if (!oldest || !this.#memory.isIdle(oldest.slot)) return false;
    this.#oldestInRing++;
    if (this.#oldestInRing === slotCount) {
      this.#inRing.splice(0, this.#oldestInRing);
      this.#oldestInRing = 0;
    }
    this.#freeSlot(oldest);
    return true;
  }

  /** Frees finished verifications, and files until `wanted` more bytes are available; 0: none. */
  #evictOutside(wanted: number): void {
    this.#outside = this.#outside.filter((used) => {
      const isFile = this.#memory.kind(used.slot) === slotKind.file;
      const isNeeded = isFile && this.#memory.status(used.slot) !== slotStatus.failed &&
        this.#spilledBytes + wanted <= this.#spillLimit &&
        this.#spilledFiles + Math.min(1, wanted) <= this.#maxSpilled;
      if (isNeeded || !this.#memory.isIdle(used.slot)) return true;
      this.#closeResult(used);
      this.#spilledBytes -= used.end;
      if (isFile) this.#spilledFiles--;
      this.#freeSlot(used);
      return false;
    });
  }

  #closeResult(used: UsedSlot): void {
    const descriptor = this.#memory.result(used.slot);
    if (this.#memory.kind(used.slot) === slotKind.file && descriptor >= 0) this.#closeFile(descriptor);
  }

  #freeSlot(used: UsedSlot): void {
    if (this.#byEntry.get(used.key) === used.slot) this.#byEntry.delete(used.key);
    this.#free.push(used.slot);
  }
}
