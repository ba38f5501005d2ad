/**
 * Checksums of the files in a RAR archive of versions 1.5 to 4, which libarchive 3.6 does not compare. It does so for
 * version 5 and for all other formats that have any.
 *
 * | offset | size | block                                  |   | offset | size | file, type 0x74                   |
 * |-------:|-----:|----------------------------------------|---|-------:|-----:|-----------------------------------|
 * |      0 |    2 | checksum of the header                 |   |      7 |    4 | compressed size                   |
 * |      2 |    1 | type                                   |   |     11 |    5 | size, host                        |
 * |      3 |    2 | flags: 1, 2 continues in other volumes,|   |     16 |    4 | CRC-32                            |
 * |        |      | 0x100 large, 0x8000 data follow        |   |     20 |   12 | time, version, method, name, mode |
 * |      5 |    2 | length of the header                   |   |     32 |    4 | upper half of the compressed size |
 * @module
 */
import { Cursor, latin1 } from "../core/cursor.ts";
import { maxEntryCount } from "../core/limits.ts";

const mark = "Rar!\x1a\x07\0";
const fileType = 0x74;
const fileHeader = 36;
const blockHeader = 7;
const flagSplit = 3;
const flagLarge = 0x100;
const flagData = 0x8000;

/**
 * Returns the CRC-32 of each file, in order; undefined for one that is in several volumes. None for other archives.
 * @param bytesAt Returns bytes of the archive, perhaps less.
 */
export function rarChecksums(
  size: number,
  bytesAt: (start: number, end: number) => Uint8Array,
): (number | undefined)[] {
  const checksums: (number | undefined)[] = [];
  if (latin1(bytesAt(0, mark.length)) !== mark) return checksums;
  for (let at = mark.length; at + blockHeader <= size && checksums.length < maxEntryCount;) {
    const block = new Cursor(bytesAt(at, Math.min(at + fileHeader, size)));
    if (block.remaining < blockHeader) break;
    block.skip(2);
    const type = block.uint8();
    const flags = block.uint16();
    const length = block.uint16();
    if (length < blockHeader) break;
    let dataSize = 0;
    if ((type === fileType || (flags & flagData) !== 0) && block.remaining >= 4) dataSize = block.uint32();
    if (type === fileType) {
      if (block.remaining < fileHeader - 11) break;
      const checksum = block.skip(5).uint32();
      checksums.push((flags & flagSplit) === 0 ? checksum : undefined);
      if ((flags & flagLarge) !== 0) dataSize += block.skip(12).uint32() * 2 ** 32;
    }
    at += length + dataSize;
  }
  return checksums;
}
