/**
 * Random WADs for Chocolate Doom, which reads each patch that a texture has, and each sprite of its table, before it draws
 * anything.
 * @module
 */
import { numbersFrom, type Random } from "../../tests/support/chance.ts";
import { type Lump, type LumpTree, marker, picture, some, spacedWad, textures } from "./doom_lumps.ts";

/** Patches that every texture of the IWAD names, so that each is read. */
export const patches = ["PATCH_A", "PATCH_B", "PATCH_C", "P"];
const spriteNames = ["TROOA1", "TROOA2A8", "TROOA2", "TROOA8", "TROOB0", "TROOB3B7", "TROOB3", "POSSA1", "POSSA0"];

/** Where the engine looks for files that are always loaded, below the home directory. */
export const autoload = ".local/share/chocolate-doom/autoload";

function iwad(chance: Random): Uint8Array {
  return spacedWad("IWAD", [
    marker("MAP01"),
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

/** A WAD with patches and sprites, some in sections, some twice, some outside. */
function pwad(chance: Random): Uint8Array {
  const lumps: Lump[] = some([...patches, ...patches], chance).map((name): Lump => [name, picture]);
  if (chance(3) === 0) lumps.push([spriteNames[chance(spriteNames.length)] ?? "", picture]);
  const section = ["S", "SS", "SS", "F", "FF"][chance(5)] ?? "";
  const inside = some(section.startsWith("S") ? spriteNames : ["FLOOR4_8", ...patches], chance);
  if (chance(3) > 0) {
    lumps.push(marker(`${section}_START`));
    for (const name of inside) lumps.push([name, picture]);
    lumps.push(marker(`${section}_END`));
  }
  if (chance(3) === 0) lumps.push([patches[chance(patches.length)] ?? "", picture]);
  return spacedWad("PWAD", lumps.length === 0 ? [["X", picture]] : lumps);
}

/** Makes an IWAD, some WADs, and a command line that loads them. */
export function randomLumps(seed: number): LumpTree {
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
    files: { "doom2.wad": iwad(chance), ...Object.fromEntries(wads.map((name) => [name, pwad(chance)])) },
    list: Array.from(groups).flatMap(([word, files]) => [word, ...files]),
  };
}
