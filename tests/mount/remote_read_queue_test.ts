import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { createRemoteQueueBuffer, type RemoteRead, RemoteReadQueue } from "../../mount/shared/remote_read_queue.ts";
import { failWaiting } from "../../mount/session/remote_reads.ts";

function read(number: number): RemoteRead {
  return {
    address: BigInt(number),
    unique: BigInt(number) * 2n,
    version: 3,
    entry: number,
    offset: 2 ** 40,
    size: 9,
  };
}

Deno.test("reads are queued in their order, whole, and each can be claimed once", () => {
  const buffer = createRemoteQueueBuffer();
  const [session, thread] = [new RemoteReadQueue(buffer), new RemoteReadQueue(buffer)];
  for (const number of [1, 2, 3]) assert(session.put(read(number)));
  for (const number of [1, 2, 3]) {
    const first = thread.take();
    assert(first);
    const { slot: _slot, state: _state, ...rest } = first;
    assertEquals(rest, read(number));
    assertEquals([session.claim(first), thread.claim(first)], [true, false]);
    assert(thread.isAnswering);
    session.release(first);
    assert(!thread.isAnswering);
  }
  assertEquals(session.waiting(), []);
});

Deno.test("a read that was interrupted cannot be claimed, nor can the one that came into its slot", () => {
  const buffer = createRemoteQueueBuffer();
  const [session, thread] = [new RemoteReadQueue(buffer), new RemoteReadQueue(buffer)];
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
  const requests = new RemoteReadQueue(createRemoteQueueBuffer());
  let count = 0;
  while (requests.put(read(count))) count++;
  assertEquals([count, requests.waiting().length], [256, 256]);
  failWaiting(requests, { error: () => {} }, 5);
  requests.stop();
  assertEquals([requests.take(), requests.isStopping], [undefined, true]);
});

Deno.test("whatever happens in which order, each read is answered once, by the one that claimed it", () => {
  const step = fc.constantFrom("put", "take", "answer", "interrupt");
  fc.assert(fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
    const requests = new RemoteReadQueue(createRemoteQueueBuffer());
    const answered: bigint[] = [];
    const replier = { error: (address: bigint) => void answered.push(address) };
    let next = 0;
    let inHand: ReturnType<RemoteReadQueue["take"]>;
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
