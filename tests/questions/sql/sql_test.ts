// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { SqlError } from "../../../questions/sql/statement.ts";
import { sqlTables } from "../../../questions/sql/schema.ts";
import { openLocalGames } from "../../../service/local.ts";
import { pages } from "../../../protocol/connection.ts";
import type { PagedMethod, ParamsOf } from "../../../protocol/methods.ts";
import type { ConflictRow } from "../../../questions/conflicts.ts";
import type { GameOptions } from "../../../index/columns/game.ts";
import { pak, zip } from "../../formats/bytes.ts";
import { installation } from "../../index/fixtures.ts";
import { scanCatalog } from "../../support/catalogs.ts";
import { numbersFrom, seed } from "../../support/chance.ts";
import { richEngines, richGame } from "../rich_games.ts";
import { randomStatement } from "./random_statements.ts";
import { readerOf, type Row, rowsOf } from "./readers.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();

Deno.test("random games answer the fixed questions in SQL as they do by their own commands", async () => {
  for (const [number, engine] of richEngines.entries()) {
    const random = numbersFrom(seed + number);
    await using root = await installation({ ...richGame(engine, random).files, "upper/": "" });
    const sources = ["upper", "lower"].map((name) => `${root.path}/${name}`);
    const games: GameOptions[] = [{ sources, profile: engine.profile, name: "g", base: engine.family.base }];
    const catalog = scanCatalog(games);
    await using connection = await openLocalGames(games);
    const reader = readerOf(catalog);
    const of = (statement: string) => rowsOf(reader, statement);
    const title = typeof engine.profile === "string" ? engine.profile : engine.profile.name;
    for (const { name: view } of catalog.views) {
      const here = `view = ${quoted(view)}`;
      const found = await Array.fromAsync(pages(connection, "find", { view, patterns: ["*"] }));
      assertEquals(
        sorted(
          await of(
            `SELECT path, source, member, size, compressed_size, method, crc32, modified, damaged FROM files WHERE ${here}`,
          ),
        ),
        sorted(
          found.map((row) => [
            ...[row.qpath, row.source, row.member, row.size, row.packedSize, row.method, row.crc32, row.mtime],
            row.damaged ?? null,
          ]),
        ),
        `find, ${title}`,
      );
      assertEquals(
        await of(`SELECT count(*), total(size), total(compressed_size) FROM files WHERE ${here}`),
        (await connection.call("usage", { view, depth: 0 })).rows.map((row) => [row.files, row.size, row.packedSize]),
        `usage, ${title}`,
      );
      for (const { qpath } of found.slice(0, 12)) {
        const { candidates } = await connection.call("which", { view, qpath });
        assertEquals(
          await of(
            "SELECT rank, source, member, size, usable, rule, because FROM candidates " +
              `WHERE ${here} AND path = ${quoted(qpath)} ORDER BY rank`,
          ),
          candidates.map((row) => [
            ...[row.rank, row.source, row.member, row.size, Number(row.usable), row.decidedBy],
            row.because ?? row.reason,
          ]),
          `which ${qpath}, ${title}`,
        );
      }
      const missing = (await Array.fromAsync(pages(connection, "missing", { view })))
        .flatMap(({ qpath, name, missing }) => missing.map((lack) => [qpath, name, lack.name]));
      assertEquals(
        new Set(
          sorted(await of(`SELECT path, referrer, name FROM refs WHERE ${here} AND answer IS NULL AND optional = 0`)),
        ),
        new Set(sorted(missing)),
        `missing, ${title}`,
      );
      assertEquals(
        sorted(await of(`SELECT name, type, path, line, source FROM shaders WHERE ${here} AND rank = 1`)),
        sorted(
          (await Array.fromAsync(pages(connection, "shaders", { view })))
            .map((row) => [row.name, row.type, row.qpath, row.line, row.source]),
        ),
        `shaders, ${title}`,
      );
    }
    assertEquals(
      await of("SELECT game, profile, because, base FROM games"),
      (await connection.call("games", {})).rows.map((row) => [row.game, row.profile, row.because, row.base]),
    );
    assertEquals(
      await of("SELECT view, game, profile, base FROM views"),
      (await connection.call("views", {})).rows.map((row) => [row.view, row.game, row.profile, Number(row.base)]),
    );
    const packs = await Array.fromAsync(pages(connection, "packs", {}));
    assertEquals(
      sorted(await of("SELECT source, format, size, members, modified FROM sources WHERE kind = 'pack'")),
      sorted(packs.map((row) => [row.source, row.format, row.size, row.files, row.mtime])),
    );
    assertEquals(
      await of(
        "SELECT sum(n = members) = count(*) FROM (SELECT s.members, count(m.id) AS n FROM sources s " +
          "LEFT JOIN members m USING (source) GROUP BY s.source)",
      ),
      [[1]],
    );
  }
});

