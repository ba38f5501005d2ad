import { assert, assertEquals, assertThrows } from "@std/assert";
import { readBsp } from "../../media/maps/bsp.ts";
import { countClasses, parseEntities } from "../../media/maps/entities.ts";
import { fileKindOf } from "../../media/file_kind.ts";
import { decodeMdlSkin } from "../../media/models/mdl.ts";
import { animationsOf } from "../../media/models/model.ts";
import { readModel } from "../../media/models/model_file.ts";
import { MediaError, Reader } from "../../media/core/reader.ts";
import { decodeFrame, frameSheet, readSprite, readSpriteList } from "../../media/pictures/sprite.ts";
import { decodeLump, readWad } from "../../media/pictures/wad.ts";
import { readWav } from "../../media/sounds/wav.ts";
import { hex, join, output, text, u16, u32, withDirectory } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { needs } from "../support/programs.ts";
import { type RandomSound, wavs } from "./random_files.ts";
import {
  halfLifeSprite,
  iqm,
  md2,
  md3,
  mdl,
  mip,
  quake2Map,
  quake3Map,
  quakeMap,
  sprite,
  spriteList,
  testPalette,
  textureWad,
  wav,
} from "./handmade.ts";

const entities =
  '{\n"classname" "worldspawn"\n"message" "The Slipgate"\n}\n{ "classname" "light" }\n{"classname" "light"}';

Deno.test("entities are keys and values in braces", () => {
  const list = parseEntities('{ "classname" "light" "origin" "1 2 3" // a lamp\n}{"classname" "a"}\n{}\0');
  assertEquals(list.map((entity) => [...entity]), [
    [["classname", "light"], ["origin", "1 2 3"]],
    [["classname", "a"]],
    [],
  ]);
  assertEquals(countClasses(list), [
    { classname: "", count: 1 },
    { classname: "a", count: 1 },
    { classname: "light", count: 1 },
  ]);
  assertThrows(() => parseEntities('{ "a" "b"'), MediaError, "entity 0 is not closed");
  assertThrows(() => parseEntities("{ { "), MediaError, "not closed before");
  assertThrows(() => parseEntities('"a" "b"'), MediaError, "outside the braces");
});

Deno.test("a map of Quake has its textures in it, and says which the compiler did not find", () => {
  const map = readBsp(quakeMap(entities));
  assertEquals([map.format, map.version, map.vertices, map.surfaces, map.models], ["Quake", 29, 4, 3, 1]);
  assertEquals(map.entities.length, 3);
  assertEquals(map.entities[0]?.get("classname"), "worldspawn");
  const [sky, missing] = map.textures;
  assertEquals([missing, sky?.name, sky?.surfaces], [{ name: "", surfaces: 1, offset: null }, "sky1", 2]);
  const wide = readBsp(quakeMap(entities, text("BSP2")));
  assertEquals([wide.format, wide.version, wide.surfaces], ["Quake BSP2", "BSP2", 3]);
  assertEquals(wide.textures.map(({ surfaces }) => surfaces), [2, 1]);
});

Deno.test("a map of Quake 2 names its textures, one of Quake 3 its shaders", () => {
  const second = readBsp(quake2Map(entities, ["e1u1/wall", "e1u1/floor", "e1u1/wall"]));
  assertEquals([second.format, second.version, second.models], ["Quake 2", 38, 2]);
  assertEquals(second.textures, [
    { name: "e1u1/wall", surfaces: 3, offset: null },
    { name: "e1u1/floor", surfaces: 1, offset: null },
  ]);
  const third = readBsp(quake3Map(entities, [["textures/a", 2], ["textures/common/caulk", 0]]));
  assertEquals([third.format, third.version, third.vertices, third.surfaces], ["Quake 3", 46, 3, 2]);
  assertEquals(third.textures, [
    { name: "textures/a", surfaces: 2, offset: null },
    { name: "textures/common/caulk", surfaces: 0, offset: null },
  ]);
  assertEquals(readBsp(quake3Map("", [], 47)).format, "RTCW or Quake Live");
});

Deno.test("a map of another version, or with parts outside the file, is refused", () => {
  assertThrows(() => readBsp(quake3Map("", [], 99)), MediaError, "maps of version 99 are not known; those of 29, 30");
  const map = quakeMap(entities);
  assertThrows(() => readBsp(map.subarray(0, map.length - 1)), MediaError, "part 14 of the map");
  const many = map.slice();
  new DataView(many.buffer).setUint32(new DataView(many.buffer).getUint32(4 + 2 * 8, true), 0x7fffffff, true);
  assertThrows(() => readBsp(many), MediaError, "cannot have 2147483647 textures");
});

