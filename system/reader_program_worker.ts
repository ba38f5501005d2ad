/**
 * The process of a reader, which {@linkcode ReaderProcess} starts: `reader_program_worker.ts MODULE`. One thread runs
 * the module, and may hang with a file system. The main thread reports calls that take long, and ends the process with
 * its parent.
 * @module
 */
import { callsUnderWay, createCallMemory } from "./call_watch.ts";
import { collectGarbage } from "./memory_release.ts";
import { FileSystems } from "./file_systems.ts";
import { encodeFrame, type OrderFrame, type ReaderFrame, readFrames } from "./reader_frames.ts";
import type { ThreadStart } from "./reader_thread_worker.ts";
import { Thread } from "./threads.ts";

/** Interval of checks of the calls during a request; milliseconds. */
const betweenLooks = 100;

const memory = createCallMemory();
let looking: ReturnType<typeof setInterval> | undefined;
/** Calls in progress at the last check. */
let before: ReadonlySet<string> = new Set();
/** Calls that were reported. */
let reported = "";

function post(frame: ReaderFrame): void {
  for (const bytes of encodeFrame(frame)) {
    for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
  }
}

function look(): void {
  const calls = callsUnderWay(memory);
  const long = calls.filter(({ id }) => before.has(id));
  before = new Set(calls.map(({ id }) => id));
  const ids = long.map(({ id }) => id).join();
  if (ids === reported) return;
  reported = ids;
  const fileSystems = new FileSystems(Deno.env.get("PAKFS_MOUNTS") ?? "");
  const mountPointOf = (path: string) => fileSystems.remoteOf(path)?.mountPoint ?? null;
  post({ type: "calls", calls: long.map((call) => ({ ...call, mountPoint: mountPointOf(call.path) })) });
}

const thread = new Thread<unknown, ReaderFrame>(new URL("./reader_thread_worker.ts", import.meta.url), {
  onMessage: (frame) => {
    if (frame.type === "answer" || frame.type === "failure") {
      clearInterval(looking);
      look();
    }
    post(frame);
  },
  onFailure: (reason) => post({ type: "failure", message: `its thread failed: ${reason}` }),
});
thread.post({ module: Deno.args[0] ?? "", memory } satisfies ThreadStart);
for await (const frame of readFrames(Deno.stdin.readable.getReader())) {
  looking = setInterval(look, betweenLooks);
  thread.post((frame as OrderFrame).order);
  // Parts of columns are garbage that V8 does not count.
  collectGarbage();
}
Deno.exit();
