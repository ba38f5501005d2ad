import { assertEquals, assertThrows } from "@std/assert";
import { profileNamed } from "../../engines/table.ts";
import { enginesOf } from "../../games/engines_of_game.ts";
import type { Catalog } from "../../views/catalog.ts";
import { whichCandidates } from "../../views/which.ts";
import { ViewError } from "../../views/view_error.ts";
import { bfgResources, pak, zip } from "../formats/bytes.ts";
import { addon, asked, type Row, rows, treeOf } from "./engine_vectors.ts";
import { type Files, installation, pakOf, scan, winner, zipOf } from "../index/fixtures.ts";
import { gameEngineRows } from "./game_engine_vectors.ts";
import { quake3Rows } from "./quake3_vectors.ts";

/** Engines whose answers differ between an index reordered to their rules and an index made by their rules. */
function disagreements(
  root: string,
  { roots = [""], view = "", asked: path = asked }: Row,
  catalog: Catalog,
): string[] {
  const [game] = catalog.games;
  if (!game || view.includes(":")) return [];
  return enginesOf(game).slice(1).flatMap((profile) => {
    const isAtRoot = profileNamed(profile)?.bases.length === 0;
    const own = scan(root, { profile, name: "game", sources: roots, ...isAtRoot ? {} : { base: game.base } });
    const name = isAtRoot ? "game" : `game/${view === "" ? game.base : view}`;
    const expected = winner(root, own.view(name), path);
    const found = answerUnder(root, catalog, `${name}:profile=${profile}`, path);
    return found === undefined || found === expected ? [] : [`${profile}: ${found}, not ${expected}`];
  });
}

/** Returns the winner in a view; undefined where the index reports that it cannot know it. */
function answerUnder(root: string, catalog: Catalog, name: string, path: string): string | null | undefined {
  try {
    return winner(root, catalog.view(name), path);
  } catch (error) {
    if (error instanceof ViewError && error.message.includes(" cannot be compared under ")) return undefined;
    throw error;
  }
}

for (const row of [...quake3Rows, ...rows, ...gameEngineRows]) {
  const { engine, tree, wins, view = "", files = {} } = row;
  const shown = [...tree, ...Object.keys(files)].join(", ");
  Deno.test(`${engine}: of ${shown}, ${wins ?? "nothing"} answers${view === "" ? "" : ` in ${view}`}`, async () => {
    await using root = await installation(treeOf(row));
    const { roots = [""] } = row;
    const catalog = scan(root.path, { profile: engine, name: "game", sources: roots });
    const resolved = catalog.view(view === "" ? undefined : view.startsWith(":") ? `game${view}` : `game/${view}`);
    assertEquals(winner(root.path, resolved, row.asked ?? asked), wins);
    assertEquals(disagreements(root.path, row, catalog), []);
  });
}

Deno.test("xash3d: a loose file is found under any spelling", async () => {
  await using root = await installation({ "valve/maps/c0a0.bsp": "loose" });
  const view = scan(root.path, { profile: "xash3d" }).view();
  assertEquals(winner(root.path, view, "MAPS/C0A0.bsp"), "loose valve");
});

Deno.test("ezquake: ~/.ezquake is searched with a game directory, and no view", async () => {
  await using root = await installation({ ".ezquake/y": "", "base/id1/y": "", "base/mod/y": "" });
  const catalog = scan(root.path, { profile: "ezquake", name: "game", sources: [".ezquake", "base"] });
  assertEquals(catalog.views.map(({ name }) => name), ["game/id1", "game/mod"]);
});

Deno.test("quake3e: a member with an unknown method is passed over", async () => {
  const files = { "baseq3/pak1.pk3": zip([{ name: "x", content: "x", method: 9 }]), "baseq3/pak0.pk3": zipOf("x") };
  await using root = await installation(files);
  assertEquals(winner(root.path, scan(root.path, { profile: "quake3e" }).view(), "x"), "baseq3/pak0.pk3");
  assertEquals(winner(root.path, scan(root.path, { profile: "ioquake3" }).view(), "x"), "baseq3/pak1.pk3");
});

// Novum/vkQuake Quake/common.c 2234, 2703; Misc/vq_pak/vq_pak_contents.txt
Deno.test("which names the files of the pack inside vkQuake's program", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("x"),
    "id1/pak1.pak": pakOf("x"),
    "id1/default.cfg": "",
  });
  const view = scan(root.path, { profile: "vkquake" }).view();
  const shown = (path: string) => path.replace(`${root.path}/`, "");
  assertEquals(
    ["default.cfg", "gfx/p_mods.png"].map((qpath) =>
      whichCandidates(view, qpath).map(({ source, member, reason }) => [shown(source), member, reason])
    ),
    [
      [
        ["id1", "default.cfg", "vkQuake has default.cfg inside its program, and loads that one"],
        ["vkquake.pak inside vkQuake", "default.cfg", "vkQuake has it inside its program, which pakfs does not read"],
      ],
      [
        [
          "vkquake.pak inside vkQuake",
          "gfx/p_mods.png",
          "vkQuake has it inside its program, which pakfs does not read",
        ],
      ],
    ],
  );
});

