/** Requests for pages of rows. */
import { assertEquals, assertRejects } from "@std/assert";
import fc from "../support/fast_check.ts";
import { type Caller, rowPages } from "../../protocol/connection.ts";
import { EncodedPage, pageInReply, rowSeparator } from "../../protocol/encoded_page.ts";

/** Answers with pages of one path each, and records requests and cancellations. */
class NotedPages {
  readonly requests: (string | undefined)[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  readonly #paths: readonly (string | Error)[];

  constructor(paths: readonly (string | Error)[]) {
    this.#paths = paths;
  }

  get caller(): Caller {
    const call = (_method: string, { cursor }: { cursor?: string }, { signal }: { signal?: AbortSignal } = {}) => {
      this.requests.push(cursor);
      this.signals.push(signal);
      const at = Number(cursor ?? 0);
      const path = this.#paths[at];
      if (path instanceof Error) return Promise.reject(path);
      return Promise.resolve({ rows: [path], cursor: at + 1 < this.#paths.length ? String(at + 1) : null });
    };
    return { call } as unknown as Caller;
  }
}

Deno.test("the second page is requested when the first was read, later ones while the page before them is", async () => {
  const noted = new NotedPages(["a", "b", "c", "d"]);
  const before: number[] = [];
  const read: string[] = [];
  for await (const rows of rowPages(noted.caller, "qpaths", { patterns: ["*"] })) {
    before.push(noted.requests.length);
    read.push(...rows);
  }
  assertEquals([read, noted.requests], [["a", "b", "c", "d"], [undefined, "1", "2", "3"]]);
  assertEquals(before, [1, 3, 4, 4]);
});

Deno.test("who stops reading aborts the page that was requested, and its failure harms nobody", async () => {
  const noted = new NotedPages(["a", "b", new Error("no third page")]);
  for await (const rows of rowPages(noted.caller, "qpaths", { patterns: ["*"] })) {
    if (rows.includes("b")) break;
  }
  assertEquals(noted.requests.length, 3);
  assertEquals(noted.signals.map((signal) => signal?.aborted), [true, true, true]);
});

Deno.test("a page that fails throws after the rows before it", async () => {
  const read: string[] = [];
  const { caller } = new NotedPages(["a", "b", new Error("no third page")]);
  await assertRejects(
    async () => {
      for await (const rows of rowPages(caller, "qpaths", { patterns: ["*"] })) read.push(...rows);
    },
    Error,
    "no third page",
  );
  assertEquals(read, ["a", "b"]);
});

Deno.test("rows of any values are separated without being parsed, and other replies are left to the parser", () => {
  const strange = fc.constantFrom(rowSeparator, '],"cursor":', '"rows":[\t', "},{", "\n", "\x1b\u202e", "\ud800", "é");
  const text = fc.oneof(strange, fc.string({ unit: "binary", maxLength: 4 }));
  const row = fc.dictionary(
    text,
    fc.oneof(text, fc.array(fc.record({ a: text }), { maxLength: 2 }), fc.integer(), fc.constant(null)),
    {
      maxKeys: 3,
    },
  );
  const rest = fc.record({ cursor: fc.option(text), progress: fc.record({ done: fc.nat(), total: fc.nat() }) }, {
    requiredKeys: ["cursor"],
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 3 }), rest, fc.nat(), (rows, others, id) => {
      const page = new EncodedPage(rows.map((value) => JSON.stringify(value)).join(rowSeparator), others);
      const line = new TextDecoder().decode(page.replyLine(id)).trimEnd();
      const { result } = JSON.parse(line);
      const found = pageInReply(line);
      assertEquals(JSON.stringify([id, result]), JSON.stringify([found?.id, found?.page.parsed]));
      assertEquals(JSON.stringify(result), JSON.stringify(page.parsed));
      const lines = page.lines === "" ? [] : page.lines.split("\n").map((value) => JSON.parse(value));
      assertEquals(JSON.stringify(lines), JSON.stringify(result.rows));
    }),
    { numRuns: 60 },
  );
  for (const result of [{ rows: ["a"], cursor: null }, null, { cursor: null, rows: [] }]) {
    assertEquals(pageInReply(JSON.stringify({ jsonrpc: "2.0", id: 1, result })), undefined);
  }
});
