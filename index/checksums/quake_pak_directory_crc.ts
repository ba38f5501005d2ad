/**
 * The checksum by which Quake's engines recognize id's `pak0.pak`: the CRC-16 of a PAK's file table.
 * @module
 */
import { type ByteReader, CorruptArchiveError, maxEntryCount } from "../../formats/parts.ts";

const polynomial = 0x1021;
const headerSize = 12;
const entrySize = 64;
const pieceSize = 64 * 1024;

/**
 * Continues a CRC-16 with polynomial 0x1021, most significant bit first, without a final exclusive or; Quake begins
 * with 0xFFFF (id-Software/Quake WinQuake/crc.c).
 */
export function crc16(bytes: Uint8Array, crc = 0xffff): number {
  let register = crc;
  for (const byte of bytes) {
    register ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      register = (register & 0x8000 ? (register << 1) ^ polynomial : register << 1) & 0xffff;
    }
  }
  return register;
}

/**
 * CRC-16 of a Quake PAK's file table, as `COM_LoadPackFile` computes it (id-Software/Quake WinQuake/common.c): over the
 * bytes of the file, including those after the NUL of names.
 * @throws {CorruptArchiveError} if the table exceeds the file.
 */
export function quakePakDirectoryCrc(source: ByteReader): number {
  const isWhole = source.size >= headerSize;
  const header = isWhole ? source.read(0, headerSize) : new Uint8Array(headerSize);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const offset = view.getUint32(4, true);
  const length = view.getUint32(8, true);
  if (!isWhole || offset + length > source.size || length > maxEntryCount * entrySize) {
    throw new CorruptArchiveError("its file table does not lie in the file", {
      path: source.path,
      offset: 4,
      expected: source.size,
      actual: offset + length,
    });
  }
  let crc = 0xffff;
  for (let done = 0; done < length; done += pieceSize) {
    crc = crc16(source.read(offset + done, Math.min(pieceSize, length - done)), crc);
  }
  return crc;
}
