/**
 * Vectors taken from engines that were run on such trees, or from their sources: who answers a path. Every vector is a
 * small installation on disk; `which` and the resolved tree must both name the expected file.
 */
import { assertEquals } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { none } from "../../index/columns/columns.ts";
import { findFiles } from "../../index/questions/find.ts";
import { whichCandidates } from "../../index/views/which.ts";
import { type Files, installation, pakOf, scan, winner, zipOf } from "./fixtures.ts";
import { vector } from "./vectors.ts";

// WinQuake/common.c: COM_AddGameDirectory, COM_FindFile. The tree that quakespasm was run on.
const quakeTree: Files = {
  "id1/pak0.pak": pakOf("all.txt", "pak0+loose.txt", "pak0.txt"),
  "id1/pak1.pak": pakOf("all.txt", "pak1.txt"),
  "id1/pak2.pak": pakOf("all.txt"),
  "id1/pak10.pak": pakOf("all.txt", "pak10.txt"),
  "id1/PAK3.PAK": pakOf("all.txt", "upper.txt"),
  "id1/zmore.pak": pakOf("all.txt", "zmore.txt"),
  "id1/all.txt": "loose",
  "id1/pak0+loose.txt": "loose",
  "id1/loose.txt": "loose",
  "id1/Upper.cfg": "loose",
};
const quakeAnswers = {
  "all.txt": "id1/pak2.pak",
  "pak0+loose.txt": "id1/pak0.pak",
  "pak0.txt": "id1/pak0.pak",
  "pak1.txt": "id1/pak1.pak",
  "loose.txt": "loose id1",
  "nowhere.txt": null,
};

for (const profile of ["quake", "quakespasm"]) {
  vector(profile, "in all packs, the highest number before the gap answers", {
    files: quakeTree,
    expected: quakeAnswers,
  });
  vector(profile, "pak10 behind a gap is not loaded", { files: quakeTree, expected: { "pak10.txt": null } });
  vector(profile, "PAK3.PAK in capitals is not loaded", { files: quakeTree, expected: { "upper.txt": null } });
  vector(profile, "a pack without a number is not loaded", { files: quakeTree, expected: { "zmore.txt": null } });
  vector(profile, "upper.cfg is not Upper.cfg", {
    files: quakeTree,
    expected: { "upper.cfg": null, "Upper.cfg": "loose id1" },
  });
  vector(profile, "names in packs are case-sensitive", {
    files: { "id1/pak0.pak": pakOf("Maps/Start.bsp"), "id1/maps/start.bsp": "loose" },
    expected: { "maps/start.bsp": "loose id1", "Maps/Start.bsp": "id1/pak0.pak", "MAPS/START.BSP": null },
  });
  vector(profile, "ten packs without a gap are counted, not sorted by name", {
    files: Object.fromEntries(Array.from({ length: 11 }, (_, number) => [`id1/pak${number}.pak`, pakOf("all.txt")])),
    expected: { "all.txt": "id1/pak10.pak" },
  });
  vector(profile, "without pak0 no pack is loaded", {
    files: { "id1/pak1.pak": pakOf("all.txt", "one.txt"), "id1/all.txt": "loose" },
    expected: { "all.txt": "loose id1", "one.txt": null },
  });
  vector(profile, "pak01.pak is not pak1.pak", {
    files: { "id1/pak0.pak": pakOf("all.txt"), "id1/pak01.pak": pakOf("all.txt"), "id1/pak-1.pak": pakOf("all.txt") },
    expected: { "all.txt": "id1/pak0.pak" },
  });
  vector(profile, "a mod's loose file beats a pack of id1", {
    files: { "id1/pak0.pak": pakOf("all.txt", "id1.txt"), "mod/all.txt": "loose" },
    view: "mod",
    expected: { "all.txt": "loose mod", "id1.txt": "id1/pak0.pak" },
  });
  vector(profile, "a mod's pak1 beats its loose file", {
    files: { "id1/pak0.pak": pakOf(), "mod/pak0.pak": pakOf("x"), "mod/pak1.pak": pakOf("all.txt"), "mod/all.txt": "" },
    view: "mod",
    expected: { "all.txt": "mod/pak1.pak" },
  });
  vector(profile, "a loose file of hipnotic beats a pack of id1", {
    files: { "id1/pak0.pak": pakOf("all.txt"), "hipnotic/all.txt": "loose" },
    view: "hipnotic",
    expected: { "all.txt": "loose hipnotic" },
  });
  vector(profile, "a mod does not see another mod, nor the base a mod", {
    files: { "id1/pak0.pak": pakOf("id1.txt"), "mod/mod.txt": "", "other/other.txt": "" },
    view: "mod",
    expected: { "other.txt": null, "mod.txt": "loose mod", "id1.txt": "id1/pak0.pak" },
  });
  vector(profile, "the base sees no mod", {
    files: { "id1/pak0.pak": pakOf("id1.txt"), "mod/mod.txt": "" },
    expected: { "mod.txt": null, "id1.txt": "id1/pak0.pak" },
  });
  vector(profile, "pk3 and zip files are not loaded", {
    files: { "id1/pak0.pak": pakOf("a.txt"), "id1/pak1.pk3": zipOf("a.txt", "b.txt"), "id1/z.zip": zipOf("b.txt") },
    expected: { "a.txt": "id1/pak0.pak", "b.txt": null },
  });
}

