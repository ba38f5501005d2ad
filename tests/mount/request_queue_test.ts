import { assert, assertEquals } from "@std/assert";
import { Errno, type FuseRequest, type Replier } from "deno-fuse-ffi";
import fc from "../support/fast_check.ts";
import { replierOf } from "../support/replier.ts";
import {
  createRequestQueueBuffer,
  type HandedRequest,
  noConvertedNode,
  RequestQueue,
} from "../../mount/shared/request_queue.ts";
import { failWaiting, HandedRequests } from "../../mount/session/handed_requests.ts";

function read(number: number): HandedRequest {
  return {
    address: BigInt(number),
    unique: BigInt(number) * 2n,
    process: 2 ** 22,
    version: 3,
    entry: number,
    offset: 2 ** 40,
    size: 9,
    high: 2 ** 32 - 1,
    low: 2 ** 31,
    view: 4,
    node: 2 ** 32 - 2,
  };
}

Deno.test("reads are queued in their order, whole, and each can be claimed once", () => {
  const buffer = createRequestQueueBuffer();
  const [session, thread] = [new RequestQueue(buffer), new RequestQueue(buffer)];
  for (const number of [1, 2, 3]) assert(session.put(read(number)));
  for (const number of [1, 2, 3]) {
    const first = thread.take();
    assert(first);
    const { slot: _slot, state: _state, isInterrupted, ...rest } = first;
    assertEquals([rest, isInterrupted], [read(number), false]);
    assertEquals([session.claim(first), thread.claim(first)], [true, false]);
    assert(thread.isAnswering);
    session.release(first);
    assert(!thread.isAnswering);
  }
  assertEquals(session.waiting(), []);
});

Deno.test("a read that was interrupted cannot be claimed, nor can the one that came into its slot", () => {
  const buffer = createRequestQueueBuffer();
  const [session, thread] = [new RequestQueue(buffer), new RequestQueue(buffer)];
  session.put(read(1));
  const inHand = thread.take();
  assert(inHand);
  const answered: bigint[] = [];
  const replier = { error: (address: bigint) => void answered.push(address) };
  failWaiting(session, replier, 4, ({ unique }) => unique === 2n);
  assertEquals(answered, [1n]);
  session.put(read(5));
  assert(!thread.claim(inHand));
  assertEquals(thread.take()?.entry, 5);
});

Deno.test("there is a limit to the reads that wait, and a wake-up without a read ends the waiting", () => {
  const requests = new RequestQueue(createRequestQueueBuffer());
  let count = 0;
  while (requests.put(read(count))) count++;
  assertEquals([count, requests.waiting().length], [256, 256]);
  failWaiting(requests, { error: () => {} }, 5);
  requests.stop();
  assertEquals([requests.take(), requests.isStopping], [undefined, true]);
});

Deno.test("the thread of a queue sleeps only while nothing has happened since it last looked", () => {
  const requests = new RequestQueue(createRequestQueueBuffer());
  const { wait } = Atomics;
  let sleeps = 0;
  Object.assign(Atomics, { wait: () => (sleeps++, "ok") });
  try {
    const take = () => {
      const before = sleeps;
      const request = requests.take();
      return [request?.entry, sleeps - before];
    };
    assertEquals(take(), [undefined, 1]);
    requests.wake();
    assertEquals([take(), take()], [[undefined, 0], [undefined, 1]]);
    assert(requests.put(read(7)));
    assertEquals([take(), take()], [[7, 0], [7, 0]]);
    failWaiting(requests, { error: () => {} }, 5);
    requests.tidy(4);
    requests.stop();
    assertEquals([take(), take()], [[undefined, 0], [undefined, 1]]);
  } finally {
    Object.assign(Atomics, { wait });
  }
});

