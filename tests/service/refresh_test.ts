// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { LiveIndex, type Replacement } from "../../service/live_index.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { maxRead } from "../../protocol/limits.ts";
import type { Catalog } from "../../views/catalog.ts";
import { openIndex } from "../../mod.ts";
import { pak, text } from "../formats/bytes.ts";
import { installation, pakOf, scan, writeFiles } from "../index/fixtures.ts";

Deno.test("refresh shows new, changed and removed packs to queries, and counts them", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt"), "mod/pak0.pak": pakOf("m.txt") });
  await using index = await openIndex({ sources: [root.path], profile: "quake", name: "q" });
  const view = index.view("q/id1");
  const nothing = { added: 0, removed: 0, changed: 0 };
  const { milliseconds, ...unchanged } = await index.refresh();
  assert(milliseconds >= 0);
  assertEquals(unchanged, { packs: nothing, files: nothing });

  await writeFiles(root.path, { "id1/pak1.pak": pakOf("a.txt", "b.txt"), "id1/loose.txt": "loose" });
  await Deno.remove(`${root.path}/mod`, { recursive: true });
  const { packs, files } = await index.refresh();
  // Packs are files of their directories, too: pak1.pak came and the mod's pak0.pak went.
  assertEquals([packs, files], [{ added: 1, removed: 1, changed: 0 }, { added: 4, removed: 2, changed: 0 }]);
  const found = await Array.fromAsync(view.find("*.txt"), (row) => [row.qpath, row.source.replace(root.path, "")]);
  assertEquals(found, [["a.txt", "/id1/pak1.pak"], ["b.txt", "/id1/pak1.pak"], ["loose.txt", "/id1"]]);
  assertEquals(await Array.fromAsync(index.views(), (row) => row.view), ["q/id1"]);
  assertEquals(new TextDecoder().decode(await view.read("b.txt")), "b.txt");
});

Deno.test("a listing continues on the index it began with, until that was replaced three times", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt", "b.txt", "c.txt") });
  await using connection = await openLocal({ sources: [root.path], profile: "quake" });
  const params = { patterns: ["*"], limit: 1 };
  const first = await connection.call("find", params);
  await connection.call("refresh", {});
  const second = await connection.call("find", { ...params, cursor: first.cursor ?? "" });
  assertEquals(second.rows.map((row) => row.qpath), ["b.txt"]);
  const change = async (name: string) => {
    await writeFiles(root.path, { [`id1/${name}`]: "" });
    await connection.call("refresh", {});
    return (await connection.call("find", { ...params, limit: 100 })).rows.map((row) => row.qpath);
  };
  for (const name of ["aa.txt", "ab.txt"]) {
    assertEquals((await change(name)).includes(name), true);
    const again = await connection.call("find", { ...params, cursor: first.cursor ?? "" });
    assertEquals(again.rows.map((row) => row.qpath), ["b.txt"]);
  }
  await change("ac.txt");
  for (const cursor of [first.cursor, second.cursor]) {
    const error = await assertRejects(() => connection.call("find", { ...params, cursor: cursor ?? "" }), RpcError);
    assertEquals(error.code, errorCodes.staleCursor);
  }
});

Deno.test("an index that was replaced is dropped after a while, although nothing is asked meanwhile", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt", "b.txt") });
  const timer = globalThis.setTimeout;
  const due: (() => void)[] = [];
  using _ = { [Symbol.dispose]: () => void (globalThis.setTimeout = timer) };
  const held = (work: () => void, delay?: number) => {
    const id = timer(work, delay);
    if (delay === 30_000) due.push(() => [clearTimeout(id), work()]);
    return id;
  };
  Object.assign(globalThis, { setTimeout: held });
  await using connection = await openLocal({ sources: [root.path], profile: "quake" });
  const params = { patterns: ["*"], limit: 1 };
  const { cursor } = await connection.call("find", params);
  await writeFiles(root.path, { "id1/c.txt": "c" });
  await connection.call("refresh", {});
  assertEquals(due.length, 1);
  due.pop()?.();
  assertEquals((await connection.call("find", { ...params, cursor: cursor ?? "" })).rows[0]?.qpath, "b.txt");
  due.pop()?.();
  const error = await assertRejects(() => connection.call("find", { ...params, cursor: cursor ?? "" }), RpcError);
  assertEquals(error.code, errorCodes.staleCursor);
});

