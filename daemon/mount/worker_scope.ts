/**
 * The global object of a Worker, typed by what is sent and received.
 * @module
 */

/** A Worker's own end of its channel. */
export interface WorkerScope<Incoming, Outgoing> {
  onmessage: ((event: MessageEvent<Incoming>) => void) | null;
  postMessage(message: Outgoing): void;
  close(): void;
}

/** The scope of the Worker this runs in. Deno's types speak of the main thread, hence the change of type here. */
export function workerScope<Incoming, Outgoing>(): WorkerScope<Incoming, Outgoing> {
  return globalThis as unknown as WorkerScope<Incoming, Outgoing>;
}
