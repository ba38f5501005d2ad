import { assertEquals, assertStringIncludes } from "@std/assert";
import { bfgResources } from "../../formats/bytes.ts";
import { pakOf, zipOf } from "../../index/fixtures.ts";
import { machine, searched, steamLibrary } from "./machine.ts";

Deno.test("remasters are games of their own, and a directory in capitals is found", async () => {
  await using made = await machine({
    ...steamLibrary("home/.local/share/Steam", {
      "Quake": {
        id: 2310,
        files: {
          "ID1/PAK0.PAK": pakOf("a"),
          "rerelease/id1/pak0.pak": pakOf("b"),
          "rerelease/mg1/pak0.pak": pakOf("b"),
          "rerelease/QuakeEX.kpf": zipOf("x"),
        },
      },
      "Quake 2": {
        id: 2320,
        files: { "rerelease/baseq2/pak0.pak": pakOf("b"), "rerelease/Q2Game.kpf": zipOf("x") },
      },
    }),
  });
  const { games } = made.installed();
  assertEquals(games.map(({ name, title, profile, base }) => [name, title, profile, base]), [
    ["quake", "Quake", "quake", "ID1"],
    ["quake-remaster", "Quake, the remaster of 2021", "ironwail", "id1"],
    ["quake2-remaster", "Quake II, the remaster of 2023", "q2pro", "baseq2"],
  ]);
  assertEquals(games[1]?.gameDirectories.map(({ title }) => title), [null, "Dimension of the Machine"]);
});

Deno.test("add-ons that Steam keeps for a remaster are searched first under the engine that does so", async () => {
  const steam = "home/.local/share/Steam";
  const addOns = `${steam}/steamapps/compatdata/2310/pfx/drive_c/users/steamuser/Saved Games/Nightdive Studios/Quake`;
  await using made = await machine({
    ...steamLibrary(steam, {
      "Quake": {
        id: 2310,
        files: {
          "Id1/PAK0.PAK": pakOf("a"),
          "rerelease/id1/pak0.pak": pakOf("a"),
          "rerelease/QuakeEX.kpf": zipOf("x"),
        },
      },
    }),
    [`${addOns}/honey/pak0.pak`]: pakOf("maps/start.bsp"),
    [`${addOns}/id1/a`]: "loose",
  });
  const common = `${steam}/steamapps/common`;
  const found = made.installed();
  assertEquals(searched(made.path, found), {
    "quake (quake)": [`${common}/Quake`],
    "quake-remaster (ironwail)": [addOns, `${common}/Quake/rerelease`],
  });
  const [, remaster] = found.games;
  assertEquals(remaster?.gameDirectories.map(({ name }) => name), ["id1", "honey"]);
  assertEquals(remaster?.sources[0]?.origin, "Ironwail searches add-ons that Steam keeps there");
  await Deno.mkdir(`${made.path}/home/.ironwail/id1`, { recursive: true });
  assertEquals(searched(made.path, made.installed()), {
    "quake (ironwail)": ["home/.ironwail", `${common}/Quake`],
    "quake-remaster (ironwail)": ["home/.ironwail", addOns, `${common}/Quake/rerelease`],
  });
});

Deno.test("each game is found where Steam installs it", async () => {
  const library = "home/.local/share/Steam";
  const gameinfo = "GameInfo { FileSystem { SearchPaths { game |gameinfo_path|. } } }";
  await using made = await machine(steamLibrary(library, {
    "Return to Castle Wolfenstein": {
      id: 9010,
      files: { "Main/pak0.pk3": zipOf("a"), "Main/sp_pak1.pk3": zipOf("a") },
    },
    "Wolfenstein Enemy Territory": { id: 1873030, files: { "etmain/pak0.pk3": zipOf("a") } },
    "Jedi Academy": { id: 6020, files: { "GameData/base/assets3.pk3": zipOf("a"), "GameData/base/assets0.pk3": "" } },
    "Jedi Outcast": { id: 6030, files: { "GameData/base/assets5.pk3": zipOf("a"), "GameData/base/assets0.pk3": "" } },
    "DOOM 3 BFG Edition": { id: 208200, files: { "base/_common.resources": bfgResources([["a", "a"]]) } },
    "Half-Life": { id: 80, files: { "valve/liblist.gam": 'game "Half-Life"', "czero/pak0.pak": pakOf("a") } },
    "Team Fortress 2": { id: 440, files: { "tf/gameinfo.txt": gameinfo, "hl2/readme.txt": "" } },
    "Half-Life 2": { id: 220, files: { "hl2/gameinfo.txt": gameinfo } },
  }));
  const found = made.installed().games.map(({ title, profile, base }) => [title, profile, base]);
  assertEquals(found.sort((a, b) => String(a) < String(b) ? -1 : 1), [
    ["Doom 3 BFG Edition", "rbdoom3bfg", "base"],
    ["Half-Life 2", "source", "hl2"],
    ["Half-Life", "xash3d", "valve"],
    ["Jedi Academy", "openjk", "base"],
    ["Jedi Outcast", "openjk", "base"],
    ["Return to Castle Wolfenstein", "iortcw-sp", "Main"],
    ["Team Fortress 2", "source", "tf"],
    ["Wolfenstein: Enemy Territory", "etlegacy", "etmain"],
  ]);
});

