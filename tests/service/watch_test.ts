// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConnectionLostError, connectSocket } from "../../protocol/client.ts";
import { EventQueue } from "../../protocol/event_queue.ts";
import { maxWaitingEvents } from "../../protocol/limits.ts";
import { openLiveIndex, type Replacement } from "../../service/live_index.ts";
import { maxSample } from "../../protocol/limits.ts";
import type { RefreshedEvent } from "../../protocol/rows.ts";
import { RpcError } from "../../protocol/messages.ts";
import { RefreshReports } from "../../service/refresh_reports.ts";
import { catalogChanges } from "../../views/changes.ts";
import { openIndex } from "../../mod.ts";
import { pak } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { kernelWatches } from "../support/kernel_watches.ts";
import { openLocal } from "../../service/local.ts";
import { HandClock } from "../support/hand_clock.ts";
import { serve } from "../support/serving.ts";
import { anHourLater, installation, nextTimeStamp, pakOf, scan, writeFiles } from "../index/fixtures.ts";

function event(time: number): RefreshedEvent {
  const none = { added: 0, removed: 0, changed: 0 };
  const packPaths = { added: [], removed: [], changed: [] };
  return {
    subscription: 1,
    time,
    milliseconds: 1,
    packs: none,
    packPaths,
    packProblems: [],
    files: none,
    views: [],
    dropped: 0,
  };
}

Deno.test("a slow reader loses the oldest events, and gets their number", async () => {
  const queue = new EventQueue();
  for (let time = 0; time < maxWaitingEvents + 30; time++) queue.push(event(time));
  const read: [number, number][] = [];
  for await (const { time, dropped } of queue.events()) {
    read.push([time, dropped]);
    if (read.length === maxWaitingEvents) queue.close();
  }
  assertEquals(read.slice(0, 2), [[30, 30], [31, 0]]);
});

Deno.test("a queue gives what was added, in order, until it is closed, by either end and any number of times", async () => {
  const anyStep = fc.constantFrom("push", "push", "push", "read", "read", "close", "fail");
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
      let closedCount = 0;
      const queue = new EventQueue(() => closedCount++);
      const reader = queue.events();
      const waiting: number[] = [];
      let end: string | undefined;
      let isOver = false;
      let pending: Promise<string> | undefined;
      const next = () =>
        reader.next().then(({ value }) => value ? `event ${value.time}` : "end", (error: Error) => error.message);
      for (const [time, step] of [...steps, "read", "close", "read"].entries()) {
        if (step === "push") {
          queue.push(event(time));
          if (end === undefined) waiting.push(time);
        } else if (step === "close" || step === "fail") {
          const [error, word] = step === "fail" ? [new Error(`failed ${time}`), `failed ${time}`] : [undefined, "end"];
          queue.close(error);
          if (end === undefined) waiting.length = 0;
          end ??= word;
        } else pending ??= next();
        if (!pending || (waiting.length === 0 && end === undefined)) continue;
        const first = waiting.shift();
        // An ended iteration reports only its end.
        const expected = first !== undefined ? `event ${first}` : isOver ? "end" : end;
        assertEquals(await pending, expected, steps.join());
        isOver ||= first === undefined;
        pending = undefined;
      }
      assertEquals(closedCount, 1, steps.join());
    }),
    { numRuns: 200 },
  );
  let closedCount = 0;
  const queue = new EventQueue(() => closedCount++);
  queue.push(event(0));
  for await (const { time } of queue.events()) if (time === 0) break;
  assertEquals(closedCount, 1, "a reader that leaves closes it");
});

async function replacement(): Promise<Replacement> {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt") });
  const before = scan(root.path, { profile: "quake", name: "q" });
  const many = Array.from({ length: maxSample }, (_, index) => `some/longer/directory/name/${index}.txt`);
  await writeFiles(root.path, { "id1/pak1.pak": pakOf(...many) });
  const after = scan(root.path, { profile: "quake", name: "q" });
  return { before, after, changes: catalogChanges(before, after) };
}

