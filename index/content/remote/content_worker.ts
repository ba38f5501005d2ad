/**
 * Reads files for queries: those on one remote file system, or those that are hashed. If the file system hangs, so does
 * this thread, and nothing else.
 * @module
 */
import { Snapshot, type SnapshotParts } from "../../columns/snapshot.ts";
import { ContentReader } from "../content_reader.ts";
import { EntryHasher, type Hashes } from "../entry_hasher.ts";
import { OwnChannel } from "../../../system/mod.ts";

/** A question about an entry. */
export type ContentQuestion =
  | { readonly kind: "read"; readonly entry: number; readonly offset: number; readonly length: number }
  | { readonly kind: "whole"; readonly entry: number }
  | { readonly kind: "dataOffset"; readonly entry: number }
  | HashQuestion;

/** A request for the hashes of some subjects. */
export interface HashQuestion {
  readonly kind: "hash";
  readonly subjects: Uint32Array;
}

/** Answer to a question about an entry. */
export type ContentAnswer = Uint8Array | number | null | Hashes;

/** Answers a question about the index of a number, which comes with the first question. */
export type ContentAnswerer = typeof answer;

const readers = new Map<number, ContentReader>();
const hashers = new Map<number, EntryHasher>();

/** Closes the files of an index that is needed no longer. */
function forget(index: number): void {
  readers.get(index)?.[Symbol.asyncDispose]();
  readers.delete(index);
  hashers.delete(index);
}

async function answer({ index, snapshot, question }: {
  readonly index: number;
  readonly snapshot: SnapshotParts | undefined;
  readonly question: ContentQuestion;
}): Promise<ContentAnswer> {
  if (snapshot) {
    const own = Snapshot.from(snapshot);
    readers.set(index, new ContentReader(own));
    hashers.set(index, new EntryHasher(own));
  }
  const reader = readers.get(index);
  const hasher = hashers.get(index);
  if (!reader || !hasher) throw new RangeError("Cannot read a file of an index that is not kept");
  if (question.kind === "hash") return await hasher.hash(question.subjects);
  if (question.kind === "dataOffset") return reader.dataOffset(question.entry);
  if (question.kind === "whole") return reader.readWhole(question.entry);
  return await reader.read(question.entry, question.offset, question.length);
}

new OwnChannel<never, number, never, ContentAnswerer>(forget, answer);
