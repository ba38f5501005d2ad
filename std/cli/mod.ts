/**
 * Command-line helpers, with the names, signatures and meaning of the part of `jsr:@std/cli` used here.
 *
 * A first-party stand-in, not the Deno authors' code; used where JSR cannot be reached.
 * @module
 */
export * from "./parse_args.ts";
export * from "./unicode_width.ts";
