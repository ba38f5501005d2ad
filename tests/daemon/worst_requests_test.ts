// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * The worst requests of each method over the socket, one line of up to 4 MiB each: how long others wait for their turn,
 * and how much memory it takes. `PAKFS_WORST=1` runs them on a large index and prints the table.
 */
import { assert, assertEquals } from "@std/assert";
import process from "node:process";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { errorCodes } from "../../protocol/messages.ts";
import { maxLineBytes, maxStringCount, maxStringLength } from "../../protocol/limits.ts";
import type { MethodName } from "../../protocol/methods.ts";
import { methodNames } from "../../service/methods/table.ts";
import * as questions from "../../questions/table.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { zip } from "../formats/bytes.ts";
import { serve } from "../support/serving.ts";
import { installation } from "../index/fixtures.ts";
import { hello, RawClient, request, until } from "./raw_client.ts";

const isLong = Deno.env.get("PAKFS_WORST") === "1";
/** Number of packs, one of them in the mod, and of their files: half of each are in the next pack too. */
const packCount = isLong ? 6 : 3;
const filesPerPack = isLong ? 35_000 : 10_000;
/** Processor time between two turns of the event loop that fails the test; milliseconds. The aim is 50. */
const maxTurn = 1500;
/** Growth of the process that fails the test; MiB. */
const maxGrowth = 700;
/** Time after which a request is cancelled; milliseconds. */
const timeout = isLong ? 3000 : 500;

/** One request, and its answer if that is always the same. */
interface WorstRequest {
  readonly title: string;
  readonly params?: unknown;
  /** Expected error code; undefined: any result or error of the protocol. */
  readonly code?: number;
}

const view = "quake3/baseq3";
const long = "x".repeat(maxLineBytes - 200);
const longest = "a/".repeat(maxStringLength / 2);
const mistyped = "m".repeat(60);
function words<Word>(count: number, of: (index: number) => Word): Word[] {
  return Array.from({ length: count }, (_, index) => of(index));
}
const tooManyWords = words(100_000, (index) => `*${index}*x?y`);
const refused = errorCodes.invalidParams;
const globs = words(900, (index) => `*[a-z]*${index}?*{x,y,z}*[0-9]*`);
const hardGlob = "*?".repeat(2048);
const pure = words(6000, (index) => `pak${index}`).join(",");
const paged = { limit: 20_000 };

/** Bytes of the largest member, which is mostly zeros. */
const hugeSize = isLong ? 2_000_000_000 : 200_000_000;

/** Worst values of `qpath`, `view` and the like. */
function texts(name: string, others: Readonly<Record<string, unknown>> = {}): WorstRequest[] {
  return [
    { title: `${name} of 4 MiB`, params: { ...others, [name]: long }, code: refused },
    { title: `${name} of many parts`, params: { ...others, [name]: longest } },
    { title: `${name} mistyped`, params: { ...others, [name]: mistyped } },
  ];
}

/** Required parameters of questions. */
const required: Readonly<Record<string, unknown>> = {
  source: "pak1.pk3",
  from: view,
  to: "quake3/mod",
  patterns: [],
  files: [],
};

/** Worst value of every string parameter of every question, chosen by the parameter's check. */
const questionTexts: [method: string, requests: WorstRequest[]][] = Object.entries(questions).map((
  [method, { parameters }],
) => {
  const checks = Object.entries<string>(parameters);
  const others = Object.fromEntries(
    checks.filter(([name, check]) => name === "view" || check.startsWith("required "))
      .map(([name]) => [name, name === "view" ? view : required[name] ?? "x"]),
  );
  const ofText = checks.filter(([, check]) => check.endsWith("text")).map(([name]) => name);
  return [
    method,
    ofText.flatMap((name) => name === "view" ? texts(name).slice(0, 1) : texts(name, others)),
  ];
});

