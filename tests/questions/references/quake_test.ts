// deno-lint-ignore-file no-await-in-loop -- one engine after the other, to see which one fails
import { assertEquals } from "@std/assert";
import { type NeedRow, openIndex } from "../../../mod.ts";
import { pak, zip } from "../../formats/bytes.ts";
import { type Files, installation } from "../../index/fixtures.ts";
import { iqm, md2, md3, quake2Map, quake3Map, quakeMap, sprite, spriteList } from "../../media/handmade.ts";

/** `kind name` of each need, with `!` if it is missing, and the names of its users. */
function described({ kind, name, qpath, by, why }: NeedRow): string {
  return `${qpath === null ? "! " : ""}${kind} ${name} < ${by ?? "user"}: ${why}`;
}

async function needsOf(files: Files, profile: string, view: string, ...names: string[]): Promise<string[]> {
  await using root = await installation(files);
  await using index = await openIndex({ sources: [root.path], profile, name: "q" });
  return (await Array.fromAsync(index.view(view).needs(names))).map(described);
}

function named(...names: string[]): [string, string][] {
  return names.map((name) => [name, name]);
}

const quakeEntities = `
{ "classname" "worldspawn" "message" "see readme.wav" "sky" "dusk_" "sounds" "4" "wad" "a.wad" "_sound" "none.wav" }
{ "classname" "play_sound" "noise" "misc/bell.wav" }
{ "classname" "misc_model" "mdl" "progs/tree.mdl" "netname" "x.mdl" }
{ "classname" "func_wall" "model" "*1" }
{ "classname" "item_box" "model" "maps/b_box.bsp" }
`;

const quakeFiles: Files = {
  "id1/pak0.pak": pak([
    ["maps/e.bsp", quakeMap(quakeEntities)],
    ["maps/b_box.bsp", quakeMap("{}")],
    ...named("maps/e.lit", "maps/e.vis", "sound/misc/bell.wav", "music/track04.ogg", "textures/e/sky1.tga"),
    ...named("textures/sky1.tga", "textures/sky1_glow.tga"),
    ...["rt", "bk", "lf", "ft", "up"].map((side): [string, string] => [`gfx/env/dusk_${side}.tga`, side]),
  ]),
};

Deno.test("a map of Quake needs its sky box, side files, and what entities name; textures that replace its own are listed", async () => {
  const box = [
    "image textures/sky1.tga < maps/b_box.bsp: replacement of a texture",
  ];
  assertEquals(await needsOf(quakeFiles, "quakespasm", "q/id1", "e"), [
    "map maps/e.bsp < user: requested",
    "file maps/e.lit < maps/e.bsp: coloured light",
    "file maps/e.vis < maps/e.bsp: visibility",
    "image textures/e/sky1.tga < maps/e.bsp: replacement of a texture",
    "image textures/sky1_glow.tga < maps/e.bsp: glow of a texture",
    ...["rt", "bk", "lf", "ft", "up"].map((side) => `image gfx/env/dusk_${side}.tga < maps/e.bsp: sky box`),
    "! image gfx/env/dusk_dn < maps/e.bsp: sky box",
    "music music/track04.ogg < maps/e.bsp: music track",
    'sound sound/misc/bell.wav < maps/e.bsp: "noise" of play_sound',
    '! model progs/tree.mdl < maps/e.bsp: "mdl" of misc_model',
    'map maps/b_box.bsp < maps/e.bsp: "model" of item_box',
    ...box,
  ]);
});

Deno.test("the original Quake knows no sky boxes, side files, music files and replaced textures", async () => {
  assertEquals(await needsOf(quakeFiles, "quake", "q/id1", "e"), [
    "map maps/e.bsp < user: requested",
    'sound sound/misc/bell.wav < maps/e.bsp: "noise" of play_sound',
    '! model progs/tree.mdl < maps/e.bsp: "mdl" of misc_model',
    'map maps/b_box.bsp < maps/e.bsp: "model" of item_box',
  ]);
});

