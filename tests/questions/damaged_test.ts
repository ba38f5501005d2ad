/** Compares the results of reading damaged shaders, declarations and references with recorded ones. */
import { Doom3Lexer } from "../../engines/core/doom3_lexer.ts";
import type { Family } from "../../engines/core/names.ts";
import { profiles } from "../../engines/table.ts";
import { quakePakDirectoryCrc } from "../../index/checksums/quake_pak_directory_crc.ts";
import { checksumsIn } from "../../index/scan/addons.ts";
import { pathStrings, relatedPaths } from "../../index/scan/path_strings.ts";
import { doom3DeclarationReferences } from "../../questions/references/doom3_declarations.ts";
import { doom3MaterialReferences } from "../../questions/references/doom3_material.ts";
import { drawnImages } from "../../questions/references/drawn_images.ts";
import { quake3ShaderReferences } from "../../questions/references/quake3_shader.ts";
import { readerOf, readReferences } from "../../questions/references/readers.ts";
import { scanDarkPlacesShaders } from "../../questions/shaders/darkplaces_shaders.ts";
import { scanDoom3Declarations } from "../../questions/shaders/doom3_scan.ts";
import { checkShaderFile, findQuake3Shaders, scanQuake3Shaders } from "../../questions/shaders/quake3_shaders.ts";
import { join, pak, source, text, u32 } from "../formats/bytes.ts";
import { iqm, md2, md3, mdl, quake2Map, quake3Map, quakeMap } from "../media/handmade.ts";
import { mdc } from "../media/handmade_models.ts";
import { numbersFrom } from "../support/chance.ts";
import { compareOutcomes } from "../support/outcomes.ts";
import { richEngines } from "./rich_games.ts";

const list = new URL("./outcomes.txt", import.meta.url);

const quake3Text = text(`// a comment
textures/a
{
  qer_editorimage textures/e.tga
  skyParms env/day 512 -
  { map textures/img0.tga rgbGen identity }
  { clampMap "textures/b c"
    blendFunc add }
  { animMap 2 x.tga y.tga }
  { videoMap intro.roq }
  { map $lightmap }
}
/* { */ "Textures/B" { { map *white } dpreflectcube cube }
# hash
table t { 1, 2 }
textures/a { surfaceparm nodraw { map\ttextures/late.tga } }
`);
const doom3Text = text(`// a comment
table t { { 0, 1.5e3, 0x1F, 'c', -2, 12lul, 3u, 4lll, 07, 1.5fx, 2.e-3L, 0b1, 3e4, .5 } }
material textures/a { diffusemap textures/img0.tga bumpmap addnormals( textures/i1, heightmap( "textures/i 2" , 4 ) )
  { blend add map makeintensity(textures/i3) if ( parm0 >= 1 && 2 != 3 ) } /* { */ cubeMap env/day guisurf guis/a.gui }
textures/b { decal_macro specularmap _black { videomap loop intro.roq } lightFalloffImage lights/x }
entityDef imp { "inherit" "base" "model" "body" "snd_see" "hum" "mtr_x" "textures/a" "skin" "coat" "def_x" "y" }
sound hum { minDistance 1 sound/w0.wav "sound/w 1.ogg" }
model body { inherit b mesh models/b.md5mesh anim walk models/a.md5anim skin coat offset (0 1 2) }
skin coat { model x.lwo * textures/b textures/a "textures/lost" }
particle smoke { { material textures/a } }
addonDef { "0x1234abcd" "-1" } mapDef m { "name" "A\\n\\x41" "b" "c\\"d" }
textures/late { diffusemap textures/img2 } 12lulu 1.0.0.1
`);

