import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConnectionLostError, connectSocket } from "../../daemon/client.ts";
import { errorCodes, lineLimit, RpcError, type RpcResponse } from "../../daemon/protocol.ts";
import { listen, type Server, SocketError } from "../../daemon/server.ts";
import { Service } from "../../daemon/service.ts";
import { scanGames } from "../../index/scanner.ts";
import { installation, pakOf } from "../index/fixtures.ts";

interface Running extends AsyncDisposable {
  readonly path: string;
  readonly socket: string;
  readonly server: Server;
  /** How often `stop` was called. */
  stops(): number;
}

const manyNames = Array.from({ length: 5000 }, (_, index) => `dir${index % 50}/file number ${index}.txt`);

/** A server on a socket of its own. */
async function running(): Promise<Running> {
  const root = await installation({ "id1/pak0.pak": pakOf("a.txt", ...manyNames), "id1/loose.txt": "loose" });
  const socket = `${root.path}/run/pakfs.sock`;
  const server = await listen(socket);
  let stopped = 0;
  const service = new Service({
    catalog: scanGames([{ sources: [root.path], name: "quake" }]),
    mountPoint: null,
    socket,
    clients: () => server.clients(),
    problems: () => [],
    counters: () => ({}),
    stop: () => stopped++,
  });
  server.serve(service);
  return {
    path: root.path,
    socket,
    server,
    stops: () => stopped,
    async [Symbol.asyncDispose](): Promise<void> {
      await server.close();
      await service[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** A client that sends whatever it likes. */
class RawClient implements Disposable {
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
      // deno-lint-ignore no-await-in-loop -- one write after the other
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
      // deno-lint-ignore no-await-in-loop -- the next bytes come after these
      const length = await this.#socket.read(buffer);
      if (length === null) throw new Error(`the connection ended after ${found.length} answers: ${this.#rest}`);
      this.#rest += decoder.decode(buffer.subarray(0, length), { stream: true });
    }
    return found;
  }

  /** Waits for the connection to end. */
  async end(): Promise<void> {
    const buffer = new Uint8Array(65536);
    // deno-lint-ignore no-await-in-loop -- until there is no more
    while (await this.#socket.read(buffer).catch(() => null) !== null);
  }

  closeWrite(): Promise<void> {
    return this.#socket.closeWrite();
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

const hello = `{"jsonrpc":"2.0","id":"hello","method":"hello","params":{"protocol":[1,1],"client":"raw"}}\n`;

function request(id: number | string, method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n";
}

function codes(answers: readonly RpcResponse[]): [unknown, number | "result"][] {
  return answers.map((answer) => [answer.id, "error" in answer ? answer.error.code : "result"]);
}

/** Another client is answered. */
async function assertAnswers(path: string): Promise<void> {
  await using connection = await connectSocket(path, { client: "test 1" });
  assertEquals((await connection.call("games", {})).rows.map((row) => row.game), ["quake"]);
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 3000 && !condition(); attempt++) {
    // deno-lint-ignore no-await-in-loop -- waiting is the point
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert(condition());
}

Deno.test("a client that asks 500 times and never reads blocks nobody and is let go", async () => {
  await using daemon = await running();
  const client = await RawClient.connect(daemon.socket);
  const flood = hello +
    Array.from({ length: 500 }, (_, id) => request(id, "find", { patterns: ["*"], limit: 5000 })).join("");
  const sending = client.send(flood).catch(() => {});
  await until(() => daemon.server.clients() === 1);
  for (let round = 0; round < 5; round++) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const t=performance.now(); await assertAnswers(daemon.socket); console.log('answer', performance.now()-t);
  }
  const t1=performance.now(); client[Symbol.dispose]();
  await sending; console.log('sent', performance.now()-t1);
  await until(() => daemon.server.clients() === 0); console.log('gone', performance.now()-t1);
  await assertAnswers(daemon.socket);
});

