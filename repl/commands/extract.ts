/**
 * Commands that write files of a view into a directory: `extract` unchanged, `convert` in common formats.
 * @module
 */
import { basename } from "@std/path";
import { type Target, targets } from "../../media/mod.ts";
import { type ExtractableFile, extractFiles, isOfOneFile } from "../../protocol/mod.ts";
import { exitCodes, type OptionSpec, UsageError } from "../../system/mod.ts";
import { ask, command, type Context, type Input, inView, type Results } from "../command/command.ts";
import { content } from "../command/content.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import { Progress } from "../output/progress.ts";
import { counted, grouped, humanSize, percentage } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { ExtractedRow } from "../rows/client_rows.ts";
import { paletteGiven, paletteOption } from "../command/palette_option.ts";
import { filterOptions, matches, nothingMatches } from "./find.ts";

/** Members of a file's row that extraction needs. */
const extractedFields = ["qpath", "size", "mtime"] as const;

/** Options of both commands. */
const writingOptions: readonly OptionSpec[] = [
  { name: "output", short: "o", value: "DIR", kind: "file", summary: "write them below this directory (required)" },
  ...filterOptions,
];

/** A file to write, and its bytes. */
interface WrittenFile extends ExtractableFile {
  content(): AsyncIterable<Uint8Array>;
}

/** Sources of written files. */
interface Writing {
  /** Past participle, for messages. */
  readonly done: "extracted" | "converted";
  /** Returns the matching files to write; default: all, unchanged. */
  choose?(files: readonly ExtractableFile[]): readonly ExtractableFile[];
  /** Returns the output for a file; nothing omits it. */
  planned(file: ExtractableFile): Promise<readonly WrittenFile[]> | readonly WrittenFile[];
}

/**
 * Yields the output.
 * @param begin Called before each file, including omitted ones.
 */
async function* plannedFiles(
  files: readonly ExtractableFile[],
  { planned }: Writing,
  begin: (file: ExtractableFile, index: number) => void,
  omitted: () => void,
): AsyncGenerator<WrittenFile> {
  for (const [index, file] of files.entries()) {
    begin(file, index);
    // deno-lint-ignore no-await-in-loop -- one file is written after another
    const written = await plannedFile(file, planned);
    if (written.length === 0) omitted();
    yield* written;
  }
}

/** Returns the output for a file; errors of this file alone are thrown by its content. */
async function plannedFile(file: ExtractableFile, planned: Writing["planned"]): Promise<readonly WrittenFile[]> {
  try {
    return await planned(file);
  } catch (error) {
    if (!isOfOneFile(error)) throw error;
    const content = () => {
      throw error;
    };
    return [{ ...file, content }];
  }
}

/** Returns the output directory, and checks that files are given. */
function outputOf(input: Input, name: string): string {
  const root = input.options.value("output");
  if (root === undefined || root === "") throw new UsageError(`${name} needs an output directory: -o DIR`);
  if (input.words.length === 0 && filterOptions.every((option) => !input.options.flag(option.name))) {
    throw new UsageError(`${name} needs a pattern or a filter such as --in PACK`);
  }
  return root;
}