Deno.test("files next to a map are not needed from a lower game directory, where QuakeSpasm ignores them", async () => {
  const files = { ...quakeFiles, "mod/maps/e.bsp": quakeMap("{}"), "mod/maps/e.vis": "visibility" };
  assertEquals(await needsOf(files, "quakespasm", "q/mod", "e"), [
    "map maps/e.bsp < user: requested",
    "file maps/e.vis < maps/e.bsp: visibility",
    "image textures/e/sky1.tga < maps/e.bsp: replacement of a texture",
    "image textures/sky1_glow.tga < maps/e.bsp: glow of a texture",
  ]);
});

const quake2Entities = `
{ "classname" "worldspawn" "sky" "space" "sounds" "5" }
{ "classname" "target_speaker" "noise" "world/hum" }
{ "classname" "target_speaker" "noise" "*pain.wav" }
{ "classname" "func_button" "sounds" "1" }
{ "classname" "func_plat" }
{ "classname" "misc_banner" }
{ "classname" "misc_thing" "model" "models/thing/tris.md2" }
{ "classname" "misc_sprite" "model" "sprites/s.sp2" }
`;

const quake2Files: Files = {
  "baseq2/pak0.pak": pak([
    ["maps/base.bsp", quake2Map(quake2Entities, ["e1u1/wall", "e1u1/lost"])],
    ["models/thing/tris.md2", md2(["models/thing/skin.pcx", "models/thing/gone.pcx"])],
    ["sprites/s.sp2", spriteList(["sprites/s_0.pcx"])],
    ...named("textures/e1u1/wall.wal", "textures/e1u1/wall.png", "models/thing/skin.pcx", "sprites/s_0.pcx"),
    ...named("sound/world/hum.wav", "sound/plats/pt1_strt.wav", "sound/plats/pt1_mid.wav", "sound/plats/pt1_end.wav"),
    ...named("music/05.ogg", "maps/base.ent"),
    ...["rt", "bk", "lf", "ft", "up", "dn"].map((side): [string, string] => [`env/space${side}.tga`, side]),
  ]),
};

Deno.test("a map of Quake 2 needs its textures, sky, sounds and models with their skins", async () => {
  const common = [
    ...["rt", "bk", "lf", "ft", "up", "dn"].map((side) => `image env/space${side}.tga < maps/base.bsp: sky box`),
  ];
  const later = [
    'sound sound/world/hum.wav < maps/base.bsp: "noise" of target_speaker',
    ...["strt", "mid", "end"].map((part) => `sound sound/plats/pt1_${part}.wav < maps/base.bsp: sound of func_plat`),
    "! model models/objects/banner/tris.md2 < maps/base.bsp: model of misc_banner",
    "model models/thing/tris.md2 < maps/base.bsp: model of misc_thing",
    "sprite sprites/s.sp2 < maps/base.bsp: model of misc_sprite",
  ];
  const skins = [
    "image models/thing/skin.pcx < models/thing/tris.md2: skin",
    "! image models/thing/gone.pcx < models/thing/tris.md2: skin",
    "image sprites/s_0.pcx < sprites/s.sp2: frame",
  ];
  assertEquals(await needsOf(quake2Files, "yquake2", "q/baseq2", "base"), [
    "map maps/base.bsp < user: requested",
    "map maps/base.ent < maps/base.bsp: entities",
    "texture textures/e1u1/wall.wal < maps/base.bsp: surface",
    "image textures/e1u1/wall.png < maps/base.bsp: replacement of a texture",
    "! texture textures/e1u1/lost.wal < maps/base.bsp: surface",
    ...common,
    "music music/05.ogg < maps/base.bsp: music track",
    ...later,
    ...skins,
  ]);
  assertEquals(await needsOf(quake2Files, "quake2", "q/baseq2", "base"), [
    "map maps/base.bsp < user: requested",
    "texture textures/e1u1/wall.wal < maps/base.bsp: surface",
    "! texture textures/e1u1/lost.wal < maps/base.bsp: surface",
    ...common,
    ...later,
    ...skins,
  ]);
});

