/**
 * What a command is: the row type of the command table, which feeds the REPL, one-shot commands, help and completion.
 * @module
 */
import { type Caller, pages } from "../../protocol/connection.ts";
import type { PagedMethod, RowOf } from "../../protocol/methods.ts";
import type { MethodName, ParamsOf, ResultOf } from "../../protocol/methods.ts";
import type { CommandDescription, LauncherCommand } from "../../command_line/command_description.ts";
import type { OptionValues } from "../../command_line/options.ts";
import type { Output } from "../output/output.ts";
import type { Session } from "./session.ts";

/** Where a command makes sense: everywhere, or only where later commands follow (REPL and scripts). */
export type Scope = "anywhere" | "session";

/** A command that this program runs. */
export interface RunnableCommand extends CommandDescription {
  readonly scope: Scope;
  /** Whether it shows things as they happen or draws on the screen: never through a pager. */
  readonly live?: boolean;
  /** Names of the types of its rows, for `docs/json.md`; absent where it prints none. */
  readonly rows?: readonly string[];
  /**
   * Runs it.
   * @returns The exit code; nothing means 0.
   * @throws Anything; the caller tells the user and finds the exit code.
   */
  run(context: Context, input: Input): Promise<number | void> | number | void;
}

/** One row of the command table. */
export type Command = RunnableCommand | LauncherCommand;

/** Arguments and options of one command line. */
export interface Input {
  readonly words: readonly string[];
  readonly options: OptionValues;
}

/** Lends the keyboard to another program: a pager, or what follows `|`. */
export interface TerminalLoan {
  giveAway(): void;
  takeBack(): void;
}

/** What a command works with. */
export interface Context {
  readonly output: Output;
  readonly session: Session;
  /** View to ask about: `--view`, else the session's; undefined leaves the choice to the daemon. */
  readonly view: string | undefined;
  /** Directory that qpaths are relative to. */
  readonly directory: string;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** The terminal's keyboard, where the REPL has it. */
  readonly terminal?: TerminalLoan;
  /** The whole table, for `help`. */
  readonly commands: readonly Command[];
}

/** `{view}` for the parameters of a method, or nothing where the daemon is to choose. */
export function inView(context: Context): { view?: string } {
  return context.view === undefined ? {} : { view: context.view };
}

/** Calls a method, once whoever reads the output has taken what there was; Ctrl-C cancels it. */
export async function ask<M extends MethodName>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M>> {
  await context.output.drained();
  return await context.session.call(method, params, { signal: context.signal });
}

/** All rows of a paged method; Ctrl-C cancels them. */
export function rowsOf<M extends PagedMethod>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
): AsyncIterable<RowOf<M>> {
  const caller: Caller = { call: (name, given) => ask(context, name, given) };
  return pages(caller, method, params);
}
