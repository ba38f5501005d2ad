import { assert, assertEquals } from "@std/assert";
import { ShaderIndex } from "../../../questions/shaders/shader_index.ts";
import { everyImagePath } from "../../../questions/shaders/engine_images.ts";
import { pak, zip } from "../../formats/bytes.ts";
import { below, type Files, installation, scan } from "../../index/fixtures.ts";

const everyFormat = ["bmp", "crn", "dds", "ftx", "jpeg", "jpg", "ktx", "lmp", "pcx", "png", "tga", "wal", "webp"];

/** Takes from a view, again and again, the image that the engine shows for a name; returns these in their order. */
async function inTurn(profile: string, name: string, base: string): Promise<string[]> {
  const found: string[] = [];
  let left = everyFormat;
  while (left.length > 0) {
    const files = Object.fromEntries(left.map((extension) => [`${base}/textures/a.${extension}`, extension]));
    // deno-lint-ignore no-await-in-loop -- each step depends on the one before
    await using root = await installation({ [`${base}/b.txt`]: "b", ...files });
    const view = scan(root.path, { profile, base, name: "game" }).view(base);
    const [first] = new ShaderIndex(view, () => new Uint8Array(0)).answer(name).images;
    if (!first) break;
    assert(everyImagePath(name).includes(first.qpath), `a result that shows ${first.qpath} depends on it`);
    const extension = first.qpath.slice(first.qpath.lastIndexOf(".") + 1);
    found.push(extension);
    left = left.filter((one) => one !== extension);
  }
  return found;
}

// Expected orders, taken from the sources of the engines, not from the tested table.
const orders: readonly (readonly [profiles: string, name: string, order: string])[] = [
  ["ioquake3 quake3e etlegacy", "textures/a", "png tga jpg jpeg pcx bmp"],
  ["ioquake3 quake3e etlegacy", "textures/a.jpg", "jpg png tga jpeg pcx bmp"],
  ["iortcw-mp iortcw-sp", "textures/a", "tga jpg jpeg png pcx bmp"],
  ["iortcw-mp", "textures/a.png", "png tga jpg jpeg pcx bmp"],
  ["openjk", "textures/a", "jpg png tga"],
  ["openjk", "textures/a.tga", "tga jpg png"],
  ["openjk", "textures/a.odd", "jpg png tga"],
  ["ioquake3", "\\textures\\a", "png tga jpg jpeg pcx bmp"],
  ["spearmint", "textures/a", "tga jpg jpeg png ftx dds pcx bmp"],
  ["chomenor", "textures/a.tga", "png tga jpg jpeg pcx bmp"],
  ["quake3", "textures/a", "tga jpg"],
  ["quake3", "textures/a.jpg", "jpg"],
  ["dhewm3", "textures/a", "tga jpg"],
  ["quake", "textures/a", ""],
  ["quakespasm", "textures/a", "tga pcx"],
  ["ironwail vkquake", "textures/a", "png tga jpg pcx lmp"],
  ["qss", "textures/a", "dds tga png jpeg jpg pcx"],
  ["darkplaces", "textures/a", "tga png jpg pcx wal"],
  ["darkplaces", "textures/a.jpg", "tga png jpg pcx wal"],
  ["ftequake", "textures/a", "dds ktx tga png jpg pcx"],
  ["ezquake", "textures/a", "tga png jpg pcx"],
  ["quake2", "textures/a.wal", "wal"],
  ["yquake2", "textures/a.wal", "tga png jpg wal"],
  ["q2pro q2rtx", "textures/a.wal", "png jpg tga wal"],
  ["q2pro", "textures/a.tga", "tga png jpg"],
];

Deno.test("each engine shows the image with the extension that it tries first", async () => {
  for (const [profiles, name, order] of orders) {
    for (const profile of profiles.split(" ")) {
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which one fails
      assertEquals((await inTurn(profile, name, "base")).join(" "), order, `${name} under ${profile}`);
    }
  }
});

/** Returns the paths that answer for a name under an engine, in order, with their packs and deciding rules. */
async function imagesOf(files: Files, profile: string, name: string, view: string): Promise<string[]> {
  await using root = await installation(files);
  const catalog = scan(root.path, { profile, base: "id1", name: "game" });
  return new ShaderIndex(catalog.view(view), () => new Uint8Array(0)).answer(name).images
    .map(({ source, qpath, decidedBy }) => `${below(root.path, source)} ${qpath} ${decidedBy}`);
}

Deno.test("vkQuake prefers the higher game directory to the better format, unlike Ironwail", async () => {
  const files = {
    "id1/pak0.pak": pak([["textures/wall.png", "png"]]),
    "id1/pak1.pak": pak([["textures/wall.tga", "tga"]]),
    "mod/pak0.pak": pak([["textures/wall.tga", "tga"], ["textures/wall.jpg", "jpg"]]),
  };
  assertEquals(await imagesOf(files, "vkquake", "textures/wall", "mod"), [
    "mod/pak0.pak textures/wall.tga null",
    "mod/pak0.pak textures/wall.jpg extension",
    "id1/pak0.pak textures/wall.png game-directory",
    "id1/pak1.pak textures/wall.tga game-directory",
  ]);
  assertEquals(await imagesOf(files, "ironwail", "textures/wall", "mod"), [
    "id1/pak0.pak textures/wall.png null",
    "mod/pak0.pak textures/wall.tga extension",
    "id1/pak1.pak textures/wall.tga extension",
    "mod/pak0.pak textures/wall.jpg extension",
  ]);
});

Deno.test("the Daemon engine prefers the pack that is loaded first to the better format", async () => {
  const dpk = (files: Readonly<Record<string, string>>) =>
    zip(Object.entries(files).map(([name, content]) => ({ name, content })));
  await using root = await installation({
    "pkg/unvanquished_0.52.dpk": dpk({ DEPS: "tex-a\ntex-b\n", "a.txt": "a" }),
    "pkg/tex-a_1.dpk": dpk({ "textures/wall.jpg": "jpg", "textures/floor.jpg": "jpg", "textures/floor.png": "png" }),
    "pkg/tex-b_1.dpk": dpk({ "textures/wall.webp": "webp" }),
  });
  const catalog = scan(root.path, { profile: "daemon", base: "pkg", name: "game" });
  const index = new ShaderIndex(catalog.view("pkg"), () => new Uint8Array(0));
  const shown = (name: string) => index.answer(name).images.map(({ qpath }) => qpath.slice("textures/".length));
  assertEquals(shown("textures/wall"), ["wall.jpg", "wall.webp"]);
  assertEquals(shown("textures/floor"), ["floor.png", "floor.jpg"]);
});
