/** Plans and glTF of Doom's maps: a map laid out by hand in three formats, random and damaged ones. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { doomTextureConverters, DoomTextures } from "../../media/convert/doom_textures.ts";
import { accepting, convertersOf } from "../../media/convert/table.ts";
import { doomWords } from "../../media/core/doom_words.ts";
import { MediaError } from "../../media/core/reader.ts";
import { doomGeometry } from "../../media/maps/doom_geometry.ts";
import { type DoomMap, readDoomMap, readTextMap } from "../../media/maps/doom_map.ts";
import { doomMapPlan } from "../../media/maps/doom_plan.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { emptyPicture } from "../../media/pictures/picture.ts";
import { storedPng } from "../../media/pictures/png_writer.ts";
import { AreaFiller, type Edge, FillingWork } from "../../media/maps/sector_polygons.ts";
import { join, padded, string, text, u16 } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { faultsOf, type Plain, readGlb, toGltf } from "./convert/gltf.ts";
import { among } from "./convert/samples.ts";
import { roomMap } from "./handmade_doom.ts";
import { mutants } from "./mutants.ts";

const none = 0xffff;
/** A room of 64 x 128 with a step in its middle, whose northern half is divided once more. */
const corners = [[0, 0], [64, 0], [64, 128], [0, 128], [0, 64], [64, 64], [32, 64], [32, 128]] as const;
const lines = [
  ...[[0, 4, 0, none], [4, 6, 0, 1], [6, 5, 0, 2], [5, 1, 0, none], [1, 0, 0, none]] as const,
  ...[[4, 3, 1, none], [3, 7, 1, none], [7, 2, 2, none], [2, 5, 2, none], [7, 6, 1, 2]] as const,
];
const floors = [0, 16, 16];

const points = join(...corners.map(([x, y]) => u16(x, y)));
const name = (value: string) => padded(text(value), 8);
const sides = join(...floors.map((_, sector) => join(u16(0, 0), name("-"), name("-"), name("A"), u16(sector))));
const sectors = join(...floors.map((floor) => join(u16(floor, 128), name("F"), name("F_SKY1"), u16(160, 0, 0))));
const doom = join(...lines.map(([start, end, right, left]) => u16(start, end, 0, 0, 0, right, left)));
const hexen = join(
  ...lines.map(([start, end, right, left]) => join(u16(start, end, 0), new Uint8Array(6), u16(right, left))),
);
const udmf = text([
  `namespace = "doom"; // vertex { x = 1; }`,
  ...corners.map(([x, y]) => `vertex { x = ${x}.0; y = ${y}; }`),
  ...lines.map(([start, end, right, left]) =>
    `linedef\n{\nv1=${start}; v2=${end}; sidefront=${right}; ${
      left === none ? "" : `sideback = ${left};`
    } comment = "}"; }`
  ),
  ...floors.map((_, sector) => `sidedef { sector = ${sector}; texturemiddle = "A"; } /* sector { } */`),
  ...floors.map((floor) =>
    `sector { heightfloor = ${floor}; heightceiling = 128; texturefloor = "F"; textureceiling = "F_SKY1"; }`
  ),
  "thing { x = 48; y = 96.0; angle = 90; type = 1; }",
].join("\n"));

const stroke = (colour: string, width: number) =>
  `fill="none" stroke="${colour}" stroke-width="${width}" vector-effect="non-scaling-stroke"`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="48" viewBox="-32 -160 128 192">
