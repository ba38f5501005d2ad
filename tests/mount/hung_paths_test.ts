// Lists of names, configurations, mount points and games on a file system that hangs: nothing waits for them.
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { deflateSync } from "node:zlib";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import { pak, text } from "../formats/bytes.ts";
import { hashedPack } from "../formats/hashed.ts";
import { connectSocket } from "../../protocol/client.ts";
import { RpcError } from "../../protocol/messages.ts";
import { type Files, writeFiles } from "../index/fixtures.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { together } from "../support/together.ts";
import { until, type Workspace, workspace } from "./mounting.ts";
import { type Stoppable, stoppable } from "./stoppable.ts";

const test = together("nothing waits for a path that hangs");
const hash = "crc32+lower+backslash";
/** Path of a file whose name is not found. */
const unnamed = /^unknown\/[0-9a-f]{8}\.\w+$/;

/** A pack without stored names. */
function packOf(...names: readonly string[]): Uint8Array {
  const variant = variantNamed(hash);
  assert(variant);
  const members = names.map((name) => {
    // The content has no names, as they would be found.
    const content = text("x".repeat(name.length));
    return { hash: hashName(name, variant), data: new Uint8Array(deflateSync(content)), size: content.length };
  });
  return hashedPack(members.sort((a, b) => a.hash - b.hash));
}

/** A workspace, and files on a file system that can be made to hang. */
interface Hanging extends AsyncDisposable {
  readonly here: Workspace;
  readonly remote: Stoppable;
  /** Directory of the files. */
  readonly mnt: string;
}

async function hanging(files: (here: Workspace) => Files): Promise<Hanging> {
  await using stack = new AsyncDisposableStack();
  const here = stack.use(await workspace());
  const elsewhere = stack.use(await temporaryDirectory());
  const mnt = `${elsewhere.path}/mnt`;
  await Deno.mkdir(mnt);
  await writeFiles(`${elsewhere.path}/copied`, files(here));
  const remote = stack.use(await stoppable(`${elsewhere.path}/copied`, mnt));
  const moved = stack.move();
  return { here, remote, mnt, [Symbol.asyncDispose]: () => moved[Symbol.asyncDispose]() };
}

async function found(here: Workspace): Promise<string[]> {
  const { code, stdout, stderr } = await here.pakfs("find", "*", "--json");
  assertEquals([code, stderr], [0, ""]);
  return stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).qpath).sort();
}

const namesFiles = { "names.txt": "data/one.bin\ndata/two.bin\n" };

async function configure({ here, mnt }: Hanging): Promise<void> {
  await writeFiles(here.path, {
    "game/base.pack": packOf("data/one.bin"),
    "config/pakfs/config.toml": `mount = "${here.mountPoint}"\nhungAfter = 1\n[[game]]\nname = "game"\n` +
      `profile = "hashed"\nsources = ["${here.path}/game"]\nnames = ["${mnt}/names.txt"]\nhash = "${hash}"\n`,
  });
}

test("a list of names that hangs delays no refresh, and the names that it gave are kept", async () => {
  await using both = await hanging(() => namesFiles);
  const { here, remote, mnt } = both;
  await configure(both);
  await here.foreground("daemon");
  assertEquals(await found(here), ["data/one.bin"]);
  remote.stop();
  await writeFiles(here.path, { "game/base.pack": packOf("data/one.bin", "data/two.bin"), "game/new.bin": "new" });
  assertEquals((await here.pakfs("refresh", "-q")).code, 0);
  const [first, second, third, ...others] = await found(here);
  assertEquals([first, second, others], ["data/one.bin", "new.bin", []]);
  assertMatch(third ?? "", unnamed);
  const { problems } = await here.status();
  const kept = `${mnt}/names.txt is on ${mnt} (fuse.stoppable), which does not answer; ` +
    "names that were found with it are kept, and others are found once it answers";
  assert(problems.includes(kept), problems.join("\n"));
  remote.go();
  await until("all names are found", async () => (await found(here)).join() === "data/one.bin,data/two.bin,new.bin");
  assertEquals((await here.status()).problems.filter((line) => line.includes("names.txt")), []);
});

test("a daemon that starts while a list of names hangs serves the game, and finds names when it answers", async () => {
  await using both = await hanging(() => namesFiles);
  const { here, remote } = both;
  await configure(both);
  remote.stop();
  await here.foreground("daemon");
  const [first, ...others] = await found(here);
  assertMatch(first ?? "", unnamed);
  assertEquals(others, []);
  remote.go();
  await until("the name is found", async () => (await found(here)).join() === "data/one.bin");
});

