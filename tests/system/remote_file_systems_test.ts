/** The rule for file systems that hang, against a model, under random schedules of calls of several readers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type HungCall,
  NotAnsweringError,
  type ReaderCall,
  RemoteFileSystems,
} from "../../system/remote_file_systems.ts";
import { numbersFrom, seed } from "../support/chance.ts";

const table = ["/net", "/far", "/other"].map((path, number) => `2${number} 1 0:5${number} / ${path} rw - nfs4 x rw\n`)
  .join("");
const paths = ["/net/a", "/far/b", "/other/c", "/home/d"];
const timeout = 5000;

/** A clock, and the checks that it triggers. */
class FakeClock implements Disposable {
  now = 1000;
  look: (() => void) | undefined;
  readonly #functions = { setInterval, clearInterval };
  readonly #performanceNow = performance.now;

  constructor() {
    performance.now = () => this.now;
    Object.assign(globalThis, {
      setInterval: (look: () => void) => (assertEquals(this.look, undefined, "two clocks"), this.look = look, 1),
      clearInterval: () => this.look = undefined,
    });
  }

  /** Number of checks, if any file system is watched. */
  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    this.look?.();
    // deno-lint-ignore no-await-in-loop -- reactions of reactions
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }

  [Symbol.dispose](): void {
    Object.assign(globalThis, this.#functions);
    performance.now = this.#performanceNow;
  }
}

/** A reader and its current call. */
interface Modelled {
  readonly timeout: number;
  readonly needs: number;
  call: { readonly id: string; readonly path: string; since: number | undefined } | undefined;
  said: HungCall | undefined;
  end: (() => void) | undefined;
}

Deno.test("a file system hangs exactly while a call on it takes too long, for all that need it, and is reported once", async () => {
  const chance = numbersFrom(seed);
  using clock = new FakeClock();
  const reports: [string, boolean][] = [];
  let backs = 0;
  const remotes = new RemoteFileSystems({
    readTable: () => table,
    timeout,
    report: (sentence, isProblem) => reports.push([sentence, isProblem]),
  });
  remotes.onBack(() => backs++);
  const numbers = new Map(paths.map((path) => [path, remotes.numberOf(path)]));
  assertEquals([...numbers.values()], [1, 2, 3, 0]);
  const allowances = new Map<number, number>();
  const isLate = (number: number, silence: number, most: number) => silence > most * (allowances.get(number) ?? 1);
  const readers = Array.from({ length: 5 }, (): Modelled => ({
    timeout: [timeout, 2 * timeout, 500][chance(3)] ?? timeout,
    needs: chance(4),
    call: undefined,
    said: undefined,
    end: undefined,
  }));
  let hung = new Set<number>();
  let ids = 0;
  const counted = { hung: 0, back: 0, needed: 0, slow: 0 };
  /** Compares all with a look of the model. */
  const judge = () => {
    const { now } = clock;
    const watched = readers.filter(({ end }) => end);
    const silences = new Map<number, number>();
    for (const { call } of watched) {
      if (!call) continue;
      call.since ??= now;
      const number = numbers.get(call.path) ?? 0;
      if (number > 0) silences.set(number, Math.max(silences.get(number) ?? 0, now - call.since));
    }
    const next = new Set([1, 2, 3].filter((number) => isLate(number, silences.get(number) ?? 0, timeout)));
    counted.hung += next.difference(hung).size;
    for (const number of hung.difference(next)) {
      counted.back++;
      allowances.set(number, Math.min(64, 2 * (allowances.get(number) ?? 1)));
    }
    hung = next;
    for (const { call, needs, timeout, said } of watched) {
      const own = call && isLate(numbers.get(call.path) ?? 0, now - (call.since ?? now), timeout);
      const needed = needs > 0 && isLate(needs, silences.get(needs) ?? 0, timeout);
      assertEquals(said !== undefined, own === true || needed, `PAKFS_SEED=${seed}`);
      if (own) assertEquals([said?.path, said?.fileSystem], [call.path, numbers.get(call.path)]);
      else if (needed) assertEquals([said?.fileSystem, counted.needed++ < 0], [needs, false]);
      if (own && numbers.get(call.path) === 0) counted.slow++;
    }
  };
  for (let step = 0; step < 6000; step++) {
    const kind = chance(10);
    const reader = readers[chance(readers.length)];
    assert(reader);
    if (kind < 2) {
      reader.call = { id: String(ids++), path: paths[chance(paths.length)] ?? "", since: undefined };
    } else if (kind === 2) reader.call = undefined;
    else if (kind === 3 && !reader.end) {
      reader.end = remotes.watch({
        calls: () => reader.call ? [reader.call satisfies ReaderCall] : [],
        needs: (number) => number === reader.needs,
        timeout: reader.timeout,
      }, (call) => reader.said = call);
    } else if (kind === 4 && reader.end && chance(4) === 0) {
      reader.end();
      [reader.end, reader.said] = [undefined, undefined];
      if (reader.call) reader.call.since = undefined;
      // The last one takes what it knew with it.
      if (readers.every(({ end }) => !end)) judge();
    } else if (kind === 5 && chance(20) === 0) {
      remotes.forgive();
      allowances.clear();
    } else {
      // deno-lint-ignore no-await-in-loop -- one step after the other
      await clock.pass(chance(2000));
      if (readers.some(({ end }) => end)) judge();
    }
    assertEquals(clock.look !== undefined, readers.some(({ end }) => end), "a clock runs for nothing");
    assertEquals(paths.map((path) => remotes.isHung(numbers.get(path) ?? 0)), [1, 2, 3, 0].map((n) => hung.has(n)));
    assertEquals(remotes.problems().length, hung.size, `step ${step}, PAKFS_SEED=${seed}`);
  }
  assertEquals(reports.length, counted.hung + counted.back);
  assert(backs > 0 && backs <= counted.back);
  for (const [path, number] of numbers) {
    const own = reports.filter(([sentence]) => number > 0 && sentence.startsWith(`${path.slice(0, -2)} (nfs4) `));
    assertEquals(own.map(([, isProblem]) => isProblem), own.map((_, index) => index % 2 === 0), path);
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 20, `${count} ${kind}`);
});

