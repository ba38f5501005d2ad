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
    sources: [
      ...["server", "lines", "allowance", "event_queue", "parameters", "service"].map((name) => `daemon/${name}.ts`),
      "daemon/methods",
    ],
    tests: [
      ...[
        "server",
        "server_model",
        "user_errors",
        "service",
        "worst_requests",
        "questions",
        "shaders",
        "names",
        "watch",
      ]
        .map((name) => `tests/daemon/${name}_test.ts`),
      "tests/service/library_stream_test.ts",
    ],
  },
  { name: "fuse", sources: ["deno-fuse-ffi"], tests: ["tests/deno_fuse_ffi"] },
  { name: "repl", sources: ["repl"], tests: ["tests/repl"] },
];
