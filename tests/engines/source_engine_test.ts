/**
 * The Source engine's search paths: winners under a `gameinfo.txt`, derived from filesystem_init.cpp of Valve's
 * source-sdk-2013.
 */
import { assertEquals } from "@std/assert";
import { vpk } from "../formats/bytes.ts";
import { type Files, installation, scan, winner } from "../index/fixtures.ts";

/** A VPK of one file. */
function vpkOf(path: string): Uint8Array {
  return vpk([{ path, content: "x", part: 0x7fff, offset: 0 }], "x");
}

function gameinfo(...lines: readonly string[]): string {
  return `// a comment\n"GameInfo"\n{\n  game "A"\n  FileSystem\n  {\n    SteamAppId 440\n    SearchPaths\n    {\n${
    lines.map((line) => `      ${line}\n`).join("")
  }    }\n  }\n}\n`;
}

interface Row {
  readonly lines: readonly string[];
  /** VPKs, and directories with a loose `x.txt`. */
  readonly tree: readonly string[];
  readonly wins: string | null;
  readonly view?: string;
}

const custom = ["game+mod tf/custom/*"];
const rows: readonly Row[] = [
  { lines: custom, tree: ["tf/custom/aa.vpk", "tf/custom/zz.vpk"], wins: "tf/custom/aa.vpk" },
  { lines: custom, tree: ["tf/custom/b.vpk", "tf/custom/a"], wins: "loose tf/custom/a" },
  { lines: custom, tree: ["tf/custom/pack_dir.vpk"], wins: "tf/custom/pack_dir.vpk" },
  {
    lines: custom,
    tree: ["tf/custom/pack_000.vpk", "tf/custom/pack_001.vpk", "tf/custom/pack_dir.vpk"],
    wins: "tf/custom/pack_dir.vpk",
  },
  { lines: custom, tree: ["tf/custom/pack2.vpk"], wins: "tf/custom/pack2.vpk" },
  { lines: custom, tree: ["tf/custom/zz.vpk", "tf/custom/hud", "tf/custom/Hud2"], wins: "loose tf/custom/hud" },
  { lines: custom, tree: ["tf/custom/.hidden"], wins: null },
  { lines: custom, tree: ["tf/custom/x.txt/readme"], wins: null },
  {
    lines: ["game tf/custom/*", "mod+game |gameinfo_path|.", "game tf/tf2_misc.vpk"],
    tree: ["tf", "tf/tf2_misc_dir.vpk"],
    wins: "loose tf",
  },
  {
    lines: ["game tf/custom/*", "game tf/tf2_misc.vpk", "mod+game |gameinfo_path|."],
    tree: ["tf", "tf/tf2_misc_dir.vpk"],
    wins: "tf/tf2_misc_dir.vpk",
  },
  { lines: ["game tf/one.vpk"], tree: ["tf/one.vpk"], wins: "tf/one.vpk" },
  {
    lines: ["game tf/vo_english.vpk"],
    tree: ["tf/vo_english_dir.vpk", "tf/vo_french_dir.vpk"],
    view: "tf:with=french",
    wins: "tf/vo_french_dir.vpk",
  },
  {
    lines: ["game tf/vo_english.vpk"],
    tree: ["tf/vo_english_dir.vpk", "tf/vo_french_dir.vpk"],
    wins: "tf/vo_english_dir.vpk",
  },
  ...[undefined, "tf:with=hd", "tf:with=lv"].map((view): Row => ({
    lines: ["gamebin tf/bin.vpk", "game_hd tf/hd.vpk", "game_lv tf/lv.vpk", "game tf/misc.vpk"],
    tree: ["tf/bin_dir.vpk", "tf/hd_dir.vpk", "tf/lv_dir.vpk", "tf/misc_dir.vpk"],
    ...view === undefined ? {} : { view },
    wins: `tf/${view?.slice(-2) ?? "misc"}_dir.vpk`,
  })),
  {
    lines: ["game_lv tf/lv.vpk", "game tf/misc.vpk"],
    tree: ["tf/lv_dir.vpk", "tf/misc_dir.vpk"],
    wins: "tf/misc_dir.vpk",
  },
  {
    lines: ["game_lv tf/lv.vpk", "game tf/misc.vpk"],
    tree: ["tf/lv_dir.vpk", "tf/misc_dir.vpk"],
    view: "tf:with=lv",
    wins: "tf/lv_dir.vpk",
  },
  { lines: ["game |gameinfo_path|.", "game+download tf/download"], tree: ["tf/download"], wins: "loose tf/download" },
  { lines: ["mod |gameinfo_path|.", "game hl2"], tree: ["tf"], wins: null },
  { lines: ["game |all_source_engine_paths|hl2", "game tf"], tree: ["hl2", "tf"], wins: "loose hl2" },
  { lines: ['Game "tf"', "GAME hl2"], tree: ["hl2"], wins: "loose hl2" },
  { lines: ["game hl2 [$X360]", "game tf [$WIN32]"], tree: ["hl2", "tf"], wins: "loose tf" },
  { lines: ["game tf"], tree: ["tf_tempcontent", "tf"], view: "tf:with=tempcontent", wins: "loose tf_tempcontent" },
  { lines: ["game tf\\download"], tree: ["tf/download"], wins: "loose tf/download" },
];

