import { assertEquals, assertThrows } from "@std/assert";
import { MediaError } from "../../../media/mod.ts";
import { readDehacked } from "../../../questions/references/doom_dehacked.ts";
import fc from "../../support/fast_check.ts";
import { mutants } from "../../media/mutants.ts";
import { type NeedRow, openIndex, type UserRow, type View } from "../../../mod.ts";
import { text, wad, zip } from "../../formats/bytes.ts";
import { type Files, installation } from "../../index/fixtures.ts";
import {
  binaryMap,
  compiledScripts,
  composedTextures,
  type HandLumps,
  type HandMap,
  patchNames,
  roomMap,
  textMap,
} from "../../media/handmade_doom.ts";
import { testPalette } from "../../media/handmade.ts";
import { type Plain, readGlb } from "../../media/convert/gltf.ts";
import { patch } from "../../media/convert/samples.ts";

/** `kind name` of each need, with `!` if it is missing, and the names of its users. */
function described({ kind, name, qpath, by, why }: NeedRow): string {
  return `${qpath === null ? "! " : ""}${kind} ${name} < ${by ?? "user"}: ${why}`;
}

async function inGame<Answer>(
  files: Files,
  profile: string,
  sources: readonly string[],
  ask: (view: View) => Promise<Answer>,
): Promise<Answer> {
  await using root = await installation(files);
  await using index = await openIndex({ sources: sources.map((path) => `${root.path}/${path}`), profile, name: "d" });
  return await ask(index.view());
}

async function needsOf(
  files: Files,
  profile: string,
  sources: readonly string[],
  ...names: string[]
): Promise<string[]> {
  return await inGame(files, profile, sources, async (view) => {
    return (await Array.fromAsync(view.needs(names))).map(described);
  });
}

function userOf({ name, why, through, problem }: UserRow): string {
  return `${name}: ${problem === null ? why : `! ${problem}`}${through === null ? "" : ` through ${through}`}`;
}

const filled = "sixteen letters.";
const named = (...names: string[]): HandLumps => names.map((name) => [name, filled] as const);
const frames = (sprite: string, letters: string, rotations = "0") =>
  named(...Array.from(letters).flatMap((letter) => Array.from(rotations, (rotation) => sprite + letter + rotation)));

const rooms: HandMap = {
  sides: [["BRICK1", "-", "-"], ["-", "SW1BRICK", "-"], ["brick1", "-", "FIRE2"], ["GONE", "-", "-"]],
  sectors: [["FLOOR1", "F_SKY1"], ["NUKAGE2", "CEIL_NO"]],
  things: [1, 2014, 3001, 2014],
};

/** Lumps of a game: textures of patches, floors, sprites of a bonus and of an imp without its death. */
const game: HandLumps = [
  ["PLAYPAL", filled],
  ["PNAMES", patchNames(["WALL_A", "wall_b", "TORN"])],
  [
    "TEXTURE1",
    composedTextures([
      ["NULL", [0]],
      ["BRICK1", [0, 1, 0]],
      ["FIREWALA", [0]],
      ["FIRE2", [1]],
      ["FIREWALL", [2]],
      ["SKY1", [1]],
      ["SW1GARG", [0]],
      ["SW2GARG", [1]],
    ]),
  ],
  ...named("WALL_A", "WALL_B", "D_RUNNIN", "DSBGSIT1"),
  ["F_START", ""],
  ...named("FLOOR1", "F_SKY1", "NUKAGE1", "NUKAGE2", "NUKAGE3", "OTHER"),
  ["F_END", ""],
  ["S_START", ""],
  ...frames("BON1", "ABCD"),
  ...frames("TROO", "ABCDEFGH", "1357"),
  ...named("TROOA2A8", "TROOA4A6"),
  ["S_END", ""],
];

/** Needs of an imp by the engine's table: frames A to U, all incomplete except the first. */
const imp = [
  ...["A1", "A2A8", "A3", "A4A6", "A5", "A7"].map((name) => `sprites/TROO${name}`),
  ..."BCDEFGH".split("").flatMap((letter) => [
    ...["1", "3", "5", "7"].map((rotation) => `sprites/TROO${letter}${rotation}`),
    ...["2", "4", "6", "8"].map((rotation) => `! sprites/TROO${letter}${rotation}`),
  ]),
  ..."IJKLMNOPQRSTU".split("").map((letter) => `! sprites/TROO${letter}`),
];

