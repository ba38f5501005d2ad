// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { until } from "../mount/mounting.ts";
import { signal } from "../support/processes.ts";
import { needs } from "../support/programs.ts";
import { type Answer, fakeRegistry, platformPackage } from "./fake_registry.ts";
import { argumentPrinter, commandsIn, execute, type Machine, machine, versioned, which } from "./stubs.ts";

const noInstall = { PAKFS_NO_INSTALL: "1" };

/** Programs that fetch Deno, and the requirements that provide them. */
const fetchers = [["curl", "curl"], ["wget", "wget"], ["wget", "busybox"]] as const;

/** Links a real program, or busybox's version of it, into the machine. */
async function lend(box: Machine, name: string, from = name): Promise<void> {
  await box.install(name, `exec ${await which(from)} ${from === name ? "" : name} "$@"`);
}

/** Names of all files below `.tools` but those of the cache. */
async function installed(box: Machine): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(`${box.root}/.tools`)) {
    const inside = name === "cache" ? [] : Deno.readDir(`${box.root}/.tools/${name}`);
    for await (const entry of inside) names.push(`${name}/${entry.name}`);
  }
  return names.sort();
}

Deno.test("without Deno and without installing, one command is printed, which installs it", needs("curl"), async () => {
  for (const words of [["ls"], ["mount", "a", "b"], ["test"], ["doctor"], []]) {
    await using box = await machine();
    await using registry = await fakeRegistry(box, argumentPrinter);
    await lend(box, "curl");
    const environment = { ...noInstall, NPM_CONFIG_REGISTRY: registry.url };
    const { code, stdout, stderr } = await box.run(words, { environment });
    assertEquals([code, stdout], [2, ""]);
    const [command = "", ...others] = commandsIn(stderr);
    assertEquals([command, others], [
      `env PAKFS_NO_INSTALL=0 NPM_CONFIG_REGISTRY='${registry.url}' '${box.root}/pakfs' --version`,
      [],
    ]);
    const because = words[0] === "doctor" ? "doctor installs nothing" : "PAKFS_NO_INSTALL is set";
    assertMatch(stderr, new RegExp(`^pakfs: Deno 2\\.9 or newer was not found, .*and ${because}; run:\n`));
    assertEquals(registry.requests, []);
    const remedy = await execute(box, command, environment);
    assertEquals(remedy.code, 0, remedy.stderr);
    const after = await box.run(["ls", "x"], { environment });
    assertEquals([after.code, after.stderr, after.args.slice(-2)], [0, "", ["ls", "x"]]);
  }
});

Deno.test(
  "where the program cannot be written to, the printed command installs it with sudo",
  needs("curl"),
  async () => {
    await using box = await machine();
    await using registry = await fakeRegistry(box, argumentPrinter);
    await lend(box, "curl");
    // Root ignores modes, so a file is in the directory's place.
    const tools = `${box.root}/.tools`;
    await Deno.remove(tools, { recursive: true });
    await Deno.writeTextFile(tools, "");
    await box.install("id", "echo 1000");
    await box.install("deno", `case $1 in cache) ;; *) ${argumentPrinter}\n;; esac`, `${box.root}/elsewhere`);
    // sudo passes no variables on.
    await box.install(
      "sudo",
      `rm -f '${tools}'; echo 'echo 0' >"${box.programs}/id"; exec env -i PATH="${box.programs}" "$@"`,
    );
    const environment = { ...noInstall, npm_config_registry: `${registry.url}/` };
    const { code, stderr } = await box.run(["ls"], { environment });
    assertEquals(code, 2);
    assertMatch(
      stderr,
      /^pakfs: Deno .* not found, and PAKFS_NO_INSTALL is set, and .*\.tools cannot be written to; run:\n/,
    );
    const [command = ""] = commandsIn(stderr);
    assert(command.startsWith("sudo env PAKFS_NO_INSTALL=0 NPM_CONFIG_REGISTRY="), command);
    await execute(box, command, environment);
    assertEquals(registry.requests.map(({ path }) => path), [platformPackage.path]);
    assertEquals(await installed(box), ["bin/deno"]);

    await Deno.remove(tools, { recursive: true });
    await Deno.writeTextFile(tools, "");
    const root = await box.run(["ls"]);
    assertEquals([root.code, root.stderr], [
      2,
      `pakfs: Deno 2.9 or newer was not found, and ${tools} cannot be written to\n`,
    ]);
  },
);

