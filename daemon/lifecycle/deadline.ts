/**
 * Ends the process within a time limit, although something in it hangs.
 * @module
 */
import { isMountPoint, unmount } from "deno-fuse-ffi";
import { awaitCodeWrites, FileCalls, Log, type LogFormat, openCLibrary } from "../../system/mod.ts";

/** Resources that a process must remove before it ends. */
export interface Remains {
  /** Mount points of this process, without links. */
  readonly mountPoints: readonly string[];
  /** Path of its socket, or null. */
  readonly socket: string | null;
  readonly logFormat: LogFormat;
}

/** Time for an orderly end, in milliseconds. */
const timeout = 2000;
/** Time for removing the remaining resources, which may hang too, in milliseconds. */
const removalTimeout = 400;

const endingSignals = ["SIGINT", "SIGTERM"] as const;

/** Maximum signals that leave time for an orderly end: timeout(1) sends two, to the process and to its group. */
const maxSignals = 2;

/** A time limit for the end of this process. A third signal ends it at once. */
export class Deadline {
  #remains: Remains;
  #hasBegun = false;
  #signals = 0;

  constructor(remains: Remains) {
    this.#remains = remains;
  }

  /** Replaces the resources to remove. */
  set remains(remains: Remains) {
    this.#remains = remains;
  }

  /** Starts the time limit. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    setTimeout(() => endAtOnce(this.#remains), timeout);
  }

  /** Starts the time limit at the first SIGINT or SIGTERM, and calls `listener` at each. */
  listen(listener: () => void = () => {}): void {
    for (const signal of endingSignals) {
      Deno.addSignalListener(signal, () => {
        this.begin();
        listener();
        if (++this.#signals > maxSignals) endAtOnce(this.#remains);
      });
    }
  }
}

/** Detaches the mounts, removes the socket and ends the process without waiting for its threads. Works in any thread. */
async function endAtOnce({ mountPoints, socket, logFormat }: Remains): Promise<void> {
  const line = new Log({ quiet: false, format: logFormat }).line(
    "warning",
    "forced to end: something hung or took too long",
  );
  const work = [
    ...mountPoints.map((path) => Promise.try(() => isMountPoint(path) ? unmount(path, { lazy: true }) : undefined)),
    Promise.try(() => socket === null ? undefined : Deno.remove(socket)),
    // Asynchronous, as a program that holds the log open may have stopped reading it.
    Deno.stderr.write(line),
  ];
  await Promise.race([Promise.allSettled(work), new Promise((resolve) => setTimeout(resolve, removalTimeout))]);
  awaitCodeWrites(new FileCalls());
  openCLibrary("_exit").symbols._exit(0);
}
