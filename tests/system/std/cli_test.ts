import { assertEquals } from "@std/assert";
import { unicodeWidth } from "@std/cli";

Deno.test("unicodeWidth() counts terminal columns", () => {
  for (
    const [text, width] of [
      ["", 0],
      ["pak0.pak", 8],
      ["é", 1],
      ["e\u0301", 1],
      ["한글", 4],
      ["\u1112\u1161\u11ab", 2],
      ["龍の巣", 6],
      ["ﾊﾝｶｸ", 4],
      ["Ｗ", 2],
      ["🎮", 2],
      ["a\u200bb\u0007", 2],
      ["─│", 2],
    ] as const
  ) assertEquals(unicodeWidth(text), width, JSON.stringify(text));
});
