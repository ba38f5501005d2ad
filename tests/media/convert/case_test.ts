/**
 * Games spell names in any case, so conversions must ignore case: each file is converted with its references in any
 * spelling, among files in any other.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { NamedFile, Surroundings } from "../../../media/convert/converter.ts";
import { convertersOf } from "../../../media/convert/table.ts";
import { encodePcx, encodeTga } from "../../../daemon/demo/image.ts";
import { demoPalette } from "../../../daemon/demo/palette.ts";
import { extensionOf, fileKindOf } from "../../../media/file_kind.ts";
import { join, string, text, u16, u32 } from "../../formats/bytes.ts";
import { md2, md3, mip, testPalette, textureWad } from "../handmade.ts";
import { archMap, floorMap } from "../handmade_maps.ts";
import { halfLifeModel, md5, mdc } from "../handmade_models.ts";
import fc from "../../support/fast_check.ts";
import { faultsOf, toGltf } from "./gltf.ts";
import { seeds } from "./samples.ts";

/** Spells a name in some way. */
type Spell = (name: string) => string;

/** Ways to spell names: lower case, upper case, and alternating case. */
const spells: fc.Arbitrary<Spell> = fc.oneof(
  fc.constant<Spell>((name) => name.toUpperCase()),
  fc.array(fc.boolean(), { minLength: 7, maxLength: 61 }).map((capitals): Spell => {
    let next = 0;
    return (name) =>
      Array.from(name, (letter) => capitals[next++ % capitals.length] ? letter.toUpperCase() : letter.toLowerCase())
        .join("");
  }),
);

/** Looks files up as engines do that ignore case. */
function ignoringCase(files: readonly NamedFile[], shaders: readonly (readonly [string, string])[]): Surroundings {
  const file = (name: string) => Promise.resolve(files.find(({ qpath }) => qpath.toLowerCase() === name.toLowerCase()));
  const shader = (name: string) =>
    Promise.resolve(shaders.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]);
  const image = async (name: string) => await file(name) ?? await file(`${name}.tga`);
  return { file, image, shader };
}

/** Returns a file in which a name is spelled otherwise. */
function respelled(bytes: Uint8Array, spell: Spell, ...names: readonly string[]): Uint8Array {
  let hex = bytes.toHex();
  for (const name of names) {
    assert(hex.includes(text(name).toHex()), name);
    hex = hex.replaceAll(text(name).toHex(), () => text(spell(name)).toHex());
  }
  return Uint8Array.fromHex(hex);
}

/** A file to convert, its referenced files, and shaders. */
interface Conversion {
  readonly file: readonly [qpath: string, bytes: Uint8Array];
  readonly others: Readonly<Record<string, Uint8Array>>;
  readonly shaders?: Readonly<Record<string, string>>;
}

const picture = (value: number) =>
  encodeTga({ width: 2, height: 1, rgba: Uint8Array.of(value, 2, 3, 255, value, 5, 6, 255) });
const pcx = encodePcx({ width: 4, height: 4, rgba: new Uint8Array(64).fill(255) }, demoPalette());
const wal = join(new Uint8Array(32), u32(32, 8, 100), new Uint8Array(56), new Uint8Array(256));

function wad3(name: string): Uint8Array {
  const wad = textureWad([[name, 67, join(mip(name, 5), u16(256), testPalette(), u16(0))]]);
  wad[3] = 0x33;
  return wad;
}

/** Removes the texture `floor` from a Half-Life map, so that it comes from WADs. */
function withoutFloor(map: Uint8Array): Uint8Array {
  const start = map.toHex().indexOf(join(text("floor"), new Uint8Array(11), u32(16, 16)).toHex()) / 2;
  return map.fill(0, start + 24, start + 40);
}

/** Lines of frames for all animations of a player of Quake 3. */
const animations = Array.from({ length: 25 }, (_, row) => `${row % 2} 1 0 ${10 + row}`).join("\n");

