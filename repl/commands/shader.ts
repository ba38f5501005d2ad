/**
 * Where shaders and materials are defined: `shader`, `shaders`.
 * @module
 */
import { basename } from "node:path";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { ShaderDefinitionRow, ShaderResult } from "../../protocol/rows.ts";
import { ask, inView, rowsOf, type RunnableCommand } from "../command/command.ts";
import type { Output } from "../output/output.ts";
import { counted, grouped, humanSize, Table } from "../output/render.ts";
import type { Part } from "../output/text.ts";

function headline(row: ShaderDefinitionRow, won: boolean): Part[] {
  const rank = String(row.rank).padStart(3);
  const place = `${row.qpath}:${row.line}`;
  const facts: Part = {
    text: `  ${row.source}, ${grouped(row.length)} bytes at ${grouped(row.offset)}`,
    style: "dim",
  };
  if (!row.usable) return [{ text: `${rank}  ${place}`, style: "unusable" }, facts];
  return [rank, "  ", won ? { text: place, style: "winner" } : place, facts];
}

function sentence(row: ShaderDefinitionRow, won: boolean): string {
  if (!row.usable) return `not known to the engine: ${row.reason ?? "no reason given"}`;
  if (won) return "the engine takes this one";
  const rule = row.decidedBy === null ? "" : ` [${row.decidedBy}]`;
  return `${(row.because ?? "ranks below the one above").replace(/\.$/, "")}${rule}`;
}

function print(output: Output, result: ShaderResult): void {
  const { definitions } = result;
  output.line(
    { text: result.name, style: "heading" },
    `  ${result.view}, shader rules of ${result.rules}, ${counted(definitions.length, "definition")}`,
  );
  const shaderAnswers = result.answers === "shader";
  definitions.forEach((row, index) => {
    const won = index === 0 && row.usable;
    output.line(...headline(row, won && shaderAnswers));
    output.line("     ", won && !shaderAnswers ? lostToImage(result) : sentence(row, won));
  });
  printImages(output, result);
}

function lostToImage(result: ShaderResult): string {
  return `the image is taken instead: ${(result.because ?? "").replace(/\.$/, "")}`;
}

function printImages(output: Output, { images, answers, because }: ShaderResult): void {
  if (images.length > 0) output.line(counted(images.length, "image"), " of that name");
  images.forEach((row, index) => {
    const won = index === 0 && row.usable;
    const rank = String(row.rank).padStart(3);
    const name: Part = !row.usable
      ? { text: row.qpath, style: "unusable" }
      : won && answers === "image"
      ? { text: row.qpath, style: "winner" }
      : row.qpath;
    output.line(rank, "  ", name, { text: `  ${row.source}, ${humanSize(row.size)}`, style: "dim" });
    const reason = !row.usable
      ? `not usable: ${row.reason ?? "no reason given"}`
      : !won
      ? `${row.because ?? "ranks below the one above"}`
      : answers === "image"
      ? "the engine takes this one"
      : `the shader is taken instead: ${because ?? ""}`;
    output.line("     ", reason.replace(/\.$/, ""));
  });
}

const shader: RunnableCommand = {
  name: "shader",
  group: "Ask",
  scope: "anywhere",
  rows: ["ShaderResult"],
  summary: "tell where a shader or material is defined, which definition the engine takes, and why not the others",
  arguments: [{ name: "NAME", kind: "shader" }],
  options: [],
  details: [
    "Reads scripts/*.shader of the view, or under the rules of Doom 3 materials/*.mtr, as the engine does. Definitions " +
    "that the engine does not know come last, with the reason: their file is not well formed, or another file of its " +
    "name stands in its place. Images of the name are listed too, with what decides between them and the shader. Case does not matter, and the extension of an image may be behind the name.",
  ],
  examples: [
    { line: "shader textures/base_wall/c_met5_2", does: "file and line of each definition, the winner first" },
  ],
  run: async (context, { words }) => {
    const { output } = context;
    const result = await ask(context, "shader", { ...inView(context), name: words[0] ?? "" });
    if (output.json) output.row(result);
    else if (result.answers !== null || result.definitions.length > 0) print(output, result);
    if (!output.json) { for (const warning of result.warnings) output.warning(warning); }
    if (result.answers !== null || result.definitions.length > 0) return;
    const message = `no shader file of ${result.view} defines "${result.name}", and no image has the name`;
    throw new RpcError({ code: errorCodes.notFound, message });
  },
};

const shaders: RunnableCommand = {
  name: "shaders",
  group: "Ask",
  scope: "anywhere",
  rows: ["ShaderRow"],
  summary: "list the shaders or materials of the view, each with the definition that the engine takes",
  arguments: [{ name: "PATTERN", kind: "shader", optional: true }],
  options: [],
  details: ["A pattern without / is compared with what follows the last / of a name."],
  examples: [
    { line: "shaders 'textures/base_wall/*'", does: "the shaders of one set of textures" },
    { line: "shaders --json", does: "all of them, one object per line" },
  ],
  run: async (context, { words }) => {
    const { output } = context;
    const [pattern] = words;
    const table = new Table(output, [{ title: "NAME" }, { title: "FILE" }, { title: "PACK" }, { title: "" }]);
    for await (
      const row of rowsOf(context, "shaders", { ...inView(context), ...(pattern === undefined ? {} : { pattern }) })
    ) {
      if (output.json) {
        output.row(row);
        continue;
      }
      const others = row.definitions > 1 ? `${counted(row.definitions, "definition")}` : "";
      const remark = row.dropped === undefined ? others : `not known to the engine: ${row.dropped}`;
      table.add(
        row.dropped === undefined ? row.name : { text: row.name, style: "unusable" },
        `${row.qpath}:${row.line}`,
        basename(row.source),
        { text: remark, style: "dim" },
      );
    }
    table.end();
  },
};

/** Commands of this file. */
export const shaderCommands: readonly RunnableCommand[] = [shader, shaders];
