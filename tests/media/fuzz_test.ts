/**
 * Previews of arbitrary files: each gives a picture within its limits, or a typed error.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { readBsp, readMapGeometry } from "../../media/maps/bsp.ts";
import { parseEntities } from "../../media/maps/entities.ts";
import { decodeJpeg } from "../../media/pictures/jpeg.ts";
import { decodeMdlSkin } from "../../media/models/mdl.ts";
import { readMd5 } from "../../media/models/md5.ts";
import { openModel, readModel } from "../../media/models/model_file.ts";
import { builtInPalette } from "../../media/pictures/palette.ts";
import { decodePcx } from "../../media/pictures/pcx.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { encodePng } from "../../media/pictures/png_writer.ts";
import { decodeLmp, decodeMip, decodeWal } from "../../media/pictures/quake_picture.ts";
import { MediaError, Reader } from "../../media/core/reader.ts";
import { fittingSize, scaled } from "../../media/preview/scale.ts";
import { sixelPicture } from "../../media/preview/sixel.ts";
import { frameSheet, readSprite, readSpriteList } from "../../media/pictures/sprite.ts";
import { decodeTga } from "../../media/pictures/tga.ts";
import { decodeLump, readWad } from "../../media/pictures/wad.ts";
import { readCompressedSound } from "../../media/sounds/compressed.ts";
import { readWav } from "../../media/sounds/wav.ts";
import { readActors } from "../../questions/references/doom_actors.ts";
import { readAnimated, readAnimDefs, readSwitches } from "../../questions/references/doom_animations.ts";
import { readMapInfo } from "../../questions/references/doom_map_info.ts";
import { readSoundInfo, readSoundSequences } from "../../questions/references/doom_sounds.ts";
import { readTexture1, readTextures } from "../../questions/references/doom_textures.ts";
import { doom3DeclarationReferences } from "../../questions/references/doom3_declarations.ts";
import { doom3MaterialReferences } from "../../questions/references/doom3_material.ts";
import { quake3ShaderReferences } from "../../questions/references/quake3_shader.ts";
import { readerOf, readReferences } from "../../questions/references/readers.ts";
import type { Family } from "../../engines/core/names.ts";
import { encodeLmp, encodePcx, encodeTga } from "../../daemon/demo/image.ts";
import { demoPalette } from "../../daemon/demo/palette.ts";
import { hex, join, text, u32, wad } from "../formats/bytes.ts";
import { compareOutcomes } from "../support/outcomes.ts";
import { mutants } from "./mutants.ts";
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
  textureWad,
  wav,
} from "./handmade.ts";
import { binaryMap, compiledScripts, composedTextures, patchNames, textMap } from "./handmade_doom.ts";
import { flac, mp3, oggFlac, opus, vorbis } from "./handmade_sounds.ts";
import { halfLifeModel, md5, mdc, waveIqm } from "./handmade_models.ts";
import { archMap, faceKinds, floorMap } from "./handmade_maps.ts";
import { richMap, richMd2, richMd3, richMdl } from "./rich_files.ts";

const palette = builtInPalette();
const image = { width: 6, height: 5, rgba: Uint8Array.from({ length: 120 }, (_, index) => index * 2) };
const entities = '{"classname" "worldspawn"}{"classname" "light"}';

const shaderText = 'a\n{\nskyparms env/x 512 -\n{ map b.tga blendfunc add }\n{ animmap 5 c d "e f" }\n}';
const materialText = 'material a { diffusemap addnormals(b, heightmap(c, 4)) { cubeMap d map "e" } videomap loop f }';

const doomRooms = { sides: [["A", "-", "B"]], sectors: [["C", "D"]], things: [5, 3001] } as const;
const doomMap = binaryMap("MAP01", doomRooms, compiledScripts("A", "B"));
const doomTextMap = String(textMap("MAP01", doomRooms)[1]?.[1]);

/** Readers, each with sound files. */
const readers: Record<string, { read: (bytes: Uint8Array) => unknown; seeds: Uint8Array[] }> = {
  lmp: { read: (bytes) => decodeLmp(bytes, palette), seeds: [encodeLmp(image, demoPalette())] },
  mip: { read: (bytes) => decodeMip(bytes, 0, palette, true), seeds: [mip("a", 3)] },
  wal: {
    read: (bytes) => decodeWal(bytes, palette),
    seeds: [join(new Uint8Array(32), u32(4, 4, 100, 0, 0, 0), new Uint8Array(60))],
  },
  pcx: { read: decodePcx, seeds: [encodePcx(image, demoPalette())] },
  tga: { read: decodeTga, seeds: [encodeTga(image), hex("00000a00000000000000000003000200182083010203810405 06")] },
  png: { read: decodePng, seeds: [encodePng(image)] },
  wav: { read: (bytes) => readWav(bytes, 20), seeds: [wav([1, 2, 3, 4], 1, 8, 2)] },
  "compressed sound": {
    read: readCompressedSound,
    seeds: [
      vorbis({ frames: 300 }),
      opus({ frames: 300 }),
      oggFlac({ frames: 300 }),
      flac({ frames: 300 }),
      mp3({ frames: 3 }),
    ],
  },
  bsp: {
    read: readBsp,
    seeds: [
      quakeMap(entities),
      quakeMap(entities, text("BSP2")),
      quake2Map(entities, ["a", "b"]),
      quake3Map(entities, [["a", 2]]),
    ],
  },
  model: {
    read: readModel,
    seeds: [
      ...[mdl(), md2(["a.pcx"]), md3("b"), iqm(["c", "d"]), iqm(["c", "d"], false), mdc(), halfLifeModel()],
      ...[richMdl(), richMd2(), richMd3()],
    ],
  },
  "shape of a model": {
    read: (bytes) => openModel(bytes).geometry(),
    seeds: [
      ...[mdl(), md2(["a.pcx"]), md3("b"), iqm(["c", "d"]), mdc(), waveIqm(), halfLifeModel()],
      ...[richMdl(), richMd2(), richMd3()],
    ],
  },
  "shape of an MD5": {
    read: (bytes) => readMd5(bytes, [{ name: "a", bytes: md5.animation }]),
    seeds: [md5.mesh],
  },
  "animation of an MD5": {
    read: (bytes) => readMd5(md5.mesh, [{ name: "a", bytes }]),
    seeds: [md5.animation],
  },
  "shape of a map": {
    read: (bytes) => readMapGeometry(bytes, bytes),
    seeds: [...faceKinds.flatMap((kind) => [floorMap(kind, "b"), richMap(kind)]), archMap()],
  },
  sprite: {
    read: (bytes) => {
      const reader = new Reader(bytes);
      return frameSheet(reader, readSprite(reader), palette);
    },
    seeds: [sprite(), halfLifeSprite(0)],
  },
  "sprite list": { read: (bytes) => readSpriteList(new Reader(bytes)), seeds: [spriteList(["a.pcx", "b.pcx"])] },
  skin: { read: (bytes) => decodeMdlSkin(bytes, 0, palette), seeds: [mdl()] },
  wad: {
    read: (bytes) => readWad(bytes).map((lump) => orError(() => decodeLump(bytes, lump, palette))),
    seeds: [textureWad([["a", 66, encodeLmp(image, demoPalette())], ["b", 68, mip("b", 1)]])],
  },
  "references of a map of Quake 3": {
    read: referencesOf("maps/a.bsp", "quake3"),
    seeds: [quake3Map('{"classname" "target_speaker" "noise" "a"}', [["a", 2]], 46, ["b"])],
  },
  "references of a skin": {
    read: referencesOf("a/upper_b.skin", "quake3"),
    seeds: [text("u_torso,a/b.tga\ntag_head,")],
  },
  "references of a map of Doom 3": {
    read: referencesOf("maps/a.map", "doom3"),
    seeds: [text('Version 2\n{\n"classname" "light"\n"texture" "lights/a"\n{ brushDef3 { ( 0 ) "b" } }\n}\n')],
  },
  "references of a compiled map of Doom 3": {
    read: referencesOf("maps/a.proc", "doom3"),
    seeds: [text('mapProcFile003\nmodel { /* name = */ "_area0" 1\n/* surface 0 */ { "textures/a" 3 3 } }')],
  },
  "references of an LWO": {
    read: referencesOf("a.lwo", "doom3"),
    seeds: [join(text("FORM"), hex("00000014"), text("LWO2SURF"), hex("00000004"), text("a/b\0"))],
  },
  "references of a definition": {
    read: (bytes) => doom3DeclarationReferences("entitydef", bytes),
    seeds: [text('entityDef a { "inherit" "b" "model" "c.lwo" "snd_a" "d" }')],
  },
  "references of lumps of maps of Doom": {
    read: (bytes) =>
      ["SIDEDEFS", "SECTORS", "THINGS", "BEHAVIOR"].map((lump) => referencesOf(`maps/A/${lump}`, "doom")(bytes)),
    seeds: [join(...doomMap.slice(1).map(([, content]) => typeof content === "string" ? text(content) : content))],
  },
  "references of a map of Doom in text": { read: referencesOf("maps/A/TEXTMAP", "doom"), seeds: [text(doomTextMap)] },
  "references of a map of Doom in a WAD": { read: referencesOf("maps/a.wad", "doom"), seeds: [wad(doomMap)] },
  "words of a lump of Doom": {
    read: referencesOf("GLDEFS", "doom"),
    seeds: [text('object A { frame B { light "C" } }')],
  },
  "TEXTURE1": {
    read: (bytes) => readTexture1(bytes, patchNames(["A", "B"])),
    seeds: [composedTextures([["A", [0, 1]], ["B", []]])],
  },
  "PNAMES": { read: (bytes) => readTexture1(composedTextures([["A", [0]]]), bytes), seeds: [patchNames(["A", "B"])] },
  "TEXTURES": {
    read: readTextures,
    seeds: [text('Texture "A", 8, 8 { Patch B, 0, 0 { FlipX } } remap C D define E.png force32bit 4 4')],
  },
  "ANIMATED": { read: readAnimated, seeds: [join(text("\x01LAST\0\0\0\0\0FIRST\0\0\0\0"), u32(8), hex("ff"))] },
  "SWITCHES": {
    read: readSwitches,
    seeds: [join(text("SW1A\0\0\0\0\0SW2A\0\0\0\0\0"), hex("0100"), new Uint8Array(20))],
  },
  "ANIMDEFS": {
    read: readAnimDefs,
    seeds: [text("flat A range B tics 4\nswitch C on pic D tics 0\ntexture E pic 3 rand 1 2")],
  },
  "SNDINFO": { read: readSoundInfo, seeds: [text("a DSA\n$random b { a c }\n$alias c a\n$map 1 D\n/* e */ f = DSF")] },
  "SNDSEQ": { read: readSoundSequences, seeds: [text(":Door\n play a\n delay 5\nend\n[Group\n 1 Door\n]")] },
  "MAPINFO": {
    read: readMapInfo,
    seeds: [
      text('map 1 "One"\nnext 2\nsky1 A 0\nmap MAP02 { sky1 = "B", 1 music = C }\ndoomednums { 5 = D }\ninclude "e"'),
    ],
  },
  "DECORATE": {
    read: readActors,
    seeds: [text('actor A : B replaces C 5 { SeeSound "d" states { Spawn: TROO AB 10 A_Look loop } }\n#include "e"')],
  },
  "references of a shader": { read: quake3ShaderReferences, seeds: [text(shaderText)] },
  "references of a material": { read: doom3MaterialReferences, seeds: [text(materialText)] },
  entities: { read: (bytes) => parseEntities(new TextDecoder().decode(bytes)), seeds: [text(entities)] },
};

