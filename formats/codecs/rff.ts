/**
 * The encryption of members of Blood's RFF archives: byte `i` of the first 256 is XORed with `i` / 2, all others are
 * unchanged. Sources: SLADE RffArchive.cpp, libgamearchive fmt-rff-blood.
 * @module
 */
import { byteAt } from "../core/cursor.ts";
import { type Codec, requireSize } from "./codec.ts";

const encryptedBytes = 256;

/** Returns a copy of `bytes`, which begin at byte `position` of the member, decrypted. */
function decrypted(bytes: Uint8Array, position: number): Uint8Array {
  const plain = bytes.slice();
  const count = Math.min(plain.length, encryptedBytes - position);
  for (let index = 0; index < count; index++) plain[index] = byteAt(plain, index) ^ ((position + index) >> 1);
  return plain;
}

function* decompressPieces(compressed: Iterable<Uint8Array>): Generator<Uint8Array> {
  let position = 0;
  for (const piece of compressed) {
    yield position < encryptedBytes ? decrypted(piece, position) : piece;
    position += piece.length;
  }
}

/** The encryption of RFF members. */
export const rffCodec: Codec = {
  maxRatio: 1,
  decompress: (compressed, size) => decrypted(requireSize(compressed, size), 0),
  decompressPieces,
};
