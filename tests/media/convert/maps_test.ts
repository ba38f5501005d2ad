// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Look, lookOf } from "../../../media/convert/gltf/shader_look.ts";
import { MediaError } from "../../../media/core/reader.ts";
import { encodeTga } from "../../../daemon/demo/image.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { storedPng } from "../../../media/pictures/png_writer.ts";
import { hex, join, recased, text, u16, u32 } from "../../formats/bytes.ts";
import { md3, mip, name, quake2Map, quake3Map, quakeMap, testPalette, textureWad } from "../handmade.ts";
import { readMapGeometry } from "../../../media/maps/bsp.ts";
import { archMap, faceKinds, floorMap, patchMap } from "../handmade_maps.ts";
import fc from "../../support/fast_check.ts";
import { faultsOf, fromFiles, type Glb, type Plain, readGlb, toGltf } from "./gltf.ts";

const palette = { "gfx/palette.lmp": testPalette() };
/** The header of a texture of Quake 2 of 16 x 16 pixels, and its pixels. */
const wal = join(new Uint8Array(32), u32(16, 16, 100), new Uint8Array(56), new Uint8Array(256));

/** Compares a number that a float cannot hold exactly. */
function assertNear(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 1e-4, `${actual} is not ${expected}`);
}

/** Returns groups of numbers. */
function grouped(numbers: readonly number[], size: number): number[][] {
  return Array.from({ length: numbers.length / size }, (_, index) => numbers.slice(index * size, (index + 1) * size));
}

/** Returns an attribute's values for the triangle vertices of a primitive. */
function corners(glb: Glb, primitive: Plain, attribute: string, size: number): number[][] {
  const list = grouped(glb.numbers(primitive.attributes[attribute]), size);
  return glb.numbers(primitive.indices).map((index) => list[index] ?? []);
}

