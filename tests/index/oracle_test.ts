/**
 * Real engines against the index: random installations in which every file is a script that prints which file it is.
 * The engine runs each script by name; our winner must be the one that answered. Then it lists its search path, which
 * must equal our view's.
 *
 * `PAKFS_ORACLE_TREES` sets the number of trees, `PAKFS_SEED` repeats an earlier run. Uses Debian's engines; `deno task
 * oracle` compares the others.
 */
import { assert } from "@std/assert";
import { seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { compareTree } from "../../tools/oracle/compare.ts";
import { engines } from "../../tools/oracle/engines.ts";

const treeCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 8);

for (const engine of engines) {
  Deno.test({
    name: `${engine.profile}: the real engine loads what we say on ${treeCount} trees from seed ${seed}`,
    ...needs(...engine.packages ?? []),
    fn: async () => {
      let asked = 0;
      let answered = 0;
      for (let number = 0; number < treeCount; number++) {
        // deno-lint-ignore no-await-in-loop -- one engine at a time
        const counts = await compareTree(engine, seed + number);
        asked += counts.asked;
        answered += counts.answered;
      }
      assert(answered > asked / 10, `only ${answered} of ${asked} questions were answered by any file`);
    },
  });
}
