// deno-lint-ignore-file no-await-in-loop -- one after the other, so that a failure names its case
/** Two versions of pakfs for one user, which share a socket and a directory of index caches. */
import { assertEquals, assertMatch } from "@std/assert";
import { pakOf } from "../index/fixtures.ts";
import { copyProgram } from "../support/copied_program.ts";
import { output, run, until, workspace } from "./mounting.ts";

const checkout = new URL("../..", import.meta.url).pathname;

/** Copies the program, with a later version and these replacements in its files. */
async function laterVersion(path: string, replacements: readonly (readonly [string, RegExp, string])[]): Promise<void> {
  await copyProgram(path);
  await output(`${checkout}pakfs`, "--version");
  await Deno.symlink(`${checkout}.tools`, `${path}/.tools`);
  const all = [["deno.json", /"version": "[^"]*"/, '"version": "99.0.0"'] as const, ...replacements];
  await Promise.all(all.map(async ([name, pattern, replacement]) => {
    const text = await Deno.readTextFile(`${path}/${name}`);
    const changed = text.replaceAll(new RegExp(pattern, "g"), replacement);
    if (changed === text) throw new Error(`${name} has nothing like ${pattern}`);
    await Deno.writeTextFile(`${path}/${name}`, changed);
  }));
}

/** A workspace with a game, and the launcher of a later version. */
async function twoVersions(...replacements: readonly (readonly [string, RegExp, string])[]) {
  const here = await workspace();
  const game = `${here.path}/quake`;
  await Deno.mkdir(`${game}/id1`, { recursive: true });
  await Deno.writeFile(`${game}/id1/pak0.pak`, pakOf("a.txt"));
  await laterVersion(`${here.path}/later`, replacements);
  const later = (...words: string[]) =>
    run(`${here.path}/later/pakfs`, words, { environment: { ...here.environment, DENO: Deno.execPath() } });
  return { here, game, later, [Symbol.asyncDispose]: () => here[Symbol.asyncDispose]() };
}

Deno.test("a daemon of another version with the same protocol answers, mounts and ends", async () => {
  await using versions = await twoVersions();
  const { here, game, later } = versions;
  assertEquals((await later("mount", game, here.mountPoint)).code, 0);
  try {
    assertEquals((await here.pakfs("ls")).stdout, "a.txt\n");
    assertMatch((await here.pakfs("status")).stdout, /^daemon: +pakfs 99\.0\.0, /);
    assertMatch((await here.pakfs("doctor")).stdout, /of version 99\.0\.0 instead of [^]*-> pakfs stop, then start/);
    const second = `${here.path}/second`;
    await Deno.mkdir(second);
    assertEquals((await here.pakfs("mount", game, second)).code, 0);
    assertEquals((await later("mounts", "--json")).stdout.trim().split("\n").length, 2);
  } finally {
    assertEquals((await here.pakfs("stop")).code, 0);
  }
  await until("the daemon has ended", async () => (await later("status")).code === 4);
});

Deno.test("a daemon with another protocol is refused with advice, and what it serves can be unmounted", async () => {
  await using versions = await twoVersions(
    ["protocol/messages.ts", /(protocolVersion|oldestProtocolVersion) = \d+/, "$1 = 99"],
  );
  const { here, game, later } = versions;
  assertEquals((await later("mount", game, here.mountPoint)).code, 0);
  try {
    const advice =
      /is of another version: .*; end it with the pakfs that started it, or .*: pakfs unmount MOUNTPOINT\n$/;
    for (const words of [["ls"], ["status"], ["stop"], ["mount", game, here.mountPoint]]) {
      const { code, stdout, stderr } = await here.pakfs(...words);
      assertEquals([code === 0, stdout], [false, ""], words.join(" "));
      assertMatch(stderr, advice);
    }
    assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
    await until("the daemon has ended", async () => (await later("status")).code === 4);
    assertEquals((await here.pakfs("mount", game, here.mountPoint)).code, 0);
    assertMatch((await later("ls")).stderr, advice);
  } finally {
    await later("stop");
    await here.pakfs("stop");
  }
});

Deno.test("each version reads its own index cache, and replaces that of the other", async () => {
  await using versions = await twoVersions(["index/cache/cache_file.ts", /layoutVersion = \d+/, "layoutVersion = 99"]);
  const { here, game, later } = versions;
  const many = Array.from({ length: 10_000 }, (_, index) => `file${index}.txt`);
  await Deno.writeFile(`${game}/id1/pak0.pak`, pakOf(...many));
  const cache = `${here.path}/cache/pakfs/index`;
  // Write times, since a file system may reuse the inode of a removed file.
  const written: (number | undefined)[] = [];
  for (const pakfs of [later, here.pakfs, here.pakfs, later]) {
    const words = ["find", "file77.txt", "--source", game];
    const { stdout } = await pakfs(...words);
    assertEquals(stdout, "file77.txt\n");
    const [name = "", ...others] = await Array.fromAsync(Deno.readDir(cache), ({ name }) => name);
    assertEquals(others, []);
    written.push((await Deno.stat(`${cache}/${name}`)).mtime?.getTime());
  }
  assertEquals(written.map((time) => written.indexOf(time)), [0, 1, 1, 3]);
});
