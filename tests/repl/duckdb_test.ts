/** Copies of the index of several machines, read as one table by DuckDB. */
import { assert, assertEquals } from "@std/assert";
import { DuckDBInstance } from "@duckdb/node-api";
import { pages } from "../../protocol/connection.ts";
import { sqlTables } from "../../questions/sql/schema.ts";
import { openLocal } from "../../service/local.ts";
import { zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { runLine } from "./harness.ts";

const document = await Deno.readTextFile(new URL("../../docs/queries.md", import.meta.url));

/** Machines with some files in common, under the same name and under others. */
const machines = [
  { "g/baseq3/pak0.pk3": zip([{ name: "textures/a.tga", content: "red" }, { name: "maps/b.bsp", content: "map" }]) },
  { "g/baseq3/other.pk3": zip([{ name: "textures/x.tga", content: "red" }, { name: 'odd "name", ü', content: "" }]) },
  { "g/baseq3/pak0.pk3": zip([{ name: "textures/a.tga", content: "blue" }]), "g/baseq3/loose.cfg": "bind x" },
];

Deno.test("DuckDB reads the copies of several machines as one table, and answers as each machine does", async () => {
  await using root = await installation(
    Object.fromEntries(
      machines.flatMap((files, index) => Object.entries(files).map(([path, data]) => [`${index}/${path}`, data])),
    ),
  );
  const rows: (readonly (string | number | null)[])[] = [];
  for (const index of machines.keys()) {
    // deno-lint-ignore no-await-in-loop -- one machine after the other
    await using connection = await openLocal({ sources: [`${root.path}/${index}/g`], profile: "ioquake3", game: "q3" });
    const statement = "SELECT path, source, size, crc32, modified FROM members";
    // deno-lint-ignore no-await-in-loop -- as above
    rows.push(...await Array.fromAsync(pages(connection, "sql", { statement })));
    for (const ending of ["parquet", "csv", "jsonl"]) {
      // deno-lint-ignore no-await-in-loop -- as above
      const { code, err } = await runLine(`export ${root.path}/${index}.${ending} members`, { connection });
      assertEquals(code, 0, err);
    }
  }
  const instance = await DuckDBInstance.create(":memory:");
  const duck = await instance.connect();
  const answers = async (statement: string) => (await duck.runAndReadAll(statement)).getRowsJson();
  const sorted = (all: readonly unknown[]) => all.map((row) => JSON.stringify(row)).sort();

  const expected = sorted(rows.map((row) => row.map((value) => typeof value === "number" ? String(value) : value)));
  for (const table of ["*.parquet", "*.jsonl"].map((files) => `'${root.path}/${files}'`)) {
    // deno-lint-ignore no-await-in-loop -- one format after the other
    const found = await answers(`SELECT path, source, size, crc32, modified FROM ${table}`);
    assertEquals(sorted(found.map((row) => row.map((value) => value === null ? null : String(value)))), expected);
  }
  assertEquals(await answers(`SELECT count(*)::INT, sum(size)::INT FROM '${root.path}/*.csv'`), [[
    rows.length,
    rows.reduce((sum, [, , size]) => sum + Number(size), 0),
  ]]);

  // The statement of the document, and one of its questions about all machines.
  const [, counted = ""] = /`(SELECT [^`]*'machines\/\*\.parquet')`/.exec(document) ?? [];
  const [[distinct] = []] = await answers(counted.replace("machines", root.path));
  assertEquals(Number(distinct), new Set(rows.map(([, , , crc]) => crc).filter((crc) => crc !== null)).size);
  const [, textures = ""] = /```sql\n(SELECT crc32, size[^;]*);/.exec(document) ?? [];
  assert(textures.includes("group_concat"));
  const renamed = await answers(textures.replace("FROM members", `FROM '${root.path}/*.parquet'`));
  assertEquals(renamed.map(([, size, names]) => [Number(size), Number(names)]), [[3, 2]]);
  duck.closeSync();
  instance.closeSync();
});

