import { quake } from "../../../games/quake.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { parseConfig } from "../../../daemon/config/config_file.ts";
import { createArchive } from "../../../formats/create.ts";
import { ownSurroundings } from "../../../games/detect/engine_homes.ts";
import { gamesBelow } from "../../../games/detect/installed.ts";
import { GameError } from "../../../games/game_error.ts";
import { scanCatalog } from "../../support/catalogs.ts";
import { debianPackage } from "../../support/debian_data.ts";
import { installation, pakOf, zipOf } from "../../index/fixtures.ts";
import { needs } from "../../support/programs.ts";
import { machine, searched, steamLibrary } from "./machine.ts";

Deno.test("games of Steam are found in every library, and each installation once", async () => {
  const steam = "home/.steam/debian-installation";
  await using made = await machine({
    ...steamLibrary(steam, {
      "Quake": { id: 2310, files: { "Id1/PAK0.PAK": pakOf("a"), "rerelease/id1/pak0.pak": pakOf("b") } },
      "Other": { id: 4711, files: { "id1/pak0.pak": pakOf("a") } },
    }),
    ...steamLibrary("second", {
      "Quake 2": { id: 2320, files: { "baseq2/pak0.pak": pakOf("a") } },
      "Doom 3": { id: 9050, files: { "base/pak000.pk4": zipOf("a"), "d3xp/pak000.pk4": zipOf("b") } },
    }),
  });
  await Deno.writeTextFile(
    `${made.path}/${steam}/steamapps/libraryfolders.vdf`,
    `"libraryfolders"{"0"{"path" "${made.path}/${steam}"}"1"{"path" "${made.path}/second"}"2"{"path" "/nowhere"}}`,
  );
  await Deno.symlink("debian-installation", `${made.path}/home/.steam/steam`);
  const common = "home/.steam/steam/steamapps/common";
  assertEquals(searched(made.path, made.installed()), {
    "quake (quake)": [`${common}/Quake`],
    "quake-2 (quake)": [`${common}/Quake/rerelease`],
    "quake2 (yquake2)": ["second/steamapps/common/Quake 2"],
    "doom3 (dhewm3)": ["second/steamapps/common/Doom 3"],
  });
});

Deno.test("the older form of Steam's library list and Flatpak's Steam are understood", async () => {
  const steam = "home/.var/app/com.valvesoftware.Steam/.local/share/Steam";
  await using made = await machine(
    steamLibrary("old library", { "Quake 3 Arena": { id: 2200, files: { "baseq3/pak0.pk3": zipOf("a") } } }),
  );
  await Deno.mkdir(`${made.path}/${steam}/steamapps`, { recursive: true });
  await Deno.writeTextFile(
    `${made.path}/${steam}/steamapps/libraryfolders.vdf`,
    `"LibraryFolders"\n{\n\t"TimeNextStatsReport"\t\t"1"\n\t"1"\t\t"${made.path}/old library"\n}\n`,
  );
  assertEquals(searched(made.path, made.installed()), {
    "quake3 (ioquake3)": ["old library/steamapps/common/Quake 3 Arena"],
  });
});

Deno.test("hostile files of Steam are reported, and lead nowhere", async () => {
  const steam = "home/.local/share/Steam/steamapps";
  await using made = await machine({
    [`${steam}/libraryfolders.vdf`]: '"libraryfolders" { "0" { "path" "relative" } "1" { "path" "/dev/zero" } ',
    [`${steam}/appmanifest_2310.acf`]: '"AppState" { "installdir" "../../../../../../games/quake" }',
    [`${steam}/appmanifest_2320.acf`]: '"AppState" { "installdir" { } }',
    [`${steam}/appmanifest_2200.acf`]: "\0\xff{{{{",
    [`${steam}/appmanifest_9050.acf`]: "x".repeat(5 * 1024 * 1024),
    "home/.local/share/Steam/config/libraryfolders.vdf": '"libraryfolders" { "0" "/proc" "1" "/dev" "x" "/" }',
    "games/quake/id1/pak0.pak": pakOf("a"),
  });
  const { games, problems } = made.installed();
  assertEquals(games, []);
  assertEquals(problems.map((problem) => problem.replace(`${made.path}/${steam}/`, "")), [
    'libraryfolders.vdf: a "{" has no end',
    'appmanifest_2200.acf: a "{" has no name before it',
    "appmanifest_9050.acf: it is larger than 4194304 bytes",
  ]);
});