Deno.test("without a program to fetch Deno with, or a binary for the system, the launcher says so", async () => {
  await using box = await machine();
  const none = await box.run(["ls"]);
  assertEquals(none.code, 2);
  assertMatch(
    none.stderr,
    /^pakfs: Deno 2\.9 or newer was not found, nor curl or wget to fetch it with; install curl\n$/,
  );
  const setUp = `${box.root}/system/set_up.sh`;
  await Deno.writeTextFile(setUp, (await Deno.readTextFile(setUp)).replaceAll(/ loader=\/\S+/g, " loader=/no/loader"));
  const said = async () => (await box.run(["ls"], { environment: noInstall })).stderr;
  const advice = "install Deno with the system's package manager, see https://deno.com\n";
  assertEquals(
    await said(),
    `pakfs: Deno 2.9 or newer was not found, and npm has none for this system, ${Deno.build.arch} without glibc; ${advice}`,
  );
  await box.install("uname", "echo riscv64");
  assertEquals(
    await said(),
    `pakfs: Deno 2.9 or newer was not found, and npm has none for this system, riscv64; ${advice}`,
  );
});

for (const [name, from] of fetchers) {
  Deno.test(`Deno is fetched once, for every user: with ${name} of ${from}`, needs(from), async () => {
    await using box = await machine();
    await using registry = await fakeRegistry(box, argumentPrinter);
    await lend(box, name, from);
    await box.install("umask-077", `umask 077; exec sh "$@"`);
    const environment = { NPM_CONFIG_REGISTRY: registry.url };
    const first = await box.run(["ls", "x"], { environment, shell: [`${box.programs}/umask-077`] });
    assertEquals(first.code, 0, first.stderr);
    assertEquals(first.stderr, `pakfs: fetching Deno from ${registry.url}${platformPackage.path}\n`);
    assertEquals(first.args.slice(-2), ["ls", "x"]);
    assertEquals(await installed(box), ["bin/deno"]);
    for (const path of ["bin", "bin/deno"]) {
      assertEquals(((await Deno.stat(`${box.root}/.tools/${path}`)).mode ?? 0) & 0o777, 0o755, path);
    }
    const second = await box.run(["ls", "x"], { environment: noInstall });
    assertEquals([second.code, second.stderr, second.args], [0, "", first.args]);
    assertEquals(registry.requests.length, 1);
  });
}

Deno.test("the registry is the one that npm would use, with its token", needs("curl"), async () => {
  await using box = await machine();
  await using registry = await fakeRegistry(box, argumentPrinter);
  await lend(box, "curl");
  await Deno.mkdir(`${box.root}/home`);
  const host = registry.url.replace("http:", "");
  const [ofProgram, ofUser] = [`${box.root}/.npmrc`, `${box.root}/home/.npmrc`];
  const fetched = async (environment: Record<string, string>) => {
    await Deno.remove(`${box.root}/.tools/bin`, { recursive: true }).catch(() => {});
    const { code, stderr } = await box.run(["ls"], { environment: { HOME: `${box.root}/home`, ...environment } });
    assertEquals(code, 0, stderr);
    const { path = "", authorization } = registry.requests.pop() ?? {};
    return [path.replace(platformPackage.path, ""), authorization];
  };
  await Deno.writeTextFile(ofUser, `; registry=http://127.0.0.1:9\nregistry = "${registry.url}/user/"\r\n`);
  assertEquals(await fetched({}), ["/user", null]);
  assertEquals(await fetched({ npm_config_registry: `${registry.url}/lower` }), ["/lower", null]);
  await Deno.writeTextFile(ofProgram, `registry=${registry.url}/program\n${host}/program/:_authToken=secret\n`);
  assertEquals(await fetched({}), ["/program", "Bearer secret"]);
  await Deno.writeTextFile(ofUser, `${host}/upper/:_authToken=\${OWN_TOKEN}\n`);
  const upper = { NPM_CONFIG_REGISTRY: `${registry.url}/upper`, npm_config_registry: "http://127.0.0.1:9" };
  assertEquals(await fetched({ ...upper, OWN_TOKEN: "of mine" }), ["/upper", "Bearer of mine"]);
});

