/**
 * Fills the tables that SQL statements read, a group of them when a statement first names one. Strings that many rows
 * share stand once, in tables of their own; what statements name are views over the stored tables, whose columns
 * `schema.ts` declares. A file of a view then takes 20 bytes instead of 200.
 *
 * All tables are temporary ones, which SQLite keeps in unnamed files beyond a limit of memory.
 * @module
 */
import { at, isDirectorySource, type Source } from "../../index/mod.ts";
import { convertersOf } from "../../media/mod.ts";
import { candidateRow, type Catalog, entryDamage, judgedCandidates, type View } from "../../views/mod.ts";
import { crcHex } from "../content_steps.ts";
import type { Reading, ViewReferences } from "../reference_rows.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import { fileCount } from "../source_counts.ts";
import { type RowChanges, RowNumbers } from "./row_numbers.ts";
import { sqlTables } from "./schema.ts";
import type { Sqlite, SqliteStatement } from "./sqlite.ts";
import { PathNumbers, type ViewFile, viewFiles } from "./view_files.ts";

type Value = string | number | null;
type Row = readonly Value[];

/** Data from which tables are filled. */
export interface TableSource extends Reading {
  readonly catalog: Catalog;
  /** Returns the shaders of a view. */
  shaders(view: View): Promise<ShaderIndex>;
  /** Returns the references of the files of a view. */
  references(view: View): Promise<ViewReferences>;
  /** Returns the known hashes. */
  hashes(): Iterable<KnownHash>;
}

/** The hashes of an entry. */
export interface KnownHash {
  readonly entry: number;
  readonly sha256: Uint8Array;
  readonly crc32: number;
}

/** Strings that the rows of a group share, by number. */
class Strings {
  readonly #numbers = new Map<string, number>();

  /** Returns the number of a string, from 1. */
  number(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(value, number);
    return number;
  }

  *rows(): Generator<readonly [number, string]> {
    for (const [value, number] of this.#numbers) yield [number, value];
  }
}

/** Sources of the rows of a group. */
interface Filling {
  readonly source: TableSource;
  readonly numbers: RowNumbers;
  readonly paths: PathNumbers;
  /** Strings that the rows of the group share. */
  readonly sentences: Strings;
}

/** A stored table. */
interface StoredTable {
  /** Columns, as in CREATE TABLE. */
  readonly columns: readonly string[];
  /** Columns with an index. */
  readonly indexes?: readonly string[];
  rows(filling: Filling): Iterable<Row> | AsyncIterable<Row>;
}

/** The SELECT for a table of the schema. */
interface TableView {
  /** Expressions of the columns, in schema order. */
  readonly columns: readonly string[];
  readonly from: string;
}

/** Tables that are created together. */
interface Group {
  /** Groups that its views also read. */
  readonly needs: readonly string[];
  readonly stored: Readonly<Record<string, StoredTable>>;
  readonly views: Readonly<Record<string, TableView>>;
}

const pathColumns = ["id INTEGER PRIMARY KEY", "path TEXT", "directory TEXT", "name TEXT", "extension TEXT"];
const pathIndexes = ["path", "name", "extension"];

function pathRow(number: number, path: string): Row {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf(".");
  return [number, path, path.slice(0, Math.max(0, slash)), name, dot < 0 ? "" : name.slice(dot + 1).toLowerCase()];
}

const sharedSentences: StoredTable = {
  columns: ["id INTEGER PRIMARY KEY", "sentence TEXT"],
  rows: ({ sentences }) => sentences.rows(),
};

/** Yields the files of all views, and the number of the view. */
function* filesOfViews({ source, numbers, paths }: Filling): Generator<{ number: number; view: View; file: ViewFile }> {
  for (const [index, view] of source.catalog.views.entries()) {
    for (const file of viewFiles(view, paths)) yield { number: numbers.view(index), view, file };
  }
}

/** Yields the rows of the members of some sources. */
function* memberRows(
  { source: { catalog }, numbers, paths }: Filling,
  sources: readonly Source[] = catalog.snapshot.sources,
): Generator<Row> {
  const { snapshot, views } = catalog;
  const { columns } = snapshot;
  const pathOf = pathReader(catalog);
  for (const source of sources) {
    const isLoose = isDirectorySource(source);
    const view = views.find(({ game }) => game.id === source.game);
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      if (snapshot.isDirectory(entry)) continue;
      const size = at(columns.entrySizes, entry);
      const crc = snapshot.crcOf(entry);
      const node = at(columns.entryNodes, entry);
      yield [
        numbers.member(entry),
        numbers.source(source.id),
        paths.number(node, () => pathOf(node)),
        snapshot.rawNameOf(entry) ? snapshot.memberOf(entry) : null,
        size,
        isLoose ? size : at(columns.entryCompressedSizes, entry),
        snapshot.methodOf(entry),
        crc === null ? null : crcHex(crc),
        at(columns.entryTimes, entry),
        view && at(columns.entryDamage, entry) !== 0 ? entryDamage(view, entry) : null,
        snapshot.locationOf(entry).offset,
      ];
    }
  }
}

