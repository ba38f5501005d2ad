/**
 * The process of a reader, which {@linkcode ReaderProcess} starts: `reader_program_worker.ts MODULE`. A thread does what the module
 * does, and may hang with a file system. This one reports calls that take long, and ends the process with its parent.
 * @module
 */
import { callsUnderWay, createCallMemory } from "./call_watch.ts";
import { FileSystems } from "./file_systems.ts";
import { encodeFrame, type OrderFrame, type ReaderFrame, readFrames } from "./reader_frames.ts";
import type { ThreadStart } from "./reader_thread_worker.ts";
import { Thread } from "./threads.ts";

/** Time between two looks at the calls while there is an order; milliseconds. */
const betweenLooks = 100;

const memory = createCallMemory();
let looking: ReturnType<typeof setInterval> | undefined;
/** Calls that were under way at the last look. */
let before: ReadonlySet<string> = new Set();
/** The call that was reported. */
let reported: string | undefined;

function post(frame: ReaderFrame): void {
  for (const bytes of encodeFrame(frame)) {
    for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
  }
}

function look(): void {
  const calls = callsUnderWay(memory);
  if (reported !== undefined && calls.every(({ id }) => id !== reported)) {
    reported = undefined;
    post({ type: "returned" });
  }
  const long = calls.find(({ id }) => before.has(id));
  before = new Set(calls.map(({ id }) => id));
  if (!long || reported !== undefined) return;
  reported = long.id;
  const fileSystems = new FileSystems(Deno.env.get("PAKFS_MOUNTS") ?? "");
  post({ type: "waiting", path: long.path, mountPoint: fileSystems.remoteOf(long.path)?.mountPoint ?? null });
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
}
Deno.exit();
