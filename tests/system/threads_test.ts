/** Threads as their starting thread sees them. */
import { assertEquals, assertRejects } from "@std/assert";
import { untilAborted } from "../../system/aborted.ts";
import { ThreadError } from "../../system/channel.ts";
import { RestartedThreads, Thread } from "../../system/threads.ts";
import { FakeWorker, withFakeWorkers } from "../support/fake_worker.ts";

/** Returns the address of a module that runs `code` with `OwnChannel`. */
function program(code: string): URL {
  const { href } = new URL("../../system/channel.ts", import.meta.url);
  return new URL(`data:text/javascript,${encodeURIComponent(`import { OwnChannel } from "${href}"; ${code}`)}`);
}

Deno.test("both ends of a channel answer requests: with values, with memory that moves, and with errors", async () => {
  const code = `
    const channel = new OwnChannel(undefined, async (request, transfer) => {
      if (request === "fail") throw Object.assign(new RangeError("too far"), { offset: 7, other: undefined });
      const bytes = new Uint8Array([await channel.ask(request), await channel.ask(request + 1).catch(({ message }) => message.length)]);
      transfer.push(bytes.buffer);
      setTimeout(() => channel.post(bytes.buffer.detached));
      return bytes;
    });`;
  type Theirs = (request: number | "fail") => Promise<Uint8Array>;
  const moved = Promise.withResolvers<boolean>();
  const thread = new Thread<never, boolean, Theirs, (request: number) => number>(program(code), {
    onMessage: moved.resolve,
    answer: (request) => {
      if (request === 2) throw new Error("four");
      return request * 10;
    },
  });
  assertEquals(Array.from(await thread.ask(1)), [10, 4]);
  assertEquals(await moved.promise, true, "memory was moved");
  const error = await assertRejects(() => thread.ask("fail"), Error, "too far");
  assertEquals(Object.entries(error).sort().join(" "), "message,too far name,RangeError offset,7 other,");
  thread.end("over");
});

Deno.test("a thread gets messages in their order, and has ended when its program has", async () => {
  const code = `
    const channel = new OwnChannel();
    channel.run(async (first) => channel.post([await channel.next(), first].join()));`;
  const received: string[] = [];
  const thread = new Thread<string, string>(program(code), { onMessage: (message) => void received.push(message) });
  thread.post("a");
  thread.post("b");
  await thread.ended;
  assertEquals(received, ["b,a"]);
});

Deno.test("what waits for a thread that fails is rejected, and so is what comes later", async () => {
  const reasons: string[] = [];
  const code =
    `new OwnChannel(undefined, () => { setTimeout(() => { throw new Error("broken"); }); return new Promise(() => {}); });`;
  const thread = new Thread<never, never, () => Promise<void>>(program(code), {
    onFailure: (reason) => void reasons.push(reason),
  });
  const [first] = await Promise.all([
    assertRejects(() => thread.ask(undefined as never), ThreadError, "broken"),
    assertRejects(() => thread.ask(undefined as never), ThreadError, "broken"),
    thread.ended,
  ]);
  assertEquals(reasons, [first.message]);
  await assertRejects(() => thread.ask(undefined as never), ThreadError, "broken");
});

Deno.test("a thread that hangs forever ends, and rejects what waits for it with the reason", async () => {
  const code = `new OwnChannel(undefined, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`;
  const thread = new Thread<never, never, () => Promise<void>>(program(code));
  const waiting = assertRejects(() => thread.ask(undefined as never), ThreadError, "it took too long");
  thread.end("it took too long");
  await Promise.all([waiting, thread.ended]);
});

Deno.test("threads that fail before they send anything are restarted after ever longer, and none at the end", async () => {
  const pauses: number[] = [];
  const reasons: unknown[] = [];
  let isEnding = false;
  let restart = () => {};
  await withFakeWorkers(() => {
    const threads = new RestartedThreads({
      program: new URL("file:///thread.ts"),
      pauses: [50, 300],
      start: (number) => ({ type: "start", number }),
      onMessage: () => {},
      answer: () => {},
      onFailure: (...failure) => void reasons.push(failure),
      isEnding: () => isEnding,
    });
    threads.start(4);
    threads.start(4);
    for (let number = 0; number < 6; number++) {
      // A thread that has served counts as new.
      if (number === 4) FakeWorker.all[number]?.send({ type: "ready" });
      assertEquals(threads.isServing, number === 4);
      FakeWorker.all[number]?.fail("early");
      restart();
    }
    assertEquals(FakeWorker.all.map(({ posted }) => posted), Array(7).fill([{ type: "start", number: 4 }]));
    isEnding = true;
    FakeWorker.all[6]?.fail("late");
    threads.start(5);
    restart();
    assertEquals([FakeWorker.all.length, ...threads.running], [7]);
  }, { setTimeout: (call: () => void, pause: number) => (restart = call, pauses.push(pause)) });
  assertEquals(pauses, [50, 100, 200, 300, 50, 100]);
  assertEquals(reasons, [...Array(6).fill(["early", 4]), ["late", 4]]);
});

Deno.test("work is abandoned when its signal aborts, or has aborted before, and may fail afterwards", async () => {
  const work = Promise.withResolvers<number>();
  await assertRejects(() => untilAborted(work.promise, AbortSignal.abort(new Error("before"))), Error, "before");
  const controller = new AbortController();
  const abandoned = assertRejects(() => untilAborted(work.promise, controller.signal), Error, "meanwhile");
  controller.abort(new Error("meanwhile"));
  await abandoned;
  work.reject(new Error("nobody waits"));
  await assertRejects(() => untilAborted(work.promise, undefined), Error, "nobody waits");
  assertEquals(await untilAborted(Promise.resolve(1), new AbortController().signal), 1);
});
