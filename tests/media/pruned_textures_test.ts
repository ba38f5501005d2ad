/** Tables of textures with some removed: invalid ones are a typed error, and the remaining textures are unchanged. */
import { assert, assertEquals } from "@std/assert";
import { MediaError } from "../../media/core/reader.ts";
import { prunedTextures, readPatchNames, readPatchTextures } from "../../media/doom_lumps.ts";
import { prunedDefinitions, readTextureDefinitions } from "../../media/texture_definitions.ts";
import { join, padded, text, u16, u32 } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { composedTextures, patchNames } from "./handmade_doom.ts";
import { mutants } from "./mutants.ts";

const names = patchNames(["A", "B", "C", "D"]);
const table = composedTextures([["FIRST", [0]], ["ONE", [3, 1]], ["TWO", [2]], ["THREE", [1, 1, 3]]]);

Deno.test("what is left of the tables of textures has its patches, in its order, with the first texture", () => {
  const { tables: [left = names], patchNames: list, patches } = prunedTextures(
    [table],
    names,
    (name) => name === "ONE",
  );
  assertEquals(patches, ["A", "B", "D"]);
  assertEquals(readPatchNames(list), patches);
  const [, before] = readPatchTextures(table);
  assert(before);
  const after = readPatchTextures(left);
  assertEquals(after.map(({ name }) => name), ["FIRST", "ONE"]);
  const numbers = [2, 1];
  const patchesLeft = before.patches.map((patch, index) => ({ ...patch, number: numbers[index] ?? -1 }));
  assertEquals(after[1], { ...before, patches: patchesLeft });
  // Strife leaves fields out.
  const strife = join(u32(1, 8), padded(text("WALL"), 8), u32(0), u16(64, 128), u16(1), u16(0, 0, 2));
  const { tables: [short] } = prunedTextures([strife], names, () => true);
  assertEquals(short, join(u32(1, 8), padded(text("WALL"), 8), u32(0), u16(64, 128), u16(1), u16(0, 0, 0)));
  const all = prunedTextures([table], names, () => true);
  assertEquals<unknown>(all, { tables: [table], patchNames: names, patches: ["A", "B", "C", "D"] });
});

Deno.test("damaged tables of textures are a typed error, or give tables that can be read", () => {
  fc.assert(
    fc.property(mutants(table), mutants(names), (textures, list) => {
      try {
        const { tables, patchNames } = prunedTextures([textures], list, (name) => name !== "TWO");
        for (const one of tables) readPatchTextures(one);
        readPatchNames(patchNames);
      } catch (error) {
        assert(error instanceof MediaError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

Deno.test("what is left of any TEXTURES has the textures that stay, whole", () => {
  const word = fc.constantFrom("A", '"b/c.png"', "D1", '"{"', "-1");
  const space = fc.constantFrom(" ", "\n", " // { texture\n", "/* } */", "\r\n\t");
  const patch = fc.tuple(word, space).map(([name, blank]) => `${blank}Patch${blank}${name}, -1, 2${blank}{ FlipX }`);
  const kinds = fc.constantFrom("texture", "WallTexture optional", "flat", "sprite");
  const texture = fc.tuple(kinds, word, space, fc.array(patch, { maxLength: 3 }))
    .map(([kind, name, blank, patches]) =>
      `${kind}${blank}${name}${blank}, 8, -4${blank}{${patches.join("")}${blank}}`
    );
  const other = fc.constantFrom('remap "x"', "define c/A.png force32bit 4 4", "define B 1, 2", "flat SMALL", "");
  const file = fc.array(fc.tuple(fc.oneof(texture, other), space).map((parts) => parts.join("")), { maxLength: 6 });
  const shown = (bytes: Uint8Array) =>
    readTextureDefinitions(bytes).map(({ offset: _, end: __, line: ___, ...one }) => one);
  fc.assert(
    fc.property(file, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (texts, choice) => {
      const bytes = text(texts.join(""));
      const [keep, same] = [choice.values(), choice.values()];
      const { bytes: left, omitted } = prunedDefinitions(bytes, () => keep.next().value ?? true);
      const expected = shown(bytes).filter(() => same.next().value ?? true);
      assertEquals(shown(left), expected);
      assertEquals(omitted, shown(bytes).length - expected.length);
    }),
    { numRuns: 300 },
  );
});
