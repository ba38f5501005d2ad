/**
 * Mounting the sample in a Worker for the length of a test, and asking the kernel about it from other processes.
 * @module
 */
import { isMountPoint, openWaker, unmount } from "deno-fuse-ffi";
import { Thread } from "../../system/threads.ts";
import { HUGE_BYTES } from "./sample_file_system.ts";
import type { ChangeMessage, MountMessage, SessionReport } from "./session_worker.ts";

/** Longest time any single step of a test may take before it counts as hung. */
const TIMEOUT_MILLISECONDS = 300_000;

const decoder = new TextDecoder();

/** Output and exit code of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in another process: this process must not access a mount that it serves. */
export async function run(command: string, ...args: string[]): Promise<CommandResult> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd: "/",
    env: { LC_ALL: "C.UTF-8" },
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  }).output();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs a Python program with arguments in `sys.argv`; an error fails the test with the traceback. */
export async function python(program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("python3", "-c", `import errno, os, sys\n${program}`, ...args);
  if (code !== 0) throw new Error(`python3 exited with ${code}: ${stderr}`);
  return stdout;
}

type Ended = Extract<SessionReport, { kind: "ended" }>;
type Mounted = Extract<SessionReport, { kind: "mounted" }>;

/** A sample that is mounted. */
export interface MountedSample {
  readonly path: string;
  readonly mounted: Mounted;
  /** Resolves when the session has ended and been destroyed. */
  readonly ended: Promise<Ended>;
  /** Wakes the session, which then changes its files. */
  change(message: ChangeMessage): Promise<void>;
}

/** Options of a mounted sample. */
export type MountedOptions = Omit<MountMessage, "mountPoint" | "hugePath" | "replier">;

/** A directory that is removed after the test, with mounts in it. */
export async function withDirectory(body: (path: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "deno_fuse_ffi_" });
  // Other users have to reach the mount point in some tests.
  await Deno.chmod(directory, 0o755);
  const mountPoint = `${directory}/mount point`;
  await Deno.mkdir(mountPoint);
  try {
    await body(mountPoint);
  } finally {
    if (isMountPoint(mountPoint)) await run("umount", "-l", mountPoint);
    await Deno.remove(directory, { recursive: true });
  }
}

/** Mounts the sample, runs `body`, unmounts, and returns the session's report. */
export async function withSample(
  options: MountedOptions,
  body: (sample: MountedSample) => Promise<void>,
): Promise<Ended> {
  const result = Promise.withResolvers<Ended>();
  await withDirectory(async (path) => {
    const hugePath = `${path}/../huge`;
    await writeHugeFile(hugePath);
    const mounted = Promise.withResolvers<Mounted>();
    const ended = Promise.withResolvers<Ended>();
    let woken: (() => void) | undefined;
    const onMessage = (report: SessionReport) => {
      if (report.kind === "mounted") mounted.resolve(report);
      if (report.kind === "ended") ended.resolve(report);
      if (report.kind === "woken") woken?.();
      if (report.kind === "failed") {
        const error = new Error(report.message);
        mounted.reject(error);
        ended.reject(error);
      }
    };
    const session = new Thread<MountMessage | ChangeMessage, SessionReport>(
      new URL("./session_worker.ts", import.meta.url),
      { onMessage },
    );
    const replier = new Thread<MessagePort, never>(new URL("./replier_worker.ts", import.meta.url));
    const { port1, port2 } = new MessageChannel();
    replier.post(port2, [port2]);
    // A rejection is reported where it is awaited; if `body` never awaits it, it must not end the process.
    ended.promise.catch(() => {});
    try {
      session.post({ ...options, mountPoint: path, hugePath, replier: port1 }, [port1]);
      const report = await patiently(mounted.promise, "mounting");
      await body({
        path,
        mounted: report,
        ended: ended.promise,
        change: async (message) => {
          const changed = new Promise<void>((resolve) => woken = resolve);
          session.post(message);
          using waker = openWaker(report.wakeFileDescriptor);
          waker.wake();
          await patiently(changed, "waking");
        },
      });
      if (isMountPoint(path)) await unmount(path, { lazy: true });
      result.resolve(await patiently(ended.promise, "ending"));
    } finally {
      if (isMountPoint(path)) await run("umount", "-l", path);
      session.end("the test is over");
      replier.end("the test is over");
    }
  });
  return await result.promise;
}

/** A sparse file with text at its beginning, beyond 2 GiB and beyond 4 GiB. */
async function writeHugeFile(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  await file.truncate(HUGE_BYTES);
  const marks: [number, string][] = [[0, "start"], [2 ** 31 + 5, "beyond 2 GiB"], [2 ** 32 + 5, "beyond 4 GiB"]];
  for (const [position, text] of marks) {
    file.seekSync(position, Deno.SeekMode.Start);
    file.writeSync(new TextEncoder().encode(text));
  }
}

/** Returns the promise; fails after a timeout, since a test that hangs prints nothing. */
export async function patiently<Value>(promise: Promise<Value>, step: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step} does not come to an end`)), TIMEOUT_MILLISECONDS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
