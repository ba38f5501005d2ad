// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { openLocal, openLocalGames } from "../../service/local.ts";
import { type Connection, pages } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { maxLineBytes, maxRead } from "../../protocol/limits.ts";
import type { MethodName, ParamsOf } from "../../protocol/methods.ts";
import type { StatusResult } from "../../protocol/rows.ts";
import { join, pak, text, zip } from "../formats/bytes.ts";
import { type Files, installation, pakOf, writeFiles, zipOf } from "../index/fixtures.ts";

function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let index = 0; index < length; index++) {
    state = Math.imul(state, 1103515245) + 12345;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

const contents: Readonly<Record<string, Uint8Array>> = {
  "stored.bin": noise(2_500_000),
  "deflated.txt": text("line of text\n".repeat(200_000)),
  "loose.bin": noise(1_700_001),
  "small.txt": text("small"),
  "empty.txt": text(""),
};

const quake3: Files = {
  "quake3/baseq3/pak0.pk3": zip([
    { name: "stored.bin", content: contents["stored.bin"] ?? "" },
    { name: "deflated.txt", content: contents["deflated.txt"] ?? "", method: 8 },
    { name: "small.txt", content: "small", localExtra: text("\x99\x99\x04\x00more") },
    { name: "empty.txt", content: "" },
    { name: "damaged.txt", content: "damaged", crc: 0x1234 },
    { name: "past.txt", content: "x", size: 1_000_000, packedSize: 1_000_000 },
  ]),
  "quake3/baseq3/loose.bin": contents["loose.bin"] ?? "",
  "quake3/baseq3/sub/dir/x.cfg": "x",
  "quake3/mod/mod.pk3": zipOf("small.txt", "Sub/Dir/y.cfg"),
  "quake/id1/pak0.pak": pak([
    ["pak.txt", "in a PAK"],
    ...Array.from({ length: 50 }, (_, index) => [`maps/m${index}.bsp`, `map ${index}`] as const),
  ]),
  "quake/id1/pak1.pak": pakOf("maps/m7.bsp"),
  "quake/id1/pak7.pak": pakOf("after a gap"),
};

async function opened() {
  const root = await installation(quake3);
  const connection = await openLocalGames([{ sources: [`${root.path}/quake`] }, { sources: [`${root.path}/quake3`] }]);
  return {
    path: root.path,
    connection,
    async [Symbol.asyncDispose](): Promise<void> {
      await connection.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Calls a method with parameters that violate its types. */
function callAnyhow(connection: Connection, method: string, params: unknown): Promise<unknown> {
  return connection.call(method as MethodName, params as ParamsOf<MethodName>);
}

async function errorOf(promise: Promise<unknown>): Promise<RpcError> {
  return await assertRejects(() => promise, RpcError);
}

async function readWhole(
  connection: Connection,
  qpath: string,
  pieces: readonly [number, number][],
): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (const [offset, length] of pieces) {
    const { data } = await connection.call("read", { view: "quake3/baseq3", qpath, offset, length });
    found.push(Uint8Array.fromBase64(data));
  }
  return found;
}

Deno.test("a page is never longer than requested, nor than the protocol allows", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf(...Array.from({ length: 21_000 }, (_, index) => `${index}`)),
  });
  await using connection = await openLocal({ sources: [root.path] });
  assertEquals((await connection.call("find", { patterns: [] })).rows.length, 1000);
  assertEquals((await connection.call("find", { patterns: [], limit: 3 })).rows.length, 3);
  for (const [method, params] of [["ls", {}], ["find", { patterns: [] }], ["usage", { depth: 5 }]] as const) {
    const page = await connection.call(method as "find", { ...params, limit: 1e9 } as ParamsOf<"find">);
    assert(page.rows.length <= 20_000 && JSON.stringify(page).length <= maxLineBytes / 2, method);
    assertEquals(page.cursor === null, method === "usage", method);
  }
});

