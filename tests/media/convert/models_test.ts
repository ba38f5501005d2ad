// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assertEquals, assertRejects } from "@std/assert";
import { convertStill } from "../../../media/convert/models.ts";
import { playerClips } from "../../../media/convert/player_clips.ts";
import { MediaError } from "../../../media/core/reader.ts";
import fc from "../../support/fast_check.ts";
import { mutants } from "../mutants.ts";
import { archMap, faceKinds, floorMap } from "../handmade_maps.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import type { Geometry } from "../../../media/models/geometry.ts";
import { iqm, md2, md3, mdl, testPalette } from "../handmade.ts";
import { encodePcx } from "../../../daemon/demo/image.ts";
import { demoPalette } from "../../../daemon/demo/palette.ts";
import { halfLifeModel, md5, mdc, seamMdl, waveIqm } from "../handmade_models.ts";
import { string, text } from "../../formats/bytes.ts";
import { faultsOf, fromFiles, type Glb, type Plain, posed, readGlb, toGltf } from "./gltf.ts";

const pcx = encodePcx({ width: 4, height: 4, rgba: new Uint8Array(64).fill(255) }, demoPalette());

Deno.test("glTF of every kind of model is without fault, and the same each time", async () => {
  const palette = { "gfx/palette.lmp": testPalette() };
  const models: [string, Uint8Array, Record<string, Uint8Array>][] = [
    ["a.mdl", mdl(), palette],
    ["a.mdl", mdl(), {}],
    ["a.md2", md2(["a/skin.pcx"]), { "a/skin.pcx": pcx }],
    ["a.md2", md2([]), {}],
    ["a.md3", md3("a/torso.tga"), {}],
    ["a.iqm", iqm(["a", "b"]), {}],
    ["a.mdl", seamMdl(), palette],
    ["a.iqm", waveIqm(), {}],
    ["a.mdc", mdc(), {}],
    ["a.mdl", halfLifeModel(), {}],
    ["a.md5mesh", md5.mesh, { "a.md5anim": md5.animation }],
    ["a.md5mesh", md5.mesh, {}],
  ];
  await Promise.all(models.map(async ([qpath, bytes, files]) => {
    const glb = await toGltf(qpath, bytes, fromFiles(files));
    assertEquals(await faultsOf(glb), [], qpath);
    assertEquals(await toGltf(qpath, bytes, fromFiles(files)), glb);
  }));
});

Deno.test("a model of Quake has its frames as targets, its animations and its skin", async () => {
  const glb = readGlb(await toGltf("progs/a.mdl", mdl(), fromFiles({ "gfx/palette.lmp": testPalette() })));
  const { json } = glb;
  assertEquals(json.meshes[0].extras.targetNames, ["stand2", "run1", "run2"]);
  assertEquals(json.animations.map(({ name }: Plain) => name), ["stand", "run"]);
  assertEquals(json.images.map(({ name }: Plain) => name), ["skin 0"]);
  assertEquals(decodePng(glb.image(0)).rgba.slice(28).toHex(), "08f704ff");
});

/** Converts engine coordinates to glTF: y, z and x, in metres. */
function metres(...points: (readonly [number, number, number])[]): number[][] {
  return points.map(([x, y, z]) => [y / 32, z / 32, x / 32]);
}

/** Returns the corners of the first triangle. */
function triangle(glb: Glb, points: readonly number[][]): number[][] {
  return glb.numbers(glb.json.meshes[0].primitives[0].indices).slice(0, 3).map((index) => points[index] ?? []);
}

