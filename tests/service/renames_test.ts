import { assertEquals } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { bothConnections } from "../support/both_connections.ts";

Deno.test("diff shows both names of a renamed file, also if files must be read to compare them", async () => {
  const files = {
    "q3/baseq3/pak0.pk3": zip([{ name: "same.cfg", content: "x" }]),
    "q3/one/z.pk3": zip([{ name: "old.tga", content: "picture" }, { name: "gone", content: "1234567" }]),
    "q3/two/z.pk3": zip([{ name: "new.tga", content: "picture" }, { name: "empty", content: "" }]),
    "quake/id1/pak0.pak": pak([["same.cfg", "x"]]),
    "quake/one/pak0.pak": pak([["old.lmp", "picture"], ["gone", "1234567"]]),
    "quake/two/pak0.pak": pak([["new.lmp", "picture"]]),
  };
  await using here = await bothConnections(files, (root) => [
    { sources: [`${root}/q3`], profile: "ioquake3", name: "q3" },
    { sources: [`${root}/quake`], profile: "quakespasm", name: "quake" },
  ]);
  const changes = async (game: string, options: { compare?: boolean; renames?: boolean }) => {
    const rows = await here.rows("diff", { from: `${game}/one`, to: `${game}/two`, ...options });
    return rows.map(({ change, qpath, renamedFrom, renamedTo }) => [change, qpath, renamedFrom ?? renamedTo]);
  };
  const q3 = [["added", "empty", undefined], ["removed", "gone", undefined]];
  assertEquals(await changes("q3", { renames: true }), [
    ...q3,
    ["added", "new.tga", "old.tga"],
    ["removed", "old.tga", "new.tga"],
  ]);
  assertEquals((await changes("q3", {})).map(([, , renamed]) => renamed), [undefined, undefined, undefined, undefined]);
  const read = [["removed", "gone", undefined], ["added", "new.lmp", "old.lmp"], ["removed", "old.lmp", "new.lmp"]];
  assertEquals(await changes("quake", { renames: true, compare: true }), read);
  const unread = (await changes("quake", { renames: true })).map(([, , renamed]) => renamed);
  assertEquals(unread, [undefined, undefined, undefined], "a PAK keeps no checksum");
});
