import { assertEquals, assertThrows } from "@std/assert";
import fc from "../../support/fast_check.ts";
import { blockOf, parseValveData, textOf, ValveDataError } from "../../../games/detect/valve_data.ts";

Deno.test("a libraryfolders.vdf is read as Steam writes it", () => {
  const text = `"libraryfolders"
{
	"0"
	{
		"path"		"/home/me/.local/share/Steam"
		"label"		""
		"apps"
		{
			"2310"		"1031936"
		}
	}
	// a comment with a } in it
	"1"
	{
		"path"		"/mnt/with \\"quotes\\" and \\\\"
	}
}
`;
  const folders = blockOf(parseValveData(text), "libraryfolders");
  assertEquals(Array.from(folders.keys()), ["0", "1"]);
  assertEquals(textOf(blockOf(folders, "0"), "path"), "/home/me/.local/share/Steam");
  assertEquals(textOf(blockOf(folders, "0"), "label"), "");
  assertEquals(textOf(blockOf(blockOf(folders, "0"), "apps"), "2310"), "1031936");
  assertEquals(textOf(blockOf(folders, "1"), "path"), '/mnt/with "quotes" and \\');
});

Deno.test("keys are found in any case, words need no quotes, and the first of two equal keys counts", () => {
  const root = parseValveData('AppState{appid 2310 "Name" "Quake" name Other inner{a b}inner{a c}}');
  const state = blockOf(root, "appstate");
  assertEquals([textOf(state, "appid"), textOf(state, "name")], ["2310", "Quake"]);
  assertEquals(textOf(blockOf(state, "inner"), "a"), "b");
  assertEquals(textOf(root, "appstate"), undefined);
  assertEquals(blockOf(state, "name").size, 0);
});

Deno.test("what is not in Valve's format is refused, however it is broken", () => {
  const broken: [text: string, reason: string][] = [
    ["{", 'a "{" has no name before it'],
    ["}", 'a "}" has no beginning'],
    ["a {", 'a "{" has no end'],
    ["a { b }", 'a "}" has no beginning'],
    ["a", '"a" has no value'],
    ['a "b', "the quote at character 2 has no end"],
    ['a "b\\"', "the quote at character 2 has no end"],
    ["a { ".repeat(40), "blocks are nested more than 32 times"],
  ];
  for (const [text, reason] of broken) {
    assertEquals(assertThrows(() => parseValveData(text), ValveDataError).message, reason, text);
  }
});

Deno.test("any text is read or refused, also a very long one", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'{}"\\/ \na1') }), (text) => {
    try {
      parseValveData(text);
    } catch (error) {
      if (!(error instanceof ValveDataError)) throw error;
    }
  }));
  const long = "x".repeat(10_000_000);
  assertEquals(textOf(parseValveData(`a "${long}"`), "a"), long);
  assertThrows(() => parseValveData(`a "${long}`), ValveDataError);
  assertThrows(() => parseValveData("{".repeat(1_000_000)), ValveDataError);
  assertEquals(textOf(parseValveData(`a "${"\\\\".repeat(1_000_000)}"`), "a")?.length, 1_000_000);
});
