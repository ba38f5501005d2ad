/**
 * Access of the doctor to the machine. Deno allows access to `/proc` and `/dev` only with all permissions, so `cat` and
 * `test` read there; each needs `--allow-run` with its name.
 * @module
 */
import { readdirSync, realpathSync } from "node:fs";
import { basename, join } from "@std/path";

/** A machine to check; tests provide their own. */
export interface Machine {
  /** Root of the system's files: `/`, except in tests. */
  readonly root: string;
  /** Number of the user, 0 for root. */
  readonly user: number;
  variable(name: string): string | undefined;
  /** Returns the text of a special file, or undefined if it cannot be read. */
  specialFile(path: string): Promise<string | undefined>;
  /** Returns whether `test FLAG PATH` succeeds: `-e`, `-r`, `-w`, `-d`, `-u`. */
  test(flag: "-e" | "-r" | "-w" | "-d" | "-u", path: string): Promise<boolean>;
  /** Returns the output of `PROGRAM --version`, or undefined if the program is missing. */
  programVersion(program: string): Promise<string | undefined>;
}

async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const options: Deno.CommandOptions = { args: [...args], stdin: "null", stderr: "null" };
    const { success, stdout } = await new Deno.Command(program, options).output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** Returns the machine of this process. Requires `--allow-read`, `--allow-env`, `--allow-sys=uid`. */
export function thisMachine(): Machine {
  return {
    root: "/",
    user: Deno.uid() ?? 0,
    variable: (name) => Deno.env.get(name) || undefined,
    specialFile: (path) => outputOf("cat", [path]),
    test: async (flag, path) => await outputOf("test", [flag, path]) !== undefined,
    programVersion: (program) => outputOf(program, ["--version"]),
  };
}

/** Directories that the dynamic linkers of common distributions search. */
const libraryDirectories = ["usr/lib", "lib", "usr/lib64", "lib64", "usr/local/lib"];

/** Returns the path of a shared library, with links resolved, or undefined. */
export function libraryPath({ root }: Machine, name: string): string | undefined {
  const directories = libraryDirectories.flatMap((directory) => {
    const path = join(root, directory);
    const multiarch = namesIn(path).filter((entry) => entry.endsWith("-linux-gnu"));
    return [path, ...multiarch.map((entry) => join(path, entry))];
  });
  const directory = directories.find((path) => namesIn(path).includes(name));
  if (directory === undefined) return undefined;
  const path = join(directory, name);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns the version at the end of a library's file name: `3.14.0` of `libfuse3.so.3.14.0`. */
export function versionInName(path: string): string {
  return basename(path).replace(/^.*?\.so\.?/, "");
}

/** Returns the names in a directory; none if it cannot be listed. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
