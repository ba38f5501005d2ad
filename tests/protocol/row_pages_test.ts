/** Requests for pages of rows. */
import { assertEquals, assertRejects } from "@std/assert";
import { type Caller, rowPages } from "../../protocol/connection.ts";

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
