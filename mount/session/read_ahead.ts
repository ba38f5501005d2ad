/**
 * Detects programs that read a directory file by file, in listing order, such as `tar`, `cp -r` and `grep -r`, and
 * schedules the next files for the kernel's page cache, where reading them costs no request. Session thread only.
 *
 * Reads from the page cache are not visible here. So one file in the middle of each window is omitted: its request
 * shows the reader's position, and the next window is scheduled while the second half of this one is read.
 * @module
 */
import { at, none } from "../../index/mod.ts";
import { type ReadAheadQueue, streamCount } from "../shared/read_ahead_queue.ts";
import type { DecodeMemory } from "../shared/decode_memory.ts";
import type { MountedTree } from "../layout/mounted_tree.ts";

/** Number of files read in order before reading ahead. */
const minInOrder = 3;
/**
 * This number after unsuccessful reading ahead, when the reader had not listed the directory and the kernel did not
 * know its files.
 */
const maxInOrder = 256;
/** Number of scheduled files: few at first, then twice as many each time. */
const firstWindow = 4;
const maxWindow = 64;
/** Maximum bytes of a window. */
const maxWindowBytes = 2 * 1024 * 1024;
/** Maximum number of files that a reader in order may skip. */
const maxSkipped = 2;

/** Location of an entry that can be read ahead. */
export interface ReadAheadFiles {
  /** Returns the descriptor of the file of a small entry that can be read ahead; negative for any other. */
  aheadDescriptor(entry: number): number;
  /** Number of its index. */
  readonly version: number;
}

/** One directory that is read in order. */
class Stream {
  mounted: MountedTree | undefined;
  directory = none;
  epoch = 0;
  /** Index of the last read file. */
  last = 0;
  /** Index after the last scheduled file. */
  end = 0;
  /** Index from which the next window is due. */
  due = 0;
  inOrder = 0;
  window = firstWindow;
  usedAt = 0;
}

/** Schedules files to read ahead. */
export class ReadAhead {
  readonly #memory: DecodeMemory;
  readonly #queue: ReadAheadQueue;
  readonly #streams = Array.from({ length: streamCount }, () => new Stream());
  #needed = minInOrder;
  #clock = 0;

  constructor(memory: DecodeMemory) {
    this.#memory = memory;
    this.#queue = memory.ahead;
  }

  /** Records that a file of a tree was read, in whole or in part. */
  noticed(mounted: MountedTree, index: number, source: ReadAheadFiles): void {
    const directory = mounted.tree.parents[index] ?? none;
    const number = this.#streamOf(mounted, directory);
    const stream = this.#streams[number];
    if (!stream || index === stream.last) return;
    if (index < stream.last || index > Math.max(stream.last + 1, stream.end) + maxSkipped) {
      return this.#restart(number, stream, index);
    }
    stream.last = index;
    stream.inOrder++;
    this.#queue.pass(number, index);
    if (this.#queue.takeUnknown(number)) return this.#restartInVain(number, stream, index);
    if (stream.inOrder >= this.#needed && index >= stream.due) this.#note(number, stream, source);
  }

  /** Resets the streams for another index. */
  forget(): void {
    for (let number = 0; number < streamCount; number++) {
      this.#queue.begin(number);
      this.#streams[number] = new Stream();
    }
  }

  /** Returns the stream of a directory, or the least recently used one. */
  #streamOf(mounted: MountedTree, directory: number): number {
    let oldest = 0;
    for (let number = 0; number < streamCount; number++) {
      const stream = this.#streams[number];
      if (!stream) continue;
      if (stream.mounted === mounted && stream.directory === directory) {
        stream.usedAt = ++this.#clock;
        return number;
      }
      if (stream.usedAt < (this.#streams[oldest]?.usedAt ?? 0)) oldest = number;
    }
    const stream = this.#streams[oldest];
    if (stream) Object.assign(stream, { mounted, directory, last: none, usedAt: ++this.#clock });
    return oldest;
  }

  #restart(number: number, stream: Stream, index: number): void {
    const epoch = this.#queue.begin(number);
    Object.assign(stream, { epoch, last: index, end: index, due: index, inOrder: 1, window: firstWindow });
  }

  #restartInVain(number: number, stream: Stream, index: number): void {
    this.#needed = Math.min(maxInOrder, this.#needed * 2);
    this.#restart(number, stream, index);
  }

  #note(number: number, stream: Stream, source: ReadAheadFiles): void {
    const { mounted, directory, last, epoch, window } = stream;
    if (!mounted) return;
    const { tree } = mounted;
    const directoryEnd = at(tree.firstChildren, directory) + at(tree.childCounts, directory);
    const start = Math.max(last + 1, stream.end);
    const leftOut = start + (window >> 1);
    let bytes = 0;
    let index = start;
    for (; index < directoryEnd && index < start + window && bytes < maxWindowBytes; index++) {
      const entry = tree.entries[index] ?? none;
      if (index === leftOut || entry === none) continue;
      const descriptor = source.aheadDescriptor(entry);
      if (descriptor < 0) continue;
      bytes += at(tree.snapshot.columns.entrySizes, entry);
      const { version } = source;
      const [high, low] = [mounted.highOf(index), mounted.lowOf(index)];
      if (!this.#queue.put({ stream: number, epoch, index, version, entry, descriptor, high, low })) break;
    }
    // Windows that the kernel accepted were useful. It accepts nothing of the first, which is too close to the reader.
    if (window > 2 * firstWindow) this.#needed = minInOrder;
    Object.assign(stream, { end: index, due: Math.min(leftOut, index), window: Math.min(maxWindow, window * 2) });
    if (bytes > 0) this.#memory.wakeDecoder();
  }
}
