// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConnectionLostError, connectSocket } from "../../protocol/client.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { requestBurst, requestsPerSecond } from "../../protocol/limits.ts";
import { HandClock } from "../support/hand_clock.ts";
import { type ByteStream, readLines } from "../../protocol/lines.ts";
import fc from "../support/fast_check.ts";
import { listen } from "../../daemon/server/server.ts";
import { serve } from "../support/serving.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { installation, pakOf } from "../index/fixtures.ts";
import { codes, hello, RawClient, request, until } from "./raw_client.ts";
import { assertAnswers, running } from "./running_server.ts";

Deno.test("a client of ours is answered, several calls at a time", async () => {
  await using daemon = await running();
  await using connection = await connectSocket(daemon.socket, { client: "test 1" });
  assertEquals([connection.server.server, connection.server.protocol], ["pakfs", 1]);
  const [games, find, which, status] = await Promise.all([
    connection.call("games", {}),
    connection.call("find", { patterns: ["file number 77.txt"] }),
    connection.call("which", { qpath: "a.txt" }),
    connection.call("status", {}),
  ]);
  assertEquals([games.rows.length, find.rows.length, which.candidates.length, status.clients], [1, 1, 1, 1]);
  const error = await assertRejects(() => connection.call("stat", { qpath: "none" }), RpcError);
  assertEquals([error.code, error.data], [errorCodes.notFound, { errno: "ENOENT", path: "none" }]);
  assertEquals(await connection.call("stop", {}), { stopping: true });
  assertEquals(daemon.stops(), 1);
});

Deno.test("each piece of garbage is answered with an error, and the connection continues", async () => {
  await using daemon = await running();
  using client = await RawClient.connect(daemon.socket);
  const garbage = [
    "garbage",
    "",
    "{",
    "null",
    "5",
    '"text"',
    "[]",
    "{}",
    '{"jsonrpc":"2.0"}',
    '{"method":5,"id":1}',
    '{"method":"games","id":{}}',
    '{"method":"games","id":null}',
    '{"jsonrpc":"2.0","id":7,"result":{}}',
  ];
  await client.send(garbage.map((line) => `${line}\n`).join(""));
  const answers = await client.answers(garbage.length);
  assertEquals(answers.map((answer) => "error" in answer ? [answer.id, answer.error.code, answer.error.message] : []), [
    ...Array.from({ length: 3 }, () => [null, errorCodes.parseError, "a line is not JSON"]),
    ...garbage.slice(3).map((line) => [
      null,
      errorCodes.invalidRequest,
      line.includes("method")
        ? "a request needs a method and a number or string as id"
        : "a line is not a JSON-RPC request",
    ]),
  ]);
  await client.send(hello + request(1, "games"));
  assertEquals(codes(await client.answers(2)), [["hello", "result"], [1, "result"]]);
});

Deno.test("bytes that are not UTF-8 end their own connection with a word", async () => {
  await using daemon = await running();
  using client = await RawClient.connect(daemon.socket);
  await client.send(Uint8Array.of(0x7b, 0xff, 0xfe, 0x0a));
  const [answer] = await client.answers(1);
  assertEquals(answer, {
    jsonrpc: "2.0",
    id: null,
    error: { code: errorCodes.parseError, message: "a line is not UTF-8" },
  });
  await client.end();
  await assertAnswers(daemon.socket);
});

Deno.test("lines may come in any pieces, and several at once", async () => {
  await using daemon = await running();
  using client = await RawClient.connect(daemon.socket);
  const bytes = new TextEncoder().encode(hello + request("ü", "which", { qpath: "日本.txt" }) + request(2, "games"));
  for (let start = 0; start < bytes.length; start += 7) {
    await client.send(bytes.subarray(start, start + 7));
  }
  const answers = await client.answers(3);
  assertEquals(codes(answers), [["hello", "result"], ["ü", "result"], [2, "result"]]);
  assert(answers[1] && "result" in answers[1]);
  assertEquals((answers[1].result as { qpath: string }).qpath, "日本.txt");
});