/** A usable file that loses, next to the winner of its path. */
const losers = "candidates c JOIN candidates w ON w.view = c.view AND w.path = c.path AND w.rank = 1 " +
  "WHERE c.rank > 1 AND c.usable";

Deno.test("random games answer questions about several files of a path in SQL as they do by their own commands", async () => {
  let compared = 0;
  for (const [number, engine] of richEngines.entries()) {
    const random = numbersFrom(seed + 1000 + number);
    await using root = await installation({ ...richGame(engine, random).files, "upper/": "" });
    const sources = ["upper", "lower"].map((name) => `${root.path}/${name}`);
    const games: GameOptions[] = [{ sources, profile: engine.profile, name: "g", base: engine.family.base }];
    const catalog = scanCatalog(games);
    await using connection = await openLocalGames(games);
    const reader = readerOf(catalog);
    const of = async (statement: string) => sorted(await rowsOf(reader, statement));
    const all = <Name extends PagedMethod>(name: Name, parameters: ParamsOf<Name>) =>
      Array.fromAsync(pages(connection, name, parameters));
    // In other trees a path may have several spellings; these commands take the listed one.
    const views = catalog.views.filter(({ tree }) => tree.unlisted.length === 0);
    for (const { name: view, game } of views) {
      const title = `${view}, engine ${number}`;
      // `which` reports that the engine ignores a file next to a map; `shadowed` lists it nevertheless.
      const endings = game.profile.sideFiles?.endings ?? [];
      const isListed = ({ qpath }: { readonly qpath: string }) => !endings.some((ending) => qpath.endsWith(ending));
      const here = [`c.view = ${quoted(view)}`, ...endings.map((ending) => `c.path NOT LIKE ${quoted(`%${ending}`)}`)]
        .join(" AND ");
      const rows = (await all("shadowed", { view })).filter(isListed);
      compared += rows.length;
      assertEquals(
        await of(
          "SELECT c.path, c.source, c.member, c.size, w.source, w.member, c.rule, c.because " +
            `FROM ${losers} AND ${here}`,
        ),
        sorted(
          rows.map((row) => [
            ...[row.qpath, row.source, row.member, row.size, row.winner.source, row.winner.member, row.decidedBy],
            row.because,
          ]),
        ),
        `shadowed, ${title}`,
      );
      const conflictsOf = (found: readonly ConflictRow[]) =>
        sorted(
          found.filter(isListed).flatMap(({ qpath, winner, losers }) =>
            losers.map((loser) => [qpath, winner.source, loser.source, loser.member])
          ),
        );
      const columns = "SELECT c.path, w.source, c.source, c.member FROM";
      const isConflict = "EXISTS (SELECT 1 FROM candidates o WHERE o.view = c.view AND o.path = c.path AND o.usable " +
        "AND o.source <> w.source)";
      assertEquals(
        await of(`${columns} ${losers} AND ${here} AND ${isConflict}`),
        conflictsOf(await all("conflicts", { view })),
        `conflicts, ${title}`,
      );
      for (const { source, kind } of (await connection.call("path", { view })).rows) {
        if (kind !== "pack") continue;
        const pack = quoted(source);
        assertEquals(
          await of(`${columns} ${losers} AND ${here} AND w.source = ${pack} AND c.source <> ${pack}`),
          conflictsOf(await all("overrides", { view, source })),
          `overrides ${source}, ${title}`,
        );
        assertEquals(
          await of(`${columns} ${losers} AND ${here} AND w.source <> ${pack} AND c.source = ${pack}`),
          conflictsOf(await all("overrides", { view, source, by: true })),
          `overrides --by ${source}, ${title}`,
        );
        assertEquals(
          await of(
            `SELECT f.path FROM files f WHERE f.view = ${quoted(view)} AND f.source = ${pack} AND ${
              here.replaceAll("c.", "f.")
            } AND NOT EXISTS (SELECT 1 ` +
              `FROM candidates c WHERE c.view = f.view AND c.path = f.path AND c.usable AND c.source <> ${pack})`,
          ),
          sorted((await all("unique", { view, source })).filter(isListed).map((row) => [row.qpath])),
          `unique ${source}, ${title}`,
        );
      }
      for (const { name: other } of views) {
        const same = game.profile.ignoreCase ? "lower(b.path) = lower(a.path)" : "b.path = a.path";
        const sides = [view, other].map((name) => `(SELECT * FROM files WHERE view = ${quoted(name)})`);
        assertEquals(
          await of(
            `SELECT coalesce(b.path, a.path), a.source, a.member, b.source, b.member FROM ${sides[0]} a ` +
              `FULL JOIN ${sides[1]} b ON ${same} WHERE a.member_id IS NOT b.member_id`,
          ),
          sorted(
            (await all("diff", { from: view, to: other })).map(({ qpath, before, after }) => [
              qpath,
              ...[before?.source ?? null, before?.member ?? null, after?.source ?? null, after?.member ?? null],
            ]),
          ),
          `diff ${other}, ${title}`,
        );
      }
    }
  }
  assert(compared > 100, `${compared} files that lose`);
});

