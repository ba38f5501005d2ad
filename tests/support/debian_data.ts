/**
 * Real game data and real engines for tests, from Debian's packages, without installing them.
 * @module
 */
import { ensureDir, exists } from "@std/fs";

/** Requested trees and lists, by name, so that each is looked up once. */
const trees = new Map<string, Promise<string>>();
const lists = new Map<string, Promise<string[]>>();

/** Time after which lists of packages are fetched again: the mirror may have dropped packages that they name. */
const listsStayGood = 24 * 60 * 60 * 1000;

/**
 * Returns the directory of the files of Debian package `name`, which replaces `/`: `.ci/run` unpacks all packages of
 * `programs.txt` before the tests, which only use them and do not change them.
 *
 * @returns Path, such as `/var/tmp/pakfs-test-data-0/quakespasm_0.95.0-1`.
 * @throws {Error} if the package was not fetched.
 */
export function debianPackage(name: string): string {
  const path = keptPackage(name);
  if (path === undefined) throw new Error(`Debian package ${name} was not fetched: see .ci/run`);
  return path;
}

/**
 * Returns the directories of shared libraries that Debian package `name` depends on and that are not installed, for
 * `LD_LIBRARY_PATH`.
 * @throws {Error} as {@linkcode debianPackage}.
 */
export async function debianLibraries(name: string): Promise<string[]> {
  const root = debianPackage(`libraries-of-${name}`);
  // Debian 12 has some libraries in `lib`, which is a link to `usr/lib` where they are installed.
  const directories = await Promise.all(["usr/lib", "lib"].map(async (directory) => {
    const libraries = `${root}/${directory}/${Deno.build.arch}-linux-gnu`;
    if (!await exists(libraries)) return [];
    const entries = await Array.fromAsync(Deno.readDir(libraries));
    return [libraries, ...entries.filter((entry) => entry.isDirectory).map((entry) => `${libraries}/${entry.name}`)];
  }));
  return directories.flat();
}

/**
 * Fetches a Debian package unless it is there, and unpacks it for {@linkcode debianPackage}, with the libraries that it
 * depends on if `withLibraries` is set; returns its directory. A package that apt does not know is looked for in `contrib`, Debian's part for free programs
 * that need other data. Several processes may do the same at the same time.
 * @throws {Error} if it cannot be fetched, and no earlier version is there.
 */
export async function fetchPackage(name: string, withLibraries: boolean): Promise<string> {
  const libraries = `libraries-of-${name}`;
  const kept = keptPackage(name);
  if (kept !== undefined && (!withLibraries || keptPackage(libraries) !== undefined)) return kept;
  const found = await findPackage(name);
  const root = await keep(
    name,
    found,
    (work) => fetchInto(work, "root", [`${name}=${found?.version}`], found?.apt ?? []),
  );
  if (!withLibraries) return root;
  await keep(libraries, found, async (work) => {
    await Deno.mkdir(`${work}/root`);
    const missing = await notInstalled(found?.dependencies ?? []);
    if (missing.length > 0) await fetchInto(work, "root", missing, []);
  });
  return root;
}

/** Returns the directory of an unpacked package, or `undefined` if none was fetched. */
export function keptPackage(name: string): string | undefined {
  const cache = cachePath();
  try {
    const entry = Deno.readDirSync(cache).find((entry) => entry.name.startsWith(`${name}_`));
    return entry && `${cache}/${entry.name}`;
  } catch {
    return undefined;
  }
}

/** A release of Debian for a processor. */
export interface DebianRelease {
  /** Name of a release, such as `trixie`, or `sid`. */
  readonly release: string;
  /** Debian's name of the processor. */
  readonly architecture: "amd64" | "arm64";
}

/** Debian's name of this processor. */
export const architecture = Deno.build.arch === "aarch64" ? "arm64" : "amd64";

