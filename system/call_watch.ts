/**
 * Records calls on files before they are made, in memory that another thread reads to find calls that do not return.
 * @module
 */
import type { FileCalls } from "./file_calls.ts";

/** Maximum number of threads that record their calls in one memory. */
const maxThreads = 5;
/** Maximum length of a path in Linux; bytes. */
const maxPath = 4096;
/** Bytes that one call reads: each part that comes shows that the file system answers, however slowly. */
const maxPart = 1024 * 1024;
/** Number of calls that have begun or returned, odd while one is running; then the length of its path. */
const headBytes = 8;
const threadBytes = headBytes + maxPath;

const pathCalls = ["lstatSync", "readDirSync", "readFileSync", "readLinkSync", "readTextFileSync", "realPathSync"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A call that has not returned. */
export interface CallUnderWay {
  /** Number of the call; equal at the next check if it is the same call. */
  readonly id: string;
  /** Empty if it is unknown. */
  readonly path: string;
}

/** Memory in which this thread notes its calls, and whether it makes one. */
let own: {
  readonly memory: SharedArrayBuffer;
  readonly head: Int32Array;
  readonly bytes: Uint8Array;
  isCalling: boolean;
} | undefined;

/** Returns memory for the calls of a few threads. */
export function createCallMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(maxThreads * threadBytes);
}

/** Returns the memory in which this thread records its calls, if any. */
export function ownCallMemory(): SharedArrayBuffer | undefined {
  return own?.memory;
}

/** Notes the begin of a call; false within another, as Node makes some of its calls through Deno. */
function begin(path: string): boolean {
  if (!own || own.isCalling) return false;
  own.isCalling = true;
  const { head, bytes } = own;
  Atomics.store(head, 1, encoder.encodeInto(path, bytes).written);
  Atomics.add(head, 0, 1);
  return true;
}

function end(): void {
  if (!own) return;
  own.isCalling = false;
  Atomics.add(own.head, 0, 1);
}

/** Does work on files that is not one call, and notes it as one if this thread notes its calls. */
export async function noteWork<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const isNoted = begin(path);
  try {
    return await work();
  } finally {
    if (isNoted) end();
  }
}

/**
 * Notes all synchronous calls of this thread on files from now on: through Deno and Node, and through `files`.
 * @param thread Number of the thread among those that note their calls in the memory.
 */
export function noteCalls(memory: SharedArrayBuffer, thread: number, files?: FileCalls): void {
  const [head, bytes] = partsOf(memory, thread);
  own = { memory, head, bytes, isCalling: false };
  const paths = new Map<unknown, string>();
  const opened = (file: unknown) => paths.get(file) ?? "";
  const below = (directory: unknown, name: unknown) => `${opened(directory)}/${name}`;
  const note = (target: object, name: string, pathOf: (...parameters: unknown[]) => string) => {
    const call: unknown = Reflect.get(target, name);
    if (typeof call !== "function") throw new TypeError(`Cannot note calls of ${name}: it is not a function`);
    Reflect.set(target, name, (...parameters: unknown[]) => {
      const path = pathOf(...parameters);
      if (!begin(path)) return Reflect.apply(call, target, parameters);
      if (name === "readSync") parameters[3] = Math.min(Number(parameters[3]), maxPart);
      if (name === "readAt") parameters[1] = (parameters[1] as Uint8Array).subarray(0, maxPart);
      try {
        const result: unknown = Reflect.apply(call, target, parameters);
        if (typeof result === "number" && name.startsWith("open")) paths.set(result, path);
        if (name.startsWith("close")) paths.delete(parameters[0]);
        return result;
      } finally {
        end();
      }
    });
  };
  for (const name of [...pathCalls, "statSync", "openSync"]) note(Deno, name, String);
  // deno-lint-ignore no-process-global -- importing it would load it in every thread that may note calls
  const fs = process.getBuiltinModule("node:fs");
  for (const name of ["statSync", "openSync"]) note(fs, name, String);
  for (const name of ["fstatSync", "readSync", "closeSync"]) note(fs, name, opened);
  if (!files) return;
  for (const name of ["openForReading", "look"]) note(files, name, String);
  for (const name of ["openBelow", "inodeBelow"]) note(files, name, below);
  for (const name of ["information", "readAt", "close"]) note(files, name, opened);
}

/** Returns the calls in progress. */
export function callsUnderWay(memory: SharedArrayBuffer): CallUnderWay[] {
  return Array.from({ length: maxThreads }).flatMap((_, thread) => {
    const [head, bytes] = partsOf(memory, thread);
    const count = Atomics.load(head, 0);
    if (count % 2 === 0) return [];
    const path = decoder.decode(bytes.slice(0, Atomics.load(head, 1)));
    // Another call has begun, so this one has returned.
    return Atomics.load(head, 0) === count ? [{ id: `${thread} ${count}`, path }] : [];
  });
}

function partsOf(memory: SharedArrayBuffer, thread: number): [head: Int32Array, bytes: Uint8Array] {
  const offset = thread * threadBytes;
  return [new Int32Array(memory, offset, 2), new Uint8Array(memory, offset + headBytes, maxPath)];
}
