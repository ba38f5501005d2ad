/**
 * The program's version.
 * @module
 */
import configuration from "../deno.json" with { type: "json" };

/** Version of pakfs, from deno.json. */
export const version: string = configuration.version;
