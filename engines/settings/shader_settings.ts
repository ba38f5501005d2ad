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

const name = { field: text };
const title = { field: text };
const directory = { field: text, fallback: "scripts" };

const offset = number(0, 2 ** 31);

const comment = table<ShaderComment>("a comment", {
  begin: { field: offset },
  end: { field: offset },
});

const omission = table<ShaderOmission>("an omission", {
  file: { field: text },
  size: { field: offset },
  offset: { field: offset },
  text: { field: text },
  comments: { field: list(comment) },
});

const joined = table<JoinedShaders>("shaders", {
  reading: { field: choice(["joined"]) },
  name,
  title,
  directory,
  ignores: { field: choice(["nothing", "unclosed", "unopened", "unclosed after the first"]), fallback: "unclosed" },
  compresses: { field: choice(["all", "each", "none"]), fallback: "all" },
  hasHashComments: { field: flag, fallback: false },
  order: { field: choice(["first", "last", "first of files", "hash"]), fallback: "first" },
  omissions: { field: list(omission), fallback: [] },
});

const ranked = table<RankedShaders>("shaders", {
  reading: { field: choice(["ranked"]) },
  name,
});

const listed = table<ListedShaders>("shaders", {
  reading: { field: choice(["listed"]) },
  name,
  title,
  syntax: { field: choice(["doom3", "darkplaces"]) },
  directory,
  extension: { field: text, fallback: ".shader" },
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
