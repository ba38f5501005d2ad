// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { pages } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { MethodName, ParamsOf } from "../../protocol/methods.ts";
import { openIndex } from "../../mod.ts";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, installation } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";

const files: Files = {
  "quake/id1/pak0.pak": pak([["gfx/a.lmp", "AAAA"], ["gfx/b.lmp", "same"], ["maps/start.bsp", "bsp"], [
    "x.cfg",
    "one",
  ]]),
  "quake/id1/pak1.pak": pak([["gfx/a.lmp", "BBBB"], ["gfx/b.lmp", "same"]]),
  "quake/id1/gfx/a.lmp": "loose",
  "quake/mod/pak0.pak": pak([["gfx/a.lmp", "CCCC"], ["maps/mod.bsp", "bsp"]]),
  "quake/mod/x.cfg": "",
  "q3/baseq3/pak0.pk3": zip([{ name: "a.txt", content: "aa" }, { name: "b.txt", content: "bb" }, {
    name: "c.txt",
    content: "c",
  }]),
  "q3/baseq3/pak1.pk3": zip([{ name: "A.txt", content: "aa" }, { name: "b.txt", content: "BB" }]),
  "q3/baseq3/c.txt": "c",
};

function opened() {
  return bothConnections(files, (root) => [
    { sources: [`${root}/quake`], profile: "quakespasm", name: "quake" },
    { sources: [`${root}/q3`], profile: "ioquake3", name: "q3" },
  ]);
}

const inPak0 = (member: string, size: number) =>
  ({ source: "quake/id1/pak0.pak", member, kind: "pack", gameDirectory: "id1", size, crc32: null }) as const;
const inPak1 = (member: string, size: number) => ({ ...inPak0(member, size), source: "quake/id1/pak1.pak" });
const inMod = (member: string, size: number) =>
  ({ ...inPak0(member, size), source: "quake/mod/pak0.pak", gameDirectory: "mod" }) as const;
const loose = (directory: string, member: string, size: number) =>
  ({ ...inPak0(member, size), source: `quake/${directory}`, kind: "loose", gameDirectory: directory }) as const;

const byDirectory = { decidedBy: "game-directory", because: "mod is searched before id1." };
const byNumber = {
  decidedBy: "pack-number",
  because: "pak1.pak has a higher number than pak0.pak, and the higher number wins.",
};

Deno.test("shadowed: the file that loses, who wins, and why", async () => {
  await using here = await opened();
  const { rows, cursor } = await here.call("shadowed", { view: "quake/mod" });
  const row = { view: "quake/mod" };
  assertEquals(cursor, null);
  assertEquals(rows, [
    {
      ...row,
      qpath: "gfx/a.lmp",
      ...inPak1("gfx/a.lmp", 4),
      winner: inMod("gfx/a.lmp", 4),
      identical: null,
      ...byDirectory,
    },
    {
      ...row,
      qpath: "gfx/a.lmp",
      ...inPak0("gfx/a.lmp", 4),
      winner: inMod("gfx/a.lmp", 4),
      identical: null,
      ...byDirectory,
    },
    {
      ...row,
      qpath: "gfx/a.lmp",
      ...loose("id1", "gfx/a.lmp", 5),
      winner: inMod("gfx/a.lmp", 4),
      identical: false,
      ...byDirectory,
    },
    {
      ...row,
      qpath: "gfx/b.lmp",
      ...inPak0("gfx/b.lmp", 4),
      winner: inPak1("gfx/b.lmp", 4),
      identical: null,
      ...byNumber,
    },
    {
      ...row,
      qpath: "x.cfg",
      ...inPak0("x.cfg", 3),
      winner: loose("mod", "x.cfg", 0),
      identical: false,
      ...byDirectory,
    },
  ]);
});

