/**
 * Many malicious clients at a time, while a polite one must be answered.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { pakOf, writeFiles } from "../../tests/index/fixtures.ts";
import { workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom, type Random } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import { type Bounds, type Findings, ProcessGauge, Rounds, type Scenario } from "./scenario.ts";

/** Sessions at a time. */
const atOnce = 32;
/** Maximum time until a polite client is answered; milliseconds. */
const maxAnswer = 10_000;
/** Memory that the daemon may have more than before; megabytes. */
const maxGrowth = 300;

const encoder = new TextEncoder();
const hello = encoder.encode(
  '{"jsonrpc":"2.0","id":0,"method":"hello","params":{"client":"hostile","protocols":[1]}}\n',
);

function line(id: number, method: string, params: unknown): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

async function send(connection: Deno.UnixConn, ...pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    for (let sent = 0; sent < piece.length;) {
      // deno-lint-ignore no-await-in-loop -- in order
      sent += await connection.write(piece.subarray(sent));
    }
  }
}

/** Reads what comes until the end. */
async function read(connection: Deno.UnixConn): Promise<void> {
  const buffer = new Uint8Array(65536);
  // deno-lint-ignore no-await-in-loop -- in order
  while (await connection.read(buffer) !== null);
}

/** Waits for work until the time is up, and leaves no timer behind. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  await Promise.race([work, over.promise]).finally(() => clearTimeout(timer));
}

type Attack = (connection: Deno.UnixConn, below: Random) => Promise<void>;

const attacks: Record<string, Attack> = {
  garbage: (connection, below) => send(connection, Uint8Array.from({ length: 1 + below(5000) }, () => below(256))),
  "half a line": (connection) => send(connection, hello.subarray(0, 40)),
  "deep JSON": (connection) => send(connection, hello, encoder.encode("[".repeat(1_000_000) + "\n")),
  "deep parameters": (connection) =>
    send(
      connection,
      hello,
      encoder.encode(
        `{"jsonrpc":"2.0","id":1,"method":"find","params":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}\n`,
      ),
    ),
  "a huge line": (connection) => send(connection, hello, new Uint8Array(5 * 1024 * 1024).fill(65)),
  "empty lines": (connection) => send(connection, hello, new Uint8Array(100_000).fill(10)),
  "never read": (connection) =>
    send(
      connection,
      hello,
      encoder.encode(Array.from({ length: 200 }, (_, id) => line(id + 1, "find", { patterns: ["*"] })).join("")),
    ),
  "10,000 requests": async (connection) => {
    const requests = Array.from({ length: 10_000 }, (_, id) => line(id + 1, "games", {})).join("");
    await within(3000, Promise.all([send(connection, hello, encoder.encode(requests)), read(connection)]));
  },
  "wrong types": (connection) =>
    send(
      connection,
      hello,
      encoder.encode(
        [
          line(1, "find", { patterns: 7, limit: -1, cursor: {} }),
          line(2, "read", { qpath: "a.txt", offset: -1, length: 1e300 }),
          line(3, "__proto__", []),
          line(4, "constructor", null),
          line(5, "find", { patterns: ["[".repeat(50_000)], limit: 1e9 }),
          line(6, "find", { patterns: ["*a".repeat(2000)] }),
          line(7, "which", { qpath: "x".repeat(1_000_000) }),
          line(8, "ls", { path: "../".repeat(10_000) }),
          line(9, "subscribe", { subscription: 1, sample: 1e9 }),
        ].join(""),
      ),
    ),
};

async function attack(socket: string, below: Random, kinds: readonly string[]): Promise<void> {
  const kind = kinds[below(kinds.length)] ?? "";
  let connection: Deno.UnixConn;
  try {
    connection = await Deno.connect({ transport: "unix", path: socket });
  } catch {
    return; // refused, as there are too many
  }
  try {
    // Sending to a daemon that does not read lasts until the connection is closed.
    await within(100 + below(3000), attacks[kind]?.(connection, below).catch(() => {}) ?? Promise.resolve());
  } finally {
    connection.close();
  }
}

async function runHostile(bounds: Bounds): Promise<Findings> {
  await using here = await workspace();
  const names = Array.from({ length: 3000 }, (_, index) => `directory${index % 30}/file number ${index}.txt`);
  await writeFiles(here.path, { "quake/id1/pak0.pak": pakOf("a.txt", ...names) });
  await here.mount("--profile", "quake", `${here.path}/quake`);
  const { pid } = await here.status();
  const below = numbersFrom(bounds.seed + 1);
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  const kinds = Object.keys(attacks);
  using gauge = new ProcessGauge(pid);
  let isOver = false;
  let answers = 0;
  let slowest = 0;
  const polite = (async () => {
    while (!isOver) {
      const begun = performance.now();
      try {
        // deno-lint-ignore no-await-in-loop -- one after the other
        const client = await connectSocket(here.socket, { client: "polite" });
        // deno-lint-ignore no-await-in-loop -- as above
        await client.call("which", { qpath: "a.txt" });
        // deno-lint-ignore no-await-in-loop -- as above
        await client.close();
        answers++;
      } catch (error) {
        failures.push(`a polite client was not answered: ${String(error)}`);
      }
      slowest = Math.max(slowest, performance.now() - begun);
      // deno-lint-ignore no-await-in-loop -- as above
      await pause(100);
    }
  })();
  await Promise.all(Array.from({ length: atOnce }, async () => {
    // deno-lint-ignore no-await-in-loop -- one session after the other, and many of these rows
    while (rounds.next()) await attack(here.socket, below, kinds);
  }));
  isOver = true;
  await polite;
  if (slowest > maxAnswer) failures.push(`a polite client waited for ${Math.round(slowest)} ms`);
  const connection = await connectSocket(here.socket, { client: "soak" });
  const end = Date.now() + 30_000;
  let clients = Number.POSITIVE_INFINITY;
  while (clients > 1 && Date.now() < end) {
    // deno-lint-ignore no-await-in-loop -- waiting is the point
    ({ clients } = await connection.call("status", {}));
    // deno-lint-ignore no-await-in-loop -- waiting is the point
    await pause(100);
  }
  if (clients > 1) failures.push(`${clients - 1} clients that have gone are still there`);
  await connection.close();
  gauge.measure();
  const figures = gauge.figures();
  const growth = (figures["RSS at the end (MB)"] ?? 0) - (figures["RSS at the start (MB)"] ?? 0);
  if (growth > maxGrowth) failures.push(`the daemon has ${growth} MB more than before`);
  if ((await here.status()).pid !== pid) failures.push("it is another daemon");
  await here.stop();
  return {
    figures: {
      sessions: rounds.done,
      "polite answers": answers,
      "slowest polite answer (ms)": Math.round(slowest),
      ...figures,
    },
    failures,
  };
}

/** See above. */
export const hostile: Scenario = {
  name: "hostile",
  summary: "clients that send garbage, bombs and floods and never read, while another is answered",
  rounds: 10_000,
  run: runHostile,
};