Deno.test("a listing and a search by name have one file for a path that opens another file", async () => {
  await using root = await installation({ "id1/config.cfg": "id", "id1/vkQuake.cfg": "vk quake" });
  const view = scan(root.path, { profile: "vkquake" }).view();
  const node = view.tree.find("config.cfg");
  assertEquals(view.snapshot.memberOf(view.tree.entryOf(node)), "vkQuake.cfg");
  assertEquals(whichCandidates(view, "config.cfg").map(({ member, reason }) => [member, reason]), [
    ["vkQuake.cfg", null],
    ["config.cfg", "vkQuake opens vkQuake.cfg of the same directory for it"],
  ]);
});

Deno.test("which gives the reason of each new mechanism", async () => {
  const reasons: [profile: string, files: Files, sentences: string[]][] = [
    ["iortcw-mp", { "main/pak0.pk3": zipOf("x"), "main/sp_pak1.pk3": zipOf("x"), "main/zz_x.pk3": zipOf("x") }, [
      "sp_pak1.pk3 is not loaded: iortcw multiplayer skips packs whose name begins with sp_",
      "zz_x.pk3 is not loaded: iortcw multiplayer opens it under the name mp_x.pk3",
    ]],
    ["dhewm3", { "base/pak000.pk4": zipOf("x"), "base/zmap.pk4": addon("addon.conf") }, [
      'it is an addon, which dhewm3 searches only if it is chosen; ":with=zmap" after the name of a view chooses it',
    ]],
    ["ezquake", { "id1/pak0.pak": pakOf("x"), "id1/zz.pak": pakOf("x"), "id1/pak.lst": "a.pak" }, [
      "zz.pak is not loaded: pak.lst does not name it, and ezQuake then loads only numbered packs in addition to those listed",
    ]],
    ["quake3e", { "baseq3/pak0.pk3": zipOf("x"), "mod/x": "loose" }, [
      "pak0.pk3 is a pack, and Quake3e searches all packs before any loose file.",
    ]],
    ["qss", { "id1/pak0.pak": pakOf("x"), "id1/pak0.pk3": zipOf("x") }, [
      "pak0.pk3 is loaded after pak0.pak, and the pack that is loaded last wins.",
    ]],
    ["qss", { "id1/pak0.PAK": pakOf("x"), "id1/pak0.pak": pakOf("x"), "id1/pak.lst": "pak0.PAK" }, [
      "pak0.pak is not loaded: to QuakeSpasm-Spiked it is pak0.PAK, which is loaded already",
    ]],
  ];
  for (const [profile, files, sentences] of reasons) {
    // deno-lint-ignore no-await-in-loop -- one installation after the other
    await using root = await installation(files);
    const catalog = scan(root.path, { profile });
    const rowsOf = catalog.views.flatMap((view) => whichCandidates(view, "x"));
    const found = rowsOf.flatMap(({ reason, because }) => [reason, because]).filter((text) => text !== null);
    assertEquals(sentences.filter((sentence) => !found.includes(sentence)), [], `${profile}: ${found.join("; ")}`);
  }
});

Deno.test("FTE takes the pack that was changed last where it is set to", async () => {
  await using root = await installation({ "id1/a.pak": pakOf("x"), "id1/z.pak": pakOf("x"), "id1/y.pak": pakOf("x") });
  for (const [name, second] of [["a", 2000.9], ["z", 1000], ["y", 2000.1]] as const) {
    // deno-lint-ignore no-await-in-loop -- one file after the other
    await Deno.utime(`${root.path}/id1/${name}.pak`, second, second);
  }
  const catalog = scan(root.path, { profile: "ftequake", name: "game" });
  assertEquals(winner(root.path, catalog.view("game/id1"), "x"), "id1/z.pak");
  const rowsOf = whichCandidates(catalog.view("game/id1:with=fs_packageprioritisation=0"), "x");
  assertEquals(rowsOf.map(({ source, because }) => [source.slice(-5), because]), [
    ["y.pak", null],
    ["a.pak", "y.pak sorts after a.pak, and the pack that sorts last wins."],
    ["z.pak", "y.pak was changed after z.pak, and FTE then searches it first."],
  ]);
});

