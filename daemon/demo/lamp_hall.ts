/**
 * The maps of the demo games: a hall with lamps, for each of the two engines.
 * @module
 */
import { encodeMdl } from "./alias_model.ts";
import { type DemoFile, indices, tints } from "./drawing.ts";
import type { Pattern } from "./image.ts";
import { bricks, lamp, planks, plates, stone, tiles } from "./patterns.ts";
import { quakeMap } from "./quake_map.ts";
import { type Curve, quake3Map } from "./quake3_map.ts";
import { block, type Entity, hall } from "./solids.ts";

/** Four lamps in the corners of a hall, and one over its middle. */
function lights(distance: number, height: number): Entity[] {
  const places = [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([x = 0, y = 0]) => [x * distance, y * distance, height]);
  return [[0, 0, height * 2], ...places].map((place) => ({
    classname: "light",
    origin: place.join(" "),
    light: String(distance * 3),
  }));
}

/** Textures in the map. Engines show pictures of the same name in `textures/` instead, if there are any. */
const mapTextures: Readonly<Record<string, Pattern>> = {
  "brick/red": bricks(tints.red, 500),
  "stone/grey": stone(tints.grey, 501),
  "wood/brown": planks(tints.brown, 502),
  "light/warm": lamp([255, 200, 120], 503),
  hall_floor: tiles(tints.sand, 504),
  hall_ceiling: plates(tints.rust, 505),
};

/** Makes the Quake map `maps/lamphall.bsp`. */
export function quakeHall(): DemoFile {
  const mip = (pattern: Pattern, side: number) =>
    [side, side / 2, side / 4, side / 8].map((size) => indices(pattern, size));
  const textures = Object.entries(mapTextures).map(([name, pattern]) => ({ name, side: 64, mips: mip(pattern, 64) }));
  const entities: Entity[] = [
    { classname: "worldspawn", message: "The lamp hall" },
    { classname: "info_player_start", origin: "-88 0 25", angle: "0" },
    ...lights(64, 48),
    { classname: "misc_lantern", origin: "0 0 40", model: "progs/lantern.mdl", skin: "1" },
    { classname: "ambient_drone", origin: "0 0 96", noise: "ambience/drone.wav" },
    { classname: "func_wall", model: "*1" },
    { classname: "func_door", model: "*2", noise1: "doors/open.wav", noise2: "doors/close.wav" },
    ...[3, 4, 5, 6].map((number) => ({ classname: "func_wall", model: `*${number}` })),
  ];
  const room = hall(128, 128, { wall: "brick/red", floor: "hall_floor", ceiling: "hall_ceiling" });
  const blocks = [
    block([-24, -24, 0], [24, 24, 32], "stone/grey", "hall_floor"),
    block([120, -32, 0], [128, 32, 96], "wood/brown"),
    ...[[80, 80], [80, -80], [-80, 80], [-80, -80]].map(([x = 0, y = 0]) =>
      block([x - 8, y - 8, 0], [x + 8, y + 8, 40], "wood/brown", "light/warm")
    ),
  ];
  return { path: "maps/lamphall.bsp", content: quakeMap({ entities, room, blocks }, textures) };
}

/** Makes the model `progs/lantern.mdl`, with a dark and a lit skin. */
export function lantern(): DemoFile {
  const glass = (tint: readonly [number, number, number], glow: number): Pattern => (u, v) => {
    const isFrame = (u * 8) % 1 < 0.2 || v < 0.45 || v > 0.85;
    const shade = isFrame ? 0.6 : glow * (1.2 - Math.abs(v - 0.65) * 2);
    const [red, green, blue] = isFrame ? tints.rust : tint;
    return [red * shade, green * shade, blue * shade, 255];
  };
  const content = encodeMdl({
    rings: [
      ...[[0, 0], [10, 0], [10, 3], [8, 4], [8, 16], [11, 18], [2, 24], [2, 28], [0, 28]],
    ].map(([radius = 0, height = 0]) => ({ radius, height })),
    segments: 8,
    skinSide: 64,
    skins: [indices(glass([90, 100, 120], 0.5), 64), indices(glass([255, 220, 140], 1), 64)],
    swing: [0, 1, 2, 3, 4, 5, 6, 7].map((frame) => 0.25 * Math.sin(frame * Math.PI / 4)),
  });
  return { path: "progs/lantern.mdl", content };
}

/** An arch over a pool. */
function arch(): Curve {
  const rows = [-16, 0, 16].map((y) => [[-72, y, 0], [0, y, 176], [72, y, 0]] as const);
  return { texture: "textures/base/pillar", points: rows.flat(), normal: [0, 0, 1] };
}

/** Makes a map for the game with pk3 files: a hall with a pool whose surfaces are shaders and pictures. */
export function quake3Hall(name: string, message: string, noise: string): DemoFile {
  const entities: Entity[] = [
    { classname: "worldspawn", message, music: "sound/world/hum.wav" },
    { classname: "info_player_deathmatch", origin: "-128 0 32", angle: "0" },
    { classname: "info_player_deathmatch", origin: "128 0 32", angle: "180" },
    { classname: "target_speaker", origin: "0 0 96", noise, spawnflags: "1" },
    ...lights(104, 64),
  ];
  const room = hall(192, 160, {
    wall: "textures/base/wall",
    floor: "textures/base/floor",
    ceiling: "textures/base/ceiling",
  });
  const blocks = [
    block([-56, -56, 0], [56, 56, 12], "textures/stone/grey", "textures/liquid/water"),
    ...[[112, 112], [112, -112], [-112, 112], [-112, -112]].map(([x = 0, y = 0]) =>
      block([x - 12, y - 12, 0], [x + 12, y + 12, 56], "textures/metal/rust", "textures/light/warm")
    ),
  ];
  return { path: `maps/${name}.bsp`, content: quake3Map({ entities, room, blocks }, [arch()]) };
}