const files = {
  "g/id1/pak0.pak": pak([["gfx/a.lmp", "AAAA"], ["gfx/b.lmp", "same"], ["Maps/start.BSP", "bsp"]]),
  "g/id1/pak1.pak": pak([["gfx/a.lmp", "BBBB"]]),
  "g/id1/gfx/a.lmp": "loose",
  "q/baseq3/pak0.pk3": zip([{ name: "a.txt", content: "aa" }, { name: "b", content: "bb" }]),
};

async function smallReader() {
  const root = await installation(files);
  const catalog = scanCatalog([
    { sources: [`${root.path}/g`], profile: "quakespasm", name: "quake" },
    { sources: [`${root.path}/q`], profile: "ioquake3", name: "q3" },
  ]);
  return { root, reader: readerOf(catalog) };
}

Deno.test("every column that is declared is there, and look-ups use an index", async () => {
  const { root, reader } = await smallReader();
  await using _root = root;
  for (const { name, columns } of sqlTables) {
    assertEquals(await reader.run(`SELECT * FROM ${name}`), columns.map((column) => column.name), name);
    assertEquals(await reader.run(`PRAGMA table_info(${name})`), [
      "cid",
      "name",
      "type",
      "notnull",
      "dflt_value",
      "pk",
    ]);
  }
  const lookups = [
    ...["path", "name", "extension", "source", "crc32"].flatMap((column) => [`files ${column}`, `members ${column}`]),
    ...[
      "candidates path",
      "candidates source",
      "refs path",
      "refs answer",
      "shaders name",
      "hashes sha256",
      "hashes crc32",
    ],
  ];
  for (const lookup of lookups) {
    const [table, column] = lookup.split(" ");
    const plan = await rowsOf(reader, `EXPLAIN QUERY PLAN SELECT * FROM ${table} WHERE ${column} = 'x'`);
    assert(plan.every((row) => !/^SCAN/.test(String(row[3]))), `${lookup}: ${plan.map((row) => row[3])}`);
  }
  const parts = "SELECT path, directory, name, extension FROM members WHERE name LIKE 'start%' OR path = 'b'";
  assertEquals(await rowsOf(reader, `${parts} ORDER BY 1`), [["Maps/start.BSP", "Maps", "start.BSP", "bsp"], [
    "b",
    "",
    "b",
    "",
  ]]);
});

Deno.test("statements that write, attach or load are refused, and change nothing", async () => {
  const { root, reader } = await smallReader();
  await using _root = root;
  const other = `${root.path}/other.sqlite`;
  await reader.run("SELECT * FROM files");
  const before = await rowsOf(reader, "SELECT * FROM files");
  const refused = [
    "DELETE FROM files",
    "DELETE FROM file_rows",
    "UPDATE file_rows SET path_id = 1",
    "INSERT INTO game_rows VALUES (1, 2, 3, 4, 5)",
    "REPLACE INTO view_rows VALUES (1, 2, 3, 4, 5, 6)",
    "WITH a AS (SELECT 1) DELETE FROM file_rows",
    "DROP TABLE file_rows",
    "DROP VIEW files",
    "CREATE TABLE t (x)",
    "CREATE TEMP TABLE t (x)",
    "CREATE TEMP VIEW v AS SELECT 1",
    "CREATE VIRTUAL TABLE t USING fts5(x)",
    "CREATE TRIGGER t AFTER INSERT ON file_rows BEGIN SELECT 1; END",
    "ALTER TABLE file_rows RENAME TO x",
    `ATTACH '${other}' AS other`,
    "DETACH main",
    `VACUUM INTO '${other}'`,
    "VACUUM",
    "REINDEX",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT a",
    "PRAGMA hard_heap_limit = 0",
    "PRAGMA writable_schema = 1",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA journal_mode = WAL",
    "SELECT load_extension('x')",
    "SELECT * FROM pragma_temp_store_directory",
    "EXPLAIN DELETE FROM file_rows",
  ];
  for (const statement of refused) {
    const error = await assertRejects(() => reader.run(statement), SqlError, undefined, statement);
    assertMatch(error.message, /can only read|no such table|cannot modify/, statement);
  }
  assertEquals(await rowsOf(reader, "SELECT * FROM files"), before);
  await assertRejects(() => Deno.stat(other), Deno.errors.NotFound);
});