Deno.test("a directory of Steam that is no name of one in its library leads nowhere", async () => {
  const steam = "home/.local/share/Steam/steamapps";
  const game = { "id1/pak0.pak": pakOf("a") };
  const beside = ["common/", "", "common/x/"].flatMap((where) =>
    Object.entries(game).map(([path, bytes]) => [`${steam}/${where}${path}`, bytes] as const)
  );
  for (const installed of [".", "..", "", "x/..", "./x", "x/", "/", "x"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its directory
    await using made = await machine({
      ...Object.fromEntries(beside),
      [`${steam}/libraryfolders.vdf`]: '"libraryfolders" { }',
      [`${steam}/appmanifest_2310.acf`]: `"AppState" { "installdir" "${installed}" }`,
    });
    assertEquals(made.installed().games.length, installed === "x" ? 1 : 0, installed);
  }
});

Deno.test("games of GOG, Heroic, Lutris and the system are found, with the engine's directory in the home above", async () => {
  await using made = await machine({
    "home/GOG Games/Quake III/game/baseq3/pak0.pk3": zipOf("a"),
    "home/Games/Heroic/Quake II/baseq2/pak0.pak": pakOf("a"),
    "home/Games/doom/drive_c/GOG Games/Doom 3/base/pak008.pk4": zipOf("a"),
    "home/games/quake/id1/pak0.pak": pakOf("a"),
    "system/usr/share/games/openarena/baseoa/pak0.pk3": zipOf("a"),
    "system/usr/local/games/xonotic/data/xonotic-data.pk3": zipOf("a"),
    "system/usr/local/games/nexuiz/data/common.pk3": zipOf("a"),
    "home/.q3a/baseq3/q3config.cfg": "",
    "home/.openarena/baseoa/my.pk3": zipOf("b"),
    "home/.yq2/baseq2/config.cfg": "",
    "home/.darkplaces/id1/config.cfg": "",
    "home/.xonotic/data/config.cfg": "",
  });
  assertEquals(searched(made.path, made.installed()), {
    "quake3 (ioquake3)": ["home/.q3a", "home/GOG Games/Quake III/game"],
    "quake2 (yquake2)": ["home/.yq2", "home/Games/Heroic/Quake II"],
    "doom3 (dhewm3)": ["home/Games/doom/drive_c/GOG Games/Doom 3"],
    "quake (darkplaces)": ["home/.darkplaces", "home/games/quake"],
    "openarena (ioquake3)": ["home/.openarena", "system/usr/share/games/openarena"],
    "xonotic (darkplaces)": ["home/.xonotic", "system/usr/local/games/xonotic"],
    "nexuiz (darkplaces)": ["system/usr/local/games/nexuiz"],
  });
});

Deno.test("ioquake3's directories of XDG are in the order in which it searches them, and variables move them", async () => {
  const files = {
    "system/usr/share/games/quake3/baseq3/pak0.pk3": zipOf("a"),
    "home/.config/Quake3/baseq3/x.cfg": "",
    "home/.local/share/Quake3/baseq3/y.pk3": zipOf("a"),
    "home/.local/state/Quake3/baseq3/z.cfg": "",
    "data/Quake3/baseq3/y.pk3": zipOf("a"),
  };
  await using usual = await machine(files);
  assertEquals(searched(usual.path, usual.installed()), {
    "quake3 (ioquake3)": [
      "home/.config/Quake3",
      "home/.local/share/Quake3",
      "home/.local/state/Quake3",
      "system/usr/share/games/quake3",
    ],
  });
  await using moved = await machine(files, { XDG_DATA_HOME: "ROOT/data", XDG_STATE_HOME: "relative" });
  assertEquals(searched(moved.path, moved.installed())["quake3 (ioquake3)"]?.slice(0, 3), [
    "home/.config/Quake3",
    "data/Quake3",
    "home/.local/state/Quake3",
  ]);
});

Deno.test("the system is looked at below the directory that a variable names, else at its root", () => {
  const name = "PAKFS_SYSTEM_ROOT";
  const before = Deno.env.get(name);
  const rootUnder = (value: string) => {
    Deno.env.set(name, value);
    return ownSurroundings().root;
  };
  try {
    assertEquals([rootUnder("/elsewhere"), rootUnder("")], ["/elsewhere", "/"]);
  } finally {
    if (before === undefined) Deno.env.delete(name);
    else Deno.env.set(name, before);
  }
});

Deno.test("a game that is only in an engine's own directory is found there", async () => {
  await using made = await machine({ "home/.vkquake/id1/pak0.pak": pakOf("a"), "home/.q3a/": "" });
  assertEquals(searched(made.path, made.installed()), { "quake (vkquake)": ["home/.vkquake"] });
});

Deno.test("detect reports what was found and why", async () => {
  await using made = await machine({
    "quake/id1/pak0.pak": pakOf("a"),
    "quake/id1/pak1.pak": pakOf("gfx/pop.lmp"),
    "quake/id1/pak3.pak": pakOf("b"),
    "quake/id1/broken.pak": "no pack",
    "quake/rogue/pak0.pak": pakOf("a"),
    "quake/hipnotic/pak0.pak": pakOf("a"),
    "quake/arena/progs.dat": "",
    "quake/arena/maps/a.bsp": "",
    "quake/arena/maps/b.bsp": "",
    "quake/tweaks/autoexec.cfg": "",
    "quake/docs/readme.txt": "",
    "home/.quakespasm/id1/config.cfg": "",
    "home/.darkplaces/id1/config.cfg": "",
  });
  const { games, problems } = made.detect("quake");
  const reported = JSON.parse(JSON.stringify(games).replaceAll(made.path, "ROOT"));
  assertEquals(problems, []);
  assertEquals(reported, [{
    name: "quake",
    title: "Quake",
    profile: "quakespasm",
    engines: ["quakespasm", ...quake.engines.map(({ name }) => name).filter((name) => name !== "quakespasm")],
    evidence: [
      { path: "ROOT/quake/id1", says: "is Quake's base game directory" },
      { path: "ROOT/home/.quakespasm", says: "is where QuakeSpasm keeps its own files" },
    ],
    sources: [
      { path: "ROOT/home/.quakespasm", origin: "QuakeSpasm keeps its own files there" },
      { path: "ROOT/quake", origin: "it was requested" },
    ],
    base: "id1",
    edition: { name: "registered", because: "ROOT/quake/id1/pak1.pak has gfx/pop.lmp" },
    gameDirectories: [
      { name: "id1", role: "base", title: null, signs: ["2 packs (pak0.pak, pak1.pak)"], packs: 2 },
      { name: "rogue", role: "mission pack", title: "Dissolution of Eternity", signs: ["1 pack (pak0.pak)"], packs: 1 },
      { name: "hipnotic", role: "mission pack", title: "Scourge of Armagon", signs: ["1 pack (pak0.pak)"], packs: 1 },
      { name: "arena", role: "mod", title: null, signs: ["progs.dat", "2 maps"], packs: 0 },
      { name: "tweaks", role: "mod", title: null, signs: ["autoexec.cfg"], packs: 0 },
    ],
    ignored: [
      { path: "ROOT/quake/id1/broken.pak", reason: "QuakeSpasm loads only packs named pak0.pak, pak1.pak, and so on" },
      {
        path: "ROOT/quake/id1/pak3.pak",
        reason: "pak2.pak is missing, and QuakeSpasm stops at the first missing number",
      },
      {
        path: "ROOT/quake/docs",
        reason: "nothing in it makes it a mod: no pack, game code, map or settings",
      },
    ],
    others: [{
      path: "ROOT/home/.darkplaces",
      says: "is where DarkPlaces keeps its own files: above the others with --profile darkplaces",
    }],
    warnings: [],
    toml: '[[game]]\nname = "quake"\nprofile = "quakespasm"\n' +
      'sources = [\n  "ROOT/home/.quakespasm",\n  "ROOT/quake",\n]\nmods = ["rogue", "hipnotic", "arena", "tweaks"]\n',
    command: "pakfs mount --profile quakespasm --game quake ROOT/home/.quakespasm ROOT/quake MOUNTPOINT",
  }]);
});

Deno.test("an installation of links to another is that one, unless it has more, or another engine's program", async () => {
  await using made = await machine({
    "system/usr/share/games/redeclipse/config/version.cfg": "",
    "system/usr/share/games/redeclipse/data/maps/a.mpz": "",
    "system/usr/lib/games/redeclipse/redeclipse": "",
    "system/usr/share/games/cube2/data/stdlib.cfg": "",
    "system/usr/share/games/cube2/packages/base/a.ogz": "",
    "system/usr/share/games/quake/id1/pak0.pak": pakOf("a"),
    "home/games/linked/quakespasm": "",
    "home/games/more/mod/progs.dat": "",
    "home/games/same/readme.txt": "",
  });
  const link = (target: string, path: string) => Deno.symlink(`${made.path}/${target}`, `${made.path}/${path}`);
  for (const name of ["config", "data"]) {
    // deno-lint-ignore no-await-in-loop -- two
    await link(`system/usr/share/games/redeclipse/${name}`, `system/usr/lib/games/redeclipse/${name}`);
  }
  const quake = "system/usr/share/games/quake/id1";
  await link(quake, "home/games/linked/id1");
  await link(quake, "home/games/more/id1");
  await link(quake, "home/games/same/id1");
  assertEquals(searched(made.path, made.installed()), {
    "quake (quakespasm)": ["home/games/linked"],
    "quake-2 (quake)": ["home/games/more"],
    "sauerbraten (cube2)": ["system/usr/share/games/cube2"],
    "redeclipse (redeclipse)": ["system/usr/share/games/redeclipse"],
  });
});

Deno.test("the lines for the configuration make the game that was reported", async () => {
  await using made = await machine({
    'it\'s "quake"/Id1/PAK0.PAK': pakOf("a"),
    'it\'s "quake"/mod/progs.dat': "",
    'it\'s "quake"/tools/readme.txt': "",
    "home/.darkplaces/id1/config.cfg": "",
    "q3/demoq3/pak0.pk3": zipOf("a"),
  });
  const { games } = made.detect('it\'s "quake"', "q3");
  const config = parseConfig(games.map(({ toml }) => toml).join("\n"), "/config.toml");
  const catalog = scanCatalog(config.games);
  assertEquals(
    catalog.games.map(({ name, profile, base, gameDirectories }) => [
      name,
      profile.name,
      base,
      gameDirectories.map((directory) => directory.name),
    ]),
    [["quake", "darkplaces", "id1", ["id1", "mod"]], ["quake3", "ioquake3", "demoq3", ["demoq3"]]],
  );
  assertEquals(games.map(({ edition }) => edition?.name), ["shareware", "demo"]);
  // A shell splits the command into the same words.
  const [first] = games;
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `printf '%s\\n' ${first?.command}`] }).output();
  assertEquals(new TextDecoder().decode(stdout).split("\n").slice(-4), [
    `${made.path}/home/.darkplaces`,
    `${made.path}/it's "quake"`,
    "MOUNTPOINT",
    "",
  ]);
});

