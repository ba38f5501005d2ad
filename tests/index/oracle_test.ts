/**
 * Real engines against the index: random installations in which every file is a script that prints which file it is.
 * The engine runs each script by name; our winner must be the one that answered. Then it lists its search path, which
 * must be that of our view.
 *
 * `PAKFS_ORACLE_TREES` asks for more trees, `PAKFS_SEED` for those of an earlier run. `PAKFS_ORACLE_CHOMENOR` is the path of
 * a dedicated server of Chomenor's ioq3_new_filesystem, which Debian does not have.
 */
import { assert, assertEquals } from "@std/assert";
import { none } from "../../index/columns/columns.ts";
import type { View } from "../../index/views/view.ts";
import { judgedCandidates, whichCandidates } from "../../index/views/which.ts";
import { seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { below, scan, writeFiles } from "./fixtures.ts";
import { askEngine, canRun, driverScript, type Engine, unread } from "./oracle/engine.ts";
import { engines } from "./oracle/engines.ts";
import { randomTree, scriptNumber } from "./oracle/trees.ts";

const treeCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 8);

/** Answer of an engine for an entry. */
function answerOf({ snapshot }: View, entry: number): number | null {
  if (entry === none) return null;
  if (snapshot.damageOf(entry) === "unsupported-method") return unread;
  return scriptNumber(snapshot.columns.entrySizes[entry] ?? 0);
}

/** Compares the answers to questions. */
function compareFiles(view: View, answers: ReadonlyMap<string, number | null>, what: string): void {
  for (const [question, answer] of answers) {
    const rows = whichCandidates(view, question);
    const entries = judgedCandidates(view, question);
    const said = rows.map((row) => `${row.size - 24} ${row.source} ${row.member}: ${row.reason ?? row.because ?? ""}`);
    const about = `${what}: ${question}\n${said.join("\n")}`;
    // What no rule decides the engine leaves to chance, such as where in its memory a file lies.
    const tied = entries.filter((_, index) => rows[index]?.decidedBy === "index-order")
      .map(({ entry }) => answerOf(view, entry));
    const [first] = entries;
    const ours = answerOf(view, first?.reason === null ? first.entry : none);
    // What ioquake3 could not read it runs as what was in that memory before.
    const isUnread = ours === unread && answer !== null;
    if (!isUnread && (answer === null || !tied.includes(answer))) assertEquals(ours, answer, about);
    if (tied.length > 0) continue;
    const node = view.tree.find(question);
    const entry = node === none ? none : view.tree.entries[node] ?? none;
    assertEquals(answerOf(view, entry), isUnread ? unread : answer, `${about}\nin the tree`);
  }
}

/** Compares one installation; returns how many questions there were, and how many were answered by a file. */
async function compareTree(engine: Engine, treeSeed: number): Promise<{ asked: number; answered: number }> {
  await using directory = await temporaryDirectory();
  const { kind, profile } = engine;
  const tree = randomTree(kind, treeSeed);
  const files = { ...tree.files, ...await engine.files(driverScript(tree.questions)) };
  await writeFiles(directory.path, files);
  const present = await Promise.all(
    kind.roots.map((root) => Deno.stat(`${directory.path}/${root}`).then(() => true, () => false)),
  );
  const sources = kind.roots.filter((_, index) => present[index]);
  const catalog = scan(directory.path, { profile, name: "game", base: kind.base, sources });
  const view = catalog.view(`game/${[kind.base, ...tree.mods].join("+")}`);
  const { answers, searchPath } = await askEngine(engine, directory.path, tree);
  const what = `PAKFS_SEED=${treeSeed} PAKFS_ORACLE_TREES=1, ${view.name}`;
  compareFiles(view, answers, what);
  const { printed = (path: string) => path } = engine;
  const ours = view.searchPath.map((source) => printed(below(directory.path, source.path)));
  // Engines list, or make, directories that were not there.
  const names = Object.keys(files).map(printed);
  const isThere = (path: string) => names.some((name) => name === path || name.startsWith(`${path}/`));
  if (engine.listsSearchPath ?? true) assertEquals(ours, searchPath.filter(isThere), `${what}: the search path`);
  const answered = Array.from(answers.values()).filter((answer) => answer !== null).length;
  return { asked: answers.size, answered };
}

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
