import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openLocal, openLocalGames } from "../../service/local.ts";
import type { Connection } from "../../protocol/connection.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { drawnWaveform } from "../../repl/show/sound.ts";
import { join, output, padded, pak, text, u16, u32, wad, zip } from "../formats/bytes.ts";
import { type Files, installation } from "../index/fixtures.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection, type FixtureFile } from "./fake_connection.ts";
import { dmx } from "../media/convert/samples.ts";
import { roomMap } from "../media/handmade_doom.ts";
import { jsonRows, runLine, type Setting } from "./harness.ts";
import {
  md2,
  md3,
  mdl,
  quake2Map,
  quake3Map,
  quakeMap,
  sprite,
  spriteList,
  testPalette,
  textureWad,
  wav,
} from "../media/handmade.ts";

const red = join(
  Uint8Array.of(0, 0, 2),
  new Uint8Array(9),
  u16(2, 1),
  Uint8Array.of(24, 0x20),
  Uint8Array.of(0, 0, 255, 0, 0, 255),
);
const picture = join(u32(2, 2), Uint8Array.of(1, 2, 3, 4));
const entities =
  '{\n"classname" "worldspawn"\n"message" "A test"\n}\n{\n"classname" "light"\n}\n{\n"classname" "light"\n}';

function fixture(files: Record<string, Uint8Array>): FakeConnection {
  return new FakeConnection(
    Object.entries(files).map(([qpath, content]): FixtureFile => ({
      qpath,
      content,
      source: "/p.pak",
      format: "quake-pak",
    })),
  );
}

const files = {
  "gfx/palette.lmp": testPalette(),
  "gfx/title.lmp": picture,
  "gfx.wad": textureWad([["title", 66, picture], ["talk", 67, text("x")]]),
  "maps/start.bsp": quakeMap(entities),
  "maps/start.ent": text(entities),
  "progs/dog.mdl": mdl(),
  "sound/talk.wav": wav([0, 32767, -32768, 0], 1, 4, 1),
  "textures/red.tga": red,
  "readme.txt": text("hello"),
  "textures/cut.tga": red.subarray(0, 20),
};

/** Prints on a terminal of 256 colours. */
const onTerminal: Setting = { terminal: true, environment: { TERM: "xterm-256color" } };

Deno.test("a picture is a line where no terminal is, and where no colour is wanted", async () => {
  const line = "textures/red.tga  TGA, 2 x 1 pixels\n";
  const connection = fixture(files);
  assertEquals((await runLine("show textures/red.tga", { connection })).out, line);
  const noColour = { terminal: true, environment: { NO_COLOR: "1", TERM: "xterm-kitty" } };
  assertEquals((await runLine("show textures/red.tga", { connection, ...noColour })).out, line);
  assertEquals(
    (await runLine("show textures/red.tga --graphics none", { connection, ...onTerminal })).out.endsWith(
      line.slice(16),
    ),
    true,
  );
});

Deno.test("a picture is shown as the terminal can, or as --graphics says", async () => {
  const connection = fixture(files);
  const shown = async (line: string, place: Setting) =>
    (await runLine(line, { ...place, connection })).out.split("\n").slice(1).join("\n");
  assertEquals(await shown("show textures/red.tga", onTerminal), "\x1b[38;5;196m▀▀\x1b[0m\n");
  const truecolour = { terminal: true, environment: { TERM: "xterm-256color", COLORTERM: "truecolor" } };
  assertEquals(await shown("show textures/red.tga", truecolour), "\x1b[38;2;255;0;0m▀▀\x1b[0m\n");
  assertStringIncludes(
    await shown("show textures/red.tga", { terminal: true, environment: { TERM: "xterm-kitty" } }),
    "\x1b_Ga=T,f=100",
  );
  assertStringIncludes(await shown("show textures/red.tga --graphics sixel", {}), '\x1bP0;1q"1;1;192;96#0;2;100;0;0');
  assertEquals(await shown("show textures/red.tga --graphics blocks --width 1", {}), "\x1b[38;5;196m▀\x1b[0m\n");
  const wrong = await runLine("show textures/red.tga --graphics ascii", { connection });
  assertEquals([wrong.code, wrong.out], [2, ""]);
});

