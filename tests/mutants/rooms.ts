/**
 * The rooms that mutants are made for, and the tests that are expected to notice them.
 * @module
 */

/** A part of the product with tests of its own. */
export interface Room {
  readonly name: string;
  /** Files and directories whose source is changed. */
  readonly sources: readonly string[];
  /** Files and directories of tests. */
  readonly tests: readonly string[];
}

const serviceTest = (name: string) => `tests/service/${name}_test.ts`;

/** All rooms. */
export const rooms: readonly Room[] = [
  { name: "formats", sources: ["formats"], tests: ["tests/formats"] },
  {
    name: "index",
    sources: ["index"],
    tests: ["tests/index", ...["asked_spelling", "questions", "service", "shaders"].map(serviceTest)],
  },
  { name: "mount", sources: ["mount", "content"], tests: ["tests/mount"] },
  {
    name: "watch",
    sources: [
      "service/watch",
      "system/directory_watches.ts",
      "system/mount_table.ts",
      "system/unresponsive_paths.ts",
    ],
    tests: [
      ...["coalescer", "index_watcher", "live_index", "targets", "tree_watcher", "watch"].map(serviceTest),
      "tests/system",
      "tests/mount/watch_test.ts",
      "tests/mount/return_test.ts",
    ],
  },
  {
    name: "server",
    sources: [
      "daemon/server",
      "protocol/event_queue.ts",
      "protocol/lines.ts",
      "service/methods",
      "service/rpc_errors.ts",
      "service/service.ts",
    ],
    // "worst_requests_test.ts" measures time and would notice other programs on the machine.
    tests: ["server", "socket", "rate_limiter", "server_model"].map((name) => `tests/daemon/${name}_test.ts`).concat(
      "tests/service",
    ),
  },
  { name: "fuse", sources: ["deno-fuse-ffi"], tests: ["tests/deno_fuse_ffi"] },
  { name: "preview", sources: ["preview"], tests: ["tests/preview"] },
  { name: "repl", sources: ["repl"], tests: ["tests/repl"] },
];
