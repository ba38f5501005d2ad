// deno-lint-ignore-file no-await-in-loop -- lines are read and answered in order
/**
 * A socket that serves a `Connection`, for tests of the client: no paging, no cancelling, one line in, one line out.
 * @module
 */
import type { Connection } from "../../protocol/connection.ts";
import type { MethodName } from "../../protocol/methods.ts";
import { RpcError } from "../../protocol/messages.ts";

/** A server on a Unix socket for one test. */
export interface FakeServer extends AsyncDisposable {
  readonly path: string;
  /** Ends all connections and the server. */
  close(): Promise<void>;
}

/** Serves raw bytes: `answer` gets every received line and a function that sends bytes back. */
export function serveLines(
  path: string,
  answer: (line: string, send: (bytes: string | Uint8Array) => Promise<void>, end: () => void) => void | Promise<void>,
): FakeServer {
  const listener = Deno.listen({ transport: "unix", path });
  const open = new Set<Deno.UnixConn>();
  const tasks: Promise<void>[] = [];
  const serve = async (connection: Deno.UnixConn) => {
    const send = async (bytes: string | Uint8Array) => {
      const data = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
      for (let sent = 0; sent < data.length;) sent += await connection.write(data.subarray(sent));
    };
    const end = () => {
      if (open.delete(connection)) connection.close();
    };
    const buffer = new Uint8Array(65536);
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (let count = await connection.read(buffer); count !== null; count = await connection.read(buffer)) {
        const lines = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) await answer(line, send, end);
      }
    } catch {
      // The connection was closed by either side.
    }
    end();
  };
  const accept = async () => {
    try {
      for await (const connection of listener) {
        open.add(connection);
        tasks.push(serve(connection));
      }
    } catch {
      // The listener was closed.
    }
  };
  const accepting = accept();
  const close = async () => {
    listener.close();
    for (const connection of open) connection.close();
    open.clear();
    await accepting;
    await Promise.all(tasks);
    await Deno.remove(path).catch(() => undefined);
  };
  return { path, close, [Symbol.asyncDispose]: close };
}

/** Serves a `Connection`. */
export function serveConnection(path: string, connection: Connection): FakeServer {
  return serveLines(path, async (line, send) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    try {
      const result = await connection.call(method as MethodName, params);
      await send(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      await send(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }) + "\n");
    }
  });
}
