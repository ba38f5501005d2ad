import { assertEquals } from "@std/assert";
import { parseArgs, unicodeWidth } from "@std/cli";

Deno.test("parseArgs() separates flags, values and positional arguments", () => {
  assertEquals<unknown>(
    parseArgs(["mount", "--json", "a dir", "--view=quake/id1", "--count", "3", "-q", "007", "--empty="], {
      boolean: ["json"],
      string: ["view"],
    }),
    { _: ["mount", "a dir"], json: true, view: "quake/id1", count: 3, q: 7, empty: "" },
  );
});

Deno.test("parseArgs() keeps text for options of that kind", () => {
  const args = parseArgs(["10", "--size", "5", "--pack", "7", "--last"], { string: ["pack", "last"] });
  assertEquals<unknown>(args, { _: [10], size: 5, pack: "7", last: "" });
  const pack: string | undefined = args.pack;
  assertEquals(pack, "7");
});

Deno.test("parseArgs() splits short options", () => {
  assertEquals<unknown>(parseArgs(["-n5", "-abc", "x", "-d=y", "-e-"]), {
    _: [],
    n: 5,
    a: true,
    b: true,
    c: "x",
    d: "y",
    e: "-",
  });
});

Deno.test("parseArgs() collects, and fills in what is absent", () => {
  const args = parseArgs([
    "-o",
    "ro",
    "--options",
    "rw",
    "--options",
    "allow_other",
    "--flag",
    "false",
    "--",
    "-b",
    "5",
  ], {
    string: ["options", "profile", "names"],
    boolean: ["flag", "quiet"],
    collect: ["options", "names"],
  });
  assertEquals<unknown>(args, {
    _: ["-b", "5"],
    o: "ro",
    options: ["rw", "allow_other"],
    names: [],
    flag: false,
    quiet: false,
  });
});

Deno.test("parseArgs() reports unknown options and leaves them out", () => {
  const reported: unknown[] = [];
  const args = parseArgs(["--json", "ls", "--jsno", "-x=2"], {
    boolean: ["json"],
    unknown: (argument, key, value) => {
      reported.push([argument, key, value]);
      return key === undefined;
    },
  });
  assertEquals<unknown>(args, { _: ["ls"], json: true });
  assertEquals(reported, [["ls", undefined, undefined], ["--jsno", "jsno", true], ["-x=2", "x", "2"]]);
});

Deno.test("parseArgs() accepts hostile names as plain names", () => {
  const args: object = parseArgs(["--__proto__", "x", "--constructor=y"]);
  assertEquals(Object.getPrototypeOf(args), Object.prototype);
  assertEquals(Object.hasOwn(args, "polluted"), false);
});

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
