/**
 * Builds the client, the daemon and their workers into `.tools/build/`: `deno run -A system/build/main.ts`. The
 * launcher does so when the build is missing or outdated: each start compares the modules with the built ones
 * (`start.ts`); if they differ, it runs the modules, and creates a file named `stale`.
 * @module
 */
import { stripTypeScriptTypes } from "node:module";
import { join } from "@std/path";
import { digestFile, modulesDigest } from "../program_digest.ts";
import { programRoot as root } from "../program_root.ts";
import { build, type BuildOptions, type Built, builtName, type Tree } from "./build.ts";
import { type ProgramBuild, stampOf } from "./start.ts";

/** Programs that the launcher starts, and whether each checks some of its modules only when it loads them. */
const entries = [
  { entry: "repl/main.ts", looksLater: true },
  { entry: "daemon/main.ts", looksLater: false },
] as const;
/** Number of builds to keep. */
const keptBuilds = 2;
/** Minimum age of a build that is removed, in milliseconds: a starting program may be about to load it. */
const minAge = 60_000;
const startModule = "system/build/start.ts";
/** Files that determine how programs are built. */
const ownFiles = ["system/build/main.ts", "system/build/build.ts", startModule, "deno.json", "deno.lock"];

/** The part of a `deno.json` that maps names of packages. */
interface PackageSettings {
  readonly name?: string;
  readonly exports?: string | Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly workspace?: readonly string[];
  readonly links?: readonly string[];
}

/** Returns the modules of this tree for names of packages. */
function ownPackages(): ReadonlyMap<string, string> {
  const settings = (path: string): PackageSettings => JSON.parse(Deno.readTextFileSync(join(root, path, "deno.json")));
  const { imports = {}, workspace = [], links = [] } = settings(".");
  return new Map([...workspace, ...links].flatMap((path) => {
    const { name, exports } = settings(path);
    const module = typeof exports === "string" ? exports : exports?.["."];
    if (module === undefined) return [];
    return Object.entries(imports).filter(([, target]) => `${target}@`.startsWith(`jsr:${name}@`))
      .map(([specifier]) => [specifier, join(path, module)] as const);
  }));
}

/** Writes a file that atomically replaces an earlier one. */
function write(path: string, text: string): void {
  const unfinished = `${path}.${crypto.randomUUID()}`;
  Deno.writeTextFileSync(unfinished, text);
  Deno.renameSync(unfinished, path);
}

/** Removes old builds that no program runs from, since a running program may load more of them (`start.ts`). */
function removeOldBuilds(directory: string): void {
  const builds = Array.from(Deno.readDirSync(directory)).filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => ({ name, made: Deno.statSync(join(directory, name)).mtime?.getTime() ?? 0 }))
    .sort((a, b) => b.made - a.made);
  for (const { name, made } of builds.slice(keptBuilds)) {
    if (made < Date.now() - minAge && locked(join(directory, name))) {
      Deno.removeSync(join(directory, name), { recursive: true });
    }
  }
}

/** Locks a file or directory until this process ends; returns whether no other process has locked it. */
function locked(path: string): boolean {
  return Deno.openSync(path).tryLockSync(true);
}

/** Builds all programs into a new directory in `directory`; each starts when a module calls `start` of `built`. */
export async function buildPrograms(directory: string): Promise<readonly ProgramBuild[]> {
  const id = crypto.randomUUID().slice(0, 8);
  await Deno.mkdir(join(directory, id), { recursive: true });
  const tree: Tree = { root, packages: ownPackages() };
  const digest = modulesDigest(root);
  const ownStamps = ownFiles.map((path) => stampOf(root, path));
  /** Finished builds by entry: both programs start some of the workers. */
  const all = new Map<string, Built>();
  const builtOnce = async (entry: string, options: BuildOptions): Promise<Built> => {
    const built = all.get(entry) ?? await build(tree, entry, options);
    all.set(entry, built);
    return built;
  };
  const programs: ProgramBuild[] = [];
  for (const { entry, looksLater } of entries) {
    // deno-lint-ignore no-await-in-loop -- each uses all processors
    const first = await builtOnce(entry, { splits: true, looksLater });
    const others = new Set(first.later);
    const workers = new Set(first.workers);
    for (const worker of workers) {
      // deno-lint-ignore no-await-in-loop -- as above
      const built = await builtOnce(worker, { splits: false, looksLater: false });
      for (const stamp of [...built.atStart, ...built.later]) others.add(stamp);
      // The list grows meanwhile.
      for (const name of built.workers) workers.add(name);
    }
    const [atStart, later] = looksLater ? [first.atStart, [...others]] : [[...first.atStart, ...others], []];
    const built = `${id}/${builtName(entry)}`;
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.writeTextFile(join(directory, `${built}on`), JSON.stringify(later));
    programs.push({ directory, entry, built, atStart: [...ownStamps, ...atStart], later: `${built}on` });
  }
  if (modulesDigest(root) !== digest) throw new Error("not built: modules were written just now; try again");
  await Deno.writeTextFile(join(directory, id, digestFile), digest);
  const files = Array.from(all.values()).flatMap((built) => [...built.files]);
  await Promise.all(files.map(([name, code]) => Deno.writeTextFile(join(directory, id, name), code)));
  return programs;
}

async function main(): Promise<void> {
  const directory = join(root, ".tools", "build");
  await Deno.mkdir(directory, { recursive: true });
  // If several programs start at the same time, one builds; the others run from their modules meanwhile.
  if (!locked(directory)) return;
  const programs = await buildPrograms(directory);
  const code = stripTypeScriptTypes(await Deno.readTextFile(join(root, startModule)));
  for (const program of programs) {
    write(join(directory, builtName(program.entry)), `${code}\nawait startProgram(${JSON.stringify(program)});\n`);
  }
  // Programs that started meanwhile have found the old build, too.
  await Deno.remove(join(directory, "stale")).catch(() => {});
  removeOldBuilds(directory);
}

if (import.meta.main) await main();
