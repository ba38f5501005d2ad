/**
 * File system helpers, with the names, signatures and meaning of the part of `jsr:@std/fs` used here.
 *
 * A first-party stand-in, not the Deno authors' code; used where JSR cannot be reached.
 *
 * @example
 * ```ts
 * import { ensureDir, exists } from "@std/fs";
 * import { assert } from "@std/assert";
 *
 * const root = await Deno.makeTempDir();
 * await ensureDir(`${root}/id1/gfx`);
 * assert(await exists(`${root}/id1/gfx`, { isDirectory: true }));
 * await Deno.remove(root, { recursive: true });
 * ```
 * @module
 */
export * from "./copy.ts";
export * from "./empty_dir.ts";
export * from "./ensure_dir.ts";
export * from "./exists.ts";
export * from "./move.ts";
export * from "./walk.ts";
