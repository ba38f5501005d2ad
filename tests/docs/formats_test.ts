import { assert, assertEquals } from "@std/assert";
import { type FormatRow, formatRows } from "../../formats/mod.ts";

const root = new URL("../..", import.meta.url).pathname;
/** Set to write the table into the document instead of comparing. */
const isUpdate = Deno.env.get("PAKFS_UPDATE_DOCS") === "1";

const columns: readonly (readonly [title: string, cell: (row: FormatRow) => string])[] = [
  ["name", ({ format }) => `\`${format}\``],
  ["format", ({ title }) => title],
  ["games", ({ games }) => games],
  ["known by", ({ signature }) => signature],
  ["usual endings", ({ extensions }) => extensions.map((ending) => `\`${ending}\``).join(" ")],
  ["packing", ({ methods }) => methods.join(", ")],
  ["same name", ({ duplicates }) => `${duplicates} counts`],
  ["written", ({ writable }) => writable ? "yes" : "no"],
];

/** A Markdown table of all formats, aligned as `deno fmt` does. */
function formatsTable(): string {
  const lines = [columns.map(([title]) => title), ...formatRows().map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [header = [], ...rows] = lines;
  return [line(header, " "), line(header.map(() => ""), "-"), ...rows.map((cells) => line(cells, " "))].join("\n");
}

Deno.test("docs/formats.md holds the table of formats", async () => {
  const path = `${root}docs/formats.md`;
  const text = await Deno.readTextFile(path);
  const expected = text.replace(
    /<!-- formats -->.*<!-- \/formats -->/s,
    () => `<!-- formats -->\n\n${formatsTable()}\n\n<!-- /formats -->`,
  );
  if (isUpdate) await Deno.writeTextFile(path, expected);
  else {assertEquals(
      text,
      expected,
      "to write the new table: PAKFS_UPDATE_DOCS=1 deno test -A tests/docs/formats_test.ts",
    );}
});

Deno.test("the README names every format", async () => {
  const readme = (await Deno.readTextFile(`${root}README.md`)).replaceAll(/\s+/g, " ");
  const titles = formatRows().map(({ title }) => title).join(", ");
  const sentence = `[Formats](docs/formats.md): ${titles}, \`.pk3dir\` and loose directories.`;
  assert(readme.includes(sentence), `it does not say: ${sentence}`);
});