Deno.test("indexed pictures have the colours of the view, or say that they are a guess", async () => {
  const colours = "gfx/title.lmp  LMP, 2 x 2 pixels, colours of gfx/palette.lmp\n";
  assertEquals((await runLine("show gfx/title.lmp", { connection: fixture(files) })).out, colours);
  const { out } = await runLine("show gfx/title.lmp --graphics blocks", {
    connection: fixture(files),
    environment: { COLORTERM: "truecolor" },
  });
  assertEquals(out, `${colours}\x1b[38;2;1;254;0;48;2;3;252;1m▀\x1b[38;2;2;253;1;48;2;4;251;2m▀\x1b[0m\n`);
  const alone = fixture({ "gfx/title.lmp": picture });
  assertEquals(
    (await runLine("show gfx/title.lmp", { connection: alone })).out,
    "gfx/title.lmp  LMP, 2 x 2 pixels, built-in colours\n",
  );
  const [row] = jsonRows((await runLine("show gfx/title.lmp --json", { connection: alone })).out) as {
    palette: string;
  }[];
  assertEquals(row?.palette, "built-in colours");
  const damaged = fixture({ "gfx/title.lmp": picture, "gfx/palette.lmp": new Uint8Array(3) });
  const { out: text, err } = await runLine("show gfx/title.lmp", { connection: damaged });
  assertStringIncludes(text, "built-in colours");
  assertStringIncludes(err, "gfx/palette.lmp not used: a palette has 768 bytes");
});

Deno.test("--png writes the picture in its own size", async () => {
  await using directory = await installation({});
  const path = `${directory.path}/title.png`;
  const connection = fixture(files);
  const { out } = await runLine(`show gfx/title.lmp --png ${path}`, { connection, ...onTerminal, columns: 200 });
  assertStringIncludes(out, `written to ${path}\n`);
  assertEquals(decodePng(await Deno.readFile(path)).rgba.toHex(), "01fe00ff02fd01ff03fc01ff04fb02ff");
  const [row] = jsonRows(
    (await runLine(`show maps/start.bsp --texture SKY1 --png ${path} --json`, { connection })).out,
  );
  assertEquals<unknown>(row, {
    qpath: "maps/start.bsp",
    view: "quake/hipnotic",
    type: "picture",
    format: "mip",
    texture: "sky1",
    width: 16,
    height: 16,
    transparent: false,
    palette: "gfx/palette.lmp",
    png: path,
  });
  assertEquals(decodePng(await Deno.readFile(path)).width, 16);
});

Deno.test("a sound of Doom is shown as a WAV of its samples, wherever it is", async () => {
  const lumps = { DSPISTOL: dmx(...Array.from({ length: 100 }, (_, index) => index + 78)), "sounds/a": dmx(1, 2, 3) };
  const { out } = await runLine("show DSPISTOL", { connection: fixture(lumps) });
  assertEquals(out.split("\n")[0], "DSPISTOL  DMX, PCM of 8 bits, mono, 11,025 Hz, 0.01 s");
  const [row] = jsonRows((await runLine("show DSPISTOL --json", { connection: fixture(lumps) })).out) as {
    format: string;
    frames: number;
  }[];
  assertEquals([row?.format, row?.frames], ["dmx", 100]);
  const short = await runLine("show sounds/a", { connection: fixture(lumps) });
  assertStringIncludes(short.err, "sounds/a: not a picture, sound", "the engine plays nothing so short");
});

Deno.test("TEXTURE1 lists its textures, draws one over the edges, and says which patch is missing", async () => {
  const pixel = (index: number) => join(u16(1, 1, 0, 0), u32(12), Uint8Array.of(0, 1, 0, index, 0, 255));
  const texture = join(
    padded(text("WALL"), 8),
    ...[u32(0), u16(2, 2), u32(0), u16(4)],
    ...[u16(0, 0, 0, 1, 0), u16(1, 1, 1, 1, 0), u16(65535, 0, 1, 1, 0), u16(1, 1, 2, 1, 0)],
  );
  const lumps = wad([
    ["PLAYPAL", testPalette()],
    ["PNAMES", join(u32(3), ...["A", "B", "GONE"].map((name) => padded(text(name), 8)))],
    ["TEXTURE1", join(u32(1, 8), texture)],
    ...[["P_START", ""], ["A", pixel(5)], ["P_END", ""], ["B", pixel(6)]] as const,
  ]);
  await using directory = await temporaryDirectory();
  await Deno.writeFile(`${directory.path}/a.wad`, lumps);
  await using connection = await openLocal({ sources: [`${directory.path}/a.wad`], game: "d" });
  const listed = await runLine("show lumps/TEXTURE1", { connection });
  assertEquals(listed.out.trimEnd().split("\n").map((line) => line.trim().replaceAll(/  +/g, "  ")), [
    "lumps/TEXTURE1  1 texture of Doom",
    "PIXELS  NAME  PATCHES",
    "2 x 2  WALL  A B B GONE",
  ]);
  const png = `${directory.path}/wall.png`;
  const { err } = await runLine(`show lumps/TEXTURE1 --texture wall --png ${png}`, { connection });
  assertStringIncludes(err, ": patch GONE is missing");
  const { rgba } = decodePng(await Deno.readFile(png));
  const [five, six, none] = [[5, 250, 2, 255], [6, 249, 3, 255], [0, 0, 0, 0]] as const;
  assertEquals(Array.from(rgba), [...five, ...none, ...none, ...six]);
  assertStringIncludes((await runLine("show lumps/TEXTURE1 --texture none", { connection })).err, 'no texture "none"');
});

