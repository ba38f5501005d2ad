/**
 * Random statements of SQL, valid, invalid and hostile.
 * @module
 */
import { sqlTables } from "../../../questions/sql/schema.ts";
import type { Random } from "../../support/chance.ts";

const tables = [...sqlTables.map(({ name }) => name), "file_rows", "result", "sqlite_temp_schema", "nowhere"];

const values = ["*", "path", "size", "source", "view", "count(*)", "max(size)", "random()", "printf('%s', path)"];

/** Values that are large, invalid, or of functions that do more than compute. */
const hostileValues = [
  "group_concat(path)",
  "printf('%.*c', 900000, 'x')",
  "zeroblob(2000000000)",
  "randomblob(900000)",
  "hex(zeroblob(500000))",
  "json_extract(path, '$')",
  "abs(-9223372036854775808)",
  "load_extension('x')",
  "readfile('/etc/passwd')",
  "writefile('written', 'x')",
  "edit('x')",
  "fts3_tokenizer('x')",
  "sqlite_offset(path)",
];

const hostile = [
  "ATTACH 'written.db' AS other",
  "VACUUM INTO 'written.db'",
  "CREATE VIRTUAL TABLE t USING fts5(x)",
  "CREATE TEMP TRIGGER t AFTER INSERT ON file_rows BEGIN SELECT 1; END",
  "DELETE FROM temp.result",
  "DROP VIEW temp.files",
  "UPDATE temp.file_rows SET path_id = 1",
  "EXPLAIN DELETE FROM file_rows",
  "SELECT 1; DROP VIEW files",
  "PRAGMA writable_schema = 1",
  "PRAGMA hard_heap_limit = 0",
  "PRAGMA temp.max_page_count = 99",
  "PRAGMA mmap_size = 99999999999",
  "PRAGMA threads = 100",
  "SELECT * FROM pragma_database_list",
  "SELECT * FROM dbstat",
  `SELECT ${"(".repeat(2000)}1${")".repeat(2000)}`,
  `SELECT ${Array(5000).fill("1").join("+")}`,
  `SELECT ${Array(3000).fill("1").join(",")}`,
  `${"SELECT 1 UNION ALL ".repeat(1000)}SELECT 1`,
  `SELECT * FROM ${Array(80).fill("members").join(",")}`,
];

/** Pieces that fit together often enough, and some that never do. */
const pieces = [
  ...["SELECT", "FROM", "WHERE", "ORDER BY", "GROUP BY", "LIMIT", "JOIN", "UNION ALL", "VALUES", "EXPLAIN", "PRAGMA"],
  ...["DELETE", "DROP", "ATTACH", "INSERT INTO", "CREATE TEMP TABLE", "BEGIN", "table_info", "=", "LIKE"],
  ...[",", "(", ")", "'", '"', "--", "/*", "*/", ";", "`", "\0", "\u{1F600}", "?1", "$a", "x'"],
  ...["1", "-1", "9e999", "NULL", "'a'", ...values, ...tables],
];

const ends = ["", "LIMIT 5", "ORDER BY 1", "GROUP BY 1", "WHERE size > 9", "WHERE path LIKE 'g%'"];

const one = (random: Random, list: readonly string[]): string => list[random(list.length)] ?? "";

/** Returns a statement that ends. */
export function randomStatement(random: Random): string {
  if (random(9) === 0) return one(random, hostile);
  const table = one(random, tables);
  if (random(9) === 0) return `SELECT ${one(random, hostileValues)} FROM ${table} LIMIT 3`;
  const select = `SELECT ${one(random, values)} FROM ${table}`;
  if (random(3) === 0) return `${select} ${one(random, ends)}`;
  const words = Array.from({ length: random(8) }, () => one(random, pieces));
  return [...random(3) > 0 ? [select] : [], ...words].join(" ");
}

/** Statements without an end. */
export const endlessStatements: readonly string[] = [
  "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t",
  "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x, randomblob(60000) FROM t",
  "WITH RECURSIVE t(x) AS (SELECT randomblob(1000) UNION ALL SELECT randomblob(1000) FROM t ORDER BY 1) " +
  "SELECT count(*) FROM t",
];
