/** Answers and refusals of the server of `pakfs web`, tested with raw requests. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { encodeTga } from "../../daemon/demo/image.ts";
import { decodePng } from "../../media/pictures/png.ts";
import type { Connection } from "../../protocol/connection.ts";
import { EventQueue, eventsUntil } from "../../protocol/event_queue.ts";
import type { RefreshedEvent } from "../../protocol/rows.ts";
import { openLocal } from "../../service/local.ts";
import { serveWeb } from "../../web/server.ts";
import { FakeConnection } from "../repl/fake_connection.ts";
import { runLine } from "../repl/harness.ts";
import { wav } from "../media/handmade.ts";
import { seamMdl } from "../media/handmade_models.ts";
import { type Files, installation, pakOf, writeFiles } from "../index/fixtures.ts";

const hostile = [`"><script>alert(1)</script>.txt`, "a&b=c#d?e.txt", "quote'\".txt", "100%.txt", "\u202eevil.txt"];

const red = encodeTga({ width: 2, height: 1, rgba: new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255]) });
/** Names in the pack whose bytes are no UTF-8. */
const notUnicode = pakOf("zzz.txt", "both.txt").map((byte) => byte === 0x7a ? 0xff : byte);

const files: Files = {
  "q/id1/pak0.pak": notUnicode,
  "q/id1/both.txt": "the one that loses",
  "q/id1/red.tga": red,
  "q/id1/broken.tga": red.subarray(0, 9),
  "q/id1/gfx/palette.lmp": Uint8Array.from({ length: 768 }, (_, index) => index % 3 === 0 ? 255 : 0),
  "q/id1/box.mdl": seamMdl(),
  "q/id1/broken.mdl": seamMdl().subarray(0, 90),
  "q/id1/beep.wav": wav(
    [...new Array<number>(192).fill(0), ...new Array<number[]>(96).fill([32767, -32768]).flat()],
    1,
    192,
  ),
  "q/id1/page.html": "<script>alert(1)</script>",
  ...Object.fromEntries(hostile.map((name) => [`q/id1/${name}`, name])),
};

const names = Object.fromEntries(Object.keys(files).map((path) => [path.slice("q/id1/".length), true]));

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Sends bytes to a port and reads the reply. */
async function send(port: number, request: string): Promise<Reply> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(request));
  const bytes = new Uint8Array(await new Response(connection.readable).arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...fields] = text.slice(0, end).split("\r\n");
  const headers = new Headers(fields.map((field): [string, string] => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon), field.slice(colon + 1).trim()];
  }));
  return { status: Number(line.split(" ")[1]), headers, body: bytes.slice(end + 4) };
}

/** A server of the files above. */
class Site implements AsyncDisposable {
  readonly url: URL;
  readonly #owned: readonly AsyncDisposable[];
  readonly ticket: () => string;
  cookie = "";

  /** Changes files, and has the index follow. */
  readonly refresh: (changed: Files) => Promise<void>;

  private constructor(url: string, calls: Pick<Site, "ticket" | "refresh">, owned: readonly AsyncDisposable[]) {
    this.url = new URL(url);
    this.ticket = calls.ticket;
    this.refresh = calls.refresh;
    this.#owned = owned;
  }

  /** @param subscribe Where its events come from; default: the index. */
  static async open(subscribe?: Connection["subscribe"]): Promise<Site> {
    const root = await installation(files);
    const connection = await openLocal({ sources: [`${root.path}/q`], profile: "quakespasm" });
    const refresh = async (changed: Files) => {
      await writeFiles(root.path, changed);
      await connection.call("refresh", {});
    };
    const subscriber = { call: connection.call.bind(connection), subscribe };
    const server = await serveWeb({
      connection: subscribe ? subscriber as Connection : connection,
      port: 0,
      path: "/q/id1/?find=a%20b",
    });
    const site = new Site(server.url, { ticket: server.ticket, refresh }, [server, connection, root]);
    const { headers } = await site.get(`${site.url.pathname}${site.url.search}`);
    site.cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    return site;
  }

