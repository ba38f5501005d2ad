// deno-lint-ignore-file no-await-in-loop -- documents and lines follow one another
/**
 * Checks commands in sentences and tables of documents, and the conversation on the socket; `readme_test.ts` runs the
 * console sessions.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { commandTable } from "../../repl/commands/table.ts";
import { prepare } from "../../repl/shell/execute.ts";
import { connectionOptions } from "../../repl/command/global_options.ts";
import { splitLine } from "../../repl/shell/grammar.ts";
import { pakOf } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Parses a command line; throws if its command or its options are unknown. */
function check(line: string): boolean {
  return splitLine(line).every(({ words }) => checkWords(words));
}

function checkWords(words: readonly string[]): boolean {
  // Placeholders for words of the user.
  const given = words.filter((word) => !/^(\[.*\]|\.\.\.)$/.test(word));
  prepare(given, commandTable, [
    ...connectionOptions,
    ...["version", "batch"].map((name) => ({ name, summary: "" })),
  ]);
  return true;
}

/** Code in sentences and tables, not in blocks. */
function inlineCode(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, "");
  return Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code);
}

/** Documents that name commands without `pakfs` in front. */
const withBareCommands = ["README.md", "docs/questions.md"];
/** Commands of programs with names like pakfs commands. */
const commandsOfOthers = ["find -printf", "grep -r"];

Deno.test("commands in sentences and tables are commands, with options that they have", async () => {
  const documents = ["README.md", "CHANGELOG.md"];
  for await (const { name } of Deno.readDir(`${root}docs`)) if (name.endsWith(".md")) documents.push(`docs/${name}`);
  const names = new Set(commandTable.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  let checked = 0;
  for (const document of documents) {
    for (const code of inlineCode(await Deno.readTextFile(root + document))) {
      const [first = "", second = ""] = code.split(" ");
      const isOwn = first === "pakfs" && second !== "";
      const isCommand = (withBareCommands.includes(document) || first === "mount") && second !== "" && names.has(first);
      if ((!isOwn && !isCommand) || commandsOfOthers.includes(code)) continue;
      try {
        check(isOwn ? code.slice("pakfs ".length) : code);
      } catch (error) {
        throw new Error(`${document}: \`${code}\``, { cause: error });
      }
      checked++;
    }
  }
  assert(checked > 40, `only ${checked} were found`);
});

Deno.test("unknown commands and options are reported", () => {
  for (const wrong of ["fnd x", "packs --fully-shadowd", "mount --nonsense a b"]) {
    let message = "";
    try {
      check(wrong);
    } catch (error) {
      message = error instanceof Error ? error.message : "";
    }
    assert(message !== "", wrong);
  }
});

/** Replaces the numbers that differ each time. */
function steady(line: string): string {
  return line.replace(/"pid":\d+/, '"pid":N').replace(/"cursor":"find:\d+:\d+"/, '"cursor":"find:N"');
}

Deno.test("the conversation of docs/protocol.md is what the socket says", async () => {
  const shown = /^```\n(> .*?)```/ms.exec(await Deno.readTextFile(`${root}docs/protocol.md`))?.[1] ?? "";
  await using made = await bothConnections(
    { "id1/pak0.pak": pakOf("a.wav", "b.wav", "c.wav", "d.txt") },
    (path) => [{ name: "quake", profile: "quake", sources: [path] }],
  );
  using socket = await Deno.connect({ transport: "unix", path: `${made.path}/run/pakfs.sock` });
  const answers = socket.readable.pipeThrough(new TextDecoderStream()).getReader();
  const writer = socket.writable.getWriter();
  let [rest, cursor] = ["", ""];
  for (const line of shown.trimEnd().split("\n")) {
    if (line.startsWith("> ")) {
      await writer.write(new TextEncoder().encode(`${line.slice(2).replace(/find:\d+:\d+/, cursor)}\n`));
      continue;
    }
    while (!rest.includes("\n")) rest += (await answers.read()).value ?? "\n";
    const answer = rest.slice(0, rest.indexOf("\n"));
    rest = rest.slice(answer.length + 1);
    cursor = /find:\d+:\d+/.exec(answer)?.[0] ?? cursor;
    assertEquals(steady(answer).replace(/"rows":\[.*\]/, '"rows":[...]'), steady(line.slice(2)));
  }
  assert(cursor !== "", "there was no second page");
  await answers.cancel();
});