<path class="other" ${stroke("#8a8a8a", 1)} d="M32 -128L32 -64"/>
<path class="step" ${stroke("#a0764a", 2)} d="M0 -64L32 -64M32 -64L64 -64"/>
<path class="wall" ${
  stroke("#c9302c", 3)
} d="M0 0L0 -64M64 -64L64 0M64 0L0 0M0 -64L0 -128M0 -128L32 -128M32 -128L64 -128M64 -128L64 -64"/>
</svg>
`;

Deno.test("a map is drawn from above in the formats of Doom, Hexen and UDMF", async () => {
  assertEquals(doomMapPlan(readDoomMap({ lines: doom, points, sides, sectors, isHexen: false })), svg);
  assertEquals(doomMapPlan(readDoomMap({ lines: hexen, points, sides, sectors, isHexen: true })), svg);
  assertEquals(doomMapPlan(readTextMap(udmf)), svg);
  const qpath = "maps/MAP01/LINEDEFS";
  const lumps = Object.entries({ VERTEXES: points, SIDEDEFS: sides, SECTORS: sectors })
    .map(([name, bytes]) => ({ qpath: `maps/MAP01/${name}`, bytes }));
  const row = accepting(convertersOf(qpath), doom, doom.length);
  const drawn = await row?.convert({ qpath, bytes: doom }, among(...lumps));
  assert(drawn);
  assertEquals([row?.name, string(drawn)], ["doom-lines-svg", svg]);
  assertThrows(() => doomMapPlan(readTextMap(text("namespace = doom;"))), MediaError, "it has no line");
});

/** A side, or a part of it. */
const surface = (texture: string, x = 0, y = 0) => ({ texture, x, y, scaleX: 1, scaleY: 1 });
const plane = (texture: string, height: number) => ({ ...surface(texture), height, rotation: 0 });
const pegged = { isUpperUnpegged: false, isLowerUnpegged: false, isMiddleRepeated: false };

/** A line of 64 units to the east between a sector before it, to its south, and one with a step and a lower ceiling. */
function step(flags: Partial<typeof pegged>, ceilings: readonly [string, string], middle = "HOLES"): DoomMap {
  const side = (sector: number) => ({
    ...{ sector, light: 0, isLightAbsolute: false },
    ...{ upper: surface("UP", 8, 3), lower: surface("LOW", 8, 3), middle: surface(middle, 8, 3) },
  });
  return {
    format: "Doom",
    points: [[0, 0], [64, 0]],
    lines: [{ start: 0, end: 1, right: 0, left: 1, ...pegged, ...flags }],
    sides: [side(0), side(1)],
    sectors: [
      { floor: plane("F", 0), ceiling: plane(ceilings[0], 200), light: 100 },
      { floor: plane("F", 24), ceiling: plane(ceilings[1], 120), light: 100 },
    ],
    things: [],
    unfollowed: [],
  };
}

/** Returns the heights of each wall on the right of a step, with the pixel rows of the texture at both. */
function wallsOf(map: DoomMap): Record<string, readonly (readonly [z: number, row: number])[]> {
  const { surfaces, textures } = doomGeometry(map, () => ({ width: 128, height: 32 }));
  return Object.fromEntries(surfaces.map(({ texture, positions, imagePoints, normals, colours }) => {
    const corners = [0, 1, 2].filter((corner) => corner !== 1).map((corner) => {
      assertEquals([normals[corner * 3], normals[corner * 3 + 1]], [0, -1], "it is seen from the right of its line");
      assertEquals(colours[corner * 4], 84, "walls along the axis from west to east are darker");
      const across = imagePoints[corner * 2] ?? 0;
      assertEquals(across * 128, 8 + (positions[corner * 3] ?? 0), "textures begin at the start of the line");
      return [positions[corner * 3 + 2] ?? 0, (imagePoints[corner * 2 + 1] ?? 0) * 32] as const;
    });
    return [textures[texture]?.name ?? "", corners];
  }));
}

Deno.test("textures of walls hang and stand as pegs say, a middle one is drawn once, and sky has no wall", () => {
  const [from, roof] = [["F", "F"], ["F_SKY1", "F_SKY1"]] as const;
  assertEquals(wallsOf(step({}, from)), {
    UP: [[120, 35], [200, -45]],
    LOW: [[0, 27], [24, 3]],
    HOLES: [[91, 32], [120, 3]],
  });
  assertEquals(wallsOf(step({ isUpperUnpegged: true, isLowerUnpegged: true }, from)), {
    UP: [[120, 83], [200, 3]],
    LOW: [[0, 203], [24, 179]],
    HOLES: [[27, 32], [59, 0]],
  });
  assertEquals(wallsOf(step({ isLowerUnpegged: true }, roof, "-")), { LOW: [[0, 123], [24, 99]] });
  assertEquals(wallsOf(step({ isMiddleRepeated: true }, from)).HOLES, [[24, 99], [120, 3]]);
});

Deno.test("floors face up, ceilings down and walls into the room, by their normals and by the order of corners", () => {
  const lumps = new Map(roomMap("MAP01", ["FLOOR", "CEILING", "WALL"]));
  const [lines, points, sides, sectors] = ["LINEDEFS", "VERTEXES", "SIDEDEFS", "SECTORS"].map((lump) => {
    const content = lumps.get(lump);
    assert(content instanceof Uint8Array);
    return content;
  }) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const map = readDoomMap({ lines, points, sides, sectors, isHexen: false });
  const middle = [16, 16, 48] as const;
  let count = 0;
  for (const { positions, normals, triangles } of doomGeometry(map, () => ({ width: 64, height: 64 })).surfaces) {
    const corner = (at: number) =>
      Array.from(positions.subarray((triangles[at] ?? 0) * 3, (triangles[at] ?? 0) * 3 + 3));
    for (let at = 0; at < triangles.length; at += 3, count++) {
      const [[ax = 0, ay = 0, az = 0], [bx = 0, by = 0, bz = 0], [cx = 0, cy = 0, cz = 0]] = [0, 1, 2]
        .map((one) => corner(at + one)) as [number[], number[], number[]];
      const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
      const across = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
      const along = (direction: readonly number[]) =>
        across.reduce((sum, value, axis) => sum + value * (direction[axis] ?? 0), 0);
      const first = (triangles[at] ?? 0) * 3;
      assert(along(Array.from(normals.subarray(first, first + 3))) > 0, "as its normal");
      assert(along([middle[0] - ax, middle[1] - ay, middle[2] - az]) > 0, "seen from the room");
    }
  }
  assertEquals(count, 8);
});

/** Width and height of a random map of cells. */
const cells = 7;

Deno.test("areas of any shape, with islands and touching corners, are filled exactly by triangles", () => {
  const corner = (x: number, y: number) => y * (cells + 1) + x;
  const all = Array.from(
    { length: (cells + 1) ** 2 },
    (_, index) => [index % (cells + 1), Math.floor(index / (cells + 1))] as const,
  );
  const slanted = all.map(([x, y]) => [x * 64 + y * 17, y * 64 - x * 5] as const);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: cells ** 2, maxLength: cells ** 2 }), (isFilled) => {
      const has = (x: number, y: number) =>
        x >= 0 && y >= 0 && x < cells && y < cells && isFilled[y * cells + x] === true;
      const edges: Edge[] = [];
      for (let y = 0; y < cells; y++) {
        for (let x = 0; x < cells; x++) {
          if (!has(x, y)) continue;
          const around = [[0, -1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 1], [0, 1, 1, 1, 0, 1], [-1, 0, 0, 1, 0, 0]] as const;
          for (const [dx, dy, ax, ay, bx, by] of around) {
            if (!has(x + dx, y + dy)) edges.push([corner(x + ax, y + ay), corner(x + bx, y + by)]);
          }
        }
      }
      if (edges.length === 0) return;
      const { triangles, isOpen, error } = new AreaFiller(slanted, new FillingWork()).fill(edges);
      assertEquals([isOpen, error < 1e-9], [false, true]);
      // Each cell's middle is in one triangle if the cell is filled, else in none.
      for (const [index, is] of isFilled.entries()) {
        const [x, y] = [index % cells + 0.513, Math.floor(index / cells) + 0.49];
        const [px, py] = [x * 64 + y * 17, y * 64 - x * 5];
        let around = 0;
        for (let at = 0; at < triangles.length; at += 3) {
          const turns = [0, 1, 2].map((side) => {
            const [[ax, ay], [bx, by]] = [0, 1].map((end) =>
              slanted[triangles[at + (side + end) % 3] ?? 0] ?? [0, 0]
            ) as [
              readonly [number, number],
              readonly [number, number],
            ];
            return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
          });
          if (turns.every((turn) => turn >= 0)) around++;
        }
        assertEquals(around, is ? 1 : 0);
      }
    }),
    { numRuns: 150 },
  );
});

const wall = "maps/MAP01/";

/** The map by hand as a scene, from one of its lumps. */
async function scene(lumps: Readonly<Record<string, Uint8Array>>, qpath = "MAP01") {
  const files = Object.entries(lumps).map(([name, bytes]) => ({ qpath: `${wall}${name}`, bytes }));
  const bytes = files.find((file) => file.qpath === qpath)?.bytes ?? new Uint8Array(0);
  const glb = await toGltf(qpath, bytes, among(...files));
  assertEquals(await faultsOf(glb), []);
  return readGlb(glb);
}

Deno.test("a map is the same scene in the formats of Doom, Hexen and UDMF, and names what is missing", async () => {
  const others = { VERTEXES: points, SIDEDEFS: sides, SECTORS: sectors };
  const scenes = [
    await scene({ ...others, LINEDEFS: doom, THINGS: u16(48, 96, 90, 1, 7) }),
    await scene({ ...others, LINEDEFS: doom, THINGS: u16(48, 96, 90, 1, 7) }, `${wall}LINEDEFS`),
    await scene({
      ...others,
      LINEDEFS: hexen,
      BEHAVIOR: new Uint8Array(0),
      THINGS: u16(0, 48, 96, 0, 90, 1, 7, 0, 0, 0),
    }),
    await scene({ TEXTMAP: udmf }, `${wall}TEXTMAP`),
  ];
  const [first] = scenes;
  assert(first);
  const shape = ({ json, numbers }: typeof first) =>
    json.meshes[0].primitives.map(({ attributes, indices, material }: Plain) => [
      json.materials[material],
      numbers(attributes.POSITION),
      numbers(attributes.TEXCOORD_0),
      numbers(attributes.COLOR_0),
      numbers(indices),
    ]);
  for (const other of scenes) assertEquals([shape(other), other.json.nodes], [shape(first), first.json.nodes]);
  assertEquals(first.json.materials.map(({ name, extras }: Plain) => [name, extras]), [
    ["F", { missing: "F" }],
    // Of a line with one side, and in the middle of others.
    ...[["A", { missing: "A" }], ["A", { missing: "A" }]],
  ]);
  const [world, start] = first.json.nodes;
  assertEquals([world.name, start.name, start.translation], ["map", "thing 1", [3, 0.5, 1.5]]);
  assertEquals(first.json.scenes[0].extras, undefined);
  // Without its last line a sector is closed by a straight one, and named.
  const open = await scene({ ...others, LINEDEFS: doom.subarray(0, 14 * 9) });
  assertEquals(open.json.scenes[0].extras, { unclosedSectors: [1, 2] });
});

Deno.test("damaged maps are drawn as far as they go, or are a typed error", () => {
  const size = () => ({ width: 64, height: 64 });
  fc.assert(
    fc.property(mutants(doom), mutants(points), mutants(udmf), fc.boolean(), (lines, points, text, isHexen) => {
      for (const read of [() => readDoomMap({ lines, points, sides, sectors, isHexen }), () => readTextMap(text)]) {
        for (const use of [doomMapPlan, (map: DoomMap) => JSON.stringify(doomGeometry(map, size).surfaces)]) {
          try {
            assert(!/NaN|Infinity/.test(use(read())));
          } catch (error) {
            assert(error instanceof MediaError, String(error));
          }
        }
      }
    }),
    { numRuns: 500 },
  );
  const long = text("sector {".repeat(200_000) + "/*".repeat(200_000));
  assertThrows(() => doomMapPlan(readTextMap(long)), MediaError);
  assertThrows(() => readTextMap(udmf.subarray(0, -1)), MediaError, 'a block "thing" does not end');
});

Deno.test("texts of Doom may have spaces, strings and words of any length, and strings of too many escapes are refused", () => {
  const count = 10_000_000;
  for (const [start, letter] of [["", " "], ['a="', "x"], ["", "x"]] as const) {
    const bytes = text(start + letter.repeat(count));
    assertEquals(readTextMap(bytes).lines, []);
    assertEquals([...doomWords(bytes)].at(-1)?.text.length, letter === " " ? undefined : count);
  }
  const escapes = text(`a="${"\\x".repeat(count)}`);
  assertThrows(() => readTextMap(escapes), MediaError, "too long");
  assertThrows(() => [...doomWords(escapes)], MediaError, "too long");
});