Deno.test("shadowed: patterns are about the path, filters about the file that loses", async () => {
  await using here = await opened();
  const found = async (params: Partial<ParamsOf<"shadowed">>) => {
    const { rows } = await here.call("shadowed", { view: "quake/mod", ...params });
    return rows.map(({ qpath, source }) => `${qpath} ${source}`);
  };
  assertEquals(await found({ patterns: ["*.cfg"] }), ["x.cfg quake/id1/pak0.pak"]);
  assertEquals(await found({ patterns: ["gfx/b*"] }), ["gfx/b.lmp quake/id1/pak0.pak"]);
  assertEquals(await found({ filters: { source: "id1/pak1.pak" } }), ["gfx/a.lmp quake/id1/pak1.pak"]);
  assertEquals(await found({ filters: { source: "mod" } }), []);
  assertEquals(await found({ filters: { minSize: 5 } }), ["gfx/a.lmp quake/id1"]);
  assertEquals(await found({ filters: { extensions: ["cfg"] } }), ["x.cfg quake/id1/pak0.pak"]);
});

Deno.test("conflicts: winner, losers, and whether they have the same bytes", async () => {
  await using here = await opened();
  assertEquals((await here.call("conflicts", { view: "quake/id1" })).rows, [
    {
      qpath: "gfx/a.lmp",
      view: "quake/id1",
      identical: false,
      winner: inPak1("gfx/a.lmp", 4),
      losers: [
        { ...inPak0("gfx/a.lmp", 4), identical: null, ...byNumber },
        {
          ...loose("id1", "gfx/a.lmp", 5),
          identical: false,
          decidedBy: "pack-over-loose",
          because: "pak1.pak is a pack, and QuakeSpasm searches the packs of a directory before its loose files.",
        },
      ],
    },
    {
      qpath: "gfx/b.lmp",
      view: "quake/id1",
      identical: null,
      winner: inPak1("gfx/b.lmp", 4),
      losers: [{ ...inPak0("gfx/b.lmp", 4), identical: null, ...byNumber }],
    },
  ]);
});

Deno.test("conflicts: CRC-32 decide what is the same; without them files are read on request", async () => {
  await using here = await opened();
  const answers = async (view: string, compare: boolean) => {
    const { rows } = await here.call("conflicts", { view, compare });
    return rows.map(({ qpath, identical, losers }) => [qpath, identical, losers.map((loser) => loser.identical)]);
  };
  assertEquals(await answers("q3/baseq3", false), [
    ["A.txt", true, [true]],
    ["b.txt", false, [false]],
    ["c.txt", null, [null]],
  ]);
  assertEquals(await answers("q3/baseq3", true), [
    ["A.txt", true, [true]],
    ["b.txt", false, [false]],
    ["c.txt", true, [true]],
  ]);
  assertEquals(await answers("quake/id1", true), [
    ["gfx/a.lmp", false, [false, false]],
    ["gfx/b.lmp", true, [true]],
  ]);
});

Deno.test("files that cannot be read stay unknown", async () => {
  await using here = await opened();
  await Deno.writeFile(`${here.path}/quake/id1/pak1.pak`, new Uint8Array(7));
  const { rows } = await here.call("conflicts", { view: "quake/id1", compare: true });
  assertEquals(rows.map((row) => [row.qpath, row.identical]), [["gfx/a.lmp", false], ["gfx/b.lmp", null]]);
});

Deno.test("conflicts and overrides of a pack or a game directory", async () => {
  await using here = await opened();
  const conflicts = async (source: string) =>
    (await here.call("conflicts", { view: "quake/mod", source })).rows.map(({ qpath }) => qpath);
  const overrides = async (source: string, by: boolean) =>
    (await here.call("overrides", { view: "quake/mod", source, by })).rows
      .map(({ qpath, winner, losers }) => [qpath, winner.source, ...losers.map((loser) => loser.source)]);
  assertEquals(await conflicts("mod"), ["gfx/a.lmp", "x.cfg"]);
  assertEquals(await conflicts("mod/pak0.pak"), ["gfx/a.lmp"]);
  assertEquals(await conflicts("pak1.pak"), ["gfx/a.lmp", "gfx/b.lmp"]);
  assertEquals(await conflicts(`${here.path}/quake/id1/pak0.pak`), ["gfx/a.lmp", "gfx/b.lmp", "x.cfg"]);
  assertEquals(await overrides("mod", false), [
    ["gfx/a.lmp", "quake/mod/pak0.pak", "quake/id1/pak1.pak", "quake/id1/pak0.pak", "quake/id1"],
    ["x.cfg", "quake/mod", "quake/id1/pak0.pak"],
  ]);
  assertEquals(await overrides("mod", true), []);
  assertEquals(await overrides("pak1.pak", false), [["gfx/b.lmp", "quake/id1/pak1.pak", "quake/id1/pak0.pak"]]);
  assertEquals(await overrides("pak1.pak", true), [["gfx/a.lmp", "quake/mod/pak0.pak", "quake/id1/pak1.pak"]]);
  assertEquals(await overrides("id1", true), await overrides("mod", false), "seen from the other side");
});

