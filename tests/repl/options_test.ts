import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../system/command_line/usage.ts";
import { type OptionSpec, parseOptions } from "../../system/command_line/options.ts";
import { editDistance, nearest, nearestNames } from "../../system/command_line/suggest.ts";

const specs: readonly OptionSpec[] = [
  { name: "long", short: "l", summary: "" },
  { name: "quiet", short: "q", summary: "" },
  { name: "output", short: "o", value: "DIR", summary: "" },
  { name: "size", value: "SIZE", summary: "" },
  { name: "ext", value: "EXT", repeatable: true, summary: "" },
  { name: "color", value: "WHEN", choices: ["auto", "never"], summary: "" },
];

Deno.test("every usual spelling of an option is understood", () => {
  for (
    const args of [["-o", "d", "-lq"], ["-od", "-l", "-q"], ["-lqo", "d"], ["--output=d", "--long", "--quiet"], [
      "-qlo=d",
    ]]
  ) {
    const { options, words } = parseOptions(args, specs);
    assertEquals([options.value("output"), options.flag("long"), options.flag("quiet"), words], ["d", true, true, []]);
  }
});

Deno.test("values may begin with one dash or hold an equals sign, and words stay text", () => {
  const { options, words } = parseOptions(["--size", "-10k", "007", "--ext=a=b", "--ext", "c", "true"], specs);
  assertEquals(options.value("size"), "-10k");
  assertEquals(options.list("ext"), ["a=b", "c"]);
  assertEquals(words, ["007", "true"]);
});

Deno.test("a flag does not swallow the word after it", () => {
  assertEquals(parseOptions(["-l", "false"], specs).words, ["false"]);
});

Deno.test("after -- nothing is an option", () => {
  const { options, words } = parseOptions(["--", "-l", "--nope"], specs);
  assertEquals([options.flag("long"), words], [false, ["-l", "--nope"]]);
});

Deno.test("options before the command end at the first word", () => {
  const { options, words } = parseOptions(["-q", "find", "-l", "--nope"], specs, true);
  assertEquals([options.flag("quiet"), options.flag("long"), words], [true, false, ["find", "-l", "--nope"]]);
});

Deno.test("wrong options are usage errors that say what would be right", () => {
  assertThrows(() => parseOptions(["--lnog"], specs), UsageError, "unknown option --lnog; did you mean --long?");
  assertThrows(() => parseOptions(["-x"], specs), UsageError, "unknown option -x");
  assertThrows(() => parseOptions(["--output"], specs), UsageError, "--output needs a value: --output DIR");
  assertThrows(() => parseOptions(["--output", "--long"], specs), UsageError, "--output needs a value");
  assertThrows(() => parseOptions(["--long=1"], specs), UsageError, "--long takes no value");
  assertThrows(() => parseOptions(["--color", "nevr"], specs), UsageError, "did you mean never?");
  assertThrows(() => parseOptions(["--size", "x"], specs).options.count("size"), UsageError, "whole number");
  assertThrows(() => parseOptions(["--__proto__"], specs), UsageError, "unknown option --__proto__");
});

Deno.test("the nearest word is found by typing mistakes, and not among strangers", () => {
  assertEquals(editDistance("stta", "stat"), 1);
  assertEquals(editDistance("kitten", "sitting"), 3);
  assertEquals(nearest("fnid", ["ls", "find", "tree"]), "find");
  assertEquals(nearest("FIND", ["ls", "find"]), "find");
  assertEquals(nearest("hex", ["hexdump", "ls"]), "hexdump");
  assertEquals(nearest("xyzzy", ["ls", "find", "tree"]), undefined);
});

Deno.test("names are ranked by how near they are, as a whole, by their last part, or by their beginning", () => {
  const names = ["textures/sky/night", "textures/sky/nights.tga", "night", "knight", "textures/sky/nightfall", "day"];
  assertEquals(nearestNames("night", names), [
    "night",
    "textures/sky/night",
    "knight",
    "textures/sky/nights.tga",
    "textures/sky/nightfall",
  ]);
  assertEquals(nearestNames("textures/sky/nigth", names, 1), ["textures/sky/night"]);
  assertEquals(nearestNames("x".repeat(1000), ["x".repeat(1000)]), []);
});