Deno.test("packages come from the same registry, and are found whatever registry a later user has", async () => {
  await using box = await machine();
  await using registry = await fakeRegistry(box, argumentPrinter);
  const files = ["mod", "config/a", "repl/a", "repl/b/a", "daemon/main", "b/a_worker", "b/c/a_worker"];
  for (const path of [...files.map((name) => `${name}.ts`), "web/page/three.js"]) {
    await Deno.mkdir(`${box.root}/${path.replace(/[^/]*$/, "")}`, { recursive: true });
    await Deno.writeTextFile(`${box.root}/${path}`, 'import "fflate";\n');
  }
  await Deno.writeTextFile(`${box.root}/deno.json`, '{ "imports": { "fflate": "npm:fflate@0.8.3" }, "lock": false }');
  await Deno.writeTextFile(`${box.root}/.npmrc`, `registry=${registry.url}/own/\n`);
  await Deno.remove(`${box.root}/.tools/cache/fetched_packages`);
  const refused = await box.run(["ls"], { environment: { DENO: Deno.execPath(), HOME: box.root } });
  assertEquals(
    [refused.code, commandsIn(refused.stderr).at(-1)],
    [2, `env PAKFS_NO_INSTALL=0 NPM_CONFIG_REGISTRY='${registry.url}/own' '${box.root}/pakfs' --version`],
  );
  assertEquals(Array.from(new Set(registry.requests.map(({ path }) => path))), ["/own/fflate"]);

  await box.install("deno", versioned("2.9.6", 'echo "$NPM_CONFIG_REGISTRY, not $PAKFS_OWN_NPM_CONFIG_REGISTRY"'));
  await box.run(["ls"]);
  await Deno.remove(`${box.root}/.npmrc`);
  const later = await box.run(["ls"], { environment: { NPM_CONFIG_REGISTRY: "http://127.0.0.1:9" } });
  assertEquals(later.stdout, `${registry.url}/own, not http://127.0.0.1:9\n`);
});

/** Ways in which a download fails, and the expected messages. */
const causes: readonly (readonly [Answer | "nobody", RegExp])[] = [
  ["nobody", /could not be fetched; connect to a network, or name another registry with NPM_CONFIG_REGISTRY\n$/],
  ["missing", /could not be fetched; /],
  ["cut off", /could not be fetched; /],
  ["damaged", /is not Deno as it was published: its sha512 is another, .* name another registry .*\n$/],
];

for (const [name, from] of fetchers) {
  Deno.test(
    `a download that fails or is another file installs nothing: with ${name} of ${from}`,
    needs(from),
    async () => {
      await using box = await machine();
      await using registry = await fakeRegistry(box, argumentPrinter);
      await lend(box, name, from);
      for (const [answer, sentence] of causes) {
        const url = answer === "nobody" ? "http://127.0.0.1:9" : registry.url;
        if (answer !== "nobody") registry.answer = answer;
        const { code, stdout, stderr } = await box.run(["ls"], { environment: { NPM_CONFIG_REGISTRY: url } });
        assertEquals([code, stdout], [2, ""], `${from}, ${answer}`);
        assertMatch(stderr, sentence);
        assertStringIncludes(stderr, `${url}${platformPackage.path}`);
        assertEquals((await installed(box)).filter((path) => path !== "bin/deno"), [], answer);
        assertEquals(await Deno.stat(`${box.root}/.tools/bin/deno`).catch(() => null), null, answer);
      }
      registry.answer = "whole";
      assertEquals((await box.run(["ls"], { environment: { NPM_CONFIG_REGISTRY: registry.url } })).code, 0);
    },
  );
}

