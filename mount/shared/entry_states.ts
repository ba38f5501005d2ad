/**
 * State of each entry of an index, in memory that all threads of a mount share.
 *
 * Only bytes that differ from the archive's own record mark a member as damaged; errors of reading are reported and
 * tried again.
 * @module
 */

/**
 * Verification of an entry, by the code in {@linkcode EntryBuffers.verified}. Of one that is seekable, each segment can
 * be decompressed alone, and is compared with what was verified.
 */
export const verification = { unknown: 0, sound: 1, damaged: 2, seekable: 3 } as const;

/** State of each entry of one index; posted to every thread as they are. */
export interface EntryBuffers {
  /** One byte per entry, see {@linkcode verification}. */
  readonly verified: SharedArrayBuffer;
  /** Where each verified member's compressed bytes begin, float64 per entry. */
  readonly dataOffsets: SharedArrayBuffer;
}

/** One thread's access to {@linkcode EntryBuffers}. */
export class EntryStates {
  /** See {@linkcode EntryBuffers.verified}. */
  readonly verified: Uint8Array;
  /** See {@linkcode EntryBuffers.dataOffsets}. */
  readonly dataOffsets: Float64Array;

  constructor(buffers: EntryBuffers) {
    this.verified = new Uint8Array(buffers.verified);
    this.dataOffsets = new Float64Array(buffers.dataOffsets);
  }

  /** Notes that an entry is sound, and where its compressed bytes begin in the file: in an order that all threads see. */
  setSound(entry: number, dataOffset: number): void {
    this.dataOffsets[entry] = dataOffset;
    Atomics.store(this.verified, entry, verification.sound);
  }

  /** Notes that an entry was verified once, and can be decompressed from points in its data; damage that is known stays. */
  setSeekable(entry: number): void {
    for (const before of [verification.unknown, verification.sound]) {
      Atomics.compareExchange(this.verified, entry, before, verification.seekable);
    }
  }

  /** Notes that the points of an entry are of no use: it has to be verified as a whole. */
  setUnseekable(entry: number): void {
    Atomics.compareExchange(this.verified, entry, verification.seekable, verification.unknown);
  }

  /** Returns whether an entry can be decompressed from points in its data. */
  isSeekable(entry: number): boolean {
    return Atomics.load(this.verified, entry) === verification.seekable;
  }

  /** Returns where the compressed bytes of an entry begin that is known to be sound; -1 if that is unknown. */
  soundOffset(entry: number): number {
    return Atomics.load(this.verified, entry) === verification.sound ? this.dataOffsets[entry] ?? -1 : -1;
  }
}

/** Makes the buffers for an index of `entryCount` entries. */
export function createEntryBuffers(entryCount: number): EntryBuffers {
  return { verified: new SharedArrayBuffer(entryCount), dataOffsets: new SharedArrayBuffer(entryCount * 8) };
}