/** Name under which {@linkcode debianTree} keeps its packages. */
export function treeName(
  { release, architecture }: DebianRelease,
  first: string,
  ...others: readonly string[]
): string {
  return [`${first}-of-${release}-${architecture}`, ...others].join("+");
}

/**
 * Returns the directory of packages of another release of Debian, or for another processor, unpacked together; fetches
 * them first if they are not there. Their version is the first one's.
 * @throws {Error} if they cannot be fetched.
 */
export function debianTree(from: DebianRelease, first: string, ...others: readonly string[]): Promise<string> {
  const name = treeName(from, first, ...others);
  return once(trees, name, async () => {
    const kept = keptPackage(name);
    if (kept !== undefined) return kept;
    const apt = await listsOf(from);
    return await keep(name, await findIn(apt, first), async (work) => {
      await fetchInto(work, "root", [first, ...others], apt);
    });
  });
}

function once<Value>(known: Map<string, Promise<Value>>, name: string, make: () => Promise<Value>): Promise<Value> {
  const there = known.get(name);
  if (there !== undefined) return there;
  const made = make();
  known.set(name, made);
  return made;
}

function cachePath(): string {
  return Deno.env.get("PAKFS_TEST_DATA") || `/var/tmp/pakfs-test-data-${Deno.uid() ?? 0}`;
}

async function cacheDirectory(): Promise<string> {
  const cache = cachePath();
  await ensureDir(cache);
  return cache;
}

