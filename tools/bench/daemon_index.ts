/**
 * Measures a daemon with a large collection: how long its mount takes from nothing and from the cache, its refreshes,
 * and the first question after each.
 * @module
 */
import { join } from "node:path";
import { connectSocket, type SocketConnection } from "../../protocol/client.ts";
import { pause } from "../../tests/support/harness.ts";

/** Milliseconds: on the clock, and of processor time, which other programs at work disturb less. */
export interface Time {
  readonly wall: number;
  readonly processor: number;
}

/** Times by name, in the order in which they are measured. */
export type Times = Record<string, readonly Time[]>;

const launcher = join(import.meta.dirname ?? ".", "..", "..", "pakfs");
/** Unit of processor time in /proc: 100 per second on every Linux. */
const tick = 10;
/** Even, so that a pack has its own names again in the end. */
const refreshes = 6;
/** Age that a file needs before its time stamp is trusted; milliseconds. */
export const untilTrusted = 100;

/** Replaces a pack by another file with the same content, or with that of another pack. */
export async function replacePack(path: string, content = path): Promise<void> {
  await Deno.copyFile(content, `${path}.new`);
  await Deno.rename(`${path}.new`, path);
  await pause(untilTrusted);
}

/** Returns the milliseconds of processor time of a process and its threads. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13).map(Number);
  return (user + system) * tick;
}

/** A daemon that mounts one collection without watching it, so that it refreshes when it is asked to and no sooner. */
class MeasuredDaemon implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #connection: SocketConnection;

  private constructor(process: Deno.ChildProcess, connection: SocketConnection) {
    this.#process = process;
    this.#connection = connection;
  }

  /** Starts a daemon; returns it with the time until the first `stat` of a game directory was answered. */
  static async start(source: string, home: string): Promise<{ daemon: MeasuredDaemon; time: Time }> {
    const [mountPoint, socket] = [join(home, "mount"), join(home, "socket")];
    await Deno.mkdir(mountPoint, { recursive: true });
    const options = ["--foreground", "--profile", "ioquake3", "--no-watch", "--socket", socket];
    const start = performance.now();
    const process = new Deno.Command(launcher, {
      args: ["mount", ...options, source, mountPoint],
      env: { XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    const shown = join(mountPoint, "quake3", "baseq3", "maps");
    // deno-lint-ignore no-await-in-loop -- until it is there
    while (!await Deno.stat(shown).then(() => true, () => false)) await pause(1);
    const wall = performance.now() - start;
    const processor = await processorTime(process.pid);
    const connection = await connectSocket(socket, { client: "bench" });
    return { daemon: new MeasuredDaemon(process, connection), time: { wall, processor } };
  }

  /** Returns the time of a piece of work that the daemon does. */
  async timed(work: (connection: SocketConnection) => Promise<unknown>): Promise<Time> {
    const used = await processorTime(this.#process.pid);
    const start = performance.now();
    await work(this.#connection);
    const wall = performance.now() - start;
    return { wall, processor: await processorTime(this.#process.pid) - used };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
    this.#process.kill("SIGTERM");
    await this.#process.status;
  }
}

/** Measures a daemon on `source`, which holds a pack `baseq3/map0123.pk3`. Its files are kept in `home`. */
export async function measureDaemon(source: string, home: string): Promise<Times> {
  await Deno.remove(home, { recursive: true }).catch(() => {}); // it may not be there yet
  const cold = await MeasuredDaemon.start(source, home);
  await cold.daemon[Symbol.asyncDispose]();
  const { daemon: started, time } = await MeasuredDaemon.start(source, home);
  await using daemon = started;
  const ask = (connection: SocketConnection) => connection.call("find", { patterns: ["maps/map0042.bsp"] });
  const pack = join(source, "baseq3", "map0123.pk3");
  const other = join(source, "baseq3", "map0124.pk3");
  const times: Record<string, Time[]> = {
    "mount, from nothing": [cold.time],
    "mount, from the cache": [time],
    "first question": [await daemon.timed(ask)],
  };
  const note = async (name: string, work: (connection: SocketConnection) => Promise<unknown>) => {
    (times[name] ??= []).push(await daemon.timed(work));
  };
  for (let round = 0; round < refreshes; round++) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await note("refresh, nothing has changed", (connection) => connection.call("refresh", {}));
    // deno-lint-ignore no-await-in-loop -- as above
    await replacePack(pack);
    // deno-lint-ignore no-await-in-loop -- as above
    await note("refresh, one pack replaced", (connection) => connection.call("refresh", {}));
    // deno-lint-ignore no-await-in-loop -- as above
    await note("the next question", ask);
    // deno-lint-ignore no-await-in-loop -- as above
    await note("the question after it", ask);
  }
  const own = await Deno.makeTempFile({ dir: home });
  await Deno.copyFile(pack, own);
  for (let round = 0; round < refreshes; round++) {
    // deno-lint-ignore no-await-in-loop -- as above
    await replacePack(pack, round % 2 === 0 ? other : own);
    // deno-lint-ignore no-await-in-loop -- as above
    await note("refresh, one pack with other names", (connection) => connection.call("refresh", {}));
    // deno-lint-ignore no-await-in-loop -- as above
    await note("the question after other names", ask);
  }
  return times;
}
