/**
 * A converter: a thread that replies to the kernel's requests for converted files.
 *
 * The session thread knows the names of converted files, and forwards all other requests: attributes, whose size often
 * requires a conversion, and reads. All requests for one file go to the same thread, so that a file that 20 programs
 * read at once is converted once.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { converters } from "../../media/mod.ts";
import { FileCalls, lowerPriority, noteCalls, OwnChannel } from "../../system/mod.ts";
import { ClaimedRequest } from "../remote/claimed_request.ts";
import { IndexVersions } from "../shared/index_versions.ts";
import { RequestQueue } from "../shared/request_queue.ts";
import type { ConverterMessage, ConverterStart, IndexAnswerer } from "../shared/thread_messages.ts";
import { ConvertedIndex, ConverterThread, kindOf, serveConversions } from "./converter_thread.ts";

const channel = new OwnChannel<ConverterMessage, ConverterStart, IndexAnswerer>();

async function run(start: ConverterStart): Promise<void> {
  // Programs that read small files must not wait for processors.
  lowerPriority();
  const queue = new RequestQueue(start.queue);
  using library = new FileCalls();
  if (start.readsRemotes) noteCalls(start.calls, 0, library);
  using hand = new ClaimedRequest(queue, openReplier());
  using thread = new ConverterThread(start, library, hand, (message, source) => {
    channel.post({ type: "problem", message, source });
  });
  using versions = new IndexVersions<ConvertedIndex>(start.version, {
    make: (version) => new ConvertedIndex(version, (path) => library.look(path)),
    drop: ({ content }) => void content[Symbol.asyncDispose](),
    ask: (version) => channel.ask(version),
  });
  channel.post({ type: "kinds", kinds: converters.map(kindOf) });
  await serveConversions(queue, versions, hand, thread);
}

channel.run(run);