for (const { lines, tree, view, wins } of rows) {
  const shown = `${lines.join("; ")}: of ${tree.join(", ")}${view === undefined ? "" : ` in ${view}`}`;
  Deno.test(`source: ${shown}, ${wins ?? "nothing"} answers`, async () => {
    const files = tree.map((name): [string, string | Uint8Array] =>
      name.endsWith(".vpk") ? [name, vpkOf("x.txt")] : [`${name}/x.txt`, "loose"]
    );
    await using root = await installation({ "tf/gameinfo.txt": gameinfo(...lines), ...Object.fromEntries(files) });
    const catalog = scan(root.path, { name: "game" });
    assertEquals(catalog.games[0]?.profile.name, "source");
    assertEquals(winner(root.path, catalog.view(view === undefined ? "game/tf" : `game/${view}`), "x.txt"), wins);
  });
}

Deno.test("source: lines on which an expression with backtracking never ends are read as others", async () => {
  const name = "a".repeat(200);
  await using root = await installation({
    "tf/gameinfo.txt": gameinfo(
      `game tf${"/".repeat(500_000)}x`,
      `game tf/custom/${"*a".repeat(60)}b`,
      `game tf/custom/${"*A".repeat(60)}`,
    ),
    [`tf/custom/${name}/x.txt`]: "loose",
  });
  assertEquals(
    winner(root.path, scan(root.path, { name: "game" }).view("game/tf"), "x.txt"),
    `loose tf/custom/${name}`,
  );
});

Deno.test("source: a VPK of several files takes away what begins with its name right before it", async () => {
  await using root = await installation({
    "tf/gameinfo.txt": gameinfo("game tf/custom/*"),
    "tf/custom/pack.vpk": vpkOf("a.txt"),
    "tf/custom/pack2.vpk": vpkOf("b.txt"),
    "tf/custom/pack_dir.vpk": vpkOf("c.txt"),
  });
  const view = scan(root.path, { name: "game" }).view("game/tf");
  assertEquals(["a.txt", "b.txt", "c.txt"].map((path) => winner(root.path, view, path)), [
    null,
    null,
    "tf/custom/pack_dir.vpk",
  ]);
});

Deno.test("source: every game directory with search paths is a view of its own", async () => {
  const files: Files = {
    "hl2/gameinfo.txt": gameinfo("game |gameinfo_path|."),
    "ep2/gameinfo.txt": gameinfo("game |gameinfo_path|.", "game hl2"),
    "bin/readme.txt": "",
    "hl2/x.txt": "hl2",
    "ep2/y.txt": "ep2",
  };
  await using root = await installation(files);
  const catalog = scan(root.path, { name: "game" });
  assertEquals(catalog.views.map(({ name }) => name), ["game/hl2", "game/ep2"]);
  assertEquals(winner(root.path, catalog.view("game/ep2"), "x.txt"), "loose hl2");
  assertEquals(winner(root.path, catalog.view("game/hl2"), "y.txt"), null);
});

Deno.test("source: hostile search paths are bounded, and lead nowhere else", async () => {
  const many = Array.from({ length: 10_000 }, (_, number) => `game dir${number}`);
  await using root = await installation({
    "base/tf/gameinfo.txt": '#include "gameinfo.txt"\n' + gameinfo(
      "game ../secret",
      "game |all_source_engine_paths|../secret",
      "game /etc",
      "game */*",
      "game |appid_440|tf",
      "game tf",
      ...many,
    ),
    "base/tf/x.txt": "loose",
    "secret/y.txt": "secret",
  });
  const catalog = scan(root.path, { name: "game", sources: ["base"] });
  const view = catalog.view("game/tf");
  assertEquals([winner(root.path, view, "x.txt"), winner(root.path, view, "y.txt")], ["loose base/tf", null]);
  const base = `${root.path}/base`;
  assertEquals(catalog.problems.map((problem) => problem.replaceAll(base, "BASE")), [
    "BASE/tf/gameinfo.txt: #include and #base are not read; lines of other files are missing",
    'BASE/tf/gameinfo.txt: "../secret" leads out of BASE; left out',
    'BASE/tf/gameinfo.txt: "|all_source_engine_paths|../secret" leads out of BASE; left out',
    'BASE/tf/gameinfo.txt: "BASE/*/*" has a wildcard before its last part; left out',
    'BASE/tf/gameinfo.txt: "|appid_440|tf" is another game of Steam, which is not searched',
  ]);
});

Deno.test("source: a search path may be the directory of the installation itself", async () => {
  await using root = await installation({
    "tf/gameinfo.txt": gameinfo("game |gameinfo_path|.", "game |all_source_engine_paths|", "game ."),
    "tf/x.txt": "loose",
  });
  const { problems } = scan(root.path, { name: "game" });
  assertEquals(problems, []);
});
