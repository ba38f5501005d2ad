/**
 * The REPL: a prompt with line editing, history and completion around the same commands that a shell runs.
 * @module
 */
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { version } from "../../protocol/version.ts";
import { complete } from "./completion.ts";
import { exitCodes } from "../../command_line/usage.ts";
import { report, type Surroundings } from "./execute.ts";
import { isBlank, splitPartial } from "./grammar.ts";
import { History, historyPath, historySize } from "./history.ts";
import { HistorySearch, type Key } from "./history_search.ts";
import { runLine } from "./line.ts";
import { findCommand } from "../command/lookup.ts";
import { paged, type TerminalLoan, usablePager } from "../output/pager.ts";
import type { Session } from "../command/session.ts";
import { printable } from "../output/text.ts";

/** Handler of SIGINT. */
export interface Interrupts {
  handle(): void;
}

/** Returns the prompt: `quake/hipnotic:maps> `. */
export function promptFor(session: Pick<Session, "connected" | "view" | "directory">): string {
  if (!session.connected) return "not connected> ";
  const directory = session.directory === "" ? "" : `:${session.directory}`;
  return `${printable((session.view ?? "pakfs") + directory)}> `;
}

class Repl {
  readonly #surroundings: Surroundings;
  readonly #history: History;
  readonly #readline: Interface;
  readonly #pager: string | undefined;
  readonly #keyboard: TerminalLoan = { giveAway: () => this.#giveAway(), takeBack: () => this.#takeBack() };
  /** Earlier lines, newest first. */
  #lines: readonly string[];
  #search: HistorySearch | undefined;
  #isCompleting = false;
  /** Keys that were pressed before the completions of Tab arrived. */
  #heldKeys: (() => void)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting: string[] = [];
  /** Stops the running command; undefined while the prompt is shown. */
  #running: AbortController | undefined;
  #isClosed = false;
  #exitCode: number = exitCodes.ok;

