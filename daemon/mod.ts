/**
 * Interface of the daemon for the client: its configuration, and the locations of its files.
 * @module
 */
export { ConfigError } from "./config/config_file.ts";
export { type ConfigKey, gameKeys, topKeys } from "./config/config_settings.ts";
export type { GameRoots } from "./config/game_roots.ts";
export { launcherCommands } from "./config/launcher_commands.ts";
export { nameOptions, nameSettingsFrom } from "./config/name_options.ts";
export { cachedIndexes, defaultIndexCache } from "./config/paths.ts";
export { resolveConfig, type ResolvedConfig } from "./config/resolved_config.ts";
export { demoHighlights } from "./demo/highlights.ts";
