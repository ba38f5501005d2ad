/**
 * Numbers and names as files of games store them: little-endian.
 * @module
 */

/** Serializes whole numbers of 16 bits. */
export function int16(...values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 2));
  for (const [index, value] of values.entries()) bytes.setInt16(index * 2, value, true);
  return new Uint8Array(bytes.buffer);
}

/** Serializes whole numbers of 32 bits. */
export function int32(...values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) bytes.setInt32(index * 4, value, true);
  return new Uint8Array(bytes.buffer);
}

/** Serializes floating-point numbers of 32 bits. */
export function float32(...values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) bytes.setFloat32(index * 4, value, true);
  return new Uint8Array(bytes.buffer);
}

/** Serializes a name of ASCII characters, filled up with zeros to `length` bytes. */
export function name(value: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(new TextEncoder().encode(value));
  return bytes;
}

/** Joins parts of a file. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Serializes a map: its header, the offset and length of each lump, and the lumps, each at an offset divisible by four. */
export function withLumps(header: Uint8Array, lumps: readonly Uint8Array[]): Uint8Array {
  let offset = header.length + lumps.length * 8;
  const padded = lumps.map((lump) => concatenate([lump, new Uint8Array(-lump.length & 3)]));
  const table = lumps.map((lump, index) => {
    const record = int32(offset, lump.length);
    offset += padded[index]?.length ?? 0;
    return record;
  });
  return concatenate([header, ...table, ...padded]);
}
