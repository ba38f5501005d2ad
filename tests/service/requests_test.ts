// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertRejects } from "@std/assert";
import { openLocalGames } from "../../service/local.ts";
import { connectSocket } from "../../protocol/client.ts";
import type { Connection } from "../../protocol/connection.ts";
import { maxPageBytes, maxStringCount, maxStringLength } from "../../protocol/limits.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { FindFilters } from "../../questions/filters.ts";
import type { Peer } from "../../service/methods/method.ts";
import { methodNames } from "../../service/methods/table.ts";
import { PageRows } from "../../service/methods/pages.ts";
import { JsonBytes } from "../../system/json_bytes.ts";
import { joinBytes } from "../../system/joined_bytes.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { pak } from "../formats/bytes.ts";
import { installation, writeFiles } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";
import fc from "../support/fast_check.ts";
import { serve } from "../support/serving.ts";

const sizes = [0, 1, 2, 3, 4, 5];
const endings = ["txt", "tga", "wav"];
const members = sizes.flatMap((size) => endings.map((ending) => [`f${size}.${ending}`, "x".repeat(size)] as const));
const files = {
  "quake/id1/pak0.pak": pak(members.filter((_member, index) => index % 2 === 0)),
  "quake/id1/pak1.pak": pak(members.filter((_member, index) => index % 3 === 0)),
  ...Object.fromEntries(
    members.filter((_member, index) => index % 2 === 1).map(([name, content]) => [
      `quake/mod/${name}`,
      content,
    ]),
  ),
};

const anySize = fc.constantFrom(...sizes, 6);
const anyFilters = fc.record({
  minSize: anySize,
  maxSize: anySize,
  extensions: fc.subarray(endings),
  source: fc.constantFrom("pak0.pak", "pak1.pak", "id1", "mod"),
}, { requiredKeys: [] });

Deno.test("each filter of a search leaves out exactly the files that it is about, alone and with others", async () => {
  await using here = await bothConnections(files, (root) => [
    { sources: [`${root}/quake`], profile: "quake", name: "quake" },
  ]);
  const find = async (filters: FindFilters) =>
    (await here.call("find", { view: "quake/mod", patterns: ["*"], filters })).rows;
  const all = await find({});
  assertEquals(all.length, members.length);
  await fc.assert(
    fc.asyncProperty(anyFilters, async (filters: FindFilters) => {
      const { minSize = 0, maxSize = Infinity, extensions = endings, source } = filters;
      const ofSource = source === undefined ? all : await find({ source });
      const expected = ofSource.filter(({ qpath, size }) =>
        Number(size) >= minSize && Number(size) <= maxSize &&
        (extensions.length === 0 || extensions.some((ending) => qpath.endsWith(`.${ending}`)))
      );
      assertEquals(await find(filters), expected);
    }),
    { numRuns: 60 },
  );
});

/** Returns the rows of a call, or its error in the protocol's terms. */
async function outcomeOf(connection: Connection, method: string, params: unknown): Promise<unknown> {
  try {
    const result = await connection.call(method as "games", params as Record<string, never>);
    // Whether a page that reads files is the last depends on how long that took.
    return Object.keys(result).filter((key) => key !== "progress");
  } catch (error) {
    assert(error instanceof RpcError, String(error));
    return [error.code, error.message];
  }
}

Deno.test("a request without parameters is one with none of them, whatever the method", async () => {
  await using root = await installation(files);
  await using connection = await openLocalGames([{ sources: [`${root.path}/quake`], profile: "quake" }]);
  for (const method of methodNames.filter((name) => name !== "stop")) {
    const [absent, empty] = [await outcomeOf(connection, method, undefined), await outcomeOf(connection, method, {})];
    assertEquals(absent, empty, method);
  }
});

Deno.test("whatever is wrong with a search, each method that searches refuses it in the same way", async () => {
  await using root = await installation(files);
  await using connection = await openLocalGames([{ sources: [`${root.path}/quake`], profile: "quake" }]);
  const view = "quake/mod";
  for (const method of ["find", "shadowed"] as const) {
    const refused = (params: { patterns: string[]; filters?: FindFilters }) =>
      assertRejects(() => connection.call(method, { view, ...params }), RpcError);
    const many = await refused({ patterns: Array.from({ length: maxStringCount + 1 }, () => "x") });
    assertEquals(many.code, errorCodes.invalidParams, method);
    const deep = await refused({ patterns: ["*a".repeat(maxStringLength / 2)] });
    assertEquals([deep.code, deep.data], [errorCodes.invalidParams, undefined], method);
    const long = await refused({ patterns: ["x".repeat(maxStringLength + 1)] });
    assertEquals([long.code, long.data?.errno], [errorCodes.invalidParams, "ENAMETOOLONG"], method);
  }
});

