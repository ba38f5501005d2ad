/**
 * The types of all rows, by name. The command table names the rows of a command; the compiler holds what it yields
 * against these types, and `docs/json.md` is made of them.
 * @module
 */
import type { ResolvedConfig } from "../../config/resolved_config.ts";
import type { ArchiveRow, FormatRow } from "../../formats/mod.ts";
import type { GameReport } from "../../index/detect/mod.ts";
import type {
  ChecksumResult,
  ConflictRow,
  DiffRow,
  DiffSummary,
  DirectoryRow,
  FileRow,
  GameRow,
  LimitRow,
  NamesRow,
  PackRow,
  PathRow,
  PureResult,
  RefreshResult,
  RegisteredResult,
  ReloadResult,
  ShaderResult,
  ShaderRow,
  ShadowedRow,
  StatRow,
  StatusResult,
  UsageRow,
  ViewRow,
  WhichResult,
} from "../../protocol/rows.ts";
import type { Finding } from "../doctor/finding.ts";
import type {
  ArchiveCreatedRow,
  ArchiveExtractedRow,
  BatchRow,
  CompletionScriptRow,
  DirectoryChangeRow,
  DumpLine,
  ErrorRow,
  ExtractedRow,
  HeadRow,
  HelpRow,
  InitRow,
  ManualPageRow,
  MatchRow,
  ModeRow,
  OpenRow,
  PlaceRow,
  ProfileRow,
  ServiceInstalledRow,
  ServiceRemovedRow,
  ServiceStatusRow,
  StopRow,
  TourRow,
  UnmountedRow,
  UseRow,
  VerifiedRow,
  WarningRow,
  WatchedFileRow,
  WatchedPackRow,
  WatchedRefreshRow,
} from "./client_rows.ts";
import type { EntitiesRow, MapRow, ModelRow, PictureRow, SoundRow, SpriteRow, TextureWadRow } from "./show_rows.ts";

/** Types of the rows of commands. */
export interface RowTypes {
  ArchiveCreatedRow: ArchiveCreatedRow;
  ArchiveExtractedRow: ArchiveExtractedRow;
  ArchiveRow: ArchiveRow;
  ChecksumResult: ChecksumResult;
  CompletionScriptRow: CompletionScriptRow;
  ConflictRow: ConflictRow;
  DiffRow: DiffRow;
  DiffSummary: DiffSummary;
  DirectoryChangeRow: DirectoryChangeRow;
  DirectoryRow: DirectoryRow;
  DumpLine: DumpLine;
  EntitiesRow: EntitiesRow;
  ExtractedRow: ExtractedRow;
  FileRow: FileRow;
  Finding: Finding;
  FormatRow: FormatRow;
  GameReport: GameReport;
  GameRow: GameRow;
  HeadRow: HeadRow;
  HelpRow: HelpRow;
  InitRow: InitRow;
  LimitRow: LimitRow;
  ManualPageRow: ManualPageRow;
  MapRow: MapRow;
  MatchRow: MatchRow;
  ModeRow: ModeRow;
  ModelRow: ModelRow;
  NamesRow: NamesRow;
  OpenRow: OpenRow;
  PackRow: PackRow;
  PathRow: PathRow;
  PictureRow: PictureRow;
  PlaceRow: PlaceRow;
  ProfileRow: ProfileRow;
  PureResult: PureResult;
  RefreshResult: RefreshResult;
  RegisteredResult: RegisteredResult;
  ReloadResult: ReloadResult;
  ResolvedConfig: ResolvedConfig;
  ServiceInstalledRow: ServiceInstalledRow;
  ServiceRemovedRow: ServiceRemovedRow;
  ServiceStatusRow: ServiceStatusRow;
  ShaderResult: ShaderResult;
  ShaderRow: ShaderRow;
  ShadowedRow: ShadowedRow;
  SoundRow: SoundRow;
  SpriteRow: SpriteRow;
  StatRow: StatRow;
  StatusResult: StatusResult;
  StopRow: StopRow;
  TextureWadRow: TextureWadRow;
  TourRow: TourRow;
  UnmountedRow: UnmountedRow;
  UsageRow: UsageRow;
  UseRow: UseRow;
  VerifiedRow: VerifiedRow;
  ViewRow: ViewRow;
  WatchedFileRow: WatchedFileRow;
  WatchedPackRow: WatchedPackRow;
  WatchedRefreshRow: WatchedRefreshRow;
  WhichResult: WhichResult;
}

/** Types of the lines that are printed besides rows. */
export interface OtherLineTypes {
  BatchRow: BatchRow;
  ErrorRow: ErrorRow;
  WarningRow: WarningRow;
}

/** Name of a type of rows. */
export type RowName = keyof RowTypes;
