import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { listen, SocketError } from "../../daemon/server/server.ts";
import { connectSocket } from "../../protocol/client.ts";
import { DaemonUnreachableError } from "../../protocol/unix_socket.ts";
import { UnixSockets } from "../../system/unix_sockets.ts";
import { installation } from "../index/fixtures.ts";
import { HandClock } from "../support/hand_clock.ts";
import { needs } from "../support/programs.ts";
import { leaveSocket } from "../support/stale_socket.ts";
import { hello, RawClient, until } from "./raw_client.ts";

import { assertAnswers, running } from "./running_server.ts";

Deno.test("the socket is for its owner alone", async () => {
  await using daemon = await running();
  assertEquals(((await Deno.stat(daemon.socket)).mode ?? 0) & 0o7777, 0o600);
  assertEquals(((await Deno.stat(`${daemon.path}/run`)).mode ?? 0) & 0o7777, 0o700);
});

Deno.test("the socket of a dead daemon is replaced, a living daemon's is not", async () => {
  await using daemon = await running();
  const error = await assertRejects(() => listen(daemon.socket), SocketError);
  assertEquals([error.isTaken, error.message], [
    true,
    `${daemon.socket}: another daemon answers there; stop it with "pakfs stop", or choose another --socket`,
  ]);
  await assertAnswers(daemon.socket);
  const stale = `${daemon.path}/run/stale.sock`;
  await leaveSocket(stale);
  const server = await listen(stale);
  await server.close();
  assertEquals(await Deno.lstat(stale).then(() => true, () => false), false);
});

Deno.test("the socket of a daemon that has no room for another client is not replaced", needs("python3"), async () => {
  await using root = await installation({});
  const path = `${root.path}/pakfs.sock`;
  const script = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.bind(sys.argv[1])\ns.listen(0)\n" +
    "c = socket.socket(socket.AF_UNIX)\nc.connect(sys.argv[1])\nprint(flush=True)\nsys.stdin.read()";
  const full = new Deno.Command("python3", { args: ["-c", script, path], stdin: "piped", stdout: "piped" }).spawn();
  const output = full.stdout.getReader();
  try {
    await output.read();
    const { ino } = await Deno.lstat(path);
    const error = await assertRejects(() => listen(path), SocketError);
    assertEquals([error.isTaken, (await Deno.lstat(path)).ino], [true, ino]);
    await assertRejects(() => connectSocket(path, { client: "test" }), DaemonUnreachableError, "it did not answer: ");
  } finally {
    await full.stdin.close();
    await output.cancel();
    await full.status;
  }
});

Deno.test("of several daemons that find the socket of a dead one at the same time, one takes its place", async () => {
  await using root = await installation({});
  const path = `${root.path}/pakfs.sock`;
  const script = `Deno.listen({ transport: "unix", path: "${path}" }); Deno.exit(0);`;
  await new Deno.Command(Deno.execPath(), { args: ["eval", script] }).output();
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => listen(path)));
  const servers = outcomes.flatMap((outcome) => outcome.status === "fulfilled" ? [outcome.value] : []);
  const refusals = outcomes.flatMap((outcome) => outcome.status === "rejected" ? [outcome.reason] : []);
  try {
    assertEquals(
      [servers.length, refusals.filter((reason) => reason instanceof SocketError && reason.isTaken).length],
      [
        1,
        7,
      ],
    );
  } finally {
    for (const server of servers) {
      // deno-lint-ignore no-await-in-loop -- one after another
      await server.close();
    }
  }
});

Deno.test("what is in the way is left alone and named", async () => {
  await using root = await installation({ "file": "x", "directory/": "" });
  for (
    const [name, message] of [
      ["file", /file: exists and is not a socket; remove it/],
      ["directory", /directory: exists and is not a socket; remove it/],
      ["file/pakfs.sock", /\/file: cannot hold the socket: /],
      [`${"x".repeat(120)}.sock`, /x\.sock: cannot create the socket: /],
      [`${"x".repeat(300)}.sock`, /x\.sock: cannot create the socket: /],
    ] as const
  ) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    const error = await assertRejects(() => listen(`${root.path}/${name}`), SocketError);
    assertMatch(error.message, message);
    assertEquals(error.isTaken, false);
  }
  assertEquals(await Deno.readTextFile(`${root.path}/file`), "x");
});

/** Connects as another user, asks the daemon to stop, and prints the length of the answer. */
const stranger = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
if sys.argv[2] != "0": os.setuid(int(sys.argv[2]))
s.connect(sys.argv[1])
print("connected", flush=True)
try:
    s.sendall(sys.argv[3].encode())
    print(len(s.recv(65536)))
except OSError:
    print(0)
`;

Deno.test({
  name: "programs of other users are not answered, even if the socket's modes let them in",
  ...needs("python3", "root"),
  fn: async () => {
    using sockets = new UnixSockets();
    const clock = new HandClock();
    await using here = await running({ clock, refuseStrangers: (path) => sockets.refuseStrangers(path) });
    await Deno.chmod(here.path, 0o711);
    await Deno.chmod(`${here.path}/run`, 0o711);
    await Deno.chmod(here.socket, 0o666);
    using own = await RawClient.connect(here.socket);
    await own.send(hello);
    await own.answers(1);
    const lines = `${hello}{"jsonrpc":"2.0","id":2,"method":"stop","params":{}}\n`;
    const ask = async (user: string) => {
      const options: Deno.CommandOptions = { args: ["-c", stranger, here.socket, user, lines], stdout: "piped" };
      await using program = new Deno.Command("python3", options).spawn();
      let output = "";
      const reading = (async () => {
        for await (const piece of program.stdout.pipeThrough(new TextDecoderStream())) output += piece;
      })();
      await until(() => output.startsWith("connected\n"));
      await until(() => {
        clock.advance(10);
        return /\n\d+\n/.test(output);
      });
      await reading;
      return Number(output.split("\n")[1]);
    };
    // Both clients connect right after the first check, so they are checked together.
    using neighbour = await RawClient.connect(here.socket);
    await neighbour.send(hello);
    assertEquals(await ask("65534"), 0);
    assertEquals((await neighbour.answers(1)).length, 1, "one that is checked with a stranger is answered");
    assertEquals([here.server.calls(), here.stops()], [2, 0], "the greetings of the two, and nothing of the stranger");
    assert(await ask("0") > 0);
    assertEquals(here.stops(), 1);
    await own.send('{"jsonrpc":"2.0","id":2,"method":"status","params":{}}\n');
    assertEquals((await own.answers(1)).length, 1, "who was there before is not harmed");
  },
});

Deno.test("a directory that others may write to is refused for a socket", async () => {
  await using root = await installation({});
  await Deno.mkdir(`${root.path}/an open one`);
  await Deno.chmod(`${root.path}/an open one`, 0o757);
  await assertRejects(
    () => listen(`${root.path}/an open one/s`),
    SocketError,
    `others can write to ${root.path}/an open one; fix with chmod go-w '${root.path}/an open one'`,
  );
  await Deno.chmod(`${root.path}/an open one`, 0o1757);
  await (await listen(`${root.path}/an open one/s`)).close();
});
