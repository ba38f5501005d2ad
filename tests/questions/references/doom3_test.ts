import { assertEquals } from "@std/assert";
import { doom3MaterialReferences } from "../../../questions/references/doom3_material.ts";
import { openIndex } from "../../../mod.ts";
import { join, text, zip } from "../../formats/bytes.ts";
import { installation } from "../../index/fixtures.ts";

/** A chunk of an LWO: name, length in big-endian, content. */
function chunk(name: string, content: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, content.length);
  return join(text(name), length, content);
}

const map = `Version 2
{
"classname" "worldspawn"
// primitive 0
{
 brushDef3
 {
  ( 0 0 1 -8 ) ( ( 0.1 0 0 ) ( 0 0.1 0 ) ) "textures/not/seen"
 }
}
}
{
"classname" "light"
"texture" "lights/round"
"s_shader" "lamp_hum"
}
{
"classname" "func_static"
"name" "crate_1"
"model" "models/crate.lwo"
}
{
"classname" "monster_imp"
"model" "imp_1"
}
`;
const proc = `mapProcFile003
model { /* name = */ "_area0" /* numSurfaces = */ 2
/* surface 0 */ { "textures/hall/wall" /* numVerts = */ 0 /* numIndexes = */ 0 }
/* surface 1 */ { "textures/hall/gone" /* numVerts = */ 0 /* numIndexes = */ 0 }
}
shadowModel { /* name = */ "_prelight_light_1" 0 0 0 0 0 }
`;
const materials = `
textures/hall/wall
{
  qer_editorimage textures/editor/no.tga
  diffusemap textures/hall/wall_d
  bumpmap addnormals(textures/hall/wall_local, heightmap(textures/hall/wall_h, 4))
  specularmap _black
  { blend add
    map makeintensity(textures/hall/glow.tga)
  }
  { cameraCubeMap env/hall  texgen reflect }
}
lights/round { lightFalloffImage makeintensity( lights/falloff ) { map lights/round } }
models/crate { diffusemap models/crate_d }
models/imp { diffusemap models/imp_d }
`;
const images = [
  ...["textures/hall/wall_d.tga", "textures/hall/wall_local.tga", "textures/hall/wall_h.jpg", "lights/round.tga"],
  ...["lights/falloff.tga", "models/crate_d.tga", "dds/models/imp_d.dds"],
  ...["forward", "back", "left", "right", "up"].map((side) => `env/hall_${side}.tga`),
];

Deno.test("a map of Doom 3 needs the materials of its surfaces, and what its entities' definitions name", async () => {
  const files: Record<string, Uint8Array | string> = {
    "maps/hall.map": map,
    "maps/hall.proc": proc,
    "maps/hall.cm": "CM",
    "maps/hall.aas48": "AAS",
    "materials/hall.mtr": materials,
    "def/a.def": 'entityDef light { "s" "1" }\nentityDef worldspawn { }\nentityDef func_static { }\n' +
      'entityDef monster_base { "snd_sight" "imp_sight" }\n' +
      'entityDef monster_imp { "inherit" "monster_base" "model" "monster_imp_model" "skin" "imp_skin" }\n' +
      "model monster_imp_model { mesh models/imp.md5mesh anim idle models/idle.md5anim }",
    // The first of two definitions of a name counts.
    "def/b.def": 'entityDef light { "texture" "lights/never" }',
    "sound/a.sndshd": "sound lamp_hum { sound/lamp.wav }\nsound imp_sight { sound/imp.wav sound/imp2.wav }\n",
    "skins/a.skin": "skin imp_skin { models/imp models/imp_red }",
    "models/crate.lwo": chunk(
      "FORM",
      join(text("LWO2"), chunk("TAGS", text("a\0\0\0")), chunk("SURF", text("models/crate\0\0\0\0"))),
    ),
    "models/imp.md5mesh": 'MD5Version 10\nmesh {\n\tshader "models/imp"\n}\n',
    "models/idle.md5anim": "MD5Version 10",
    "sound/lamp.ogg": "lamp",
    "sound/imp.wav": "imp",
    ...Object.fromEntries(images.map((name) => [name, name])),
  };
  await using root = await installation({
    "base/pak000.pk4": zip(Object.entries(files).map(([name, content]) => ({ name, content }))),
  });
  await using index = await openIndex({ sources: [root.path], profile: "dhewm3", name: "doom3" });
  const rows = await Array.fromAsync(index.view("doom3/base").needs("hall"));
  assertEquals(rows.filter(({ problem }) => problem !== null), []);
  const described = rows.map(({ kind, name, qpath, by }) => `${qpath === null ? "! " : ""}${kind} ${name} < ${by}`);
  assertEquals(
    described.toSorted(),
    [
      "map maps/hall.map < null",
      "map maps/hall.proc < maps/hall.map",
      "file maps/hall.cm < maps/hall.map",
      "file maps/hall.aas48 < maps/hall.map",
      ...["worldspawn", "light", "func_static", "monster_imp"].map((name) => `definition ${name} < maps/hall.map`),
      "shader lights/round < maps/hall.map",
      "definition lamp_hum < maps/hall.map",
      "model models/crate.lwo < maps/hall.map",
      "shader textures/hall/wall < maps/hall.proc",
      "! texture textures/hall/gone < maps/hall.proc",
      "definition monster_base < monster_imp",
      "definition monster_imp_model < monster_imp",
      "definition imp_skin < monster_imp",
      "definition imp_sight < monster_base",
      "image lights/round.tga < lights/round",
      "image lights/falloff.tga < lights/round",
      "sound sound/lamp.ogg < lamp_hum",
      "shader models/crate < models/crate.lwo",
      "image models/crate_d.tga < models/crate",
      ...["d.tga", "local.tga", "h.jpg"].map((end) => `image textures/hall/wall_${end} < textures/hall/wall`),
      "! image textures/hall/glow.tga < textures/hall/wall",
      ...["forward", "back", "left", "right", "up"].map((side) => `image env/hall_${side}.tga < textures/hall/wall`),
      "! image env/hall_down < textures/hall/wall",
      "model models/imp.md5mesh < monster_imp_model",
      "file models/idle.md5anim < monster_imp_model",
      "! texture models/imp_red < imp_skin",
      "shader models/imp < models/imp.md5mesh",
      "image dds/models/imp_d.dds < models/imp",
      "sound sound/imp.wav < imp_sight",
      "! sound sound/imp2.wav < imp_sight",
    ].toSorted(),
  );
  for await (const { kind, by } of index.view("doom3/base").needs("monster_imp")) {
    assertEquals([kind, by], ["definition", null]);
    break;
  }
});

Deno.test("Doom 3: a material whose name is a word of materials needs nothing for that", () => {
  for (const name of ["map", "diffusemap", "videomap", "cubeMap"]) {
    const references = doom3MaterialReferences(text(`material ${name} { qer_editorimage editor/a { map b/c } }`));
    assertEquals(references.map(({ names }) => names), [["b/c"]], name);
  }
});
