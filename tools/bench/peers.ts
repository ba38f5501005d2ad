/**
 * Subjects of the measurements: pakfs, its peers, and the native filesystem; how each is mounted and always unmounted.
 * @module
 */
import { join } from "node:path";
import { pause, residentBytes } from "../../tests/support/harness.ts";
import type { BenchData, Compression } from "./data.ts";

/**
 * Kind of a program: it is `own`, mounts an `archive` too, `passes` files of the native filesystem `through`, or is in
 * the kernel and therefore a `limit`.
 */
export type Kind = "own" | "archive" | "passes through" | "limit";

/** The part of the data that is mounted. */
export type MountData = Pick<BenchData, "archives" | "images" | "tree" | "firstPath">;

/** A program that mounts what is measured. */
export interface Mounter {
  readonly name: string;
  readonly kind: Kind;
  /** The program that must be there. */
  readonly program: string;
  /** The package that has it. */
  readonly package: string;
  /** The packings it is measured with; null for the tree of files. */
  readonly compressions: readonly (Compression | null)[];
  /** Seconds that one measurement may take, a quarter of it with `--quick`; what is done until then counts. */
  readonly limit: number;
  /** The share of the small files that it is given to read. */
  readonly share: number;
  /** Only root may use it. */
  readonly needsRoot?: boolean;
  /** Log file of a daemon in the background. */
  readonly log?: string;
  /** Returns the archive, image or tree to mount; null if it could not be made. */
  source(data: MountData, compression: Compression | null): string | null;
  /** The command that mounts and returns when it is done. */
  command(source: string, mountPoint: string, work: string): string[];
}

const launcher = join(import.meta.dirname ?? ".", "..", "..", "pakfs");
const usual = { limit: 60, share: 1 } as const;
const archive = {
  ...usual,
  kind: "archive",
  compressions: ["deflated", "stored"],
  source: (data: MountData, compression: Compression | null) => compression && data.archives[compression],
} as const;
const through = {
  ...usual,
  kind: "passes through",
  compressions: [null],
  source: ({ tree }: MountData) => tree,
} as const;

/** The programs that are compared. Peers get the options that make them fast on files that do not change. */
export const mounters: readonly Mounter[] = [
  {
    ...archive,
    kind: "own",
    name: "pakfs",
    program: launcher,
    package: "",
    log: "pakfs/pakfs.log",
    command: (source, mountPoint, work) => [launcher, "mount", "--socket", join(work, "socket"), source, mountPoint],
  },
  {
    ...archive,
    name: "fuse-zip",
    program: "fuse-zip",
    package: "fuse-zip",
    command: (source, mountPoint) => ["fuse-zip", "-r", source, mountPoint],
  },
  {
    ...archive,
    name: "mount-zip",
    program: "mount-zip",
    package: "mount-zip",
    command: (source, mountPoint) => ["mount-zip", "-o", "notrim", source, mountPoint],
  },
  {
    ...archive,
    name: "squashfuse",
    program: "squashfuse_ll",
    package: "squashfuse",
    source: (data, compression) => compression && (data.images?.[compression] ?? null),
    command: (source, mountPoint) => ["squashfuse_ll", source, mountPoint],
  },
  {
    ...archive,
    name: "archivemount",
    program: "archivemount",
    package: "archivemount",
    // It reads the archive from the start for every file that is opened: minutes for what the others do in seconds.
    compressions: ["deflated"],
    limit: 1,
    share: 0.01,
    command: (source, mountPoint) => ["archivemount", "-o", "readonly", source, mountPoint],
  },
  {
    ...through,
    name: "mergerfs",
    program: "mergerfs",
    package: "mergerfs",
    command: (source, mountPoint) => [
      "mergerfs",
      "-o",
      "ro,cache.files=auto-full,cache.readdir=true,cache.entry=3600,cache.attr=3600",
      source,
      mountPoint,
    ],
  },
  {
    ...through,
    name: "fuse-overlayfs",
    program: "fuse-overlayfs",
    package: "fuse-overlayfs",
    command: (source, mountPoint) => ["fuse-overlayfs", "-o", `lowerdir=${source}`, mountPoint],
  },
  {
    ...through,
    kind: "limit",
    name: "overlayfs",
    program: "mount",
    package: "mount",
    needsRoot: true,
    // Of two directories, since one alone is no overlay.
    command: (source, mountPoint, work) => [
      "sh",
      "-c",
      'mkdir -p "$1/empty" && exec mount -t overlay overlay -o "ro,lowerdir=$1/empty:$2" "$3"',
      "sh",
      work,
      source,
      mountPoint,
    ],
  },
];

/** One column of the table. */
export interface Subject {
  readonly label: string;
  readonly kind: Kind;
  /** Null for the native filesystem. */
  readonly mounter: Mounter | null;
  readonly compression: Compression | null;
}

/** The tree on the native filesystem. */
export const native: Subject = { label: "native", kind: "limit", mounter: null, compression: null };

/** The subjects that can be measured here; `report` hears what is missing and where to get it. */
export async function availableSubjects(data: MountData, report: (text: string) => void): Promise<Subject[]> {
  const subjects = [native];
  for (const mounter of mounters) {
    const { name, kind, compressions } = mounter;
    // deno-lint-ignore no-await-in-loop -- messages in order
    if (!await isInstalled(mounter.program)) {
      report(`${name} is not installed and left out; to have it: apt-get install ${mounter.package}`);
    } else if (mounter.needsRoot && Deno.uid() !== 0) {
      report(`${name} needs root and is left out`);
    } else {
      for (const compression of compressions) {
        const label = compression === null ? name : `${name} ${compression}`;
        if (mounter.source(data, compression) !== null) subjects.push({ label, kind, mounter, compression });
      }
    }
  }
  return subjects;
}

