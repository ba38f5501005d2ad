/**
 * Compares indexes of random installations with recorded results, and refreshed indexes with new ones. Their files name
 * loaded packs, hold other archives, or are links.
 */
// deno-lint-ignore-file no-await-in-loop -- one installation after the other
import { dirname } from "node:path";
import { assertEquals } from "@std/assert";
import { iwads } from "../../engines/lumps/iwads.ts";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import { GameError } from "../../games/game_error.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import type { Catalog } from "../../views/catalog.ts";
import { at, none } from "../../index/columns/columns.ts";
import { catalogChanges, EntryComparison, isSameEntry } from "../../views/changes.ts";
import { viewDifferences } from "../../views/view_changes.ts";
import { pak, text, vpk, wad, wad2, zip } from "../formats/bytes.ts";
import { hashedPack } from "../formats/hashed.ts";
import { mutate } from "../formats/mutants.ts";
import { openLocalGames } from "../../service/local.ts";
import { type AskedRequest, askWhole, comparable } from "../support/asked.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { numbersFrom, type Random } from "../support/chance.ts";
import { compareValues } from "../support/outcomes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { answers, assertSame, treeChanges } from "./answers.ts";
import { anHourLater, inOrderOfNames, nextTimeStamp } from "./fixtures.ts";

/** Number of installations of each kind. */
const installations = 8;
/** Fixed instead of the run's seed: recorded results belong to these installations. */
const start = 20_261_123;

const one = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;
const some = <T>(random: Random, values: readonly T[], share = 2): T[] => values.filter(() => random(share) === 0);
const mixed = <T>(random: Random, values: readonly T[]): T[] =>
  values.map((value) => ({ value, key: random(1000) })).sort((a, b) => a.key - b.key).map(({ value }) => value);

/** Returns a name, sometimes in upper case, or with the case of its first letter changed. */
function respelled(random: Random, name: string): string {
  if (random(9)) return name;
  const first = name.slice(0, 1);
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  return random(2) ? name.toUpperCase() : other + name.slice(1);
}

type Content = Uint8Array | string;
/** Makes the content of a file, a different one each time. */
type Maker = (random: Random) => Content;
/** A path and its content, or the target of a link. */
type Item = readonly [path: string, make: Maker | { readonly link: string }];

/** A kind of installation. */
interface Kind {
  readonly title: string;
  readonly items: readonly Item[];
  options(random: Random, root: string): Partial<GameOptions>;
}

/** Members with parts of their names as content, sometimes twice or in another spelling. */
function membersOf(random: Random, names: readonly string[]): [string, Content][] {
  return some(random, mixed(random, names)).flatMap((name): [string, Content][] =>
    Array.from({ length: random(12) ? 1 : 2 }, (_, copy) => [respelled(random, name), name.slice(0, 9 - copy)])
  );
}

const pakMaker = (names: readonly string[]): Maker => (random) => pak(membersOf(random, names));
const zipMaker =
  (names: readonly string[], always: (random: Random) => readonly (readonly [string, Content])[] = () => []): Maker =>
  (random) =>
    zip([...membersOf(random, names), ...always(random)].map(([name, content]) => ({
      name,
      content,
      method: random(12) ? random(2) * 8 : 77,
    })));
/** Returns a maker whose files are sometimes damaged. */
const damaged = (make: Maker): Maker => (random) => {
  const made = make(random);
  const bytes = typeof made === "string" ? text(made) : made;
  return random(12) || bytes.length === 0 ? bytes : mutate(bytes, random);
};
const lines = (words: readonly string[]): Maker => (random) =>
  mixed(random, some(random, words)).join(one(random, ["\n", "\r\n", " \n"]));

const lumpNames = [
  "TITLEPIC",
  "MAP01",
  "S_START",
  "TROOA1",
  "S_END",
  "F_START",
  "FLAT1",
  "F_END",
  "TEXTURE1",
  "ENDOOM",
];
const moreLumps = [
  "SS_START",
  "SS_END",
  "FF_START",
  "FF_END",
  "P_START",
  "P_END",
  "TX_START",
  "WALL",
  "TX_END",
  "E1M1",
];
const wadMaker = (kind: "IWAD" | "PWAD", isKnown = false): Maker => (random) =>
  wad([
    ...isKnown ? one(random, iwads).lumps.map((name) => [name, ""] as const) : [],
    ...Array.from({ length: random(14) }, () =>
      [one(random, [...lumpNames, ...moreLumps, "D_E1M1", "THINGS"]), "x"] as const),
  ], kind);
