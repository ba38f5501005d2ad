/** Games that load lists of files: detection, answers about them, refreshes, and bad input. */
import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { detectGames, openIndex } from "../../mod.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { doom } from "../../games/doom.ts";
import { GameError } from "../../games/game_error.ts";
import { gzdoomMembers } from "../../engines/lumps/gzdoom_archive.ts";
import { type DoomGame, filtersOf } from "../../engines/lumps/iwads.ts";
import { namedDifference } from "../../questions/diff.ts";
import { which } from "../../questions/which.ts";
import { RootPresence } from "../../index/scan/root_presence.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { none } from "../../index/columns/columns.ts";
import type { Catalog } from "../../views/catalog.ts";
import { OtherList } from "../../views/other_list.ts";
import type { View } from "../../views/view.ts";
import { ViewError } from "../../views/view_error.ts";
import { whichCandidates } from "../../views/which.ts";
import { join, text, u32, wad, wadEntry, zip } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { anHourLater, type Files, installation, writeFiles } from "./fixtures.ts";

const doom2 = wad([
  ["MAP01", ""],
  ["THINGS", "things of doom2"],
  ["TITLEPIC", "title of doom2"],
  ["S_START", ""],
  ["TROOA1", "imp of doom2"],
  ["S_END", ""],
], "IWAD");
const patch = wad([["TITLEPIC", "title of patch"]]);

function scan(root: string, options: Omit<GameOptions, "sources"> & { sources?: string[] }, before?: Catalog): Catalog {
  const { sources = [options.iwad ?? "", ...options.files ?? []], ...rest } = options;
  const at = (path: string) => path.startsWith("-") ? path : `${root}/${path}`;
  return scanCatalog([{
    ...rest,
    sources: sources.filter((path) => !path.startsWith("-")).map(at),
    ...rest.iwad === undefined ? {} : { iwad: at(rest.iwad) },
    ...rest.files === undefined ? {} : { files: rest.files.map(at) },
  }], before ? { previous: before } : {});
}

/** Returns the paths of all files of a view. */
function filesOf({ tree }: View): string[] {
  return Array.from({ length: tree.length }, (_, node) => node).filter((node) => !tree.isDirectory(node))
    .map((node) => tree.pathOf(node));
}

async function refused(files: Files, options: Parameters<typeof scan>[1]): Promise<string> {
  await using root = await installation(files);
  const { message } = assertThrows(() => scan(root.path, options), GameError);
  return message.replaceAll(`${root.path}/`, "");
}

Deno.test("an IWAD among files, or in a directory, makes them a game of GZDoom, and says which", async () => {
  await using root = await installation({ "g/doom2.wad": doom2, "g/patch.wad": patch, "pwads/patch.wad": patch });
  const together = scan(root.path, { sources: ["g/patch.wad", "g/doom2.wad"] });
  assertEquals(together.views.map(({ name }) => name), ["doom2/doom2"]);
  assertEquals(together.games[0]?.because, `${root.path}/g/doom2.wad is the IWAD of Doom II`);
  assertEquals(together.view().searchPath.map(({ name }) => name), ["patch.wad", "doom2.wad"]);
  const directory = scan(root.path, { sources: ["g"] });
  assertEquals([directory.games[0]?.profile.name, directory.views.map(({ name }) => name)], ["gzdoom", ["g/doom2"]]);
  assertEquals(scan(root.path, { sources: ["pwads"] }).games[0]?.profile.name, "generic");
  const { games } = detectGames([`${root.path}/g`]);
  assertEquals(games.map(({ title, profile, engines }) => [title, profile, engines]), [
    ["Doom II", "gzdoom", doom.engines.map(({ name }) => name)],
  ]);
  assertEquals(games[0]?.ignored.map(({ path }) => path), [`${root.path}/g/patch.wad`]);
});