/** The directory kept for a version of `name`; `fill` creates its content as `root` in the given directory. */
async function keep(
  name: string,
  found: FoundPackage | undefined,
  fill: (work: string) => Promise<void>,
): Promise<string> {
  const cache = await cacheDirectory();
  if (found === undefined) {
    const kept = keptPackage(name);
    if (kept !== undefined) return kept;
    throw new Error(`Cannot fetch Debian package ${name}: apt does not know it; run apt-get update`);
  }
  const root = `${cache}/${name}_${found.version.replaceAll(/[^\w.+~-]/g, "_")}`;
  if (await exists(root)) return root;

  // Extracted next to its final path and then renamed: it never appears incomplete, and the first of two writers wins.
  const work = await Deno.makeTempDir({ dir: cache, prefix: "decompressing-" });
  try {
    await Deno.chmod(work, 0o755);
    await fill(work);
    await Deno.rename(`${work}/root`, root).catch(async (error: unknown) => {
      if (!await exists(root)) throw error;
    });
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  return root;
}

async function fetchInto(work: string, root: string, packages: string[], apt: readonly string[]): Promise<void> {
  await run("apt-get", [...apt, "download", "-q", ...packages], work);
  const names = await Array.fromAsync(Deno.readDir(work), (entry) => entry.name);
  const archives = names.filter((name) => name.endsWith(".deb"));
  if (archives.length === 0) throw new Error(`Cannot fetch Debian packages ${packages.join(", ")}: nothing came`);
  await Promise.all(archives.map((archive) => run("dpkg-deb", ["-x", archive, root], work)));
}

interface FoundPackage {
  /** Version that apt would install. */
  readonly version: string;
  /** Names of its dependencies; of alternatives the first. */
  readonly dependencies: readonly string[];
  /** Options with which apt knows it. */
  readonly apt: readonly string[];
}

async function findPackage(name: string): Promise<FoundPackage | undefined> {
  const found = await findIn([], name);
  if (found) return found;
  const contrib = await contribLists().catch(() => undefined);
  return contrib && await findIn(contrib, name);
}

async function findIn(apt: readonly string[], name: string): Promise<FoundPackage | undefined> {
  const listing = await run("apt-cache", [...apt, "show", "--no-all-versions", name]).catch(() => "");
  const version = /^Version: (\S+)$/m.exec(listing)?.[1];
  if (version === undefined) return undefined;
  const depends = /^Depends: (.+)$/m.exec(listing)?.[1] ?? "";
  const dependencies = depends.split(",").map((item) => /[\w.+-]+/.exec(item)?.[0] ?? "").filter((item) => item !== "");
  return { version, dependencies, apt };
}

/** Options for apt with lists of its own, of `contrib`. */
function contribLists(): Promise<string[]> {
  return once(lists, "contrib-lists", async () => {
    const { mirror, release } = await systemSource();
    return await ownLists("contrib-lists", `${mirror} ${release} contrib`, []);
  });
}

/** Options for apt with lists of its own, of another release. */
function listsOf({ release, architecture }: DebianRelease): Promise<string[]> {
  const name = `${release}-${architecture}-lists`;
  return once(lists, name, async () => {
    const { mirror } = await systemSource();
    return await ownLists(name, `${mirror} ${release} main`, [
      `APT::Architecture=${architecture}`,
      `APT::Architectures=${architecture}`,
      // Packages that are installed here do not matter.
      "Dir::State::status=/dev/null",
      // Lists of an old release are not signed again, and a mirror of another day may be needed.
      "Acquire::Check-Valid-Until=false",
    ]);
  });
}

/** The mirror that the system uses, and its release. */
async function systemSource(): Promise<{ mirror: string; release: string }> {
  const filters = ["Created-By: Packages", "Origin: Debian", "Label: Debian", "Component: main"];
  const sources = await run("apt-get", ["indextargets", "--format", "$(REPO_URI) $(RELEASE)", ...filters]);
  const [mirror, release] = sources.split("\n")[0]?.split(" ") ?? [];
  if (!mirror || !release) throw new Error("Cannot find the Debian mirror of this system");
  return { mirror, release };
}

/** Fetches lists of packages unless they are kept; options with which apt uses them. */
async function ownLists(name: string, source: string, options: readonly string[]): Promise<string[]> {
  const cache = await cacheDirectory();
  const kept = `${cache}/${name}`;
  const apt = [...aptIn(kept), ...options.flatMap((option) => ["-o", option])];
  if (await exists(kept)) {
    const { mtime } = await Deno.stat(`${kept}/lists/partial`);
    // Without a network the old lists are used.
    if (Date.now() - (mtime?.getTime() ?? 0) > listsStayGood) {
      await run("apt-get", [...apt, "update", "-q"]).catch(() => {});
    }
    return apt;
  }
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const signed = await exists(keys) ? `[signed-by=${keys}] ` : "";
  const work = await Deno.makeTempDir({ dir: cache, prefix: "decompressing-" });
  try {
    await ensureDir(`${work}/lists/partial`);
    await ensureDir(`${work}/cache/archives/partial`);
    await Deno.writeTextFile(`${work}/sources.list`, `deb ${signed}${source}\n`);
    await run("apt-get", [...aptIn(work), ...options.flatMap((option) => ["-o", option]), "update", "-q"]);
    await Deno.rename(work, kept);
  } catch (error) {
    await Deno.remove(work, { recursive: true });
    if (!await exists(kept)) throw error;
  }
  return apt;
}

function aptIn(directory: string): string[] {
  return [
    `Dir::State::lists=${directory}/lists`,
    `Dir::Cache=${directory}/cache`,
    `Dir::Etc::sourcelist=${directory}/sources.list`,
    "Dir::Etc::sourceparts=/dev/null",
  ].flatMap((option) => ["-o", option]);
}

/** Packages that apt would install for these, as `name=version`. */
async function notInstalled(names: readonly string[]): Promise<string[]> {
  const plan = await run("apt-get", ["-s", "install", "--no-install-recommends", "-q", ...names]);
  return Array.from(plan.matchAll(/^Inst (\S+) \((\S+)/gm), ([, name, version]) => `${name}=${version}`);
}

async function run(program: string, args: string[], directory?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    env: { LC_ALL: "C" },
    ...directory === undefined ? {} : { cwd: directory },
  }).output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`${program} ${args.join(" ")} failed: ${decoder.decode(stderr).trim()}`);
}
