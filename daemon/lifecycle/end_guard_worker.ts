/**
 * The thread that ends the process when all others hang: it does nothing else.
 * @module
 */
import { Deadline, type Remains } from "./deadline.ts";
import { Inbox, workerChannel } from "../../system/worker_channel.ts";
import { isOwnMount, mountTablePath, parseMountInfo, readMountTable } from "../../system/mount_table.ts";
import { openCLibrary } from "../../system/c_library.ts";
import { FileCalls } from "../../system/file_calls.ts";

/** Message to this thread. */
export type GuardMessage =
  | { readonly type: "guard"; readonly remains: Remains; readonly endsWithMounts: boolean }
  | { readonly type: "end" };

const inbox = new Inbox(workerChannel<GuardMessage, never>());
const pollPriority = 2;

/** Mount points: the process ends once all are gone; empty: it does not. Replaced with each message. */
let awaited: readonly string[] = [];

/**
 * Waits until all of some mounts are gone. The session threads notice that too, unless they hang.
 * @returns Whether they are still those that are awaited.
 */
async function unmounted(mountPoints: readonly string[]): Promise<boolean> {
  using files = new FileCalls();
  const { symbols } = openCLibrary("poll_elsewhere");
  const fileDescriptor = files.openForReading(mountTablePath);
  // struct pollfd: int fd, short events, short revents
  const request = new DataView(new ArrayBuffer(8));
  request.setInt32(0, fileDescriptor, true);
  request.setInt16(4, pollPriority, true);
  const isThere = () =>
    parseMountInfo(readMountTable(files))
      .some((record) => isOwnMount(record) && mountPoints.includes(record.mountPoint));
  // A table that changes while it is read may lack a line: a mount is gone if it is missing several times in a row.
  for (let missing = 0; missing < 5 && awaited === mountPoints;) {
    missing = isThere() ? 0 : missing + 1;
    // deno-lint-ignore no-await-in-loop -- one look after the other
    await (missing === 0
      ? symbols.poll_elsewhere(request, 1n, -1)
      : new Promise((resolve) => setTimeout(resolve, 100)));
  }
  return awaited === mountPoints;
}

let deadline: Deadline | undefined;
for (;;) {
  // deno-lint-ignore no-await-in-loop -- one message after the other
  const message = await inbox.next();
  if (message.type === "end") deadline?.begin();
  else {
    if (deadline) deadline.remains = message.remains;
    else {
      deadline = new Deadline(message.remains);
      deadline.listen();
    }
    awaited = message.endsWithMounts ? message.remains.mountPoints : [];
    if (awaited.length > 0) unmounted(awaited).then((isOver) => isOver && deadline?.begin());
  }
}