const composed = ["BROWNHUG", "EXITSGN2", "SKY1", "BIGDOOR2", "PLANET1"];

Deno.test(
  "textures of Freedoom are composed as a program in Python composes them",
  needs("python3", "debian:freedoom"),
  async () => {
    const wad = `${debianPackage("freedoom")}/usr/share/games/doom/freedoom2.wad`;
    await using connection = await openLocal({ sources: [wad], profile: "boom", game: "d" });
    await using directory = await temporaryDirectory();
    const script = new URL("composed_texture.py", import.meta.url).pathname;
    for (const name of composed) {
      const png = `${directory.path}/${name}.png`;
      // deno-lint-ignore no-await-in-loop -- one texture after the other, to see which differs
      const { code } = await runLine(`show TEXTURE1 --texture ${name} --png ${png}`, { connection });
      assertEquals(code, 0, name);
      // deno-lint-ignore no-await-in-loop -- as above
      const [made, expected] = [decodePng(await Deno.readFile(png)).rgba, await output("python3", script, wad, name)];
      assertEquals(made.length, expected.length, name);
      assert(made.every((value, index) => value === expected[index]), name);
    }
  },
);

Deno.test("a sound prints its format, its length and a waveform", async () => {
  const { out } = await runLine("show sound/talk.wav", { connection: fixture(files) });
  assertEquals(out.split("\n"), [
    "sound/talk.wav  WAV, PCM of 16 bits, mono, 4 Hz, 1.00 s",
    "frames:  4",
    "loudest: 100%",
    "repeats: from frame 1, 0.25 s",
    " ▀",
    "",
    "",
    "",
    "▀  ▀",
    "",
    "",
    "  ▄",
    "",
  ]);
  const [row] = jsonRows((await runLine("show sound/talk.wav --json", { connection: fixture(files) })).out) as {
    waveform: unknown;
  }[];
  assertEquals(row?.waveform, [[0, 0], [1, 1], [-1, -1], [0, 0]]);
  assertEquals(drawnWaveform([[-1, 1], [-0.5, 0.5], [0, 0]], 2), ["█▄", "██▀"]);
});

Deno.test("a map prints its entities and what is missing", async () => {
  const { out } = await runLine("show maps/start.bsp", { connection: fixture(files) });
  assertEquals(out.split("\n").slice(1), [
    "worldspawn",
    "  message: A test",
    "COUNT  CLASS",
    "    2  light",
    "    1  worldspawn",
    "2 textures; missing from quake/hipnotic:",
    "  (a texture without a name: the compiler of this Quake map did not find it)  1 surface",
    "",
  ]);
  const { out: list } = await runLine("show maps/start.ent", { connection: fixture(files) });
  assertStringIncludes(list, "maps/start.ent  3 entities\nworldspawn\n  message: A test\n");
  const [row] = jsonRows((await runLine("show maps/start.bsp --json", { connection: fixture(files) })).out);
  assertEquals<unknown>(row, {
    qpath: "maps/start.bsp",
    view: "quake/hipnotic",
    type: "map",
    format: "Quake",
    version: 29,
    vertices: 4,
    surfaces: 3,
    models: 1,
    entities: 3,
    classes: [{ classname: "light", count: 2 }, { classname: "worldspawn", count: 1 }],
    worldspawn: { classname: "worldspawn", message: "A test" },
    textures: [
      { name: "sky1", surfaces: 2, found: "embedded", lacks: [] },
      { name: "", surfaces: 1, found: null, lacks: [] },
    ],
    missing: [""],
  });
});