Deno.test("a triangle after a model of Quake shows the right half of its skin, and its frames move it", async () => {
  const glb = readGlb(await toGltf("a.mdl", seamMdl(), fromFiles({ "gfx/palette.lmp": testPalette() })));
  // The engine's order in the file is clockwise, seen from outside.
  assertEquals(triangle(glb, posed(glb)), metres([-5, 10, 2], [0, -10, 0], [-5, -10, 0]));
  const points = glb.numbers(glb.json.meshes[0].primitives[0].attributes.TEXCOORD_0);
  // Skins are 4 x 2; the vertex on the seam is half of that to the right.
  assertEquals(points, [1.5 / 4, 1.5 / 2, 1.5 / 4, 0.5 / 2, 2.5 / 4, 0.5 / 2]);
  assertEquals(triangle(glb, posed(glb, 0, 0, 1)), metres([-5, 10, 4], [0, -10, 0], [-5, -10, 0]));
  assertEquals(triangle(glb, posed(glb, 0, 1, 1)), metres([-5, 10, 8], [0, -10, 0], [-5, -10, 0]));
});

Deno.test("joints of an IQM move its vertices", async () => {
  const glb = readGlb(await toGltf("a.iqm", waveIqm()));
  const rest = metres([0, 0, 0], [0, 8, 16], [0, 0, 32]);
  assertEquals(posed(glb), rest);
  assertEquals(posed(glb, 0, 0, 0), rest);
  assertEquals(posed(glb, 0, 0, 1), metres([0, 0, 0], [0, 8, 16], [6, 0, 32]));
  assertEquals(glb.json.animations[0].name, "wave");
  assertEquals(glb.numbers(glb.json.animations[0].samplers[0].input), [0, Math.fround(0.1)]);
});

Deno.test("a model with joints is shown without motion, also if its animation is named like a player's", async () => {
  const bytes = waveIqm("LEGS_IDLE", 1);
  const glb = readGlb(await convertStill({ qpath: "a.iqm", bytes }, fromFiles({})));
  assertEquals(posed(glb), metres([0, 0, 0], [0, 8, 16], [0, 0, 32]));
});

Deno.test("an IQM whose vertices are bound to a joint that it lacks is refused", async () => {
  const bytes = waveIqm();
  // The last vertex's joint precedes the weights.
  const joint = bytes.toHex().indexOf("01000000ff000000ff") / 2;
  bytes[joint] = 2;
  await assertRejects(() => toGltf("a.iqm", bytes), MediaError, "joint 2 of 2");
});

Deno.test("joints of an MD5 move its vertices by the animation next to it", async () => {
  const glb = readGlb(await toGltf("m/a.md5mesh", md5.mesh, fromFiles({ "m/a.md5anim": md5.animation })));
  // Weight 1: (8, 0, 0) turned by -90 degrees is (0, -8, 0), 16 up. Vertex 2: half of (0, 8, 16), half of (8, 0, 16).
  const rest = [[0, 0, 0], [0, -8, 16], [4, 4, 16]] as const;
  assertEquals(posed(glb), metres(...rest));
  assertEquals(posed(glb, 0, 0, 0), metres(...rest));
  assertEquals(posed(glb, 0, 0, 1), metres([32, 0, 0], [32, -8, 16], [36, 4, 16]));
});

Deno.test("frames follow each other at the rate of the animation, or ten a second where it is not credible", async () => {
  for (
    const [rate, used] of [["24", 24], ["0.5", 0.5], ["999", 999], ["1000", 10], ["1e9", 10], ["0.01", 10], ["0", 10]]
  ) {
    const animation = text(string(md5.animation).replace("frameRate 24", `frameRate ${rate}`));
    const glb = readGlb(await toGltf("m/a.md5mesh", md5.mesh, fromFiles({ "m/a.md5anim": animation })));
    assertEquals(glb.numbers(glb.json.animations[0].samplers[0].input), [0, Math.fround(1 / Number(used))], `${rate}`);
  }
});

