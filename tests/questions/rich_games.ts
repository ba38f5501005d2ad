/**
 * Random games of each engine family, whose packs and loose files hold maps, models, shaders and other files with
 * references: damaged, misspelled, hidden and missing ones among them.
 * @module
 */
import { join, pak, text, zip } from "../formats/bytes.ts";
import type { Files } from "../index/fixtures.ts";
import { iqm, md2, md3, mdl, quake2Map, quake3Map, quakeMap, sprite, spriteList } from "../media/handmade.ts";
import { mdc } from "../media/handmade_models.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profileNamed } from "../../engines/table.ts";
import { mutate } from "../formats/mutants.ts";
import type { Random } from "../support/chance.ts";

/** Makes the content of a file, a different one each time. */
type Maker = (random: Random) => Uint8Array;

/** Parts of the games of a family. */
interface RichFamily {
  readonly base: string;
  readonly packEnding: ".pak" | ".pk3" | ".pk4";
  /** Possible files, by path. */
  readonly files: Readonly<Record<string, Maker>>;
}

/** A profile, and its family of test games. */
export interface RichEngine {
  readonly profile: string | Profile;
  readonly family: RichFamily;
}

const one = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;
const numbered = (count: number, name: string, ending = "") =>
  Array.from({ length: count }, (_, index) => `${name}${index}${ending}`);
const several = <T>(random: Random, values: readonly T[], limit: number): T[] =>
  Array.from({ length: random(limit + 1) }, () => one(random, values));
const blob: Maker = (random) => text("x".repeat(random(4)));
const blobs = (...names: readonly string[]): Record<string, Maker> =>
  Object.fromEntries(names.map((name) => [name, blob]));
const each = (names: readonly string[], maker: Maker): Record<string, Maker> =>
  Object.fromEntries(names.map((name) => [name, maker]));
const sides = ["rt", "bk", "lf", "ft", "up", "dn"];

/** Entities with random keys and values. */
function entitiesOf(
  random: Random,
  world: Readonly<Record<string, readonly string[]>>,
  classes: readonly string[],
  keys: Readonly<Record<string, readonly string[]>>,
): string {
  const pairsOf = (from: Readonly<Record<string, readonly string[]>>, limit: number) =>
    several(random, Object.keys(from), limit).map((key) =>
      `"${random(8) === 0 ? key.toUpperCase() : key}" "${one(random, from[key] ?? [])}"`
    );
  const entities = [
    [`"classname" "worldspawn"`, ...pairsOf(world, 4)],
    ...Array.from({ length: random(7) }, () => [
      ...random(9) === 0 ? [] : [`"classname" "${one(random, classes)}"`],
      ...pairsOf(keys, 3),
    ]),
  ];
  return entities.map((entity) => `{\n${entity.join("\n")}\n}\n`).join("");
}

const quakeEntities: Maker = (random) =>
  text(entitiesOf(
    random,
    {
      sky: ["day"],
      _sky: ["", "day"],
      skyname: ["night"],
      _skyname: ["night"],
      qlsky: ["day"],
      sounds: ["2", "0", "255", "256", "x"],
      wad: ["sound/s1.wav"],
      message: ["s0.wav"],
    },
    ["func_door", "misc_model", "ambient_drone", "Monster_Ogre"],
    {
      noise: ["s0.wav", "S1.WAV", "s2.ogg", "s9.wav", "folder/s3.wav"],
      noise1: ["s3.wav", "none"],
      model: ["progs/x0.mdl", "progs/x1.md2", "progs/s0.spr", "*1", "maps/b_box.bsp", "progs/x9.mdl", "progs/x2.iqm"],
      _comment: ["s4.wav"],
      target: ["s4.wav"],
      mdl: ["progs/x3.md3"],
    },
  ));

