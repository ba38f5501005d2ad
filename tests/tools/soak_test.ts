import { assertEquals } from "@std/assert";
import { seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { scenarios } from "../../tools/soak/scenarios.ts";

/** Rounds of each fault run that every test run makes; `deno task soak` makes them all. */
const rounds: Record<string, number> = {
  replace: 16,
  converted: 10,
  page: 10,
  returns: 20,
  refresh: 350,
  kill: 6,
  terminate: 4,
  full: 2,
  pulled: 1,
  hung: 2,
  hostile: 64,
  mutants: 25,
  broken: 2,
  random: 2,
};

for (const { name, summary, run } of scenarios) {
  const few = rounds[name];
  if (few === undefined) continue;
  Deno.test(`a short fault run: ${summary}`, needs("python3"), async () => {
    const bounds = { rounds: few, minutes: 1, readers: 3, seed };
    const { failures } = await run(bounds).catch((error) => ({ failures: [String(error)] }));
    assertEquals(failures, [], `repeat with: deno task soak ${name} --rounds ${few} --seed ${seed}`);
  });
}
