/**
 * Resolves a configuration in a process of its own.
 * @module
 */
import { hidesFrom } from "../../system/file_systems.ts";
import type { CarefulOrder } from "../../system/reader_process.ts";
import { ConfigError } from "./config_file.ts";
import { type ConfigAnswer, configAt, type ConfigOrder } from "./resolved_config.ts";

export { noteCalls } from "../../system/call_watch.ts";

/** Resolves a configuration. */
export async function answer({ path, silent }: ConfigOrder & CarefulOrder): Promise<ConfigAnswer> {
  try {
    return await configAt(path, hidesFrom(silent));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { message: error.message };
  }
}
