/**
 * Searching a view: `find`, and the patterns and filters that other commands take too.
 * @module
 */
import { maxPageSize, type ParamsOf } from "../../protocol/mod.ts";
import type { FileRow, FindFilters, HashRow, ShadowedRow } from "../../protocol/rows.ts";
import { nearestNames, type OptionSpec, parseSize, quoted, shellWord, UsageError } from "../../system/mod.ts";
import {
  command,
  type Context,
  fieldsOf,
  type Input,
  inView,
  jsonLinesOf,
  rowsOf,
  slowRowsOf,
} from "../command/command.ts";
import { humanSize } from "../output/human.ts";
import {
  linesOf,
  nullNames,
  plainLines,
  type Result,
  rowsShownAs,
  RowStream,
  tableOf,
  withLines,
} from "../output/results.ts";
import type { Column } from "../output/table.ts";
import { resolveQpath } from "../command/session.ts";
import {
  fieldsGiven,
  fieldsOption,
  fieldsToSort,
  fieldTable,
  isUnsorted,
  longColumns,
  longFileFields,
  qpathOf,
  sorted,
  sortOption,
} from "./long_listing.ts";

/** Options that narrow a search. */
export const filterOptions: readonly OptionSpec[] = [
  { name: "size", value: "[+|-]SIZE", summary: "+1M: 1M or more, -10k: 10k or less, 512: exactly, 1k..2M: between" },
  { name: "ext", value: "EXT,...", repeatable: true, summary: "only these file name extensions" },
  {
    name: "in",
    value: "PACK|DIR",
    kind: "source",
    summary: "only files from one pack or game directory, or several: 'map*.pk3'",
  },
];

function parseBytes(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`not a size: ${quoted(text)}; write 512, 10k, 1.5M or 2G`);
}

/**
 * Returns the condition for a `--size` value, whose bounds are inclusive.
 * @throws {UsageError} if it is invalid.
 */
export function parseSizeRange(text: string): Pick<FindFilters, "minSize" | "maxSize"> {
  const range = /^(.*)\.\.(.*)$/.exec(text);
  if (range) {
    const [, low = "", high = ""] = range;
    if (low === "" && high === "") throw new UsageError(`not a range: ${quoted(text)}; write 1k..2M`);
    const bounds = {
      ...(low === "" ? {} : { minSize: parseBytes(low) }),
      ...(high === "" ? {} : { maxSize: parseBytes(high) }),
    };
    if ((bounds.minSize ?? 0) > (bounds.maxSize ?? Number.POSITIVE_INFINITY)) {
      throw new UsageError(`empty range ${quoted(text)}: its first size is larger than its second`);
    }
    return bounds;
  }
  if (text.startsWith("+")) return { minSize: parseBytes(text.slice(1)) };
  if (text.startsWith("-")) return { maxSize: parseBytes(text.slice(1)) };
  const exact = parseBytes(text);
  return { minSize: exact, maxSize: exact };
}

/**
 * Returns the filters of {@linkcode filterOptions}.
 * @throws {UsageError} if one is invalid.
 */
export function parseFilters({ options }: Input): FindFilters {
  const filters: FindFilters = {};
  const size = options.value("size");
  if (size !== undefined) Object.assign(filters, parseSizeRange(size));
  const extensions = options.list("ext").flatMap((list) => list.split(",")).map((name) => name.replace(/^\./, ""));
  if (extensions.some((name) => name === "")) throw new UsageError("--ext takes extensions such as wav,tga");
  if (extensions.length > 0) filters.extensions = extensions;
  const source = options.value("in");
  if (source !== undefined) filters.source = source;
  return filters;
}

/** Escapes the special characters of patterns. */
function literal(name: string): string {
  return name.replaceAll(/[*?[\]{}\\]/g, "\\$&");
}

/**
 * Returns the pattern for the whole view from `typed` in `directory`: a pattern without `/` matches file names in and
 * below the directory, one with a trailing `/` or `.` a whole directory, and one with a leading `/` begins at the root.
 */
export function patternFrom(directory: string, typed: string): string {
  const wanted = typed === "." ? "./**" : typed.endsWith("/") ? `${typed}**` : typed;
  const here = literal(directory);
  if (wanted.includes("/")) {
    const pattern = resolveQpath(here, wanted);
    // Without its slash, a name at the top level would be searched in all directories.
    return pattern.includes("/") ? pattern : `/${pattern}`;
  }
  return directory === "" ? wanted : `${here}/**/${wanted}`;
}

/** Returns the maximum number of printed rows. */
function rowLimit({ options }: Input): number {
  return options.count("limit") ?? Number.POSITIVE_INFINITY;
}

/** Returns the page size: all printed rows, unless they have to be sorted first. */
function pageSize(input: Input): number {
  return Math.max(1, Math.min(isUnsorted(input) ? rowLimit(input) : maxPageSize, maxPageSize));
}