Deno.test("both parts of a player of Quake III have their own clips, those of legs without the frames of the torso", async () => {
  const counts = (rows: number) => fc.array(fc.integer({ min: 0, max: 3 }), { minLength: rows, maxLength: rows });
  // Deaths are in both parts; then come rows of the torso and of legs.
  const players = fc.tuple(counts(6), counts(7), counts(12), fc.integer({ min: 0, max: 60 }));
  await fc.assert(fc.asyncProperty(players, async ([both, torso, legs, frames]) => {
    let first = 0;
    const rows = [...both, ...torso, ...legs].map((count) =>
      `${first}\t${count}\t0\t15\t\t// ${(first += count) - count}`
    );
    const files = fromFiles({ "p/animation.cfg": text(`sex m // no row\n\n${rows.join("\r\n")}\n`) });
    const clipsOf = async (part: string) => {
      const mesh = { frames: Array.from({ length: frames }, () => []) };
      const geometry = { meshes: [mesh], clips: [] } as unknown as Geometry;
      return (await playerClips(`p/${part}.md3`, geometry, files)).map((
        { first, count, rate },
      ) => [first, count, rate]);
    };
    for (const [part, own] of [["upper", torso], ["lower_1", legs]] as const) {
      let next = 0;
      const expected = [...both, ...own].map((count) => [(next += count) - count, count, 15]);
      const shown = expected.filter(([first = 0, count = 0]) => count > 0 && first + count <= frames);
      assertEquals(await clipsOf(part), shown, part);
    }
    assertEquals(await clipsOf("head"), []);
  }));
});

Deno.test("a player of Quake III stands, with its head on the tag of its upper body, and that on the tag of its lower", async () => {
  const lower = mdc();
  lower.set(text("tag_torso"), new TextDecoder("latin1").decode(lower).indexOf("tag_head"));
  const row = (first: number) => `${first} 1 0 15`;
  const rows = [...Array(6).fill(row(0)), ...Array(7).fill(row(1)), ...Array(12).fill(row(2))];
  const [qpath, animations] = ["models/players/a/animation.cfg", text(rows.join("\n"))];
  const parts = { "head.md3": mdc(), "upper.md3": mdc(), "lower.md3": lower };
  const files = Object.fromEntries(
    Object.entries({
      ...parts,
      "upper_default.skin": text("body,models/d"),
      "upper_red.skin": text("body,models/r\ntag_head,"),
    })
      .map(([name, bytes]) => [`models/players/a/${name}`, bytes]),
  );
  const surroundings = fromFiles({ ...files, [qpath]: animations });
  const bytes = await toGltf(qpath, animations, surroundings);
  assertEquals(await faultsOf(bytes), []);
  const glb = readGlb(bytes);
  // Each of two tags is ten units up and turned by 90 degrees in the second frame, in which both bodies are one unit off.
  assertEquals(posed(glb, 0), metres([0, 0, 20], [-32, 0, 20], [0, -32, 20]));
  assertEquals(posed(glb, 1), metres([0, 1, 10], [0, 33, 10], [-32, 1, 10]));
  assertEquals(posed(glb, 2), metres([1, 0, 0], [33, 0, 0], [1, 32, 0]));
  // In a death, which both have, the tags are eight units up.
  const names = glb.json.animations.map(({ name }: Plain) => name);
  assertEquals(posed(glb, 0, names.indexOf("BOTH_DEATH1"), 0), metres([0, 0, 16], [-32, 0, 16], [0, -32, 16]));
  assertEquals(names.filter((name: string) => name.startsWith("BOTH")).length, 6);
  assertEquals(glb.json.extensions.KHR_materials_variants.variants, [{ name: "default" }, { name: "red" }]);
  const variants = glb.json.meshes.map(({ primitives: [{ extensions }] }: Plain) =>
    extensions.KHR_materials_variants.mappings.map(({ material }: Plain) => glb.json.materials[material].name)
  );
  assertEquals(variants, [["models/a", "models/a"], ["models/d", "models/r"], ["models/a", "models/a"]]);
  const without = (name: string) => ({ ...files, [`models/players/a/${name}`]: mdc() });
  await assertRejects(
    () => toGltf(qpath, animations, fromFiles(without("lower.md3"))),
    MediaError,
    "lower has no tag_torso",
  );
  await assertRejects(() => toGltf(qpath, animations), MediaError, "its player has no head.md3");
});

