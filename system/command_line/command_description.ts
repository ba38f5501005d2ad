/**
 * Descriptions of commands, from which help, completion and the launcher's option list are generated.
 * @module
 */
import type { ArgumentKind, OptionSpec } from "./options.ts";

/** One argument of a command. */
export interface ArgumentSpec {
  /** Name in the usage line: `QPATH`. */
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly optional?: boolean;
  /** Allowed words, if they are few. */
  readonly choices?: readonly string[];
  /** Whether it takes all remaining words. */
  readonly repeated?: boolean;
}

/** An example command line. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** Headings of the help, in order. */
export const groups = ["Browse", "Ask", "Move about", "Archives", "Daemon", "Start"] as const;

/** A row of the command table. */
export interface CommandDescription {
  /** One word, or two for subcommands of `archive`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Whether help and completion omit it, because only programs call it. */
  readonly hidden?: boolean;
  readonly group: typeof groups[number];
  /** Whether options end at the first argument, because the rest is another program's command line. */
  readonly endsOptions?: boolean;
  /** Summary for the list of commands, one line. */
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Paragraphs for `help COMMAND`. */
  readonly details?: readonly string[];
  readonly examples: readonly Example[];
}

/** A command of the launcher, which is only described here. */
export interface LauncherCommand extends CommandDescription {
  readonly scope: "launcher";
}
