/**
 * Names of the rules that decide between two candidates.
 * @module
 */

/** Names of the rules; `settings/rule_notes.ts` describes each. */
export type RuleName =
  | "source-list"
  | "dependency-order"
  | "load-order"
  | "game-directory"
  | "source-directory"
  | "base-game"
  | "pack-over-loose"
  | "loose-over-pack"
  | "pack-type"
  | "pack-number"
  | "pack-name"
  | "pack-number-or-listing"
  | "pack-order"
  | "nested-pack"
  | "first-in-pack"
  | "last-in-pack"
  | "last-stored"
  | "pure-list"
  | "special-shader"
  | "shader-over-image"
  | "extension"
  | "mod-directory"
  | "core-pack"
  | "current-map"
  | "inactive-mod"
  | "downloads"
  | "pack-name-anywhere"
  | "own-spelling"
  | "case-match"
  | "met-in-pack"
  | "pack-over-loose-guess"
  | "first-name-guess"
  | "later-pack";
