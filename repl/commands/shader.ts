/**
 * Commands that show definitions of shaders and materials: `shader`, `shaders`.
 * @module
 */
import { basename } from "@std/path";
import { nearestNames, quoted } from "../../system/mod.ts";
import { errorCodes, RpcError } from "../../protocol/mod.ts";
import type { ShaderDefinitionRow, ShaderResult, ShaderRow } from "../../protocol/rows.ts";
import { ask, command, firstWord, inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import { counted, grouped, humanSize } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow, RowCount, tableOf } from "../output/results.ts";
import type { Part } from "../output/text.ts";

function headline(row: ShaderDefinitionRow, won: boolean): Part[] {
  const rank = String(row.rank).padStart(3);
  const location = `${row.qpath}:${row.line}`;
  const facts: Part = {
    text: `  ${row.source}, ${grouped(row.length)} bytes at ${grouped(row.offset)}`,
    style: "dim",
  };
  if (!row.usable) return [{ text: `${rank}  ${location}`, style: "unusable" }, facts];
  return [rank, "  ", won ? { text: location, style: "winner" } : location, facts];
}

function sentence(row: ShaderDefinitionRow, won: boolean): string {
  if (!row.usable) return `not known to the engine: ${row.reason ?? "no reason given"}`;
  if (won) return "the engine uses this one";
  const rule = row.decidedBy === null ? "" : ` [${row.decidedBy}]`;
  return `${(row.because ?? "ranks below the one above").replace(/\.$/, "")}${rule}`;
}

function print(page: Page, result: ShaderResult): void {
  const { definitions } = result;
  page.line(
    { text: result.name, style: "heading" },
    `  ${result.view}, shader rules of ${result.rules}, ${counted(definitions.length, "definition")}`,
  );
  const shaderAnswers = result.answers === "shader";
  definitions.forEach((row, index) => {
    const won = index === 0 && row.usable;
    page.line(...headline(row, won && shaderAnswers));
    page.line("     ", won && !shaderAnswers ? lostToImage(result) : sentence(row, won));
  });
  printImages(page, result);
}

function lostToImage(result: ShaderResult): string {
  return `the image is used instead: ${(result.because ?? "").replace(/\.$/, "")}`;
}

function printImages(page: Page, { images, answers, because }: ShaderResult): void {
  if (images.length > 0) page.line(counted(images.length, "image"), " of that name");
  images.forEach((row, index) => {
    const won = index === 0 && row.usable;
    const rank = String(row.rank).padStart(3);
    const name: Part = !row.usable
      ? { text: row.qpath, style: "unusable" }
      : won && answers === "image"
      ? { text: row.qpath, style: "winner" }
      : row.qpath;
    page.line(rank, "  ", name, { text: `  ${row.source}, ${humanSize(row.size)}`, style: "dim" });
    const reason = !row.usable
      ? `not usable: ${row.reason ?? "no reason given"}`
      : !won
      ? `${row.because ?? "ranks below the one above"}`
      : answers === "image"
      ? "the engine uses this one"
      : `the shader is used instead: ${because ?? ""}`;
    page.line("     ", reason.replace(/\.$/, ""));
  });
}

const shader = command({
  name: "shader",
  group: "Ask",
  scope: "anywhere",
  rows: ["ShaderResult"],
  summary: "show where a shader or material is defined, and which definition the engine uses",
  arguments: [{ name: "NAME", kind: "shader" }],
  options: [],
  details: [
    "Reads scripts/*.shader of the view, as the engine does: under OpenJK shaders/*.shader, under Doom 3 " +
    "materials/*.mtr. Definitions that the engine does not see come last, with the reason: their file is malformed, " +
    "or another file overrides it. Images of the name are listed too, with the rule that decides between them and " +
    "the shader. Case does not matter, and NAME may have the extension of an image.",
  ],
  examples: [
    { line: "shader textures/base_wall/c_met5_2", does: "file and line of each definition, the winner first" },
  ],
  async *run(context, { words }) {
    const result = await ask(context, "shader", { ...inView(context), name: firstWord(words) });
    const isFound = result.answers !== null || result.definitions.length > 0;
    yield oneRow(result, (page) => {
      if (isFound) print(page, result);
      for (const warning of result.warnings) context.output.warning(warning);
    });
    if (isFound) return;
    const message = `no shader or image "${result.name}" in ${result.view}`;
    const names = await Array.fromAsync(rowsOf(context, "shaders", inView(context)), ({ name }) => name);
    const suggestions = nearestNames(result.name, names);
    throw new RpcError({
      code: errorCodes.notFound,
      ...suggestions.length === 0 ? { message: `${message}; shaders lists those` } : { message, data: { suggestions } },
    });
  },
});

function shaderRemark({ definitions, dropped }: ShaderRow): string {
  if (dropped !== undefined) return `not known to the engine: ${dropped}`;
  return definitions > 1 ? counted(definitions, "definition") : "";
}

const shaders = command({
  name: "shaders",
  group: "Ask",
  scope: "anywhere",
  rows: ["ShaderRow"],
  summary: "list the shaders or materials of the view, with the definition that the engine uses",
  arguments: [{ name: "PATTERN", kind: "shader", optional: true }],
  options: [],
  details: ["A pattern without / is compared with the part after the last / of a name."],
  examples: [
    { line: "shaders 'textures/base_wall/*'", does: "the shaders of one set of textures" },
    { line: "shaders --json", does: "all of them, one object per line" },
  ],
  async *run(context, { words: [pattern] }) {
    const params = { ...inView(context), ...(pattern === undefined ? {} : { pattern }) };
    const count = new RowCount();
    yield tableOf(count.of(rowsOf(context, "shaders", params)), [
      { title: "NAME", cell: ({ name, dropped }) => dropped === undefined ? name : { text: name, style: "unusable" } },
      { title: "FILE", cell: ({ qpath, line }) => `${qpath}:${line}` },
      { title: "PACK", cell: ({ source }) => basename(source) },
      { title: "", cell: (row) => ({ text: shaderRemark(row), style: "dim" }) },
    ]);
    if (count.rows > 0) return;
    context.output.remark(pattern === undefined ? "the view has no shaders" : `no shader matches ${quoted(pattern)}`);
  },
});

/** Commands about shaders, in help order. */
export const shaderCommands: readonly RunnableCommand[] = [shader, shaders];
