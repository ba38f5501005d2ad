/**
 * The program behind the commands that serve. The launcher `pakfs` starts it with the permissions they need.
 *
 * The thread that serves the mount is started before anything else is loaded: it loads its code on another processor
 * meanwhile, which makes a mount ready in two thirds of the time.
 * @module
 */
import { PrestartedSession } from "../mount/prestarted_session.ts";
import { leaveSignalsToOtherThreads } from "../system/signal_mask.ts";

/** Runs the command of the command line, and ends the process. */
export async function start(): Promise<never> {
  const ignoresHangUp = leaveSignalsToOtherThreads();
  using threads = new PrestartedSession();
  const { runProgram } = await loadProgram();
  await runProgram(threads, ignoresHangUp);
  // Returning would wait for threads that hang in a system call.
  Deno.exit();
}

/** Loads the program; `as string` has Deno read it only then (`repl/command/modules.ts`). */
function loadProgram(): Promise<typeof import("./program.ts")> {
  return import("./program.ts" as string);
}

if (import.meta.main) await start();
