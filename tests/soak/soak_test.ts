import { assertEquals } from "@std/assert";
import { seed } from "../support/chance.ts";
import { scenarios } from "./scenarios.ts";

/** Rounds of each fault run that every test run makes; `deno task soak` makes them all. */
const rounds: Record<string, number> = {
  replace: 40,
  returns: 40,
  refresh: 600,
  kill: 10,
  terminate: 10,
  full: 1,
  pulled: 1,
  hung: 2,
  hostile: 150,
  mutants: 50,
  broken: 3,
  random: 2,
};

for (const { name, summary, run } of scenarios) {
  const few = rounds[name];
  if (few === undefined) continue;
  Deno.test(`a short fault run: ${summary}`, async () => {
    const bounds = { rounds: few, minutes: 1, readers: 3, seed };
    const { failures } = await run(bounds).catch((error) => ({ failures: [String(error)] }));
    assertEquals(failures, [], `repeat with: deno task soak ${name} --rounds ${few} --seed ${seed}`);
  });
}
