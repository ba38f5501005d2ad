/**
 * Groups of tables that SQL statements read: their stored columns, their rows, and the views that statements name, whose
 * columns `schema.ts` declares. Strings that many rows share are stored once, in separate tables: a file of a view then
 * takes 20 bytes instead of 200.
 * @module
 */
import { at, isDirectorySource, type Source } from "../../index/mod.ts";
import { convertersOf } from "../../media/mod.ts";
import { candidateRow, type Catalog, entryDamage, judgedCandidates, type View } from "../../views/mod.ts";
import { crcHex } from "../content_steps.ts";
import type { Reading, ViewReferences } from "../reference_rows.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import { fileCount } from "../source_counts.ts";
import type { RowNumbers } from "./row_numbers.ts";
import { type PathNumbers, type ViewFile, viewFiles } from "./view_files.ts";

/** Value of a column. */
export type Value = string | number | null;
/** Values of a row. */
export type Row = readonly Value[];

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
export class Strings {
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
export interface Filling {
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
export interface Group {
  /** Groups that its views also read. */
  readonly needs: readonly string[];
  readonly stored: Readonly<Record<string, StoredTable>>;
  readonly views: Readonly<Record<string, TableView>>;
}

/** Columns of the paths that members and files share. */
export const pathColumns = ["id INTEGER PRIMARY KEY", "path TEXT", "directory TEXT", "name TEXT", "extension TEXT"];
const pathIndexes = ["path", "name", "extension"];

/** Returns the row of a path. */
export function pathRow(number: number, path: string): Row {
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
export function* memberRows(
  { source: { catalog }, numbers, paths }: Filling,
  sources: readonly Source[] = catalog.snapshot.sources,
): Generator<Row> {
  const { snapshot, views } = catalog;
  const { columns } = snapshot;
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
        paths.number(node, () => snapshot.pathOf(node)),
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
export const groups = {
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
        indexes: ["source_id", "path_id", "crc32"],
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

/** Names of all groups, each after those that it needs. */
export const groupNames = Object.keys(groups) as GroupName[];

/** Returns the group of a table, after the groups that it needs; none for an unknown table. */
export function groupsOf(table: string): readonly GroupName[] {
  const name = groupNames.find((group) => Object.hasOwn(groups[group].views, table));
  if (name === undefined) return [];
  const needs: readonly string[] = groups[name].needs;
  return groupNames.filter((group) => group === name || needs.includes(group));
}
