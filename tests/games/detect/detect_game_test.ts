// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { quake } from "../../../games/quake.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  existing,
  exists,
  fileSize,
  isDirectory,
  listingOf,
  lookInto,
  realPath,
  withoutPaths,
} from "../../../games/detect/directory.ts";
import type { Game, GameOptions } from "../../../index/columns/game.ts";
import { detectGame } from "../../../games/detect/detect_game.ts";
import { knownGameIn } from "../../../games/detect/recognised.ts";
import { GameError } from "../../../games/game_error.ts";
import { ViewError } from "../../../views/view_error.ts";
import { enginesOf } from "../../../games/engines_of_game.ts";
import { iwads } from "../../../engines/lumps/iwads.ts";
import { profiles } from "../../../engines/table.ts";
import { games } from "../../../games/table.ts";
import { scanCatalog } from "../../support/catalogs.ts";
import { type Files, installation, pakOf, scan, writeFiles, zipOf } from "../../index/fixtures.ts";
import { bfgResources, wad } from "../../formats/bytes.ts";
import { seeds } from "../../formats/seeds.ts";
import { layouts, nested } from "./layouts.ts";
import { machine } from "./machine.ts";

async function detected(files: Files, options: Omit<GameOptions, "sources"> & { sources?: string[] } = {}) {
  const root = await installation(files);
  const [game] = scan(root.path, options).games;
  if (!game) throw new Error("nothing was indexed");
  return { game, root, [Symbol.asyncDispose]: () => root[Symbol.asyncDispose]() };
}

function summary(game: Game, root: string) {
  return {
    profile: game.profile.name,
    because: game.because.replace(root, "ROOT"),
    base: game.base,
    directories: game.gameDirectories.map((directory) => directory.name),
  };
}

Deno.test("id1 is Quake, and with quakespasm.pak next to it QuakeSpasm", async () => {
  await using quake = await detected({ "id1/pak0.pak": pakOf("a"), "hipnotic/pak0.pak": pakOf("b"), "mod/x": "" });
  assertEquals(summary(quake.game, quake.root.path), {
    profile: "quake",
    because: "ROOT has id1",
    base: "id1",
    directories: ["id1", "hipnotic", "mod"],
  });
  await using spasm = await detected({ "id1/pak0.pak": pakOf("a"), "quakespasm.pak": pakOf("b") });
  assertEquals(summary(spasm.game, spasm.root.path), {
    profile: "quakespasm",
    because: "ROOT has id1 and quakespasm.pak",
    base: "id1",
    directories: ["id1"],
  });
});

Deno.test("baseq3, baseoa and demoq3 with pk3 files are ioquake3; other directories with such are generic", async () => {
  await using quake3 = await detected({ "baseq3/pak0.PK3": zipOf("a"), "missionpack/pak0.pk3": zipOf("b") });
  assertEquals(summary(quake3.game, quake3.root.path), {
    profile: "ioquake3",
    because: "ROOT/baseq3 has pk3 files",
    base: "baseq3",
    directories: ["baseq3", "missionpack"],
  });
  for (const base of ["baseoa", "demoq3", "baseEF"]) {
    await using game = await detected({ [`${base}/x.pk3`]: zipOf("a"), "aaa/y.pk3": zipOf("b") });
    assertEquals([game.game.profile.name, game.game.base], ["ioquake3", base]);
  }
  for (const base of ["main", "base", "mygame"]) {
    const files = { "addon/extra.pk3": zipOf("a"), [`${base}/pak0.pk3`]: zipOf("b") };
    await using other = await detected(files);
    assertEquals(other.game.profile.name, "generic");
    assertEquals(
      other.game.because.replace(other.root.path, "ROOT"),
      "ROOT/addon has pk3 files, which many engines read, each in its own order; choose one with --profile",
    );
    await using chosen = await detected(files, { profile: "ioquake3" });
    assertEquals([chosen.game.profile.name, chosen.game.base], ["ioquake3", base]);
  }
  await using capitals = await detected({ "BaseQ3/pak0.pk3": zipOf("a") });
  assertEquals([capitals.game.profile.name, capitals.game.base], ["ioquake3", "BaseQ3"]);
});

