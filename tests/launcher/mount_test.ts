// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
import { assertEquals, assertMatch } from "@std/assert";
import { needs } from "../support/programs.ts";
import { type Machine, machine, terminalShell, versioned } from "./stubs.ts";

/** A daemon that reports `line` and then runs, quietly, until a signal ends it. */
function reporting(line: string): string {
  return versioned(
    "2.9.6",
    `for last; do :; done
trap 'echo ended > "$last"; exit' TERM
echo "$$" > "$last"
echo "! descriptor $PAKFS_READY_FD, arguments $*" >&3
echo ${line} >&3
exec 3>&-
while :; do sleep 0.05; done`,
  );
}

/** Waits until the text of `path` matches `text`; fails after a long timeout. */
async function becomes(path: string, text: RegExp): Promise<string> {
  let found = "";
  for (let attempt = 0; attempt < 6000; attempt++) {
    found = await Deno.readTextFile(path).catch(() => "");
    if (text.test(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${path} never became ${text}: ${found}`);
}

async function endDaemon(box: Machine): Promise<void> {
  const pid = Number(await becomes(`${box.root}/pid`, /^\d+\n/));
  Deno.kill(pid, "SIGTERM");
  await becomes(`${box.root}/pid`, /^ended/);
}

Deno.test("mount returns the daemon's code while the daemon lives on", async () => {
  await using box = await machine();
  for (const [line, code] of [["0 /a/socket", 0], ["0", 0], ["1", 1], ["2", 2], ["nonsense", 1]] as const) {
    await box.install("deno", reporting(line));
    // Reading the output to its end also shows that the daemon does not keep it open.
    const result = await box.run(["mount", "/a b", `${box.root}/pid`]);
    assertEquals(result.code, code, line);
    assertMatch(result.stderr, /^descriptor 3, arguments run --quiet .*\/daemon\/main\.ts mount \/a b /);
    // The daemon may have to name a socket after its process, and may then use only that one.
    const pid = (await becomes(`${box.root}/pid`, /^\d+\n/)).trim();
    assertMatch(result.stderr, new RegExp(`,unix:\\S+/pakfs-${pid}\\.sock `));
    await endDaemon(box);
  }
});

Deno.test("mount works in every shell there is, and without setsid", async () => {
  await using box = await machine();
  await box.install("deno", reporting("0"));
  for (const shell of [["/bin/dash"], ["/bin/bash"], ["/bin/busybox", "ash"], ["/usr/bin/busybox", "ash"]]) {
    if (!await Deno.stat(shell[0] ?? "").then(() => true, () => false)) continue;
    const { code } = await box.run(["mount", "a", `${box.root}/pid`], { shell });
    assertEquals(code, 0, shell.join(" "));
    await endDaemon(box);
  }
  await Deno.remove(`${box.programs}/setsid`);
  assertEquals((await box.run(["mount", "a", `${box.root}/pid`])).code, 0);
  await endDaemon(box);
});

Deno.test("mount fails if the daemon dies before it has reported", async () => {
  await using box = await machine();
  for (const script of ["exit 0", "exit 7", "kill -9 $$", "exec 3>&-; exit 0"]) {
    await box.install("deno", versioned("2.9.6", script));
    assertEquals((await box.run(["mount", "a", "b"])).code, 1, script);
  }
});

Deno.test("mount passes on the daemon's messages, and gives it no standard input", async () => {
  await using box = await machine();
  const says = 'cat; echo "~ indexing" >&3; echo "! a problem" >&3; echo "! another" >&3; echo 2 >&3';
  await box.install("deno", versioned("2.9.6", says));
  const { code, stdout, stderr } = await box.run(["mount", "a", "b"]);
  assertEquals([code, stdout, stderr], [2, "", "a problem\nanother\n"]);
});

Deno.test("what else the daemon prints goes to its log, and a start without a word names that log", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", "echo out; echo broken >&2"));
  const state = `${box.root}/state`;
  const cache = `${box.root}/.tools/cache/v8_code_cache_v2`;
  await Promise.all([cache, `${cache}-wal`].map((path) => Deno.writeTextFile(path, "damaged")));
  const { code, stdout, stderr } = await box.run(["mount", "a", "b"], { environment: { XDG_STATE_HOME: state } });
  const log = `${state}/pakfs/pakfs.log`;
  assertEquals([code, stdout, stderr], [1, "", `pakfs: the daemon ended before it answered; ${log} may say why\n`]);
  assertEquals(await Deno.readTextFile(log), "out\nbroken\n");
  // Deno may have run cached code.
  const kept = await Array.fromAsync(Deno.readDir(`${box.root}/.tools/cache`));
  assertEquals(kept.map(({ name }) => name).sort(), ["fetched_packages"]);
});

Deno.test("where no log can be written, a daemon that ends without a word names what shows it", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", "exit 1"));
  for (const environment of [{}, { HOME: "/dev/null/home" }] as Record<string, string>[]) {
    const { code, stderr } = await box.run(["mount", "a", "b"], { environment });
    const said = "pakfs: the daemon ended before it answered; its log cannot be written; pakfs mount -f shows it\n";
    assertEquals([code, stderr], [1, said]);
  }
});

Deno.test("mount -f and daemon stay in the foreground and report to no launcher", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", 'echo "ready=$PAKFS_READY_FD"; exit 5'));
  for (const words of [["mount", "-f", "a", "b"], ["mount", "a", "b", "--foreground"], ["daemon"]]) {
    const { code, stdout } = await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } });
    assertEquals([code, stdout], [5, "ready=\n"], words.join(" "));
  }
});

/** A Deno whose daemon answers at `/a b/its.sock`, and whose client prints its arguments. */
const demoDeno = versioned(
  "2.9.6",
  `for argument; do
  case $argument in
  */daemon/main.ts) echo "0 /a b/its.sock" >&3; exit ;;
  */repl/main.ts) shift "$position"; echo "client: $*"; exit "$CLIENT_CODE" ;;
  --allow-net* | --allow-run*) echo "$argument" ;;
  esac
  position=$((position + 1))
done`,
).replace("for argument;", "position=1\nfor argument;");

const tour = ["--allow-net=unix:/a b/its.sock", "--allow-run=ls,grep", "client: --socket /a b/its.sock tour"];

Deno.test("demo mounts, then shows the tour, and without a terminal ends there", async () => {
  await using box = await machine();
  await box.install("deno", demoDeno);
  for (const code of [0, 1]) {
    const result = await box.run(["demo", "dir"], {
      environment: { PAKFS_NO_INSTALL: "1", CLIENT_CODE: String(code) },
    });
    assertEquals([result.code, sorted(result.stdout)], [code, tour], result.stderr);
  }
});

Deno.test("demo opens the REPL on a terminal", needs("python3"), async () => {
  await using box = await machine();
  await box.install("deno", demoDeno);
  const result = await box.run(["demo"], {
    shell: await terminalShell(box),
    environment: { PAKFS_NO_INSTALL: "1", CLIENT_CODE: "0" },
  });
  assertEquals(result.code, 0);
  // The REPL runs a shell for input after a |, and the pager.
  const programs = [`${box.root}/system/reader`, `${box.root}/formats/unpacking/unpacker`];
  const repl = [`--allow-run=sh,cat,ls,fusermount3,${programs.join(",")}`, "client: --socket /a b/its.sock repl"];
  assertEquals(sorted(result.stdout), [tour[0], ...tour, ...repl].sort());
});

Deno.test("demo passes on that the daemon has failed", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", `echo "! not empty" >&3; echo 1 >&3`));
  const result = await box.run(["demo"], { environment: { PAKFS_NO_INSTALL: "1" } });
  assertEquals([result.code, result.stdout, result.stderr], [1, "", "not empty\n"]);
});

/** The lines of an output as a set: the permissions of daemon and client may come in any order. */
function sorted(stdout: string): string[] {
  return stdout.split(/\r?\n/).filter((line) =>
    line !== "" && !line.startsWith("--allow-run=fusermount3,") && !/-\d+\.sock/.test(line)
  )
    .sort();
}

Deno.test("giving up waiting ends the daemon that was being waited for", async () => {
  await using box = await machine();
  const pidFile = `${box.root}/pid`;
  await box.install(
    "deno",
    versioned(
      "2.9.6",
      `trap 'echo ended > "${pidFile}"; exit' TERM; echo $$ > "${pidFile}"; while :; do sleep 0.05; done`,
    ),
  );
  // Sends the signal to every process of the launcher's group, as a terminal does.
  await box.install("in-group", `exec setsid sh "$@"`);
  const child = box.start(["mount", "a", "b"], { shell: [`${box.programs}/in-group`] });
  await becomes(pidFile, /^\d+\n/);
  Deno.kill(-child.pid, "SIGINT");
  await becomes(pidFile, /^ended/);
  assertEquals((await child.output()).success, false);
});

Deno.test({
  name: "without /dev/fuse, mounting fails with a sentence",
  // Hiding /dev takes a separate mount namespace.
  ...needs("root"),
  fn: async () => {
    await using box = await machine();
    await box.install("deno", versioned("2.9.6", "exit 9"));
    await box.install(
      "without-fuse",
      `exec /usr/bin/unshare -m sh -c '/bin/mount -t tmpfs none /dev; exec sh "$@"' sh "$@"`,
    );
    const { code, stderr } = await box.run(["mount", "a", "b"], { shell: [`${box.programs}/without-fuse`] });
    assertEquals(code, 2, stderr);
    assertEquals(
      stderr.split("\n").filter((line) => line.includes("/dev/fuse does not exist")),
      [
        "pakfs: /dev/fuse does not exist; load the kernel's module (modprobe fuse), " +
        "or start the container with --device /dev/fuse --cap-add SYS_ADMIN",
      ],
    );
  },
});
