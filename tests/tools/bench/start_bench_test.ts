import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs } from "../../support/programs.ts";

Deno.test("the bench of starts measures every start and both floors", needs("python3"), async () => {
  const program = new URL("../../../tools/bench/start_bench.ts", import.meta.url).pathname;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", program, "--rounds", "1"],
  }).output();
  assert(success);
  const [title = "", , ...rows] = new TextDecoder().decode(stdout).trimEnd().split("\n");
  assertMatch(title, /^1 rounds in turns/);
  assertEquals(rows.filter((row) => !/^\S.{31}( +\d+\.\d){3}$/.test(row)), []);
  const all = rows.join("\n");
  for (
    const name of ["empty file", "socket client", "which", "ls", "find", "complete", "--help", "--version", "prompt"]
  ) {
    assert(all.includes(name), name);
  }
});
