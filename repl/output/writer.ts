/**
 * Buffered standard output and standard error, which preserve the order of results and notes.
 * @module
 */
import { type Sink, writeAll } from "./sink.ts";

/** Bytes, or characters, that are buffered before they are written. */
const flushAt = 64 * 1024;
const encoder = new TextEncoder();

/** Writes results and notes in order. */
export class Writer {
  readonly #standard: Sink;
  readonly #remarks: Sink;
  /** Standard output, or the file of `.output`. */
  #results: Sink;
  /** A pager or another program, while one command runs. */
  #passing: { results: Sink; remarks: boolean } | undefined;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** Results after these parts, encoded together. */
  #text = "";
  #hasProgress = false;
  /** Time of the last visible output, in milliseconds of `performance.now()`. */
  #shown = performance.now();

  /**
   * @param results Standard output.
   * @param remarks Standard error.
   */
  constructor(results: Sink, remarks: Sink) {
    this.#standard = results;
    this.#results = results;
    this.#remarks = remarks;
  }

  /** Current destination of results. */
  get results(): Sink {
    return this.#passing?.results ?? this.#results;
  }

  /** Standard error. */
  get remarks(): Sink {
    return this.#remarks;
  }

  /** Milliseconds since the last visible output. */
  get silence(): number {
    return performance.now() - this.#shown;
  }

  /** Sends results to `results`; without it, back to standard output. */
  redirect(results?: Sink): void {
    this.flush();
    if (this.#results !== this.#standard) this.#results.close?.();
    this.#results = results ?? this.#standard;
  }

  /**
   * Passes results through a pager or another program while `command` runs.
   * @param remarks Whether notes go there too, to preserve the order.
   */
  async through<Result>(results: Sink, remarks: boolean, command: () => Promise<Result>): Promise<Result> {
    this.flush();
    this.#passing = { results, remarks };
    try {
      return await command();
    } finally {
      this.#passing = undefined;
    }
  }

  /**
   * Waits until the reader has accepted the results, so that a slow reader slows the command down.
   * @throws {BrokenPipeError} if the reader has closed its end.
   */
  async drained(): Promise<void> {
    const { results } = this;
    if (!results.drained) return;
    this.flush();
    await results.drained();
  }

  /** Adds bytes to the results. */
  write(bytes: Uint8Array): void {
    this.clearProgress();
    this.#endText();
    this.#parts.push(bytes.slice());
    this.#length += bytes.length;
    if (this.#length >= flushAt) this.flush();
  }

  /** Adds text to the results. */
  writeText(text: string): void {
    this.clearProgress();
    this.#text += text;
    if (this.#length + this.#text.length >= flushAt) this.flush();
  }

  #endText(): void {
    if (this.#text === "") return;
    const bytes = encoder.encode(this.#text);
    this.#text = "";
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  /**
   * Writes all buffered results.
   * @throws {BrokenPipeError} if the reader has closed its end.
   */
  flush(): void {
    this.#endText();
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    if (parts.length > 0) this.#shown = performance.now();
    for (const part of joined(parts)) writeAll(this.results, part);
  }

  /** Writes a line to standard error, after all results so far. */
  remark(line: string): void {
    this.clearProgress();
    this.flush();
    this.#shown = performance.now();
    writeAll(this.#passing?.remarks ? this.#passing.results : this.#remarks, encoder.encode(line + "\n"));
  }

  /** Shows the progress of a command, until the next call or other output. */
  progress(text: string): void {
    this.flush();
    writeAll(this.#remarks, encoder.encode(`\r\x1b[K${text}`));
    this.#hasProgress = true;
    this.#shown = performance.now();
  }

  /** Removes the display of {@linkcode progress}. */
  clearProgress(): void {
    if (!this.#hasProgress) return;
    this.#hasProgress = false;
    writeAll(this.#remarks, encoder.encode("\r\x1b[K"));
  }
}

function joined(parts: readonly Uint8Array[]): readonly Uint8Array[] {
  if (parts.length < 2) return parts;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return [whole];
}