Deno.test("rows have the members that are requested, as they are in whole rows", async () => {
  await using index = await opened();
  const { connection } = index;
  const listings = [
    ["find", { view: "quake3/mod", patterns: [] }],
    ["find", { view: "quake/id1", patterns: ["m*.bsp"] }],
    ["unique", { view: "quake/id1", source: "pak0.pak" }],
    ["ls", { view: "quake/id1" }],
  ] as const;
  for (const [method, params] of listings) {
    const whole = await Array.fromAsync(pages(connection, method, params));
    assert(whole.length > 0, method);
    for (const fields of [["qpath"], ["shadows", "type", "entries", "size"], ["view", "member"], []]) {
      const wanted = whole.map((row) => Object.entries(row).filter(([name]) => fields.includes(name)));
      const some = await Array.fromAsync(pages(connection, method, { ...params, fields }), Object.entries);
      assertEquals(some as unknown[], wanted, `${method} ${fields}`);
    }
    if (method !== "find") continue;
    const { view, patterns } = params;
    const paths = await Array.fromAsync(pages(connection, "qpaths", { view, patterns: [...patterns] }));
    assertEquals(paths, whole.map(({ qpath }) => qpath));
  }
  const error = await errorOf(connection.call("ls", { view: "quake/id1", fields: ["sizes"] }));
  assertEquals(error.code, errorCodes.invalidParams);
  assertMatch(error.message, /^rows of files have no field sizes; they have type, qpath, view, size, mtime, /);
});

Deno.test("a cursor of another listing or of none is refused", async () => {
  await using index = await opened();
  const { connection } = index;
  const { cursor } = await connection.call("ls", { view: "quake/id1", path: "maps", limit: 1 });
  assert(cursor);
  for (
    const wrong of [
      cursor,
      "",
      "find:",
      "find:x",
      "find:1",
      "find:-1:0",
      "find:1:7",
      "find:99999999999999999999",
      "x".repeat(60_000),
    ]
  ) {
    const error = await errorOf(connection.call("find", { view: "quake/id1", patterns: [], cursor: wrong }));
    assertEquals(error.code, errorCodes.staleCursor, wrong.slice(0, 30));
    assertEquals(/refreshed/.test(error.message), wrong === "find:1:7", wrong.slice(0, 30));
  }
  // A position that is out of range ends the listing without an error.
  assertEquals(await connection.call("ls", { view: "quake/id1", cursor: "ls:999999:0" }), { rows: [], cursor: null });
  assertEquals(await connection.call("find", { view: "quake/id1", patterns: [], cursor: "find:999999999:0" }), {
    rows: [],
    cursor: null,
  });
});

Deno.test("a cancelled call fails as cancelled, and the next one is answered", async () => {
  const packs = Array.from(
    { length: 5 },
    (_, pack) =>
      [`id1/pak${pack}.pak`, pakOf(...Array.from({ length: 9000 }, (_, index) => `${pack}/${index}`))] as const,
  );
  await using root = await installation(Object.fromEntries(packs));
  await using connection = await openLocal({ sources: [root.path] });
  const before = new AbortController();
  before.abort();
  assertEquals((await errorOf(connection.call("games", {}, { signal: before.signal }))).code, errorCodes.cancelled);
  const during = new AbortController();
  const search = errorOf(connection.call("find", { patterns: ["nothing has this name"] }, { signal: during.signal }));
  during.abort();
  assertEquals((await search).code, errorCodes.cancelled);
  assertEquals((await connection.call("find", { patterns: ["3/77"] })).rows.length, 1);
});

Deno.test("a closed connection answers nothing more", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a") });
  const connection = await openLocal({ sources: [root.path] });
  await connection.close();
  assertEquals((await errorOf(connection.call("games", {}))).code, errorCodes.cancelled);
  await connection.close();
});

