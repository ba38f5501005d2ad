import { assert, assertEquals } from "@std/assert";
import { converters } from "../../media/convert/table.ts";
import { configSchema, gameKeys, topKeys } from "../../daemon/config/config_settings.ts";
import { parseConfig } from "../../daemon/config/config_file.ts";
import { type FormatRow, formatRows } from "../../formats/mod.ts";
import { profiles } from "../../engines/table.ts";
import { sqlTables } from "../../questions/sql/schema.ts";
import * as questions from "../../questions/table.ts";
import { profilesDocument } from "./profiles_document.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { entryOptions } from "../../repl/command/global_options.ts";
import { launcherMarks, launcherOptions } from "../../repl/help/launcher_options.ts";
import { commandPage, configPage, programPage } from "../../repl/help/man_page.ts";
import { methodNames } from "../../service/methods/table.ts";
import { needs } from "../support/programs.ts";
import { formatted, markdownTable } from "./markdown.ts";
import { withSentences } from "./key_sentences.ts";
import { methodsTable, parametersTable, readMethods } from "./methods.ts";

const root = new URL("../..", import.meta.url).pathname;
/** Set to write the documents instead of comparing. */
const isUpdate = Deno.env.get("PAKFS_UPDATE_DOCS") === "1";

function keysTable(keys: typeof topKeys): string {
  return markdownTable(
    ["key", "what it decides", "takes"],
    keys.map(({ name, sentence, takes }) => [`\`${name}\``, sentence, takes]),
  );
}

function formatsTable(): string {
  const columns: Readonly<Record<string, (row: FormatRow) => string>> = {
    name: ({ format }) => `\`${format}\``,
    format: ({ title }) => title,
    games: ({ games }) => games,
    "known by": ({ signature }) => signature,
    extensions: ({ extensions }) => extensions.map((ending) => `\`${ending}\``).join(" "),
    compression: ({ methods }) => methods.join(", "),
    "same name": ({ duplicates }) => `${duplicates} counts`,
    written: ({ writable }) => writable ? "yes" : "no",
  };
  return markdownTable(
    Object.keys(columns),
    formatRows().map((row) => Object.values(columns).map((cell) => cell(row))),
  );
}

function convertersTable(): string {
  return markdownTable(
    ["files", "extensions", "become", "size known"],
    converters.map(({ title, extensions, to, size }) => [
      title,
      extensions.map((extension) => extension === "" ? "none" : `\`.${extension}\``).join(" "),
      `\`.${to}\``,
      size ? "by the header" : "once converted",
    ]),
  );
}

/** The tables of SQL, each with its columns. */
function sqlTablesList(): string {
  return sqlTables.map(({ name, meaning, columns }) =>
    `**\`${name}\`**: ${meaning}\n\n` +
    markdownTable(
      ["column", "type", "meaning"],
      columns.map((column) => [
        `\`${column.name}\``,
        column.type,
        column.meaning,
      ]),
    )
  ).join("\n\n");
}

/** The names of all formats, and the number of engines. */
function formatsAndEngines(): string {
  const formats = formatRows().map(({ title }) => title).join(", ");
  return `[Formats](docs/formats.md): ${formats}, \`.pk3dir\` and loose directories.\n\n` +
    `[Engines](docs/profiles.md): the rules of ${profiles.length}, with the games that run on them, from Quake, Quake II, ` +
    "Quake III and their source ports to GZDoom, Doom 3, Source and Build. A configuration can describe others.";
}

/** Returns a document whose parts between `<!-- NAME -->` and `<!-- /NAME -->` are filled in. */
async function filled(path: string, parts: Readonly<Record<string, string>>): Promise<string> {
  let text = await Deno.readTextFile(root + path);
  for (const [name, part] of Object.entries(parts)) {
    const marked = new RegExp(`<!-- ${name} -->.*<!-- /${name} -->`, "s");
    assert(marked.test(text), `${path} has no ${name}`);
    text = text.replace(marked, () => `<!-- ${name} -->\n\n${part}\n\n<!-- /${name} -->`);
  }
  return await formatted(text);
}

