import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { pages } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { sqlTables } from "../../questions/sql/schema.ts";
import { openLocal } from "../../service/local.ts";
import { zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { jsonRows, runLine } from "./harness.ts";

const members = [{ name: 'a "b", c.txt', content: "aa" }, { name: "line\nbreak", content: "" }, {
  name: "\u{1F600}",
  content: "c",
}];

/** Splits comma-separated values of RFC 4180. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

Deno.test("export writes what sql answers, in each format as its readers read it", async () => {
  await using root = await installation({ "g/baseq3/pak0.pk3": zip(members), "g/baseq3/loose.cfg": "x", "out/a": "" });
  await using connection = await openLocal({ sources: [`${root.path}/g`], profile: "ioquake3", game: "q" });
  const out = `${root.path}/out`;
  const run = (line: string) => runLine(line, { connection });
  const rowsOf = (statement: string) => Array.fromAsync(pages(connection, "sql", { statement }));
  const files = await rowsOf("SELECT * FROM files");
  const names = sqlTables.find(({ name }) => name === "files")?.columns.map((column) => column.name) ?? [];
  assertEquals(files.length, 4);

  const done = await run(`export ${out}/x.sqlite --json`);
  assertEquals(jsonRows(done.out).length, sqlTables.length, done.err);
  const database = new DatabaseSync(`${out}/x.sqlite`, { readOnly: true });
  for (const { name, columns } of sqlTables) {
    const found = database.prepare(`SELECT * FROM ${name}`).all().map((row) => Object.values(row));
    // deno-lint-ignore no-await-in-loop -- one table after the other
    assertEquals(found, await rowsOf(`SELECT * FROM ${name}`) as unknown[][], name);
    const { sql } = database.prepare(`SELECT sql FROM sqlite_schema WHERE name = '${name}'`).get() ?? {};
    for (const { meaning } of columns) assertStringIncludes(String(sql), meaning);
  }
  database.close();

  assertEquals((await run(`export ${out}/x.csv`)).code, 0);
  const [header, ...lines] = csvRows(await Deno.readTextFile(`${out}/x.csv`));
  assertEquals(header, names);
  assertEquals(lines, files.map((row) => row.map((value) => value === null ? "" : String(value))));

  assertEquals((await run(`export ${out}/x.jsonl files`)).code, 0);
  const objects = jsonRows(await Deno.readTextFile(`${out}/x.jsonl`)) as Record<string, unknown>[];
  assertEquals(objects.map((row) => names.map((name) => row[name])), files as unknown[][]);

  assertEquals((await run(`export ${out}/x.parquet`)).code, 0);
  const read = await parquetReadObjects({ file: await asyncBufferFromFile(`${out}/x.parquet`) });
  const values = read.map((row) => names.map((name) => typeof row[name] === "bigint" ? Number(row[name]) : row[name]));
  assertEquals(values, files as unknown[][]);
});

Deno.test("export replaces a file only when the new one is complete, and leaves nothing behind", async () => {
  await using root = await installation({ "g/id1/x.cfg": "x", "out/kept.csv": "kept" });
  await using connection = await openLocal({ sources: [`${root.path}/g`], profile: "quake", game: "q" });
  const run = (line: string) => runLine(line, { connection });
  const out = `${root.path}/out`;
  for (
    const [line, message, code] of [
      [`export ${out}/kept.txt`, "FILE ends in", 2],
      [`export ${out}/kept.csv files members`, "more than one table", 2],
      [`export ${out}/kept.csv nothing`, "export takes one of", 2],
      [`export ${out}/kept.csv files nothing`, "export takes one of", 2],
      [`export ${out}/kept.csv --view q/nowhere`, "unknown view q/nowhere", 1],
      [`export ${out}/none/x.csv`, "x.csv: no such directory", 1],
    ] as const
  ) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const failed = await run(line);
    assertStringIncludes(failed.err, message);
    assertEquals(failed.code, code);
  }
  const stale = () => Promise.reject(new RpcError({ code: errorCodes.staleCursor, message: "stale" }));
  for (const ending of ["csv", "sqlite", "parquet"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const refused = await runLine(`export ${out}/x.${ending} --json`, { connection: { ...connection, call: stale } });
    assertEquals(JSON.parse(refused.err).error.kind, "staleCursor");
  }
  assertEquals((await Array.fromAsync(Deno.readDir(out))).map(({ name }) => name), ["kept.csv"]);
  assertEquals(await Deno.readTextFile(`${out}/kept.csv`), "kept");
  assertEquals((await run(`export ${out}/kept.csv files --view q`)).code, 0);
  assert((await Deno.readTextFile(`${out}/kept.csv`)).includes("x.cfg"));
});
