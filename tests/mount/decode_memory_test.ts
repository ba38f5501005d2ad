/** Memory shared by the session thread and the decoders: slots, waiting requests, and a decoder's next work. */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { failRemaining } from "../../mount/decoding/waiting_reads.ts";
import { MemberCache } from "../../mount/session/member_cache.ts";
import {
  createDecodeBuffers,
  DecodeMemory,
  slotCount,
  slotKind,
  timeToReadAhead,
  timeToReleaseMemory,
  timeToStop,
  timeToWorkAlone,
} from "../../mount/shared/decode_memory.ts";
import { replierOf } from "../support/replier.ts";

const ring = 64 * slotCount;

Deno.test("every slot can be used, and as many requests wait as there is room for", () => {
  const memory = new DecodeMemory(createDecodeBuffers(ring));
  const cache = new MemberCache(memory, () => {}, 0);
  const allocated = Array.from({ length: slotCount }, (_, entry) => cache.allocateInRing({ version: 0, entry }, 1, -1));
  assertEquals(allocated.toSorted((a, b) => a - b), Array.from({ length: slotCount }, (_, slot) => slot));
  assertEquals(cache.allocateInRing({ version: 0, entry: slotCount }, 1, -1), -1);
  for (let round = 0; round < 2; round++) {
    let waiting = 0;
    while (memory.wait(waiting % slotCount, BigInt(waiting), 0, 1)) waiting++;
    assertEquals(waiting, 4096);
    const taken = allocated.flatMap((slot) => memory.takeWaiters(slot).map(({ address }) => Number(address)));
    assertEquals(taken.sort((a, b) => a - b), Array.from({ length: waiting }, (_, number) => number));
  }
});

Deno.test("what decoders leave undone at the end fails, even while one of them is still at work", () => {
  const decoderCount = 3;
  for (const areOver of [true, false]) {
    const memory = new DecodeMemory(createDecodeBuffers(ring));
    const failed: bigint[] = [];
    const replier = replierOf({
      error: (address: bigint, errno: number) => failed.push(errno === Errno.EIO ? address : -1n),
    });
    // Each decoder works on its first slot; the others are queued.
    for (let slot = 0; slot < 2 * decoderCount; slot++) {
      memory.begin(slot, { kind: slotKind.file, version: 0, entry: slot, fileDescriptor: -1, start: 0, segment: 0 });
      assert(memory.wait(slot, BigInt(slot), 0, 1));
      if (slot < decoderCount) memory.hold(slot + 1, slot);
      else memory.enqueue(slot);
    }
    failRemaining(memory, replier, decoderCount, areOver);
    // The session is destroyed now: no request may be answered later.
    assertEquals(failed, [0n, 1n, 2n, 3n, 4n, 5n]);
    assertEquals(memory.isIdle(0), areOver, "a decoder at work keeps its slot");
    failRemaining(memory, replier, decoderCount, true);
    assertEquals(failed.length, 2 * decoderCount, "each is answered once");
    const slots = Array.from({ length: 2 * decoderCount }, (_, slot) => slot);
    assert(slots.every((slot) => memory.isIdle(slot)));
  }
});

Deno.test("a decoder takes what waits first, then ends, and else reads ahead, releases memory or works alone", () => {
  for (let state = 0; state < 16; state++) {
    const memory = new DecodeMemory(createDecodeBuffers(ring));
    const [hasQueued, isStopping, isAhead, isOld] = [1, 2, 4, 8].map((bit) => (state & bit) !== 0);
    if (hasQueued) [3, 9].forEach((slot) => memory.enqueue(slot));
    if (isStopping) memory.askToStop();
    const note = {
      stream: 0,
      epoch: memory.ahead.begin(0),
      index: 50,
      version: 0,
      entry: 0,
      descriptor: 5,
      high: 0,
      low: 0,
    };
    if (isAhead) memory.ahead.put(note);
    if (isOld) memory.askToReleaseMemory(7);
    const taken = Array.from({ length: hasQueued ? 3 : 1 }, () => memory.dequeue(0));
    if (hasQueued) assertEquals(taken.splice(0, 2), [3, 9]);
    const expected = isStopping
      ? timeToStop
      : isAhead
      ? timeToReadAhead
      : isOld
      ? timeToReleaseMemory
      : timeToWorkAlone;
    assertEquals(taken, [expected], `state ${state}`);
    if (isAhead) assertEquals(memory.ahead.take(1), note);
    const after = [memory.dequeue(0), memory.dequeue(0)];
    const once = isOld && (isAhead || hasQueued) && expected !== timeToReleaseMemory
      ? timeToReleaseMemory
      : timeToWorkAlone;
    assertEquals(after, isStopping ? [timeToStop, timeToStop] : [once, timeToWorkAlone], `later in state ${state}`);
  }
});

Deno.test("stopping waits for notifications and decoders, but no longer than it may", () => {
  const memory = new DecodeMemory(createDecodeBuffers(ring));
  const stopped = (milliseconds: number) => {
    const began = performance.now();
    const isOver = memory.stop(milliseconds);
    return { isOver, hasWaited: performance.now() - began >= milliseconds - 1 };
  };
  assertEquals(memory.isStopping, false);
  assertEquals(stopped(120_000), { isOver: true, hasWaited: false });
  assertEquals(memory.isStopping, true);
  memory.beginNotifying();
  assertEquals(stopped(40), { isOver: true, hasWaited: true });
  memory.endNotifying();
  memory.join();
  memory.join();
  assertEquals(stopped(40), { isOver: false, hasWaited: true });
  memory.leave();
  assertEquals(stopped(40), { isOver: false, hasWaited: true });
  memory.leave();
  assertEquals(stopped(120_000), { isOver: true, hasWaited: false });
});