Deno.test("unique: what would vanish without a pack or game directory", async () => {
  await using here = await opened();
  const unique = async (view: string, source: string) =>
    (await here.call("unique", { view, source })).rows.map(({ qpath }) => qpath);
  assertEquals(await unique("quake/mod", "mod"), ["maps/mod.bsp"]);
  assertEquals(await unique("quake/mod", "id1"), ["gfx/b.lmp", "maps/start.bsp"]);
  assertEquals(await unique("quake/mod", "id1/pak0.pak"), ["maps/start.bsp"]);
  assertEquals(await unique("quake/id1", "pak1.pak"), []);
  const [row] = (await here.call("unique", { view: "quake/mod", source: "mod" })).rows;
  assertEquals(row, (await here.call("find", { view: "quake/mod", patterns: ["maps/mod.bsp"] })).rows[0]);
});

Deno.test("diff: files that are added, removed, and provided by another source", async () => {
  await using here = await opened();
  const { rows } = await here.call("diff", { from: "quake/id1", to: "quake/mod" });
  assertEquals(rows, [
    {
      qpath: "gfx/a.lmp",
      change: "replaced",
      before: inPak1("gfx/a.lmp", 4),
      after: inMod("gfx/a.lmp", 4),
      identical: null,
    },
    { qpath: "maps/mod.bsp", change: "added", before: null, after: inMod("maps/mod.bsp", 3), identical: null },
    {
      qpath: "x.cfg",
      change: "replaced",
      before: inPak0("x.cfg", 3),
      after: loose("mod", "x.cfg", 0),
      identical: false,
    },
  ]);
  const back = await here.call("diff", { from: "quake/mod", to: "quake/id1", compare: true });
  assertEquals(back.rows.map(({ qpath, change, identical }) => [qpath, change, identical]), [
    ["gfx/a.lmp", "replaced", false],
    ["maps/mod.bsp", "removed", null],
    ["x.cfg", "replaced", false],
  ]);
  const summary = { from: "quake/id1", to: "quake/mod", added: 1, removed: 0, replaced: 2, identical: 0, unchanged: 2 };
  assertEquals(await here.call("diffstat", { from: "quake/id1", to: "quake/mod" }), {
    ...summary,
    different: 1,
    unknown: 1,
  });
  assertEquals(await here.call("diffstat", { from: "quake/id1", to: "quake/mod", compare: true }), {
    ...summary,
    different: 2,
    unknown: 0,
  });
});

Deno.test("diff of one installation under the rules of two engines: only what they disagree about", async () => {
  await using here = await bothConnections(files, (root) => [
    { sources: [`${root}/quake`], profile: "quakespasm", name: "qs" },
    { sources: [`${root}/quake`], profile: "darkplaces", name: "dp" },
  ]);
  const { rows } = await here.call("diff", { from: "qs/id1", to: "dp/id1" });
  assertEquals(rows.map(({ qpath, change, before, after }) => [qpath, change, before?.source, after?.source]), [
    ["gfx/a.lmp", "replaced", "quake/id1/pak1.pak", "quake/id1"],
  ]);
  const { unchanged } = await here.call("diffstat", { from: "qs/id1", to: "dp/id1" });
  assertEquals(unchanged, 3);
});

Deno.test("diff: a name that is a file in one view and a directory in the other goes and comes", async () => {
  const clashing = {
    "id1/pak0.pak": pak([["a", "x"], ["b/c", "y"]]),
    "mod/pak0.pak": pak([["a/b", "z"]]),
    "two/b": "b",
  };
  await using here = await bothConnections(clashing, (root) => [{ sources: [root], profile: "quake", name: "quake" }]);
  const changes = async (from: string, to: string) =>
    (await here.call("diff", { from, to })).rows.map(({ qpath, change }) => `${change} ${qpath}`);
  assertEquals(await changes("mod", "id1"), ["removed a/b", "added a", "removed a~file"]);
  assertEquals((await changes("id1", "two")).sort(), ["added b~file"]);
});

