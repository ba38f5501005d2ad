/**
 * Searching the text files of a view: `grep`.
 * @module
 */
import { extname } from "@std/path";
import { command, type Context, firstWord, type Input, type Results } from "../command/command.ts";
import { content } from "../command/content.ts";
import { exitCodes, UsageError } from "../../system/mod.ts";
import { failureOf } from "../output/failure.ts";
import { counted, grouped, humanSize } from "../output/human.ts";
import { Progress } from "../output/progress.ts";
import { oneRow } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import type { GrepRow } from "../rows/client_rows.ts";
import type { FileRow } from "../../protocol/rows.ts";
import { textDecoder } from "../../protocol/mod.ts";
import { looksBinary } from "./content.ts";
import { filterOptions, matches, nothingMatches } from "./find.ts";

/** Extensions of files that hold no text; without patterns they are not even opened. Others are judged by content. */
const binaryExtensions = new Set(
  (".bik .bsp .cin .dds .dem .dm2 .dm_68 .exe .dll .dylib .ase .flac .gif .glm .gla .ico .iqm .jpeg .jpg .lmp .lwo " +
    ".m32 .m8 .md2 .md3 .md5anim .md5mesh .mdc .mdl .mds .mid .mp3 .ogg .ogv .opus .pcx .png .qvm .roq .so .sp2 .spr " +
    ".tga .ttf .vtf .vvd .wad .wal .wav .webp .xm .zip").split(" "),
);
/** Larger files are not searched: no text of a game is, and their lines may have any length. */
const maxText = 16 * 1024 * 1024;
/** Characters shown of a long line. */
const maxShown = 240;

/** @throws {UsageError} if the expression is not understood. */
function expressionOf({ words, options }: Input): RegExp {
  const typed = firstWord(words);
  const source = options.flag("fixed-strings") ? typed.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&") : typed;
  try {
    return new RegExp(source, options.flag("ignore-case") ? "iu" : "u");
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /, "") : "";
    throw new UsageError(`not a regular expression: ${reason}; -F searches for the text itself`, { cause: error });
  }
}

/** The fields of a file's row by which a file with several paths is known. */
type NamedFile = Pick<FileRow, "qpath" | "size" | "source" | "member" | "offset">;

/**
 * Returns files with one path each: engines of Doom find `sndinfo.txt` of a pk3 as the lump `SNDINFO` too. They name it in
 * messages as its pack does, so that path is kept.
 */
function nameOnce(rows: readonly NamedFile[]): NamedFile[] {
  const files = new Map<string, NamedFile>();
  for (const row of rows) {
    const key = JSON.stringify([row.source, row.member, row.offset]);
    const isOwn = row.qpath.toLowerCase() === row.member.toLowerCase();
    if (isOwn || !files.has(key)) files.set(key, row);
  }
  return Array.from(files.values());
}

/** Returns the text of a file; undefined if it is none. */
export async function textOf(context: Context, qpath: string): Promise<string | undefined> {
  let decoder: TextDecoder | undefined;
  let text = "";
  for await (const bytes of content(context, qpath)) {
    if (!decoder && looksBinary(bytes)) return undefined;
    decoder ??= textDecoder(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  return text + (decoder?.decode() ?? "");
}

/** Returns a line with its match marked; of a long one, the part around it. */
function shownLine({ qpath, line, text }: GrepRow, expression: RegExp): Part[] {
  const found = expression.exec(text);
  const start = Math.max(0, Math.min((found?.index ?? 0) - maxShown / 4, text.length - maxShown));
  const shown = text.slice(start, start + maxShown);
  const at = (found?.index ?? 0) - start;
  const matched = found?.[0].slice(0, maxShown - at) ?? "";
  return [
    { text: `${qpath}:${line}: `, style: "dim" },
    (start > 0 ? "…" : "") + shown.slice(0, at),
    ...matched === "" ? [] : [{ text: matched, style: "match" } as const],
    shown.slice(at + matched.length) + (start + maxShown < text.length ? "…" : ""),
  ];
}

async function* matchesIn(context: Context, qpath: string, expression: RegExp, input: Input): Results<GrepRow> {
  const text = await textOf(context, qpath);
  if (text === undefined) return;
  let number = 0;
  for (const ended of text.split("\n")) {
    const row = { qpath, line: ++number, text: ended.replace(/\r$/, "") };
    if (!expression.test(row.text)) continue;
    if (input.options.flag("files-with-matches")) return yield oneRow(row, (page) => page.line(qpath));
    yield oneRow(row, (page) => page.content(...shownLine(row, expression)));
  }
}

export const grep = command({
  name: "grep",
  group: "Browse",
  scope: "anywhere",
  rows: ["GrepRow"],
  summary: "search the text files of the view for a regular expression",
  arguments: [
    { name: "REGEX", kind: "none" },
    { name: "PATTERN", kind: "qpath", optional: true, repeated: true },
  ],
  options: [
    { name: "ignore-case", short: "i", summary: "capital and small letters are equal" },
    { name: "fixed-strings", short: "F", summary: "REGEX is the text itself" },
    { name: "recursive", short: "r", summary: "accepted; directories are always searched" },
    { name: "line-number", short: "n", summary: "accepted; lines always have their number" },
    { name: "files-with-matches", short: "l", summary: "only the first match of each file; its name alone" },
    ...filterOptions,
  ],
  details: [
    "REGEX is a regular expression of JavaScript. PATTERNs and filters are those of find; without them pictures, " +
    "models, maps and sounds are skipped by their extension. Files that hold no text, and those over 16M, are skipped.",
    "The exit code is 1 if nothing matches.",
  ],
  examples: [
    { line: "grep -i rocket --ext cfg,txt", does: "lines that mention rockets" },
    { line: "grep 'surfaceparm +sky' 'scripts/*.shader'", does: "shaders of skies" },
  ],
  async *run(context, input) {
    const expression = expressionOf(input);
    const { output } = context;
    const files = { ...input, words: input.words.slice(1) };
    const isChosen = files.words.length > 0 || input.options.list("ext").length > 0;
    const all = await Array.fromAsync(matches(context, files, ["qpath", "size", "source", "member", "offset"]));
    const rows = nameOnce(all).filter(({ qpath, size }) =>
      size <= maxText && (isChosen || !binaryExtensions.has(extname(qpath).toLowerCase()))
    );
    const progress = new Progress(output);
    let found = 0;
    let failed = 0;
    for (const [index, { qpath, size }] of rows.entries()) {
      progress.update(() => `${grouped(index)} of ${counted(rows.length, "file")}: ${qpath}, ${humanSize(size)}`);
      try {
        for await (const result of matchesIn(context, qpath, expression, input)) {
          found++;
          yield result;
        }
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== "unreadable") throw error;
        output.failure(failure);
        failed++;
      }
    }
    progress.end();
    if (found === 0) {
      const isNoFile = isChosen && rows.length === 0;
      output.remark(isNoFile ? await nothingMatches(context, files) : `no match in ${counted(rows.length, "file")}`);
    }
    return found === 0 || failed > 0 ? exitCodes.failed : exitCodes.ok;
  },
});
