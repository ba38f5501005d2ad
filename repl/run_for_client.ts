/**
 * Runs command lines in the daemon, where all code is loaded, for clients that only print the result
 * (`repl/thin_client.ts`). Only commands that ask the index are run; everything else, and everything that takes long, is
 * left to the client, which then runs it as without this.
 * @module
 */
import type { Connection } from "../protocol/connection.ts";
import { maxRunAnswers, maxRunText, maxRunTime, maxRunWords } from "../protocol/limits.ts";
import { errorCodes, RpcError } from "../protocol/messages.ts";
import type { MethodName, ParamsOf, PrintedText, ResultOf } from "../protocol/methods.ts";
import { timeZone } from "../protocol/run_request.ts";
import { program } from "../protocol/version.ts";
import { exitCodes } from "../system/command_line/usage.ts";
import type { OptionValues } from "../system/command_line/options.ts";
import type { Command, Input } from "./command/command.ts";
import { connectionOptions } from "./command/global_options.ts";
import { parseRequest } from "./command/request.ts";
import { Session } from "./command/session.ts";
import { commandTable } from "./commands/table.ts";
import { Output } from "./output/output.ts";
import type { Sink } from "./output/sink.ts";
import { asksForJson, prepare, report, run } from "./shell/execute.ts";

/** Answers a method of the protocol; see {@linkcode Connection}. */
type Call = (method: MethodName, params: unknown, signal?: AbortSignal) => Promise<unknown>;

/** Time after which other clients have their turn; milliseconds. */
const turnTime = 5;

const ownZone = timeZone();

/** Connection and output of the command of one run, with its limits. */
class Run implements Connection {
  /** Text that was printed, in order. */
  readonly output: PrintedText[] = [];
  readonly #request: ParamsOf<"run">;
  readonly #call: Call;
  readonly #ending = new AbortController();
  readonly #began = performance.now();
  #turnBegan = this.#began;
  #asked = 0;
  #printed = 0;

  constructor(request: ParamsOf<"run">, call: Call) {
    this.#request = request;
    this.#call = call;
  }

  /** Aborts when the client is to run the command line itself. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Ends the run: the client runs the command line itself. The exit code is of no use. */
  leaveToClient(): number {
    this.#ending.abort();
    return exitCodes.failed;
  }

  async call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ResultOf<M>> {
    if (performance.now() - this.#began > maxRunTime) this.leaveToClient();
    signal?.throwIfAborted();
    await this.#takeTurn();
    // The answer becomes what a client of the socket gets.
    const text = JSON.stringify(await this.#call(method, params, signal));
    this.#asked += text.length;
    if (this.#asked > maxRunAnswers) this.leaveToClient();
    signal?.throwIfAborted();
    return JSON.parse(text);
  }

  subscribe(): Promise<never> {
    return Promise.reject(new RpcError({ code: errorCodes.methodNotFound, message: "a run has no subscriptions" }));
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Returns standard output or standard error of the command. */
  sink(isError: boolean): Sink {
    const { columns, rows, isTerminal, isErrorTerminal } = this.#request;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return {
      terminal: isError ? isErrorTerminal : isTerminal,
      columns: () => columns,
      rows: () => rows,
      write: (bytes) => {
        const text = decoder.decode(bytes);
        this.#printed += text.length;
        if (this.#printed > maxRunText) this.leaveToClient();
        else this.output.push({ isError, text });
        return bytes.length;
      },
    };
  }

  async #takeTurn(): Promise<void> {
    if (performance.now() - this.#turnBegan < turnTime) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#turnBegan = performance.now();
  }
}

/** Runs a command line that the daemon may run, or leaves it to the client. */
async function runWords(args: readonly string[], output: Output, running: Run, signal: AbortSignal): Promise<number> {
  const { options, words } = parseRequest(args);
  if (words.length === 0 || options.flag("version") || asksElsewhere(options)) return running.leaveToClient();
  const { command, input } = prepare(words, commandTable, connectionOptions);
  const own = command.options.map(({ name }) => name);
  const all = options.and(input.options);
  const isOwn = all.flag("help") || asksOnly(command, input);
  if (!isOwn || asksElsewhere(input.options.without(own))) return running.leaveToClient();
  await using session = new Session(() => Promise.resolve(running));
  const surroundings = { commands: commandTable, session, output, signal, remembers: false };
  return await run({ command, input: { words: input.words, options: all } }, surroundings);
}

function asksOnly(command: Command, input: Input): boolean {
  const { asksOnly = false } = command.scope === "launcher" ? {} : command;
  return typeof asksOnly === "function" ? asksOnly(input) : asksOnly;
}

/** Returns whether options choose another index than that of the daemon. */
function asksElsewhere(options: OptionValues): boolean {
  return connectionOptions.some(({ name }) => name !== "socket" && options.flag(name));
}

/** Runs a command line for a client. Answers with `exitCode` null if the client is to run it itself. */
export async function runForClient(
  request: ParamsOf<"run">,
  call: Call,
  cancelled: AbortSignal | undefined,
): Promise<ResultOf<"run">> {
  const leftToClient = { exitCode: null, output: [] };
  if (request.version !== program || request.zone !== ownZone) return leftToClient;
  if (request.words.reduce((sum, word) => sum + word.length + 1, 0) > maxRunWords) return leftToClient;
  const running = new Run(request, call);
  const signal = cancelled ? AbortSignal.any([cancelled, running.signal]) : running.signal;
  const environment = Object.fromEntries(request.environment.map((variable) => {
    const equals = variable.indexOf("=");
    return [variable.slice(0, equals), variable.slice(equals + 1)];
  }));
  const preferences = { mode: "table", colour: "auto", quiet: false } as const;
  const output = new Output(running.sink(false), running.sink(true), preferences, environment);
  let exitCode: number;
  try {
    exitCode = await runWords(request.words, output, running, signal);
  } catch (error) {
    exitCode = report(error, output.with(asksForJson(request.words) ? { mode: "jsonlines" } : {}));
  }
  return signal.aborted ? leftToClient : { exitCode, output: running.output };
}
