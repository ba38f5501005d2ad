/**
 * Reads ahead for the session thread: unpacks what it has noted and puts it into the kernel's page cache. Decoders only.
 * @module
 */
import { openPageStore, type PageStore } from "deno-fuse-ffi";
import type { AheadNote } from "./ahead_queue.ts";
import type { DecodingParts } from "./content_server.ts";
import { type DecodeMemory, inlineLimit, verification } from "./decode_memory.ts";

/** Fills the kernel's pages with what has been noted. */
export class PageFiller implements Disposable {
  readonly #memory: DecodeMemory;
  readonly #store: PageStore;
  readonly #content = new Uint8Array(inlineLimit);

  /** @param session Address of the session. */
  constructor(memory: DecodeMemory, session: bigint) {
    this.#memory = memory;
    this.#store = openPageStore(session);
  }

  /** Unpacks and stores one file. A damaged one is left to whoever reads it, and is told why. */
  fill(note: AheadNote, { decoder, snapshot, states, counters }: DecodingParts): void {
    const { entry, descriptor, high, low } = note;
    if (states.verified[entry] === verification.damaged) return;
    const content = this.#content.subarray(0, snapshot.columns.entrySizes[entry] ?? 0);
    try {
      states.dataOffsets[entry] = decoder.decode(entry, descriptor, content);
    } catch {
      return;
    }
    states.verified[entry] = verification.sound;
    this.#memory.beginNotifying();
    try {
      if (this.#memory.isStopping) return;
      if (this.#store.store(high, low, 0, content)) counters.add("readAhead", 1);
      else this.#memory.ahead.refuse(note);
    } finally {
      this.#memory.endNotifying();
    }
  }

  [Symbol.dispose](): void {
    this.#store.close();
  }
}
