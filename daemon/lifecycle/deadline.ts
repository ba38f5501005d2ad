/**
 * Ending the process although something in it hangs.
 * @module
 */
import { isMountPoint, unmount } from "deno-fuse-ffi";
import { Log, type LogFormat } from "../../system/log.ts";
import { openCLibrary } from "../../system/c_library.ts";

/** What a process has to put away before it ends. */
export interface Remains {
  /** Its mount, or null. */
  readonly mountPoint: string | null;
  /** Path of its socket, or null. */
  readonly socket: string | null;
  readonly logFormat: LogFormat;
}

/** What is put away may hang too; milliseconds. */
const tidyingTime = 400;

/**
 * Detaches the mount, removes the socket and ends the process, without waiting for any of its threads. Works in every
 * thread.
 */
export async function endAtOnce({ mountPoint, socket, logFormat }: Remains): Promise<void> {
  const line = new Log({ quiet: false, format: logFormat }).line(
    "warning",
    "ended without waiting for what hangs or takes too long",
  );
  const work = [
    Promise.try(() =>
      mountPoint !== null && isMountPoint(mountPoint) ? unmount(mountPoint, { lazy: true }) : undefined
    ),
    Promise.try(() => socket === null ? undefined : Deno.remove(socket)),
    // A reader of the log that does not read must not be waited for.
    Deno.stderr.write(line),
  ];
  await Promise.race([Promise.allSettled(work), new Promise((resolve) => setTimeout(resolve, tidyingTime))]);
  openCLibrary({ _exit: { parameters: ["i32"], result: "void" } }).symbols._exit(0);
}