const zdoomNames = [
  ...[
    "textures/wall.png",
    "sprites/trooa1.png",
    "flats/flat1",
    "graphics/titlepic.png",
    "maps/map01.wad",
    "TITLEPIC.lmp",
  ],
  ...[
    "filter/doom.id.doom2/sprites/trooa1.lmp",
    "filter/game-heretic/titlepic.png",
    "filter/doom.id/x.txt",
    "zscript.txt",
  ],
  ...[
    "sounds/verylongname.ogg",
    "hires/wall.png",
    "colormaps/c",
    "acs/lib.o",
    "voices/v.ogg",
    "a.wad",
    "readme",
    "dir.wad/",
    "B/a.WAD",
  ],
];
const zdoomLists = (random: Random): [string, Content][] =>
  [
    ...random(3)
      ? []
      : [["gameinfo.txt", one(random, ['LOAD = "a.wad", "none.wad"', "load = b.wad, ../x.wad", "IWAD = x"])] as const],
    ...random(2) ? [] : [["iwadinfo.txt", 'IWad { Game = "Heretic" Autoname = "my.one" Load = "b.wad" }'] as const],
  ].map(([name, content]) => [name, content]);

const hashVariant = "crc32+lower+backslash";
const hashedNames = [
  "scripts/a.txt",
  "textures/red.png",
  "sound/door.wav",
  "maps/one.ent",
  "Data/Listed.bin",
  "x/never.bin",
];
const hashedMaker: Maker = (random) => {
  const variant = variantNamed(hashVariant);
  if (!variant) throw new RangeError(`unknown variant ${hashVariant}`);
  const contents: Record<string, Content> = {
    "scripts/a.txt": "wall { map textures/red.png\n sound sound/door }",
    "textures/red.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]),
    "sound/door.wav": "RIFFxxxxWAVEfmt ",
    "maps/one.ent": '{ "message" "data\\\\Listed.bin" }',
  };
  const members = some(random, hashedNames, 1 + random(2)).map((name) => {
    const content = contents[name] ?? name;
    return { hash: hashName(name, variant), data: typeof content === "string" ? text(content) : content };
  });
  return hashedPack(members.sort((a, b) => a.hash - b.hash));
};

const dpkLists = (random: Random): [string, Content][] =>
  [
    ...random(2)
      ? [
        [
          "DEPS",
          lines(["tex 1.0", "tex", "res", "gone 2", "map-a", "a b c", "unvanquished", "\t tex  1.1"])(random),
        ] as const,
      ]
      : [],
    ...random(3) ? [] : [["DELETED", lines(["tex x.txt", "res sub/y.txt", "tex  z", "bad"])(random)] as const],
  ].map(([name, content]) => [name, content]);
const dpkMaker = zipMaker(["x.txt", "sub/y.txt", "z", "maps/a.bsp"], dpkLists);

const addonConf: Maker = (random) => {
  const number = () => one(random, ['"0x1234abcd"', '"ffff"', "12", '"-1"', '"zz"', '"0x8a1f0c2e"']);
  const definition = `addonDef { ${Array.from({ length: random(3) }, number).join(" ")} ${random(9) ? "}" : ""}`;
  const maps = `mapDef a { ${one(random, ['"name" "A"', '"name"', "name", ""])} ${random(9) ? "}" : ""}`;
  return mixed(random, some(random, [definition, maps, "// a comment", "/* b", "mapDef"])).join("\n");
};
const addonMembers = (random: Random): [string, Content][] =>
  random(2) ? [[one(random, ["addon.conf", "ADDON.CONF", "binary.conf"]), addonConf(random)]] : [];