Deno.test("which says where an engine leaves the order of packs to chance", async () => {
  const trees: [profile: string, files: Files][] = [
    ["qss", { "id1/pak0.pak": pakOf("y"), "id1/aa.pk3": zipOf("x"), "id1/zz.pk3": zipOf("x") }],
    ["ezquake", { "id1/a.pk3": zipOf("x"), "id1/b.pk3": zipOf("x") }],
    ["ezquake", { "id1/pak9.pak": pakOf("x"), "id1/zz.pak": pakOf("x") }],
  ];
  for (const [profile, files] of trees) {
    // deno-lint-ignore no-await-in-loop -- one installation after the other
    await using root = await installation(files);
    const [, loser] = whichCandidates(scan(root.path, { profile, name: "game" }).view("game/id1"), "x");
    assertEquals(loser?.because?.includes("in whatever order the directory lists them"), true, loser?.because ?? "");
  }
});

Deno.test("of a name that a pack holds twice each engine takes its own", async () => {
  const members = [["x", "1"], ["x", "22"]] as const;
  const zipped = zip(members.map(([name, content]) => ({ name, content })));
  const packs: readonly [path: string, bytes: Uint8Array, takes: Readonly<Record<string, number>>][] = [
    ["id1/pak0.pak", pak(members), { qss: 1, ironwail: 1, vkquake: 1, ftequake: 1, ezquake: 1 }],
    ["baseq2/pak0.pak", pak(members), { q2pro: 2, q2rtx: 2 }],
    ["baseq3/pak0.pk3", zipped, { quake3e: 2, spearmint: 2 }],
    ["base/assets0.pk3", zipped, { openjk: 2 }],
    ["main/pak0.pk3", zipped, { "iortcw-mp": 2, "iortcw-sp": 2 }],
    ["etmain/pak0.pk3", zipped, { etlegacy: 2 }],
    ["base/a.resources", bfgResources(members), { rbdoom3bfg: 2 }],
    ["pkg/unvanquished_1.dpk", zipped, { daemon: 1 }],
  ];
  const found: unknown[] = [];
  const expected: unknown[] = [];
  for (const [path, bytes, takes] of packs) {
    // deno-lint-ignore no-await-in-loop -- one installation after the other
    await using root = await installation({ [path]: bytes });
    for (const [profile, size] of Object.entries(takes)) {
      const [first] = whichCandidates(scan(root.path, { profile }).view(), "x");
      found.push([profile, first?.usable, first?.size]);
      expected.push([profile, true, size]);
    }
  }
  assertEquals(found, expected);
});

Deno.test("QuakeSpasm-Spiked finds members of zips, and of nothing else, by their names in small letters", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("Maps/a", "Maps/B"),
    "id1/pak0.pk3": zipOf("/x", "Maps/A", "maps/b"),
  });
  const view = scan(root.path, { profile: "qss", name: "game" }).view();
  const found = ["maps/a", "maps/b", "Maps/A", "Maps/a", "Maps/B"].map((path) => winner(root.path, view, path));
  assertEquals(found, ["id1/pak0.pk3", "id1/pak0.pk3", null, "id1/pak0.pak", "id1/pak0.pak"]);
  assertEquals(whichCandidates(view, "maps/a").map(({ member, usable }) => [member, usable])[0], ["Maps/A", true]);
  assertThrows(
    () => scan(root.path, { profile: "darkplaces", name: "game" }).view("game:profile=qss"),
    ViewError,
    "game cannot be compared under qss: Maps/A counts in small letters there",
  );
});

Deno.test("a view refuses to choose what the game does not have", async () => {
  await using root = await installation({ "base/pak000.pk4": zipOf("x"), "base/zmap.pk4": addon("addon.conf") });
  const catalog = scan(root.path, { profile: "dhewm3", name: "game" });
  assertThrows(
    () => catalog.view("game/base:with=ymap"),
    ViewError,
    "game/base:with=ymap: unknown choice ymap; known: fs_searchAddons=1, zmap.pk4",
  );
});

Deno.test("a list of packs leads nowhere else, and one that is too large is not read", async () => {
  await using root = await installation({
    "out.pak": pakOf("x"),
    "mod/out.pak": pakOf("x"),
    "id1/pak0.pak": pakOf("y"),
    "id1/pak.lst": "../out.pak\n/out.pak\nmod/out.pak\n\0\nsoft.pak\n" + "n.pak\n".repeat(10_000),
    "mod/pak.lst": "x".repeat(1024 * 1024 + 1),
  });
  const catalog = scan(root.path, { profile: "ezquake", name: "game" });
  assertEquals(winner(root.path, catalog.view("game/id1"), "x"), null);
  assertEquals(winner(root.path, catalog.view("game/mod"), "x"), "mod/out.pak");
  assertEquals(catalog.problems, [
    `${root.path}/mod/pak.lst: not read: 1048577 bytes; a list of packs has at most 1048576`,
  ]);
});
