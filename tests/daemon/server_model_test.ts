// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Many clients send anything in any order. The server must answer each request once, in order, one at a time per
 * client, keep nothing of closed clients, and accept each limit's maximum but no more.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { EventQueue } from "../../protocol/event_queue.ts";
import { hasTooManyValues } from "../../protocol/lines.ts";
import { errorCodes, RpcError, type RpcResponse } from "../../protocol/messages.ts";
import { maxLineBytes, maxLineValues } from "../../protocol/limits.ts";
import type { Callee } from "../../daemon/server/client.ts";
import { listen, type Server, type ServerOptions } from "../../daemon/server/server.ts";
import type { Peer } from "../../service/methods/method.ts";
import fc from "../support/fast_check.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { codes, hello, RawClient, request, until } from "./raw_client.ts";

/** One call that the server makes. */
interface Call {
  readonly client: number;
  readonly id: number;
  readonly signal: AbortSignal;
  isEnded: boolean;
}

/** A callee that answers when the test says so, and records the running requests. */
class HandCallee implements Callee {
  readonly calls: Call[] = [];
  readonly problems: string[] = [];
  /** Connections that have sent requests. */
  readonly peers: Peer[] = [];
  readonly #open = new Map<Call, () => void>();
  readonly #queues = new Set<EventQueue>();

  /** Running calls, without calls of "fast". */
  get running(): readonly Call[] {
    return Array.from(this.#open.keys());
  }

  call(method: string, params: unknown, signal = new AbortController().signal, peer?: Peer): Promise<unknown> {
    if (peer && !this.peers.includes(peer)) this.peers.push(peer);
    if (method === "hello") return Promise.resolve({});
    const { client = 0, id = 0, subscription } = params as { client?: number; id?: number; subscription?: number };
    if (method === "subscribe") return this.#subscribe(subscription ?? 0, peer);
    if (method === "unsubscribe") return Promise.resolve({ unsubscribed: peer?.unsubscribe(subscription ?? 0) });
    if (this.running.some((other) => other.client === client)) this.problems.push(`two calls of client ${client}`);
    if (method === "text") return Promise.resolve("x".repeat((params as { length: number }).length));
    if (method === "fast") return Promise.resolve(id);
    const call: Call = { client, id, signal, isEnded: false };
    this.calls.push(call);
    return new Promise((resolve, reject) => {
      const end = () => {
        call.isEnded = true;
        this.#open.delete(call);
        if (!signal.aborted) resolve(id);
        else reject(new RpcError({ code: errorCodes.cancelled, message: "cancelled" }));
      };
      this.#open.set(call, end);
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    });
  }

  /** Ends the oldest running call, if any. */
  answerOne(): void {
    this.#open.values().next().value?.();
  }

  #subscribe(subscription: number, peer: Peer | undefined): Promise<unknown> {
    const queue = new EventQueue(() => this.#queues.delete(queue));
    this.#queues.add(queue);
    try {
      peer?.subscribe(subscription, queue);
      return Promise.resolve({ subscription });
    } catch (error) {
      queue.close();
      return Promise.reject(error);
    }
  }
}

/** A server whose answers a test triggers. */
async function running(options: ServerOptions = {}) {
  const directory = await temporaryDirectory();
  const socket = `${directory.path}/run/s`;
  const server: Server = await listen(socket, options);
  const callee = new HandCallee();
  server.serve(callee);
  return {
    callee,
    server,
    async connect(): Promise<RawClient> {
      const client = await RawClient.connect(socket);
      try {
        await client.send(hello);
        await client.answers(1);
        return client;
      } catch (error) {
        client[Symbol.dispose]();
        throw error;
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await server.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

type Running = Awaited<ReturnType<typeof running>>;

/** Record of one client of the model. */
class ModelClient {
  readonly raw: RawClient;
  readonly number: number;
  /** Requests that were sent, in order; the slow ones wait for the test. */
  readonly sent: { readonly id: number; readonly isSlow: boolean }[] = [];
  readonly cancelled = new Set<number>();
  hasLeft = false;
  hasStopped = false;

  constructor(raw: RawClient, number: number) {
    this.raw = raw;
    this.number = number;
  }
}

type Step =
  | { readonly kind: "ask"; readonly client: number; readonly slow: readonly boolean[] }
  | { readonly kind: "cancel" | "leave" | "stop sending"; readonly client: number; readonly back: number }
  | { readonly kind: "answer"; readonly count: number };

const clientCount = 4;
const anyClient = fc.nat(clientCount - 1);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("ask"),
      client: anyClient,
      slow: fc.array(fc.boolean(), { minLength: 1, maxLength: 70 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("cancel"), client: anyClient, back: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave"), client: anyClient, back: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stop sending"), client: anyClient, back: fc.constant(0) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("answer"), count: fc.nat(20) }) },
) as fc.Arbitrary<Step>;

async function take(step: Step, clients: readonly ModelClient[], { callee }: Running): Promise<void> {
  if (step.kind === "answer") {
    for (let count = 0; count < step.count; count++) callee.answerOne();
    return;
  }
  const client = clients[step.client];
  if (!client || client.hasLeft || client.hasStopped) return;
  if (step.kind === "ask") {
    const requests = step.slow.map((isSlow, index) => ({ id: client.sent.length + index, isSlow }));
    client.sent.push(...requests);
    const params = (id: number) => ({ client: client.number, id });
    await client.raw.send(requests.map(({ id, isSlow }) => request(id, isSlow ? "slow" : "fast", params(id))).join(""));
  } else if (step.kind === "cancel") {
    const id = client.sent.at(-1 - step.back)?.id ?? 99_999;
    client.cancelled.add(id);
    await client.raw.send(`{"method":"$/cancel","params":{"id":${id}}}\n`);
  } else if (step.kind === "leave") {
    client.hasLeft = true;
    client.raw[Symbol.dispose]();
  } else {
    client.hasStopped = true;
    await client.raw.closeWrite();
  }
}

function problemsOf(client: ModelClient, answers: readonly RpcResponse[]): string[] {
  const problems: string[] = [];
  const ids = answers.map(({ id }) => id);
  if (ids.join() !== client.sent.map(({ id }) => id).join()) {
    problems.push(`client ${client.number} sent ${client.sent.length} requests and was answered ${ids.join()}`);
  }
  for (const [id, code] of codes(answers)) {
    if (code !== "result" && !(code === errorCodes.cancelled && client.cancelled.has(id as number))) {
      problems.push(`client ${client.number}: request ${id} was answered with ${code}`);
    }
  }
  return problems;
}

Deno.test("clients that pipeline, cancel, stop sending and leave get one answer each, in order, and leave nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      await using here = await running();
      const clients: ModelClient[] = [];
      for (let number = 0; number < clientCount; number++) {
        clients.push(new ModelClient(await here.connect(), number));
      }
      for (const step of steps) await take(step, clients, here);
      const left = clients.filter(({ hasLeft }) => hasLeft);
      const isOfLeft = ({ client }: { client: number }) => left.some(({ number }) => number === client);
      // These are never answered: they must be aborted.
      await until(() => !here.callee.running.some(isOfLeft));
      const answering = setInterval(() => here.callee.answerOne(), 0);
      const problems = await Promise.all(
        clients.filter(({ hasLeft }) => !hasLeft)
          .map(async (client) => problemsOf(client, await client.raw.answers(client.sent.length))),
      );
      clearInterval(answering);
      for (const client of clients) if (!client.hasLeft) client.raw[Symbol.dispose]();
      await until(() => here.server.clients() === 0 && here.callee.running.length === 0);
      assertEquals([...here.callee.problems, ...problems.flat()], []);
    }),
    { numRuns: 60 },
  );
});

