/**
 * Notes on each rule: for the documentation, and to reject lists of rules that cannot work.
 * @module
 */
import type { DuplicateRule, Profile } from "../core/profile.ts";
import type { RuleName } from "../core/rule_names.ts";

/** The question that a rule decides; a decided question leaves nothing to later rules. */
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
  /** Description of the decision, one sentence. */
  readonly sentence: string;
  readonly question: RuleQuestion;
  /** Winner among equal names in a pack, if that is the rule's question. */
  readonly duplicates?: DuplicateRule;
  /** A setting without which the rule always abstains. */
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
    sentence: "The pack that is loaded first wins: each pack before the packs that it names, in their order.",
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
    sentence: "The current mod wins over the directory that is searched in every mod, which wins over all others.",
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
    sentence: "The last of several base games in one root wins; `:bases=NAME,NAME` names them.",
    question: "other",
  },
  "pack-number": { sentence: "The pack with the higher number wins.", question: "order of packs" },
  "pack-name": {
    sentence: "The pack of a directory whose name sorts last wins.",
    question: "order of packs",
  },
  "pack-number-or-listing": {
    sentence: "The higher number wins; packs without a number come in the order in which the file system lists them.",
    question: "order of packs",
  },
  "pack-order": {
    sentence: "The pack that a step loads last wins: the higher number, the later name or line.",
    question: "order of packs",
  },
  "pack-name-anywhere": {
    sentence: "The pack whose name sorts last wins, whichever base directory it is in.",
    question: "order of packs",
  },
  "pack-over-loose-guess": {
    sentence: "Packs win over loose files: a guess, marked as one in answers.",
    question: "packs and loose files",
  },
  "first-name-guess": {
    sentence: "The pack of a directory whose name sorts first wins: a guess, marked as one in answers.",
    question: "order of packs",
  },
  "later-pack": {
    sentence: "The pack that is registered later wins: the one whose name sorts last.",
    question: "order of packs",
  },
  "nested-pack": {
    sentence: "The pack that `nestedPacks` searches first wins: a pack, or the packs in it.",
    question: "packs in packs",
    needs: "nestedPacks",
  },
  "first-in-pack": {
    sentence: "The first of equal names in a pack wins.",
    question: "duplicates in a pack",
    duplicates: "first",
  },
  "last-in-pack": {
    sentence: "The last of equal names in a pack wins.",
    question: "duplicates in a pack",
    duplicates: "last",
  },
  "met-in-pack": {
    sentence: "The first of equal names that a binary search meets in a pack wins.",
    question: "duplicates in a pack",
    duplicates: "met",
  },
  "last-stored": {
    sentence:
      "The entry that is stored last wins, among equal names in a pack or in packs that no other rule distinguishes.",
    question: "duplicates in a pack",
    duplicates: "last-stored",
  },
  "pure-list": {
    sentence: "Packs on a pure server's list win over other packs, in the order of the list.",
    question: "other",
    needs: "pure",
  },
  "core-pack": {
    sentence: "Packs that come with the game win over players' packs.",
    question: "other",
    needs: "corePacks",
  },
  "current-map": {
    sentence: "The pack of the current map wins.",
    question: "other",
    needs: "currentMap",
  },
  "inactive-mod": { sentence: "Mods that are not played come last.", question: "other", needs: "inactive" },
  "downloads": { sentence: "Packs in the download folder come last.", question: "other", needs: "packFolders" },
  "special-shader": {
    sentence: "A shader of the current mod, of packs that come with the game or of the pure list wins.",
    question: "other",
  },
  "shader-over-image": { sentence: "A shader wins over an image of the same name.", question: "other" },
  "extension": { sentence: "Of same-named images, the format that the engine tries first wins.", question: "other" },
  "own-spelling": {
    sentence: "The loose file of a directory whose spelling matches the request wins.",
    question: "other",
  },
  "case-match": { sentence: "The name whose spelling matches the request wins.", question: "other" },
};

/** Names of all rules. */
export const ruleNames: readonly RuleName[] = Object.keys(ruleNotes) as RuleName[];
