/**
 * Resolves a configuration in a separate process.
 * @module
 */
import { type CarefulOrder, hidesFrom } from "../../system/mod.ts";
import { ConfigError } from "./config_file.ts";
import { type ConfigAnswer, configAt, type ConfigOrder } from "./resolved_config.ts";

export { noteCalls } from "../../system/mod.ts";

/** Resolves a configuration. */
export async function answer({ path, silent }: ConfigOrder & CarefulOrder): Promise<ConfigAnswer> {
  try {
    return await configAt(path, hidesFrom(silent));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { message: error.message };
  }
}
