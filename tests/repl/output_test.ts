import { Table } from "../../repl/output/table.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { BrokenPipeError } from "../../repl/output/sink.ts";
import { counted, humanDuration, humanSize } from "../../repl/output/human.ts";
import { wantsColour } from "../../repl/output/colour.ts";
import { Output } from "../../repl/output/output.ts";
import type { Page } from "../../repl/output/page.ts";
import { eachRow, tableOf, textOnly, withLines } from "../../repl/output/results.ts";
import { jsonLine, printable } from "../../system/printable.ts";
import type { Sink } from "../../repl/output/sink.ts";
import { MemorySink } from "./harness.ts";
import { failureOf } from "../../repl/output/failure.ts";
import { withShortHome } from "../../system/command_line/usage.ts";

function line(text: string) {
  return textOnly((page: Page) => page.line(text));
}

const plain = { mode: "table", colour: "auto", quiet: false } as const;

Deno.test("colour: the option, then FORCE_COLOR, then NO_COLOR, then the terminal", () => {
  assertEquals(wantsColour("always", { NO_COLOR: "1" }, false), true);
  assertEquals(wantsColour("never", { FORCE_COLOR: "1" }, true), false);
  assertEquals(wantsColour("auto", { FORCE_COLOR: "1", NO_COLOR: "1" }, false), true);
  assertEquals(wantsColour("auto", { FORCE_COLOR: "0" }, true), false);
  assertEquals(wantsColour("auto", { NO_COLOR: "1" }, true), false);
  assertEquals(wantsColour("auto", { NO_COLOR: "" }, true), true);
  assertEquals(wantsColour("auto", { TERM: "dumb" }, true), false);
  assertEquals(wantsColour("auto", {}, false), false);
});

Deno.test("what a terminal would obey is shown instead", () => {
  assertEquals(
    printable("a\x1b[2J\n\t\r\0\x7f\x9b\u202eb\u2028\ufeff"),
    "a\\x1b[2J\\n\\t\\r\\x00\\x7f\\x9b\\u{202e}b\\u{2028}\\u{feff}",
  );
  assertEquals(printable("日本 👩‍👩‍👧 é"), "日本 👩‍👩‍👧 é");
  assertEquals(printable("\ud800x"), "\\u{d800}x");
  const value = { name: "a\x1b\x9b\u202e\u2028\ud800" };
  const line = jsonLine(value);
  assertEquals(JSON.parse(line), value);
  assertEquals(printable(line), line);
});

Deno.test("tables align wide characters and have no blanks at the ends of lines", async () => {
  const sink = new MemorySink();
  const output = new Output(sink, sink, plain, {});
  const rows = [{ name: "日本語", size: 1, note: "" }, { name: "ab", size: 1000, note: "x" }];
  await output.print(tableOf(rows, [
    { title: "NAME", cell: ({ name }) => name },
    { title: "SIZE", align: "right", cell: ({ size }) => String(size) },
    { title: "", cell: ({ note }) => note },
    { title: "BAR", onlyOnTerminal: true, cell: () => "###" },
  ]));
  output.flush();
  assertEquals(sink.text, "NAME    SIZE\n日本語     1\nab      1000  x\n");
});

Deno.test("names fill the terminal's width downwards", async () => {
  const sink = new MemorySink(true);
  const output = new Output(sink, sink, { ...plain, colour: "never" }, {});
  const names = Array.from({ length: 10 }, (_, index) => `name-number-${index}`);
  await output.print(textOnly((page) => page.names(names)));
  await output.print(textOnly((page) => page.names(["x".repeat(100), "y"])));
  output.flush();
  assertEquals(sink.text.split("\n"), [
    "name-number-0  name-number-3  name-number-6  name-number-9",
    "name-number-1  name-number-4  name-number-7",
    "name-number-2  name-number-5  name-number-8",
    "x".repeat(100),
    "y",
    "",
  ]);
});

Deno.test("sizes, counts and durations read as people write them", () => {
  assertEquals([0, 1023, 1024, 10189, 10240, 1048575, 1048576, 5 * 2 ** 40].map(humanSize), [
    "0",
    "1023",
    "1.0K",
    "10K",
    "10K",
    "1.0M",
    "1.0M",
    "5.0T",
  ]);
  assertEquals([counted(1, "file"), counted(1234, "file")], ["1 file", "1,234 files"]);
  assertEquals([4_000, 65_000, 3_700_000, 1e8].map(humanDuration), ["4 s", "1 min", "1 h 1 min", "1 d 3 h"]);
});

