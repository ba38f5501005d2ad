/**
 * Records calls on files before they are made, in memory that another thread reads to find calls that do not return.
 * @module
 */

/** Maximum number of threads that note their calls in one memory. */
const maxThreads = 4;
/** Maximum length of a path in Linux; bytes. */
const maxPath = 4096;
/** Number of calls that have begun or returned, odd while one is under way; then the length of its path. */
const headBytes = 8;
const threadBytes = headBytes + maxPath;

const pathCalls = ["lstatSync", "readDirSync", "readFileSync", "readLinkSync", "readTextFileSync", "realPathSync"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A call that has not returned. */
export interface CallUnderWay {
  /** The same number at the next look: it is the same call. */
  readonly id: string;
  readonly path: string;
}

/** Memory in which this thread notes its calls. */
let own: SharedArrayBuffer | undefined;

/** Returns memory for the calls of a few threads. */
export function createCallMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(maxThreads * threadBytes);
}

/** Returns the memory in which this thread notes its calls, if it does. */
export function ownCallMemory(): SharedArrayBuffer | undefined {
  return own;
}

/** Notes all synchronous calls of this thread on files from now on, through Deno and Node. */
export function noteCalls(memory: SharedArrayBuffer, thread: number): void {
  own = memory;
  const [head, bytes] = partsOf(memory, thread);
  const paths = new Map<unknown, string>();
  const note = (target: object, name: string, pathOf: (parameter: unknown) => string) => {
    const call: unknown = Reflect.get(target, name);
    if (typeof call !== "function") throw new TypeError(`Cannot note calls of ${name}: it is not a function`);
    Reflect.set(target, name, (...parameters: unknown[]) => {
      const path = pathOf(parameters[0]);
      Atomics.store(head, 1, encoder.encodeInto(path, bytes).written);
      Atomics.add(head, 0, 1);
      try {
        const result: unknown = Reflect.apply(call, target, parameters);
        if (name === "openSync") paths.set(result, path);
        return result;
      } finally {
        Atomics.add(head, 0, 1);
      }
    });
  };
  for (const name of [...pathCalls, "statSync", "openSync"]) note(Deno, name, String);
  // deno-lint-ignore no-process-global -- importing it would load it in every thread that may note calls
  const fs = process.getBuiltinModule("node:fs");
  for (const name of ["statSync", "openSync"]) note(fs, name, String);
  for (const name of ["fstatSync", "readSync", "closeSync"]) note(fs, name, (file) => paths.get(file) ?? "");
}

/** Returns the calls that are under way. */
export function callsUnderWay(memory: SharedArrayBuffer): CallUnderWay[] {
  return Array.from({ length: maxThreads }).flatMap((_, thread) => {
    const [head, bytes] = partsOf(memory, thread);
    const count = Atomics.load(head, 0);
    if (count % 2 === 0) return [];
    const path = decoder.decode(bytes.slice(0, Atomics.load(head, 1)));
    // Another call has begun meanwhile, so this one has returned.
    return Atomics.load(head, 0) === count ? [{ id: `${thread} ${count}`, path }] : [];
  });
}

function partsOf(memory: SharedArrayBuffer, thread: number): [head: Int32Array, bytes: Uint8Array] {
  const offset = thread * threadBytes;
  return [new Int32Array(memory, offset, 2), new Uint8Array(memory, offset + headBytes, maxPath)];
}
