/**
 * Calls with arbitrary parameters: the answer is a result, or an error that blames the request. Internal errors are
 * bugs of the daemon.
 */
import { assert, assertEquals } from "@std/assert";
import { openLocalGames } from "../../service/local.ts";
import type { Checks } from "../../questions/question.ts";
import { pageRequest } from "../../service/methods/pages.ts";
import { checkParameters } from "../../service/methods/parameters.ts";
import type { Connection } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { maxStringCount, maxStringLength } from "../../protocol/limits.ts";
import { methodNames } from "../../service/methods/table.ts";
import { join, text, u32, zip } from "../formats/bytes.ts";
import { installation, pakOf } from "../index/fixtures.ts";
import fc from "../support/fast_check.ts";

const names = [
  "view",
  "path",
  "qpath",
  "patterns",
  "filters",
  "cursor",
  "limit",
  "depth",
  "source",
  "by",
  "compare",
  "from",
  "to",
  "name",
  "pattern",
  "kind",
  "prefix",
  "list",
  "checksum",
  "feed",
  "pack",
  "subscription",
  "views",
  "sample",
  "offset",
  "length",
  "version",
  "protocol",
  "client",
  "game",
  "fullyShadowed",
  "statement",
  "expression",
  "library",
  "equal",
  "maps",
];
const texts = [
  "",
  "/",
  ".",
  "..",
  "a.txt",
  "A.TXT",
  "dir",
  "dir/b.tga",
  "damaged.txt",
  "cut.txt",
  "nothing",
  "quake",
  "quake3",
  "quake/id1",
  "quake3/baseq3",
  "quake3/baseq3:pure=pak0",
  "quake3/baseq3:map=q",
  "quake3/baseq3:inactive=9",
  "quake/id1:pure=pak0",
  "quake3/mod+mod",
  "quake3/baseq3:",
  ":",
  "+",
  "quake3/baseq3:pure=~%%%",
  "quake3/baseq3:pure=~AAAA",
  "pak0.pk3",
  "pak0.pak",
  "broken.pk3",
  "id1",
  "mod",
  "*",
  "**",
  "[",
  "{a,b}",
  "\\",
  "*".repeat(5000),
  "\ud800",
  "\0",
  "qpath",
  "view",
  "source",
  "shader",
  "find:1:0",
  "list:1:0",
  "ls:3:0",
  "usage:1:0",
  "shadowed:1.1:0",
  "find:1:7",
  "x".repeat(70_000),
  "textures/s",
];
const anyText = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: "binary", maxLength: 8 }));
const anyNumber = fc.constantFrom(-1, 0, 1, 2, 0.5, 1e9, 2 ** 31, 2 ** 32 - 1, 2 ** 53 - 1, 2 ** 53, 1e300);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: anyText },
  { weight: 3, arbitrary: anyNumber },
  { weight: 2, arbitrary: fc.array(anyText, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constantFrom(null, [1, 1], [0, 9], [], {}) },
  {
    weight: 1,
    arbitrary: fc.record({ minSize: anyNumber, source: anyText, extensions: fc.array(anyText) }, { requiredKeys: [] }),
  },
);
const likely: fc.Arbitrary<Record<string, unknown>> = fc.record({
  view: anyText,
  path: anyText,
  qpath: anyText,
  patterns: fc.array(anyText, { maxLength: 3 }),
  files: fc.array(anyText, { maxLength: 3 }),
  without: anyText,
  source: anyText,
  from: anyText,
  to: anyText,
  name: anyText,
  pattern: anyText,
  kind: fc.constantFrom("qpath", "view", "pack", "source", "shader"),
  prefix: anyText,
  pack: anyText,
  statement: fc.oneof(anyText, anyText.map((text) => `SELECT ${text} FROM files`)),
  expression: anyText,
  list: fc.array(anyText, { maxLength: 3 }),
  subscription: anyNumber,
}, { requiredKeys: [] });
/** Parameters that some method takes. */
const valid: fc.Arbitrary<Record<string, unknown>> = fc.record({
  view: fc.constantFrom("quake/id1", "quake3/baseq3"),
  qpath: fc.constantFrom("a.txt", "maps/a.txt", "dir/b.tga"),
  files: fc.constantFrom(["a.txt"], ["dir/b.tga", "maps/a.txt"]),
  name: fc.constantFrom("a.txt", "dir/b.tga"),
  from: fc.constantFrom("quake/id1", "quake3/baseq3"),
  to: fc.constantFrom("quake3/mod", "quake3/baseq3"),
  source: fc.constantFrom("pak0.pak", "pak0.pk3", "id1"),
  pack: fc.constant("pak0.pk3"),
  statement: fc.constant("SELECT path FROM files"),
  expression: fc.constant("x"),
  library: fc.constant([new URL(".", import.meta.url).pathname]),
  client: anyText,
  protocol: fc.constant([1, 1]),
});
const anyParams = fc.oneof(
  { weight: 1, arbitrary: valid },
  { weight: 1, arbitrary: fc.oneof(anyValue, fc.dictionary(fc.constantFrom(...names), anyValue)) },
  {
    weight: 3,
    arbitrary: fc.tuple(likely, fc.dictionary(fc.constantFrom(...names), anyValue, { maxKeys: 2 }))
      .map(([usual, odd]) => ({ ...usual, ...odd })),
  },
);