Deno.test("a player has clips for the rows that are within its frames", async () => {
  const row = fc.record({
    first: fc.nat(30),
    count: fc.integer({ min: -3, max: 3 }),
    rate: fc.integer({ min: 1, max: 60 }),
  });
  const rows = fc.array(row, { minLength: 25, maxLength: 25 });
  await fc.assert(fc.asyncProperty(rows, fc.integer({ min: 0, max: 40 }), async (rows, frames) => {
    const lines = rows.map(({ first, count, rate }) => `${first} ${count} 0 ${rate}`);
    const files = fromFiles({ "p/animation.cfg": text(lines.join("\n")) });
    const mesh = { frames: Array.from({ length: frames }, () => []) };
    const geometry = { meshes: [mesh], clips: [] } as unknown as Geometry;
    // Six deaths, seven rows of the torso, then legs, whose frames count from the torso's first.
    const skipped = (rows[13]?.first ?? 0) - (rows[6]?.first ?? 0);
    const legs = rows.slice(13).map(({ first, ...rest }) => ({ ...rest, first: first - skipped }));
    for (const [part, own] of [["upper", rows.slice(6, 13)], ["lower", legs]] as const) {
      const expected = [...rows.slice(0, 6), ...own]
        .map(({ first, count, rate }) => [first, Math.abs(count), rate])
        .filter(([first = 0, count = 0]) => count > 0 && first >= 0 && first + count <= frames);
      const clips = await playerClips(`p/${part}.md3`, geometry, files);
      assertEquals(clips.map(({ first, count, rate }) => [first, count, rate]), expected, part);
    }
  }));
});

Deno.test("an animation of an IQM with more frames than the file is refused", async () => {
  const animation = waveIqm();
  const record = new DataView(animation.buffer).getUint32(88, true);
  for (const [first, count] of [[0, 2], [1, 1], [0, 1], [2, 0], [0, 3], [1, 2], [2, 1]] as const) {
    const bytes = animation.slice();
    const view = new DataView(bytes.buffer);
    view.setUint32(record + 4, first, true);
    view.setUint32(record + 8, count, true);
    if (first + count <= 2) assertEquals(await faultsOf(await toGltf("a.iqm", bytes)), []);
    else await assertRejects(() => toGltf("a.iqm", bytes), MediaError, "more frames than the file");
  }
});

Deno.test("weights of one joint are one, and their sum is 1", async () => {
  const bound = async (...weights: readonly (readonly [joint: number, weight: number])[]) => {
    let number = 0;
    const mesh = string(md5.mesh).replace(/weight [23] \d [\d.]+/g, () => {
      const [joint, weight] = weights[number++] ?? [0, 0];
      return `weight ${number + 1} ${joint} ${weight}`;
    });
    const glb = readGlb(await toGltf("m/a.md5mesh", text(mesh)));
    const { JOINTS_0, WEIGHTS_0 } = glb.json.meshes[0].primitives[0].attributes;
    return [glb.numbers(JOINTS_0).slice(8, 12), glb.numbers(WEIGHTS_0).slice(8, 12)];
  };
  assertEquals(await bound([0, 0.5], [1, 0.5]), [[0, 1, 0, 0], [0.5, 0.5, 0, 0]]);
  assertEquals(await bound([1, 0.5], [1, 0.5]), [[1, 0, 0, 0], [1, 0, 0, 0]]);
  assertEquals(await bound([1, 0.5], [0, 1.5]), [[0, 1, 0, 0], [0.75, 0.25, 0, 0]]);
  assertEquals(await bound([0, 0], [1, 0.5]), [[1, 0, 0, 0], [1, 0, 0, 0]]);
  // Without weights, the first joint gets the full weight.
  assertEquals(await bound([1, 0], [0, 0]), [[1, 0, 0, 0], [1, 0, 0, 0]]);
});

