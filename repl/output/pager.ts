/**
 * Output that is longer than the screen, through a pager.
 * @module
 */
import { unicodeWidth } from "@std/cli";
import type { Sink } from "./output.ts";
import { ShellPipe } from "./shell_pipe.ts";

/** The pager's command line, or undefined for none: `$PAKFS_PAGER`, else `$PAGER`, else `less` where it is there. */
export function pagerCommand(environment: (name: string) => string | undefined): string | undefined {
  const named = environment("PAKFS_PAGER") ?? environment("PAGER");
  if (named === undefined) return "if command -v less >/dev/null; then exec less; else exec cat; fi";
  return named.trim() === "" || named.trim() === "cat" ? undefined : named;
}

// deno-lint-ignore no-control-regex -- the escape sequences of colours begin with one
const colours = /\x1b\[[0-9;]*m/g;

/** Lines of the screen that text takes. */
export function screenLines(text: string, columns: number): number {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.reduce((sum, line) => {
    return sum + Math.max(1, Math.ceil(unicodeWidth(line.replaceAll(colours, "")) / Math.max(1, columns)));
  }, 0);
}

/** Holds back what fits on the screen; once it is more, starts the pager and passes everything to it. */
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
   * @param start Gives the terminal away and starts the pager.
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
    // The prompt takes a line too.
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
   * Shows what is held, or waits until the user leaves the pager.
   * @returns Whether there was a pager.
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

/** Starts a pager as git does: colours pass, and what it showed stays on the screen; `$LESS` goes first. */
export function startPager(command: string): ShellPipe {
  return new ShellPipe(command, Deno.env.get("LESS") === undefined ? { LESS: "FRX" } : {});
}
