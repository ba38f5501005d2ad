// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
/** The packages that pakfs runs with: fetched once, for every user, and no others. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { output, run } from "../mount/mounting.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { commandsIn, execute, machine, versioned } from "./stubs.ts";

const checkout = new URL("../..", import.meta.url).pathname;

/** A Deno that records its arguments for `cache`, and otherwise prints that it ran. */
const notesCaching = versioned(
  "2.9.6",
  `case $1 in cache) echo "fetched $*" ;; *) echo "ran in $DENO_DIR" ;; esac`,
);

Deno.test("packages are fetched once, and again when the lock file asks for others", async () => {
  await using box = await machine();
  await box.install("deno", notesCaching);
  const kept = `${box.root}/.tools/cache/fetched_packages`;
  const lock = `${box.root}/deno.lock`;
  const fetches = async (): Promise<boolean> => {
    const { code, stdout, stderr } = await box.run(["ls"], { environment: { DENO_DIR: "/of/the/user" } });
    assertEquals([code, stdout], [0, `ran in ${box.root}/.tools/cache\n`], stderr);
    if (stderr === "") return false;
    assertMatch(stderr, /^pakfs: fetching packages into .*\/\.tools\/cache\nfetched cache .*\n$/);
    return true;
  };
  assertEquals(await fetches(), false);
  // A newer but equal lock file, as after a switch to another branch and back.
  const later = new Date(Date.now() + 60_000);
  await Deno.utime(lock, later, later);
  assertEquals(await fetches(), false);
  await Deno.writeTextFile(lock, "{}\n");
  await Deno.utime(lock, later, later);
  assertEquals([await fetches(), await fetches()], [true, false]);
  const fetched = "diff fflate hyparquet-writer jpeg-js rolldown smol-toml three\nhttps://registry.npmjs.org\n{}\n";
  assertEquals(await Deno.readTextFile(kept), fetched);
  await Deno.remove(`${box.root}/.tools`, { recursive: true });
  assertEquals([await fetches(), await fetches()], [true, false]);
  // The lock file names a package that an earlier version did not import.
  await Deno.writeTextFile(kept, fetched.replace(" three", ""));
  assertEquals([await fetches(), await fetches()], [true, false]);
});

Deno.test("where packages are missing, the command that is printed fetches them", async () => {
  await using box = await machine();
  const fetched = `${box.root}/.tools/cache/fetched_packages`;
  const noInstall = { PAKFS_NO_INSTALL: "1" };
  for (
    const [words, because] of [[["ls"], "PAKFS_NO_INSTALL is set"], [["doctor"], "doctor installs nothing"]] as const
  ) {
    await box.install("deno", notesCaching);
    await Deno.remove(fetched);
    const { code, stdout, stderr } = await box.run([...words], { environment: words[0] === "ls" ? noInstall : {} });
    assertEquals([code, stdout], [2, ""]);
    assert(
      stderr.startsWith(`pakfs: the packages of pakfs are not in ${box.root}/.tools/cache, and ${because}; run:\n`),
    );
    const [command = ""] = commandsIn(stderr);
    assertEquals(command, `env PAKFS_NO_INSTALL=0 '${box.root}/pakfs' --version`);
    await execute(box, command, noInstall);
    assertEquals((await box.run([...words], { environment: noInstall })).code, 0);
  }
  await box.install("deno", versioned("2.9.6", 'echo "no network" >&2; exit 1'));
  await Deno.remove(fetched);
  const offline = await box.run(["ls"]);
  assertEquals([offline.code, commandsIn(offline.stderr).length], [2, 1]);
  assertMatch(
    offline.stderr,
    /\nno network\npakfs: the packages .*, and fetching them failed: connect to a network; run:\n/,
  );
  assertEquals(await Deno.readTextFile(fetched).catch(() => "none"), "none");
});

Deno.test("set-up installs FUSE too if it can, so that mounting needs no network later", async () => {
  await using box = await machine();
  await box.install("deno", notesCaching);
  await box.install("apt-get", 'echo "apt-get $*" >&2; exit 1');
  const fusermount = `${box.programs}/fusermount3`;
  const fetched = `${box.root}/.tools/cache/fetched_packages`;
  for (const [mayInstall, expected] of [[true, 2], [false, 0]] as const) {
    await Deno.remove(fetched);
    await Deno.remove(fusermount).catch(() => {});
    if (!mayInstall) await box.install("id", "echo 1000");
    const { code, stderr } = await box.run(["ls"]);
    assertEquals([code, stderr.match(/^apt-get /gm)?.length ?? 0], [0, expected], stderr);
    assertEquals((await box.run(["ls"])).stderr, "");
  }
});

