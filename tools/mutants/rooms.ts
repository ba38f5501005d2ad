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
  /**
   * Tests of the sources that begin with a path, where most tests of the room load most of its sources: the first row
   * that fits counts, and without one all tests are run.
   */
  readonly concerning?: readonly (readonly [source: string, tests: readonly string[]])[];
}

const serviceTest = (name: string) => `tests/service/${name}_test.ts`;
const serviceTests = (...names: readonly string[]) => names.map(serviceTest);
const daemonTests = (...names: readonly string[]) => names.map((name) => `tests/daemon/${name}_test.ts`);

/** Tests of each part of the server. */
const serverParts: readonly (readonly [source: string, tests: readonly string[]])[] = [
  ["daemon/server/rate_limiter", daemonTests("rate_limiter")],
  ["daemon/server/server", daemonTests("server_model", "server", "socket")],
  ["daemon/server/", daemonTests("server_model", "server")],
  ["protocol/lines", daemonTests("lines", "server_model", "server")],
  ["protocol/event_queue", daemonTests("lines").concat(serviceTests("watch"), daemonTests("server_model", "server"))],
  ["service/methods/complete", serviceTests("complete", "service", "shaders", "user_errors", "two_games")],
  ["service/methods/content_comparison", serviceTests("content_comparison", "questions")],
  ["service/methods/control", serviceTests("requests", "service", "user_errors").concat(daemonTests("server"))],
  ["service/methods/method", serviceTests("requests", "content_comparison", "service", "questions")],
  ["service/methods/pages", serviceTests("requests", "questions", "refresh", "service", "user_errors")],
  ["service/methods/parameters", serviceTests("requests", "user_errors", "service", "questions")],
  ["service/methods/questions", serviceTests("requests", "questions", "shaders", "service", "user_errors")],
  [
    "service/methods/read",
    serviceTests("requests", "service", "library_stream", "refresh", "asked_spelling", "user_errors"),
  ],
  ["service/methods/subscriptions", serviceTests("requests", "watch", "user_errors").concat(daemonTests("server"))],
  ["service/methods/table", serviceTests("requests", "service", "questions")],
  ["service/rpc_errors", serviceTests("user_errors", "service", "questions", "asked_spelling")],
  ["service/service", serviceTests("refresh", "requests", "service", "user_errors", "library_stream")],
];

const mountTests = (...names: readonly string[]) => names.map((name) => `tests/mount/${name}_test.ts`);

/** Tests of each part of the mount: tests of its models first, then those with a real mount. */
const mountParts: readonly (readonly [source: string, tests: readonly string[]])[] = [
  [
    "mount/layout/",
    mountTests(
      "file_system",
      "listings",
      "converted_names",
      "identity",
      "asked_spelling",
      "layout",
      "refresh",
      "return",
      "reload",
      "several_files",
    ),
  ],
  ["mount/invalidation", mountTests("invalidation", "refresh", "return", "asked_spelling")],
  ["mount/session/converted_files", mountTests("converted_names", "kept_results", "converted")],
  ["mount/converting/", mountTests("converter_thread", "kept_results", "view_files", "converted", "kept_conversions")],
  ["mount/shared/conversions", mountTests("kept_results", "converted_names", "view_files", "converted")],
  ["mount/shared/node_descriptions", mountTests("file_system", "errors", "read")],
  ["mount/session/traced", mountTests("file_system", "observe")],
  ["mount/session/read_ahead", mountTests("read_ahead_pattern", "read_ahead", "page_cache_filler")],
  ["mount/session/lookup_pattern", mountTests("lookup_pattern")],
  ["mount/session/handed", mountTests("request_queue", "converted_names", "remote_reads")],
  ["mount/session/cached_lookups", mountTests("cached_lookups", "identity", "asked_spelling")],
  ["mount/session/listing_pattern", mountTests("listings")],
  ["mount/session/extended", mountTests("file_system", "nameless", "read")],
  [
    "mount/session/game_file_system",
    mountTests(
      "file_system",
      "listings",
      "converted_names",
      "identity",
      "asked_spelling",
      "layout",
      "empty",
      "errors",
      "lookup_pattern",
      "listing_pattern",
      "read",
      "refresh",
      "return",
    ),
  ],
  ["mount/session/member_cache", mountTests("member_cache", "content", "large", "stress", "refresh")],
  [
    "mount/session/open_files",
    mountTests("open_files", "content", "served_indexes", "change", "refresh", "several_files"),
  ],
  [
    "mount/session/read_handler",
    mountTests(
      "content",
      "open_files",
      "segments",
      "served_indexes",
      "empty",
      "damage",
      "change",
      "page_cache_filler",
      "lookup_pattern",
      "read_ahead",
      "several_files",
      "large",
      "remote_reads",
    ),
  ],
  ["mount/session/served_indexes", mountTests("served_indexes", "refresh", "return")],
  ["mount/session_thread", mountTests("session_thread", "observe", "fault", "refresh", "end", "reload")],
  ["mount/session", mountTests("observe", "fault", "refresh", "layout", "end", "reload", "change")],
  ["mount/shared/decode_memory", mountTests("decode_memory", "content", "read", "stress", "fault", "end")],
  ["mount/shared/read_ahead_queue", mountTests("read_ahead_queue", "read_ahead")],
  ["mount/shared/request_queue", mountTests("request_queue", "remote_reads", "converted_names")],
  ["mount/shared/entry_states", mountTests("content", "segments")],
  ["mount/shared/index_versions", mountTests("refresh", "return", "reload", "large")],
  ["mount/shared/seek_members", mountTests("segments", "seek")],
  ["mount/shared/decompressed_archives", mountTests("decompressed_archives", "several_files")],
  ["mount/shared/planned_faults", mountTests("fault", "end")],
  ["mount/shared/catalog_messages", mountTests("catalog_messages", "identity", "refresh")],
  ["mount/shared/", mountTests("content", "refresh", "observe", "fault")],
  ["mount/decoding/archive_decompressor", mountTests("several_files")],
  ["mount/decoding/page_cache_filler", mountTests("page_cache_filler", "read_ahead")],
  ["mount/decoding/decoder_worker", mountTests("fault", "seek", "read_ahead", "refresh", "end", "large")],
  [
    "mount/decoding/descriptor_files",
    mountTests("content", "open_files", "several_files", "change", "large").concat("tests/index/read_archives_test.ts"),
  ],
  ["mount/decoding/libdeflate", mountTests("memory_windows", "content", "page_cache_filler", "large")],
  ["mount/decoding/member_decoder", mountTests("content", "memory_windows", "damage", "several_files", "large")],
  ["mount/decoding/deflate_blocks", mountTests("segments", "seek")],
  ["mount/decoding/se", mountTests("segments", "seek")],
  ["mount/decoding/slot_decoding", mountTests("content", "segments", "damage", "several_files", "large", "seek")],
  ["mount/decoding/", mountTests("content", "damage", "several_files", "large", "fault", "end")],
  ["mount/seek_point_cache", mountTests("seek")],
  ["mount/mount", mountTests("observe", "fault", "refresh", "layout", "end", "seek", "hung")],
  ["mount/shown_indexes", mountTests("shown_indexes", "decoder_pool", "request_threads", "refresh", "observe", "hung")],
  ["mount/decoder_pool", mountTests("decoder_pool", "fault", "refresh", "end", "large", "observe")],
  ["mount/remote/remote_worker", mountTests("remote_reads", "hung")],
  ["mount/remote/", mountTests("remote_reads", "request_queue")],
  ["mount/request_threads", mountTests("request_threads", "converted")],
  ["mount/", mountTests("observe", "fault", "layout", "refresh", "end", "errors", "reload")],
  ["index/content/remote/remote_sources", ["tests/system/file_systems_test.ts"].concat(mountTests("hung"))],
  ["index/content/remote/remote_readers", [
    "tests/index/content/remote_readers_test.ts",
    "tests/index/content/reader_test.ts",
  ]],
  ["index/content/remote/", ["tests/index/content/reader_test.ts"].concat(mountTests("hung"))],
  [
    "index/content/",
    ["tests/index/content/reader_test.ts"].concat(
      mountTests("content", "several_files", "change"),
      ["shaders", "service", "library_stream", "questions"].map(serviceTest),
    ),
  ],
];

