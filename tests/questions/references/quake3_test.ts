import { assert, assertEquals, assertRejects } from "@std/assert";
import { errorCodes } from "../../../protocol/messages.ts";
import { type NeedRow, openIndex, RpcError } from "../../../mod.ts";
import { zip } from "../../formats/bytes.ts";
import { type Files, installation } from "../../index/fixtures.ts";
import { readerOf } from "../../../questions/references/readers.ts";
import { readMapInfo } from "../../../questions/references/doom_map_info.ts";
import { readSoundInfo } from "../../../questions/references/doom_sounds.ts";
import { md3, quake3Map } from "../../media/handmade.ts";
import { mdc } from "../../media/handmade_models.ts";

const entities = `
{ "classname" "worldspawn" "music" "music/a_intro.wav music/a_loop" }
{ "classname" "target_speaker" "noise" "sound/hum" }
{ "classname" "target_speaker" "noise" "*falling1.wav" }
{ "classname" "func_static" "model" "*1" "model2" "models/lamp.md3" "noise" "sound/lamp.ogg" }
{ "classname" "misc_model" "model" "models/baked.md3" }
{ "classname" "func_button" }
`;

const shaders = `
// A comment with textures/none
textures/map/glow
{
	qer_editorimage textures/editor/only.tga
	surfaceparm trans
	q3map_surfacelight 100
	{ map textures/map/a.tga rgbGen identity }
	{
		clampMap textures/map/b
		blendFunc add
	}
	{
		animMap 4 textures/map/c1.tga textures/map/c2.tga
		tcMod scroll 1 1
	}
	{ map $lightmap }
	{ map *white }
	{ videoMap screen.roq }
}
textures/map/sky
{
	skyParms env/night 512 -
}
`;

const map = quake3Map(
  entities,
  [["textures/map/glow", 3], ["textures/map/sky", 1], ["textures/map/plain", 2], ["textures/common/clip", 0], [
    "textures/map/lost",
    1,
  ], ["noshader", 1]],
  46,
  ["textures/map/mist"],
);

const base = ["sound/movers/switches/butn2.wav", "textures/map/a.jpg", "models/lamp.tga"];
const files: Files = {
  "baseq3/pak0.pk3": zip(base.map((name) => ({ name, content: name }))),
  "baseq3/zz.pk3": zip([
    { name: "maps/one.bsp", content: map },
    { name: "maps/one.aas", content: "paths" },
    { name: "levelshots/one.jpg", content: "picture" },
    { name: "scripts/one.shader", content: shaders },
    { name: "scripts/list.arena", content: '{\nmap "one"\nbots "a"\n}\n' },
    { name: "scripts/other.arena", content: '{\nmap "two"\n}\n' },
    { name: "models/lamp.md3", content: md3("models/lamp.tga") },
    { name: "models/lamp_1.md3", content: md3("models/far.tga") },
    ...["rt", "bk", "lf", "ft", "up"].map((side) => ({ name: `env/night_${side}.jpg`, content: side })),
    { name: "textures/map/plain.png", content: "plain" },
    { name: "textures/map/plain.tga", content: "plain too" },
    { name: "textures/map/c1.tga", content: "1" },
    { name: "textures/map/c2.tga", content: "2" },
    { name: "sound/hum.ogg", content: "hum" },
    { name: "music/a_loop.ogg", content: "loop" },
    { name: "video/screen.roq", content: "video" },
  ]),
};

