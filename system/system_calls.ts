/**
 * All system calls of a daemon's main thread.
 * @module
 */
import { FileCalls } from "./file_calls.ts";
import { ProcessCalls } from "./process_calls.ts";
import { UnixSockets } from "./unix_sockets.ts";

/** System calls by subject. */
export class SystemCalls implements Disposable {
  readonly files: FileCalls = new FileCalls();
  readonly process: ProcessCalls = new ProcessCalls();
  readonly sockets: UnixSockets = new UnixSockets();

  [Symbol.dispose](): void {
    this.files[Symbol.dispose]();
    this.process[Symbol.dispose]();
    this.sockets[Symbol.dispose]();
  }
}
