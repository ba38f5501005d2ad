/**
 * Progress of indexing, once it takes longer than a second.
 * @module
 */
import { printable } from "../../system/mod.ts";
import type { LauncherPipe } from "./launcher_pipe.ts";

/** Duration of a start that needs no display; milliseconds. */
const silentFor = 1000;
/** Time between two updates; milliseconds. */
const betweenUpdates = 100;
const barWidth = 24;

/** A line that is redrawn: on this process's terminal, or through the launcher on the user's. */
export class ScanDisplay {
  readonly #launcher: LauncherPipe;
  readonly #onTerminal: boolean;
  #next = performance.now() + silentFor;
  #isDrawn = false;

  constructor(launcher: LauncherPipe, quiet: boolean) {
    this.#launcher = launcher;
    this.#onTerminal = !quiet && !launcher.isAwaited && Deno.stderr.isTerminal();
  }

  /** Shows that `done` of `known` packs are indexed, and that `name` is next. */
  update(done: number, known: number, name: string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + betweenUpdates;
    const filled = Math.floor(barWidth * done / Math.max(1, known));
    const bar = "#".repeat(filled) + ".".repeat(barWidth - filled);
    const shown = printable(name.slice(0, 40));
    const text = `indexing [${bar}] ${done}/${known} ${shown}`;
    this.#launcher.progress(text);
    if (this.#onTerminal) this.#draw(text);
  }

  /** Removes the line. */
  end(): void {
    if (this.#isDrawn) this.#draw("");
    this.#isDrawn = false;
  }

  #draw(text: string): void {
    this.#isDrawn = true;
    Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
  }
}
