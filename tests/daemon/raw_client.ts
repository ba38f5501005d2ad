// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * A client independent of the product: it sends any bytes, and reads the replies.
 * @module
 */
import { assert } from "@std/assert";
import type { RpcResponse } from "../../protocol/messages.ts";

/** A client that sends any bytes. */
export class RawClient implements Disposable {
  readonly #socket: Deno.UnixConn;
  #rest = "";

  constructor(socket: Deno.UnixConn) {
    this.#socket = socket;
  }

  static async connect(path: string): Promise<RawClient> {
    return new RawClient(await Deno.connect({ transport: "unix", path }));
  }

  async send(bytes: string | Uint8Array): Promise<void> {
    const data = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    for (let sent = 0; sent < data.length;) {
      sent += await this.#socket.write(data.subarray(sent));
    }
  }

  /** The next `count` answers, in the order they come. */
  async answers(count: number): Promise<RpcResponse[]> {
    const found: RpcResponse[] = [];
    const buffer = new Uint8Array(65536);
    const decoder = new TextDecoder();
    while (found.length < count) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        found.push(JSON.parse(this.#rest.slice(0, end)));
        this.#rest = this.#rest.slice(end + 1);
        continue;
      }
      const length = await this.#socket.read(buffer);
      if (length === null) throw new Error(`the connection ended after ${found.length} answers: ${this.#rest}`);
      this.#rest += decoder.decode(buffer.subarray(0, length), { stream: true });
    }
    return found;
  }

  /** Waits for the connection to end. */
  async end(): Promise<void> {
    const buffer = new Uint8Array(65536);
    while (await this.#socket.read(buffer).catch(() => null) !== null);
  }

  closeWrite(): Promise<void> {
    return this.#socket.closeWrite();
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

/** A greeting. */
export const hello = `{"jsonrpc":"2.0","id":"hello","method":"hello","params":{"protocol":[1,1],"client":"raw"}}\n`;

/** The line of a request. */
export function request(id: number | string, method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
}

/** Id of each answer, and the code of its error or "result". */
export function codes(answers: readonly RpcResponse[]): [unknown, number | "result"][] {
  return answers.map((answer) => [answer.id, "error" in answer ? answer.error.code : "result"]);
}

/** Waits for a condition; fails after minutes. */
export async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 30_000 && !condition(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert(condition());
}