Deno.test("quake and quakespasm: of two entries of one name in a pack the first answers", async () => {
  await using root = await installation({ "id1/pak0.pak": pak([["twice.txt", "first"], ["twice.txt", "second!"]]) });
  for (const profile of ["quake", "quakespasm"]) {
    const view = scan(root.path, { profile }).view();
    const { entries } = view.tree;
    assertEquals(winner(root.path, view, "twice.txt"), "id1/pak0.pak");
    assertEquals(view.snapshot.columns.entrySizes[entries[view.tree.find("twice.txt")] ?? 0], 5);
  }
});

// Quake/common.c of quakespasm: COM_AddGameDirectory
vector("quakespasm", "quakespasm.pak is searched after pak1 and before pak0", {
  files: {
    "quakespasm.pak": pakOf("all.txt", "pak0+engine.txt", "engine.txt", "engine+loose.txt"),
    "id1/pak0.pak": pakOf("all.txt", "pak0+engine.txt"),
    "id1/pak1.pak": pakOf("all.txt"),
    "id1/engine+loose.txt": "loose",
  },
  expected: {
    "all.txt": "id1/pak1.pak",
    "pak0+engine.txt": "quakespasm.pak",
    "engine.txt": "quakespasm.pak",
    "engine+loose.txt": "quakespasm.pak",
  },
});
vector("quakespasm", "quakespasm.pak is loaded even without pak0", {
  files: { "quakespasm.pak": pakOf("all.txt"), "id1/all.txt": "loose", "id1/pak1.pak": pakOf("all.txt") },
  expected: { "all.txt": "quakespasm.pak" },
});
vector("quakespasm", "quakespasm.pak belongs to id1, so any mod beats it", {
  files: {
    "quakespasm.pak": pakOf("all.txt", "engine.txt"),
    "id1/pak0.pak": pakOf("x"),
    "mod/all.txt": "loose",
  },
  view: "mod",
  expected: { "all.txt": "loose mod", "engine.txt": "quakespasm.pak" },
});
vector("quakespasm", "quakespasm.pak inside a game directory is no pack", {
  files: { "id1/pak0.pak": pakOf("a.txt"), "id1/quakespasm.pak": pakOf("a.txt", "b.txt") },
  expected: { "a.txt": "id1/pak0.pak", "b.txt": null, "quakespasm.pak": "loose id1" },
});
vector("quake", "quakespasm.pak is nothing to the original engine", {
  files: { "quakespasm.pak": pakOf("all.txt", "engine.txt"), "id1/pak0.pak": pakOf("all.txt") },
  expected: { "all.txt": "id1/pak0.pak", "engine.txt": null },
});
vector("quakespasm", "an empty pack counts as missing and ends the loading", {
  files: { "id1/pak0.pak": pakOf("all.txt"), "id1/pak1.pak": pakOf(), "id1/pak2.pak": pakOf("all.txt") },
  expected: { "all.txt": "id1/pak0.pak" },
});
vector("quake", "an empty pack is a pack to the original engine", {
  files: { "id1/pak0.pak": pakOf("all.txt"), "id1/pak1.pak": pakOf(), "id1/pak2.pak": pakOf("all.txt") },
  expected: { "all.txt": "id1/pak2.pak" },
});
vector("quakespasm", "each game directory of the user directory is searched before that of the base directory", {
  files: {
    "user/id1/all.txt": "loose",
    "user/mod/mod.txt": "loose",
    "base/id1/pak0.pak": pakOf("all.txt", "mod.txt", "both mods.txt"),
    "base/mod/pak0.pak": pakOf("mod.txt", "all.txt"),
    "base/quakespasm.pak": pakOf("all.txt"),
    "user/id1/pak0.pak": pakOf("pak0.txt"),
    "base/id1/pak1.pak": pakOf("pak0.txt"),
  },
  sources: ["user", "base"],
  view: "mod",
  expected: { "all.txt": "base/mod/pak0.pak", "mod.txt": "loose user/mod", "pak0.txt": "user/id1/pak0.pak" },
});
vector("quakespasm", "a loose file of the user directory beats a pack of the base directory", {
  files: { "user/id1/all.txt": "loose", "base/id1/pak0.pak": pakOf("all.txt") },
  sources: ["user", "base"],
  expected: { "all.txt": "loose user/id1" },
});

