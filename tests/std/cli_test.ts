import { assertEquals } from "@std/assert";
import { parseArgs, unicodeWidth } from "@std/cli";
import { parseArgs as parseArgsFromSubpath } from "@std/cli/parse-args";
import { unicodeWidth as unicodeWidthFromSubpath } from "@std/cli/unicode-width";

Deno.test("parseArgs() tells flags, values and positional arguments apart", () => {
  assertEquals<unknown>(
    parseArgs(["mount", "--json", "a dir", "--view=quake/id1", "--count", "3", "-q", "007", "--empty="], {
      boolean: ["json"],
      string: ["view"],
    }),
    { _: ["mount", "a dir"], json: true, view: "quake/id1", count: 3, q: 7, empty: "" },
  );
});

Deno.test("parseArgs() keeps text where text is asked for", () => {
  const args = parseArgs(["10", "0x10", "--size", "5", "--pack", "7", "--last"], { string: ["_", "pack", "last"] });
  assertEquals<unknown>(args, { _: ["10", "0x10"], size: 5, pack: "7", last: "" });
  const pack: string | undefined = args.pack;
  assertEquals(pack, "7");
});

Deno.test("parseArgs() takes short options apart", () => {
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

Deno.test("parseArgs() collects, negates, aliases and fills defaults", () => {
  const args = parseArgs(["-o", "ro", "--options", "allow_other", "--no-color", "x", "--flag", "false"], {
    string: ["options", "profile"],
    boolean: ["color", "flag", "quiet"],
    collect: ["options"],
    negatable: ["color"],
    alias: { options: "o" },
    default: { profile: "generic", color: true },
  });
  assertEquals<unknown>(args, {
    _: ["x"],
    o: ["ro", "allow_other"],
    options: ["ro", "allow_other"],
    color: false,
    flag: false,
    quiet: false,
    profile: "generic",
  });
});

Deno.test("parseArgs() stops where it is told to", () => {
  assertEquals<unknown>(parseArgs(["-a", "--", "-b", "5"]), { _: ["-b", "5"], a: true });
  assertEquals<unknown>(parseArgs(["-a", "--", "-b"], { "--": true }), { _: [], a: true, "--": ["-b"] });
  assertEquals<unknown>(parseArgs(["-a", "ls", "-b", "3"], { stopEarly: true, boolean: ["a"] }), {
    _: ["ls", "-b", "3"],
    a: true,
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

Deno.test("parseArgs() takes hostile names as plain names", () => {
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

Deno.test("@std/cli has upstream's subpaths", () => {
  assertEquals(parseArgsFromSubpath, parseArgs);
  assertEquals(unicodeWidthFromSubpath, unicodeWidth);
});
