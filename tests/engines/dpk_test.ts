/** Packs of the Daemon engine, which name their dependencies: search results derived from src/common/FileSystem.cpp. */
import { assertEquals } from "@std/assert";
import { comparePaks, compareVersions, pakNameOf } from "../../engines/core/pak_names.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profiles } from "../../engines/table.ts";
import { whichCandidates } from "../../views/which.ts";
import { zip } from "../formats/bytes.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { anHourLater, type Files, installation, scan, winner, writeFiles } from "../index/fixtures.ts";

/** A pack of lists, and of files that contain their own name. */
function dpk(names: readonly string[], lists: Readonly<Record<string, string>> = {}): Uint8Array {
  const files = names.map((name) => ({ name, content: name }));
  return zip([...files, ...Object.entries(lists).map(([name, content]) => ({ name, content, method: 8 }))]);
}

const base = (needs: string) => dpk([], { DEPS: needs });

interface Row {
  readonly title: string;
  readonly files: Files;
  readonly wins: string | null;
  /** The pack whose `DEPS` is a file of the game; default: none. */
  readonly lists?: string;
  readonly view?: string;
  readonly roots?: readonly string[];
  readonly profile?: Profile;
  readonly with?: readonly string[];
}

const [daemon] = profiles.filter(({ name }) => name === "daemon");
const prefixed = (prefixes: readonly string[]): Pick<Row, "profile"> =>
  daemon?.dependencies ? { profile: { ...daemon, dependencies: { ...daemon.dependencies, prefixes } } } : {};
const legacy: Pick<Row, "with"> = { with: ["fs_legacypaks=1"] };

