// deno-lint-ignore-file no-await-in-loop -- one measurement after the other
/**
 * How long statements of SQL take over 4,000 packs with 254,000 files, and copies for other programs; next to the same
 * statements by DuckDB over `export`'s Parquet file, and by `sqlite3`, where it is installed, over a file that it
 * imported from `find`'s CSV.
 *
 * ```sh
 * deno run -A tools/bench/query_bench.ts [--rounds N] [--data DIR]
 * ```
 * @module
 */
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { openLocalGames } from "../../service/local.ts";
import { print } from "../../tests/support/harness.ts";
import { readCommandLine } from "../command_line.ts";
import { mapCollection, prepareCollection } from "./collection.ts";
import { median } from "./report.ts";

const statements: Readonly<Record<string, string>> = {
  "files of a path": "SELECT * FROM files WHERE path = 'maps/map0123.bsp'",
  "files of an extension": "SELECT count(*) FROM files WHERE extension = 'bsp'",
  "bytes by extension": "SELECT extension, count(*), sum(size) FROM files GROUP BY 1",
  "files by pack": "SELECT source, count(*) FROM files GROUP BY 1 ORDER BY 2 DESC LIMIT 10",
};

const { values: given } = readCommandLine(["rounds", "data"], []);
const rounds = Number(given.rounds ?? 5);
const data = given.data ?? join(Deno.env.get("HOME") ?? ".", ".cache", "pakfs-bench");
const source = await prepareCollection(data, mapCollection, print);
const times = new Map<string, number[]>();

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  times.set(name, [...times.get(name) ?? [], performance.now() - start]);
}

async function succeed(command: string, args: readonly string[], stdin?: string): Promise<void> {
  const child = new Deno.Command(command, { args: [...args], stdin: "piped", stdout: "null", stderr: "inherit" })
    .spawn();
  const writer = child.stdin.getWriter();
  if (stdin !== undefined) await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  if (!(await child.status).success) throw new Error(`${command} failed`);
}

const csv = join(data, "files.csv");
const parquet = join(data, "files.parquet");
const added = join(source, "baseq3", "zz-added.pk3");
const database = join(data, "files.sqlite");
const listed = join(data, "listed.csv");
/** Statements that make a table for the same statements of the rows of `find`. */
const tables =
  "CREATE TABLE files AS SELECT qpath AS path, replace(qpath, rtrim(qpath, replace(qpath, '.', '')), '') " +
  "AS extension, CAST(size AS INTEGER) AS size, source FROM listed;\n";
const launcher = new URL("../../pakfs", import.meta.url).pathname;
const hasPeer = await succeed("sqlite3", ["-version"]).then(() => true, () => false);

for (let round = 0; round < rounds; round++) {
  await using connection = await openLocalGames([{ sources: [source], profile: "ioquake3" }]);
  const ask = (statement: string) => connection.call("sql", { statement });
  await timed("first statement: members", () => ask("SELECT count(*) FROM members"));
  await timed("first statement: files", () => ask("SELECT count(*) FROM files"));
  for (const [name, statement] of Object.entries(statements)) await timed(`pakfs: ${name}`, () => ask(statement));
  await Deno.copyFile(join(source, "baseq3", "map0123.pk3"), added);
  await connection.call("refresh", {});
  await timed("first statement after a refresh that found a pack: files", () => ask("SELECT count(*) FROM files"));
  await Deno.remove(added);
  await connection.call("refresh", {});
  await timed("first statement: candidates", () => ask("SELECT count(*) FROM candidates"));
  await timed("export files.csv, index and all", () => succeed(launcher, ["export", csv, "--source", source, "-q"]));
  await timed(
    "export files.parquet, index and all",
    () => succeed(launcher, ["export", parquet, "--source", source, "-q"]),
  );
  const instance = await DuckDBInstance.create(":memory:");
  const duck = await instance.connect();
  await duck.run(`CREATE VIEW files AS SELECT * FROM '${parquet}'`);
  for (const [name, statement] of Object.entries(statements)) {
    await timed(`DuckDB: ${name}`, () => duck.runAndReadAll(statement));
  }
  instance.closeSync();
  if (!hasPeer) continue;
  await Deno.remove(database).catch(() => {});
  await timed("find --mode csv, index and all", async () => {
    const args = ["find", "*", "--mode", "csv", "--source", source, "-q"];
    const { stdout } = await new Deno.Command(launcher, { args, stderr: "inherit" }).output();
    await Deno.writeFile(listed, stdout);
  });
  const indexes = ["path", "extension", "source"].map((column) => `CREATE INDEX f_${column} ON files (${column});`);
  await timed(
    "sqlite3: .import of find's CSV, with indexes",
    () => succeed("sqlite3", [database], `.mode csv\n.import ${listed} listed\n${tables}${indexes.join("\n")}\n`),
  );
  for (const [name, statement] of Object.entries(statements)) {
    await timed(`sqlite3: ${name}`, () => succeed("sqlite3", [database, statement]));
  }
}

print(`254,000 files in 4,000 packs; medians of ${rounds}, load ${Deno.loadavg()[0]}:`);
for (const [name, values] of times) print(`  ${name.padEnd(46)} ${(median(values) ?? NaN).toFixed(0).padStart(7)} ms`);