Deno.test("a map of lines without order costs a bounded time", () => {
  const chaos = Uint8Array.from({ length: 14 * 60_000 }, (_, index) => {
    return index % 14 < 12 ? (index * 7919 + (index >> 3) * 31) % 251 : 255;
  });
  const map = readDoomMap({ lines: chaos, points: chaos, sides: new Uint8Array(30 * 65_536), sectors, isHexen: false });
  assertThrows(() => doomGeometry(map, () => ({ width: 64, height: 64 })), MediaError, "too many lines");
});

Deno.test("the things of a map of thousands of sectors stand on their floors", () => {
  const [wide, high] = [300, 40];
  const at = (x: number, y: number) => y * (wide + 1) + x;
  const points = Array.from(
    { length: (wide + 1) * (high + 1) },
    (_, index) => [index % (wide + 1) * 32 - 5000, Math.floor(index / (wide + 1)) * 32] as const,
  );
  const lines: DoomMap["lines"][number][] = [];
  const sides: DoomMap["sides"][number][] = [];
  const none = surface("-");
  for (let sector = 0; sector < wide * high; sector++) {
    const [x, y] = [sector % wide, Math.floor(sector / wide)];
    sides.push({ sector, upper: none, lower: none, middle: none, light: 0, isLightAbsolute: false });
    const around = [at(x, y), at(x, y + 1), at(x + 1, y + 1), at(x + 1, y)];
    for (const [index, start] of around.entries()) {
      lines.push({ start, end: around[(index + 1) % 4] ?? 0, right: sector, left: undefined, ...pegged });
    }
  }
  const sectors = sides.map(({ sector }) => ({ floor: plane("-", sector), ceiling: plane("-", sector), light: 0 }));
  const things = Array.from({ length: 20_000 }, (_, index) => {
    const sector = index * 7 % sectors.length;
    return { x: sector % wide * 32 - 4990, y: Math.floor(sector / wide) * 32 + 9, z: 1, angle: 0, type: sector };
  });
  const map: DoomMap = { format: "Doom", points, lines, sides, sectors, things, unfollowed: [] };
  for (const thing of doomGeometry(map, () => ({ width: 64, height: 64 })).things) {
    assertEquals(Number(thing.get("origin")?.split(" ")[2]) - 1, Number(thing.get("classname")?.slice(6)));
  }
});

