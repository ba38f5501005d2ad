/**
 * The references that are generated and not committed: the fields of every row that `--json` prints, and the manual
 * pages. `deno task docs:reference` writes them to `docs/reference/`.
 * @module
 */
import { commandTable } from "../../repl/commands/table.ts";
import { configPage, programPage } from "../../repl/help/man_page.ts";
import { fieldsOf, type NamedType, reachableTypes, type TypeNode, typeText } from "./json_types.ts";
import { formatted, markdownTable } from "./markdown.ts";

const root = new URL("../..", import.meta.url).pathname;

/** The types of rows by name, with the two types that list them. */
export const declared = await reachableTypes(`${root}repl/rows/row_types.ts`, ["RowTypes", "OtherLineTypes"]);
/** The types of rows by name. */
export const types = new Map([...declared].filter(([name]) => name !== "RowTypes" && name !== "OtherLineTypes"));

/** The commands that print rows, with the names of their types. */
export const commandRows = commandTable.flatMap((command) =>
  command.scope === "launcher" || command.rows === undefined ? [] : [{ name: command.name, rows: command.rows }]
);

/** Returns a node that names a type. */
export function reference(typeName: string): TypeNode {
  return { kind: "typeRef", value: { typeName } };
}

function withoutLinks(doc: string): string {
  return doc.replaceAll(/\{@linkcode (\w+)\}/g, "`$1`");
}

function typeSection({ name, doc, alias }: NamedType): string {
  const heading = `### ${name}\n\n${withoutLinks(doc)}\n\n`;
  if (alias && alias.kind !== "typeLiteral") return `${heading}\`${typeText(alias)}\``;
  const rows = fieldsOf(types, reference(name)).map(({ name: field, optional, tsType, jsDoc }) => [
    `\`${field}\`${optional ? " (may be absent)" : ""}`,
    `\`${typeText(tsType)}\``,
    withoutLinks((jsDoc?.doc ?? "").replaceAll("\n", " ")),
  ]);
  return heading + markdownTable(["field", "type", "meaning"], rows);
}

/** Returns the reference of the rows, in Markdown that is not formatted. */
export function jsonReference(): string {
  const commands = commandRows.map(({ name, rows }) => [
    `\`${name}\``,
    rows.map((row) => `[${row}](#${row.toLowerCase()})`).join(", "),
  ]);
  return [
    "# Rows of `--json`",
    "Generated from the types in `repl/rows/row_types.ts`. docs/command-line.md says what holds for all rows. Errors are " +
    "an [ErrorRow](#errorrow), warnings a [WarningRow](#warningrow); `--batch` wraps rows in a [BatchRow](#batchrow) and " +
    "ends each answer with a [BatchEnd](#batchend).",
    "## Commands",
    markdownTable(["command", "rows"], commands),
    "## Types",
    ...[...types.values()].sort((a, b) => a.name < b.name ? -1 : 1).map(
      typeSection,
    ),
  ].join("\n\n");
}

if (import.meta.main) {
  const directory = `${root}docs/reference`;
  await Deno.mkdir(directory, { recursive: true });
  await Deno.writeTextFile(`${directory}/json.md`, await formatted(jsonReference()));
  await Deno.writeTextFile(`${directory}/pakfs.1`, programPage(commandTable));
  await Deno.writeTextFile(`${directory}/pakfs-config.5`, configPage());
}
