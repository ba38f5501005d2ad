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
  const buffer = new Uint8Array(64 * 1024);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let held = 0;
  while (true) {
    // deno-lint-ignore no-await-in-loop -- the next bytes exist only after these
    const count = await stream.read(buffer);
    if (count === null) return;
    const received = buffer.subarray(0, count);
    let start = 0;
    for (let end = received.indexOf(newline); end >= 0; end = received.indexOf(newline, start)) {
      const tail = received.subarray(start, end);
      requireShort(held + tail.length);
      const line = held === 0 ? tail : joined([...parts, tail], held + tail.length);
      parts = [];
      held = 0;
      start = end + 1;
      yield decoder.decode(line);
    }
    if (start < count) {
      parts.push(received.slice(start));
      held += count - start;
      requireShort(held);
    }
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

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
