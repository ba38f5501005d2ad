/**
 * Finds and removes leftovers of a test run: mounts, processes, sockets, temporary files.
 * @module
 */

import { linkPrograms } from "./programs.ts";
import { endProcesses, processesWith } from "./processes.ts";

/** Directories of a run's children, and the programs that they may start. */
export interface Sandbox extends AsyncDisposable {
  /** Environment of the children. */
  readonly environment: Record<string, string>;
  /** Removes the children's leftovers; returns a sentence for each. */
  clean(): Promise<string[]>;
}

/** Variable that marks a process of the run, however it was started. */
const markerVariable = "PAKFS_TEST_RUN";

/** Maximum length of a sandbox's path: tests have directories in it, and daemons their sockets in those. */
const maxRoot = 107 - "/tmp/pakfs-test-0123456789abcdef/run/pakfs/pakfs-1234567.sock".length;

/** Makes the sandbox. Mounts elsewhere are other programs' and left alone. */
export async function makeSandbox(): Promise<Sandbox> {
  // Short, because the name of a Unix socket inside it must not exceed 107 bytes.
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pakfs-" }));
  if (root.length > maxRoot) {
    await Deno.remove(root);
    throw new Error(`${root} is too long for sockets in it: set TMPDIR to a shorter path`);
  }
  await unmountDead();
  const marker = crypto.randomUUID();
  const directories = {
    TMPDIR: `${root}/tmp`,
    XDG_RUNTIME_DIR: `${root}/run`,
    XDG_CACHE_HOME: `${root}/cache`,
    XDG_CONFIG_HOME: `${root}/config`,
    XDG_STATE_HOME: `${root}/state`,
    HOME: `${root}/home`,
    PATH: `${root}/bin`,
  };
  await Promise.all(Object.values(directories).map((path) => Deno.mkdir(path, { mode: 0o700 })));
  // As open as /tmp is: some tests look at their files as another user.
  await Deno.chmod(root, 0o711);
  await Deno.chmod(directories.TMPDIR, 0o1777);
  await Deno.chmod(directories.PATH, 0o755);
  await linkPrograms(directories.PATH);

  const clean = async (): Promise<string[]> => {
    const left = () => processesWith(`${markerVariable}=${marker}`);
    const found = left();
    await endProcesses(left);
    const mounts = await mountsBelow(root);
    await Promise.all(mounts.map(unmount));
    const files = await namesIn([directories.TMPDIR, directories.XDG_RUNTIME_DIR]);
    return [
      ...found.map(({ pid, command }) => `process ${pid} still ran: ${command}`),
      ...mounts.map((mount) => `${mount} was still mounted`),
      ...await Promise.all(files.map(async (path) => `${path} was still there: ${await contentOf(path)}`)),
    ];
  };

  return {
    // Other programs would print messages in the machine's language.
    environment: { ...directories, LC_ALL: "C.UTF-8", LANGUAGE: "", [markerVariable]: marker },
    clean,
    async [Symbol.asyncDispose](): Promise<void> {
      await clean();
      // Removing a directory with a mount below it would remove the mounted files.
      if ((await mountsBelow(root)).length > 0) return;
      await Deno.remove(root, { recursive: true });
    },
  };
}

/** Returns some of the paths below a file or directory, which tell whose it was. */
async function contentOf(path: string): Promise<string> {
  const { stdout } = await new Deno.Command("find", { args: [path, "-mindepth", "1"], stderr: "null" }).output();
  const paths = new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  return paths.slice(0, 6).map((line) => line.slice(path.length + 1)).join(", ") || "empty";
}

/** A temporary directory of a test, a run, a bench or a sample of mutants, wherever its TMPDIR was, as Deno names it. */
const ownDirectory = /^(.*)\/(pakfs-|pakfs-test-|pakfs-bench-|pakfs-mutants-|deno_fuse_ffi_)[0-9a-f]{8,16}\//;

/**
 * Unmounts what killed runs left, here or below another TMPDIR: their processes are gone, so nothing else would, and
 * `pakfs doctor` reports it as a problem of the machine to every later run.
 */
async function unmountDead(): Promise<void> {
  const mounts = await mountsBelow("", " - fuse.pakfs ");
  await Promise.all(
    mounts.map(async (path) => {
      const temporary = ownDirectory.exec(path)?.[1];
      if (temporary === undefined || isInUse(temporary)) return;
      // A mount without a daemon answers at once; a daemon that is only stopped does not answer at all.
      const look = new Deno.Command("timeout", { args: ["5", "ls", "--", path], env: { LC_ALL: "C" }, stdout: "null" });
      const { code, stderr } = await look.output();
      if (code !== 0 && new TextDecoder().decode(stderr).includes("not connected")) await unmount(path);
    }),
  );
}

/** Returns whether processes use a directory for temporary files: another run's, which itself makes dead mounts. */
function isInUse(temporary: string): boolean {
  return temporary !== Deno.env.get("TMPDIR") && processesWith(`TMPDIR=${temporary}`).length > 0;
}

/** Returns the mount points below a directory, all or those whose line in the mount table contains `text`. */
async function mountsBelow(root: string, text = ""): Promise<string[]> {
  const table = await Deno.readTextFile("/proc/self/mountinfo");
  return table.split("\n").filter((line) => line.includes(text)).map((line) =>
    (line.split(" ")[4] ?? "").replace(/\\(\d{3})/g, (_match, octal: string) => String.fromCharCode(parseInt(octal, 8)))
  ).filter((path) => path.startsWith(`${root}/`));
}

async function unmount(mountPoint: string): Promise<void> {
  // The first works for every user, but only for FUSE; only root can mount anything else.
  await outputOf("fusermount3", ["-u", "-z", "--", mountPoint]);
  await outputOf("umount", ["-l", "--", mountPoint]);
}

async function namesIn(directories: string[]): Promise<string[]> {
  const lists = await Promise.all(
    directories.map((directory) => Array.fromAsync(Deno.readDir(directory), (entry) => `${directory}/${entry.name}`)),
  );
  return lists.flat();
}

/** Returns the output of a program, also of one that failed. */
async function outputOf(program: string, args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}
