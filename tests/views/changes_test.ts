import { assertEquals } from "@std/assert";
import { Snapshot } from "../../index/columns/snapshot.ts";
import { isSameEntry } from "../../views/changes.ts";
import { installation, pakOf, scan } from "../index/fixtures.ts";

Deno.test("files of another directory or archive are not the same, even if it has the same number on another disk", async () => {
  await using root = await installation({ "id1/loose.txt": "x", "id1/pak0.pak": pakOf("a.txt") });
  const { snapshot } = scan(root.path, { profile: "quake" });
  const { columns, sources, clashes, numbering } = snapshot;
  const elsewhere = sources.map((source) => ({ ...source, path: source.path.replace(root.path, "/other") }));
  const other = new Snapshot(columns, elsewhere, clashes, numbering);
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  const compared = [snapshot, other].map((after) =>
    entries.filter((entry) => isSameEntry(snapshot, entry, after, entry)).length
  );
  assertEquals(compared, [entries.length, 0]);
});