vector("quakespasm", "an empty quakespasm.pak is none, and that of the user directory is searched with its id1", {
  files: {
    "user/quakespasm.pak": pakOf("engine.txt", "pak0+engine.txt"),
    "user/id1/pak0.pak": pakOf("pak0+engine.txt"),
    "base/quakespasm.pak": pakOf(),
    "base/id1/pak0.pak": pakOf("engine.txt"),
  },
  sources: ["user", "base"],
  expected: { "engine.txt": "user/quakespasm.pak", "pak0+engine.txt": "user/quakespasm.pak" },
});
const missionPacks: Files = {
  "id1/pak0.pak": pakOf("all.txt"),
  "rogue/pak0.pak": pakOf("all.txt", "rogue.txt"),
  "hipnotic/all.txt": "loose",
  "mod/mod.txt": "loose",
};
for (const profile of ["quake", "quakespasm", "darkplaces"]) {
  vector(profile, "with -rogue and -hipnotic, hipnotic answers", {
    files: missionPacks,
    view: "hipnotic+rogue",
    expected: { "all.txt": "loose hipnotic", "rogue.txt": "rogue/pak0.pak" },
  });
}
vector("quakespasm", "quoth is searched before hipnotic and rogue, and -game before all", {
  files: { ...missionPacks, "quoth/pak0.pak": pakOf("all.txt", "mod.txt") },
  view: "mod+quoth+hipnotic+rogue",
  expected: { "all.txt": "quoth/pak0.pak", "mod.txt": "loose mod", "rogue.txt": "rogue/pak0.pak" },
});
vector("quakespasm", "-game hipnotic is -hipnotic, and is not loaded twice", {
  files: missionPacks,
  view: "hipnotic+hipnotic",
  expected: { "all.txt": "loose hipnotic", "rogue.txt": null },
});

// The same tree as above, which darkplaces-server was run on; fs.c: FS_AddGameDirectory.
vector("darkplaces", "in all packs, loose files answer, and of packs the one that sorts last", {
  files: quakeTree,
  expected: {
    "all.txt": "loose id1",
    "pak0+loose.txt": "loose id1",
    "pak0.txt": "id1/pak0.pak",
    "pak10.txt": "id1/pak10.pak",
    "zmore.txt": "id1/zmore.pak",
    "nowhere.txt": null,
  },
});
const packsOfQuakeTree = Object.fromEntries(Object.entries(quakeTree).filter(([name]) => name !== "id1/all.txt"));
vector("darkplaces", "without a loose file zmore.pak answers before every number", {
  files: packsOfQuakeTree,
  expected: { "all.txt": "id1/zmore.pak" },
});
vector("darkplaces", "pak10 behind a gap is loaded", {
  files: quakeTree,
  expected: { "pak10.txt": "id1/pak10.pak" },
});
vector("darkplaces", "PAK3.PAK in capitals is loaded", {
  files: quakeTree,
  expected: { "upper.txt": "id1/PAK3.PAK" },
});
// The command exec finds it under upper.cfg too, because it searches by a pattern; opening a file does not.
vector("darkplaces", "a loose Upper.cfg is opened by its own spelling", {
  files: quakeTree,
  expected: { "Upper.cfg": "loose id1" },
});
vector("darkplaces", "pak2 sorts behind pak10", {
  files: { "id1/pak2.pak": pakOf("all.txt"), "id1/pak10.pak": pakOf("all.txt"), "id1/PAK1.PAK": pakOf("all.txt") },
  expected: { "all.txt": "id1/pak2.pak" },
});
vector("darkplaces", "any pk3 beats any pak, and pk3dirs are sorted among pk3 files", {
  files: {
    "id1/zzz.pak": pakOf("all.txt"),
    "id1/aaa.pk3": zipOf("all.txt", "pk3.txt"),
    "id1/bbb.pk3dir/pk3.txt": "",
    "id1/b.obb": zipOf("all.txt"),
    "id1/A.dpk": zipOf("all.txt"),
    "id1/Z.dpkdir/dpkdir.txt": "",
  },
  expected: { "all.txt": "id1/b.obb", "pk3.txt": "id1/bbb.pk3dir", "dpkdir.txt": "id1/Z.dpkdir" },
});
vector("darkplaces", "a mod's loose file beats packs of id1", {
  files: { "id1/pak0.pak": pakOf("all.txt", "id1.txt"), "mod/all.txt": "loose" },
  view: "mod",
  expected: { "all.txt": "loose mod", "id1.txt": "id1/pak0.pak" },
});
vector("darkplaces", "a mod's loose file beats its pak1", {
  files: { "id1/pak0.pak": pakOf("x"), "mod/pak1.pak": pakOf("all.txt"), "mod/all.txt": "loose" },
  view: "mod",
  expected: { "all.txt": "loose mod" },
});
vector("darkplaces", "a loose file of hipnotic beats a pack of id1", {
  files: { "id1/pak0.pak": pakOf("all.txt"), "hipnotic/all.txt": "loose" },
  view: "hipnotic",
  expected: { "all.txt": "loose hipnotic" },
});
vector("darkplaces", "the user directory is searched before the base directory, its packs before loose files there", {
  files: { "user/id1/a.pak": pakOf("all.txt"), "base/id1/all.txt": "loose", "base/id1/z.pk3": zipOf("all.txt") },
  sources: ["user", "base"],
  expected: { "all.txt": "user/id1/a.pak" },
});
vector("darkplaces", "names in packs are found in any case", {
  files: { "id1/pak0.pak": pakOf("Maps/Start.bsp") },
  expected: { "maps/start.bsp": "id1/pak0.pak" },
});

