/**
 * Every question under the name of its method, and the types of their rows. A new question is a file of this folder and
 * its lines here.
 * @module
 */
import type { ChecksumResult } from "./checksum.ts";
import type { ConflictRow } from "./conflicts.ts";
import type { DiffRow, DiffSummary } from "./diff.ts";
import type { StatRow } from "./files.ts";
import type { GameRow, ViewRow } from "./games.ts";
import type { LimitRow } from "./limits.ts";
import type { NamesRow } from "./names.ts";
import type { PackRow } from "./packs.ts";
import type { PureResult } from "./pure.ts";
import type { RegisteredResult } from "./registered.ts";
import type { DirectoryRow, FileRow } from "./rows.ts";
import type { PathRow } from "./search_path.ts";
import type { ShaderResult } from "./shaders.ts";
import type { ShadowedRow } from "./shadowed.ts";
import type { UsageRow } from "./usage.ts";
import type { MissingRow, NeedRow, UserRow } from "./reference_rows.ts";
import type { WhichResult } from "./which.ts";
import type { ShaderRow } from "./shaders/shader_index.ts";

/** Types of rows and results by their names, for the commands that print them. */
export interface QuestionRows {
  ChecksumResult: ChecksumResult;
  ConflictRow: ConflictRow;
  DiffRow: DiffRow;
  DiffSummary: DiffSummary;
  DirectoryRow: DirectoryRow;
  FileRow: FileRow;
  GameRow: GameRow;
  LimitRow: LimitRow;
  MissingRow: MissingRow;
  NamesRow: NamesRow;
  NeedRow: NeedRow;
  PackRow: PackRow;
  PathRow: PathRow;
  PureResult: PureResult;
  RegisteredResult: RegisteredResult;
  ShaderResult: ShaderResult;
  ShaderRow: ShaderRow;
  ShadowedRow: ShadowedRow;
  StatRow: StatRow;
  UsageRow: UsageRow;
  UserRow: UserRow;
  ViewRow: ViewRow;
  WhichResult: WhichResult;
}

export { checksum, type ChecksumResult } from "./checksum.ts";
export { type ConflictRow, conflicts, type LoserRow, overrides, unique } from "./conflicts.ts";
export { type Change, diff, type DiffRow, diffstat, type DiffSummary } from "./diff.ts";
export { type ListRow, ls, stat, type StatRow } from "./files.ts";
export { find, qpaths } from "./find.ts";
export { type GameRow, games, type ViewRow, views } from "./games.ts";
export { type LimitRow, limits, type OffenderRow } from "./limits.ts";
export { names, type NamesRow } from "./names.ts";
export { missing, needs, users } from "./needs.ts";
export { type PackRow, packs } from "./packs.ts";
export { pure, type PureResult, type PureRow } from "./pure.ts";
export { registered, type RegisteredPackRow, type RegisteredResult } from "./registered.ts";
export { path, type PathRow } from "./search_path.ts";
export { shader, type ShaderResult, shaders } from "./shaders.ts";
export { shadowed, type ShadowedRow } from "./shadowed.ts";
export { usage, type UsageRow } from "./usage.ts";
export { type EngineAnswer, which, type WhichResult } from "./which.ts";

export type { Verdict } from "./contest.ts";
export type { FindFilters } from "./filters.ts";
export type { HolderRow } from "./holder_row.ts";
export type { DirectoryRow, FileRow } from "./rows.ts";
export type { LackRow, MissingRow, NeedKind, NeedRow, ReferrerRow, UserRow } from "./reference_rows.ts";
export type { LimitKind } from "../engines/core/engine_limits.ts";
export type { ShaderDefinitionRow, ShaderRow } from "./shaders/shader_index.ts";
export type { ShaderImageRow } from "./shaders/shader_images.ts";
export type { ChangeKind } from "../views/changes.ts";
export type { CandidateRow } from "../views/which.ts";