Deno.test("wrong statements are errors, also those that fail at a later row", async () => {
  const { root, reader } = await smallReader();
  await using _root = root;
  const wrong: Record<string, RegExp> = {
    "": /no statement/,
    " ; -- nothing\n /* here */ ;": /no statement/,
    "/* open": /no statement/,
    "SELECT": /incomplete input/,
    "\0": /no statement/,
    ";\0 SELECT": /no statement/,
    "SELEC 1": /syntax error/,
    "SELECT nowhere FROM files": /no such column: nowhere; .schema at the prompt lists tables and their columns/,
    "SELECT rank FROM files": /no such column: rank in these tables; it is one of candidates, shaders/,
    "SELECT path": /no such column: path in these tables; it is one of members, files/,
    "SELECT extenson FROM files": /no such column: extenson; did you mean extension\?/,
    "SELECT f.siz FROM files f": /no such column: f\.siz; did you mean size\?/,
    "SELECT * FROM nowhere": /no such table: nowhere; .schema at the prompt lists/,
    "SELECT * FROM file": /no such table: file; did you mean files\?/,
    "SELECT 1; SELECT 2": /more than one/,
    "SELECT abs(-9223372036854775808)": /overflow/,
    "SELECT CASE WHEN path = 'a.txt' THEN json_extract('x', '$') END FROM files ORDER BY path DESC": /malformed JSON/,
    "SELECT 9007199254740993": /53 bits/,
    "SELECT zeroblob(2000000)": /up to 1 MiB/,
    "SELECT * FROM files ORDER BY nowhere": /no such column/,
    "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x, randomblob(60000) FROM t":
      /more than 16 MiB/,
  };
  for (const [statement, message] of Object.entries(wrong)) {
    const error = await assertRejects(() => rowsOf(reader, statement), SqlError, undefined, statement);
    assertMatch(error.message, message);
  }
  assertEquals(await rowsOf(reader, "-- a comment\n;VALUES (1, 'a;b', x'00ff', null, 1.5, 1e999);  -- end"), [
    [1, "a;b", "00ff", null, 1.5, "Infinity"],
  ]);
  assertEquals(await rowsOf(reader, "SELECT path, path FROM members WHERE path = 'b'"), [["b", "b"]]);
});

Deno.test("rows come in parts, in the order of the statement", async () => {
  const { root, reader } = await smallReader();
  await using _root = root;
  const numbers =
    "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 1000) SELECT x AS rowid FROM t";
  await reader.run(`${numbers} ORDER BY x DESC`);
  assertEquals(reader.rows(0, 3, 1e6), { rows: [[1000], [999], [998]], isEnd: false });
  assertEquals(reader.rows(997, 100, 1e6), { rows: [[3], [2], [1]], isEnd: true });
  assertEquals(reader.rows(0, 1000, 1), { rows: [[1000]], isEnd: false });
  await reader.run(`${numbers} WHERE x > 5000`);
  assertEquals(reader.rows(0, 3, 1e6), { rows: [], isEnd: true });
});

Deno.test("every statement of docs/queries.md is answered", async () => {
  const { root, reader } = await smallReader();
  await using _root = root;
  const text = await Deno.readTextFile(new URL("../../../docs/queries.md", import.meta.url));
  const blocks = Array.from(text.matchAll(/```sql\n(.*?)```/gs), ([, block = ""]) => block);
  const statements = blocks.flatMap((block) => block.split(/(?<=;)\n/)).filter((statement) => statement.trim() !== "");
  assert(statements.length >= 12);
  for (const statement of statements) await rowsOf(reader, statement);
});

Deno.test("no random statement does more than answer or fail, and none writes", async () => {
  const { root, reader } = await smallReader();
  await using _root = root;
  const before = await rowsOf(reader, "SELECT * FROM members");
  const random = numbersFrom(seed);
  let answered = 0;
  for (let number = 0; number < 1000; number++) {
    try {
      await rowsOf(reader, randomStatement(random));
      answered++;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
    }
  }
  assert(answered > 50, `${answered} statements answered`);
  assertEquals(await rowsOf(reader, "SELECT * FROM members"), before);
});