Deno.test("darkplaces: of equal names in a pack the one answers that a binary search meets first", async () => {
  const twice = [["twice.txt", "first"], ["TWICE.txt", "second!"]] as const;
  await using root = await installation({
    "id1/a.pak": pak(twice.map(([name, content]) => [`a/${name}`, content])),
    "id1/b.pak": pak([["b/0.txt", ""], ...twice.map(([name, content]) => [`b/${name}`, content] as const)]),
    // Encrypted members are not in its table.
    "id1/d.pk3": zip([
      ...twice.map(([name, content]) => ({ name: `d/${name}`, content })),
      { name: "d/z.txt", content: "", flags: 1 },
    ]),
    "id1/c.pak": pak([...twice.map(([name, content]) => [`c/${name}`, content] as const), ["c/z.txt", ""]]),
  });
  const view = scan(root.path, { profile: "darkplaces" }).view();
  const sizes = ["a", "b", "c", "d"].map((directory) => {
    assertEquals(
      winner(root.path, view, `${directory}/twice.txt`),
      `id1/${directory}.${directory === "d" ? "pk3" : "pak"}`,
    );
    const node = view.tree.find(`${directory}/twice.txt`);
    return view.snapshot.columns.entrySizes[view.tree.entries[node] ?? 0];
  });
  // The middle of two names is the first of them, that of three the second.
  assertEquals(sizes, [5, 5, 7, 5]);
});

// qcommon/files.c of Quake II: FS_AddGameDirectory, FS_FOpenFile
const quake2Tree: Files = {
  "baseq2/pak0.pak": pakOf("all.txt", "pak0.txt"),
  "baseq2/pak1.pak": pakOf("all.txt"),
  "baseq2/pak9.pak": pakOf("pak9.txt"),
  "baseq2/pak10.pak": pakOf("all.txt", "pak10.txt"),
  "baseq2/zmore.pak": pakOf("all.txt", "zmore.txt"),
  "baseq2/pak0.pk3": zipOf("all.txt", "pk3.txt"),
  "baseq2/all.txt": "loose",
};
vector("quake2", "packs pak0 to pak9 beat loose files, and nothing else is a pack", {
  files: quake2Tree,
  expected: { "all.txt": "baseq2/pak1.pak", "pak10.txt": null, "zmore.txt": null, "pk3.txt": null },
});
vector("quake2", "pak9 after a gap is loaded", { files: quake2Tree, expected: { "pak9.txt": "baseq2/pak9.pak" } });
vector("quake2", "names in packs are found in any case, loose files only as they are spelled", {
  files: { "baseq2/pak0.pak": pakOf("Pics/Conback.pcx"), "baseq2/Upper.cfg": "loose" },
  expected: { "pics/conback.pcx": "baseq2/pak0.pak", "Upper.cfg": "loose baseq2" },
});
vector("quake2", "the base directory is searched before the cd directory", {
  files: { "base/baseq2/all.txt": "loose", "cd/baseq2/pak9.pak": pakOf("all.txt", "cd.txt") },
  sources: ["base", "cd"],
  expected: { "all.txt": "loose base/baseq2", "cd.txt": "cd/baseq2/pak9.pak" },
});
vector("quake2", "a mod's loose file beats the packs of baseq2", {
  files: { "baseq2/pak0.pak": pakOf("all.txt"), "mod/all.txt": "loose" },
  view: "mod",
  expected: { "all.txt": "loose mod" },
});

Deno.test("quake2: of two entries of one name in a pack the first answers", async () => {
  for (const profile of ["quake2", "yquake2"]) {
    // deno-lint-ignore no-await-in-loop -- one installation at a time
    await using root = await installation({ "baseq2/pak0.pak": pak([["a.txt", "first"], ["A.txt", "second!"]]) });
    const view = scan(root.path, { profile }).view();
    assertEquals(view.snapshot.columns.entrySizes[view.tree.entries[view.tree.find("a.txt")] ?? 0], 5);
  }
});

