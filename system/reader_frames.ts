/**
 * Messages between a process that reads files and the one that has started it: values as structured clones, each after
 * its length. Shared memory arrives as a copy that is not shared.
 * @module
 */

import type { ReaderCall } from "./remote_file_systems.ts";

/** Bytes of a length. */
const lengthBytes = 4;

/** An order for the module of a reader. */
export interface OrderFrame {
  readonly order: unknown;
}

/** A message of a reader. */
export type ReaderFrame =
  | { readonly type: "progress"; readonly progress: unknown }
  | { readonly type: "answer"; readonly answer: unknown }
  | { readonly type: "failure"; readonly message: string }
  /** Calls on files that take long, others than before. */
  | { readonly type: "calls"; readonly calls: readonly ReaderCall[] };

function v8(): typeof import("node:v8") {
  // deno-lint-ignore no-process-global -- importing it would load it in programs that start no reader
  return process.getBuiltinModule("node:v8");
}

/** Returns the bytes of a frame. */
export function encodeFrame(frame: OrderFrame | ReaderFrame): Uint8Array<ArrayBuffer>[] {
  const body = new Uint8Array(v8().serialize(frame));
  const head = new Uint8Array(lengthBytes);
  new DataView(head.buffer).setUint32(0, body.length);
  return [head, body];
}

/** Yields frames until the stream ends. */
export async function* readFrames(stream: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<unknown> {
  const parts: Uint8Array[] = [];
  let count = 0;
  const take = (length: number) => {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const [first = new Uint8Array(0)] = parts;
      const piece = first.subarray(0, length - done);
      bytes.set(piece, done);
      done += piece.length;
      if (piece.length === first.length) parts.shift();
      else parts[0] = first.subarray(piece.length);
    }
    count -= length;
    return bytes;
  };
  let expected: number | undefined;
  for (;;) {
    // deno-lint-ignore no-await-in-loop -- one part after the other
    const { value: part } = await stream.read();
    if (!part) return;
    parts.push(part);
    count += part.length;
    for (;;) {
      if (expected === undefined && count >= lengthBytes) {
        expected = new DataView(take(lengthBytes).buffer).getUint32(0);
      }
      if (expected === undefined || count < expected) break;
      yield v8().deserialize(take(expected));
      expected = undefined;
    }
  }
}
