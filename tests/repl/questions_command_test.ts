import { assertEquals, assertMatch } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import type { Connection } from "../../protocol/connection.ts";
import { complete } from "../../repl/shell/completion.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { Session } from "../../repl/command/session.ts";
import { pak } from "../formats/bytes.ts";
import { type Files, installation } from "../index/fixtures.ts";
import type { TextDiffRow } from "../../repl/rows/client_rows.ts";
import { jsonRows, type Outcome, runLine } from "./harness.ts";

const files: Files = {
  "id1/pak0.pak": pak([["gfx/a.lmp", "AAAA"], ["gfx/b.lmp", "same"], ["maps/start.bsp", "bsp"], ["x.cfg", "one"]]),
  "id1/pak1.pak": pak([["gfx/a.lmp", "BBBB"], ["gfx/b.lmp", "same"]]),
  "id1/gfx/a.lmp": "loose",
  "mod/pak0.pak": pak([["gfx/a.lmp", "CCCC"], ["maps/mod.bsp", "bsp"], ["maps/start.bsp", "bsp"]]),
  "mod/x.cfg": "",
};

interface Place extends AsyncDisposable {
  readonly connection: Connection;
  run(line: string): Promise<Outcome>;
}

async function opened(installed: Files = files): Promise<Place> {
  const root = await installation(installed);
  const connection = await openLocal({ sources: [root.path], profile: "quake", game: "quake" });
  return {
    connection,
    async run(line) {
      const outcome = await runLine(line, { connection });
      return {
        ...outcome,
        out: outcome.out.replaceAll(root.path, "/games"),
        err: outcome.err.replaceAll(root.path, "/games"),
      };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await connection.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Output lines of a command line, and its notes. */
async function printed(place: Place, line: string): Promise<{ code: number; out: string[]; err: string }> {
  const { code, out, err } = await place.run(line);
  return { code, out: out.split("\n").slice(0, -1), err };
}

Deno.test("shadowed shows which files lose, to which, and why", async () => {
  await using place = await opened();
  assertEquals(await printed(place, "shadowed --view mod"), {
    code: 0,
    out: [
      "FILE            FROM          LOSES TO      BYTES   WHY",
      "gfx/a.lmp       id1/pak1.pak  mod/pak0.pak  ?       mod is searched before id1 [game-directory]",
      "gfx/a.lmp       id1/pak0.pak  mod/pak0.pak  ?       mod is searched before id1 [game-directory]",
      "gfx/a.lmp       id1/          mod/pak0.pak  differ  mod is searched before id1 [game-directory]",
      "gfx/b.lmp       id1/pak0.pak  id1/pak1.pak  ?       pak1.pak has a higher number than pak0.pak, and the higher " +
      "number wins [pack-number]",
      "maps/start.bsp  id1/pak0.pak  mod/pak0.pak  ?       mod is searched before id1 [game-directory]",
      "x.cfg           id1/pak0.pak  mod/          differ  mod is searched before id1 [game-directory]",
    ],
    err: "6 shadowed files\n",
  });
  assertEquals(
    (await printed(place, "shadowed maps/ --view mod -l --compare")).out[1],
    "maps/start.bsp  /games/id1/pak0.pak  /games/mod/pak0.pak  same   mod is searched before id1 [game-directory]",
  );
  assertEquals((await printed(place, "shadowed --in id1/pak1.pak --view mod --limit 1")).err, "1 shadowed file\n");
  assertEquals(await printed(place, "shadowed --view mod --in mod"), { code: 0, out: [], err: "0 shadowed files\n" });
});

Deno.test("conflicts, overrides and unique print a line for each file", async () => {
  await using place = await opened();
  assertEquals(await printed(place, "conflicts --view mod --compare"), {
    code: 0,
    out: [
      "FILE            WINNER        LOSERS                            BYTES",
      "gfx/a.lmp       mod/pak0.pak  id1/pak1.pak, id1/pak0.pak, id1/  differ",
      "gfx/b.lmp       id1/pak1.pak  id1/pak0.pak                      same",
      "maps/start.bsp  mod/pak0.pak  id1/pak0.pak                      same",
      "x.cfg           mod/          id1/pak0.pak                      differ",
    ],
    err: "4 files: 2 differ, 2 identical, 0 not compared\n",
  });
  assertEquals((await printed(place, "conflicts pak1.pak --view mod --compare --different")).out, [
    "FILE       WINNER        LOSERS                            BYTES",
    "gfx/a.lmp  mod/pak0.pak  id1/pak1.pak, id1/pak0.pak, id1/  differ",
  ]);
  assertEquals((await printed(place, "overrides mod --view mod --limit 2")).out, [
    "FILE            TAKEN BY      FROM                              BYTES",
    "gfx/a.lmp       mod/pak0.pak  id1/pak1.pak, id1/pak0.pak, id1/  differ",
    "maps/start.bsp  mod/pak0.pak  id1/pak0.pak                      ?",
  ]);
  assertEquals((await printed(place, "overrides pak1.pak --by --view mod")).out, [
    "FILE       TAKEN BY      FROM          BYTES",
    "gfx/a.lmp  mod/pak0.pak  id1/pak1.pak  ?",
  ]);
  assertEquals(await printed(place, "unique mod --view mod"), {
    code: 0,
    out: ["maps/mod.bsp"],
    err: "1 file found nowhere else\n",
  });
  assertMatch(
    (await place.run("unique mod --view mod -l")).out,
    /^SIZE +MODIFIED +FROM +NAME\n +3 .* pak0\.pak +maps\/mod\.bsp\n$/,
  );
});

Deno.test("an ambiguous pack is reported with the names to choose from", async () => {
  await using place = await opened();
  const { code, err } = await place.run("unique pak0.pak --view mod");
  assertEquals(code, 1);
  assertMatch(err, /"pak0\.pak" is ambiguous.*mod\/pak0\.pak, id1\/pak0\.pak/);
  assertEquals((await place.run("unique")).code, 2);
});

Deno.test("diff marks added and removed files, and those from a different source", async () => {
  await using place = await opened();
  assertEquals(await printed(place, "diff id1 mod --compare"), {
    code: 0,
    out: [
      "~  gfx/a.lmp       id1/pak1.pak -> mod/pak0.pak  differ",
      "+  maps/mod.bsp    mod/pak0.pak",
      "~  maps/start.bsp  id1/pak0.pak -> mod/pak0.pak  same",
      "~  x.cfg           id1/pak0.pak -> mod/          differ",
    ],
    err: "4 differences\n",
  });
  const reversed = await printed(place, "diff mod id1");
  assertEquals(reversed.out[1], "-  maps/mod.bsp    mod/pak0.pak");
  assertEquals(reversed.err, "4 differences; --compare reads those marked ?\n");
  const summary = "quake/id1 -> quake/mod: 1 added, 0 removed, 3 from a different source (1 differs, 0 identical, " +
    "2 not compared), 1 unchanged";
  assertEquals((await printed(place, "diff id1 mod --stat")).out, [summary]);
  assertEquals((await printed(place, "diff mod --stat --view quake/id1")).out, [summary]);
  assertEquals((await place.run("diff mod")).code, 2);
  assertEquals((await place.run("diff mod nothing")).code, 1);
});

Deno.test("packs count their wins, and --fully-shadowed lists those without", async () => {
  const hidden = { ...files, "mod/pak0.pak": pak([["gfx/a.lmp", ""], ["gfx/b.lmp", ""]]) };
  await using place = await opened(hidden);
  const shown = async (line: string) => {
    const rows = (await printed(place, line)).out.slice(1);
    return rows.map((row) => row.split(/ +/).slice(1, 6).join(" "));
  };
  assertEquals(
    await shown("packs mod"),
    ["id1 pak0.pak quake-pak 4 2", "id1 pak1.pak quake-pak 2 0", "mod pak0.pak quake-pak 2 2"].map((row) =>
      row.replace("quake-pak 4 2", "quake-pak 4 1")
    ),
  );
  assertEquals(await shown("packs mod --fully-shadowed"), ["id1 pak1.pak quake-pak 2 0"]);
});

Deno.test("limits shows how near the view is, and the files beyond them", async () => {
  const names = ["short", `maps/${"x".repeat(51)}`].map((name): [string, string] => [name, ""]);
  await using place = await opened({ "id1/pak0.pak": pak(names) });
  assertEquals((await printed(place, "limits")).out, [
    "LIMIT                       MAX  HERE  BEYOND",
    "files in one PAK          2,048     2       0",
    "bytes of a name in a PAK     55    56       1",
    "",
    "bytes of a name in a PAK: at most 55. With more Quake reads past a name that fills its field, and cannot find " +
    "the file.",
    `  56  /games/id1/pak0.pak : maps/${"x".repeat(51)}`,
  ]);
});

Deno.test("registered shows which version the engine sees", async () => {
  await using place = await opened();
  assertEquals((await printed(place, "registered mod")).out, [
    "shareware version  quake/mod, rules of quake",
    "  Nothing on the search path has gfx/pop.lmp, which only the registered version has.",
    "modified data",
    "  mod is a game directory of its own (-game mod).",
    "  /games/mod/pak0.pak has 3 files, and id's own pak0.pak 339.",
    "  /games/id1/pak1.pak has 2 files, and id's own pak0.pak 339.",
    "  /games/id1/pak0.pak has 4 files, and id's own pak0.pak 339.",
    "consequences",
    '  Quake refuses to start: "You must have the registered version to use modified games."',
    "  Quake finds loose files only at the top of a game directory, not in directories such as maps/.",
  ]);
});

Deno.test("with --json all of them print the rows of the protocol", async () => {
  await using place = await opened();
  const { connection } = place;
  const view = "quake/mod";
  const expected = {
    "shadowed --view mod": (await connection.call("shadowed", { view })).rows,
    "conflicts --view mod --compare": (await connection.call("conflicts", { view, compare: true })).rows,
    "overrides mod --view mod": (await connection.call("overrides", { view, source: "mod" })).rows,
    "unique mod --view mod": (await connection.call("unique", { view, source: "mod" })).rows,
    "diff id1 mod": (await connection.call("diff", { from: "id1", to: "mod" })).rows,
    "diff id1 mod --stat": [await connection.call("diffstat", { from: "id1", to: "mod" })],
    "limits mod": (await connection.call("limits", { view })).rows,
    "registered mod": [await connection.call("registered", { view })],
  };
  for (const [line, rows] of Object.entries(expected)) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its line
    const { code, out } = await runLine(`${line} --json`, { connection });
    assertEquals(code, 0, line);
    assertEquals(jsonRows(out), JSON.parse(JSON.stringify(rows)), line);
  }
});

Deno.test("packs, game directories and views are completed", async () => {
  await using place = await opened();
  await using session = new Session(() => Promise.resolve(place.connection), "quake/mod");
  const completed = async (line: string) => (await complete(line, { commands: commandTable, session })).matches;
  assertEquals(await completed("conflicts "), ["mod", "id1", "mod/pak0.pak", "pak1.pak", "id1/pak0.pak"]);
  assertEquals(await completed("unique mod/"), ["mod/pak0.pak "]);
  assertEquals(await completed("overrides p"), ["pak1.pak "]);
  assertEquals(await completed("shadowed --in id1/"), ["id1/pak0.pak "]);
  assertEquals(await completed("diff quake/id1 quake/m"), ["quake/mod "]);
  assertEquals(await completed("diff quake/i"), ["quake/id1 "]);
  assertEquals(await completed("limits quake/m"), ["quake/mod "]);
});

Deno.test("diff --text shows the lines that differ, as diff -u does", async () => {
  const before = Array.from({ length: 40 }, (_, index) => `bind ${index} "say ${index % 7}"\n`).join("");
  const after = before.replace("bind 3 ", "bind three ").replace('bind 20 "say 6"\n', "") + "last\n";
  await using place = await opened({
    "id1/pak0.pak": pak([["a.cfg", before], ["crlf.cfg", "a\r\n"], ["b.lmp", "\0\0"]]),
    "mod/pak0.pak": pak([["a.cfg", after], ["crlf.cfg", "a\n"]]),
  });
  await using directory = await installation({ before, after });
  const { stdout } = await new Deno.Command("diff", { args: ["-u", "before", "after"], cwd: directory.path }).output();
  const expected = new TextDecoder().decode(stdout).split("\n").slice(2, -1);
  const { code, out } = await printed(place, "diff id1 mod --text a.cfg");
  assertEquals([code, out.slice(0, 2)], [0, ["--- id1/a.cfg", "+++ mod/a.cfg"]]);
  assertEquals(out.slice(2), expected);
  const rows = jsonRows((await place.run("diff id1 mod --text a.cfg --json")).out) as TextDiffRow[];
  assertEquals(rows.filter(({ change }) => change !== "same"), [
    { change: "removed", before: 4, after: null, text: 'bind 3 "say 3"' },
    { change: "added", before: null, after: 4, text: 'bind three "say 3"' },
    { change: "removed", before: 21, after: null, text: 'bind 20 "say 6"' },
    { change: "added", before: null, after: 40, text: "last" },
  ]);
  assertEquals(await printed(place, "diff id1 mod --text crlf.cfg"), {
    code: 0,
    out: [],
    err: "crlf.cfg is the same text in both views\n",
  });
  const binary = await place.run("diff id1 mod --text b.lmp");
  assertEquals([binary.code, binary.err], [
    1,
    "pakfs: b.lmp is not text in id1; diff --compare compares bytes\n",
  ]);
});