Deno.test("a WAD lists its lumps, a model its frames; their pictures can be shown", async () => {
  const connection = fixture(files);
  assertEquals((await runLine("show gfx.wad", { connection })).out.split("\n"), [
    "gfx.wad  texture WAD, 2 lumps",
    "SIZE  TYPE   PIXELS  NAME",
    "  12  qpic    2 x 2  title",
    "   1  sound          talk",
    "",
  ]);
  assertStringIncludes(
    (await runLine("show gfx.wad -t title", { connection })).out,
    "qpic title of a WAD, 2 x 2 pixels",
  );
  assertEquals((await runLine("show progs/dog.mdl", { connection })).out.split("\n"), [
    "progs/dog.mdl  MDL model, version 6: 1 triangle, 3 vertices, 3 frames, 1 skin",
    "box:    (-5, -10, 0) to (0, 10, 8), 5 x 20 x 8",
    "frames: stand 2, run 2",
    "",
  ]);
  assertStringIncludes(
    (await runLine("show progs/dog.mdl --texture 0", { connection })).out,
    "skin 0 of an MDL, 4 x 2 pixels",
  );
});

Deno.test("a sprite of Quake is shown as a sheet of its frames, or one of them; both as PNG", async () => {
  await using directory = await installation({});
  const path = `${directory.path}/s.png`;
  const connection = fixture({ ...files, "progs/s_light.spr": sprite() });
  const sheet = await runLine(`show progs/s_light.spr --png ${path}`, { connection });
  assertStringIncludes(
    sheet.out,
    "SPR sprite, parallel, 3 frames, 4 x 4 pixels, colours of gfx/palette.lmp, not all opaque",
  );
  assertEquals(decodePng(await Deno.readFile(path)).rgba.subarray(0, 16).toHex(), "01fe00ffff007f0002fd01ff00000000");
  const one = await runLine(`show progs/s_light.spr --texture 1 --png ${path}`, { connection });
  assertStringIncludes(one.out, "frame 1 of an SPR sprite, 1 x 2 pixels");
  assertEquals(decodePng(await Deno.readFile(path)).rgba.toHex(), "02fd01ff03fc01ff");
  const none = await runLine("show progs/s_light.spr -t 3", { connection });
  assertEquals([none.code, none.err], [1, 'pakfs: progs/s_light.spr has no frame "3"; it has 3 frames, from 0 on\n']);
});

Deno.test("what cannot be shown is refused with the file's name and a hint", async () => {
  const connection = fixture(files);
  const message = async (line: string) => {
    const { code, out, err } = await runLine(line, { connection });
    assertEquals([code, out], [1, ""], line);
    return err;
  };
  assertStringIncludes(await message("show readme.txt"), "readme.txt: not a picture, sound, map or model");
  assertStringIncludes(
    await message("show textures/cut.tga"),
    "textures/cut.tga: its pixels end before the picture is full",
  );
  assertStringIncludes(await message("show gfx"), "gfx is a directory; ls gfx lists it");
  assertStringIncludes(await message("show nothing.tga"), "has no nothing.tga");
  assertStringIncludes(await message("show maps/start.bsp --png x.png"), "--texture NAME says which");
  assertStringIncludes(await message("show maps/start.bsp --texture lava"), 'has no texture "lava"');
  assertStringIncludes(await message("show gfx.wad --texture talk"), "gfx.wad: lump talk is no picture");
  assertStringIncludes(await message("show progs/dog.mdl --texture 1"), 'has no skin "1"; it has 1 skin');
  assertEquals((await runLine("show gfx/title.lmp", { connection, signal: AbortSignal.abort() })).code, 130);
});

