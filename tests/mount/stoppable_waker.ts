/**
 * Wakes a file system that can be made to hang, again and again while it may answer the requests that it has held.
 * @module
 */
import { openWaker } from "deno-fuse-ffi";
import { Inbox, workerChannel } from "../../system/worker_channel.ts";

/** The only message. */
export interface WakerStart {
  /** Path of the file that is there while requests are held. */
  readonly hold: string;
  readonly wakeFileDescriptor: number;
}

/** Time between two looks; milliseconds. */
const betweenLooks = 50;

const scope = workerChannel<WakerStart, "ready">();
const { hold, wakeFileDescriptor } = await new Inbox(scope).next();
using waker = openWaker(wakeFileDescriptor);
scope.postMessage("ready");
for (;;) {
  // deno-lint-ignore no-await-in-loop -- one look after the other
  if (await Deno.lstat(hold).then(() => false, () => true)) waker.wake();
  // deno-lint-ignore no-await-in-loop -- as above
  await new Promise((resolve) => setTimeout(resolve, betweenLooks));
}
