/**
 * Names of lumps in one buffer, and the numbers that distinguish equal names. A table may hold a million names, so they
 * are neither strings nor keys of a map.
 * @module
 */
import { byteAt, elementAt } from "../core/cursor.ts";
import { equalBytes } from "../core/names.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Largest prime below 2^26: products of two smaller numbers are exact in a double. */
const prime = 67_108_859;

/** Names in UTF-8, one after another. */
export class LumpNames {
  #bytes = new Uint8Array(1024);
  readonly #ends: Uint32Array;
  #length = 0;

  /** @param capacity Maximum number of names. */
  constructor(capacity: number) {
    this.#ends = new Uint32Array(capacity);
  }

  /** Number of names. */
  get length(): number {
    return this.#length;
  }

  /** Appends a name. */
  push(name: string): void {
    const start = this.#startOf(this.#length);
    // A UTF-16 unit takes at most three bytes.
    while (start + 3 * name.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const { written } = encoder.encodeInto(name, this.#bytes.subarray(start));
    this.#ends[this.#length++] = start + written;
  }

  /** Returns a name. */
  text(index: number): string {
    return decoder.decode(this.bytes(index));
  }

  /** Returns a name as bytes (a view). */
  bytes(index: number): Uint8Array {
    return this.#bytes.subarray(this.#startOf(index), elementAt(this.#ends, index));
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : elementAt(this.#ends, index - 1);
  }
}

/** Names with their groups; names are compared within a group. */
export interface GroupedNames {
  readonly length: number;
  groupOf(index: number): number;
  bytes(index: number): Uint8Array;
}

/**
 * Returns the numbers that distinguish equal names of a group, as in `~2`, `~3`, counted from the end: the last has 1
 * and is shown without a number. Numbered names never collide with each other, so only the names themselves have to be
 * avoided.
 */
export function numbersFromEnd(names: GroupedNames): Uint32Array {
  const table = new NameTable(names);
  const numbers = new Uint32Array(names.length).fill(1);
  if (table.size === names.length) return numbers;
  const last = new Uint32Array(names.length);
  const scratch = new Uint8Array(256);
  for (let index = names.length - 1; index >= 0; index--) {
    const group = names.groupOf(index);
    const name = names.bytes(index);
    const first = table.find(group, name);
    let number = elementAt(last, first) + 1;
    if (number > 1) { while (table.find(group, numbered(name, number, scratch)) >= 0) number++; }
    last[first] = numbers[index] = number;
  }
  return numbers;
}

/** Returns the displayed form of a name with this number. */
export function numberSuffix(number: number): string {
  return number === 1 ? "" : `~${number}`;
}

/** Writes a name with its number into `target`; returns it as a view. */
function numbered(name: Uint8Array, number: number, target: Uint8Array): Uint8Array {
  target.set(name);
  const { written } = encoder.encodeInto(numberSuffix(number), target.subarray(name.length));
  return target.subarray(0, name.length + written);
}

/**
 * The first index of each name of a group, by a hash with open addressing. Its factor is drawn at random, so that no
 * archive can be made whose names collide.
 */
class NameTable {
  readonly #names: GroupedNames;
  /** Index of a name plus 1; 0 if free. */
  readonly #slots: Uint32Array;
  readonly #factor = 1 + elementAt(crypto.getRandomValues(new Uint32Array(1)), 0) % (prime - 1);
  /** Number of different names. */
  readonly size: number;

  constructor(names: GroupedNames) {
    this.#names = names;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * names.length + 2)));
    let size = 0;
    for (let index = 0; index < names.length; index++) {
      const slot = this.#slotOf(names.groupOf(index), names.bytes(index));
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = index + 1;
      size++;
    }
    this.size = size;
  }

  /** Returns the first index with a name, or -1. */
  find(group: number, name: Uint8Array): number {
    return elementAt(this.#slots, this.#slotOf(group, name)) - 1;
  }

  /** Returns the slot of a name, or the free slot for it. */
  #slotOf(group: number, name: Uint8Array): number {
    let hash = group + 1;
    for (let index = 0; index < name.length; index++) hash = (hash * this.#factor + byteAt(name, index) + 1) % prime;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask;; slot = (slot + 1) & mask) {
      const index = elementAt(this.#slots, slot) - 1;
      if (index < 0 || (this.#names.groupOf(index) === group && equalBytes(this.#names.bytes(index), name))) {
        return slot;
      }
    }
  }
}