async function codeOf(connection: Connection, method: string, params: unknown): Promise<number | "result"> {
  try {
    await connection.call(method as "stat", params as { qpath: string });
    return "result";
  } catch (error) {
    assert(error instanceof RpcError, String(error));
    assert(error.code !== errorCodes.internalError, `${method} ${JSON.stringify(params)}: ${error.message}`);
    assert(!/^\w*Error: /.test(error.message), `${method} ${JSON.stringify(params)}: ${error.message}`);
    return error.code;
  }
}

Deno.test("no parameters of any method are answered with an internal error", async () => {
  await using root = await installation({
    "quake/id1/pak0.pak": pakOf("a.txt", "dir/b.tga", "cut.txt"),
    "quake/id1/pak1.pak": join(text("PACK"), u32(76, 64), new Uint8Array(3)),
    "quake/id1/maps/a.txt": "",
    "quake3/baseq3/pak0.pk3": zip([
      { name: "a.txt", content: "a" },
      { name: "dir/b.tga", content: "b" },
      { name: "damaged.txt", content: "damaged", crc: 0x1234 },
      { name: "cut.txt", content: "x", size: 1_000_000, packedSize: 1_000_000 },
      { name: "scripts/s.shader", content: "textures/s\n{\n}\n" },
    ]),
    "quake3/baseq3/broken.pk3": "PK\x03\x04broken",
    "quake3/mod/pak1.pk3": zip([{ name: "a.txt", content: "mod" }]),
  });
  await using connection = await openLocalGames([
    { sources: [`${root.path}/quake`], profile: "quake" },
    { sources: [`${root.path}/quake3`], profile: "chomenor" },
  ]);
  const seen = new Map<string, Set<number | "result">>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methodNames), anyParams, async (method, params) => {
      const code = await codeOf(connection, method, params);
      seen.set(method, (seen.get(method) ?? new Set()).add(code));
    }),
    { numRuns: 6000 },
  );
  // Methods without any result need a socket (subscriptions) or a daemon (commands and mounts).
  const unanswered = methodNames.filter((method) => !seen.get(method)?.has("result"));
  assertEquals(
    unanswered.filter((method) => !["run", "mount", "unmount", "subscribe", "unsubscribe"].includes(method)),
    [],
  );
});

Deno.test("what the operating system refuses is an error of the file, with its errno", async () => {
  await using root = await installation({ "id1/maps/a.txt": "a", "id1/b/a.txt": "a" });
  await using connection = await openLocalGames([{ sources: [root.path], profile: "quake" }]);
  await Deno.remove(`${root.path}/id1/maps`, { recursive: true });
  await Deno.symlink("maps", `${root.path}/id1/maps`);
  await Deno.remove(`${root.path}/id1/b`, { recursive: true });
  await Deno.writeTextFile(`${root.path}/id1/b`, "");
  for (const [qpath, errno] of [["maps/a.txt", "ELOOP"], ["b/a.txt", "ENOTDIR"]] as const) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const error = await connection.call("read", { qpath }).then(() => undefined, (reason) => reason);
    assert(error instanceof RpcError, qpath);
    assertEquals([error.code, error.data?.errno], [errorCodes.unreadable, errno], error.message);
  }
});

Deno.test("numbers and lists of parameters are accepted up to their limits, and no further", () => {
  const isAccepted = (check: () => unknown) => {
    try {
      check();
      return true;
    } catch (error) {
      assert(error instanceof RpcError && error.code === errorCodes.invalidParams, String(error));
      return false;
    }
  };
  const checked = (check: string) => (value: unknown) =>
    isAccepted(() => checkParameters({ value: check } as Checks<{ value: string }>, { value }));
  const limits: [isAccepted: (value: unknown) => boolean, accepted: unknown[], refused: unknown[]][] = [
    [checked("integer32"), [-(2 ** 31), 2 ** 32 - 1, 0], [-(2 ** 31) - 1, 2 ** 32, 0.5, "1"]],
    [checked("count"), [0, 2 ** 53 - 1, undefined], [-1, 2 ** 53, 0.5, "1"]],
    [checked("required count"), [0, 2 ** 53 - 1], [-1, 2 ** 53, undefined]],
    [(limit) => isAccepted(() => pageRequest("find", { limit }, 0)), [1, 2 ** 53 - 1, undefined], [0, -1]],
    [checked("required string"), ["", "x".repeat(maxStringLength)], ["x".repeat(maxStringLength + 1), 1, undefined]],
    [checked("required strings"), [[], Array(maxStringCount).fill("")], [Array(maxStringCount + 1).fill(""), [1], "a"]],
    [checked("table"), [{}, { a: [] }, undefined], [[], null, "a", 1, true]],
    [checked("filters"), [{}, { source: "a" }, undefined], [[], null, "a", 1, { source: 1 }]],
    [checked("flag"), [true, false, undefined], [1, "true", null]],
    [checked("required versions"), [[1, 2]], [[1], [1, 2, 3], [1, 0.5], undefined]],
  ];
  for (const [index, [isGood, accepted, refused]] of limits.entries()) {
    assertEquals(accepted.map(isGood), accepted.map(() => true), `row ${index}`);
    assertEquals(refused.map(isGood), refused.map(() => false), `row ${index}`);
  }
});