/** Hard requests beyond long string parameters. */
const worst: Readonly<{ [Name in MethodName]?: readonly WorstRequest[] }> = {
  hello: [{ title: "client of 4 MiB", params: { protocol: [1, 1], client: long }, code: refused }],
  games: [{ title: "cursor of 4 MiB", params: { cursor: long }, code: refused }],
  path: [{ title: "a long pure list", params: { view: `${view}:pure=${pure}` } }],
  packs: [{ title: "all trees", params: { fullyShadowed: true, ...paged } }],
  pure: [
    { title: "100,000 words", params: { view, list: tooManyWords }, code: refused },
    { title: "checksums", params: { view, list: words(6000, (index) => `${index * 7919}`) } },
    { title: "names", params: { view, list: words(6000, (index) => `pak${index}`) } },
  ],
  ls: [{ title: "large directory", params: { view, path: "flat", ...paged } }],
  find: [
    { title: "100,000 patterns", params: { view, patterns: tooManyWords }, code: refused },
    { title: "10,000 names", params: { view, patterns: words(maxStringCount, (index) => `name${index}`) } },
    { title: "10,000 paths", params: { view, patterns: words(maxStringCount, (index) => `d/name${index}`) } },
    { title: "900 wildcards", params: { view, patterns: globs } },
    { title: "900 wildcards with /", params: { view, patterns: globs.map((glob) => `**/${glob}`) } },
    { title: "one hard pattern", params: { view, patterns: [hardGlob, `**/${"[a-z]*?".repeat(500)}`] } },
    { title: "nested braces", params: { view, patterns: ["{[".repeat(2048), "{a,".repeat(1300)] } },
    { title: "many states", params: { view, patterns: [`*1${"?".repeat(20)}`, `**/*1${"?".repeat(30)}`] } },
    {
      title: "10,000 extensions",
      params: { view, patterns: [], filters: { extensions: words(maxStringCount, (index) => `e${index}`) } },
    },
    { title: "everything", params: { view, patterns: [], ...paged } },
    { title: "everything of a pure list", params: { view: `${view}:pure=${pure}`, patterns: [], ...paged } },
  ],
  sql: [
    { title: "4 MiB", params: { statement: long }, code: refused },
    {
      title: "no end",
      params: { statement: "WITH RECURSIVE t AS (SELECT 1 UNION ALL SELECT 1 FROM t) SELECT * FROM t" },
    },
    { title: "everything", params: { statement: "SELECT * FROM files, views", ...paged } },
  ],
  usage: [{ title: "all directories", params: { view, depth: 1e15, ...paged } }],
  shadowed: [
    { title: "900 wildcards", params: { view, patterns: globs } },
    { title: "nothing of it", params: { view, filters: { minSize: 1e15 } } },
    { title: "everything", params: { view, ...paged } },
  ],
  conflicts: [{ title: "everything", params: { view, compare: true, ...paged } }],
  needs: [
    { title: "10,000 names", params: { view, files: words(maxStringCount, (index) => `name${index}`) } },
    { title: "everything of a pack", params: { view, files: ["pak1.pk3"], ...paged } },
  ],
  missing: [{ title: "everything", params: { view, ...paged } }],
  unused: [{ title: "everything of a pack", params: { view, source: "pak1.pk3", ...paged } }],
  undecided: [{ title: "everything of a pack", params: { view, source: "pak1.pk3", ...paged } }],
  unfollowed: [{ title: "everything", params: { view } }],
  providers: [{ title: "everything of a pack", params: { view, files: ["pak1.pk3"], library: ["/dev/null"] } }],
  unique: [{ title: "everything", params: { view, source: "pak1.pk3", ...paged } }],
  overrides: [{ title: "everything", params: { view, source: "pak1.pk3", ...paged } }],
  diff: [
    { title: "everything", params: { from: view, to: "quake3/mod", compare: true, ...paged } },
  ],
  diffstat: [{ title: "everything", params: { from: `${view}:pure=pak0`, to: "quake3/mod", compare: true } }],
  shaders: [{ title: "hard pattern", params: { view, pattern: hardGlob } }],
  read: [...texts("qpath", { view }), { title: "large member", params: { view, qpath: "large.bin", offset: 47e6 } }, {
    title: "end of a huge member",
    params: { view, qpath: "huge.bin", offset: hugeSize - 10 },
  }],
  complete: [
    ...texts("prefix", { view, kind: "qpath" }),
    ...texts("prefix", { view, kind: "view" }),
    { title: "large directory", params: { view, kind: "qpath", prefix: "flat/\u00e9", limit: 1e15 } },
    { title: "shaders", params: { view, kind: "shader", prefix: "", limit: 1e15 } },
  ],
  status: [{ title: "params of 4 MiB", params: { nothing: long } }],
  refresh: [{ title: "params of 4 MiB", params: { nothing: long } }],
  reload: [{ title: "params of 4 MiB", params: { nothing: long } }],
  mount: [{ title: "params of 4 MiB", params: { nothing: long }, code: refused }],
  unmount: [{ title: "params of 4 MiB", params: { nothing: long }, code: refused }],
  subscribe: [
    { title: "100,000 views", params: { subscription: 1, views: tooManyWords }, code: refused },
    {
      title: "256 pure lists",
      params: { subscription: 1, views: words(256, (index) => `${view}:pure=pak${index},${pure.slice(0, 9000)}`) },
    },
  ],
  unsubscribe: [{ title: "params of 4 MiB", params: { subscription: 1, nothing: long } }],
  stop: [{ title: "params of 4 MiB", params: { nothing: long } }],
};