const quake: RichFamily = {
  base: "id1",
  packEnding: ".pak",
  files: {
    ...each(
      ["maps/m0.bsp", "maps/m1.bsp", "maps/b_box.bsp"],
      (random) => quakeMap(new TextDecoder().decode(quakeEntities(random))),
    ),
    ...each(["maps/m0.ent", "maps/m1.ent", "maps/lost.ent"], quakeEntities),
    ...blobs("maps/m0.lit", "maps/m0.vis", "maps/m1.lit", "maps/lost.lit"),
    ...each(["progs/x0.mdl", "progs/x9.mdl"], mdl),
    "progs/s0.spr": sprite,
    "progs/x1.md2": (random) => md2(several(random, ["skins/a.pcx", "skins/b.tga", "skins/none"], 2)),
    "progs/x2.iqm": () => iqm(["skins/a", "skins/none.tga"]),
    "progs/x3.md3": () => md3("skins/b.jpg"),
    ...blobs(...numbered(4, "sound/s", ".wav"), "sound/s2.ogg", "sound/folder/s3.wav"),
    ...blobs("textures/sky1.tga", "textures/m0/sky1.png", "textures/sky1_glow.tga", "textures/m1/sky1_luma.tga"),
    ...blobs(...sides.flatMap((side) => ["day", "night"].map((sky) => `gfx/env/${sky}${side}.tga`))),
    ...blobs("skins/a.pcx", "skins/a.tga", "skins/b.tga", "music/track02.ogg", "music/track02.mp3", "default.cfg"),
    ...blobs("gfx/pop.lmp", "gfx.wad", "gfx/palette.lmp", `long/${"f".repeat(47)}.cfg`),
    "scripts/a.shader": (random) => quake3Shaders(random),
  },
};

const quake2: RichFamily = {
  base: "baseq2",
  packEnding: ".pak",
  files: {
    ...each(numbered(2, "maps/m", ".bsp"), (random) =>
      quake2Map(
        entitiesOf(
          random,
          { sky: ["day", ""], sounds: ["3", "100", "99", "0"], noise: ["s0.wav"] },
          ["target_speaker", "func_train", "func_door", "func_button", "func_plat", "misc_banner", "light_mine1"],
          {
            noise: ["s0", "s1.wav", "*pain.wav", "#players/s2.wav", "s9"],
            model: ["models/x0.md2", "sprites/s0.sp2", "*2", "models/x1.md3"],
            sounds: ["1", "2"],
          },
        ),
        several(random, ["u/t0", "u/t1", "", "u/T2", "u/t9"], 5),
      )),
    "maps/m0.ent": (random) => text(entitiesOf(random, { sky: ["day"] }, ["func_train"], { noise: ["s1.wav"] })),
    ...blobs(...numbered(3, "textures/u/t", ".wal"), "textures/u/t0.tga", "textures/u/t1.png", "textures/u/t9.jpg"),
    ...each(
      ["models/x0.md2", "models/objects/banner/tris.md2"],
      (random) => md2(several(random, ["models/a.pcx", "models/b.tga", "models/none.pcx"], 3)),
    ),
    "sprites/s0.sp2": (random) => spriteList(several(random, ["sprites/a.pcx", "models/a.pcx"], 3)),
    "models/x1.md3": () => md3("models/b.tga"),
    ...blobs("models/a.pcx", "models/a.tga", "models/b.tga", "sprites/a.png", "players/s2.wav"),
    ...blobs(...numbered(3, "sound/s", ".wav"), "sound/doors/dr1_mid.wav", "sound/switches/butn2.wav"),
    ...blobs(...sides.flatMap((side) => ["day", "unit1_"].map((sky) => `env/${sky}${side}.tga`))),
    ...blobs("music/03.ogg", "music/track99.ogg", "pics/colormap.pcx", "default.cfg"),
  },
};

const shaderNames = [
  "textures/a",
  "textures/b",
  "Textures/A",
  "models/skin",
  "sky/day",
  "textures/img0",
  "x".repeat(70),
];
const images = [...numbered(3, "textures/img", ".tga"), "textures/img1", "textures/none.tga", "$lightmap", "*white"];