/** Returns a function that returns the path of a node; directories are kept. */
function pathReader({ snapshot }: Catalog): (node: number) => string {
  const { nodeParents } = snapshot.columns;
  let last = -1;
  let prefix = "";
  return (node) => {
    const parent = at(nodeParents, node);
    if (parent !== last) {
      last = parent;
      prefix = parent === 0 ? "" : `${snapshot.pathOf(parent)}/`;
    }
    return prefix + snapshot.nameOf(node);
  };
}

function* candidateRows(filling: Filling): Generator<Row> {
  const { numbers, sentences } = filling;
  for (const { number, view, file } of filesOfViews(filling)) {
    const judged = judgedCandidates(view, file.text());
    for (const [index, candidate] of judged.entries()) {
      const { usable, reason, decidedBy, because } = candidateRow(view, candidate, judged[0], index + 1);
      const sentence = because ?? reason;
      yield [
        number,
        file.path,
        index + 1,
        numbers.member(candidate.entry),
        numbers.source(candidate.source.id),
        Number(usable),
        decidedBy === null ? null : sentences.number(decidedBy),
        sentence === null ? null : sentences.number(sentence),
      ];
    }
  }
}

async function* shaderRows({ source, numbers }: Filling): AsyncGenerator<Row> {
  for (const [index, view] of source.catalog.views.entries()) {
    // deno-lint-ignore no-await-in-loop -- views are read one after the other
    const shaders = await source.shaders(view);
    for (const { name, type } of shaders.rows()) {
      for (const row of shaders.definitions(name)) {
        if (row.type !== type) continue;
        yield [numbers.view(index), name, type, row.rank, row.qpath, row.line, row.source, row.because ?? row.reason];
      }
    }
  }
}

async function* referenceRows({ source, numbers }: Filling): AsyncGenerator<Row> {
  for (const [index, view] of source.catalog.views.entries()) {
    // deno-lint-ignore no-await-in-loop -- views are read one after the other, and so are their files
    const references = await source.references(view);
    const ofView = numbers.view(index);
    for (let number = 0; number < references.referrerCount; number++) {
      // deno-lint-ignore no-await-in-loop -- as above
      const { qpath, name: referrer, references: found, problem } = await references.followed(number, source);
      for (const { kind, name, why, optional, answer } of found) {
        yield [ofView, qpath, referrer, kind, name, why, Number(optional), answer, null];
      }
      if (problem !== null) yield [ofView, qpath, referrer, null, null, null, null, null, problem];
    }
  }
}

function* conversionRows(filling: Filling): Generator<Row> {
  for (const { number, file } of filesOfViews(filling)) {
    const targets = new Set(convertersOf(file.text()).map(({ to }) => to));
    for (const target of targets) yield [number, file.path, target];
  }
}

const ofPath = ["p.path", "p.directory", "p.name", "p.extension"];
const member = "coalesce(m.member, mp.path)";
const ofMember = ["m.size", "m.compressed_size", "m.method", "m.crc32", "m.modified", "m.damaged"];
const memberJoins = "JOIN member_rows m ON m.id = r.member_id JOIN path_rows mp ON mp.id = m.path_id " +
  "JOIN source_rows s ON s.id = r.source_id";
const viewJoin = "JOIN view_rows v ON v.id = r.view_id";

