// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConnectionLostError, connectSocket } from "../../protocol/client.ts";
import { DaemonUnreachableError } from "../../protocol/unix_socket.ts";
import { pages } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import { maxLineBytes } from "../../protocol/limits.ts";
import { Session } from "../../repl/command/session.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection, fixtureFiles } from "./fake_connection.ts";
import { serveConnection, serveLines } from "./fake_server.ts";

const options = { client: "test" };
const hello = (id: number) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { protocol: 1, server: "t", version: "9", pid: 7, capabilities: [] } }) +
  "\n";

/** Answers `hello`, and passes later requests to `answer`. */
function serveAfterHello(path: string, answer: Parameters<typeof serveLines>[1]) {
  return serveLines(path, async (line, send, end) => {
    const { id, method } = JSON.parse(line);
    if (method === "hello") await send(hello(id));
    else await answer(line, send, end);
  });
}

const result = (id: number, value: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result: value }) + "\n";

Deno.test("a connection greets, calls, follows pages and passes errors on", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveConnection(`${directory.path}/s`, new FakeConnection());
  await using connection = await connectSocket(server.path, options);
  assertEquals([connection.server.server, connection.server.protocol], ["fake", 1]);
  assertEquals((await connection.call("status", {})).pid, 4242);
  const found = await Array.fromAsync(pages(connection, "find", { patterns: ["*"] }), ({ qpath }) => qpath);
  assertEquals(found, fixtureFiles().map(({ qpath }) => qpath));
  const error = await assertRejects(() => connection.call("stat", { qpath: "nope" }), RpcError);
  assertEquals([error.code, error.data?.errno], [errorCodes.notFound, "ENOENT"]);
});

Deno.test("replies are matched by their ids, in whatever order and however cut", async () => {
  await using directory = await temporaryDirectory();
  const waiting: number[] = [];
  await using server = serveAfterHello(`${directory.path}/s`, async (line, send) => {
    waiting.push(JSON.parse(line).id);
    if (waiting.length < 3) return;
    const bytes = new TextEncoder().encode(
      waiting.toReversed().map((id) => result(id, { matches: [`äö${id}`] })).join("") + result(999, {}),
    );
    for (const byte of bytes) await send(Uint8Array.of(byte));
  });
  await using connection = await connectSocket(server.path, options);
  const ask = () => connection.call("complete", { kind: "qpath", prefix: "" });
  const answers = await Promise.all([ask(), ask(), ask()]);
  assertEquals(answers.map(({ matches }) => matches[0]), waiting.map((id) => `äö${id}`));
});