Deno.test("a map of Doom needs its lumps, walls with patches, floors, things with all rotations, sky and music", async () => {
  const files = { "doom2.wad": wad([...game, ...binaryMap("MAP01", rooms)], "IWAD") };
  const rows = await needsOf(files, "boom", ["doom2.wad"], "MAP01");
  assertEquals(rows.filter((row) => !row.includes("sprites/TROO")), [
    "map MAP01 < user: requested",
    "file maps/MAP01/LINEDEFS < MAP01: lump of the map",
    "map maps/MAP01/SECTORS < MAP01: lump of the map",
    "map maps/MAP01/SIDEDEFS < MAP01: lump of the map",
    "map maps/MAP01/THINGS < MAP01: lump of the map",
    "file maps/MAP01/VERTEXES < MAP01: lump of the map",
    "definition SKY1 < MAP01: sky",
    "music D_RUNNIN < MAP01: music",
    "texture flats/FLOOR1 < maps/MAP01/SECTORS: floor",
    "texture flats/F_SKY1 < maps/MAP01/SECTORS: ceiling",
    "texture flats/NUKAGE2 < maps/MAP01/SECTORS: floor",
    "! texture flats/CEIL_NO < maps/MAP01/SECTORS: ceiling",
    "definition BRICK1 < maps/MAP01/SIDEDEFS: upper texture",
    "! texture SW1BRICK < maps/MAP01/SIDEDEFS: lower texture",
    "definition FIRE2 < maps/MAP01/SIDEDEFS: middle texture",
    "! texture GONE < maps/MAP01/SIDEDEFS: upper texture",
    ...["A0", "B0", "C0", "D0"].map((name) => `file sprites/BON1${name} < maps/MAP01/THINGS: thing 2014`),
    "sound DSBGSIT1 < maps/MAP01/THINGS: thing 3001",
    "image WALL_B < SKY1: patch",
    "texture flats/NUKAGE3 < flats/NUKAGE2: animation",
    "image WALL_A < BRICK1: patch",
    "definition FIREWALL < FIRE2: animation",
    "texture flats/NUKAGE1 < flats/NUKAGE3: animation",
    "! image patches/TORN < FIREWALL: patch",
    "definition FIREWALA < FIREWALL: animation",
  ]);
  const troops = rows.filter((row) => row.includes("sprites/TROO")).map((row) =>
    row.replace(/(?:file|image) | <.*/g, "")
  );
  assertEquals(troops.toSorted(), imp.toSorted());
});

Deno.test("what shows a wall, a floor, a patch or a sprite of Doom is found, and a switch needs both states", async () => {
  const shown = { ...rooms, sides: [["SW2GARG", "-", "BRICK1"]] as const };
  const files = { "doom2.wad": wad([...game, ...binaryMap("MAP07", rooms), ...binaryMap("MAP01", shown)], "IWAD") };
  const asked = ["flats/FLOOR1", "flats/NUKAGE1", "flats/OTHER", "WALL_B", "SW1GARG", "sprites/TROOA2A8", "SKY1"];
  const users = await inGame(files, "chocolate", ["doom2.wad"], async (view) => {
    // Requests run concurrently, as from a page in the browser.
    return await Promise.all(asked.map(async (name) => (await Array.fromAsync(view.usedBy(name))).map(userOf).sort()));
  });
  assertEquals(Object.fromEntries(asked.map((name, index) => [name, users[index]])), {
    "flats/FLOOR1": ["maps/MAP01/SECTORS: floor", "maps/MAP07/SECTORS: floor"],
    "flats/NUKAGE1": ["flats/NUKAGE3: animation"],
    "flats/OTHER": [],
    WALL_B: [
      ...["BRICK1: patch", "FIRE2: patch", "FIREWALA: animation through FIRE2"],
      "FIREWALL: animation through FIREWALA",
      ...["MAP01: sky through SKY1", "MAP07: sky through SKY1", "SKY1: patch"],
      "SW1GARG: switch through SW2GARG",
      "SW2GARG: patch",
      "maps/MAP01/SIDEDEFS: upper texture through SW2GARG",
      "maps/MAP07/SIDEDEFS: upper texture through BRICK1",
    ],
    SW1GARG: ["SW2GARG: switch", "maps/MAP01/SIDEDEFS: upper texture through SW2GARG"],
    "sprites/TROOA2A8": ["maps/MAP01/THINGS: thing 3001", "maps/MAP07/THINGS: thing 3001"],
    SKY1: ["MAP01: sky", "MAP07: sky"],
  });
});