Deno.test("wrong parameters are blamed by name", async () => {
  await using index = await opened();
  const wrong: [method: string, params: unknown, message: RegExp][] = [
    ["games", [], /^params must be an object$/],
    ["games", null, /^params must be an object$/],
    ["games", "x", /^params must be an object$/],
    ["games", { limit: 0 }, /^"limit" must be at least 1$/],
    ["games", { limit: -1 }, /^"limit" must be a whole number from 0$/],
    ["games", { limit: 1.5 }, /"limit" must be a whole number/],
    ["games", { limit: "5" }, /"limit" must be a whole number/],
    ["games", { limit: 2 ** 53 }, /"limit" must be a whole number/],
    ["games", { cursor: 5 }, /^"cursor" must be a string$/],
    ["views", { game: 1 }, /^"game" must be a string$/],
    ["path", { view: {} }, /^"view" must be a string$/],
    ["ls", { path: 7, view: "quake/id1" }, /^"path" must be a string$/],
    ["find", { view: "quake/id1" }, /^"patterns" is missing$/],
    ["find", { view: "quake/id1", patterns: "x" }, /^"patterns" must be a list of strings$/],
    ["find", { view: "quake/id1", patterns: [1] }, /^"patterns" must be a list of strings$/],
    [
      "find",
      { view: "quake/id1", patterns: ["x".repeat(5000)] },
      /pattern is 5000 characters long; the limit is 4096/,
    ],
    ["find", { view: "quake/id1", patterns: [], filters: [] }, /^"filters" must be an object$/],
    ["find", { view: "quake/id1", patterns: [], filters: { minSize: "1" } }, /^"minSize" must be a whole number/],
    ["find", { view: "quake/id1", patterns: [], filters: { maxSize: -1 } }, /^"maxSize" must be a whole number/],
    [
      "find",
      { view: "quake/id1", patterns: [], filters: { extensions: "bsp" } },
      /^"extensions" must be a list of strings$/,
    ],
    ["find", { view: "quake/id1", patterns: [], filters: { source: 1 } }, /^"source" must be a string$/],
    ["stat", { view: "quake/id1" }, /^"qpath" is missing$/],
    ["which", { view: "quake/id1" }, /^"qpath" is missing$/],
    ["read", { view: "quake/id1" }, /^"qpath" is missing$/],
    ["read", { view: "quake/id1", qpath: "pak.txt", offset: -1 }, /^"offset" must be a whole number/],
    ["read", { view: "quake/id1", qpath: "pak.txt", length: 0.5 }, /^"length" must be a whole number/],
    ["complete", { kind: "qpath" }, /^"prefix" is missing$/],
    ["complete", { kind: "other", prefix: "" }, /^"kind" must be "qpath", "view", "pack", "source" or "shader"$/],
    ["hello", { client: "x" }, /^"protocol" must be two whole numbers/],
    ["hello", { protocol: [1], client: "x" }, /^"protocol" must be two whole numbers/],
    ["hello", { protocol: [1, "1"], client: "x" }, /^"protocol" must be two whole numbers/],
    ["hello", { protocol: [1, 1] }, /^"client" is missing$/],
  ];
  for (const [method, params, message] of wrong) {
    const error = await errorOf(callAnyhow(index.connection, method, params));
    assertEquals(
      error.code,
      errorCodes.invalidParams,
      `${method} ${JSON.stringify(params).slice(0, 80)}: ${error.message}`,
    );
    assertMatch(error.message, message);
  }
});

Deno.test("missing files are not found, and near names are suggested", async () => {
  await using index = await opened();
  const { connection } = index;
  const views = ["quake/id1", "quake3/baseq3", "quake3/mod"];
  const unknown = await errorOf(connection.call("ls", { view: "quake/nomod" }));
  assertEquals([unknown.code, unknown.message], [errorCodes.notFound, "unknown view quake/nomod"]);
  const nearestFirst = ["quake3/mod", "quake/id1", "quake3/baseq3"];
  assertEquals(unknown.data, { errno: "ENOENT", suggestions: nearestFirst });
  const unnamed = await errorOf(connection.call("find", { patterns: [] }));
  assertEquals([unnamed.code, unnamed.data?.suggestions], [errorCodes.notFound, views]);
  for (const method of ["stat", "read"] as const) {
    const error = await errorOf(connection.call(method, { view: "quake/id1", qpath: "/maps//none.bsp" }));
    assertEquals([error.code, error.message], [errorCodes.notFound, 'no "maps/none.bsp" in quake/id1']);
    assertEquals(error.data, { errno: "ENOENT", path: "maps/none.bsp" });
  }
  const mistyped = await errorOf(connection.call("stat", { view: "quake/id1", qpath: "mapz/E1M1.bps" }));
  assertEquals(mistyped.data?.suggestions, undefined);
  const near = await errorOf(connection.call("stat", { view: "quake/id1", qpath: "mpas/m7.bsp" }));
  assertEquals(near.data?.suggestions, ["maps/m7.bsp"]);
  assertEquals((await errorOf(connection.call("ls", { view: "quake/id1", path: "none" }))).code, errorCodes.notFound);
  assertEquals((await connection.call("which", { view: "quake/id1", qpath: "none" })).candidates, []);
  const directory = await errorOf(connection.call("read", { view: "quake/id1", qpath: "maps" }));
  assertEquals([directory.code, directory.data?.errno], [errorCodes.invalidParams, "EISDIR"]);
  const method = await errorOf(callAnyhow(connection, "toString", {}));
  assertEquals(method.code, errorCodes.methodNotFound);
  assertMatch(
    method.message,
    /^unknown method toString; methods are checksum, .*, hello, read, complete, sql, status, refresh, reload, mount, unmount, subscribe, unsubscribe, stop$/,
  );
});