Deno.test("GZDoom loads what an IWAD names, and says what it misses", async () => {
  const title = wad([["TITLEPIC", "title"]]);
  const hexen = (map: string, sign: string) => wad([["TITLE", ""], [map, ""], [sign, ""], ["MAP40", ""]], "IWAD");
  await using root = await installation({
    "my.ipk3": zip([
      {
        name: "iwadinfo.txt",
        content: 'IWad { Name = "My" Game = "Heretic" Autoname = "my.one" Load = "x.wad", "../z.wad" }',
      },
      { name: "filter/my/a.txt", content: "mine" },
      { name: "filter/game-heretic/b.txt", content: "heretic" },
      { name: "filter/doom/c.txt", content: "" },
    ]),
    "x.wad": title,
    "hexen.wad": hexen("MAP01", "WINNOWR"),
    "hexdd.wad": hexen("MAP60", "CLUS1MSG"),
    "alone/hexdd.wad": hexen("MAP60", "CLUS1MSG"),
    "p.pk3": zip([{ name: "gameinfo.txt", content: "LOAD = gone.wad" }]),
    "odd.pk3": zip([{
      name: "gameinfo.txt",
      content: '= x.wad LOAD = "/x.wad", "alone/../x.wad", "alone\\x.wad", "x.wad"',
    }]),
    "alone\\x.wad": title,
  });
  const own = scan(root.path, { iwad: "my.ipk3", files: [] }).view();
  assertEquals(own.searchPath.map(({ name }) => name), ["x.wad", "my.ipk3"]);
  const has = (path: string) => whichCandidates(own, path).some(({ usable }) => usable);
  assertEquals(["a.txt", "b.txt", "c.txt"].map(has), [true, true, false]);
  assertEquals(scan(root.path, { iwad: "hexdd.wad", files: [] }).view().searchPath.map(({ name }) => name), [
    "hexdd.wad",
    "hexen.wad",
  ]);
  const { problems } = scan(root.path, { iwad: "alone/hexdd.wad", files: ["p.pk3"] });
  assertEquals(problems.map((problem) => problem.replaceAll(`${root.path}/`, "")), [
    "alone/hexdd.wad: GZDoom loads it only with the IWAD of hexen.hexen next to it",
    "p.pk3: its GAMEINFO loads gone.wad, which is not next to it; left out",
  ]);
  const odd = scan(root.path, { iwad: "my.ipk3", files: ["odd.pk3"] });
  assertEquals(odd.problems.map((problem) => problem.match(/loads (.*), which/)?.[1]), [
    "/x.wad",
    "alone/../x.wad",
    "alone\\x.wad",
  ]);
  assertEquals(odd.view().searchPath.map(({ name }) => name), ["odd.pk3", "x.wad", "my.ipk3"]);
});

Deno.test("GZDoom strips a folder that holds all files of an archive, if one of a project is in it", () => {
  const part = fc.constantFrom("my", "sub", "maps", "z");
  const name = fc.constantFrom("a.png", "zscript.txt", "mapinf", "azscript", "decorate", "z.lmp");
  const path = fc.tuple(fc.array(part, { maxLength: 3 }), name).map(([folders, file]) => [...folders, file].join("/"));
  const below = fc.tuple(fc.constantFrom("", "my/", "my/sub/"), fc.uniqueArray(path, { minLength: 1, maxLength: 4 }))
    .map(([folder, paths]) => paths.map((path) => folder + path));
  /** Returns the folder of a list: the first file's if it holds all files, else its first folder, else none. */
  const commonFolder = (paths: readonly string[]) => {
    const [first = ""] = paths;
    return [first.lastIndexOf("/"), first.indexOf("/"), -1].map((slash) => first.slice(0, slash + 1))
      .find((folder) => paths.every((path) => path.startsWith(folder))) ?? "";
  };
  const isProject = (path: string, folder: string) =>
    ["mapinfo", "decorate", "zscript", "maps/"].some((word) =>
      path.startsWith(folder + word) || path.endsWith(word) || (path.length === word.length - 1 && !path.includes(word))
    );
  let stripped = 0;
  fc.assert(
    fc.property(below, (unsorted) => {
      const paths = unsorted.toSorted();
      const folder = commonFolder(paths);
      const counts = paths.some((path, index) => isProject(path, commonFolder(paths.slice(0, index + 1))));
      const length = counts ? folder.length : 0;
      if (length > 0) stripped++;
      const members = gzdoomMembers(paths.map((path, row) => ({ row, path, isReadable: true })), [], "x.pk3");
      assertEquals(members.map((member) => member.path), paths.map((path) => path.slice(length)));
    }),
    { numRuns: 2000 },
  );
  assert(stripped > 200);
});