Deno.test("baseq2 is Yamagi Quake II, and a base with pk4 files dhewm3", async () => {
  await using quake2 = await detected({ "baseq2/pak0.pak": pakOf("a"), "xatrix/pak0.pak": pakOf("b") });
  assertEquals(summary(quake2.game, quake2.root.path), {
    profile: "yquake2",
    because: "ROOT has baseq2",
    base: "baseq2",
    directories: ["baseq2", "xatrix"],
  });
  await using doom3 = await detected({ "base/pak000.pk4": zipOf("a"), "d3xp/pak000.pk4": zipOf("b") });
  assertEquals(summary(doom3.game, doom3.root.path), {
    profile: "dhewm3",
    because: "ROOT/base has pk4 files",
    base: "base",
    directories: ["base", "d3xp"],
  });
});

Deno.test("games and engines are known by their files, and the same base directory without them is not", async () => {
  const known: readonly (readonly [files: readonly string[], profile: string, engines: readonly string[]])[] = [
    [["etmain/pak0.pk3"], "etlegacy", ["etlegacy"]],
    [["main/pak0.pk3", "main/mp_pak0.pk3", "main/sp_pak1.pk3"], "iortcw-mp", ["iortcw-mp", "iortcw-sp"]],
    [["main/pak0.pk3", "main/sp_pak1.pk3"], "iortcw-sp", ["iortcw-sp", "iortcw-mp"]],
    [["Main/pak0.pk3", "Main/sp_pak1.pk3"], "iortcw-sp", ["iortcw-sp", "iortcw-mp"]],
    [["base/assets0.pk3"], "openjk", ["openjk"]],
    [["base/pak000.pk4"], "dhewm3", ["dhewm3"]],
    [["valve/liblist.gam"], "xash3d", ["xash3d"]],
    [["valve/pak0.pk3"], "generic", []],
    [["baseq2/pak0.pak", "baseq2/q2rtx_media.pkz"], "q2rtx", [
      "q2rtx",
      "yquake2",
      "q2pro",
      "vkquake2",
      "kmquake2",
      "quake2",
    ]],
    [["baseq2/pak0.pak", "q2pro.x86_64"], "q2pro", ["q2pro", "yquake2", "q2rtx", "vkquake2", "kmquake2", "quake2"]],
    [["baseq3/pak0.pk3", "quake3e.x64"], "quake3e", ["quake3e", "ioquake3", "quake3", "chomenor", "spearmint"]],
    [["id1/a.pk3", "ezquake/config.cfg"], "ezquake", [
      "ezquake",
      ...quake.engines.map(({ name }) => name).filter((name) => name !== "ezquake"),
    ]],
  ];
  for (const [names, profile, engines] of known) {
    const files = names.map((name) => [name, name.endsWith(".pak") ? pakOf("a") : zipOf("a")] as const);
    await using found = await detected(Object.fromEntries(files));
    assertEquals([found.game.profile.name, enginesOf(found.game)], [profile, engines], names.join(", "));
  }
});

Deno.test("a directory of no known game is generic, and is itself the game directory", async () => {
  await using anything = await detected({ "sub/readme.txt": "", "a.zip": zipOf("b") });
  const { game, root } = anything;
  assertEquals(summary(game, root.path), {
    profile: "generic",
    because: "no engine's directories were found",
    base: root.path.slice(root.path.lastIndexOf("/") + 1),
    directories: [root.path.slice(root.path.lastIndexOf("/") + 1)],
  });
});

Deno.test("what was requested is not guessed", async () => {
  const files = { "id1/pak0.pak": pakOf("a"), "mod/x": "", "other/y": "", ".hidden/z": "", "Quake.app/z": "" };
  await using quake = await detected(files, { profile: "quakespasm", mods: ["mod"], name: "mine" });
  assertEquals(summary(quake.game, quake.root.path), {
    profile: "quakespasm",
    because: "it was requested",
    base: "id1",
    directories: ["id1", "mod"],
  });
  assertEquals(quake.game.name, "mine");
  await using all = await detected(files);
  assertEquals(all.game.gameDirectories.map((item) => item.name), ["id1", "mod", "other"]);
});