/** Returns a pixel of a material's picture as bytes. */
function pixel(glb: Glb, texture: number, x: number, y: number): number[] {
  const { width, rgba } = decodePng(glb.image(glb.json.textures[texture].source));
  return [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

Deno.test("a face of fewer than three points is not drawn", () => {
  for (const kind of faceKinds) {
    const surfaces = (count: number) => {
      const map = floorMap(kind, "wall");
      const [before, lump] = kind === "quake2" ? [8, 6] : [4, 7];
      const record = new DataView(map.buffer).getUint32(before + lump * 8, true);
      map.set(u16(count), record + (kind === "bsp2" ? 12 : 8));
      return readMapGeometry(map, undefined).surfaces.length;
    };
    assertEquals([4, 3, 2, 0].map(surfaces), [2, 2, 1, 1], kind);
  }
});

Deno.test("a texture of Quake 2 without a size is shown in the usual one", async () => {
  const coordinates = async (...size: readonly [number, number]) => {
    const texture = join(wal.subarray(0, 32), u32(...size), wal.subarray(40));
    const bytes = await toGltf(
      "maps/a.bsp",
      floorMap("quake2"),
      fromFiles({ ...palette, "textures/floor.wal": texture }),
    );
    assertEquals(await faultsOf(bytes), []);
    const glb = readGlb(bytes);
    return corners(glb, glb.json.meshes[0].primitives[0], "TEXCOORD_0", 2);
  };
  const missing = readGlb(await toGltf("maps/a.bsp", floorMap("quake2"), fromFiles(palette)));
  const usual = corners(missing, missing.json.meshes[0].primitives[0], "TEXCOORD_0", 2);
  assertEquals([await coordinates(0, 16), await coordinates(16, 0)], [usual, usual]);
});

for (const kind of faceKinds) {
  Deno.test(`a floor of a map of kind ${kind} faces up, with its texture and its light`, async () => {
    const files = { ...palette, "textures/floor.wal": wal };
    const bytes = await toGltf("maps/a.bsp", floorMap(kind), fromFiles(files));
    assertEquals(await faultsOf(bytes), []);
    const glb = readGlb(bytes);
    const { json } = glb;
    assertEquals(json.meshes.length, 1);
    const [floor, ...others] = json.meshes[0].primitives;
    assertEquals(others, [], "the second floor is not drawn");
    // 64 units are two metres; x is forward, which is z of glTF. Counterclockwise seen from above.
    const points = corners(glb, floor, "POSITION", 3);
    assertEquals(points, [[0, 0, 0], [2, 0, 2], [2, 0, 0], [0, 0, 0], [0, 0, 2], [2, 0, 2]]);
    assertEquals(corners(glb, floor, "NORMAL", 3), points.map(() => [0, 1, 0]));
    // s is x, t is -y, in pixels of 16.
    assertEquals(corners(glb, floor, "TEXCOORD_0", 2).slice(0, 3), [[0, 0], [4, -4], [0, -4]]);
    const material = json.materials[floor.material];
    assertEquals(material.name, kind === "quake2" ? "textures/floor.wal" : "floor");
    const light = material.occlusionTexture;
    assertEquals(light.texCoord, 1);
    // The point with the least s and t, y = 64, has the first sample: 40 of 128, output as 80.
    const at = corners(glb, floor, "TEXCOORD_1", 2);
    const { height } = decodePng(glb.image(json.textures[light.index].source));
    const far = at[2] ?? [];
    assertNear((far[0] ?? 0) * 1024, 0.5);
    assertNear((far[1] ?? 0) * height, 0.5);
    assertNear((at[0]?.[1] ?? 0) * height, 4.5);
    assertEquals([pixel(glb, light.index, 0, 0), pixel(glb, light.index, 1, 0)], [[80, 80, 80], [20, 20, 20]]);
    const lamp = json.nodes.find(({ name }: Plain) => name === "light");
    assertEquals([lamp.translation, lamp.extras.origin], [[2, 3, 1], "32 64 96"]);
  });
}

Deno.test("samples of light are counted by floats, as compilers do", async () => {
  const map = floorMap("quake");
  const view = new DataView(map.buffer);
  // The right edge is at 64.000001 pixels, which is 64 as a float: five samples, not six.
  view.setFloat32(view.getUint32(4 + 6 * 8, true) + 12, 1e-6, true);
  const glb = readGlb(await toGltf("maps/a.bsp", map, fromFiles(palette)));
  assertEquals(pixel(glb, glb.json.materials[0].occlusionTexture.index, 0, 0), [80, 80, 80]);
});

/** A WAD of Half-Life with one-coloured textures and a view's palette. */
function halfLifeWad(textures: readonly (readonly [name: string, colour: number])[]): Uint8Array {
  const wad = textureWad(
    textures.map(([name, colour]) => [name, 67, join(mip(name, colour), u16(256), testPalette(), u16(0))] as const),
  );
  wad[3] = 0x33;
  return wad;
}

Deno.test("a map of Half-Life shows textures of the WADs that it names, of the first that has one, in any case", async () => {
  const names = ["floor", "wall"] as const;
  const spelled = fc.tuple(fc.constantFrom(...names), fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 2)).map(([name, how]) =>
    how === 2 ? name : recased(name, how)
  );
  const wad = fc.record({
    state: fc.constantFrom("sound", "sound", "sound", "missing", "damaged"),
    before: fc.constantFrom("", "\\\\quiver\\valve\\", "C:\\sierra/half-life/"),
    textures: fc.uniqueArray(fc.tuple(spelled, fc.integer({ min: 1, max: 255 })), {
      selector: ([name]) => name.toLowerCase(),
    }),
  });
  await fc.assert(fc.asyncProperty(fc.array(wad, { maxLength: 4 }), fc.boolean(), async (wads, isEmbedded) => {
    const list = wads.map(({ before }, index) => `${before}w${index}.wad`).join(";");
    const map = floorMap("half-life", "wall", `{"classname" "worldspawn" "wad" "${list};"}`);
    // A texture without offsets is not in the map; only the first is left out.
    const texture = map.toHex().indexOf(join(name("floor", 16), u32(16, 16)).toHex()) / 2;
    if (!isEmbedded) map.fill(0, texture + 24, texture + 40);
    const files = wads.flatMap(({ state, textures }, index) =>
      state === "missing"
        ? []
        : [[`w${index}.wad`, state === "damaged" ? text("WAD3") : halfLifeWad(textures)] as const]
    );
    const glb = readGlb(await toGltf("maps/a.bsp", map, fromFiles({ ...palette, ...Object.fromEntries(files) })));
    const sound = wads.filter(({ state }) => state === "sound");
    const [, found] = sound.flatMap(({ textures }) => textures).find(([one]) => one.toLowerCase() === "floor") ?? [];
    const colour = isEmbedded ? 7 : found;
    const [{ extras, pbrMetallicRoughness: { baseColorTexture } }] = glb.json.materials;
    assertEquals(extras, colour === undefined ? { missing: "floor" } : undefined);
    if (colour === undefined) return;
    assertEquals(pixel(glb, baseColorTexture.index, 1, 0), [colour, 255 - colour, colour >> 1]);
  }));
});

Deno.test("a model with the name of a map is converted as a model", async () => {
  assertEquals(await toGltf("maps/b_box.bsp", md3("a")), await toGltf("maps/b_box.md3", md3("a")));
});

Deno.test("coloured light next to a map of Quake replaces that of the map, if it is of a known kind", async () => {
  const light = async (files: Readonly<Record<string, Uint8Array>>) => {
    const glb = readGlb(await toGltf("maps/a.bsp", floorMap("quake"), fromFiles({ ...palette, ...files })));
    return pixel(glb, glb.json.materials[0].occlusionTexture.index, 0, 0);
  };
  const samples = join(Uint8Array.of(30, 20, 10), new Uint8Array(72));
  const lit = (magic: string, version: number) => ({ "maps/a.lit": join(text(magic), u32(version), samples) });
  assertEquals(await light(lit("QLIT", 1)), [60, 40, 20]);
  const own = await light({});
  for (const odd of [lit("QLIT", 2), lit("QLIX", 1), { "maps/a.lit": text("QLIT\x01") }]) {
    assertEquals(await light(odd), own);
  }
});

Deno.test("coloured light in a map of Quake counts where no file next to it has some", async () => {
  const map = floorMap("quake");
  const padded = join(map, new Uint8Array((4 - map.length % 4) % 4));
  const samples = Uint8Array.of(15, 25, 35, ...new Uint8Array(72));
  const record = join(text("RGBLIGHTING"), new Uint8Array(13), u32(padded.length + 8 + 32, samples.length));
  const coloured = join(padded, text("BSPX"), u32(1), record, samples);
  const first = async (files: Readonly<Record<string, Uint8Array>>) => {
    const glb = readGlb(await toGltf("maps/a.bsp", coloured, fromFiles({ ...palette, ...files })));
    return pixel(glb, glb.json.materials[0].occlusionTexture.index, 0, 0);
  };
  assertEquals(await first({}), [30, 50, 70]);
  const lit = join(text("QLIT"), u32(1), Uint8Array.of(30, 20, 10), new Uint8Array(72));
  assertEquals(await first({ "maps/a.lit": lit }), [60, 40, 20]);
});

Deno.test("pictures replace the textures of a map of Quake: those of the map itself before others", async () => {
  const red = encodeTga({ width: 1, height: 1, rgba: Uint8Array.of(255, 0, 0, 255) });
  const materials = async (...paths: readonly string[]) => {
    const shown = Object.fromEntries(paths.map((path) => [path, red]));
    const image = (name: string) => fromFiles(shown).file(`${name}.tga`);
    const glb = readGlb(await toGltf("maps/e1.bsp", floorMap("quake", "*LaVa"), { ...fromFiles(palette), image }));
    const [floor] = glb.json.meshes[0].primitives;
    // Coordinates still count pixels of the map's own texture, 16 x 16.
    assertEquals(corners(glb, floor, "TEXCOORD_0", 2)[1], [4, -4]);
    return glb.json.materials.map(({ name }: Plain) => name);
  };
  assertEquals(await materials("textures/floor.tga", "textures/e1/floor.tga"), ["textures/e1/floor", "*LaVa"]);
  assertEquals(await materials("textures/floor.tga", "textures/#lava.tga"), ["textures/floor", "textures/#lava"]);
  assertEquals(await materials("textures/e2/floor.tga"), ["floor", "*LaVa"]);
});

Deno.test("a texture of Quake whose name begins with a brace has holes, and a surface of Quake 2 may be thin", async () => {
  const glb = readGlb(await toGltf("maps/a.bsp", floorMap("quake", "{fence"), fromFiles(palette)));
  assertEquals(glb.json.materials.map(({ name }: Plain) => name), ["floor", "{fence"]);
  const thin = floorMap("quake2", "glass");
  const view = new DataView(thin.buffer);
  // Flags of the second texture information.
  view.setUint32(view.getUint32(8 + 5 * 8, true) + 76 + 32, 0x10, true);
  const [, glass] = readGlb(await toGltf("maps/a.bsp", thin)).json.materials;
  assertEquals([glass.alphaMode, glass.pbrMetallicRoughness.baseColorFactor], ["BLEND", [1, 1, 1, 0.33]]);
});

Deno.test("a map of Quake 3 has its curves, its light, and colours where it has none", async () => {
  const bytes = await toGltf("maps/a.bsp", archMap());
  assertEquals(await faultsOf(bytes), []);
  const glb = readGlb(bytes);
  const [square, coloured, ...others] = glb.json.meshes[0].primitives;
  assertEquals(others, []);
  assertEquals(corners(glb, square, "POSITION", 3).slice(0, 3), [[2, 0, 2], [2, 0, 0], [0, 0, 0]]);
  const light = glb.json.materials[square.material].occlusionTexture.index;
  assertEquals(pixel(glb, light, 5, 5), [80, 80, 80]);
  // The arch is highest at half the height of its control points.
  const points = grouped(glb.numbers(coloured.attributes.POSITION), 3);
  const heights = points.map(([, y = 0]) => y);
  assertEquals(Math.max(...heights), 1);
  for (const [, y = 0, z = 0] of points) {
    // The arch is x = 64 t, z = 128 t (1 - t) units; the triangle is flat.
    if (y > 0) assertNear(y, 4 * (z / 2) * (1 - z / 2));
  }
  const normals = grouped(glb.numbers(coloured.attributes.NORMAL), 3);
  assert(normals.every(([, y]) => y === 1));
  // Colours are four times as bright, and linear.
  const [red, green, blue] = glb.numbers(coloured.attributes.COLOR_0);
  assertEquals([red, green, blue], [40, 80, 120].map((value) => Math.round((value / 255) ** 2.2 * 65535)));
  assert("KHR_materials_unlit" in glb.json.materials[coloured.material].extensions);
});

Deno.test("a curved patch lies on its curves within a unit, and is the same with rows and columns exchanged", () => {
  const odd = fc.constantFrom(3, 5);
  const bend = fc.integer({ min: -200, max: 200 });
  const patch = fc.tuple(odd, odd).chain(([columns, rows]) =>
    fc.record({
      columns: fc.constant(columns),
      // Curved along rows, along columns, or both.
      across: fc.oneof(fc.constant(0), bend),
      down: fc.oneof(fc.constant(0), bend),
      heights: fc.array(fc.integer({ min: -20, max: 20 }), { minLength: columns * rows, maxLength: columns * rows }),
      isRough: fc.boolean(),
    })
  );
  fc.assert(fc.property(patch, ({ columns, across, down, heights, isRough }) => {
    const rows = heights.length / columns;
    const points = heights.map((height, index): [number, number, number] => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      return [column * 64, row * 64, (column % 2) * across + (row % 2) * down + (isRough ? height : 0)];
    });
    const exchanged = points.map((_, index): [number, number, number] =>
      points[(index % rows) * columns + Math.floor(index / rows)] ?? [0, 0, 0]
    );
    const [surface] = readMapGeometry(patchMap(columns, points)).surfaces;
    const [other] = readMapGeometry(patchMap(rows, exchanged)).surfaces;
    assert(surface && other);
    const list = (positions: Float32Array) =>
      grouped([...positions], 3).map((point) => point.map((value) => value.toFixed(3)).join());
    assertEquals(list(surface.positions).sort(), list(other.positions).sort());
    const corner = (index: number) => Array.from(surface.positions.subarray(index * 3, index * 3 + 3));
    // Height of the surface at a point: columns and rows of control points are 64 units apart, so t is linear in x and
    // y.
    const mix = (a: number, b: number, c: number, t: number) => (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
    const heightAt = (x: number, y: number) => {
      const [curve, line] = [
        Math.min(Math.floor(x / 128), (columns - 3) / 2),
        Math.min(Math.floor(y / 128), (rows - 3) / 2),
      ];
      const z = (column: number, row: number) => points[(line * 2 + row) * columns + curve * 2 + column]?.[2] ?? NaN;
      const row = (number: number) => mix(z(0, number), z(1, number), z(2, number), x / 128 - curve);
      return mix(row(0), row(1), row(2), y / 128 - line);
    };
    for (let edge = 0; edge < surface.triangles.length; edge += 3) {
      const [a, b, c] = Array.from(surface.triangles.subarray(edge, edge + 3), corner);
      for (const [from, to] of [[a, b], [b, c], [c, a]] as const) {
        const [fx = 0, fy = 0, fz = 0] = from ?? [];
        const [tx = 0, ty = 0, tz = 0] = to ?? [];
        assertNear(fz, heightAt(fx, fy));
        // Diagonals of a patch bent both ways are further from the surface.
        const isEdge = fx === tx || fy === ty;
        const gap = Math.abs((fz + tz) / 2 - heightAt((fx + tx) / 2, (fy + ty) / 2));
        assert(!isEdge || gap <= 1.001, `${gap} units from the curve`);
      }
    }
  }));
});

Deno.test("flags of a texture of Quake 2 decide what is drawn, shines, or is seen through", async () => {
  const flags = fc.integer({ min: 0, max: 0xffff });
  await fc.assert(fc.asyncProperty(flags, async (value) => {
    const map = floorMap("quake2", "other");
    const view = new DataView(map.buffer);
    view.setUint32(view.getUint32(8 + 5 * 8, true) + 76 + 32, value, true);
    const { json } = readGlb(await toGltf("maps/a.bsp", map));
    const [, material] = json.materials;
    const isHidden = (value & 4) !== 0 || (value & 0x80) !== 0;
    assertEquals(material === undefined, isHidden);
    if (isHidden) return;
    const opacity = (value & 0x10) !== 0 ? 0.33 : (value & 0x20) !== 0 ? 0.66 : undefined;
    assertEquals(material.alphaMode, opacity === undefined ? undefined : "BLEND");
    const [red, , , alpha] = material.pbrMetallicRoughness.baseColorFactor;
    assertEquals(alpha, opacity ?? 1);
    assertEquals(red, opacity === undefined ? 0.5 : 1);
    assertEquals("KHR_materials_unlit" in (material.extensions ?? {}), (value & 8) !== 0);
  }));
});

Deno.test("shaders of a map decide about holes, both sides, and what is not drawn", async () => {
  const surface = async (definition: string) => {
    const files = fromFiles({ "textures/a": new Uint8Array(0) }, { "textures/a": definition });
    const { json } = readGlb(await toGltf("maps/a.bsp", archMap(), files));
    const [material] = json.materials ?? [];
    return material && [material.alphaMode, material.doubleSided];
  };
  assertEquals(await surface("{\ncull none\n{\nmap a\nalphaFunc GE128\n}\n}"), ["MASK", true]);
  assertEquals(await surface("{\n{\nmap a\nblendFunc add\n}\n}"), ["BLEND", undefined]);
  assertEquals(await surface("{\n{\nmap a\n}\n{\nmap $lightmap\nblendFunc filter\n}\n}"), [undefined, undefined]);
  assertEquals(await surface("{\nsurfaceparm fog\nfogparms ( 1 1 1 ) 300\n}"), undefined);
  assertEquals(await surface("{\nsurfaceparm nodraw\n{\nmap a\n}\n}"), undefined);
});

Deno.test("a picture of a surface has its own pixels, or where its light is added the light as opacity", async () => {
  const rgba = Uint8Array.of(255, 0, 0, 255, 10, 20, 40, 255, 0, 0, 0, 255, 3, 2, 1, 128);
  const image = { width: 2, height: 2, rgba };
  const shown = async (qpath: string, bytes: Uint8Array, stage: string) => {
    const shaders = fromFiles({}, { "textures/a": `{\n{\nmap a\n${stage}\n}\n}` });
    const files = { ...shaders, image: () => Promise.resolve({ qpath, bytes }) };
    const { json, image: pictureOf } = readGlb(await toGltf("maps/a.bsp", archMap(), files));
    const { index } = json.materials[0].pbrMetallicRoughness.baseColorTexture;
    return Array.from(decodePng(pictureOf(json.textures[index].source)).rgba);
  };
  const light = [255, 0, 0, 255, 64, 128, 255, 40, 0, 0, 0, 0, 255, 170, 85, 3];
  for (const [qpath, bytes] of [["a.tga", encodeTga(image)], ["a.png", storedPng(image)]] as const) {
    for (const stage of ["", "alphaFunc GE128", "blendFunc blend"]) {
      assertEquals(await shown(qpath, bytes, stage), Array.from(rgba), stage);
    }
    assertEquals(await shown(qpath, bytes, "blendFunc add"), light);
  }
});

Deno.test("a JPEG and a PNG are in the file as they are, under their own types", async () => {
  const jpeg = join(hex("ffd8ffe0"), new Uint8Array(40));
  const png = storedPng({ width: 1, height: 1, rgba: Uint8Array.of(1, 2, 3, 255) });
  for (const [qpath, bytes, type] of [["a.jpg", jpeg, "image/jpeg"], ["a.png", png, "image/png"]] as const) {
    const files = { ...fromFiles({}), image: () => Promise.resolve({ qpath, bytes }) };
    const glb = readGlb(await toGltf("maps/a.bsp", archMap(), files));
    const index = glb.json.images.findIndex(({ name }: Plain) => name === qpath);
    assertEquals([glb.json.images[index].mimeType, glb.image(index)], [type, Uint8Array.from(bytes)]);
  }
});

Deno.test("a shader's own lines and its first stage decide its look", () => {
  const value = fc.constantFrom(
    "none",
    "disable",
    "twosided",
    "back",
    "nodraw",
    "sky",
    "add",
    "gl_one gl_one",
    "gl_one gl_zero",
  );
  const line = (...keys: readonly string[]) =>
    fc.tuple(fc.constantFrom(...keys), value).map((words) => words.join(" "));
  const own = fc.array(line("cull", "sort", "surfaceparm", "skyparms", "twoSided", "diffusemap", "deform"), {
    maxLength: 3,
  });
  const stage = fc.array(line("map", "alphaFunc", "alphaTest", "blendFunc", "cull", "surfaceparm"), { maxLength: 3 });
  fc.assert(fc.property(own, fc.array(stage, { maxLength: 2 }), own, (front, stages, behind) => {
    const all = [...front, ...behind];
    const first = stages[0] ?? [];
    const has = (lines: readonly string[], pattern: RegExp) => lines.some((one) => pattern.test(one));
    const blends = first.filter((one) => /^blendFunc (?!gl_one gl_zero)/.test(one));
    const isHidden = has(all, /^surfaceparm (nodraw|sky)$|^skyparms/) ||
      (stages.length === 0 && !has(all, /^diffusemap/));
    const isTwoSided = has(all, /^cull (none|disable|twosided)$|^twoSided/);
    const expected: Look = {
      ...isTwoSided && { isTwoSided },
      ...isHidden && { isHidden },
      ...blends.length > 0 && { opacity: "blend", isAdded: /(add|gl_one gl_one)$/.test(blends.at(-1) ?? "") },
      ...has(first, /^alpha/) && { opacity: "mask" },
    };
    const text = ["a // cull none", "{", ...front, ...stages.flatMap((lines) => ["{", ...lines, "}"]), ...behind, "}"]
      .join("\n");
    assertEquals(lookOf(text), expected, text);
  }));
});

Deno.test("an entity shows the model of the map that it names, unless players do not see it", async () => {
  const entity = (classname: string, model: string) =>
    `{"classname" "${classname}" "model" "${model}" "origin" "32 64 96"}`;
  const entities = `{"classname" "worldspawn"}${entity("func_door", "*0")}${entity("trigger_once", "*0")}` +
    `${entity("func_wall", "*7")}${entity("light", "")}`;
  const map = archMap(entities);
  const { json } = readGlb(await toGltf("maps/a.bsp", map));
  assertEquals(json.nodes.map(({ name, mesh, translation }: Plain) => [name, mesh, translation]), [
    ["worldspawn", 0, undefined],
    ["func_door", 0, [2, 3, 1]],
    ["trigger_once", undefined, [2, 3, 1]],
    ["func_wall", undefined, [2, 3, 1]],
    ["light", undefined, [2, 3, 1]],
  ]);
});

Deno.test("maps without surfaces are scenes of their entities", async () => {
  const entities = '{"classname" "worldspawn"}{"classname" "func_door" "model" "*1"}';
  const maps = [
    quakeMap(entities),
    quakeMap(entities, text("BSP2")),
    quake2Map(entities, ["a"]),
    quake3Map(entities, []),
  ];
  await Promise.all(maps.map(async (map) => {
    const bytes = await toGltf("maps/a.bsp", map);
    assertEquals(await faultsOf(bytes), []);
    assertEquals(readGlb(bytes).json.nodes.map(({ name }: Plain) => name), ["worldspawn", "func_door"]);
  }));
});

/** Layout of models: offset of their lump's record, bytes of each model, and offset of its surface numbers. */
const modelLayouts = {
  quake: { map: floorMap("quake"), record: 4 + 14 * 8, size: 64, surfaces: 56 },
  quake2: { map: floorMap("quake2"), record: 8 + 13 * 8, size: 48, surfaces: 40 },
  quake3: { map: archMap(), record: 8 + 7 * 8, size: 40, surfaces: 24 },
} as const;

for (const [game, { map, record, size, surfaces }] of Object.entries(modelLayouts)) {
  Deno.test(`a map of ${game} whose models have surfaces that it lacks, or share them, is refused`, async () => {
    const view = new DataView(map.buffer, map.byteOffset, map.byteLength);
    const at = view.getInt32(record, true) + surfaces;
    const [first, count] = [view.getInt32(at, true), view.getInt32(at + 4, true)];
    const refused = async (bytes: Uint8Array) => {
      const files = fromFiles({ ...palette, "textures/floor.wal": wal });
      await assertRejects(() => toGltf("maps/a.bsp", bytes, files), MediaError, "has surfaces");
    };
    for (const [wrongFirst, wrongCount] of [[-1, 1], [first, -1], [first + 1, count], [first, count + 1]] as const) {
      const bytes = map.slice();
      const changed = new DataView(bytes.buffer);
      changed.setInt32(at, wrongFirst, true);
      changed.setInt32(at + 4, wrongCount, true);
      await refused(bytes);
    }
    const model = map.slice(at - surfaces, at - surfaces + size);
    const twice = join(map, model, model);
    const changed = new DataView(twice.buffer, twice.byteOffset);
    changed.setInt32(record, map.length, true);
    changed.setInt32(record + 4, size * 2, true);
    await refused(twice);
  });
}