/** Returns every result for one text. */
const texts: Readonly<Record<string, readonly [seed: Uint8Array, read: (bytes: Uint8Array) => unknown]>> = {
  "words of Doom 3": [doom3Text, (bytes) => {
    const lexer = new Doom3Lexer(bytes);
    const words: unknown[] = [];
    while (lexer.next()) words.push(lexer.text, lexer.kind, lexer.line, lexer.start, lexer.position);
    return [words, lexer.error];
  }],
  "declarations of Doom 3": [doom3Text, (bytes) => {
    const scan = scanDoom3Declarations(bytes);
    const ofEach = scan.definitions.map(({ type, offset, end }) => {
      const part = bytes.subarray(offset, end);
      return [doom3DeclarationReferences(type, part), doom3MaterialReferences(part), drawnImages(part, true)];
    });
    return [scan, ofEach, checksumsIn(bytes, "addonDef")];
  }],
  "shaders of Quake 3": [quake3Text, (bytes) => {
    const scan = scanQuake3Shaders(bytes);
    const ofEach = scan.definitions.map(({ offset, end }) => {
      const part = bytes.subarray(offset, end);
      return [quake3ShaderReferences(part), drawnImages(part, false)];
    });
    return [scan, ofEach];
  }],
  "tables of Quake PAKs": [
    pak([["a", "a"], ["b", "bb"], ["c", "ccc"]]),
    (bytes) => quakePakDirectoryCrc(source(bytes)),
  ],
  "shaders of DarkPlaces": [quake3Text, scanDarkPlacesShaders],
  "paths in texts": [join(quake3Text, doom3Text), (bytes) => {
    const found = Array.from(pathStrings(bytes));
    return [found, found.map(relatedPaths)];
  }],
  ...Object.fromEntries(
    profiles.flatMap(({ shaders }) => shaders?.reading === "joined" ? [shaders] : []).map((engine) => [
      `shaders as ${engine.name} joins them`,
      [quake3Text, (bytes: Uint8Array) => {
        const other = text("other { map x }\n");
        return [checkShaderFile(bytes, engine), findQuake3Shaders([bytes, other], engine)];
      }],
    ]),
  ),
};

for (const [title, [seed, read]] of Object.entries(texts)) {
  Deno.test(`${title}: damaged files read as they did`, () => compareOutcomes(list, title, seed, read));
}

const entities = `{ "classname" "worldspawn" "wad" "\\\\a\\\\b.wad;c.wad" "sky" "day" "sounds" "3" "music" "music/a b" }
{ "classname" "target_speaker" "noise" "s0" "model" "progs/x.mdl" } { "classname" "func_door" "model2" "models/a.md3" }
{ "classname" "misc_gamemodel" "model" "models/b.md3" "remapshader1" "a;b" "s_shader" "hum" "skin" "coat" }`;

/** Files of each kind that refer to others, and files with another kind's content. */
const files = new Map<string, Uint8Array>([
  ["maps/half.bsp", quakeMap(entities, u32(30))],
  ["maps/wide.bsp", quakeMap(entities, text("BSP2"))],
  ["maps/rtcw.bsp", quake3Map(entities, [["textures/a", 2], ["noshader", 1], ["", 1], ["textures/b", 0]], 47, ["fog"])],
  ["maps/three.bsp", quake3Map(entities, [["textures/a", 2]], 46)],
  ["maps/two.bsp", quake2Map(entities, ["u/t0", "", "u/t1"])],
  ["maps/one.ent", text(entities)],
  ["models/old.md3", mdl()],
  ["models/mdc.md3", mdc()],
  ["models/x.md3", md3("models/skin")],
  ["models/x_1.md3", md3("")],
  ["models/x.md2", md2(["a.pcx", "", "b"])],
  ["models/x.iqm", iqm(["a", ""])],
  ["models/x_a.skin", text('u_torso,models/skin\ntag_head,x\r\n "h" , "textures/b" \r\nl,\n,z\n')],
  ["models/x.ase", text('*MATERIAL_LIST {\n*BITMAP "//base/textures/a.tga"\n*BITMAP\t"x\\\\y"\n*BITMAP_X "z" }')],
  ["models/x.md5mesh", text('MD5Version 10\nmesh { shader "textures/a" }\nmesh {\n shader textures/b\n}')],
]);
for (const { family } of richEngines) {
  for (const [path, make] of Object.entries(family.files)) {
    if (/\.(map|proc|lwo|sp2)$/.test(path)) files.set(path, make(numbersFrom(9)));
  }
}
const families: readonly Family[] = ["quake", "quake2", "quake3", "doom3"];

for (const [qpath, bytes] of files) {
  Deno.test(`references of ${qpath}: damaged files read as they did`, async () => {
    await compareOutcomes(list, `references of ${qpath}`, bytes, (damaged) =>
      families.flatMap((family) => {
        const reader = readerOf(qpath, family);
        if (!reader) return [];
        return [true, false].map((hasQuake3Classes) => {
          try {
            return readReferences(reader, damaged, { qpath, family, hasQuake3Classes });
          } catch (error) {
            return error;
          }
        });
      }));
  });
}