Deno.test("a WAD lists its lumps, and those that are pictures are decoded", () => {
  const picture = join(u32(2, 1), Uint8Array.of(5, 255));
  const wad = textureWad([
    ["PALETTE", 64, testPalette()],
    ["title", 66, picture],
    ["lava1", 68, mip("lava1", 9)],
    ["CONCHARS", 68, new Uint8Array(128 * 128).fill(2)],
    ["talk", 67, text("sound")],
  ]);
  const lumps = readWad(wad);
  assertEquals(lumps.map(({ name, type, size, width, height }) => [name, type, size, width, height]), [
    ["PALETTE", "palette", 768, null, null],
    ["title", "qpic", 10, 2, 1],
    ["lava1", "miptex", 380, 16, 16],
    ["CONCHARS", "miptex", 16384, 128, 128],
    ["talk", "sound", 5, null, null],
  ]);
  const palette = { colours: testPalette(), origin: "" };
  const first = lumps.slice(1, 4).map((lump) => decodeLump(wad, lump, palette).picture.rgba.slice(0, 8).toHex());
  assertEquals(first, ["05fa02ff" + "ff007f00", "00ff00ff" + "09f604ff", "02fd01ff" + "02fd01ff"]);
  const [sound] = lumps.slice(4);
  if (sound) assertThrows(() => decodeLump(wad, sound, palette), MediaError, "lump talk is no picture");
  assertThrows(() => readWad(wad.subarray(0, 40)), MediaError);
});

Deno.test("an MDL has its frames, skins and size", () => {
  const model = readModel(mdl());
  assertEquals(model, {
    format: "MDL",
    version: 6,
    frames: 3,
    animations: [{ name: "stand", frames: 2 }, { name: "run", frames: 2 }],
    triangles: 1,
    vertices: 3,
    skins: ["0"],
    surfaces: [],
    tags: [],
    bounds: { low: [-5, -10, 0], high: [0, 10, 8] },
  });
  const palette = { colours: testPalette(), origin: "" };
  const skin = decodeMdlSkin(mdl(), 0, palette);
  assertEquals([skin.width, skin.height, skin.rgba.slice(28).toHex()], [4, 2, "08f704ff"]);
  assertThrows(() => decodeMdlSkin(mdl(), 1, palette), MediaError, "no skin 1");
  assertThrows(() => readModel(mdl().subarray(0, 250)), MediaError, "cut short");
});

Deno.test("an MD2 has its frames and skins, an MD3 its surfaces, shaders and tags", () => {
  const second = readModel(md2(["models/a/skin.pcx"]));
  assertEquals([second.format, second.frames, second.triangles, second.vertices], ["MD2", 2, 1, 2]);
  assertEquals([second.skins, second.animations], [["models/a/skin.pcx"], [{ name: "a", frames: 2 }]]);
  assertEquals(second.bounds, { low: [-3, 0, 0], high: [11, 5, 6] });
  const third = readModel(md3("models/a/torso.tga"));
  assertEquals(third, {
    format: "MD3",
    version: 15,
    frames: 1,
    animations: [{ name: "only", frames: 1 }],
    triangles: 1,
    vertices: 3,
    skins: ["models/a/torso.tga"],
    surfaces: [{ name: "u_torso", triangles: 1, vertices: 3, shaders: ["models/a/torso.tga"] }],
    tags: ["tag_head"],
    bounds: { low: [-1, -2, -3], high: [4, 5, 6] },
  });
  const old = md2([]);
  old[4] = 7;
  assertThrows(() => readModel(old), MediaError, "unknown version 7 of MD2; 8 can be read");
  assertEquals(animationsOf(["run1", "run2", "die_1", "run1", "007"]).map(({ name, frames }) => `${name} ${frames}`), [
    "run 2",
    "die 1",
    "run 1",
    "007 1",
  ]);
});