Deno.test("pieces of stored, deflated and loose files are what the whole is", async () => {
  await using index = await opened();
  for (const [qpath, content] of Object.entries(contents)) {
    const size = content.length;
    const sequence: [number, number][] = [];
    for (let offset = 0; offset < size; offset += 700_001) sequence.push([offset, 700_001]);
    assertEquals(join(...await readWhole(index.connection, qpath, sequence)), content, qpath);
    const anywhere: [number, number][] = [[size - 1, 10], [0, 1], [size >> 1, 4097], [size, 10], [size + 1000, 1], [
      3,
      0,
    ]];
    const pieces = await readWhole(
      index.connection,
      qpath,
      anywhere.map(([offset, length]) => [Math.max(0, offset), length]),
    );
    const expected = anywhere.map(([offset, length]) =>
      content.slice(Math.max(0, offset), Math.max(0, offset) + length)
    );
    assertEquals(pieces, expected, qpath);
  }
});

Deno.test("one read gives at most a mebibyte, and says whether the end is in it", async () => {
  await using index = await opened();
  const view = "quake3/baseq3";
  const first = await index.connection.call("read", { view, qpath: "stored.bin" });
  assertEquals([Uint8Array.fromBase64(first.data).length, first.size, first.end], [maxRead, 2_500_000, false]);
  const asked = await index.connection.call("read", { view, qpath: "stored.bin", offset: 10, length: 1e12 });
  assertEquals([Uint8Array.fromBase64(asked.data).length, asked.end], [maxRead, false]);
  const last = await index.connection.call("read", { view, qpath: "stored.bin", offset: 2_499_999, length: 1 });
  assertEquals(last.end, true);
  const empty = await index.connection.call("read", { view, qpath: "empty.txt" });
  assertEquals([empty.data, empty.size, empty.end], ["", 0, true]);
  // The path is requested in another case, as an engine may do.
  const folded = await index.connection.call("read", { view, qpath: "SMALL.TXT" });
  assertEquals(folded.data, btoa("small"));
});

Deno.test("a member too large to be kept is read in any order", async () => {
  const letters = text("abcdefghijklmnopqrstuvwxyz");
  const content = new Uint8Array(70_000_000);
  for (let offset = 0; offset < content.length; offset += 1_000_000) content.set(letters, offset);
  await using root = await installation({ "baseq3/pak0.pk3": zip([{ name: "huge.bin", content, method: 8 }]) });
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3" });
  for (const offset of [0, 1_000_000, 1_000_010, 30_000_000, 69_999_990, 5, 69_000_000, 12_345_678]) {
    const { data } = await connection.call("read", { qpath: "huge.bin", offset, length: 30 });
    assertEquals(Uint8Array.fromBase64(data), content.slice(offset, offset + 30), `${offset}`);
  }
});

Deno.test("reads at the same time do not disturb each other", async () => {
  await using index = await opened();
  const jobs = Object.entries(contents).flatMap(([qpath, content]) =>
    [0, 1_000_000, 500].map(async (offset) => {
      const params = { view: "quake3/baseq3", qpath, offset, length: 5000 };
      const { data } = await index.connection.call("read", params);
      assertEquals(Uint8Array.fromBase64(data), content.slice(offset, offset + 5000), `${qpath} at ${offset}`);
    })
  );
  await Promise.all(jobs);
});

