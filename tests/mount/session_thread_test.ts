/** The session thread as the main thread sees it, with a fake worker. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { TreeParts } from "../../views/tree.ts";
import { MountError, SessionThread } from "../../mount/session_thread.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import type { ReplaceMessage, SessionMessage, SessionStart } from "../../mount/shared/thread_messages.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { PrestartedSession } from "../../mount/prestarted_session.ts";
import { FakeWorker, withFakeWorkers } from "../support/fake_worker.ts";
import { HandClock } from "../support/hand_clock.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const show = { type: "replace", version: { number: 1 } } as unknown as ReplaceMessage;

/** A session thread whose messages a test makes. */
async function session(library: FileCalls) {
  await using directory = await temporaryDirectory();
  // Catches calls that would wake the thread.
  const wakeFileDescriptor = library.openUnnamed(directory.path);
  const worker = new FakeWorker();
  const buffers = createDecodeBuffers(0);
  const memory = new DecodeMemory(buffers);
  const said: string[] = [];
  const clock = new HandClock();
  const thread = new SessionThread(worker as unknown as Worker, memory, {
    mountPoint: "/nowhere",
    onRequest: (line) => void said.push(`request ${line}`),
    onProblem: (message) => void said.push(`problem ${message}`),
    onTree: (version, view) => void said.push(`tree of ${view} in ${version}`),
    onWork: () => void said.push("work"),
    onRemote: (number) => void said.push(`remote ${number}`),
    onConverter: (number) => void said.push(`converter ${number}`),
  }, clock);
  return {
    thread,
    memory,
    clock,
    /** Number of running notifications, in shared memory: the end of the session waits for them. */
    notifying: () => Atomics.load(new Int32Array(buffers.control), 4),
    said,
    posted: () => worker.posted.splice(0).map(({ type }) => type),
    send: (message: SessionMessage) => worker.send(message),
    begin: () => worker.send({ type: "started", wakeFileDescriptor, address: 0n }),
    fail: (message: string) => worker.fail(message),
    wakeUps: () => library.information(wakeFileDescriptor)?.size ?? 0,
  };
}

Deno.test("a session is asked for what it can do: nothing before it has started, nor once it ends", async () => {
  using library = new FileCalls();
  const { thread, memory, notifying, posted, send, begin, wakeUps } = await session(library);
  const ready = thread.start({ type: "start" } as unknown as SessionStart);
  assertEquals(posted(), ["start"]);
  thread.tidy();
  thread.stop();
  await thread.show(show);
  assertEquals([posted(), memory.messages], [[], 0]);
  begin();
  send({ type: "ready", protocol: "7.39" });
  await ready;
  assertEquals(thread.address, 0n);
  thread.tidy();
  let isShown = false;
  const showing = thread.show(show).then(() => isShown = true);
  await Promise.resolve();
  assertEquals([posted(), memory.messages, isShown], [["tidy", "replace"], 2, false]);
  assert(wakeUps() > 0, "the thread was woken");
  send({ type: "shown", version: 1, names: [] });
  await showing;
  thread.stop();
  assertEquals([posted(), memory.messages], [["stop"], 3]);
  memory.askToStop();
  thread.tidy();
  assertEquals([posted(), memory.messages], [[], 3]);
  assertEquals(notifying(), 0);
  const late = thread.show(show);
  send({ type: "ended" });
  await Promise.all([late, thread.ended]);
  thread.stop();
  thread.tidy();
  assertEquals([posted(), memory.messages], [[], 3]);
});

Deno.test("a session ends when the kernel has taken all notifications, or takes one for too long", async () => {
  using library = new FileCalls();
  for (const isTaken of [true, false]) {
    // deno-lint-ignore no-await-in-loop -- one session after the other
    const { thread, memory, clock, posted, begin, send } = await session(library);
    begin();
    send({ type: "ready", protocol: "7.39" });
    memory.beginNotifying();
    assertEquals(memory.mayNotify, true);
    thread.stop();
    // The session still answers, but starts no notification.
    assertEquals([posted(), memory.mayNotify, memory.isStopping], [[], false, false]);
    // deno-lint-ignore no-await-in-loop -- as above
    await clock.advance(500);
    assertEquals(posted(), []);
    if (isTaken) memory.endNotifying();
    // deno-lint-ignore no-await-in-loop -- as above
    await clock.advance(5);
    assertEquals(posted(), isTaken ? ["stop"] : []);
    // deno-lint-ignore no-await-in-loop -- as above
    await clock.advance(600);
    assertEquals(posted(), isTaken ? [] : ["stop"]);
    if (!isTaken) memory.endNotifying();
    send({ type: "ended" });
  }
});

Deno.test("what a session reports is passed on", async () => {
  using library = new FileCalls();
  const { said, send } = await session(library);
  send({ type: "problem", message: "a" });
  send({ type: "request", line: "b" });
  send({ type: "tree", version: 4, view: "q/id1", tree: {} as unknown as TreeParts });
  send({ type: "work" });
  send({ type: "remote", thread: 3 });
  send({ type: "converter", thread: 2 });
  assertEquals(said, ["problem a", "request b", "tree of q/id1 in 4", "work", "remote 3", "converter 2"]);
});

Deno.test("a session that ends or fails before it is ready is not mounted, and one that breaks ends everything", async () => {
  using library = new FileCalls();
  const start = { type: "start" } as unknown as SessionStart;
  const early = await session(library);
  const first = early.thread.start(start);
  early.send({ type: "ended" });
  await assertRejects(() => first, MountError, "/nowhere not mounted: it was unmounted before it answered");
  await early.thread.ended;

  const failing = await session(library);
  const second = failing.thread.start(start);
  failing.begin();
  const late = failing.thread.show(show);
  failing.send({ type: "failed", message: "no device" });
  await assertRejects(() => second, MountError, "no device");
  await assertRejects(() => failing.thread.ended, MountError, "no device");
  await late;
  failing.thread.stop();
  assertEquals(failing.posted(), ["start", "replace"]);

  const broken = await session(library);
  broken.begin();
  broken.send({ type: "ready", protocol: "7.39" });
  const third = broken.thread.show(show);
  broken.fail("out of luck");
  await assertRejects(() => broken.thread.ended, MountError, "the session thread failed: out of luck");
  await third;
  broken.thread.tidy();
  assertEquals(broken.posted(), ["replace"]);
});

Deno.test("a session thread that fails before it is used fails the mount that wants it", async () => {
  await withFakeWorkers(() => {
    using session = new PrestartedSession();
    FakeWorker.all[0]?.fail("its module is gone");
    assertThrows(() => session.take(), Error, "the session thread failed: its module is gone");
  });
});
