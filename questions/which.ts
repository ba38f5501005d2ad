/**
 * The reason why the engine loads one file and not another.
 * @module
 */
import { enginesOf } from "../games/mod.ts";
import {
  type CandidateRow,
  candidateRow,
  type Catalog,
  type JudgedCandidate,
  judgedCandidates,
  OtherList,
  type View,
  ViewError,
  viewName,
  whichCandidates,
} from "../views/mod.ts";
import { mergesDefinitions, profileNamed } from "../engines/mod.ts";
import { isSameLump } from "./diff.ts";
import { cleanPath, type QpathParameters } from "./files.ts";
import type { Question } from "./question.ts";

/** Reply of `which`. */
export interface WhichResult {
  /** The requested path. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** Winner first, unusable ones last. Empty if the path is unknown. */
  candidates: CandidateRow[];
  /** Whether the engine reads all usable candidates if they hold definitions, as GZDoom does; else absent. */
  mergesDefinitions?: boolean;
  /** Results for the other engines that play the game, if requested. */
  engines?: EngineAnswer[];
}

/** Result of `which` for one engine. */
export interface EngineAnswer {
  /** Name of the engine's profile. */
  profile: string;
  /** The winner, or null. */
  winner: CandidateRow | null;
  /** Whether it loads the same file as the first engine; null if unknown. */
  same: boolean | null;
  /** Reason why the index cannot determine the winner, or null. */
  reason: string | null;
}

/** Parameters of `which`. */
export interface WhichParameters extends QpathParameters {
  /** Whether to include the other engines that play the game. */
  engines?: boolean;
}

/** Returns the result for each engine that plays the game of a view, its own profile's first. */
function engineAnswers(catalog: Catalog, view: View, qpath: string): EngineAnswer[] {
  const first = winnerIn(view, qpath);
  const names = enginesOf(view.game);
  return names.map((profile, index): EngineAnswer => {
    if (index === 0) return { profile, winner: first?.row ?? null, same: true, reason: null };
    try {
      const found = view.game.profile.loadList
        ? winnerOfList(view, profile, qpath)
        : winnerIn(catalog.view(viewName(view.game, view.mods, { ...view.settings, profile })), qpath);
      const same = found && first ? isSameLump(view.snapshot, found.entry, first.entry) : found === first;
      return { profile, winner: found?.row ?? null, same, reason: null };
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
      return { profile, winner: null, same: null, reason: error.message };
    }
  });
}

/** A winner, and its entry: a pack may hold several files of one name. */
interface Winner {
  readonly entry: number;
  readonly row: CandidateRow;
}

function rowOf(view: View, candidate: JudgedCandidate): Winner {
  return { entry: candidate.entry, row: candidateRow(view, candidate, undefined, 1) };
}

function winnerIn(view: View, qpath: string): Winner | null {
  const [first] = judgedCandidates(view, qpath);
  return first?.reason === null ? rowOf(view, first) : null;
}

/** Returns the lump that another engine uses from the files of a view. */
function winnerOfList(view: View, name: string, qpath: string): Winner | null {
  const profile = profileNamed(name);
  const entry = profile ? new OtherList(view, profile).find(qpath) : null;
  return entry === null ? null : rowOf(view, { ...view.candidate(entry), reason: null });
}

/** Lists every candidate of a path, the winner first. */
export const which: Question<WhichParameters, WhichResult> = {
  parameters: { view: "string", qpath: "required string", engines: "flag" },
  answer: ({ catalog }, parameters) => {
    const view = catalog.view(parameters.view);
    const qpath = cleanPath(parameters.qpath);
    const candidates = whichCandidates(view, qpath);
    const engines = parameters.engines ? { engines: engineAnswers(catalog, view, qpath) } : {};
    const { name: profile, loadList } = view.game.profile;
    const merging = mergesDefinitions(loadList) ? { mergesDefinitions: true } : {};
    return { qpath, view: view.name, profile, candidates, ...merging, ...engines };
  },
};
