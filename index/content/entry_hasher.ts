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
    const hash = crypto().createHash("sha256");
    const known = knownCrc(snapshot, subject);
    let crc = known ?? 0;
    try {
      // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
      await reader.read(subject, (piece) => {
        hash.update(piece);
        if (known === undefined) crc = crc32(piece, crc);
      });
      sha256.set(hash.digest(), index * sha256Bytes);
      crcs[index] = crc;
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
