import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../command_line/usage.ts";
import { isBlank, quoteWord, splitLine, splitPartial } from "../../repl/shell/grammar.ts";
import { printable } from "../../repl/output/text.ts";
import fc from "../support/fast_check.ts";

Deno.test("words are parted by blanks and tabs", () => {
  assertEquals(splitLine("find  *.wav\t--size +1M ").words, ["find", "*.wav", "--size", "+1M"]);
  assertEquals(splitLine("   ").words, []);
});

Deno.test("double quotes know escapes, single quotes are literal, touching parts are one word", () => {
  assertEquals(splitLine(String.raw`cat "a \"b\"\n\x41\u{1f3ae}\\"`).words, ["cat", 'a "b"\nA🎮\\']);
  assertEquals(splitLine(String.raw`cat 'a\n"b"'`).words, ["cat", String.raw`a\n"b"`]);
  assertEquals(splitLine(`cat my' map'".bsp" ""`).words, ["cat", "my map.bsp", ""]);
  assertEquals(splitLine(String.raw`cat my\ map.bsp`).words, ["cat", "my map.bsp"]);
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

Deno.test("an unfinished line yields the word under the cursor and its quote", () => {
  assertEquals(splitPartial("stat ma"), { words: ["stat"], last: "ma", start: 5, quote: "", shell: false });
  assertEquals(splitPartial('stat "my m'), { words: ["stat"], last: "my m", start: 5, quote: '"', shell: false });
  assertEquals(splitPartial("stat "), { words: ["stat"], last: "", start: 5, quote: "", shell: false });
});

Deno.test("behind a | the word under the cursor begins after the last blank or the |, wherever they are", () => {
  const piece = fc.constantFrom("ls", "gr", " ", "  ", "x", "/", "\t");
  const pieces = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(pieces, pieces, (before, after) => {
      const line = `${before}|${after}`;
      const last = after.split(/\s/).at(-1) ?? "";
      const { shell, last: found, start } = splitPartial(line);
      assertEquals({ shell, found, start }, { shell: true, found: last, start: line.length - last.length }, line);
    }),
    { examples: [["ls", "gr"], ["ls", ""], ["", ""]] },
  );
});

Deno.test("a quoted word reads back the same and holds nothing a terminal obeys", () => {
  const words = ["plain/name.tga", "", "a b", "it's", '"', "\\", "\x1b[2J\n\0", "\u202etxt.exe", "日本", "#x", "\x85"];
  for (const word of words) {
    for (const quote of ["", '"', "'"] as const) {
      const quoted = quoteWord(word, quote);
      assertEquals(splitLine(quoted).words, [word], quoted);
      assertEquals(printable(quoted), quoted);
    }
  }
  assertEquals(quoteWord("maps/e1m1.bsp"), "maps/e1m1.bsp");
});