/** Lines that are not a valid request. */
const lines: readonly { readonly title: string; readonly line: string; readonly code: number }[] = [
  { title: "objects", line: `{"id":1,"method":"games","params":[${"{},".repeat(1_300_000)}0]}` },
  { title: "nested lists", line: `{"id":1,"method":"games","params":${"[".repeat(2e6)}${"]".repeat(2e6)}}` },
  { title: "members", line: `{"id":1,"method":"games","params":{${words(300_000, (i) => `"${i}":0`).join()}}}` },
  { title: "id", line: `{"id":"${long}","method":"games"}` },
].map((row) => ({ ...row, code: errorCodes.invalidRequest }));

function member(pack: number, index: number): string {
  const number = index + pack * (filesPerPack / 2);
  return number % 2 === 0
    ? `flat/some file of a name ${number}.txt`
    : `d${number % 97}/e${number % 11}/name${number}.tga`;
}

/** Repeats one block of zeros: raw deflate data can be joined from blocks that end at a byte. */
function hugeMember() {
  const zeros = new Uint8Array(1_000_000);
  const block = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH });
  const last = deflateRawSync(zeros);
  const count = hugeSize / zeros.length;
  const compressed = new Uint8Array(block.length * (count - 1) + last.length);
  for (let index = 0; index < count - 1; index++) compressed.set(block, index * block.length);
  compressed.set(last, block.length * (count - 1));
  let crc = 0;
  for (let index = 0; index < count; index++) crc = crc32(zeros, crc);
  return { name: "huge.bin", content: "", compressed, method: 8, size: hugeSize, packedSize: compressed.length, crc };
}

function packOf(pack: number): Uint8Array {
  const files = words(filesPerPack, (index) => member(pack, index)).map((name) => ({ name, content: "" }));
  const shaders = words(5000, (index) => `textures/t${pack}/s${index}\n{\n}\n`).join("");
  return zip([
    ...files,
    { name: `scripts/s${pack}.shader`, content: shaders },
    { name: "maps/q.bsp", content: "" },
    ...pack === 0 ? [{ name: "large.bin", content: new Uint8Array(48_000_000), method: 8 }, hugeMember()] : [],
  ]);
}

