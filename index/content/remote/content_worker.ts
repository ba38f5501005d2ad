/**
 * Reads files on one remote file system for queries. If the file system hangs, so does this thread, and nothing else.
 * @module
 */
import { ArchiveError } from "../../../formats/core/errors.ts";
import { Snapshot, type SnapshotParts } from "../../columns/snapshot.ts";
import { ContentReader } from "../content_reader.ts";
import { workerChannel } from "../../../system/worker_channel.ts";

/** A question about an entry. */
export type ContentQuestion =
  | { readonly kind: "read"; readonly entry: number; readonly offset: number; readonly length: number }
  | { readonly kind: "whole"; readonly entry: number }
  | { readonly kind: "dataOffset"; readonly entry: number };

/** A message to the thread. */
export type ContentOrder =
  | { readonly type: "index"; readonly number: number; readonly snapshot: SnapshotParts }
  | { readonly type: "forget"; readonly number: number }
  | { readonly type: "ask"; readonly id: number; readonly index: number; readonly question: ContentQuestion };

/** A message from the thread. */
export interface ContentAnswer {
  readonly id: number;
  readonly value?: Uint8Array | number | null;
  /** Why the value is missing. */
  readonly failure?: { readonly message: string; readonly path: string | null; readonly offset?: number };
}

const scope = workerChannel<ContentOrder, ContentAnswer>();
const readers = new Map<number, ContentReader>();

async function answer(reader: ContentReader, question: ContentQuestion): Promise<Uint8Array | number | null> {
  if (question.kind === "dataOffset") return reader.dataOffset(question.entry);
  if (question.kind === "whole") return reader.readWhole(question.entry);
  return await reader.read(question.entry, question.offset, question.length);
}

async function reply(id: number, reader: ContentReader | undefined, question: ContentQuestion): Promise<void> {
  try {
    if (!reader) throw new RangeError("Cannot read a file of an index that is not kept");
    scope.postMessage({ id, value: await answer(reader, question) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const details = error instanceof ArchiveError
      ? { path: error.path, ...(error.offset === undefined ? {} : { offset: error.offset }) }
      : { path: null };
    scope.postMessage({ id, failure: { message, ...details } });
  }
}

scope.onmessage = ({ data }) => {
  if (data.type === "index") readers.set(data.number, new ContentReader(Snapshot.from(data.snapshot)));
  else if (data.type === "ask") reply(data.id, readers.get(data.index), data.question);
  else {
    readers.get(data.number)?.[Symbol.asyncDispose]();
    readers.delete(data.number);
  }
};
