// deno-lint-ignore-file no-await-in-loop -- commands run one after another
/** Several mounts by one daemon: each `pakfs mount` joins the running one. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connectSocket } from "../../protocol/client.ts";
import { errorCodes } from "../../protocol/messages.ts";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { serveLines } from "../repl/fake_server.ts";
import { settle } from "../support/settle.ts";
import { isRunning, mountsBelow, output, run, until, type Workspace, workspace } from "./mounting.ts";

/** Two installations of Quake in directories of one name, and one of Quake II. */
async function games(here: Workspace): Promise<void> {
  await writeFiles(here.path, {
    "one/quake/id1/pak0.pak": pak([["a.txt", "one"], ["big.txt", "x".repeat(3_000_000)]]),
    "one/quake/mod/a.txt": "mod of one",
    "two/quake/id1/pak0.pak": pak([["a.txt", "two"]]),
    "q2/baseq2/pak0.pak": pak([["a.txt", "q2"], ["maps/b.bsp", "map"]]),
    "config/pakfs/config.toml": `mount = "../../mnt"\n[[game]]\nname = "configured"\nsources = ["../../q2"]\n`,
    "b/": "",
    "c/": "",
  });
}

/** Runs a command that must succeed; returns its output. */
async function asked(here: Workspace, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await here.pakfs(...words);
  assertEquals(code, 0, `${words.join(" ")}: ${stderr}`);
  return stdout;
}

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

