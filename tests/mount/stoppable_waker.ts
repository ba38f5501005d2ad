/**
 * Wakes a file system that can be made to hang, repeatedly while it may answer held requests.
 * @module
 */
import { openWaker } from "deno-fuse-ffi";
import { OwnChannel } from "../../system/channel.ts";

/** The only message. */
export interface WakerStart {
  /** Path of the file that exists while requests are held. */
  readonly hold: string;
  readonly wakeFileDescriptor: number;
}

/** Interval between checks, in milliseconds. */
const betweenLooks = 50;

const channel = new OwnChannel<"ready", WakerStart>();
const { hold, wakeFileDescriptor } = await channel.next();
using waker = openWaker(wakeFileDescriptor);
channel.post("ready");
for (;;) {
  // deno-lint-ignore no-await-in-loop -- one look after the other
  if (await Deno.lstat(hold).then(() => false, () => true)) waker.wake();
  // deno-lint-ignore no-await-in-loop -- as above
  await new Promise((resolve) => setTimeout(resolve, betweenLooks));
}
