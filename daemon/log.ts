/**
 * The daemon's log: one line per event on standard error, with a level.
 * @module
 */

/** Levels, with the priority that systemd's journal gives them (sd-daemon(3)). */
const priorities = { error: 3, warning: 4, notice: 5, info: 6 } as const;

/** How serious a line is. */
export type LogLevel = keyof typeof priorities;

const encoder = new TextEncoder();

/** Writes log lines. */
export class Log {
  readonly #quiet: boolean;
  readonly #forJournal: boolean;
  readonly #alsoTo: (line: string) => void;

  /**
   * @param quiet Leave out everything below a warning.
   * @param alsoTo Is given every line as well.
   */
  constructor(quiet: boolean, alsoTo: (line: string) => void) {
    this.#quiet = quiet;
    this.#alsoTo = alsoTo;
    this.#forJournal = Deno.env.get("JOURNAL_STREAM") !== undefined;
  }

  /** Writes one line. Control characters of names in it are made visible. */
  write(level: LogLevel, message: string): void {
    if (this.#quiet && priorities[level] > priorities.warning) return;
    const prefix = this.#forJournal ? `<${priorities[level]}>` : level === "error" ? "pakfs: error: " : "pakfs: ";
    // deno-lint-ignore no-control-regex -- control characters are what is looked for
    const line = message.replaceAll(/[\x00-\x09\x0b-\x1f\x7f]/g, (character) => JSON.stringify(character).slice(1, -1));
    this.#alsoTo(prefix + line);
    try {
      Deno.stderr.writeSync(encoder.encode(`${prefix}${line}\n`));
    } catch {
      // Whoever read the log is gone; the daemon goes on.
    }
  }
}