/** Sends lines, and waits until a server that keeps reading must have read them all. */
async function sendAndWait(client: RawClient, other: RawClient, lines: string): Promise<void> {
  await client.send(lines);
  for (let round = 0; round < 5; round++) {
    await other.send(request(`round ${round}`, "fast", { client: 9 }));
    await other.answers(1);
  }
}

Deno.test("64 requests of a client run at a time: further ones are not read until one is answered", async () => {
  for (const count of [63, 64, 65]) {
    await using here = await running();
    using client = await here.connect();
    using other = await here.connect();
    const lines = Array.from({ length: count }, (_, id) => request(id, "slow", { id }));
    const cancel = '{"method":"$/cancel","params":{"id":0}}\n';
    await sendAndWait(client, other, lines.join("") + cancel);
    assertEquals(here.callee.calls.find(({ id }) => id === 0)?.isEnded, count < 64, `${count} requests`);
    const answering = setInterval(() => here.callee.answerOne(), 0);
    assertEquals((await client.answers(count)).map(({ id }) => id), lines.map((_, id) => id));
    clearInterval(answering);
    assertEquals(here.server.calls(), 2 + 5 + count, "greetings, what the other asked, and these");
  }
});

Deno.test("requests of 4 MiB are read one or two at a time", async () => {
  await using here = await running();
  using client = await here.connect();
  using other = await here.connect();
  const large = (id: number) => request(id, "slow", { id, text: "x".repeat(maxLineBytes - 200) });
  const cancel = '{"method":"$/cancel","params":{"id":0}}\n';
  await sendAndWait(client, other, large(0) + cancel);
  await until(() => here.callee.calls[0]?.isEnded === true);
  await client.send(large(1));
  await client.send(large(2));
  const sending = client.send('{"method":"$/cancel","params":{"id":1}}\n' + large(3));
  await until(() => here.callee.calls.length === 2);
  for (let round = 0; round < 20; round++) {
    await sendAndWait(other, other, "");
  }
  assertEquals(here.callee.calls[1]?.isEnded, false, "two are held, and nothing after them is read");
  here.callee.answerOne();
  await until(() => here.callee.calls.length === 3);
  here.callee.answerOne();
  await until(() => here.callee.calls.length === 4);
  here.callee.answerOne();
  await sending;
  assertEquals((await client.answers(4)).map(({ id }) => id), [0, 1, 2, 3]);
});