Deno.test("rows of any values fill a page only as far as its bytes allow", () => {
  const anyRow = fc.dictionary(
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.oneof(fc.double(), fc.string({ unit: "grapheme" }), fc.array(fc.maxSafeInteger()), fc.constant(null)),
    { minKeys: 1 },
  );
  const encoder = new TextEncoder();
  const bytesOf = (rows: readonly unknown[]) => encoder.encode(JSON.stringify(rows)).length;
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 3 }), (kinds) => {
      const page = new PageRows<unknown>(Infinity);
      const wide = kinds.map((kind) => Object.fromEntries(Array.from({ length: 40 }, (_, index) => [index, kind])));
      for (let index = 0; !page.isFull; index++) page.add(wide[index % wide.length]);
      assert(
        bytesOf(page.page({ cursor: null }).rows.slice(0, -1)) <= maxPageBytes + 2 * page.count,
        JSON.stringify(kinds),
      );
    }),
    { numRuns: 20 },
  );
  for (const more of [-1, 0, 1]) {
    const page = new PageRows<string>(Infinity);
    // The string adds its quotes.
    page.add("x".repeat(maxPageBytes - 2 + more));
    assertEquals(page.isFull, more >= 0, `${more} bytes more than the limit`);
  }
});

Deno.test("values are written as JSON, across the parts of its bytes", () => {
  const numbers = [0, 9, 10, 999_999_999, 1e9, 1e9 + 7, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -1, 1.5, 1e300, NaN];
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom<unknown>('"', "\\", "\x7f", "\x1f", "\ud800", "é", "a".repeat(40_000), null, true, ...numbers),
    fc.maxSafeInteger(),
    fc.jsonValue({ maxDepth: 1 }),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), (values) => {
      const json = new JsonBytes();
      for (const one of values) json.value(one);
      const expected = new TextEncoder().encode(values.map((one) => JSON.stringify(one)).join(""));
      assertEquals(json.length, expected.length);
      assert(joinBytes(json.parts).bytes.every((byte, index) => byte === expected[index]));
    }),
    { numRuns: 60 },
  );
});

Deno.test("a method that does not exist is refused by its name, whatever that is", async () => {
  await using root = await installation(files);
  await using connection = await openLocalGames([{ sources: [`${root.path}/quake`], profile: "quake" }]);
  const anyMethod = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
    fc.constantFrom(...methodNames).map((name) => `${name}s `),
  );
  await fc.assert(
    fc.asyncProperty(anyMethod, async (name) => {
      const message = `unknown method ${name}; methods are ${methodNames.join(", ")}`;
      assertEquals(await outcomeOf(connection, name, {}), [errorCodes.methodNotFound, message]);
    }),
    { numRuns: 100 },
  );
});

Deno.test("each candidate of a path is read by its number, and no other number is one", async () => {
  const content = { "id1/pak0.pak": "zero", "id1/pak1.pak": "first", "id1": "loose", "mod": "of the mod" };
  await using here = await bothConnections({
    "id1/pak0.pak": pak([["a.txt", content["id1/pak0.pak"]]]),
    "id1/pak1.pak": pak([["a.txt", content["id1/pak1.pak"]]]),
    "id1/a.txt": content.id1,
    "mod/a.txt": content.mod,
  }, (root) => [{ sources: [root], profile: "quake", name: "quake" }]);
  const params = { view: "quake/mod", qpath: "a.txt" };
  const { candidates } = await here.call("which", params);
  assertEquals(candidates.map(({ source }) => source).sort(), Object.keys(content).sort());
  for (const [index, { source }] of candidates.entries()) {
    const { data } = await here.call("read", { ...params, candidate: index + 1 });
    assertEquals(atob(data), content[source as keyof typeof content], `candidate ${index + 1}`);
  }
  for (const candidate of [0, candidates.length + 1]) {
    const error = await assertRejects(() => here.connection.call("read", { ...params, candidate }), RpcError);
    assertEquals([error.code, error.message], [
      errorCodes.notFound,
      `a.txt has ${candidates.length} candidates in quake/mod, not ${candidate}`,
    ]);
  }
});