Deno.test("a download that the user interrupts leaves nothing", needs("curl"), async () => {
  await using box = await machine();
  await using registry = await fakeRegistry(box, argumentPrinter);
  await lend(box, "curl");
  registry.answer = "endless";
  // Sends the signal to every process of the launcher's group, as a terminal does.
  await box.install("in-group", `exec setsid sh "$@"`);
  const environment = { NPM_CONFIG_REGISTRY: registry.url };
  const child = box.start(["ls"], { environment, shell: [`${box.programs}/in-group`] });
  await until("the download begins", () => Promise.resolve(registry.requests.length > 0));
  Deno.kill(-child.pid, "SIGINT");
  assertEquals((await child.output()).success, false);
  assertEquals(await installed(box), []);
});

Deno.test("a Deno that a script starts as another process is started itself, so signals reach it", async () => {
  await using box = await machine();
  // Waits for Deno as npm's script for Node does: a signal ends it alone.
  await box.install("deno", `"${Deno.execPath()}" "$@"; exit $?`);
  await Deno.writeTextFile(`${box.root}/deno.json`, "{}");
  await Deno.writeTextFile(
    `${box.root}/daemon/main.ts`,
    `Deno.addSignalListener("SIGTERM", () => { console.log("ended"); Deno.exit(7); });
setTimeout(() => Deno.exit(1), 60_000);
console.log(Deno.pid, Deno.execPath());`,
  );
  const child = box.start(["daemon"], { environment: { PAKFS_NO_INSTALL: "1" } });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: started = "" } = await lines.read();
  try {
    assertEquals(started, `${child.pid} ${await Deno.realPath(Deno.execPath())}\n`);
    child.kill("SIGTERM");
    assertEquals((await child.status).code, 7);
    assertEquals((await lines.read()).value, "ended\n");
  } finally {
    // Deno may still run if only a process that waited for it has ended.
    if (started !== "") signal(Number(started.split(" ")[0]), "SIGKILL");
    await child.status;
    await lines.cancel();
    await child.stderr.cancel();
  }
});

Deno.test("a Deno that is too old or broken is passed over", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter, `${box.root}/.tools/bin`);
  for (const script of [versioned("2.8.4", "exit 9"), versioned("1.46.0", "exit 9"), "exit 1", "echo nonsense"]) {
    await box.install("deno", script);
    const { code, args } = await box.run(["ls"], { environment: noInstall });
    assertEquals([code, args.at(-1)], [0, "ls"], script);
  }
  await box.install("deno", versioned("2.10.0", "printf 'newer\\0'"));
  assertEquals((await box.run(["ls"])).args, ["newer"]);
  await box.install("deno", versioned("3.0.1", "printf 'newest\\0'"));
  assertEquals((await box.run(["ls"])).args, ["newest"]);
});

Deno.test("DENO is used, or refused if it cannot be", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", "printf 'path\\0'"));
  await box.install("mine", versioned("2.9.0", "printf 'mine\\0'"), `${box.root}/other`);
  const chosen = await box.run(["ls"], { environment: { DENO: `${box.root}/other/mine` } });
  assertEquals(chosen.args, ["mine"]);
  const refused = await box.run(["ls"], { environment: { DENO: `${box.root}/none` } });
  assertEquals(refused.code, 2);
  assertEquals(refused.stderr, `pakfs: DENO is set to ${box.root}/none, which is not Deno 2.9 or newer; unset it\n`);
});

const managers: [string, string][] = [
  ["apt-get", "sh -c 'apt-get update; apt-get install -y fuse3 libdeflate0'"],
  ["dnf", "dnf install -y fuse3 fuse3-libs libdeflate"],
  ["pacman", "pacman -S --needed --noconfirm fuse3 libdeflate"],
  ["zypper", "zypper --non-interactive install fuse3 libdeflate0"],
  ["apk", "apk add -U fuse3 fuse3-libs libdeflate"],
];

