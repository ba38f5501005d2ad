/**
 * A directory on a file system that can be made to hang.
 * @module
 */
import { run } from "./mounting.ts";

const program = new URL("./stoppable_program.ts", import.meta.url).pathname;

/** A mounted {@linkcode program}. */
export interface Stoppable extends AsyncDisposable {
  /** It hangs from now on. */
  stop(): void;
  /** It dies: its files fail until it is unmounted. */
  kill(): void;
  /** It answers again. */
  go(): void;
}

/** Mounts a copy of `directory` at `mountPoint`. */
export async function stoppable(directory: string, mountPoint: string): Promise<Stoppable> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", program, directory, mountPoint],
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
  return {
    stop: () => signal("SIGSTOP"),
    kill: () => signal("SIGKILL"),
    go: () => signal("SIGCONT"),
    async [Symbol.asyncDispose](): Promise<void> {
      signal("SIGCONT");
      await run("umount", ["-l", mountPoint]);
      await child.status;
    },
  };
}
