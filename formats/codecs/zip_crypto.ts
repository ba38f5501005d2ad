/**
 * Encrypted members of zips, read with a password.
 *
 * - The old cipher of PKWARE (APPNOTE.TXT 6.1): three keys that are updated with every byte. Twelve random bytes come
 *   first; the last one reveals a wrong password in 255 of 256 cases. The cipher is weak.
 * - AES of WinZip (method 99, "AES Encryption Information", versions AE-1 and AE-2): salt of 8, 12 or 16 bytes, two
 *   bytes that reveal a wrong password, data, the first ten bytes of an HMAC-SHA1 of the data. Keys come from PBKDF2
 *   with 1,000 rounds, data are XORed with an encrypted counter from 1, little-endian. The real method is in extra
 *   field 0x9901: version (2 bytes), `AE`, strength 1 to 3, method (2). AE-2 stores no CRC-32.
 * @module
 */
import { buffer, crypto } from "../core/builtins.ts";
import { crc32 } from "../core/crc32.ts";
import { byteAt, viewOf, wordAt } from "../core/cursor.ts";
import { DecompressError } from "./codec.ts";

/** Parameters of an encrypted member. */
export interface ZipEncryption {
  /** Expected last one of the random bytes. */
  readonly check: number;
  /** Data of the extra field 0x9901, if the member is encrypted by AES. */
  readonly aes: AesField | undefined;
}

/** Extra field 0x9901. */
export interface AesField {
  /** 1 for AE-1, 2 for AE-2. */
  readonly version: number;
  /** 1 to 3, for keys of 128, 192 and 256 bits. */
  readonly strength: number;
  /** Zip's number of the compression method of the encrypted data. */
  readonly method: number;
}

const noiseSize = 12;
const verifierSize = 2;
const authenticationSize = 10;
const rounds = 1000;
const blockSize = 16;
/** Counter blocks encrypted at a time. */
const blocksAtOnce = 4096;
const wrongPassword = "is encrypted with another password";

/** Returns the number of bytes that the cipher adds to a member's data. */
export function encryptionOverhead({ aes }: ZipEncryption): number {
  return aes ? saltSize(aes) + verifierSize + authenticationSize : noiseSize;
}

function saltSize({ strength }: AesField): number {
  return 4 + strength * 4;
}

/** Parses the data of extra field 0x9901; `undefined` if invalid. */
export function readAesField(data: Uint8Array): AesField | undefined {
  if (data.length < 7 || data[2] !== 0x41 || data[3] !== 0x45) return undefined;
  const view = viewOf(data);
  const strength = view.getUint8(4);
  if (strength < 1 || strength > 3) return undefined;
  return { version: view.getUint16(0, true), strength, method: view.getUint16(5, true) };
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  // zlib inverts the CRC before and after.
  return (crc32(Uint8Array.of(byte), 0xffffffff) ^ 0xffffffff) >>> 0;
});

class OldCipher {
  #first = 0x12345678;
  #second = 0x23456789;
  #third = 0x34567890;

  constructor(password: Uint8Array) {
    for (const byte of password) this.#update(byte);
  }

  /** Decrypts in place. */
  decrypt(bytes: Uint8Array): Uint8Array {
    for (let index = 0; index < bytes.length; index++) {
      const key = (this.#third | 2) & 0xffff;
      const plain = byteAt(bytes, index) ^ (Math.imul(key, key ^ 1) >>> 8 & 0xff);
      bytes[index] = plain;
      this.#update(plain);
    }
    return bytes;
  }

  #update(byte: number): void {
    this.#first = nextCrc(this.#first, byte);
    this.#second = (Math.imul(this.#second + (this.#first & 0xff), 134_775_813) + 1) >>> 0;
    this.#third = nextCrc(this.#third, this.#second >>> 24);
  }
}

function nextCrc(crc: number, byte: number): number {
  return (wordAt(crcTable, (crc ^ byte) & 0xff) ^ crc >>> 8) >>> 0;
}