Deno.test("game directories of all sources are found, and a source may lack the base", async () => {
  await using root = await installation({
    "home/mod/x": "",
    "base/id1/pak0.pak": pakOf("a"),
    "base/mod/y": "",
    "base/other/z": "",
  });
  const catalog = scan(root.path, { sources: ["home", "base"] });
  assertEquals(catalog.views.map((view) => view.name), ["home/id1", "home/mod", "home/other"]);
  assertEquals(catalog.view("mod").searchPath.map((source) => source.path.replace(root.path, "")), [
    "/home/mod",
    "/base/mod",
    "/base/id1/pak0.pak",
    "/base/id1",
  ]);
});

async function refused(files: Files, options: Omit<GameOptions, "sources"> & { sources?: string[] }): Promise<string> {
  await using root = await installation(files);
  const error = assertThrows(() => scan(root.path, options), GameError);
  return error.message.replaceAll(root.path, "ROOT");
}

Deno.test("what is wrong with a game is said in one sentence", async () => {
  const known = profiles.map(({ name }) => name).join(", ");
  const quake = { "id1/pak0.pak": pakOf("a") };
  assertEquals(
    await refused(quake, { profile: "quak" }),
    `unknown profile quak; profiles are ${known}`,
  );
  const [any] = profiles;
  assert(any);
  assertEquals(
    await refused(quake, { profile: { ...any, name: "a b" } }),
    'profile a b: "name" must be of letters, digits, "-" and "_", not "a b"',
  );
  assertEquals(await refused(quake, { base: "id2" }), 'no base game directory "id2" in ROOT');
  assertEquals(await refused(quake, { mods: ["id1", "nomod"] }), "unknown game directory nomod in ROOT");
  assertEquals(
    await refused(quake, { sources: ["nowhere"] }),
    "ROOT/nowhere does not exist; name a game's directory or an archive",
  );
  assertEquals(await refused(quake, { sources: [] }), "game without a source; name at least one directory");
  assertEquals(
    await refused({ ...quake, "a.pak": pakOf("a") }, { sources: ["", "a.pak"] }),
    "ROOT/a.pak is a file, and the roots of a game are directories; name an archive alone " +
      '("pakfs mount ROOT/a.pak MOUNTPOINT"), or the directory of its game',
  );
  assertEquals(
    await refused({ "x/readme": "" }, { profile: "quake" }),
    "ROOT has none of the base game directories of Quake (id1); name it with --base, or use --profile generic",
  );
  assertEquals(
    await refused(quake, { profile: "quake", sources: ["id1"] }),
    "ROOT/id1 has none of the base game directories of Quake (id1); id1 looks like a game directory itself: " +
      "name the directory above it",
  );
  assertEquals(
    await refused({ "x.zip": "this is no zip" }, { sources: ["x.zip"] }),
    'ROOT/x.zip: not an archive of a known format (it starts with "this"); "pakfs formats" lists them',
  );
  assertEquals(
    await refused({ "x.zip": zipOf("a") }, { sources: ["x.zip"], profile: "q" }),
    `unknown profile q; profiles are ${known}`,
  );
});

Deno.test("two games of one name are distinguished, and a name is fit for a path", async () => {
  await using root = await installation({ "a/quake/id1/x": "", "b/quake/id1/y": "" });
  const sources = (path: string) => [`${root.path}/${path}`];
  const catalog = scanCatalog([
    { sources: sources("a/quake") },
    { sources: sources("b/quake") },
    { sources: sources("b/quake"), name: "../a/b" },
    { sources: sources("b/quake"), name: "..." },
  ]);
  assertEquals(catalog.games.map((game) => game.name), ["quake", "quake-2", "_a_b", "game"]);
});

Deno.test("a view is found by its name, its game's or its directory's, and else suggestions are made", async () => {
  await using root = await installation({ "quake/id1/x": "", "quake/mod/y": "", "q3/baseq3/z.pk3": zipOf("z") });
  const one = scan(root.path, { sources: ["quake"] });
  assertEquals([one.view().name, one.view("").name, one.view("quake").name], ["quake/id1", "quake/id1", "quake/id1"]);
  assertEquals([one.view("mod").name, one.view("quake/mod").name], ["quake/mod", "quake/mod"]);
  const two = scanCatalog([{ sources: [`${root.path}/quake`] }, { sources: [`${root.path}/q3`] }]);
  assertEquals([two.view("q3").name, two.view("baseq3").name], ["q3/baseq3", "q3/baseq3"]);
  const unnamed = assertThrows(() => two.view(), ViewError);
  assertEquals(unnamed.message, "several games are indexed; choose a view");
  assertEquals(unnamed.suggestions, ["quake/id1", "quake/mod", "q3/baseq3"]);
  const wrong = assertThrows(() => two.view("quake/none"), ViewError);
  assertEquals(wrong.message, "unknown view quake/none");
  assertEquals(assertThrows(() => scanCatalog([]).view(), ViewError).message, "nothing is indexed");
});