Deno.test("a hole with more corners than a call has arguments costs a bounded time, too", () => {
  const corner = (index: number): [number, number] => {
    const angle = -2 * Math.PI * index / 200_000;
    return [Math.cos(angle), Math.sin(angle)];
  };
  const ring = Array.from({ length: 200_000 }, (_, index) => corner(index));
  const square = [[-2, -2], [2, -2], [2, 2], [-2, 2]] as const;
  const closed = (from: number, count: number) =>
    Array.from({ length: count }, (_, index): Edge => [from + index, from + (index + 1) % count]);
  const work = new FillingWork();
  work.spend(99_000_000);
  assertThrows(
    () => new AreaFiller([...square, ...ring], work).fill([...closed(0, 4), ...closed(4, ring.length)]),
    MediaError,
    "too many lines",
  );
});

Deno.test("textures that are composed of many textures, eight deep, cost a bounded time and memory", async () => {
  const level = (depth: number) =>
    Array.from({ length: 32 }, (_, index) => {
      const patches = Array.from({ length: 32 }, (_, other) => `Patch L${depth + 1}_${other}, 0, 0`).join(" ");
      return `WallTexture L${depth}_${index}, 1, 1 { ${patches} }`;
    });
  const definitions = text(Array.from({ length: 9 }, (_, depth) => level(depth)).flat().join("\n"));
  const textures = new DoomTextures({
    file: () => Promise.resolve(undefined),
    files: (qpath) => Promise.resolve(qpath === "TEXTURES" ? [{ qpath, bytes: definitions, source: "a.wad" }] : []),
    image: () => Promise.resolve(undefined),
  });
  await assertRejects(() => textures.wall("L0_0"), MediaError, "pixels");
});

