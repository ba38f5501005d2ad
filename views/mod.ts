/**
 * Interface of the views for other rooms: search path, tree and winners of a view, and the changes between two.
 * @module
 */
export { Catalog } from "./catalog.ts";
export {
  type CatalogChanges,
  catalogChanges,
  type ChangeKind,
  EntryComparison,
  isNoChange,
  walkBoth,
} from "./changes.ts";
export { OtherList } from "./other_list.ts";
export { programPackOf } from "./program_pack.ts";
export type { PureListItem } from "./pure_list.ts";
export { mapBeside, sideFileReason } from "./side_files.ts";
export { entryMeasure, excessFiles } from "./strict_limits.ts";
export { Tree, type TreeParts } from "./tree.ts";
export type { TreeRule } from "./tree_rule.ts";
export { stackSign, View, viewName } from "./view.ts";
export { type ViewDifference, viewDifferences } from "./view_changes.ts";
export { ViewError } from "./view_error.ts";
export { parsePureList, plainSettings, settingSign, settingsText, splitViewName } from "./view_settings.ts";
export {
  type CandidateRow,
  candidateRow,
  entryDamage,
  type JudgedCandidate,
  judgedCandidates,
  type MapAbove,
  mapAbove,
  whichCandidates,
} from "./which.ts";
export { winnerOf } from "./winners.ts";