/** An index over an installation, closed with it. */
async function indexed(installed: Files, profile: string): Promise<AsyncDisposable & { connection: Connection }> {
  const directory = await installation(installed);
  const connection = await openLocal({ sources: [directory.path], profile, game: "g" });
  return {
    connection,
    async [Symbol.asyncDispose](): Promise<void> {
      await connection.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a sprite of Quake 2 names its files and those that the view lacks", async () => {
  await using index = await indexed({
    "baseq2/pak0.pak": pak([
      ["sprites/s.sp2", spriteList(["sprites/s_0.pcx", "sprites/gone.pcx"])],
      ["sprites/s_0.pcx", "x"],
    ]),
  }, "quake2");
  const { connection } = index;
  assertEquals((await runLine("show sprites/s.sp2", { connection })).out.split("\n"), [
    "sprites/s.sp2  SP2 sprite, 2 frames",
    " PIXELS  FILE",
    "32 x 16  sprites/s_0.pcx",
    "32 x 16  sprites/gone.pcx  missing from g/baseq2",
    "",
  ]);
  const [row] = jsonRows((await runLine("show sprites/s.sp2 --json", { connection })).out) as { missing: string[] }[];
  assertEquals(row?.missing, ["sprites/gone.pcx"]);
});

Deno.test("a map of Quake 3 names shaders and images that the view lacks", async () => {
  const shader = `textures/wall/glow
{
  { map textures/wall/base.tga }
  { clampmap $lightmap }
  { animMap 4 textures/wall/f1 textures/wall/f2.tga } // textures/wall/not
}
textures/sky/night
{
  skyparms env/night 512 -
  qer_editorimage textures/sky/editor.tga
}
`.replaceAll(/\{ (.*) \}/g, "{\n$1\n}");
  await using index = await indexed({
    "baseq3/pak0.pk3": zip([
      { name: "scripts/wall.shader", content: shader },
      { name: "textures/wall/base.jpg", content: "x" },
      { name: "textures/wall/f1.tga", content: "x" },
      { name: "textures/plain.tga", content: "x" },
      ...["rt", "bk", "lf", "ft", "up"].map((side) => ({ name: `env/night_${side}.tga`, content: "x" })),
      {
        name: "maps/a.bsp",
        content: quake3Map(entities, [
          ["textures/wall/glow", 2],
          ["textures/sky/night", 1],
          ["textures/plain", 1],
          ["textures/gone", 3],
          ["textures/unseen", 0],
          ["noshader", 1],
        ]),
      },
    ]),
  }, "ioquake3");
  const { connection } = index;
  const { out } = await runLine("show maps/a.bsp", { connection });
  assertEquals(out.split("\n").slice(-5), [
    "6 textures; missing from g/baseq3:",
    "  textures/gone  3 surfaces",
    "  textures/wall/f2.tga  an image of the shader textures/wall/glow",
    "  env/night_dn.tga  an image of the shader textures/sky/night",
    "",
  ]);
  const [row] = jsonRows((await runLine("show maps/a.bsp --json", { connection })).out) as {
    textures: { name: string; found: string | null }[];
    missing: string[];
  }[];
  assertEquals(row?.textures.map(({ found }) => found), ["shader", "shader", "image", null, null, null]);
  assertEquals(row?.missing, ["textures/gone", "textures/wall/f2.tga", "env/night_dn.tga"]);
});

Deno.test("a map of Quake 2 names textures without a WAL, and models skins that are not there", async () => {
  await using index = await indexed({
    "baseq2/pak0.pak": pak([
      ["maps/a.bsp", quake2Map(entities, ["e1u1/wall", "e1u1/gone"])],
      ["textures/e1u1/wall.wal", "x"],
      ["models/a/tris.md2", md2(["models/a/skin.pcx", "models/a/gone.pcx"])],
      ["models/a/skin.pcx", "x"],
    ]),
  }, "quake2");
  const { connection } = index;
  const { out } = await runLine("show maps/a.bsp", { connection });
  assertStringIncludes(out, "2 textures; missing from g/baseq2:\n  e1u1/gone  1 surface\n");
  const model = await runLine("show models/a/tris.md2", { connection });
  assertStringIncludes(model.out, "2 skins\n");
  assertEquals(model.out.match(/skin .*$/gm), ["skin models/a/gone.pcx  missing from g/baseq2"]);
});

Deno.test("an MD3 has the skins of the skin files next to it, else its own", async () => {
  await using index = await indexed({
    "baseq3/pak0.pk3": zip([
      { name: "models/players/x/upper.md3", content: md3("made/on/another/machine.tga") },
      { name: "models/players/x/upper_default.skin", content: "u_torso,models/players/x/torso.tga\r\ntag_head,\r\n" },
      { name: "models/players/x/upper_red.skin", content: "u_torso,models/players/x/red.tga\n" },
      { name: "models/players/x/torso.tga", content: "x" },
      { name: "models/box.md3", content: md3("models/box") },
    ]),
  }, "ioquake3");
  const { connection } = index;
  const skins = async (qpath: string) => {
    const [row] = jsonRows((await runLine(`show ${qpath} --json`, { connection })).out) as {
      skins: unknown;
      missing: unknown;
    }[];
    return [row?.skins, row?.missing];
  };
  assertEquals(await skins("models/players/x/upper.md3"), [
    [
      { name: "models/players/x/torso.tga", file: "models/players/x/upper_default.skin", found: "image", lacks: [] },
      { name: "models/players/x/red.tga", file: "models/players/x/upper_red.skin", found: null, lacks: [] },
    ],
    ["models/players/x/red.tga"],
  ]);
  assertEquals(await skins("models/box.md3"), [[{ name: "models/box", file: null, found: null, lacks: [] }], [
    "models/box",
  ]]);
});

Deno.test("du sums directories up, the largest first, with bars", async () => {
  const content = (size: number) => new Uint8Array(size).fill(65);
  await using index = await indexed({
    "id1/pak0.pak": pak([
      ["a/one", content(100)],
      ["a/deep/two", content(2000)],
      ["b/three", content(6000)],
      ["top", content(92)],
      ["a/one", content(5)],
    ]),
  }, "quake");
  const { connection } = index;
  assertEquals((await runLine("du", { connection })).out.split("\n"), [
    "SIZE  COMPRESSED  FILES                        NAME",
    "8.0K        8.0K      4  ████████████████████  .",
    "5.9K        5.9K      1  ██████████████▋         b/",
    "2.1K        2.1K      2  █████▏                  a/",
    "",
  ]);
  const rows = jsonRows((await runLine("du a -d 5 --json", { connection })).out);
  assertEquals<unknown[]>(rows, [
    { qpath: "a", view: "g/id1", depth: 0, files: 2, size: 2100, packedSize: 2100, ownFiles: 1, ownSize: 100 },
    { qpath: "a/deep", view: "g/id1", depth: 1, files: 1, size: 2000, packedSize: 2000, ownFiles: 1, ownSize: 2000 },
  ]);
  const pages = await connection.call("usage", { depth: 9, limit: 2 });
  assert(pages.cursor !== null);
  const rest = await connection.call("usage", { depth: 9, limit: 2, cursor: pages.cursor });
  assertEquals([...pages.rows, ...rest.rows].map(({ qpath }) => qpath), ["", "b", "a", "a/deep"]);
  assertEquals((await runLine("du nothing", { connection })).code, 1);
  assertEquals((await runLine("du top --json", { connection })).out.includes('"files":1,"size":92'), true);
});

Deno.test("packs has bars on a terminal, and none elsewhere", async () => {
  const { out } = await runLine("packs", { terminal: true, columns: 120, environment: { NO_COLOR: "1" } });
  assertStringIncludes(out, " 18M  ████████  1997-03-11 13:05");
  assertStringIncludes(out, " 100  ▏         1997-03-11 13:05");
  assert(!(await runLine("packs")).out.includes("█"));
});

Deno.test("a map of Doom prints its parts, its things and the textures that the view lacks", async () => {
  const map = roomMap("MAP01", ["FLOOR", "GONE", "NONE"]).map(([name, content]) => [name, content] as const);
  const floor = [["F_START", ""], ["FLOOR", new Uint8Array(4096)], ["F_END", ""]] as const;
  await using root = await installation({
    "doom2.wad": wad([["PLAYPAL", testPalette()], ...map, ...floor], "IWAD"),
  });
  const iwad = `${root.path}/doom2.wad`;
  await using connection = await openLocalGames([{ sources: [iwad], iwad, profile: "boom", name: "doom" }]);
  const shown = async (name: string) => {
    const { out, err } = await runLine(`show ${name} --long`, { connection });
    assertEquals(out.split("\n").map((line) => line.trim().replace(/  +/g, "  ")), [
      `${name}  map in the format of Doom: 1 sector, 3 lines, 3 sides, 3 vertices, 1 thing`,
      ...["COUNT  CLASS", "1  thing 1", "SURFACES  FOUND  TEXTURE"],
      ...["3  missing  NONE", "1  image  flats/FLOOR", "1  missing  flats/GONE"],
      "3 textures; missing from doom/doom2:",
      ...["NONE  3 surfaces", "flats/GONE  1 surface", ""],
    ], err);
  };
  await Promise.all(["MAP01", "maps/MAP01/LINEDEFS"].map(shown));
  const { type, format, version, surfaces, missing } = JSON.parse(
    (await runLine("show MAP01 --json", { connection })).out,
  );
  assertEquals([type, format, version, surfaces, missing], [
    ...["map", "Doom", null, 5],
    ["NONE", "flats/GONE"],
  ]);
  assertStringIncludes((await runLine("show maps/MAP01/SECTORS", { connection })).err, "use cat or hexdump");
});