Deno.test("work fails as soon as what it needs hangs, is not begun while it does, and is watched until it is over", async () => {
  using clock = new FakeClock();
  const remotes = new RemoteFileSystems({ readTable: () => table, timeout });
  const number = remotes.numberOf("/net");
  let calls: ReaderCall[] = [{ id: "1", path: "/net/a" }];
  const reader = { calls: () => calls, needs: (one: number) => one === number };
  const first = Promise.withResolvers<string>();
  const failed = assertRejects(
    () => remotes.answered(reader, () => first.promise, "/net/pack"),
    NotAnsweringError,
    "/net/pack: /net (nfs4) does not answer",
  );
  const other = remotes.answered({ calls: () => [] }, () => Promise.resolve("other"));
  await clock.pass(1000);
  await clock.pass(timeout + 1);
  await failed;
  assertEquals(await other, "other");
  const untried = () => Promise.resolve(assert(false, "a file system that hangs is called"));
  await assertRejects(() => remotes.answered(reader, untried, "/net/x"), NotAnsweringError, "/net/x: ");
  // Calls that need other file systems, or no known one, are made.
  assertEquals(await remotes.answered({ ...reader, needs: (one) => one === 2 }, () => Promise.resolve(2)), 2);
  calls = [];
  await clock.pass(250);
  assertEquals([remotes.isHung(number), await remotes.answered(reader, () => Promise.resolve(3))], [false, 3]);
  first.resolve("late");
  await clock.pass(0);
  assertEquals(clock.look, undefined, "the clock runs for nothing");
});

Deno.test("while the table of mounts cannot be read, the last one counts", () => {
  let text = table;
  using remotes = new RemoteFileSystems({ readTable: () => text });
  assertEquals(paths.map((path) => remotes.isRemote(path)), [true, true, true, false]);
  text = "";
  assertEquals(paths.map((path) => remotes.isRemote(path)), [true, true, true, false]);
});

Deno.test("the end of a list fails what waits, and reports nothing", async () => {
  using _clock = new FakeClock();
  const remotes = new RemoteFileSystems({ report: () => assert(false, "reported") });
  const never = new Promise<void>(() => {});
  const failed = assertRejects(() => remotes.answered({ calls: () => [] }, () => never), NotAnsweringError);
  remotes[Symbol.dispose]();
  await failed;
});
