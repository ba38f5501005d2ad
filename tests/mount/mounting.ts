// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Makes mounts through the launcher, as a user does, and runs programs on them. The tests themselves never access a
 * mount, which could hang them.
 * @module
 */
import { assertEquals } from "@std/assert";
import { connectSocket } from "../../protocol/client.ts";
import type { StatusResult } from "../../protocol/rows.ts";
import { endProcesses, type Process, processesWith, processOf, signal } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;
/** Maximum time of a test's program, also where everything takes fifteen times as long; a longer one hangs. */
const longestRun = 600_000;

/** Outcome of a program. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@linkcode run}. */
export interface RunOptions {
  readonly environment?: Record<string, string>;
  readonly directory?: string;
  /** Timeout in milliseconds; default: ten minutes. */
  readonly timeout?: number;
}

async function outcomeOf(child: Deno.ChildProcess): Promise<Outcome> {
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs a program to its end. One that hangs is killed and counts as failed. */
export async function run(program: string, parameters: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = new Deno.Command(program, {
    args: [...parameters],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    ...(options.environment ? { env: options.environment } : {}),
    ...(options.directory === undefined ? {} : { cwd: options.directory }),
  }).spawn();
  const hung = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // The output may stay open after the program has ended, if a child process keeps it.
    hung.reject(new Error(`${program} ${parameters.join(" ").slice(0, 500)} does not end, or its output does not`));
    signal(child.pid, "SIGKILL");
  }, options.timeout ?? longestRun);
  return await Promise.race([outcomeOf(child), hung.promise]).finally(() => clearTimeout(timer));
}

