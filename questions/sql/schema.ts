/**
 * Tables of the index for SQL, with the meaning of each column: for the database, help and completion, exports, and
 * `docs/queries.md`.
 * @module
 */

/** Type of a column. */
export type ColumnType = "TEXT" | "INTEGER";

/** A column. */
export interface SqlColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Meaning, as a phrase. */
  readonly meaning: string;
}

/** A table. */
export interface SqlTable {
  readonly name: string;
  /** Meaning of a row, as a phrase. */
  readonly meaning: string;
  readonly columns: readonly SqlColumn[];
}

function text(name: string, meaning: string): SqlColumn {
  return { name, type: "TEXT", meaning };
}

function integer(name: string, meaning: string): SqlColumn {
  return { name, type: "INTEGER", meaning };
}

const view = text("view", "the view, game/mod");
const source = text("source", "absolute path of the pack, or of the directory of a loose file");
const member = text("member", "name in the source, as the archive spells it");
const memberId = integer("member_id", "number of the member: members.id");

/** Columns that are derived from a path. */
const ofPath: readonly SqlColumn[] = [
  text("directory", "the path up to its last slash, without it; empty at the root"),
  text("name", "the path after its last slash"),
  text("extension", "part of the name after its last dot, in lower case; empty without one"),
];

/** Columns that members and the files of views share. */
const ofMember: readonly SqlColumn[] = [
  integer("size", "bytes, decompressed"),
  integer("compressed_size", "bytes in the source"),
  text("method", "compression: store, deflate, ..."),
  text("crc32", "CRC-32 in eight hex digits; null if the format stores none"),
  integer("modified", "modification time, in milliseconds since 1970 (UTC)"),
  text("damaged", "why it cannot be read; null if it is not known to be damaged"),
];

/** All tables. */
export const sqlTables: readonly SqlTable[] = [
  {
    name: "games",
    meaning: "a game",
    columns: [
      text("game", "name of the game"),
      text("profile", "name of its engine rules"),
      text("because", "why these rules"),
      text("base", "name of its base game directory"),
      text("directories", "base directories, highest first, as a JSON list"),
    ],
  },
  {
    name: "views",
    meaning: "a game with one of its mods",
    columns: [
      view,
      text("game", "name of the game"),
      text("profile", "name of the engine rules"),
      integer("base", "1 for the game without a mod, else 0"),
      text("game_directories", "game directories that are searched, highest first, as a JSON list"),
    ],
  },
  {
    name: "sources",
    meaning: "a pack, or a directory with loose files",
    columns: [
      source,
      text("game", "name of the game"),
      text("game_directory", "name of the game directory"),
      text("name", "file name of a pack, else name of the game directory"),
      text("kind", "pack or loose"),
      text("format", "name of the archive format, pk3dir or loose"),
      integer("size", "bytes of the pack"),
      integer("modified", "modification time, in milliseconds since 1970 (UTC)"),
      integer("members", "number of files in it"),
      text("ignored", "why the engine never loads it; null if it does"),
      text("failure", "why it could not be read; null if it was"),
    ],
  },
  {
    name: "members",
    meaning: "a file of a source, shown by a view or not",
    columns: [
      integer("id", "number of the member, until the index changes"),
      source,
      text("path", "path in its source, as views show it"),
      ...ofPath,
      member,
      ...ofMember,
      integer("offset", "where its record starts in the source"),
    ],
  },
  {
    name: "files",
    meaning: "a file of a view: the winner of its path",
    columns: [view, text("path", "path in the view"), ...ofPath, source, member, ...ofMember, memberId],
  },
  {
    name: "candidates",
    meaning: "a file that could answer a path of a view",
    columns: [
      view,
      text("path", "path in the view"),
      integer("rank", "1 is the winner; those that cannot be used are last"),
      source,
      member,
      integer("size", "bytes, decompressed"),
      integer("usable", "1 if the engine would load it in the absence of better candidates, else 0"),
      text("rule", "rule that put it below the winner; null for the winner and for those that cannot be used"),
      text("because", "why it is not the winner, as a sentence; null for the winner"),
      memberId,
    ],
  },
  {
    name: "shaders",
    meaning: "a definition in a shader or material file of a view",
    columns: [
      view,
      text("name", "its name, in lower case"),
      text("type", "shader, or for Doom 3 material, table, ..."),
      integer("rank", "1 is the definition that the engine uses; those that it does not know are last"),
      text("path", "the shader file"),
      integer("line", "line of the name, from 1"),
      source,
      text("because", "why the engine does not use it; null if it does"),
    ],
  },
  {
    name: "refs",
    meaning: "a reference of a map, model, shader or other file of a view to something that the engine loads for it",
    columns: [
      view,
      text("path", "the file that refers, for a shader the file that defines it"),
      text("referrer", "name of a shader or definition, else the path"),
      text("kind", "kind of file that is loaded: texture, shader, sound, ..."),
      text("name", "name that is referred to"),
      text("why", "reason for loading it: surface, sky box, ..."),
      integer("optional", "1 if the engine does without it, else 0"),
      text("answer", "path of the file that answers, for a shader of the file that defines it; null: missing"),
      text("problem", "why the file's references could not be read; then it has only this row"),
    ],
  },
  {
    name: "hashes",
    meaning: "a file of a source whose hash is known, from hash, duplicates or find --hash",
    columns: [
      source,
      text("path", "path in its source, as views show it"),
      member,
      integer("size", "bytes, decompressed"),
      text("sha256", "SHA-256 in 64 hex digits"),
      text("crc32", "CRC-32 in eight hex digits"),
      memberId,
    ],
  },
  {
    name: "conversions",
    meaning: "a format that a file of a view can be converted to, judged by its name",
    columns: [view, text("path", "path in the view"), text("target", "png, wav, glb, ...")],
  },
];
