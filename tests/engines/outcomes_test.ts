/**
 * Compares the results of each engine's rules on random installations with those recorded when the engine itself was
 * last compared (`deno task oracle`). Needs no engine.
 */
// deno-lint-ignore-file no-await-in-loop -- one installation after the other
import { none } from "../../index/columns/columns.ts";
import type { View } from "../../views/view.ts";
import { type CandidateRow, whichCandidates } from "../../views/which.ts";
import { builtEngines } from "../../tools/oracle/built_engines.ts";
import { engines } from "../../tools/oracle/engines.ts";
import { randomTree } from "../../tools/oracle/trees.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { compareValues } from "../support/outcomes.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const trees = 8;

/** Without a rule, the order depends on the file system that the test runs on. */
function isChance({ decidedBy, because }: CandidateRow): boolean {
  return decidedBy === "index-order" || because?.includes("whatever order the file system lists") === true;
}

/** Answers to the questions of an installation: every candidate with its reason, and the visible file. */
function answersOf(view: View, questions: readonly string[]): unknown[] {
  return questions.map((question) => {
    const rows = whichCandidates(view, question);
    if (rows.some(isChance)) return [];
    const node = view.tree.find(question);
    const said = rows.map((
      { source, member, reason, because, decidedBy },
    ) => [source, member, reason, because, decidedBy]);
    return [question, said, node === none ? null : view.tree.pathOf(node)];
  });
}

for (const engine of [...engines, ...builtEngines]) {
  const { kind, profile } = engine;
  Deno.test(`random installations of ${profile} answer as they did`, async () => {
    const values: unknown[] = [];
    for (let seed = 1; seed <= trees; seed++) {
      await using directory = await temporaryDirectory();
      const { path } = directory;
      const tree = engine.tree?.(seed) ?? randomTree(kind, seed);
      await writeFiles(path, { [`${kind.roots.at(-1)}/${kind.base}/there`]: "", ...tree.files });
      const present = await Promise.all(
        kind.roots.map((root) => Deno.stat(`${path}/${root}`).then(() => true, () => false)),
      );
      const sources = kind.roots.filter((_, index) => present[index]);
      const catalog = scan(path, { profile, name: "game", base: kind.base, sources, ...tree.options });
      const { view: viewOf = (mods: readonly string[]) => [kind.base, ...mods].join("+") } = engine;
      const view = catalog.view(`game/${viewOf(tree.mods)}`);
      const searched = view.searchPath.map((source) => source.path);
      const all = [view.name, searched, catalog.problems, answersOf(view, tree.questions)];
      values.push(JSON.stringify(all).replaceAll(path, "ROOT"));
    }
    await compareValues(new URL("./outcomes.txt", import.meta.url), profile, values);
  });
}
