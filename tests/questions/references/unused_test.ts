// deno-lint-ignore-file no-await-in-loop -- one game after the other, to see which one fails
/** Compares unused files with models that know each file's references because they wrote them. */
import { assert, assertEquals } from "@std/assert";
import { type Index, openIndex } from "../../../mod.ts";
import { join, pak, text, zip } from "../../formats/bytes.ts";
import { type Files, installation } from "../../index/fixtures.ts";
import { md2, quake2Map, quake3Map, quakeMap } from "../../media/handmade.ts";
import { numbersFrom, type Random, seed } from "../../support/chance.ts";

interface Asked {
  readonly profile: string;
  readonly view: string;
  readonly maps?: readonly string[];
  readonly source?: string;
}

async function inGame<Result>(files: Files, profile: string, use: (index: Index) => Promise<Result>): Promise<Result> {
  await using root = await installation(files);
  await using index = await openIndex({ sources: [root.path], profile, name: "g" });
  return await use(index);
}

async function unusedOf(files: Files, { profile, view, maps = [], source }: Asked) {
  const options = source === undefined ? {} : { source };
  return await inGame(files, profile, async (index) => ({
    unused: await Array.fromAsync(index.view(view).unused(maps, options), ({ qpath }) => qpath),
    undecided: await Array.fromAsync(
      index.view(view).undecided(maps, options),
      ({ reason, name, files }) => `${reason} ${name} ${files}`,
    ),
  }));
}

/** A program with consecutive strings between other bytes. */
function program(...strings: string[]): Uint8Array {
  return join(Uint8Array.of(0, 1, 255, 17), ...strings.map((string) => text(`${string}\0`)), Uint8Array.of(200, 0, 3));
}

const quakeFiles: Files = {
  "id1/pak0.pak": pak([
    ["maps/start.bsp", quakeMap("{}")],
    ["progs.dat", program("progs/player.mdl", "misc/null.wav")],
    ["gfx/conback.lmp", "x"],
    ["sound/ambience/wind.wav", "x"],
  ]),
  "mod/pak0.pak": pak([
    ["maps/one.bsp", quakeMap('{ "classname" "worldspawn" } { "noise" "a/bell.wav" } { "model" "progs/tree.mdl" }')],
    ["maps/two.bsp", quakeMap('{ "classname" "trigger_changelevel" "map" "three" }')],
    ["maps/three.bsp", quakeMap('{ "noise" "a/gong.wav" }')],
    ["maps/one.lit", "x"],
    ["maps/old.lit", "x"],
    ["progs.dat", program("progs/ogre.mdl", "play misc/horn.wav", "progs/h_ogre.mdl", "voice/%s_%d.wav", "%s/%s.wav")],
    ["autoexec.cfg", 'bind x "play b/click.wav"\nexec more.cfg'],
    ["readme.txt", "progs/unused.mdl is by me"],
    ...[
      ...["progs/ogre.mdl", "progs/tree.mdl", "progs/unused.mdl", "progs/ogre.mdl_0.tga", "progs/unused.mdl_0.tga"],
      ...["sound/a/bell.wav", "sound/a/gong.wav", "sound/b/click.wav", "sound/b/clack.wav", "sound/misc/horn.wav"],
      ...["sound/voice/ann_2.wav", "sound/voice/ann.wav", "gfx/menu.tga", "sound/ambience/wind.wav", "gfx/x.lmp"],
    ].map((path): [string, string] => [path, path]),
  ]),
};