Deno.test("an IQM has its meshes, materials, joints, animations and boxes", () => {
  const model = readModel(iqm(["models/body.tga", "models/head"]));
  assertEquals(model, {
    format: "IQM",
    version: 2,
    frames: 2,
    animations: [{ name: "walk", frames: 2 }],
    triangles: 3,
    vertices: 7,
    skins: ["models/body.tga", "models/head"],
    surfaces: [
      { name: "body", triangles: 1, vertices: 3, shaders: ["models/body.tga"] },
      { name: "head", triangles: 2, vertices: 4, shaders: ["models/head"] },
    ],
    tags: ["root"],
    bounds: { low: [-9, -8, -7], high: [9, 8, 10] },
  });
  // Without boxes, bounds enclose the vertices.
  assertEquals(readModel(iqm(["a", "b"], false)).bounds, { low: [-1, -2, -3], high: [4, 5, 6] });
  assertThrows(() => readModel(iqm(["a", "b"]).subarray(0, 200)), MediaError);
  const newer = iqm(["a", "b"]);
  newer[16] = 3;
  assertThrows(() => readModel(newer), MediaError, "unknown version 3 of IQM");
});

Deno.test("a sprite of Quake has frames and groups of them, one of Quake 2 names files", () => {
  const reader = new Reader(sprite());
  const read = readSprite(reader);
  assertEquals([read.version, read.facing, read.transparent, read.colours], [1, "parallel", 255, undefined]);
  assertEquals(read.frames.map(({ width, height }) => [width, height]), [[2, 1], [1, 2], [1, 1]]);
  const palette = { colours: testPalette(), origin: "" };
  const [first] = read.frames;
  assert(first);
  assertEquals(decodeFrame(reader, read, first, palette).rgba.toHex(), "01fe00ff" + "ff007f00");
  // Two columns of 2 x 2: the first and the second frame, below them the third.
  const none = "00000000";
  const sheet = frameSheet(reader, read, palette);
  assertEquals([sheet.width, sheet.height], [4, 4]);
  assertEquals(sheet.rgba.toHex().match(/.{32}/g), [
    "01fe00ff" + "ff007f00" + "02fd01ff" + none,
    none + none + "03fc01ff" + none,
    "04fb02ff" + none + none + none,
    none + none + none + none,
  ]);
  assertThrows(() => readSprite(new Reader(sprite().subarray(0, 80))), MediaError, "cut short");
  assertEquals(readSpriteList(new Reader(spriteList(["sprites/a.pcx"]))), [
    { name: "sprites/a.pcx", width: 32, height: 16 },
  ]);
});

Deno.test("a sprite of Half-Life has its own colours, and holes only where it is drawn with them", () => {
  for (const [how, last] of [[0, "ff007fff"], [3, "ff007f00"]] as const) {
    const reader = new Reader(halfLifeSprite(how));
    const read = readSprite(reader);
    const palette = { colours: read.colours ?? new Uint8Array(768), origin: "" };
    assertEquals(frameSheet(reader, read, palette).rgba.toHex(), `09f604ff${last}`);
  }
});

Deno.test("a picture in a WAD of Half-Life has its own colours after it", () => {
  const own = testPalette().reverse();
  const wad = textureWad([["logo", 66, join(u32(2, 1), Uint8Array.of(5, 7), u16(256), own)]]);
  wad[3] = 0x33; // WAD3
  const [lump] = readWad(wad);
  assert(lump);
  const { picture, palette } = decodeLump(wad, lump, { colours: testPalette(), origin: "the view" });
  assertEquals([picture.rgba.toHex(), palette.origin], [
    [...own.subarray(15, 18), 255, ...own.subarray(21, 24), 255].map((byte) => byte.toString(16).padStart(2, "0")).join(
      "",
    ),
    "the file itself",
  ]);
});

Deno.test("a WAV has its format, its length, where it repeats and how loud it is", () => {
  const sound = readWav(wav([0, 16384, -32768, 0, 8192, -8192, 0, 0], 1, 4, 6), 4);
  assertEquals(sound, {
    encoding: "PCM",
    channels: 1,
    rate: 4,
    bits: 16,
    length: 2,
    frames: 8,
    loop: 6,
    peak: 1,
    waveform: [[0, 0.5], [-1, 0], [-0.25, 0.25], [0, 0]],
  });
  const stereo = readWav(wav([1, 2, 3, 4, 5, 6], 2, 3), 100);
  assertEquals([stereo.channels, stereo.frames, stereo.length, stereo.loop, stereo.waveform.length], [
    2,
    3,
    1,
    null,
    3,
  ]);
});

