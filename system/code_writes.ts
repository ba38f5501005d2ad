/**
 * Waits for Deno's writing of compiled code, which runs on another thread.
 *
 * While a thread waits for a disk that does not respond, the kernel keeps the ended process and its locks. If a process
 * ends during a write of compiled code, it keeps the lock of Deno's code cache: every other Deno process then waits
 * five seconds for each compiled module, so a daemon would be ready after a minute.
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** Consecutive checks without a lock that count as the end of all writes: no lock is held between two writes either. */
const calmLooks = 5;
/** Interval of the checks, in milliseconds. */
const betweenLooks = 1;
/** Maximum wait in milliseconds: the disk with the code cache may hang too. */
const timeout = 1500;

/**
 * Waits until Deno has written its compiled code, for a limited time. The thread does nothing else meanwhile: a timer
 * would make Deno compile more.
 */
export function awaitCodeWrites(files: Pick<FileCalls, "readText">): void {
  const isWriting = new RegExp(`POSIX +ADVISORY +WRITE ${Deno.pid} `);
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + timeout;
  for (let calm = 0; calm < calmLooks && performance.now() < end;) {
    calm = isWriting.test(files.readText("/proc/locks")) ? 0 : calm + 1;
    Atomics.wait(nothing, 0, 0, betweenLooks);
  }
}