const rows: readonly Row[] = [
  {
    title: "the highest version",
    files: { "pkg/unvanquished_1.dpk": base("tex\n"), "pkg/tex_1.9.dpk": dpk(["x"]), "pkg/tex_1.10.dpk": dpk(["x"]) },
    wins: "pkg/tex_1.10.dpk",
  },
  {
    title: "just the version that is named",
    files: { "pkg/unvanquished_1.dpk": base("tex 1.9"), "pkg/tex_1.9.dpk": dpk(["x"]), "pkg/tex_1.10.dpk": dpk(["x"]) },
    wins: "pkg/tex_1.9.dpk",
  },
  {
    title: "no version that is written otherwise",
    files: { "pkg/unvanquished_1.dpk": base("tex 1.9"), "pkg/tex_1.09.dpk": dpk(["x"]) },
    wins: null,
  },
  {
    title: "the zip before the directory",
    files: { "pkg/unvanquished_1.dpk": base("tex"), "pkg/tex_1.0.dpk": dpk(["x"]), "pkg/tex_1.0.dpkdir/x": "x" },
    wins: "pkg/tex_1.0.dpk",
  },
  {
    title: "the directory of a higher version",
    files: { "pkg/unvanquished_1.dpk": base("tex"), "pkg/tex_1.0.dpk": dpk(["x"]), "pkg/tex_1.1.dpkdir/x": "x" },
    wins: "pkg/tex_1.1.dpkdir",
  },
  {
    title: "the pack without a checksum",
    files: {
      "pkg/unvanquished_1.dpk": base("tex"),
      "pkg/tex_1.0_0123abcd.dpk": dpk(["x"]),
      "pkg/tex_1.0.dpk": dpk(["x"]),
    },
    wins: "pkg/tex_1.0.dpk",
  },
  {
    title: "the home of two equal packs",
    files: {
      "lib/pkg/unvanquished_1.dpk": base("tex"),
      "lib/pkg/tex_1.0.dpk": dpk(["x"]),
      "home/pkg/tex_1.0.dpk": dpk(["x"]),
    },
    roots: ["home", "lib"],
    wins: "home/pkg/tex_1.0.dpk",
  },
  {
    title: "the higher version wherever it is",
    files: {
      "lib/pkg/unvanquished_1.dpk": base("tex"),
      "lib/pkg/tex_2.0.dpk": dpk(["x"]),
      "home/pkg/tex_1.0.dpk": dpk(["x"]),
    },
    roots: ["home", "lib"],
    wins: "lib/pkg/tex_2.0.dpk",
  },
  {
    title: "what the first needs before the second",
    files: {
      "pkg/unvanquished_1.dpk": base("a\nb\n"),
      "pkg/a_1.dpk": dpk([], { DEPS: "  c\t\r\n" }),
      "pkg/b_1.dpk": dpk(["x"]),
      "pkg/c_1.dpk": dpk(["x"]),
    },
    wins: "pkg/c_1.dpk",
  },
  {
    title: "a pack that a view loads before the base",
    files: { "pkg/unvanquished_1.dpk": dpk(["x"]), "pkg/more_1.dpk": dpk(["x"]) },
    view: "pkg:with=more",
    wins: "pkg/more_1.dpk",
  },
  {
    title: "the base before a map's pack",
    files: { "pkg/unvanquished_1.dpk": dpk(["x"]), "pkg/map-x_1.dpk": dpk(["x"]) },
    view: "pkg:with=map-x",
    wins: "pkg/unvanquished_1.dpk",
  },
  {
    title: "what a map's pack needs",
    files: {
      "pkg/unvanquished_1.dpk": dpk(["y"]),
      "pkg/map-x_1.dpk": dpk(["y"], { DEPS: "tex" }),
      "pkg/tex_1.dpk": dpk(["x"]),
    },
    view: "pkg:with=map-x",
    wins: "pkg/tex_1.dpk",
  },
  {
    title: "no pack that nothing names",
    files: { "pkg/unvanquished_1.dpk": dpk(["y"]), "pkg/tex_1.dpk": dpk(["x"]), "pkg/x": "loose", "x": "loose" },
    wins: null,
  },
  {
    title: "no file that a pack takes away",
    files: {
      "pkg/unvanquished_1.dpk": dpk([], { DEPS: "tex", DELETED: "tex x\nother y" }),
      "pkg/tex_1.dpk": dpk(["x"]),
    },
    wins: null,
  },
  {
    title: "the next pack after one whose file is taken away",
    files: {
      "pkg/unvanquished_1.dpk": dpk([], { DEPS: "tex\nold", DELETED: "tex x" }),
      "pkg/tex_1.dpk": dpk(["x"]),
      "pkg/old_1.dpk": dpk(["x"]),
    },
    wins: "pkg/old_1.dpk",
  },
  {
    title: "a file that a later pack takes away",
    files: {
      "pkg/unvanquished_1.dpk": base("tex\nlast"),
      "pkg/tex_1.dpk": dpk(["x"]),
      "pkg/last_1.dpk": dpk([], { DELETED: "tex x" }),
    },
    wins: "pkg/tex_1.dpk",
  },
  {
    title: "a file whose line ends as on Windows",
    files: {
      "pkg/unvanquished_1.dpk": dpk([], { DEPS: "tex", DELETED: "tex x\r\n" }),
      "pkg/tex_1.dpk": dpk(["x"]),
    },
    wins: "pkg/tex_1.dpk",
  },
  {
    title: "the lists of a directory",
    files: {
      "pkg/unvanquished_1.dpkdir/DEPS": "tex",
      "pkg/unvanquished_1.dpkdir/DELETED": "tex y",
      "pkg/tex_1.dpk": dpk(["x", "y"]),
    },
    wins: "pkg/tex_1.dpk",
  },
  {
    title: "a pack in a folder, which is part of its name,",
    files: { "pkg/unvanquished_1.dpk": base("a/b/tex"), "pkg/a/b/tex_1.dpk": dpk(["x"]), "pkg/tex_2.dpk": dpk(["x"]) },
    wins: "pkg/a/b/tex_1.dpk",
  },
  {
    title: "a directory in a folder",
    files: { "pkg/unvanquished_1.dpk": base("a/tex"), "pkg/a/tex_1.dpkdir/x": "x", "pkg/a/tex_1.dpkdir/b/y_1.dpk": "" },
    wins: "pkg/a/tex_1.dpkdir",
  },
  {
    title: "a file of a directory in another spelling",
    files: { "pkg/unvanquished_1.dpk": base("tex"), "pkg/tex_1.dpkdir/X": "x" },
    wins: "pkg/tex_1.dpkdir",
  },
  {
    title: "a pack in a folder that a view loads",
    files: { "pkg/unvanquished_1.dpk": dpk(["x"]), "pkg/a/more_1.dpk": dpk(["x"]) },
    view: "pkg:with=a/more",
    wins: "pkg/a/more_1.dpk",
  },
  {
    title: "no file that is taken away from a pack in a folder",
    files: {
      "pkg/unvanquished_1.dpk": dpk([], { DEPS: "a/tex", DELETED: "a/tex x" }),
      "pkg/a/tex_1.dpk": dpk(["x"]),
    },
    wins: null,
  },
  {
    title: "a file that is taken away from a pack of another folder",
    files: { "pkg/unvanquished_1.dpk": dpk([], { DEPS: "a/tex", DELETED: "tex x" }), "pkg/a/tex_1.dpk": dpk(["x"]) },
    wins: "pkg/a/tex_1.dpk",
  },
  {
    title: "the pack with a prefix before one of a higher version",
    ...prefixed(["b", "a/c"]),
    files: { "pkg/unvanquished_1.dpk": base("tex"), "pkg/a/c/tex_1.dpk": dpk(["x"]), "pkg/tex_2.dpk": dpk(["x"]) },
    wins: "pkg/a/c/tex_1.dpk",
  },
  {
    title: "the pack of the first prefix",
    ...prefixed(["b", "a"]),
    files: { "pkg/unvanquished_1.dpk": base("tex"), "pkg/a/tex_2.dpk": dpk(["x"]), "pkg/b/tex_1.dpk": dpk(["x"]) },
    wins: "pkg/b/tex_1.dpk",
  },
  {
    title: "the pack without a prefix where only that has the version",
    ...prefixed(["a"]),
    files: { "pkg/unvanquished_1.dpk": base("tex 2"), "pkg/a/tex_1.dpk": dpk(["x"]), "pkg/tex_2.dpk": dpk(["x"]) },
    wins: "pkg/tex_2.dpk",
  },
  {
    title: "the base with a prefix",
    ...prefixed(["a"]),
    files: { "pkg/unvanquished_2.dpk": dpk(["x"]), "pkg/a/unvanquished_1.dpk": dpk(["x"]) },
    wins: "pkg/a/unvanquished_1.dpk",
  },
  {
    title: "no pack without a version",
    files: { "pkg/unvanquished_1.dpk": base("foo"), "pkg/foo.pk3": dpk(["x"]) },
    wins: null,
  },
  {
    title: "a pack without a version, by setting,",
    ...legacy,
    files: { "pkg/unvanquished_1.dpk": base("foo"), "pkg/foo.pk3": dpk(["x"]) },
    wins: "pkg/foo.pk3",
  },
  {
    title: "a version before none",
    ...legacy,
    files: { "pkg/unvanquished_1.dpk": base("foo"), "pkg/foo.pk3": dpk(["x"]), "pkg/foo_1.dpk": dpk(["x"]) },
    wins: "pkg/foo_1.dpk",
  },
  {
    title: "of version 0 and none, which are equal, the zip",
    ...legacy,
    files: { "pkg/unvanquished_1.dpk": base("foo"), "pkg/foo.pk3dir/x": "x", "pkg/foo_0.dpk": dpk(["x"]) },
    wins: "pkg/foo_0.dpk",
  },
  {
    title: "a pack without a version over its directory",
    ...legacy,
    files: { "pkg/unvanquished_1.dpk": base("a/foo"), "pkg/a/foo.pk3dir/x": "x", "pkg/a/foo.pk3": dpk(["x"]) },
    wins: "pkg/a/foo.pk3",
  },
  {
    title: "no pack that one without a version names",
    ...legacy,
    files: {
      "pkg/unvanquished_1.dpk": base("foo"),
      "pkg/foo.pk3": dpk([], { DEPS: "tex" }),
      "pkg/tex_1.dpk": dpk(["x"]),
    },
    lists: "pkg/foo.pk3",
    wins: null,
  },
];