const decorate = `
// A comment: "sprites/NONE"
#include "actors/lamp.txt"
ACTOR Rock : Stone replaces Clip 31000 { +SOLID SeeSound rock/roll DropItem "Dust"
  States { Spawn: ROCK ABC 10 Bright A_Look ROCK A 5 A_PlaySound("rock/hit")
    loop
  Death: "ROCK" D -1; TNT1 A 0
    stop } }
actor Stone { Scale 0.5 }
actor Dust {}
`;
const scripted: Files = {
  "doom2.wad": wad([...game, ...binaryMap("MAP02", rooms)], "IWAD"),
  "mod.pk3": zip(
    Object.entries({
      "maps/map01.wad": wad(textMap("MAP01", {
        sides: [["BRICK1", "-", "Quilt"], ["textures/long/name.png", "-", "LATE"]],
        sectors: [["textures/long/name.png", "FLOOR1"], ["Quilt", "PLAIN"]],
        things: [31000, 31001, 31002, 31003],
      })),
      "textures/long/name.png": "png",
      "textures/plain.png": "png",
      "patches/square.png": "png",
      "decorate.txt": decorate,
      "actors/lamp.txt": "actor Lamp 31001 { states { Spawn: LAMP A 1 } }",
      "zscript.zs":
        'version "4.0"\nclass Ghost : Actor { Default { SeeSound "ghost/see"; } States { Spawn: GHST A 1; Loop; } ' +
        'override void Tick() { let t = TexMan.CheckForTexture("QUILT"); } }',
      "textures.txt":
        'Texture "Quilt", 64, 64 { Patch "SQUARE", 0, 0 { FlipX } Patch TORN, 8, 8 }\nflat Late, 1, 1 { }',
      "animdefs.txt": "texture PLAIN pic PLAIN tics 4 pic BRICK1 tics 4 // end\nswitch QUILT on pic LATE tics 0",
      "sndinfo.txt":
        "rock/roll DSROLL ; sound\n$random rock/hit { rock/a rock/b }\nrock/a dsrocka\nrock/b dsgone\nghost/see dsghost\n",
      "mapinfo.txt":
        'defaultmap { sky1 = "QUILT" }\nmap map01 "One" { music = "D_SONG", 0\n next = "MAP02" secretnext = "EndTitle" }\n' +
        "doomednums { 31002 = Ghost\n31003 = Nobody }\n",
      ...Object.fromEntries(
        ["sprites/rocka0", "sprites/ROCKB1", "sprites/rockD0", "sprites/LampA0", "sounds/dsroll", "sounds/dsrocka"]
          .map((name) => [`${name}.lmp`, name]),
      ),
      "music/d_song.ogg": "song",
    }).map(([name, content]) => ({ name, content })),
  ),
};

