/**
 * Random WADs for dsda-doom. It maps its files into memory, so that few reads are seen: those of its tables of sines, in the
 * namespace of the port. Of other lumps it says which it found: options it prints, files of DEHACKED it names, and patches that
 * are neither global nor sprites it misses.
 * @module
 */
import { text, u32 } from "../../tests/formats/bytes.ts";
import { numbersFrom, type Random } from "../../tests/support/chance.ts";
import { type Lump, type LumpTree, marker, picture, some, spacedWad, textures } from "./doom_lumps.ts";

/** Tables of the port, with the sizes that the engine wants. */
const tables = { SINETABL: 40_960, TANGTABL: 16_384, TANTOANG: 8196 };

/** Names of the tables. */
export const tableNames = Object.keys(tables);

/** Patches that textures have, in the order of the textures. The last is in no file: missing it ends the engine. */
export const patches = ["PATCH_A", "PATCH_B", "PATCH_C", "TROOA1", "POSSA1", "FLOOR4_8", "MAP", "P", "NOWHERE"];

/** The option whose value is in lumps `OPTIONS`. */
const option = "monsters_remember";

/** Directory of files that the engine always loads, below the home directory. */
export const autoload = ".dsda-doom/autoload";

const sections = ["S", "SS", "F", "FF", "C", "B", "B", "HI"];

/** A lump of any name; each that holds options has a value of its own. */
function lump(chance: Random): Lump {
  const choice = chance(10);
  if (choice < 3) return table(tableNames[chance(tableNames.length)] ?? "");
  if (choice === 3) return ["options", options(chance)];
  if (choice === 4) return ["DEHACKED", text("# empty\n")];
  // The engine drops sprites of eight bytes.
  return [patches[chance(patches.length - 1)] ?? "", chance(4) === 0 ? picture.subarray(0, 8) : picture];
}

function table(name: string): Lump {
  const size = Object.entries(tables).find(([known]) => known === name)?.[1] ?? 0;
  // The engine detects the order of bytes by what it reads as the table's second number.
  return [name, u32(...Array.from({ length: size / 4 }, () => 50))];
}

function lumps(chance: Random): Lump[] {
  return Array.from({ length: chance(4) }, () => lump(chance));
}

function pwad(chance: Random): Uint8Array {
  const all = lumps(chance);
  for (let count = chance(4); count > 0; count--) {
    const section = sections[chance(sections.length)] ?? "";
    if (chance(6) > 0) all.push(marker(`${section}_START`));
    all.push(...lumps(chance));
    if (chance(6) > 0) all.push(marker(`${section}_${chance(5) === 0 ? "end" : "END"}`));
    all.push(...lumps(chance));
  }
  return spacedWad("PWAD", all.length === 0 ? [["X", picture]] : all);
}

function iwad(chance: Random): Uint8Array {
  return spacedWad("IWAD", [
    marker("MAP01"),
    ["PLAYPAL", new Uint8Array(768)],
    ["COLORMAP", new Uint8Array(34 * 256)],
    ...textures(patches),
    ...lumps(chance),
    marker("F_START"),
    ["FLOOR4_8", picture],
    marker("F_END"),
    marker("S_START"),
    ["TROOA1", picture],
    ...lumps(chance),
    marker("S_END"),
    marker("B_START"),
    ...tableNames.map(table),
    marker("B_END"),
  ]);
}

/** Makes an IWAD, some WADs and single lumps, and a command line that loads them. */
export function randomBoomLumps(seed: number): LumpTree {
  const chance = numbersFrom(seed);
  const names = Array.from({ length: chance(5) }, (_, index) => `${"zya9_"[index]}.wad`);
  const list = [...names, ...some(["options.lmp", "SINETABL.lmp", "dehacked.LMP"], chance)];
  const always = [
    "all-all/m.wad",
    "all-all/K.WAD",
    "doom-all/b.wad",
    "doom2.wad/_.wad",
    "doom2.wad/a.WAD",
    "z.wad/p.wad",
  ];
  const files = [...list, ...chance(2) === 0 ? some(always, chance).map((name) => `${autoload}/${name}`) : []];
  const single = (name: string) =>
    /opt/i.test(name) ? options(chance) : /sine/i.test(name) ? table("SINETABL")[1] : text("#\n");
  return {
    files: {
      "doom2.wad": iwad(chance),
      ...Object.fromEntries(files.map((name) => [name, /wad$/i.test(name) ? pwad(chance) : single(name)])),
    },
    list: list.length === 0 ? [] : ["-file", ...list],
  };
}

function options(chance: Random): Uint8Array {
  return text(`${option} ${chance(1_000_000)}\n`);
}
