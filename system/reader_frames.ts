/**
 * Messages between a process that reads files and the one that has started it: values as structured clones, each after
 * its length. Shared memory arrives as a copy that is not shared, but for the columns of an order or answer: they follow
 * it in parts, so that neither process holds more than one copy of them. Deno 2.9 holds each value that it deserializes
 * until garbage has been collected twice, so large answers are columns too.
 * @module
 */

import type { ReaderCall } from "./remote_file_systems.ts";

/** Bytes of a length. */
const lengthBytes = 4;

/** Bytes of columns that are sent at once. */
const partBytes = 1024 * 1024;

/** Types of columns. */
const columnTypes = { Uint8Array, Uint32Array, Float64Array } as const;

/** A column: {@linkcode Columns}. */
type Column = InstanceType<typeof columnTypes[keyof typeof columnTypes]>;

/** Typed arrays of an order or answer by name, which arrive in shared memory. */
export type Columns = Readonly<Record<string, Column>>;

/** An order for the module of a reader. If it has `columns`, they are {@linkcode Columns}. */
export interface OrderFrame {
  readonly order: unknown;
}

/** An order or answer without its columns. */
interface Detached {
  readonly frame: Readonly<Record<string, unknown>>;
  readonly key: "order" | "answer";
  readonly columns: readonly { readonly name: string; readonly type: string; readonly byteLength: number }[];
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

/** Yields the bytes of a frame, in parts. */
export function* encodeFrame(frame: OrderFrame | ReaderFrame): Generator<Uint8Array<ArrayBuffer>> {
  const key = "order" in frame ? "order" : "answer";
  const content = Object.getOwnPropertyDescriptor(frame, key)?.value;
  if (!hasColumns(content)) {
    yield* encodeValue(frame);
    return;
  }
  const { columns, ...rest } = content;
  const list = Object.entries(columns).map(([name, { constructor: { name: type }, byteLength }]) => (
    { name, type, byteLength }
  ));
  yield* encodeValue({ frame: { ...frame, [key]: rest }, key, columns: list } satisfies Detached);
  for (const { buffer, byteOffset, byteLength } of Object.values(columns)) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (let start = 0; start < byteLength; start += partBytes) yield bytes.slice(start, start + partBytes);
  }
}

function hasColumns(content: unknown): content is { readonly columns: Columns } {
  return typeof content === "object" && content !== null && "columns" in content && !Array.isArray(content.columns);
}

function encodeValue(value: unknown): Uint8Array<ArrayBuffer>[] {
  const body = new Uint8Array(v8().serialize(value));
  const head = new Uint8Array(lengthBytes);
  new DataView(head.buffer).setUint32(0, body.length);
  return [head, body];
}

/** Yields frames until the stream ends. */
export async function* readFrames(stream: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<unknown> {
  let rest: Uint8Array = new Uint8Array(0);
  /** Fills an array from the stream; returns false if that ends before. */
  const fill = async (target: Uint8Array) => {
    for (let done = 0; done < target.length;) {
      if (rest.length === 0) {
        // deno-lint-ignore no-await-in-loop -- a stream is read in its order
        const { value } = await stream.read();
        if (!value) return false;
        rest = value;
      }
      const piece = rest.subarray(0, target.length - done);
      target.set(piece, done);
      done += piece.length;
      rest = rest.subarray(piece.length);
    }
    return true;
  };
  const head = new Uint8Array(lengthBytes);
  // deno-lint-ignore no-await-in-loop -- a frame begins after the one before it
  while (await fill(head)) {
    const body = new Uint8Array(new DataView(head.buffer).getUint32(0));
    // deno-lint-ignore no-await-in-loop -- the body follows its length
    if (!await fill(body)) return;
    const frame: unknown = v8().deserialize(body);
    if (!isDetached(frame)) {
      yield frame;
      continue;
    }
    const columns: Record<string, Column> = {};
    for (const { name, type, byteLength } of frame.columns) {
      const Type = columnTypes[type as keyof typeof columnTypes] as new (buffer: SharedArrayBuffer) => Column;
      const buffer = new SharedArrayBuffer(byteLength);
      // deno-lint-ignore no-await-in-loop -- columns follow one another
      if (!await fill(new Uint8Array(buffer))) return;
      columns[name] = new Type(buffer);
    }
    yield { ...frame.frame, [frame.key]: { ...frame.frame[frame.key] as object, columns } };
  }
}

function isDetached(frame: unknown): frame is Detached {
  return typeof frame === "object" && frame !== null && "columns" in frame;
}
