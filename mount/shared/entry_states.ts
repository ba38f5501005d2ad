/**
 * State of each entry of an index, in memory that all threads of a mount share.
 *
 * Only bytes that contradict the archive's record mark a member as damaged; read errors are reported and retried.
 * @module
 */

/**
 * Verification of an entry, by the code in {@linkcode EntryBuffers.verified}. Each segment of a seekable entry can be
 * decompressed alone, and is compared with the verified content.
 */
export const verification = { unknown: 0, sound: 1, damaged: 2, seekable: 3 } as const;

/** State of each entry of one index; posted to every thread. */
export interface EntryBuffers {
  /** One byte per entry, see {@linkcode verification}. */
  readonly verified: SharedArrayBuffer;
  /** Offset of each verified member's compressed bytes, float64 per entry. */
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

  /** Marks an entry as valid, with the offset of its compressed bytes in the file: in an order that all threads see. */
  setSound(entry: number, dataOffset: number): void {
    this.dataOffsets[entry] = dataOffset;
    Atomics.store(this.verified, entry, verification.sound);
  }

  /** Marks an entry as verified and seekable; known damage is kept. */
  setSeekable(entry: number): void {
    for (const before of [verification.unknown, verification.sound]) {
      Atomics.compareExchange(this.verified, entry, before, verification.seekable);
    }
  }

  /** Marks the seek points of an entry as unusable: it has to be verified as a whole. */
  setUnseekable(entry: number): void {
    Atomics.compareExchange(this.verified, entry, verification.seekable, verification.unknown);
  }

  /** Returns whether an entry can be decompressed from seek points. */
  isSeekable(entry: number): boolean {
    return Atomics.load(this.verified, entry) === verification.seekable;
  }

  /** Returns the offset of the compressed bytes of a valid entry; -1 if unknown. */
  soundOffset(entry: number): number {
    return Atomics.load(this.verified, entry) === verification.sound ? this.dataOffsets[entry] ?? -1 : -1;
  }
}

/** Makes the buffers for an index of `entryCount` entries. */
export function createEntryBuffers(entryCount: number): EntryBuffers {
  return { verified: new SharedArrayBuffer(entryCount), dataOffsets: new SharedArrayBuffer(entryCount * 8) };
}
