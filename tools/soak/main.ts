/**
 * Fault runs: `deno task soak [SCENARIO...] [--minutes N] [--rounds N] [--seed S]`. Prints figures; exits with 1 if anything that must
 * hold does not. Without a scenario all are run, one after the other, each for that many minutes at most.
 * @module
 */
import { makeSandbox } from "../../tests/support/leftovers.ts";
import { readCommandLine } from "../command_line.ts";
import { scenarios } from "./scenarios.ts";
import { print } from "../../tests/support/harness.ts";

const { words: wanted, values, mistake } = readCommandLine(["minutes", "seed", "rounds"]);
const minutes = Number(values.minutes ?? 30);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const maxRounds = values.rounds === undefined ? undefined : Number(values.rounds);
const unknown = wanted.find((name) => !scenarios.some((scenario) => scenario.name === name));

if (
  mistake !== undefined || unknown !== undefined || !(minutes > 0) || !Number.isSafeInteger(seed) ||
  (maxRounds !== undefined && !(maxRounds > 0))
) {
  print("deno task soak [SCENARIO...] [--minutes N] [--rounds N] [--seed S]\n");
  for (const { name, summary } of scenarios) print(`  ${name.padEnd(10)}  ${summary}`);
  Deno.exit(2);
}

await using sandbox = await makeSandbox();
for (const [name, value] of Object.entries(sandbox.environment)) {
  if (name === "TMPDIR") Deno.env.set(name, value);
}
let failed = 0;
for (const { name, summary, rounds, run } of scenarios) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  print(`${name}: ${summary} (seed ${seed})`);
  const begun = performance.now();
  const bounds = { rounds: maxRounds ?? rounds, minutes, readers: 8, seed };
  // deno-lint-ignore no-await-in-loop -- one after the other
  const { figures, failures } = await run(bounds).catch((error) => ({
    figures: {},
    failures: [error instanceof Error ? error.stack ?? error.message : String(error)],
  }));
  print(`  ${"minutes".padEnd(34)} ${((performance.now() - begun) / 60_000).toFixed(1)}`);
  for (const [key, value] of Object.entries(figures)) print(`  ${key.padEnd(34)} ${value}`);
  for (const failure of failures) print(`  FAILED: ${failure}`);
  failed += failures.length;
}
print(failed === 0 ? "all holds" : `${failed} failures`);
Deno.exitCode = failed === 0 ? 0 : 1;
