/**
 * Reads maps of Doom's engines into one shape.
 *
 * `VERTEXES`: i16 x, i16 y. `LINEDEFS`: u16 start, u16 end, u16 flags (8 upper unpegged, 16 lower unpegged), u16 special,
 * u16 tag, u16 right side, u16 left side (65535 for none); in Hexen's format, of maps with `BEHAVIOR`, 16 bytes with u8
 * special at 6 and the sides at 12 and 14. `SIDEDEFS`: i16 x, i16 y, names of eight bytes (upper, lower, middle), u16
 * sector. `SECTORS`: i16 floor, i16 ceiling, names of eight bytes, u16 light, u16 special, u16 tag. (id-Software/DOOM
 * doomdata.h; `maplinedef_t` of Hexen's xddefs.h.) `THINGS`: i16 x, i16 y, u16 angle, u16 type, u16 flags; in Hexen's format
 * 20 bytes with x at 2, z at 6, angle at 8 and type at 10. `TEXTMAP`: blocks of the UDMF specification 1.1, and keys of ZDoom.
 * @module
 */
import { matchAt } from "../core/doom_words.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** Texture of a part of a side, or of a floor or ceiling. */
export interface DoomSurface {
  /** Name in upper case; `-` for none. */
  readonly texture: string;
  /** Position of the texture, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

/** A side of a line. */
export interface DoomSide {
  readonly sector: number;
  readonly upper: DoomSurface;
  readonly lower: DoomSurface;
  readonly middle: DoomSurface;
  /** Light from 0 to 255 that is added to the sector's light. */
  readonly light: number;
  readonly isLightAbsolute: boolean;
}

/** A line of a map. */
export interface DoomLine {
  readonly start: number;
  readonly end: number;
  /** Numbers of the sides; undefined where there is none. */
  readonly right: number | undefined;
  readonly left: number | undefined;
  readonly isUpperUnpegged: boolean;
  readonly isLowerUnpegged: boolean;
  /** Whether the middle texture is repeated from floor to ceiling. */
  readonly isMiddleRepeated: boolean;
}

/** A floor or ceiling. */
export interface DoomPlane extends DoomSurface {
  readonly height: number;
  /** Rotation of the texture in degrees, clockwise. */
  readonly rotation: number;
}

/** A sector of a map. */
export interface DoomSector {
  readonly floor: DoomPlane;
  readonly ceiling: DoomPlane;
  /** Light from 0 to 255. */
  readonly light: number;
}

/** A monster, lamp, weapon or start of a map. */
export interface DoomThing {
  readonly x: number;
  readonly y: number;
  /** Height above the floor. */
  readonly z: number;
  /** Degrees, counterclockwise from the east. */
  readonly angle: number;
  /** Number of its class. */
  readonly type: number;
}

/** A map. */
export interface DoomMap {
  readonly format: "Doom" | "Hexen" | "UDMF";
  readonly things: readonly DoomThing[];
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly lines: readonly DoomLine[];
  readonly sides: readonly DoomSide[];
  readonly sectors: readonly DoomSector[];
  /** Parts of the map that this reading leaves out: `slopes`, `3D floors`. */
  readonly unfollowed: readonly string[];
}

/** Lumps of a map in the formats of Doom and Hexen. */
export interface DoomMapLumps {
  readonly lines: Uint8Array;
  readonly points: Uint8Array;
  readonly sides: Uint8Array;
  readonly sectors: Uint8Array;
  /** `THINGS`; absent if they are not needed. */
  readonly things?: Uint8Array | undefined;
  /** Whether lines are in Hexen's format. */
  readonly isHexen: boolean;
}

const noSide = 0xffff;
/** Maximum lines of a map, and of its other parts: no engine takes more in the format of Doom. */
const maxParts = 1_000_000;

/** Specials of Hexen's format whose surfaces are no plane floors. */
const specials: Readonly<Record<number, string>> = { 160: "3D floors", 181: "slopes", 118: "slopes" };

function each<Part>(bytes: Uint8Array, size: number, read: (reader: Reader, offset: number) => Part): Part[] {
  const reader = new Reader(bytes);
  const count = Math.floor(bytes.length / size);
  if (count > maxParts) throw new MediaError(`${count} lines of a map are too many`);
  return Array.from({ length: count }, (_, index) => read(reader, index * size));
}

/** Reads a map in the format of Doom or Hexen. */
export function readDoomMap({ lines, points, sides, sectors, things, isHexen }: DoomMapLumps): DoomMap {
  const unfollowed = new Set<string>();
  const surface = (reader: Reader, offset: number, [x, y]: readonly [number, number]): DoomSurface => {
    return { texture: reader.text(offset, 8).toUpperCase(), x, y, scaleX: 1, scaleY: 1 };
  };
  const plane = (reader: Reader, offset: number, height: number): DoomPlane => {
    return { ...surface(reader, offset, [0, 0]), height, rotation: 0 };
  };
  const [size, at] = isHexen ? [16, 12] : [14, 10];
  const thing = (reader: Reader, offset: number): DoomThing => {
    const [x, z, angle] = isHexen ? [2, reader.i16(offset + 6), 8] : [0, 0, 4];
    const [east, north] = [reader.i16(offset + x), reader.i16(offset + x + 2)];
    return { x: east, y: north, z, angle: reader.i16(offset + angle), type: reader.i16(offset + angle + 2) };
  };
  return {
    format: isHexen ? "Hexen" : "Doom",
    unfollowed: [],
    things: things ? each(things, isHexen ? 20 : 10, thing) : [],
    points: each(points, 4, (reader, offset) => [reader.i16(offset), reader.i16(offset + 2)] as const),
    sides: each(sides, 30, (reader, offset) => {
      const moved = [reader.i16(offset), reader.i16(offset + 2)] as const;
      return {
        sector: reader.u16(offset + 28),
        upper: surface(reader, offset + 4, moved),
        lower: surface(reader, offset + 12, moved),
        middle: surface(reader, offset + 20, moved),
        light: 0,
        isLightAbsolute: false,
      };
    }),
    sectors: each(sectors, 26, (reader, offset) => ({
      floor: plane(reader, offset + 4, reader.i16(offset)),
      ceiling: plane(reader, offset + 12, reader.i16(offset + 2)),
      light: reader.i16(offset + 20),
    })),
    lines: each(lines, size, (reader, offset): DoomLine => {
      const side = (number: number) => number === noSide ? undefined : number;
      const flags = reader.u16(offset + 4);
      const other = isHexen ? specials[reader.u8(offset + 6)] : undefined;
      if (other !== undefined) unfollowed.add(other);
      return {
        start: reader.u16(offset),
        end: reader.u16(offset + 2),
        right: side(reader.u16(offset + at)),
        left: side(reader.u16(offset + at + 2)),
        isUpperUnpegged: (flags & 8) !== 0,
        isLowerUnpegged: (flags & 16) !== 0,
        isMiddleRepeated: false,
      };
    }),
    ...unfollowed.size > 0 && { unfollowed: [...unfollowed] },
  };
}

const latin = new TextDecoder("latin1");
/** Space or a comment; a brace; or a key, with its value. */
const part =
  /[\0-\x20;]+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|([{}])|([^\0-\x20;{}="/]+)|=[\0-\x20]*(?:"((?:[^"\\]+|\\[\s\S])*)"?|([^;{}"]*))|[\s\S]/gy;

/** Values of a block by their keys in lower case. */
type Values = ReadonlyMap<string, string>;

/**
 * Yields the blocks of `TEXTMAP`, with their kinds in lower case.
 * @throws {MediaError} if it ends inside a block, or has too many.
 */
export function* textMapBlocks(bytes: Uint8Array): Generator<readonly [kind: string, values: Values]> {
  const text = latin.decode(bytes);
  let key = "";
  let block: string | undefined;
  let values = new Map<string, string>();
  let count = 0;
  for (let position = 0; position < text.length;) {
    const [all = "", brace, word, string, value] = matchAt(part, text, position) ?? [text.slice(position)];
    position += all.length;
    if (brace === "{") [block, values] = [key, new Map()];
    else if (brace === "}") {
      if (block === undefined) continue;
      if (++count > maxParts) throw new MediaError(`${count} parts of a map are too many`);
      yield [block, values];
      block = undefined;
    } else if (word !== undefined) key = word.toLowerCase();
    else if (string !== undefined || value !== undefined) values.set(key, string ?? value?.trim() ?? "");
  }
  if (block !== undefined) throw new MediaError(`a block "${block}" does not end; it may be cut short`);
}

function number(values: Values, key: string, other = 0): number {
  const value = Number(values.get(key) ?? other);
  return Number.isFinite(value) ? value : other;
}

function isTrue(values: Values, key: string): boolean {
  return values.get(key)?.toLowerCase() === "true";
}

function scale(values: Values, key: string): number {
  return number(values, key, 1) || 1;
}

function sideOf(values: Values): DoomSide {
  const surface = (name: string, end: string): DoomSurface => ({
    texture: (values.get(`texture${name}`) ?? "-").toUpperCase(),
    x: number(values, "offsetx") + number(values, `offsetx_${end}`),
    y: number(values, "offsety") + number(values, `offsety_${end}`),
    scaleX: scale(values, `scalex_${end}`),
    scaleY: scale(values, `scaley_${end}`),
  });
  return {
    sector: number(values, "sector", -1),
    upper: surface("top", "top"),
    lower: surface("bottom", "bottom"),
    middle: surface("middle", "mid"),
    light: number(values, "light"),
    isLightAbsolute: isTrue(values, "lightabsolute"),
  };
}

function sectorOf(values: Values): DoomSector {
  const plane = (end: string): DoomPlane => ({
    texture: (values.get(`texture${end}`) ?? "-").toUpperCase(),
    height: number(values, `height${end}`),
    x: number(values, `xpanning${end}`),
    y: number(values, `ypanning${end}`),
    scaleX: scale(values, `xscale${end}`),
    scaleY: scale(values, `yscale${end}`),
    rotation: number(values, `rotation${end}`),
  });
  return { floor: plane("floor"), ceiling: plane("ceiling"), light: number(values, "lightlevel", 160) };
}

function thingOf(values: Values): DoomThing {
  const [x, y, z] = [number(values, "x"), number(values, "y"), number(values, "height")];
  return { x, y, z, angle: number(values, "angle"), type: number(values, "type") };
}

/**
 * Reads a map in UDMF.
 * @throws {MediaError} as {@linkcode textMapBlocks}.
 */
export function readTextMap(bytes: Uint8Array): DoomMap {
  const [points, lines, sides, sectors]: [[number, number][], DoomLine[], DoomSide[], DoomSector[]] = [[], [], [], []];
  const things: DoomThing[] = [];
  const unfollowed = new Set<string>();
  const side = (index: number) => index < 0 ? undefined : index;
  for (const [kind, values] of textMapBlocks(bytes)) {
    if (kind === "vertex") points.push([number(values, "x"), number(values, "y")]);
    else if (kind === "thing") things.push(thingOf(values));
    else if (kind === "sidedef") sides.push(sideOf(values));
    else if (kind === "sector") {
      sectors.push(sectorOf(values));
      if (values.has("floorplane_a") || values.has("ceilingplane_a")) unfollowed.add("slopes");
    } else if (kind === "linedef") {
      const other = specials[number(values, "special")];
      if (other !== undefined) unfollowed.add(other);
      lines.push({
        start: number(values, "v1", -1),
        end: number(values, "v2", -1),
        right: side(number(values, "sidefront", -1)),
        left: side(number(values, "sideback", -1)),
        isUpperUnpegged: isTrue(values, "dontpegtop"),
        isLowerUnpegged: isTrue(values, "dontpegbottom"),
        isMiddleRepeated: isTrue(values, "wrapmidtex"),
      });
    }
  }
  return { format: "UDMF", points, lines, sides, sectors, things, unfollowed: [...unfollowed] };
}

/** Returns the sectors right and left of a line; undefined where there is none. */
export function sectorsOf(
  { right, left }: DoomLine,
  { sides }: Pick<DoomMap, "sides">,
): readonly [right: number | undefined, left: number | undefined] {
  const sector = (side: number | undefined) => side === undefined ? undefined : sides[side]?.sector;
  return [sector(right), sector(left)];
}

/**
 * Returns a function that returns the lumps of the first map in a WAD, by their names in upper case.
 * @throws {MediaError} if it is no WAD, or truncated; so does the function for lumps.
 */
export function lumpsOfMapWad(bytes: Uint8Array): (name: string) => Uint8Array | undefined {
  const reader = new Reader(bytes);
  if (!reader.startsWith("PWAD") && !reader.startsWith("IWAD")) throw new MediaError("it is no WAD", { offset: 0 });
  const count = reader.count(4, 16, "lumps");
  const directory = reader.u32(8);
  const offsets = Array.from({ length: count }, (_, index) => directory + index * 16);
  // Engines read the lumps after the map's name, so the first of a name counts.
  const found = new Map(offsets.toReversed().map((at) => [reader.text(at + 8, 8).toUpperCase(), at]));
  return (name) => {
    const at = found.get(name);
    return at === undefined ? undefined : reader.slice(reader.u32(at), reader.u32(at + 4), name);
  };
}