Deno.test("a stream of any pieces has the lines between its newlines, empty ones too", async () => {
  const anyLine = fc.oneof(fc.constant(""), fc.string({ unit: "grapheme", maxLength: 6 })).map((line) =>
    line.replaceAll("\n", "")
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      async (lines, lengths) => {
        let rest = new TextEncoder().encode(lines.join("\n"));
        let piece = 0;
        const stream: ByteStream = {
          read: (buffer) => {
            const bytes = rest.subarray(0, lengths[piece++ % lengths.length]);
            rest = rest.subarray(bytes.length);
            buffer.set(bytes);
            return Promise.resolve(bytes.length === 0 ? null : bytes.length);
          },
        };
        assertEquals(
          await Array.fromAsync(readLines(stream)),
          lines.slice(0, -1),
          "without the last, which does not end",
        );
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("half a line before the end is not a request and harms no client", async () => {
  await using daemon = await running();
  {
    using client = await RawClient.connect(daemon.socket);
    await client.send(hello);
    await client.answers(1);
    await client.send('{"jsonrpc":"2.0","id":1,"method":"stop"');
  }
  await until(() => daemon.server.clients() === 0);
  assertEquals(daemon.stops(), 0);
  await assertAnswers(daemon.socket);
});

Deno.test("nothing is answered before hello, and hello may be sent together with the first request", async () => {
  await using daemon = await running();
  using client = await RawClient.connect(daemon.socket);
  await client.send(request(1, "games") + request(2, "stop"));
  const answers = await client.answers(2);
  assertEquals(codes(answers), [[1, errorCodes.protocolMismatch], [2, errorCodes.protocolMismatch]]);
  assertEquals(daemon.stops(), 0);
  await client.send(hello.replace("[1,1]", "[8,9]") + request(3, "games"));
  assertEquals(codes(await client.answers(2)), [["hello", errorCodes.protocolMismatch], [
    3,
    errorCodes.protocolMismatch,
  ]]);
  await client.send(hello + request(4, "games"));
  assertEquals(codes(await client.answers(2)), [["hello", "result"], [4, "result"]]);
});

Deno.test("an id of a running request cannot be used a second time; one that is answered can", async () => {
  await using daemon = await running();
  using client = await RawClient.connect(daemon.socket);
  await client.send(hello);
  await client.answers(1);
  const slow = request(1, "find", { patterns: ["*.none"], limit: 5 });
  await client.send(slow + slow);
  const found = codes(await client.answers(2)).map(([id, code]) => `${id} ${code}`).sort();
  assertEquals(found, [`1 ${errorCodes.invalidRequest}`, "1 result"]);
  await client.send(request(1, "games"));
  assertEquals(codes(await client.answers(1)), [[1, "result"]]);
});

Deno.test("notifications are not answered, not even unknown ones", async () => {
  await using daemon = await running();
  using client = await RawClient.connect(daemon.socket);
  await client.send(hello);
  await client.answers(1);
  await client.send('{"jsonrpc":"2.0","method":"stop"}\n{"jsonrpc":"2.0","method":"none"}\n');
  for (const params of ["{}", '{"id":99}', '{"id":{}}', "null", "5"]) {
    await client.send(`{"jsonrpc":"2.0","method":"$/cancel","params":${params}}\n`);
  }
  await client.send(request(1, "games"));
  assertEquals(codes(await client.answers(1)), [[1, "result"]]);
  assertEquals(daemon.stops(), 0);
});

Deno.test("$/cancel ends a running request, which is answered as cancelled once", async () => {
  const names = Array.from({ length: 9000 }, (_, index) => `x/${index}`);
  const packs = Array.from(
    { length: 9 },
    (_, pack) => [`id1/pak${pack}.pak`, pakOf(...names.map((name) => pack + name))] as const,
  );
  await using root = await installation(Object.fromEntries(packs));
  const socket = `${root.path}/run/pakfs.sock`;
  await using _serving = await serve(scanCatalog([{ sources: [root.path] }]), socket);
  {
    using client = await RawClient.connect(socket);
    // One write sends all, so that the cancellation is read during the search.
    const cancel = '{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}\n';
    await client.send(hello + request(1, "find", { patterns: ["none"] }) + cancel + request(2, "games"));
    const answers = codes(await client.answers(3)).map(([id, code]) => `${id} ${code}`).sort();
    assertEquals(answers, [`1 ${errorCodes.cancelled}`, "2 result", "hello result"]);
  }
});

Deno.test("a client that asks 500 times and never reads blocks no other and is dropped", async () => {
  await using daemon = await running();
  const client = await RawClient.connect(daemon.socket);
  const flood = hello +
    Array.from({ length: 500 }, (_, id) => request(id, "find", { patterns: ["*"], limit: 5000 })).join("");
  const sending = client.send(flood).catch(() => {});
  await until(() => daemon.server.clients() === 1);
  for (let round = 0; round < 5; round++) {
    await assertAnswers(daemon.socket);
  }
  client[Symbol.dispose]();
  await sending;
  await until(() => daemon.server.clients() === 0);
  await assertAnswers(daemon.socket);
});

Deno.test("the server closes although a client never reads", async () => {
  const daemon = await running();
  const client = await RawClient.connect(daemon.socket);
  const sending = client.send(
    hello + Array.from({ length: 100 }, (_, id) => request(id, "find", { patterns: ["*"] })).join(""),
  )
    .catch(() => {});
  await until(() => daemon.server.clients() === 1);
  await daemon[Symbol.asyncDispose]();
  client[Symbol.dispose]();
  await sending;
  assertEquals(await Deno.stat(daemon.socket).then(() => true, () => false), false);
});

Deno.test("a client that has used up its requests is not read until the clock allows more, and others are", async () => {
  await using directory = await installation({});
  const socket = `${directory.path}/pakfs.sock`;
  const clock = new HandClock();
  await using server = await listen(socket, { clock });
  server.serve({ call: () => Promise.resolve({}) });
  using client = await RawClient.connect(socket);
  const notifications = '{"method":"x"}\n'.repeat(requestBurst - 2);
  await client.send(hello + notifications + request("last of the burst", "x"));
  assertEquals((await client.answers(2)).map(({ id }) => id), ["hello", "last of the burst"]);
  const more = Array.from({ length: 25 }, (_, id) => request(id, "x"));
  await client.send(more.join(""));
  let answered = 2;
  for (const milliseconds of [0, 1, 1, 1]) {
    await clock.advance(milliseconds);
    using other = await RawClient.connect(socket);
    await other.send(hello + request(1, "x"));
    await other.answers(2);
    const wanted = Math.min(clock.now() * requestsPerSecond / 1000, more.length) + 2;
    await client.answers(wanted - answered);
    answered = wanted;
    assertEquals(server.calls(), answered + 2 * (clock.now() + 1), `after ${clock.now()} ms`);
  }
});

Deno.test("the server is closed when the last call of its clients has ended, and not before", async () => {
  await using directory = await installation({});
  const socket = `${directory.path}/pakfs.sock`;
  const server = await listen(socket);
  const held = Promise.withResolvers<void>();
  const order: string[] = [];
  server.serve({
    call: async (method) => {
      if (method === "hello") return {};
      order.push("called");
      await held.promise;
      order.push("ended");
      return {};
    },
  });
  using client = await RawClient.connect(socket);
  await client.send(hello + request(1, "slow"));
  await until(() => order.length > 0);
  const closing = server.close().then(() => order.push("closed"));
  await client.end();
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  held.resolve();
  await closing;
  assertEquals([...order, server.clients()], ["called", "ended", "closed", 0]);
});

Deno.test("our client's calls are cancelled by their signal and end with the connection", async () => {
  const daemon = await running();
  const connection = await connectSocket(daemon.socket, { client: "test 1" });
  const controller = new AbortController();
  const call = connection.call("find", { patterns: ["none"] }, { signal: controller.signal });
  controller.abort();
  assertEquals((await assertRejects(() => call, RpcError)).code, errorCodes.cancelled);
  await daemon[Symbol.asyncDispose]();
  await assertRejects(() => connection.call("games", {}), ConnectionLostError);
  await connection.close();
});

Deno.test("idle clients lock no one out: those that never greeted are dropped first, then the longest-idle", async () => {
  await using here = await running({ maxClients: 4 });
  using busy = await RawClient.connect(here.socket);
  await busy.send(hello);
  await busy.answers(1);
  await busy.send('{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"subscription":1}}\n');
  await busy.answers(1);
  using idle = await RawClient.connect(here.socket);
  await idle.send(hello);
  await idle.answers(1);
  using silent = await RawClient.connect(here.socket);
  const others: RawClient[] = [];
  for (let number = 0; number < 10; number++) {
    const other = await RawClient.connect(here.socket);
    others.push(other);
    await other.send(hello);
    assertEquals((await other.answers(1)).length, 1, `client ${number} is answered`);
    if (number === 1) await silent.end(); // the one that never greeted is dropped
    if (number === 2) await idle.end(); // and then who had been idle for longest
  }
  assertEquals(here.server.clients(), 4);
  await busy.send('{"jsonrpc":"2.0","id":3,"method":"status","params":{}}\n');
  assertEquals((await busy.answers(1)).map(({ id }) => id), [3], "a client that waits for an answer stays");
  for (const other of others) other[Symbol.dispose]();
});

Deno.test("a client that never greets is dropped after a while, one that has greeted may be silent", async () => {
  await using here = await running({ greetingTime: 20 });
  using silent = await RawClient.connect(here.socket);
  using polite = await RawClient.connect(here.socket);
  await polite.send(hello);
  await polite.answers(1);
  await silent.end();
  await polite.send('{"jsonrpc":"2.0","id":2,"method":"status","params":{}}\n');
  assertEquals((await polite.answers(1)).length, 1);
});

Deno.test("users of many silent connections are checked together, and the next client is answered", async () => {
  const clock = new HandClock();
  let checks = 0;
  const refuseStrangers = () => {
    checks++;
    return 0;
  };
  await using here = await running({ clock, refuseStrangers });
  const silent = await Promise.all(Array.from({ length: 500 }, () => RawClient.connect(here.socket)));
  using client = await RawClient.connect(here.socket);
  await client.send(hello);
  let isAnswered = false;
  const answer = client.answers(1).then((answers) => {
    isAnswered = true;
    return answers;
  });
  await until(() => {
    clock.advance(10);
    return isAnswered;
  });
  assertEquals(codes(await answer), [["hello", "result"]]);
  assert(checks < 150, `${checks} checks`);
  for (const other of silent) other[Symbol.dispose]();
});

Deno.test("a client that has just arrived is not dropped for another one, which waits for its place", async () => {
  const clock = new HandClock();
  await using here = await running({ clock, maxClients: 2 });
  using first = await RawClient.connect(here.socket);
  using silent = await RawClient.connect(here.socket);
  using third = await RawClient.connect(here.socket);
  await third.send(hello);
  await until(() => here.server.clients() === 2);
  await first.send(hello);
  assertEquals(codes(await first.answers(1)), [["hello", "result"]]);
  await clock.advance(100);
  assertEquals(codes(await third.answers(1)), [["hello", "result"]]);
  await silent.end();
  assertEquals(here.server.clients(), 2);
});

Deno.test("a server that closes also closes connections that it has not checked", async () => {
  const here = await running({ clock: new HandClock(), refuseStrangers: () => 0 });
  using checked = await RawClient.connect(here.socket);
  await checked.send(hello);
  await checked.answers(1);
  using unchecked = await RawClient.connect(here.socket);
  await here[Symbol.asyncDispose]();
  await unchecked.end();
});
