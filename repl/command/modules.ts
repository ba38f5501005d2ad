/**
 * Modules of other rooms that few commands need, each loaded when one does.
 * @module
 */

/** Loads each module. */
export const modules = {
  archiveChecks: () => import("../../service/archive_checks.ts"),
  configTemplate: () => import("../../daemon/config/config_template.ts"),
  conversion: () => import("../../protocol/library/conversion.ts"),
  fileSystems: () => import("../../system/file_systems.ts"),
  formats: () => import("../../formats/mod.ts"),
  gameRoots: () => import("../../daemon/config/game_roots.ts"),
  local: () => import("../../service/local.ts"),
  paths: () => import("../../daemon/config/paths.ts"),
  profiles: () => import("../../daemon/config/profiles.ts"),
  readerProcess: () => import("../../system/reader_process.ts"),
  resolvedConfig: () => import("../../daemon/config/resolved_config.ts"),
  web: () => import("../../web/server.ts"),
  unresponsivePaths: () => import("../../system/unresponsive_paths.ts"),
} as const;