const inner = ["x.cfg", "sub/y.cfg", "maps/one.bsp"];
const innerPacks = (random: Random): [string, Content][] =>
  some(random, ["a.pak", "b.pk3", "sub/c.zip", "deep.pk3", "broken.pak"]).map((name) => [
    name,
    name === "broken.pak"
      ? "PACK"
      : name === "deep.pk3"
      ? zipMaker(inner, (random) => [["e.pak", pakMaker(inner)(random)]])(random)
      : (name.endsWith(".pak") ? pakMaker(inner) : zipMaker(inner))(random),
  ]);
const nestedPack = zipMaker(inner, innerPacks);

const gameinfoMaker: Maker = (random) => {
  const paths = mixed(random, [
    ...["game+mod tf/custom/*", "game tf/one.vpk", "mod+game |gameinfo_path|.", "game |all_source_engine_paths|hl2"],
    ...[
      "game tf/vo_english.vpk",
      "platform |all_source_engine_paths|platform",
      "game tf/missing.vpk",
      'game "tf/two.vpk"',
    ],
    ...["game+game_write tf", "gamebin |gameinfo_path|bin", "game ../outside", "game hl2/*"],
  ]);
  const listed = paths.slice(0, random(8)).map((line) => `      ${line}\n`).join("");
  const whole = `"GameInfo"\n{\n  game "A" // x\n  FileSystem\n  {\n    SearchPaths\n    {\n${listed}    }\n  }\n}\n`;
  return random(10) ? whole : whole.slice(0, random(whole.length));
};
const vpkMaker: Maker = (random) =>
  vpk([{ path: one(random, ["x.txt", "sub/y.txt"]), content: "x", part: 0x7fff, offset: 0 }], "x");

const blob: Maker = (random) => "x".repeat(random(3));
const blobs = (...paths: readonly string[]): Item[] => paths.map((path) => [path, blob]);
const each = (paths: readonly string[], make: Maker): Item[] => paths.map((path) => [path, damaged(make)]);

const listsOf = (profile: string): Kind => ({
  title: `lists of ${profile}`,
  items: [
    ...each(["doom2.wad", "heretic.wad"], wadMaker("IWAD", true)),
    ...each(
      ["a.wad", "b.wad", "B2.WAD", "extras.wad", "id24res.wad", "voices.wad", "dsda-doom.wad"],
      wadMaker("PWAD"),
    ),
    ...each(["mod.pk3", "my.ipk3", "mod2.pk7"], zipMaker(zdoomNames, zdoomLists)),
    ...blobs("dir/sprites/trooa1.lmp", "dir/zscript.txt", "dir/filter/doom/x.txt", "patch.deh"),
    ...each(
      ["auto/doom-all/x.wad", "auto/doom2.wad/y.wad", "auto/all-all/z.WAD", "auto/a.wad/n.wad"],
      wadMaker("PWAD"),
    ),
    ...each(["auto/heretic-all/q.zip", "q.zip"], zipMaker(zdoomNames)),
    [
      "gz.ini",
      lines([
        "[Global.Autoload]",
        "Path=b.wad",
        "path = auto/doom-all/x.wad",
        "[doom.Autoload]",
        "[doom.id.doom2.Autoload]",
      ]),
    ],
  ],
  options: (random, root) => ({
    profile,
    sources: random(4) ? [root] : [`${root}/a.wad`, `${root}/doom2.wad`, `${root}/heretic.wad`],
    ...random(3) ? { iwad: `${root}/${one(random, ["doom2.wad", "heretic.wad", "my.ipk3", "a.wad"])}` } : {},
    ...random(3)
      ? {
        files: some(random, ["a.wad", "-merge", "b", "mod.pk3", "q.zip", "dir", "-file", "-af", "a.wad", "B2.WAD"])
          .map((
            word,
          ) => word.startsWith("-") ? (/^(chocolate|crispy)$/.test(profile) ? word : "-file") : `${root}/${word}`),
      }
      : {},
    ...random(2) ? { autoload: `${root}/${profile === "gzdoom" ? "gz.ini" : "auto"}` } : {},
  }),
});

