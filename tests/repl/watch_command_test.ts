import { assertEquals } from "@std/assert";
import type { RefreshedEvent } from "../../protocol/rows.ts";
import { exampleRefresh as event, FakeConnection } from "./fake_connection.ts";
import { jsonRows, runLine } from "./harness.ts";

function connection(...refreshes: RefreshedEvent[]): FakeConnection {
  return Object.assign(new FakeConnection(), { refreshes });
}

Deno.test("watch shows what changed, in lines for people", async () => {
  const { code, out, err } = await runLine("watch --limit 1", { connection: connection(event, event) });
  assertEquals([code, err], [0, "watching; press Ctrl-C to stop\n"]);
  assertEquals(out.split("\n"), [
    "13:05:09 packs: 1 added, 1 changed; files: 3 added, 1 removed",
    "  + /q/id1/pak1.pak: the file is cut short\\x1b[2J",
    "  ~ /q/id1/evil\\x1b.pak",
    "  q/id1: 2 added, 1 removed",
    "    + a.txt",
    "    - b.txt",
    "    and 1 more file",
    "  q/mod: removed, no files",
    "",
  ]);
});

Deno.test("watch --json prints a line for each change and one for the refresh; Ctrl-C ends it with 130", async () => {
  const given = connection({ ...event, dropped: 2 });
  const { code, out } = await runLine("watch --json --sample 5 --view q/id1", { connection: given });
  assertEquals(code, 130);
  assertEquals(given.calls, ['subscribe {"settle":true,"views":["q/id1"],"sample":5}']);
  assertEquals(jsonRows(out), [
    { type: "pack", change: "added", source: "/q/id1/pak1.pak", problem: "the file is cut short\x1b[2J" },
    { type: "pack", change: "changed", source: "/q/id1/evil\x1b.pak" },
    { type: "file", view: "q/id1", qpath: "a.txt", change: "added" },
    { type: "file", view: "q/id1", qpath: "b.txt", change: "removed" },
    {
      type: "refresh",
      time: event.time,
      milliseconds: 4.5,
      packs: event.packs,
      files: event.files,
      views: event.views.map(({ view, change, files }) => ({ view, change, files })),
      dropped: 2,
    },
  ]);
});
