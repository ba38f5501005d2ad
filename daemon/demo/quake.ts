/**
 * The demo's Quake-like game: two paks that overlap, loose files, a mission pack and a mod.
 * @module
 */
import {
  type DemoFile,
  type DemoPack,
  everySpecial,
  everySurface,
  icons,
  lmp,
  sound,
  text,
  texture,
  tints,
} from "./drawing.ts";
import { lantern, quakeHall } from "./lamp_hall.ts";
import { demoColourMap, demoPalette } from "./palette.ts";
import { badge, bricks, plates, sky, stone, tiles } from "./patterns.ts";
import { burst, fadedIn, hum, melody, sweep } from "./sound.ts";

/** Returns everything below the demo's `quake`. */
export function quakeFiles(): (DemoFile | DemoPack)[] {
  return [
    { path: "quake/id1/pak0.pak", format: "quake-pak", members: basePak() },
    { path: "quake/id1/pak1.pak", format: "quake-pak", members: secondPak() },
    ...below("quake/id1", baseLoose()),
    { path: "quake/hipnotic/pak0.pak", format: "quake-pak", members: missionPak() },
    ...below("quake/hipnotic", missionLoose()),
    { path: "quake/lanterns/pak0.pak", format: "quake-pak", members: modPak() },
    ...below("quake/lanterns", modLoose()),
    text("quake/README.txt", [
      "A small game of pakfs's own making, to try pakfs on. It cannot be played.",
      "id1 is the base game, hipnotic a mission pack, lanterns a mod.",
    ]),
  ];
}

function below(directory: string, files: readonly DemoFile[]): DemoFile[] {
  return files.map((file) => ({ ...file, path: `${directory}/${file.path}` }));
}

const items = ["lantern", "key", "bell", "rope", "map", "coin", "mirror", "oil"];

function basePak(): DemoFile[] {
  const palette = demoPalette();
  return [
    { path: "gfx/palette.lmp", content: palette },
    { path: "gfx/colormap.lmp", content: demoColourMap(palette) },
    lmp("gfx/conback", stone(tints.brown, 1), 320, 200),
    lmp("gfx/title", bricks(tints.sand, 2), 160, 40),
    lmp("gfx/pause", tiles(tints.blue, 3), 128, 24),
    ...items.map((item, index) => lmp(`gfx/items/${item}`, badge(tints.sand, 20 + index), 24, 24)),
    ...everySurface(100),
    ...everySpecial(300),
    ...footsteps(["stone", "wood", "metal", "water"], 40),
    sound("sound/misc/menu1", sweep(440, 880, 0.15), 0.15),
    sound("sound/misc/menu2", sweep(880, 440, 0.15), 0.15),
    sound("sound/items/pickup", melody([523, 659, 784], 0.1), 0.3),
    sound("sound/items/lantern", melody([392, 523], 0.2), 0.4),
    sound("sound/ambience/wind", burst(7, 4, 24), 1.5),
    sound("sound/ambience/drone", fadedIn(hum(55, 1), 0.5), 1.5, 0.5),
    sound("sound/doors/open", sweep(90, 140, 0.6), 0.6),
    sound("sound/doors/close", sweep(140, 80, 0.5), 0.5),
    text("quake.rc", ["exec default.cfg", "exec config.cfg", "exec autoexec.cfg"]),
    text("default.cfg", [
      "// Keys of the demo game.",
      "unbindall",
      'bind w "+forward"',
      'bind s "+back"',
      'bind a "+moveleft"',
      'bind d "+moveright"',
      'bind SPACE "+jump"',
      'bind e "impulse 10" // light the lantern',
      "volume 0.7",
      "sensitivity 3",
    ]),
    ...maps(["start", "harbour", "cellar", "tower", "gallery"], "id1"),
    quakeHall(),
    lantern(),
  ];
}

function footsteps(grounds: readonly string[], seed: number): DemoFile[] {
  return grounds.flatMap((ground, row) =>
    [1, 2, 3, 4].map((step) =>
      sound(`sound/player/step_${ground}${step}`, burst(seed + row * 4 + step, 0.18, 2 + 4 * row), 0.18)
    )
  );
}

/** Makes the files next to a map, but not the map: its entities, and its source. */
function maps(names: readonly string[], origin: string): DemoFile[] {
  return names.flatMap((name, index) => [
    text(`maps/${name}.ent`, [
      "{",
      '"classname" "worldspawn"',
      `"message" "${name}, from ${origin}"`,
      `"wad" "${origin}.wad"`,
      "}",
      "{",
      '"classname" "info_player_start"',
      `"origin" "${32 * index} ${-64 * index} 24"`,
      "}",
      "{",
      '"classname" "npc_lamplighter"',
      `"origin" "${128 + 16 * index} 0 24"`,
      '"targetname" "keeper"',
      "}",
    ]),
    text(`maps/src/${name}.map`, [
      `// ${name}: one room, as a map editor would save it`,
      "{",
      '"classname" "worldspawn"',
      ...box(256 + 64 * index),
      "}",
    ]),
  ]);
}

