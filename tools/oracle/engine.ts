/**
 * How a real engine is started on an installation, and what it says.
 * @module
 */
import { assertEquals } from "@std/assert";
import type { RandomTree, TreeKind } from "./trees.ts";

/** How to have an engine run a script that it finds in the highest directory. */
export interface Engine {
  /** Name of the profile with the same rules. */
  readonly profile: string;
  /** Debian packages that have it, as `tests/support/programs.txt` names them; none for one that is built by hand. */
  readonly packages?: readonly string[];
  /** Kind of installations to compare on. */
  readonly kind: TreeKind;
  /** Makes the installation of a seed; default: what `kind` describes. */
  readonly tree?: (seed: number) => RandomTree;
  /** Files that the engine needs to start; `driver` is the script. */
  files(driver: string): Promise<Record<string, Uint8Array | string>>;
  /** Whether `path` lists what is searched in that order; default: it does. */
  readonly listsSearchPath?: boolean;
  /** How it prints a path; default: as it is. */
  readonly printed?: (path: string) => string;
  /** Command that asks which file answers a path; default: `exec`. */
  readonly question?: (path: string) => string;
  /** Reads the answer to such a question; default: from what the script printed that was run. */
  readonly answer?: (output: string) => number | null;
  /** Takes away what surrounds lines of its output; default: only colours of terminals are removed. */
  readonly cleaned?: (output: string) => string;
  /** Name of the view of some mods, without the game's; default: the base and the mods. */
  readonly view?: (mods: readonly string[]) => string;
  /** Program and arguments that run the script and quit. */
  command(root: string, mods: readonly string[]): Promise<EngineCommand>;
}

/** A program to be run. */
export interface EngineCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Directories of libraries that are not installed. */
  readonly libraries?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the engine refuses to run as root, so that another user must run it. */
  readonly refusesRoot?: boolean;
}

/** The answer of a file that the engine took and could not read. */
export const unread = -1;

/** Output of an engine. */
export interface Answers {
  /** Number of the file that answered each spelling, or {@linkcode unread}; null if none did. */
  readonly answers: ReadonlyMap<string, number | null>;
  /** Search path in search order: printed paths below the installation, also of missing directories. */
  readonly searchPath: readonly string[];
}

/** The script that asks `questions`. */
export function driverScript(
  questions: readonly string[],
  { question = (path) => `exec "${path}"` }: Pick<Engine, "question"> = {},
): string {
  const asking = questions.map((path, index) => `echo question ${index}\n${question(path)}\n`);
  return `${asking.join("")}echo questions end\npath\nquit\n`;
}

/** Runs the script in an installation that has it. */
export async function askEngine(engine: Engine, root: string, tree: RandomTree): Promise<Answers> {
  const { program, args, environment, libraries = [], refusesRoot = false } = await engine.command(root, tree.mods);
  const unprivileged = 65534;
  const isRoot = Deno.uid() === 0;
  if (refusesRoot && isRoot) await new Deno.Command("chmod", { args: ["-R", "a+rwX", root] }).output();
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: root,
    env: {
      HOME: `${root}/home`,
      XDG_CONFIG_HOME: `${root}/home/.config`,
      XDG_DATA_HOME: `${root}/home/.local/share`,
      LC_ALL: "C",
      LD_LIBRARY_PATH: libraries.join(":"),
      ...environment,
    },
    stdin: "null",
    ...refusesRoot && isRoot ? { uid: unprivileged, gid: unprivileged } : {},
  }).output();
  const decoder = new TextDecoder();
  // deno-lint-ignore no-control-regex -- colours of a terminal
  const output = `${decoder.decode(stdout)}\n${decoder.decode(stderr)}`.replaceAll(/\x1b\[[\d;]*m/g, "");
  const { cleaned = (text: string) => text } = engine;
  const [questions = "", after = ""] = cleaned(output).split(/^questions end ?$/m);
  return { answers: answersIn(questions, tree.questions, engine), searchPath: searchPathIn(after, root) };
}

/**
 * Returns the file that answered each spelling that the engine ran. DarkPlaces treats a requested name as a pattern,
 * ignores case, and runs each spelling that it finds.
 */
function answersIn(
  output: string,
  questions: readonly string[],
  { answer }: Pick<Engine, "answer">,
): Map<string, number | null> {
  const parts = output.split(/^question \d+ ?$/m).slice(1);
  assertEquals(parts.length, questions.length, output);
  if (answer) return new Map(parts.map((part, index) => [questions[index] ?? "", answer(part)]));
  const answers = new Map<string, number | null>();
  for (const [index, whole] of parts.entries()) {
    // Chomenor's engine says so before it looks; what it finds may still be unreadable.
    const part = whole.replaceAll(/^execing .*\n+couldn't exec (?!.* failed to read data).*$/gm, "");
    const runs = Array.from(part.matchAll(/^execing (.+?)\.? ?$(\n+answer (\d+) ?$)?/gim));
    if (runs.length === 0) answers.set(questions[index] ?? "", null);
    for (const [, spelling = "", , number] of runs) {
      answers.set(spelling, number === undefined ? unread : Number(number));
    }
  }
  return answers;
}

/** Output of `path`, one source per line, packs with their number of files; ET: Legacy begins lines with a letter. */
function searchPathIn(output: string, root: string): string[] {
  return output.split("\n")
    .map((line) => line.replace(/^ +(\^\d)?[PD] (\^\*)?/, ""))
    .filter((line) => line.startsWith(`${root}/`))
    .map((line) => line.slice(root.length + 1).replace(/ \(virtual pack\)$/, "").replace(/ \(\d+ files\) ?$/, ""))
    .map((path) => path.replace(/\/$/, ""));
}

/** Returns the path of a program that was built by hand, from `PAKFS_ORACLE_` and the name of its profile. */
export function builtProgram(profile: string): string {
  const name = programVariable(profile);
  const program = Deno.env.get(name);
  if (program === undefined) throw new Error(`${name} is not set`);
  return program;
}

/** Name of the variable that holds the path of an engine's program. */
export function programVariable(profile: string): string {
  return `PAKFS_ORACLE_${profile.toUpperCase().replaceAll("-", "_")}`;
}

/** Arguments that set variables of an engine on Quake III's code. */
export function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["+set", name, value]);
}

/** Whether the engine can be fetched, and all libraries that it was linked with are there. */
export async function canRun(engine: Engine): Promise<boolean> {
  try {
    const { program, libraries = [] } = await engine.command("/nowhere", []);
    const env = { LC_ALL: "C", LD_LIBRARY_PATH: libraries.join(":") };
    const { success, stdout } = await new Deno.Command("ldd", { args: [program], env }).output();
    return success && !new TextDecoder().decode(stdout).includes("not found");
  } catch {
    return false;
  }
}
