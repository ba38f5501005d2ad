// deno-lint-ignore-file no-await-in-loop -- the commands run one after another
/** A daemon's data are printed without terminal escapes: it may belong to another user whom root has named. */
import { assert, assertEquals } from "@std/assert";
import type { Connection } from "../../protocol/connection.ts";
import { RpcError } from "../../protocol/messages.ts";
import type { RefreshedEvent } from "../../protocol/rows.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { withoutColours } from "../../repl/output/colour.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { exampleRefresh, FakeConnection } from "./fake_connection.ts";
import { runLine } from "./harness.ts";

const evil = "\x1b]0;evil\x07\x9b31m\u202e";

/** Fields whose values control programs. */
const kept = new Set(["data", "cursor", "type", "change", "kind", "mtime", "crc32"]);

/** Returns a value with every string in it made hostile. */
function hostile(value: unknown, key = ""): unknown {
  if (typeof value === "string") return kept.has(key) ? value : value + evil;
  if (Array.isArray(value)) return value.map((item) => hostile(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hostile(item, name)]));
}

/** A daemon whose answers are hostile: every string in them, and the message of every error. */
function hostileConnection(): Connection {
  const fake = new FakeConnection();
  const call: Connection["call"] = async (...parameters) => {
    try {
      return hostile(await fake.call(...parameters)) as never;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new RpcError({ code: error.code, message: evil, data: { suggestions: [evil] } });
    }
  };
  return {
    call,
    subscribe: () =>
      Promise.resolve((async function* () {
        yield hostile(exampleRefresh) as RefreshedEvent;
      })()),
    close: () => fake.close(),
    [Symbol.asyncDispose]: () => fake.close(),
  };
}

/** Commands that use no daemon, or start programs and servers. */
const others = new Set([
  "web",
  "open",
  "repl",
  "service",
  "demo",
  "mount",
  "daemon",
  "test",
  "detect",
  "init",
  "games",
]);

Deno.test("no command prints what a daemon sends so that a terminal obeys it", async () => {
  await using directory = await temporaryDirectory();
  const lines = commandTable.filter(({ name, scope }) => !others.has(name.split(" ")[0] ?? "") && scope !== undefined)
    .flatMap(({ examples }) => examples.map(({ line }) => line))
    // The test runs no programs and reads no files of this machine.
    .filter((line) =>
      !/[|>~]|-o |^(\.|archive|checksum|limits|names|formats|doctor|completions|config|tour|clear)/.test(line)
    )
    .concat(["status", "ls", "ls -l", "find *", "which maps/a.bsp", "complete qpath m", "packs", "views", "tree"])
    .concat([`extract * -o ${directory.path}/out`]);
  assert(lines.length > 60, `${lines.length}`);
  let shown = 0;
  for (const line of lines) {
    for (const terminal of [true, false]) {
      const { out, err } = await runLine(line, { connection: hostileConnection(), terminal });
      for (const text of [out, err]) {
        // deno-lint-ignore no-control-regex -- control characters are what is looked for
        const [raw] = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.exec(withoutColours(text)) ?? [];
        assertEquals(raw, undefined, `${line}: ${JSON.stringify(text)}`);
        if (text.includes("evil")) shown++;
      }
    }
  }
  assert(shown > 60, `${shown}`);
});