Deno.test("joints have one root: their own, or one above those of several", async () => {
  const nodes = async (mesh: string) => readGlb(await toGltf("m/a.md5mesh", text(mesh))).json.nodes;
  const mesh = string(md5.mesh);
  const several = mesh.replace('"arm" 0', '"arm" -1');
  for (const [content, expected] of [[mesh, "arm root"], [several, "arm joints root"]] as const) {
    const found: Plain[] = await nodes(content);
    const joints = found.filter(({ mesh }) => mesh === undefined);
    assertEquals(joints.map(({ name }) => name).sort().join(" "), expected);
    const below = joints.flatMap(({ children = [] }) => children.map((child: number) => found[child].name));
    assertEquals(below.sort(), content === mesh ? ["arm"] : ["arm", "root"]);
  }
});

Deno.test("the bone of a model of Half-Life moves its strip, which shows its own texture", async () => {
  const glb = readGlb(await toGltf("a.mdl", halfLifeModel()));
  assertEquals(posed(glb), metres([0, 0, 32], [16, 0, 32], [0, 16, 32], [16, 16, 32]));
  assertEquals(posed(glb, 0, 0, 1), metres([8, 0, 32], [24, 0, 32], [8, 16, 32], [24, 16, 32]));
  assertEquals(glb.numbers(glb.json.meshes[0].primitives[0].indices), [2, 1, 0, 3, 1, 2]);
  assertEquals(decodePng(glb.image(0)).rgba.slice(0, 8).toHex(), "01fe00ff" + "02fd01ff");
});

Deno.test("a model of Half-Life shows the texture that its family names, of its own file or of a second one", async () => {
  const texture = fc.record({
    name: fc.string({ unit: fc.constantFrom(..."ab"), minLength: 3, maxLength: 6 }),
    pixels: fc.array(fc.integer({ min: 250, max: 255 }), { minLength: 4, maxLength: 4 }),
    flags: fc.constantFrom(0, 0x40, 0xbf, 0xff),
  });
  const models = fc.uniqueArray(texture, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }).chain(
    (textures) => {
      const number = fc.nat(textures.length - 1);
      const family = fc.array(number, { minLength: textures.length, maxLength: textures.length });
      return fc.record({ textures: fc.constant(textures), family, shown: number });
    },
  );
  await fc.assert(
    fc.asyncProperty(models, async (options) => {
      const { textures, family, shown } = options;
      const whole = halfLifeModel(options);
      const alone = readGlb(await toGltf("m/a.mdl", whole));
      const { name, pixels, flags } = textures[family[shown] ?? 0] ?? { name: "", pixels: [], flags: 0 };
      assertEquals([alone.json.materials[0].name, alone.json.images.length], [name, 1]);
      const rgba = pixels.flatMap((index) => [index, 255 - index, index >> 1, flags & 0x40 && index === 255 ? 0 : 255]);
      assertEquals([...decodePng(alone.image(0)).rgba], rgba);
      // The file of a model has the meshes, the one whose name has a t more the textures.
      const meshes = halfLifeModel({ textures: [], family: [], shown });
      const second = await toGltf("m/a.mdl", meshes, fromFiles({ "m/at.mdl": whole }));
      assertEquals(second, await toGltf("m/a.mdl", whole));
      const other = halfLifeModel({ ...options, textures: textures.map((one) => ({ ...one, pixels: [9, 9, 9, 9] })) });
      assertEquals(await toGltf("m/a.mdl", whole, fromFiles({ "m/at.mdl": other })), second, "its own come first");
      const missing = readGlb(await toGltf("m/a.mdl", meshes));
      assertEquals([missing.json.images, "missing" in missing.json.materials[0].extras], [undefined, true]);
    }),
    { numRuns: 40 },
  );
});