/** Writes the files that match the command's patterns and filters, and reports failures. */
async function* writeMatches(context: Context, input: Input, root: string, writing: Writing): Results<ExtractedRow> {
  const { output } = context;
  const progress = new Progress(output);
  const found = await Array.fromAsync(matches(context, input, extractedFields));
  if (found.length === 0) throw new CommandError(await nothingMatches(context, input));
  const rows = writing.choose?.(found) ?? found;
  const counts = { files: 0, bytes: 0, failed: 0, left: found.length - rows.length };
  const total = rows.reduce((sum, { size }) => sum + size, 0);
  let current: ExtractableFile | undefined;
  let [before, bytesBefore, written] = [0, 0, 0];
  const show = () =>
    progress.update(() => {
      const bytes = bytesBefore + Math.min(written, current?.size ?? 0);
      return `${grouped(before)} of ${counted(rows.length, "file")}, ${percentage(bytes, total)}: ` +
        basename(current?.qpath ?? "");
    });
  const begin = (file: ExtractableFile, index: number) => {
    bytesBefore += current?.size ?? 0;
    [current, before, written] = [file, index, 0];
    show();
  };
  const measured = async function* ({ content }: WrittenFile) {
    written = 0;
    for await (const piece of content()) {
      written += piece.length;
      show();
      yield piece;
    }
  };
  try {
    for await (
      const result of extractFiles(
        plannedFiles(rows, writing, begin, () => counts.left++),
        root,
        measured,
        context.signal,
      )
    ) {
      if ("error" in result) {
        output.failure(failureOf(result.error));
        counts.failed++;
        continue;
      }
      const { qpath, to } = result.file;
      yield oneRow({ qpath, path: result.path, size: written, ...to && { to } });
      counts.files++;
      counts.bytes += written;
    }
  } catch (error) {
    progress.end();
    output.remark(
      `stopped: ${grouped(counts.files)} of ${counted(rows.length, "file")} ${writing.done} to ${root}`,
    );
    throw error;
  }
  progress.end();
  if (counts.files + counts.failed === 0) {
    throw new CommandError(`none of ${counted(found.length, "file")} can be converted; see help convert`);
  }
  const others = counts.left > 0 ? `; ${counted(counts.left, "file")} of other kinds left out` : "";
  output.remark(`${counted(counts.files, "file")}, ${humanSize(counts.bytes)}, ${writing.done} to ${root}${others}`);
  return counts.failed > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Returns the writer of unchanged files. */
function extraction(context: Context): Writing {
  return { done: "extracted", planned: (file) => [{ ...file, content: () => content(context, file.qpath) }] };
}

/**
 * Returns the writer of converted files.
 * @param to The only format; undefined for the default of each file.
 */
async function conversion(context: Context, input: Input, to: Target | undefined): Promise<Writing> {
  const { convertedFile, convertedParts, converterFor, isConvertible, ViewFiles } = await import(
    "../../protocol/library/conversion.ts"
  );
  const palette = await paletteGiven(context, input);
  const files = new ViewFiles({ call: (method, params) => ask(context, method, params) }, inView(context), { palette });
  return {
    done: "converted",
    choose: (found) => found.filter(({ qpath }) => isConvertible(qpath, to)),
    planned: async (file) => {
      const converter = await converterFor(files, file.qpath, to);
      if (!converter) return [];
      const whole = { qpath: file.qpath, convert: () => convertedFile(files, file.qpath, converter) };
      const parts = await convertedParts(files, file.qpath, converter) ?? [whole];
      return parts.map(({ qpath, convert }) => {
        const bytes = async function* () {
          yield await convert();
        };
        return { ...file, qpath, to: converter.to, content: bytes };
      });
    },
  };
}

/** Value of `--as` for the default format of each file. */
const anyFormat = "any";

export const extract = command({
  name: "extract",
  group: "Browse",
  scope: "anywhere",
  rows: ["ExtractedRow"],
  summary: "copy files out of the view into a directory",
  arguments: [{ name: "PATTERN", kind: "qpath", optional: true, repeated: true }],
  options: [
    {
      name: "as",
      value: "FORMAT",
      choices: [anyFormat, ...targets],
      summary: "convert files to this format, or with any to its default; copy the others unchanged",
    },
    ...writingOptions,
  ],
  details: [
    "Patterns and filters work as in find. Files keep their qpaths and times below DIR; an existing file is replaced " +
    "once the new one is complete. Unreadable files are reported, the others are copied, and the exit code is 1.",
  ],
  examples: [
    { line: "extract 'sound/' -o /tmp/sounds", does: "a whole directory" },
    { line: "extract '*.bsp' --in pak0.pak -o maps", does: "all maps of one pack" },
    { line: "extract --in pak1.pak -o /tmp/pak1", does: "all files that the engine loads from one pack" },
    { line: "extract 'gfx/' --as png -o /tmp/gfx", does: "a directory with its pictures as PNG" },
  ],
  async *run(context, input) {
    const root = outputOf(input, "extract");
    const copied = extraction(context);
    const format = input.options.value("as");
    if (format === undefined) return yield* writeMatches(context, input, root, copied);
    const converted = await conversion(context, input, targetOf(format));
    const planned = async (file: ExtractableFile) => {
      const files = await converted.planned(file);
      return files.length > 0 ? files : copied.planned(file);
    };
    return yield* writeMatches(context, input, root, { done: "extracted", planned });
  },
});

function targetOf(format: string | undefined): Target | undefined {
  return targets.find((target) => target === format);
}

export const convert = command({
  name: "convert",
  group: "Browse",
  scope: "anywhere",
  rows: ["ExtractedRow"],
  summary: "convert files to common formats",
  arguments: [{ name: "PATTERN", kind: "qpath", optional: true, repeated: true }],
  options: [
    {
      name: "to",
      value: "FORMAT",
      choices: targets,
      summary: "convert to this format only; default: each file's default format",
    },
    paletteOption,
    ...writingOptions,
  ],
  details: [
    "Pictures become PNG, sounds WAV, models and maps glTF (GLB), tables and entities JSON; docs/converters.md lists " +
    "all. Palettes, skins and textures are the ones that the engine would load.",
    "Patterns and filters work as in find; files that cannot be converted are left out. A result is named after its " +
    "file: gfx/conback.lmp.png. An existing file is replaced once the new one is complete. Damaged files are " +
    "reported, the others are converted, and the exit code is 1.",
    "Textures of Doom that are composed of patches become files in textures/: convert TEXTURE1 --to png.",
  ],
  examples: [
    { line: "convert gfx/conback.lmp -o /tmp/pictures", does: "one picture, as a PNG" },
    { line: "convert 'sound/' -o /tmp/sounds", does: "all sounds of a directory that are not plain WAVs" },
    { line: "convert 'gfx/' --palette quake/id1 -o gfx", does: "pictures of a pack that has no palette" },
    { line: "convert --in pak0.pak --to png -o pictures", does: "all pictures of one pack" },
  ],
  async *run(context, input) {
    const root = outputOf(input, "convert");
    const writing = await conversion(context, input, targetOf(input.options.value("to")));
    return yield* writeMatches(context, input, root, writing);
  },
});
