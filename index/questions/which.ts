/**
 * Why the engine loads one file and not another.
 * @module
 */
import { type CandidateRow, whichCandidates } from "../views/which.ts";
import { cleanPath, type QpathParameters } from "./files.ts";
import type { Question } from "./question.ts";

/** Answer of `which`. */
export interface WhichResult {
  /** The path that was asked for. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** Winner first, unusable ones last. Empty if nothing has that name. */
  candidates: CandidateRow[];
}

/** Answers with every file that could answer a path, the winner first. */
export const which: Question<QpathParameters, WhichResult> = {
  parameters: { view: "text", qpath: "required text" },
  answer: ({ catalog }, parameters) => {
    const view = catalog.view(parameters.view);
    const qpath = cleanPath(parameters.qpath);
    const candidates = whichCandidates(view, qpath);
    return { qpath, view: view.name, profile: view.game.profile.name, candidates };
  },
};