/** Shader files of Quake III, sometimes with a missing brace or name. */
function quake3Shaders(random: Random): Uint8Array {
  const stage = () => {
    const image = one(random, images);
    return one(random, [
      `{ map ${image}\n rgbGen identity }`,
      `{\n clampmap "${image}"\n blendFunc add\n}`,
      `{\n animMap 2 ${image} ${one(random, images)}\n}`,
      `{ videoMap intro.roq }`,
      `{ map\n${image} }`,
      `{ normalMap ${image}\n specularmap ${image} }`,
      "{ map }",
    ]);
  };
  const general = () =>
    one(random, [
      "qer_editorimage textures/img0.tga",
      "surfaceparm nodraw",
      `skyParms ${one(random, ["env/day", "-", '"env/night"'])} 512 ${one(random, ["-", "env/day"])}`,
      "q3map_lightimage textures/img2.tga",
      "// map textures/comment.tga",
      "/* { map textures/comment.tga } */",
      "dpreflectcube cubemaps/one",
      "implicitMap -",
      "diffusemap textures/img2.tga",
    ]);
  const shader = () => {
    const head = `${one(random, ["", "", "", "table t { 1 }\n", "/* x */ ", "# "])}${one(random, shaderNames)}`;
    const body = [...several(random, [0, 1, 2], 2).map(general), ...several(random, [0, 1, 2], 3).map(stage)];
    return `${head}${one(random, ["\n", " ", "\r\n", ""])}{\n${body.join("\n")}\n${random(12) === 0 ? "" : "}\n"}`;
  };
  return text(Array.from({ length: random(5) }, shader).join(one(random, ["\n", "", "}\n", "// end\n"])));
}

const quake3: RichFamily = {
  base: "baseq3",
  packEnding: ".pk3",
  files: {
    ...each(numbered(2, "maps/m", ".bsp"), (random) =>
      quake3Map(
        entitiesOf(
          random,
          { music: ["music/a music/b.wav", "music/b.ogg", ""] },
          ["target_speaker", "func_door", "func_plat", "trigger_push", "target_push", "misc_model", "misc_gamemodel"],
          {
            noise: ["sound/s0", "sound/s1.wav", "*falling1.wav", "sound/s9.ogg"],
            model: ["models/x0.md3", "*1"],
            model2: ["models/x0.md3", "models/x1.md3", "models/x2.iqm"],
            spawnflags: ["0", "1", "3"],
            remapshader1: ["textures/a;textures/b", "textures/a"],
            targetShaderName: ["textures/b"],
            targetshadernewname: ["textures/img1"],
          },
        ),
        several(random, [...shaderNames.slice(0, 6), "textures/img1", "noshader", "textures/lost", ""], 6)
          .map((name) => [name, random(3)] as const),
        one(random, [46, 47]),
        several(random, ["textures/b", "fog/x"], 1),
      )),
    ...blobs("maps/m0.aas", "maps/m1.aas", "levelshots/m0.jpg", "levelshots/m1.tga"),
    ...each(
      ["models/x0.md3", "models/x0_1.md3", "models/x0_2.mdc"],
      (random) => random(4) ? md3(one(random, ["models/skin", "textures/img1.tga", "", "models/other"])) : mdc(),
    ),
    "models/x1.mdr": blob,
    "models/x2.iqm": () => iqm(["models/skin", "textures/none"]),
    ...each(
      ["models/x0_blue.skin", "models/X0_red.skin", "models/x1_a.skin"],
      (random) =>
        text(
          several(random, ["u_torso,models/skin", "tag_head,", '"h" , "textures/b"\r', "l,textures/none", "x"], 4).join(
            "\n",
          ),
        ),
    ),
    ...each(["scripts/a.shader", "scripts/b.shader", "scripts/deep/c.shader", "scripts/A2.SHADER"], quake3Shaders),
    ...each(["shaders/a.shader"], quake3Shaders),
    "scripts/list.arena": () => text('{\nmap "m0"\nbots "a"\n}\n{ "map" M1 }'),
    "scripts/arenas.txt": () => text("{ map m1 longname x }"),
    ...blobs("textures/img0.tga", "textures/img1.jpg", "textures/img2.png", "textures/img1.dds", "textures/a.tga"),
    ...blobs(
      "textures/img0.tga/inner.txt",
      "textures/b.jpg",
      "models/skin.tga",
      "models/other.pcx",
      "video/intro.roq",
      "sky/day.tga",
    ),
    ...blobs(...sides.flatMap((side) => ["day", "night"].map((sky) => `env/${sky}_${side}.tga`))),
    ...blobs("sound/s0.wav", "sound/s1.ogg", "sound/s1.wav", "sound/movers/doors/dr1_strt.wav", "music/b.ogg"),
    ...blobs(
      "sound/world/jumppad.wav",
      "music/a.wav",
      "default.cfg",
      "vm/ui.qvm",
      "vm/cgame.qvm",
      "qagame.mp.x86_64.so",
    ),
  },
};

