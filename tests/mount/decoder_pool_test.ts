/** The decoders as the main thread sees them, with fake workers. */
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
import { ShownIndexes } from "../../mount/shown_indexes.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { FakeWorker, withFakeWorkers } from "../support/fake_worker.ts";
import { replierOf } from "../support/replier.ts";
import { until } from "./mounting.ts";

/** Number of running notifications, in shared memory: the end of the session waits for them. */
function notifying({ control }: DecodeBuffers): number {
  return Atomics.load(new Int32Array(control), 4);
}

/** An empty index. */
const catalog = scanCatalog([]);

function withPool(
  count: number,
  test: (pool: DecoderPool, memory: DecodeMemory, said: string[], indexes: ShownIndexes) => Promise<void>,
): Promise<void> {
  return withFakeWorkers(async () => {
    const buffers = createDecodeBuffers(64);
    const memory = new DecodeMemory(buffers);
    const said: string[] = [];
    const indexes = new ShownIndexes(catalog, [], { numbersOf: () => new Uint8Array() });
    const counters = new SharedArrayBuffer(0);
    const start = { buffers, counters, session: 0n, spillDirectory: "", seekDirectory: undefined, faultAfter: 0 };
    const replier = replierOf({
      error(address: bigint, errno: number) {
        said.push(`${address} fails with ${errno}`);
        assert(memory.isIdle(Number(address) - 70), "who reads again at once would be answered the same");
      },
    });
    const host = {
      memory,
      indexes,
      count,
      start,
      onProblem: (message: string, source?: string) => void said.push(`${message} ${source}`),
      onSeekPoints: ({ entry }: { entry: number }) => void said.push(`points of ${entry}`),
    };
    const pool = new DecoderPool(host, () => replier);
    await test(pool, memory, said, indexes);
    const ending = pool.end();
    for (const worker of FakeWorker.all) worker.send(["ended"]);
    await ending;
    assertEquals(notifying(buffers), 0, "the end would wait for it");
  });
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

Deno.test("a decoder gets each index that waiting reads may need, after two refreshes too, and none that is older", () =>
  withPool(2, async (pool, _memory, _said, indexes) => {
    pool.start();
    const [worker] = FakeWorker.all;
    assert(worker);
    for (let count = 0; count < 5; count++) indexes.add(catalog, []);
    const answers = [0, 1, 2, 3, 4, 5, 6].map((number) => worker.own.ask(number));
    const none = undefined;
    assertEquals((await Promise.all(answers)).map((version) => version?.number), [none, none, 2, 3, 4, 5, none]);
    worker.send({ type: "busy" });
    assertEquals(FakeWorker.all[1]?.posted[0]?.version?.number, 5, "a new one begins with the newest");
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
      assert(memory.wait(slot, BigInt(slot + 70), 0, 1));
      memory.enqueue(slot);
    };
    work(0);
    memory.hold(1, memory.takeQueued());
    work(1);
    FakeWorker.all[0]?.fail("first");
    const statuses = () => [0, 1].map((slot) => memory.status(slot));
    assertEquals(statuses(), [slotStatus.failed, slotStatus.working], "the other decoder takes what is queued");
    assertEquals([memory.held(1), memory.isIdle(0)], [-1, true]);
    const failures = () => said.filter((text) => text.includes("fails with"));
    assertEquals([said.length, failures()], [2, ["70 fails with 5"]]);
    FakeWorker.all[1]?.fail("second");
    assertEquals(statuses(), [slotStatus.failed, slotStatus.failed]);
    await until("both are started again", () => Promise.resolve(started().length === 4));
    assertEquals(started().toSorted(), [1, 1, 2, 2]);
    assertEquals(failures(), ["70 fails with 5", "71 fails with 5"]);
    const problems = said.filter((text) => !text.includes("fails with")).map((text) => text.split(": ")[1]);
    assertEquals(problems, ["first undefined", "second undefined"]);
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