const counts = { added: 0, removed: 0, changed: 0 };
const nothing = { packs: counts, files: counts, milliseconds: 0 };

/** A server in this process, and the longest turn of its event loop. */
async function opened() {
  const root = await installation({
    ...Object.fromEntries(words(packCount - 1, (index) => [`baseq3/pak${index}.pk3`, packOf(index)])),
    "mod/pak9.pk3": packOf(packCount - 1),
    ...Object.fromEntries(words(20, (index) => [`mod${index}/a.cfg`, ""])),
  });
  const serving = await serve(
    scanCatalog([{ sources: [root.path], name: "quake3", profile: "chomenor" }]),
    `${root.path}/run/pakfs.sock`,
    {
      host: {
        refresh: () => Promise.resolve(nothing),
        reload: () => Promise.resolve({ ...nothing, config: null, needsRestart: [] }),
      },
    },
  );
  return {
    ...serving,
    async [Symbol.asyncDispose](): Promise<void> {
      await serving[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

/** Processor time of this thread in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Records the longest turns of the event loop, and the maximum memory after each, until it is disposed of. */
class Turns implements Disposable {
  longest = 0;
  longestCpu = 0;
  peak = 0;
  #timer: ReturnType<typeof setInterval>;

  constructor() {
    let last = performance.now();
    let lastCpu = cpuTime();
    this.#timer = setInterval(() => {
      const now = performance.now();
      const nowCpu = cpuTime();
      this.longest = Math.max(this.longest, now - last);
      this.longestCpu = Math.max(this.longestCpu, nowCpu - lastCpu);
      this.peak = Math.max(this.peak, Deno.memoryUsage().rss);
      last = now;
      lastCpu = nowCpu;
    }, 0);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function print(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Sends one line, and cancels it when it takes long. */
async function measured(socket: string, id: string, line: string): Promise<{ code: number | "result"; row: number[] }> {
  using client = await RawClient.connect(socket);
  await client.send(hello);
  await client.answers(1);
  const before = Deno.memoryUsage().rss;
  const bytes = new TextEncoder().encode(`${line}\n`);
  assert(bytes.length <= maxLineBytes + 1, `${bytes.length} bytes`);
  using turns = new Turns();
  const start = performance.now();
  const cancel = () => client.send(`{"method":"$/cancel","params":{"id":"${id}"}}\n`).catch(() => {});
  await client.send(bytes);
  const cancelling = setTimeout(cancel, timeout);
  const [answer] = await client.answers(1);
  clearTimeout(cancelling);
  await new Promise((resolve) => setTimeout(resolve, 2));
  const time = performance.now() - start;
  const code = answer && "error" in answer ? answer.error.code : "result";
  return { code, row: [time, turns.longest, turns.longestCpu, (turns.peak - before) / 2 ** 20] };
}

Deno.test("no request of 4 MiB keeps others waiting, takes much memory, or is an internal error", async () => {
  const asked = new Set([...questionTexts, ...Object.entries(worst)].map(([method]) => method));
  assertEquals(methodNames.filter((method) => !asked.has(method)), []);
  await using here = await opened();
  const rows: string[] = [];
  const problems: string[] = [];
  const requests = [
    ...[...questionTexts, ...Object.entries(worst)].flatMap(([method, requests]) =>
      requests.map(({ title, params, code }) => ({
        title: `${method}: ${title}`,
        line: JSON.stringify({ jsonrpc: "2.0", id: "worst", method, params }),
        code,
      }))
    ),
    ...lines.map(({ title, line, code }) => ({ title: `line of ${title}`, line, code })),
  ];
  for (const { title, line, code } of requests) {
    const { code: answered, row: [time = 0, turn = 0, cpu = 0, growth = 0] } = await measured(
      here.socket,
      "worst",
      line,
    );
    rows.push(
      [title.padEnd(42), `${answered}`.padStart(7), ...[time, turn, cpu, growth].map((n) => n.toFixed().padStart(6))]
        .join(" "),
    );
    if (cpu > maxTurn) problems.push(`${title}: a turn of ${cpu} ms`);
    if (growth > maxGrowth) problems.push(`${title}: ${growth} MiB`);
    if (answered === errorCodes.internalError || (code !== undefined && answered !== code)) {
      problems.push(`${title}: answered with ${answered}`);
    }
  }
  if (isLong) print(["request, answer, ms, longest turn, of it processor, MiB", ...rows].join("\n"));
  assertEquals(problems, []);
});

Deno.test("40 clients that ask much and never read need little memory, delay no other, and leave nothing", async () => {
  await using here = await opened();
  const clients: RawClient[] = [];
  const flood = new TextEncoder().encode(
    hello +
      words(60, (id) => JSON.stringify({ id, method: "find", params: { view, patterns: [], ...paged } })).join("\n") +
      `\n${JSON.stringify({ id: 99, method: "find", params: { view, patterns: words(9000, (n) => `none${n}`) } })}\n`,
  );
  const before = Deno.memoryUsage().rss;
  const sending: Promise<void>[] = [];
  for (let count = 0; count < 40; count++) {
    const client = await RawClient.connect(here.socket);
    clients.push(client);
    sending.push(client.send(flood).catch(() => {}));
  }
  // The daemon answers each request, and still serves a client that reads.
  for (let count = 0; count < 200 && here.server.calls() < 80; count++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { row: [time = 0] } = await measured(here.socket, "other", request("other", "games"));
  const growth = (Deno.memoryUsage().rss - before) / 2 ** 20;
  if (isLong) {
    print(`40 clients that never read: ${growth.toFixed()} MiB; another is answered in ${time.toFixed()} ms`);
  }
  assert(growth < 200, `${growth} MiB`);
  for (const client of clients) client[Symbol.dispose]();
  await Promise.all(sending);
  await until(() => here.server.clients() === 0);
});

/** Requests that take more than one turn. */
const longWork: readonly (readonly [method: MethodName, params: unknown])[] = [
  ["packs", { fullyShadowed: true }],
  ["ls", { view, path: "flat", ...paged }],
  ["find", { view, patterns: [], ...paged }],
  ["find", { view, patterns: globs }],
  ["find", { view, patterns: globs.map((glob) => `**/${glob}`) }],
  ["usage", { view, depth: 9, ...paged }],
  ["shadowed", { view, ...paged }],
  ["shadowed", { view, filters: { minSize: 1e15 } }],
  ["conflicts", { view, ...paged }],

  ["unique", { view, source: "pak1.pk3", ...paged }],
  ["overrides", { view, source: "pak1.pk3", ...paged }],
  ["diff", { from: view, to: "quake3/mod", ...paged }],
  ["diffstat", { from: "quake3/mod", to: `${view}:pure=nothing` }],
  ["shaders", { view, pattern: `**/${hardGlob.slice(0, 1000)}` }],
  ["subscribe", { subscription: 1, views: words(9, () => view) }],
  ["read", { view, qpath: "huge.bin", offset: hugeSize - 10 }],
];

Deno.test("work of more than one turn ends when it is cancelled, whatever the method", async () => {
  await using here = await opened();
  const peer = { subscribe: () => {}, unsubscribe: () => true, progress: () => {} };
  for (const [method, params] of longWork) {
    // Cached values are created here.
    if (method === "shaders") await here.service.call("shaders", { view });
    const controller = new AbortController();
    // Scheduled before the call, so that it runs before the first turn of the call.
    setImmediate(() => controller.abort());
    const code = await here.service.call(method, params, controller.signal, peer)
      .then(() => "answered", (error) => error.code);
    assertEquals(code, errorCodes.cancelled, `${method} ${JSON.stringify(params).slice(0, 100)}`);
  }
});
