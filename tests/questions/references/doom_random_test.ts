// deno-lint-ignore-file no-await-in-loop -- one game after the other, to see which one fails
/**
 * Random maps of Doom in all formats, with known names: their needs, missing names, and the users of each floor. A
 * third of the files are missing.
 */
import { assertEquals } from "@std/assert";
import { openIndex } from "../../../mod.ts";
import { text, wad, zip } from "../../formats/bytes.ts";
import { installation } from "../../index/fixtures.ts";
import {
  binaryMap,
  compiledScripts,
  composedTextures,
  type HandLumps,
  type HandMap,
  patchNames,
  textMap,
} from "../../media/handmade_doom.ts";
import { numbersFrom, seed } from "../../support/chance.ts";

const games = 30;
const numbered = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);

Deno.test("random maps of each format need what was put into them", async () => {
  const random = numbersFrom(seed);
  for (let game = 0; game < games; game++) {
    const one = (names: readonly string[]) => names[random(names.length)] ?? "";
    const there = (names: readonly string[]) => names.filter(() => random(3) > 0);
    const [walls, floors, patches] = [numbered(12, "WALL"), numbered(9, "FLAT"), numbered(9, "PATCH")];
    const known = { floors: there(floors), patches: there(patches), walls: there(walls) };
    const composed = known.walls.map((name): [string, number[]] => [name, [random(9), random(9)]]);
    const room = (): HandMap => ({
      sides: Array.from({ length: random(9) }, () => [one([...walls, "-"]), one([...walls, "-"]), one(walls)]),
      sectors: Array.from({ length: random(6) }, () => [one(floors), one(floors)]),
      things: [],
    });
    const maps = numbered(3, "MAP0").map((name) => ({ name, map: room(), format: random(4) }));
    const blank = (name: string): HandLumps[number] => [name, "sixteen letters!"];
    const lumpsOf = ({ name, map, format }: typeof maps[number]) =>
      format === 0 ? binaryMap(name, map) : format === 1 ? binaryMap(name, map, compiledScripts()) : textMap(name, map);
    const iwad = wad([
      ...["PLAYPAL", "MAP01", "D_RUNNIN", "D_STALKS", "SKY1"].map(blank),
      ["PNAMES", patchNames(patches)],
      ["TEXTURE1", composedTextures([["SKY1", []], ...composed])],
      ...known.patches.map(blank),
      ["F_START", ""],
      ...known.floors.map(blank),
      ["F_END", ""],
      ...maps.filter(({ format }) => format < 3).flatMap(lumpsOf),
    ], "IWAD");
    const packed = maps.filter(({ format }) => format === 3).map((map) => ({
      name: `maps/${map.name.toLowerCase()}.wad`,
      content: wad(lumpsOf(map)),
    }));
    await using root = await installation({
      "doom2.wad": iwad,
      "mod.pk3": zip([{ name: "readme", content: text("-") }, ...packed]),
    });
    await using index = await openIndex({
      sources: [`${root.path}/doom2.wad`, `${root.path}/mod.pk3`],
      profile: "gzdoom",
      name: "d",
    });
    const view = index.view();
    const users = new Map<string, string[]>();
    for (const { name, map: { sides, sectors }, format } of maps) {
      const shown = new Set(sides.flat().filter((wall) => wall !== "-"));
      const expected = [
        ...Array.from(shown, (wall) => known.walls.includes(wall) ? wall : `! ${wall}`),
        ...new Set(sectors.flat().map((floor) => known.floors.includes(floor) ? `flats/${floor}` : `! flats/${floor}`)),
        ...new Set(
          composed.filter(([wall]) => shown.has(wall)).flatMap(([, numbers]) =>
            numbers.map((number) =>
              known.patches.includes(patches[number] ?? "") ? `${patches[number]}` : `! patches/${patches[number]}`
            )
          ),
        ),
      ];
      const rows = await Array.fromAsync(view.needs(name));
      const named = rows.map((row) => `${row.qpath === null ? "! " : ""}${row.name}`)
        .filter((row) => /^(?:! )?(?:flats\/|patches\/)?(?:WALL|FLAT|PATCH)\d/.test(row));
      const context = `game ${game}, ${name} of format ${format}, PAKFS_SEED=${seed}`;
      assertEquals(named.sort(), expected.sort(), context);
      const lump = format === 3
        ? `maps/${name.toLowerCase()}.wad`
        : `maps/${name}/${format < 2 ? "SECTORS" : "TEXTMAP"}`;
      for (const floor of new Set(sectors.flat())) users.set(floor, [...users.get(floor) ?? [], lump]);
    }
    for (const floor of known.floors) {
      const found = await Array.fromAsync(view.usedBy(`flats/${floor}`), ({ name }) => name);
      assertEquals(found.sort(), (users.get(floor) ?? []).sort(), `game ${game}, ${floor}, PAKFS_SEED=${seed}`);
    }
  }
});