Deno.test("whatever happens in which order, each read is answered once, by the one that claimed it", () => {
  const step = fc.constantFrom("put", "take", "answer", "interrupt");
  fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
    const requests = new RequestQueue(createRequestQueueBuffer());
    const answered: bigint[] = [];
    const replier = { error: (address: bigint) => void answered.push(address) };
    let next = 0;
    let inHand: ReturnType<RequestQueue["take"]>;
    for (const name of steps) {
      if (name === "put") requests.put(read(++next));
      else if (name === "take" && requests.waiting().length > 0) inHand = requests.take();
      else if (name === "answer" && inHand && requests.claim(inHand)) {
        answered.push(inHand.address);
        requests.release(inHand);
      } else if (name === "interrupt") {
        const [first] = requests.waiting();
        failWaiting(requests, replier, 4, ({ unique }) => unique === first?.unique);
      }
    }
    failWaiting(requests, replier, 5);
    assertEquals(
      answered.toSorted((a, b) => Number(a - b)),
      Array.from({ length: next }, (_, index) => BigInt(index + 1)),
    );
  }));
});

Deno.test("reads are handed to the thread of their file system, which is started once, and all are answered at the end", () => {
  const buffers = [1, 2].map(createRequestQueueBuffer);
  const threads = buffers.map((buffer) => new RequestQueue(buffer));
  const failed: [bigint, number][] = [];
  const replier = replierOf({
    error: (address: bigint, errno: number) => void failed.push([address, errno]),
  });
  const started: number[] = [];
  const dying = new Set([3]);
  const reads = new HandedRequests(
    buffers,
    replier,
    (thread) => started.push(thread),
    (process) => dying.has(process),
  );
  const refused: number[] = [];
  const hand = (unique: bigint, fileSystem: number) => {
    const replyError = (errno: number) => void refused.push(errno);
    const request = { unique, processId: Number(unique), detach: () => 100n + unique, replyError };
    const order = { version: 0, entry: 1, offset: 2, size: 3, ...noConvertedNode };
    reads.hand(request as unknown as FuseRequest, fileSystem - 1, order);
  };
  // The third file system shares the first thread.
  for (const [unique, fileSystem] of [[1n, 1], [2n, 2], [3n, 3], [4n, 1]] as const) hand(unique, fileSystem);
  assertEquals(started, [0, 1]);
  const waiting = () => threads.map((thread) => thread.waiting().map(({ unique }) => unique));
  assertEquals(waiting(), [[1n, 3n, 4n], [2n]]);
  // A signal that ends a process fails its read. Others are noted until the process must end.
  for (const unique of [3n, 2n, 9n]) reads.interrupt(unique);
  assertEquals([waiting(), failed.splice(0)], [[[1n, 4n], [2n]], [[103n, Errno.EINTR]]]);
  const noted = threads.flatMap((thread) => thread.waiting().filter(({ isInterrupted }) => isInterrupted));
  assertEquals(noted.map(({ unique, process }) => [unique, process]), [[2n, 2]]);
  const [first] = threads;
  if (first) first.isRefusing = true;
  hand(5n, 1);
  assertEquals([refused, waiting()], [[Errno.EIO], [[1n, 4n], [2n]]]);
  reads.end();
  assertEquals(failed, [101n, 104n, 102n].map((address) => [address, Errno.EIO]));
  assertEquals([waiting(), threads.map(({ isStopping }) => isStopping)], [[[], []], [true, true]]);
});

Deno.test("the end does not wait forever for a thread that failed while it answered", () => {
  const buffer = createRequestQueueBuffer();
  const thread = new RequestQueue(buffer);
  for (const number of [1, 2]) assert(thread.put(read(number)));
  const inHand = thread.take();
  assert(inHand && thread.claim(inHand));
  const failed: bigint[] = [];
  const replier = { error: (address: bigint) => void failed.push(address) } as unknown as Replier;
  const { now } = Date;
  // A minute passes with each read of the clock.
  let time = now();
  Date.now = () => time += 60_000;
  try {
    new HandedRequests([buffer], replier, () => {}).end();
  } finally {
    Date.now = now;
  }
  assertEquals([failed, thread.isAnswering], [[2n], true]);
});
