// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assertEquals } from "@std/assert";
import { History, historySize } from "../../repl/shell/history.ts";
import { promptFor } from "../../repl/shell/repl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("the history outlives the REPL, newest first, in a file of the user's own", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/state/pakfs/history`;
  const history = new History(path);
  assertEquals(await history.load(), []);
  for (const line of ["ls", "ls ", " secret", "", "  ", "which a", "ls"]) await history.add(line);
  assertEquals(await Deno.readTextFile(path), "ls\nwhich a\nls\n");
  assertEquals((await Deno.stat(path)).mode ?? 0, 0o100600);
  assertEquals((await Deno.stat(`${directory.path}/state/pakfs`)).mode ?? 0, 0o40700);
  assertEquals(await new History(path).load(), ["ls", "which a"]);
});

Deno.test("a long history is shortened, and one that cannot be kept is done without", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/history`;
  await Deno.writeTextFile(path, Array.from({ length: historySize * 3 }, (_, index) => `ls ${index}\n`).join(""));
  const lines = await new History(path).load();
  assertEquals([lines.length, lines[0]], [historySize, `ls ${historySize * 3 - 1}`]);
  assertEquals((await Deno.readTextFile(path)).split("\n").length, historySize + 1);
  const impossible = new History(`${path}/below-a-file`);
  assertEquals(await impossible.load(), []);
  await impossible.add("ls");
  await new History(undefined).add("ls");
});

Deno.test("the prompt shows view and directory, and escapes hostile names", () => {
  assertEquals(promptFor({ connected: true, view: "quake/hipnotic", directory: "maps" }), "quake/hipnotic:maps> ");
  assertEquals(promptFor({ connected: true, view: "quake/hipnotic", directory: "" }), "quake/hipnotic> ");
  assertEquals(promptFor({ connected: true, view: undefined, directory: "" }), "pakfs> ");
  assertEquals(promptFor({ connected: false, view: "quake/id1", directory: "maps" }), "quake/id1:maps (no daemon)> ");
  assertEquals(promptFor({ connected: true, view: "q/i", directory: "\x1b[2J" }), "q/i:\\x1b[2J> ");
});
