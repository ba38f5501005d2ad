/**
 * Who lost to the winner of a path, and by which rule: what all questions about shadowing are answered from.
 * @module
 */
import { none } from "../columns/columns.ts";
import { decide, explain, type RuleContext, ruleContext } from "../profiles/rules.ts";
import type { View } from "../views/view.ts";

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
   * Usable entries that lost at a node of the view's tree, best first: sound files on the search path that the engine
   * would find under the spelling that the tree lists.
   */
  losersAt(place: number): number[] {
    const { snapshot, game, tree } = this.view;
    const { entryNodes, nodeFolds, candidateStarts } = snapshot.columns;
    const winner = this.winnerOf(place);
    const node = entryNodes[winner] ?? 0;
    const fold = nodeFolds[node] ?? node;
    if ((candidateStarts[fold + 1] ?? 0) - (candidateStarts[fold] ?? 0) < 2) return [];
    const asked = tree.askedPathOf(place);
    const losers = snapshot.candidatesOf(node, game.profile.ignoreCase)
      .filter((entry) => entry !== winner && this.view.couldReplace(entry, asked));
    if (losers.length < 2) return losers;
    return losers.map((entry) => this.view.candidate(entry, asked))
      .sort((a, b) => decide(game.profile.rules, a, b).order)
      .map((candidate) => candidate.entry);
  }

  /** Why `loser` lost to the winner at a node of the view's tree. */
  verdictAt(place: number, loser: number): Verdict {
    const asked = this.view.tree.askedPathOf(place);
    const first = this.view.candidate(this.winnerOf(place), asked);
    const second = this.view.candidate(loser, asked);
    const { rule } = decide(this.view.game.profile.rules, first, second);
    return { decidedBy: rule, because: `${explain(rule, first, second, this.#context)}.` };
  }
}
