/**
 * `deno task oracle ENGINE... [--trees N] [--seed S] [--program PATH]`: compares pakfs with real engines that were built by
 * hand, and with those of Debian, on random installations. A program is named by `--program`, or by `PAKFS_ORACLE_` and
 * the name of its profile: `PAKFS_ORACLE_QUAKE3E`. Prints each disagreement; exits with 1 if any is left.
 * @module
 */
import { seed as chosenSeed } from "../../tests/support/chance.ts";
import { print } from "../../tests/support/harness.ts";
import { readCommandLine } from "../command_line.ts";
import { builtEngines } from "./built_engines.ts";
import { compareTree } from "./compare.ts";
import { canRun, type Engine, programVariable } from "./engine.ts";
import { engines } from "./engines.ts";

/** Disagreements that are printed of one engine. */
const maxPrinted = 5;

const all = [...engines, ...builtEngines];
const { words: wanted, values, mistake } = readCommandLine(["trees", "seed", "program"]);
const trees = Number(values.trees ?? 300);
const seed = Number(values.seed ?? chosenSeed);
const unknown = wanted.find((name) => !all.some(({ profile }) => profile === name));

if (
  mistake !== undefined || wanted.length === 0 || unknown !== undefined || !(trees > 0) || !Number.isSafeInteger(seed)
) {
  print("deno task oracle ENGINE... [--trees N] [--seed S] [--program PATH]\n");
  for (const engine of all) {
    // deno-lint-ignore no-await-in-loop -- one line after the other
    const state = await canRun(engine) ? "can be run" : stateOf(engine);
    print(`  ${engine.profile.padEnd(12)}  ${state}`);
  }
  Deno.exit(2);
}
if (values.program !== undefined) {
  const program = await Deno.realPath(values.program);
  for (const name of wanted) Deno.env.set(programVariable(name), program);
}

function stateOf(engine: Engine): string {
  return engines.includes(engine) ? "not fetched; .ci/run fetches it" : `${programVariable(engine.profile)} is not set`;
}

let failed = 0;
for (const engine of all.filter(({ profile }) => wanted.includes(profile))) {
  const { profile } = engine;
  // deno-lint-ignore no-await-in-loop -- one engine at a time
  if (!await canRun(engine)) {
    print(`${profile}: cannot be run: ${stateOf(engine)}`);
    failed++;
    continue;
  }
  let asked = 0;
  let answered = 0;
  let differing = 0;
  for (let number = 0; number < trees; number++) {
    try {
      // deno-lint-ignore no-await-in-loop -- one engine at a time
      const counts = await compareTree(engine, seed + number);
      asked += counts.asked;
      answered += counts.answered;
    } catch (error) {
      if (differing++ < maxPrinted) print(`${profile}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  print(
    `${profile}: ${differing} of ${trees} trees from seed ${seed} disagree; ` +
      `${answered} of ${asked} questions were answered by a file`,
  );
  if (differing > 0 || answered <= asked / 10) failed++;
}
Deno.exitCode = failed === 0 ? 0 : 1;