  get port(): number {
    return Number(this.url.port);
  }

  get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Reply> {
    const all = { host: this.url.host, connection: "close", ...this.cookie ? { cookie: this.cookie } : {}, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return send(this.port, `${method} ${path} HTTP/1.1\r\n${lines}\r\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const item of this.#owned) {
      // deno-lint-ignore no-await-in-loop -- the server before what it serves
      await item[Symbol.asyncDispose]();
    }
  }
}

/** Waits for what the server does by itself; fails after a long timeout. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 600_000;
  // deno-lint-ignore no-await-in-loop -- until it is so
  while (!await condition()) assert(Date.now() < end, "it never comes");
}

const state = "/.pakfs/state";
const text = ({ body }: Reply) => new TextDecoder().decode(body);
const rawOf = (qpath: string, how = "raw") => `/.pakfs/${how}?${new URLSearchParams({ view: "q/id1", qpath })}`;

Deno.test("the token of the URL gives a cookie once, and leads to the address without it", async () => {
  await using site = await Site.open();
  const { cookie } = site;
  site.cookie = "";
  const visit = await site.get(`${site.url.pathname}${site.url.search}`);
  assertEquals([visit.status, visit.headers.get("location")], [303, "/q/id1/?find=a+b"]);
  assertMatch(visit.headers.get("set-cookie") ?? "", /^pakfs-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
  assert(!cookie.includes(site.url.searchParams.get("token") ?? ""), "the cookie is not the token");
  assertEquals((await site.get(state)).status, 401);
  assertEquals((await site.get("/q/id1/")).status, 401);
  const token = site.url.searchParams.get("token") ?? "";
  for (const wrong of ["", "x", token.slice(1), `${token}x`, token.toUpperCase()]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    const refused = await site.get(`/?token=${wrong}`);
    assertEquals([refused.status, refused.headers.get("set-cookie")], [401, null], wrong);
  }
  for (
    const wrong of [`${cookie}x`, cookie.slice(0, -1), cookie.replace("pakfs-", "pakfs"), `${cookie.split("=")[0]}=`]
  ) {
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get(state, { cookie: wrong })).status, 401, wrong);
  }
  assertEquals((await site.get(state, { cookie: `other=1; ${cookie.split("=")[0]}=bad; ${cookie}` })).status, 200);
  // The token of the address is no key to data: it would be kept in logs and histories.
  assertEquals((await site.get(`${state}?token=${token}`)).status, 401);
});

Deno.test("the command names a port that it cannot use", async () => {
  using busy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = busy.addr;
  const connection = new FakeConnection();
  const outcomes = [
    await runLine("web --port 70000", { connection }),
    await runLine(`web --port ${port}`, { connection }),
  ];
  assertEquals(outcomes.map(({ code, err }) => [code, err]), [
    [2, "pakfs: --port takes a number up to 65535\n"],
    [1, `pakfs: port ${port} is in use; choose another with --port, or omit it\n`],
  ]);
});

Deno.test("a browser keeps pictures until an event comes, or until events may have been missed", async () => {
  const queues: EventQueue[] = [];
  let subscribed = Promise.withResolvers<void>();
  await using site = await Site.open((_, options) => {
    const queue = new EventQueue();
    queues.push(queue);
    subscribed.resolve();
    return Promise.resolve(eventsUntil(queue, options?.signal));
  });
  const shade = async () => decodePng((await site.get(rawOf("red.tga", "as/png"))).body).rgba[0];
  const change = (red: number) =>
    site.refresh({ "q/id1/red.tga": encodeTga({ width: 1, height: 1, rgba: Uint8Array.of(red, 0, 0, 255) }) });
  const event = { dropped: 0, views: [] } as unknown as RefreshedEvent;
  const age = async () => JSON.parse(text(await site.get(state))).age as string;
  const isCurrent = async (age: string) =>
    (await site.get(`${rawOf("red.tga")}&${new URLSearchParams({ age })}`)).headers.get("cache-control")?.includes(
      "max-age",
    ) === true;
  const first = await age();
  assertEquals([await shade(), await isCurrent(first)], [255, true]);
  await change(100);
  assertEquals([await shade(), await isCurrent(first)], [100, true]);
  queues[0]?.push(event);
  // The server follows events on its own.
  await until(async () => !await isCurrent(first));
  const second = await age();
  assertEquals(await shade(), 100);
  await change(50);
  subscribed = Promise.withResolvers();
  queues[0]?.close(new Error("lost"));
  await subscribed.promise;
  await until(async () => !await isCurrent(second));
  assertEquals([await shade(), await isCurrent(await age())], [50, true]);
});

Deno.test("a server that ends closes the events of a page that is open, and leaves no timer", async () => {
  const site = await Site.open();
  const { body } = await fetch(new URL("/.pakfs/events", site.url), { headers: { cookie: site.cookie } });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals(await reader?.read(), { done: false, value: ": alive\n\n" });
  await site[Symbol.asyncDispose]();
  assertEquals((await reader?.read())?.done, true);
});

Deno.test("a server that ends cancels the questions of a page that are not answered yet", async () => {
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const connection = {
    call: (_method: string, _params: unknown, { signal }: { signal?: AbortSignal }) => {
      asked.resolve(signal);
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    },
    subscribe: () => Promise.reject(new Error("no events")),
  } as unknown as Connection;
  const server = await serveWeb({ connection, port: 0 });
  const admitted = await fetch(server.url, { redirect: "manual" });
  await admitted.body?.cancel();
  const cookie = admitted.headers.get("set-cookie")?.split(";")[0] ?? "";
  const answered = fetch(new URL("/.pakfs/call/games", server.url), { headers: { cookie } });
  const signal = await asked.promise;
  assertEquals(signal?.aborted, false);
  const ended = server[Symbol.asyncDispose]();
  assertEquals([signal?.aborted, (await answered).status], [true, 502]);
  await (await answered).body?.cancel();
  await ended;
});

Deno.test("a ticket is for one visit", async () => {
  await using site = await Site.open();
  site.cookie = "";
  const first = new URL(site.ticket());
  const ticket = new URL(site.ticket());
  assert(!ticket.search.includes(site.url.searchParams.get("token") ?? "-"));
  const statuses = [];
  for (const { pathname, search } of [first, ticket, ticket]) {
    // deno-lint-ignore no-await-in-loop -- in this order
    statuses.push((await site.get(`${pathname}${search}`)).status);
  }
  assertEquals(statuses, [401, 303, 401]);
});

Deno.test("requests for another name, or from another page, are refused despite the cookie", async () => {
  await using site = await Site.open();
  const { host } = site.url;
  assertEquals((await site.get(state)).status, 200);
  assertEquals((await site.get(state, { host: `localhost:${site.port}` })).status, 200);
  for (
    const other of ["evil.example", `evil.example:${site.port}`, "127.0.0.1", `127.0.0.1.evil.example:${site.port}`, ""]
  ) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    assertEquals((await site.get(state, { host: other })).status, 421, other);
  }
  for (const origin of ["http://evil.example", "null", `https://${host}`, `http://127.0.0.1:${site.port + 1}`]) {
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get(state, { origin })).status, 403, origin);
  }
  assertEquals((await site.get(state, { origin: `http://${host}` })).status, 200);
  for (const from of ["cross-site", "same-site"]) {
    const visit = { "sec-fetch-site": from, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get(state, visit)).status, 403, `data: ${from}`);
    // deno-lint-ignore no-await-in-loop -- a link from elsewhere leads to the page
    assertEquals((await site.get("/q/id1/", visit)).status, 200, `a link: ${from}`);
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get("/q/id1/", { ...visit, "sec-fetch-dest": "iframe" })).status, 403, `a frame: ${from}`);
  }
});