// src/common/filesystem.c of Yamagi Quake II: FS_AddDirToSearchPath, FS_FOpenFile. It was run on these.
const yamagiPaks: Files = {
  "baseq2/pak0.pak": pakOf("all.txt"),
  "baseq2/pak1.pak": pakOf("all.txt"),
  "baseq2/pak10.pak": pakOf("all.txt", "pak10.txt"),
};
vector("yquake2", "pak0.pk3 beats pak0, pak1 and pak10.pak", {
  files: { ...yamagiPaks, "baseq2/pak0.pk3": zipOf("all.txt") },
  expected: { "all.txt": "baseq2/pak0.pk3" },
});
vector("yquake2", "of numbered packs the highest number answers", {
  files: yamagiPaks,
  expected: { "all.txt": "baseq2/pak10.pak" },
});
vector("yquake2", "of pak0.pk2 and pak0.pk3, pak0.pk3 answers", {
  files: { "baseq2/pak0.pk2": zipOf("all.txt"), "baseq2/pak0.pk3": zipOf("all.txt") },
  expected: { "all.txt": "baseq2/pak0.pk3" },
});
vector("yquake2", "pak9 after a gap is loaded", {
  files: { "baseq2/pak0.pak": pakOf("x"), "baseq2/pak9.pak": pakOf("all.txt"), "baseq2/pak99.pak": pakOf("99.txt") },
  expected: { "all.txt": "baseq2/pak9.pak", "99.txt": "baseq2/pak99.pak" },
});
vector("yquake2", "pak0 beats a loose file", {
  files: { "baseq2/pak0.pak": pakOf("all.txt"), "baseq2/all.txt": "loose" },
  expected: { "all.txt": "baseq2/pak0.pak" },
});
const yamagiOthers: Files = {
  "baseq2/aa.pak": pakOf("all.txt", "paks.txt"),
  "baseq2/zz.pak": pakOf("all.txt", "paks.txt"),
  "baseq2/bb.pk3": zipOf("all.txt"),
  "baseq2/pak99.zip": zipOf("all.txt"),
};
vector("yquake2", "of aa.pak, zz.pak and bb.pk3, bb.pk3 answers", {
  files: yamagiOthers,
  expected: { "all.txt": "baseq2/bb.pk3", "paks.txt": "baseq2/zz.pak" },
});
vector("yquake2", "cc.zip beats bb.pk3", {
  files: { ...yamagiOthers, "baseq2/cc.zip": zipOf("all.txt") },
  expected: { "all.txt": "baseq2/cc.zip" },
});
// Version 8.20 ran on these: only names that are numbered ones but for their case are left out.
vector("yquake2", "pak100.pak and pakx.pak are packs without a number, which are searched first", {
  files: {
    "baseq2/pak99.pak": pakOf("all.txt", "hundred.txt"),
    "baseq2/pak100.pak": pakOf("hundred.txt"),
    "baseq2/pakx.pk2": zipOf("all.txt"),
  },
  expected: { "all.txt": "baseq2/pakx.pk2", "hundred.txt": "baseq2/pak100.pak" },
});
vector("yquake2", "numbered packs and endings in capitals are not loaded", {
  files: {
    "baseq2/pak0.pak": pakOf("all.txt"),
    "baseq2/PAK3.pak": pakOf("all.txt", "x.txt"),
    "baseq2/Pak3.pk3": zipOf("all.txt", "x.txt"),
    "baseq2/Z.PAK": pakOf("all.txt", "x.txt"),
  },
  expected: { "all.txt": "baseq2/pak0.pak", "x.txt": null },
});
vector("yquake2", "a mod's loose file beats the packs of baseq2", {
  files: { ...yamagiPaks, "mod/all.txt": "loose" },
  view: "mod",
  expected: { "all.txt": "loose mod" },
});
vector("yquake2", "a loose file is found as it is spelled, and in small letters", {
  files: { "baseq2/pak0.pak": pakOf("x"), "baseq2/small.cfg": "", "baseq2/Upper.cfg": "" },
  expected: { "small.cfg": "loose baseq2", "SMALL.cfg": "loose baseq2", "Upper.cfg": "loose baseq2" },
});
vector("yquake2", "a loose pack in the base directory of a higher root is searched first", {
  files: { "home/baseq2/all.txt": "loose", "base/baseq2/pak0.pak": pakOf("all.txt") },
  sources: ["home", "base"],
  expected: { "all.txt": "loose home/baseq2" },
});

vector("yquake2", "all directories of a mod are searched before all directories of baseq2", {
  files: { "home/baseq2/zz.zip": zipOf("all.txt"), "base/mod/all.txt": "loose", "base/baseq2/all.txt": "loose" },
  sources: ["home", "base"],
  view: "mod",
  expected: { "all.txt": "loose base/mod" },
});
vector("yquake2", "slashes and dots too many are left out of what is asked for", {
  files: { "baseq2/pak0.pak": pakOf("maps/base1.bsp") },
  expected: {
    "./maps/base1.bsp": "baseq2/pak0.pak",
    "maps//base1.bsp": "baseq2/pak0.pak",
    "/maps/base1.bsp": "baseq2/pak0.pak",
  },
});
const yamagiPlayers: Files = {
  "home/baseq2/pak0.pak": pakOf("maps.lst", "players/male/skin.pcx", "players/female/skin.pcx"),
  "base/baseq2/maps.lst": "loose",
  "base/baseq2/players/male/skin.pcx": "loose",
  "base/mod/mod.txt": "loose",
};
vector("yquake2", "without a mod, maps.lst and players are not taken from packs", {
  files: yamagiPlayers,
  sources: ["home", "base"],
  expected: {
    "maps.lst": "loose base/baseq2",
    "players/male/skin.pcx": "loose base/baseq2",
    "players/female/skin.pcx": null,
  },
});
vector("yquake2", "with a mod, maps.lst and players are files as all others", {
  files: yamagiPlayers,
  sources: ["home", "base"],
  view: "mod",
  expected: { "maps.lst": "home/baseq2/pak0.pak", "players/female/skin.pcx": "home/baseq2/pak0.pak" },
});

// code/qcommon/files.c of Quake III Arena 1.32: FS_AddGameDirectory
vector("quake3", "packs beat loose files, and pk3dirs are nothing", {
  files: {
    "baseq3/pak0.pk3": zipOf("all.txt"),
    "baseq3/pak2.pk3": zipOf("all.txt"),
    "baseq3/pak10.pk3": zipOf("all.txt"),
    "baseq3/zzz.pk3dir/all.txt": "",
    "baseq3/all.txt": "loose",
  },
  expected: { "all.txt": "baseq3/pak2.pk3", "zzz.pk3dir/all.txt": "loose baseq3" },
});
vector("quake3", "a loose file of the home path beats a pack of the base path", {
  files: { "home/baseq3/all.txt": "loose", "base/baseq3/pak0.pk3": zipOf("all.txt") },
  sources: ["home", "base"],
  expected: { "all.txt": "loose home/baseq3" },
});

