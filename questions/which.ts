/**
 * The reason why the engine loads one file and not another.
 * @module
 */
import { enginesOf } from "../games/mod.ts";
import {
  type CandidateRow,
  candidateRow,
  type Catalog,
  OtherList,
  plainSettings,
  type View,
  ViewError,
  viewName,
  whichCandidates,
} from "../views/mod.ts";
import { mergesDefinitions, profileNamed } from "../engines/mod.ts";
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
  const winnerIn = (other: View) => whichCandidates(other, qpath).find(({ usable }) => usable) ?? null;
  const first = winnerIn(view);
  const names = enginesOf(view.game);
  return names.map((profile, index): EngineAnswer => {
    if (index === 0) return { profile, winner: first, same: true, reason: null };
    try {
      const winner = view.game.profile.loadList
        ? winnerOfList(view, profile, qpath)
        : winnerIn(catalog.view(viewName(view.game, view.mods, { ...plainSettings, profile })));
      const same = winner?.source === first?.source && winner?.member === first?.member;
      return { profile, winner, same, reason: null };
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
      return { profile, winner: null, same: null, reason: error.message };
    }
  });
}

/** Returns the lump that another engine uses from the files of a view. */
function winnerOfList(view: View, name: string, qpath: string): CandidateRow | null {
  const profile = profileNamed(name);
  const entry = profile ? new OtherList(view, profile).find(qpath) : null;
  return entry === null ? null : candidateRow(view, { ...view.candidate(entry), reason: null }, undefined, 1);
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