Deno.test("nothing can be written, and only questions can be asked", async () => {
  await using site = await Site.open();
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    assertEquals((await site.get(state, {}, method)).status, 405, method);
  }
  for (
    const method of ["stop", "refresh", "reload", "mount", "unmount", "run", "subscribe", "read", "hello", "toString"]
  ) {
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get(`/.pakfs/call/${method}`)).status, 404, method);
  }
  assertEquals((await site.get("/.pakfs/call/ls?params=%7B")).status, 400);
  assertEquals((await site.get("/.pakfs/call/ls?params=%7B%22path%22%3A1%7D")).status, 400);
  assertEquals((await site.get(`/.pakfs/call/ls?params=${"x".repeat(40_000)}`)).status, 414);
  for (
    const path of [
      "/.pakfs/page/../server.ts",
      "/.pakfs/page/..%2fserver.ts",
      "/.pakfs/page//etc/passwd",
      "/.pakfs/page/deno.json",
    ]
  ) {
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get(path)).status, 404, path);
  }
});

Deno.test("answers protect themselves: no script of a game runs, and no name is markup or a header", async () => {
  await using site = await Site.open();
  const page = await site.get("/q/id1/");
  const policy = page.headers.get("content-security-policy") ?? "";
  assert(!policy.includes("unsafe"), policy);
  for (
    const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]
  ) {
    assertStringIncludes(policy, rule);
  }
  assert(!/<script(?![^>]* src=)|style=|\son\w+=/.test(text(page)), "the page has code of its own");
  const html = await site.get(rawOf("page.html"));
  assertEquals(html.headers.get("content-type"), "application/octet-stream");
  assertEquals(html.headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'; sandbox");
  for (const reply of [page, html, await site.get(state), await site.get("/.pakfs/nothing")]) {
    assertEquals(reply.headers.get("x-content-type-options"), "nosniff");
    assertEquals(reply.headers.get("referrer-policy"), "no-referrer");
  }
  for (const name of hostile) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    const saved = await site.get(`${rawOf(name)}&save`);
    assertEquals([saved.status, text(saved)], [200, name], name);
    assertMatch(saved.headers.get("content-disposition") ?? "", /^attachment; filename\*=UTF-8''[\w.%!~-]+$/);
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals((await site.get(`/q/id1/${encodeURIComponent(name)}`)).status, 200, name);
  }
  const { rows } = JSON.parse(text(await site.get("/.pakfs/call/find?params=%7B%22patterns%22%3A%5B%22*%22%5D%7D")));
  const [odd] = (rows as { qpath: string }[]).filter(({ qpath }) => !(qpath in names));
  assertEquals((await site.get(rawOf(odd?.qpath ?? ""))).status, 200, odd?.qpath);
  const refused = await site.get(rawOf("<img src=x onerror=alert(1)>"));
  assertEquals([refused.status, refused.headers.get("content-type")], [404, "application/json"]);
});

