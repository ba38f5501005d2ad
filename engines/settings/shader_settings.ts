/**
 * Ways to read shaders as settings.
 * @module
 */
import type {
  JoinedShaders,
  ListedShaders,
  RankedShaders,
  ShaderComment,
  ShaderDialect,
  ShaderOmission,
} from "../core/shader_dialect.ts";
import { choice, type Field, flag, isTable, list, number, SettingError, table, text } from "./fields.ts";

const name = { sentence: "Name in answers.", field: text };
const title = { sentence: "Name of the engine in sentences.", field: text };
const directory = { sentence: "Directory of the files, in small letters.", field: text, fallback: "scripts" };

const offset = number(0, 2 ** 31);

const comment: Field<ShaderComment> = table("a comment", {
  begin: { sentence: "Offset of its begin.", field: offset },
  end: { sentence: "Offset of its end.", field: offset },
});

const omission: Field<ShaderOmission> = table("an omission", {
  file: { sentence: "Name in the directory.", field: text },
  size: { sentence: "Size of the file in bytes.", field: offset },
  offset: { sentence: "Offset of bytes that it is known by.", field: offset },
  text: { sentence: "These bytes.", field: text },
  comments: { sentence: "Comments that the engine puts into it.", field: list(comment) },
});

const joined: Field<JoinedShaders> = table("shaders", {
  reading: { sentence: "Files are joined into one text.", field: choice(["joined"]) },
  name,
  title,
  directory,
  ignores: {
    sentence: "Files that it ignores: those with a shader that lacks a brace, or an opening one.",
    field: choice(["nothing", "unclosed", "unopened", "unclosed after the first"]),
    fallback: "unclosed",
  },
  compresses: {
    sentence: "Where it removes comments before it looks for shaders: in all files together, in each, or nowhere.",
    field: choice(["all", "each", "none"]),
    fallback: "all",
  },
  hasHashComments: { sentence: "`#` begins a comment.", field: flag, fallback: false },
  order: {
    sentence: "Which of equal names answers.",
    field: choice(["first", "last", "first of files", "hash"]),
    fallback: "first",
  },
  omissions: { sentence: "Shaders that it leaves out of known files.", field: list(omission), fallback: [] },
});

const ranked: Field<RankedShaders> = table("shaders", {
  reading: { sentence: "All files count; the rules decide between them.", field: choice(["ranked"]) },
  name,
});

const listed: Field<ListedShaders> = table("shaders", {
  reading: { sentence: "Files are read by name, and the first definition counts.", field: choice(["listed"]) },
  name,
  title,
  syntax: { sentence: "Syntax of the files.", field: choice(["doom3", "darkplaces"]) },
  directory,
  extension: { sentence: "Their extension, with the dot.", field: text, fallback: ".shader" },
});

const readings = choice<ShaderDialect["reading"]>(["joined", "ranked", "listed"]);

/** A way to read shaders. */
export const shaderDialect: Field<ShaderDialect> = {
  takes: `a table with reading = "joined", "ranked" or "listed"`,
  read(value, keyPath) {
    if (!isTable(value) || value["reading"] === undefined) {
      throw new SettingError(`"shaders" needs "reading": ${readings.takes}`, keyPath);
    }
    const reading = readings.read(value["reading"], [...keyPath, "reading"]);
    if (reading === "joined") return joined.read(value, keyPath);
    return reading === "ranked" ? ranked.read(value, keyPath) : listed.read(value, keyPath);
  },
  write(dialect) {
    if (dialect.reading === "joined") return joined.write(dialect);
    return dialect.reading === "ranked" ? ranked.write(dialect) : listed.write(dialect);
  },
  schema: { anyOf: [joined.schema, ranked.schema, listed.schema] },
};
