/**
 * The types of all rows, by name. The command table lists the row types of a command; the compiler checks its results
 * against them, and `docs/json.md` is generated from them.
 * @module
 */
import type { ResolvedConfig } from "../../daemon/mod.ts";
import type { ArchiveRow, FormatRow } from "../../formats/mod.ts";
import type { GameReport } from "../../games/mod.ts";
import type * as protocol from "../../protocol/rows.ts";
import type { Finding } from "../doctor/finding.ts";
import type * as client from "./client_rows.ts";
import type * as show from "./show_rows.ts";

/** Types of the rows of commands. */
export interface RowTypes {
  ArchiveCreatedRow: client.ArchiveCreatedRow;
  ArchivedFileRow: client.ArchivedFileRow;
  ArchiveDiffRow: client.ArchiveDiffRow;
  ArchiveExtractedRow: client.ArchiveExtractedRow;
  ArchiveFaultRow: client.ArchiveFaultRow;
  ArchiveRow: ArchiveRow;
  ChecksumResult: protocol.ChecksumResult;
  ColumnRow: client.ColumnRow;
  CompletionScriptRow: client.CompletionScriptRow;
  ConflictRow: protocol.ConflictRow;
  DiffRow: protocol.DiffRow;
  DiffSummary: protocol.DiffSummary;
  DirectoryChangeRow: client.DirectoryChangeRow;
  DirectoryRow: protocol.DirectoryRow;
  DownloadRow: client.DownloadRow;
  DuplicateRow: protocol.DuplicateRow;
  DumpLine: client.DumpLine;
  EntitiesRow: show.EntitiesRow;
  ExportedRow: client.ExportedRow;
  ExtractedRow: client.ExtractedRow;
  FileRow: protocol.FileRow;
  Finding: Finding;
  FormatRow: FormatRow;
  GameReport: GameReport;
  GameRow: protocol.GameRow;
  GrepRow: protocol.GrepRow;
  HashRow: protocol.HashRow;
  HeadRow: client.HeadRow;
  HelpRow: client.HelpRow;
  InitRow: client.InitRow;
  LimitRow: protocol.LimitRow;
  ManualPageRow: client.ManualPageRow;
  MapRow: show.MapRow;
  MatchRow: client.MatchRow;
  MissingRow: protocol.MissingRow;
  ModelRow: show.ModelRow;
  ModeRow: client.ModeRow;
  MountRow: protocol.MountRow;
  NamesRow: protocol.NamesRow;
  NeedRow: protocol.NeedRow;
  OpenRow: client.OpenRow;
  PackRow: protocol.PackRow;
  PathRow: protocol.PathRow;
  PictureRow: show.PictureRow;
  PlaceRow: client.PlaceRow;
  ProfileRow: client.ProfileRow;
  ProviderRow: protocol.ProviderRow;
  PureResult: protocol.PureResult;
  RefreshResult: protocol.RefreshResult;
  RegisteredResult: protocol.RegisteredResult;
  ReloadResult: protocol.ReloadResult;
  ResolvedConfig: ResolvedConfig;
  ServiceInstalledRow: client.ServiceInstalledRow;
  ServiceRemovedRow: client.ServiceRemovedRow;
  ServiceStatusRow: client.ServiceStatusRow;
  SettingsRow: client.SettingsRow;
  ShaderResult: protocol.ShaderResult;
  ShaderRow: protocol.ShaderRow;
  ShadowedRow: protocol.ShadowedRow;
  SoundRow: show.SoundRow;
  SpriteRow: show.SpriteRow;
  SqlResultRow: client.SqlResultRow;
  StatRow: protocol.StatRow;
  StatusResult: protocol.StatusResult;
  StopRow: client.StopRow;
  TableRow: client.TableRow;
  TextDiffRow: client.TextDiffRow;
  TexturesRow: show.TexturesRow;
  TextureWadRow: show.TextureWadRow;
  TourRow: client.TourRow;
  UnmountedRow: client.UnmountedRow;
  UsageRow: protocol.UsageRow;
  UseRow: client.UseRow;
  UserRow: protocol.UserRow;
  VerifiedRow: client.VerifiedRow;
  VersionRow: client.VersionRow;
  ViewRow: protocol.ViewRow;
  WatchedFileRow: client.WatchedFileRow;
  WatchedPackRow: client.WatchedPackRow;
  WatchedRefreshRow: client.WatchedRefreshRow;
  WebRow: client.WebRow;
  WhichResult: protocol.WhichResult;
  WrittenPathRow: client.WrittenPathRow;
}

/** Types of the lines that are printed in addition to rows. */
export interface OtherLineTypes {
  BatchRow: client.BatchRow;
  ErrorRow: client.ErrorRow;
  WarningRow: client.WarningRow;
}

/** Name of a type of rows. */
export type RowName = keyof RowTypes;
