/** Texture packs of Doom without textures unused by maps: the tables are rebuilt, and the game misses nothing. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readPatchNames, readPatchTextures } from "../../media/doom_lumps.ts";
import { openArchive } from "../../formats/mod.ts";
import { openLocalGames } from "../../service/local.ts";
import { join, padded, text, u32, wad, zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { binaryMap, composedTextures, type HandLumps, patchNames } from "../media/handmade_doom.ts";
import { patch } from "../media/convert/samples.ts";
import { runLine } from "./harness.ts";

const iwad = wad([
  ["PNAMES", patchNames(["OLD1", "OLD2"])],
  ["TEXTURE1", composedTextures([["AASHITTY", [0]], ["SW1OLD", [0]], ["SW2OLD", [1]], ["SKY1", [1]]])],
  ...["OLD1", "OLD2"].map((name) => [name, patch()] as const),
  ...binaryMap("MAP01", { sides: [], sectors: [], things: [] }),
  ["D_RUNNIN", "music"],
  ["S_START", ""],
  ["TROOA1", patch()],
  ["S_END", ""],
  ["F_START", ""],
  ["F_SKY1", new Uint8Array(4096)],
  ["F_END", ""],
], "IWAD");

const name = (value: string) => padded(text(value), 9);
/** `ANIMATED`: walls from the first to the last frame. */
const animated = join(Uint8Array.of(1), name("WAVE3"), name("WAVE1"), u32(8), Uint8Array.of(255));

/** A pack: an animation, a door of two patches, unused textures, and other definitions of the game's textures. */
const pack: HandLumps = [
  ["PNAMES", patchNames(["OLD1", "N1", "N2", "N3", "DOORA", "DOORB", "UNUSED", "OLD2", "NEWOLD"])],
  [
    "TEXTURE1",
    composedTextures([
      ["AASHITTY", [0]],
      ["SW1OLD", [8]],
      ["SW2OLD", [7]],
      ["SKY1", [7]],
      ...([["WAVE1", [1]], ["WAVE2", [2]], ["WAVE3", [3]], ["NOTHING", [6]], ["DOOR", [5, 4]], ["OTHER", [
        6,
        4,
      ]]] as const),
    ]),
  ],
  ["ANIMATED", animated],
  ...["N1", "N2", "N3", "DOORA", "DOORB", "UNUSED", "NEWOLD"].map((patchName) => [patchName, patch()] as const),
  ...binaryMap("MAP01", {
    sides: [["WAVE2", "-", "DOOR"]],
    sectors: [["FLOOR", "F_SKY1"]],
    things: [],
  }),
  ["FF_START", ""],
  ["FLOOR", new Uint8Array(4096).fill(3)],
  ["UNSEEN", new Uint8Array(4096).fill(4)],
  ["FF_END", ""],
];

for (const profile of ["gzdoom", "boom", "chocolate"]) {
  Deno.test(`an archive of what a map needs has the textures that ${profile} shows and those of the game, and no others`, async () => {
    await using root = await installation({ "doom2.wad": iwad, "pack.wad": wad(pack) });
    const [base, file, out] = ["doom2.wad", "pack.wad", "out.wad"].map((path) => `${root.path}/${path}`) as [
      string,
      string,
      string,
    ];
    const how = profile === "chocolate" ? ["-merge", file] : [file];
    const games = [{ sources: [base, file], iwad: base, files: how, profile, name: "doom" }];
    await using connection = await openLocalGames(games);
    const outcome = await runLine(`archive create ${out} --needs MAP01 --own`, { connection });
    assertEquals(outcome.code, 0, outcome.err);
    const isAnimated = profile !== "chocolate";
    using archive = openArchive(out);
    const lumps = Array.from(archive, ({ qpath }) => qpath.replace(/^lumps\//, ""));
    const read = (lump: string) => archive.read(`lumps/${lump}`);
    const textures = readPatchTextures(read("TEXTURE1"));
    const names = readPatchNames(read("PNAMES"));
    const waves = isAnimated ? ["WAVE1", "WAVE2", "WAVE3"] : ["WAVE2"];
    assertEquals(textures.map((texture) => [texture.name, ...texture.patches.map(({ number }) => names[number])]), [
      ["AASHITTY", "OLD1"],
      ["SW1OLD", "NEWOLD"],
      ["SW2OLD", "OLD2"],
      ["SKY1", "OLD2"],
      ...waves.map((wave) => [wave, wave.replace("WAVE", "N")]),
      ["DOOR", "DOORB", "DOORA"],
    ]);
    const walls = waves.map((wave) => wave.replace("WAVE", "N"));
    const patches = ["DOORA", "DOORB", "NEWOLD", ...walls];
    const expected = [...patches, "PNAMES", "TEXTURE1", "MAP01", ...isAnimated ? ["ANIMATED"] : []];
    const isLump = (lump: string) => !lump.includes("/") && !/_(START|END)$/.test(lump);
    assertEquals(lumps.filter(isLump).filter((lump) => lump !== "ANIMATED" || isAnimated).sort(), expected.sort());
    assertEquals(lumps.filter((lump) => lump.startsWith("flats/")), ["flats/FLOOR"]);
    assertEquals(lumps.filter((lump) => lump.startsWith("maps/MAP01/")).length, 5);
  });
}

Deno.test("an archive of what a map of a pk3 needs has one TEXTURES, with what the map shows and what is no wall", async () => {
  const first = 'texture SHOWN, 8, 8 { Patch "patches/a.png", 0, 0 } // shown\n' +
    "walltexture UNSEEN, 8, 8\n{\n  Patch B, 0, 0 { FlipX }\n}\n/* of the status bar */ graphic LOGO, 8, 8 { Patch C, 0, 0 }\n";
  const map = binaryMap("MAP01", { sides: [["SHOWN", "-", "INNER"]], sectors: [], things: [] });
  const files = {
    "maps/map01.wad": wad(map),
    "textures.a": "flat INNER, 8, 8 { Patch D, 0, 0 }\nflat OUTER, 8, 8 { Patch E, 0, 0 }",
    "textures.b": first,
    ...Object.fromEntries(["a", "b", "c", "d", "e"].map((patchName) => [`patches/${patchName}.png`, patchName])),
  };
  await using root = await installation({
    "doom2.wad": iwad,
    "pack.pk3": zip(Object.entries(files).map(([name, content]) => ({ name, content }))),
  });
  const [base, file, out] = ["doom2.wad", "pack.pk3", "out.pk3"].map((path) => `${root.path}/${path}`);
  assert(base && file && out);
  const games = [{ sources: [base, file], iwad: base, files: [file], profile: "gzdoom", name: "doom" }];
  await using connection = await openLocalGames(games);
  const outcome = await runLine(`archive create ${out} --needs MAP01 --own`, { connection });
  assertEquals(outcome.code, 0, outcome.err);
  assertStringIncludes(outcome.err, "2 textures left out");
  using archive = openArchive(out);
  assertEquals(Array.from(archive, ({ qpath }) => qpath), [
    ...["TEXTURES", "maps/map01.wad", "patches/C", "patches/D", "patches/a.png"],
  ]);
  assertEquals(
    new TextDecoder().decode(archive.read("TEXTURES")),
    'flat INNER, 8, 8 { Patch D, 0, 0 }\n\ntexture SHOWN, 8, 8 { Patch "patches/a.png", 0, 0 } // shown\n' +
      "/* of the status bar */ graphic LOGO, 8, 8 { Patch C, 0, 0 }\n",
  );
});