Deno.test("short writes are completed, a busy terminal is waited for, a closed pipe ends the output", async () => {
  const written: number[] = [];
  let busy = true;
  const slow: Sink = {
    terminal: false,
    columns: () => 80,
    rows: () => 24,
    write: (bytes) => {
      busy = !busy;
      if (busy) throw new Deno.errors.WouldBlock("busy");
      const accepted = bytes.subarray(0, 3);
      written.push(...accepted);
      return accepted.length;
    },
  };
  const output = new Output(slow, slow, plain, {});
  await output.print(line("hello world"));
  output.flush();
  assertEquals(String.fromCharCode(...written), "hello world\n");

  const closed: Sink = {
    terminal: false,
    columns: () => 80,
    rows: () => 24,
    write: () => {
      throw new Deno.errors.BrokenPipe("closed");
    },
  };
  const broken = new Output(closed, new MemorySink(), plain, {});
  await broken.print(line("x"));
  assertThrows(() => broken.flush(), BrokenPipeError);
});

Deno.test("results and remarks come in order, quiet hides remarks, progress is for terminals", async () => {
  const both = new MemorySink(true);
  const output = new Output(both, both, { ...plain, colour: "never" }, {});
  await output.print(line("one"));
  output.remark("two");
  output.with({ quiet: true }).remark("hidden");
  output.progress("half done");
  await output.print(line("three"));
  output.flush();
  assertEquals(both.text, "one\ntwo\n\r\x1b[Khalf done\r\x1b[Kthree\n");
  const piped = new MemorySink();
  new Output(piped, piped, plain, {}).progress("half done");
  assertEquals(piped.text, "");
});

Deno.test("a missing permission is a mistake of pakfs, and not for the user to give", () => {
  const error = new Deno.errors.NotCapable('Requires write access to "/a", run again with the --allow-write flag');
  assertEquals(failureOf(error), {
    kind: "failed",
    message: 'Requires write access to "/a", which the launcher did not grant: please report this as a bug of pakfs',
    exitCode: 1,
  });
});

/** Prints on a terminal of `columns`, and returns the lines. */
async function linesAt(columns: number, result: Parameters<Output["print"]>[0]): Promise<string[]> {
  const sink = new MemorySink(true, columns);
  const output = new Output(sink, sink, { ...plain, colour: "never" }, {});
  await output.print(result);
  output.flush();
  return sink.text.trimEnd().split("\n");
}

Deno.test("a table fits the terminal: its widest columns are shortened in the middle, numbers are not", async () => {
  const rows = [
    {
      name: "textures/base_wall/very_long_name_of_a_texture.tga",
      size: "1,234,567",
      from: "a-rather-long-pack-name.pk3",
    },
    { name: "x", size: "1", from: "y" },
  ];
  const table = () =>
    tableOf(rows, [
      { title: "NAME", cell: ({ name }) => name },
      { title: "SIZE", align: "right", cell: ({ size }) => size },
      { title: "FROM", cell: ({ from }) => from },
    ]);
  assertEquals(await linesAt(60, table()), [
    "NAME                          SIZE  FROM",
    "textures/ba…texture.tga  1,234,567  a-rather-lon…ck-name.pk3",
    "x                                1  y",
  ]);
});

Deno.test("a table that does not fit leaves out optional columns, the last first", async () => {
  const table = () =>
    tableOf([{ name: "pak0.pak", size: "18M", when: "1997-03-11 13:05" }], [
      { title: "NAME", cell: ({ name }) => name },
      { title: "SIZE", align: "right", isOptional: true, cell: ({ size }) => size },
      { title: "MODIFIED", isOptional: true, cell: ({ when }) => when },
    ]);
  assertEquals(await linesAt(32, table()), ["NAME      SIZE  MODIFIED", "pak0.pak   18M  1997-03-11 13:05"]);
  assertEquals(await linesAt(31, table()), ["NAME      SIZE", "pak0.pak   18M"]);
  assertEquals(await linesAt(10, table()), ["NAME", "pak0.pak"]);
});