/** Files of a game that make rows in every table. */
const game = {
  "baseq3/pak0.pk3": zip([
    { name: "textures/a.tga", content: "red" },
    { name: "textures/b.tga", content: "red" },
    { name: "scripts/s.shader", content: "textures/a\n{\n{\nmap textures/gone.tga\n}\n}\ntextures/a\n{\n}\n" },
  ]),
  // Only ioquake3 treats it as a pack.
  "baseq3/zz.pk3dir/textures/a.tga": "green",
  "mod/pak1.pk3": zip([{ name: "textures/a.tga", content: "blue" }, { name: "sound/x.wav", content: "no sound" }]),
};

/** Returns the statements of the document whose blocks begin with a line. */
function statementsOf(start: string): string[] {
  return Array.from(document.matchAll(/^```(.*)\n([^]*?)^```/gm))
    .filter(([, first]) => first === start)
    .flatMap(([, , block = ""]) => block.split(/(?<=;)\n/))
    .filter((statement) => statement.trim() !== "");
}

Deno.test("DuckDB answers the examples of the document over Parquet files as sql does", async () => {
  await using root = await installation(
    Object.fromEntries(Object.entries(game).map(([path, data]) => [`g/${path}`, data])),
  );
  await using connection = await openLocal({ sources: [`${root.path}/g`], profile: "ioquake3", game: "q3" });
  const run = async (line: string) => {
    const { code, err } = await runLine(line, { connection });
    assertEquals(code, 0, err);
  };
  await run("hash --everything");
  const instance = await DuckDBInstance.create(":memory:");
  const duck = await instance.connect();
  for (const { name } of sqlTables) {
    // deno-lint-ignore no-await-in-loop -- one table after the other
    await run(`export ${root.path}/${name}.parquet ${name}`);
    // deno-lint-ignore no-await-in-loop -- as above
    await duck.run(`CREATE VIEW ${name} AS SELECT * FROM '${root.path}/${name}.parquet'`);
  }
  let rows = 0;
  const statements = statementsOf("sql").filter((statement) => !statement.includes("unixepoch"));
  assert(statements.length >= 12);
  for (const statement of statements) {
    // deno-lint-ignore no-await-in-loop -- one statement after the other
    const expected = await Array.fromAsync(pages(connection, "sql", { statement }));
    // deno-lint-ignore no-await-in-loop -- as above
    const found = (await duck.runAndReadAll(statement)).getRowsJson();
    // Lists of aggregates have no order.
    const text = (row: readonly unknown[]) => row.map((value) => String(value).split(",").sort().join()).join("|");
    assertEquals(found.map(text).sort(), expected.map(text).sort(), statement);
    rows += found.length;
  }
  assert(rows > 12, `${rows} rows`);

  for (const profile of ["ioquake3", "quake3"]) {
    // deno-lint-ignore no-await-in-loop -- one engine after the other
    await using other = await openLocal({ sources: [`${root.path}/g`], profile, game: "q3" });
    // deno-lint-ignore no-await-in-loop -- as above
    await runLine(`export ${root.path}/${profile}.parquet`, { connection: other });
  }
  const [disagreement = ""] = statementsOf("sql duckdb");
  const replaced = disagreement.replaceAll("'quakespasm.parquet'", `'${root.path}/ioquake3.parquet'`)
    .replaceAll("'darkplaces.parquet'", `'${root.path}/quake3.parquet'`);
  assert(replaced !== disagreement);
  const disagreeing = (await duck.runAndReadAll(replaced)).getRowsJson();
  assertEquals(disagreeing.filter(([view, path]) => view === "q3/baseq3" && path === "textures/a.tga"), [
    ["q3/baseq3", "textures/a.tga", `${root.path}/g/baseq3/zz.pk3dir`, `${root.path}/g/baseq3/pak0.pk3`],
  ]);
  duck.closeSync();
  instance.closeSync();
});
