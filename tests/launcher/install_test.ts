// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { argumentPrinter, commandsIn, machine, versioned } from "./stubs.ts";

const noInstall = { PAKFS_NO_INSTALL: "1" };

/** Prints a script that writes a Deno stub to the path in shell word `path`. */
function writesDeno(path: string): string {
  return `mkdir -p "\${${path}%/*}"; cat > "$${path}" <<'STUB'\n#!/bin/sh\n${argumentPrinter}\nSTUB\nchmod 755 "$${path}"`;
}

Deno.test("without Deno and without installing, one command is printed", async () => {
  await using box = await machine();
  for (const words of [["ls"], ["mount", "a", "b"], ["test"], []]) {
    const { code, stdout, stderr } = await box.run(words, { environment: noInstall });
    assertEquals([code, stdout], [2, ""]);
    assertEquals(commandsIn(stderr), [
      `curl -fsSL https://deno.land/install.sh | DENO_INSTALL='${box.root}/.tools' sh -s -- --no-modify-path v2.9.6`,
    ]);
    assertMatch(stderr, /^pakfs: Deno 2\.9 or newer was not found, and PAKFS_NO_INSTALL is set; run:\n/);
  }
  await box.install("npm", "exit 9");
  const { code, stderr } = await box.run(["ls"], { environment: noInstall });
  assertEquals(code, 2);
  assertEquals(commandsIn(stderr), [`npm install --ignore-scripts --prefix '${box.root}/.tools' deno@2.9.6`]);
});

Deno.test("with nothing to fetch Deno with, the launcher says so", async () => {
  await using box = await machine();
  const { code, stderr } = await box.run(["ls"]);
  assertEquals(code, 2);
  assertMatch(stderr, /^pakfs: Deno 2\.9 or newer was not found, nor npm or curl to get it with; .*\n$/);
});

Deno.test("Deno is installed with npm, once", async () => {
  await using box = await machine();
  await box.install(
    "npm",
    `echo called; [ "$1" = install ] && [ "$2" = --prefix ] || exit 9
for last; do :; done; [ "$last" = deno@2.9.6 ] || exit 9
binary="$3/node_modules/@deno/linux-x64-glibc/deno"; ${writesDeno("binary")}`,
  );
  const first = await box.run(["ls", "x"]);
  assertEquals(first.code, 0, first.stderr);
  assertStringIncludes(first.stderr, `pakfs: installing Deno 2.9.6 into ${box.root}/.tools with npm\ncalled\n`);
  assertEquals(first.args.slice(-2), ["ls", "x"]);
  assertEquals(
    await Array.fromAsync(Deno.readDir(`${box.root}/.tools`), (entry) => entry.name).then((names) => names.sort()),
    [
      "cache",
      "node_modules",
    ],
  );

  const second = await box.run(["ls", "x"], { environment: noInstall });
  assertEquals([second.code, second.stderr, second.args], [0, "", first.args]);
});

Deno.test("Deno's own installer is the way where npm fails", async () => {
  await using box = await machine();
  await box.install("npm", "echo no registry >&2; exit 1");
  await box.install(
    "curl",
    `[ "$2" = https://deno.land/install.sh ] || exit 9
cat <<'SCRIPT'
[ "$2" = v2.9.6 ] || exit 9
binary="$DENO_INSTALL/bin/deno"
${writesDeno("binary").replaceAll("STUB", "INNER")}
SCRIPT`,
  );
  const { code, stderr, args } = await box.run(["ls"]);
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /with npm\nno registry\npakfs: installing Deno .* with https:\/\/deno\.land\/install\.sh\n/);
  assertEquals(args.at(-1), "ls");
});

Deno.test("where nothing installs Deno, the launcher fails with a sentence", async () => {
  await using box = await machine();
  await box.install("npm", "exit 1");
  await box.install("curl", "exit 6");
  const { code, stderr } = await box.run(["ls"]);
  assertEquals(code, 2);
  assertMatch(stderr, /pakfs: Deno could not be installed; .*\n$/);
  await box.install("deno", versioned("2.8.4", "exit 9"), `${box.root}/.tools/bin`);
  const older = await box.run(["ls"]);
  assertEquals(older.code, 2);
  assertMatch(older.stderr, /pakfs: Deno could not be installed; .*\n$/);
});

Deno.test("a Deno that is too old or broken is passed over", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter, `${box.root}/.tools/node_modules/@deno/linux-arm64-glibc`);
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
  assertEquals(refused.stderr, `pakfs: DENO is set to ${box.root}/none, which is not Deno 2.9 or newer\n`);
});