Deno.test("set-up fetches and builds what runs, and then no start needs a network, HOME or permission to write", async () => {
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
  assertEquals(packages.trim().split(" ").map((path) => path.replace(/.*\//, "")), [
    "@oxc-project",
    "@rolldown",
    "diff",
    "fflate",
    "hyparquet",
    "hyparquet-writer",
    "jpeg-js",
    "rolldown",
    "smol-toml",
    "three",
  ]);
  // Every user can read the packages, for any umask of root.
  assertEquals(await output("find", `${root}/.tools`, "!", "-perm", "-o=r", "-name", "fetched_packages"), "");
  assertEquals(await output("find", `${root}/.tools/cache/npm`, "!", "-perm", "-o=r"), "");

  if (Deno.uid() !== 0) return;
  const offline = (...words: string[]) => run("unshare", ["-n", "env", ...clean, `${root}/pakfs`, ...words]);
  // The first command reads no configuration and needs no packages; the second does.
  assertEquals(await offline("--version"), { code: 0, stdout: "pakfs 0.1.0\n", stderr: "" });
  await Deno.writeTextFile(`${here.path}/config.toml`, 'mount = "/m"\n');
  const words = ["config", "--config", `${here.path}/config.toml`];
  const config = await offline(...words);
  assertEquals([config.code, config.stderr], [0, ""]);
  assertMatch(config.stdout, /^mount = "\/m"$/m);
  // Cached packages also suffice if another registry is configured.
  const other = ["-n", "env", ...clean, "NPM_CONFIG_REGISTRY=http://127.0.0.1:9", `${root}/pakfs`, ...words];
  assertEquals(await run("unshare", other), config);
  // The page of pakfs web has all of its files.
  const script = `import { threeFile } from "${root}/web/page_files.ts";
for (const name of ["build/three.module.js", "examples/jsm/loaders/GLTFLoader.js"]) console.log((await threeFile(name)).status);`;
  await Deno.writeTextFile(`${root}/web/three_check.ts`, script);
  const cache = `DENO_DIR=${root}/.tools/cache`;
  const three = [
    "-n",
    "env",
    ...clean,
    cache,
    Deno.execPath(),
    "run",
    "--cached-only",
    "-A",
    `${root}/web/three_check.ts`,
  ];
  assertEquals((await run("unshare", three)).stdout, "200\n200\n");
  // Another user, without write access, runs the build, or the source if that has changed.
  const builds = async () => (await Array.fromAsync(Deno.readDir(`${root}/.tools/build`), ({ name }) => name)).sort();
  const made = await builds();
  await Deno.chmod(here.path, 0o755);
  await output("chmod", "-R", "a+rX", root);
  const asNobody = async () => {
    const user = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "env", ...clean];
    const { code, stdout, stderr } = await run("setpriv", [...user, `${root}/pakfs`, "--version"]);
    assertEquals([code, stderr], [0, ""]);
    return stdout;
  };
  assertEquals(await asNobody(), "pakfs 0.1.0\n");
  const program = `${root}/repl/main.ts`;
  const code = await Deno.readTextFile(program);
  await Deno.writeTextFile(program, code.replace("`pakfs ${version}`)", "`changed ${version}`)"));
  assertEquals([await asNobody(), await builds()], ["changed 0.1.0\n", made]);
  // A user with write access rebuilds it without a network.
  assertEquals([(await offline("--version")).stdout, await builds()], ["changed 0.1.0\n", [...made, "stale"]]);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assertEquals((await offline("--version")).stdout, "changed 0.1.0\n");
  assertEquals((await builds()).filter((name) => !made.includes(name)).length, 1);
});

Deno.test("commands of the user's shell have the user's own DENO_DIR and registry", async () => {
  for (const own of ["/of/the/user", ""]) {
    const { stdout } = await run(
      `${checkout}pakfs`,
      ["-c", "help | echo ${DENO_DIR-none} ${NPM_CONFIG_REGISTRY-none}"],
      {
        environment: { DENO_DIR: own, NPM_CONFIG_REGISTRY: own },
      },
    );
    const shown = own === "" ? "none" : own;
    assertEquals(stdout, `${shown} ${shown}\n`);
  }
});
