/**
 * Queries about references: the needs of files, the users of a file, and missing files.
 * @module
 */
import { none } from "../index/mod.ts";
import type { View } from "../views/mod.ts";
import { nodeAt } from "./files.ts";
import { sourcesNamed } from "./named_sources.ts";
import {
  numbered,
  type PagedQuestion,
  type Position,
  type QuestionContext,
  QuestionError,
  type Step,
} from "./question.ts";
import type { ViewParameter } from "./question.ts";
import type { MissingRow, NeedRow, ProviderRow, UnfollowedRow, UserRow } from "./reference_rows.ts";

/** Parameters of `needs`. */
export interface NeedsParameters extends ViewParameter {
  /** Maps, models, shaders and other files by path or name; or packs and game directories for all their content. */
  files: string[];
  /** Whether to list only missing items. */
  missing?: boolean;
  /** Whether to omit files of the base game's packs. */
  own?: boolean;
  /** Name of another view: omits files that it has with the same bytes. */
  without?: string;
}

/** Lists everything that the engine would load for some files, without duplicates, with the provider of each. */
export const needs: PagedQuestion<NeedsParameters, NeedRow> = {
  parameters: { view: "string", files: "required strings", missing: "flag", own: "flag", without: "string" },
  list: async (context, { view, files, missing = false, own = false, without }, from) => {
    if (files.length === 0) throw new QuestionError("invalid", `"files" is empty`);
    const references = await context.references(view);
    const walk = references.walk(files);
    // A walk that was dropped is repeated.
    if (from.at >= walk.length) await walk.row(from.at, context);
    const known = without === undefined ? undefined : providedBy(context, references.view, without);
    const rowOf = async (index: number) => {
      const row = await walk.row(index, context);
      if (!row || (missing && row.qpath !== null) || (own && row.base)) return undefined;
      return row.qpath !== null && await known?.(row.qpath) ? undefined : row;
    };
    return steps(from, () => walk.length, rowOf);
  },
};

/** Returns a predicate for files of a view that another view has with the same bytes. */
function providedBy(context: QuestionContext, view: View, name: string): (qpath: string) => Promise<boolean> {
  const other = context.catalog.view(name);
  if (other.snapshot !== view.snapshot) {
    throw new QuestionError("invalid", `${name} has the rules of another engine; name the view without them`);
  }
  const compare = context.compare(true);
  return async (qpath) => {
    const found = other.tree.entryAt(qpath);
    if (found === none) return false;
    const own = view.tree.entryOf(nodeAt(view, qpath));
    return own === found || await compare(own, found) === true;
  };
}

/** Steps through numbered rows that take long. */
function* steps<Row>(
  { at }: Position,
  total: () => number,
  rowOf: (index: number) => Promise<Row | undefined>,
): Generator<Step<Row>> {
  for (let index = at; index < total(); index++) yield { row: rowOf(index), next: { at: index + 1, part: 0 }, total };
}

/** Parameters of `users`. */
export interface UsersParameters extends ViewParameter {
  /** A path in the view, or the name of a shader or definition. */
  name: string;
}

/**
 * Lists the maps, models, shaders and definitions that refer to a file, shader or definition, also through others, and
 * unreadable files.
 */
export const users: PagedQuestion<UsersParameters, UserRow> = {
  parameters: { view: "string", name: "required string" },
  list: async (context, { view, name }, from) => {
    const references = await context.references(view);
    return steps(from, () => references.referrerCount, (index) => references.user(index, name, context));
  },
};

/** Parameters of `unfollowed`. */
export interface UnfollowedParameters extends ViewParameter {
  /** Paths of files that were requested; default: none. */
  files?: string[];
}

/**
 * Lists the parts of a view's files, and of some requested files, that may name others and are not followed by `needs`,
 * `users`, `missing` and `unused`.
 */
export const unfollowed: PagedQuestion<UnfollowedParameters, UnfollowedRow> = {
  parameters: { view: "string", files: "strings" },
  list: async (context, { view, files = [] }, from) =>
    numbered((await context.references(view)).unfollowed(files), from),
};

/** Parameters of `missing`. */
export interface MissingParameters extends ViewParameter {
  /** A pack or game directory: checks only its files. */
  source?: string;
}

/** Lists the maps, models, shaders and definitions that refer to something that the view lacks. */
export const missing: PagedQuestion<MissingParameters, MissingRow> = {
  parameters: { view: "string", source: "string" },
  list: async (context, { view, source }, from) => {
    const references = await context.references(view);
    const sources = source === undefined ? undefined : sourcesNamed(references.view, source);
    return steps(from, () => references.referrerCount, (index) => references.lacking(index, sources, context));
  },
};

/** Parameters of `providers`. */
export interface ProvidersParameters extends ViewParameter {
  /** Maps and others as for `needs`; default: all files of the view's game directory. */
  files?: string[];
  /** Absolute paths of archives, and of directories that contain archives at any depth. */
  library: string[];
}

/** Lists archives outside search paths that provide the missing files of some files, and a smallest set of them. */
export const providers: PagedQuestion<ProvidersParameters, ProviderRow> = {
  parameters: { view: "string", files: "strings", library: "required strings" },
  list: async (context, { view, files = [], library }, from) => {
    const relative = library.find((path) => !path.startsWith("/"));
    if (relative !== undefined) throw new QuestionError("invalid", `${relative}: not an absolute path`);
    return numbered(await (await context.references(view)).providers(files, library, context), from);
  },
};
