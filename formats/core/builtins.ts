/**
 * Node's built-in modules, loaded on first use: together they take longer to load than Deno takes to start, and a mount
 * of cached packs needs none.
 * @module
 */

const loaded = new Map<string, unknown>();

function builtin(name: string): unknown {
  // deno-lint-ignore no-process-global -- importing it would load it at once
  const module = loaded.get(name) ?? process.getBuiltinModule(name);
  loaded.set(name, module);
  return module;
}

/** Returns `node:buffer`. */
export function buffer(): typeof import("node:buffer") {
  return builtin("node:buffer") as typeof import("node:buffer");
}

/** Returns `node:child_process`. */
export function childProcess(): typeof import("node:child_process") {
  return builtin("node:child_process") as typeof import("node:child_process");
}

/** Returns `node:crypto`. */
export function crypto(): typeof import("node:crypto") {
  return builtin("node:crypto") as typeof import("node:crypto");
}

/** Returns `node:fs`. */
export function fs(): typeof import("node:fs") {
  return builtin("node:fs") as typeof import("node:fs");
}

/** Returns `node:stream`. */
export function stream(): typeof import("node:stream") {
  return builtin("node:stream") as typeof import("node:stream");
}

/** Returns `node:zlib`. */
export function zlib(): typeof import("node:zlib") {
  return builtin("node:zlib") as typeof import("node:zlib");
}
