/**
 * Compares the answers of a real engine with the index on one random installation.
 * @module
 */
import { assertEquals } from "@std/assert";
import { none } from "../../index/columns/columns.ts";
import type { View } from "../../views/view.ts";
import { type CandidateRow, judgedCandidates, whichCandidates } from "../../views/which.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";
import { below, scan, writeFiles } from "../../tests/index/fixtures.ts";
import { askEngine, driverScript, type Engine, unread } from "./engine.ts";
import { randomTree, scriptNumber } from "./trees.ts";

/** Number of questions, and of those that a file answered. */
export interface Counts {
  readonly asked: number;
  readonly answered: number;
}

/** Answer of an engine for an entry. */
function answerOf({ snapshot }: View, entry: number): number | null {
  if (entry === none) return null;
  if (["unsupported-method", "encrypted"].includes(snapshot.damageOf(entry))) return unread;
  return scriptNumber(snapshot.columns.entrySizes[entry] ?? 0);
}

/** Compares the answers to questions. */
function compareFiles(view: View, answers: ReadonlyMap<string, number | null>, what: string): void {
  for (const [question, answer] of answers) {
    const rows = whichCandidates(view, question);
    const entries = judgedCandidates(view, question);
    const said = rows.map((row) =>
      `${scriptNumber(row.size)} ${row.source} ${row.member}: ${row.reason ?? row.because ?? ""}`
    );
    const about = `${what}: ${question}\n${said.join("\n")}`;
    // Engines leave undecided cases to chance, such as the address of a file in memory.
    const isChance = ({ decidedBy, because }: CandidateRow) =>
      decidedBy === "index-order" || because?.startsWith("undetermined: ") === true;
    const tied = entries.filter((_, index) => rows[index] !== undefined && isChance(rows[index]))
      .map(({ entry }) => answerOf(view, entry));
    const [first] = entries;
    const ours = answerOf(view, first?.reason === null ? first.entry : none);
    // ioquake3 runs unreadable scripts as the earlier content of that memory.
    const isUnread = ours === unread && answer !== null;
    const isTied = answer !== null && (tied.includes(answer) || tied.includes(unread));
    if (!isUnread && !isTied) assertEquals(ours, answer, about);
    if (tied.length > 0) continue;
    const node = view.tree.find(question);
    const entry = node === none ? none : view.tree.entries[node] ?? none;
    assertEquals(answerOf(view, entry), isUnread ? unread : answer, `${about}\nin the tree`);
  }
}

/**
 * Compares one installation.
 * @throws {AssertionError} for the first answer that differs, with the candidates and the seed.
 */
export async function compareTree(engine: Engine, treeSeed: number): Promise<Counts> {
  await using directory = await temporaryDirectory();
  const { kind, profile } = engine;
  const tree = engine.tree?.(treeSeed) ?? randomTree(kind, treeSeed);
  const files = { ...await engine.files(driverScript(tree.questions, engine)), ...tree.files };
  await writeFiles(directory.path, files);
  const present = await Promise.all(
    kind.roots.map((root) => Deno.stat(`${directory.path}/${root}`).then(() => true, () => false)),
  );
  const sources = kind.roots.filter((_, index) => present[index]);
  const catalog = scan(directory.path, { profile, name: "game", base: kind.base, sources, ...tree.options });
  const { view: viewOf = (mods: readonly string[]) => [kind.base, ...mods].join("+") } = engine;
  const view = catalog.view(`game/${viewOf(tree.mods)}`);
  const { answers, searchPath } = await askEngine(engine, directory.path, tree);
  const what = `PAKFS_SEED=${treeSeed} PAKFS_ORACLE_TREES=1, ${view.name}`;
  compareFiles(view, answers, what);
  const { printed = (path: string) => path } = engine;
  // Which of two names that differ only in case comes first is left to the listing of the directory.
  const listed = (path: string) => kind.packTwins ? path.toLowerCase() : path;
  const ours = view.searchPath.map((source) => printed(below(directory.path, source.path)));
  // Engines list, or make, directories that were not there.
  const names = Object.keys(files).map(printed);
  const isThere = (path: string) => names.some((name) => name === path || name.startsWith(`${path}/`));
  if (engine.listsSearchPath ?? true) {
    assertEquals(ours.map(listed), searchPath.filter(isThere).map(listed), `${what}: the search path`);
  }
  const answered = Array.from(answers.values()).filter((answer) => answer !== null).length;
  return { asked: answers.size, answered };
}
