/**
 * The row type of the command table, which is used by the REPL, one-shot commands, help and completion.
 * @module
 */
import {
  type Caller,
  EncodedPage,
  type MethodName,
  type Page,
  type PagedMethod,
  pagesOf,
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

/** Context in which a command is available: everywhere, or only before later commands (REPL and scripts). */
export type Scope = "anywhere" | "session";

/** Exit code of a command; undefined means 0. */
export type ExitCode = number | void;

/** Results of a command, yielded one by one, and its exit code. */
export type Results<Row extends object> = AsyncGenerator<Result<Row>, ExitCode, void>;

/** A command that this program runs. */
export interface RunnableCommand<Name extends RowName = RowName> extends CommandDescription {
  readonly scope: Scope;
  /** Whether it prints live events or draws on the screen, and never uses a pager. */
  readonly live?: boolean;
  /** Names of the types of its rows. */
  readonly rows?: readonly Name[];
  /**
   * Runs it.
   * @throws any error; the caller reports it and determines the exit code.
   */
  run(context: Context, input: Input): Results<RowTypes[Name]> | Promise<ExitCode> | ExitCode;
}

/** One row of the command table. */
export type Command = RunnableCommand | LauncherCommand;

/** Returns a command; its results must have the types listed in `rows`. */
export function command<Name extends RowName = never>(description: RunnableCommand<Name>): RunnableCommand<Name> {
  return description;
}

/** Arguments and options of one command line. */
export interface Input {
  readonly words: readonly string[];
  readonly options: OptionValues;
}

/**
 * Returns the first argument of a command that requires one.
 * @throws {RangeError} if it is missing.
 */
export function firstWord([word]: readonly string[]): string {
  if (word === undefined) throw new RangeError("the command has no argument");
  return word;
}

/** Collaborators of a command. */
export interface Context {
  /** Channels for warnings, notes, failures and progress. */
  readonly output: Output;
  readonly session: Session;
  /** Requested view: `--view`, else the session's; undefined: the daemon chooses. */
  readonly view: string | undefined;
  /** Directory of relative qpaths. */
  readonly directory: string;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** The terminal's keyboard, if the REPL has it. */
  readonly terminal?: TerminalLoan;
  /** The whole table, for `help`. */
  readonly commands: readonly Command[];
}

/** Returns `{view}` for the parameters of a method, or nothing to let the daemon choose. */
export function inView(context: Context): { view?: string } {
  return context.view === undefined ? {} : { view: context.view };
}

/** Returns the view given on the command line, else the context's, for the parameters of a method. */
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

/**
 * Yields the rows of {@linkcode rowsOf} as lines of JSON, page by page; those of a daemon are passed on as they come.
 */
export async function* jsonLinesOf<M extends PagedMethod>(
  context: Context,
  method: M,
  params: ParamsOf<M>,
): AsyncGenerator<string> {
  const { output, session, signal } = context;
  const caller: Caller = {
    call: async (name, given) => {
      await output.drained();
      return await session.call(name, given, { signal, encoded: true });
    },
  };
  for await (const page of pagesOf(caller, method, params)) {
    yield page instanceof EncodedPage ? page.lines : page.rows.map((row) => JSON.stringify(row)).join("\n");
  }
}

/** Returns rows like {@linkcode rowsOf}, and shows the progress of a listing that reads files. */
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

/** Methods whose rows can be limited to some members. */
type FieldsMethod = { [M in PagedMethod]: "fields" extends keyof ParamsOf<M> ? M : never }[PagedMethod];
/** The rows `Row`, each with only the members in `Fields`. */
type RowWith<Row, Fields> = Row extends object ? Pick<Row, keyof Row & Fields> : never;

/** Returns rows like {@linkcode rowsOf}, with the members in `fields` or all. */
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
