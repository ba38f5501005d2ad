/**
 * Table of codecs, which decompress the members of each method. A new compression is added to `Method` and
 * `methodNames` in `formats/core/entry_table.ts`, and here.
 *
 * LZMA and bzip2 are implemented here: decoders must be synchronous and bounded, and no library on npm is.
 * @module
 */
import { bzip2Codec } from "./bzip2.ts";
import { type Codec, DecompressError, requireSize } from "./codec.ts";
import { daikatanaCodec } from "./daikatana.ts";
import type { Method } from "../core/entry_table.ts";
import { deflateCodec, gzipCodec, zlibCodec } from "./deflate.ts";
import { lzmaCodec } from "./lzma.ts";
import { lz4Codec } from "./lz4.ts";
import { rffCodec } from "./rff.ts";
import { zstdCodec } from "./zstd.ts";

const storeCodec: Codec = {
  maxRatio: 1,
  decompress: requireSize,
  decompressPieces: (compressed) => compressed,
};

function refuse(): never {
  throw new DecompressError("uses an unknown compression");
}

/** Codec of members that are marked as damaged in listings, so that it is never called. */
const unsupportedCodec: Codec = { maxRatio: Infinity, decompress: refuse, decompressPieces: refuse };

/** The codec of each method. */
export const codecs: Readonly<Record<Method, Codec>> = {
  store: storeCodec,
  deflate: deflateCodec,
  zlib: zlibCodec,
  unsupported: unsupportedCodec,
  daikatana: daikatanaCodec,
  rff: rffCodec,
  gzip: gzipCodec,
  zstd: zstdCodec,
  lz4: lz4Codec,
  lzma: lzmaCodec,
  bzip2: bzip2Codec,
};
