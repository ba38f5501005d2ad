/**
 * A converter: a thread that answers the kernel's requests for converted files.
 *
 * The session thread knows the names of converted files, and hands on all else: attributes, whose size often only the
 * conversion tells, and reads. Every request for one file goes to the same thread, so that what 20 programs read at
 * once is converted once.
 * @module
 */
import { openReplier } from "deno-fuse-ffi";
import { converters } from "../../media/convert/table.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { lowerPriority } from "../../system/process_calls.ts";
import { Inbox, runThread, workerChannel } from "../../system/worker_channel.ts";
import { ClaimedRequest } from "../remote/claimed_request.ts";
import { IndexVersions } from "../shared/index_versions.ts";
import { RequestQueue } from "../shared/request_queue.ts";
import type { ConverterMessage, ConverterStart, ForgottenMessage, ShowMessage } from "../shared/thread_messages.ts";
import { ConvertedIndex, ConverterThread, kindOf, serveConversions } from "./converter_thread.ts";

const scope = workerChannel<ConverterStart | ShowMessage | ForgottenMessage, ConverterMessage>();
const inbox = new Inbox(scope);

function post(message: ConverterMessage): void {
  scope.postMessage(message);
}

async function run(start: ConverterStart): Promise<void> {
  // Programs that read small files must not wait for processors.
  lowerPriority();
  const queue = new RequestQueue(start.queue);
  using library = new FileCalls();
  using hand = new ClaimedRequest(queue, library, openReplier());
  using thread = new ConverterThread(start, library, hand, (message, source) => {
    post({ type: "problem", message, source });
  });
  using versions = new IndexVersions<ConvertedIndex>(start.version, {
    make: (version) => new ConvertedIndex(version, queue, (path) => library.look(path)),
    drop: ({ content }) => void content[Symbol.asyncDispose](),
    ask: (version) => {
      post({ type: "wants", version });
      return inbox.next();
    },
  });
  post({ type: "kinds", kinds: converters.map(kindOf) });
  await serveConversions(queue, versions, hand, thread);
}

runThread(async () => {
  const first = await inbox.next();
  if (first.type === "start") await run(first);
  post({ type: "ended" });
  scope.close();
});
