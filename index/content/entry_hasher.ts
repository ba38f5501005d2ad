/**
 * SHA-256 and CRC-32 of members, loose files and whole packs.
 * @module
 */
import { crc32, crypto, messageOf } from "../../formats/parts.ts";
import { isDirectorySource } from "../columns/source.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { sourceOfSubject, type SubjectReader } from "./subject_reader.ts";

/** Bytes of a SHA-256. */
export const sha256Bytes = 32;

/** Hashes of some subjects, in order. */
export interface Hashes {
  /** {@linkcode sha256Bytes} per subject; zeros for subjects with a problem. */
  readonly sha256: Uint8Array;
  readonly crc32: Uint32Array;
  /** Reasons why subjects cannot be read, by index. */
  readonly problems: ReadonlyMap<number, string>;
}

/** Hashes subjects of a snapshot. A subject that cannot be read has a problem instead. */
export async function hashSubjects(snapshot: Snapshot, reader: SubjectReader, subjects: Uint32Array): Promise<Hashes> {
  const sha256 = new Uint8Array(subjects.length * sha256Bytes);
  const crcs = new Uint32Array(subjects.length);
  const problems = new Map<number, string>();
  for (const [index, subject] of subjects.entries()) {
    const sum = new Sum(knownCrc(snapshot, subject));
    try {
      // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
      await reader.read(subject, (piece) => sum.add(piece));
      sha256.set(sum.digest(), index * sha256Bytes);
      crcs[index] = sum.crc32;
    } catch (error) {
      reader.close();
      problems.set(index, messageOf(error));
    }
  }
  reader.close();
  return { sha256, crc32: crcs, problems };
}

/** Returns the CRC-32 of a member in the archive, which reading verifies. */
function knownCrc(snapshot: Snapshot, subject: number): number | undefined {
  if (subject >= snapshot.entryCount || isDirectorySource(sourceOfSubject(snapshot, subject))) return undefined;
  return snapshot.crcOf(subject) ?? undefined;
}

/** Incremental hashes of bytes. */
class Sum {
  readonly #hash = crypto().createHash("sha256");
  readonly #known: number | undefined;
  #crc32 = 0;

  /**
   * @param known CRC-32 of all bytes, if known.
   */
  constructor(known?: number) {
    this.#known = known;
  }

  /** CRC-32 of the bytes. */
  get crc32(): number {
    return this.#known ?? this.#crc32;
  }

  add(bytes: Uint8Array): this {
    this.#hash.update(bytes);
    if (this.#known === undefined) this.#crc32 = crc32(bytes, this.#crc32);
    return this;
  }

  /** Returns the SHA-256. Can be called once. */
  digest(): Uint8Array {
    return this.#hash.digest();
  }
}