Deno.test("an engine's own files and pack types next to id1 say which engine of Quake it is", async () => {
  const cases: [files: Files, profile: string, because: string][] = [
    [{ "id1/pak0.pak": pakOf("a"), "ironwail": "" }, "ironwail", "ROOT has id1 and ironwail"],
    [{ "id1/pak0.pak": pakOf("a"), "darkplaces-sdl": "" }, "darkplaces", "ROOT has id1 and darkplaces-sdl"],
    [{ "id1/pak0.pak": pakOf("a"), "id1/hd.pk3": zipOf("b") }, "darkplaces", "ROOT/id1 has pk3 files"],
    [
      { "id1/pak0.pak": pakOf("a"), "id1/hd.pk3": zipOf("b"), "quakespasm": "" },
      "quakespasm",
      "ROOT has id1 and quakespasm",
    ],
    [{ "baseq2/pak0.pak": pakOf("a"), "vkquake2.exe": "" }, "vkquake2", "ROOT has baseq2 and vkquake2.exe"],
    [{ "baseq2/pak0.pak": pakOf("a"), "kmquake2.exe": "" }, "kmquake2", "ROOT has baseq2 and kmquake2.exe"],
    [{ "baseq2/pak0.pak": pakOf("a"), "vkQuake.exe": "" }, "yquake2", "ROOT has baseq2"],
    [{ "data/common.pk3": zipOf("a") }, "darkplaces", "ROOT/data has common.pk3"],
  ];
  for (const [files, profile, because] of cases) {
    await using made = await detected(files);
    assertEquals([made.game.profile.name, made.game.because.replace(made.root.path, "ROOT")], [profile, because]);
  }
});

/** Names of lumps that show the IWAD of Doom II. */
const doom2Lumps = iwads.find(({ title }) => title.startsWith("Doom II"))?.lumps ?? [];

/** An archive in the format that its name promises. */
function archiveNamed(name: string): Uint8Array | string {
  if (name.endsWith("/")) return "";
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (/^(pk3|pk4|iwd|dpk|crf|pkz|zip)$/.test(ending)) return zipOf("a");
  if (/^(pak|kpf)$/.test(ending)) return pakOf("a");
  if (ending === "resources") return bfgResources([["a", "a"]]);
  if (/^doom2\.wad$/i.test(name)) return wad(doom2Lumps.map((lump) => [lump, ""]), "IWAD");
  const format = name === "d3.hog" ? "hog2" : ending;
  return seeds.find((seed) => seed.format === format)?.bytes ?? "";
}

async function installationOf(names: readonly string[]) {
  return await installation(Object.fromEntries(names.map((name) => [name, archiveNamed(name)])));
}

Deno.test("of each layout the game is detected that it is, and where that is not certain no wrong one", async () => {
  assert(layouts.length >= 150);
  const wrong: string[] = [];
  for (const { files, game, profile, base } of layouts) {
    await using root = await installationOf(files);
    const title = knownGameIn(root.path)?.title ?? null;
    const found = detectGame([root.path], {});
    const isRight = game === null
      ? title === null
      : typeof game === "string"
      ? title === game
      : title === null || game.includes(title);
    const said = `${title}, ${found.profile.name}, ${found.base}`;
    if (!isRight) wrong.push(`${files.join(", ")}: ${said}`);
    if ((profile ?? found.profile.name) !== found.profile.name) {
      wrong.push(`${files.join(", ")}: ${said}, not ${profile}`);
    }
    if ((base ?? found.base) !== found.base) wrong.push(`${files.join(", ")}: ${said}, not "${base}"`);
  }
  assertEquals(wrong, []);
});