Deno.test("a damaged member is unreadable, with its offset, and listings mark it where that is known", async () => {
  await using index = await opened();
  const view = "quake3/baseq3";
  const archive = `${index.path}/quake3/baseq3/pak0.pk3`;
  const damaged = await errorOf(index.connection.call("read", { view, qpath: "damaged.txt" }));
  assertEquals([damaged.code, damaged.data?.errno, damaged.data?.path], [errorCodes.unreadable, "EIO", archive]);
  assertMatch(
    damaged.message,
    /pak0\.pk3: damaged\.txt is damaged: its checksum is [0-9a-f]{8}, but the archive says 00001234$/,
  );
  const past = await errorOf(index.connection.call("read", { view, qpath: "past.txt" }));
  assertEquals([past.code, typeof past.data?.offset], [errorCodes.unreadable, "number"]);
  const row = await index.connection.call("stat", { view, qpath: "past.txt" });
  assert(row.type === "file");
  assertMatch(row.damaged ?? "", /^past\.txt: its data \(1,000,000 bytes at byte \d[\d,]*\) reaches past the end/);
  assertEquals(row.dataOffset, null);
  // The next file in the pack can still be read.
  assertEquals((await index.connection.call("read", { view, qpath: "small.txt" })).data, btoa("small"));
});

Deno.test("a file that has changed since it was indexed is unreadable, never half old and half new", async () => {
  await using index = await opened();
  const view = "quake3/baseq3";
  await writeFiles(index.path, { "quake3/baseq3/loose.bin": "other", "quake3/mod/mod.pk3": zipOf("small.txt") });
  const loose = await errorOf(index.connection.call("read", { view, qpath: "loose.bin" }));
  assertEquals(loose.code, errorCodes.unreadable);
  assertMatch(loose.message, /loose\.bin: changed or deleted since it was indexed/);
  const member = await errorOf(index.connection.call("read", { view: "quake3/mod", qpath: "small.txt" }));
  assertEquals([member.code, member.data?.path], [errorCodes.unreadable, `${index.path}/quake3/mod/mod.pk3`]);
  await Deno.remove(`${index.path}/quake3/baseq3/sub`, { recursive: true });
  assertEquals(
    (await errorOf(index.connection.call("read", { view, qpath: "sub/dir/x.cfg" }))).code,
    errorCodes.unreadable,
  );
});

Deno.test("stat shows where the compressed bytes begin, and they are there", async () => {
  await using index = await opened();
  const { connection } = index;
  const cases: [view: string, qpath: string, compressed: Uint8Array][] = [
    ["quake3/baseq3", "stored.bin", contents["stored.bin"] ?? new Uint8Array()],
    ["quake3/baseq3", "deflated.txt", new Uint8Array(deflateRawSync(contents["deflated.txt"] ?? ""))],
    ["quake3/baseq3", "small.txt", text("small")],
    ["quake3/baseq3", "loose.bin", contents["loose.bin"] ?? new Uint8Array()],
    ["quake/id1", "pak.txt", text("in a PAK")],
    ["quake/id1", "maps/m7.bsp", text("maps/m7.bsp")],
  ];
  for (const [view, qpath, compressed] of cases) {
    const row = await connection.call("stat", { view, qpath });
    assert(row.type === "file" && row.dataOffset !== null);
    const path = row.format === "loose" ? `${row.source}/${row.member}` : row.source;
    const bytes = await Deno.readFile(path);
    assertEquals(bytes.subarray(row.dataOffset, row.dataOffset + row.packedSize), compressed, qpath);
  }
  assertEquals(await connection.call("stat", { view: "quake/id1", qpath: "maps/" }), {
    type: "directory",
    qpath: "maps",
    view: "quake/id1",
    entries: 50,
  });
});

