/**
 * Makes zips of files that are compressed already, or small: nothing is compressed again.
 *
 * A zip is a local header and the bytes of each file, then a directory of all and its position (APPNOTE 4.3.6).
 * @module
 */

/** Maximum files and bytes of a zip without the extension for larger ones. */
const limits = { files: 65_535, bytes: 0xffff_0000 };

/** Attributes of a file that its owner may write, as on Unix: other systems have names in an alphabet of their own. */
const mode = 0o100_644 * 0x1_0000;

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** Returns the CRC-32 of bytes. @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

/** @param {readonly (readonly [bytes: 2 | 4, value: number])[]} fields */
function record(...fields) {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
    offset += size;
  }
  return bytes;
}

/** A zip that grows. */
export class Zip {
  /** @type {Blob[]} */
  #parts = [];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #directory = [];
  #size = 0;

  /**
   * Adds a file.
   * @param {string} path
   * @param {ArrayBuffer} content
   * @param {number} mtime Milliseconds since the epoch.
   * @throws {RangeError} if the zip would be too large.
   */
  add(path, content, mtime) {
    const name = new TextEncoder().encode(path);
    const bytes = new Uint8Array(content);
    const next = this.#size + 30 + name.length + bytes.length;
    if (this.#directory.length >= limits.files || next > limits.bytes) {
      throw new RangeError("Cannot put more into one zip: 65,535 files and 4 GiB are its limit; save a part of it");
    }
    const time = new Date(Math.max(mtime, Date.UTC(1980, 0, 2)));
    const clock = time.getHours() << 11 | time.getMinutes() << 5 | time.getSeconds() >> 1;
    const day = (time.getFullYear() - 1980) << 9 | (time.getMonth() + 1) << 5 | time.getDate();
    // Version 2.0, names in UTF-8, stored.
    const same = /** @type {const} */ ([
      ...[[2, 20], [2, 0x800], [2, 0], [2, clock], [2, day], [4, crc32(bytes)]],
      ...[[4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]],
    ]);
    const header = record([4, 0x0403_4b50], ...same);
    this.#directory.push(
      record([4, 0x0201_4b50], [2, 0x314], ...same, [2, 0], [2, 0], [2, 0], [4, mode], [4, this.#size]),
      name,
    );
    this.#parts.push(new Blob([header, name, bytes]));
    this.#size = next;
  }

  /** Returns the whole zip. */
  finish() {
    const count = this.#directory.length / 2;
    const length = this.#directory.reduce((sum, part) => sum + part.length, 0);
    const end = record([4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count], [4, length], [4, this.#size], [2, 0]);
    return new Blob([...this.#parts, ...this.#directory, end], { type: "application/zip" });
  }
}
