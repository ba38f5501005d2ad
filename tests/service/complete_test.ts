// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Compares completed and corrected names with loops over all names, without the index's trees. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { scanCatalog } from "../support/catalogs.ts";
import type { View } from "../../views/view.ts";
import type { ParamsOf } from "../../protocol/methods.ts";
import { nearestPath } from "../../service/methods/complete.ts";
import { openLocalGames } from "../../service/local.ts";
import { type Files, installation, pakOf, zipOf } from "../index/fixtures.ts";
import fc from "../support/fast_check.ts";

/** Game directories of the games `g` and `gg`: one letter long, the beginning of another, and named like packs. */
const directories = ["id1", "a", "ab", "m", "mod", "pak"];
const files: Files = Object.fromEntries(
  ["one", "two"].flatMap((game) =>
    directories.flatMap((directory, number) => [
      [`${game}/${directory}/pak0.pak`, pakOf("x.cfg", "maps/start.bsp")],
      [`${game}/${directory}/${directory}${game}.pak`, pakOf("y.cfg")],
      ...(number > 2 ? [[`${game}/${directory}/pak1.pak`, pakOf("x.cfg")]] : []),
      [`${game}/${directory}/loose.cfg`, ""],
    ])
  ),
);

async function opened() {
  const root = await installation(files);
  const connection = await openLocalGames([
    { sources: [`${root.path}/one`], profile: "quakespasm", name: "g" },
    { sources: [`${root.path}/two`], profile: "quakespasm", name: "gg" },
  ]);
  return {
    connection,
    complete: async (params: ParamsOf<"complete">) => (await connection.call("complete", params)).matches,
    async [Symbol.asyncDispose](): Promise<void> {
      await connection.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Every prefix of these names, and strings that are no prefix. */
function beginnings(names: readonly string[]): string[] {
  const all = names.flatMap((name) => Array.from({ length: name.length + 1 }, (_, length) => name.slice(0, length)));
  return Array.from(new Set([...all, "~", ...names.map((name) => `${name}~`)]));
}

Deno.test("a view is completed with each game directory that its stack lacks, and with no other", async () => {
  await using here = await opened();
  const mods = directories.filter((name) => name !== "id1");
  const stacks = [...mods.map((mod) => [mod]), ...mods.flatMap((one) => mods.map((two) => [one, two])), ["id1"]];
  const { rows } = await here.connection.call("views", {});
  const order = rows.flatMap(({ view }) => view.startsWith("g/") ? [view.slice(2)] : []);
  assertEquals(order.toSorted(), directories.toSorted());
  for (const game of ["g", "gg"]) {
    for (const stack of stacks) {
      for (const part of beginnings(mods)) {
        const before = `${game}/${stack.join("+")}+`;
        const names = order.filter((name) => name !== "id1" && !stack.includes(name) && name.startsWith(part));
        const found = await here.complete({ kind: "view", prefix: before + part });
        assertEquals(found, names.map((name) => before + name), before + part);
      }
    }
  }
  assertEquals(await here.complete({ kind: "view", prefix: "none/a+" }), []);
});

Deno.test("packs are completed with those of the view's search path, or of all games", async () => {
  await using here = await opened();
  const views = (await here.connection.call("views", {})).rows.map(({ view }) => view);
  const nameOf = (source: string) => source.slice(source.lastIndexOf("/") + 1);
  for (const view of [undefined, ...views]) {
    const packs = view === undefined
      ? (await here.connection.call("packs", {})).rows.map(({ pack }) => pack)
      : (await here.connection.call("path", { view })).rows.filter(({ kind }) => kind === "pack")
        .map(({ source }) => nameOf(source));
    const names = Array.from(new Set(packs)).sort();
    for (const prefix of beginnings(names)) {
      const params = { kind: "pack", prefix, ...(view === undefined ? {} : { view }) } as const;
      assertEquals(await here.complete(params), names.filter((name) => name.startsWith(prefix)), `${view} ${prefix}`);
    }
  }
});

Deno.test("of names of any kind the first are given, as many as are requested", async () => {
  await using here = await opened();
  const questions: ParamsOf<"complete">[] = [
    { kind: "view", prefix: "g" },
    { kind: "view", prefix: "g/mod+" },
    { kind: "pack", prefix: "" },
    { kind: "pack", view: "g/mod", prefix: "p" },
    { kind: "source", view: "g/mod", prefix: "" },
    { kind: "qpath", view: "g/mod", prefix: "" },
  ];
  for (const question of questions) {
    const all = await here.complete(question);
    assertNotEquals(all.length, 0, JSON.stringify(question));
    for (let limit = 0; limit <= all.length + 1; limit++) {
      assertEquals(await here.complete({ ...question, limit }), all.slice(0, limit), JSON.stringify(question));
    }
  }
});

const anyName = fc.constantFrom("a", "ab", "abc", "b", "B2", "é", "éa", "aé");
const anyPath = fc.array(anyName, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

/** Returns the paths that are not directories of others, each name once in any case. */
function plainFiles(paths: readonly string[]): string[] {
  const once = Array.from(new Map(paths.map((path) => [path.toLowerCase(), path])).values());
  return once.filter((path) => !once.some((other) => other.toLowerCase().startsWith(`${path.toLowerCase()}/`)));
}

Deno.test("a path is completed with the names in its directory that begin so, as the engine compares them", async () => {
  const holds = async (paths: readonly string[], prefixes: readonly string[], ignoresCase: boolean) => {
    const names = plainFiles(paths);
    await using root = await installation(
      ignoresCase ? { "baseq3/pak0.pk3": zipOf(...names) } : { "id1/pak0.pak": pakOf(...names) },
    );
    const profile = ignoresCase ? "ioquake3" : "quake";
    const connection = await openLocalGames([{ sources: [root.path], profile, name: "g" }]);
    const folded = (name: string) => ignoresCase ? name.toLowerCase() : name;
    for (const prefix of prefixes) {
      const directory = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      const wanted = folded(prefix);
      const fitting = names.filter((name) => folded(name).startsWith(wanted));
      const expected = fitting.map((name) => {
        const [child = "", ...deeper] = name.slice(directory.length).split("/");
        return directory + child + (deeper.length > 0 ? "/" : "");
      });
      const { matches } = await connection.call("complete", { kind: "qpath", prefix });
      const own = matches.filter((match) => !match.toLowerCase().startsWith("pak0."));
      const once = new Map(expected.map((name) => [folded(name), name]));
      assertEquals(own.map(folded).sort(), Array.from(once.keys()).sort(), `${prefix} of ${names}`);
    }
    await connection.close();
  };
  const anyPrefix = fc.tuple(anyPath, fc.nat(6), fc.boolean()).map(([path, length, isShouted]) => {
    const prefix = path.slice(0, length);
    const last = prefix.lastIndexOf("/") + 1;
    return isShouted ? prefix.slice(0, last) + prefix.slice(last).toUpperCase() : prefix;
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPath, { minLength: 1, maxLength: 10 }),
      fc.array(anyPrefix, { minLength: 5, maxLength: 10 }),
      fc.boolean(),
      holds,
    ),
    { numRuns: 40 },
  );
});

Deno.test("a view is completed by its game directory alone as far as commands take that, in stacks too", async () => {
  const games = { quake: ["id1", "mymap", "my mod"], other: ["id1", "my", "quake", "other"] };
  await using root = await installation(Object.fromEntries(
    Object.entries(games).flatMap(([game, names]) => names.map((name) => [`${game}/${name}/x.cfg`, ""])),
  ));
  await using connection = await openLocalGames(
    Object.keys(games).map((name) => ({ name, sources: [`${root.path}/${name}`], profile: "quakespasm" })),
  );
  const views = (await connection.call("views", {})).rows.map(({ view }) => view);
  const complete = async (prefix: string) => (await connection.call("complete", { kind: "view", prefix })).matches;
  const directories = Array.from(new Set(Object.values(games).flat()));
  const meant: string[] = [];
  for (const name of directories) {
    // A name counts if commands resolve it to the directory, not to the game with that name.
    const found = await connection.call("path", { view: name }).then(({ rows }) => rows, () => []);
    if (found[0]?.gameDirectory === name) meant.push(name);
  }
  assertEquals(meant.toSorted(), ["my", "my mod", "mymap"]);
  for (const prefix of beginnings([...directories, ...views])) {
    const names = prefix === "" ? views : [...views, ...meant];
    const expected = names.filter((name) => name.startsWith(prefix)).toSorted();
    assertEquals((await complete(prefix)).toSorted(), expected, prefix);
  }
  assertEquals(await complete("mymap+"), ["mymap+my mod"]);
  assertEquals(await complete("id1+"), [], "two games have it");
});

/** The view of a game that has these files. */
async function viewOf(names: readonly string[]): Promise<{ readonly view: View } & AsyncDisposable> {
  const root = await installation({ "baseq3/pak0.pk3": zipOf(...names) });
  const catalog = scanCatalog([{ sources: [root.path], profile: "ioquake3", name: "g" }]);
  return { view: catalog.view("g/baseq3"), [Symbol.asyncDispose]: () => root[Symbol.asyncDispose]() };
}

Deno.test("one mistyped name of a path is corrected, however the path is written; two are not", async () => {
  const known = ["maps/deep/start.bsp", "maps/readme.txt", "textures/wall/brick.tga", "sound/boom.wav"];
  await using here = await viewOf(known);
  const mistyped = (name: string, at: number) =>
    `${name.slice(0, at % name.length)}~${name.slice(at % name.length + 1)}`;
  const anyNoise = fc.array(fc.constantFrom("", "", "/", "./", "/./"), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.nat(3), fc.nat(20), anyNoise, (path, part, at, noise) => {
      const names = path.split("/");
      const wrong = names.map((name, index) => index === part % names.length ? mistyped(name, at) : name);
      const written = (parts: readonly string[]) => parts.map((name, index) => (noise[index] ?? "") + name).join("/");
      assertEquals(nearestPath(here.view, written(wrong)), path, written(wrong));
      assertEquals(nearestPath(here.view, written(names)), undefined, "nothing is wrong with it");
      const twice = names.map((name) => mistyped(name, at));
      assertEquals(nearestPath(here.view, written(twice)), undefined, written(twice));
      assertEquals(nearestPath(here.view, written([...names, "x"])), undefined, "below a file");
      assertEquals(nearestPath(here.view, written(["id1", ...names])), path, "below a game directory");
      assertEquals(nearestPath(here.view, `C:\\Quake\\id1\\${names.join("\\")}`), path, "of another system");
    }),
    { numRuns: 200 },
  );
});

Deno.test("names and paths are corrected up to their longest, and among the first 5000 of a directory", async () => {
  const long = "n".repeat(63);
  const deep = (depth: number) => `${"d/".repeat(depth - 1)}file`;
  const many = Array.from({ length: 5001 }, (_, index) => `many/${String(index).padStart(4, "0").repeat(4)}`);
  await using here = await viewOf([`long/${long}`, deep(64), deep(65), ...many]);
  const near = (path: string) => nearestPath(here.view, path);
  assertEquals([near(`long/${long}x`), near(`long/${long}xx`)], [`long/${long}`, undefined]);
  assertEquals([near(deep(64).replace("file", "fil")), near(deep(65).replace("file", "fil"))], [deep(64), undefined]);
  assertEquals(near(`${many[4999]}x`), many[4999]);
  assertNotEquals(near(`${many[5000]}x`), many[5000]);
});

Deno.test("a file of that very name elsewhere is nearer than one of a similar name, which is nearer than another extension", async () => {
  await using here = await viewOf([
    "dsbspsit",
    "sounds/dsimpsit",
    "sounds/more/dsimpsit",
    "gfx/conback.lmp",
    "gfx/map.png",
    "maps/a.bsp",
  ]);
  const near = (path: string) => nearestPath(here.view, path);
  assertEquals(["dsimpsit", "DSIMPSIT", "music/dsimpsit"].map(near), Array(3).fill("sounds/dsimpsit"));
  assertEquals(["dsbspsi", "map", "conback", "x/conback.lmp", "nothing", ""].map(near), [
    "dsbspsit",
    "maps",
    "gfx/conback.lmp",
    "gfx/conback.lmp",
    undefined,
    undefined,
  ]);
});
