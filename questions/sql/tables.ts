/**
 * Fills the tables that SQL statements read, a group of them (`table_groups.ts`) when a statement first names one, and
 * follows the index to another one.
 *
 * All tables are temporary ones, which SQLite keeps in unnamed files beyond a limit of memory.
 * @module
 */
import { at } from "../../index/mod.ts";
import { type RowChanges, RowNumbers } from "./row_numbers.ts";
import { sqlTables } from "./schema.ts";
import type { Sqlite, SqliteStatement } from "./sqlite.ts";
import {
  type Filling,
  type Group,
  type GroupName,
  groupNames,
  groups,
  memberRows,
  pathColumns,
  pathRow,
  type Row,
  Strings,
  type TableSource,
  type Value,
} from "./table_groups.ts";
import { PathNumbers, viewFiles } from "./view_files.ts";

/** Rows per INSERT: with ten rows the calls take half of the time of single rows. */
const rowsPerInsert = 10;

/** Adds rows to a table. */
class Inserter {
  readonly #width: number;
  readonly #one: SqliteStatement;
  readonly #many: SqliteStatement;
  #values: Value[] = [];

  constructor(database: Sqlite, table: string, width: number) {
    const row = `(${Array(width).fill("?").join(",")})`;
    this.#width = width;
    this.#one = database.prepare(`INSERT INTO temp.${table} VALUES ${row}`);
    this.#many = database.prepare(`INSERT INTO temp.${table} VALUES ${Array(rowsPerInsert).fill(row).join(",")}`);
  }

  add(row: Row): void {
    this.#values.push(...row);
    if (this.#values.length < this.#width * rowsPerInsert) return;
    this.#many.run(...this.#values);
    this.#values = [];
  }

  /** Adds what is not in the table yet. */
  end(): void {
    for (let start = 0; start < this.#values.length; start += this.#width) {
      this.#one.run(...this.#values.slice(start, start + this.#width));
    }
    this.#values = [];
  }
}

/** The tables of one database. */
export class Tables {
  readonly #database: Sqlite;
  #source: TableSource;
  #numbers: RowNumbers;
  readonly #filled = new Set<GroupName>();
  #newPaths: Inserter | undefined;
  #paths = this.#noPaths();

  constructor(database: Sqlite, source: TableSource) {
    this.#database = database;
    this.#source = source;
    this.#numbers = RowNumbers.of(source.catalog);
  }

  /** Returns whether the tables of a group are filled. */
  has(group: GroupName): boolean {
    return this.#filled.has(group);
  }

  #noPaths(): PathNumbers {
    return new PathNumbers((number, path) => this.#newPaths?.add(pathRow(number, path)));
  }