Deno.test("packs show how many of their files win, and which are fully shadowed", async () => {
  const hidden = { ...files, "quake/id1/pak1.pak": pak([["gfx/a.lmp", "BBBB"]]) };
  await using here = await bothConnections(
    hidden,
    (root) => [{ sources: [`${root}/quake`], profile: "quake", name: "quake" }],
  );
  const wins = async (params: ParamsOf<"packs">) =>
    (await here.call("packs", params)).rows.map((row) => [row.source, row.usable, row.wins]);
  assertEquals(await wins({ view: "quake/mod" }), [
    ["quake/id1/pak0.pak", true, 2],
    ["quake/id1/pak1.pak", true, 0],
    ["quake/mod/pak0.pak", true, 2],
  ]);
  assertEquals(await wins({ view: "quake/id1" }), [
    ["quake/id1/pak0.pak", true, 3],
    ["quake/id1/pak1.pak", true, 1],
    ["quake/mod/pak0.pak", false, 0],
  ]);
  assertEquals((await wins({})).map(([, , count]) => count), [null, null, null]);
  assertEquals(await wins({ view: "quake/mod", fullyShadowed: true }), [["quake/id1/pak1.pak", true, 0]]);
  assertEquals(await wins({ view: "quake/id1", fullyShadowed: true }), []);
  assertEquals(await wins({ fullyShadowed: true }), []);
});

Deno.test("pages of any size, put together, are one large page", async () => {
  await using here = await opened();
  const questions: [MethodName, Record<string, unknown>][] = [
    ["shadowed", { view: "quake/mod" }],
    ["shadowed", { view: "quake/mod", filters: { minSize: 4 } }],
    ["conflicts", { view: "quake/mod" }],
    ["overrides", { view: "quake/mod", source: "mod" }],
    ["overrides", { view: "quake/mod", source: "id1", by: true }],
    ["unique", { view: "quake/mod", source: "id1" }],
    ["diff", { from: "quake/id1", to: "quake/mod" }],
    ["diff", { from: "quake/id1", to: "q3/baseq3" }],
    ["limits", { view: "quake/mod" }],
    ["games", {}],
    ["views", {}],
    ["path", { view: "quake/mod" }],
    ["packs", {}],
    ["ls", { view: "quake/mod" }],
    ["find", { view: "quake/mod", patterns: [] }],
    ["qpaths", { view: "quake/mod", patterns: [] }],
  ];
  for (const [method, params] of questions) {
    const whole = await here.call(method, params as ParamsOf<MethodName>) as { rows: unknown[] };
    assert(whole.rows.length > 1, method);
    for (const limit of [1, 2, 3]) {
      const paged = pages(here.connection, method as "diff", { ...params, limit } as ParamsOf<"diff">);
      const rows = await Array.fromAsync(paged);
      assertEquals(
        JSON.parse(JSON.stringify(rows).replaceAll(`${here.path}/`, "")),
        whole.rows,
        `${method} by ${limit}`,
      );
    }
  }
});

Deno.test("unknown and ambiguous names are reported with suggestions", async () => {
  await using here = await opened();
  const refused = async (source: string, view = "quake/mod") => {
    const error = await assertRejects(() => here.connection.call("unique", { view, source }), RpcError);
    assertEquals(error.code, errorCodes.notFound);
    return [error.message, ...error.data?.suggestions ?? []];
  };
  assertEquals(await refused("pak0.pak"), [
    '"pak0.pak" is ambiguous: the search path of quake/mod has 2 such packs; give more of the path',
    "mod/pak0.pak",
    "id1/pak0.pak",
  ]);
  const all = ["mod", "id1", "mod/pak0.pak", "pak1.pak", "id1/pak0.pak"];
  const nothing = 'no pack or game directory "nothing" on the search path of quake/mod';
  assertEquals(await refused("nothing"), [nothing, ...all]);
  assertEquals((await refused("pak1")).slice(1, 3), ["pak1.pak", "mod/pak0.pak"], "the nearest first");
  assertEquals((await refused("mod", "quake/id1"))[0], "mod is not on the search path of quake/id1");
  assertEquals(
    (await refused("mod/pak0.pak", "quake/id1"))[0],
    "mod with its pak0.pak is not on the search path of quake/id1",
  );
  const { matches } = await here.call("complete", { view: "quake/mod", kind: "source", prefix: "" });
  assertEquals(matches, all);
  for (const source of matches) {
    await here.call("conflicts", { view: "quake/mod", source });
  }
});