Deno.test("pixels of TEXTURES are whole, and a texture without a size leaves the others on the sheet", async () => {
  const red = emptyPicture(2, 2);
  red.rgba.fill(255);
  const sheetOf = (definitions: string) => {
    const image = () => Promise.resolve({ qpath: "patches/P.png", bytes: storedPng(red) });
    const [, textures] = doomTextureConverters;
    return textures?.convert({ qpath: "TEXTURES", bytes: text(definitions) }, {
      ...{ file: () => Promise.resolve(undefined), image },
    });
  };
  assertEquals(
    await sheetOf("texture A, -5, 7 {} texture B, 8.5, 8.25 { Patch P, 1.5, -0.5 }"),
    await sheetOf("texture A, 0, 7 {} texture B, 8, 8 { Patch P, 1, 0 }"),
  );
  // Textures of different sizes take no more room than they need, in rows.
  const mixed = "texture A, 1, 500 {} texture B, 500, 1 {} texture C, 400, 2 { Patch P, 0, 0 } texture D, 9, 1 {}";
  const { width, height, rgba } = decodePng(await sheetOf(mixed) ?? new Uint8Array(0));
  assertEquals([width, height, rgba[(502 * 500 + 1) * 4], rgba[(502 * 500 + 2) * 4 + 3]], [500, 503, 255, 0]);
});

Deno.test("all textures of a conversion together draw a bounded number of pixels, but not all files", async () => {
  const names = [..."BCDEFGHIJ"];
  const bytes = text(names.map((name) => `texture ${name}, 4096, 2048 {}`).join(" "));
  const textures = new DoomTextures({
    file: () => Promise.resolve(undefined),
    files: (qpath) => Promise.resolve(qpath === "TEXTURES" ? [{ qpath, bytes, source: "a.wad" }] : []),
    image: () => Promise.resolve(undefined),
  });
  const texture = (name: string, count: number) => {
    const layers = Array.from({ length: count }, () => ({ name, left: 0, top: 0 }));
    return { name: "A", width: 1, height: 1, layers };
  };
  await textures.compose(texture("B", 40));
  await assertRejects(() => textures.compose(texture("B", 40)), MediaError, "patches draw more than");
  for (const name of names) {
    // deno-lint-ignore no-await-in-loop -- as files are written
    assertEquals((await textures.composeAlone(texture(name, 1))).faults, []);
  }
});