Deno.test("games of Heroic and Lutris are found wherever they are, and what Flatpak's engines keep", async () => {
  const heroic = "home/.var/app/com.heroicgameslauncher.hgl/config/heroic";
  await using made = await machine({
    "disk/q2/baseq2/pak0.pak": pakOf("a"),
    "disk/epic/id1/pak0.pak": pakOf("a"),
    "disk/lutris/game/baseq3/pak0.pk3": zipOf("a"),
    "disk/lutris/game/quake3.x86": "",
    "disk/et/etmain/pak0.pk3": zipOf("a"),
    "home/.var/app/com.etlegacy.ETLegacy/.etlegacy/etmain/etconfig.cfg": "",
    "home/.var/app/org.example.Doom3/data/dhewm3/base/x.cfg": "",
    "home/Games/doom3/base/pak008.pk4": zipOf("a"),
    "home/.config/heroic/gog_store/installed.json": "not JSON",
    [`${heroic}/legendaryConfig/legendary/installed.json`]: "[1, null, {}]",
  });
  const list = { installed: [{ install_path: `${made.path}/disk/q2` }, { install_path: "relative" }, 7, {}] };
  await Deno.mkdir(`${made.path}/${heroic}/gog_store`, { recursive: true });
  await Deno.writeTextFile(`${made.path}/${heroic}/gog_store/installed.json`, JSON.stringify(list));
  await Deno.mkdir(`${made.path}/home/.config/heroic/legendaryConfig/legendary`, { recursive: true });
  await Deno.writeTextFile(
    `${made.path}/home/.config/heroic/legendaryConfig/legendary/installed.json`,
    JSON.stringify({ abc: { install_path: `${made.path}/disk/epic` } }),
  );
  await Deno.mkdir(`${made.path}/home/.local/share/lutris/games`, { recursive: true });
  await Deno.writeTextFile(
    `${made.path}/home/.local/share/lutris/games/quake3-1.yml`,
    `game:\n  args: x\n  exe: ${made.path}/disk/lutris/game/quake3.x86\n  main_file: '${made.path}/disk/et/et'\n`,
  );
  const found = made.installed();
  assertEquals(searched(made.path, found), {
    "quake (quake)": ["disk/epic"],
    "quake2 (yquake2)": ["disk/q2"],
    "quake3 (ioquake3)": ["disk/lutris/game"],
    "enemy-territory (etlegacy)": ["home/.var/app/com.etlegacy.ETLegacy/.etlegacy", "disk/et"],
    "doom3 (dhewm3)": ["home/.var/app/org.example.Doom3/data/dhewm3", "home/Games/doom3"],
  });
  assertEquals(found.problems.length, 1);
  assertStringIncludes(found.problems[0] ?? "", "/home/.config/heroic/gog_store/installed.json: ");
});

Deno.test("packs that come with games are known by their sizes, and so are demos", async () => {
  await using made = await machine({
    "ja/base/assets0.pk3": "",
    "demo/baseq2/pak0.pak": "",
    "other/base/assets0.pk3": zipOf("a"),
  });
  await Deno.truncate(`${made.path}/ja/base/assets0.pk3`, 561_806_019);
  await Deno.truncate(`${made.path}/demo/baseq2/pak0.pak`, 49_951_322);
  const [academy] = made.detect("ja").games;
  assertEquals([academy?.title, academy?.evidence.at(-1)], ["Jedi Academy", {
    path: `${made.path}/ja/base/assets0.pk3`,
    says: "has the size of Jedi Academy's",
  }]);
  assertEquals(made.detect("demo").games[0]?.edition?.name, "demo");
  assertEquals(made.detect("other").games[0]?.title, "Jedi Academy or Jedi Outcast");
});

Deno.test("packs in a directory of another name are said to be there", async () => {
  await using made = await machine({ "rtcw/stuff/sp_pak1.pk3": zipOf("a"), "rtcw/stuff/mp_pak0.pk3": zipOf("a") });
  for (const path of ["rtcw", "rtcw/stuff"]) {
    const [game] = made.detect(path).games;
    assertEquals([game?.profile, game?.evidence[0]?.says], [
      "generic",
      "has packs of Return to Castle Wolfenstein, whose engines look for them in main; rename it, or choose rules " +
      "with --profile",
    ]);
  }
});