Deno.test("a pack that the engine does not load is reported with the reason", async () => {
  await using here = await bothConnections({ ...files, "quake/id1/pak3.pak": pak([["a", "a"]]) }, (root) => [
    { sources: [`${root}/quake`], profile: "quake", name: "quake" },
  ]);
  const error = await assertRejects(() => here.connection.call("unique", { source: "pak3.pak" }), RpcError);
  assertMatch(error.message, /^pak3\.pak is not used in quake\/id1: .*pak2\.pak/);
});

Deno.test("wrong parameters are refused", async () => {
  await using here = await opened();
  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ["unique", { view: "quake/mod" }, /^"source" is missing$/],
    ["diff", { from: "quake/mod" }, /^"to" is missing$/],
    ["conflicts", { view: "quake/mod", compare: 1 }, /^"compare" must be true or false$/],
    ["shadowed", { view: "quake/mod", patterns: "x" }, /^"patterns" must be a list of strings$/],
    ["shadowed", { view: "quake/mod", patterns: ["x".repeat(5000)] }, /long/],
  ];
  for (const [method, params, message] of wrong) {
    const call = () => here.connection.call(method as MethodName, params as ParamsOf<MethodName>);
    const error = await assertRejects(call, RpcError);
    assertEquals(error.code, errorCodes.invalidParams, error.message);
    assertMatch(error.message, message);
  }
  for (
    const cursor of ["conflicts:1:0", "shadowed:1", "shadowed:1:7", "shadowed:1.2.3:0", "shadowed:", "shadowed:1.-2:0"]
  ) {
    const call = () => here.connection.call("shadowed", { view: "quake/mod", cursor });
    assertEquals((await assertRejects(call, RpcError)).code, errorCodes.staleCursor, cursor);
  }
  for (const cursor of ["shadowed:99999999999.7:0", "shadowed:1.99999999999:0", "shadowed:999999999999999:0"]) {
    const { rows } = await here.connection.call("shadowed", { view: "quake/mod", cursor });
    assert(rows.length <= 5);
  }
});

Deno.test("a question that reads files can be cancelled", async () => {
  await using here = await opened();
  const controller = new AbortController();
  const answer = here.connection.call("conflicts", { view: "quake/id1", compare: true }, { signal: controller.signal });
  controller.abort();
  assertEquals((await assertRejects(() => answer, RpcError)).code, errorCodes.cancelled);
});

Deno.test("mod.ts asks the same questions", async () => {
  await using root = await installation(files);
  await using index = await openIndex({ sources: [`${root.path}/quake`], profile: "quakespasm", name: "quake" });
  const view = index.view("mod");
  const qpaths = async (rows: AsyncIterable<{ qpath: string }>) =>
    (await Array.fromAsync(rows)).map(({ qpath }) => qpath);
  assertEquals(await qpaths(view.shadowed("*.cfg")), ["x.cfg"]);
  assertEquals(await qpaths(view.shadowed([], { source: "pak1.pak" })), ["gfx/a.lmp"]);
  assertEquals(await qpaths(view.conflicts()), ["gfx/a.lmp", "gfx/b.lmp", "x.cfg"]);
  assertEquals(await qpaths(view.conflicts("pak1.pak", { compare: true })), ["gfx/a.lmp", "gfx/b.lmp"]);
  assertEquals(await qpaths(view.unique("mod")), ["maps/mod.bsp"]);
  assertEquals(await qpaths(view.overrides("mod")), ["gfx/a.lmp", "x.cfg"]);
  assertEquals(await qpaths(view.overriddenBy("pak1.pak")), ["gfx/a.lmp"]);
  assertEquals(await qpaths(index.diff("quake/id1", "quake/mod")), ["gfx/a.lmp", "maps/mod.bsp", "x.cfg"]);
  assertEquals((await index.diffSummary("quake/id1", "quake/mod", { compare: true })).different, 2);
  assertEquals((await view.registered()).state, "shareware");
  assertEquals((await Array.fromAsync(view.limits())).map(({ limit }) => limit), ["pack-files", "pack-name"]);
  assertEquals(await Array.fromAsync(view.packs({ fullyShadowed: true })), []);
});