Deno.test("nothing is cut inside a word: sentences are wrapped, in tables below their column or on lines of their own", async () => {
  const sentence = "pak1.pak has a higher number than pak0.pak, and the higher number wins";
  const rows = [{ name: "gfx/conback.lmp", why: sentence }];
  const table = () =>
    tableOf(rows, [{ title: "FILE", cell: ({ name }) => name }, {
      title: "WHY",
      isProse: true,
      cell: ({ why }) => why,
    }]);
  assertEquals(await linesAt(60, table()), [
    "FILE             WHY",
    "gfx/conback.lmp  pak1.pak has a higher number than pak0.pak,",
    "                 and the higher number wins",
  ]);
  const empty = () =>
    tableOf([{ name: "a".repeat(29), why: "" }], [
      { title: "FILE", cell: ({ name }) => name },
      { title: "", isProse: true, cell: ({ why }) => why },
    ]);
  assertEquals(await linesAt(20, empty()), ["FILE", "a".repeat(29)]);
  assertEquals(await linesAt(36, table()), [
    "FILE             WHY",
    "gfx/conback.lmp",
    "      pak1.pak has a higher number",
    "      than pak0.pak, and the higher",
    "      number wins",
  ]);
  assertEquals(await linesAt(30, line(`  ${sentence}`)), [
    "  pak1.pak has a higher number",
    "    than pak0.pak, and the",
    "    higher number wins",
  ]);
});

Deno.test("the home directory is ~ on a terminal, and whole for programs", async () => {
  const sentence = '/home/me/a: /home/me is (/home/me/b, not /home/me2, "/home/me/c d" or x/home/me).';
  const short = '~/a: ~ is (~/b, not /home/me2, "/home/me/c d" or x/home/me).';
  assertEquals([withShortHome(sentence, "/home/me"), withShortHome("/a", "/")], [short, "/a"]);
  for (const terminal of [true, false]) {
    const [results, remarks] = [new MemorySink(terminal), new MemorySink(terminal)];
    const output = new Output(results, remarks, { mode: "table", colour: "never", quiet: false }, { HOME: "/home/me" });
    // deno-lint-ignore no-await-in-loop -- two cases
    await output.printAll(textOnly((page) => {
      page.table(["/home/me/x"], [{ title: "PATH", cell: (path) => path }, { title: "Y", cell: () => "y" }]);
      page.fields([["mount", "/home/me/x"]]);
      page.content("/home/me/x is what the file says");
    }));
    output.failure({ kind: "failed", message: "/home/me/x: no such file", exitCode: 1 });
    output.with({ mode: "jsonlines" }).failure({ kind: "failed", message: "/home/me/x: no such file", exitCode: 1 });
    const x = terminal ? "~/x" : "/home/me/x";
    const table = terminal ? "PATH  Y\n~/x   y\n" : "PATH        Y\n/home/me/x  y\n";
    assertEquals(results.text, `${table}mount: ${x}\n/home/me/x is what the file says\n`);
    const object = '{"error":{"kind":"failed","message":"/home/me/x: no such file","exitCode":1}}\n';
    assertEquals(remarks.text, `pakfs: ${x}: no such file\n${object}`);
  }
});

Deno.test("a cell of a table is measured once, however many columns and rows there are", () => {
  let measured = 0;
  const cell = (row: number) => ({
    style: "dim" as const,
    get text() {
      measured++;
      return `é${row}`;
    },
  });
  const lines: unknown[] = [];
  const table = new Table<number>(
    [{ title: "A", cell }, { title: "B", align: "right", cell }, { title: "C", cell }],
    (line) => lines.push(line),
    80,
  );
  for (let row = 0; row < 1200; row++) table.add(row);
  table.end();
  assertEquals([lines.length, measured], [1201, 3 * 1200]);
});

Deno.test("lines of JSON are passed on where that is the mode, with what a terminal would obey escaped", async () => {
  const rows = [{ name: "a" }, { name: "b\x9b\u202e" }];
  const lines = () => ReadableStream.from([rows.map((row) => JSON.stringify(row)).join("\n"), "", '{"name":"c"}']);
  for (const mode of ["jsonlines", "json", "csv"] as const) {
    const sink = new MemorySink();
    const output = new Output(sink, sink, { ...plain, mode }, {});
    // deno-lint-ignore no-await-in-loop -- to see which one fails
    await output.printAll(withLines(eachRow(rows, () => {}), lines()));
    assertEquals(
      sink.text,
      {
        jsonlines: '{"name":"a"}\n{"name":"b\\u009b\\u202e"}\n{"name":"c"}\n',
        json: '[{"name":"a"},\n {"name":"b\\u009b\\u202e"}]\n',
        csv: "name\na\nb\x9b\u202e\n",
      }[mode],
    );
  }
});