Deno.test("listings of games, views, search paths and packs", async () => {
  await using index = await opened();
  const { connection, path } = index;
  assertEquals((await connection.call("games", {})).rows, [
    {
      game: "quake",
      profile: "quake",
      because: `${path}/quake has id1`,
      sources: [`${path}/quake`],
      base: "id1",
      views: 1,
      packs: 3,
      files: 51 + 1 + 1 + 3,
    },
    {
      game: "quake3",
      profile: "ioquake3",
      because: `${path}/quake3/baseq3 has pk3 files`,
      sources: [`${path}/quake3`],
      base: "baseq3",
      views: 2,
      packs: 2,
      files: 6 + 3 + 2 + 1,
    },
  ]);
  assertEquals((await connection.call("views", { game: "quake3" })).rows, [
    { view: "quake3/baseq3", game: "quake3", profile: "ioquake3", gameDirectories: ["baseq3"], packs: 1, base: true },
    {
      view: "quake3/mod",
      game: "quake3",
      profile: "ioquake3",
      gameDirectories: ["mod", "baseq3"],
      packs: 2,
      base: false,
    },
  ]);
  const searchPath = (await connection.call("path", { view: "quake/id1" })).rows;
  assertEquals(searchPath.map((row) => [row.rank, row.source.slice(path.length + 1), row.kind, row.files]), [
    [1, "quake/id1/pak1.pak", "pack", 1],
    [2, "quake/id1/pak0.pak", "pack", 51],
    [3, "quake/id1", "loose", 1],
  ]);
  const packs = (await connection.call("packs", { view: "quake3/baseq3" })).rows;
  assertEquals(packs.map((row) => [row.pack, row.usable, row.reason]), [
    ["pak0.pk3", true, null],
    ["mod.pk3", false, "mod is not on the search path of quake3/baseq3"],
  ]);
  const all = (await connection.call("packs", {})).rows;
  assertEquals(all.map((row) => [row.pack, row.usable]), [
    ["pak0.pak", true],
    ["pak1.pak", true],
    ["pak7.pak", false],
    ["pak0.pk3", true],
    ["mod.pk3", true],
  ]);
  const size = (await Deno.stat(`${path}/quake/id1/pak7.pak`)).size;
  assertEquals([all[2]?.size, all[2]?.files], [size, 1]);
  assertEquals(all[2]?.reason, "pak2.pak is missing, and Quake stops at the first missing number");
});

Deno.test("completion of paths, views and packs", async () => {
  await using index = await opened();
  const complete = async (params: ParamsOf<"complete">) => (await index.connection.call("complete", params)).matches;
  const quake = { view: "quake/id1", kind: "qpath" } as const;
  assertEquals(await complete({ ...quake, prefix: "" }), ["maps/", "pak.txt", "pak7.pak"]);
  assertEquals(await complete({ ...quake, prefix: "pak" }), ["pak.txt", "pak7.pak"]);
  assertEquals(await complete({ ...quake, prefix: "maps/m4" }).then((found) => found.length), 11);
  assertEquals(await complete({ ...quake, prefix: "maps/m4", limit: 2 }), ["maps/m4.bsp", "maps/m40.bsp"]);
  assertEquals(await complete({ ...quake, prefix: "PAK" }), []);
  assertEquals(await complete({ ...quake, prefix: "pak7.pak~" }), []);
  assertEquals(await complete({ ...quake, prefix: "MAPS/" }), []);
  assertEquals(await complete({ ...quake, prefix: "none/x" }), []);
  assertEquals(await complete({ ...quake, prefix: "pak.txt/x" }), []);
  const quake3View = { view: "quake3/mod", kind: "qpath" } as const;
  assertEquals(await complete({ ...quake3View, prefix: "SUB/d" }), ["SUB/Dir/"]);
  assertEquals(await complete({ kind: "view", prefix: "quake3/" }), ["quake3/baseq3", "quake3/mod"]);
  assertEquals(await complete({ kind: "pack", prefix: "pak" }), ["pak0.pak", "pak0.pk3", "pak1.pak", "pak7.pak"]);
  assertEquals(await complete({ kind: "pack", view: "quake/id1", prefix: "" }), ["pak0.pak", "pak1.pak"]);
});

Deno.test("status counts what is indexed", async () => {
  await using index = await opened();
  const status: StatusResult = await index.connection.call("status", {});
  assertEquals([status.pid, status.mount, status.games, status.views, status.packs, status.files], [
    Deno.pid,
    null,
    2,
    3,
    5,
    68,
  ]);
  assert(status.indexBytes > 1000 && status.residentBytes > 1e6 && status.started <= Date.now());
  assertEquals(await index.connection.call("stop", {}), { stopping: true });
});