  constructor(surroundings: Surroundings, history: History, lines: string[]) {
    const { session, output } = surroundings;
    this.#surroundings = {
      ...surroundings,
      terminal: this.#keyboard,
    };
    session.reconnected = () => output.remark("the daemon was restarted; reconnected");
    this.#pager = usablePager();
    this.#history = history;
    this.#lines = lines;
    this.#readline = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      history: lines,
      historySize,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: Error | null, result: [string[], string]) => void) => {
        this.#isCompleting = true;
        this.#complete(line).then((result) => {
          this.#isCompleting = false;
          done(null, result);
          this.#takeHeldKeys();
        });
      },
    });
    this.#readline.on("history", (entries: string[]) => {
      if (entries[0]?.startsWith(" ")) entries.shift();
      this.#lines = entries;
    });
    this.#watchKeys();
    this.#readline.on("line", (line) => this.#take(line));
    this.#readline.on("SIGINT", () => this.interrupt());
    // After Ctrl-Z and `fg` the line editor waits to be resumed.
    this.#readline.on("SIGCONT", () => this.#running ? this.#readline.resume() : this.#readline.prompt(true));
    this.#readline.on("close", () => this.#leave());
  }

  async run(): Promise<number> {
    const { output } = this.#surroundings;
    output.remark(`pakfs ${version}: help lists commands, Tab completes, Ctrl-D exits`);
    await this.#work(() => this.#greet());
    this.#prompt();
    await this.#closed.promise;
    return this.#exitCode;
  }

  /** Connects, and asks which view is the current one if none was named. */
  async #greet(): Promise<number> {
    const { session } = this.#surroundings;
    const named = session.view === undefined ? {} : { view: session.view };
    const { rows } = await session.call("path", { ...named, limit: 1 }, this.#signal());
    session.view = rows[0]?.view ?? session.view;
    return exitCodes.ok;
  }

  #signal(): { signal?: AbortSignal } {
    return this.#running ? { signal: this.#running.signal } : {};
  }

  #prompt(): void {
    if (this.#isClosed) return;
    this.#readline.setPrompt(promptFor(this.#surroundings.session));
    this.#readline.prompt();
  }

  /** Looks at every key before the line editor does, for Ctrl-R. */
  #watchKeys(): void {
    const editors = process.stdin.listeners("keypress");
    process.stdin.removeAllListeners("keypress");
    process.stdin.on("keypress", (text: string | undefined, key: Key) => {
      const take = () => {
        if (this.#takesForSearch(text, key)) return;
        for (const editor of editors) editor.call(process.stdin, text, key);
      };
      if (this.#isCompleting) this.#heldKeys.push(take);
      else take();
    });
  }

  #takeHeldKeys(): void {
    while (!this.#isCompleting) {
      const take = this.#heldKeys.shift();
      if (!take) return;
      take();
    }
  }

  /** Whether a key belongs to a search and not to the line editor. */
  #takesForSearch(text: string | undefined, key: Key): boolean {
    if (this.#running) return false;
    if (!this.#search) {
      if (!(key.ctrl && key.name === "r")) return false;
      this.#search = new HistorySearch(this.#lines, this.#readline.line);
      this.#showSearch(this.#search.prompt, this.#search.line);
      return true;
    }
    const step = this.#search.take(text, key);
    if (step.kind === "searching") {
      this.#showSearch(this.#search.prompt, this.#search.line);
      return true;
    }
    this.#search = undefined;
    this.#showSearch(promptFor(this.#surroundings.session), step.line);
    return !step.passOn;
  }

  #showSearch(prompt: string, line: string): void {
    this.#readline.setPrompt(prompt);
    this.#emptyLine();
    this.#readline.write(line);
    this.#readline.prompt(true);
  }

  /** Ctrl-E, Ctrl-U: an empty line, with what was typed still to be had with Ctrl-Y. */
  #emptyLine(): void {
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
  }

  #giveAway(): void {
    this.#readline.pause();
    process.stdin.setRawMode(false);
  }

  #takeBack(): void {
    if (this.#isClosed) return;
    process.stdin.setRawMode(true);
    this.#readline.resume();
  }

  #take(line: string): void {
    this.#waiting.push(line);
    if (!this.#running) this.#runWaiting();
  }

  /** Runs the lines that have been typed or pasted, one after another, and then shows the prompt again. */
  async #runWaiting(): Promise<void> {
    for (let line = this.#waiting.shift(); line !== undefined; line = this.#waiting.shift()) {
      const current = line;
      // deno-lint-ignore no-await-in-loop -- commands run one after another
      await this.#work(() => this.#runLine(current));
      if (this.#surroundings.session.ended || this.#exitCode === exitCodes.brokenPipe) return this.#readline.close();
    }
    this.#prompt();
  }

  async #runLine(line: string): Promise<number> {
    await this.#history.add(line);
    if (isBlank(line)) return exitCodes.ok;
    const signal = this.#running?.signal ?? this.#surroundings.signal;
    const run = () => runLine(line, { ...this.#surroundings, signal });
    const { output } = this.#surroundings;
    if (this.#pager === undefined || !output.terminal || this.#isLive(line)) return await run();
    const code = await paged(this.#pager, output, this.#keyboard, run);
    // Leaving the pager early does not end the REPL.
    return code === exitCodes.brokenPipe ? exitCodes.ok : code;
  }

  /** Returns whether a line must print at once, without a pager. */
  #isLive(line: string): boolean {
    const { words, last, shell } = splitPartial(line);
    if (words.includes("--no-pager") || last === "--no-pager") return true;
    const found = findCommand(this.#surroundings.commands, [...words, last]);
    return shell || found === undefined || (found.command.scope !== "launcher" && found.command.live === true);
  }

  /** Runs something that Ctrl-C stops. Reports a failure; the REPL continues. */
  async #work(command: () => Promise<number>): Promise<void> {
    this.#running = new AbortController();
    // The line editor redraws its prompt when the terminal is resized, even between lines of results.
    this.#readline.setPrompt("");
    try {
      this.#exitCode = await command();
    } catch (error) {
      this.#exitCode = report(error, this.#surroundings.output);
    } finally {
      this.#running = undefined;
    }
  }

  /** Handles Ctrl-C, as a key, or as a signal while another program has the keyboard. */
  interrupt(): void {
    this.#waiting.length = 0;
    if (!this.#running) {
      process.stdout.write("^C\n");
      this.#emptyLine();
      return this.#prompt();
    }
    process.stdout.write("^C\n");
    // Pressed twice: the daemon does not answer. Without the connection the command ends.
    if (this.#running.signal.aborted) this.#surroundings.session.disconnect();
    this.#running.abort();
  }

  #leave(): void {
    this.#isClosed = true;
    this.#running?.abort();
    if (!this.#surroundings.session.ended) process.stdout.write("\n");
    this.#closed.resolve();
  }

  async #complete(line: string): Promise<[string[], string]> {
    const { commands, session } = this.#surroundings;
    try {
      const { matches, start } = await complete(line, { commands, session });
      return [matches, line.slice(start)];
    } catch {
      return [[], line];
    }
  }
}

/**
 * Runs the REPL on the terminal until `exit` or Ctrl-D.
 * @returns The exit code: that of a closed output, else 0.
 */
export async function runRepl(surroundings: Surroundings, interrupts: Interrupts): Promise<number> {
  const history = new History(historyPath());
  const repl = new Repl(surroundings, history, await history.load());
  interrupts.handle = () => repl.interrupt();
  const code = await repl.run();
  return code === exitCodes.brokenPipe ? code : exitCodes.ok;
}