Deno.test("a client has 16 subscriptions at most, each number once; one that has ended makes room", async () => {
  await using here = await running();
  using client = await here.connect();
  const ask = async (method: string, subscription: number) => {
    await client.send(request(1, method, { subscription }));
    const [answer] = await client.answers(1);
    return answer && "error" in answer ? [answer.error.code, answer.error.message] : "result";
  };
  const tooMany = [errorCodes.invalidParams, "a client has at most 16 subscriptions"];
  for (let number = 0; number < 16; number++) {
    assertEquals(await ask("subscribe", number), "result", `subscription ${number}`);
  }
  assertEquals(await ask("subscribe", 16), tooMany);
  assertEquals(await ask("unsubscribe", 3), "result");
  assertEquals(await ask("subscribe", 4), [errorCodes.invalidParams, "subscription 4 already exists"]);
  assertEquals(await ask("subscribe", 16), "result");
  assertEquals(await ask("subscribe", 17), tooMany);
});

Deno.test("as many clients are served as the limit says, and the next takes the place of an idle one or is refused", async () => {
  await using here = await running({ maxClients: 3 });
  const clients: RawClient[] = [];
  for (let number = 0; number < 3; number++) {
    const client = await here.connect();
    clients.push(client);
    await client.send(request(1, "slow", { client: number }));
  }
  await until(() => here.callee.running.length === 3);
  const refused = await here.connect().then((client) => client[Symbol.dispose](), () => "refused");
  assertEquals([refused, here.server.clients(), here.callee.running.length], ["refused", 3, 3]);
  here.callee.answerOne();
  await clients[0]?.answers(1);
  using newcomer = await here.connect();
  await clients[0]?.end();
  assertEquals(here.server.clients(), 3);
  await newcomer.send(request(1, "fast"));
  assertEquals(codes(await newcomer.answers(1)), [[1, "result"]]);
  for (const client of clients) client[Symbol.dispose]();
});

Deno.test("lines and ids may be exactly as long as the limits say", async () => {
  await using here = await running();
  using client = await here.connect();
  const withLength = (length: number) => {
    const empty = request(1, "fast", { text: "" });
    return request(1, "fast", { text: "x".repeat(length - empty.length + 1) });
  };
  await client.send(withLength(maxLineBytes));
  assertEquals(codes(await client.answers(1)), [[1, "result"]]);
  for (const [length, code] of [[1024, "result"], [1025, errorCodes.invalidRequest]] as const) {
    await client.send(request("i".repeat(length), "fast"));
    assertEquals(codes(await client.answers(1))[0]?.[1], code, `an id of ${length}`);
  }
  const sending = client.send(new Uint8Array(maxLineBytes + 100_000).fill(0x61)).catch(() => {});
  const [answer] = await client.answers(1);
  assert(answer && "error" in answer);
  assertEquals([answer.id, answer.error.code], [null, errorCodes.parseError]);
  assertMatch(answer.error.message, /line of more than 4194304 bytes/);
  await sending;
  await client.end();
});

Deno.test("an answer may be as long as a line; a longer one is an error that says so", async () => {
  await using here = await running();
  using client = await here.connect();
  const empty = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "" }).length;
  for (const [length, code] of [[maxLineBytes, "result"], [maxLineBytes + 1, errorCodes.tooLarge]] as const) {
    await client.send(request(1, "text", { length: length - empty }));
    assertEquals(codes(await client.answers(1)), [[1, code]], `${length} bytes`);
  }
});

Deno.test("a client that only stops sending gets every refusal, however many there are", async () => {
  await using here = await running();
  using client = await here.connect();
  const count = 5000;
  const sending = client.send("no JSON\n".repeat(count)).then(() => client.closeWrite());
  assertEquals((await client.answers(count)).length, count);
  await sending;
  await client.end();
});

