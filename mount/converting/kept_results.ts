/**
 * Cached results of one converter, within a limit: small ones in memory, large ones in anonymous files. The least
 * recently used are dropped first.
 * @module
 */
import type { FileCalls } from "../../system/mod.ts";

/** A cached result, or the fact that a file cannot be converted. */
export interface Result {
  /** Size in bytes; null: the file cannot be converted. */
  readonly size: number | null;
  /** Returns a range of its bytes; undefined if they can no longer be read. */
  read(offset: number, length: number): Uint8Array | undefined;
}

/** Limits of the results of one thread. */
export interface ResultLimits {
  /** Maximum bytes in memory. Larger results are written to a file. */
  readonly memory: number;
  /** Maximum bytes in files. */
  readonly spilled: number;
  /** Number of files. */
  readonly files: number;
  readonly spillDirectory: string;
}

/** Maximum number of results, failures included, regardless of their sizes. */
const maxResults = 65_536;

/** Bytes of a failure, or of the record of a result, in addition to its content. */
const recordBytes = 128;

const failure: Result = { size: null, read: () => undefined };

class ResultInMemory implements Result {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#bytes.subarray(offset, offset + length);
  }
}

class ResultInFile implements Result, Disposable {
  readonly size: number;
  readonly #library: FileCalls;
  readonly #descriptor: number;

  constructor(library: FileCalls, descriptor: number, size: number) {
    this.#library = library;
    this.#descriptor = descriptor;
    this.size = size;
  }

  read(offset: number, length: number): Uint8Array | undefined {
    const bytes = new Uint8Array(Math.min(length, this.size - offset));
    return this.#library.readFully(this.#descriptor, bytes, offset) === bytes.length ? bytes : undefined;
  }

  [Symbol.dispose](): void {
    this.#library.close(this.#descriptor);
  }
}

/** Caches results by the ids of converted files; the result for an id never changes. */
export class KeptResults implements Disposable {
  readonly #library: FileCalls;
  readonly #limits: ResultLimits;
  /** Results, the most recently used last. */
  readonly #results = new Map<string, Result>();
  #inMemory = 0;
  #spilled = 0;
  #files = 0;

  constructor(library: FileCalls, limits: ResultLimits) {
    this.#library = library;
    this.#limits = limits;
  }

  /** Returns the cached result for a key. */
  get(key: string): Result | undefined {
    const result = this.#results.get(key);
    if (!result) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return result;
  }

  /** Caches a result, and drops others beyond the limit; null: the file cannot be converted. */
  add(key: string, bytes: Uint8Array | null): Result {
    const result = bytes === null ? failure : this.#stored(bytes);
    this.#results.set(key, result);
    this.#count(result, 1);
    for (const oldest of this.#results.keys()) {
      const { memory, spilled, files } = this.#limits;
      const isWithin = this.#inMemory <= memory && this.#spilled <= spilled && this.#files <= files;
      // The result that is being read is kept regardless of its size: otherwise each chunk would require a conversion.
      if (oldest === key || (isWithin && this.#results.size <= maxResults)) break;
      this.#drop(oldest);
    }
    return result;
  }

  [Symbol.dispose](): void {
    for (const key of Array.from(this.#results.keys())) this.#drop(key);
  }

  #stored(bytes: Uint8Array): Result {
    if (bytes.length <= this.#limits.memory / 4) return new ResultInMemory(bytes);
    const descriptor = this.#library.openUnnamed(this.#limits.spillDirectory);
    if (descriptor < 0) return new ResultInMemory(bytes);
    if (this.#library.writeAt(descriptor, bytes, 0)) return new ResultInFile(this.#library, descriptor, bytes.length);
    this.#library.close(descriptor);
    return new ResultInMemory(bytes);
  }

  #drop(key: string): void {
    const result = this.#results.get(key);
    if (!result) return;
    this.#results.delete(key);
    this.#count(result, -1);
    if (result instanceof ResultInFile) result[Symbol.dispose]();
  }

  #count(result: Result, sign: 1 | -1): void {
    if (result instanceof ResultInFile) {
      this.#spilled += sign * result.size;
      this.#files += sign;
    }
    this.#inMemory += sign * (recordBytes + (result instanceof ResultInMemory ? result.size : 0));
  }
}