test("a configuration that hangs is reported, and a daemon that reloads it answers others meanwhile", async () => {
  await using both = await hanging((here) => ({
    "config.toml": `mount = "${here.mountPoint}"\n[[game]]\nprofile = "quake"\nsources = ["${here.path}/quake"]\n`,
    "names.txt": "x\n",
    "there/": "",
  }));
  const { here, remote, mnt } = both;
  const config = `${mnt}/config.toml`;
  await writeFiles(here.path, { "quake/id1/pak0.pak": pak([["a.txt", "a"]]) });
  await here.foreground("daemon", "--config", config);
  remote.stop();
  const reloading = here.pakfs("reload");
  assertEquals((await here.pakfs("cat", "a.txt")).stdout, "a");
  const failing: [says: string, ...words: string[]][] = [
    [config, "config", "--config", config],
    [config, "profiles", "--config", config],
    [config, "daemon", "--config", config],
    [config, "doctor", "--config", config],
    [`${mnt}/names.txt`, "find", "*", "--source", `${here.path}/quake`, "--names", `${mnt}/names.txt`],
    [`${mnt}/names.txt`, "mount", "--names", `${mnt}/names.txt`, `${here.path}/quake`, `${here.path}/home`],
    [`${mnt}/there`, "mount", `${here.path}/quake`, `${mnt}/there`],
  ];
  await writeFiles(here.path, { "home/": "" });
  const outcomes = await Promise.all(failing.map(([, ...words]) => here.pakfs(...words)));
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    const [says = "", ...words] = failing[index] ?? [];
    assertNotEquals(code, 0, words.join(" "));
    assertMatch(stdout + stderr, /does not answer/, words.join(" "));
    assertStringIncludes(stdout + stderr, says, words.join(" "));
  }
  const { code, stderr } = await reloading;
  assertEquals(code, 1);
  assertStringIncludes(stderr, `${config} does not answer`);
  assertEquals((await here.pakfs("cat", "a.txt")).stdout, "a");
  const connection = await connectSocket(`${here.path}/run/pakfs/pakfs.sock`, { client: "tests" });
  const game = { sources: [`${here.path}/quake`] };
  await assertRejects(
    () => connection.call("mount", { config: { mount: `${mnt}/there`, game: [game] } }),
    RpcError,
    `${mnt}/there does not answer; choose another mount point`,
  );
  await connection.close();
  remote.go();
  await until("it is reloaded", async () => (await here.pakfs("reload")).code === 0);
});

test("games on a file system that hangs are left out, whatever looks for games, and named", async () => {
  await using here = await workspace();
  await writeFiles(here.path, {
    "copied/far/id1/pak0.pak": pak([["a.txt", "a"]]),
    "home/Games/near/id1/pak0.pak": pak([["a.txt", "a"]]),
    "home/Games/disk/": "",
    "home/games/": "",
  });
  const games = `${here.path}/home/Games`;
  await Deno.symlink(`${games}/disk/far`, `${here.path}/home/games/link`);
  await Deno.symlink(`${games}/disk/far`, `${here.path}/home/.ironwail`);
  await using remote = await stoppable(`${here.path}/copied`, `${games}/disk`);
  const commands = [["detect"], ["detect", games], ["games", "--installed"], ["init", "--dry-run"]];
  for (const isHung of [false, true, false]) {
    if (isHung) remote.stop();
    else remote.go();
    // deno-lint-ignore no-await-in-loop -- it hangs, or it does not
    const outcomes = await Promise.all(commands.map((words) => here.pakfs(...words, "--json")));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      const words = commands[index]?.join(" ");
      assertEquals(code, 0, `${words}: ${stderr}`);
      assertStringIncludes(stdout, `${games}/near`, words);
      assertEquals(stdout.includes(`${games}/disk/far`), !isHung, words);
      assertEquals(stderr.includes(`${games}/disk does not answer; games on it are left out`), isHung, words);
    }
    // An engine's directory in the home is one of the roots if its file system answers.
    const roots = isHung ? [`${games}/near`] : [`${here.path}/home/.ironwail`, `${games}/near`];
    // deno-lint-ignore no-await-in-loop -- as above
    const { stderr } = await here.pakfs("mount", `${games}/near`, here.mountPoint);
    assertEquals(
      stderr.includes("~/Games/disk does not answer; directories of engines on it are left out"),
      isHung,
      stderr,
    );
    for (const words of [["games"], ["games", "--source", `${games}/near`]]) {
      // deno-lint-ignore no-await-in-loop -- as above
      const { stdout } = await here.pakfs(...words, "--json");
      assertEquals(JSON.parse(stdout).sources, roots, words.join(" "));
    }
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
  }
});
