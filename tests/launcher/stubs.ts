/**
 * A machine for tests of the launcher: a copy of it, and a PATH with only the programs that the test installs.
 * @module
 */
import { temporaryDirectory } from "../support/temporary.ts";

/** Result of a run of the launcher. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Arguments of the Deno stub. */
  readonly args: string[];
}

/** The machine. */
export interface Machine extends AsyncDisposable {
  /** Directory of the launcher's copy. */
  readonly root: string;
  /** The only directory of PATH. */
  readonly programs: string;
  /** Puts a shell script into {@linkcode Machine.programs}, or elsewhere below `root`. */
  install(name: string, script: string, directory?: string): Promise<void>;
  /** Starts the launcher. */
  start(args: string[], options?: RunOptions): Deno.ChildProcess;
  /** Runs the launcher to its end. */
  run(args: string[], options?: RunOptions): Promise<Result>;
}

/** How to run the launcher. */
export interface RunOptions {
  readonly environment?: Record<string, string>;
  /** Path by which it is started, if not its own. */
  readonly launcher?: string;
  /** Program that reads it, if not `/bin/sh`. */
  readonly shell?: string[];
  readonly directory?: string;
}

/** A Deno that prints its arguments, NUL-terminated to be unambiguous. */
export const argumentPrinter = versioned("2.9.6", `printf '%s\\0' "$@"`);

/** A Deno of some version that runs `script` for any other command. */
export function versioned(version: string, script: string): string {
  return `case $1 in
--version) echo "deno ${version} (stable, release)"; echo "v8 15"; exit ;;
eval) exit 1 ;;
esac
${script}`;
}

/** Programs that the launcher may use, without package managers, npm, curl and Deno. */
const tools = [
  "cat",
  "chmod",
  "cp",
  "dirname",
  "env",
  "fold",
  "gzip",
  "head",
  "id",
  "ldconfig",
  "mkdir",
  "mv",
  "printenv",
  "printf",
  "readlink",
  "rm",
  "sed",
  "setsid",
  "sh",
  "sha512sum",
  "sleep",
  "tar",
  "tr",
  "uname",
];

/** Returns the packages that the launcher requires in its cache. */
export function runtimePackages(launcher: string): string[] {
  return /^runtime_packages='(.*)'$/m.exec(launcher)?.[1]?.split(" ") ?? [];
}

const repository = new URL("../..", import.meta.url).pathname;

/** The files of the launcher. */
const launcherFiles = ["pakfs", "system/set_up.sh", "daemon/background.sh"];

/** Makes a machine with a root user, fusermount3, the packages that pakfs runs with, and no Deno. */
export async function machine(): Promise<Machine> {
  const directory = await temporaryDirectory();
  const root = `${directory.path}/a home/pakfs`;
  const programs = `${directory.path}/bin`;
  await Deno.mkdir(root, { recursive: true });
  await Deno.mkdir(programs);
  await Promise.all(["system", "daemon"].map((room) => Deno.mkdir(`${root}/${room}`)));
  await Promise.all([...launcherFiles, "deno.lock"].map((name) => Deno.copyFile(repository + name, `${root}/${name}`)));
  await Deno.mkdir(`${root}/.tools/cache`, { recursive: true });
  const packages = runtimePackages(await Deno.readTextFile(`${repository}pakfs`)).join(" ");
  const lock = await Deno.readTextFile(`${repository}deno.lock`);
  await Deno.writeTextFile(`${root}/.tools/cache/fetched_packages`, `${packages}\nhttps://registry.test\n${lock}`);
  await Promise.all(tools.map(async (tool) => {
    const path = await which(tool);
    if (path !== undefined) await Deno.symlink(path, `${programs}/${tool}`);
  }));

  const install = async (name: string, script: string, where = programs): Promise<void> => {
    await Deno.mkdir(where, { recursive: true });
    await Deno.remove(`${where}/${name}`).catch(() => {});
    await Deno.writeTextFile(`${where}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  await install("id", "echo 0");
  await install("fusermount3", "exit 1");

  const start = (args: string[], options: RunOptions = {}): Deno.ChildProcess => {
    const launcher = options.launcher ?? `${root}/pakfs`;
    const [program = launcher, ...before] = [...options.shell ?? [], launcher];
    return new Deno.Command(program, {
      args: [...before, ...args],
      cwd: options.directory ?? directory.path,
      clearEnv: true,
      env: { PATH: programs, ...options.environment },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  };

  return {
    root,
    programs,
    install,
    start,
    async run(args, options): Promise<Result> {
      const { code, stdout, stderr } = await start(args, options).output();
      const decoder = new TextDecoder();
      const output = decoder.decode(stdout);
      return { code, stdout: output, stderr: decoder.decode(stderr), args: output.split("\0").slice(0, -1) };
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Runs a command line printed in a message, as a user of the machine does. */
export async function execute(
  box: Machine,
  command: string,
  environment: Record<string, string> = {},
): Promise<Result> {
  const line = `${box.root}/command line`;
  await Deno.writeTextFile(line, `${command}\n`);
  return await box.run([], { launcher: line, shell: ["/bin/sh"], environment });
}

/** Puts a program into the machine that runs the launcher on a terminal; for {@linkcode RunOptions.shell}. */
export async function terminalShell(box: Machine): Promise<string[]> {
  // python3 on PATH may be a script that searches for the real one on a PATH that the launcher does not get.
  const { stdout } = await new Deno.Command("python3", { args: ["-c", "import sys; print(sys.executable)"] }).output();
  const python = new TextDecoder().decode(stdout).trim();
  await box.install(
    "on-terminal",
    `exec ${python} -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' sh "$@"`,
  );
  return [`${box.programs}/on-terminal`];
}

/** Path of a program of the real machine, or `undefined`. */
export async function which(program: string): Promise<string | undefined> {
  const { success, stdout } = await new Deno.Command("sh", { args: ["-c", 'command -v "$1"', "sh", program] }).output();
  const path = new TextDecoder().decode(stdout).trim();
  return success && path.startsWith("/") ? path : undefined;
}

/** Every shell of the real machine that may read the launcher, for {@linkcode RunOptions.shell}. */
export async function everyShell(): Promise<string[][]> {
  const found = await Promise.all(["sh", "bash", "dash", "busybox"].map(which));
  return found.flatMap((path) => path === undefined ? [] : [path.endsWith("/busybox") ? [path, "ash"] : [path]]);
}

/** The command lines a message asks the user to run: each on a line of its own, indented. */
export function commandsIn(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line.startsWith("  ")).map((line) => line.trim());
}

/** Value of option `name` among Deno's arguments: `""` without a value, `undefined` without the option. */
export function optionOf(args: string[], name: string): string | undefined {
  const found = args.find((argument) => argument === name || argument.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}
