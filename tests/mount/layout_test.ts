import { assertEquals, assertMatch } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { expectedManifest, manifest, output, run, withoutChoice, workspace } from "./mounting.ts";

const quake: Files = {
  "id1/pak0.pak": pak([["gfx/palette.lmp", "palette"], ["default.cfg", "bind"]]),
  "id1/pak1.pak": pak([["gfx/palette.lmp", "other palette"]]),
  "mod/autoexec.cfg": "mod",
  ".hidden/x": "",
};

Deno.test("--view puts one view at the root, with .packs next to it", needs("python3"), async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("--view", "mod", `${here.path}/quake`);
  const root = here.mountPoint;
  assertEquals(await output("ls", "-A", root), "autoexec.cfg\ndefault.cfg\ngfx\n");
  assertEquals(
    await manifest(root),
    await expectedManifest("quake", `${here.path}/quake/id1`, `${here.path}/quake/mod`),
  );
  assertEquals(await output("cat", `${root}/.packs/quake/id1/pak0.pak/gfx/palette.lmp`), "palette");
  assertEquals(await output("sh", "-c", 'cd "$1/gfx" && ls ..', "sh", root), "autoexec.cfg\ndefault.cfg\ngfx\n");
  assertEquals((await run("ls", [`${root}/quake`])).code, 2);
});

Deno.test("--view stacks game directories, the last searched first", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, {
    ...quake,
    "hipnotic/default.cfg": "hipnotic",
    "hipnotic/autoexec.cfg": "hipnotic",
  });
  await here.mount("--view", "quake/mod+hipnotic", `${here.path}/quake`);
  assertEquals(await output("cat", `${here.mountPoint}/autoexec.cfg`), "mod");
  assertEquals(await output("cat", `${here.mountPoint}/default.cfg`), "hipnotic");
  assertEquals(await output("cat", `${here.mountPoint}/gfx/palette.lmp`), "other palette");
});

Deno.test("--view and --show-packs list .packs next to the files of the view", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("--show-packs", "--view", "quake/id1", `${here.path}/quake`);
  assertEquals(await output("ls", "-A", here.mountPoint), ".packs\ndefault.cfg\ngfx\n");
  assertEquals(
    await output("find", `${here.mountPoint}/.packs`, "-type", "f").then((text) => text.split("\n").length),
    4,
  );
});

Deno.test("--show-packs lists .packs, and --game names the game", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("--show-packs", "--game", "My Quake", `${here.path}/quake`);
  assertEquals(await output("ls", "-A", here.mountPoint), ".packs\nMy Quake\n");
  assertEquals(await output("ls", `${here.mountPoint}/.packs/My Quake/id1`), "pak0.pak\npak1.pak\n");
  assertEquals(await output("ls", `${here.mountPoint}/My Quake`), "id1\nmod\n");
});

Deno.test("one PAK alone is at the root", needs("python3"), async () => {
  await using here = await workspace();
  const archive = pak([["gfx/palette.lmp", "first"], ["gfx/palette.lmp", "second"], ["default.cfg", "bind"]]);
  await writeFiles(here.path, { "some.pak": archive });
  await here.mount(`${here.path}/some.pak`);
  assertEquals(await output("ls", here.mountPoint), "default.cfg\ngfx\n");
  assertEquals(await output("cat", `${here.mountPoint}/gfx/palette.lmp`), "first");
  assertEquals(await manifest(here.mountPoint), await expectedManifest("archive", `${here.path}/some.pak`));
});

Deno.test("one zip alone is at the root, whatever it is called", needs("python3"), async () => {
  await using here = await workspace();
  const members = [
    { name: "maps/a.bsp", content: "map ".repeat(5000), method: 8 },
    { name: "twice.txt", content: "first" },
    { name: "twice.txt", content: "second" },
    { name: "Twice.txt", content: "in capitals" },
    { name: "empty/", content: "" },
  ];
  await writeFiles(here.path, { "no ending": zip(members) });
  await here.mount(`${here.path}/no ending`);
  assertEquals(await output("ls", here.mountPoint).then((text) => text.split("\n").sort()), [
    "",
    "Twice.txt",
    "empty",
    "maps",
    "twice.txt",
  ]);
  assertEquals(await manifest(here.mountPoint), await expectedManifest("archive", `${here.path}/no ending`));
});

Deno.test("several base directories are one game, the first the highest", needs("python3"), async () => {
  await using here = await workspace();
  await writeFiles(here.path, {
    "home/baseq3/q3config.cfg": "mine",
    "home/baseq3/aaa.pk3": zip([{ name: "a.txt", content: "home" }]),
    "base/baseq3/pak0.pk3": zip([{ name: "a.txt", content: "base" }, { name: "q3config.cfg", content: "default" }]),
    "base/mod/mod.pk3": zip([{ name: "a.txt", content: "mod" }]),
  });
  await here.mount(`${here.path}/home`, `${here.path}/base`);
  assertEquals(await output("ls", `${here.mountPoint}/home`), "baseq3\nmod\n");
  const expected = await expectedManifest("ioquake3", `${here.path}/base/baseq3`, `${here.path}/home/baseq3`);
  assertEquals(await manifest(`${here.mountPoint}/home/baseq3`), expected);
  assertEquals(await output("cat", `${here.mountPoint}/home/mod/a.txt`), "mod");
});

Deno.test("a mount with spaces, commas and other letters in its paths", async () => {
  await using here = await workspace();
  const odd = `${here.path}/o d,d \\ ü'`;
  await writeFiles(odd, quake);
  await Deno.mkdir(`${odd} mnt`);
  const { code, stderr } = await here.pakfs("mount", odd, `${odd} mnt`);
  assertEquals([code, withoutChoice(stderr)], [0, ""]);
  const { mount } = await here.status();
  assertEquals(mount, `${odd} mnt`);
  const [game] = (await output("ls", `${odd} mnt`)).split("\n");
  assertEquals(await output("cat", `${odd} mnt/${game}/id1/default.cfg`), "bind");
  assertEquals((await here.pakfs("unmount", `${odd} mnt`)).code, 0);
});

Deno.test("-o gives options to the mount", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("-o", "noexec,ro", `${here.path}/quake`);
  assertMatch(await output("findmnt", "-n", "-o", "OPTIONS", here.mountPoint), /^ro,nosuid,nodev,noexec/);
});

Deno.test("views that are not listed are directories once they are looked up", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake3`, {
    "baseq3/pak0.pk3": zip([{ name: "a.txt", content: "pak0" }]),
    "baseq3/pak1.pk3": zip([{ name: "a.txt", content: "pak1" }]),
    "mod/m.txt": "mod",
    "other/m.txt": "other",
    "other/o.txt": "other",
  });
  await here.mount("--profile", "ioquake3", `${here.path}/quake3`);
  const game = `${here.mountPoint}/quake3`;
  assertEquals((await run("ls", [`${game}/mod+nowhere`])).code, 2);
  assertEquals(await output("cat", `${game}/other+mod/m.txt`), "mod");
  assertEquals(await output("cat", `${game}/mod+other/m.txt`), "other");
  assertEquals(await output("cat", `${game}/mod+other/../baseq3/a.txt`), "pak1");
  assertEquals(await output("cat", `${game}/baseq3:pure=pak0,pak1/a.txt`), "pak0");
  assertEquals(await output("ls", `${game}/mod+other:pure=pak0`), "a.txt\n");
  assertEquals((await run("ls", [`${game}/baseq3:pure`])).code, 2);
  assertEquals(await output("ls", game), "baseq3\nmod\nother\n");
});