const kinds: readonly Kind[] = [
  ...["gzdoom", "boom", "chocolate"].map(listsOf),
  {
    title: "packs without names",
    items: [
      ...each(["a.pack", "b.pack"], hashedMaker),
      ["names.lst", lines(["# names", "data\\Listed.bin", "x/never.bin", "other"])],
      ["scripts/a.txt", lines(["textures/red.png", "sound/door", "maps/one.ent"])],
      ...each(["c.pk3"], zipMaker(["sound/door.wav", "Data/Listed.bin"])),
    ],
    options: (random, root) => ({
      profile: "hashed",
      ...random(2) ? { names: [`${root}/names.lst`] } : {},
      ...random(4) ? {} : { hash: one(random, [hashVariant, "fnv1a"]) },
      ...random(3) ? {} : { nested: true },
    }),
  },
  {
    title: "packs that name others",
    items: [
      ...each(["lib/pkg/unvanquished_1.dpk", "lib/pkg/unvanquished_1.1.dpk", "home/pkg/unvanquished_1.dpk"], dpkMaker),
      ...each(["lib/pkg/tex_1.0.dpk", "lib/pkg/tex_1.1.dpk", "home/pkg/tex_1.0.dpk", "lib/pkg/res_2~a.dpk"], dpkMaker),
      ...each(
        ["lib/pkg/map-a_1.dpk", "lib/pkg/map-b_1_0123abcd.dpk", "lib/pkg/noversion.dpk", "lib/pkg/old.pk3"],
        dpkMaker,
      ),
      ...each(["lib/pkg/sub/res_3.dpk"], dpkMaker),
      ["lib/pkg/tex_2.dpkdir/DEPS", lines(["res", "map-a", "gone"])],
      ...blobs("lib/pkg/tex_2.dpkdir/x.txt", "lib/pkg/loose.txt", "home/pkg/x.txt", "home/there"),
    ],
    options: (random, root) => ({
      profile: "daemon",
      sources: [`${root}/home`, `${root}/lib`],
      ...random(3) ? {} : { with: [one(random, ["fs_legacypaks=1", "tex", "map-a"])] },
    }),
  },
  {
    title: "addons",
    items: [
      ...each(["base/pak000.pk4", "base/pak001.pk4"], zipMaker(inner)),
      ...each(["base/addon0.pk4", "base/addon1.pk4", "d3xp/addon2.pk4"], zipMaker(inner, addonMembers)),
      ...blobs("base/x.cfg", "d3xp/sub/y.cfg", "mod/x.cfg"),
    ],
    options: (random) => ({ profile: "dhewm3", base: "base", ...random(3) ? {} : { with: ["fs_searchAddons=1"] } }),
  },
  ...["ftequake", "xash3d", "quakespasm", "ironwail"].map((profile): Kind => ({
    title: `packs and folders of ${profile}`,
    items: [
      ...each(["pak0.pak", "pak1.pak", "PAK2.PAK", "zz.pak"].map((name) => `base/id1/${name}`), pakMaker(inner)),
      ...each(["base/id1/pak0.pk3", "base/id1/b.pk3", "base/mod/a.pk3", "base/QuakeEX.kpf"], nestedPack),
      ...each(["base/quakespasm.pak", "base/mod/pak0.pak", "home/id1/pak0.pak", "base/ironwail.pak"], pakMaker(inner)),
      ...each(
        ["base/id1/c.wad"],
        (random) => wad2("WAD3", [["conchars", 64, "x"], ["Wall", 67 + random(2), "y"], ["x.cfg", 70, "z"]]),
      ),
      ["base/id1/pak.lst", lines(["zz.pak", "b.pk3", "PAK1.pak", "gone.pak", "../x.pak"])],
      [
        "base/mod/liblist.gam",
        lines(['fallback_dir "other"', 'game "Mod"', 'basedir "id1"', 'basedir "mod"', "broken"]),
      ],
      ["base/other/gameinfo.txt", lines(['basedir "mod"', 'title "x"', 'fallback_dir "gone"'])],
      ...blobs("base/id1/x.cfg", "base/mod/sub/y.cfg", "base/fte/x.cfg", "base/qw/sub/y.cfg", "base/mod_hd/x.cfg"),
      ...blobs(
        "base/mod_downloads/x.cfg",
        "base/id1/z.pk3dir/x.cfg",
        "base/id1/z.pk3dir/b.pk3/deep",
        "base/mod/custom/x.cfg",
      ),
      ...blobs(
        "home/there",
        "home/mod/x.cfg",
        "base/.hidden/x",
        "base/id1/a~file",
        "base/id1/sub",
        "base/id1/caf\u00e9",
      ),
      ["base/id1/link.cfg", { link: "x.cfg" }],
      ["base/linked", { link: "mod" }],
      ["base/id1/out", { link: "../../outside" }],
      ["base/id1/pak3.pak", { link: "../../outside/real.pak" }],
      ["base/id1/loop", { link: "." }],
      ["base/id1/dead.pak", { link: "nowhere" }],
      ...each(["outside/real.pak"], pakMaker(inner)),
      ...blobs("outside/secret.cfg"),
    ],
    options: (random, root) => ({
      profile,
      base: "id1",
      sources: random(3) ? [`${root}/home`, `${root}/base`] : [`${root}/base`],
      ...random(3) ? {} : { mods: ["mod"] },
      ...random(3) ? {} : { nested: true },
      ...random(3) ? {} : { followSymlinks: true },
      ...random(3) ? {} : { strict: true },
    }),
  })),
  {
    title: "lists of the Source engine",
    items: [
      ["tf/gameinfo.txt", gameinfoMaker],
      ...each(
        ["one", "two", "vo_english_dir", "vo_french_dir", "custom/a", "custom/zz"].map((name) => `tf/${name}.vpk`),
        vpkMaker,
      ),
      ...blobs(
        "tf/x.txt",
        "tf/custom/hud/x.txt",
        "hl2/x.txt",
        "hl2/sub/y.txt",
        "platform/x.txt",
        "tf/custom/Big/X.txt",
      ),
      ...each(["hl2/pak01_dir.vpk"], vpkMaker),
    ],
    options: (random) => ({ profile: "source", base: "tf", ...random(3) ? {} : { with: ["french"] } }),
  },
  {
    title: "archives in archives",
    items: [
      ...each(["a.pk3", "sub/b.zip", "c.pk4"], nestedPack),
      ...each(["d.pak", "e.pk3dir/f.pak"], pakMaker(inner)),
      ...blobs("e.pk3dir/x.cfg", "x.cfg", "sub/y.cfg"),
    ],
    options: (random, root) => ({
      profile: one(random, ["generic", "ioquake3"]),
      base: "",
      ...random(4) ? {} : { sources: [`${root}/a.pk3`] },
      nested: random(4) > 0,
      strict: random(4) === 0,
    }),
  },
  ...["woof", "eternity", "crispy"].map(listsOf),
];