Deno.test("thumbnails of sounds are waveforms, those of models drawings with their skins", async () => {
  await using site = await Site.open();
  const shown = async (qpath: string) => decodePng((await site.get(rawOf(qpath, "as/thumbnail"))).body);
  const wave = await shown("beep.wav");
  const row = (x: number) =>
    Array.from({ length: wave.height }, (_, y) => wave.rgba[(y * wave.width + x) * 4 + 3] === 255 ? y : [])
      .flat();
  // A half of silence, then full amplitude.
  assertEquals([wave.width, wave.height], [192, 96]);
  assertEquals([row(10).length, row(150)[0], row(150).at(-1)], [1, 0, 95]);
  const model = await shown("box.mdl");
  const pixels = Array.from(
    { length: model.rgba.length / 4 },
    (_, pixel) => model.rgba.subarray(pixel * 4, pixel * 4 + 4),
  );
  const solid = pixels.filter(([, , , opacity]) => opacity === 255);
  assert(solid.length > 500 && solid.length < pixels.length * 0.9, `${solid.length} pixels are drawn`);
  assert(solid.every(([red = 0, green, blue]) => red > 100 && green === 0 && blue === 0), "all of its skin is red");
  // Status 204 makes no browser log an error for a missing thumbnail.
  assertEquals((await site.get(rawOf("broken.mdl", "as/thumbnail"))).status, 204);
  assertEquals((await site.get(rawOf("both.txt", "as/thumbnail"))).status, 204);
});