async function isInstalled(program: string): Promise<boolean> {
  const { success } = await runQuietly(["sh", "-c", 'command -v "$1"', "sh", program]);
  return success;
}

/** It could not be mounted, or not be used. */
export class MountFailure extends Error {
  override readonly name = "MountFailure";
}

/** A mounted subject. */
export interface Mounted extends AsyncDisposable {
  /** Directory with the content of the tree. */
  readonly root: string;
  /** Seconds from starting the command until the first `stat` of a member was answered; 0 for native. */
  readonly seconds: number;
  /** Bytes of memory that its processes have resident; 0 for native. */
  residentBytes(): Promise<number>;
}

/**
 * Makes a subject's tree available, freshly mounted; unmounted when disposed of.
 * @param work An empty directory.
 * @throws {MountFailure} if it cannot be mounted in time; nothing is left of it then.
 */
export async function mountSubject(
  subject: Subject,
  data: MountData,
  work: string,
  signal: AbortSignal,
): Promise<Mounted> {
  const { mounter, compression } = subject;
  const source = mounter?.source(data, compression) ?? null;
  if (mounter === null || source === null) {
    return {
      root: data.tree,
      seconds: 0,
      residentBytes: () => Promise.resolve(0),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const mountPoint = join(work, "mount");
  await Deno.mkdir(mountPoint, { recursive: true });
  const dispose = () => unmount(mountPoint);
  try {
    const begin = performance.now();
    await runMountCommand(mounter, source, mountPoint, work, signal);
    await firstAnswer(mountPoint, data.firstPath, signal);
    const seconds = (performance.now() - begin) / 1000;
    return {
      root: mountPoint,
      seconds,
      residentBytes: () => residentBytesOf(mountPoint),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Runs a mount command with its output in a file: a daemon that keeps a pipe open would hide the command's end. */
async function runMountCommand(
  mounter: Mounter,
  source: string,
  mountPoint: string,
  work: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const log = join(work, "log");
  const inTime = AbortSignal.timeout(mounter.limit * 1000);
  const { success } = await new Deno.Command("sh", {
    args: ["-c", 'log=$1; shift; exec "$@" >"$log" 2>&1', "sh", log, ...mounter.command(source, mountPoint, work)],
    env: { XDG_STATE_HOME: work, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    signal: AbortSignal.any([signal, inTime]),
  }).output();
  signal.throwIfAborted();
  if (inTime.aborted) throw new MountFailure(`not mounted after ${mounter.limit} s`);
  if (success) return;
  const logs = [log, ...(mounter.log === undefined ? [] : [join(work, mounter.log)])];
  const said = await Promise.all(logs.map((path) => Deno.readTextFile(path).catch(() => "")));
  throw new MountFailure(
    `not mounted: ${said.join("\n").trim().split("\n").slice(-4).join(" | ") || "without a word"}`,
  );
}

/** Seconds that a mount may take to answer after its command has ended. */
const answerSeconds = 10;

/** Waits until the first file answers. */
async function firstAnswer(mountPoint: string, firstPath: string, signal: AbortSignal): Promise<void> {
  const end = Date.now() + answerSeconds * 1000;
  do {
    signal.throwIfAborted();
    // deno-lint-ignore no-await-in-loop -- asked again only if there was no answer
    if (await Deno.stat(join(mountPoint, firstPath)).then(() => true, () => false)) return;
    // deno-lint-ignore no-await-in-loop -- see above
    await pause(1);
  } while (Date.now() < end);
  throw new MountFailure(`mounted, but ${firstPath} is not there`);
}

/** The processes that were started with the mount point as an argument, which is a directory of this run alone. */
async function processesOf(mountPoint: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const commandLine = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (commandLine.split("\0").includes(mountPoint)) found.push(Number(name));
  }
  return found;
}

async function residentBytesOf(mountPoint: string): Promise<number> {
  const sizes = await Promise.all((await processesOf(mountPoint)).map(residentBytes));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

async function isMounted(mountPoint: string): Promise<boolean> {
  const mounts = await Deno.readTextFile("/proc/self/mounts");
  return mounts.split("\n").some((line) => line.split(" ")[1] === mountPoint);
}

/** Unmounts if it is mounted, gently first. */
async function detach(mountPoint: string): Promise<void> {
  const attempts = [["fusermount3", "-u"], ["umount"], ["fusermount3", "-uz"], ["umount", "-l"]];
  for (const attempt of attempts) {
    // deno-lint-ignore no-await-in-loop -- the next one only if this one did not do it
    if (!await isMounted(mountPoint)) return;
    // deno-lint-ignore no-await-in-loop -- see above
    await runQuietly([...attempt, mountPoint]);
  }
}

/** Looks for processes that are left, 50 ms apart, before they are killed. */
const timeout = 100;

/**
 * Unmounts, and sees to it that the serving process is gone before the next measurement. One that was interrupted while
 * it started may mount only now.
 */
async function unmount(mountPoint: string): Promise<void> {
  for (let waited = 0; waited < 2 * timeout; waited++) {
    // deno-lint-ignore no-await-in-loop -- waiting is the point
    const left = await processesOf(mountPoint);
    // deno-lint-ignore no-await-in-loop -- see above
    await detach(mountPoint);
    if (left.length === 0) return;
    if (waited === timeout) left.forEach(kill);
    // deno-lint-ignore no-await-in-loop -- see above
    if (waited > 0) await pause(50);
  }
}

function kill(id: number): void {
  try {
    Deno.kill(id, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function runQuietly([program = "", ...args]: string[]): Promise<Deno.CommandOutput> {
  return new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).output().catch(() => (
    // The program itself is missing.
    { success: false, code: 127, signal: null, stdout: new Uint8Array(), stderr: new Uint8Array() }
  ));
}
