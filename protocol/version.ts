/**
 * The program's version.
 * @module
 */
import configuration from "../deno.json" with { type: "json" };

/** Version of pakfs, from deno.json. */
export const version: string = configuration.version;

/** Identifies the files of this program: its version, and the directory that they are in. */
export const program: string = `${version} ${new URL("..", import.meta.url).pathname}`;
