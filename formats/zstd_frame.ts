/**
 * Where a Zstandard frame ends (RFC 8878 section 3.1.1). The library refuses bytes behind it where it unpacks at once and
 * ignores some of them where it unpacks in pieces; archives may have them, so they are cut off beforehand.
 *
 * | size  | frame                                                                             |
 * |------:|-----------------------------------------------------------------------------------|
 * |     4 | magic                                                                             |
 * |     1 | descriptor: dictionary flag (2 bits), checksum (bit 2), single segment (bit 5),   |
 * |       | content size flag (2 bits)                                                        |
 * |   0-1 | window descriptor, unless single segment                                          |
 * |   0-4 | dictionary: 0, 1, 2 or 4 bytes                                                    |
 * |   0-8 | content size: 0, 2, 4 or 8 bytes; 1 instead of 0 with single segment              |
 * |       | blocks: 3 bytes, of which 1 bit says last, 2 type and 21 size; then their content |
 * |   0-4 | checksum                                                                          |
 * @module
 */

const descriptorEnd = 5;
const blockHeaderSize = 3;
const checksumSize = 4;
/** Type of a block that repeats its only byte. */
const repeatBlock = 1;
const dictionarySizes = [0, 1, 2, 4];
const contentSizes = [0, 2, 4, 8];

/** Size of what stands between descriptor and blocks. At least one byte. */
function headerRest(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSize = contentSizes[descriptor >> 6] ?? 0;
  return (isSingleSegment ? Math.max(contentSize, 1) : contentSize + 1) + (dictionarySizes[descriptor & 3] ?? 0);
}

/** The pieces up to the end of the frame that they begin with; all of them if it does not end. */
export function* withinZstdFrame(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let field: number[] = [];
  let fieldSize = descriptorEnd;
  let checksum = 0;
  let left = 0;
  let isLast = false;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      if (left > 0) {
        const count = Math.min(left, piece.length - at);
        at += count;
        left -= count;
      } else {
        field.push(piece[at++] ?? 0);
        if (field.length < fieldSize) continue;
        const [first = 0, second = 0, third = 0, , descriptor = 0] = field;
        if (fieldSize === descriptorEnd) {
          checksum = (descriptor & 4) !== 0 ? checksumSize : 0;
          left = headerRest(descriptor);
        } else {
          isLast = (first & 1) !== 0;
          const size = (first >> 3) + second * 32 + third * 8192;
          left = (((first >> 1) & 3) === repeatBlock ? 1 : size) + (isLast ? checksum : 0);
        }
        field = [];
        fieldSize = blockHeaderSize;
      }
      if (isLast && left === 0) return yield piece.subarray(0, at);
    }
    yield piece;
  }
}
