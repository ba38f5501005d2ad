/**
 * The rooms that mutants are made for, and the tests that are expected to notice them.
 * @module
 */

/** A part of the product with tests of its own. */
export interface Room {
  readonly name: string;
  /** Files and directories whose source is changed. */
  readonly sources: readonly string[];
  /** Files and directories of tests, the fastest first: the first failure ends a run. */
  readonly tests: readonly string[];
}

/** All rooms. */
export const rooms: readonly Room[] = [
  { name: "formats", sources: ["formats"], tests: ["tests/formats"] },
  { name: "index", sources: ["index"], tests: ["tests/index"] },
  { name: "mount", sources: ["daemon/mount"], tests: ["tests/mount", "tests/soak"] },
  { name: "watch", sources: ["daemon/watch"], tests: ["tests/daemon", "tests/mount/watch_test.ts"] },
  {
    name: "server",
    sources: ["daemon/server.ts", "daemon/lines.ts", "daemon/allowance.ts", "daemon/methods"],
    tests: ["tests/daemon"],
  },
  { name: "fuse", sources: ["deno-fuse-ffi"], tests: ["tests/deno_fuse_ffi"] },
  { name: "repl", sources: ["repl"], tests: ["tests/repl"] },
];
