/**
 * The row type of the command table, which feeds the REPL, one-shot commands, help and completion.
 * @module
 */
import {
  type Caller,
  type MethodName,
  type Page,
  type PagedMethod,
  type ParamsOf,
  type ResultOf,
  type RowOf,
  rowPages,
} from "../../protocol/mod.ts";
import type { CommandDescription, LauncherCommand, OptionValues } from "../../system/mod.ts";
import { grouped, humanSize } from "../output/human.ts";
import type { Output } from "../output/output.ts";
import { Progress } from "../output/progress.ts";
import type { TerminalLoan } from "../output/shell_pipe.ts";
import { type Result, RowStream } from "../output/results.ts";
import type { RowName, RowTypes } from "../rows/row_types.ts";
import type { Session } from "./session.ts";

/** Context in which a command makes sense: everywhere, or only before later commands (REPL and scripts). */
export type Scope = "anywhere" | "session";

/** Exit code of a command; nothing means 0. */
export type ExitCode = number | void;

/** Results of a command as it yields them, and its exit code. */
export type Results<Row extends object> = AsyncGenerator<Result<Row>, ExitCode, void>;

/** A command that this program runs. */
export interface RunnableCommand<Name extends RowName = RowName> extends CommandDescription {
  readonly scope: Scope;
  /** Whether it shows things as they happen or draws on the screen, and never uses a pager. */
  readonly live?: boolean;
  /** Names of the types of its rows. */
  readonly rows?: readonly Name[];
  /**
   * Runs it.
   * @throws Anything; the caller reports it and finds the exit code.
   */
  run(context: Context, input: Input): Results<RowTypes[Name]> | Promise<ExitCode> | ExitCode;
}

/** One row of the command table. */
export type Command = RunnableCommand | LauncherCommand;

/** Returns a command; what it yields must be of the types that its `rows` name. */
export function command<Name extends RowName = never>(description: RunnableCommand<Name>): RunnableCommand<Name> {
  return description;
}

/** Arguments and options of one command line. */
export interface Input {
  readonly words: readonly string[];
  readonly options: OptionValues;
}

/**
 * Returns the first word of a command with a required argument, without which it is not run.
 * @throws {RangeError} if it is missing.
 */
export function firstWord([word]: readonly string[]): string {
  if (word === undefined) throw new RangeError("the command has no argument");
  return word;
}

/** Collaborators of a command. */
export interface Context {
  /** Channels for warnings, remarks, failures and progress. */
  readonly output: Output;
  readonly session: Session;
  /** View to ask about: `--view`, else the session's; undefined leaves the choice to the daemon. */
  readonly view: string | undefined;
  /** Directory that qpaths are relative to. */
  readonly directory: string;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** The terminal's keyboard, if the REPL has it. */
  readonly terminal?: TerminalLoan;
  /** The whole table, for `help`. */
  readonly commands: readonly Command[];
}

/** Returns `{view}` for the parameters of a method, or nothing to leave the choice to the daemon. */
export function inView(context: Context): { view?: string } {
  return context.view === undefined ? {} : { view: context.view };
}

/** Returns the view that a command line names, else the context's, for the parameters of a method. */
export function namedView(context: Context, { words: [view] }: Input): { view?: string } {
  return view === undefined ? inView(context) : { view };
}

/** Calls a method once the reader has accepted all output so far; Ctrl-C cancels it. */
export async function ask<M extends MethodName>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M>> {
  await context.output.drained();
  return await context.session.call(method, params, { signal: context.signal });
}

/** Returns all rows of a paged method; Ctrl-C cancels them. */
export function rowsOf<M extends PagedMethod>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
): RowStream<RowOf<M>> {
  const caller: Caller = { call: (name, given) => ask(context, name, given) };
  return new RowStream(rowPages(caller, method, params));
}

/** Returns rows as {@linkcode rowsOf} does, and shows how far a listing is that reads files. */
export function slowRowsOf<M extends PagedMethod>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
  onProgress: (progress: NonNullable<Page<unknown>["progress"]>) => void = () => {},
): RowStream<RowOf<M>> {
  const progress = new Progress(context.output);
  const start = performance.now();
  const caller: Caller = {
    call: async (name, given) => {
      const page = await ask(context, name, given);
      const found = typeof page === "object" && "progress" in page ? page.progress : undefined;
      if (found) onProgress(found);
      if (found && found.done < found.total) {
        const { done, total, bytes, totalBytes } = found;
        const rate = (bytes ?? 0) / (performance.now() - start) * 1000;
        progress.update(() =>
          `${method}: ${grouped(done)} of ${grouped(total)}, ${Math.floor(done * 100 / total)}%${
            bytes === undefined || totalBytes === undefined
              ? ""
              : `, ${humanSize(bytes)} of ${humanSize(totalBytes)}, ${humanSize(Math.round(rate))}/s`
          }`
        );
      } else progress.end();
      return page;
    },
  };
  return new RowStream(rowPages(caller, method, params));
}

/** Methods whose rows are made with the members that are requested. */
type FieldsMethod = { [M in PagedMethod]: "fields" extends keyof ParamsOf<M> ? M : never }[PagedMethod];
/** The rows `Row`, each with only the members in `Fields`. */
type RowWith<Row, Fields> = Row extends object ? Pick<Row, keyof Row & Fields> : never;

/** Returns rows as {@linkcode rowsOf} does, with the members in `fields` or all. */
export function fieldsOf<M extends FieldsMethod, const Field extends string = string>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
  fields?: readonly Field[],
): RowStream<RowWith<RowOf<M>, Field>> {
  return rowsOf(context, method, { ...params, ...fields && { fields: [...fields] } }) as RowStream<
    RowWith<RowOf<M>, Field>
  >;
}