/** Writes some items of a kind, replacing existing ones. */
async function writeSome(
  { items }: Kind,
  root: string,
  share: (random: Random) => boolean,
  random: Random,
): Promise<void> {
  for (const [path, make] of items) {
    if (!share(random)) continue;
    const target = `${root}/${path}`;
    try {
      await Deno.mkdir(dirname(target), { recursive: true });
      await Deno.remove(target, { recursive: true }).catch(() => {});
      if (typeof make === "object") await Deno.symlink(make.link, target);
      else {
        const content = make(random);
        await Deno.writeFile(target, typeof content === "string" ? text(content) : content);
      }
    } catch (error) {
      // A file is in the way of a directory.
      if (!(error instanceof Error) || !/Not a directory|File exists|Is a directory/.test(error.message)) throw error;
    }
  }
}

const paths = [
  "x.cfg",
  "sub/y.cfg",
  "X.CFG",
  "maps/one.bsp",
  "a.pak/x.cfg",
  "TITLEPIC",
  "graphics/titlepic.png",
  "x.txt",
];
const left = new Set(["profile", "identity", "mtime"]);

/** Content of an index, without times and the rules of its engines. */
function said(catalog: Catalog, root: string): string {
  // A mount identifies files by their nodes, so no two files may share one.
  for (const { tree } of catalog.views) assertEquals(new Set(tree.nodes.subarray(0, tree.length)).size, tree.length);
  const isDirectory = (value: unknown) =>
    typeof value === "object" && value !== null && "format" in value && ["loose", "pk3dir"].includes(`${value.format}`);
  return JSON.stringify(
    answers(catalog, paths),
    (key, value: unknown) =>
      left.has(key)
        ? undefined
        : isDirectory(value) && "size" in (value as object)
        ? { ...value as object, size: 0 }
        : value,
  ).replaceAll(root, "ROOT");
}