Deno.test("a missing, dead or foreign socket is reported with its path and how to start a daemon", async () => {
  await using directory = await temporaryDirectory();
  const missing = await assertRejects(() => connectSocket(`${directory.path}/none`, options), DaemonUnreachableError);
  assertStringIncludes(missing.message, `${directory.path}/none`);
  assertStringIncludes(missing.message, "pakfs daemon");

  // A socket file stays when its listener has gone.
  const dead = `${directory.path}/dead`;
  Deno.listen({ transport: "unix", path: dead }).close();
  if (!await Deno.lstat(dead).then(() => true, () => false)) await Deno.writeTextFile(dead, "");
  const refused = await assertRejects(() => connectSocket(dead, options), DaemonUnreachableError);
  assertStringIncludes(refused.message, "no process listens");

  await using server = serveLines(`${directory.path}/http`, (_line, send) => send("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const foreign = await assertRejects(() => connectSocket(server.path, options), DaemonUnreachableError);
  assertStringIncludes(foreign.message, "not pakfs");

  await using silent = serveLines(`${directory.path}/silent`, () => {});
  const timeout = { ...options, helloTimeout: 50 };
  await assertRejects(() => connectSocket(silent.path, timeout), DaemonUnreachableError, "did not answer");
  const cancelled = await assertRejects(
    () => connectSocket(silent.path, { ...options, signal: AbortSignal.abort() }),
    RpcError,
  );
  assertEquals(cancelled.code, errorCodes.cancelled);
});

Deno.test("a daemon of another version is refused, by either side", async () => {
  await using directory = await temporaryDirectory();
  await using newer = serveLines(
    `${directory.path}/newer`,
    (line, send) => send(hello(JSON.parse(line).id).replace('"protocol":1', '"protocol":7')),
  );
  const error = await assertRejects(() => connectSocket(newer.path, options), RpcError, "speaks protocol 7");
  assertEquals(error.code, errorCodes.protocolMismatch);
  await using older = serveLines(`${directory.path}/older`, (line, send) =>
    send(
      JSON.stringify({
        jsonrpc: "2.0",
        id: JSON.parse(line).id,
        error: { code: errorCodes.protocolMismatch, message: "this daemon speaks protocol 0" },
      }) + "\n",
    ));
  const other = await assertRejects(() => connectSocket(older.path, options), RpcError, "speaks protocol 0");
  assertStringIncludes(other.message, older.path);
});

Deno.test("an aborted call is cancelled at the daemon, and fails once it has replied", async () => {
  await using directory = await temporaryDirectory();
  const received: string[] = [];
  let reply: (() => Promise<void>) | undefined;
  const cancelArrived = Promise.withResolvers<void>();
  await using server = serveAfterHello(`${directory.path}/s`, (line, send) => {
    const { id, method, params } = JSON.parse(line);
    received.push(method);
    if (method === "find") reply = () => send(result(id, { rows: [], cursor: null }));
    if (method === "status") return send(result(id, { pid: 1 }));
    if (method === "$/cancel") cancelArrived.resolve(assertEquals(typeof params.id, "number"));
  });
  await using connection = await connectSocket(server.path, options);
  const controller = new AbortController();
  let settled = false;
  const find = connection.call("find", { patterns: ["*"] }, { signal: controller.signal });
  const outcome = find.then(() => "answered", (error: RpcError) => error.code).finally(() => settled = true);
  await connection.call("status", {});
  controller.abort();
  await cancelArrived.promise;
  await connection.call("status", {});
  assertEquals(settled, false);
  await reply?.();
  assertEquals(await outcome, errorCodes.cancelled);
  assertEquals(received, ["find", "status", "$/cancel", "status"]);
  const aborted = await assertRejects(() => connection.call("status", {}, { signal: controller.signal }), RpcError);
  assertEquals(aborted.code, errorCodes.cancelled);
  assertEquals(received.length, 4);
});

Deno.test("a subscription that ends in any way, or that was cancelled before it began, is ended at the daemon", async () => {
  await using directory = await temporaryDirectory();
  const open = new Set<number>();
  let answer: ((id: number) => string) | undefined;
  let asked = Promise.withResolvers<void>();
  await using server = serveAfterHello(`${directory.path}/s`, async (line, send) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "subscribe") {
      open.add(params.subscription);
      asked.resolve();
    }
    if (method === "unsubscribe") open.delete(params.subscription);
    // The daemon may have subscribed before it receives the cancellation.
    if (method === "$/cancel") return await send(result(lastId, { subscription: 0 }));
    lastId = id;
    if (method !== "subscribe" || !answer) await send(result(id, {}));
    else await send(answer(id));
  });
  let lastId = 0;
  await using connection = await connectSocket(server.path, options);
  const subscribe = (signal?: AbortSignal) => connection.subscribe({}, signal ? { signal } : {});
  const ways: [name: string, way: (controller: AbortController) => Promise<unknown>][] = [
    ["ended before an event was requested", async () => await (await subscribe()).return?.()],
    ["aborted before an event was requested", async (controller) => {
      await subscribe(controller.signal);
      controller.abort();
    }],
    ["aborted before it was read", async (controller) => {
      const events = await subscribe(controller.signal);
      controller.abort();
      assertEquals((await events.next()).done, true);
    }],
    ["aborted while an event was awaited", async (controller) => {
      const next = (await subscribe(controller.signal)).next();
      controller.abort();
      assertEquals((await next).done, true);
    }],
    ["refused", async () => {
      answer = (id) => JSON.stringify({ jsonrpc: "2.0", id, error: { code: -1, message: "no" } }) + "\n";
      await assertRejects(() => subscribe(), RpcError, "no");
    }],
    ["cancelled while it was begun", async (controller) => {
      answer = () => "";
      const subscribing = subscribe(controller.signal);
      await asked.promise;
      controller.abort();
      const error = await assertRejects(() => subscribing, RpcError);
      assertEquals(error.code, errorCodes.cancelled);
    }],
  ];
  for (const [name, way] of ways) {
    asked = Promise.withResolvers();
    answer = undefined;
    await way(new AbortController());
    await connection.call("status", {});
    assertEquals(Array.from(open), [], name);
  }
});

Deno.test("a lost connection fails all running calls and every later one", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveAfterHello(`${directory.path}/s`, async (_line, send, end) => {
    await send('{"jsonrpc":"2.0","id":2,"resu');
    end();
  });
  await using connection = await connectSocket(server.path, options);
  const calls = [connection.call("games", {}), connection.call("views", {})];
  const results = await Promise.allSettled(calls);
  assert(results.every((one) => one.status === "rejected" && one.reason instanceof ConnectionLostError));
  await assertRejects(() => connection.call("games", {}), ConnectionLostError, "closed the connection");
});