Deno.test("a map in a pk3 needs what TEXTURES, DECORATE, ZScript, SNDINFO and MAPINFO define for it", async () => {
  const rows = await needsOf(scripted, "gzdoom", ["doom2.wad", "mod.pk3"], "MAP01");
  assertEquals(rows, [
    "map maps/map01.wad < user: requested",
    ...["rock", "lamp", "ghost"].map((name) => `definition ${name} < maps/map01.wad: thing of the map`),
    "definition BRICK1 < maps/map01.wad: upper texture",
    "definition QUILT < maps/map01.wad: middle texture",
    "texture textures/long/name.png < maps/map01.wad: upper texture",
    "definition LATE < maps/map01.wad: middle texture",
    "texture flats/FLOOR1 < maps/map01.wad: ceiling",
    "texture textures/PLAIN < maps/map01.wad: ceiling",
    "music music/D_SONG < maps/map01.wad: music",
    "definition stone < rock: parent class",
    "definition rock/roll < rock: name in a class",
    "definition dust < rock: name in a class",
    "definition rock/hit < rock: name in a class",
    "file sprites/ROCKA0 < rock: frame of a state",
    "file sprites/ROCKB1 < rock: frame of a state",
    "! image sprites/ROCKC < rock: frame of a state",
    "file sprites/ROCKD0 < rock: frame of a state",
    "file sprites/LAMPA0 < lamp: frame of a state",
    "definition ghost/see < ghost: name in a class",
    "! image sprites/GHSTA < ghost: frame of a state",
    "image WALL_A < BRICK1: patch",
    "image WALL_B < BRICK1: patch",
    "image patches/SQUARE < QUILT: patch",
    "! image patches/TORN < QUILT: patch",
    "sound sounds/DSROLL < rock/roll: sound",
    "definition rock/a < rock/hit: sound",
    "definition rock/b < rock/hit: sound",
    "! sound dsghost < ghost/see: sound",
    "sound sounds/DSROCKA < rock/a: sound",
    "! sound dsgone < rock/b: sound",
  ]);
});

Deno.test("what code decides is said, and the question who uses a file is not answered by nothing", async () => {
  const rows = await inGame(scripted, "gzdoom", ["doom2.wad", "mod.pk3"], async (view) => ({
    unfollowed: await Array.fromAsync(view.unfollowed(), ({ name, reason }) => `${name}: ${reason}`),
    users: (await Array.fromAsync(view.usedBy("QUILT"))).map(userOf).sort(),
    missing: await Array.fromAsync(
      view.missing("mod.pk3"),
      ({ name, missing }) => `${name}: ${missing.map((one) => one.name)}`,
    ),
  }));
  assertEquals(rows, {
    unfollowed: ["ZSCRIPT: what ZScript computes is not followed, only the names in it"],
    users: ["LATE: switch", "ghost: name in a class", "maps/map01.wad: middle texture"],
    missing: [
      ...["QUILT: patches/TORN", "rock/b: dsgone", "ghost/see: dsghost", "rock: sprites/ROCKC", "ghost: sprites/GHSTA"],
    ],
  });
});

Deno.test("floors and pictures that no map, lump or animation of a mod of Doom names are unused", async () => {
  const files = {
    "doom2.wad": wad([...game, ...binaryMap("MAP01", { sides: [], sectors: [], things: [] })], "IWAD"),
    "mod.wad": wad([
      ["F_START", ""],
      ...named("NUKAGE1", "SHOWN", "STEP1", "STEP2", "STEP3", "NEVER", "ENDING"),
      ["F_END", ""],
      ["ANIMDEFS", "flat STEP1 range STEP3 tics 8"],
      ["UMAPINFO", 'map MAP01 { interbackdrop = "ENDING" }'],
      ...binaryMap("MAP01", { sides: [], sectors: [["SHOWN", "STEP2"]], things: [] }),
    ]),
  };
  const unused = await inGame(files, "gzdoom", ["doom2.wad", "mod.wad"], async (view) => {
    return await Array.fromAsync(view.unused([], { source: "mod.wad" }), ({ qpath }) => qpath);
  });
  assertEquals(unused, ["flats/NEVER"]);
});

Deno.test("floors that only lumps of text, libraries of scripts or DEHACKED name are not unused", async () => {
  const files = {
    "doom2.wad": wad([...game, ...binaryMap("MAP01", { sides: [], sectors: [], things: [] })], "IWAD"),
    "mod.wad": wad([
      ["F_START", ""],
      ...named("WATER", "GLOW", "ENDING", "RENAMED", "BYCODE", "NEVER"),
      ["F_END", ""],
      ["A_START", ""],
      ["LIBRARY", compiledScripts("BYCODE")],
      ["A_END", ""],
      ["TERRAIN", "floor WATER water"],
      ["GLDEFS", "glow { flats { GLOW } }"],
      [
        "DEHACKED",
        "Patch File for DeHackEd v3.0\r\n\r\nText 8 7\r\nFLOOR4_8RENAMED\r\n\r\n[STRINGS]\r\nBGFLATE1 = ENDING\r\n",
      ],
      ...binaryMap("MAP01", { sides: [], sectors: [["FLOOR1", "FLOOR1"]], things: [] }),
    ]),
  };
  const unused = await inGame(files, "gzdoom", ["doom2.wad", "mod.wad"], async (view) => {
    return await Array.fromAsync(view.unused([], { source: "mod.wad" }), ({ qpath }) => qpath);
  });
  assertEquals(unused, ["flats/NEVER"]);
});