Deno.test("a map that an exit leads to is missing if the view lacks it, and no part of the map if it does not", async () => {
  const exits = (...entities: string[]) => entities.map((entity) => `{ ${entity} }\n`).join("");
  const quake = exits(
    '"classname" "worldspawn"',
    '"classname" "trigger_changelevel" "map" "e1m2"',
    '"classname" "trigger_changelevel" "map" "gone" "landmark" "lift"',
    '"classname" "trigger_changelevel"',
    '"classname" "info_note" "map" "unread"',
  );
  const quake2 = exits(
    '"classname" "worldspawn"',
    '"classname" "target_changelevel" "map" "*end.cin+*gone$start"',
    '"classname" "target_changelevel" "map" "e1m2$lift"',
    '"classname" "target_changelevel" "map" "victory.pcx"',
  );
  const filesOf = (directory: string, first: Uint8Array, second: Uint8Array): Files => ({
    [`${directory}/pak0.pak`]: pak([
      ["maps/e1m1.bsp", first],
      ["maps/e1m2.bsp", second],
      ...named("video/end.cin", "pics/victory.pcx"),
    ]),
  });
  const cases = [
    { profile: "quakespasm", view: "q/id1", files: filesOf("id1", quakeMap(quake), quakeMap("{}")), more: [] },
    {
      profile: "yquake2",
      view: "q/baseq2",
      files: filesOf("baseq2", quake2Map(quake2, []), quake2Map("", [])),
      more: ["video video/end.cin", "file pics/victory.pcx"],
    },
  ];
  for (const { profile, view, files, more } of cases) {
    await using root = await installation(files);
    await using index = await openIndex({ sources: [root.path], profile, name: "q" });
    const rows = await Array.fromAsync(index.view(view).needs("e1m1"));
    assertEquals(
      rows.filter(({ name }) => !name.startsWith("env/")).map(({ kind, name, qpath }) =>
        `${qpath === null ? "! " : ""}${kind} ${name}`
      ).sort(),
      ["! map gone", "map maps/e1m1.bsp", ...more].sort(),
      profile,
    );
    const users = await Array.fromAsync(index.view(view).usedBy("maps/e1m2.bsp"), ({ name, why }) => `${name} ${why}`);
    const exit = profile === "yquake2" ? "target_changelevel" : "trigger_changelevel";
    assertEquals(users, [`maps/e1m1.bsp "map" of ${exit}`]);
    const missing = await Array.fromAsync(index.view(view).missing(), (row) => row.missing.map(({ tried }) => tried));
    assertEquals(missing, [[["maps/gone.bsp"]]]);
  }
});

Deno.test("an engine that gives models their skins by scripts misses no name in a model, and its maps are not followed", async () => {
  const redEclipse: Files = {
    "config/version.cfg": "",
    "data/maps/a.mpz": "maps are packed",
    "data/models/box.iqm": iqm(["lid", "box"]),
  };
  const alienArena: Files = {
    "data1/maps/a.bsp": quake2Map("", ["wall", "lost"]),
    "data1/scripts/a.rscript": "",
    "data1/textures/wall.jpg": "a",
    "data1/models/box.iqm": iqm(["lid", "box"]),
  };
  const answers = async (files: Files, profile: string, view: string, name: string) => {
    await using root = await installation(files);
    await using index = await openIndex({ sources: [root.path], profile, name: "q" });
    const opened = index.view(view);
    const unused = Array.fromAsync(opened.unused(), ({ qpath }) => qpath);
    return {
      unused: await unused.catch((error: Error) => error.message.replace(/(?<=q\/)\S+/, "NAME")),
      needs: (await Array.fromAsync(opened.needs([name]))).map(described),
      missing: await Array.fromAsync(
        opened.missing(),
        ({ name, missing }) => [name, ...missing.map((one) => one.name)],
      ),
      unfollowed: await Array.fromAsync(
        opened.unfollowed([name, "maps/a.bsp", "scripts/a.rscript", "gone.cfg"]),
        ({ name, reason }) => `${name}: ${reason}`,
      ),
    };
  };
  assertEquals(await answers(redEclipse, "redeclipse", "q", "data/maps/a.mpz"), {
    unused:
      "files of q/NAME that are unused are unknown: references in .cfg files are not followed (config/version.cfg)",
    needs: ["file data/maps/a.mpz < user: requested"],
    missing: [],
    unfollowed: [
      "config/version.cfg: references in .cfg files are not followed",
      "data/maps/a.mpz: references in .mpz files are not followed",
    ],
  });
  assertEquals(await answers(alienArena, "alienarena", "q/data1", "maps/a.bsp"), {
    unused: ["models/box.iqm"],
    needs: [
      "map maps/a.bsp < user: requested",
      "texture textures/wall.jpg < maps/a.bsp: surface",
      "! texture textures/lost.wal < maps/a.bsp: surface",
    ],
    missing: [["maps/a.bsp", "textures/lost.wal"]],
    unfollowed: ["scripts/a.rscript: references in .rscript files are not followed"],
  });
  const build = { "E1L1.MAP": "", "game.con": "", "x.art": "" };
  const reasons = [
    "E1L1.MAP: references in .map files are not followed",
    "game.con: references in .con files are not followed",
  ];
  for (const engine of ["eduke32", "raze"]) {
    assertEquals((await answers(build, engine, "q", "E1L1.MAP")).unfollowed, reasons, engine);
  }
});