Deno.test("GZDoom finds a member by eight letters of its name in a folder that is a namespace, with or without an ending", () => {
  const lumps = {
    "credits": "CREDITS",
    "verylongname.lmp": "VERYLONG",
    "flats/floor": "flats/FLOOR",
    "flats/deep/floor.v2.png": "flats/FLOOR.V2",
    "sprites/.png": null,
    "other/a.png": null,
  };
  const members = gzdoomMembers(Object.keys(lumps).map((path, row) => ({ row, path, isReadable: true })), [], "x.pk3");
  assertEquals(Object.fromEntries(members.map(({ path, lump }) => [path, lump])), lumps);
});

Deno.test("folders of filter/ count with their family of games, their game and each part of the IWAD's name", () => {
  const filters = (game: DoomGame, autoname: string) => filtersOf({ game, autoname }).join(" ");
  assertEquals(filters("strife", "strife.strife"), "game-doomstrifechex game-strife strife strife.strife");
  assertEquals(filters("hexen", "hexen.hexen"), "game-raven game-hexen hexen hexen.hexen");
  assertEquals(filters("chex", "chex"), "game-doomstrifechex game-doomchex game-chex chex");
  assertEquals(
    filters("doom", "doom.id.doom2"),
    "game-doomstrifechex game-doomchex game-doom doom doom.id doom.id.doom2 doom doom.doom2",
  );
});

Deno.test("a list of files is refused with the reason", async () => {
  const files = { "doom2.wad": doom2, "patch.wad": patch, "id1/pak0.pak": "PACK", "d/x": "" };
  const reasons: [Parameters<typeof scan>[1], string][] = [
    [{ iwad: "doom2.wad", files: ["gone.wad"] }, "gone.wad does not exist; name a file such as doom2.wad"],
    [{ iwad: "gone.wad" }, "gone.wad does not exist; name a file such as doom2.wad"],
    [
      { sources: ["patch.wad"], profile: "boom" },
      "patch.wad: no IWAD; Boom's descendants needs one: name it with --iwad",
    ],
    [
      { iwad: "doom2.wad", profile: "quake" },
      "Quake loads no IWAD; choose one of gzdoom, boom, woof, chocolate, crispy, eternity",
    ],
    [
      { iwad: "doom2.wad", profile: "boom", files: ["-merge", "patch.wad"] },
      "unknown switch -merge in a list of files; Boom's descendants has -file",
    ],
    [
      { iwad: "doom2.wad", profile: "boom", files: ["d"] },
      "d is a directory, which Boom's descendants cannot load",
    ],
  ];
  for (const [options, reason] of reasons) {
    // deno-lint-ignore no-await-in-loop -- one installation after the other
    assertEquals(await refused(files, options), reason);
  }
});

Deno.test("a list of 10,000 files is loaded, and one of 40,000 is refused", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `w/${index % 50}.wad`);
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`w/${index}.wad`, patch]));
  await using root = await installation({ "doom2.wad": doom2, ...files });
  const catalog = scan(root.path, { iwad: "doom2.wad", files: many, sources: ["doom2.wad"] });
  assertEquals(catalog.view().searchPath.length, 51);
  assertEquals(whichCandidates(catalog.view(), "TITLEPIC")[0]?.source, `${root.path}/w/49.wad`);
  const names = Array.from({ length: 40_000 }, (_, index) => `w/gone${index}.wad`);
  assertThrows(
    () => scan(root.path, { iwad: "doom2.wad", files: names, sources: ["doom2.wad"] }),
    GameError,
    "40001 files to load; GZDoom loads at most 32767",
  );
});

Deno.test("odd names of lumps are shown safely and found, and damaged WADs cost only themselves", async () => {
  const names: [Uint8Array | string, string][] = [
    ["A\\B/C", "slashes"],
    [Uint8Array.of(0x41, 0, 0x42, 0x42), "text after a NUL"],
    ["..", "dots"],
    ["12345678", "eight bytes"],
    ["", "nothing"],
  ];
  const broken = join(text("PWAD"), u32(2 ** 31, 12), wadEntry("X", 0, 5));
  await using root = await installation({ "doom2.wad": doom2, "odd.wad": wad(names), "broken.wad": broken });
  for (const profile of ["gzdoom", "boom", "chocolate"]) {
    const catalog = scan(root.path, { iwad: "doom2.wad", files: ["odd.wad", "broken.wad"], profile });
    const view = catalog.view();
    const answers = ["A^B%2FC", "A", "%2E%2E", "12345678", "unnamed", "TITLEPIC"].map((name) =>
      whichCandidates(view, name).find(({ usable }) => usable)?.size
    );
    assertEquals(answers, [7, 16, 4, 11, 7, 14], profile);
    assertEquals(catalog.problems.length, 1, profile);
    assertStringIncludes(catalog.problems[0] ?? "", "broken.wad: the file table");
  }
});