Deno.test("names in capitals are reported, with a remedy", async () => {
  await using made = await machine({ "quake/Id1/PAK0.PAK": pakOf("a") });
  const [game] = made.detect("quake").games;
  assertEquals(game?.base, "Id1");
  assertEquals(game?.warnings, [
    `${made.path}/quake/Id1 is not spelled id1, which is what Quake looks for on Linux; rename it`,
    `${made.path}/quake/Id1: PAK0.PAK is no pack to Quake on Linux, which looks for pak0.pak; rename it to lower ` +
    'case, or: see "Names in capitals" in docs/profiles.md for file systems that ignore case',
  ]);
  assertEquals(game?.ignored, [{
    path: `${made.path}/quake/Id1/PAK0.PAK`,
    reason: "Quake loads only packs named pak0.pak, pak1.pak, and so on; renamed to pak0.pak it would be one of them",
  }]);
});

Deno.test("a directory of an engine in the home is reported with the installation it belongs to, once", async () => {
  await using made = await machine({
    "home/.q3a/baseq3/my.pk3": zipOf("a"),
    "system/usr/share/games/quake3/baseq3/pak0.pk3": zipOf("a"),
    "system/opt/quake3/baseq3/pak0.pk3": zipOf("a"),
  });
  const both = made.detect("home/.q3a", "system/usr/share/games/quake3");
  assertEquals(searched(made.path, both), { "quake3 (ioquake3)": ["home/.q3a", "system/usr/share/games/quake3"] });
  assertEquals(both.games[0]?.others, [{
    path: `${made.path}/system/opt/quake3`,
    says: "is another installation of the game",
  }]);
});

