import { assert, assertEquals, assertRejects } from "@std/assert";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { Index } from "../../protocol/library/game_index.ts";
import { pages } from "../../protocol/connection.ts";
import { SqlQueries } from "../../service/sql/queries.ts";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { pause } from "../support/harness.ts";
import { processes } from "../support/processes.ts";

const files = { "g/id1/pak0.pak": pak([["gfx/a.lmp", "AAAA"], ["x.cfg", ""]]) };
const opened = () => bothConnections(files, (root) => [{ sources: [`${root}/g`], profile: "quake", name: "q" }]);
const numbers = (count: number) =>
  `WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < ${count}) SELECT x FROM t`;
const endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t";
const limits = { rows: 10, bytes: 1e6 };
const hashes = () => [];

/** Returns the nice values of the threads of a process. */
function niceValues(process: number): number[] {
  return Array.from(Deno.readDirSync(`/proc/${process}/task`)).flatMap(({ name }) => {
    try {
      const stat = Deno.readTextFileSync(`/proc/${process}/task/${name}/stat`);
      return [Number(stat.slice(stat.lastIndexOf(")")).split(" ")[17])];
    } catch {
      return []; // it has ended
    }
  });
}

/** Returns the processes that carry out statements of this one. */
const ofStatements = () =>
  processes().filter(({ parent, command }) => parent === Deno.pid && command.includes("sql_worker"));

Deno.test("a statement is answered over the socket as without a daemon, in pages", async () => {
  await using here = await opened();
  assertEquals(await here.call("sql", { statement: "SELECT path, size FROM files ORDER BY path" }), {
    columns: ["path", "size"],
    rows: [["gfx/a.lmp", 4], ["x.cfg", 0]],
    cursor: null,
  });
  const first = await here.connection.call("sql", { statement: numbers(5), limit: 2 });
  assertEquals(first.rows, [[1], [2]]);
  const rows = await Array.fromAsync(pages(here.connection, "sql", { statement: numbers(5), limit: 2 }));
  assertEquals(rows, [[1], [2], [3], [4], [5]]);
  const error = await assertRejects(() => here.connection.call("sql", { statement: "SELEC" }), RpcError);
  assertEquals(error.code, errorCodes.invalidParams);
});

Deno.test("a script gets rows by the names of their columns", async () => {
  await using here = await opened();
  const index = new Index(here.connection);
  const rows = await Array.fromAsync(index.sql("SELECT path, size, path FROM files ORDER BY path"));
  assertEquals(rows, [
    { path: "gfx/a.lmp", size: 4, "path:1": "gfx/a.lmp" },
    { path: "x.cfg", size: 0, "path:1": "x.cfg" },
  ]);
});

Deno.test("a statement sees what a refresh found; a result that was begun stays, whatever is refreshed", async () => {
  await using here = await opened();
  const begun = { statement: numbers(3), limit: 2 };
  const { cursor } = await here.connection.call("sql", begun);
  const statement = "SELECT path, size FROM files ORDER BY path";
  await here.connection.call("sql", { statement });
  await writeFiles(here.path, { "g/id1/new.cfg": "new" });
  await here.connection.call("refresh", {});
  const { rows } = await here.connection.call("sql", { statement });
  assertEquals(rows, [["gfx/a.lmp", 4], ["new.cfg", 3], ["x.cfg", 0]]);
  const refreshed = async (name: string) => {
    await writeFiles(here.path, { [`g/id1/${name}.cfg`]: name });
    await here.connection.call("refresh", {});
    await here.connection.call("games", {});
  };
  await refreshed("b");
  await refreshed("c");
  await refreshed("d");
  assertEquals((await here.connection.call("sql", { ...begun, cursor: cursor ?? "" })).rows, [[3]]);
});

Deno.test("the table of hashes has those that other questions have computed so far", async () => {
  await using here = await opened();
  const statement = "SELECT path, size, sha256, crc32 FROM hashes ORDER BY path";
  assertEquals((await here.call("sql", { statement })).rows, []);
  const hashed = await Array.fromAsync(pages(here.connection, "hash", { patterns: ["*.lmp"] }));
  assertEquals((await here.connection.call("sql", { statement })).rows, [
    ["gfx/a.lmp", 4, hashed[0]?.sha256 ?? "", hashed[0]?.crc32 ?? ""],
  ]);
});

Deno.test("a cancelled statement without an end ends, others meanwhile are answered, and so is the next", async () => {
  await using here = await opened();
  const ending = new AbortController();
  const running = assertRejects(
    () => here.connection.call("sql", { statement: endless }, { signal: ending.signal }),
    RpcError,
    "cancelled",
  );
  const other = await here.connection.call("sql", { statement: "SELECT count(*) FROM files" });
  assertEquals(other.rows, [[2]]);
  assert(ofStatements().some(({ pid }) => niceValues(pid).some((nice) => nice >= 10)), "they give way to others");
  const before = ofStatements().length;
  ending.abort();
  await running;
  // deno-lint-ignore no-await-in-loop -- until it is gone
  while (ofStatements().length >= before) await pause(20);
  assertEquals((await here.connection.call("sql", { statement: "SELECT 1" })).rows, [[1]]);
});

Deno.test("results that are not read to the end make room for others in their processes, and say so", async () => {
  const queries = new SqlQueries();
  const catalog = scanCatalog([]);
  const started = [];
  for (let number = 0; number < 4; number++) {
    // deno-lint-ignore no-await-in-loop -- the first of them is the oldest
    started.push(await queries.run({ catalog, statement: numbers(100), hashes }, limits));
  }
  const before = ofStatements().map(({ pid }) => pid);
  const last = await queries.run({ catalog, statement: numbers(100), hashes }, limits);
  assert(ofStatements().every(({ pid }) => before.includes(pid)));
  const parts = await Promise.all(started.map(({ result }) => queries.more(result ?? 0, 10, limits)));
  assertEquals(parts.map((part) => part?.rows[0] ?? null), [null, [11], [11], [11]]);
  assertEquals((await queries.more(last.result ?? 0, 90, { rows: 100, bytes: 1e6 }))?.result, null);
  assertEquals(await queries.more(last.result ?? 0, 90, limits), undefined);
  await queries[Symbol.asyncDispose]();
  assertEquals(ofStatements(), []);
});

Deno.test("a fifth statement while four run is refused with a sentence, and the end stops all", async () => {
  const queries = new SqlQueries();
  const catalog = scanCatalog([]);
  const running = Array.from(
    { length: 4 },
    () => assertRejects(() => queries.run({ catalog, statement: endless, hashes }, limits), Error),
  );
  await assertRejects(
    () => queries.run({ catalog, statement: "SELECT 1", hashes }, limits),
    Error,
    "4 statements are already running",
  );
  await queries[Symbol.asyncDispose]();
  await Promise.all(running);
  assertEquals(ofStatements(), []);
});
