/**
 * Makes one call on a file, as each reader of the product makes it: through Deno, Node or the C library. Runs as a
 * thread and as a process, which both record the call.
 * @module
 */
import process from "node:process";
import { FileCalls } from "../../system/file_calls.ts";
import { noteCalls as noteAllCalls } from "../../system/call_watch.ts";

/** A call to make; its paths are files, but a directory for `readdir`. */
export interface CallOrder {
  readonly call: "open" | "stat" | "readdir" | "read";
  readonly through: "Deno" | "Node" | "C";
  readonly path: string;
}

const files = new FileCalls();
const fs = process.getBuiltinModule("node:fs");

/** Records calls of this thread, including calls of the C library. */
export function noteCalls(memory: SharedArrayBuffer, thread: number): void {
  noteAllCalls(memory, thread, files);
}

/** Makes a call; returns its result. */
export function answer({ call, through, path }: CallOrder): string {
  if (through === "Deno") {
    if (call === "stat") return String(Deno.statSync(path).isFile);
    return call === "readdir"
      ? Array.from(Deno.readDirSync(path), ({ name }) => name).sort().join()
      : Deno.readTextFileSync(path);
  }
  const bytes = new Uint8Array(100);
  if (through === "Node") {
    if (call === "stat") return String(fs.statSync(path).isFile());
    const file = fs.openSync(path, "r");
    const count = fs.readSync(file, bytes, 0, bytes.length, 0);
    fs.closeSync(file);
    return new TextDecoder().decode(bytes.subarray(0, count));
  }
  if (call === "stat") return String(files.look(path)?.isFile);
  const file = files.openForReading(path);
  if (file < 0) throw new Error(`errno ${-file}`);
  const count = files.readAt(file, bytes, 0);
  files.close(file);
  if (count < 0) throw new Error(`errno ${-count}`);
  return new TextDecoder().decode(bytes.subarray(0, count));
}