for (const profile of ["quake3", "ioquake3"]) {
  vector(profile, "fs_game is searched before fs_basegame, and that before the base, each in all its roots", {
    files: {
      "home/baseq3/zzz.pk3": zipOf("all.txt", "middle.txt", "base.txt"),
      "home/middle/zzz.pk3": zipOf("all.txt"),
      "base/middle/middle.txt": "",
      "base/mod/a.pk3": zipOf("all.txt"),
    },
    sources: ["home", "base"],
    base: "baseq3",
    view: "middle+mod",
    expected: { "all.txt": "base/mod/a.pk3", "middle.txt": "loose base/middle", "base.txt": "home/baseq3/zzz.pk3" },
  });
}

// neo/framework/FileSystem.cpp of dhewm3: AddGameDirectory
vector("dhewm3", "loose files beat packs, and of pk4 files the one that sorts last", {
  files: {
    "base/pak000.pk4": zipOf("all.txt", "packs.txt"),
    "base/pak008.pk4": zipOf("all.txt", "packs.txt"),
    "base/Game00.pk4": zipOf("packs.txt"),
    "base/all.txt": "loose",
    "base/pak9.pk3": zipOf("pk3.txt"),
  },
  expected: { "all.txt": "loose base", "packs.txt": "base/pak008.pk4", "pk3.txt": null },
});
vector("dhewm3", "an underscore sorts before letters", {
  files: { "base/zz_u.pk4": zipOf("all.txt"), "base/zzz.pk4": zipOf("all.txt") },
  expected: { "all.txt": "base/zzz.pk4" },
});
vector("dhewm3", "a mod beats the base game", {
  files: { "base/pak000.pk4": zipOf("all.txt"), "base/all.txt": "", "d3xp/pak000.pk4": zipOf("all.txt") },
  view: "d3xp",
  expected: { "all.txt": "d3xp/pak000.pk4" },
});

vector(
  "dhewm3",
  "the directories for configuration, saved games, development, the game and its disc are searched in turn",
  {
    files: {
      "config/base/one.txt": "",
      "save/base/z.pk4": zipOf("one.txt", "two.txt"),
      "dev/base/two.txt": "",
      "base/base/pak000.pk4": zipOf("three.txt"),
      "cd/base/three.txt": "",
      "cd/base/four.txt": "",
    },
    sources: ["config", "save", "dev", "base", "cd"],
    base: "base",
    expected: {
      "one.txt": "loose config/base",
      "two.txt": "save/base/z.pk4",
      "three.txt": "base/base/pak000.pk4",
      "four.txt": "loose cd/base",
    },
  },
);
vector("dhewm3", "fs_game is searched before fs_game_base, and that before the base", {
  files: {
    "base/pak000.pk4": zipOf("all.txt", "d3xp.txt", "base.txt"),
    "d3xp/pak000.pk4": zipOf("all.txt", "d3xp.txt"),
    "mod/pak0.pk4": zipOf("all.txt"),
  },
  view: "d3xp+mod",
  expected: { "all.txt": "mod/pak0.pk4", "d3xp.txt": "d3xp/pak000.pk4", "base.txt": "base/pak000.pk4" },
});
vector("dhewm3", "loose files are found in any case, but only in directories in small letters", {
  files: { "base/maps/Start.map": "", "base/Maps2/start.map": "", "base/pak000.pk4": zipOf("MAPS/Pack.map") },
  expected: { "maps/Start.map": "loose base", "Maps/START.map": "loose base", "maps/pack.MAP": "base/pak000.pk4" },
});

// code/qcommon/files.c of ioquake3: FS_AddGameDirectory, FS_PathCmp, FS_LoadZipFile
const ioquake3Base: Files = {
  "base/tbase/pak0.pk3": zipOf("all.txt"),
  "base/tbase/pak1.pk3": zipOf("all.txt"),
  "base/tbase/pak2.pk3": zipOf("all.txt"),
  "base/tbase/pak10.pk3": zipOf("all.txt"),
};
const roots = { sources: ["home", "base"], base: "tbase" } as const;

vector("ioquake3", "pak2 sorts behind pak10, and the last answers", {
  files: ioquake3Base,
  sources: ["base"],
  base: "tbase",
  expected: { "all.txt": "base/tbase/pak2.pk3" },
});
vector("ioquake3", "any pack of the home path beats every pack of the base path", {
  files: { ...ioquake3Base, "home/tbase/aaa.pk3": zipOf("all.txt") },
  ...roots,
  expected: { "all.txt": "home/tbase/aaa.pk3" },
});
vector("ioquake3", "pak0 of the base path loses to aaa of the home path", {
  files: { "base/tbase/pak0.pk3": zipOf("all.txt"), "home/tbase/aaa.pk3": zipOf("all.txt") },
  ...roots,
  expected: { "all.txt": "home/tbase/aaa.pk3" },
});

