import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../system/command_line/usage.ts";
import { isBlank, isOpenSql, quoteWord, splitLine, splitPartial } from "../../repl/shell/grammar.ts";
import { printable } from "../../system/printable.ts";
import fc from "../support/fast_check.ts";

/** Returns the arguments of a line of one command. */
function wordsOf(line: string): readonly string[] {
  const [statement, ...others] = splitLine(line);
  assertEquals(others, []);
  return statement?.words ?? [];
}

Deno.test("words are parted by blanks and tabs", () => {
  assertEquals(wordsOf("find  *.wav\t--size +1M "), ["find", "*.wav", "--size", "+1M"]);
  assertEquals(splitLine("   "), []);
});

Deno.test("double quotes know escapes, single quotes are literal, touching parts are one word", () => {
  assertEquals(wordsOf(String.raw`cat "a \"b\"\n\x41\u{1f3ae}\\"`), ["cat", 'a "b"\nA🎮\\']);
  assertEquals(wordsOf(String.raw`cat 'a\n"b"'`), ["cat", String.raw`a\n"b"`]);
  assertEquals(wordsOf(`cat my' map'".bsp" ""`), ["cat", "my map.bsp", ""]);
  assertEquals(wordsOf(String.raw`cat my\ map.bsp`), ["cat", "my map.bsp"]);
});

Deno.test("an open quote and an unknown escape are usage errors that name the column", () => {
  assertThrows(() => splitLine(`cat "abc`), UsageError, "column 5");
  assertThrows(() => splitLine(`cat 'abc`), UsageError, "the ' quote");
  assertThrows(() => splitLine(String.raw`cat "\q"`), UsageError, String.raw`unknown escape \q`);
  assertThrows(() => splitLine(String.raw`cat "\u{110000}"`), UsageError, "unknown escape");
});

Deno.test("blank lines and comments hold no command", () => {
  assertEquals([" ", "# ls", "  # ls", "ls # x"].map(isBlank), [true, true, true, false]);
});

Deno.test("a bare ; separates commands, and a bare > or >> sends the results of one to a file", () => {
  const file = (path: string, append: boolean) => ({ kind: "file", path, append }) as const;
  assertEquals(splitLine(`ls maps;; find 'a;b' ; `), [{ words: ["ls", "maps"] }, { words: ["find", "a;b"] }]);
  assertEquals(splitLine(`ls>a.txt;du >> "b c" ;pwd`), [
    { words: ["ls"], into: file("a.txt", false) },
    { words: ["du"], into: file("b c", true) },
    { words: ["pwd"] },
  ]);
  assertEquals(splitLine("ls; find | sort; uniq"), [
    { words: ["ls"] },
    { words: ["find"], into: { kind: "program", command: "sort; uniq" } },
  ]);
  assertEquals(splitLine(" !ls -l | wc; id"), [{ words: [".shell", "ls -l | wc; id"] }]);
  assertEquals(splitLine(`.shell ls "a b"`), [{ words: [".shell", `ls "a b"`] }]);
  assertThrows(() => splitLine("ls > "), UsageError, 'column 4: no file after ">"');
  assertThrows(() => splitLine("ls; > x"), UsageError, 'column 5: nothing before ">"');
  assertThrows(() => splitLine("ls > a b"), UsageError, "column 4: more than one file");
  assertThrows(() => splitLine("ls > a | wc"), UsageError, "column 8: the results go to a already");
});

Deno.test("an unfinished line yields the word under the cursor and its quote", () => {
  assertEquals(splitPartial("stat ma"), { words: ["stat"], last: "ma", start: 5, quote: "", isOfShell: false });
  assertEquals(splitPartial('stat "my m'), { words: ["stat"], last: "my m", start: 5, quote: '"', isOfShell: false });
  assertEquals(splitPartial("ls; cat >> a"), { words: [], last: "a", start: 11, quote: "", isOfShell: true });
  assertEquals(splitPartial("ls > a; cat b"), { words: ["cat"], last: "b", start: 12, quote: "", isOfShell: false });
  assertEquals(splitPartial("stat "), { words: ["stat"], last: "", start: 5, quote: "", isOfShell: false });
});

Deno.test("after a | the word under the cursor begins after the last blank or the |, wherever they are", () => {
  const piece = fc.constantFrom("ls", "gr", " ", "  ", "x", "/", "\t");
  const pieces = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(pieces, pieces, (before, after) => {
      const line = `${before}|${after}`;
      const last = after.split(/\s/).at(-1) ?? "";
      const { isOfShell, last: found, start } = splitPartial(line);
      assertEquals(
        { isOfShell, found, start },
        { isOfShell: true, found: last, start: line.length - last.length },
        line,
      );
    }),
    { examples: [["ls", "gr"], ["ls", ""], ["", ""]] },
  );
});

Deno.test("a quoted word reads back the same and holds nothing a terminal obeys", () => {
  const words = ["plain/name.tga", "", "a b", "it's", '"', "\\", "\x1b[2J\n\0", "\u202etxt.exe", "日本", "#x", "\x85"];
  for (const word of words) {
    for (const quote of ["", '"', "'"] as const) {
      const quoted = quoteWord(word, quote);
      assertEquals(wordsOf(quoted), [word], quoted);
      assertEquals(printable(quoted), quoted);
    }
  }
  assertEquals(quoteWord("maps/e1m1.bsp"), "maps/e1m1.bsp");
});

Deno.test("a line that begins as a statement of SQL is that as a whole", () => {
  assertEquals(splitLine(` select 1 > 2 | 3; -- x'`), [{ words: ["sql", "select 1 > 2 | 3; -- x'"] }]);
  assertEquals(splitLine("selection"), [{ words: ["selection"] }]);
});

Deno.test("a statement of SQL continues until a semicolon at the end of a line, outside of strings and comments", () => {
  const open = [
    "select 1",
    "WITH a AS (",
    "select ';",
    'select ";"',
    "select '--';'",
    "values (1); /* ;",
    "select 1 -- ;",
    "select [;",
  ];
  const closed = [
    "select 1;",
    "select ';' ; ",
    "values ('--');",
    "explain /* x */ select 1;  -- y",
    "ls maps",
    "select 'a''b';",
  ];
  assertEquals(open.filter((line) => !isOpenSql(line)), []);
  assertEquals(closed.filter(isOpenSql), []);
});