Deno.test("a second mount joins the daemon that runs: all commands know both, and it ends with the last", async () => {
  await using here = await workspace();
  await games(here);
  const [first, second] = [here.mountPoint, `${here.path}/b`];
  await here.mount(`${here.path}/one/quake`);
  const { pid } = await here.status();
  const reader = new Deno.Command("sh", {
    args: ["-c", 'exec 3<"$1"; head -c 1000000 <&3; read -r line; cat <&3', "sh", `${first}/quake/id1/big.txt`],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reading = new Response(reader.stdout).text();

  const joined = await here.pakfs("mount", `${here.path}/q2`, second);
  assertEquals([joined.code, joined.stdout], [0, ""]);
  assertMatch(joined.stderr, /^mounted q2 at \S+\/b: 1 view, 1 pack, 3 files; to unmount: pakfs unmount \S+\/b$/m);
  assertEquals(await output("ls", first, second), `${second}:\nq2\n\n${first}:\nquake\n`);
  assertEquals(await output("cat", `${second}/q2/baseq2/a.txt`, `${first}/quake/mod/a.txt`), "q2mod of one");
  const { mounts, mount, games: count, pid: serving } = await here.status();
  assertEquals([serving, mount, count, mounts.map(({ mount }) => mount)], [pid, first, 2, [first, second]]);
  assertEquals(lines(await asked(here, "views", "--json")).map((line) => JSON.parse(line).view), [
    "quake/id1",
    "quake/mod",
    "q2/baseq2",
  ]);
  assertEquals(await asked(here, "cat", "a.txt", "--view", "q2"), "q2");
  assertEquals(
    await asked(here, "-c", "use quake/mod", "-c", "cat a.txt", "-c", "use q2", "-c", "ls maps"),
    "mod of oneb.bsp\n",
  );
  assertEquals(await asked(here, "open", "maps/b.bsp", "--view", "q2"), `${second}/q2/baseq2/maps/b.bsp\n`);
  assertMatch(await asked(here, "mounts"), /mnt +quake +2 +1 +4\n.*\/b +q2 +1 +1 +3\n/);
  assertStringIncludes(await asked(here, "complete", "mount", ""), second);

  const writer = reader.stdin.getWriter();
  await writer.write(new TextEncoder().encode("\n"));
  await writer.close();
  assertEquals(await reading, "x".repeat(3_000_000), "a file that was open while another mount joined");
  await reader.status;

  assertEquals(await asked(here, "unmount", first), "");
  assertEquals([await mountsBelow(here.path), isRunning(pid)], [[second], true]);
  assertEquals(lines(await asked(here, "views")).length, 2, "only those of the other game are left");
  assertEquals(await output("cat", `${second}/q2/baseq2/a.txt`), "q2");
  await asked(here, "unmount", second);
  await until("the daemon has ended", () => !isRunning(pid));
  assertEquals(await mountsBelow(here.path), []);
});

Deno.test("games of one name get names of their own and keep them, and each mount has its own options", async () => {
  await using here = await workspace();
  await games(here);
  await here.mount(`${here.path}/one/quake`);
  const second = await here.pakfs(
    "mount",
    "-o",
    "umask=022",
    "--show-packs",
    `${here.path}/two/quake`,
    `${here.path}/b`,
  );
  assertEquals(second.code, 0, second.stderr);
  assertMatch(second.stderr, /two\/quake: another game is called quake, so this one is quake-2; --game NAME/);
  const third = await here.pakfs(
    "mount",
    "--view",
    "id1",
    "--game",
    "mine",
    `${here.path}/two/quake`,
    `${here.path}/c`,
  );
  assertEquals(third.code, 0, third.stderr);
  assertEquals(
    await output("ls", "-A", `${here.path}/b`, here.mountPoint),
    `${here.path}/b:\n.packs\nquake-2\n\n${here.mountPoint}:\nquake\n`,
  );
  assertEquals(await output("cat", `${here.path}/b/quake-2/id1/a.txt`, `${here.path}/c/a.txt`), "twotwo");
  const modes = [`${here.path}/b/quake-2/id1/a.txt`, `${here.mountPoint}/quake/id1/a.txt`];
  assertEquals(await output("stat", "-c", "%a", ...modes), "644\n444\n");
  assertEquals((await here.status()).mounts.map(({ rootView }) => rootView), [null, null, "mine/id1"]);
  await asked(here, "unmount", here.mountPoint);
  await asked(here, "refresh");
  assertEquals(await output("cat", `${here.path}/b/quake-2/id1/a.txt`, `${here.path}/c/a.txt`), "twotwo");
  await here.stop();
});

Deno.test("a mount that cannot join is refused, and nothing of the others changes", async () => {
  await using here = await workspace();
  await games(here);
  await here.mount(`${here.path}/one/quake`);
  const before = await here.status();
  const cases: [code: number, sentence: RegExp, ...parameters: string[]][] = [
    [1, /nowhere does not exist; name a game's directory or an archive$/, `${here.path}/nowhere`, `${here.path}/b`],
    [1, /none does not exist; create it first: mkdir -p /, `${here.path}/q2`, `${here.path}/none`],
    [1, /mnt is already mounted; unmount it first: pakfs unmount /, `${here.path}/q2`, here.mountPoint],
    [1, /mod is inside .*one\/quake, which would then contain itself/, `${here.path}/q2`, `${here.path}/one/quake/mod`],
    [
      1,
      /id1 is inside .*mnt, and the mount would hide it/,
      "--profile",
      "generic",
      `${here.mountPoint}/quake/id1`,
      `${here.path}/b`,
    ],
    [1, /unknown view other; views: q2\/baseq2$/, "--view", "other", `${here.path}/q2`, `${here.path}/b`],
    [1, /nonsense/, "-o", "nonsense", `${here.path}/q2`, `${here.path}/b`],
    [
      1,
      /^pakfs: \S+\/pak0\.pak: cannot hold the socket: .*$/,
      "--socket",
      `${here.path}/q2/baseq2/pak0.pak/s`,
      `${here.path}/q2`,
      `${here.path}/b`,
    ],
    [
      2,
      /--debug-fuse applies to a whole daemon, and process \d+ serves/,
      "--debug-fuse",
      `${here.path}/q2`,
      `${here.path}/b`,
    ],
  ];
  for (const [code, sentence, ...parameters] of cases) {
    const result = await here.pakfs("mount", ...parameters);
    assertEquals([result.code, result.stdout], [code, ""], result.stderr);
    assertMatch(result.stderr.trimEnd(), sentence);
  }
  assertEquals(await mountsBelow(here.path), [here.mountPoint]);
  const { pid, views, games: count } = await here.status();
  assertEquals([pid, views, count], [before.pid, before.views, before.games]);
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/a.txt`), "one");
  await here.stop();
});

Deno.test("mounts that are started at the same time share one daemon", async () => {
  await using here = await workspace();
  await games(here);
  const wanted = [["one/quake", "mnt"], ["two/quake", "b"], ["q2", "c"]] as const;
  const outcomes = await Promise.all(
    wanted.map(([game, at]) => here.pakfs("mount", `${here.path}/${game}`, `${here.path}/${at}`)),
  );
  assertEquals(outcomes.map(({ code }) => code), [0, 0, 0], outcomes.map(({ stderr }) => stderr).join(""));
  const { mounts } = await here.status();
  assertEquals(mounts.map(({ mount }) => mount).sort(), wanted.map(([, at]) => `${here.path}/${at}`).sort());
  assertEquals((await Array.fromAsync(Deno.readDir(`${here.path}/run/pakfs`))).map(({ name }) => name), ["pakfs.sock"]);
  await here.stop();
});

Deno.test("mount -f next to a daemon stays until its mount ends, and Ctrl-C ends only that", async () => {
  await using here = await workspace();
  await games(here);
  await here.mount(`${here.path}/one/quake`);
  for (const end of ["interrupt", "unmount"]) {
    const child = new Deno.Command(new URL("../../pakfs", import.meta.url).pathname, {
      args: ["mount", "-f", `${here.path}/q2`, `${here.path}/b`],
      env: here.environment,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const finished = child.output();
    await until("it is mounted", async () => (await here.status()).mounts.length === 2);
    if (end === "interrupt") Deno.kill(child.pid, "SIGINT");
    else await asked(here, "unmount", `${here.path}/b`);
    const { code, stderr } = await finished;
    assertEquals(code, 0);
    assertMatch(new TextDecoder().decode(stderr), /mounted at \S+\/b; served by process \d+; socket /);
    await until("it is unmounted", async () => (await here.status()).mounts.length === 1);
    assertEquals(await mountsBelow(here.path), [here.mountPoint]);
  }
  await here.stop();
});

Deno.test("Ctrl-C ends mount -f while the daemon indexes", async () => {
  await using here = await workspace();
  await games(here);
  const asked = Promise.withResolvers<void>();
  const server = { protocol: 1, server: "pakfs", version: "0", pid: 1, capabilities: ["mount"] };
  await using _daemon = serveLines(`${here.path}/s`, async (line, send) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "mount") return asked.resolve();
    const cancelled = { id: params.id, error: { code: errorCodes.cancelled, message: "cancelled" } };
    await send(`${JSON.stringify({ jsonrpc: "2.0", ...method === "hello" ? { id, result: server } : cancelled })}\n`);
  });
  const child = new Deno.Command(new URL("../../pakfs", import.meta.url).pathname, {
    args: ["mount", "-f", "--socket", `${here.path}/s`, `${here.path}/q2`, `${here.path}/b`],
    env: here.environment,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await asked.promise;
  Deno.kill(child.pid, "SIGINT");
  assertEquals((await child.status).code, 0);
});

Deno.test("a reload changes the games of the configuration, and leaves those of mounts that joined", async () => {
  await using here = await workspace();
  await games(here);
  const { pid, finished } = await here.foreground("daemon");
  await asked(here, "mount", `${here.path}/one/quake`, `${here.path}/b`);
  assertEquals(
    await output("ls", here.mountPoint, `${here.path}/b`),
    `${here.path}/b:\nquake\n\n${here.mountPoint}:\nconfigured\n`,
  );
  await writeFiles(here.path, {
    "config/pakfs/config.toml": `mount = "../../mnt"\n[[game]]\nname = "new"\nsources = ["../../two/quake"]\n`,
  });
  await asked(here, "reload");
  assertEquals(
    await output("ls", here.mountPoint, `${here.path}/b`),
    `${here.path}/b:\nquake\n\n${here.mountPoint}:\nnew\n`,
  );
  assertEquals(await output("cat", `${here.path}/b/quake/id1/a.txt`, `${here.mountPoint}/new/id1/a.txt`), "onetwo");
  await asked(here, "unmount", `${here.path}/b`);
  assertEquals(lines(await asked(here, "games")).length, 2);
  assert(isRunning(pid));
  Deno.kill(pid, "SIGTERM");
  assertEquals((await finished).code, 0);
});

Deno.test("a daemon without a mount of its own serves mounts that join, and stays when they end", async () => {
  await using here = await workspace();
  await games(here);
  const { finished } = await here.foreground("daemon", "--no-mount");
  await asked(here, "mount", `${here.path}/one/quake`, `${here.path}/b`);
  await asked(here, "unmount", `${here.path}/b`);
  assertEquals([(await here.status()).mounts, await mountsBelow(here.path)], [[], []]);
  await asked(here, "mount", `${here.path}/one/quake`, `${here.path}/b`);
  assertEquals(await output("cat", `${here.path}/b/quake/id1/a.txt`), "one");
  await asked(here, "stop");
  assertEquals((await finished).code, 0);
  assertEquals(await mountsBelow(here.path), []);
});

Deno.test("after kill -9 of the daemon each of its mount points can be used again at once", async () => {
  await using here = await workspace();
  await games(here);
  await here.mount(`${here.path}/one/quake`);
  await asked(here, "mount", `${here.path}/q2`, `${here.path}/b`);
  const { pid } = await here.status();
  Deno.kill(pid, "SIGKILL");
  await until("the daemon has ended", () => !isRunning(pid));
  await asked(here, "mount", `${here.path}/q2`, `${here.path}/b`);
  await asked(here, "mount", `${here.path}/one/quake`, here.mountPoint);
  assertEquals(await output("cat", `${here.path}/b/q2/baseq2/a.txt`, `${here.mountPoint}/quake/id1/a.txt`), "q2one");
  assertEquals((await mountsBelow(here.path)).length, 2);
  await here.stop();
});

Deno.test("programs mount over the socket with the keys of a configuration", async () => {
  await using here = await workspace();
  await games(here);
  // A young pack is read again.
  await settle();
  await here.mount(`${here.path}/one/quake`);
  const reports: unknown[] = [];
  const onProgress = (progress: unknown) => void reports.push(progress);
  await using client = await connectSocket(here.socket, { client: "test", onProgress });
  const config = { mount: `${here.path}/b`, game: [{ name: "g", sources: [`${here.path}/q2`] }] };
  const row = await client.call("mount", { config });
  assertEquals([row.mount, row.games, row.files, row.problems], [`${here.path}/b`, ["g"], 3, []]);
  assertEquals(reports, [{ done: 0, total: 1, name: "pak0.pak" }]);
  const wrong = await client.call("mount", { config: { ...config, moutn: "" } as typeof config }).catch(String);
  assertMatch(String(wrong), /unknown key moutn; did you mean mount\?/);
  assertEquals((await output("ls", "-A", `${here.path}/b`)).trim(), "g");
  const gone = await client.call("unmount", { mount: `${here.path}/b` });
  await client.call("mount", { config: { ...config, showAs: true } });
  assertEquals(lines(await output("ls", "-A", `${here.path}/b`)), [".as", "g"]);
  await client.call("unmount", { mount: `${here.path}/b` });
  assertEquals([gone, await mountsBelow(here.path)], [{ unmounted: `${here.path}/b` }, [here.mountPoint]]);
  assertEquals((await run("ls", ["-A", `${here.path}/b`])).stdout, "");
  // A mount point reached through a link has two names.
  await Deno.symlink(`${here.path}/b`, `${here.path}/link`);
  for (const name of ["b", "link"]) {
    for (const lazy of [false, true]) {
      await client.call("mount", { config: { ...config, mount: `${here.path}/link` } });
      await client.call("unmount", { mount: `${here.path}/${name}`, lazy });
      assertEquals(await mountsBelow(here.path), [here.mountPoint], `by ${name}`);
    }
  }
  const unknown = await client.call("unmount", { mount: `${here.path}/b` }).catch(String);
  assertMatch(String(unknown), /b is not a mount of this daemon/);
  await here.stop();
});

Deno.test("a service joins the daemon of a manual mount, reloads, and serves by itself once that daemon has died", async () => {
  await using here = await workspace();
  await games(here);
  await asked(here, "mount", `${here.path}/one/quake`, `${here.path}/b`);
  const { pid } = await here.status();
  const file = `${here.mountPoint}/configured/baseq2/a.txt`;
  const isServed = async () => (await run("cat", [file])).stdout === "q2";
  const service = await here.foreground("daemon");
  await until("the service's games are mounted", isServed);
  const { pid: serving, mounts } = await here.status();
  assertEquals([serving, mounts.map(({ mount }) => mount)], [pid, [`${here.path}/b`, here.mountPoint]]);
  assertEquals(await output("cat", `${here.path}/b/quake/id1/a.txt`), "one");

  const config = `${here.path}/config/pakfs/config.toml`;
  const before = await Deno.readTextFile(config);
  await Deno.writeTextFile(config, "mount = 5");
  Deno.kill(service.pid, "SIGHUP");
  await Deno.writeTextFile(config, `${before}\n[[game]]\nname = "more"\nsources = ["../../two/quake"]\n`);
  Deno.kill(service.pid, "SIGHUP");
  await until(
    "the configuration is reloaded",
    async () => (await run("cat", [`${here.mountPoint}/more/id1/a.txt`])).stdout === "two",
  );
  // The running daemon was started without a configuration.
  const reloaded = await here.pakfs("reload");
  assertEquals(reloaded.code, 1);
  assertMatch(reloaded.stderr, /has no configuration; a service reads its own with: systemctl --user reload pakfs\n$/);

  assertEquals((await here.pakfs("unmount", `${here.path}/b`)).code, 0);
  assertEquals([(await here.status()).pid, await isServed()], [pid, true]);
  Deno.kill(pid, "SIGKILL");
  await until("the service has taken over", async () => await isServed() && (await here.pakfs("status")).code === 0);
  assertEquals([(await here.status()).pid, (await mountsBelow(here.path)).length], [service.pid, 1]);
  await asked(here, "stop");
  const { code, stderr } = await service.finished;
  assertEquals(code, 0, stderr);
  assertMatch(stderr, new RegExp(`mounted at \\S+mnt by process ${pid}, which serves this user already`));
  assertMatch(stderr, new RegExp(`process ${pid}, which served \\S+mnt, has died; serving the games here`));
});

Deno.test("a service that joined ends with its mount, and leaves the daemon and its other mounts", async () => {
  await using here = await workspace();
  await games(here);
  await asked(here, "mount", `${here.path}/one/quake`, `${here.path}/b`);
  const isMounted = async () => (await mountsBelow(here.path)).includes(here.mountPoint);
  for (const end of ["unmount", "signal"]) {
    const service = await here.foreground("daemon");
    await until("the service's games are mounted", isMounted);
    if (end === "signal") Deno.kill(service.pid, "SIGTERM");
    else await asked(here, "unmount", here.mountPoint);
    const { code, stderr } = await service.finished;
    assertEquals([code, await mountsBelow(here.path)], [0, [`${here.path}/b`]], `${end}: ${stderr}`);
  }
  await here.stop();
});