const namePairs: readonly (readonly [string, string, string])[] = [
  ["pak1.pk3", "pak1_x.pk3", "pak1_x.pk3"],
  ["pak1.pk3", "pak1-x.pk3", "pak1.pk3"],
  ["pak1.pk3", "pak1 x.pk3", "pak1.pk3"],
  ["zzz.pk3", "zz_u.pk3", "zz_u.pk3"],
  ["pak2.pk3", "pak10.pk3", "pak2.pk3"],
  ["pak1.pk3", "pak10.pk3", "pak10.pk3"],
  ["pak10.pk3", "pak1_x.pk3", "pak1_x.pk3"],
  ["PAK9.PK3", "pak8.pk3", "PAK9.PK3"],
  ["Zed.pk3", "abc.pk3", "Zed.pk3"],
  ["zed.pk3", "é.pk3", "zed.pk3"],
];
for (const [one, other, best] of namePairs) {
  vector("ioquake3", `of ${one} and ${other}, ${best} answers`, {
    files: { [`baseq3/${one}`]: zipOf("all.txt"), [`baseq3/${other}`]: zipOf("all.txt") },
    expected: { "all.txt": `baseq3/${best}` },
  });
}

vector("ioquake3", "a loose file beats pak0", {
  files: { "baseq3/pak0.pk3": zipOf("all.txt"), "baseq3/all.txt": "loose" },
  expected: { "all.txt": "loose baseq3" },
});
vector("ioquake3", "loose files of the home path beat those of the base path and every pack", {
  files: { "base/tbase/zhl.pk3": zipOf("all.txt"), "base/tbase/all.txt": "loose", "home/tbase/all.txt": "loose" },
  ...roots,
  expected: { "all.txt": "loose home/tbase" },
});
vector("ioquake3", "pak2.pk3dir beats pak2.pk3", {
  files: { "baseq3/pak2.pk3": zipOf("all.txt"), "baseq3/pak2.pk3dir/all.txt": "in a pk3dir" },
  expected: { "all.txt": "baseq3/pak2.pk3dir" },
});
vector("ioquake3", "pk3 files and pk3dirs are sorted together", {
  files: { "baseq3/b.pk3": zipOf("all.txt"), "baseq3/a.pk3dir/all.txt": "", "baseq3/a.pk3dir/only.txt": "" },
  expected: { "all.txt": "baseq3/b.pk3", "only.txt": "baseq3/a.pk3dir" },
});
vector("ioquake3", "a pk3dir in capitals is one too", {
  files: { "baseq3/pak0.pk3": zipOf("all.txt"), "baseq3/Z.PK3DIR/all.txt": "" },
  expected: { "all.txt": "baseq3/Z.PK3DIR", "Z.PK3DIR/all.txt": null },
});
vector("ioquake3", "with a mod, its packs of the home path beat those of the base path", {
  files: {
    ...ioquake3Base,
    "base/tmod/aaa.pk3": zipOf("all.txt"),
    "base/tmod/bbb.pk3": zipOf("all.txt"),
    "home/tmod/a.pk3": zipOf("all.txt"),
  },
  ...roots,
  view: "tmod",
  expected: { "all.txt": "home/tmod/a.pk3" },
});
vector("ioquake3", "with a mod, a pack of its home path beats its loose files of the base path", {
  files: {
    ...ioquake3Base,
    "base/tmod/all.txt": "loose",
    "base/tmod/zzz.pk3": zipOf("all.txt"),
    "home/tmod/a.pk3": zipOf("all.txt"),
  },
  ...roots,
  view: "tmod",
  expected: { "all.txt": "home/tmod/a.pk3" },
});
vector("ioquake3", "all roots of a mod beat all roots of the base game", {
  files: {
    "home/tbase/zzz.pk3": zipOf("all.txt"),
    "base/tmod/aaa.pk3": zipOf("all.txt"),
    "base/tbase/pak0.pk3": zipOf(),
  },
  ...roots,
  view: "tmod",
  expected: { "all.txt": "base/tmod/aaa.pk3" },
});
vector("ioquake3", "packs in subdirectories are not loaded", {
  files: {
    "baseq3/pak0.pk3": zipOf("pak0.txt"),
    "baseq3/downloads/zzdl.pk3": zipOf("download.txt"),
    "baseq3/nolist/n.pk3": zipOf("nolist.txt"),
    "baseq3/refonly/r.pk3": zipOf("refonly.txt"),
    "baseq3/sub/s.pk3": zipOf("sub.txt"),
    "baseq3/sub/deep.pk3dir/deep.txt": "",
  },
  expected: { "download.txt": null, "nolist.txt": null, "refonly.txt": null, "sub.txt": null, "deep.txt": null },
});
vector("ioquake3", "an inactive mod is not searched", {
  files: { "baseq3/pak0.pk3": zipOf("base.txt"), "other/o.pk3": zipOf("other.txt") },
  expected: { "other.txt": null, "base.txt": "baseq3/pak0.pk3" },
});
vector("ioquake3", "names in packs are found in any case", {
  files: { "baseq3/pak0.pk3": zipOf("Maps/Q3DM1.bsp"), "baseq3/pak1.pk3": zipOf("maps/q3dm1.BSP") },
  expected: { "maps/q3dm1.bsp": "baseq3/pak1.pk3", "MAPS/Q3DM1.BSP": "baseq3/pak1.pk3" },
});
vector("ioquake3", "mixedcase does not find a loose MixedCase, but the name in a pack", {
  files: { "baseq3/pak0.pk3": zipOf("BOTH.cfg"), "baseq3/MixedCase.cfg": "loose", "baseq3/both.cfg": "loose" },
  expected: { "MixedCase.cfg": "loose baseq3", "both.cfg": "loose baseq3" },
});
Deno.test("ioquake3: loose files are found only by their own spelling", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("BOTH.cfg"),
    "baseq3/Both.cfg": "",
    "baseq3/One.cfg": "",
  });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  const said = (qpath: string) => whichCandidates(view, qpath).map((row) => `${row.kind} ${row.usable}`);
  assertEquals(said("both.cfg"), ["pack true", "loose false"]);
  assertEquals(said("Both.cfg"), ["loose true", "pack true"]);
  assertEquals(said("one.cfg"), ["loose false"]);
  assertEquals(view.tree.find("one.cfg"), none);
  assertEquals(Array.from(findFiles(view, ["*.cfg"]), (node) => view.tree.pathOf(node)), ["BOTH.cfg", "One.cfg"]);
});
vector("ioquake3", "a backslash in a pack is a slash", {
  files: { "baseq3/pak0.pk3": zipOf("maps\\q3dm1.bsp") },
  expected: { "maps/q3dm1.bsp": "baseq3/pak0.pk3" },
});
vector("ioquake3", "one leading slash is left out of what is asked for", {
  files: { "baseq3/pak0.pk3": zipOf("maps/q3dm1.bsp") },
  expected: { "/maps/q3dm1.bsp": "baseq3/pak0.pk3" },
});
vector("ioquake3", "autoexec.cfg and q3config.cfg are not taken from packs, but from pk3dirs and everywhere else", {
  files: {
    "home/baseq3/pak0.pk3": zipOf("autoexec.cfg", "q3config.cfg", "q3configx.cfg", "sub/autoexec.cfg"),
    "base/baseq3/autoexec.cfg": "loose",
    "base/baseq3/a.pk3dir/q3config_server.cfg": "loose",
  },
  sources: ["home", "base"],
  base: "baseq3",
  expected: {
    "autoexec.cfg": "loose base/baseq3",
    "q3config.cfg": null,
    "q3config_server.cfg": "base/baseq3/a.pk3dir",
    "q3configx.cfg": "home/baseq3/pak0.pk3",
    "sub/autoexec.cfg": "home/baseq3/pak0.pk3",
  },
});
vector("ioquake3", "a pack without members is not loaded", {
  files: { "baseq3/pak0.pk3": zipOf("all.txt"), "baseq3/pak1.pk3": zipOf() },
  expected: { "all.txt": "baseq3/pak0.pk3", "pak1.pk3": "loose baseq3" },
});
vector("ioquake3", "zip and pak files are not loaded", {
  files: { "baseq3/pak0.pk3": zipOf("a.txt"), "baseq3/z.zip": zipOf("a.txt", "b.txt"), "baseq3/z.pak": pakOf("b.txt") },
  expected: { "a.txt": "baseq3/pak0.pk3", "b.txt": null, "z.zip": "loose baseq3", "z.pak": "loose baseq3" },
});

