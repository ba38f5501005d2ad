/**
 * Reads ahead for the session thread: decompresses the files that it scheduled into the kernel's page cache. Decoders
 * only.
 * @module
 */
import { at, isDirectorySource, type Snapshot } from "../../index/mod.ts";
import { FuseError, type PageStore } from "deno-fuse-ffi";
import type { FileCalls } from "../../system/mod.ts";
import type { ReadAheadItem } from "../shared/read_ahead_queue.ts";
import { isStillIndexed } from "./descriptor_files.ts";
import type { DecodingParts } from "./slot_decoding.ts";
import { type DecodeMemory, inlineLimit } from "../shared/decode_memory.ts";
import { verification } from "../shared/entry_states.ts";

/** Parts for reading the entries of one index. */
type FillerParts = Pick<DecodingParts, "snapshot" | "states" | "decoder" | "counters">;

/** Fills the kernel's pages with scheduled files. */
export class PageCacheFiller implements Disposable {
  readonly #memory: DecodeMemory;
  readonly #library: FileCalls;
  readonly #store: PageStore;
  readonly #content = new Uint8Array(inlineLimit);

  /** @param store Pages of the session's mount; closed together with this. */
  constructor(memory: DecodeMemory, library: FileCalls, store: PageStore) {
    this.#memory = memory;
    this.#library = library;
    this.#store = store;
  }

  /**
   * Fills pages with all scheduled files, until a read waits for a decoder.
   * @param partsOf Returns the parts of the index with a number; undefined if it was released.
   */
  async fillNoted(thread: number, partsOf: (version: number) => Promise<FillerParts | undefined>): Promise<void> {
    const memory = this.#memory;
    while (!memory.hasQueued && !memory.isStopping) {
      const note = memory.ahead.take(thread);
      if (!note) return;
      // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
      const parts = await partsOf(note.version);
      if (parts) this.fill(note, parts);
    }
    memory.ahead.releaseHeld(thread);
  }

  /** Decompresses and stores one file. A damaged one is skipped: reading it reports the error. */
  fill(note: ReadAheadItem, parts: FillerParts): void {
    const content = this.#contentOf(note, parts);
    if (!content) return;
    this.#memory.beginNotifying();
    try {
      if (!this.#memory.mayNotify) return;
      if (this.#store.store(note.high, note.low, 0, content)) parts.counters.add("readAhead", 1);
      else this.#memory.ahead.refuse(note);
    } catch (error) {
      if (!(error instanceof FuseError)) throw error;
      // Reading ahead is optional: if memory or the mount is missing, the kernel refuses the data.
      this.#memory.ahead.refuse(note);
    } finally {
      this.#memory.endNotifying();
    }
  }

  /** Returns the verified bytes of an entry, or undefined. */
  #contentOf({ entry, descriptor }: ReadAheadItem, parts: FillerParts): Uint8Array<ArrayBuffer> | undefined {
    const { decoder, snapshot, states } = parts;
    if (states.verified[entry] === verification.damaged) return undefined;
    const content = this.#content.subarray(0, at(snapshot.columns.entrySizes, entry));
    if (snapshot.crcOf(entry) === null) return this.#readAsItIs(entry, descriptor, snapshot, content);
    try {
      states.setSound(entry, decoder.decode(entry, descriptor, content));
    } catch {
      return undefined;
    }
    return content;
  }

  /** Reads bytes without a checksum. They are valid if their file is still the indexed one after the read. */
  #readAsItIs(
    entry: number,
    descriptor: number,
    snapshot: Snapshot,
    content: Uint8Array<ArrayBuffer>,
  ): Uint8Array<ArrayBuffer> | undefined {
    const start = isDirectorySource(snapshot.sourceOf(entry)) ? 0 : at(snapshot.columns.entryOffsets, entry);
    if (this.#library.readAt(descriptor, content, start) !== content.length) return undefined;
    return isStillIndexed(this.#library, snapshot, entry, descriptor) ? content : undefined;
  }

  [Symbol.dispose](): void {
    this.#store.close();
  }
}