  /**
   * Fills the tables of a group, and makes what statements name.
   * @throws what reading files of the index throws.
   */
  async add(name: GroupName): Promise<void> {
    if (this.#filled.has(name)) return;
    const { stored, views }: Group = groups[name];
    const filling = this.#filling();
    await this.#change(async () => {
      for (const [table, { columns }] of Object.entries(stored)) {
        this.#database.exec(`CREATE TEMP TABLE ${table} (${columns.join(", ")})`);
      }
      if (name === "members") this.#newPaths = new Inserter(this.#database, "path_rows", pathColumns.length);
      for (const [table, { columns, rows }] of Object.entries(stored)) {
        // deno-lint-ignore no-await-in-loop -- strings are known when the rows that number them are
        await this.#insert(new Inserter(this.#database, table, columns.length), rows(filling));
      }
      for (const [table, { indexes = [] }] of Object.entries(stored)) {
        for (const column of indexes) {
          this.#database.exec(`CREATE INDEX temp.${table}_${column} ON ${table} (${column})`);
        }
      }
      for (const [table, { columns, from }] of Object.entries(views)) {
        const names = sqlTables.find((known) => known.name === table)?.columns.map((column) => column.name) ?? [];
        this.#database.exec(
          `CREATE TEMP VIEW ${table} (${names.join(", ")}) AS SELECT ${columns.join(", ")} FROM ${from}`,
        );
      }
    });
    this.#filled.add(name);
  }

  #filling(): Filling {
    return { source: this.#source, numbers: this.#numbers, paths: this.#paths, sentences: new Strings() };
  }

  /** Drops the tables of a group; they are filled again when a statement names them. */
  drop(name: GroupName): void {
    if (!this.#filled.delete(name)) return;
    const { stored, views }: Group = groups[name];
    for (const table of Object.keys(views)) this.#database.exec(`DROP VIEW temp.${table}`);
    for (const table of Object.keys(stored)) this.#database.exec(`DROP TABLE temp.${table}`);
  }

  /**
   * Follows the index to another one: of members and files only the rows that differ change, and the other tables are
   * filled again when a statement names them.
   * @returns Whether it could; if not, these tables are of no use.
   */
  async follow(source: TableSource): Promise<boolean> {
    const changes = this.#numbers.changes(source.catalog);
    if (!changes) return false;
    const before = { source: this.#source, numbers: this.#numbers };
    this.#source = source;
    this.#numbers = changes.numbers;
    const isFilled = this.has("catalog");
    for (const name of groupNames) if (name !== "members" && name !== "files") this.drop(name);
    if (isFilled) await this.add("catalog");
    if (this.has("members") && changes.removed.length + changes.added.length > 0) await this.#followMembers(changes);
    if (this.has("files")) await this.#followFiles(before);
    return true;
  }

  async #followMembers({ removed, added }: RowChanges): Promise<void> {
    const filling = this.#filling();
    await this.#change(async () => {
      const remove = this.#database.prepare("DELETE FROM temp.member_rows WHERE source_id = ?");
      for (const number of removed) remove.run(number);
      const { columns } = groups.members.stored.member_rows;
      await this.#insert(new Inserter(this.#database, "member_rows", columns.length), memberRows(filling, added));
    });
  }

  async #followFiles(before: { readonly source: TableSource; readonly numbers: RowNumbers }): Promise<void> {
    const { catalog: { views, snapshot } } = this.#source;
    const now = new Map(views.map((view, index) => [this.#numbers.view(index), view]));
    const old = new Map(before.source.catalog.views.map((view, index) => [before.numbers.view(index), view]));
    await this.#change(() => {
      const removeAll = this.#database.prepare("DELETE FROM temp.file_rows WHERE view_id = ?");
      const remove = this.#database.prepare("DELETE FROM temp.file_rows WHERE path_id = ? AND +view_id = ?");
      const insert = this.#database.prepare("INSERT INTO temp.file_rows VALUES (?, ?, ?, ?)");
      for (const number of old.keys()) if (!now.has(number)) removeAll.run(number);
      for (const [number, view] of now) {
        const earlier = old.get(number);
        const known = new Map<number, number>();
        if (earlier) {
          for (const { path, entry } of viewFiles(earlier, this.#paths)) known.set(path, before.numbers.member(entry));
        }
        for (const { path, entry } of viewFiles(view, this.#paths)) {
          const member = this.#numbers.member(entry);
          const was = known.get(path);
          known.delete(path);
          if (was === member) continue;
          if (was !== undefined) remove.run(path, number);
          insert.run(number, path, member, this.#numbers.source(at(snapshot.columns.entrySources, entry)));
        }
        for (const path of known.keys()) remove.run(path, number);
      }
    });
  }

  /** Changes tables by `work`; drops all if it fails, as paths are shared. */
  async #change(work: () => void | Promise<void>): Promise<void> {
    this.#database.exec("BEGIN");
    try {
      await work();
      this.#newPaths?.end();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      for (const name of this.#filled) this.drop(name);
      this.#newPaths = undefined;
      this.#paths = this.#noPaths();
      throw error;
    }
  }

  async #insert(inserter: Inserter, rows: Iterable<Row> | AsyncIterable<Row>): Promise<void> {
    if (Symbol.iterator in rows) { for (const row of rows) inserter.add(row); }
    else for await (const row of rows) inserter.add(row);
    inserter.end();
  }
}
