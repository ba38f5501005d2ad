/** The threads that answer requests for the session, as the main thread sees them, under random schedules. */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { RequestThreads } from "../../mount/request_threads.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { noConvertedNode, type QueuedRequest, RequestQueue } from "../../mount/shared/request_queue.ts";
import type { RemoteStart } from "../../mount/shared/thread_messages.ts";
import { ShownIndexes } from "../../mount/shown_indexes.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { HungCall, WatchedReader } from "../../system/remote_file_systems.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { FakeWorker, withFakeWorkers } from "../support/fake_worker.ts";
import { replierOf } from "../support/replier.ts";

const timeout = 1000;
const count = 3;
const firstRow = 5;
/** An empty index. */
const catalog = scanCatalog([]);

/** Timers of the main thread, moved by the test. */
class Timers {
  restart = () => {};
  #last = 0;

  readonly functions = {
    setTimeout: (call: () => void, pause: number) => {
      assertEquals(pause, 1000);
      this.restart = call;
      return ++this.#last;
    },
  };
}

for (const fails of [true, false]) {
  Deno.test(`threads run once each, are started again, and ${fails ? "fail" : "keep"} what a silent one has to answer`, () => {
    const timers = new Timers();
    return withFakeWorkers(async () => {
      const chance = numbersFrom(seed);
      const counted = { started: 0, hung: 0, failed: 0, known: 0, forgotten: 0, interrupted: 0 };
      // deno-lint-ignore no-await-in-loop -- one round after the other
      for (let round = 0; round < 20; round++) await run();
      const expected = Object.entries(counted).filter(([kind]) => kind !== (fails ? "interrupted" : "hung"));
      for (const [kind, number] of expected) assert(number > 10, `${number} ${kind}`);

      async function run(): Promise<void> {
        FakeWorker.all = [];
        const memory = new DecodeMemory(createDecodeBuffers(0));
        const answered: [bigint, number][] = [];
        const said: unknown[] = [];
        /** Watched readers, in the order of their start. */
        const watched = new Map<WatchedReader, (call: HungCall | undefined) => void>();
        const watch = (reader: WatchedReader, onLook: (call: HungCall | undefined) => void) => {
          watched.set(reader, onLook);
          return () => void watched.delete(reader);
        };
        let opened = 0;
        const indexes = new ShownIndexes(catalog, [], { numbersOf: () => new Uint8Array() });
        const threads = new RequestThreads({
          memory,
          indexes,
          program: new URL("file:///thread.ts"),
          title: "thread",
          count,
          start: (own, number) => ({ type: "start", ...own, number }) as unknown as RemoteStart,
          firstRow,
          remotes: { watch },
          hung: { timeout, mode: fails ? "error" : "wait" },
          needs: (number, fileSystem) => fileSystem === number + 10,
          onProblem: (message, source) => void said.push([message, source]),
          onMessage: (message) => void said.push(message),
        }, () => {
          opened++;
          return replierOf({
            error: (address, errno) => void answered.push([address, errno]),
            close: () => opened--,
          });
        });
        const queues = threads.buffers.map((buffer) => new RequestQueue(buffer));
        const versions = [0];
        /** Number in {@linkcode FakeWorker.all} by thread. */
        const running = new Map<number, number>();
        const waiting = queues.map(() => [] as bigint[]);
        const inHand = new Map<number, QueuedRequest>();
        let last = 0n;
        /** Requests that a failed thread should have answered. */
        const failed = (number: number) =>
          (waiting[number]?.splice(0) ?? []).map((address): [bigint, number] => [address, Errno.EIO]);
        /** Processes that got a signal, by request; 0 if nothing is known of one. */
        const noted = new Map<bigint, number>();
        /** Requests whose process must end, or may wait without end. */
        const interrupted = (number: number, isHung: boolean) => {
          const ended = (waiting[number] ?? []).filter((address) =>
            noted.has(address) && (isHung || !noted.get(address))
          );
          waiting[number] = waiting[number]?.filter((address) => !ended.includes(address)) ?? [];
          counted.interrupted += ended.length;
          return ended.map((address): [bigint, number] => [address, Errno.EINTR]);
        };
        const inOrder = (some: readonly [bigint, number][]) => some.toSorted(([a], [b]) => Number(a - b));
        for (let step = 0; step < 200; step++) {
          const kind = chance(10);
          const number = chance(count);
          const queue = queues[number];
          const worker = FakeWorker.all[running.get(number) ?? -1];
          assert(queue);
          if (kind === 0) {
            const { length } = FakeWorker.all;
            threads.start(chance(2) === 0 ? count : number);
            if (FakeWorker.all.length > length) noteStart(number);
          } else if (kind === 1) {
            threads.start(number);
            if (!running.has(number)) noteStart(number);
          } else if (kind === 2) {
            const next = (versions.at(-1) ?? 0) + 1;
            versions.push(next);
            indexes.add(catalog, []);
          } else if (kind === 3 && worker) {
            const wanted = Math.max(0, (versions.at(-1) ?? 0) - chance(6));
            // deno-lint-ignore no-await-in-loop -- one step after the other
            const version = await worker.own.ask(wanted);
            const isKept = versions.slice(-4).includes(wanted);
            assertEquals(version?.number, isKept ? wanted : undefined);
            counted[isKept ? "known" : "forgotten"]++;
          } else if (kind === 4) {
            const unique = ++last;
            const order = { version: 0, entry: 1, offset: 0, size: 1, ...noConvertedNode };
            if (
              !queue.isRefusing &&
              queue.put({ address: unique, unique, process: chance(4) === 0 ? 0 : Deno.pid, ...order })
            ) {
              waiting[number]?.push(unique);
            }
          } else if (kind === 5 && !inHand.has(number)) {
            const request = queue.waiting()[0];
            if (!request || !worker) continue;
            inHand.set(number, request);
            queue.noteInterruption(request);
            noted.set(request.address, request.process);
          } else if (kind === 6) {
            const request = inHand.get(number);
            if (!request) continue;
            inHand.delete(number);
            const isOwn = queue.claim(request);
            assertEquals(isOwn, waiting[number]?.includes(request.address));
            if (isOwn) {
              queue.release(request);
              waiting[number] = waiting[number]?.filter((address) => address !== request.address) ?? [];
            }
          } else if (kind === 7 && worker && chance(3) === 0) {
            running.delete(number);
            inHand.delete(number);
            worker.fail("broken");
            assertEquals(inOrder(answered.splice(0)), failed(number));
            assertEquals(said.splice(0), [["a thread failed and is restarted: broken", undefined], undefined]);
            counted.failed++;
            if (chance(2) === 0) continue;
            timers.restart();
            noteStart(number);
          } else if (kind === 8 && worker) {
            worker.send({ type: "problem", message: "a", source: "b" });
            worker.send({ type: "kinds", kinds: [] });
            assertEquals(said.splice(0), [["a", "b"], { type: "kinds", kinds: [] }]);
          } else if (kind === 9) {
            const [reader, onLook] = Array.from(watched)[chance(watched.size)] ?? [];
            if (!reader) continue;
            const thread = queues.findIndex((_, one) => reader.needs?.(one + 10));
            const isHung = chance(2) === 0;
            onLook?.(isHung ? { path: "/x", fileSystem: 1, mountPoint: null } : undefined);
            assertEquals(queues[thread]?.isRefusing, isHung && fails);
            const expected = isHung && fails ? failed(thread) : interrupted(thread, isHung);
            assertEquals(inOrder(answered.splice(0)), inOrder(expected));
            if (isHung && fails) counted.hung += expected.length;
          }
          assertEquals([answered, opened, memory.isNotifying, new Set(running.values()).size], [
            [],
            0,
            false,
            running.size,
          ]);
        }
        threads.tidy();
        assertEquals(queues.map(({ oldestVersion }) => oldestVersion), queues.map(() => versions.at(-1)));
        // The session answers the remaining requests from now on.
        memory.askToStop();
        const [one] = running.keys();
        const { length } = FakeWorker.all;
        if (one !== undefined) FakeWorker.all[running.get(one) ?? -1]?.fail("late");
        for (let number = 0; number < count; number++) threads.start(number);
        timers.restart();
        assertEquals([answered, FakeWorker.all.length], [[], length]);
        threads.end();
        assertEquals(queues.map(({ isStopping }) => isStopping), [true, true, true]);
        // Each thread closes its files, and ends by itself.
        assertEquals(FakeWorker.all.filter(({ isTerminated }) => isTerminated), []);

        function noteStart(number: number): void {
          const { length } = FakeWorker.all;
          const own = FakeWorker.all[length - 1]?.posted[0];
          if (own?.thread !== firstRow + number) return;
          assertEquals([own.queue === threads.buffers[number], own.version?.number], [true, versions.at(-1)]);
          running.set(number, length - 1);
          counted.started++;
          const [reader, ...others] = watched.keys().filter(({ needs }) => needs?.(number + 10));
          assertEquals([reader?.timeout, reader?.calls(), others], [timeout, [], []], "a thread is watched once");
        }
      }
    }, timers.functions);
  });
}
