/**
 * Destinations of bytes.
 * @module
 */
/** Destination of bytes: standard output, standard error, a file, another program, or a test's memory. */
export interface Sink {
  /** Whether it is a terminal. */
  readonly terminal: boolean;
  /** Returns the width in columns, for terminals. */
  columns(): number;
  /** Returns the height in lines, for terminals. */
  rows(): number;
  /**
   * Writes the beginning of `bytes`.
   * @returns Number of bytes written.
   */
  write(bytes: Uint8Array): number;
  /** Settles when the reader has accepted the written bytes, for sinks that buffer them until then. */
  drained?(): Promise<void>;
  /** Closes a file that the user specified. */
  close?(): void;
}

/** The reader of the output has closed it (`pakfs find '*' | head -1`). Ends the program quietly. */
export class BrokenPipeError extends Error {
  override readonly name = "BrokenPipeError";
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Writes all of `bytes`.
 * @throws {BrokenPipeError} if the reader has closed its end.
 */
export function writeAll(sink: Sink, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    try {
      written += sink.write(bytes.subarray(written));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) {
        throw new BrokenPipeError("the output was closed by its reader", { cause: error });
      }
      // Another program on the same terminal may have made it non-blocking.
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      pause(5);
    }
  }
}

/** Returns the size of the terminal, or a common size without a terminal. */
function terminalSize(): { columns: number; rows: number } {
  const isOnTerminal = [Deno.stdin, Deno.stdout, Deno.stderr].some((stream) => stream.isTerminal());
  try {
    // Creating an error would take long.
    if (isOnTerminal) return Deno.consoleSize();
  } catch {
    // As without a terminal.
  }
  return { columns: 80, rows: 24 };
}

/** Returns standard output or standard error as a {@linkcode Sink}. */
export function standardSink(stream: typeof Deno.stdout | typeof Deno.stderr): Sink {
  return {
    terminal: stream.isTerminal(),
    columns: () => terminalSize().columns,
    rows: () => terminalSize().rows,
    write: (bytes) => stream.writeSync(bytes),
  };
}
