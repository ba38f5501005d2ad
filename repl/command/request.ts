/**
 * The command line of the program.
 * @module
 */
import { type OptionValues, parseOptions, UsageError } from "../../system/mod.ts";
import { entryOptions } from "./global_options.ts";

/** Parsed command line. */
export interface Request {
  readonly options: OptionValues;
  /** Words of a one-shot command; empty for scripts and the REPL. */
  readonly words: readonly string[];
}

/**
 * Parses the arguments of `pakfs`: the options before a command, or of the REPL.
 * @throws {UsageError} for unknown options, and for commands combined with scripts.
 */
export function parseRequest(args: readonly string[]): Request {
  const before = parseOptions(args, entryOptions, true);
  const isRepl = before.words[0] === "repl";
  const after = isRepl ? parseOptions(before.words.slice(1), entryOptions) : undefined;
  const options = after ? before.options.and(after.options) : before.options;
  const words = after ? after.words : before.words;
  const isScript = options.flag("command") || options.flag("file");
  const isBatch = options.flag("batch");
  if (isBatch && (words.length > 0 || isScript)) {
    throw new UsageError("--batch reads commands from standard input, not from the command line");
  }
  if (words.length > 0 && (isRepl || isScript)) {
    throw new UsageError(
      `"${words[0]}" cannot be combined with ${isRepl ? "repl" : "-c and -f"}; quote a command line as one word`,
    );
  }
  return { options, words };
}