Deno.test("games below a directory are found, and a game directory itself leads to the one above", async () => {
  await using made = await machine({
    "disk/old/quake/id1/pak0.pak": pakOf("a"),
    "disk/q2/baseq2/pak0.pak": pakOf("a"),
    "disk/.hidden/quake/id1/pak0.pak": pakOf("a"),
    "empty/readme.txt": "",
    "share/doomsday/a.pk3": zipOf("a"),
  });
  assertEquals(searched(made.path, made.detect("disk")), {
    "quake2 (yquake2)": ["disk/q2"],
    "quake (quake)": ["disk/old/quake"],
  });
  const [inside] = made.detect("disk/old/quake/id1").games;
  assertEquals([inside?.profile, inside?.others], ["generic", [{
    path: `${made.path}/disk/old/quake`,
    says: "is the base directory: id1 is one of its game directories; detect that",
  }]]);
  assertEquals(made.detect("share/doomsday").games[0]?.others, []);
  const [nothing] = made.detect("empty").games;
  assertEquals([nothing?.profile, nothing?.evidence, nothing?.gameDirectories], ["generic", [], []]);
});

Deno.test("Dragon Nest is known by the format of its paks, in the directory itself", async () => {
  const pak = await Deno.makeTempFile({ suffix: ".pak" });
  const content = await installation({ "a.txt": "a" });
  try {
    await createArchive(pak, content.path, { format: "dragonnest-pak" });
    await using made = await machine({
      "dn/Resource00.pak": await Deno.readFile(pak),
      "other/Resource00.pak": pakOf("a"),
    });
    const [game] = made.detect("dn").games;
    assertEquals([game?.name, game?.profile, game?.base, game?.gameDirectories, game?.toml], [
      "dragonnest",
      "dragonnest",
      "",
      [{ name: ".", role: "base", title: null, signs: ["1 pack (Resource00.pak)"], packs: 1 }],
      `[[game]]\nname = "dragonnest"\nprofile = "dragonnest"\nsources = ["${made.path}/dn"]\n`,
    ]);
    assertEquals(made.detect("other").games[0]?.profile, "generic");
  } finally {
    await Deno.remove(pak);
    await content[Symbol.asyncDispose]();
  }
});

