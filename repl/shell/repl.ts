/**
 * The REPL: a prompt with line editing, history and completion for the same commands as in a shell.
 * @module
 */
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { version } from "../../protocol/mod.ts";
import { complete, type Completion } from "./completion.ts";
import { exitCodes, printable } from "../../system/mod.ts";
import { type Prepared, report, type Surroundings } from "./execute.ts";
import { isBlank, isOpenSql } from "./grammar.ts";
import { hintFor } from "./hint.ts";
import { History, historyPath, historySize } from "./history.ts";
import { HistorySearch, type Key } from "./history_search.ts";
import { runLine } from "./line.ts";
import { paged, usablePager } from "../output/pager.ts";
import { mayRunShell, type TerminalLoan } from "../output/shell_pipe.ts";
import { wrapped } from "../output/human.ts";
import { textOnly } from "../output/results.ts";
import type { Session } from "../command/session.ts";
import { widthOf } from "../output/text.ts";
import { commonStart, listedNames } from "./tab.ts";

/** Handler of SIGINT. */
export interface Interrupts {
  handle(): void;
}

/** Returns the prompt: `quake/hipnotic:maps> `, or `quake/hipnotic:maps (no daemon)> `. */
export function promptFor(session: Pick<Session, "connected" | "view" | "directory">): string {
  const directory = session.directory === "" ? "" : `:${session.directory}`;
  return `${printable((session.view ?? "pakfs") + directory)}${session.connected ? "" : " (no daemon)"}> `;
}

/** Maximum views in the greeting. */
const maxGreetedViews = 8;
/** Maximum candidates that Tab lists without confirmation. */
const maxListedAtOnce = 100;

class Repl {
  readonly #surroundings: Surroundings;
  readonly #history: History;
  readonly #readline: Interface;
  readonly #keyboard: TerminalLoan = { giveAway: () => this.#giveAway(), takeBack: () => this.#takeBack() };
  /** Earlier lines, newest first. */
  #lines: readonly string[];
  #search: HistorySearch | undefined;
  /** Stops Tab while it waits or lists; otherwise undefined. */
  #completing: AbortController | undefined;
  /** Whether the last key was Tab and inserted nothing, so that the next Tab lists the candidates. */
  #hasCandidates = false;
  /** Receives the key that answers a question; undefined without a question. */
  #answer: ((key: Key) => void) | undefined;
  /** Keys pressed while a command runs or Tab waits for the daemon; pasted lines are many of them. */
  #heldKeys: (() => void)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #hasHint = false;
  /** Stops the running command; undefined while the prompt is shown. */
  #running: AbortController | undefined;
  #isClosed = false;
  #exitCode: number = exitCodes.ok;
  /** Lines of an unfinished statement. */
  #begun = "";

