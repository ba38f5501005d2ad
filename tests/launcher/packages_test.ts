/** The packages that pakfs runs with: fetched once, for every user, and nothing else with them. */
import { assertEquals, assertMatch } from "@std/assert";
import { output, run } from "../mount/mounting.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { commandsIn, machine, versioned } from "./stubs.ts";

const checkout = new URL("../..", import.meta.url).pathname;

/** A Deno that notes what it is asked to cache, and otherwise says that it ran. */
const notesCaching = versioned(
  "2.9.6",
  `case $1 in cache)
  echo "fetched $*"
  for name in diff fflate jpeg-js smol-toml; do mkdir -p "$DENO_DIR/npm/registry/$name"; done ;;
*) echo "ran in $DENO_DIR" ;; esac`,
);

Deno.test("packages are fetched once, and again when the lock file asks for others", async () => {
  await using box = await machine();
  await box.install("deno", notesCaching);
  const kept = `${box.root}/.tools/cache/deno.lock`;
  const lock = `${box.root}/deno.lock`;
  const fetches = async (): Promise<boolean> => {
    const { code, stdout, stderr } = await box.run(["ls"], { environment: { DENO_DIR: "/of/the/user" } });
    assertEquals([code, stdout], [0, `ran in ${box.root}/.tools/cache\n`], stderr);
    if (stderr === "") return false;
    assertMatch(stderr, /^pakfs: fetching packages into .*\/\.tools\/cache\nfetched cache .*\n$/);
    return true;
  };
  assertEquals(await fetches(), false);
  // Newer, but the same: a checkout of another branch and back.
  const later = new Date(Date.now() + 60_000);
  await Deno.utime(lock, later, later);
  assertEquals(await fetches(), false);
  await Deno.writeTextFile(lock, "{}\n");
  await Deno.utime(lock, later, later);
  assertEquals([await fetches(), await fetches()], [true, false]);
  assertEquals(await Deno.readTextFile(kept), "{}\n");
  await Deno.remove(`${box.root}/.tools`, { recursive: true });
  assertEquals([await fetches(), await fetches()], [true, false]);
  // The lock file names a package that an earlier version did not import.
  await Deno.remove(`${box.root}/.tools/cache/npm/registry/fflate`);
  assertEquals([await fetches(), await fetches()], [true, false]);
});

Deno.test("where packages cannot be fetched, one command is printed", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", 'echo "no network" >&2; exit 1'));
  await Deno.remove(`${box.root}/.tools/cache/deno.lock`);
  const launcher = `'${box.root}/pakfs'`;
  const noInstall = { PAKFS_NO_INSTALL: "1" };
  const forbidden = await box.run(["ls"], { environment: noInstall });
  assertEquals([forbidden.code, forbidden.stdout], [2, ""]);
  assertMatch(
    forbidden.stderr,
    /^pakfs: the packages of pakfs are not in .*, and PAKFS_NO_INSTALL is set; run:\n/,
  );
  assertEquals(commandsIn(forbidden.stderr), [`PAKFS_NO_INSTALL=0 ${launcher} --version`]);

  const offline = await box.run(["ls"]);
  assertEquals([offline.code, commandsIn(offline.stderr)], [2, [`${launcher} --version`]]);
  assertMatch(
    offline.stderr,
    /\nno network\npakfs: the packages .*, and fetching them failed: connect to a network; run:\n/,
  );
  assertEquals(await Deno.readTextFile(`${box.root}/.tools/cache/deno.lock`).catch(() => "none"), "none");

  const doctor = await box.run(["doctor"], { environment: noInstall });
  assertEquals(doctor.code, 1);
  assertMatch(
    doctor.stdout,
    /^WRONG {2}packages {2}the packages of pakfs are not in .*\n {7}-> .*pakfs --version/,
  );

  // Not writable; root can write whatever the modes are, so this is a file.
  await Deno.remove(`${box.root}/.tools`, { recursive: true });
  await Deno.writeTextFile(`${box.root}/.tools`, "");
  const unwritable = await box.run(["ls"]);
  assertEquals([unwritable.code, commandsIn(unwritable.stderr)], [2, [`sudo ${launcher} --version`]]);
});

Deno.test("set-up fetches what runs and no package of the tests, and then no start needs a network or HOME", async () => {
  await using here = await temporaryDirectory();
  const root = `${here.path}/pakfs`;
  await Deno.mkdir(`${root}/.tools`, { recursive: true });
  const entries = await Array.fromAsync(Deno.readDir(checkout), ({ name }) => name);
  const copied = entries.filter((name) => ![".git", ".tools", "node_modules", "coverage"].includes(name));
  await output("cp", "-r", ...copied.map((name) => checkout + name), root);

  const clean = ["-i", `PATH=${Deno.env.get("PATH")}`, `DENO=${Deno.execPath()}`];
  const kept = Object.entries(Deno.env.toObject()).filter(([name]) => /CERT|PROXY|^NPM_/i.test(name));
  const network = kept.map(([name, value]) => `${name}=${value}`);
  const first = await run("sh", [
    "-c",
    'umask 077; exec "$@"',
    "sh",
    "env",
    ...clean,
    ...network,
    `${root}/pakfs`,
    "--version",
  ]);
  assertEquals([first.code, first.stdout], [0, "pakfs 0.1.0\n"], first.stderr);
  const packages = await output("sh", "-c", 'cd "$1" && echo */*', "sh", `${root}/.tools/cache/npm`);
  assertEquals(packages.split("/").length, 5, packages);
  assertEquals(packages.trim().split(" ").map((path) => path.replace(/.*\//, "")), [
    "diff",
    "fflate",
    "jpeg-js",
    "smol-toml",
  ]);
  // Whatever umask root has, every user can read it.
  assertEquals(await output("find", `${root}/.tools`, "!", "-perm", "-o=r", "-name", "*.lock"), "");
  assertEquals(await output("find", `${root}/.tools/cache/npm`, "!", "-perm", "-o=r"), "");

  if (Deno.uid() !== 0) return;
  const offline = (...words: string[]) => run("unshare", ["-n", "env", ...clean, `${root}/pakfs`, ...words]);
  // The first reads no configuration and would do without the packages; the second cannot.
  assertEquals(await offline("--version"), { code: 0, stdout: "pakfs 0.1.0\n", stderr: "" });
  await Deno.writeTextFile(`${here.path}/config.toml`, 'mount = "/m"\n');
  const { code, stdout, stderr } = await offline("config", "--config", `${here.path}/config.toml`);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^mount = "\/m"$/m);
});

Deno.test("commands of the user's shell have the user's own DENO_DIR", async () => {
  for (const own of ["/of/the/user", ""]) {
    // deno-lint-ignore no-await-in-loop -- two runs
    const { stdout } = await run(`${checkout}pakfs`, ["-c", "help | echo ${DENO_DIR-none}"], {
      environment: { DENO_DIR: own },
    });
    assertEquals(stdout, `${own === "" ? "none" : own}\n`);
  }
});