const managers: [string, string][] = [
  ["apt-get", "apt-get install -y fuse3 libdeflate0"],
  ["dnf", "dnf install -y fuse3 fuse3-libs libdeflate"],
  ["pacman", "pacman -S --needed --noconfirm fuse3 libdeflate"],
  ["zypper", "zypper --non-interactive install fuse3 libdeflate0"],
  ["apk", "apk add fuse3 fuse3-libs libdeflate"],
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

Deno.test("a user who may not install gets the command to run", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await box.install("apt-get", "exit 9");
  await box.install("id", "echo 1000");
  await box.install("sudo", "exit 1");
  await Deno.remove(`${box.programs}/fusermount3`);
  const { code, stderr } = await box.run(["mount", "a", "b"]);
  assertEquals([code, commandsIn(stderr)], [2, ["sudo apt-get install -y fuse3 libdeflate0"]]);
});

Deno.test("without a known package manager the launcher says what is missing", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await Deno.remove(`${box.programs}/fusermount3`);
  const { code, stderr } = await box.run(["mount", "a", "b"]);
  assertEquals(code, 2);
  assertEquals(
    stderr,
    "pakfs: fusermount3 is missing; install it (package fuse3) with your system's package manager\n",
  );
});

Deno.test("FUSE is installed by root, or through sudo, with package lists fetched if need be", async () => {
  for (const user of [0, 1000]) {
    await using box = await machine();
    const fusermount = `${box.programs}/fusermount3`;
    await Promise.all([
      box.install("deno", argumentPrinter),
      box.install("id", `echo ${user}`),
      box.install("sudo", `[ "$1" = -n ] || exit 9; shift; [ "$1" = true ] || echo "as root: $*"; "$@"`),
      box.install("true", "exit 0"),
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
    const { code, stderr, args } = await box.run(["mount", "-f", "a", "b"]);
    assertEquals([code, args.slice(-4)], [0, ["mount", "-f", "a", "b"]], stderr);
    const steps = stderr.split("\n").filter((line) => line.startsWith("apt-get") || line.startsWith("pakfs"));
    assertEquals(steps, [
      "pakfs: fusermount3 is missing, which mounting needs",
      "pakfs: installing: apt-get install -y fuse3 libdeflate0",
      "apt-get install -y fuse3 libdeflate0",
      "apt-get update",
      "apt-get install -y fuse3 libdeflate0",
    ]);
    assertEquals(stderr.includes("as root: "), user !== 0);
  }
});

const asRoot = { ignore: Deno.uid() !== 0 };

Deno.test("a Deno on a disk mounted noexec is named, and not installed again and again", asRoot, async () => {
  await using box = await machine();
  await box.install("npm", "echo called >&2; exit 1");
  const directory = `${box.root}/.tools/bin`;
  await Deno.mkdir(directory);
  await box.install("deno", argumentPrinter);
  const script = `mount -t tmpfs -o noexec none "$1/.tools/bin" && cp "$2/deno" "$1/.tools/bin/deno" &&
chmod 755 "$1/.tools/bin/deno" && rm "$2/deno" && PATH=$2 && exec "$1/pakfs" ls`;
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: ["-m", "sh", "-c", script, "sh", box.root, box.programs],
    stdin: "null",
  }).output();
  assertEquals([code, new TextDecoder().decode(stdout)], [2, ""]);
  const said = new TextDecoder().decode(stderr);
  assertEquals(
    said,
    `pakfs: ${directory}/deno may not be started: is its disk mounted noexec? Put Deno elsewhere and name it with DENO=PATH\n`,
  );
});

Deno.test("without /proc, commands that need it say so", asRoot, async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const [words, expected] of [["mount a b", 2], ["daemon", 2], ["demo", 2], ["doctor", 2], ["ls", 0]] as const) {
    const script = `mount -t tmpfs none /proc && PATH=$2 && exec "$1/pakfs" ${words}`;
    const { code, stderr } = await new Deno.Command("unshare", {
      args: ["-m", "sh", "-c", script, "sh", box.root, box.programs],
      stdin: "null",
    }).output();
    assertEquals(code, expected, words);
    if (expected === 0) continue;
    const said = new TextDecoder().decode(stderr);
    assertEquals(said, "pakfs: /proc is missing, which Deno needs; run:\n  sudo mount -t proc proc /proc\n");
  }
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
