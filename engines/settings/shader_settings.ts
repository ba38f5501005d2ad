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
import { choice, type Field, flag, list, number, table, tableOfKind, text } from "./fields.ts";

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

/** A way to read shaders. */
export const shaderDialect: Field<ShaderDialect> = tableOfKind<"reading", ShaderDialect>(`"shaders"`, "reading", {
  joined,
  ranked,
  listed,
});