Deno.test("hello agrees on a version or says which there are", async () => {
  await using index = await opened();
  const hello = await index.connection.call("hello", { protocol: [1, 7], client: "test 1" });
  assertEquals([hello.protocol, hello.server, hello.pid], [1, "pakfs", Deno.pid]);
  const error = await errorOf(index.connection.call("hello", { protocol: [2, 7], client: "test 1" }));
  assertEquals([error.code, error.message], [
    errorCodes.protocolMismatch,
    "this daemon speaks protocol 1 to 1, the client 2 to 7",
  ]);
});

Deno.test("stacked views are requested by name, and completed part by part", async () => {
  await using root = await installation({
    "quake/id1/pak0.pak": pakOf("a.txt", "b.txt"),
    "quake/hipnotic/pak0.pak": pakOf("a.txt", "b.txt"),
    "quake/mymod/pak0.pak": pakOf("a.txt"),
  });
  const connection = await openLocal({ sources: [`${root.path}/quake`] });
  try {
    const which = await connection.call("which", { view: "quake/mymod+hipnotic", qpath: "b.txt" });
    assertEquals(which.view, "quake/hipnotic+mymod");
    assertEquals(which.candidates.map((row) => row.gameDirectory), ["hipnotic", "id1"]);
    const { rows } = await connection.call("path", { view: "quake/hipnotic+mymod" });
    assertEquals(rows.filter((row) => row.kind === "pack").map((row) => row.gameDirectory), [
      "mymod",
      "hipnotic",
      "id1",
    ]);
    const found = await connection.call("find", { view: "hipnotic+mymod", patterns: ["*.txt"] });
    assertEquals(found.rows.map((row) => row.source.replace(`${root.path}/quake/`, "")), [
      "mymod/pak0.pak",
      "hipnotic/pak0.pak",
    ]);
    const complete = async (prefix: string) => (await connection.call("complete", { kind: "view", prefix })).matches;
    assertEquals(await complete("quake/m"), ["quake/mymod"]);
    assertEquals(await complete("quake/mymod+"), ["quake/mymod+hipnotic"]);
    assertEquals(await complete("quake/mymod+h"), ["quake/mymod+hipnotic"]);
    assertEquals(await complete("quake/mymod+x"), []);
    const error = await errorOf(connection.call("ls", { view: "quake/mymod+hipnotik" }));
    assertEquals([error.message, error.data?.suggestions], [
      "unknown game directory hipnotik in quake",
      ["quake/hipnotic", "quake/id1", "quake/mymod"],
    ]);
  } finally {
    await connection.close();
  }
});

Deno.test("a pure server's list is requested as a view, and its missing packs are reported", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt"),
    "baseq3/pak1.pk3": zipOf("a.txt", "b.txt"),
    "baseq3/maps/x.bsp": "",
  });
  await using connection = await openLocal({ sources: [root.path], profile: "chomenor", game: "q3" });
  const sent = await connection.call("pure", { view: "q3" });
  assertEquals(sent.packs.map((row) => [row.rank, row.pack, row.wanted === String(row.checksum)]), [
    [1, "pak1.pk3", true],
    [2, "pak0.pk3", true],
  ]);
  const result = await connection.call("pure", { view: "q3", list: ["pak0", "nowhere"] });
  assertEquals([result.view, result.missing], ["q3/baseq3:pure=pak0,nowhere", 1]);
  const found = await connection.call("which", { view: result.view, qpath: "a.txt" });
  assertEquals(found.candidates.map((row) => [row.source.slice(root.path.length), row.usable]), [
    ["/baseq3/pak0.pk3", true],
    ["/baseq3/pak1.pk3", false],
  ]);
  const again = await connection.call("pure", { view: result.view });
  assertEquals(again.packs.map((row) => row.pack), ["pak0.pk3", null]);
  const complete = async (prefix: string) => (await connection.call("complete", { kind: "view", prefix })).matches;
  assertEquals(await complete("q3:"), ["q3:pure=", "q3:map=x", "q3:inactive=0", "q3:inactive=1", "q3:inactive=2"]);
  assertEquals(await complete("q3/baseq3:inactive=1:m"), ["q3/baseq3:inactive=1:map=x"]);
});