Deno.test("archives in archives are opened once, and a damaged one is a warning", async () => {
  const inner = zip([{ name: "deep.wad", content: patch }]);
  const mod = zip([
    { name: "a.wad", content: patch },
    { name: "b.wad", content: "no WAD" },
    { name: "c.wad", content: inner },
    { name: "sub/d.wad", content: patch },
    { name: "mod/e.wad", content: wad([["INSIDE", "in the folder of the archive's name"]]) },
  ]);
  await using root = await installation({ "doom2.wad": doom2, "mod.pk3": mod });
  const catalog = scan(root.path, { iwad: "doom2.wad", files: ["mod.pk3"] });
  const view = catalog.view();
  assertEquals(whichCandidates(view, "TITLEPIC").map(({ member }) => member), ["a.wad/TITLEPIC", "TITLEPIC"]);
  assertEquals(whichCandidates(view, "INSIDE").map(({ member }) => member), ["mod/e.wad/INSIDE"]);
  assertEquals(whichCandidates(view, "sub/d.wad").map(({ usable }) => usable), [true]);
  assertEquals(whichCandidates(view, "a.wad").map(({ reason }) => reason), ["GZDoom drops it when it loads mod.pk3"]);
  assertMatch(view.searchPath[0]?.warnings.join("\n") ?? "", /c\.wad is not shown.*its format is zip, not wad/);
});

Deno.test("which compares the engines over one list, and says where it cannot", async () => {
  await using root = await installation({
    "doom2.wad": doom2,
    "a.wad": wad([["TROOA1", "imp outside of sections"], ["F_START", ""], ["X", "open section"]]),
    "b.wad": patch,
    "c.zip": zip([{ name: "x.wad", content: patch }]),
    "d/x.txt": "",
  });
  const answers = async (files: string[], qpath: string) => {
    const catalog = scan(root.path, { iwad: "doom2.wad", files });
    const context = { catalog } as Parameters<typeof which.answer>[0];
    const { engines = [] } = await which.answer(context, { qpath, engines: true });
    return engines.map(({ profile, winner, reason }) =>
      `${profile}: ${winner?.source.slice(root.path.length + 1) ?? reason?.replace(/:.*/, "") ?? "none"}`
    );
  };
  assertEquals(await answers(["a.wad", "b.wad"], "TITLEPIC"), [
    "gzdoom: b.wad",
    "boom: doom2.wad",
    "woof: doom2.wad",
    "chocolate: b.wad",
    "crispy: b.wad",
    "eternity: doom2.wad",
  ]);
  assertEquals(
    await answers(["a.wad"], "TROOA1"),
    ["gzdoom", "boom", "woof", "chocolate", "crispy", "eternity"].map((name) => `${name}: a.wad`),
  );
  assertEquals(await answers(["b.wad"], "maps/MAP01/THINGS"), [
    "gzdoom: doom2.wad",
    "boom: doom2.wad",
    "woof: doom2.wad",
    "chocolate: doom2.wad",
    "crispy: doom2.wad",
    "eternity: doom2.wad",
  ]);
  const [doom] = scan(root.path, { iwad: "doom2.wad", files: [] }).views;
  const [other] = scan(root.path, { sources: ["d"] }).views;
  for (const name of [`${doom?.name}:profile=boom`, `${doom?.name}:profile=quake`]) {
    assertThrows(
      () => scan(root.path, { iwad: "doom2.wad", files: [] }).view(name),
      ViewError,
      "named by the engine's rules",
    );
  }
  assertThrows(
    () => scan(root.path, { sources: ["d"] }).view(`${other?.name}:profile=gzdoom`),
    ViewError,
    "named by the engine's rules",
  );
  assertEquals(await answers(["c.zip"], "TITLEPIC"), [
    "gzdoom: c.zip",
    "boom: c.zip has to be indexed by its rules",
    "woof: c.zip has to be indexed by its rules",
    "chocolate: doom2.wad",
    "crispy: doom2.wad",
    "eternity: c.zip has to be indexed by its rules",
  ]);
});

