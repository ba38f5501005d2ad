/**
 * The process of a reader, which {@linkcode ReaderProcess} starts: `reader_program_worker.ts MODULE`. A thread does what the module
 * does, and may hang with a file system. This one reports calls that take long, and ends the process with its parent.
 * @module
 */
import { callsUnderWay, createCallMemory } from "./call_watch.ts";
import { FileSystems } from "./file_systems.ts";
import { encodeFrame, type OrderFrame, type ReaderFrame, readFrames } from "./reader_frames.ts";
import type { ThreadStart } from "./reader_thread_worker.ts";

/** Time between two looks at the calls while there is an order; milliseconds. */
const betweenLooks = 100;

const memory = createCallMemory();
const worker = new Worker(new URL("./reader_thread_worker.ts", import.meta.url), { type: "module" });
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

worker.onmessage = ({ data }: MessageEvent<ReaderFrame>) => {
  if (data.type === "answer" || data.type === "failure") {
    clearInterval(looking);
    look();
  }
  post(data);
};
worker.onerror = (event) => {
  event.preventDefault();
  post({ type: "failure", message: `its thread failed: ${event.message}` });
};
worker.postMessage({ module: Deno.args[0] ?? "", memory } satisfies ThreadStart);
for await (const frame of readFrames(Deno.stdin.readable.getReader())) {
  looking = setInterval(look, betweenLooks);
  worker.postMessage((frame as OrderFrame).order);
}
Deno.exit();
