/**
 * The pipe to the launcher that started this daemon in the background. `PAKFS_READY_FD` names its descriptor, and the
 * launcher reads lines from it: `! ` and a message, `= ` and a result for standard output, `~ ` and progress, and last
 * the exit code, after a 0 with the socket. The daemon continues in the background; its standard streams are the log
 * already.
 * @module
 */
import { printable, type ProcessCalls, withShortHome } from "../../system/mod.ts";

/** Reports the start to the launcher, if one waits. */
export class LauncherPipe {
  readonly #calls: ProcessCalls;
  #fileDescriptor: number | undefined;

  constructor(calls: ProcessCalls) {
    this.#calls = calls;
    const number = Number(Deno.env.get("PAKFS_READY_FD") ?? "");
    this.#fileDescriptor = Number.isInteger(number) && number > 2 ? number : undefined;
  }

  /** Whether a launcher waits. */
  get isAwaited(): boolean {
    return this.#fileDescriptor !== undefined;
  }

  /** Shows a message to the user. */
  message(text: string): void {
    this.object(withShortHome(text, Deno.env.get("HOME")));
  }

  /** Prints lines for a program on standard error. */
  object(text: string): void {
    for (const line of text.split("\n")) this.#write(`! ${line}`);
  }

  /** Prints a line on standard output. */
  result(line: string): void {
    if (this.isAwaited) this.#write(`= ${line}`);
    else Deno.stdout.writeSync(new TextEncoder().encode(`${printable(line)}\n`));
  }

  /** Shows the progress of the start, if the launcher runs on a terminal. */
  progress(text: string): void {
    this.#write(`~ ${text}`);
  }

  /** Reports that the daemon is ready at `socket`. */
  succeed(socket: string): void {
    this.#end(`0 ${socket}`);
  }

  /** Reports that the daemon ends with an exit code. */
  fail(code: number): void {
    this.#end(String(code));
  }

  #end(line: string): void {
    if (this.#fileDescriptor === undefined) return;
    this.#write(line);
    this.#calls.close(this.#fileDescriptor);
    this.#fileDescriptor = undefined;
  }

  #write(line: string): void {
    if (this.#fileDescriptor === undefined) return;
    // The message may quote another process: a daemon that serves the mount.
    this.#calls.write(this.#fileDescriptor, new TextEncoder().encode(`${printable(line)}\n`));
  }
}
