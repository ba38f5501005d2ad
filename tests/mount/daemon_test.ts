import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { isRunning, mountsBelow, output, until, type Workspace, workspace } from "./mounting.ts";

async function installations(here: Workspace): Promise<void> {
  await writeFiles(here.path, {
    "quake/id1/pak0.pak": pak([["a.txt", "from a PAK"]]),
    "quake/mod/a.txt": "from a mod",
    "oa/baseoa/pak0.pk3": zip([{ name: "b.txt", content: "from a pk3" }]),
    "config/pakfs/config.toml": `mount = "../../mnt"

[[game]]
name = "one"
sources = ["../../quake"]

[[game]]
profile = "ioquake3"
sources = ["../../oa"]
`,
  });
}

Deno.test("the daemon serves every game of its configuration until it is to end", async () => {
  await using here = await workspace();
  await installations(here);
  const { pid, finished } = await here.foreground("daemon");
  assertEquals(await output("ls", here.mountPoint), "oa\none\n");
  assertEquals(await output("cat", `${here.mountPoint}/one/id1/a.txt`), "from a PAK");
  assertEquals(await output("cat", `${here.mountPoint}/one/mod/a.txt`), "from a mod");
  assertEquals(await output("cat", `${here.mountPoint}/oa/baseoa/b.txt`), "from a pk3");
  const status = await here.status();
  assertEquals([status.pid, status.games, status.views, status.mount], [pid, 2, 3, here.mountPoint]);
  const games = await here.pakfs("games", "--json");
  assertEquals(games.stdout.trim().split("\n").map((line) => JSON.parse(line).game), ["one", "oa"]);
  Deno.kill(pid, "SIGTERM");
  const { code, stdout, stderr } = await finished;
  assertEquals([code, stdout.length], [0, 0]);
  assertStringIncludes(stderr, `mounted at ${here.mountPoint}; socket ${here.socket}`);
  assertEquals(await mountsBelow(here.path), []);
  assertEquals(isRunning(pid), false);
});

Deno.test("--no-mount answers commands only, --mount mounts elsewhere", async () => {
  await using here = await workspace();
  await installations(here);
  {
    const { finished } = await here.foreground("daemon", "--no-mount");
    assertEquals((await here.status()).mount, null);
    assertEquals(await mountsBelow(here.path), []);
    const read = await here.pakfs("cat", "--view", "one/mod", "a.txt");
    assertEquals([read.code, read.stdout], [0, "from a mod"]);
    assertEquals((await here.pakfs("stop")).code, 0);
    assertEquals((await finished).code, 0);
  }
  await Deno.mkdir(`${here.path}/elsewhere`);
  const { finished } = await here.foreground("daemon", "--mount", `${here.path}/elsewhere`);
  assertEquals(await mountsBelow(here.path), [`${here.path}/elsewhere`]);
  assertEquals((await here.pakfs("stop")).code, 0);
  assertEquals((await finished).code, 0);
});

Deno.test("the configuration may name the socket", async () => {
  await using here = await workspace();
  await installations(here);
  const config = `${here.path}/other.toml`;
  await Deno.writeTextFile(config, 'socket = "own/daemon.sock"\n[[game]]\nsources = ["quake"]\n');
  const socket = `${here.path}/own/daemon.sock`;
  const finished = here.pakfs("daemon", "--config", config, "--no-mount");
  await until("it answers there", async () => (await here.pakfs("status", "--socket", socket)).code === 0);
  assertEquals((await here.pakfs("stop", "--socket", socket)).code, 0);
  assertEquals((await finished).code, 0);
});

Deno.test("what is wrong with the configuration or the command is said, with the exit code that it has", async () => {
  await using here = await workspace();
  await installations(here);
  await writeFiles(here.path, {
    "typo.toml": '[[game]]\nsource = ["quake"]\n',
    "mod.toml": '[[game]]\nsources = ["quake"]\nmods = ["hipnotci"]\n',
    "unmounted.toml": '[[game]]\nsources = ["quake"]\n',
  });
  const cases: [code: number, message: RegExp, ...parameters: string[]][] = [
    [
      1,
      /typo\.toml, line 2: unknown key game\.source; did you mean sources\?\n$/,
      "--config",
      `${here.path}/typo.toml`,
    ],
    [
      1,
      /\/none\.toml does not exist; create it with at least:/,
      "--config",
      `${here.path}/none.toml`,
    ],
    [1, /unknown game directory hipnotci in/, "--no-mount", "--config", `${here.path}/mod.toml`],
    [2, /no mount point; give --mount DIR or --no-mount/, "--config", `${here.path}/unmounted.toml`],
    [2, /daemon takes no arguments, not words/, "words"],
    [2, /unknown option --confg; did you mean --config\?/, "--confg", "x"],
  ];
  for (const [code, message, ...parameters] of cases) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    const result = await here.pakfs("daemon", ...parameters);
    assertEquals([result.code, result.stdout], [code, ""], result.stderr);
    assertMatch(result.stderr, message);
  }
  assertEquals(await mountsBelow(here.path), []);
});