Deno.test("sprites, sounds and music have the names that DEHACKED gives them, of all files of this lump", async () => {
  const dehacked = "Patch File for DeHackEd v3.0\r\n\r\nText 4 4\r\nBON1VIAL\r\nText 6 4\r\nrunninwalk\r\n\r\n" +
    "[SPRITES]\r\ntroo = GOON # an imp\r\n\r\n[SOUNDS]\r\nBGSIT1 = growl\r\n\r\nBON1 = NONE\r\n";
  const files = {
    "doom2.wad": wad([...game, ...binaryMap("MAP01", rooms)], "IWAD"),
    "mod.wad": wad([
      ["DEHACKED", dehacked],
      ["S_START", ""],
      ...frames("VIAL", "ABC"),
      ...frames("GOON", "A"),
      ["S_END", ""],
      ...named("D_WALK", "DSGROWL"),
    ]),
    "other.wad": wad([["DEHACKED", "Thing 1\nID # = 7\n\nText 8 6\nFLOOR4_8FLOOR1\n"]]),
  };
  const asked = async (profile: string) => ({
    needs: (await needsOf(files, profile, ["doom2.wad", "mod.wad", "other.wad"], "MAP01"))
      .filter((row) => /music|sound|sprites\/(?:BON1|VIAL|TROOA|GOON[AU])/.test(row))
      .map((row) => row.replace(/ <.*/, "")),
    users: await inGame(files, profile, ["doom2.wad", "mod.wad", "other.wad"], async (view) => [
      ...(await Array.fromAsync(view.usedBy("flats/FLOOR1"))).map(userOf).sort(),
      ...await Array.fromAsync(view.unfollowed(), ({ reason }) => reason),
    ]),
  });
  assertEquals(await asked("boom"), {
    needs: [
      "music D_WALK",
      ...["A0", "B0", "C0"].map((name) => `file sprites/VIAL${name}`),
      "! image sprites/VIALD",
      "file sprites/GOONA0",
      "! image sprites/GOONU",
      "sound DSGROWL",
    ],
    users: [
      "DEHACKED: name in DEHACKED",
      "maps/MAP01/SECTORS: floor",
      "what DEHACKED changes by numbers is not followed",
    ],
  });
  const { needs: vanilla } = await asked("chocolate");
  assertEquals(vanilla.filter((row) => /BON1A|VIAL|RUNNIN|WALK/.test(row)), [
    "music D_RUNNIN",
    "! image sprites/BON1A",
  ]);
});