/** The six walls of a room of `size` units, each a brush of six planes. */
function box(size: number): string[] {
  const thickness = 16;
  const walls: [number[], number[]][] = [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side): [number[], number[]] => {
      const low = [-size, -size, -size];
      const high = [size, size, size];
      low[axis] = side < 0 ? -size - thickness : size;
      high[axis] = side < 0 ? -size : size + thickness;
      return [low, high];
    })
  );
  return walls.flatMap(([low, high]) => {
    const [x0 = 0, y0 = 0, z0 = 0] = low;
    const [x1 = 0, y1 = 0, z1 = 0] = high;
    const plane = (...points: number[][]): string =>
      points.map((point) => `( ${point.join(" ")} )`).join(" ") + " brick/red 0 0 0 1 1";
    return [
      "{",
      plane([x0, y0, z0], [x0, y1, z0], [x0, y0, z1]),
      plane([x1, y0, z0], [x1, y0, z1], [x1, y1, z0]),
      plane([x0, y0, z0], [x0, y0, z1], [x1, y0, z0]),
      plane([x0, y1, z0], [x1, y1, z0], [x0, y1, z1]),
      plane([x0, y0, z0], [x1, y0, z0], [x0, y1, z0]),
      plane([x0, y0, z1], [x0, y1, z1], [x1, y0, z1]),
      "}",
    ];
  });
}

/** Corrections to the base game: replacements of some of its files, and a few new files. */
function secondPak(): DemoFile[] {
  return [
    texture("textures/brick/red", bricks([210, 70, 50], 701, 6)),
    texture("textures/brick/brown", bricks(tints.brown, 702, 6)),
    texture("textures/metal/rust", plates(tints.rust, 703, 3)),
    lmp("gfx/conback", sky([70, 80, 130], 704), 320, 200),
    sound("sound/misc/menu1", sweep(523, 1046, 0.12), 0.12),
    text("default.cfg", [
      "// Keys of the demo game, version 1.1: the lantern has a key of its own.",
      "unbindall",
      'bind w "+forward"',
      'bind s "+back"',
      'bind a "+moveleft"',
      'bind d "+moveright"',
      'bind SPACE "+jump"',
      'bind l "impulse 10" // light the lantern',
      "volume 0.8",
      "sensitivity 4",
    ]),
    ...maps(["observatory", "canal"], "id1, second pak"),
    ...icons("gfx/icons", items, tints.blue, 710),
  ];
}

function baseLoose(): DemoFile[] {
  return [
    texture("textures/brick/red", tiles([255, 0, 255], 720)),
    text("autoexec.cfg", ["fov 100", "crosshair 1"]),
    text("config.cfg", ["// written by the game", 'name "keeper"', "volume 0.65"]),
    text("default.cfg", ["// A loose file that an engine which prefers its paks never reads.", "volume 0.1"]),
  ];
}

function missionPak(): DemoFile[] {
  return [
    texture("textures/brick/red", bricks([140, 60, 90], 801, 10)),
    texture("textures/stone/grey", stone([140, 150, 165], 802)),
    lmp("gfx/conback", bricks(tints.violet, 803, 10), 320, 200),
    lmp("gfx/title", bricks(tints.violet, 804), 160, 40),
    sound("sound/items/pickup", melody([587, 740, 880], 0.1), 0.3),
    sound("sound/ambience/bells", melody([262, 330, 392, 523], 0.3), 1.2),
    ...maps(["belfry", "crypt", "bridge"], "hipnotic"),
    ...["banner", "glass", "marble", "mosaic"].map((name, index) =>
      texture(`textures/mission/${name}`, tiles([120 + 30 * index, 110, 200 - 30 * index], 810 + index, 3 + index))
    ),
    text("default.cfg", ["// Keys of the mission pack.", "exec autoexec.cfg", 'bind b "impulse 20" // ring the bell']),
  ];
}

function missionLoose(): DemoFile[] {
  return [
    texture("textures/brick/red", tiles([255, 0, 255], 830)),
    text("readme.txt", ["The mission pack of the demo game. Start it with: map belfry"]),
  ];
}

function modPak(): DemoFile[] {
  return [
    texture("textures/brick/red", bricks([120, 85, 60], 901, 4)),
    texture("textures/light/warm", stone([255, 190, 90], 902)),
    ...icons("gfx/icons", ["lantern", "oil"], [255, 200, 90], 903),
    sound("sound/items/lantern", melody([392, 494, 587, 784], 0.12), 0.48),
    ...maps(["lanterns1", "lanterns2"], "lanterns"),
    text("progs/readme.txt", ["Here a mod keeps its program. This one has none, as no engine would run it."]),
  ];
}

function modLoose(): DemoFile[] {
  return [
    texture("textures/brick/red", tiles([255, 0, 255], 930)),
    texture("textures/lanterns/glow", badge([255, 210, 110], 931)),
    texture("textures/lanterns/paper", bricks([235, 215, 170], 932, 4)),
    sound("sound/lanterns/crackle", burst(933, 0.8, 3), 0.8),
    text("autoexec.cfg", ["// lanterns", "gamma 0.8", "fov 90"]),
    text("maps/harbour.ent", [
      "{",
      '"classname" "worldspawn"',
      '"message" "the harbour at night, from lanterns"',
      "}",
      "{",
      '"classname" "npc_lamplighter"',
      '"origin" "96 0 24"',
      "}",
    ]),
    text("lanterns.txt", ["Lanterns: every map of the demo game, after dark.", "A loose file of the mod."]),
  ];
}
