import { assertEquals } from "@std/assert";
import { decodePng } from "../../media/pictures/png.ts";
import { iqm, md2, md3, mdl, testPalette } from "../media/handmade.ts";
import { encodePcx } from "../../demo/image.ts";
import { demoPalette } from "../../demo/palette.ts";
import { faultsOf, fromFiles, type Plain, readGlb, toGltf } from "./gltf.ts";

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
