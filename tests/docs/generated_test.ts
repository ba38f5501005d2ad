import { assert, assertEquals } from "@std/assert";
import { configSchema, gameKeys, topKeys } from "../../config/config_settings.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { entryOptions } from "../../repl/command/global_options.ts";
import { launcherMarks, launcherOptions } from "../../repl/help/launcher_options.ts";
import { commandPage, configPage, programPage } from "../../repl/help/man_page.ts";

const root = new URL("../..", import.meta.url).pathname;
/** Set to write the documents instead of comparing. */
const isUpdate = Deno.env.get("PAKFS_UPDATE_DOCS") === "1";
const hint = "to write it anew: PAKFS_UPDATE_DOCS=1 deno test -A tests/docs/generated_test.ts";

function keysTable(keys: typeof topKeys): string {
  const rows = keys.map(({ name, sentence, takes }) => [`\`${name}\``, sentence, takes]);
  const lines = [["key", "what it decides", "takes"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [header = []] = lines;
  return [line(header, " "), line(["", "", ""], "-"), ...rows.map((cells) => line(cells, " "))].join("\n");
}

/** A document whose parts between `<!-- NAME -->` and `<!-- /NAME -->` are filled in. */
async function filled(path: string, parts: Readonly<Record<string, string>>): Promise<string> {
  let text = await Deno.readTextFile(path);
  for (const [name, part] of Object.entries(parts)) {
    const marked = new RegExp(`<!-- ${name} -->.*<!-- /${name} -->`, "s");
    assert(marked.test(text), `${path} has no ${name}`);
    text = text.replace(marked, () => `<!-- ${name} -->\n\n${part}\n\n<!-- /${name} -->`);
  }
  return text;
}

/** The launcher with the part that is made of the command table. */
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
  "docs/man/pakfs.1": () => programPage(commandTable),
  "docs/man/pakfs-config.5": configPage,
  "docs/config.schema.json": async () => {
    const text = JSON.stringify(configSchema());
    const child = new Deno.Command(Deno.execPath(), {
      args: ["fmt", "--quiet", "--config", `${root}deno.json`, "--ext", "json", "-"],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
    return new TextDecoder().decode((await child.output()).stdout);
  },
  "docs/configuration.md": () =>
    filled(`${root}docs/configuration.md`, { top: keysTable(topKeys), game: keysTable(gameKeys) }),
};

for (const [path, write] of Object.entries(documents)) {
  Deno.test(`${path} is what the tables say`, async () => {
    const text = await write();
    if (isUpdate) await Deno.writeTextFile(root + path, text);
    else assertEquals(await Deno.readTextFile(root + path), text, hint);
  });
}

async function isThere(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

/** What a program says of a manual page. */
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
  ignore: !await isThere("groff"),
  fn: async () => {
    // One after the other would take long, so all pages that are not shown are read in one go.
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