Deno.test("the profile of a layout plays its game, and says where its rules are not confirmed", async () => {
  const wrong: string[] = [];
  for (const { files, game: title } of layouts) {
    if (typeof title !== "string") continue;
    await using root = await installationOf(files);
    const { profile, evidence } = detectGame([root.path], {});
    const game = games.find((one) => one.title === title);
    const engine = game?.engines.find(({ name }) => name === profile.name);
    if (!engine) wrong.push(`${files.join(", ")}: ${profile.name} does not play ${title}`);
    const says = evidence.map((one) => one.says).join("; ");
    if (engine?.title.includes("not confirmed") && !says.includes("not confirmed")) {
      wrong.push(`${files.join(", ")}: ${says}`);
    }
  }
  assertEquals(wrong, []);
});

Deno.test("games are found below a directory that is none", async () => {
  for (const [files, titles] of nested) {
    await using made = await machine({});
    for (const name of files) await writeFiles(made.path, { [`x/${name}`]: archiveNamed(name) });
    assertEquals(made.detect("x").games.map(({ title }) => title).sort(), titles, files.join(", "));
  }
});

Deno.test("a base is taken as engines spell it where one of the roots has it so", async () => {
  await using root = await installation({ "home/q3ut4/x.cfg": "", "base/Q3UT4/a.pk3": zipOf("a") });
  assertEquals(detectGame([`${root.path}/home`, `${root.path}/base`], {}).base, "q3ut4");
  assertEquals(detectGame([`${root.path}/base`], {}).base, "Q3UT4");
});

Deno.test("a chosen engine has the base directories of all games that it plays", async () => {
  await using root = await installation({ "fakk/pak0.pk3": zipOf("a"), "mod/x": "" });
  assertEquals(detectGame([root.path], { profile: "quake3" }).base, "fakk");
});

Deno.test("a home says which engine it is where the files of the game name none, and only there", async () => {
  const sources = async (...files: string[]) => {
    await using made = await machine({
      "quake/id1/pak0.pak": pakOf("a"),
      "home/.quakespasm/id1/config.cfg": "",
      ...Object.fromEntries(files.map((name) => [`quake/${name}`, ""])),
    });
    const roots = [`${made.path}/home/.quakespasm`, `${made.path}/quake`];
    const { profile, evidence } = detectGame(roots, {}, made.surroundings);
    return [profile.name, evidence.map(({ path }) => path.replace(made.path, "ROOT"))];
  };
  assertEquals(await sources(), ["quakespasm", ["ROOT/quake/id1", "ROOT/home/.quakespasm"]]);
  assertEquals((await sources("ironwail"))[0], "ironwail");
});

Deno.test("a base in capitals is found where none is spelled as the engine wants it", async () => {
  await using steam = await detected({ "Id1/PAK0.PAK": pakOf("a"), "hipnotic/pak0.pak": pakOf("b") });
  assertEquals([steam.game.profile.name, steam.game.base], ["quake", "Id1"]);
  await using both = await detected({ "Id1/PAK0.PAK": pakOf("a"), "id1/pak0.pak": pakOf("b") });
  assertEquals([both.game.profile.name, both.game.base], ["quake", "id1"]);
});

Deno.test("paths that are left out are missing, and no call of the file system is about them", async () => {
  await using root = await installation({ "away/id1/pak0.pak": pakOf("a") });
  const away = `${root.path}/away`;
  const looks = [exists, isDirectory, fileSize, lookInto, realPath, existing, listingOf] as const;
  const said = (path: string) =>
    looks.map((look) => {
      try {
        return look(path);
      } catch (error) {
        assert(error instanceof GameError);
        return "refused";
      }
    });
  const { statSync, lstatSync, readDirSync, realPathSync } = Deno;
  const touched: string[] = [];
  const noting = <Result>(call: (path: string | URL) => Result) => (path: string | URL): Result => {
    touched.push(String(path));
    return call(path);
  };
  Object.assign(Deno, {
    statSync: noting(statSync),
    lstatSync: noting(lstatSync),
    readDirSync: noting(readDirSync),
    realPathSync: noting(realPathSync),
  });
  try {
    for (const path of [away, `${away}/id1/pak0.pak`]) {
      const nothing = { path, directories: [], files: [] };
      const missing = [false, false, undefined, nothing, path, "refused", "refused"];
      assertEquals(withoutPaths((asked) => asked.startsWith(away), () => said(path)), missing);
      assertEquals(touched, []);
      assert(said(path).includes(true));
      assert(touched.splice(0).length > 0);
    }
  } finally {
    Object.assign(Deno, { statSync, lstatSync, readDirSync, realPathSync });
  }
});
