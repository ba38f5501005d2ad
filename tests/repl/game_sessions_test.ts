import { assertEquals } from "@std/assert";
import { listen } from "../../daemon/server/server.ts";
import { connectSocket } from "../../protocol/client.ts";
import { GameSessions } from "../../repl/command/game_sessions.ts";
import { Session } from "../../repl/command/session.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("calls of a game that hangs delay no call of another game, and no question of their own", async () => {
  await using directory = await temporaryDirectory();
  const socket = `${directory.path}/pakfs.sock`;
  const held = Promise.withResolvers<void>();
  await using server = await listen(socket);
  server.serve({
    call: async (method, params) => {
      if (method === "hello") return { protocol: 1, server: "pakfs", version: "0" };
      if (method === "read" && (params as { view: string }).view.startsWith("hung/")) await held.promise;
      return { method };
    },
  });
  await using session = new Session(() => connectSocket(socket, { client: "test 1" }));
  await using games = new GameSessions(session);
  const hung = games.call("read", { view: "hung/id1", qpath: "a" });
  const answers: unknown[] = await Promise.all([
    games.call("read", { view: "local/id1", qpath: "a" }),
    games.call("which", { view: "hung/id1", qpath: "a" }),
    games.call("views", {}),
  ]);
  assertEquals(answers, ["read", "which", "views"].map((method) => ({ method })));
  // Any number of names, even of unknown games, share a bounded number of connections.
  for (let game = 0; game < 40; game++) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await games.call("which", { view: `game${game}/id1`, qpath: "a" });
  }
  assertEquals(server.clients(), 33);
  held.resolve();
  await hung;
});
