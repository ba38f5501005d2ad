/**
 * Many small arrays in one: a message with one array takes a quarter of the time of a message with each of them.
 * @module
 */

/** Arrays one after the other. */
export interface JoinedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Length of each array. */
  readonly lengths: readonly number[];
}

/** Joins arrays into one of its own buffer, which can be transferred. */
export function joinBytes(parts: readonly Uint8Array[]): JoinedBytes {
  const lengths = parts.map(({ length }) => length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return { bytes, lengths };
}

/** Returns views of the arrays. */
export function splitBytes({ bytes, lengths }: JoinedBytes): Uint8Array<ArrayBuffer>[] {
  let end = 0;
  return lengths.map((length) => bytes.subarray(end, end += length));
}
