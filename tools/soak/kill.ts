/**
 * Daemons ended at random moments, as they start and under load: by SIGKILL, after which the next start must mount; by
 * SIGTERM, after which nothing may be left.
 * @module
 */
import { connectSocket, type SocketConnection } from "../../protocol/client.ts";
import { pak, zip } from "../../tests/formats/bytes.ts";
import { isRunning, mountsBelow, output, run, until, type Workspace, workspace } from "../../tests/mount/mounting.ts";
import { writeFiles } from "../../tests/index/fixtures.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import { type Bounds, type Findings, leftovers, Rounds, type Scenario, startMount } from "./scenario.ts";

/** Time after which a daemon has started on an idle machine; milliseconds. */
const maxStart = 1200;

/** Duration above which a start counts as slow; milliseconds. */
const longWait = 2000;

async function installed(): Promise<Workspace> {
  const here = await workspace();
  const compressed = Array.from({ length: 20 }, (_, index) => ({
    name: `f${index}`,
    content: `file ${index}\n`.repeat(30_000),
    method: 8,
  }));
  await writeFiles(here.path, {
    "q3/baseq3/pak0.pk3": zip(compressed),
    "q3/baseq3/small.txt": "small",
    "q3/baseq3/old.pak": pak([["a.txt", "a"]]),
  });
  return here;
}

/** Reads, and has the kernel forget what it has read, so that the daemon is asked again; until it is disposed of. */
class Load implements AsyncDisposable {
  readonly #stop: string;
  readonly #ended: Promise<unknown>;

  constructor(here: Workspace) {
    this.#stop = `${here.path}/stop-${crypto.randomUUID()}`;
    const script = 'until [ -e "$2" ]; do for file in "$1"/q3/baseq3/f*; do cat "$file" >/dev/null 2>&1; ' +
      'dd if="$file" iflag=nocache count=0 status=none 2>/dev/null; done; done';
    this.#ended = run("sh", ["-c", script, "sh", here.mountPoint, this.#stop]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.writeTextFile(this.#stop, "");
    await this.#ended;
  }
}

/** Changes a game and has it looked at, as fast as it goes, until the daemon is gone. */
async function keepRefreshing(here: Workspace): Promise<void> {
  let connection: SocketConnection | undefined;
  try {
    connection = await connectSocket(here.socket, { client: "soak" });
    for (let number = 0;; number++) {
      // deno-lint-ignore no-await-in-loop -- one after the other
      await Deno.writeTextFile(`${here.path}/q3/baseq3/new.txt`, "x".repeat(number % 100));
      // deno-lint-ignore no-await-in-loop -- as above
      await connection.call("refresh", {});
    }
  } catch {
    // It has ended.
  } finally {
    await connection?.close().catch(() => {});
  }
}

async function runKill(bounds: Bounds): Promise<Findings> {
  await using here = await installed();
  const below = numbersFrom(bounds.seed + 1);
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  let slowest = 0;
  let total = 0;
  let slow = 0;
  let early = 0;
  const source = ["--profile", "ioquake3", `${here.path}/q3`];
  while (rounds.next()) {
    const begun = performance.now();
    // deno-lint-ignore no-await-in-loop -- one life after the other
    const started = await here.pakfs("mount", ...source, here.mountPoint);
    const took = performance.now() - begun;
    slowest = Math.max(slowest, took);
    total += took;
    if (took > longWait) slow++;
    if (started.code !== 0) failures.push(`start ${rounds.done} did not mount: ${started.stderr.trim()}`);
    // deno-lint-ignore no-await-in-loop -- as above
    const { pid } = await here.status();
    // deno-lint-ignore no-await-in-loop -- as above
    const small = await output("cat", `${here.mountPoint}/q3/baseq3/small.txt`);
    if (small !== "small") failures.push(`start ${rounds.done} shows ${small}`);
    {
      await using _first = new Load(here);
      await using _second = new Load(here);
      // deno-lint-ignore no-await-in-loop -- as above
      await pause(below(300));
      Deno.kill(pid, "SIGKILL");
    }
    // deno-lint-ignore no-await-in-loop -- as above
    await until("it has ended", () => !isRunning(pid));
    if (!rounds.next()) break;
    // One that is killed while it starts, over what the one before has left.
    const child = startMount(here, ...source);
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(below(maxStart));
    child.kill("SIGKILL");
    // deno-lint-ignore no-await-in-loop -- as above
    await child.status;
    // deno-lint-ignore no-await-in-loop -- as above
    if ((await mountsBelow(here.path)).length === 0) early++;
  }
  const last = await here.pakfs("mount", ...source, here.mountPoint);
  if (last.code !== 0) failures.push(`the last start did not mount: ${last.stderr.trim()}`);
  const { pid } = await here.status();
  if ((await mountsBelow(here.path)).length !== 1) failures.push("mounts lie one over another");
  await here.stop();
  failures.push(...await leftovers(here, pid));
  return {
    figures: {
      kills: rounds.done,
      "killed before the mount": early,
      "slowest start (ms)": Math.round(slowest),
      [`starts slower than ${longWait} ms`]: slow,
      "mean start (ms)": Math.round(total / Math.ceil(rounds.done / 2)),
    },
    failures,
  };
}

async function runTerminate(bounds: Bounds): Promise<Findings> {
  await using here = await installed();
  const below = numbersFrom(bounds.seed + 1);
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  let early = 0;
  let slowest = 0;
  while (rounds.next()) {
    const child = startMount(here, "--profile", "ioquake3", `${here.path}/q3`);
    const loads: Load[] = [];
    let refreshing: Promise<void> | undefined;
    if (rounds.done % 2 === 0) {
      // deno-lint-ignore no-await-in-loop -- one life after the other
      await until("it is mounted", async () => (await here.pakfs("status")).code === 0);
      loads.push(new Load(here), new Load(here));
      refreshing = keepRefreshing(here);
    }
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(below(rounds.done % 2 === 0 ? 300 : maxStart));
    // deno-lint-ignore no-await-in-loop -- as above
    if ((await mountsBelow(here.path)).length === 0) early++;
    const begun = performance.now();
    child.kill(below(2) === 0 ? "SIGTERM" : "SIGINT");
    const timer = setTimeout(() => {
      failures.push(`round ${rounds.done}: it does not end`);
      child.kill("SIGKILL");
    }, 45_000);
    // deno-lint-ignore no-await-in-loop -- as above
    await child.status;
    clearTimeout(timer);
    slowest = Math.max(slowest, performance.now() - begun);
    // deno-lint-ignore no-await-in-loop -- as above
    await Promise.all([refreshing, ...loads.map((load) => load[Symbol.asyncDispose]())]);
    // deno-lint-ignore no-await-in-loop -- as above
    failures.push(...(await leftovers(here, child.pid)).map((sentence) => `round ${rounds.done}: ${sentence}`));
  }
  return {
    figures: { signals: rounds.done, "before the mount": early, "slowest end (ms)": Math.round(slowest) },
    failures,
  };
}

/** Killed at random moments. */
export const kill: Scenario = {
  name: "kill",
  summary: "kill -9 at random moments, under load and while it starts: the next start mounts",
  rounds: 200,
  run: runKill,
};

/** Ended at random moments. */
export const terminate: Scenario = {
  name: "terminate",
  summary:
    "SIGTERM and SIGINT at random moments, under load, while it is refreshed and while it starts: never a dead mount",
  rounds: 200,
  run: runTerminate,
};
