/**
 * A pager for output that is longer than the screen.
 * @module
 */
import { exitCodes } from "../../system/mod.ts";
import type { Output } from "./output.ts";
import { screenLines } from "./text.ts";
import { mayRunShell, ShellPipe, type TerminalLoan } from "./shell_pipe.ts";
import { BrokenPipeError, type Sink, standardSink } from "./sink.ts";

/** Returns the pager's command line: `$PAKFS_PAGER`, else `$PAGER`, else `less` if installed; undefined for none. */
export function pagerCommand(environment: (name: string) => string | undefined): string | undefined {
  const named = environment("PAKFS_PAGER") ?? environment("PAGER");
  if (named === undefined) return "if command -v less >/dev/null; then exec less; else exec cat; fi";
  return named.trim() === "" || named.trim() === "cat" ? undefined : named;
}

/** Returns the pager's command line, or undefined if it is disabled or not permitted. */
export function usablePager(): string | undefined {
  return mayRunShell() ? pagerCommand((name) => Deno.env.get(name)) : undefined;
}

/** Buffers output while it fits on the screen, then starts the pager and passes everything to it. */
export class PagingSink implements Sink {
  readonly terminal = true;
  readonly #screen: Sink;
  readonly #start: () => ShellPipe;
  readonly #decoder = new TextDecoder();
  #held: Uint8Array[] = [];
  #lines = 0;
  #pager: ShellPipe | undefined;

  /**
   * @param screen The terminal.
   * @param start Releases the terminal and starts the pager.
   */
  constructor(screen: Sink, start: () => ShellPipe) {
    this.#screen = screen;
    this.#start = start;
  }

  /** Whether the pager has been started. */
  get isPaging(): boolean {
    return this.#pager !== undefined;
  }

  columns(): number {
    return this.#screen.columns();
  }

  rows(): number {
    return this.#screen.rows();
  }

  write(bytes: Uint8Array): number {
    if (this.#pager) return this.#pager.write(bytes);
    this.#held.push(bytes.slice());
    this.#lines += screenLines(this.#decoder.decode(bytes, { stream: true }), this.columns());
    // The prompt needs a line too.
    if (this.#lines >= this.rows()) {
      this.#pager = this.#start();
      for (const held of this.#held) this.#pager.write(held);
      this.#held = [];
    }
    return bytes.length;
  }

  async drained(): Promise<void> {
    await this.#pager?.drained();
  }

  /**
   * Shows the buffered text, or waits until the user leaves the pager.
   * @returns Whether a pager was started.
   */
  async end(): Promise<boolean> {
    for (const held of this.#held) {
      for (let written = 0; written < held.length;) written += this.#screen.write(held.subarray(written));
    }
    this.#held = [];
    await this.#pager?.end();
    return this.#pager !== undefined;
  }
}

/** Starts a pager like git: colours pass through, and the text stays on the screen; `$LESS` has priority. */
function startPager(command: string): ShellPipe {
  return new ShellPipe(
    command,
    Deno.env.get("LESS") === undefined ? { LESS: "FRX-Psq leaves, / searches, h helps$" } : {},
  );
}

/**
 * Runs a command on the terminal, through `pager` if its output is longer than the screen.
 * @param keyboard Released while the pager runs.
 * @returns The result of the command; 0 if the user left the pager before its end.
 */
export async function paged(
  pager: string,
  output: Output,
  keyboard: TerminalLoan,
  run: () => Promise<number>,
): Promise<number> {
  const sink = new PagingSink(standardSink(Deno.stdout), () => {
    output.clearProgress();
    keyboard.giveAway();
    return startPager(pager);
  });
  try {
    return await output.through(sink, Deno.stderr.isTerminal(), run);
  } catch (error) {
    if (error instanceof BrokenPipeError && sink.isPaging) return exitCodes.ok;
    throw error;
  } finally {
    if (await sink.end()) keyboard.takeBack();
  }
}