  constructor(surroundings: Surroundings, history: History, lines: string[]) {
    const { session, output } = surroundings;
    this.#surroundings = {
      ...surroundings,
      terminal: this.#keyboard,
    };
    session.reconnected = () => output.remark("the daemon was restarted; reconnected");
    this.#history = history;
    this.#lines = lines;
    this.#readline = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      history: lines,
      historySize,
      removeHistoryDuplicates: true,
    });
    this.#readline.on("history", (entries: string[]) => {
      if (entries[0]?.startsWith(" ")) entries.shift();
      this.#lines = entries;
    });
    this.#watchKeys();
    this.#readline.on("line", (line) => this.#runTyped(line));
    this.#readline.on("SIGINT", () => this.interrupt());
    // After Ctrl-Z and `fg` the line editor must be resumed.
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

  /** Connects, chooses the current view if none was given, and lists the others. */
  async #greet(): Promise<number> {
    const { session, output } = this.#surroundings;
    const { rows: views, cursor } = await session.call("views", { limit: maxGreetedViews }, this.#signal());
    const named = session.view === undefined ? {} : { view: session.view };
    const { rows } = await session.call("path", { ...named, limit: 1 }, this.#signal()).catch((error) => {
      if (session.view !== undefined || views.length < 2) throw error;
      return { rows: [] };
    });
    session.view = rows[0]?.view ?? session.view;
    if (views.length < 2) return exitCodes.ok;
    const names = views.map(({ view }) => view).join(", ") + (cursor === null ? "" : ", ...");
    const text = `views: ${names}; "use VIEW" switches${session.view === undefined ? " to one" : ""}`;
    for (const line of wrapped(text, output.columns)) output.remark(line);
    return exitCodes.ok;
  }

  #signal(): { signal?: AbortSignal } {
    return this.#running ? { signal: this.#running.signal } : {};
  }

  #prompt(): void {
    if (this.#isClosed) return;
    this.#readline.setPrompt(this.#promptText);
    this.#readline.prompt();
  }

  get #promptText(): string {
    const prompt = promptFor(this.#surroundings.session);
    return this.#begun === "" ? prompt : "...> ".padStart(widthOf(prompt));
  }

  /** Handles every key before the line editor: for Tab, Ctrl-R and hints, and to buffer early keys. */
  #watchKeys(): void {
    const editors = process.stdin.listeners("keypress");
    process.stdin.removeAllListeners("keypress");
    process.stdin.on("keypress", (text: string | undefined, key: Key) => {
      const take = () => {
        this.#eraseHint();
        const hadCandidates = this.#hasCandidates;
        this.#hasCandidates = false;
        if (this.#takesForSearch(text, key)) return;
        if (key.name === "tab" && !this.#running) return void this.#complete(hadCandidates);
        for (const editor of editors) editor.call(process.stdin, text, key);
        this.#showHint();
      };
      const isUrgent = key.ctrl === true && (key.name === "c" || key.name === "z");
      if (this.#answer && !this.#running) this.#answer(key);
      else if ((this.#completing || this.#running) && !isUrgent) this.#heldKeys.push(take);
      else take();
    });
  }

  #takeHeldKeys(): void {
    while (!this.#completing && !this.#running && !this.#answer && !this.#isClosed) {
      const take = this.#heldKeys.shift();
      if (!take) return;
      take();
    }
  }

  /** Shows the remaining arguments of the command, dimmed after the cursor, if there is space. */
  #showHint(): void {
    const { commands, output } = this.#surroundings;
    const { line, cursor } = this.#readline;
    if (this.#running || this.#isClosed || this.#search || !output.colour || cursor !== line.length) return;
    const hint = hintFor(line, commands);
    const used = widthOf(this.#promptText) + widthOf(line);
    if (hint === "" || line.trim() === "" || used + hint.length >= output.columns) return;
    process.stdout.write(`\x1b[2m${hint}\x1b[0m\x1b[${hint.length}D`);
    this.#hasHint = true;
  }

  #eraseHint(): void {
    if (this.#hasHint) process.stdout.write("\x1b[K");
    this.#hasHint = false;
  }

  /** Whether a key belongs to a search instead of the line editor. */
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
    this.#showSearch(this.#promptText, step.line);
    return !step.passOn;
  }

  #showSearch(prompt: string, line: string): void {
    this.#readline.setPrompt(prompt);
    this.#emptyLine();
    this.#readline.write(line);
    this.#readline.prompt(true);
  }

  /** Ctrl-E, Ctrl-U: clears the line; Ctrl-Y restores it. */
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

  /** Runs a line, and then shows the prompt again. */
  async #runTyped(typed: string): Promise<void> {
    const line = this.#begun + typed;
    this.#begun = isOpenSql(line) ? `${line}\n` : "";
    if (this.#begun !== "") return this.#prompt();
    await this.#work(() => this.#runLine(line));
    if (this.#surroundings.session.ended || this.#exitCode === exitCodes.brokenPipe) return this.#readline.close();
    this.#prompt();
    this.#takeHeldKeys();
  }

  async #runLine(line: string): Promise<number> {
    await this.#history.add(line.replaceAll("\n", " "));
    if (isBlank(line)) return exitCodes.ok;
    const signal = this.#running?.signal ?? this.#surroundings.signal;
    return await runLine(line, { ...this.#surroundings, signal, paged: (...run) => this.#paged(...run) });
  }

  /** Runs a command, through the pager unless it must print at once. */
  async #paged({ command, input }: Prepared, run: () => Promise<number>): Promise<number> {
    const { output, session } = this.#surroundings;
    const isLive = command.scope !== "launcher" && command.live === true;
    const pager = session.pager === undefined ? usablePager() : session.pager === "off" ? undefined : session.pager;
    const isAtOnce = pager === undefined || !mayRunShell() || !output.terminal || isLive;
    if (isAtOnce || input.options.flag("no-pager")) return await run();
    return await paged(pager, output, this.#keyboard, run);
  }

  /** Runs an action that Ctrl-C stops. Reports a failure; the REPL continues. */
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
    this.#heldKeys.length = 0;
    process.stdout.write("^C\n");
    const stopped = this.#running ?? this.#completing;
    // Pressed twice: the daemon does not reply. Without the connection the command ends.
    if (stopped?.signal.aborted) this.#surroundings.session.disconnect();
    stopped?.abort();
    if (this.#running) return;
    this.#begun = "";
    this.#emptyLine();
    this.#prompt();
  }

  #leave(): void {
    this.#isClosed = true;
    this.#running?.abort();
    if (!this.#surroundings.session.ended) process.stdout.write("\n");
    this.#closed.resolve();
  }

  /**
   * Inserts the common prefix of all candidates of the word before the cursor.
   * @param listsCandidates Whether they are listed if the prefix adds nothing.
   */
  async #complete(listsCandidates: boolean): Promise<void> {
    const { commands, session } = this.#surroundings;
    const line = this.#begun + this.#readline.line.slice(0, this.#readline.cursor);
    const { signal } = this.#completing = new AbortController();
    try {
      const completion = await complete(line, { commands, session, signal });
      // Names of local files are found without a call that is cancelled.
      signal.throwIfAborted();
      const typed = line.slice(completion.start);
      const shared = commonStart(completion.matches);
      if (shared.length > typed.length || (shared !== "" && !shared.startsWith(typed))) this.#replace(typed, shared);
      else if (listsCandidates) await this.#list(completion);
      else this.#hasCandidates = completion.matches.length > 1;
    } catch {
      // Without a daemon Tab inserts nothing; the next command reports the reason.
    } finally {
      this.#completing = undefined;
      this.#takeHeldKeys();
    }
  }

  #replace(typed: string, text: string): void {
    if (text.startsWith(typed)) return this.#readline.write(text.slice(typed.length));
    for (const _ of typed) this.#readline.write(null, { name: "backspace" });
    this.#readline.write(text);
  }

  /** Lists candidates below the prompt; many of them only after confirmation. */
  async #list(completion: Completion): Promise<void> {
    const { output } = this.#surroundings;
    const names = listedNames(completion);
    process.stdout.write("\n");
    if (names.length <= maxListedAtOnce || await this.#agrees(`display all ${names.length}? (y or n)`)) {
      await output.print(textOnly((page) => page.names(names)));
      output.flush();
    }
    this.#readline.prompt(true);
  }

  async #agrees(question: string): Promise<boolean> {
    process.stdout.write(question);
    const { promise, resolve } = Promise.withResolvers<Key>();
    this.#answer = resolve;
    const { name, sequence } = await promise;
    this.#answer = undefined;
    process.stdout.write("\n");
    return name === "y" || name === "space" || sequence === " " || name === "tab";
  }
}

/**
 * Runs the REPL on the terminal until `exit` or Ctrl-D.
 * @returns The exit code: 141 for a closed output, else 0.
 */
export async function runRepl(surroundings: Surroundings, interrupts: Interrupts): Promise<number> {
  const history = new History(historyPath());
  const repl = new Repl(surroundings, history, await history.load());
  interrupts.handle = () => repl.interrupt();
  const code = await repl.run();
  return code === exitCodes.brokenPipe ? code : exitCodes.ok;
}