/** Definitions of Doom 3, sometimes with a missing brace or quote. */
function declarations(random: Random, type: string, names: readonly string[], bodies: readonly string[]): Uint8Array {
  const definition = () => {
    const name = one(random, names);
    const head = `${one(random, [type, type, type.toUpperCase(), type === "material" ? "" : type])} ${
      one(random, [name, `"${name}"`, name.toUpperCase(), `/* c */ ${name} // c\n`])
    }`;
    const body = several(random, bodies, 5).join(one(random, ["\n", " ", "\t// comment\n"]));
    return `${head} {\n${body}\n${random(14) === 0 ? "" : "}"}\n`;
  };
  return text(Array.from({ length: random(6) }, definition).join(random(9) === 0 ? "}" : ""));
}

/** An LWO with surfaces of some names. */
function lwo(names: readonly string[]): Uint8Array {
  const chunk = (name: string, content: Uint8Array) =>
    join(text(name), Uint8Array.of(0, 0, content.length >> 8, content.length & 0xff), content);
  const parts = names.map((name) => chunk("SURF", text(name.padEnd(name.length + 2 - name.length % 2, "\0"))));
  return chunk("FORM", join(text("LWO2"), ...parts));
}

const materials = ["textures/a", "textures/b", "models/skin", "textures/img0"];
const doom3: RichFamily = {
  base: "base",
  packEnding: ".pk4",
  files: {
    ...each(
      ["materials/a.mtr", "materials/B.mtr", "materials/deep/c.mtr"],
      (random) =>
        declarations(random, "material", materials, [
          "diffusemap textures/img0.tga",
          "bumpmap addnormals( textures/img1, heightmap( textures/none , 4 ) )",
          "{ blend add\nmap makeintensity(textures/img1) }",
          "specularmap _black",
          "{ cubeMap env/day }",
          "{ cameraCubeMap env/night }",
          "{ videomap loop intro.roq }",
          "{ soundmap waveform }",
          "decal_macro",
          "qer_editorimage textures/editor.tga",
          "lightFalloffImage makeintensity( textures/img0 )",
          "{ map textures/a\\\\b }",
          '{ fragmentMap 0 "textures/img1" }',
          "guiSurf guis/one.gui",
          "{ if ( parm0 ) map textures/img0 }",
        ]),
    ),
    ...each(
      ["sound/a.sndshd"],
      (random) =>
        declarations(random, "sound", ["hum", "bang"], [
          "minDistance 1",
          "sound/w0.wav",
          "sound/w1.ogg",
          '"sound/w9.wav"',
        ]),
    ),
    ...each(
      ["skins/a.skin"],
      (random) =>
        declarations(random, "skin", ["coat", "none"], [
          "model models/x0.lwo",
          "* textures/b",
          "textures/a textures/lost",
        ]),
    ),
    ...each(
      ["particles/a.prt"],
      (random) =>
        declarations(random, "particle", ["smoke"], ["{ material textures/a }", "{ count 3 material textures/lost }"]),
    ),
    ...each(["def/a.def", "def/b.def"], (random) => {
      const keys = [
        '"inherit" "imp"',
        '"model" "body"',
        '"model" "models/x0.lwo"',
        '"snd_see" "hum"',
        '"snd_bang" "sound/w0.wav"',
        '"mtr_splat" "textures/a"',
        '"skin" "coat"',
        '"gui" "guis/one.gui"',
        '"inv_icon" "textures/img1"',
        '"model_smoke" "smoke.prt"',
        '"def_drop" "imp2"',
      ];
      const body = [
        "inherit body",
        "mesh models/b0.md5mesh",
        "anim walk models/a0.md5anim",
        "skin coat",
        "offset ( 0 1 2 )",
      ];
      return join(
        declarations(random, "entityDef", ["imp", "imp2", "light"], keys),
        declarations(random, "model", ["body", "body2"], body),
        declarations(random, "export", ["x"], ["options -x"]),
      );
    }),
    ...each(["models/x0.lwo"], (random) => lwo(several(random, [...materials, "textures/lost"], 3))),
    ...each(
      ["models/b0.md5mesh"],
      (random) =>
        text(
          `MD5Version 10\n${several(random, materials, 2).map((name) => `mesh {\n shader "${name}"\n}\n`).join("")}`,
        ),
    ),
    "models/x1.ase": (random) =>
      text(`*MATERIAL_LIST {\n*BITMAP "//base/${one(random, materials)}.tga"\n*BITMAP "x\\y"\n}`),
    ...each(
      ["maps/m0.map", "maps/m1.map"],
      (random) =>
        text(`Version 2\n${
          entitiesOf(random, { s_shader: ["hum"] }, ["imp", "imp2", "light", "none"], {
            s_shader: ["hum", "bang", "none"],
            texture: [...materials, "lights/none"],
            model: ["body", "models/x0.lwo", "models/x1.ase", "func_1"],
            skin: ["coat", "lost"],
            gui: ["guis/one.gui", "guis/none.gui", "1"],
            mtr_x: ["textures/b"],
            inherit: ["imp2"],
          })
        }`),
    ),
    ...each(
      ["maps/m0.proc", "maps/m1.proc"],
      (random) =>
        text(
          `mapProcFile003\nmodel { "_area0" 2\n${
            several(random, materials, 3).map((name) => `{ "${name}" 0 0 }\n`).join("")
          }}\n`,
        ),
    ),
    ...blobs("maps/m0.cm", "maps/m0.aas48", "maps/m1.aas32", "guis/one.gui", "models/a0.md5anim", "video/intro.roq"),
    ...blobs("textures/img0.tga", "textures/img1.jpg", "dds/textures/img1.dds", "textures/b.tga", "intro.roq"),
    ...blobs("sound/w0.wav", "sound/w0.ogg", "sound/w1.ogg", "default.cfg", "binary.conf", "addon.conf"),
    ...blobs(...["px", "nx", "py", "ny", "pz", "nz"].map((side) => `env/day_${side}.tga`)),
  },
};

/** Returns a profile with rules that no engine has, or no engine combines. */
function custom(of: string, changes: Partial<Profile>): Profile {
  const profile = profileNamed(of);
  if (!profile) throw new RangeError(`unknown profile ${of}`);
  return { ...profile, ...changes, name: `${of}-${Object.keys(changes).join("-")}` };
}

/** Files not loaded from packs, nor from mods. */
const restricted: Partial<Profile> = {
  looseOnly: [
    { path: "scripts/", anyCase: true, withoutMod: false, packDirectories: true },
    { path: "default.cfg", anyCase: false, withoutMod: true, packDirectories: false },
    { path: "maps/m0.bsp", anyCase: true, withoutMod: false, packDirectories: false },
  ],
  baseOnly: ["textures/img0.tga", "gfx/palette.lmp", "sound/s0.wav", "textures/img1.jpg"],
};

/** Engines whose games are tested: at least one for each way of reading. */
export const richEngines: readonly RichEngine[] = [
  ...["quake", "quakespasm", "ironwail", "darkplaces", "ftequake"].map((profile) => ({ profile, family: quake })),
  ...["quake2", "yquake2", "q2pro"].map((profile) => ({ profile, family: quake2 })),
  ...["quake3", "ioquake3", "quake3e", "spearmint", "chomenor", "generic"].map((profile) => ({
    profile,
    family: quake3,
  })),
  { profile: "openjk", family: { ...quake3, base: "base" } },
  { profile: "iortcw-mp", family: { ...quake3, base: "main" } },
  { profile: "etlegacy", family: { ...quake3, base: "etmain" } },
  { profile: "dhewm3", family: doom3 },
  { profile: custom("quake", restricted), family: quake },
  { profile: custom("ioquake3", restricted), family: quake3 },
  { profile: custom("quake3", { ignoreCase: false, looseCase: "own", ...restricted }), family: quake3 },
  { profile: custom("quake3e", { looseCase: "own-or-small" }), family: quake3 },
  { profile: custom("dhewm3", { looseCase: "own" }), family: doom3 },
  { profile: custom("darkplaces", { looseCase: "small-directory" }), family: quake },
];

/** A random game, the names in its files, and its directories. */
export interface RichGame {
  readonly files: Files;
  /** Paths of files in packs and directories. */
  readonly qpaths: readonly string[];
}

/** Makes a game: home and installation, each with a base and a mod of packs and loose files. */
export function richGame({ family }: RichEngine, random: Random): RichGame {
  const { base, packEnding, files: known } = family;
  const packs = ["pak0", "pak1", "pak2", "zz"].map((name) => `${name}${packEnding}`);
  const directories = [`lower/${base}`, `lower/mod`, `upper/${base}`, `upper/mod`];
  const contents = new Map<string, Map<string, Uint8Array>>();
  const put = (path: string, content: Uint8Array) => {
    const directory = directories[[0, 0, 0, 1, 1, 2, 3][random(7)] ?? 0] ?? "";
    const source = random(4) ? `${directory}/${one(random, packs)}` : directory;
    const files = contents.get(source) ?? new Map<string, Uint8Array>();
    contents.set(source, files);
    const spelled = random(10) > 0
      ? path
      : random(2)
      ? path.replace(/^\w/, (letter) => letter.toUpperCase())
      : path.toUpperCase();
    files.set(spelled, content);
  };
  for (const directory of [directories[0], directories[1]]) {
    contents.set(`${directory}`, new Map([["there.cfg", text("")]]));
  }
  for (const [path, make] of Object.entries(known)) {
    let content = make(random);
    for (let copies = one(random, [0, 1, 1, 1, 2, 3]); copies > 0; copies--) {
      put(path, random(25) ? content : mutate(content, random));
      if (random(2)) content = make(random);
    }
  }
  const files: Record<string, Uint8Array | string> = {};
  // Files that only some engines read, or treat as packs.
  for (
    const name of ["x.iwd", "x.obb", "y.kpf", "z.pk3dir/a", "pak.lst", "w.wad", "downloads/a.pk3", "v.dat", "u.PK3"]
  ) {
    if (random(15) === 0) files[`lower/${base}/${name}`] = "";
  }
  const qpaths = new Set([...Object.keys(known), "textures/img0.tga~file", "./textures//img0.tga"]);
  for (const [source, members] of contents) {
    if (!source.includes(".")) {
      // Paths that are files in some packs and directories in others, but not on disk.
      for (const [path, content] of members) if (!path.includes(".tga/")) files[`${source}/${path}`] = content;
    } else if (packEnding === ".pak") files[source] = pak([...members]);
    else files[source] = zip(Array.from(members, ([name, content]) => ({ name, content, method: random(3) ? 8 : 0 })));
    for (const path of members.keys()) qpaths.add(path);
  }
  return { files, qpaths: [...qpaths] };
}
