import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { profileNamed } from "../../engines/table.ts";
import { ViewError } from "../../views/view_error.ts";
import { type Files, installation, pakOf, scan, winner, zipOf } from "../index/fixtures.ts";

const quake: Files = {
  "id1/pak0.pak": pakOf("all.txt", "id1.txt", "id1+rogue.txt"),
  "rogue/pak0.pak": pakOf("all.txt", "packs.txt", "id1+rogue.txt"),
  "hipnotic/pak0.pak": pakOf("all.txt", "packs.txt", "hipnotic.txt"),
  "quoth/all.txt": "",
  "quoth/packs.txt": "",
  "mymod/pak0.pak": pakOf("all.txt", "mods.txt"),
  "other/mods.txt": "",
  "other/pak0.pak": pakOf("other.txt"),
};

// WinQuake/common.c: COM_InitFilesystem; quakespasm's Quake/common.c: COM_InitFilesystem, COM_Game_f
const orders: readonly (readonly [profile: string, view: string, directories: string])[] = [
  ["quake", "rogue+hipnotic", "hipnotic > rogue > id1"],
  ["quake", "hipnotic+rogue", "hipnotic > rogue > id1"],
  ["quake", "mymod+hipnotic", "mymod > hipnotic > id1"],
  ["quakespasm", "quoth+hipnotic+rogue", "quoth > hipnotic > rogue > id1"],
  ["quakespasm", "mymod+quoth+other+rogue", "other > mymod > quoth > rogue > id1"],
  ["quakespasm", "mymod+other", "other > mymod > id1"],
  ["quakespasm", "other+mymod", "mymod > other > id1"],
  ["quakespasm", "mymod+mymod+id1", "mymod > id1"],
  ["darkplaces", "mymod+hipnotic", "mymod > hipnotic > id1"],
];
for (const [profile, view, directories] of orders) {
  Deno.test(`${profile}: ${view} is searched as ${directories}`, async () => {
    await using root = await installation(quake);
    const catalog = scan(root.path, { profile, name: "quake" });
    assertEquals(catalog.view(`quake/${view}`).gameDirectories.join(" > "), directories);
    assertStrictEquals(catalog.view(view), catalog.view(`quake/${view}`));
  });
}

Deno.test("a stacked view answers with the game directory that is searched first, in which and in the tree", async () => {
  await using root = await installation(quake);
  const catalog = scan(root.path, { profile: "quakespasm", name: "quake" });
  const view = catalog.view("quake/mymod+quoth+other+rogue");
  const expected = {
    "all.txt": "mymod/pak0.pak",
    "mods.txt": "loose other",
    "other.txt": "other/pak0.pak",
    "packs.txt": "loose quoth",
    "id1+rogue.txt": "rogue/pak0.pak",
    "id1.txt": "id1/pak0.pak",
    "hipnotic.txt": null,
  };
  const found = Object.keys(expected).map((qpath) => [qpath, winner(root.path, view, qpath)]);
  assertEquals(Object.fromEntries(found), expected);
});

Deno.test("quake2 and quake3: mission packs stay below mods", async () => {
  await using root = await installation({
    "q2/baseq2/pak0.pak": pakOf("a"),
    "q2/xatrix/pak0.pak": pakOf("a"),
    "q2/rogue/pak0.pak": pakOf("a"),
    "q2/ctf/pak0.pak": pakOf("b"),
    "q3/baseq3/pak0.pk3": zipOf("a"),
    "q3/missionpack/pak0.pk3": zipOf("a"),
    "q3/mod/mod.pk3": zipOf("b"),
  });
  const quake2 = scan(root.path, { sources: ["q2"], name: "quake2" });
  assertEquals(quake2.view("quake2/ctf+rogue+xatrix").gameDirectories, ["ctf", "rogue", "xatrix", "baseq2"]);
  const quake3 = scan(root.path, { sources: ["q3"], name: "quake3" });
  assertEquals(quake3.view("mod+missionpack").gameDirectories, ["mod", "missionpack", "baseq3"]);
});

Deno.test("one stack has one name, however it is requested, and one view while it is in use", async () => {
  await using root = await installation(quake);
  const catalog = scan(root.path, { profile: "quakespasm", name: "quake" });
  const view = catalog.view("quake/mymod+rogue");
  assertEquals(view.name, "quake/rogue+mymod");
  assertStrictEquals(catalog.view("quake/rogue+mymod+id1"), view);
  assertStrictEquals(catalog.view("quake/rogue+rogue"), catalog.view("quake/rogue"));
  assertStrictEquals(catalog.view("quake/id1+id1"), catalog.view("quake/id1"));
  const names = ["rogue", "hipnotic", "quoth", "mymod", "other"];
  for (const one of names) {
    for (const two of names) for (const three of names) catalog.view(`quake/${one}+${two}+${three}`);
  }
  assertEquals(catalog.view("quake/mymod+rogue").gameDirectories, view.gameDirectories);
  assertEquals(catalog.views.length, 6, "stacks are not listed");
});

Deno.test("an unknown part of a stack is named, with what there is", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a"), "mod/x": "", "a+b/x": "" });
  const catalog = scan(root.path, { profile: "quake", name: "quake" });
  assertEquals(catalog.view("quake/a+b").gameDirectories, ["a+b", "id1"]);
  for (const part of ["none", ""]) {
    const error = assertThrows(() => catalog.view(`quake/mod+${part}`), ViewError);
    assertEquals(error.message, `unknown game directory ${part} in quake`);
    assertEquals(error.suggestions, ["quake/id1", "quake/a+b", "quake/mod"]);
  }
  assertEquals(assertThrows(() => catalog.view("doom/mod+x"), ViewError).message, "unknown view doom/mod+x");
  assertEquals(assertThrows(() => catalog.view("mod+x"), ViewError).message, "unknown view mod+x");
});

Deno.test("a directory below each game directory is searched in each root, before the next one", async () => {
  const urbanTerror = profileNamed("urbanterror");
  assert(urbanTerror);
  await using root = await installation({
    "home/q3ut4/download/b.pk3": zipOf("base.txt"),
    "home/mod/download/m.pk3": zipOf("mod.txt", "base.txt"),
    "base/q3ut4/b.pk3": zipOf("base.txt"),
    "base/mod/m.pk3": zipOf("mod.txt"),
  });
  for (
    const [of, mod, base] of [
      ["all", "home/mod/download/m.pk3", "home/q3ut4/download/b.pk3"],
      [
        "mods",
        "home/mod/download/m.pk3",
        "base/q3ut4/b.pk3",
      ],
      ["base", "base/mod/m.pk3", "home/q3ut4/download/b.pk3"],
      [
        "played",
        "home/mod/download/m.pk3",
        "base/q3ut4/b.pk3",
      ],
    ] as const
  ) {
    const companions = urbanTerror.companions.map((companion) => ({ ...companion, of }));
    const profile = { ...urbanTerror, origin: "urbanterror", name: "mine", companions };
    const catalog = scan(root.path, { name: "g", profile, sources: ["home", "base"] });
    assertEquals(winner(root.path, catalog.view("g/mod"), "mod.txt"), mod, of);
    if (of !== "mods" && of !== "all") continue;
    assertEquals(winner(root.path, catalog.view("g/q3ut4"), "base.txt"), base, of);
  }
});
