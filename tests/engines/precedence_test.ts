/**
 * The winner of a path under each profile: the vectors of `precedence.txt`, for which `which` and the resolved tree
 * must both name the expected file, and cases that such a table cannot express.
 */
import { assertEquals } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { none } from "../../index/columns/columns.ts";
import { findFiles } from "../../questions/find.ts";
import { whichCandidates } from "../../views/which.ts";
import { installation, scan, winner, zipOf } from "../index/fixtures.ts";
import { vectorsOf } from "../index/vectors.ts";

vectorsOf(await Deno.readTextFile(new URL("precedence.txt", import.meta.url)));

Deno.test("quake and quakespasm: of two entries of one name in a pack the first answers", async () => {
  await using root = await installation({ "id1/pak0.pak": pak([["twice.txt", "first"], ["twice.txt", "second!"]]) });
  for (const profile of ["quake", "quakespasm"]) {
    const view = scan(root.path, { profile }).view();
    const { entries } = view.tree;
    assertEquals(winner(root.path, view, "twice.txt"), "id1/pak0.pak");
    assertEquals(view.snapshot.columns.entrySizes[entries[view.tree.find("twice.txt")] ?? 0], 5);
  }
});

Deno.test("darkplaces: of equal names in a pack the one answers that a binary search meets first", async () => {
  const twice = [["twice.txt", "first"], ["TWICE.txt", "second!"]] as const;
  await using root = await installation({
    "id1/a.pak": pak(twice.map(([name, content]) => [`a/${name}`, content])),
    "id1/b.pak": pak([["b/0.txt", ""], ...twice.map(([name, content]) => [`b/${name}`, content] as const)]),
    // Encrypted members are not in the engine's table.
    "id1/d.pk3": zip([
      ...twice.map(([name, content]) => ({ name: `d/${name}`, content })),
      { name: "d/z.txt", content: "", flags: 1 },
    ]),
    "id1/c.pak": pak([...twice.map(([name, content]) => [`c/${name}`, content] as const), ["c/z.txt", ""]]),
  });
  const view = scan(root.path, { profile: "darkplaces" }).view();
  const sizes = ["a", "b", "c", "d"].map((directory) => {
    assertEquals(
      winner(root.path, view, `${directory}/twice.txt`),
      `id1/${directory}.${directory === "d" ? "pk3" : "pak"}`,
    );
    const node = view.tree.find(`${directory}/twice.txt`);
    return view.snapshot.columns.entrySizes[view.tree.entries[node] ?? 0];
  });
  // The middle of two names is the first one, the middle of three the second.
  assertEquals(sizes, [5, 5, 7, 5]);
});

Deno.test("quake2: of two entries of one name in a pack the first answers", async () => {
  for (const profile of ["quake2", "yquake2"]) {
    // deno-lint-ignore no-await-in-loop -- one installation at a time
    await using root = await installation({ "baseq2/pak0.pak": pak([["a.txt", "first"], ["A.txt", "second!"]]) });
    const view = scan(root.path, { profile }).view();
    assertEquals(view.snapshot.columns.entrySizes[view.tree.entries[view.tree.find("a.txt")] ?? 0], 5);
  }
});

Deno.test("ioquake3: loose files are found only by their own spelling", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("BOTH.cfg"),
    "baseq3/Both.cfg": "",
    "baseq3/One.cfg": "",
  });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  const said = (qpath: string) => whichCandidates(view, qpath).map((row) => `${row.kind} ${row.usable}`);
  assertEquals(said("both.cfg"), ["pack true", "loose false"]);
  assertEquals(said("Both.cfg"), ["loose true", "pack true"]);
  assertEquals(said("one.cfg"), ["loose false"]);
  assertEquals(view.tree.find("one.cfg"), none);
  assertEquals(Array.from(findFiles(view, ["*.cfg"]), (node) => view.tree.pathOf(node)), [
    "BOTH.cfg",
    "One.cfg",
    "Both.cfg",
  ]);
});

Deno.test("ioquake3: of two entries of one name in a pk3 the last answers, in any case", async () => {
  const names = ["twice.txt", "once.txt", "TWICE.TXT"];
  await using root = await installation({ "baseq3/pak0.pk3": zipOf(...names) });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  assertEquals(winner(root.path, view, "twice.txt"), "baseq3/pak0.pk3");
  assertEquals(view.tree.pathOf(view.tree.find("twice.txt")), "TWICE.TXT");
  assertEquals(view.tree.fileCount, 2);
});