for (const row of rows) {
  const { title, files, wins, view = "pkg", roots = [""], lists = null, profile, with: words = [] } = row;
  Deno.test(`daemon: ${title} answers`, async () => {
    await using root = await installation(files);
    const options = profile === undefined ? {} : { profile };
    const catalog = scan(root.path, { name: "game", sources: roots, with: words, ...options });
    assertEquals(catalog.games[0]?.profile.name, "daemon");
    assertEquals(winner(root.path, catalog.view(`game/${view}`), "x"), wins);
    assertEquals(winner(root.path, catalog.view("game/pkg"), "DEPS"), lists);
  });
}

Deno.test("daemon: names and versions of packs are read and ordered as the engine does", () => {
  assertEquals(
    ["my_map_1.0.dpk", "tex.dpk", "tex_1_012345.dpk", "a_1_0123abcd.dpkdir", "a_1.pk3"].map((name) => pakNameOf(name)),
    [
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  );
  assertEquals(pakNameOf("tex_1.0_0123ABCD.dpk"), {
    name: "tex",
    version: "1.0",
    checksum: "0123ABCD",
    isDirectory: false,
  });
  const paths = [
    "a/tex_1.dpk",
    "a/b/_x_1.dpk",
    "a/_1.dpk",
    "my tex_1.dpk",
    ".a/tex_1.dpk",
    "tex_1..dpk",
    "a/b_c/t_1.dpk",
  ];
  assertEquals(paths.map((path) => pakNameOf(path)?.name), [
    "a/tex",
    "a/b/_x",
    undefined,
    undefined,
    undefined,
    undefined,
    "a/b_c/t",
  ]);
  assertEquals(pakNameOf("a/my_map_1.0.pk3", true), {
    name: "a/my_map_1.0",
    version: "",
    checksum: null,
    isDirectory: false,
  });
  const ascending = ["1.0~rc1", "1.0", "1.0a", "1.0+git", "1.9", "1.10", "10000000000000000000000000", "a", "+"];
  for (const [index, version] of ascending.entries()) {
    for (const [other, against] of ascending.entries()) {
      assertEquals(Math.sign(compareVersions(version, against)), Math.sign(index - other), `${version} ${against}`);
    }
  }
  assertEquals(Math.sign(compareVersions("0.54-dirty", "0.54")), 1);
  assertEquals([compareVersions("1.0", "1.00"), compareVersions("", "0")], [0, 0]);
  assertEquals(Math.sign(compareVersions("", "1")), -1);
  const names = ["a_1_00000002.dpk", "a_1_00000001.dpk", "a_1.dpkdir", "a_1.dpk"].map((name) => pakNameOf(name));
  const sorted = names.toReversed().filter((name) => name !== undefined).sort(comparePaks);
  assertEquals(sorted, names);
});

Deno.test("daemon: which says why a pack or a file is left out", async () => {
  await using root = await installation({
    "pkg/unvanquished_1.dpk": dpk([], { DEPS: "tex\nlater", DELETED: "tex x" }),
    "pkg/tex_2.dpk": dpk(["x"]),
    "pkg/tex_1.dpk": dpk(["x"]),
    "pkg/later_1.dpk": dpk(["x"]),
    "pkg/last_1.dpk": dpk(["x"]),
  });
  const catalog = scan(root.path, { name: "game" });
  const reasons = whichCandidates(catalog.view("game/pkg"), "x").map(({ source, reason }) => [
    source.slice(source.lastIndexOf("/") + 1),
    reason,
  ]);
  assertEquals(Object.fromEntries(reasons), {
    "later_1.dpk": null,
    "tex_2.dpk": "DELETED of unvanquished_1.dpk takes it away from tex",
    "tex_1.dpk": "tex_1.dpk is not loaded: of packs of one name one is loaded, and tex_2.dpk is chosen",
    "last_1.dpk":
      'last_1.dpk is not loaded: neither unvanquished nor what it needs names it in DEPS; ":with=last" after the name ' +
      "of a view loads what that name means",
  });
});

Deno.test("daemon: circles, missing packs, odd lines and long lists are said and bounded", async () => {
  const chain = Array.from({ length: 300 }, (_, index): [string, Uint8Array] => [
    `pkg/c${index}_1.dpk`,
    dpk(index === 299 ? ["x"] : [], { DEPS: `c${index + 1}\n` }),
  ]);
  await using root = await installation({
    "pkg/unvanquished_1.dpk": dpk([], { DEPS: "a\na 1 2\n../../etc 1\nb\n" }),
    "pkg/a_1.dpk": dpk([], { DEPS: "b\nunvanquished\n" }),
    "pkg/b_1.dpk": dpk(["x"], { DEPS: "b\n".repeat(10_000) }),
    "pkg/long_1.dpk": dpk([], { DEPS: "b\n".repeat(600_000) }),
    "pkg/noversion.dpk": dpk(["x"]),
    "pkg/broken_1.dpk": "no zip",
    ...Object.fromEntries(chain),
  });
  const catalog = scan(root.path, { name: "game" });
  assertEquals(winner(root.path, catalog.view("game/pkg"), "x"), "pkg/b_1.dpk");
  assertEquals(winner(root.path, catalog.view("game/pkg:with=c0"), "x"), "pkg/c299_1.dpk");
  assertEquals(catalog.problems.map((problem) => problem.replaceAll(`${root.path}/`, "")).sort(), [
    "pkg/a_1.dpk: DEPS names unvanquished, which needs this pack itself; each is loaded once",
    "pkg/b_1.dpk: DEPS names b, which needs this pack itself; each is loaded once",
    "pkg/broken_1.dpk: is not an archive in any known format",
    "pkg/c299_1.dpk: DEPS names c300, which is missing; nothing after it is loaded",
    "pkg/long_1.dpk: DEPS is not read: more than 1048576 bytes",
    "pkg/noversion.dpk is not loaded: it is not called NAME_VERSION; rename it",
    "pkg/unvanquished_1.dpk: DEPS names ../../etc 1, which is missing; nothing after it is loaded",
    'pkg/unvanquished_1.dpk: DEPS: "a 1 2" is not a pack and a version; left out',
  ]);
});

Deno.test("daemon: a refresh finds packs and directories in folders, and keeps those that are unchanged", async () => {
  await using root = await installation({
    "pkg/unvanquished_1.dpk": base("a/tex\na/dir\n"),
    "pkg/a/tex_1.dpk": dpk(["x"]),
    "pkg/a/dir_1.dpkdir/y": "y",
  });
  const games = [{ name: "game", sources: [root.path] }];
  const first = scanCatalog(games);
  using _later = anHourLater();
  const kept = scanCatalog(games, { previous: scanCatalog(games, { previous: first }) });
  assertEquals(kept.snapshot.sources.map(({ path }) => path), first.snapshot.sources.map(({ path }) => path));
  assertEquals(["x", "y"].map((path) => winner(root.path, kept.view("game/pkg"), path)), [
    "pkg/a/tex_1.dpk",
    "pkg/a/dir_1.dpkdir",
  ]);
  await writeFiles(root.path, { "pkg/a/tex_2.dpk": dpk(["x"]), "pkg/a/dir_2.dpkdir/y": "y" });
  const refreshed = scanCatalog(games, { previous: kept });
  assertEquals(["x", "y"].map((path) => winner(root.path, refreshed.view("game/pkg"), path)), [
    "pkg/a/tex_2.dpk",
    "pkg/a/dir_2.dpkdir",
  ]);
});

Deno.test("daemon: packs stay searched that an unchanged pack needs, whatever else has changed", async () => {
  await using root = await installation({
    "pkg/unvanquished_1.dpk": base("tex\n"),
    "pkg/tex_1.dpk": dpk(["x"]),
    "pkg/loose.txt": "loose",
  });
  const games = [{ name: "game", sources: [root.path] }];
  using _later = anHourLater();
  const first = scanCatalog(games);
  await writeFiles(root.path, { "pkg/loose.txt": "other" });
  for (const options of [{}, { strict: true }]) {
    const followed = scanCatalog(games.map((game) => ({ ...game, ...options })), { previous: first });
    assertEquals(winner(root.path, followed.view("game/pkg"), "x"), "pkg/tex_1.dpk");
  }
});

Deno.test("daemon: names with characters that it does not know are refused, in packs and in directories", async () => {
  const odd = ["six 6.cfg", ".hidden", "a/.b", "a..b", "end.", "é", "a#b"];
  const sound = ["A-b_c.d+e~", "a/b.c"];
  await using root = await installation({
    "pkg/unvanquished_1.dpk": dpk([...odd, ...sound], { DEPS: "tex" }),
    ...Object.fromEntries([...odd, ...sound].map((name) => [`pkg/tex_1.dpkdir/${name}2`, ""])),
  });
  const view = scan(root.path, { name: "game" }).view("game/pkg");
  const found = [...odd, ...sound].flatMap((name) => [name, `${name}2`]).filter((path) =>
    winner(root.path, view, path)
  );
  // In the directory it ends otherwise.
  assertEquals(found, ["end.2", ...sound.flatMap((name) => [name, `${name}2`])]);
  assertEquals(
    whichCandidates(view, "six 6.cfg")[0]?.reason,
    'Daemon refuses names with characters other than letters, digits and "-_.+~"',
  );
});
