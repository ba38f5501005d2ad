// deno-lint-ignore-file no-await-in-loop -- one library after the other, to see which one fails
/** Compares archives that provide a map's missing files with sets found by trying archives one by one. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openIndex, type ProviderRow } from "../../../mod.ts";
import { zip } from "../../formats/bytes.ts";
import { type Files, installation } from "../../index/fixtures.ts";
import { md3, quake3Map } from "../../media/handmade.ts";
import { numbersFrom, seed } from "../../support/chance.ts";

type Content = string | Uint8Array;

function pk3(files: Readonly<Record<string, Content>>): Uint8Array {
  return zip(Object.entries(files).map(([name, content]) => ({ name, content })));
}

async function providersIn(files: Files, map: string): Promise<ProviderRow[]> {
  await using root = await installation({
    "game/baseq3/pak0.pk3": pk3({ "a.cfg": "" }),
    "library/.keep": "",
    ...files,
  });
  await using index = await openIndex({ sources: [`${root.path}/game`], profile: "ioquake3", name: "g" });
  const rows = await Array.fromAsync(index.view("g/baseq3").providers(`${root.path}/library`, map));
  return rows.map((row) => ({ ...row, source: row.source?.slice(root.path.length + "/library/".length) ?? null }));
}

const shader = (name: string, image: string) => `${name}\n{\n{\nmap ${image}\n}\n}\n`;
const model = '{ "classname" "misc_gamemodel" "model" "models/tree.md3" }';

Deno.test("archives provide files, shaders, and what files of other archives need", async () => {
  const rows = await providersIn({
    "game/baseq3/maps/m.bsp": quake3Map(model, [["textures/wall", 1], ["textures/lost", 1], ["textures/floor", 1]]),
    "game/baseq3/textures/floor.tga": "x",
    "library/a_shader.pk3": pk3({ "scripts/a.shader": shader("textures/wall", "textures/wall_d.tga") }),
    "library/b/image.pk3": pk3({ "textures/WALL_D.jpg": "x", "textures/bark.tga": "x" }),
    "library/c_model.pk3": pk3({ "models/tree.md3": md3("textures/bark") }),
    "library/d_floor.pk3": pk3({ "textures/floor.jpg": "x" }),
    "library/e_broken.pk3": pk3({ "textures/lost.tga": "x" }).subarray(0, 30),
    "library/readme.txt": "textures/lost.tga",
  }, "m");
  const described = rows.map(({ source, provides, chosen, exact, problem }) =>
    `${chosen ? "*" : "-"} ${source}: ${provides.join(" ")}${problem === null ? "" : " broken"}${
      exact ? "" : " greedy"
    }`
  );
  assertEquals(described, [
    "* a_shader.pk3: textures/wall",
    "* b/image.pk3: textures/bark textures/wall_d.tga",
    "* c_model.pk3: models/tree.md3",
    "- e_broken.pk3:  broken",
    "- null: textures/lost",
  ]);
});

Deno.test("a damaged file of an archive, or a directory that cannot be read, hides no other file", async () => {
  const broken = pk3({ "scripts/a.shader": "damaged here", "textures/wall.tga": "x" });
  broken[new TextDecoder("latin1").decode(broken).indexOf("damaged here")] = 0;
  const { readDirSync } = Deno;
  const refusing = (path: string | URL) => {
    if (String(path).endsWith("/locked")) throw new Deno.errors.PermissionDenied("Permission denied (os error 13)");
    return readDirSync(path);
  };
  using _restored = { [Symbol.dispose]: () => void Object.assign(Deno, { readDirSync }) };
  Object.assign(Deno, { readDirSync: refusing });
  const rows = await providersIn({
    "game/baseq3/maps/m.bsp": quake3Map("", [["textures/wall", 1]]),
    "library/half.pk3": broken,
    "library/locked/.keep": "",
  }, "m");
  assertEquals(rows.map(({ source, provides, problem }) => [source, provides, problem?.split(":")[0]]), [
    ["half.pk3", ["textures/wall"], "scripts/a.shader is damaged"],
    ["locked", [], "Permission denied (os error 13)"],
  ]);
});

Deno.test("the chosen archives are a smallest set, as trying all sets says, and whole where there are many", async () => {
  const random = numbersFrom(seed);
  const textures = Array.from({ length: 9 }, (_, index) => `textures/t${index}`);
  for (let round = 0; round < 12; round++) {
    const count = round < 9 ? 3 + random(6) : 13;
    const archives = Array.from({ length: count }, (_, index) => ({
      name: `${String(index).padStart(2, "0")}.pk3`,
      has: textures.filter(() => random(4) === 0),
      // Incompressible content.
      filling: Array.from({ length: random(2) * 3000 }, () => String.fromCharCode(33 + random(90))).join(""),
    }));
    const needed = textures.slice(0, 5 + random(4));
    const rows = await providersIn({
      "game/baseq3/maps/m.bsp": quake3Map("", needed.map((name) => [name, 1])),
      ...Object.fromEntries(archives.map(({ name, has, filling }) => [
        `library/${name}`,
        pk3(Object.fromEntries([["x.txt", filling], ...has.map((texture) => [`${texture}.tga`, texture])])),
      ])),
    }, "m");
    const providable = needed.filter((name) => archives.some(({ has }) => has.includes(name)));
    const covers = (set: readonly (typeof archives)[number][]) =>
      providable.every((name) => set.some(({ has }) => has.includes(name)));
    const sizes = Array.from({ length: 2 ** count }, (_, bits) => archives.filter((_, bit) => bits & (1 << bit)))
      .filter(covers).map((set) => set.length);
    const smallest = sizes.reduce((least, size) => Math.min(least, size), count);
    const chosen = archives.filter(({ name }) => rows.some((row) => row.source === name && row.chosen));
    assert(covers(chosen), JSON.stringify(rows));
    const isExact = rows.every(({ exact }) => exact);
    if (isExact) assertEquals(chosen.length, smallest);
    for (const one of chosen) assert(!covers(chosen.filter((other) => other !== one)), "one is not needed");
    const providing = archives.filter(({ has }) => has.some((name) => needed.includes(name))).map(({ name }) => name);
    assertEquals(rows.flatMap(({ source }) => source ?? []), providing);
    assertEquals(isExact, providing.length <= 10);
    const left = rows.find(({ source }) => source === null)?.provides ?? [];
    assertEquals(left, needed.filter((name) => !providable.includes(name)));
  }
});

Deno.test("of many archives, one that later choices make needless is left out", async () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((letter) => `textures/${letter}`);
  const holding = (...letters: string[]) =>
    pk3(Object.fromEntries(letters.map((letter) => [`textures/${letter}.tga`, "x"])));
  const rows = await providersIn({
    "game/baseq3/maps/m.bsp": quake3Map("", names.map((name) => [name, 1])),
    "library/most.pk3": holding("a", "b", "c", "d"),
    "library/one.pk3": holding("a", "b", "e"),
    "library/other.pk3": holding("c", "d", "f"),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`library/small${index}.pk3`, holding("a")])),
  }, "m");
  assertEquals(rows.filter(({ chosen }) => chosen).map(({ source }) => source), ["one.pk3", "other.pk3"]);
  assertEquals(rows.length, 12);
});

Deno.test("a library that is not found is an error", async () => {
  await using root = await installation({ "baseq3/pak0.pk3": pk3({ "maps/m.bsp": quake3Map("", []) }) });
  await using index = await openIndex({ sources: [root.path], profile: "ioquake3", name: "g" });
  const ask = (path: string) => Array.fromAsync(index.view("g/baseq3").providers(path, "m"));
  await assertRejects(() => ask(`${root.path}/none`), Error, "none: ");
  await assertRejects(() => ask("none"), Error, "not an absolute path");
});