Deno.test("DarkPlaces finds sounds below sound/ or by their path, also as ogg, and light next to maps of Quake III", async () => {
  const entities =
    `{ "classname" "worldspawn" } { "classname" "func_plat" } { "classname" "func_button" "noise" "a.wav" }
    { "classname" "target_speaker" "noise" "sound/b.wav" } { "classname" "target_speaker" "noise" "c.wav" } { "classname" "target_speaker" "noise" "d.ogg" }
    { "classname" "target_speaker" "noise" "sound/e.ogg" }`;
  const dark = quake3Map(entities, [["textures/wall", 1]]);
  // Its lump of light, of number 14, has a byte.
  const lit = dark.slice();
  lit.set([0, 0, 0, 0, 1, 0, 0, 0], 8 + 14 * 8);
  const sounds = named("sound/a.ogg", "sound/b.ogg", "c.ogg", "sound/c.wav", "d.wav", "sound/e.ogg", "sound/f.ogg");
  const light = named(
    "maps/dark/lm_0000.tga",
    "maps/dark/lm_0001.tga",
    "maps/dark/lm_0002.tga",
    "maps/lit/lm_0000.tga",
  );
  const files: Files = {
    "data/data.pk3": zip([
      ...[["maps/dark.bsp", dark], ["maps/lit.bsp", lit], ["progs.dat", "\0f.wav\0a.md3\0"], [
        "maps/dark.jpg",
        "x",
      ]] as const,
      ...[...sounds, ...light, ["own.sp2", sprite()], ["a.md3", md3("bare")], ["textures/bare.jpg", "x"], [
        "textures/wall.tga",
        "x",
      ], [
        "scripts/a.shader",
        "x\n{\n}\n",
      ]] as const,
    ].map(([name, content]) => ({ name, content }))),
  };
  const common = (map: string) => [
    `map maps/${map}.bsp < user: requested`,
    `texture textures/wall.tga < maps/${map}.bsp: surface`,
  ];
  const played = (map: string) => [
    `sound sound/a.ogg < maps/${map}.bsp: "noise" of func_button`,
    ...["sound/b.ogg", "sound/c.wav"].map((path) => `sound ${path} < maps/${map}.bsp: "noise" of target_speaker`),
    `! sound d.ogg < maps/${map}.bsp: "noise" of target_speaker`,
    `sound sound/e.ogg < maps/${map}.bsp: "noise" of target_speaker`,
  ];
  assertEquals(await needsOf(files, "darkplaces", "q/data", "dark"), [
    ...common("dark").slice(0, 1),
    "image maps/dark.jpg < maps/dark.bsp: level shot",
    ...common("dark").slice(1),
    ...["0000", "0001"].map((page) => `image maps/dark/lm_${page}.tga < maps/dark.bsp: light`),
    ...played("dark"),
  ]);
  assertEquals(await needsOf(files, "darkplaces", "q/data", "lit"), [...common("lit"), ...played("lit")]);
  await using root = await installation(files);
  await using index = await openIndex({ sources: [root.path], profile: "darkplaces", name: "q" });
  assertEquals(await Array.fromAsync(index.view("q/data").unused([], { source: "data.pk3" }), ({ qpath }) => qpath), [
    ...["c.ogg", "d.wav", "maps/dark/lm_0002.tga", "maps/lit/lm_0000.tga", "own.sp2"],
  ]);
  const missing = await Array.fromAsync(index.view("q/data").missing(), ({ name, problem }) => [name, problem]);
  assertEquals(missing, [["maps/dark.bsp", null], ["maps/lit.bsp", null]]);
});
