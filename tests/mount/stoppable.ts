/**
 * A directory on a file system that can be made to hang.
 * @module
 */
import { temporaryDirectory } from "../support/temporary.ts";
import { run } from "./mounting.ts";

const program = new URL("./stoppable_program.ts", import.meta.url).pathname;

/** A call that can be held by itself. */
export type HeldCall = "lookup" | "getattr" | "opendir" | "readdir" | "open" | "read" | "release" | "statfs";

/** A mounted {@linkcode program}. */
export interface Stoppable extends AsyncDisposable {
  /** Makes it hang without taking requests: the kernel drops requests of a killed process. */
  stop(): void;
  /**
   * Makes it take requests without answering: a waiting process cannot be killed.
   * @param calls Only these calls; default: all of them.
   */
  hold(...calls: readonly HeldCall[]): void;
  /** Kills it: its files fail until it is unmounted. */
  kill(): void;
  /** Makes it answer again. */
  go(): void;
  /** Makes all its files newer. */
  touch(): void;
}

/** Mounts a copy of `directory` at `mountPoint`. */
export async function stoppable(directory: string, mountPoint: string): Promise<Stoppable> {
  await using stack = new AsyncDisposableStack();
  const hold = `${mountPoint}.hold`;
  // If stopped while it writes compiled code, it would hold the lock of Deno's code cache, and each write of another
  // Deno would wait for seconds: an uncompiled daemon would not answer for minutes.
  const own = stack.use(await temporaryDirectory());
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", program, directory, mountPoint, hold],
    env: { DENO_DIR: own.path },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  await reader.cancel();
  if (done) throw new Error("the file system that can be stopped was not mounted");
  const signal = (name: Deno.Signal) => {
    try {
      child.kill(name);
    } catch (error) {
      // It has ended.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  const go = () => {
    try {
      Deno.removeSync(hold);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    signal("SIGCONT");
  };
  const moved = stack.move();
  return {
    stop: () => signal("SIGSTOP"),
    kill: () => signal("SIGKILL"),
    touch: () => Deno.writeTextFileSync(`${hold}.newer`, ""),
    hold: (...calls) => {
      // The file must appear complete, as it is read at any moment.
      Deno.writeTextFileSync(`${hold}.new`, calls.join(" "));
      Deno.renameSync(`${hold}.new`, hold);
    },
    go,
    async [Symbol.asyncDispose](): Promise<void> {
      go();
      await run("umount", ["-l", mountPoint]);
      await child.status;
      await moved[Symbol.asyncDispose]();
    },
  };
}