Deno.test("files of a mod of Quake that no map, program or configuration names are unused", async () => {
  const unused = [
    "maps/old.lit",
    "progs/unused.mdl",
    "progs/unused.mdl_0.tga",
    "sound/b/clack.wav",
    "sound/voice/ann.wav",
  ];
  const undecided = ["kind dat 1", "kind cfg 1", "kind txt 1", "kind lmp 1", "replaces wav 1"];
  const all = await unusedOf(quakeFiles, { profile: "quakespasm", view: "g/mod" });
  assertEquals([all.unused, all.undecided.toSorted()], [unused, undecided.toSorted()]);
  // Exits lead to other maps; the remaining maps are unused, with files that only they name.
  const two = await unusedOf(quakeFiles, { profile: "quakespasm", view: "g/mod", maps: ["two"] });
  assertEquals(two.unused, [
    ...["maps/old.lit", "maps/one.bsp", "maps/one.lit", "progs/tree.mdl", "progs/unused.mdl", "progs/unused.mdl_0.tga"],
    ...["sound/a/bell.wav", "sound/b/clack.wav", "sound/voice/ann.wav"],
  ]);
  // Files of the base game's own packs are checked only if they are named.
  assertEquals((await unusedOf(quakeFiles, { profile: "quakespasm", view: "g/id1" })).unused, []);
  const base = await unusedOf(quakeFiles, { profile: "quakespasm", view: "g/id1", source: "pak0.pak" });
  assertEquals(base.unused, ["sound/ambience/wind.wav"]);
});

const shader = (name: string, image: string) => `${name}\n{\n{\nmap ${image}\n}\n}\n`;

Deno.test("a mod of Quake III uses the images of shaders that something shows, and what menus and programs name", async () => {
  const files: Files = {
    "baseq3/pak0.pk3": zip([
      { name: "maps/old.bsp", content: quake3Map("", [["textures/over", 1]]) },
      { name: "textures/over.tga", content: "x" },
    ]),
    "mod/mod.pk3": zip([
      { name: "maps/m.bsp", content: quake3Map("", [["textures/wall", 1], ["textures/plain", 1]]) },
      {
        name: "scripts/a.shader",
        content: shader("textures/wall", "textures/wall_d.tga") + shader("textures/idle", "textures/idle_d.tga") +
          shader("hud/icon", "gfx/icon1.tga"),
      },
      { name: "ui/main.menu", content: 'menuDef { background "gfx/back" }' },
      { name: "vm/cgame.qvm", content: program("hud/icon", "gfx/num%i_b", "*jump1.wav", "*growl.wav") },
      ...[
        ...["textures/wall_d.jpg", "textures/plain.tga", "textures/plain_norm.tga", "textures/idle_d.tga"],
        ...[
          "textures/over.jpg",
          "gfx/icon1.tga",
          "gfx/back.tga",
          "gfx/num3_b.tga",
          "gfx/num3_c.tga",
          "levelshots/m.tga",
        ],
        ...[
          "levelshots/gone.tga",
          "sound/player/x/jump1.wav",
          "sound/mobs/a/growl.wav",
          "models/players/x/head.skin",
          "models/odd.mdr",
        ],
      ].map((name) => ({ name, content: name.endsWith(".skin") ? "" : name })),
    ]),
  };
  const { unused, undecided } = await unusedOf(files, { profile: "ioquake3", view: "g/mod" });
  assertEquals(unused, ["gfx/num3_c.tga", "levelshots/gone.tga", "textures/idle_d.tga"]);
  assertEquals(undecided.toSorted(), ["kind mdr 1", "kind menu 1", "kind qvm 1", "replaces jpg 1"]);
});

Deno.test("what cannot be read, and a view without game code, is said", async () => {
  const files: Files = {
    "baseq3/pak0.pk3": zip([{ name: "a.cfg", content: "" }]),
    "mod/m.pk3": zip([
      { name: "maps/broken.bsp", content: quake3Map("", [["textures/wall", 1]]).subarray(0, 40) },
      { name: "textures/wall.tga", content: "x" },
    ]),
  };
  assertEquals(await unusedOf(files, { profile: "ioquake3", view: "g/mod" }), {
    unused: ["textures/wall.tga"],
    undecided: ["unreadable maps/broken.bsp 1", "code  0"],
  });
});

