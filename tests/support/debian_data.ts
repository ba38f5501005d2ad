/**
 * Real game data, and real engines, for tests: out of Debian's packages, without installing them.
 * @module
 */
import { ensureDir, exists } from "@std/fs";

/** Packages that were requested, by name: none is looked for twice. */
const trees = new Map<string, Promise<string>>();
const lists = new Map<string, Promise<string[]>>();

/** Time after which lists of packages are fetched again: the mirror may have dropped what they name. */
const listsStayGood = 24 * 60 * 60 * 1000;

/**
 * The files of Debian package `name`, below a directory in the place of `/`. Downloaded and decompressed when asked for
 * the first time, and kept in `$PAKFS_TEST_DATA` (by default below `/var/tmp`) for later runs: do not change them.
 * May be asked for by several processes at the same time. What apt does not know is looked for in Debian's part for
 * free programs that want other data, `contrib`.
 *
 * @returns Path of the directory, such as `/var/tmp/pakfs-test-data-0/quakespasm_0.95.0-1`.
 * @throws {Error} if the package is not kept and cannot be fetched.
 */
export function debianPackage(name: string): Promise<string> {
  return once(trees, name, async () => {
    const found = await findPackage(name);
    return await keep(name, found, async (work) => {
      await fetchInto(work, "root", [`${name}=${found?.version}`], found?.apt ?? []);
    });
  });
}

/**
 * The packages that Debian package `name` depends on and that are not installed, decompressed together as one tree.
 * @returns Directories that hold shared libraries, for `LD_LIBRARY_PATH`.
 * @throws {Error} as {@linkcode debianPackage}.
 */
export async function debianLibraries(name: string): Promise<string[]> {
  const kept = `libraries-of-${name}`;
  const root = await once(trees, kept, async () => {
    const found = await findPackage(name);
    return await keep(kept, found, async (work) => {
      await Deno.mkdir(`${work}/root`);
      const missing = await notInstalled(found?.dependencies ?? []);
      if (missing.length > 0) await fetchInto(work, "root", missing, []);
    });
  });
  // Debian 12 has some libraries in `lib`, which is a link to `usr/lib` where they are installed.
  const directories = await Promise.all(["usr/lib", "lib"].map(async (directory) => {
    const libraries = `${root}/${directory}/${Deno.build.arch}-linux-gnu`;
    if (!await exists(libraries)) return [];
    const entries = await Array.fromAsync(Deno.readDir(libraries));
    return [libraries, ...entries.filter((entry) => entry.isDirectory).map((entry) => `${libraries}/${entry.name}`)];
  }));
  return directories.flat();
}

/** Debian on which processor a package is to be for, where that is not what this system is. */
export interface DebianRelease {
  /** Name of a release, such as `trixie`, or `sid`. */
  readonly release: string;
  /** Debian's name of the processor. */
  readonly architecture: "amd64" | "arm64";
}

/**
 * The files of packages of another release of Debian, or for another processor, decompressed together below a directory that
 * replaces `/`: as old or as new as the first of them.
 * @throws {Error} as {@linkcode debianPackage}.
 */
export function debianTree(from: DebianRelease, first: string, ...others: readonly string[]): Promise<string> {
  const kept = [`${first}-of-${from.release}-${from.architecture}`, ...others].join("+");
  return once(trees, kept, async () => {
    const apt = await listsOf(from);
    return await keep(kept, await findIn(apt, first), async (work) => {
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

async function cacheDirectory(): Promise<string> {
  const cache = Deno.env.get("PAKFS_TEST_DATA") || `/var/tmp/pakfs-test-data-${Deno.uid() ?? 0}`;
  await ensureDir(cache);
  return cache;
}

/** The directory kept for a version of `name`; `fill` makes it as `root` in the directory it is given. */
async function keep(
  name: string,
  found: FoundPackage | undefined,
  fill: (work: string) => Promise<void>,
): Promise<string> {
  const cache = await cacheDirectory();
  if (found === undefined) return await keptVersion(cache, name);
  const root = `${cache}/${name}_${found.version.replaceAll(/[^\w.+~-]/g, "_")}`;
  if (await exists(root)) return root;

  // Decompressed beside its final path and then renamed: it is never seen half, and the first of two wins.
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
  /** Names of what it depends on; of alternatives the first. */
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
      // The lists of an old release are not signed again, and a mirror of another day may be wanted.
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
    // Without a network the old ones have to do.
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

async function keptVersion(cache: string, name: string): Promise<string> {
  const names = await Array.fromAsync(Deno.readDir(cache), (entry) => entry.name);
  const kept = names.find((entry) => entry.startsWith(`${name}_`));
  if (kept !== undefined) return `${cache}/${kept}`;
  throw new Error(`Cannot fetch Debian package ${name}: apt does not know it; run apt-get update, or see .ci/run`);
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