Deno.test("a client that leaves is noticed while its request is worked on, though nothing more is read of it", async () => {
  await using here = await running();
  for (const before of ["", Array.from({ length: 200 }, (_, id) => request(id + 1, "slow", { id })).join("")]) {
    const client = await here.connect();
    await client.send(request(0, "slow") + before);
    await until(() => here.callee.running.length === 1);
    client[Symbol.dispose]();
    await until(() => here.callee.running.length === 0 && here.server.clients() === 0);
  }
  assert(here.callee.calls.every(({ signal }) => signal.aborted));
});

/** Returns the expected error of a line; none for an answered request or a notification. */
function faultOf(value: unknown): string | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || !Object.hasOwn(value, "method")) return "a line is not a JSON-RPC request";
  const { method, id } = value as { method: unknown; id?: unknown };
  const hasGoodId = !Object.hasOwn(value, "id") || ["number", "string"].includes(typeof id);
  return typeof method === "string" && hasGoodId ? undefined : "a request needs a method and a number or string as id";
}

Deno.test("a line of any JSON is answered with its fault, as a request, or not at all if it is a notification", async () => {
  await using here = await running();
  using client = await here.connect();
  const anyMessage = fc.record({
    jsonrpc: fc.constant("2.0"),
    method: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("fast", "$/cancel") }, fc.constantFrom(null, 1, [], {})),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
    params: fc.constant({}),
  }, { requiredKeys: ["params"] });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(anyMessage, anyMessage, fc.jsonValue()).map((value) => JSON.stringify(value)),
      async (line) => {
        const value: unknown = JSON.parse(line);
        const marker = `after line ${round++}`;
        await client.send(`${line}\n${request(marker, "fast")}`);
        const fault = faultOf(value);
        const { method, id } = Object(value) as { method?: unknown; id?: unknown };
        const expected = fault !== undefined
          ? [[null, fault]]
          : method === "$/cancel" || id === undefined
          ? []
          : [[id, "result"]];
        const answers = await client.answers(expected.length + 1);
        const found = answers.map((answer) => [answer.id, "error" in answer ? answer.error.message : "result"]);
        assertEquals(found, [...expected, [marker, "result"]], line);
      },
    ),
    { numRuns: 400 },
  );
  assertEquals(here.callee.running.length, 0);
});

Deno.test("a report of progress is left out while an earlier one is being sent, and no longer", async () => {
  await using here = await running();
  const client = await here.connect();
  using other = await here.connect();
  await client.send(request(1, "slow", { client: 1 }));
  await until(() => here.callee.running.length === 1);
  const [peer] = here.callee.peers;
  assert(peer);
  const burst = 3;
  let reports = 0;
  const received: unknown[] = [];
  const reading = client.answers(10).then((lines) => received.push(...lines));
  await until(() => {
    for (let index = 0; index < burst; index++) peer.progress({ done: reports++, total: 1000, name: "x" });
    return received.length > 0;
  });
  await reading;
  const done = (received as { readonly method: string; readonly params: { readonly done: number } }[])
    .map(({ method, params }) => method === "$/progress" ? params.done : -1);
  assert(done.every((number) => number % burst === 0), `the first of those made at once: ${done}`);
  assertEquals(done, done.toSorted((a, b) => a - b));
  await other.send(request(1, "fast", { client: 2 }));
  assertEquals(codes(await other.answers(1)), [[1, "result"]], "others are not sent them");
  client[Symbol.dispose]();
  await until(() => here.server.clients() === 1);
  peer.progress({ done: reports, total: 1000, name: "x" });
});

Deno.test("values of a line are counted as JSON has them, whatever is in its texts", () => {
  const count = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    const members = Object.values(value);
    const own = 4 + (Array.isArray(value) ? 0 : 4 * members.length) + Math.max(0, members.length - 1);
    return own + members.reduce((sum: number, member) => sum + count(member), 0);
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(-1, 0, 1), (value, more) => {
      // Fills the list up to the limit, one below it, or one above it.
      const rest = maxLineValues - count(value) - 12 + more;
      const line = JSON.stringify({ value: [value, ...Array.from({ length: rest }, () => 0)] });
      assertEquals(hasTooManyValues(line), more > 0);
    }),
    { numRuns: 60 },
  );
  assertEquals(hasTooManyValues(`"${"\\\\,".repeat(maxLineValues + 1)}"`), false, "commas of a text");
  assertEquals(hasTooManyValues(`["\\\\",${"0,".repeat(maxLineValues)}0]`), true, "a text that ends in a backslash");
});
