/**
 * Deno's writing of compiled code, on a thread of its own.
 *
 * While a thread waits for a disk that does not answer, the kernel keeps the process after its end, and its locks with
 * it. A process that ends during a write of compiled code keeps the lock of Deno's code cache: every other Deno waits five
 * seconds for each module that it has compiled, so a daemon would answer after a minute.
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** Consecutive looks without a lock that count as the end of all writes: between two writes no lock is held either. */
const calmLooks = 5;
/** Milliseconds. */
const betweenLooks = 1;
/** Maximum wait in milliseconds: the disk with the code cache may hang too. */
const timeout = 1500;

/**
 * Waits until Deno has written the code that it has compiled, for a while at most. The thread does nothing else
 * meanwhile: a timer would have Deno compile more.
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