/** Returns the amplitudes of stored samples. */
function amplitudes({ code, bits, data }: RandomSound): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return Array.from({ length: data.length / (bits / 8) }, (_, index) => {
    if (bits === 8) return view.getUint8(index) / 128 - 1;
    if (bits === 16) return view.getInt16(index * 2, true) / 2 ** 15;
    if (bits === 24) return (view.getInt8(index * 3 + 2) * 65536 + view.getUint16(index * 3, true)) / 2 ** 23;
    if (code === 1) return view.getInt32(index * 4, true) / 2 ** 31;
    const value = view.getFloat32(index * 4, true);
    return Number.isNaN(value) ? 0 : Math.max(-1, Math.min(1, value));
  });
}

Deno.test("a WAV is read whatever chunks are around its samples, as Python reads it", needs("python3"), async () => {
  const common: unknown[] = [];
  fc.assert(
    fc.property(wavs, fc.integer({ min: 1, max: 9 }), (wav, parts) => {
      const sound = readWav(wav.bytes, parts);
      const { channels, rate, bits, loop, data } = wav;
      const frames = data.length / (bits / 8) / channels;
      const all = amplitudes(wav);
      const count = Math.min(parts, frames);
      const waveform = Array.from({ length: count }, (_, part): [number, number] => {
        const [start, end] = [Math.floor(part * frames / count), Math.floor((part + 1) * frames / count)];
        const within = all.slice(start * channels, end * channels);
        return [Math.min(...within), Math.max(...within)];
      });
      const peak = Math.max(0, ...all.map(Math.abs));
      assertEquals(sound, {
        encoding: wav.code === 1 ? "PCM" : "float",
        ...{ channels, rate, bits, loop, frames, peak, waveform, length: frames / rate },
      });
      const known = [channels, bits / 8, rate, frames, data.toHex()];
      if (wav.isCommon) common.push({ wav: wav.bytes.toHex(), known });
    }),
    { numRuns: 300 },
  );
  const script = `
import io, json, sys, wave
for line in open(sys.argv[1]):
    one = json.loads(line)
    w = wave.open(io.BytesIO(bytes.fromhex(one["wav"])))
    channels, width, rate, frames = w.getparams()[:4]
    # A part of a frame at the end is no sample.
    seen = [channels, width, rate, frames, w.readframes(frames)[: frames * channels * width].hex()]
    assert seen == one["known"], (seen, one)`;
  await withDirectory(async (directory) => {
    await Deno.writeTextFile(`${directory}/wavs`, common.map((one) => JSON.stringify(one)).join("\n"));
    await output("python3", "-c", script, `${directory}/wavs`);
  });
});

Deno.test("a WAV of other encodings has the facts that can be read", () => {
  const body = (format: Uint8Array, data: Uint8Array) =>
    join(text("RIFF"), u32(0), text("WAVE"), text("fmt "), u32(16), format, text("data"), u32(0xffffffff), data);
  const bytes = readWav(body(join(u16(1, 1), u32(2, 2), u16(1, 8)), hex("00 80 ff 40")), 4);
  assertEquals([bytes.bits, bytes.length, bytes.waveform.map(([low]) => low)], [8, 2, [-1, 0, 127 / 128, -0.5]]);
  const compressed = readWav(body(join(u16(0x11, 1), u32(22050, 100), u16(256, 4)), new Uint8Array(200)), 4);
  assertEquals([compressed.encoding, compressed.frames, compressed.length, compressed.peak, compressed.waveform], [
    "IMA ADPCM",
    null,
    2,
    null,
    [],
  ]);
  assertThrows(() => readWav(join(text("RIFF"), u32(0), text("WAVE")), 4), MediaError, "chunk fmt is missing");
  assertThrows(() => readWav(text("RIFX"), 4), MediaError, "does not begin like a WAV");
});

Deno.test("a file is known by its first bytes, else by its name", () => {
  const kind = (qpath: string, bytes: Uint8Array) => fileKindOf(qpath, bytes);
  assertEquals(kind("a.tga", hex("89504e470d0a1a0a")), "png");
  assertEquals(kind("a.tga", hex("ffd8ffe0")), "jpeg");
  assertEquals(kind("a.TGA", hex("00")), "tga");
  assertEquals(kind("gfx/conback.lmp", new Uint8Array(9)), "lmp");
  assertEquals(kind("start", quakeMap("")), "map");
  assertEquals(kind("tris", md2([])), "model");
  assertEquals(kind("a.bin", new Uint8Array(0)), undefined);
  assertEquals(kind("default.cfg", text("bind w +forward")), undefined);
});