Deno.test("ioquake3: of two entries of one name in a pk3 the last answers, in any case", async () => {
  const names = ["twice.txt", "once.txt", "TWICE.TXT"];
  await using root = await installation({ "baseq3/pak0.pk3": zipOf(...names) });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  assertEquals(winner(root.path, view, "twice.txt"), "baseq3/pak0.pk3");
  assertEquals(view.tree.pathOf(view.tree.find("twice.txt")), "TWICE.TXT");
  assertEquals(view.tree.fileCount, 2);
});

// What the profile itself promises.
vector("generic", "later pack names win, whatever the format, and loose files win over packs", {
  files: {
    "a.zip": zipOf("all.txt", "zip+pak.txt", "a.txt"),
    "b.pak": pakOf("all.txt", "zip+pak.txt"),
    "B.pk3": zipOf("all.txt", "zip+pak.txt", "a.txt"),
    "all.txt": "loose",
  },
  expected: { "all.txt": "loose .", "zip+pak.txt": "b.pak", "a.txt": "a.zip" },
});
vector("generic", "the first directory named is the highest", {
  files: { "one/a.zip": zipOf("all.txt"), "two/z.zip": zipOf("all.txt", "z.txt"), "two/all.txt": "loose" },
  sources: ["one", "two"],
  expected: { "all.txt": "one/a.zip", "z.txt": "two/z.zip" },
});
vector("generic", "names are case-sensitive", {
  files: { "a.zip": zipOf("Readme.txt"), "b.zip": zipOf("README.TXT") },
  expected: { "Readme.txt": "a.zip", "README.TXT": "b.zip", "readme.txt": null },
});
vector("generic", "directories named pk3dir are packs, other directories loose files", {
  files: { "a.pk3dir/x.txt": "", "sub/pak0.pak": pakOf("y.txt"), "sub/x.txt": "" },
  expected: { "x.txt": "a.pk3dir", "sub/x.txt": "loose .", "y.txt": null, "sub/pak0.pak": "loose ." },
});