Deno.test("a subscriber that never reads delays no other, and later gets the number of events it has missed", async () => {
  const { before, after, changes } = await replacement();
  await using root = await installation({});
  const socket = `${root.path}/s`;
  const reports = new RefreshReports();
  const serving = await serve(after, socket, { host: { reports } });
  const lazy = await Deno.connect({ transport: "unix", path: socket });
  const send = (message: object) => lazy.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  await send({ jsonrpc: "2.0", id: 1, method: "hello", params: { protocol: [1, 1], client: "lazy" } });
  const wish = { subscription: 7, sample: maxSample };
  await send({ jsonrpc: "2.0", id: 2, method: "subscribe", params: wish });
  await using eager = await connectSocket(socket, { client: "eager" });
  const events = await eager.subscribe({ sample: 1 });
  // The eager one's subscription was answered after the lazy one's.
  await eager.call("status", {});
  const published = 300;
  const nothing = { added: 0, removed: 0, changed: 0 };
  let heard = 0;
  for (let number = 0; number < published; number++) {
    reports.publish({ before, after, changes }, { packs: nothing, files: nothing, milliseconds: 1 });
    const { value } = await events.next();
    assertEquals([value?.dropped, value?.views[0]?.sample.length, value?.subscription], [0, 1, 1]);
    heard++;
  }
  assertEquals(heard, published);
  let delivered = 0;
  let missed = 0;
  let text = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1 << 20);
  while (delivered + missed < published) {
    const count = await lazy.read(buffer);
    assert(count !== null);
    const lines = (text + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { method, params } = JSON.parse(line);
      if (method !== "$/refreshed") continue;
      assertEquals([params.subscription, params.views[0].sample.length], [7, maxSample]);
      delivered++;
      missed += params.dropped;
    }
  }
  assertEquals(delivered + missed, published);
  assert(missed > 0, "so much does not fit on the way");
  await assertRejects(() => eager.call("subscribe", { subscription: 1 }), RpcError, "already");
  assertEquals(await eager.call("unsubscribe", { subscription: 1 }), { unsubscribed: true });
  assertEquals(await eager.call("unsubscribe", { subscription: 1 }), { unsubscribed: false });
  lazy.close();
  await serving[Symbol.asyncDispose]();
  await assertRejects(() => Promise.resolve(events.next()), ConnectionLostError);
});

Deno.test("a report that fails does not end the reports", async () => {
  const change = await replacement();
  // As a daemon does, which logs it.
  const survive = (event: PromiseRejectionEvent) => event.preventDefault();
  addEventListener("unhandledrejection", survive);
  const reports = new RefreshReports();
  const nothing = { added: 0, removed: 0, changed: 0 };
  const heard = Promise.withResolvers<void>();
  const publish = () => reports.publish(change, { packs: nothing, files: nothing, milliseconds: 1 });
  const end = reports.add({
    views: null,
    sample: 1,
    deliver: () => {
      end();
      reports.add({ views: null, sample: 1, deliver: () => heard.resolve() });
      setTimeout(publish);
      throw new RangeError("a fault of the program");
    },
  });
  publish();
  await heard.promise;
  await reports.settled;
  removeEventListener("unhandledrejection", survive);
});

