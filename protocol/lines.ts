/**
 * Splits a byte stream into lines, the frames of the socket's protocol.
 * @module
 */
import { maxLineBytes, maxLineValues } from "./limits.ts";

const newline = 10;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const backslash = 0x5c;
const brace = 0x7b;

/** Bytes of a buffer for short lines. */
const firstBytes = 64 * 1024;

/** A stream of bytes; null is the end. */
export interface ByteStream {
  read(buffer: Uint8Array): Promise<number | null>;
}

/**
 * Yields the lines of a stream. Bytes after the last newline are dropped.
 * @throws {RangeError} if a line is longer than {@linkcode maxLineBytes}; at most that is buffered.
 * @throws {TypeError} if a line is not UTF-8.
 */
export async function* readLines(stream: ByteStream): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let buffer = new Uint8Array(firstBytes);
  /** Bytes of a line without its end, at the start of the buffer. */
  let held = 0;
  while (true) {
    if (held === buffer.length) {
      const larger = new Uint8Array(Math.min(2 * held, maxLineBytes + 1));
      larger.set(buffer);
      buffer = larger;
    }
    // deno-lint-ignore no-await-in-loop -- the next bytes exist only after these
    const count = await stream.read(buffer.subarray(held));
    if (count === null) return;
    const received = buffer.subarray(0, held + count);
    let start = 0;
    for (let end = received.indexOf(newline, held); end >= 0; end = received.indexOf(newline, start)) {
      requireShort(end - start);
      yield decoder.decode(received.subarray(start, end));
      start = end + 1;
    }
    const rest = received.subarray(start);
    held = rest.length;
    requireShort(held);
    if (start === 0) continue;
    // A larger buffer is kept while lines need it.
    if (buffer.length > firstBytes && received.length <= firstBytes) buffer = new Uint8Array(firstBytes);
    buffer.set(rest);
  }
}

/** Maximum length of a line that is parsed without counting its values. */
const shortLine = 64 * 1024;

/**
 * Returns whether a line has more values than any request needs. Parsing such a line would take up to a second, and
 * many times its length in memory.
 */
export function hasTooManyValues(line: string): boolean {
  if (line.length <= shortLine) return false;
  let values = 0;
  for (let index = 0; index < line.length && values <= maxLineValues; index++) {
    const character = line.charCodeAt(index);
    if (character === comma) values++;
    else if (character === colon || character === brace || character === bracket) values += 4;
    else if (character === quote) index = textEnd(line, index);
  }
  return values > maxLineValues;
}

/** Returns the index of the quote that ends the string begun at `start`, or the end of the line. */
function textEnd(line: string, start: number): number {
  let end = line.indexOf('"', start + 1);
  while (end > 0 && isEscaped(line, end, start)) end = line.indexOf('"', end + 1);
  return end < 0 ? line.length : end;
}

function isEscaped(line: string, position: number, start: number): boolean {
  let first = position;
  while (first - 1 > start && line.charCodeAt(first - 1) === backslash) first--;
  return (position - first) % 2 === 1;
}

function requireShort(length: number): void {
  if (length > maxLineBytes) throw new RangeError(`it sent a line of more than ${maxLineBytes} bytes`);
}