Deno.test("a bone of Half-Life follows the runs of its animation, and a run of no frames is refused", async () => {
  const run = fc.record({
    values: fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 4 }),
    held: fc.nat(3),
  }).map(({ values, held }) => ({ values, frames: values.length + held }));
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
      const expected = runs.flatMap(({ values, frames }) =>
        Array.from({ length: frames }, (_, frame) => values[Math.min(frame, values.length - 1)] ?? 0)
      );
      const glb = readGlb(await toGltf("a.mdl", halfLifeModel(undefined, { frames: expected.length, runs })));
      const moves = expected.map((_, frame) => posed(glb, 0, glb.json.animations?.length ? 0 : undefined, frame)[0]);
      assertEquals(moves, expected.map((value) => metres([value * 2, 0, 32])[0]));
    }),
    { numRuns: 40 },
  );
  const endless = halfLifeModel(undefined, {
    frames: 3,
    runs: [{ values: [1], frames: 1 }, { values: [], frames: 0 }],
  });
  await assertRejects(() => toGltf("a.mdl", endless), MediaError, "a run of no frames");
});

Deno.test("a model of Half-Life that holds textures alone is refused", async () => {
  const bytes = halfLifeModel();
  const view = new DataView(bytes.buffer);
  for (const count of [140, 164, 204]) view.setInt32(count, 0, true);
  await assertRejects(() => toGltf("at.mdl", bytes), MediaError, "no triangles");
});

Deno.test("surfaces of an MD3 need no letters at their beginning, as in engines", async () => {
  const bytes = md3("a");
  const surfaces = new DataView(bytes.buffer).getUint32(100, true);
  const anonymous = bytes.slice();
  anonymous.fill(0, surfaces, surfaces + 4);
  assertEquals(await toGltf("a.md3", anonymous), await toGltf("a.md3", bytes));
});

Deno.test("an MDC has frames of differences, and tags that move", async () => {
  const glb = readGlb(await toGltf("a.mdc", mdc()));
  assertEquals(triangle(glb, posed(glb)), metres([0, 32, 0], [32, 0, 0], [0, 0, 0]));
  assertEquals(triangle(glb, posed(glb, 0, 0, 1)), metres([1, 32, 0], [33, 0, 0], [1, 0, 0]));
  const tag = glb.json.nodes.find(({ name }: Plain) => name === "tag_head");
  assertEquals(tag.translation, [0, 0.25, 0]);
  // A yaw of 90 degrees turns forward to the left: about the upward axis of glTF.
  assertEquals(tag.rotation.map((value: number) => Math.round(value * 1000)), [0, 707, 0, 707]);
});

Deno.test("a model of tags alone is a scene of them, and one of nothing is refused", async () => {
  const withCounts = (tags: number, surfaces: number) => {
    const bytes = mdc().slice();
    const view = new DataView(bytes.buffer);
    view.setUint32(80, tags, true);
    view.setUint32(84, surfaces, true);
    return bytes;
  };
  const { json } = readGlb(await toGltf("a.mdc", withCounts(1, 0)));
  assertEquals([json.nodes.map(({ name }: Plain) => name), json.meshes], [["tag_head"], undefined]);
  assertEquals(readGlb(await toGltf("a.mdc", withCounts(0, 1))).json.nodes.length, 1);
  await assertRejects(() => toGltf("a.mdc", withCounts(0, 0)), MediaError, "no triangles");
});