Deno.test("what is no directory is refused", async () => {
  await using made = await machine({ "quake/id1/pak0.pak": pakOf("a") });
  const message = (path: string) =>
    assertThrows(() => made.detect(path), GameError).message.replaceAll(made.path, "ROOT");
  assertEquals(message("nowhere"), "ROOT/nowhere does not exist; name a game's directory");
  await Deno.symlink("loop", `${made.path}/loop`);
  assertEquals(
    message("loop").replace(/\(os error.*/s, ""),
    "ROOT/loop cannot be read: Too many levels of symbolic links ",
  );
  assertEquals(
    message("quake/id1/pak0.pak"),
    'ROOT/quake/id1/pak0.pak is a file, and detect takes directories; "pakfs archive list ROOT/quake/id1/pak0.pak" ' +
      "lists it, if it is an archive",
  );
});

const openarenaPackages = ["openarena-data", "openarena-081-maps", "openarena-081-misc"];

Deno.test(
  "Debian's OpenArena is recognised, with all its packs",
  needs(...openarenaPackages.map((name) => `debian:${name}`)),
  async () => {
    const roots = openarenaPackages.map(debianPackage);
    await using made = await machine({});
    const openarena = `${made.path}/system/usr/share/games/openarena`;
    await Deno.mkdir(`${openarena}/baseoa`, { recursive: true });
    await Promise.all(roots.map(async (root) => {
      const from = `${root}/usr/share/games/openarena/baseoa`;
      for await (const { name } of Deno.readDir(from)) {
        await Deno.symlink(`${from}/${name}`, `${openarena}/baseoa/${name}`);
      }
    }));
    const { games } = made.installed();
    assertEquals(games.map(({ title, profile, base, gameDirectories }) => [title, profile, base, gameDirectories]), [[
      "OpenArena",
      "ioquake3",
      "baseoa",
      [{
        name: "baseoa",
        role: "base",
        title: null,
        signs: ["4 packs (pak0.pk3, pak1-maps.pk3, pak5-TA.pk3, pak6-misc.pk3)"],
        packs: 4,
      }],
    ]]);
  },
);

Deno.test("below one directory 2000 directories are searched, the nearest first", async () => {
  await using made = await machine({
    "near/found/id1/pak0.pak": pakOf("a"),
    "near/quakes/a/id1/pak0.pak": pakOf("a"),
  });
  const many = Array.from({ length: 1997 }, (_, number) => Deno.mkdir(`${made.path}/near/dir${number}`));
  await Promise.all(many);
  assertEquals(gamesBelow(`${made.path}/near`).map((path) => path.replace(`${made.path}/near/`, "")), ["found"]);
});
