/** The decoders as the main thread sees them, with other workers in their place. */
import { assert, assertEquals } from "@std/assert";
import { DecoderPool } from "../../mount/decoder_pool.ts";
import {
  createDecodeBuffers,
  type DecodeBuffers,
  DecodeMemory,
  slotKind,
  slotStatus,
  wholeMember,
} from "../../mount/shared/decode_memory.ts";
import type { DecoderMessage, DecoderStart, IndexVersion } from "../../mount/shared/thread_messages.ts";
import { until } from "./mounting.ts";

/** A worker whose messages a test makes. */
class FakeWorker {
  static all: FakeWorker[] = [];
  readonly posted: { type: string; thread?: number; version?: IndexVersion }[] = [];
  onmessage: ((event: MessageEvent<DecoderMessage>) => void) | undefined;
  onerror: ((event: ErrorEvent) => void) | undefined;

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(message: { type: string }): void {
    this.posted.push(message);
  }

  send(message: DecoderMessage): void {
    this.onmessage?.(new MessageEvent("message", { data: message }));
  }

  fail(message: string): void {
    this.onerror?.(new ErrorEvent("error", { message, cancelable: true }));
  }
}

/** Notifications under way, which are counted in shared memory: the end of the session waits for them. */
function notifying({ control }: DecodeBuffers): number {
  return Atomics.load(new Int32Array(control), 4);
}

const version = (number: number) => ({ number }) as unknown as IndexVersion;

async function withPool(
  count: number,
  test: (pool: DecoderPool, memory: DecodeMemory, said: string[]) => Promise<void>,
): Promise<void> {
  const { Worker } = globalThis;
  Object.assign(globalThis, { Worker: FakeWorker });
  FakeWorker.all = [];
  try {
    const buffers = createDecodeBuffers(64);
    const memory = new DecodeMemory(buffers);
    const said: string[] = [];
    const start = { type: "start", version: version(0) } as unknown as Omit<DecoderStart, "thread">;
    const pool = new DecoderPool(count, start, memory, {
      onProblem: (message, source) => void said.push(`${message} ${source}`),
      onSeekPoints: ({ entry }) => void said.push(`points of ${entry}`),
    });
    await test(pool, memory, said);
    const ending = pool.end();
    for (const worker of FakeWorker.all) worker.send({ type: "ended" });
    await ending;
    assertEquals(notifying(buffers), 0, "the end would wait for it");
  } finally {
    Object.assign(globalThis, { Worker });
  }
}

const started = () => FakeWorker.all.map(({ posted }) => posted[0]?.thread);

Deno.test("one decoder is started at first, others when one is busy, and no more than there may be", () =>
  withPool(3, async (pool, _memory, said) => {
    assertEquals(started(), []);
    await until("one is started", () => Promise.resolve(started().length > 0));
    pool.start();
    assertEquals(started(), [1]);
    for (const expected of [[1, 2], [1, 2, 3], [1, 2, 3]]) {
      FakeWorker.all[0]?.send({ type: "busy" });
      assertEquals(started(), expected);
    }
    FakeWorker.all[1]?.send({ type: "problem", message: "damaged", source: "a.pk3" });
    assertEquals(said, ["damaged a.pk3"]);
  }));

Deno.test("a decoder gets the index that it asks for, the one before it too, and none that is older", () =>
  withPool(2, (pool) => {
    pool.start();
    const [worker] = FakeWorker.all;
    assert(worker);
    for (const number of [1, 2, 3]) pool.show(version(number));
    for (const number of [3, 2, 1, 0, 4]) worker.send({ type: "wants", version: number });
    assertEquals(worker.posted.slice(1).map(({ type, version }) => [type, version?.number]), [
      ["show", 3],
      ["show", 2],
      ["forgotten", undefined],
      ["forgotten", undefined],
      ["forgotten", undefined],
    ]);
    worker.send({ type: "busy" });
    assertEquals(FakeWorker.all[1]?.posted[0]?.version?.number, 3, "a new one begins with the newest");
    return Promise.resolve();
  }));

Deno.test("a decoder that breaks is replaced, what it had in hand fails, and what waits fails if no other serves", () =>
  withPool(2, async (pool, memory, said) => {
    pool.start();
    FakeWorker.all[0]?.send({ type: "ready" });
    FakeWorker.all[0]?.send({ type: "busy" });
    FakeWorker.all[1]?.send({ type: "ready" });
    const work = (slot: number) => {
      memory.begin(slot, {
        kind: slotKind.memory,
        version: 0,
        entry: slot,
        segment: wholeMember,
        fileDescriptor: 3,
        start: 0,
      });
      memory.enqueue(slot);
    };
    work(0);
    memory.hold(1, memory.takeQueued());
    work(1);
    FakeWorker.all[0]?.fail("first");
    const statuses = () => [0, 1].map((slot) => memory.status(slot));
    assertEquals(statuses(), [slotStatus.failed, slotStatus.working], "the other decoder takes what is queued");
    assertEquals([memory.held(1), memory.isIdle(0)], [-1, true]);
    assertEquals(said.length, 1);
    FakeWorker.all[1]?.fail("second");
    assertEquals(statuses(), [slotStatus.failed, slotStatus.failed]);
    await until("both are started again", () => Promise.resolve(started().length === 4));
    assertEquals(started().toSorted(), [1, 1, 2, 2]);
    assertEquals(said.map((text) => text.split(": ")[1]), ["first undefined", "second undefined"]);
  }));

Deno.test("at the end none is started or replaced any more", () =>
  withPool(3, (pool, memory, said) => {
    pool.start();
    memory.askToStop();
    FakeWorker.all[0]?.send({ type: "busy" });
    FakeWorker.all[0]?.fail("late");
    assertEquals([started(), said], [[1], []]);
    return Promise.resolve();
  }));