/** Every group by name. */
const groups = {
  catalog: {
    needs: [],
    stored: {
      game_rows: {
        columns: ["game TEXT", "profile TEXT", "because TEXT", "base TEXT", "directories TEXT"],
        *rows({ source: { catalog: { games } } }) {
          for (const { name, profile, because, base, roots } of games) {
            yield [name, profile.name, because, base, JSON.stringify(roots)];
          }
        },
      },
      view_rows: {
        columns: [
          "id INTEGER PRIMARY KEY",
          "view TEXT",
          "game TEXT",
          "profile TEXT",
          "base INTEGER",
          "game_directories TEXT",
        ],
        indexes: ["view"],
        *rows({ source: { catalog: { views } }, numbers }) {
          for (const [index, { name, game, isBase, gameDirectories }] of views.entries()) {
            yield [
              numbers.view(index),
              name,
              game.name,
              game.profile.name,
              Number(isBase),
              JSON.stringify(gameDirectories),
            ];
          }
        },
      },
      source_rows: {
        columns: [
          "id INTEGER PRIMARY KEY",
          "source TEXT",
          "game TEXT",
          "game_directory TEXT",
          "name TEXT",
          "kind TEXT",
          "format TEXT",
          "size INTEGER",
          "modified INTEGER",
          "members INTEGER",
          "ignored TEXT",
          "failure TEXT",
        ],
        indexes: ["source"],
        *rows({ source: { catalog: { snapshot, games } }, numbers }) {
          for (const source of snapshot.sources) {
            yield [
              numbers.source(source.id),
              source.path,
              games[source.game]?.name ?? null,
              source.gameDirectory,
              source.name,
              source.kind,
              source.format,
              source.identity.size,
              source.identity.mtime,
              fileCount(snapshot, source),
              source.ignored,
              source.failure,
            ];
          }
        },
      },
    },
    views: {
      games: {
        columns: ["game", "profile", "because", "base", "directories"],
        from: "game_rows",
      },
      views: {
        columns: ["view", "game", "profile", "base", "game_directories"],
        from: "view_rows",
      },
      sources: {
        columns: [
          "source",
          "game",
          "game_directory",
          "name",
          "kind",
          "format",
          "size",
          "modified",
          "members",
          "ignored",
          "failure",
        ],
        from: "source_rows",
      },
    },
  },
  members: {
    needs: ["catalog"],
    stored: {
      member_rows: {
        columns: [
          "id INTEGER PRIMARY KEY",
          "source_id INTEGER",
          "path_id INTEGER",
          "member TEXT",
          "size INTEGER",
          "compressed_size INTEGER",
          "method TEXT",
          "crc32 TEXT",
          "modified INTEGER",
          "damaged TEXT",
          "offset INTEGER",
        ],
        indexes: ["source_id", "path_id"],
        rows: memberRows,
      },
      // Filled with the rows that have these paths.
      path_rows: { columns: pathColumns, indexes: pathIndexes, rows: () => [] },
    },
    views: {
      members: {
        columns: ["m.id", "s.source", ...ofPath, "coalesce(m.member, p.path)", ...ofMember, "m.offset"],
        from: "member_rows m JOIN path_rows p ON p.id = m.path_id " +
          "JOIN source_rows s ON s.id = m.source_id",
      },
    },
  },
  files: {
    needs: ["catalog", "members"],
    stored: {
      file_rows: {
        columns: ["view_id INTEGER", "path_id INTEGER", "member_id INTEGER", "source_id INTEGER"],
        indexes: ["path_id", "member_id", "source_id", "view_id"],
        *rows(filling) {
          const { numbers, source: { catalog: { snapshot } } } = filling;
          for (const { number, file: { path, entry } } of filesOfViews(filling)) {
            yield [number, path, numbers.member(entry), numbers.source(at(snapshot.columns.entrySources, entry))];
          }
        },
      },
    },
    views: {
      files: {
        columns: ["v.view", ...ofPath, "s.source", member, ...ofMember, "r.member_id"],
        from: `file_rows r JOIN path_rows p ON p.id = r.path_id ${viewJoin} ${memberJoins}`,
      },
    },
  },
  candidates: {
    needs: ["catalog", "members"],
    stored: {
      candidate_rows: {
        columns: [
          "view_id INTEGER",
          "path_id INTEGER",
          "rank INTEGER",
          "member_id INTEGER",
          "source_id INTEGER",
          "usable INTEGER",
          "rule_id INTEGER",
          "because_id INTEGER",
        ],
        indexes: ["path_id", "member_id", "source_id"],
        rows: candidateRows,
      },
      candidate_sentences: sharedSentences,
    },
    views: {
      candidates: {
        columns: [
          "v.view",
          "p.path",
          "r.rank",
          "s.source",
          member,
          "m.size",
          "r.usable",
          "rule.sentence",
          "because.sentence",
          "r.member_id",
        ],
        from: "candidate_rows r JOIN path_rows p ON p.id = r.path_id " +
          `${viewJoin} ${memberJoins} LEFT JOIN candidate_sentences rule ON rule.id = r.rule_id ` +
          "LEFT JOIN candidate_sentences because ON because.id = r.because_id",
      },
    },
  },
  shaders: {
    needs: ["catalog"],
    stored: {
      shader_rows: {
        columns: [
          "view_id INTEGER",
          "name TEXT",
          "type TEXT",
          "rank INTEGER",
          "path TEXT",
          "line INTEGER",
          "source TEXT",
          "because TEXT",
        ],
        indexes: ["name"],
        rows: shaderRows,
      },
    },
    views: {
      shaders: {
        columns: ["v.view", "r.name", "r.type", "r.rank", "r.path", "r.line", "r.source", "r.because"],
        from: `shader_rows r ${viewJoin}`,
      },
    },
  },
  refs: {
    needs: ["catalog"],
    stored: {
      reference_rows: {
        columns: [
          "view_id INTEGER",
          "path TEXT",
          "referrer TEXT",
          "kind TEXT",
          "name TEXT",
          "why TEXT",
          "optional INTEGER",
          "answer TEXT",
          "problem TEXT",
        ],
        indexes: ["path", "name", "answer"],
        rows: referenceRows,
      },
    },
    views: {
      refs: {
        columns: ["v.view", "r.path", "r.referrer", "r.kind", "r.name", "r.why", "r.optional", "r.answer", "r.problem"],
        from: `reference_rows r ${viewJoin}`,
      },
    },
  },
  hashes: {
    needs: ["catalog", "members"],
    stored: {
      hash_rows: {
        columns: ["member_id INTEGER PRIMARY KEY", "sha256 TEXT", "crc32 TEXT"],
        indexes: ["sha256", "crc32"],
        *rows({ source, numbers }) {
          for (const { entry, sha256, crc32 } of source.hashes()) {
            yield [numbers.member(entry), sha256.toHex(), crcHex(crc32)];
          }
        },
      },
    },
    views: {
      hashes: {
        columns: [
          "s.source",
          "p.path",
          "coalesce(m.member, p.path)",
          "m.size",
          "r.sha256",
          "r.crc32",
          "r.member_id",
        ],
        from: "hash_rows r JOIN member_rows m ON m.id = r.member_id JOIN path_rows p ON p.id = m.path_id " +
          "JOIN source_rows s ON s.id = m.source_id",
      },
    },
  },
  conversions: {
    needs: ["catalog", "members"],
    stored: {
      conversion_rows: {
        columns: ["view_id INTEGER", "path_id INTEGER", "target TEXT"],
        indexes: ["path_id"],
        rows: conversionRows,
      },
    },
    views: {
      conversions: {
        columns: ["v.view", "p.path", "r.target"],
        from: "conversion_rows r JOIN path_rows p ON p.id = r.path_id " + viewJoin,
      },
    },
  },
} satisfies Readonly<Record<string, Group>>;

/** Name of a group of tables. */
export type GroupName = keyof typeof groups;

const groupNames = Object.keys(groups) as GroupName[];

/** Returns the group of a table, after the groups that it needs; none for an unknown table. */
export function groupsOf(table: string): readonly GroupName[] {
  const name = groupNames.find((group) => Object.hasOwn(groups[group].views, table));
  if (name === undefined) return [];
  const needs: readonly string[] = groups[name].needs;
  return groupNames.filter((group) => group === name || needs.includes(group));
}

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
