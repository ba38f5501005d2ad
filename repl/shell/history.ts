/**
 * The REPL's history file: one line per command line, oldest first.
 * @module
 */
import { dirname, join } from "@std/path";
import { ownDirectory } from "../../system/mod.ts";

/** Maximum number of lines. */
export const historySize = 1000;

/**
 * Path of the history file: `$PAKFS_HISTFILE`, else `$XDG_STATE_HOME/pakfs/history`, else
 * `~/.local/state/pakfs/history`; undefined without a home directory, or with `PAKFS_HISTFILE=/dev/null`.
 */
export function historyPath(): string | undefined {
  const named = Deno.env.get("PAKFS_HISTFILE");
  if (named) return named === "/dev/null" ? undefined : named;
  const state = ownDirectory("STATE");
  return state === undefined ? undefined : join(state, "history");
}

/** A history that outlives the REPL. Works without its file if that cannot be read or written. */
export class History {
  readonly #path: string | undefined;
  #last: string | undefined;

  /**
   * @param path The file; undefined: no file.
   */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /**
   * Returns the lines of the file, newest first, without duplicates. Shortens a file of more than twice {@linkcode
   * historySize}.
   */
  async load(): Promise<string[]> {
    if (this.#path === undefined) return [];
    try {
      const lines = (await Deno.readTextFile(this.#path)).split("\n").filter((line) => line !== "");
      const kept = lines.slice(-historySize);
      this.#last = kept.at(-1);
      if (lines.length > historySize * 2) await this.#replace(kept);
      return [...new Set(kept.toReversed())];
    } catch {
      return [];
    }
  }

  /** Returns whether a line is stored: not empty, not starting with a space, not equal to the last one. */
  remembers(line: string): boolean {
    return line.trim() !== "" && !line.startsWith(" ") && line !== this.#last;
  }

  /** Adds a line, if it is to be stored. Only the user can read the file. */
  async add(typed: string): Promise<void> {
    const line = typed.trimEnd();
    if (this.#path === undefined || !this.remembers(line)) return;
    this.#last = line;
    try {
      await Deno.mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(this.#path, `${line}\n`, { append: true, mode: 0o600 });
    } catch {
      // A read-only home must not cause a message for every line.
    }
  }

  async #replace(lines: readonly string[]): Promise<void> {
    if (this.#path === undefined) return;
    const temporary = `${this.#path}.${crypto.randomUUID()}`;
    await Deno.writeTextFile(temporary, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    await Deno.rename(temporary, this.#path);
  }
}
