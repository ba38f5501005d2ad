/**
 * Pipes a command's output to another program: a pager, or the command after `|`.
 * @module
 */
import { CommandError } from "./failure.ts";
import { BrokenPipeError, type Sink } from "./sink.ts";

/** Lends the keyboard to another program: a pager, or the command after `|`. */
export interface TerminalLoan {
  giveAway(): void;
  takeBack(): void;
}

/** Returns whether this process may start the shell. */
export function mayRunShell(): boolean {
  return Deno.permissions.querySync({ name: "run", command: "sh" }).state === "granted";
}

/** Variables that the launcher sets for its own Deno. */
const launcherVariables = ["DENO_DIR", "NPM_CONFIG_REGISTRY"];

/** Returns a user's command for `sh -c`, with the user's own values of the variables that the launcher has set. */
export function ownCommand(command: string): string {
  const restored = launcherVariables.map((name) =>
    `export ${name}="\${PAKFS_OWN_${name}-$${name}}"; [ -n "$${name}" ] || unset ${name}; `
  );
  return restored.join("") + command;
}

/** The keyboard, which the program may need, and the signal that stops it. */
export interface ShellSurroundings {
  readonly terminal: TerminalLoan | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs a user's command on this process's input and output.
 * @param args The arguments `$1` and following.
 * @returns Its exit code.
 * @throws {CommandError} if this process may not start the shell.
 */
export async function runInShell(
  command: string,
  { terminal, signal }: ShellSurroundings,
  args: readonly string[] = [],
): Promise<number> {
  terminal?.giveAway();
  try {
    const shell = new Deno.Command("sh", { args: ["-c", ownCommand(command), "sh", ...args], signal }).spawn();
    return (await shell.status).code;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    throw new CommandError("cannot start a program: Deno lacks --allow-run=sh", { cause: error });
  } finally {
    terminal?.takeBack();
  }
}

/** A running shell command as a {@linkcode Sink}. It shares this process's output. */
export class ShellPipe implements Sink {
  readonly terminal = false;
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #isBroken = false;

  /**
   * Starts `command`.
   * @param environment Variables in addition to this process's.
   * @throws {CommandError} if this process may not start the shell.
   */
  constructor(command: string, environment: Record<string, string> = {}) {
    try {
      this.#process = new Deno.Command("sh", { args: ["-c", ownCommand(command)], env: environment, stdin: "piped" })
        .spawn();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      throw new CommandError("cannot start a shell: Deno lacks --allow-run=sh", { cause: error });
    }
    this.#writer = this.#process.stdin.getWriter();
    this.#writer.closed.catch(() => {
      this.#isBroken = true;
    });
  }

  columns(): number {
    return 80;
  }

  rows(): number {
    return 24;
  }

  /** @throws {Deno.errors.BrokenPipe} if the program has stopped reading. */
  write(bytes: Uint8Array): number {
    if (this.#isBroken) throw new Deno.errors.BrokenPipe("the shell command stopped reading");
    this.#writer.write(bytes).catch(() => {
      this.#isBroken = true;
    });
    return bytes.length;
  }

  async drained(): Promise<void> {
    await this.#writer.ready.catch(() => undefined);
    if (this.#isBroken) throw new BrokenPipeError("the shell command stopped reading");
  }

  /** Closes the program's input and waits for its end. */
  async end(): Promise<void> {
    await this.#writer.close().catch(() => undefined);
    await this.#process.status;
  }
}