/** Returns a command's patterns; without any, the one for all files of the current directory. */
function patternsOf({ directory }: Context, { words }: Input): string[] {
  return (words.length === 0 ? ["*"] : words).map((pattern) => patternFrom(directory, pattern));
}

/** Returns the parameters for a command's patterns, filters and limit. */
function findParameters(context: Context, input: Input): ParamsOf<"qpaths"> {
  const filters = parseFilters(input);
  return {
    ...inView(context),
    patterns: patternsOf(context, input),
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    limit: pageSize(input),
  };
}

/**
 * Lists all files of the current view that match the command's patterns and filters, with the members in `fields` or
 * all.
 */
export function matches<Field extends keyof FileRow>(
  context: Context,
  input: Input,
  fields?: readonly Field[],
): RowStream<Pick<FileRow, Field>> {
  return fieldsOf(context, "find", findParameters(context, input), fields);
}

/** Returns the losing files in the current view that match the command's patterns and filters. */
export function shadowedFiles(
  context: Context,
  input: Input,
  compare: { compare?: boolean } = {},
): RowStream<ShadowedRow> {
  return rowsOf(context, "shadowed", {
    ...inView(context),
    patterns: patternsOf(context, input),
    filters: parseFilters(input),
    ...compare,
  });
}

/** Ends `rows` after `--limit` rows. */
export function limited<Row>({ pages }: RowStream<Row>, input: Input): RowStream<Row> {
  let left = rowLimit(input);
  return new RowStream(async function* () {
    if (left === 0) return;
    for await (const page of pages) {
      yield page.slice(0, left);
      left -= page.length;
      if (left <= 0) return;
    }
  }());
}

/** Columns of losing files. */
const shadowedColumns: readonly Column<ShadowedRow>[] = [
  { title: "SIZE", align: "right", cell: (row) => humanSize(row.size) },
  { title: "FROM", cell: (row) => ({ text: row.source, style: "dim" }) },
  { title: "NAME", cell: (row) => row.qpath },
];

/** Returns similar patterns, the likeliest first. */
function likePatterns(word: string): string[] {
  const path = word.replaceAll("\\", "/");
  const names = path.split("/");
  // The first directories may belong to the host.
  const shorter = names.slice(1).map((_, index) => names.slice(index + 1).join("/"));
  const spelled = [path, path.toLowerCase()];
  const deeper = path.endsWith("/*") ? spelled.map((pattern) => `${pattern}*`) : [];
  return [...spelled, ...deeper, `${path}/`, ...shorter].filter((pattern) =>
    pattern !== word && !/^[*.]*$/.test(pattern)
  );
}

/** Returns the message that nothing was found, with a similar pattern that finds something, if any. */
export async function nothingMatches(context: Context, input: Input): Promise<string> {
  const { words, options } = input;
  const plain = words.find((word) => !/[*?[\]{}/]/.test(word));
  const said = `no file matches${words.length === 0 ? "" : ` ${words.map(quoted).join(", ")}`}`;
  const pack = options.value("in");
  if (pack !== undefined) {
    const packs = await Array.fromAsync(rowsOf(context, "packs", inView(context)));
    const [near] = nearestNames(pack, new Set(packs.flatMap((row) => [row.pack, row.gameDirectory])));
    const advice = near === undefined || near === pack
      ? "packs lists what --in can name"
      : `did you mean --in ${near}?`;
    return `${said}; ${advice}`;
  }
  for (const pattern of words.flatMap(likePatterns)) {
    for await (const _ of matches(context, { ...input, words: [pattern] }, ["qpath"])) {
      return `${said}; try find ${shellWord(pattern)}`;
    }
  }
  return plain === undefined ? said : `${said}; try find ${shellWord(`*${plain}*`)}`;
}

/** Option of commands that find files by their bytes. */
export const hashOption: OptionSpec = {
  name: "hash",
  value: "HEX",
  summary: "only files with this SHA-256, or CRC-32 of 8 digits; reads those whose hashes are not known",
};

/**
 * Returns the value of {@linkcode hashOption}.
 * @throws {UsageError} if it is no hash.
 */
export function hashGiven({ options }: Input): string | undefined {
  const hash = options.value("hash");
  if (hash === undefined || /^(?:[\da-f]{8}|[\da-f]{64})$/i.test(hash)) return hash;
  throw new UsageError(`not a hash: ${quoted(hash)}; write the 64 digits of a SHA-256 or the 8 of a CRC-32`);
}

/** Returns files with their hashes, and warns about unreadable ones. */
export function hashedFiles(context: Context, params: ParamsOf<"hash">): RowStream<HashRow> {
  return slowRowsOf(context, "hash", params).filter(({ qpath, problem }) => {
    if (problem !== undefined) context.output.warning(`${qpath} cannot be read: ${problem}`);
    return problem === undefined;
  });
}