Deno.test("a line that is too long, no JSON, no message or no UTF-8 ends the connection", async () => {
  await using directory = await temporaryDirectory();
  const chunk = new Uint8Array(1024 * 1024).fill(0x20);
  const cases: [string, (send: (bytes: string | Uint8Array) => Promise<void>) => Promise<void>][] = [
    ["not JSON", (send) => send("garbage\n")],
    ["not a JSON-RPC message", (send) => send("[1]\n")],
    ["not UTF-8", (send) => send(Uint8Array.of(0x22, 0xff, 0x22, 10))],
    ["a reply to no request", (send) => send('{"jsonrpc":"2.0","id":"x","result":1}\n')],
    [
      "cannot read that",
      (send) => send('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"cannot read that"}}\n'),
    ],
    [`more than ${maxLineBytes} bytes`, async (send) => {
      for (let index = 0; index < 5; index++) await send(chunk);
    }],
  ];
  for (const [index, [message, misbehave]] of cases.entries()) {
    await using server = serveAfterHello(`${directory.path}/${index}`, (_line, send) => misbehave(send));
    await using connection = await connectSocket(server.path, options);
    await assertRejects(() => connection.call("games", {}), ConnectionLostError, message);
  }
});

Deno.test("notifications and late replies are ignored, and an error without a message is still an error", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveAfterHello(`${directory.path}/s`, async (line, send) => {
    const { id } = JSON.parse(line);
    await send('{"jsonrpc":"2.0","method":"refreshed","params":{}}\n');
    await send(`{"jsonrpc":"2.0","id":${id},"error":"no"}\n`);
  });
  await using connection = await connectSocket(server.path, options);
  const error = await assertRejects(() => connection.call("games", {}), RpcError);
  assertEquals(error.code, errorCodes.internalError);
});

Deno.test("a request that the daemon would refuse for its length is not sent", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveConnection(`${directory.path}/s`, new FakeConnection());
  await using connection = await connectSocket(server.path, options);
  await assertRejects(() => connection.call("stat", { qpath: "x".repeat(maxLineBytes) }), RpcError, "more than the");
  assertEquals((await connection.call("status", {})).pid, 4242);
});

Deno.test("closing fails the running calls as cancelled", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveAfterHello(`${directory.path}/s`, () => {});
  const connection = await connectSocket(server.path, options);
  const call = connection.call("games", {}).catch((error: RpcError) => error.code);
  await connection.close();
  assertEquals(await call, errorCodes.cancelled);
});

Deno.test("a call that is aborted while its session connects ends at once, and no other call with it", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/s`;
  const fake = new FakeConnection();
  const greeted = Promise.withResolvers<void>();
  const greeting = Promise.withResolvers<void>();
  await using _server = serveLines(path, async (line, send) => {
    const { id, method, params } = JSON.parse(line);
    greeted.resolve();
    if (method === "hello") await greeting.promise;
    await send(JSON.stringify({ jsonrpc: "2.0", id, result: await fake.call(method, params) }) + "\n");
  });
  const session = new Session((signal) => connectSocket(path, { ...options, signal }));
  const leaves = new AbortController();
  const aborted = session.call("status", {}, { signal: leaves.signal });
  const waiting = session.call("status", {});
  await greeted.promise;
  leaves.abort();
  await assertRejects(() => aborted, DOMException);
  greeting.resolve();
  assertEquals((await waiting).pid, 4242);
  await session.disconnect();
  // Disconnecting does not wait for a daemon that does not answer.
  await using _silent = serveLines(`${path}2`, () => {});
  const silent = new Session((signal) => connectSocket(`${path}2`, { ...options, signal }));
  const lost = silent.call("status", {}).catch((error) => error instanceof RpcError && error.code);
  await silent.disconnect();
  assertEquals(await lost, errorCodes.cancelled);
});

Deno.test("a session connects when first asked, and once more when the daemon was restarted", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/s`;
  let opened = 0;
  await using session = new Session((signal) => {
    opened++;
    return connectSocket(path, { ...options, signal });
  });
  await assertRejects(() => session.call("status", {}), DaemonUnreachableError);
  assertEquals(session.connected, false);
  const first = serveConnection(path, new FakeConnection());
  await session.call("status", {});
  await session.call("status", {});
  assertEquals(opened, 2);
  await first.close();
  await using _second = serveConnection(path, new FakeConnection());
  assertEquals((await session.call("status", {})).pid, 4242);
  assertEquals(opened, 3);
});
