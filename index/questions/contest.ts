/**
 * Who lost to the winner of a path, and by which rule: what all questions about shadowing are answered from.
 * @module
 */
import { none } from "../columns.ts";
import { decide, explain, type RuleContext, ruleContext } from "../rules.ts";
import type { View } from "../view.ts";

/** Paths whose files are compared between two turns of others. */
export const contestsPerTurn = 1000;

/** Why one file lost to another. */
export interface Verdict {
  /** Name of the rule. */
  readonly decidedBy: string;
  /** That rule's sentence. */
  readonly because: string;
}

/** The winners and losers of a view. Works on entry numbers; makes nothing for paths that it is not asked about. */
export class Contest {
  readonly view: View;
  readonly #context: RuleContext;

  constructor(view: View) {
    this.view = view;
    this.#context = ruleContext(view.game);
  }

  /** The entry that answers a node of the view's tree; {@linkcode none} for directories. */
  winnerOf(node: number): number {
    return this.view.tree.entries[node] ?? none;
  }

  /**
   * Usable entries that lost to a winner, best first: sound files on the search path that the engine would find under
   * the winner's spelling.
   */
  losersOf(winner: number): number[] {
    const { snapshot, game } = this.view;
    const { entryNodes, nodeFolds, candidateStarts } = snapshot.columns;
    const node = entryNodes[winner] ?? 0;
    const fold = nodeFolds[node] ?? node;
    if ((candidateStarts[fold + 1] ?? 0) - (candidateStarts[fold] ?? 0) < 2) return [];
    const losers = snapshot.candidatesOf(node, game.profile.ignoreCase)
      .filter((entry) => entry !== winner && this.view.couldReplace(entry, winner));
    if (losers.length < 2) return losers;
    const asked = snapshot.pathOf(node);
    return losers.map((entry) => this.view.contender(entry, asked))
      .sort((a, b) => decide(game.profile.rules, a, b).order)
      .map((contender) => contender.entry);
  }

  /** Why `loser` lost to `winner`. */
  verdict(winner: number, loser: number): Verdict {
    const { snapshot } = this.view;
    const asked = snapshot.pathOf(snapshot.columns.entryNodes[winner] ?? 0);
    const first = this.view.contender(winner, asked);
    const second = this.view.contender(loser, asked);
    const { rule } = decide(this.view.game.profile.rules, first, second);
    return { decidedBy: rule, because: `${explain(rule, first, second, this.#context)}.` };
  }
}