/** Conversions with references spelled by `spell`. */
const conversions: Readonly<Record<string, (spell: Spell) => Conversion>> = {
  "a player of Quake 3 with skins and clips": (spell) => ({
    file: [spell("p/upper_1.md3"), respelled(md3("a/torso.tga"), spell, "u_torso", "a/torso.tga")],
    others: {
      "p/upper_default.skin": text(`tag_head,\n${spell("u_torso")},${spell("a/default.tga")}`),
      "p/upper_red.skin": text(`${spell("u_torso")},${spell("a/red.tga")}`),
      "p/animation.cfg": text(animations),
      "a/default.tga": picture(7),
      "a/red.tga": picture(9),
      "a/torso.tga": picture(11),
    },
  }),
  "the legs of a player of Quake 3": (spell) => ({
    file: [spell("p/lower.mdc"), respelled(mdc(), spell, "body", "models/a")],
    others: { "p/animation.cfg": text(animations), "models/a.tga": picture(11) },
  }),
  "a model of Quake 2": (spell) => ({
    file: [spell("m/tris.md2"), respelled(md2(["m/skin.pcx"]), spell, "m/skin.pcx")],
    others: { "m/skin.pcx": pcx },
  }),
  "a model of Doom 3": (spell) => ({
    file: [spell("m/imp.md5mesh"), respelled(md5.mesh, spell, "models/hand", "arm", '"root')],
    others: { "m/imp.md5anim": respelled(md5.animation, spell, '"root', '"arm'), "models/hand.tga": picture(3) },
  }),
  "a model of Half-Life whose textures are in a second file": (spell) => ({
    file: [spell("m/barney.mdl"), halfLifeModel({ textures: [], family: [], shown: 0 })],
    others: { "m/barneyt.mdl": halfLifeModel() },
  }),
  "a map of Half-Life with a WAD": (spell) => ({
    file: [
      spell("maps/a.bsp"),
      respelled(
        withoutFloor(floorMap("half-life", "skip", '{"classname" "worldspawn" "wad" "C:\\valve\\hl.wad"}')),
        spell,
        "hl.wad",
        "floor",
        "skip",
      ),
    ],
    others: { "hl.wad": wad3(spell("floor")), "gfx/palette.lmp": testPalette() },
  }),
  "a map of Quake with light and replaced textures": (spell) => ({
    file: [spell("maps/a.bsp"), respelled(floorMap("quake", "*lava"), spell, "floor", "*lava")],
    others: {
      "maps/a.lit": join(text("QLIT"), u32(1), new Uint8Array(75).fill(33)),
      "textures/a/floor.tga": picture(1),
      "textures/#lava.tga": picture(2),
      "gfx/palette.lmp": testPalette(),
    },
  }),
  "a map of Quake with a surface that is not drawn": (spell) => ({
    file: [spell("maps/a.bsp"), respelled(floorMap("quake", "trigger"), spell, "floor", "trigger")],
    others: { "gfx/palette.lmp": testPalette() },
  }),
  "a map of Quake 2": (spell) => ({
    file: [spell("maps/a.bsp"), respelled(floorMap("quake2", "e1/clip"), spell, "floor", "e1/clip")],
    others: { "textures/floor.wal": wal, "pics/colormap.pcx": pcx },
  }),
  "a map of Quake 3 with a shader": (spell) => ({
    file: [
      spell("maps/a.bsp"),
      respelled(
        archMap('{"classname" "worldspawn"}{"classname" "trigger_once" "model" "*0"}'),
        spell,
        "textures/a",
        "trigger_once",
      ),
    ],
    others: { "textures/a.tga": picture(8) },
    shaders: { "textures/a": spell("{\ncull none\n{\nmap a\nalphafunc ge128\nblendfunc add\n}\n}") },
  }),
  "a map of Quake 3 with a surface that has no shader": (spell) => ({
    file: [spell("maps/a.bsp"), respelled(respelled(archMap(), () => "noshader\0\0", "textures/a"), spell, "noshader")],
    others: {},
  }),
};

/** Converts to glTF; returns it with its JSON in lower case. */
async function converted({ file: [qpath, bytes], others, shaders = {} }: Conversion, spell: Spell): Promise<string> {
  const files = Object.entries(others).map(([qpath, bytes]) => ({ qpath: spell(qpath), bytes }));
  const named = Object.entries(shaders).map(([name, definition]) => [spell(name), definition] as const);
  const glb = await toGltf(qpath, bytes, ignoringCase(files, named));
  assertEquals(await faultsOf(glb), []);
  const end = 20 + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return string(glb.subarray(0, end)).toLowerCase() + glb.subarray(end).toHex();
}

for (const [title, conversion] of Object.entries(conversions)) {
  Deno.test(`${title} is converted in any spelling`, async () => {
    const expected = await converted(conversion(String), String);
    assert(!/"(?:missing|damaged)":/.test(expected), "everything is found");
    await fc.assert(
      fc.asyncProperty(spells, spells, async (references, files) => {
        assertEquals(await converted(conversion(references), files), expected);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
}

Deno.test("the kind of a file and its converters do not depend on the case of its name", () => {
  fc.assert(
    fc.property(spells, fc.constantFrom(...Object.entries(seeds)), (spell, [qpath, bytes]) => {
      const spelled = spell(qpath);
      assertEquals(extensionOf(spelled), extensionOf(qpath).toLowerCase());
      assertEquals(fileKindOf(spelled, bytes), fileKindOf(qpath, bytes), spelled);
      const names = (path: string) => convertersOf(path).map(({ name }) => name);
      assertEquals(names(spelled), names(qpath));
      assert(names(qpath).length > 0);
    }),
    { numRuns: 300 },
  );
});