/** Report of a refresh. */
function changesOf(before: Catalog, after: Catalog): unknown[] {
  const trees = after.views.map((view) => {
    const old = before.views.find(({ name }) => name === view.name);
    return [view.name, old ? treeChanges(old.tree, view.tree) : null];
  });
  return [trees, Array.from(viewDifferences(before, after, undefined, 5))];
}

/** Compares the files of equal paths of two indexes one by one; asserts that as many are compared. */
function assertSameFiles(before: Catalog, after: Catalog): void {
  const comparison = new EntryComparison(before.snapshot, after.snapshot);
  for (const { name, tree } of after.views) {
    const old = before.views.find((view) => view.name === name)?.tree;
    for (let node = tree.following(0); old && node !== none; node = tree.following(node)) {
      const found = old.find(tree.pathOf(node));
      if (found === none || tree.isDirectory(node) || old.isDirectory(found)) continue;
      const [was, is] = [at(old.entries, found), at(tree.entries, node)];
      assertEquals(
        comparison.isSame(was, is),
        isSameEntry(before.snapshot, was, after.snapshot, is),
        tree.pathOf(node),
      );
    }
  }
}

/** Differences under other engines, in files and views. */
async function saidOfOthers(games: readonly GameOptions[], root: string, random: Random): Promise<string[]> {
  await using connection = await openLocalGames(games);
  const { rows: views } = await connection.call("views", {});
  const said: string[] = [];
  for (const { view } of views.slice(0, 3)) {
    const other = `${view}:profile=${one(random, ["boom", "chocolate", "gzdoom", "quake", "ftequake", "xash3d"])}`;
    const requests = [
      ...some(random, paths).map((qpath) => ({ method: "which", params: { view, qpath, engines: true } })),
      { method: "diff", params: { from: view, to: other } },
      { method: "diffstat", params: { from: other, to: view } },
    ] as AskedRequest[];
    for (const request of requests) said.push(comparable(await askWhole(connection, request), root));
  }
  return said;
}

for (const kind of kinds) {
  Deno.test(`random ${kind.title} are indexed as they were, and after changes as in a new index`, async () => {
    using _later = anHourLater();
    using _order = inOrderOfNames();
    const random = numbersFrom(start + kinds.indexOf(kind));
    const values: string[] = [];
    for (let number = 0; number < installations; number++) {
      await using directory = await temporaryDirectory();
      // The directory is called as games without a name are.
      const root = `${directory.path}/game`;
      await Deno.mkdir(root);
      await writeSome(kind, root, (random) => random(3) > 0, random);
      const games: GameOptions[] = [{ name: "g", sources: [root], ...kind.options(random, root) }];
      const scan = (previous?: Catalog): Catalog | string => {
        try {
          return scanCatalog(games, previous ? { previous } : {});
        } catch (error) {
          if (error instanceof GameError) return error.message.replaceAll(root, "ROOT");
          throw error;
        }
      };
      let catalog = scan();
      values.push(typeof catalog === "string" ? catalog : said(catalog, root));
      if (typeof catalog !== "string" && number < 5) values.push(...await saidOfOthers(games, root, random));
      for (let step = 0; step < 2 && typeof catalog !== "string"; step++) {
        await nextTimeStamp();
        await writeSome(kind, root, (random) => random(6) === 0, random);
        const [next, fresh] = [scan(catalog), scan()];
        if (typeof next !== "string" && typeof fresh !== "string") {
          assertSame(next, fresh);
          assertSameFiles(catalog, next);
          const changes = changesOf(catalog, next);
          assertEquals(changes, changesOf(catalog, fresh));
          values.push(JSON.stringify([catalogChanges(catalog, next), ...changes]).replaceAll(root, "ROOT"));
        }
        catalog = next;
      }
    }
    await compareValues(new URL("./outcomes.txt", import.meta.url), kind.title, values);
  });
}