Deno.test("without fusermount3 and without installing, one command is printed", async () => {
  for (const [manager, command] of managers) {
    await using box = await machine();
    await box.install("deno", argumentPrinter);
    await box.install(manager, "exit 9");
    await Deno.remove(`${box.programs}/fusermount3`);
    for (const words of [["mount", "a", "b"], ["mount", "-f", "a", "b"], ["daemon"], ["demo"], ["test"]]) {
      const { code, stdout, stderr } = await box.run(words, { environment: noInstall });
      assertEquals([code, stdout, commandsIn(stderr)], [2, "", [command]], words.join(" "));
      assertMatch(stderr, /^pakfs: fusermount3 is missing, which mounting needs, and PAKFS_NO_INSTALL is set; run:\n/);
    }
    for (const words of [["ls"], ["mount", "--help"], ["help", "mount"], ["daemon", "--no-mount"], ["--version"]]) {
      assertEquals((await box.run(words)).code, 0, words.join(" "));
    }
  }
});

/** Gives the machine an apt-get that installs `fusermount3` once it has fetched its lists, and a sudo. */
async function addPackages(box: Machine): Promise<void> {
  const fusermount = `${box.programs}/fusermount3`;
  await Promise.all([
    box.install("true", "exit 0"),
    box.install("sudo", `[ "$1" != -n ] || shift; [ "$1" = true ] || echo "as root: $*"; exec "$@"`),
    box.install(
      "apt-get",
      `echo "apt-get $*"
case $1 in
update) : > "${box.programs}/lists" ;;
install) [ -e "${box.programs}/lists" ] || exit 100; echo "exit 1" > "${fusermount}"; chmod 755 "${fusermount}" ;;
esac`,
    ),
    Deno.remove(fusermount),
  ]);
}

Deno.test("the command that is printed without fusermount3 installs it", async () => {
  for (const user of [0, 1000]) {
    await using box = await machine();
    await box.install("deno", argumentPrinter);
    await box.install("id", `echo ${user}`);
    await addPackages(box);
    const { code, stderr } = await box.run(["mount", "-f", "a", "b"], { environment: noInstall });
    const [command = ""] = commandsIn(stderr);
    assertEquals([code, command.startsWith("sudo ")], [2, user !== 0]);
    const remedy = await execute(box, command, noInstall);
    assertEquals(remedy.code, 0, remedy.stderr);
    const after = await box.run(["mount", "-f", "a", "b"], { environment: noInstall });
    assertEquals([after.code, after.stderr], [0, ""]);
  }
});

Deno.test("a user who may not install gets the command to run", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await box.install("apt-get", "exit 9");
  await box.install("id", "echo 1000");
  await box.install("sudo", "exit 1");
  await Deno.remove(`${box.programs}/fusermount3`);
  const { code, stderr } = await box.run(["mount", "a", "b"]);
  assertEquals([code, commandsIn(stderr)], [2, ["sudo sh -c 'apt-get update; apt-get install -y fuse3 libdeflate0'"]]);
});

Deno.test("without a known package manager the launcher says what is missing", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await Deno.remove(`${box.programs}/fusermount3`);
  const { code, stderr } = await box.run(["mount", "a", "b"]);
  assertEquals(code, 2);
  assertEquals(
    stderr,
    "pakfs: fusermount3 is missing, which mounting needs; install it (package fuse3) with your system's package manager\n",
  );
});

Deno.test("FUSE is installed by root, or through sudo, after the package lists", async () => {
  for (const user of [0, 1000]) {
    await using box = await machine();
    await box.install("deno", argumentPrinter);
    await box.install("id", `echo ${user}`);
    await addPackages(box);
    const { code, stderr, args } = await box.run(["mount", "-f", "a", "b"]);
    assertEquals([code, args.slice(-4)], [0, ["mount", "-f", "a", "b"]], stderr);
    const steps = stderr.split("\n").filter((line) => line.startsWith("apt-get") || line.startsWith("pakfs"));
    assertEquals(steps, [
      "pakfs: fusermount3 is missing, which mounting needs",
      "pakfs: installing: sh -c 'apt-get update; apt-get install -y fuse3 libdeflate0'",
      "apt-get update",
      "apt-get install -y fuse3 libdeflate0",
    ]);
    assertEquals(stderr.includes("as root: "), user !== 0);
  }
});