Deno.test("a file with too many names, or names that would take too long, is reported as one that cannot be read", async () => {
  const sounds = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`mod/sound/x/${"a".repeat(90)}${index}.wav`, ""]),
  );
  const formats = (count: number, end: string) =>
    Array.from({ length: count }, (_, index) => `sound/x/${"%sa".repeat(30)}${index}${end}`).join("\n");
  const cases: [text: string, problem: string][] = [
    [formats(2001, "z"), "it has more than 2000 format strings of files"],
    [formats(1900, "b"), "it has format strings of too many files"],
  ];
  for (const [cfg, problem] of cases) {
    const files: Files = {
      "baseq3/pak0.pk3": zip([{ name: "vm/cgame.qvm", content: "x" }]),
      ...sounds,
      "mod/a.cfg": cfg,
    };
    await inGame(files, "ioquake3", async (index) => {
      const rows = await Array.fromAsync(index.view("g/mod").undecided());
      assertEquals(rows.flatMap((row) => row.problem ?? []), [problem]);
    });
  }
});

/** A random mod of Quake 2, and the references of each of its files. */
function randomMod(random: Random) {
  const numbered = (count: number, name: string, end: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index}${end}`);
  const several = (names: readonly string[], limit: number) =>
    Array.from({ length: random(limit + 1) }, () => names[random(names.length)] ?? "");
  const walls = numbered(9, "textures/u/t", ".wal");
  const skins = numbered(6, "models/skin", ".pcx");
  const noises = numbered(8, "sound/s", ".wav");
  const models = numbered(5, "models/m", ".md2");
  const maps = numbered(4, "maps/m", ".bsp");
  const graph = new Map<string, string[]>();
  const contents = new Map<string, Uint8Array>();
  for (const leaf of [...walls, ...skins, ...noises]) if (random(4) > 0) contents.set(leaf, text(leaf));
  for (const model of models) {
    const own = several(skins, 2);
    graph.set(model, own);
    if (random(4) > 0) contents.set(model, md2(own));
  }
  for (const map of maps) {
    const [shown, placed, played, exits] = [
      several(walls, 3),
      several(models, 1),
      several(noises, 1),
      several(maps, 1),
    ];
    const entity = (...pairs: string[]) => `{ ${pairs.map((pair) => `"${pair}"`).join(" ")} }\n`;
    const entities = [
      entity("classname", "worldspawn"),
      ...placed.map((name) => entity("classname", "misc_thing", "model", name)),
      ...played.map((name) => entity("classname", "target_speaker", "noise", name.slice("sound/".length))),
      ...exits.map((name) => entity("classname", "target_changelevel", "map", `${name.slice(5, -4)}$start`)),
    ];
    graph.set(map, [...shown, ...placed, ...played, ...exits]);
    const surfaces = shown.map((name) => name.slice("textures/".length, -".wal".length));
    contents.set(map, quake2Map(entities.join(""), surfaces));
  }
  const called = [...several(models, 1), ...several(noises, 1)];
  contents.set("gamex86.dll", program(...called.map((name) => name.replace(/^sound\//, ""))));
  return { contents, graph, maps, called };
}

Deno.test("unused is what a model of random mods says, and never what a map of the mod needs", async () => {
  const random = numbersFrom(seed);
  let listed = 0;
  for (let game = 0; game < 15; game++) {
    const { contents, graph, maps, called } = randomMod(random);
    const files: Files = { "baseq2/pak0.pak": pak([["a.cfg", "x"]]), "mod/pak0.pak": pak([...contents]) };
    await inGame(files, "yquake2", async (index) => {
      const view = index.view("g/mod");
      for (const played of [maps, maps.slice(0, 1), maps.slice(1, 3)]) {
        const reached = new Set([...played, ...called, "gamex86.dll"]);
        for (const name of reached) {
          if (contents.has(name)) { for (const next of graph.get(name) ?? []) reached.add(next); }
        }
        const expected = [...contents.keys()].filter((name) => !reached.has(name)).sort();
        const given = played === maps ? [] : played;
        const unused = await Array.fromAsync(view.unused(given), ({ qpath }) => qpath);
        assertEquals(unused.toSorted(), expected, JSON.stringify(given));
        for (const map of played) {
          const needed = await Array.fromAsync(view.needs(map), ({ qpath }) => qpath);
          assertEquals(needed.filter((qpath) => qpath !== null && unused.includes(qpath)), []);
        }
        listed += unused.length;
      }
    });
  }
  assert(listed > 50, `only ${listed} files were unused`);
});