async function opened(profile = "ioquake3", given: Files = files, base = "baseq3") {
  const root = await installation(given);
  const index = await openIndex({ sources: [root.path], profile, name: "q3" });
  return {
    index,
    view: index.view(`q3/${base}`),
    async [Symbol.asyncDispose](): Promise<void> {
      await index.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** `kind name`, or `! kind name` if it is missing, with the names of its users. */
function described({ kind, name, qpath, by, why }: NeedRow): string {
  return `${qpath === null ? "! " : ""}${kind} ${name} < ${by ?? "user"}: ${why}`;
}

Deno.test("a map needs what ioquake3 loads for it: shaders, their images, sky, models, sounds, files next to it", async () => {
  await using here = await opened();
  const rows = await Array.fromAsync(here.view.needs("maps/one.bsp"));
  assertEquals(rows.map(described), [
    "map maps/one.bsp < user: requested",
    "file maps/one.aas < maps/one.bsp: paths of bots",
    "texture levelshots/one.jpg < maps/one.bsp: level shot",
    "shader textures/map/glow < maps/one.bsp: surface",
    "shader textures/map/sky < maps/one.bsp: surface",
    "texture textures/map/plain.png < maps/one.bsp: surface",
    "! texture textures/map/lost < maps/one.bsp: surface",
    "! texture textures/map/mist < maps/one.bsp: fog",
    '! music music/a_intro.wav < maps/one.bsp: "music" of worldspawn',
    'music music/a_loop.ogg < maps/one.bsp: "music" of worldspawn',
    'sound sound/hum.ogg < maps/one.bsp: "noise" of target_speaker',
    'model models/lamp.md3 < maps/one.bsp: "model2" of func_static',
    '! sound sound/lamp.ogg < maps/one.bsp: "noise" of func_static',
    "sound sound/movers/switches/butn2.wav < maps/one.bsp: sound of func_button",
    "file scripts/list.arena < maps/one.bsp: arena",
    "image textures/map/a.jpg < textures/map/glow: stage",
    "! image textures/map/b < textures/map/glow: stage",
    "image textures/map/c1.tga < textures/map/glow: animated stage",
    "image textures/map/c2.tga < textures/map/glow: animated stage",
    "video video/screen.roq < textures/map/glow: stage",
    ...["rt", "bk", "lf", "ft", "up"].map((side) => `image env/night_${side}.jpg < textures/map/sky: sky box`),
    "! image env/night_dn.tga < textures/map/sky: sky box",
    "texture models/lamp.tga < models/lamp.md3: surface",
    "model models/lamp_1.md3 < models/lamp.md3: model for a distance",
    "! texture models/far.tga < models/lamp_1.md3: surface",
  ]);
  const lost = rows.find(({ name }) => name === "textures/map/lost");
  const extensions = ["png", "tga", "jpg", "jpeg", "pcx", "bmp"];
  assertEquals(lost?.tried, extensions.map((extension) => `textures/map/lost.${extension}`));
  assertEquals(rows.filter(({ base }) => base).map(({ name }) => name).sort(), base.toSorted());
  const glow = rows.find(({ name }) => name === "textures/map/glow");
  assertEquals([glow?.qpath, glow?.depth, glow?.needs.length], ["scripts/one.shader", 1, 5]);

  const missing = await Array.fromAsync(here.view.needs("one", { missing: true }));
  assertEquals(missing, rows.filter(({ qpath }) => qpath === null));
  const own = await Array.fromAsync(here.view.needs("one", { own: true }));
  assertEquals(own, rows.filter((row) => !row.base));
  for (const limit of [1, 2, 5]) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const paged = await Array.fromAsync(here.index.rows("needs", { files: ["maps/one.bsp"], limit }));
    assertEquals(paged, rows);
  }
});

Deno.test("the original Quake III looks for fewer files than ioquake3", async () => {
  await using here = await opened("quake3");
  const rows = await Array.fromAsync(here.view.needs("one"));
  const names = rows.filter(({ qpath }) => qpath === null).map(({ name }) => name);
  // The original engine adds no extension to images of stages, and loads neither other kinds of sound nor PNG.
  for (const name of ["textures/map/b", "sound/hum.wav", "music/a_loop"]) {
    assertEquals(names.includes(name), true, name);
  }
  assertEquals(rows.find(({ name }) => name.startsWith("textures/map/plain"))?.name, "textures/map/plain.tga");
  assertEquals(rows.find(({ name }) => name === "textures/map/b")?.tried, []);
});

Deno.test("models, shaders, directories and packs have needs too; unknown names are errors with a suggestion", async () => {
  await using here = await opened();
  const names = async (...wanted: string[]) => (await Array.fromAsync(here.view.needs(wanted))).map(({ name }) => name);
  assertEquals(await names("models/lamp_1.md3"), ["models/lamp_1.md3", "models/far.tga"]);
  assertEquals((await names("TEXTURES/map/sky")).slice(0, 2), ["textures/map/sky", "env/night_rt.jpg"]);
  assertEquals((await names("models")).slice(0, 2), ["models/lamp.md3", "models/lamp_1.md3"]);
  const all = await names("zz.pk3");
  assertEquals(all.slice(0, 3), ["maps/one.bsp", "models/lamp.md3", "models/lamp_1.md3"]);
  assertEquals(new Set(all).size, all.length);
  const error = await assertRejects(() => names("maps/oen.bsp"), RpcError);
  assertEquals([error.code, error.data?.suggestions], [errorCodes.notFound, ["maps/one.bsp"]]);
});

Deno.test("a file is used by what names it, and by what shows it through a shader", async () => {
  await using here = await opened();
  const users = async (name: string) =>
    (await Array.fromAsync(here.view.usedBy(name))).map((row) => `${row.kind} ${row.name}: ${row.why}, ${row.through}`);
  assertEquals(await users("textures/map/a.jpg"), [
    "map maps/one.bsp: surface, textures/map/glow",
    "shader textures/map/glow: stage, null",
  ]);
  assertEquals(await users("textures/map/sky"), ["map maps/one.bsp: surface, null"]);
  assertEquals(await users("models/lamp.tga"), ["model models/lamp.md3: surface, null"]);
  assertEquals(await users("textures/map/plain.tga"), []);
  const error = await assertRejects(() => users("textures/none.tga"), RpcError);
  assertEquals(error.code, errorCodes.notFound);
});

Deno.test("missing names every map, model and shader that lacks something, and only those of a pack", async () => {
  await using here = await opened("ioquake3", {
    ...files,
    "baseq3/broken.pk3": zip([{ name: "maps/broken.bsp", content: map.subarray(0, 200) }]),
  });
  const missing = async (source?: string) =>
    (await Array.fromAsync(here.view.missing(source))).map(({ name, missing, problem }) => [
      name,
      ...missing.map((row) => row.name),
      ...problem === null ? [] : ["damaged"],
    ]);
  const ofMap = [
    "maps/one.bsp",
    "textures/map/lost",
    "textures/map/mist",
    "music/a_intro.wav",
    "sound/lamp.ogg",
  ];
  const ofPack = [
    ofMap,
    ["models/lamp_1.md3", "models/far.tga"],
    ["textures/map/glow", "textures/map/b"],
    ["textures/map/sky", "env/night_dn.tga"],
  ];
  assertEquals(await missing(), [["maps/broken.bsp", "damaged"], ...ofPack]);
  assertEquals(await missing("zz.pk3"), ofPack);
  assertEquals(await missing("pak0.pk3"), []);
});

Deno.test("files that another view has with the same bytes are left out", async () => {
  await using here = await opened("ioquake3", {
    "baseq3/pak0.pk3": zip([
      { name: "textures/a.tga", content: "a" },
      { name: "textures/b.tga", content: "b" },
    ]),
    "mod/zz.pk3": zip([
      { name: "maps/m.bsp", content: quake3Map("", [["textures/a", 1], ["textures/b", 1], ["textures/c", 1]]) },
      { name: "textures/a.tga", content: "another a" },
      { name: "textures/b.tga", content: "b" },
    ]),
  });
  const rows = await Array.fromAsync(here.index.view("q3/mod").needs("m", { without: "q3/baseq3" }));
  assertEquals(rows.map(({ name }) => name), ["maps/m.bsp", "textures/a.tga", "textures/c"]);
});

Deno.test("a model with skin files needs those instead of the shaders that it names", async () => {
  await using here = await opened("ioquake3", {
    "baseq3/pak0.pk3": zip([
      { name: "models/players/p/upper.md3", content: md3("models/players/p/none.tga") },
      { name: "models/players/p/upper_default.skin", content: "u_torso,models/players/p/skin.tga\r\ntag_head,\r\n" },
      { name: "models/players/p/upper_red.skin", content: 'u_torso,"models/players/p/red.tga"\n' },
      { name: "models/players/p/skin.tga", content: "skin" },
    ]),
  });
  const rows = await Array.fromAsync(here.view.needs("models/players/p/upper.md3"));
  assertEquals(rows.map(described), [
    "model models/players/p/upper.md3 < user: requested",
    "skin models/players/p/upper_default.skin < models/players/p/upper.md3: skin",
    "skin models/players/p/upper_red.skin < models/players/p/upper.md3: skin",
    "texture models/players/p/skin.tga < models/players/p/upper_default.skin: skin",
    "! texture models/players/p/red.tga < models/players/p/upper_red.skin: skin",
  ]);
});

Deno.test("a check of many files comes in pages with their progress, and ends when it is cancelled", async () => {
  const models = Array.from({ length: 2000 }, (_, index) => `models/${String(index).padStart(4, "0")}.md3`);
  await using here = await opened("ioquake3", {
    "baseq3/pak0.pk3": zip(models.map((name, index) => ({ name, content: md3(index % 2 ? "a.tga" : "b.tga") }))),
    "baseq3/a.tga": "found",
  });
  const controller = new AbortController();
  // Scheduled before the call, so that it runs before the first turn of the call.
  setImmediate(() => controller.abort());
  const cancelled = await assertRejects(
    () => here.index.call("missing", {}, { signal: controller.signal }),
    RpcError,
  );
  assertEquals(cancelled.code, errorCodes.cancelled);
  const page = await here.index.call("missing", { limit: 10 });
  // Every second model lacks its texture; a slow machine ends the page early.
  const { done = 0, total } = page.progress ?? {};
  assertEquals([page.rows.length, total], [Math.ceil(done / 2), 2000]);
  assertEquals(done > 0 && done <= 19 && page.cursor !== null, true);
  assertEquals((await Array.fromAsync(here.view.missing())).length, 1000);
});

// Expected files by the sources of the engines; `model2` is `models/a.md3`, and `noise` is `sound/a.wav`.
const alternatives: readonly (readonly [profile: string, base: string, files: string, found: string])[] = [
  ["ioquake3", "baseq3", "models/a.mdc models/a.iqm sound/a.mp3 sound/a.opus", "models/a.iqm sound/a.opus"],
  ["quake3e", "baseq3", "models/a.mdc models/a.mdr sound/a.opus sound/a.ogg", "models/a.mdr sound/a.ogg"],
  ["spearmint", "baseq3", "models/a.mdc models/a.tan sound/a.mp3 sound/a.ogg", "models/a.mdc sound/a.mp3"],
  ["iortcw-mp", "main", "models/a.md3 models/a.mdc sound/a.ogg", "models/a.mdc sound/a.ogg"],
  ["iortcw-sp", "main", "models/a.mds sound/a.mp3", "models/a.mds"],
  ["etlegacy", "etmain", "models/a.mdc sound/a.ogg", "models/a.mdc"],
  ["etlegacy", "etmain", "models/a.md3 models/a.mdc sound/a.wav", "models/a.md3 sound/a.wav"],
  ["openjk", "base", "models/a.mdc models/a.iqm sound/a.mp3", "sound/a.mp3"],
  ["daemon", "pkg", "models/a.mdc sound/a.opus", "sound/a.opus"],
];

Deno.test("a listing continues where its page ended, whatever else was asked meanwhile", async () => {
  const maps = Array.from({ length: 6 }, (_, map) => `maps/m${map}.bsp`);
  const files = [
    ...maps.map((name) => ({ name, content: quake3Map("", [["textures/a", 1], [`textures/${name}`, 1]]) })),
    ...["textures/a.tga", "models/unused.md3"].map((name) => ({ name, content: "" })),
  ];
  await using root = await installation({ "g/baseq3/pak0.pk3": zip([]), "g/mod/a.pk3": zip(files) });
  await using index = await openIndex({ sources: [`${root.path}/g`], profile: "ioquake3", name: "g" });
  const view = "g/mod";
  const first = await index.call("needs", { view, files: ["m0"], limit: 2 });
  // deno-lint-ignore no-await-in-loop -- the last drop the walk of the first
  for (const map of maps) await index.call("needs", { view, files: [map] });
  const { rows, cursor } = await index.call("needs", { view, files: ["m0"], cursor: first.cursor ?? "" });
  assertEquals([...first.rows, ...rows].map(({ name }) => name), [
    "maps/m0.bsp",
    "textures/a.tga",
    "textures/maps/m0.bsp",
  ]);
  assertEquals(cursor, null);
  // A page that ended with the last of the files that the search starts from.
  const page = await index.call("unused", { view, maps: ["m0"], cursor: "unused:1:0" });
  const whole = await index.call("unused", { view, maps: ["maps/m0.bsp"] });
  assertEquals(page.rows.map(({ qpath }) => qpath), whole.rows.map(({ qpath }) => qpath));
});

Deno.test("engines look for models and sounds by extensions of their own, and for classes' sounds in Quake III alone", async () => {
  const entity = '{ "classname" "func_door" "model2" "models/a.md3" "noise" "sound/a.wav" }';
  for (const [profile, base, names, found] of alternatives) {
    const members = names.split(" ").map((name) => ({ name, content: name.endsWith("c") ? mdc() : md3("textures/a") }));
    const pack = base === "pkg" ? "unvanquished_1.dpk" : "pak0.pk3";
    // deno-lint-ignore no-await-in-loop -- one engine after the other
    await using here = await opened(profile, {
      [`${base}/${pack}`]: zip([{ name: "maps/a.bsp", content: quake3Map(entity, []) }, ...members]),
    }, base);
    // deno-lint-ignore no-await-in-loop -- one engine after the other
    const rows = await Array.fromAsync(here.view.needs("maps/a.bsp"));
    const needs = rows.filter(({ by, why }) => by === "maps/a.bsp" && /func_door/.test(why));
    assertEquals(needs.flatMap(({ qpath }) => qpath ?? []).join(" "), found, profile);
    const isOfClass = needs.some(({ name }) => name === "sound/movers/doors/dr1_strt.wav");
    assertEquals(isOfClass, base === "baseq3", profile);
  }
});

Deno.test("lines on which an expression would never end, and maps of very many entities, are read as others", () => {
  const blanks = "\t".repeat(60_000);
  const namesIn = (extension: string, family: "quake3" | "doom3", text: string) =>
    readerOf(`a.${extension}`, family)?.read(new TextEncoder().encode(text), {
      qpath: "a",
      family,
      hasQuake3Classes: true,
    })
      .map(({ names }) => names[0]);
  const skin = `${blanks},${blanks},${blanks}""\n h_head , "a/b.tga" \r\ntag_x,\n`;
  assertEquals(namesIn("skin", "quake3", skin), [",", "a/b.tga"]);
  assertEquals(namesIn("md5mesh", "doom3", `${"\r".repeat(60_000)}\n\tshader "a/b"\n`), ["a/b"]);
  const doors = '{"classname" "func_door"}'.repeat(70_000);
  const map = { qpath: "a.bsp", family: "quake3", hasQuake3Classes: true } as const;
  assert((readerOf("a.bsp", "quake3")?.read(quake3Map(doors, []), map).length ?? 0) > 140_000);
  const info = `gameinfo { ${'titlepage = "X"\n'.repeat(130_000)} }`;
  assertEquals(readMapInfo(new TextEncoder().encode(info)).game.length, 130_000);
  const sounds = readSoundInfo(new TextEncoder().encode(`${";\r".repeat(60_000)}x\na/b DSA // c\rd e\n`));
  assertEquals(sounds.definitions.map(({ name }) => name), ["a/b"]);
});