const asRoot = needs("root");

/** Runs a script of the real machine in a namespace of mounts, with the machine's launcher as `$1` and PATH as `$2`. */
async function withOwnMounts(box: Machine, script: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: ["-m", "sh", "-c", script, "sh", `${box.root}/pakfs`, box.programs],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test(
  "a Deno on a disk mounted noexec is named, and not installed again and again",
  needs("root", "curl"),
  async () => {
    await using box = await machine();
    await using registry = await fakeRegistry(box, argumentPrinter);
    await lend(box, "curl");
    const directory = `${box.root}/.tools/bin`;
    await Deno.mkdir(directory);
    const result = await withOwnMounts(
      box,
      `mount -t tmpfs -o noexec none '${directory}'; export NPM_CONFIG_REGISTRY=${registry.url} PATH="$2"
"$1" ls; "$1" ls`,
    );
    assertEquals([result.code, result.stdout], [2, ""]);
    const said = `pakfs: ${directory}/deno does not start: Permission denied; on a disk mounted noexec nothing does. ` +
      "Put Deno 2.9 or newer elsewhere and name it with DENO=PATH\n";
    assertEquals(result.stderr, `pakfs: fetching Deno from ${registry.url}${platformPackage.path}\n${said}${said}`);
  },
);

Deno.test("without /proc, commands that need it print the command that mounts it", asRoot, async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const [words, expected] of [["mount a b", 2], ["daemon", 2], ["demo", 2], ["doctor", 2], ["ls", 0]] as const) {
    const { code, stderr } = await withOwnMounts(box, `mount -t tmpfs none /proc && PATH=$2 && exec "$1" ${words}`);
    assertEquals(code, expected, words);
    if (expected === 0) continue;
    assertEquals(stderr, "pakfs: /proc is missing, which Deno needs; run:\n  mount -t proc proc /proc\n");
    const [remedy] = commandsIn(stderr);
    const script = `mount -t tmpfs none /proc && ${remedy} && PATH=$2 && exec "$1" doctor`;
    assertEquals((await withOwnMounts(box, script)).code, 0);
  }
});

Deno.test("a user who may not open /dev/fuse gets the command that admits them", asRoot, async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await box.install("id", "echo 1000");
  const { code, stdout, stderr } = await withOwnMounts(
    box,
    `mount -t tmpfs none /dev && echo >/dev/fuse && chmod 600 /dev/fuse && chmod -R a+rX "$2/.." &&
cd / && mount --bind "$2/.." /mnt && launcher="/mnt/\${1#"$\{2%/bin}/"}"
try() { setpriv --reuid 65534 --regid 65534 --clear-groups env PATH=/mnt/bin "$launcher" mount -f a b 2>/dev/said; }
: >/dev/said; chmod 666 /dev/said
try; remedy=$(sed -n 's/^  sudo //p' /dev/said); cat /dev/said; $remedy; try`,
  );
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^pakfs: this user may not open \/dev\/fuse; run:\n {2}sudo chmod 0666 \/dev\/fuse\nrun\0/);
});

Deno.test("without HOME, commands that would write into it say what to do", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const words of [["init"], ["service", "install"], ["service", "uninstall"]]) {
    const { code, stdout, stderr } = await box.run(words);
    assertEquals([code, stdout], [2, ""], words.join(" "));
    assertMatch(stderr, /^pakfs: HOME is not set; .*\n$/);
  }
  for (const words of [["init", "--config", "a.toml"], ["help"], ["--version"], ["config"], ["doctor"]]) {
    assertEquals((await box.run(words)).code, 0, words.join(" "));
  }
});
