/**
 * Lines out of a byte stream, as the socket's protocol frames its messages.
 * @module
 */
import { lineLimit } from "./protocol.ts";

const newline = 10;

/** Something bytes can be read from; null is the end. */
export interface ByteStream {
  read(buffer: Uint8Array): Promise<number | null>;
}

/**
 * The lines of a stream, however the stream cuts them. What follows the last newline is dropped.
 * @throws {RangeError} if a line is longer than {@linkcode lineLimit}; no more than that is ever kept.
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

function requireShort(length: number): void {
  if (length > lineLimit) throw new RangeError(`it sent a line of more than ${lineLimit} bytes`);
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