/** The launcher with the section that is generated from the command table. */
async function launcher(): Promise<string> {
  const text = await Deno.readTextFile(`${root}pakfs`);
  const [before = "", after = ""] = text.split(launcherMarks.begin);
  const [, rest] = after.split(launcherMarks.end);
  assert(rest !== undefined, "the launcher has lost its marks");
  const options = launcherOptions(commandTable, entryOptions);
  return before + launcherMarks.begin + options + launcherMarks.end + rest;
}

const documents: Readonly<Record<string, () => Promise<string> | string>> = {
  "pakfs": launcher,
  "README.md": () => filled("README.md", { names: formatsAndEngines() }),
  "docs/config.schema.json": () => formatted(JSON.stringify(configSchema(), withSentences), "json"),
  "docs/configuration.md": () =>
    filled("docs/configuration.md", { top: keysTable(topKeys), game: keysTable(gameKeys) }),
  "docs/converters.md": () => filled("docs/converters.md", { converters: convertersTable() }),
  "docs/formats.md": () => filled("docs/formats.md", { formats: formatsTable() }),
  "docs/protocol.md": async () => {
    const methods = await readMethods();
    const parts = { methods: methodsTable(methods), parameters: parametersTable(methods) };
    return filled("docs/protocol.md", parts);
  },
  "docs/queries.md": () => filled("docs/queries.md", { tables: sqlTablesList() }),
  "docs/profiles.md": () => formatted(profilesDocument()),
};

for (const [path, write] of Object.entries(documents)) {
  Deno.test(`${path} is as its program writes it`, async () => {
    const text = await write();
    if (isUpdate) await Deno.writeTextFile(root + path, text);
    else assertEquals(await Deno.readTextFile(root + path), text, "to write it: deno task docs:write");
  });
}

Deno.test("docs/protocol.md knows every method, and every parameter that is checked", async () => {
  const methods = await readMethods();
  assertEquals(methods.map(({ name }) => name).sort(), methodNames.toSorted());
  for (const [name, question] of Object.entries(questions)) {
    const documented = methods.find((method) => method.name === name)?.parameters.map((parameter) => parameter.name);
    assertEquals(
      documented?.filter((parameter) => parameter !== "page").sort(),
      Object.keys(question.parameters).sort(),
    );
  }
});

Deno.test("configurations in documents are accepted", async () => {
  const paths = ["README.md", "docs/profiles.md", "docs/configuration.md"];
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(root + path)));
  const shown = texts.flatMap((text) => Array.from(text.matchAll(/```toml\n(.*?)```/gs), ([, toml]) => toml ?? ""));
  assert(shown.length >= 3);
  for (const toml of shown) parseConfig(toml, "/config.toml");
});

/** Returns the output of a program for a manual page. */
async function readBy(program: string, args: string[], page: string): Promise<{ out: string; err: string }> {
  const options = {
    args,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    env: { MANWIDTH: "80", LC_ALL: "C.UTF-8" },
  } as const;
  const child = new Deno.Command(program, { ...options }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(page));
  await writer.close();
  const { stdout, stderr } = await child.output();
  // deno-lint-ignore no-control-regex -- bold and underlined letters are struck twice or coloured
  const text = new TextDecoder().decode(stdout).replaceAll(/.\x08|\x1b\[[0-9;]*m/g, "");
  return { out: text, err: new TextDecoder().decode(stderr) };
}

Deno.test({
  name: "groff finds nothing wrong with any manual page, and shows what is meant",
  ...needs("groff"),
  fn: async () => {
    // Separate runs would take long, so one run reads all pages that are not shown.
    const pages = [programPage(commandTable), configPage(), ...commandTable.map(commandPage)];
    assertEquals((await readBy("groff", ["-man", "-ww", "-z", "-Tutf8"], pages.join("\n"))).err, "");
    const { out } = await readBy("groff", ["-man", "-Tutf8"], programPage(commandTable));
    const words = out.replaceAll(/\s+/g, " ");
    for (const shown of ["--show-packs", "pakfs find '*.wav'", "~/.config/pakfs/config.toml", "find [PATTERN...]"]) {
      assert(words.includes(shown), `the page does not show ${shown}`);
    }
    for (const { name, hidden } of commandTable) {
      assertEquals(words.includes(`pakfs ${name}`), hidden !== true, name);
    }
  },
});