/** Option of commands whose names other programs read. */
export const nullOption: OptionSpec = {
  name: "null",
  short: "0",
  summary: "end each name with a NUL character, for xargs -0",
};

export const find = command({
  name: "find",
  group: "Browse",
  scope: "anywhere",
  rows: ["FileRow", "ShadowedRow", "HashRow"],
  summary: "find files by name, size, extension or pack",
  arguments: [{ name: "PATTERN", kind: "qpath", optional: true, repeated: true }],
  options: [
    ...filterOptions,
    { name: "limit", value: "N", summary: "stop after N files" },
    { name: "long", short: "l", summary: "sizes, times and where each file comes from" },
    sortOption,
    fieldsOption,
    hashOption,
    nullOption,
    {
      name: "shadowed",
      summary: "list overridden files instead; shadowed shows by which file, and why",
    },
  ],
  details: [
    "Patterns: * any characters of one name, ? one of them, [ab] one of these, {a,b} either, ** any directories. " +
    "A pattern without / matches file names in and below the current directory; one that ends in / matches a whole " +
    "directory; one that starts with / begins at the view's root. Quote patterns in a shell.",
    "The exit code is 0 even if nothing is found.",
  ],
  examples: [
    { line: "find '*.wav' --size +1M", does: "large sounds" },
    { line: "find 'maps/*' --in pak0.pak", does: "maps that pak0.pak provides" },
    { line: "find '*.cfg' --in 'map*.pk3'", does: "configurations that any of several packs provides" },
    { line: "find --ext tga,jpg --limit 10", does: "the first ten pictures" },
    { line: "find -l --sort size --limit 10", does: "the ten largest files" },
    { line: "find --fields size,crc32,qpath", does: "some facts of every file" },
    { line: "find --shadowed --in pak0.pak", does: "files in pak0.pak that the engine never loads" },
  ],
  async *run(context, input) {
    const isLong = input.options.flag("long");
    const hasNulls = input.options.flag("null");
    const fields = fieldsGiven(input);
    if (isLong && hasNulls) throw new UsageError("choose one of --long and --null");
    if (fields && (isLong || hasNulls || ["shadowed", "hash"].some((name) => input.options.flag(name)))) {
      throw new UsageError("--fields cannot be combined with --long, --null, --shadowed and --hash");
    }
    const named = <Row extends { qpath: string }>(rows: RowStream<Row>) =>
      hasNulls ? rowsShownAs(rows, nullNames(rows, qpathOf)) : linesOf(rows, qpathOf);
    let found = 0;
    const counted = <Row>({ pages }: RowStream<Row>) =>
      new RowStream(async function* () {
        for await (const page of pages) {
          found += page.length;
          yield page;
        }
      }());
    const remarkNothing = async () => {
      if (found === 0 && rowLimit(input) > 0) context.output.remark(await nothingMatches(context, input));
    };
    const encoded = (result: Result<FileRow>, only?: string[]) => {
      if (!isUnsorted(input) || rowLimit(input) < Number.POSITIVE_INFINITY) return result;
      const params = { ...findParameters(context, input), ...only && { fields: only } };
      const lines = async function* () {
        for await (const some of jsonLinesOf(context, "find", params)) {
          found += some.length;
          yield some;
        }
      };
      return withLines(result, lines());
    };
    const chosen = <Row extends object>(rows: RowStream<Row>) => counted(limited(sorted(rows, input), input));
    const equal = hashGiven(input);
    if (equal !== undefined) {
      if (isLong || !isUnsorted(input) || input.options.flag("shadowed")) {
        throw new UsageError(
          "--hash cannot be combined with --long, --sort and --shadowed; which --hash shows all of them",
        );
      }
      yield named(counted(limited(hashedFiles(context, { ...findParameters(context, input), equal }), input)));
      await remarkNothing();
      return;
    }
    if (input.options.flag("shadowed")) {
      const rows = chosen(shadowedFiles(context, input));
      yield isLong ? tableOf(rows, shadowedColumns) : named(rows);
      await remarkNothing();
      return;
    }
    if (fields) {
      const requested = [...fields, ...fieldsToSort(input)] as (keyof FileRow)[]; // others are rejected
      yield encoded(fieldTable(chosen(matches(context, input, requested)), fields), fields);
      await remarkNothing();
      return;
    }
    const paths = (lines: RowStream<string>) => hasNulls ? nullNames(lines, (line) => line) : plainLines(lines);
    const shown = isLong
      ? tableOf(chosen(matches(context, input, longFileFields)), longColumns(qpathOf))
      : isUnsorted(input)
      ? paths(counted(limited(rowsOf(context, "qpaths", findParameters(context, input)), input)))
      : named(chosen(matches(context, input, fieldsToSort(input))));
    yield encoded(rowsShownAs(chosen(matches<keyof FileRow>(context, input)), shown));
    await remarkNothing();
  },
});