Deno.test("whatever DEHACKED says is read, or refused with a sentence", () => {
  const seed = text("Patch File\r\nText 4 4\r\nBON1VIAL\r\n[SPRITES]\r\nTROO = GOON\r\n\r\nText 6 6\nrunninstalks\n");
  fc.assert(
    fc.property(mutants(seed), (bytes) => {
      try {
        readDehacked(bytes);
      } catch (error) {
        if (!(error instanceof MediaError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
  assertThrows(() => readDehacked(text("Text 4 9999999\nBON1")), MediaError, "a string of 10000003 letters breaks off");
});

/** A pack of textures in a pk3, in directories and at the top, with a map that refers to some by their short names. */
const texturePack: Files = {
  "doom2.wad": wad([...game, ...binaryMap("MAP01", { sides: [], sectors: [], things: [] })], "IWAD"),
  "mod.pk3": zip(
    Object.entries({
      "maps/map01.wad": wad(binaryMap("MAP01", {
        sides: [["WALL1", "HIGH", "SW1A"], ["PLANK1", "COMPOSED", "-"]],
        sectors: [["SHORT", "FLAT2"], ["WALLF", "ANIM1"]],
        things: [],
      })),
      ...Object.fromEntries(
        [
          ...["textures/rock/wall1", "textures/rock/wall2", "textures/high", "textures/wallf", "textures/sw1a"],
          ...["textures/sw2a", "textures/literal", "textures/skyx", "textures/inter", "textures/page"],
          ...["flats/mine/short", "flats/flat2", "flats/flat3", "flats/anim1", "flats/anim2", "flats/anim3"],
          ...["patches/brick", "patches/never", "patches/plank1", "patches/plank2", "patches/deep/tile"],
          ...["patches/inside", "patches/gargoyle", "patches/sign", "patches/crate"],
        ].map((path) => [`${path}.png`, path]),
      ),
      "animdefs.txt":
        "flat ANIM1 pic ANIM1 tics 4 pic ANIM2 tics 4 pic ANIM3 tics 4\nswitch SW1A on pic SW2A tics 0\n" +
        "texture PLANK1 pic PLANK1 tics 4 pic PLANK2 tics 4",
      "textures.txt":
        `texture COMPOSED, 64, 64 { Patch BRICK, 0, 0 Patch inner, 0, 0 Patch "patches/deep/tile.png", 0, 0 }
        flat INNER, 8, 8 { Patch INSIDE, 0, 0 }
        walltexture SW1GARG, 8, 8 { Patch GARGOYLE, 0, 0 }
        graphic LOGO, 8, 8 { Patch SIGN, 0, 0 }
        walltexture UNSHOWN, 8, 8 { Patch CRATE, 0, 0 Patch BRICK, 0, 0 }`,
      "mapinfo.txt": 'map MAP01 "x" { sky1 = "SKYX" exitpic = "PAGE" }\ncluster 5 { flat = "INTER" }',
      "zscript.zs": 'version "4.0"\nclass A : Actor { void F() { TexMan.CheckForTexture("LITERAL"); } }',
    }).map(([name, content]) => ({ name, content })),
  ),
};

Deno.test("of a pack of textures in a pk3 the files that nothing shows are unused, each by its path in the pk3", async () => {
  const unused = await inGame(texturePack, "gzdoom", ["doom2.wad", "mod.pk3"], async (view) => {
    const missing = (await Array.fromAsync(view.missing())).flatMap(({ missing }) => missing);
    assertEquals(missing.filter(({ why }) => why === "patch").map(({ name }) => name), ["patches/TORN"]);
    return await Array.fromAsync(view.unused([], { source: "mod.pk3" }), ({ qpath }) => qpath);
  });
  assertEquals(unused, ["flats/flat3.png", "patches/crate.png", "patches/never.png", "textures/rock/wall2.png"]);
});

Deno.test("maps are converted with the textures that the engine has: of all files, or of the last one alone", async () => {
  const wallOf = (name: string) =>
    [["PNAMES", patchNames([`P_${name}`])], ["TEXTURE1", composedTextures([[name, [0]]])], [
      `P_${name}`,
      patch(),
    ]] as const;
  const files = {
    "doom2.wad": wad([
      ...[["PLAYPAL", testPalette()], ["MAP30", ""]] as const,
      ...wallOf("OLD"),
      ...roomMap("MAP01", ["NONE", "F_SKY1", "OLD"]),
    ], "IWAD"),
    "mod.wad": wad([...wallOf("NEW"), ...roomMap("MAP02", ["NONE", "F_SKY1", "NEW"])]),
  };
  const missing = (profile: string) =>
    inGame(files, profile, ["doom2.wad", "mod.wad"], async (view) => {
      const maps = await Promise.all(
        ["MAP01", "MAP02"].map(async (map) => readGlb((await view.convert(map)).bytes).json),
      );
      return maps.flatMap(({ materials }) => materials.flatMap(({ extras }: Plain) => extras?.missing ?? []));
    });
  assertEquals(await missing("gzdoom"), ["NONE", "NONE"]);
  assertEquals(await missing("chocolate"), ["NONE", "OLD", "NONE"]);
});

Deno.test("a map in Hexen's format needs its things, and what the strings of its scripts name", async () => {
  const map = { ...rooms, things: [5, 9999], sectors: [["FLOOR1", "FLOOR1"]] as const };
  const files = {
    "hexen.wad": wad([
      ...[["MAP01", ""], ["MAP40", ""], ["TITLE", filled], ["WINNOWR", filled]] as const,
      ...game,
      [
        "MAPINFO",
        'map 1 "Winnowing Hall"\nwarptrans 1\nnext 2\ncluster 1\nsky1 SW1GARG 0\n; sky1 GONE\nmap 2 "Two"\nsky1 SKY1 0\n',
      ],
      ["SNDINFO", "$archivepath o:\\sound\n$map 1 winnowr\nBell dsbell ; rings\n"],
      ...binaryMap("MAP01", map, compiledScripts("NUKAGE1", "Bell", "for people: OTHER", "%s")),
    ], "IWAD"),
  };
  const rows = await needsOf(files, "gzdoom", ["hexen.wad"], "MAP01");
  assertEquals(rows.filter((row) => /MAP01: [^l]|BEHAVIOR:|THINGS:|bell/.test(row)), [
    "music WINNOWR < MAP01: music",
    "! map MAP02 < MAP01: next map",
    "definition SW1GARG < MAP01: sky",
    "texture flats/NUKAGE1 < maps/MAP01/BEHAVIOR: name in a script",
    "definition bell < maps/MAP01/BEHAVIOR: name in a script",
    "! image sprites/STTWA < maps/MAP01/THINGS: thing 5",
    "! sound dsbell < bell: sound",
  ]);
});

// ZDoom/gzdoom src/d_main.cpp 2313: RenameSprites
Deno.test("GZDoom has other names for sprites of Heretic and Hexen, and a map needs them under these", async () => {
  const map = { ...rooms, things: [6, 9], sectors: [["FLOOR1", "FLOOR1"]] as const };
  const marks = [["TITLE", filled], ["E2M1", ""], ["MUS_E1M1", filled], ["EXTENDED", filled]] as const;
  const sprites = [...frames("HEAD", "ABC"), ...frames("MNTR", "AF")];
  const files = {
    "heretic.wad": wad([...marks, ...binaryMap("E1M1", map), ["S_START", ""], ...sprites, ["S_END", ""]], "IWAD"),
  };
  const found = async (engine: string) =>
    (await needsOf(files, engine, ["heretic.wad"], "E1M1")).flatMap((row) =>
      /^file sprites\/(\S+)/.exec(row)?.[1] ?? []
    );
  assertEquals(await found("gzdoom"), ["LICHA0", "LICHB0", "LICHC0", "MNTRA0", "MNTRU0"]);
  assertEquals(await found("boom"), ["HEADA0", "HEADB0", "HEADC0", "MNTRA0", "MNTRF0"]);
});

Deno.test("damaged textures, hidden strings and maps that break off are said by every question", async () => {
  const cut = ([name, content]: HandLumps[number]): HandLumps[number] => [name, String(content).slice(0, -4)];
  const broken = wad([
    ...game.map(([name, content]): HandLumps[number] => name === "TEXTURE1" ? [name, "\x09\0\0\0"] : [name, content]),
    ...binaryMap("MAP01", rooms, text("ACSE\0\0\0\0STRE....")),
    ...textMap("MAP02", rooms).map(cut),
  ], "IWAD");
  const problems = [
    "TEXTURE1: it cannot have 9 textures in 4 bytes",
    "maps/MAP01/BEHAVIOR: its scripts hide their strings",
    'maps/MAP02/TEXTMAP: a block "sector" does not end; it may be cut short',
  ];
  const said = (rows: readonly { name: string; problem: string | null }[]) =>
    rows.flatMap(({ name, problem }) => problem === null ? [] : `${name}: ${problem}`).sort();
  await inGame({ "doom2.wad": broken }, "gzdoom", ["doom2.wad"], async (view) => {
    assertEquals(said(await Array.fromAsync(view.needs(["MAP01", "MAP02", "TEXTURE1"]))), problems);
    assertEquals(said(await Array.fromAsync(view.missing())), problems);
    assertEquals(said(await Array.fromAsync(view.usedBy("flats/OTHER"))), problems);
  });
});
