/**
 * CRC-32 as zip and zlib use it.
 * @module
 */
import { zlib } from "./builtins.ts";

/** Number of bytes whose CRC takes as long here as loading zlib. */
const worthLoading = 32 * 1024 * 1024;
const polynomial = 0xedb88320;
/** Bytes per step of the loop. */
const step = 8;

let done = 0;
let tables: Int32Array | undefined;

/**
 * Returns the CRC-32 of bytes, or of a string in UTF-8, continued from the CRC-32 of the bytes before them. Loads zlib,
 * which is faster, after many bytes.
 */
export function crc32(content: Uint8Array | string, previous = 0): number {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  done += bytes.length;
  return done > worthLoading ? zlib().crc32(bytes, previous) : crc32ByTables(bytes, previous);
}

function crc32ByTables(bytes: Uint8Array, previous: number): number {
  const table = tables ??= makeTables();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - bytes.length % step;
  let crc = ~previous;
  for (let offset = 0; offset < whole; offset += step) {
    const low = view.getInt32(offset, true) ^ crc;
    const high = view.getInt32(offset + 4, true);
    crc = entry(table, 7, low) ^ entry(table, 6, low >>> 8) ^ entry(table, 5, low >>> 16) ^
      entry(table, 4, low >>> 24) ^
      entry(table, 3, high) ^ entry(table, 2, high >>> 8) ^ entry(table, 1, high >>> 16) ^ entry(table, 0, high >>> 24);
  }
  for (const byte of bytes.subarray(whole)) crc = entry(table, 0, crc ^ byte) ^ crc >>> 8;
  return ~crc >>> 0;
}

/** Returns the effect of a byte before `distance` other bytes on the CRC. */
function entry(table: Int32Array, distance: number, byte: number): number {
  return table[distance << 8 | byte & 0xff] ?? 0;
}

function makeTables(): Int32Array {
  const table = new Int32Array(step * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >>> 1 ^ polynomial : crc >>> 1;
    table[byte] = crc;
  }
  for (let index = 256; index < table.length; index++) {
    const before = table[index - 256] ?? 0;
    table[index] = entry(table, 0, before) ^ before >>> 8;
  }
  return table;
}