Deno.test("a file of an archive below a map that no lump of the game opens is found by its path", async () => {
  await using root = await installation({
    "doom2.wad": doom2,
    "b.wad": wad([["MAP77", ""], ["THINGS", "things of b"]]),
    "a.pk3": zip([{ name: "maps/map77/things", content: "x" }]),
  });
  const game = (name: string, file: string) => ({
    name,
    iwad: `${root.path}/doom2.wad`,
    sources: ["doom2.wad", file].map((path) => `${root.path}/${path}`),
  });
  const catalog = scanCatalog([game("one", "a.pk3"), game("two", "b.wad")]);
  const [view] = catalog.views;
  assert(view);
  assertEquals(whichCandidates(view, "maps/map77/things").map(({ member, reason }) => [member, reason]), [
    ["maps/map77/things", null],
  ]);
});

Deno.test("another engine is said to take the lump that an index made by its rules has", async () => {
  const lump = fc.constantFrom(
    ...["MAP01", "MAP02", "THINGS", "LINEDEFS", "BEHAVIOR", "TITLEPIC", "PIC", "TROOA1"],
    ...["S_START", "S_END", "SS_START", "F_START", "FLAT1", "F_END"],
  );
  const lists = fc.array(fc.array(lump, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });
  const asked = ["MAP01", "MAP02"].flatMap((map) =>
    ["", "/THINGS", "/LINEDEFS", "/PIC"].map((end) => `maps/${map}${end}`)
  )
    .concat(
      "MAP01",
      "TITLEPIC",
      "sprites/TROOA1",
      "TROOA1",
      "flats/FLAT1",
      "FLAT1",
      "PIC",
      "THINGS",
    );
  const engines = ["gzdoom", "boom", "chocolate"];
  await fc.assert(
    fc.asyncProperty(lists, async (wads) => {
      const contents = wads.map((lumps, number) =>
        wad(lumps.map((name, index) => [name, /_(START|END)$/.test(name) ? "" : `${number} ${index}`.padEnd(16)]))
      );
      await using root = await installation({
        "doom2.wad": doom2,
        ...Object.fromEntries(contents.map((content, number) => [`${number}.wad`, content])),
      });
      const files = contents.map((_, number) => `${number}.wad`);
      const catalogs = engines.map((profile) => scan(root.path, { iwad: "doom2.wad", files, profile }));
      const views = catalogs.map((catalog) => catalog.view());
      const located = ({ snapshot }: Pick<View, "snapshot">, entry: number) => {
        const { path } = snapshot.sourceOf(entry);
        return `${path} ${snapshot.memberOf(entry)} ${snapshot.locationOf(entry).offset}`;
      };
      const winnerIn = (view: View, qpath: string) => {
        const node = view.tree.find(qpath);
        const entry = node === none ? none : view.tree.entries[node] ?? none;
        return entry === none ? null : located(view, entry);
      };
      for (const qpath of asked) {
        const own = views.map((view) => winnerIn(view, qpath));
        for (const view of views) {
          const said = views.map(({ game: { profile } }) => {
            const entry = new OtherList(view, profile).find(qpath);
            return entry === null ? null : located(view, entry);
          });
          assertEquals(said, own, `${qpath} in a view of ${view.game.profile.name}`);
        }
      }
      for (const catalog of catalogs) {
        const view = catalog.view();
        for (const other of views) {
          const to = `${view.name}:profile=${other.game.profile.name}`;
          const found = namedDifference(catalog, { from: view.name, to });
          const said = Array.from(found.before, (before, row) => [
            found.pathOf(row).toLowerCase(),
            before === none ? null : located(found.from, before),
            found.after[row] === none ? null : located(found.to, found.after[row] ?? none),
          ]);
          const paths = new Set([view, other].flatMap((one) => filesOf(one).map((path) => path.toLowerCase())));
          const expected = Array.from(paths).sort()
            .map((path) => [path, winnerIn(view, path), winnerIn(other, path)])
            .filter(([, before, after]) => before !== after);
          assertEquals(said, expected, to);
          assertEquals(found.unchanged + said.length, paths.size);
        }
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("a list is read again as a whole where one file of it changes, and not at all where none does", async () => {
  await using root = await installation({
    "doom2.wad": doom2,
    "a.wad": patch,
    "b.wad": wad([["TITLEPIC", "title of b"]]),
  });
  using _clock = anHourLater();
  const options = { iwad: "doom2.wad", files: ["a.wad", "b.wad"], profile: "boom" };
  const first = scan(root.path, options);
  assertEquals(scan(root.path, options, first), first);
  await writeFiles(root.path, { "a.wad": wad([["F_START", ""], ["X", "a section without an end"]]) });
  const second = scan(root.path, options, first);
  assert(second !== first);
  const winners = (catalog: Catalog, path: string) => whichCandidates(catalog.view(), path).map(({ size }) => size);
  assertEquals([winners(first, "TITLEPIC"), winners(second, "TITLEPIC"), winners(second, "flats/TITLEPIC")], [
    [10, 14, 14],
    [14],
    [10],
  ]);
});

Deno.test("of a list of files all is as it was while its IWAD is away, and the rest is loaded while another file is", async () => {
  const scanWithout = async (gone: string) => {
    await using root = await installation({ "i/doom2.wad": doom2, "d/a.wad": patch });
    const [iwad, file] = [`${root.path}/i/doom2.wad`, `${root.path}/d/a.wad`];
    const games = [{ name: "g", sources: [iwad, file], iwad, files: [file], profile: "boom" }];
    const presence = new RootPresence();
    const previous = scanCatalog(games, { presence });
    await Deno.remove(`${root.path}/${gone}`);
    const { problems, views } = scanCatalog(games, { presence, previous });
    const names = views.map(({ searchPath }) => searchPath.map(({ name }) => name).join());
    return [...problems.map((problem) => problem.replaceAll(root.path, "ROOT")), ...names];
  };
  assertEquals(await scanWithout("d/a.wad"), [
    "ROOT/d/a.wad is missing; it appears once it is available",
    "ROOT/d/a.wad does not exist; left out",
    "doom2.wad",
  ]);
  assertEquals(await scanWithout("i/doom2.wad"), [
    "ROOT/i/doom2.wad is missing; its known files are kept, and cannot be read until it is back",
    "a.wad,doom2.wad",
  ]);
});

Deno.test("a lump answers for the path of a file in an archive no longer than the archive has the file", async () => {
  using _later = anHourLater();
  await using root = await installation({
    "doom2.wad": doom2,
    "b.wad": patch,
    "a.pk3": zip([{ name: "graphics/titlepic", content: "a" }]),
  });
  const list = { profile: "gzdoom", iwad: "doom2.wad", files: ["a.pk3", "b.wad"] };
  const before = scan(root.path, list);
  const answersOf = (catalog: Catalog) => {
    const [view] = catalog.views;
    assert(view);
    return { files: filesOf(view), count: whichCandidates(view, "graphics/titlepic").length };
  };
  assertEquals(answersOf(before).count, 3);
  const [first] = before.views;
  const found = first?.tree.find("graphics/titlepic") ?? none;
  assertEquals(first?.losersTo(first.tree.entryOf(found), "graphics/titlepic").length, 2);
  // A mount identifies files by their nodes, so no two files may share one.
  for (const { tree } of before.views) assertEquals(new Set(tree.nodes.subarray(0, tree.length)).size, tree.length);
  await writeFiles(root.path, { "a.pk3": zip([{ name: "other", content: "a" }]) });
  const fresh = answersOf(scan(root.path, list));
  assertEquals(answersOf(scan(root.path, list, before)), fresh);
  assertEquals(fresh.count, 0);
});

Deno.test("the library opens an IWAD with files, and reads a lump", async () => {
  await using root = await installation({ "doom2.wad": doom2, "patch.wad": patch, "dir/sprites/trooa1.png": "loose" });
  await using index = await openIndex({
    iwad: `${root.path}/doom2.wad`,
    files: [`${root.path}/patch.wad`, `${root.path}/dir`],
  });
  const view = index.view();
  assertEquals(new TextDecoder().decode(await view.read("TITLEPIC")), "title of patch");
  assertEquals(new TextDecoder().decode(await view.read("sprites/TROOA1")), "loose");
  assertEquals((await view.which("sprites/TROOA1")).candidates.map(({ because }) => because), [
    null,
    "dir is loaded after doom2.wad, and the file that is loaded last wins.",
  ]);
});
