/**
 * Notes on each rule: for the documentation, and to refuse lists of rules that cannot work.
 * @module
 */
import type { DuplicateRule, Profile } from "../core/profile.ts";
import type { RuleName } from "../core/rule_names.ts";

/** The difference that a rule decides; a decided question leaves nothing to later rules. */
export type RuleQuestion =
  | "sources"
  | "game directory"
  | "base directory"
  | "packs and loose files"
  | "type of pack"
  | "order of packs"
  | "packs in packs"
  | "duplicates in a pack"
  | "other";

/** Note on a rule. */
export interface RuleNote {
  /** Its decision, one sentence. */
  readonly sentence: string;
  readonly question: RuleQuestion;
  /** Which of several equal names in a pack it takes, if that is its question. */
  readonly duplicates?: DuplicateRule;
  /** A setting without which it never has an opinion. */
  readonly needs?: keyof Profile;
}

/** The notes, in the order in which the documentation lists the rules. */
export const ruleNotes: Readonly<Record<RuleName, RuleNote>> = {
  "source-list": {
    sentence: "The source that a file of the game, such as gameinfo.txt, names first wins.",
    question: "sources",
    needs: "sourceList",
  },
  "dependency-order": {
    sentence: "The pack that is loaded first wins: a pack before those that it needs, in the order it names them.",
    question: "sources",
    needs: "dependencies",
  },
  "load-order": {
    sentence: "The file that is loaded last wins.",
    question: "sources",
    needs: "loadList",
  },
  "game-directory": {
    sentence: "The game directory that is higher on the search path wins: mods over mission packs over the base game.",
    question: "game directory",
  },
  "mod-directory": {
    sentence: "The current mod wins over the directory that is searched in every mod, and that over all others.",
    question: "game directory",
  },
  "source-directory": {
    sentence: "The base directory that was named first wins, such as the home path over the installation.",
    question: "base directory",
  },
  "pack-over-loose": { sentence: "Packs win over loose files.", question: "packs and loose files" },
  "loose-over-pack": { sentence: "Loose files win over packs.", question: "packs and loose files" },
  "pack-type": {
    sentence: "The pack that a later step of `packs` loads wins.",
    question: "type of pack",
  },
  "base-game": {
    sentence: "Of several base games in one root the last wins; `:bases=NAME,NAME` names them.",
    question: "other",
  },
  "pack-number": { sentence: "The pack with the higher number wins.", question: "order of packs" },
  "pack-name": {
    sentence: "Of the packs of one directory the one whose name sorts last wins.",
    question: "order of packs",
  },
  "pack-number-or-listing": {
    sentence: "The higher number wins; packs without one come in whatever order the file system lists them.",
    question: "order of packs",
  },
  "pack-order": {
    sentence: "Of the packs of one step the one that is loaded last wins: the higher number, the later name or line.",
    question: "order of packs",
  },
  "pack-name-anywhere": {
    sentence: "The pack whose name sorts last wins, whichever base directory it is in.",
    question: "order of packs",
  },
  "pack-over-loose-guess": {
    sentence: "Packs win over loose files; that is a guess, and said to be one.",
    question: "packs and loose files",
  },
  "first-name-guess": {
    sentence: "Of the packs of one directory the one whose name sorts first wins; that is a guess, and said to be one.",
    question: "order of packs",
  },
  "later-pack": {
    sentence: "The pack that is registered later wins: the one whose name sorts last.",
    question: "order of packs",
  },
  "nested-pack": {
    sentence: "Of a pack and the packs in it, the one that `nestedPacks` has searched first wins.",
    question: "packs in packs",
    needs: "nestedPacks",
  },
  "first-in-pack": {
    sentence: "Of equal names in one pack the first wins.",
    question: "duplicates in a pack",
    duplicates: "first",
  },
  "last-in-pack": {
    sentence: "Of equal names in one pack the last wins.",
    question: "duplicates in a pack",
    duplicates: "last",
  },
  "met-in-pack": {
    sentence: "Of equal names in one pack the one that a binary search meets first wins.",
    question: "duplicates in a pack",
    duplicates: "met",
  },
  "last-stored": {
    sentence: "Of equal names in one pack, or in packs between which no rule decides, the one stored last wins.",
    question: "duplicates in a pack",
    duplicates: "last-stored",
  },
  "pure-list": {
    sentence: "A pack on a pure server's list wins over those that are not, the one that is named first over the next.",
    question: "other",
    needs: "pure",
  },
  "core-pack": {
    sentence: "Packs that come with the game win over those of players.",
    question: "other",
    needs: "corePacks",
  },
  "current-map": {
    sentence: "The pack of the map that is played wins.",
    question: "other",
    needs: "currentMap",
  },
  "inactive-mod": { sentence: "Mods that are not played come last.", question: "other", needs: "inactive" },
  "downloads": { sentence: "Packs in the folder of downloads come last.", question: "other", needs: "packFolders" },
  "special-shader": {
    sentence: "A shader of the current mod, of packs that come with the game or of the pure list wins.",
    question: "other",
  },
  "shader-over-image": { sentence: "A shader wins over an image of its name.", question: "other" },
  "extension": { sentence: "Of images of one name the format that the engine asks for first wins.", question: "other" },
  "own-spelling": {
    sentence: "Of loose files of one directory the one that is spelled as it was requested wins.",
    question: "other",
  },
  "case-match": { sentence: "The name that is spelled as it was requested wins.", question: "other" },
};

/** Names of all rules. */
export const ruleNames: readonly RuleName[] = Object.keys(ruleNotes) as RuleName[];