Deno.test("the parts of a file that is replaced while it is read are never mixed", async () => {
  const size = 2 * maxRead;
  await using root = await installation({ "id1/pak0.pak": pak([["a", "x".repeat(size)]]), "id1/b": "y".repeat(size) });
  await using connection = await openLocal({ sources: [root.path], profile: "quake" });
  const next = { offset: maxRead };
  const compressed = await connection.call("read", { qpath: "a" });
  const loose = await connection.call("read", { qpath: "b" });
  await connection.call("refresh", {});
  assertEquals((await connection.call("read", { qpath: "a", ...next, version: compressed.version })).end, true);
  await Deno.writeFile(`${root.path}/id1/pak0.pak`, pak([["a", "z".repeat(size)]]));
  await Deno.writeFile(`${root.path}/id1/b`, text("w".repeat(size)));
  await Deno.utime(`${root.path}/id1/b`, 1, 1);
  await connection.call("refresh", {});
  for (const [qpath, { version }] of [["a", compressed], ["b", loose]] as const) {
    const error = await assertRejects(() => connection.call("read", { qpath, ...next, version }), RpcError);
    assertEquals([error.code, error.data?.errno], [errorCodes.unreadable, "ESTALE"]);
  }
  assertEquals(atob((await connection.call("read", { qpath: "a", ...next, length: 3 })).data), "zzz");
});

Deno.test("while a game's directory is gone the index stays, which is a problem; it heals when it is back", async () => {
  await using root = await installation({ "quake/id1/pak0.pak": pakOf("a.txt") });
  await using index = await openIndex({ sources: [`${root.path}/quake`], profile: "quake", name: "q" });
  await Deno.rename(`${root.path}/quake`, `${root.path}/elsewhere`);
  assertEquals((await index.refresh()).files, { added: 0, removed: 0, changed: 0 });
  const problem = `${root.path}/quake is missing; its known files are kept, and cannot be read until it is back`;
  assertEquals((await index.status()).problems, [problem]);
  await assertRejects(() => index.view().read("a.txt"), RpcError, "changed or deleted");
  assertEquals((await index.view().which("a.txt")).candidates.length, 1);
  await Deno.rename(`${root.path}/elsewhere`, `${root.path}/quake`);
  assertEquals((await index.refresh()).files, { added: 0, removed: 0, changed: 0 });
  assertEquals((await index.status()).problems, []);
  assertEquals(new TextDecoder().decode(await index.view().read("a.txt")), "a.txt");
});

Deno.test("refreshes run one at a time, and those requested meanwhile are one", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt") });
  const first = scan(root.path, { profile: "quake" });
  const others = [scan(root.path, { profile: "quake" }), scan(root.path, { profile: "quake" })];
  const turns: PromiseWithResolvers<Catalog>[] = [];
  const asked: Catalog[] = [];
  const index = new LiveIndex(first, (previous) => {
    asked.push(previous);
    const turn = Promise.withResolvers<Catalog>();
    turns.push(turn);
    return turn.promise;
  });
  const reported: Replacement[] = [];
  index.onReplaced((replacement) => {
    reported.push(replacement);
  });
  const running = index.refresh();
  await Promise.resolve();
  const waiting = [index.refresh(), index.refresh()];
  assertEquals(asked, [first]);
  turns[0]?.resolve(others[0] ?? first);
  await running;
  assertStrictEquals(index.catalog, others[0]);
  await new Promise((resolve) => setTimeout(resolve));
  turns[1]?.reject(new Error("the disk is gone"));
  for (const result of await Promise.allSettled(waiting)) assertEquals(result.status, "rejected");
  const last = index.refresh();
  await new Promise((resolve) => setTimeout(resolve));
  turns[2]?.resolve(others[1] ?? first);
  await last;
  assertEquals(asked.length, 3);
  assertEquals(reported.map(({ before, after }) => [before, after]), [[first, others[0]], [others[0], others[1]]]);
});

Deno.test("what fails to show a new index keeps nothing else from following it", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt") });
  const [first, second] = [scan(root.path, { profile: "quake" }), scan(root.path, { profile: "quake" })];
  const index = new LiveIndex(first, () => second);
  const shown: Catalog[] = [];
  index.onReplaced(() => Promise.reject(new Error("a broken mount")));
  index.onShown(({ after }) => shown.push(after));
  await assertRejects(() => index.refresh(), Error, "a broken mount");
  assertEquals([index.catalog === second, shown.length, index.refreshes], [true, 1, 1]);
  assertEquals((await index.refresh()).packs.changed, 0);
});