Deno.test("a settling subscriber gets the first of refreshes that follow one another, and the others as one", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt") });
  using _later = anHourLater();
  const whole = pak([["b.txt", "b".repeat(3000)]]);
  const clock = new HandClock();
  const reports = new RefreshReports(clock);
  type Event = Omit<RefreshedEvent, "subscription">;
  const [prompt, settled]: [Event[], Event[]] = [[], []];
  reports.add({ views: null, sample: 20, deliver: (event) => prompt.push(event) });
  const end = reports.add({ views: null, sample: 20, settles: true, deliver: (event) => settled.push(event) });
  let before = scan(root.path, { profile: "quake", name: "q" });
  const grow = async (length: number) => {
    await nextTimeStamp();
    await writeFiles(root.path, { "id1/pak1.pak": whole.subarray(0, length) });
    const after = scan(root.path, { profile: "quake", name: "q" });
    const none = { added: 0, removed: 0, changed: 0 };
    const changes = catalogChanges(before, after);
    reports.publish({ before, after, changes }, { packs: none, files: none, milliseconds: 1 });
    before = after;
    await reports.settled;
  };
  const path = `${root.path}/id1/pak1.pak`;
  for (const length of [1000, 1500, 2000, 2500]) {
    await grow(length);
    await clock.advance(1000);
  }
  assertEquals([prompt.length, settled.length], [4, 1]);
  assertEquals([settled[0]?.packPaths.added, settled[0]?.packs.added], [[path], 1]);
  assertEquals(settled[0]?.packProblems.map(({ source }) => source), [path]);
  assertMatch(settled[0]?.packProblems[0]?.problem ?? "", /^the file table .* the file is cut short$/);
  await grow(whole.length);
  await clock.advance(1500);
  await reports.settled;
  assertEquals([settled.length, settled[1]?.milliseconds], [2, 4]);
  assertEquals([settled[1]?.packPaths, settled[1]?.packProblems], [{ added: [], removed: [], changed: [path] }, []]);
  assertEquals(settled[1]?.views.map(({ view, sample }) => [view, sample]), [
    // A pack that cannot be read is a loose file.
    ["q/id1", [{ qpath: "b.txt", change: "added" }, { qpath: "pak1.pak", change: "removed" }]],
  ]);
  // Changes that never settle are reported periodically, and nothing after the end.
  await clock.advance(60_000);
  for (let second = 0; second <= 31; second++) {
    await grow(1000 + second);
    await clock.advance(1000);
    await reports.settled;
  }
  assertEquals(settled.length, 4);
  end();
  await clock.advance(60_000);
  await reports.settled;
  assertEquals(settled.length, 4);
});

