/**
 * Signals of other processes, from proc_pid_status(5).
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH: by default they end no process. */
const harmless = [17, 18, 19, 20, 21, 22, 23, 28].reduce((bits, signal) => bits | 1n << BigInt(signal - 1), 0n);

/**
 * Returns whether a thread has a signal that ends its process as soon as it leaves the kernel; true if that is unknown.
 * @param process Number of the thread; 0 if it is in another namespace.
 */
export function isDying(files: Pick<FileCalls, "readText">, process: number): boolean {
  const status = process === 0 ? "" : files.readText(`/proc/${process}/status`);
  if (status === "") return true;
  const signals = (name: string) =>
    BigInt(`0x${new RegExp(`^${name}:\\s*([0-9a-f]+)$`, "m").exec(status)?.[1] ?? "0"}`);
  const pending = signals("SigPnd") | signals("ShdPnd");
  return (pending & ~(signals("SigBlk") | signals("SigIgn") | signals("SigCgt") | harmless)) !== 0n;
}