// Novum/vkQuake Quake/common.c 2703
Deno.test("the search path of vkQuake has the pack inside its program", async () => {
  await using here = await bothConnections(
    { "id1/pak0.pak": pak([["x", "1"]]), "id1/pak1.pak": pak([["x", "2"]]), "id1/y": "" },
    (root) => [{ sources: [root], profile: "vkquake" }],
  );
  const rows = await here.rows("path", {});
  assertEquals(
    rows.map(({ rank, source, format, files }) => `${rank} ${source} ${format} ${files}`),
    [
      "1 id1/pak1.pak quake-pak 1",
      "2 vkquake.pak inside vkQuake unknown 15",
      "3 id1/pak0.pak quake-pak 1",
      "4 id1 loose 1",
    ].map((row) => row.replace("4 id1", `4 ${here.path}/id1`).replace(`${here.path}/`, "")),
  );
});

Deno.test("the packs of a view by another engine's rules are those on its path", async () => {
  const packs = { "baseq2/pak0.pak": pak([["a", "1"]]), "baseq2/more.pak": pak([["a", "2"]]) };
  await using here = await bothConnections(packs, (root) => [{ sources: [root], profile: "yquake2", name: "q" }]);
  for (const view of ["q/baseq2", "q/baseq2:profile=quake2"]) {
    const [used, path] = [await here.rows("packs", { view }), await here.rows("path", { view })];
    assertEquals(
      used.filter(({ usable }) => usable).map(({ source }) => source).sort(),
      path.filter(({ kind }) => kind === "pack").map(({ source }) => source).sort(),
    );
  }
});

Deno.test("files that answer another path than theirs are among the losers that which, conflicts and stat count", async () => {
  // Novum/vkQuake Quake/common.c: config.cfg opens vkQuake.cfg.
  const configs = { "id1/pak0.pak": pak([["config.cfg", "1"]]), "id1/vkQuake.cfg": "2", "id1/config.cfg": "3" };
  await using here = await bothConnections(configs, (root) => [{ sources: [root], profile: "vkquake", name: "q" }]);
  const { candidates } = await here.call("which", { view: "q", qpath: "config.cfg" });
  assertEquals(candidates.filter(({ usable }) => usable).map(({ member }) => member), ["config.cfg", "vkQuake.cfg"]);
  const conflicts = await here.rows("conflicts", { view: "q" });
  assertEquals(conflicts.map(({ qpath, losers }) => [qpath, losers.map(({ member }) => member)]), [
    ["config.cfg", ["vkQuake.cfg"]],
  ]);
  const row = await here.call("stat", { view: "q", qpath: "config.cfg" });
  assertEquals("shadows" in row && row.shadows, 1);
});

Deno.test("engines are compared under the settings of the view, and by files, not names", async () => {
  const packs = { "id1/pak0.pak": pak([["a", "1"], ["a", "22"], ["b", "3"]]) };
  await using here = await bothConnections(packs, (root) => [{ sources: [root], profile: "quake", name: "q" }]);
  const { engines = [] } = await here.call("which", { view: "q", qpath: "a", engines: true });
  const diff = await Promise.all(
    engines.slice(1).map(async ({ profile }) => {
      const rows = await here.rows("diff", { from: "q", to: `q:profile=${profile}` });
      return [profile, !rows.some(({ qpath }) => qpath === "a")];
    }),
  );
  assertEquals(engines.slice(1).map(({ profile, same }) => [profile, same]), diff);
  const pk3s = {
    "baseq3/pak0.pk3": zip([{ name: "a", content: "1" }]),
    "baseq3/b.pk3": zip([{ name: "a", content: "2" }]),
  };
  await using pure = await bothConnections(pk3s, (root) => [{ sources: [root], profile: "quake3", name: "q" }]);
  const answer = await pure.call("which", { view: "q:pure=b", qpath: "a", engines: true });
  const sources = new Set(answer.engines?.flatMap(({ winner }) => winner ? [winner.source] : []));
  assertEquals([...sources], ["baseq3/b.pk3"]);
});
