/**
 * Files that lost to the winner of a path, and the rules that decided: the basis of all queries about shadowing.
 * @module
 */
import { at } from "../index/mod.ts";
import { decide, explain, type RuleContext, ruleContext } from "../engines/mod.ts";
import { type MapAbove, mapAbove, type View } from "../views/mod.ts";

/** Number of compared paths after which to yield. */
export const contestsPerTurn = 1000;

/** The reason why one file lost to another. */
export interface Verdict {
  /** Name of the rule. */
  readonly decidedBy: string;
  /** Sentence of the rule. */
  readonly because: string;
}

/** Winners and losers of a view, by entry numbers. */
export class Contest {
  readonly view: View;
  readonly #context: RuleContext;

  constructor(view: View) {
    this.view = view;
    this.#context = ruleContext(view.game);
  }

  /** Returns the winning entry at a node of the view's tree; {@linkcode none} for directories. */
  winnerOf(node: number): number {
    return at(this.view.tree.entries, node);
  }

  /**
   * Returns the usable losing entries at a node of the view's tree, best first: valid files on the search path that the
   * engine would find with the listed spelling.
   */
  losersAt(node: number): number[] {
    const { snapshot, game, tree } = this.view;
    const { entryNodes, nodeFolds, candidateStarts } = snapshot.columns;
    const winner = this.winnerOf(node);
    const fold = at(nodeFolds, at(entryNodes, winner));
    const isAlone = at(candidateStarts, fold + 1) - at(candidateStarts, fold) < 2;
    if (isAlone && this.view.hasOwnPathsOnly) return [];
    const asked = tree.askedPathOf(node);
    const losers = this.view.losersTo(winner, asked);
    if (losers.length < 2) return losers;
    return losers.map((entry) => this.view.candidate(entry, asked))
      .sort((a, b) => decide(game.profile.rules, a, b).order)
      .map((candidate) => candidate.entry);
  }

  /** Returns the map for which the engine ignores an entry at a node of the view's tree, or null. */
  mapAbove(node: number, entry: number): MapAbove | null {
    const { snapshot, game, tree } = this.view;
    if (game.profile.sideFiles === null) return null;
    return mapAbove(this.view, snapshot.sourceOf(entry), tree.askedPathOf(node));
  }

  /** Returns the reason why `loser` lost to the winner at a node of the view's tree. */
  verdictAt(node: number, loser: number): Verdict {
    const asked = this.view.tree.askedPathOf(node);
    const first = this.view.candidate(this.winnerOf(node), asked);
    const second = this.view.candidate(loser, asked);
    const { rule } = decide(this.view.game.profile.rules, first, second);
    return { decidedBy: rule, because: `${explain(rule, first, second, this.#context)}.` };
  }
}
