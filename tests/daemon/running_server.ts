/**
 * A server of the protocol on a socket of a test's own.
 * @module
 */
import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../daemon/server/server.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { connectSocket } from "../../protocol/client.ts";
import { installation, pakOf } from "../index/fixtures.ts";
import { serve, type Serving } from "../support/serving.ts";

/** A server, and its directory. */
export interface Running extends Serving {
  readonly path: string;
  /** Number of calls of `stop`. */
  stops(): number;
}

/** Files of the game next to `a.txt` and `loose.txt`. */
export const manyNames = Array.from({ length: 5000 }, (_, index) => `dir${index % 50}/file number ${index}.txt`);

/** A server on a socket of its own. */
export async function running(options: ServerOptions = {}): Promise<Running> {
  const root = await installation({ "id1/pak0.pak": pakOf("a.txt", ...manyNames), "id1/loose.txt": "loose" });
  let stopped = 0;
  const catalog = scanCatalog([{ sources: [root.path], name: "quake" }]);
  const serving = await serve(catalog, `${root.path}/run/pakfs.sock`, {
    server: options,
    host: { stop: () => stopped++ },
  });
  return {
    ...serving,
    path: root.path,
    stops: () => stopped,
    async [Symbol.asyncDispose](): Promise<void> {
      await serving[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Asserts that another client is answered. */
export async function assertAnswers(path: string): Promise<void> {
  await using connection = await connectSocket(path, { client: "test 1" });
  assertEquals((await connection.call("games", {})).rows.map((row) => row.game), ["quake"]);
}
