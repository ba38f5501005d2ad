// deno-lint-ignore-file no-await-in-loop -- one map after the other, to see which one fails
/** Compares the needs of Freedoom's maps, and the users of its floors and walls, with a Python reading of the WAD. */
import { assert, assertEquals } from "@std/assert";
import { openIndex } from "../../../mod.ts";
import { output, string } from "../../formats/bytes.ts";
import { debianPackage } from "../../support/debian_data.ts";
import { needs } from "../../support/programs.ts";

/** Answer of `doom_maps.py`. */
interface Told {
  readonly maps: Readonly<
    Record<string, { readonly walls: string[]; readonly floors: string[]; readonly things: number[] }>
  >;
  readonly textures: Readonly<Record<string, string[]>>;
  readonly lumps: readonly string[];
}

const directory = "usr/share/games/doom";
const wads = [["freedoom", "freedoom1.wad"], ["freedoom", "freedoom2.wad"], ["freedm", "freedm.wad"]] as const;

for (const [debian, name] of wads) {
  const title = `what the maps of ${name} need is what their lumps name, and nothing is missing`;
  Deno.test(title, needs("python3", `debian:${debian}`), async () => {
    const path = `${debianPackage(debian)}/${directory}/${name}`;
    const script = new URL("doom_maps.py", import.meta.url).pathname;
    const told: Told = JSON.parse(string(await output("python3", script, path)));
    const maps = Object.entries(told.maps);
    assert(maps.length >= 32);
    await using index = await openIndex({ sources: [path], profile: "chocolate", name: "d" });
    const view = index.view();
    for (const [map, { walls, floors }] of maps) {
      const rows = await Array.fromAsync(view.needs(map));
      assertEquals(rows.filter(({ qpath, problem }) => qpath === null || problem !== null), [], map);
      const named = (lump: string) => new Set(rows.find((row) => row.name === `maps/${map}/${lump}`)?.needs);
      assertEquals(named("SIDEDEFS"), new Set(walls), map);
      assertEquals(named("SECTORS"), new Set(floors.map((floor) => `flats/${floor}`)), map);
      for (const row of rows.filter(({ kind }) => kind === "definition")) {
        const patches = row.needs.map((need) => need.slice(need.lastIndexOf("/") + 1)).filter((need) =>
          !told.textures[need]
        );
        const expected = (told.textures[row.name] ?? []).filter((patch) => !told.textures[patch]);
        assertEquals(new Set(patches), new Set(expected), row.name);
      }
    }
    assertEquals(await Array.fromAsync(view.missing()), []);
    const numbers = new Set(maps.flatMap(([, { things }]) => things));
    assert(numbers.size > 20, "monsters, weapons and lamps");
    for (const kind of ["walls", "floors"] as const) {
      const names = [...new Set(maps.flatMap(([, map]) => map[kind]))].sort().filter((_, at) => at % 40 === 0);
      for (const one of names) {
        const asked = kind === "walls" ? one : `flats/${one}`;
        // A patch may have the name of a texture.
        if (kind === "walls" && told.lumps.includes(one)) continue;
        const users = await Array.fromAsync(view.usedBy(asked));
        const lump = kind === "walls" ? "SIDEDEFS" : "SECTORS";
        const found = users.filter(({ qpath, through }) => qpath.endsWith(lump) && through === null);
        const expected = maps.filter(([, map]) => map[kind].includes(one)).map(([map]) => `maps/${map}/${lump}`);
        assertEquals(found.map(({ qpath }) => qpath).sort(), expected.sort(), asked);
      }
    }
  });
}
