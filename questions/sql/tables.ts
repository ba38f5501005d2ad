/**
 * Fills the tables that SQL statements read, a group of them when a statement first names one. Strings that many rows share stand once, in tables of their own; what statements name are views
 * over the stored tables, whose columns `schema.ts` declares. A file of a view then takes 20 bytes instead of 200.
 * @module
 */
import { at, isDirectorySource, none } from "../../index/mod.ts";
import { convertersOf } from "../../media/mod.ts";
import { candidateRow, type Catalog, entryDamage, judgedCandidates, type View } from "../../views/mod.ts";
import { filesAfter } from "../find.ts";
import { crcHex } from "../content_steps.ts";
import type { Reading, ViewReferences } from "../reference_rows.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import { fileCount } from "../source_counts.ts";
import { sqlTables } from "./schema.ts";
import type { Sqlite } from "./sqlite.ts";

type Value = string | number | null;
type Row = readonly Value[];

/** Everything that tables are filled from. */
export interface TableSource extends Reading {
  readonly catalog: Catalog;
  /** Returns the shaders of a view. */
  shaders(view: View): Promise<ShaderIndex>;
  /** Returns what the files of a view refer to. */
  references(view: View): Promise<ViewReferences>;
  /** Returns the hashes that are known. */
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

/** Shared strings of one group. */
interface Shared {
  readonly paths: Strings;
  readonly sentences: Strings;
}

/** A table as it is stored. */
interface StoredTable {
  /** Its columns, as in CREATE TABLE. */
  readonly columns: readonly string[];
  /** Columns with an index. */
  readonly indexes?: readonly string[];
  rows(source: TableSource, shared: Shared): Iterable<Row> | AsyncIterable<Row>;
}

/** The SELECT that answers a table of the schema. */
interface TableView {
  /** Expressions of the columns, in the order of the schema. */
  readonly columns: readonly string[];
  readonly from: string;
}

/** Tables that are made together. */
interface Group {
  /** Groups that its views read too. */
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

const sharedPaths: StoredTable = {
  columns: pathColumns,
  indexes: pathIndexes,
  *rows(_source, { paths }) {
    for (const [number, path] of paths.rows()) yield pathRow(number, path);
  },
};

const sharedSentences: StoredTable = {
  columns: ["id INTEGER PRIMARY KEY", "sentence TEXT"],
  rows: (_source, { sentences }) => sentences.rows(),
};

/** Yields the files of all views with their paths, and the number of the view. */
function* filesOfViews({ views }: Catalog): Generator<{ number: number; view: View; path: string; entry: number }> {
  for (const [index, view] of views.entries()) {
    const { tree } = view;
    let directory: number = none;
    let prefix = "";
    for (const node of filesAfter(tree, 0)) {
      if (node === none) continue;
      const parent = at(tree.parents, node);
      if (parent !== directory) {
        directory = parent;
        prefix = parent === 0 ? "" : `${tree.pathOf(parent)}/`;
      }
      yield { number: index + 1, view, path: prefix + tree.nameOf(node), entry: at(tree.entries, node) };
    }
  }
}

/** Yields the rows of the members. */
function* memberRows({ catalog }: TableSource): Generator<Row> {
  const { snapshot, views } = catalog;
  const { columns } = snapshot;
  for (const source of snapshot.sources) {
    const isLoose = isDirectorySource(source);
    const view = views.find(({ game }) => game.id === source.game);
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      if (snapshot.isDirectory(entry)) continue;
      const size = at(columns.entrySizes, entry);
      const crc = snapshot.crcOf(entry);
      yield [
        entry,
        source.id + 1,
        at(columns.entryNodes, entry),
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

/** Yields the paths of the members, by the numbers of their nodes. */
function* memberPaths({ catalog: { snapshot } }: TableSource): Generator<Row> {
  const { entryNodes, nodeParents } = snapshot.columns;
  const isMember = new Uint8Array(snapshot.nodeCount);
  for (let entry = 0; entry < snapshot.entryCount; entry++) {
    if (!snapshot.isDirectory(entry)) isMember[at(entryNodes, entry)] = 1;
  }
  const directories = new Map<number, string>();
  for (let node = 0; node < isMember.length; node++) {
    if (isMember[node] === 0) continue;
    const parent = at(nodeParents, node);
    const known = directories.get(parent);
    const directory = known ?? (parent === 0 ? "" : `${snapshot.pathOf(parent)}/`);
    if (known === undefined) directories.set(parent, directory);
    yield pathRow(node, directory + snapshot.nameOf(node));
  }
}

function* candidateRows({ catalog }: TableSource, { paths, sentences }: Shared): Generator<Row> {
  for (const { number, view, path } of filesOfViews(catalog)) {
    const judged = judgedCandidates(view, path);
    for (const [index, candidate] of judged.entries()) {
      const { usable, reason, decidedBy, because } = candidateRow(view, candidate, judged[0], index + 1);
      const sentence = because ?? reason;
      yield [
        number,
        paths.number(path),
        index + 1,
        candidate.entry,
        candidate.source.id + 1,
        Number(usable),
        decidedBy === null ? null : sentences.number(decidedBy),
        sentence === null ? null : sentences.number(sentence),
      ];
    }
  }
}

async function* shaderRows(source: TableSource): AsyncGenerator<Row> {
  for (const [index, view] of source.catalog.views.entries()) {
    // deno-lint-ignore no-await-in-loop -- views are read one after the other
    const shaders = await source.shaders(view);
    for (const { name, type } of shaders.rows()) {
      for (const row of shaders.definitions(name)) {
        if (row.type !== type) continue;
        yield [index + 1, name, type, row.rank, row.qpath, row.line, row.source, row.because ?? row.reason];
      }
    }
  }
}

async function* referenceRows(source: TableSource): AsyncGenerator<Row> {
  for (const [index, view] of source.catalog.views.entries()) {
    // deno-lint-ignore no-await-in-loop -- views are read one after the other, and so are their files
    const references = await source.references(view);
    for (let number = 0; number < references.referrerCount; number++) {
      // deno-lint-ignore no-await-in-loop -- as above
      const { qpath, name: referrer, references: found, problem } = await references.followed(number, source);
      for (const { kind, name, why, optional, answer } of found) {
        yield [index + 1, qpath, referrer, kind, name, why, Number(optional), answer, null];
      }
      if (problem !== null) yield [index + 1, qpath, referrer, null, null, null, null, null, problem];
    }
  }
}

function* conversionRows({ catalog }: TableSource, { paths }: Shared): Generator<Row> {
  for (const { number, path } of filesOfViews(catalog)) {
    const targets = new Set(convertersOf(path).map(({ to }) => to));
    for (const target of targets) yield [number, paths.number(path), target];
  }
}

const ofPath = ["p.path", "p.directory", "p.name", "p.extension"];
const member = "coalesce(m.member, mp.path)";
const ofMember = ["m.size", "m.compressed_size", "m.method", "m.crc32", "m.modified", "m.damaged"];
const memberJoins = "JOIN member_rows m ON m.id = r.member_id JOIN member_paths mp ON mp.id = m.path_id " +
  "JOIN source_rows s ON s.id = r.source_id";
const viewJoin = "JOIN view_rows v ON v.id = r.view_id";

/** Every group by its name. */
const groups = {
  catalog: {
    needs: [],
    stored: {
      game_rows: {
        columns: ["game TEXT", "profile TEXT", "because TEXT", "base TEXT", "directories TEXT"],
        *rows({ catalog: { games } }) {
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
        *rows({ catalog: { views } }) {
          for (const [index, { name, game, isBase, gameDirectories }] of views.entries()) {
            yield [index + 1, name, game.name, game.profile.name, Number(isBase), JSON.stringify(gameDirectories)];
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
        *rows({ catalog: { snapshot, games } }) {
          for (const source of snapshot.sources) {
            yield [
              source.id + 1,
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
      member_paths: { columns: pathColumns, indexes: pathIndexes, rows: memberPaths },
    },
    views: {
      members: {
        columns: ["m.id", "s.source", ...ofPath, "coalesce(m.member, p.path)", ...ofMember, "m.offset"],
        from: "member_rows m JOIN member_paths p ON p.id = m.path_id " +
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
        *rows({ catalog }, { paths }) {
          for (const { number, path, entry } of filesOfViews(catalog)) {
            yield [number, paths.number(path), entry, at(catalog.snapshot.columns.entrySources, entry) + 1];
          }
        },
      },
      file_paths: sharedPaths,
    },
    views: {
      files: {
        columns: ["v.view", ...ofPath, "s.source", member, ...ofMember, "r.member_id"],
        from: `file_rows r JOIN file_paths p ON p.id = r.path_id ${viewJoin} ${memberJoins}`,
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
      candidate_paths: sharedPaths,
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
        from: "candidate_rows r JOIN candidate_paths p ON p.id = r.path_id " +
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
        indexes: ["sha256"],
        *rows(source) {
          for (const { entry, sha256, crc32 } of source.hashes()) yield [entry, sha256.toHex(), crcHex(crc32)];
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
        from: "hash_rows r JOIN member_rows m ON m.id = r.member_id JOIN member_paths p ON p.id = m.path_id " +
          "JOIN source_rows s ON s.id = m.source_id",
      },
    },
  },
  conversions: {
    needs: ["catalog"],
    stored: {
      conversion_rows: {
        columns: ["view_id INTEGER", "path_id INTEGER", "target TEXT"],
        indexes: ["path_id"],
        rows: conversionRows,
      },
      conversion_paths: sharedPaths,
    },
    views: {
      conversions: {
        columns: ["v.view", "p.path", "r.target"],
        from: "conversion_rows r JOIN conversion_paths p ON p.id = r.path_id " + viewJoin,
      },
    },
  },
} satisfies Readonly<Record<string, Group>>;

/** Name of a group of tables. */
export type GroupName = keyof typeof groups;

const groupNames = Object.keys(groups) as GroupName[];

/** Returns the group of a table, after those that it needs; none if there is no such table. */
export function groupsOf(table: string): readonly GroupName[] {
  const name = groupNames.find((group) => Object.hasOwn(groups[group].views, table));
  if (name === undefined) return [];
  const needs: readonly string[] = groups[name].needs;
  return groupNames.filter((group) => group === name || needs.includes(group));
}

/** Rows of one INSERT: with ten of them the calls take half of the time that single rows take. */
const rowsPerInsert = 10;

/**
 * Fills the tables of a group, and makes what statements name.
 * @throws what reading files of the index throws.
 */
export async function addGroup(database: Sqlite, name: GroupName, source: TableSource): Promise<void> {
  const shared: Shared = { paths: new Strings(), sentences: new Strings() };
  const { stored, views }: Group = groups[name];
  database.exec("BEGIN");
  try {
    for (const [table, { columns, rows }] of Object.entries(stored)) {
      database.exec(`CREATE TABLE ${table} (${columns.join(", ")})`);
      // deno-lint-ignore no-await-in-loop -- strings are known when the rows that number them are
      await insertRows(database, table, columns.length, rows(source, shared));
    }
    for (const [table, { indexes = [] }] of Object.entries(stored)) {
      for (const column of indexes) database.exec(`CREATE INDEX ${table}_${column} ON ${table} (${column})`);
    }
    for (const [table, { columns, from }] of Object.entries(views)) {
      const names = sqlTables.find((known) => known.name === table)?.columns.map((column) => column.name) ?? [];
      database.exec(`CREATE VIEW ${table} (${names.join(", ")}) AS SELECT ${columns.join(", ")} FROM ${from}`);
    }
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Drops the tables of a group. */
export function dropGroup(database: Sqlite, name: GroupName): void {
  const { stored, views }: Group = groups[name];
  for (const table of Object.keys(views)) database.exec(`DROP VIEW ${table}`);
  for (const table of Object.keys(stored)) database.exec(`DROP TABLE ${table}`);
}

async function insertRows(
  database: Sqlite,
  table: string,
  width: number,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<void> {
  const row = `(${Array(width).fill("?").join(",")})`;
  const one = database.prepare(`INSERT INTO ${table} VALUES ${row}`);
  const many = database.prepare(`INSERT INTO ${table} VALUES ${Array(rowsPerInsert).fill(row).join(",")}`);
  let values: Value[] = [];
  const add = (added: Row) => {
    values.push(...added);
    if (values.length < width * rowsPerInsert) return;
    many.run(...values);
    values = [];
  };
  if (Symbol.iterator in rows) { for (const added of rows) add(added); }
  else for await (const added of rows) add(added);
  for (let start = 0; start < values.length; start += width) one.run(...values.slice(start, start + width));
}