function* decryptOld(pieces: Iterable<Uint8Array>, check: number, password: Uint8Array): Generator<Uint8Array> {
  const cipher = new OldCipher(password);
  let noise = noiseSize;
  for (const piece of pieces) {
    const plain = cipher.decrypt(piece.slice());
    const skipped = Math.min(noise, plain.length);
    noise -= skipped;
    if (noise === 0 && skipped > 0 && plain[skipped - 1] !== check) throw new DecompressError(wrongPassword);
    if (plain.length > skipped) yield plain.subarray(skipped);
  }
}

/** Keystream for AES data. */
class KeyStream implements Disposable {
  readonly #cipher: ReturnType<typeof import("node:crypto").createCipheriv>;
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;
  #next = 1;

  constructor(key: Uint8Array) {
    this.#cipher = crypto().createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  }

  /** XORs in place. */
  apply(bytes: Uint8Array): Uint8Array {
    for (let index = 0; index < bytes.length; index++) {
      if (this.#used === this.#block.length) this.#refill();
      bytes[index] = byteAt(bytes, index) ^ byteAt(this.#block, this.#used++);
    }
    return bytes;
  }

  /** Frees the cipher. */
  [Symbol.dispose](): void {
    this.#cipher.final();
  }

  #refill(): void {
    const numbers = buffer().Buffer.alloc(blocksAtOnce * blockSize);
    for (let block = 0; block < blocksAtOnce; block++) {
      numbers.writeUIntLE(this.#next++, block * blockSize, 6);
    }
    this.#block = this.#cipher.update(numbers);
    this.#used = 0;
  }
}

interface AesParts {
  readonly salt: Uint8Array;
  readonly verifier: Uint8Array;
  /** Encrypted data. */
  readonly data: Iterable<Uint8Array>;
  readonly authentication: Uint8Array;
}

function* decryptAes(
  { salt, verifier, data, authentication }: AesParts,
  { strength }: AesField,
  password: Uint8Array,
): Generator<Uint8Array> {
  const keySize = 8 + strength * 8;
  const keys = crypto().pbkdf2Sync(password, salt, rounds, keySize * 2 + verifierSize, "sha1");
  if (!keys.subarray(keySize * 2).equals(verifier)) throw new DecompressError(wrongPassword);
  using stream = new KeyStream(keys.subarray(0, keySize));
  const hmac = crypto().createHmac("sha1", keys.subarray(keySize, keySize * 2));
  for (const piece of data) {
    hmac.update(piece);
    yield stream.apply(piece.slice());
  }
  if (!hmac.digest().subarray(0, authenticationSize).equals(authentication)) {
    throw new DecompressError("is damaged: its encrypted data were changed");
  }
}

/** Reads a range of a member's bytes, relative to the first encrypted byte, in chunks. */
export type PieceReader = (offset: number, length: number) => Iterable<Uint8Array>;

function whole(pieces: Iterable<Uint8Array>): Uint8Array {
  return buffer().Buffer.concat([...pieces]);
}

/**
 * Decrypts a member in chunks. @param size Bytes of the member in the archive, including the bytes that the cipher
 * adds.
 * @throws {DecompressError} if the password is wrong, or, at the end, if the data are not authentic.
 */
export function decryptedPieces(
  read: PieceReader,
  size: number,
  { check, aes }: ZipEncryption,
  password: string,
): Iterable<Uint8Array> {
  const secret = new TextEncoder().encode(password);
  if (!aes) return decryptOld(read(0, size), check, secret);
  const start = saltSize(aes) + verifierSize;
  const end = size - authenticationSize;
  const parts = {
    salt: whole(read(0, saltSize(aes))),
    verifier: whole(read(saltSize(aes), verifierSize)),
    data: read(start, end - start),
    authentication: whole(read(end, authenticationSize)),
  };
  return decryptAes(parts, aes, secret);
}
