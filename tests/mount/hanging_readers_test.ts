// Every kind of reader on a file system whose calls hang one by one, and then answer, fail or never return: all follow
// one rule.
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { callsUnderWay, createCallMemory } from "../../system/call_watch.ts";
import { readMountTable } from "../../system/mount_table.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { ReaderProcess } from "../../system/reader_process.ts";
import type { ReaderFrame } from "../../system/reader_frames.ts";
import type { ThreadStart } from "../../system/reader_thread_worker.ts";
import { NotAnsweringError, type ReaderCall, RemoteFileSystems } from "../../system/remote_file_systems.ts";
import { Thread } from "../../system/threads.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { writeFiles } from "../index/fixtures.ts";
import type { CallOrder } from "./hanging_calls.ts";
import { until } from "./mounting.ts";
import { type HeldCall, stoppable } from "./stoppable.ts";

const module = new URL("./hanging_calls.ts", import.meta.url);
const thread = new URL("../../system/reader_thread_worker.ts", import.meta.url);

/** A thread or process that makes calls. */
interface Caller extends AsyncDisposable {
  readonly calls: () => readonly ReaderCall[];
  ask(order: CallOrder): Promise<string>;
}

/** A thread, as questions and mounts use it. */
function startThread(): Caller {
  const memory = createCallMemory();
  let answer = Promise.withResolvers<string>();
  const started = new Thread<ThreadStart | CallOrder, ReaderFrame>(thread, {
    onMessage: (frame) => {
      if (frame.type === "answer") answer.resolve(String(frame.answer));
      else if (frame.type === "failure") answer.reject(new Error(frame.message));
    },
    onFailure: (reason) => answer.reject(new Error(reason)),
  });
  started.post({ module: module.href, memory });
  return {
    calls: () => callsUnderWay(memory),
    ask(order) {
      answer = Promise.withResolvers();
      started.post(order);
      return answer.promise;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(started.end("the test is over")),
  };
}

/** The file system call that blocks each call of a program. */
const heldFor: Record<CallOrder["call"], HeldCall> = { open: "open", stat: "lookup", readdir: "readdir", read: "read" };
const orders: readonly Omit<CallOrder, "path">[] = [
  ...(["open", "stat", "readdir", "read"] as const).map((call) => ({ call, through: "Deno" as const })),
  ...(["open", "stat", "read"] as const).flatMap((call) => [{ call, through: "Node" as const }, {
    call,
    through: "C" as const,
  }]),
];
const fates = ["answers", "fails", "never answers"] as const;

function expectedOf({ call }: Pick<CallOrder, "call">, name: string): string {
  return call === "stat" ? "true" : call === "readdir" ? "a.txt,b.txt,inner" : `${name} is a.txt`;
}

Deno.test("calls of each kind hang by the same rule in threads and processes: what needs them fails, all else does not", async () => {
  await using root = await temporaryDirectory();
  const [mnt, local] = [`${root.path}/mnt`, `${root.path}/local`];
  for (const name of ["local", "copied"]) {
    // deno-lint-ignore no-await-in-loop -- two directories
    await writeFiles(root.path, {
      [`${name}/a.txt`]: `${name} is a.txt`,
      [`${name}/b.txt`]: "b",
      [`${name}/inner/c.txt`]: "c",
    });
  }
  await Deno.mkdir(mnt);
  const chance = numbersFrom(seed);
  using files = new FileCalls();
  for (const fate of fates) {
    // deno-lint-ignore no-await-in-loop -- a file system that fails is mounted again
    await using remote = await stoppable(`${root.path}/copied`, mnt);
    const reports: string[] = [];
    // Long enough to start a process on a busy machine.
    using remotes = new RemoteFileSystems({
      readTable: () => readMountTable(files),
      timeout: 1000,
      report: (sentence) => reports.push(sentence),
    });
    const number = remotes.numberOf(mnt);
    assert(number > 0);
    const needs = (one: number) => one === number;
    // A failed file system has to be mounted again.
    for (
      const order of fate === "answers" ? orders : [orders[chance(orders.length)] ?? { call: "open", through: "C" }]
    ) {
      await using callers = new AsyncDisposableStack();
      const far = [callers.use(startThread()), callers.use(new ReaderProcess<CallOrder, string>(module))];
      const near = callers.use(startThread());
      const at = (root: string) => ({ ...order, path: order.call === "readdir" ? root : `${root}/a.txt` });
      // deno-lint-ignore no-await-in-loop -- as above
      for (const one of far) assertEquals(await one.ask(at(mnt)), expectedOf(order, "copied"));
      remote.hold(heldFor[order.call]);
      const hanging = far.map((one) => ({ work: one.ask(at(mnt)), one }));
      const failing = hanging.map(({ work, one }) =>
        assertRejects(() => remotes.answered(one, () => work), NotAnsweringError, `${mnt} (fuse.stoppable)`)
      );
      // deno-lint-ignore no-await-in-loop -- as above
      assertEquals(await remotes.answered(near, () => near.ask(at(local))), expectedOf(order, "local"));
      // deno-lint-ignore no-await-in-loop -- as above
      await Promise.all(failing);
      assertEquals([remotes.isHung(number), remotes.problems().length], [true, 1]);
      // deno-lint-ignore no-await-in-loop -- as above
      await assertRejects(() => remotes.answered({ ...near, needs }, () => near.ask(at(mnt))), NotAnsweringError);
      // deno-lint-ignore no-await-in-loop -- as above
      assertEquals(await remotes.answered(near, () => near.ask(at(local))), expectedOf(order, "local"));
      if (fate === "never answers") break;
      if (fate === "fails") remote.kill();
      else remote.go();
      // deno-lint-ignore no-await-in-loop -- as above
      await Promise.allSettled(hanging.map(({ work }) => work));
      // deno-lint-ignore no-await-in-loop -- as above
      await until("it answers", () => !remotes.isHung(number));
      for (const one of fate === "fails" ? [] : far) {
        // deno-lint-ignore no-await-in-loop -- as above
        assertEquals(await remotes.answered({ ...one, needs }, () => one.ask(at(mnt))), expectedOf(order, "copied"));
      }
      remotes.forgive();
    }
    assertEquals(reports.length % 2, fate === "never answers" ? 1 : 0);
    for (const [index, sentence] of reports.entries()) {
      assertStringIncludes(sentence, index % 2 === 0 ? "does not answer" : "answers again");
    }
  }
});
