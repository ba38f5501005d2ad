/**
 * Modules of other rooms that few commands need, each loaded when one does. Deno reads the target of an `import()` at every
 * start, with all that it imports, if its type is that of a literal: hence `as string`, here and wherever else a module is
 * loaded on demand.
 * @module
 */

/** Loads each module. */
export const modules = {
  archiveChecks: (): Promise<typeof import("../../service/archive_checks.ts")> =>
    import("../../service/archive_checks.ts" as string),
  configTemplate: (): Promise<typeof import("../../daemon/config/config_template.ts")> =>
    import("../../daemon/config/config_template.ts" as string),
  conversion: (): Promise<typeof import("../../protocol/library/conversion.ts")> =>
    import("../../protocol/library/conversion.ts" as string),
  fileSystems: (): Promise<typeof import("../../system/file_systems.ts")> =>
    import("../../system/file_systems.ts" as string),
  formats: (): Promise<typeof import("../../formats/mod.ts")> => import("../../formats/mod.ts" as string),
  gameRoots: (): Promise<typeof import("../../daemon/config/game_roots.ts")> =>
    import("../../daemon/config/game_roots.ts" as string),
  local: (): Promise<typeof import("../../service/local.ts")> => import("../../service/local.ts" as string),
  paths: (): Promise<typeof import("../../daemon/config/paths.ts")> => import("../../daemon/config/paths.ts" as string),
  profiles: (): Promise<typeof import("../../daemon/config/profiles.ts")> =>
    import("../../daemon/config/profiles.ts" as string),
  readerProcess: (): Promise<typeof import("../../system/reader_process.ts")> =>
    import("../../system/reader_process.ts" as string),
  resolvedConfig: (): Promise<typeof import("../../daemon/config/resolved_config.ts")> =>
    import("../../daemon/config/resolved_config.ts" as string),
  web: (): Promise<typeof import("../../web/server.ts")> => import("../../web/server.ts" as string),
  unresponsivePaths: (): Promise<typeof import("../../system/unresponsive_paths.ts")> =>
    import("../../system/unresponsive_paths.ts" as string),
} as const;
