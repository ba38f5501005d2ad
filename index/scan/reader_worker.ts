/**
 * A thread that helps to read the lists of many archives.
 * @module
 */
import { noteCalls } from "../../system/call_watch.ts";
import { ArchiveQueue } from "./archive_queue.ts";
import { buffersOf, serializeLists } from "./serialized_lists.ts";
import type { ReaderMessage, ReaderStart } from "./read_archives.ts";
import { readPack } from "./read_pack.ts";

/** The worker's own scope, which the types for windows lack. */
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ReaderStart>) => void) | null;
  postMessage(message: ReaderMessage, transfers: Transferable[]): void;
};

scope.onmessage = ({ data: { archives, memory, calls, thread } }) => {
  if (calls) noteCalls(calls, thread);
  const queue = new ArchiveQueue(archives.length, memory);
  for (let part = queue.take(); part; part = queue.take()) {
    const lists = serializeLists(archives.slice(part.start, part.end).map((archive) => readPack(archive)));
    scope.postMessage({ type: "lists", start: part.start, lists }, buffersOf(lists));
  }
  scope.postMessage({ type: "done" }, []);
};
