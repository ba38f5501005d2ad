/**
 * Random WADs for Chocolate Doom and Crispy Doom, which read each patch that a texture has, and each sprite of their table, before they draw
 * anything.
 * @module
 */
import { numbersFrom, type Random } from "../../tests/support/chance.ts";
import { type Lump, type LumpTree, marker, picture, some, spacedWad, textures } from "./doom_lumps.ts";

/** Patches that every texture of the IWAD names, so that each is read. */
export const patches = ["PATCH_A", "PATCH_B", "PATCH_C", "P"];
/** Pictures of menus that Crispy Doom looks at when it starts. */
const menu = ["M_LOADG", "M_SAVEG", "M_LSLEFT"];
const spriteNames = ["TROOA1", "TROOA2A8", "TROOA2", "TROOA8", "TROOB0", "TROOB3B7", "TROOB3", "POSSA1", "POSSA0"];

function iwad(chance: Random): Uint8Array {
  return spacedWad("IWAD", [
    marker("MAP01"),
    // Crispy Doom requires these.
    marker("MAP09"),
    marker("MAP21"),
    ...menu.map((name) => [name, picture] as const),
    ["PLAYPAL", new Uint8Array(768)],
    ["COLORMAP", new Uint8Array(34 * 256)],
    ...textures(patches),
    ...patches.map((name) => [name, picture] as const),
    marker("F_START"),
    ["FLOOR4_8", picture],
    marker("F_END"),
    marker("S_START"),
    ...some(spriteNames, chance).map((name) => [name, picture] as const),
    marker("S_END"),
  ]);
}

/**
 * A WAD with patches and sprites, some in sections, some twice, some outside.
 * @param flats Names that its section of flats can have.
 */
function pwad(chance: Random, flats: readonly string[]): Uint8Array {
  const lumps: Lump[] = some([...patches, ...patches], chance).map((name): Lump => [name, picture]);
  if (chance(3) === 0) lumps.push([spriteNames[chance(spriteNames.length)] ?? "", picture]);
  const section = ["S", "SS", "SS", "F", "FF"][chance(5)] ?? "";
  const inside = some(section.startsWith("S") ? spriteNames : flats, chance);
  if (chance(3) > 0) {
    lumps.push(marker(`${section}_START`));
    for (const name of inside) lumps.push([name, picture]);
    lumps.push(marker(`${section}_END`));
  }
  if (chance(3) === 0) lumps.push([patches[chance(patches.length)] ?? "", picture]);
  return spacedWad("PWAD", lumps.length === 0 ? [["X", picture]] : lumps);
}

/** A tree with the directory of files that the engine always loads. */
export interface AutoloadTree extends LumpTree {
  readonly autoload: string;
}

/** Makes an IWAD, some WADs, and a command line that loads them, for the program of a name. */
export function randomLumps(seed: number, program: string): AutoloadTree {
  // Crispy Doom passes over flats where it looks for the patches of textures: src/doom/r_data.c, R_InitTextures.
  const flats = ["FLOOR4_8", ...program === "crispy-doom" ? [] : patches];
  const autoload = `.local/share/${program}/autoload`;
  const chance = numbersFrom(seed);
  const names = Array.from({ length: 1 + chance(4) }, (_, index) => `${"zya9"[index]}.wad`);
  const switches = ["-file", "-merge", "-merge", "-nwtmerge", "-af", "-as", "-aa"];
  // The engine takes each switch once.
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const word = switches[chance(switches.length)] ?? "";
    groups.set(word, [...groups.get(word) ?? [], name]);
  }
  const always = some(["doom-all/m.wad", "doom-all/K.wad", "doom2.wad/a.WAD", "other.wad/b.wad"], chance)
    .map((name) => `${autoload}/${name}`);
  const wads = [...names, ...chance(3) === 0 ? always : []];
  return {
    files: { "doom2.wad": iwad(chance), ...Object.fromEntries(wads.map((name) => [name, pwad(chance, flats)])) },
    autoload,
    list: Array.from(groups).flatMap(([word, files]) => [word, ...files]),
  };
}
