import { assertEquals, assertThrows } from "@std/assert";
import { BrokenPipeError } from "../../repl/output/failure.ts";
import { Output, type Sink, wantsColour } from "../../repl/output/output.ts";
import { counted, humanDuration, humanSize, printNames, Table } from "../../repl/output/render.ts";
import { jsonLine, printable } from "../../repl/output/text.ts";
import { MemorySink } from "./harness.ts";

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

Deno.test("tables align wide characters and have no blanks at the ends of lines", () => {
  const sink = new MemorySink();
  const output = new Output(sink, sink, plain, {});
  const table = new Table(output, [{ title: "NAME" }, { title: "SIZE", align: "right" }, { title: "" }]);
  table.add("日本語", "1", "");
  table.add("ab", "1000", "x");
  table.end();
  output.flush();
  assertEquals(sink.text, "NAME    SIZE\n日本語     1\nab      1000  x\n");
});

Deno.test("names fill the terminal's width downwards", () => {
  const sink = new MemorySink(true);
  const output = new Output(sink, sink, { ...plain, colour: "never" }, {});
  printNames(output, Array.from({ length: 10 }, (_, index) => `name-number-${index}`));
  printNames(output, ["x".repeat(100), "y"]);
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

Deno.test("short writes are completed, a busy terminal is waited for, a closed pipe ends the output", () => {
  const written: number[] = [];
  let busy = true;
  const slow: Sink = {
    terminal: false,
    columns: () => 80,
    rows: () => 24,
    write: (bytes) => {
      busy = !busy;
      if (busy) throw new Deno.errors.WouldBlock("busy");
      const taken = bytes.subarray(0, 3);
      written.push(...taken);
      return taken.length;
    },
  };
  const output = new Output(slow, slow, plain, {});
  output.line("hello world");
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
  broken.line("x");
  assertThrows(() => broken.flush(), BrokenPipeError);
});

Deno.test("results and remarks come in order, quiet hides remarks, progress is for terminals", () => {
  const both = new MemorySink(true);
  const output = new Output(both, both, { ...plain, colour: "never" }, {});
  output.line("one");
  output.remark("two");
  output.with({ quiet: true }).remark("hidden");
  output.progress("half done");
  output.line("three");
  output.flush();
  assertEquals(both.text, "one\ntwo\n\r\x1b[Khalf done\r\x1b[Kthree\n");
  const piped = new MemorySink();
  new Output(piped, piped, plain, {}).progress("half done");
  assertEquals(piped.text, "");
});