const keptFilesTest = "tests/index/cache/kept_files_test.ts";

/** Sources of the index whose tests are elsewhere, or few. */
const indexParts: readonly (readonly [source: string, tests: readonly string[]])[] = [
  ["index/cache/seek_points", [keptFilesTest, ...mountTests("seek")]],
  ["index/cache/", ["tests/index/cache_test.ts", serviceTest("live_index")]],
  [
    "engines/settings/",
    [
      "tests/engines/settings/profile_settings_test.ts",
      "tests/engines/settings/outcomes_test.ts",
      "tests/daemon/config/profile_test.ts",
      "tests/docs/generated_test.ts",
      "tests/views/which_test.ts",
      "tests/repl/init_command_test.ts",
    ],
  ],
];

/** All rooms. */
export const rooms: readonly Room[] = [
  { name: "formats", sources: ["formats"], tests: ["tests/formats"] },
  {
    name: "index",
    sources: ["index", "engines", "games", "views", "questions"],
    tests: ["tests/index", "tests/engines", "tests/games", "tests/views", "tests/questions"].concat(
      serviceTests(
        "asked_spelling",
        "live_index",
        "names",
        "one_ingredient",
        "questions",
        "refresh",
        "requests",
        "service",
        "shaders",
        "two_games",
        "watch",
      ),
    ),
    concerning: indexParts,
  },
  {
    name: "mount",
    sources: ["mount", "index/content"],
    tests: ["tests/mount", "tests/index/content"],
    concerning: mountParts,
  },
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
    tests: daemonTests("lines", "server", "socket", "rate_limiter", "server_model").concat("tests/service"),
    concerning: serverParts,
  },
  { name: "fuse", sources: ["deno-fuse-ffi"], tests: ["tests/deno_fuse_ffi"] },
  { name: "convert", sources: ["media/convert"], tests: ["tests/media/convert", "tests/mount/converted_test.ts"] },
  {
    name: "config",
    sources: ["daemon/config"],
    tests: [
      "tests/daemon/config",
      "tests/docs/generated_test.ts",
      "tests/launcher/facts_test.ts",
      "tests/repl/init_command_test.ts",
    ],
  },
  {
    name: "protocol",
    sources: ["protocol"],
    tests: daemonTests("lines", "server", "server_model", "socket").concat(
      ["requests", "watch", "user_errors", "complete"].map(serviceTest),
      "tests/repl/client_test.ts",
    ),
  },
  { name: "media", sources: ["media"], tests: ["tests/media", "tests/media/convert"] },
  { name: "preview", sources: ["media/preview"], tests: ["tests/media/preview"] },
  { name: "repl", sources: ["repl"], tests: ["tests/repl"] },
];