/** Standard output of a program that must succeed. */
export async function output(program: string, ...parameters: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, parameters);
  if (code !== 0) throw new Error(`${program} ${parameters.join(" ").slice(0, 500)} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Returns the output of a Python script, which must succeed. */
export function python(script: string, ...parameters: readonly string[]): Promise<string> {
  return output("python3", "-c", script, ...parameters);
}

/** Returns the output of a Python script, parsed as JSON. */
export async function pythonJson(script: string, ...parameters: readonly string[]): Promise<unknown> {
  return JSON.parse(await python(script, ...parameters));
}

const byteChanger = `
import json, os, sys
path = sys.argv[1]
before = os.stat(path)
with open(path, "r+b") as file:
    file.seek(before.st_size // 2)
    byte = file.read(1)[0]
    file.seek(before.st_size // 2)
    file.write(bytes([byte ^ 1]))
os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
after = os.stat(path)
print(json.dumps(before.st_mtime_ns == after.st_mtime_ns and before.st_size == after.st_size))
`;

/**
 * Changes one byte in the middle of a file in place, and restores its time; returns whether the change is invisible.
 */
export async function changeOneByte(path: string): Promise<boolean> {
  return await pythonJson(byteChanger, path) === true;
}

/** The kernel's mount points below a directory. */
export async function mountsBelow(directory: string): Promise<string[]> {
  const table = await output("cat", "/proc/self/mountinfo");
  return table.split("\n").map((line) => line.split(" ")[4] ?? "").filter((path) => path.startsWith(`${directory}/`));
}

/** Whether a process still runs. */
export function isRunning(pid: number): boolean {
  return processOf(pid)?.isRunning ?? false;
}

/** Waits until `condition` holds; fails after a long timeout. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + longestRun;
  while (Date.now() < end) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`timed out: ${what}`);
}

/**
 * Lines of standard error without those of a successful mount: its rules, packs with skipped bytes, and its mount
 * points.
 */
export function withoutChoice(stderr: string): string {
  const chosen = /^(?:[^:\n]+: )?detected .+, engine rules: .+\n/gm;
  const mounted = /^mounted .+ at .+: [\d,]+ views?, [\d,]+ packs?, [\d,]+ files?; to unmount: pakfs unmount .+\n$/m;
  const surrounded = /^pakfs: .+: not all of the file is listed: .+\n/gm;
  return stderr.replaceAll(chosen, "").replaceAll(surrounded, "").replace(mounted, "");
}

/** A daemon in the foreground. */
export interface Foreground {
  readonly pid: number;
  /** Result of the process, once it has ended. */
  readonly finished: Promise<Outcome>;
}

/** Workspace of one test: a temporary directory, and programs that keep all of their files in it. */
export interface Workspace extends AsyncDisposable {
  /** The temporary directory. */
  readonly path: string;
  /** An empty directory to mount at. */
  readonly mountPoint: string;
  /** The default socket. */
  readonly socket: string;
  /** Environment of the programs. */
  readonly environment: Record<string, string>;
  /** Runs the launcher. */
  pakfs(...parameters: readonly string[]): Promise<Outcome>;
  /** Runs `pakfs mount` with these sources and options; asserts that it succeeds without unexpected output. */
  mount(...parameters: readonly string[]): Promise<void>;
  /** Starts the launcher with a foreground command, and waits until the daemon answers. */
  foreground(...parameters: readonly string[]): Promise<Foreground>;
  /** Running programs of the workspace. */
  processes(): Process[];
  /** Status of the daemon. */
  status(): Promise<StatusResult>;
  /** Ends the daemon, and waits until its process and mount are gone. */
  stop(): Promise<void>;
}

/**
 * Makes a {@linkcode Workspace}. Its mounts and processes end with the scope.
 * @param watching How its daemons notice changes; default: only by `refresh`, so that a test can see the previous
 * state.
 */
export async function workspace(watching: "off" | "events" | "poll" = "off"): Promise<Workspace> {
  const directory = await temporaryDirectory();
  const { path } = directory;
  const mountPoint = `${path}/mnt`;
  const socket = `${path}/run/pakfs/pakfs.sock`;
  await Deno.mkdir(mountPoint);
  const environment = {
    XDG_RUNTIME_DIR: `${path}/run`,
    XDG_STATE_HOME: `${path}/state`,
    XDG_CONFIG_HOME: `${path}/config`,
    XDG_CACHE_HOME: `${path}/cache`,
    XDG_DATA_HOME: `${path}/data`,
    XDG_DATA_DIRS: "/share",
    PAKFS_SYSTEM_ROOT: `${path}/system`,
    HOME: `${path}/home`,
    PAKFS_WATCH: watching,
  };
  const pakfs = (...parameters: readonly string[]) => run(launcher, parameters, { environment });
  const daemons = new Set<number>();
  const inForeground: Promise<Outcome>[] = [];
  const status = async () => {
    // This is called hundreds of times: starting a program for each would take longer than the tests.
    const connection = await connectSocket(socket, { client: "tests" });
    try {
      const result = await connection.call("status", {});
      daemons.add(result.pid);
      return result;
    } finally {
      await connection.close();
    }
  };
  const isGone = async () => {
    return !Array.from(daemons).some(isRunning) && (await mountsBelow(path)).length === 0;
  };
  return {
    path,
    mountPoint,
    socket,
    environment,
    pakfs,
    processes: () => startedIn(path),
    status,
    async foreground(...parameters) {
      const pipes = { stdin: "null", stdout: "piped", stderr: "piped" } as const;
      const child = new Deno.Command(launcher, { args: [...parameters], env: environment, ...pipes }).spawn();
      const finished = outcomeOf(child);
      inForeground.push(finished);
      let ended: Outcome | undefined;
      void finished.then((outcome) => ended = outcome);
      await until("the daemon answers", () => {
        if (ended) throw new Error(`the daemon ended with ${ended.code} before it answered: ${ended.stderr}`);
        return status().then(() => true, () => false);
      });
      return { pid: child.pid, finished };
    },
    async mount(...parameters) {
      const { code, stdout, stderr } = await pakfs("mount", ...parameters, mountPoint);
      assertEquals({ code, stdout, stderr: withoutChoice(stderr) }, { code: 0, stdout: "", stderr: "" });
      await status();
    },
    async stop() {
      await pakfs("stop");
      await until("the daemon and its mount are gone", isGone);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await endAll(path);
      await Promise.all(inForeground);
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Ends everything that runs in a workspace, even if a failed test has never seen it answer. */
async function endAll(path: string): Promise<void> {
  await endProcesses(() => startedIn(path));
  for (const mount of await mountsBelow(path)) {
    await run("fusermount3", ["-u", "-z", mount]);
  }
  await until("every program has ended", () => startedIn(path).length === 0);
}

function startedIn(path: string): Process[] {
  return processesWith(`XDG_RUNTIME_DIR=${path}/run`);
}

/** Checksum and path of every file below a directory, computed by other programs, sorted by path. */
export async function manifest(directory: string): Promise<string[]> {
  const text = await output(
    "sh",
    "-c",
    'cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum',
    "sh",
    directory,
  );
  return text.split("\n").filter((line) => line !== "").map((line) => line.replace("  ./", "  ")).sort();
}

/** Returns the files that an independent script finds in the same directories: see `expected_tree.py`. */
export async function expectedManifest(rules: string, ...paths: readonly string[]): Promise<string[]> {
  const script = new URL("./expected_tree.py", import.meta.url).pathname;
  return (await output("python3", script, rules, ...paths)).split("\n").filter((line) => line !== "").sort();
}
