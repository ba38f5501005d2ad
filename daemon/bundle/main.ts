/**
 * Bundles the daemon and its first threads into `.tools/bundle/`: deno run -A bundle/main.ts. The launcher does so when
 * there is none, or one of other modules: each start compares them with those that it was made of, and leaves a file
 * named `stale` where they are others.
 * @module
 */
import { join, resolve } from "@std/path";
import { bundleOf } from "./bundle.ts";
import { BundleError, bundleName, ModuleReader } from "./modules.ts";

const root = resolve(import.meta.dirname ?? ".", "../..");
const daemon = "daemon/main.ts";
const programs = [daemon, "mount/session/session_worker.ts"];
/** Builds that are kept: a daemon that runs while its program is updated loads some of its modules later. */
const keptBuilds = 8;
/** Minimum age of a build that is removed, in milliseconds: daemons that start at the same time each make one. */
const minAge = 60_000;
const stampsModule = "daemon/bundle/stamps.ts";
/** Files that decide how a bundle is made. */
const ownFiles = ["daemon/bundle/main.ts", "daemon/bundle/bundle.ts", "daemon/bundle/modules.ts", "deno.lock"];

/** The part of a `deno.json` that says where names of packages lead. */
interface PackageSettings {
  readonly name?: string;
  readonly exports?: string | Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly workspace?: readonly string[];
  readonly links?: readonly string[];
}

/** Notes the packages of this tree. */
function findPackages(reader: ModuleReader): void {
  const settings = (path: string): PackageSettings => JSON.parse(reader.readText(path));
  const { imports = {}, workspace = [], links = [] } = settings("deno.json");
  for (const directory of [...workspace, ...links]) {
    const { name, exports } = settings(join(directory, "deno.json"));
    const module = typeof exports === "string" ? exports : exports?.["."];
    for (const [specifier, target] of Object.entries(imports)) {
      if (module === undefined || !`${target}@`.startsWith(`jsr:${name}@`)) continue;
      reader.packages.set(specifier, join(directory, module));
    }
  }
}

/** Returns the program that starts the daemon: from `bundle` where it lies and of the files that it was made of. */
function starter(reader: ModuleReader, directory: string, bundle: string): string {
  const check = reader.read(stampsModule).code;
  return [
    `const { isUnchanged } = (() => {\n${check}\n})();`,
    `const stamps = ${JSON.stringify(reader.stamps)};`,
    `const isHere = import.meta.dirname === ${JSON.stringify(directory)};`,
    `if (isHere && isUnchanged(${JSON.stringify(root)}, stamps)) {`,
    bundle,
    "} else {",
    `  try { Deno.writeTextFileSync(new URL("stale", import.meta.url), ""); } catch { /* another user's */ }`,
    fromModules,
    "}",
  ].join("\n");
}

const fromModules = `  const { start } = await import(${JSON.stringify(`../../${daemon}`)});\n  await start();`;

/** Returns the files of a build by their names. The last one has all others used. */
function makeFiles(directory: string, build: string): ReadonlyMap<string, string> {
  const reader = new ModuleReader(root, programs);
  findPackages(reader);
  for (const file of ownFiles) reader.readText(file);
  const rootAddress = new URL("../../", import.meta.url);
  try {
    const files = new Map(programs.flatMap((program) => [...bundleOf(program, reader, rootAddress, build)]));
    const first = `./${bundleName(daemon)}.${build}.0.mjs`;
    const fromBundle = `  const { program } = await import(${JSON.stringify(first)});\n  await program.start();`;
    return files.set("start.mjs", starter(reader, directory, fromBundle));
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    // Until the modules that were read change, it is not tried again.
    Deno.stderr.writeSync(new TextEncoder().encode(`${error.message}\n`));
    return new Map([["start.mjs", starter(reader, directory, fromModules)]]);
  }
}

/** Removes builds that are so old that no daemon is likely to load more of them. */
function removeOldBuilds(directory: string): void {
  const builds = new Map<string, { readonly names: string[]; made: number }>();
  for (const { name } of Deno.readDirSync(directory)) {
    const [, build] = /\.([0-9a-f]{8})\.\d+\.mjs$/.exec(name) ?? [];
    if (build === undefined) continue;
    const known = builds.get(build) ?? { names: [], made: 0 };
    known.names.push(name);
    known.made = Math.max(known.made, Deno.statSync(join(directory, name)).mtime?.getTime() ?? 0);
    builds.set(build, known);
  }
  const oldest = Array.from(builds.values()).sort((a, b) => b.made - a.made).slice(keptBuilds)
    .filter(({ made }) => made < Date.now() - minAge);
  for (const name of oldest.flatMap(({ names }) => names)) Deno.removeSync(join(directory, name));
}

function main(): void {
  const directory = join(root, ".tools", "bundle");
  const build = crypto.randomUUID().slice(0, 8);
  Deno.mkdirSync(directory, { recursive: true });
  for (const { name } of Deno.readDirSync(directory)) if (name === "stale") Deno.removeSync(join(directory, name));
  const files = makeFiles(directory, build);
  for (const [name, text] of files) {
    const unfinished = join(directory, `${name}.${build}`);
    Deno.writeTextFileSync(unfinished, text);
    Deno.renameSync(unfinished, join(directory, name));
  }
  removeOldBuilds(directory);
}

if (import.meta.main) main();