Deno.test("the kind of a file is told by its content, and how a browser shows it", async () => {
  await using site = await Site.open();
  const shown = async (qpath: string) => JSON.parse(text(await site.get(rawOf(qpath, "kind"))));
  assertEquals(await shown("beep.wav"), { kind: "sound", to: null, targets: [] });
  assertEquals(await shown("red.tga"), { kind: "picture", to: "png", targets: ["png"] });
  assertEquals(await shown("page.html"), { kind: "text", to: null, targets: [] });
  assertEquals((await site.get(rawOf("missing", "kind"))).status, 404);
  const kinds = (qpaths: unknown) =>
    site.get(`/.pakfs/kinds?${new URLSearchParams({ view: "q/id1", qpaths: JSON.stringify(qpaths) })}`);
  assertEquals(JSON.parse(text(await kinds(["box.mdl", "missing", "both.txt"]))), ["model", "data", "text"]);
  const refused = [await kinds("both.txt"), await kinds([1]), await kinds(new Array(201).fill("a"))];
  assertEquals(refused.map(({ status }) => status), [400, 400, 400]);
  const saved = await site.get(`${rawOf("red.tga", "as/png")}&save`);
  assertEquals(saved.headers.get("content-disposition"), "attachment; filename*=UTF-8''red.tga.png");
});

Deno.test("a sound that browsers play comes as it is", async () => {
  await using site = await Site.open();
  const { status, headers, body } = await site.get(rawOf("beep.wav", "as/wav"));
  assertEquals([status, headers.get("content-type"), body], [200, "audio/wav", files["q/id1/beep.wav"]]);
});

Deno.test("pictures come as PNG with the file's pixels; damaged ones are refused with a sentence, and losers can be read", async () => {
  await using site = await Site.open();
  for (const how of ["as/png", "as/thumbnail"]) {
    // deno-lint-ignore no-await-in-loop -- two of them
    const { status, headers, body } = await site.get(rawOf("red.tga", how));
    assertEquals([status, headers.get("content-type")], [200, "image/png"], how);
    assertEquals(Array.from(decodePng(body).rgba), [255, 0, 0, 255, 0, 0, 255, 255], how);
  }
  const broken = await site.get(rawOf("broken.tga", "as/png"));
  assertEquals(broken.status, 422);
  assertMatch(JSON.parse(text(broken)).message, /ends at byte 9/);
  const wrong = [
    rawOf("a.txt", "as/png"),
    rawOf("red.tga", "as/exe"),
    `${rawOf("red.tga")}&candidate=0`,
    "/.pakfs/raw?view=q/id1",
  ];
  const statuses = [];
  for (const path of wrong) {
    // deno-lint-ignore no-await-in-loop -- in this order
    statuses.push((await site.get(path)).status);
  }
  assertEquals(statuses, [404, 404, 400, 400]);
  assertEquals((await site.get(`${rawOf("red.tga")}&candidate=2`)).status, 404);
  const both = await Promise.all([1, 2].map((number) => site.get(`${rawOf("both.txt")}&candidate=${number}`)));
  assertEquals(both.map(text), ["both.txt", "the one that loses"]);
});
