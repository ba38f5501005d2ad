/**
 * Lumps of Doom, Heretic and Hexen, laid out by hand.
 * @module
 */
import { join, padded, text, u16, u32 } from "../formats/bytes.ts";

function name(value: string): Uint8Array {
  return padded(text(value), 8);
}

/** Lumps of a WAD: names and contents. */
export type HandLumps = (readonly [name: string, content: Uint8Array | string])[];

/** `PNAMES`. */
export function patchNames(names: readonly string[]): Uint8Array {
  return join(u32(names.length), ...names.map(name));
}

/** `TEXTURE1`: textures of 64 x 64 pixels, each with the numbers of its patches. */
export function composedTextures(
  textures: readonly (readonly [name: string, patches: readonly number[]])[],
): Uint8Array {
  let offset = 4 + textures.length * 4;
  const offsets = textures.map(([, patches]) => (offset += 22 + patches.length * 10) - 22 - patches.length * 10);
  const records = textures.map(([texture, patches]) =>
    join(
      name(texture),
      u32(0),
      u16(64, 64),
      u32(0),
      u16(patches.length),
      ...patches.map((patch) => u16(0, 0, patch, 1, 0)),
    )
  );
  return join(u32(textures.length), u32(...offsets), ...records);
}

/** Content of a map. */
export interface HandMap {
  /** Upper, lower and middle texture of each side. */
  readonly sides: readonly (readonly [upper: string, lower: string, middle: string])[];
  /** Floor and ceiling of each sector. */
  readonly sectors: readonly (readonly [floor: string, ceiling: string])[];
  /** Numbers of things. */
  readonly things: readonly number[];
}

/** Lumps of a map in Doom's format, or in Hexen's with a lump of scripts. */
export function binaryMap(marker: string, { sides, sectors, things }: HandMap, scripts?: Uint8Array): HandLumps {
  const thing = (number: number) =>
    scripts ? join(u16(0, 0, 0, 0, 0, number, 7), new Uint8Array(6)) : u16(0, 0, 0, number, 7);
  return [
    [marker, ""],
    ["THINGS", join(...things.map(thing))],
    ["LINEDEFS", ""],
    ["SIDEDEFS", join(...sides.map((names) => join(u16(0, 0), ...names.map(name), u16(0))))],
    ["VERTEXES", ""],
    ["SECTORS", join(...sectors.map((names) => join(u16(0, 0), ...names.map(name), u16(0, 0, 0))))],
    ...(scripts ? [["BEHAVIOR", scripts] as const] : []),
  ];
}

/** Lumps of a map of one room with three walls. */
export function roomMap(marker: string, [floor, ceiling, wall]: readonly [string, string, string]): HandLumps {
  const sides = [0, 1, 2].map((side) => u16(side, (side + 1) % 3, 1, 0, 0, side, 0xffff));
  return [
    [marker, ""],
    ["THINGS", u16(16, 8, 90, 1, 7)],
    ["LINEDEFS", join(...sides)],
    ["SIDEDEFS", join(...sides.map(() => join(u16(0, 0), name("-"), name("-"), name(wall), u16(0))))],
    ["VERTEXES", u16(0, 0, 0, 64, 64, 0)],
    ["SECTORS", join(u16(0, 96), name(floor), name(ceiling), u16(192, 0, 0))],
  ];
}

/** Lumps of a map in UDMF. */
export function textMap(marker: string, { sides, sectors, things }: HandMap): HandLumps {
  const blocks = [
    ...things.map((number) => `thing { x = 1.0; y = 2.0; type = ${number}; }`),
    ...sides.map(([upper, lower, middle]) =>
      `sidedef // a comment\n{\n\tsector = 0; texturetop = "${upper}"; texturebottom="${lower}"; TextureMiddle = "${middle}";\n}`
    ),
    ...sectors.map(([floor, ceiling]) => `sector { texturefloor = "${floor}"; textureceiling = "${ceiling}"; }`),
  ];
  return [[marker, ""], ["TEXTMAP", `namespace = "zdoom";\n${blocks.join("\n")}\n`], ["ENDMAP", ""]];
}

/** Compiled scripts with these strings. */
export function compiledScripts(...strings: readonly string[]): Uint8Array {
  return join(text("ACS\0"), u32(8, 0, strings.length), text(strings.map((string) => `${string}\0`).join("")));
}
