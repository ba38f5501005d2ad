/**
 * Real game data for tests, out of Debian's packages, without installing them.
 * @module
 */
import { ensureDir, exists } from "@std/fs";

const underWay = new Map<string, Promise<string>>();

/**
 * The files of Debian package `name`, below a directory that stands for `/`. Downloaded and unpacked when asked for
 * the first time, and kept in `$PAKFS_TEST_DATA` (by default below `/var/tmp`) for later runs: do not change them.
 * May be asked for by several processes at the same time.
 *
 * @returns Path of the directory, such as `/var/tmp/pakfs-test-data-0/quakespasm_0.95.0-1`.
 * @throws {Error} if the package is not kept and cannot be fetched.
 */
export function debianPackage(name: string): Promise<string> {
  return onlyOnce(name, () => newestVersions([name]));
}

/** As {@linkcode debianPackage}, for many packages at once: apt is asked for their versions only once. */
export function debianPackages(names: readonly string[]): Promise<string[]> {
  const versions = newestVersions(names);
  return Promise.all(names.map((name) => onlyOnce(name, () => versions)));
}

function onlyOnce(name: string, versions: () => Promise<ReadonlyMap<string, string>>): Promise<string> {
  const known = underWay.get(name);
  if (known !== undefined) return known;
  const unpacked = versions().then((found) => unpack(name, found.get(name)));
  underWay.set(name, unpacked);
  return unpacked;
}

async function unpack(name: string, version: string | undefined): Promise<string> {
  const cache = Deno.env.get("PAKFS_TEST_DATA") || `/var/tmp/pakfs-test-data-${Deno.uid() ?? 0}`;
  await ensureDir(cache);
  if (version === undefined) return await keptVersion(cache, name);
  const root = `${cache}/${name}_${version.replaceAll(/[^\w.+~-]/g, "_")}`;
  if (await exists(root)) return root;

  // Unpacked beside its place and then renamed: whoever finds it finds it whole, and the first of two wins.
  const work = await Deno.makeTempDir({ dir: cache, prefix: "unpacking-" });
  try {
    await Deno.chmod(work, 0o755);
    await run("apt-get", ["download", "-q", `${name}=${version}`], work);
    const [archive] = await Array.fromAsync(Deno.readDir(work), (entry) => entry.name);
    if (archive === undefined) throw new Error(`Cannot fetch Debian package ${name}: apt-get downloaded nothing`);
    await run("dpkg-deb", ["-x", archive, "root"], work);
    await Deno.rename(`${work}/root`, root).catch(async (error: unknown) => {
      if (!await exists(root)) throw error;
    });
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  return root;
}

/** What apt would install, by name; without the packages that apt does not know. */
async function newestVersions(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const listing = await run("apt-cache", ["show", "--no-all-versions", ...names]).catch(() => "");
  const versions = new Map<string, string>();
  for (const paragraph of listing.split("\n\n")) {
    const name = /^Package: (\S+)$/m.exec(paragraph)?.[1];
    const version = /^Version: (\S+)$/m.exec(paragraph)?.[1];
    if (name !== undefined && version !== undefined) versions.set(name, version);
  }
  return versions;
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
    ...directory === undefined ? {} : { cwd: directory },
  }).output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`${program} ${args.join(" ")} failed: ${decoder.decode(stderr).trim()}`);
}
