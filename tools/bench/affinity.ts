/**
 * On which processors this process, and with it everything that it starts, runs.
 * @module
 */

/** Everything on one processor, or on all that there are. */
export type Mode = "pinned" | "unpinned";

/** Changes the processors of this process. */
export class Affinity {
  readonly #all: string;

  private constructor(all: string) {
    this.#all = all;
  }

  /** Null if they cannot be changed: without `taskset` (package util-linux). */
  static async open(): Promise<Affinity | null> {
    const status = await Deno.readTextFile("/proc/self/status");
    const all = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? "0";
    const affinity = new Affinity(all);
    return await affinity.#set(all) ? affinity : null;
  }

  /** Moves this process, and everything that it starts from now on, to these processors. */
  async use(mode: Mode): Promise<void> {
    const processors = mode === "pinned" ? /^\d+/.exec(this.#all)?.[0] ?? "0" : this.#all;
    if (!await this.#set(processors)) throw new Error(`taskset cannot choose processors ${processors}`);
  }

  async #set(processors: string): Promise<boolean> {
    try {
      const { success } = await new Deno.Command("taskset", {
        args: ["--all-tasks", "--cpu-list", "--pid", processors, String(Deno.pid)],
        stdout: "null",
        stderr: "null",
      }).output();
      return success;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }
}
