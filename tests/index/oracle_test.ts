/**
 * Real engines against the index: random installations in which every file is a script that prints which file it is.
 * The engine runs each script by name; our winner must be the one that answered. Then it lists its search path, which
 * must be that of our view.
 *
 * `PAKFS_ORACLE_TREES` asks for more trees, `PAKFS_SEED` for those of an earlier run. Here are the engines of Debian;
 * `deno task oracle` compares those that it does not have.
 */
import { assert } from "@std/assert";
import { seed } from "../support/chance.ts";
import { compareTree } from "./oracle/compare.ts";
import { canRun } from "./oracle/engine.ts";
import { engines } from "./oracle/engines.ts";

const treeCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 8);

const runnable = await Promise.all(engines.map(canRun));
for (const [index, engine] of engines.entries()) {
  Deno.test({
    name: `${engine.profile}: the real engine loads what we say on ${treeCount} trees from seed ${seed}`,
    // Some engines come from a part of Debian that not every mirror has.
    ignore: !runnable[index],
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
