/**
 * One index, queried in this process and over a socket: both must give the same answers.
 * @module
 */
import { assertEquals } from "@std/assert";
import { connectSocket } from "../../protocol/client.ts";
import { openLocalGames } from "../../service/local.ts";
import { type Connection, pages } from "../../protocol/connection.ts";
import type { MethodName, PagedMethod, ParamsOf, ResultOf, RowOf } from "../../protocol/methods.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { scanCatalog } from "./catalogs.ts";
import { type Files, installation } from "../index/fixtures.ts";
import { serve } from "./serving.ts";

/** An installation, and connections to two indexes of it. */
export interface BothConnections extends AsyncDisposable {
  /** Directory of the installation. */
  readonly path: string;
  /** The connection in this process. */
  readonly connection: Connection;
  /** Sends a request over both; the paths in the answer are relative to the installation. */
  call<M extends MethodName>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>>;
  /** Requests all pages of rows from both. */
  rows<M extends PagedMethod>(method: M, params: ParamsOf<M>): Promise<RowOf<M>[]>;
}

/** Writes `files`, and indexes the games that `games` makes of their directory. */
export async function bothConnections(
  files: Files,
  games: (root: string) => readonly GameOptions[],
): Promise<BothConnections> {
  const root = await installation(files);
  const socket = `${root.path}/run/pakfs.sock`;
  const local = await openLocalGames(games(root.path));
  const serving = await serve(scanCatalog(games(root.path)), socket);
  const remote = await connectSocket(socket, { client: "test" });
  return {
    path: root.path,
    connection: local,
    async call<M extends MethodName>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
      const [one, two] = await Promise.all([local.call(method, params), remote.call(method, params)]);
      assertEquals(two, one, `${method} over the socket`);
      return JSON.parse(JSON.stringify(one).replaceAll(`${root.path}/`, ""));
    },
    async rows<M extends PagedMethod>(method: M, params: ParamsOf<M>): Promise<RowOf<M>[]> {
      const [one, two] = await Promise.all(
        [local, remote].map((connection) => Array.fromAsync(pages(connection, method, params))),
      );
      assertEquals(two, one, `${method} over the socket`);
      return JSON.parse(JSON.stringify(one).replaceAll(`${root.path}/`, ""));
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await remote.close();
      await serving[Symbol.asyncDispose]();
      await local.close();
      await root[Symbol.asyncDispose]();
    },
  };
}
