/**
 * The program of the commands that serve. The launcher `pakfs` starts it with the permissions they need.
 *
 * The thread that serves the mount is started before anything else is loaded: it loads its code on another processor,
 * which reduces the time until the mount is ready by a third.
 * @module
 */
import { PrestartedSession } from "../mount/mod.ts";
import { leaveSignalsToOtherThreads } from "../system/mod.ts";

/** Runs the command of the command line, and ends the process. */
export async function start(): Promise<never> {
  const ignoresHangUp = leaveSignalsToOtherThreads();
  using threads = new PrestartedSession();
  const { runProgram } = await import("./program.ts");
  await runProgram(threads, ignoresHangUp);
  // Returning would wait for threads that hang in a system call.
  Deno.exit();
}

if (import.meta.main) await start();