/** Returns a reader of the references of file `qpath`. */
function referencesOf(qpath: string, family: Family): (bytes: Uint8Array) => unknown {
  const reader = readerOf(qpath, family);
  if (!reader) throw new RangeError(`${qpath} has no reader`);
  return (bytes) => readReferences(reader, bytes, { qpath, family, hasQuake3Classes: family === "quake3" });
}

function orError<T>(read: () => T): T | MediaError {
  try {
    return read();
  } catch (error) {
    assert(error instanceof MediaError, `${error instanceof Error ? error.stack : error}`);
    return error;
  }
}

for (const [title, { read, seeds }] of Object.entries(readers)) {
  Deno.test(`damaged files of kind ${title} give a result or a typed error`, async () => {
    for (const [number, seed] of seeds.entries()) {
      assert(!(orError(() => read(seed)) instanceof MediaError), "a seed must be sound");
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
      await compareOutcomes(new URL("./outcomes.txt", import.meta.url), `${title}, ${number + 1}`, seed, read);
      fc.assert(fc.property(mutants(seed), (bytes) => void orError(() => read(bytes))), { numRuns: 300 });
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void orError(() => read(bytes))), {
      numRuns: 200,
    });
  });
}

Deno.test("damaged JPEGs give a result or a typed error", async () => {
  const table = (id: string, value: string) => `ffc4 0014 ${id} 01${"00".repeat(15)} ${value}`;
  const seed = hex(
    "ffd8" + `ffdb 0043 00 ${"01".repeat(64)}` + "ffc0 000b 08 0010 0010 01 01 11 00" + table("00", "00") +
      table("10", "00") + "ffda 0008 01 01 00 00 3f 00" + "0000" + "ffd9",
  );
  assertEquals((await decodeJpeg(seed)).width, 16);
  await fc.assert(
    fc.asyncProperty(mutants(seed), async (bytes) => {
      const error = await decodeJpeg(bytes).then(() => undefined, (reason: unknown) => reason);
      assert(error === undefined || error instanceof MediaError, String(error));
    }),
    { numRuns: 300 },
  );
});

Deno.test("any picture survives being written as PNG, and fits where it is made to", () => {
  const pictures = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })).chain(([width, height]) =>
    fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }).map((rgba) => ({
      width,
      height,
      rgba,
    }))
  );
  fc.assert(fc.property(pictures, fc.integer({ min: 1, max: 20 }), (picture, side) => {
    assertEquals(decodePng(encodePng(picture)), picture);
    const { width, height } = fittingSize(picture, { width: side, height: side });
    assert(width <= side && height <= side);
    const small = scaled(picture, width, height);
    assertEquals(small.rgba.length, width * height * 4);
    assert(sixelPicture(small).endsWith("\x1b\\\n"));
  }));
});
