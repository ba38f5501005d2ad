/**
 * Types of the rows and results of all questions, for both ends of the socket and for scripts.
 * @module
 */
export type { ChecksumResult } from "./checksum.ts";
export type { ConflictRow, LoserRow } from "./conflicts.ts";
export type { Verdict } from "./contest.ts";
export type { Change, DiffRow, DiffSummary } from "./diff.ts";
export type { DuplicateFile, DuplicateRow } from "./duplicates.ts";
export type { ListRow, StatRow } from "./files.ts";
export type { FindFilters } from "./filters.ts";
export type { GameRow, ViewRow } from "./games.ts";
export type { GrepRow } from "./grep.ts";
export type { HashRow } from "./hash.ts";
export type { HolderRow } from "./holder_row.ts";
export type { LimitRow, OffenderRow } from "./limits.ts";
export type { NamesRow } from "./names.ts";
export type { PackRow } from "./packs.ts";
export type { PureResult, PureRow } from "./pure.ts";
export type {
  LackRow,
  MissingRow,
  NeedKind,
  NeedRow,
  ProviderRow,
  ReferrerRow,
  UndecidedRow,
  UnfollowedRow,
  UserRow,
} from "./reference_rows.ts";
export type { RegisteredPackRow, RegisteredResult } from "./registered.ts";
export type { DirectoryRow, FileRow } from "./rows.ts";
export type { PathRow } from "./search_path.ts";
export type { ShaderResult } from "./shaders.ts";
export type { ShaderImageRow } from "./shaders/shader_images.ts";
export type { ShaderDefinitionRow, ShaderRow } from "./shaders/shader_index.ts";
export type { ShadowedRow } from "./shadowed.ts";
export type { UsageRow } from "./usage.ts";
export type { EngineAnswer, WhichResult } from "./which.ts";
export type { LimitKind } from "../engines/mod.ts";
export type { CandidateRow, ChangeKind } from "../views/mod.ts";
