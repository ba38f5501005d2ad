/**
 * A thread that helps reading the lists of many archives.
 * @module
 */
import { noteCalls, OwnChannel } from "../../system/mod.ts";
import { ArchiveQueue } from "./archive_queue.ts";
import { buffersOf, serializeLists } from "./serialized_lists.ts";
import type { ReaderMessage, ReaderStart } from "./read_archives.ts";
import { readPack } from "./read_pack.ts";

const channel = new OwnChannel<ReaderMessage, ReaderStart>();
channel.run(({ archives, memory, calls, thread }) => {
  if (calls) noteCalls(calls, thread);
  const queue = new ArchiveQueue(archives.length, memory);
  for (let part = queue.take(); part; part = queue.take()) {
    const lists = serializeLists(archives.slice(part.start, part.end).map((archive) => readPack(archive)));
    channel.post({ start: part.start, lists }, buffersOf(lists));
  }
});
