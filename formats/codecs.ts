/**
 * The table of codecs: how members of each method are unpacked, wherever that happens. A new compression is added to
 * `methodNames` in `formats/entry_table.ts` and here, and nowhere else.
 * @module
 */
import { bzip2Codec } from "./bzip2_codec.ts";
import { type Codec, requireSize, UnpackError } from "./codec.ts";
import { daikatanaCodec } from "./daikatana_codec.ts";
import type { Method } from "./entry_table.ts";
import { deflateCodec, gzipCodec, zlibCodec } from "./inflate.ts";
import { lzmaCodec } from "./lzma_codec.ts";
import { lz4Codec } from "./lz4_codec.ts";
import { rffCodec } from "./rff_codec.ts";
import { zstdCodec } from "./zstd_codec.ts";

const storeCodec: Codec = {
  largestRatio: 1,
  unpack: requireSize,
  unpackPieces: (packed) => packed,
};

function refuse(): never {
  throw new UnpackError("uses a compression that is not known here");
}

/** Members of this method are marked as damaged when they are listed, so nobody should get here. */
const unsupportedCodec: Codec = { largestRatio: Infinity, unpack: refuse, unpackPieces: refuse };

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
