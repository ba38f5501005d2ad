/**
 * The types of all rows, by name. The command table names the rows of a command; the compiler holds what it yields
 * against these types, and `docs/json.md` is made of them.
 * @module
 */
import type { ResolvedConfig } from "../../daemon/config/resolved_config.ts";
import type { ArchiveRow, FormatRow } from "../../formats/mod.ts";
import type { GameReport } from "../../games/detect/mod.ts";
import type { MountRow, QuestionRows, RefreshResult, ReloadResult, StatusResult } from "../../protocol/rows.ts";
import type { Finding } from "../doctor/finding.ts";
import type {
  ArchiveCreatedRow,
  ArchivedFileRow,
  ArchiveDiffRow,
  ArchiveExtractedRow,
  BatchRow,
  CompletionScriptRow,
  DirectoryChangeRow,
  DumpLine,
  ErrorRow,
  ExtractedRow,
  GrepRow,
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
  SettingsRow,
  StopRow,
  TextDiffRow,
  TourRow,
  UnmountedRow,
  UseRow,
  VerifiedRow,
  VersionRow,
  WarningRow,
  WatchedFileRow,
  WatchedPackRow,
  WatchedRefreshRow,
  WebRow,
  WrittenPathRow,
} from "./client_rows.ts";
import type { EntitiesRow, MapRow, ModelRow, PictureRow, SoundRow, SpriteRow, TextureWadRow } from "./show_rows.ts";

/** Types of the rows of commands, beside those of questions. */
export interface RowTypes extends QuestionRows {
  ArchiveCreatedRow: ArchiveCreatedRow;
  ArchiveDiffRow: ArchiveDiffRow;
  ArchivedFileRow: ArchivedFileRow;
  ArchiveExtractedRow: ArchiveExtractedRow;
  ArchiveRow: ArchiveRow;
  CompletionScriptRow: CompletionScriptRow;
  DirectoryChangeRow: DirectoryChangeRow;
  DumpLine: DumpLine;
  EntitiesRow: EntitiesRow;
  ExtractedRow: ExtractedRow;
  Finding: Finding;
  FormatRow: FormatRow;
  GameReport: GameReport;
  GrepRow: GrepRow;
  HeadRow: HeadRow;
  HelpRow: HelpRow;
  InitRow: InitRow;
  ManualPageRow: ManualPageRow;
  MapRow: MapRow;
  MatchRow: MatchRow;
  ModeRow: ModeRow;
  MountRow: MountRow;
  ModelRow: ModelRow;
  OpenRow: OpenRow;
  PictureRow: PictureRow;
  PlaceRow: PlaceRow;
  ProfileRow: ProfileRow;
  RefreshResult: RefreshResult;
  ReloadResult: ReloadResult;
  ResolvedConfig: ResolvedConfig;
  ServiceInstalledRow: ServiceInstalledRow;
  ServiceRemovedRow: ServiceRemovedRow;
  ServiceStatusRow: ServiceStatusRow;
  SettingsRow: SettingsRow;
  SoundRow: SoundRow;
  SpriteRow: SpriteRow;
  StatusResult: StatusResult;
  StopRow: StopRow;
  TextDiffRow: TextDiffRow;
  TextureWadRow: TextureWadRow;
  TourRow: TourRow;
  UnmountedRow: UnmountedRow;
  UseRow: UseRow;
  VerifiedRow: VerifiedRow;
  VersionRow: VersionRow;
  WatchedFileRow: WatchedFileRow;
  WatchedPackRow: WatchedPackRow;
  WatchedRefreshRow: WatchedRefreshRow;
  WebRow: WebRow;
  WrittenPathRow: WrittenPathRow;
}

/** Types of the lines that are printed besides rows. */
export interface OtherLineTypes {
  BatchRow: BatchRow;
  ErrorRow: ErrorRow;
  WarningRow: WarningRow;
}

/** Name of a type of rows. */
export type RowName = keyof RowTypes;
