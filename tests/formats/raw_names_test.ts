import { assert, assertEquals, assertThrows } from "@std/assert";
import { RawNames } from "../../formats/core/raw_names.ts";
import { openArchive } from "../../formats/mod.ts";
import fc from "../support/fast_check.ts";
import { join, padded, text, u32 } from "./bytes.ts";

Deno.test("raw names answer as a map of them would, also from copied columns", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.uint8Array({ maxLength: 20 })), { maxLength: 300 }), (steps) => {
      const names = new RawNames();
      const model = new Map<number, Uint8Array>();
      let row = 0;
      for (const [step, name] of steps) {
        row += step;
        names.set(row, name);
        model.set(row, name);
      }
      for (const one of [names, new RawNames(names.columns())]) {
        assertEquals(one.size, model.size);
        assertEquals([...one], [...model]);
        assertEquals([...one.values()], [...model.values()]);
        for (let index = 0; index <= row + 1; index++) assertEquals(one.get(index), model.get(index));
      }
      if (row > 0) assertThrows(() => names.set(row - 1, text("late")), RangeError, "rows ascend");
      const continued = new RawNames(names.columns());
      continued.set(row + 7, text("more"));
      assertEquals([continued.get(row + 7), continued.get(row), names.get(row + 7)], [
        text("more"),
        model.get(row),
        undefined,
      ]);
    }),
  );
});

const count = 20_000;
const repeated = (one: (index: number) => Uint8Array) =>
  join(...Array.from({ length: count }, (_, index) => one(index)));

/** Archives of empty members whose displayed names differ from the stored ones. */
const tables: Readonly<Record<string, () => Uint8Array>> = {
  wad: () => join(text("PWAD"), u32(count, 12), repeated((index) => join(u32(0, 0), text(String(index).padStart(8))))),
  "wad of one name": () => join(text("PWAD"), u32(count, 12), new Uint8Array(count * 16)),
  grp: () => join(text("KenSilverman"), u32(count), new Uint8Array(count * 16)),
  grimrock: () => join(text("GRAR"), u32(count), repeated((index) => u32(index * 40_503, 8, 0, 0))),
  "quake-pak": () =>
    join(text("PACK"), u32(12, count * 64), repeated(() => join(padded(text("../a"), 56), u32(12, 0)))),
};

/** Opens the archives at the given paths, and prints each one's object bytes per member. */
const measure = `
import { openArchive } from ${JSON.stringify(new URL("../../formats/mod.ts", import.meta.url).href)};
const kept = () => {
  gc();
  gc();
  return Deno.memoryUsage().heapUsed;
};
for (const path of Deno.args) {
  openArchive(path)[Symbol.dispose](); // what is made once for all is made now
  await new Promise((resolve) => setTimeout(resolve, 0));
  const before = kept();
  const archive = openArchive(path);
  console.log(Math.round((kept() - before) / archive.table.length));
  archive[Symbol.dispose]();
}
`;

Deno.test("a table of members without content keeps no object for each", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const paths = await Promise.all(
      Object.entries(tables).map(async ([name, lay]) => {
        await Deno.writeFile(`${directory}/${name}`, lay());
        return `${directory}/${name}`;
      }),
    );
    for (const path of paths) {
      using archive = openArchive(path);
      assertEquals(archive.table.rawNames.size, archive.table.length, path);
    }
    await Deno.writeTextFile(`${directory}/measure.ts`, measure);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--quiet",
        "--config=deno.json",
        "--v8-flags=--expose-gc",
        `${directory}/measure.ts`,
        ...paths,
      ],
      cwd: new URL("../..", import.meta.url).pathname,
    }).output();
    const bytes = new TextDecoder().decode(stdout).trim().split("\n").map(Number);
    assertEquals(bytes.length, paths.length, new TextDecoder().decode(stderr));
    assert(bytes.every((each) => each < 20), `${Object.keys(tables)}: ${bytes} bytes for each member`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
