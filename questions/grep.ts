/**
 * Lines of text files that match a regular expression.
 * @module
 */
import { at, type Expression, type IndexSearch, lineExpression, none, TooLongError } from "../index/mod.ts";
import type { Catalog, View } from "../views/mod.ts";
import { ContentList, contentSteps, type Work } from "./content_steps.ts";
import type { FindFilters } from "./filters.ts";
import { findFiles } from "./find.ts";
import { LastResult } from "./last_result.ts";
import { extensionOf } from "./shaders/engine_images.ts";
import { type PagedQuestion, QuestionError, type ViewParameter, withPatterns } from "./question.ts";

/** A matching line of a text file. */
export interface GrepRow {
  /** The path in the view. */
  qpath: string;
  /** Line number, from 1; 0 with a `problem`. */
  line: number;
  /** The line, without its line break; if it is longer than 65,536 characters, the part around its match. */
  text: string;
  /** Reason why the file cannot be read; absent if it can. */
  problem?: string;
}

/** Parameters of `grep`. */
export interface GrepParameters extends ViewParameter {
  /** A JavaScript regular expression, with the flag `u`; it is compared with each line. */
  expression: string;
  /** Whether case is ignored. */
  ignoreCase?: boolean;
  /** Whether the first line of each file is enough. */
  first?: boolean;
  /**
   * Patterns as for `find`; default: all files except those with the extensions of pictures, models, maps or sounds.
   */
  patterns?: string[];
  /** Conditions on the files; `extensions` selects files like `patterns`. */
  filters?: FindFilters;
}

/**
 * Extensions of files without text; unless they are selected they are not even opened. Others are checked by content.
 */
const binaryExtensions = new Set(
  ("bik bsp cin dds dem dm2 dm_68 exe dll dylib ase flac gif glm gla ico iqm jpeg jpg lmp lwo " +
    "m32 m8 md2 md3 md5anim md5mesh mdc mdl mds mid mp3 ogg ogv opus pcx png qvm roq so sp2 spr " +
    "tga ttf vtf vvd wad wal wav webp xm zip").split(" "),
);
/** Maximum size of searched files: text files of games are smaller, and lines of larger files may have any length. */
const maxText = 16 * 1024 * 1024;
/** Maximum files and bytes that are searched ahead of the current row. */
const ahead = { subjects: 1024, bytes: 32 * 1024 * 1024 } as const;

/** Lists lines of text files that match a regular expression. */
export const grep: PagedQuestion<GrepParameters, GrepRow> = {
  parameters: {
    view: "string",
    expression: "required string",
    ignoreCase: "flag",
    first: "flag",
    patterns: "strings",
    filters: "filters",
  },
  list: (context, parameters, from) => {
    const search = context.search(expressionOf(parameters));
    const { list, paths } = textsOf(context.catalog, parameters);
    return contentSteps({ work: inTime(search), ended: context.ended }, list, from, (index) => {
      const subject = list.subjects[index] ?? 0;
      const { numbers, lines, problem } = search.foundIn(subject);
      const qpath = paths(index);
      if (problem !== undefined) return [{ qpath, line: 0, text: "", problem }];
      return lines.map((text, row) => ({ qpath, line: at(numbers, row), text }));
    });
  },
};

/** Returns a search that reports an expression that takes too long. */
function inTime(search: IndexSearch): Work {
  return {
    isDone: (subject) => search.isDone(subject),
    request: (subjects) => search.request(subjects),
    forget: (subject) => search.forget(subject),
    settled: async (subject, signal) => {
      try {
        await search.settled(subject, signal);
      } catch (error) {
        if (!(error instanceof TooLongError)) throw error;
        throw new QuestionError("invalid", "the expression takes too long: it matches some text in too many ways");
      }
    },
  };
}

/**
 * @throws {QuestionError} if it is invalid.
 */
function expressionOf({ expression: source, ignoreCase = false, first = false }: GrepParameters): Expression {
  const expression = { source, ignoresCase: ignoreCase, isFirstEnough: first };
  try {
    lineExpression(expression);
    return expression;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.replace(/^.*\/[a-z]*: /s, "");
    throw new QuestionError("invalid", `not a regular expression: ${reason}`);
  }
}

/** Files to search, and their paths by index. */
interface Texts {
  readonly list: ContentList;
  paths(index: number): string;
}

const last = new LastResult<Catalog, string, Texts>();

function textsOf(catalog: Catalog, { view: name, patterns, filters }: GrepParameters): Texts {
  const key = JSON.stringify([name, patterns, filters]);
  return last.of(catalog, key, () => findTexts(catalog.view(name), patterns, filters));
}

function findTexts(view: View, patterns: readonly string[] | undefined, filters: FindFilters | undefined): Texts {
  const { tree, snapshot } = view;
  const { entryOffsets, entrySizes, entrySources } = snapshot.columns;
  const isChosen = patterns !== undefined || filters?.extensions !== undefined;
  /** Nodes by file: engines of Doom find a file of a pk3 as a lump too. It gets its name in the pack. */
  const nodes = new Map<string, number>();
  for (const node of withPatterns(() => findFiles(view, patterns ?? ["*"], filters))) {
    if (node === none) continue;
    const entry = at(tree.entries, node);
    if (at(entrySizes, entry) > maxText) continue;
    if (!isChosen && binaryExtensions.has(extensionOf(tree.nameOf(node)))) continue;
    const member = snapshot.memberOf(entry);
    const file = `${at(entrySources, entry)} ${at(entryOffsets, entry)} ${member}`;
    if (!nodes.has(file) || tree.pathOf(node).toLowerCase() === member.toLowerCase()) nodes.set(file, node);
  }
  const found = Array.from(nodes.values());
  return {
    list: new ContentList(snapshot, found.map((node) => at(tree.entries, node)), ahead),
    paths: (index) => tree.pathOf(found[index] ?? 0),
  };
}