Deno.test("changes() of an index in this process reports what was added, removed and changed, and ends with its signal", async () => {
  await using root = await installation({ "id1/pak0.pak": pak([["a.txt", "a"], ["b.txt", "b"]]), "id1/c.txt": "c" });
  await using index = await openIndex({ sources: [root.path], profile: "quake", name: "q" });
  const controller = new AbortController();
  const seen = { packs: [] as string[], files: [] as string[] };
  // A refresh may come between two changes, and see a later one without an earlier one.
  const expected = ["q/id1 changed a.txt", "q/id1 removed c.txt", "q/mod added m.txt"];
  const changed = (async () => {
    for await (const { packPaths, views } of index.changes({ signal: controller.signal })) {
      seen.packs.push(...packPaths.added);
      for (const { view, sample } of views) {
        seen.files.push(...sample.map(({ qpath, change }) => `${view} ${change} ${qpath}`));
      }
      if (expected.every((line) => seen.files.includes(line))) controller.abort();
    }
  })();
  // Status shows when watching has begun.
  while (!(await index.status()).watch.some(({ mode }) => mode === "events")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await writeFiles(root.path, { "id1/pak1.pak": pak([["a.txt", "another"]]) });
  await Deno.remove(`${root.path}/id1/c.txt`);
  await writeFiles(root.path, { "mod/m.txt": "m" });
  await changed;
  assertEquals(seen.packs, [`${root.path}/id1/pak1.pak`]);
  assertEquals((await index.status()).watch, []);
  const left: unknown[] = [];
  for await (const change of index.changes({ signal: AbortSignal.abort() })) left.push(change);
  assertEquals(left, []);
});

Deno.test("a source directory that is an empty one now, as a mount point without its disk, is kept until it is back", async () => {
  await using root = await installation({ "home/id1/a.txt": "home", "base/id1/pak0.pak": pakOf("a.txt", "b.txt") });
  const sources = [`${root.path}/home`, `${root.path}/base`];
  await using index = await openLiveIndex([{ sources, profile: "quake", name: "q" }]);
  const winner = () => {
    const view = index.catalog.view("q/id1");
    return view.snapshot.sourceOf(view.tree.entries[view.tree.find("a.txt")] ?? 0).path;
  };
  await Deno.rename(`${root.path}/base`, `${root.path}/pulled`);
  await Deno.mkdir(`${root.path}/base`);
  await writeFiles(root.path, { "home/id1/new.txt": "new" });
  assertEquals((await index.refresh()).files, { added: 1, removed: 0, changed: 0 });
  assertMatch(index.catalog.problems.join(), /base is empty, and not the earlier directory/);
  assertEquals(winner(), `${root.path}/home/id1`);
  assertEquals(index.catalog.packs.length, 1);
  // A directory that was emptied, and is the same one, is empty.
  await Deno.remove(`${root.path}/base`);
  await Deno.rename(`${root.path}/pulled`, `${root.path}/base`);
  assertEquals((await index.refresh()).files, { added: 0, removed: 0, changed: 0 });
  assertEquals(index.catalog.problems, []);
  await Deno.remove(`${root.path}/home/id1`, { recursive: true });
  assertEquals((await index.refresh()).files, { added: 0, removed: 2, changed: 0 });
  assertEquals(winner(), `${root.path}/base/id1/pak0.pak`);
});

Deno.test("a game that is no longer recognised stays as it was, and others are refreshed", async () => {
  await using root = await installation({ "one/id1/a.txt": "a", "two/id1/b.txt": "b" });
  const games = ["one", "two"].map((name) => ({ sources: [`${root.path}/${name}`], profile: "quake", name }));
  await using index = await openLiveIndex(games);
  await Deno.rename(`${root.path}/one/id1`, `${root.path}/one/other`);
  await writeFiles(root.path, { "two/id1/new.txt": "new" });
  assertEquals((await index.refresh()).files, { added: 1, removed: 0, changed: 0 });
  assertMatch(
    index.catalog.problems.join(),
    /none of the base game directories.*; meanwhile, one is unchanged/,
  );
  assertEquals(index.catalog.views.map(({ name }) => name), ["one/id1", "two/id1"]);
  await Deno.rename(`${root.path}/one/other`, `${root.path}/one/id1`);
  await index.refresh();
  assertEquals(index.catalog.problems, []);
});

Deno.test("an archive alone that is being rewritten stays as it was until it is complete", async () => {
  await using root = await installation({ "a.pak": pak([["a.txt", "a"]]) });
  await using index = await openLiveIndex([{ sources: [`${root.path}/a.pak`] }]);
  const bytes = pak([["b.txt", "b".repeat(1000)]]);
  await Deno.writeFile(`${root.path}/a.pak`, bytes.subarray(0, 500));
  await index.refresh();
  assertMatch(index.catalog.problems.join(), /a\.pak: .*cut short; its earlier content is kept/);
  assertEquals(index.catalog.view().tree.find("a.txt") > 0, true);
  await Deno.writeFile(`${root.path}/a.pak`, bytes);
  await index.refresh();
  assertEquals(index.catalog.problems, []);
  assertEquals(index.catalog.view().tree.find("b.txt") > 0, true);
  await Deno.remove(`${root.path}/a.pak`);
  await index.refresh();
  assertMatch(index.catalog.problems.join(), /a\.pak is missing/);
});

Deno.test("subscriptions that end before their first event leave no watch of the kernel", async () => {
  await using root = await installation({ "id1/a.txt": "a" });
  await using connection = await openLocal({ sources: [root.path], profile: "quake" });
  const before = (await kernelWatches()).size;
  const controller = new AbortController();
  const first = await connection.subscribe({});
  await connection.subscribe({}, { signal: controller.signal });
  assert((await kernelWatches()).size > before);
  await first.return?.();
  assert((await kernelWatches()).size > before, "the other one is open");
  controller.abort();
  const end = Date.now() + 300_000;
  while ((await kernelWatches()).size > before && Date.now() < end) await new Promise((done) => setTimeout(done, 10));
  assertEquals((await kernelWatches()).size, before);
});
