// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connectSocket } from "../../protocol/client.ts";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { isRunning, mountsBelow, output, run, until, type Workspace, workspace } from "./mounting.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

const quake = `[[game]]
name = "one"
sources = ["../../quake"]
`;
const openArena = `[[game]]
profile = "ioquake3"
sources = ["../../oa"]
`;

/** Installations of two games. */
async function installations(here: Workspace): Promise<void> {
  await writeFiles(here.path, {
    "quake/id1/pak0.pak": pak([["a.txt", "from a PAK"], ["big.txt", "x".repeat(3_000_000)]]),
    "quake/mod/a.txt": "from a mod",
    "oa/baseoa/pak0.pk3": zip([{ name: "b.txt", content: "from a pk3" }]),
  });
}

async function configure(here: Workspace, text: string): Promise<void> {
  await writeFiles(here.path, { "config/pakfs/config.toml": `mount = "../../mnt"\n\n${text}` });
}

/** Starts `pakfs daemon` without a terminal, and waits until it answers. */
async function start(here: Workspace) {
  const child = new Deno.Command("setsid", {
    args: [launcher, "daemon"],
    env: here.environment,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const log = child.stderr.pipeThrough(new TextDecoderStream());
  let logged = "";
  const reading = (async () => {
    for await (const text of log) logged += text;
  })();
  await until("the daemon answers", async () => (await here.pakfs("status")).code === 0);
  const { pid } = await here.status();
  return { pid, log: () => logged, ended: Promise.all([child.status, reading]) };
}

Deno.test("a reload changes the games of a running mount, and harms nothing that stays", async () => {
  await using here = await workspace("events");
  await installations(here);
  await configure(here, quake);
  const { pid, ended, log } = await start(here);
  assertEquals(await output("ls", here.mountPoint), "one\n");
  // A file is open, and half of it read, while the games around it change.
  const reader = new Deno.Command("sh", {
    args: ["-c", 'exec 3<"$1"; head -c 1000000 <&3; read -r line; cat <&3', "sh", `${here.mountPoint}/one/id1/big.txt`],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const read = reader.stdout.pipeThrough(new TextDecoderStream());
  let bytes = "";
  const reading = (async () => {
    for await (const text of read) bytes += text;
  })();
  await until("the file is half read", () => Promise.resolve(bytes.length === 1_000_000));
  await using client = await connectSocket(here.socket, { client: "test" });
  const events = await client.subscribe({});

  await configure(here, openArena + quake + "strict = true\n");
  const result = await here.pakfs("reload", "--json");
  assertEquals([result.code, result.stderr], [0, ""]);
  const { config, packs, files, needsRestart } = JSON.parse(result.stdout);
  assertEquals([config, needsRestart], [`${here.path}/config/pakfs/config.toml`, []]);
  // A pack is a file of its directory, too.
  assertEquals([packs, files], [{ added: 1, removed: 0, changed: 0 }, { added: 2, removed: 0, changed: 0 }]);
  assertEquals(await output("ls", here.mountPoint), "oa\none\n");
  assertEquals(await output("cat", `${here.mountPoint}/oa/baseoa/b.txt`), "from a pk3");
  assertEquals(await output("cat", `${here.mountPoint}/one/mod/a.txt`), "from a mod");
  const event = await events.next();
  assert(!event.done);
  assertEquals(event.value.views.map(({ view, change }) => [view, change]), [["oa/baseoa", "added"]]);
  const writer = reader.stdin.getWriter();
  await writer.write(new TextEncoder().encode("\n"));
  await writer.close();
  await Promise.all([reading, reader.status]);
  assertEquals(bytes, "x".repeat(3_000_000));

  // The new game is watched like the games configured at the start.
  await writeFiles(here.path, { "oa/baseoa/new.txt": "new" });
  await until(
    "a change is seen",
    async () => (await run("cat", [`${here.mountPoint}/oa/baseoa/new.txt`])).stdout === "new",
  );

  // SIGHUP has the same effect; the removed game has left the mount.
  await configure(here, openArena);
  Deno.kill(pid, "SIGHUP");
  await until("the game is gone", async () => (await output("ls", here.mountPoint)) === "oa\n");
  assertMatch((await run("cat", [`${here.mountPoint}/one/id1/a.txt`])).stderr, /No such file/);
  assertEquals((await here.status()).pid, pid);
  await here.stop();
  await ended;
  assertStringIncludes(log(), "configuration reloaded; games: 1");
});

Deno.test("a configuration that is wrong is reported, and the old one stays", async () => {
  await using here = await workspace();
  await installations(here);
  await configure(here, quake);
  const { ended, log, pid } = await start(here);
  const wrong: [string, RegExp][] = [
    [quake + 'sauces = ["x"]\n', /config\.toml, line 6: .*sauces/],
    [quake + 'mods = ["absent"]\n', /unknown game directory absent/],
    [`[[game]]\nsources = ["../.."]\n`, /mnt is inside .*contain itself/],
    [`[[game]]\nsources = ["../../mnt/one"]\n`, /is inside .*mnt, and the mount would hide it/],
    ["[[game]\n", /config\.toml, line 3: /],
  ];
  for (const [text, reason] of wrong) {
    await configure(here, text);
    const { code, stderr } = await here.pakfs("reload");
    assertEquals(code, 1, text);
    assertMatch(stderr, reason);
    const { problems } = await here.status();
    assert(problems.some((problem) => /^configuration not reloaded: /.test(problem) && reason.test(problem)), text);
    assertEquals(await output("cat", `${here.mountPoint}/one/id1/a.txt`), "from a PAK");
  }
  Deno.kill(pid, "SIGHUP");
  await until("the log has it", () => Promise.resolve(log().split("line 3").length > 2));
  await configure(here, `socket = "${here.path}/other.sock"\ncache = "1M"\nwatch = false\n${quake}`);
  const { code, stderr } = await here.pakfs("reload");
  assertEquals(code, 0);
  assertMatch(stderr, /socket: changed to .*other\.sock, but .* stays in use; restart the daemon/);
  assertMatch(stderr, /cache: changed to 1048576, but .* stays in use; restart the daemon/);
  assertEquals((await here.status()).problems.length, 2);
  await configure(here, quake);
  assertEquals((await here.pakfs("reload", "-q")).stderr, "");
  assertEquals((await here.status()).problems, []);
  await here.stop();
  await ended;
});

Deno.test("SIGHUP does not end a mount in the background: its profile is read again", async () => {
  await using here = await workspace();
  await installations(here);
  const profile = (engine: string) => `[[profile]]\nname = "own"\nextends = "quake"\nengine = "${engine}"\n`;
  await writeFiles(here.path, { "config/pakfs/config.toml": profile("first") });
  await here.mount("--profile", "own", `${here.path}/quake`);
  const { pid } = await here.status();
  await writeFiles(here.path, { "config/pakfs/config.toml": "oops" });
  Deno.kill(pid, "SIGHUP");
  await until("it is a problem", async () => (await here.status()).problems.some((line) => /not reloaded/.test(line)));
  await writeFiles(here.path, { "config/pakfs/config.toml": profile("second") });
  Deno.kill(pid, "SIGHUP");
  await until("it is well", async () => (await here.status()).problems.length === 0);
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/a.txt`), "from a PAK");
  await here.stop();
});

Deno.test("a daemon starts without the disk of a game, says so, and shows the game when the disk is there", async () => {
  await using here = await workspace("events");
  await installations(here);
  await configure(here, quake.replace("../../quake", "../../disk/quake") + openArena);
  const { ended, log } = await start(here);
  assertEquals(await output("ls", here.mountPoint), "oa\none\n");
  assertEquals(await output("ls", `${here.mountPoint}/one`), "");
  const { problems, watch } = await here.status();
  assertEquals(problems, [`${here.path}/disk/quake is missing; it appears once it is available`]);
  assertEquals(watch.map(({ path, mode }) => [path.slice(here.path.length), mode]), [
    ["/disk/quake", "missing"],
    ["/oa", "events"],
  ]);
  assertStringIncludes(log(), "disk/quake is missing");
  await Deno.mkdir(`${here.path}/disk`);
  await Deno.rename(`${here.path}/quake`, `${here.path}/disk/quake`);
  const isThere = async () => (await run("cat", [`${here.mountPoint}/one/mod/a.txt`])).stdout === "from a mod";
  await until("the game is shown", isThere);
  await until("it is no problem any more", async () => (await here.status()).problems.length === 0);
  await here.stop();
  await ended;
  // A typed path means the existing directory.
  const { code, stderr } = await here.pakfs("mount", `${here.path}/oa`, `${here.path}/dsik`, here.mountPoint);
  assertEquals(code, 1);
  assertMatch(stderr, /dsik does not exist/);
});

Deno.test("a mount that shows one archive alone keeps showing it, and a reload says so", async () => {
  await using here = await workspace();
  await installations(here);
  const alone = `[[game]]\nsources = ["../../oa/baseoa/pak0.pk3"]\n`;
  await configure(here, alone);
  const { ended } = await start(here);
  assertEquals(await output("ls", here.mountPoint), "b.txt\n");
  await configure(here, alone + quake);
  const { stderr } = await here.pakfs("reload");
  assertMatch(stderr, /the mount still shows pak0\/pak0\.pk3 only; restart the daemon/);
  assertEquals((await here.pakfs("cat", "--view", "one/mod", "a.txt")).stdout, "from a mod");
  assertEquals(await output("ls", here.mountPoint), "b.txt\n");
  await configure(here, quake);
  assertMatch((await here.pakfs("reload")).stderr, /unknown view pak0\/pak0\.pk3/);
  assertEquals((await here.pakfs("cat", "--view", "pak0", "b.txt")).stdout, "from a pk3", "the old one stays");
  await here.stop();
  await ended;
});

/** Starts a program on a terminal of its own, waits for a line, and closes the terminal. */
const terminal = `
import os, pty, sys
pid, master = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
print(pid, flush=True)
sys.stdin.readline()
os.close(master)
if sys.argv[1] != "nohup":
    os.waitpid(pid, 0)
    print("ended", flush=True)
`;

Deno.test(
  "a daemon in the foreground ends, and takes its mount along, when its terminal is closed",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await installations(here);
    await configure(here, quake);
    const child = new Deno.Command("python3", {
      args: ["-c", terminal, launcher, "daemon"],
      env: here.environment,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    await until("the daemon answers", async () => (await here.pakfs("status")).code === 0);
    const { pid } = await here.status();
    assertEquals((await mountsBelow(here.path)).length, 1);
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("\n"));
    await writer.close();
    const { stdout } = await child.output();
    assertEquals(new TextDecoder().decode(stdout), `${pid}\nended\n`);
    assertEquals([await mountsBelow(here.path), isRunning(pid)], [[], false]);
  },
);

Deno.test("with nohup a daemon outlives its terminal", needs("python3"), async () => {
  await using here = await workspace();
  await installations(here);
  await configure(here, quake);
  const child = new Deno.Command("python3", {
    args: ["-c", terminal, "nohup", launcher, "daemon"],
    env: here.environment,
    cwd: here.path,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  await until("the daemon answers", async () => (await here.pakfs("status")).code === 0);
  const { pid } = await here.status();
  await configure(here, openArena);
  await child.stdin.close();
  await child.output();
  // Apart from the terminal's end, SIGHUP only reloads.
  Deno.kill(pid, "SIGHUP");
  await until("the other game is there", async () => (await output("ls", here.mountPoint)) === "oa\n");
  assertEquals((await here.status()).pid, pid);
  await here.stop();
});
