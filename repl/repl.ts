/**
 * The REPL: a prompt with line editing, history and completion around the same commands that a shell runs.
 * @module
 */
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { version } from "../daemon/version.ts";
import { complete } from "./completion.ts";
import { asksForJson, prepare, report, run, type Surroundings } from "./execute.ts";
import { exitCodes } from "../daemon/command_line/usage.ts";
import { isBlank, splitLine } from "./grammar.ts";
import { History, historyPath, historySize } from "./history.ts";
import type { Session } from "./session.ts";
import { printable } from "./text.ts";

/** The prompt: `quake/hipnotic:maps> `. */
export function promptFor(session: Pick<Session, "connected" | "view" | "directory">): string {
  if (!session.connected) return "not connected> ";
  const place = session.directory === "" ? "" : `:${session.directory}`;
  return `${printable((session.view ?? "pakfs") + place)}> `;
}

class Repl {
  readonly #surroundings: Surroundings;
  readonly #history: History;
  readonly #readline: Interface;
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting: string[] = [];
  /** Stops the running command; undefined while the prompt is shown. */
  #running: AbortController | undefined;
  #isClosed = false;
  #exitCode: number = exitCodes.ok;

  constructor(surroundings: Surroundings, history: History, lines: string[]) {
    this.#surroundings = surroundings;
    this.#history = history;
    this.#readline = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      history: lines,
      historySize,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: Error | null, result: [string[], string]) => void) => {
        this.#complete(line).then((result) => done(null, result));
      },
    });
    this.#readline.on("history", (entries: string[]) => {
      if (entries[0]?.startsWith(" ")) entries.shift();
    });
    this.#readline.on("line", (line) => this.#take(line));
    this.#readline.on("SIGINT", () => this.#interrupt());
    this.#readline.on("close", () => this.#leave());
  }

  async run(): Promise<number> {
    const { output } = this.#surroundings;
    output.remark(`pakfs ${version}: help lists the commands, Tab completes, Ctrl-D leaves`);
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
    const { output, commands } = this.#surroundings;
    let words: string[] = [];
    try {
      words = splitLine(line);
      return await run(prepare(words, commands, []), { ...this.#surroundings, signal });
    } catch (error) {
      return report(error, output.with(asksForJson(words) ? { json: true } : {}));
    }
  }

  /** Runs something that Ctrl-C stops. A failure is reported and the REPL goes on. */
  async #work(command: () => Promise<number>): Promise<void> {
    this.#running = new AbortController();
    try {
      this.#exitCode = await command();
    } catch (error) {
      this.#exitCode = report(error, this.#surroundings.output);
    } finally {
      this.#running = undefined;
    }
  }

  #interrupt(): void {
    this.#waiting.length = 0;
    if (!this.#running) {
      process.stdout.write("^C\n");
      // Ctrl-E, Ctrl-U: an empty line, with what was typed still to be had with Ctrl-Y.
      this.#readline.write(null, { ctrl: true, name: "e" });
      this.#readline.write(null, { ctrl: true, name: "u" });
      return this.#prompt();
    }
    process.stdout.write("^C\n");
    // Asked twice: the daemon does not answer. Without the connection the command cannot go on.
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
export async function runRepl(surroundings: Surroundings): Promise<number> {
  const history = new History(historyPath());
  const repl = new Repl(surroundings, history, await history.load());
  const code = await repl.run();
  return code === exitCodes.brokenPipe ? code : exitCodes.ok;
}
