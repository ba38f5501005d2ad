/**
 * The thread that ends the process when all others hang. It has no other task.
 * @module
 */
import { Deadline, type Remains } from "./deadline.ts";
import {
  FileCalls,
  isOwnMount,
  mountTablePath,
  openCLibrary,
  OwnChannel,
  parseMountInfo,
  readMountTable,
} from "../../system/mod.ts";

/** Message to this thread. */
export type GuardMessage =
  | { readonly type: "guard"; readonly remains: Remains; readonly endsWithMounts: boolean }
  | { readonly type: "end" };

const pollPriority = 2;

/** Interval of the checks for missing mounts, in milliseconds. */
const betweenLooks = 100;
/**
 * The table may lack a line if it changes while it is read: a mount is gone if it is missing in this many reads in a
 * row.
 */
const looks = 5;

let deadline: Deadline | undefined;
/** Mount points: the process ends once all are gone, unless there are none. Replaced with each message. */
let awaited: readonly string[] = [];
let isWatching = false;

/** Starts the time limit if all awaited mounts are gone. The session threads notice it too, unless they hang. */
async function look(files: FileCalls): Promise<void> {
  const mountPoints = awaited;
  for (let missing = 0; missing < looks; missing++) {
    const table = readMountTable(files);
    // An empty one could not be read.
    const isThere = table === "" ||
      parseMountInfo(table).some((record) => isOwnMount(record) && mountPoints.includes(record.mountPoint));
    if (isThere || mountPoints.length === 0 || mountPoints !== awaited) return;
    // deno-lint-ignore no-await-in-loop -- one look after the other
    await new Promise((resolve) => setTimeout(resolve, betweenLooks));
  }
  if (mountPoints === awaited) deadline?.begin();
}

/** Checks whenever something is mounted or unmounted. */
async function watch(files: FileCalls): Promise<never> {
  const { symbols } = openCLibrary("poll_elsewhere");
  // struct pollfd: int fd, short events, short revents
  const request = new DataView(new ArrayBuffer(8));
  request.setInt32(0, files.openForReading(mountTablePath), true);
  request.setInt16(4, pollPriority, true);
  for (;;) {
    // deno-lint-ignore no-await-in-loop -- one event after the other
    await symbols.poll_elsewhere(request, 1n, -1);
    // deno-lint-ignore no-await-in-loop -- as above
    await look(files);
  }
}

function receive(message: GuardMessage): void {
  if (message.type === "end") return deadline?.begin();
  if (deadline) deadline.remains = message.remains;
  else {
    deadline = new Deadline(message.remains);
    deadline.listen();
  }
  awaited = message.endsWithMounts ? message.remains.mountPoints : [];
  if (awaited.length === 0) return;
  if (!isWatching) void watch(files);
  isWatching = true;
  // Mounts that were unmounted before the message came cause no more events.
  void look(files);
}

const files = new FileCalls();
new OwnChannel<never, GuardMessage>(receive);
