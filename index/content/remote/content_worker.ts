/**
 * Reads files for queries: files on one remote file system, or files to hash or search. If the file system hangs, only
 * this thread hangs.
 * @module
 */
import { Snapshot, type SnapshotParts } from "../../columns/snapshot.ts";
import { ContentReader } from "../content_reader.ts";
import { type Hashes, hashSubjects } from "../entry_hasher.ts";
import { type Expression, type FoundLines, searchBytes, searchSubjects } from "../line_search.ts";
import { SubjectReader } from "../subject_reader.ts";
import { noteCalls, ownCallMemory, OwnChannel } from "../../../system/mod.ts";

/** A query about an entry. */
export type ContentQuestion =
  | { readonly kind: "read"; readonly entry: number; readonly offset: number; readonly length: number }
  | { readonly kind: "whole"; readonly entry: number }
  | { readonly kind: "dataOffset"; readonly entry: number }
  | SubjectsQuestion;

/** A request to hash some subjects, or to search some subjects or one file for matching lines. */
export type SubjectsQuestion =
  | { readonly kind: "hash"; readonly subjects: Uint32Array }
  | {
    readonly kind: "search";
    readonly subjects: Uint32Array;
    readonly expression: Expression;
    readonly bytes?: Uint8Array;
  };

/** Reply to a query about an entry. */
export type ContentAnswer = Uint8Array | number | null | Hashes | FoundLines;

/** Replies to a query about an index by its number; the index is sent with the first query. */
export type ContentAnswerer = typeof answer;

/** An index, and its files. */
interface Index {
  readonly snapshot: Snapshot;
  readonly content: ContentReader;
  readonly subjects: SubjectReader;
}

const indexes = new Map<number, Index>();

/** Closes the files of an index that is no longer needed. */
function forget(number: number): void {
  indexes.get(number)?.content[Symbol.asyncDispose]();
  indexes.delete(number);
}

async function answer({ index: number, snapshot: parts, question, calls }: {
  readonly index: number;
  readonly snapshot: SnapshotParts | undefined;
  readonly question: ContentQuestion;
  /** Memory in which the thread is to note its calls. */
  readonly calls?: SharedArrayBuffer;
}): Promise<ContentAnswer> {
  if (calls && !ownCallMemory()) noteCalls(calls, 0);
  if (parts) {
    const snapshot = Snapshot.from(parts);
    indexes.set(number, {
      snapshot,
      content: new ContentReader(snapshot),
      subjects: new SubjectReader(snapshot),
    });
  }
  const index = indexes.get(number);
  if (!index) throw new RangeError("Cannot read a file of an index that is not kept");
  const { snapshot, content, subjects } = index;
  switch (question.kind) {
    case "hash":
      return await hashSubjects(snapshot, subjects, question.subjects);
    case "search":
      return question.bytes
        ? searchBytes(question.bytes, question.expression)
        : await searchSubjects(subjects, question.subjects, question.expression);
    case "dataOffset":
      return content.dataOffset(question.entry);
    case "whole":
      return content.readWhole(question.entry);
    case "read":
      return await content.read(question.entry, question.offset, question.length);
  }
}

new OwnChannel<never, number, never, ContentAnswerer>(forget, answer);