Deno.test("a model of Quake 2 has each skin once: those it names, else one with the name of a skin or its own", async () => {
  const [skin, own] = ["m/skin.pcx", "m/tris.pcx"];
  const paths = fc.uniqueArray(fc.constantFrom("m/a.pcx", "m/b.pcx", skin, own));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("m/a.pcx", "m/b.pcx", skin, "")), paths, async (named, exist) => {
      const files = Object.fromEntries(exist.map((path) => [path, pcx]));
      const { json } = readGlb(await toGltf("m/tris.md2", md2(named), fromFiles(files)));
      const found = [...new Set(named)].filter((path) => exist.includes(path));
      const shown = found.length > 0 ? found : [skin, own].filter((path) => exist.includes(path)).slice(0, 1);
      const variants = json.extensions?.KHR_materials_variants.variants.map(({ name }: Plain) => name);
      assertEquals(variants, shown.length > 1 ? shown : undefined);
      if (shown.length > 0) assertEquals(json.materials.map(({ name }: Plain) => name), shown);
      else assertEquals(json.materials[0].extras, { missing: named.find((path) => path !== "") ?? skin });
    }),
  );
});

Deno.test("surfaces of Quake 3 show the images of skin files, and teams are variants", async () => {
  const shown = { "a/red.tga": pcx, "a/plain.tga": pcx, "a/torso.tga": pcx };
  const skin = (image: string) => text(`tag_head,\r\nU_TORSO, "${image}"\r\n`);
  const files = { ...shown, "a/upper_default.skin": skin("a/plain.tga"), "a/upper_red.skin": skin("a/red.tga") };
  const { json } = readGlb(await toGltf("a/upper.md3", md3("a/torso.tga"), fromFiles(files)));
  const [{ material, extensions }] = json.meshes[0].primitives;
  assertEquals(json.materials.map(({ name }: Plain) => name), ["a/plain.tga", "a/red.tga"]);
  assertEquals([material, json.extensions.KHR_materials_variants.variants.map(({ name }: Plain) => name)], [
    0,
    ["default", "red"],
  ]);
  assertEquals(extensions.KHR_materials_variants.mappings, [
    { material: 0, variants: [0] },
    { material: 1, variants: [1] },
  ]);
  const alone = readGlb(await toGltf("a/gun.md3", md3("a/torso.tga"), fromFiles(shown))).json;
  assertEquals([alone.materials[0].name, alone.extensions], ["a/torso.tga", undefined]);
});

Deno.test("pictures that are missing or damaged leave a grey surface that says so", async () => {
  const missing = readGlb(await toGltf("a.md3", md3("a/torso.tga"))).json.materials[0];
  assertEquals([missing.extras, missing.pbrMetallicRoughness.baseColorFactor], [
    { missing: "a/torso.tga" },
    [0.5, 0.5, 0.5, 1],
  ]);
  const files = fromFiles({ "a/torso.tga": text("none") });
  const { damaged } = readGlb(await toGltf("a.md3", md3("a/torso.tga"), files)).json.materials[0].extras;
  assertEquals(damaged.startsWith("a/torso.tga: "), true);
});

Deno.test("damaged models and maps give glTF without fault, or a typed error", async () => {
  const seeds: [string, Uint8Array][] = [
    ["a.mdl", seamMdl()],
    ["a.md2", md2(["a.pcx"])],
    ["a.md3", md3("a.pcx")],
    ["a.mdc", mdc()],
    ["a.iqm", waveIqm()],
    ["a.mdl", halfLifeModel()],
    ["a.md5mesh", md5.mesh],
    ...faceKinds.map((kind): [string, Uint8Array] => ["a.bsp", floorMap(kind, "b")]),
    ["a.bsp", archMap()],
  ];
  await Promise.all(seeds.map(async ([qpath, seed]) => {
    await fc.assert(
      fc.asyncProperty(mutants(seed), async (bytes) => {
        const files = fromFiles({ "gfx/palette.lmp": testPalette(), "a.pcx": pcx, "a.md5anim": md5.animation });
        try {
          assertEquals(await faultsOf(await toGltf(qpath, bytes, files)), []);
        } catch (error) {
          if (!(error instanceof MediaError)) throw error;
        }
      }),
      { numRuns: Number(Deno.env.get("PAKFS_MUTATION_RUNS") ?? 60) },
    );
  }));
});
