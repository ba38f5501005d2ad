/**
 * Deno's writing of compiled code, on a thread of its own.
 *
 * While a thread waits for a disk that does not answer, the kernel keeps the process after its end, with the locks that
 * it has: ended in the middle of a write, it keeps that of the store of compiled code. Any other Deno then waits five
 * seconds for each module that it has compiled, so a daemon would answer after a minute.
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** So many looks in a row must find no lock: between two writes there is none. */
const calmLooks = 5;
/** Milliseconds. */
const betweenLooks = 1;
/** Milliseconds after which the process ends all the same: the disk of the store may hang too. */
const patience = 500;

/**
 * Waits until Deno has written the code that it has compiled, at most half a second. The thread does nothing else
 * meanwhile: a timer would have Deno compile more.
 */
export function awaitCodeWrites(files: Pick<FileCalls, "readText">): void {
  const isWriting = new RegExp(`POSIX +ADVISORY +WRITE ${Deno.pid} `);
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + patience;
  for (let calm = 0; calm < calmLooks && performance.now() < end;) {
    calm = isWriting.test(files.readText("/proc/locks")) ? 0 : calm + 1;
    Atomics.wait(nothing, 0, 0, betweenLooks);
  }
}