/** Returns the number of turns of other work during an answer. */
async function turnsOf(answer: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isAnswered = false;
  const counted = new Promise<number>((resolve) => {
    const count = () => {
      if (isAnswered) return resolve(turns);
      turns++;
      setImmediate(count);
    };
    setImmediate(count);
  });
  await answer();
  isAnswered = true;
  return await counted;
}

Deno.test("other work has its turn every 500 rows of a listing, and every 8 views of a subscription", async () => {
  const names = Array.from({ length: 3000 }, (_, index) => [`${index}`, ""] as const);
  await using root = await installation({ "quake/id1/pak0.pak": pak(names) });
  const catalog = scanCatalog([{ sources: [`${root.path}/quake`], profile: "quake", name: "quake" }]);
  await using serving = await serve(catalog, `${root.path}/run/pakfs.sock`);
  const peer: Peer = { subscribe: (_number, queue) => queue.close(), unsubscribe: () => false, progress: () => {} };
  const assertTurns = async (expected: number, method: string, params: unknown) => {
    const turns = await turnsOf(() => serving.service.call(method, params, undefined, peer));
    assert(turns >= expected && turns <= expected + 4, `${turns} turns, not ${expected}`);
  };
  for (const limit of [1, 500, 501, 1001, 3000]) {
    await assertTurns(Math.floor((limit - 1) / 500), "qpaths", { patterns: [], limit });
  }
  for (const count of [7, 8, 100, 256]) {
    const views = Array.from({ length: count }, () => "quake/id1");
    await assertTurns(Math.floor(count / 8), "subscribe", { subscription: 1, views });
  }
});

Deno.test("a subscription that is refused, or whose queue is closed, is reported to no longer", async () => {
  await using root = await installation(files);
  const catalog = scanCatalog([{ sources: [`${root.path}/quake`], profile: "quake", name: "quake" }]);
  let open = 0;
  const reports = { add: () => (open++, () => void open--) };
  await using serving = await serve(catalog, `${root.path}/run/pakfs.sock`, { host: { reports } });
  const subscribed = async (subscribe: Peer["subscribe"]) => {
    const peer: Peer = { subscribe, unsubscribe: () => false, progress: () => {} };
    await serving.service.call("subscribe", { subscription: 1 }, undefined, peer).catch(() => {});
    return open;
  };
  const refuse = () => {
    throw new RpcError({ code: errorCodes.invalidParams, message: "too many" });
  };
  assertEquals([await subscribed(refuse), await subscribed((_number, queue) => queue.close())], [0, 0]);
  assertEquals(await subscribed(() => {}), 1);
});

Deno.test("status counts the games, views, packs and files of all games", async () => {
  await using root = await installation(files);
  const loose = Object.keys(files).length; // packs are files of their directories too
  const packed = members.filter((_member, index) => index % 2 === 0).length +
    members.filter((_member, index) => index % 3 === 0).length;
  for (const count of [0, 1, 2, 3]) {
    const games = Array.from({ length: count }, (_, game) => ({ path: `${root.path}/game${game}`, name: `g${game}` }));
    await Promise.all(games.map(({ path }) => writeFiles(path, files)));
    const catalog = scanCatalog(
      games.map(({ path, name }) => ({ sources: [`${path}/quake`], profile: "quake", name })),
    );
    await using serving = await serve(catalog, `${root.path}/run/pakfs.sock`);
    await using connection = await connectSocket(serving.socket, { client: "test" });
    const status = await connection.call("status", {});
    assertEquals(
      [status.games, status.views, status.packs, status.files, status.clients],
      [count, 2 * count, 2 * count, (loose + packed) * count, 1],
    );
  }
});

Deno.test("status names the view at the mount point, which only a mount has", async () => {
  await using root = await installation(files);
  const catalog = scanCatalog([{ sources: [`${root.path}/quake`], profile: "quake" }]);
  for (const mountPoint of [null, "/mnt/games"]) {
    for (const rootView of [null, "quake/mod"]) {
      const socket = `${root.path}/run/pakfs.sock`;
      const row = { games: ["quake"], views: 2, packs: 1, files: 2, rootView };
      const host = { mounts: () => mountPoint === null ? [] : [{ ...row, mount: mountPoint }] };
      await using _serving = await serve(catalog, socket, { host });
      await using connection = await connectSocket(socket, { client: "test" });
      const status = await connection.call("status", {});
      assertEquals([status.mount, status.rootView], [mountPoint, mountPoint === null ? null : rootView]);
    }
  }
});
