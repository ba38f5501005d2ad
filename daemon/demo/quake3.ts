/**
 * The demo's game with pk3 files: two pk3s that overlap, a pk3dir, loose files, and a mod that replaces surfaces.
 * @module
 */
import {
  type DemoFile,
  type DemoPack,
  everySpecial,
  everySurface,
  icons,
  pcx,
  png,
  sound,
  text,
  texture,
  tints,
} from "./drawing.ts";
import { quake3Hall } from "./lamp_hall.ts";
import { badge, bricks, grate, plates, stone, tiles } from "./patterns.ts";
import { burst, hum, melody, sweep } from "./sound.ts";

/** Returns everything below the demo's `quake3`. */
export function quake3Files(): (DemoFile | DemoPack)[] {
  return [
    { path: "quake3/baseq3/pak0.pk3", format: "zip", members: basePk3() },
    { path: "quake3/baseq3/pak1.pk3", format: "zip", members: patchPk3() },
    ...unpackedPk3().map((file) => ({ ...file, path: `quake3/baseq3/zz-textures.pk3dir/${file.path}` })),
    text("quake3/baseq3/autoexec.cfg", ["seta cg_fov 100", "seta r_gamma 1.2"]),
    { path: "quake3/nightfall/night.pk3", format: "zip", members: modPk3() },
    text("quake3/nightfall/description.txt", ["Nightfall: the demo arenas in the dark"]),
    text("quake3/README.txt", [
      "A small game of pakfs's own making, to try pakfs on. It cannot be played.",
      "baseq3 is the base game, nightfall a mod.",
    ]),
  ];
}

const items = ["lantern", "oil", "spark", "shield", "boots", "bell"];

/** One shader: how a surface is drawn. */
function shader(name: string, ...stages: string[][]): string[] {
  return [name, "{", ...stages.flatMap((stage) => ["\t{", ...stage.map((line) => `\t\t${line}`), "\t}"]), "}"];
}

function basePk3(): DemoFile[] {
  return [
    ...everySurface(1100),
    ...everySpecial(1300),
    texture("textures/base/floor", tiles(tints.grey, 1401)),
    texture("textures/base/wall", plates(tints.grey, 1402)),
    texture("textures/base/ceiling", grate(tints.grey, 1403)),
    // Engines of this family ignore the case of its path.
    texture("Textures/Base/Pillar", stone(tints.sand, 1404)),
    ...icons("icons", items, tints.red, 1410),
    ...arenas(["arena1", "arena2", "arena3", "arena4"], 1420, "baseq3"),
    quake3Hall("arena1", "The lamp hall", "sound/world/wind.wav"),
    pcx("menu/art/frame", plates(tints.rust, 1430, 1), 128, 64),
    pcx("menu/art/cursor", badge(tints.sand, 1431), 32),
    sound("sound/misc/menu1", sweep(330, 660, 0.15), 0.15),
    sound("sound/misc/menu2", sweep(660, 330, 0.15), 0.15),
    sound("sound/world/hum", hum(60, 1), 1),
    sound("sound/world/wind", burst(1440, 3, 20), 1.2),
    ...items.map((item, index) =>
      sound(`sound/items/${item}`, melody([330 + 40 * index, 495 + 60 * index], 0.12), 0.24)
    ),
    text("scripts/base.shader", [
      "// Surfaces of the demo arenas.",
      ...shader("textures/base/floor", ["map $lightmap"], ["map textures/base/floor.tga", "blendFunc filter"]),
      ...shader("textures/liquid/water", ["map textures/liquid/water.tga", "blendFunc blend", "tcMod scroll 0.1 0.1"]),
      ...shader("textures/light/warm", ["map textures/light/warm.tga"], ["map $whiteimage", "blendFunc add"]),
    ]),
    text("scripts/arenas.txt", [
      ...["arena1", "arena2", "arena3", "arena4"].flatMap((map) => [
        "{",
        `map "${map}"`,
        'bots "lamplighter"',
        `longname "${map} of the demo"`,
        'type "ffa"',
        "}",
      ]),
    ]),
    text("botfiles/bots/lamplighter_c.c", [
      "// The demo's only opponent, a lamplighter.",
      'skill 1 { CHARACTERISTIC_NAME "Lamplighter" }',
    ]),
    text("default.cfg", ['bind w "+forward"', 'bind s "+back"', 'bind SPACE "+moveup"', 'bind l "+lantern"']),
  ];
}

function arenas(names: readonly string[], seed: number, origin: string): DemoFile[] {
  return names.flatMap((name, index) => [
    png(`levelshots/${name}`, bricks([90 + 30 * index, 120, 170 - 25 * index], seed + index, 12), 128, 96),
    text(`maps/${name}.txt`, [
      `Notes on ${name}, from ${origin}.`,
      `The lamplighter stands at ${64 * index} ${32 * index} 24.`,
    ]),
  ]);
}

function patchPk3(): DemoFile[] {
  return [
    texture("textures/base/floor", tiles(tints.brown, 1501, 6)),
    texture("textures/stone/grey", stone([120, 130, 150], 1502)),
    texture("textures/light/cold", badge([180, 210, 255], 1503)),
    ...arenas(["arena4", "arena5"], 1510, "baseq3, first patch"),
    sound("sound/misc/menu1", sweep(392, 784, 0.12), 0.12),
    text("scripts/patch.shader", [
      ...shader("textures/liquid/lava", ["map textures/liquid/lava.tga", "tcMod turb 0 0.2 0 0.1"]),
    ]),
    text("default.cfg", ['bind w "+forward"', 'bind s "+back"', 'bind SPACE "+moveup"', 'bind e "+lantern"']),
  ];
}

function unpackedPk3(): DemoFile[] {
  return [
    texture("textures/base/floor", tiles(tints.green, 1601, 8)),
    texture("textures/mapper/hedge", stone(tints.green, 1602)),
    texture("textures/mapper/path", bricks(tints.sand, 1603, 6)),
    text(
      "scripts/mapper.shader",
      shader("textures/mapper/hedge", ["map textures/mapper/hedge.tga", "alphaFunc GE128"]),
    ),
  ];
}

function modPk3(): DemoFile[] {
  return [
    texture("textures/base/floor", tiles([50, 55, 80], 1701)),
    texture("textures/base/wall", plates([60, 60, 85], 1702)),
    ...["ft", "bk", "lf", "rt", "up", "dn"].map((side, index) =>
      texture(`gfx/env/dusk_${side}`, stone([25, 25, 50], 1710 + index), 128)
    ),
    ...arenas(["arena1", "night1"], 1720, "nightfall"),
    // The sound of the owl is missing on purpose, so that "missing" has something to report.
    quake3Hall("night1", "The lamp hall at night", "sound/world/owl.wav"),
    ...icons("icons", ["lantern", "oil"], [255, 210, 110], 1730),
    sound("sound/world/wind", burst(1740, 3, 40), 1.5),
    text("scripts/night.shader", [
      "// After dark the lamplighter's lamps are all there is.",
      ...shader("textures/base/floor", ["map textures/base/floor.tga", "rgbGen const ( 0.4 0.4 0.6 )"]),
    ]),
  ];
}
