/**
 * Captures messages of libfuse and `fusermount3`: they print them on standard error, which the caller may not see.
 * @module
 */
import { type SystemLibrary, toCString } from "./raw/library.ts";

const STDERR = 2;
const MFD_CLOEXEC = 1;
const F_DUPFD_CLOEXEC = 1030;

/** First words of lines by libfuse, `fusermount3` and the programs that they call. */
const spoken = /^(fuse\w*|mount)\b[: ]/;

/** Result of an action, and the messages that libfuse printed meanwhile. */
export interface Heard<Result> {
  readonly result: Result;
  /** Lines joined to one, such as `fusermount3: user has no write access to mountpoint /`; may be empty. */
  readonly reason: string;
}

/**
 * Runs an action while standard error is a file in memory, for this whole process. Other output reaches standard error
 * afterwards.
 */
export function hearing<Result>(system: SystemLibrary, action: () => Result): Heard<Result> {
  const { memfd_create, fcntl, dup2, close } = system.symbols;
  const file = memfd_create(toCString("standard error"), MFD_CLOEXEC);
  const saved = file < 0 ? -1 : fcntl(STDERR, F_DUPFD_CLOEXEC, 3);
  if (saved < 0) {
    if (file >= 0) close(file);
    return { result: action(), reason: "" };
  }
  dup2(file, STDERR);
  try {
    const result = action();
    dup2(saved, STDERR);
    const lines = textOf(system, file).split("\n").filter((line) => line !== "");
    const others = lines.filter((line) => !spoken.test(line));
    if (others.length > 0) Deno.stderr.writeSync(new TextEncoder().encode(`${others.join("\n")}\n`));
    return { result, reason: lines.filter((line) => spoken.test(line)).join("; ") };
  } finally {
    dup2(saved, STDERR);
    close(saved);
    close(file);
  }
}

const LONGEST_TEXT = 64 * 1024;

function textOf(system: SystemLibrary, file: number): string {
  const bytes = new Uint8Array(LONGEST_TEXT);
  const count = Number(system.symbols.pread(file, bytes, BigInt(bytes.length), 0n));
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, count)));
}
