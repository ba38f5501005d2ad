// deno-lint-ignore-file no-await-in-loop -- one step after the other
/** Threads of remote file systems, as queries see them, under a random schedule of clock and threads. */
import { assert, assertEquals } from "@std/assert";
import type { ContentAnswerer, ContentQuestion } from "../../../index/content/remote/content_worker.ts";
import { RemoteReaders } from "../../../index/content/remote/remote_readers.ts";
import { RemoteSources } from "../../../index/content/remote/remote_sources.ts";
import { ArchiveError } from "../../../formats/core/errors.ts";
import { pakOf, scan, writeFiles } from "../fixtures.ts";
import { numbersFrom, seed } from "../../support/chance.ts";
import { FakeWorker, type PostedRequest, withFakeWorkers } from "../../support/fake_worker.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { NotAnsweringError } from "../../../system/remote_file_systems.ts";

/** A question and its outcome. */
interface Asked {
  readonly question: ContentQuestion;
  outcome: unknown;
}

/** Records in the thread's memory that a call on a file begins or ends. */
function call(memory: SharedArrayBuffer): void {
  const head = new Int32Array(memory);
  head[1] = new TextEncoder().encodeInto("/x", new Uint8Array(memory, 8)).written;
  Atomics.add(head, 0, 1);
}

Deno.test("each question is answered once, by its thread or by the silence of its file system, which is reported once", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(`${directory.path}/game`, { "a.pak": pakOf("a.txt", "b.txt"), "c.txt": "c" });
  const snapshots = [1, 2].map(() => scan(`${directory.path}/game`, { profile: "generic" }).snapshot);
  const table = `20 1 8:1 / / rw - ext4 x rw\n21 1 0:50 / ${directory.path} rw - nfs4 x rw\n`;
  const chance = numbersFrom(seed);
  let time = 1_000_000;
  let look: (() => void) | undefined;
  const { now } = performance;
  performance.now = () => time;
  using _ = { [Symbol.dispose]: () => void (performance.now = now) };
  const functions = {
    setInterval: (callback: () => void) => (assertEquals(look, undefined, "two clocks"), look = callback, 1),
    clearInterval: () => look = undefined,
  };
  const timeout = 5000;
  const reports: string[] = [];
  const counted = { answered: 0, failed: 0, hung: 0, refused: 0, broken: 0 };
  await withFakeWorkers(async () => {
    const report = (sentence: string) => reports.push(sentence);
    const remotes = new RemoteSources({ readTable: () => table, timeout, report });
    const readers = new RemoteReaders(remotes);
    const number = remotes.numberOf(directory.path);
    let waiting = new Map<PostedRequest | undefined, Asked>();
    let isHung = false;
    /** Memory of the thread, and the time at which its current call was first observed; undefined: it makes none. */
    let memory: SharedArrayBuffer | undefined;
    let calling: number | undefined;
    let allowance = 1;
    const setBack = () => {
      if (isHung) allowance = Math.min(64, 2 * allowance);
      [isHung, calling] = [false, undefined];
    };
    const known = new WeakMap<object, Set<number>>();
    const knownTo = (thread: FakeWorker = new FakeWorker()) => known.getOrInsert(thread, new Set());
    const expect = async (asked: Pick<Asked, "outcome">, outcome: unknown) => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      if (typeof outcome !== "function") return assertEquals(asked.outcome, outcome, `PAKFS_SEED=${seed}`);
      assert(asked.outcome instanceof outcome, `${asked.outcome}, PAKFS_SEED=${seed}`);
    };
    for (let step = 0; step < 4000; step++) {
      const kind = chance(12);
      const thread = FakeWorker.all.at(-1);
      assertEquals(remotes.isHung(number), isHung, `step ${step}, PAKFS_SEED=${seed}`);
      if (kind < 5) {
        const snapshot = snapshots[chance(2)] ?? snapshots[0];
        assert(snapshot);
        const question: ContentQuestion = { kind: "whole", entry: chance(snapshot.entryCount) };
        const before = thread?.requests.length ?? 0;
        const asked: Asked = { question, outcome: "nothing" };
        readers.ask(number, snapshot, question).then(
          (value) => asked.outcome = value,
          (error) => asked.outcome = error,
        );
        const last = FakeWorker.all.at(-1);
        if (isHung) {
          counted.refused++;
          assertEquals(last?.requests.length ?? 0, before, "a file system that hangs is asked");
          await expect(asked, NotAnsweringError);
        } else {
          const posted = last?.requests.at(-1);
          waiting.set(posted, asked);
          const { index, snapshot: sent, calls } = posted?.request as Parameters<ContentAnswerer>[0];
          assertEquals(sent === undefined, knownTo(last).has(index), "an index is sent once");
          knownTo(last).add(index);
          memory = calls;
        }
      } else if (kind < 8 && thread && (calling === undefined || chance(8) === 0)) {
        const [posted] = thread.requests.splice(chance(thread.requests.length), 1);
        if (!posted) continue;
        // A thread that replies is not inside a call.
        if (calling !== undefined && memory) call(memory);
        look?.();
        setBack();
        const isFailure = chance(3) === 0;
        if (isFailure) posted.reject(new ArchiveError("damaged", { path: "x" }));
        else posted.resolve(step);
        const asked = waiting.get(posted);
        waiting.delete(posted);
        await expect(asked ?? { outcome: step }, isFailure && asked ? ArchiveError : step);
        counted[isFailure ? "failed" : "answered"]++;
        if (thread.requests.length === 0) assertEquals(look, undefined, "the clock runs for nothing");
      } else if (kind < 10) {
        time += chance(8000);
        const isBusy = (thread?.requests.length ?? 0) > 0 && !thread?.isTerminated;
        if (!isBusy || !memory) continue;
        if (chance(2) === 0 && !isHung || chance(6) === 0) {
          call(memory);
          if (calling === undefined) calling = time;
          else setBack();
        }
        look?.();
        if (calling === undefined || time - calling <= timeout * allowance) continue;
        if (!isHung) counted.hung++;
        isHung = true;
        for (const asked of waiting.values()) await expect(asked, NotAnsweringError);
        waiting = new Map();
      } else if (kind === 10 && chance(20) === 0 && thread && !thread.isTerminated) {
        thread.fail("out of memory");
        thread.requests.length = 0;
        setBack();
        memory = undefined;
        counted.broken++;
        await expect({ outcome: step }, step);
        for (const asked of waiting.values()) await expect(asked, ArchiveError);
        waiting = new Map();
      } else if (kind === 11 && chance(3) === 0) {
        remotes.forgive();
        allowance = 1;
      } else if (kind === 11 && chance(10) === 0 && snapshots[0]) {
        readers.forget(snapshots[0]);
        for (const index of thread?.posted.splice(0) ?? []) assert(knownTo(thread).delete(Number(index)), "not known");
      }
    }
    assertEquals(reports.length, 2 * counted.hung - (isHung ? 1 : 0), "reported when it hangs, and when it answers");
    time += 1_000_000;
    look?.();
    const said = reports.length;
    remotes[Symbol.dispose]();
    readers[Symbol.dispose]();
    for (const asked of waiting.values()) await expect(asked, ArchiveError);
    // When a thread ends, its file system has not answered.
    await expect({
      get outcome() {
        return reports.length;
      },
    }, said);
    assertEquals([look, FakeWorker.all.at(-1)?.isTerminated], [undefined, true]);
  }, functions);
  for (const [kind, count] of Object.entries(counted)) assert(count > 5, `${count} ${kind}`);
});
