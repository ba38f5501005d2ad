/** Members of zips compressed by methods that an engine cannot read. */
import { assertEquals } from "@std/assert";
import { profileNamed } from "../../engines/table.ts";
import { zip } from "../formats/bytes.ts";
import { candidates, installation, scan, winner, zipOf } from "../index/fixtures.ts";

/** A zip whose one file has a number that is no method's. */
const unknown = zip([{ name: "c/x.cfg", content: "unknown", method: 77 }]);

for (
  const [profile, directory, suffix] of [
    ["ioquake3", "baseq3", "pk3"],
    ["quake3", "baseq3", "pk3"],
    ["chomenor", "baseq3", "pk3"],
    ["darkplaces", "id1", "pk3"],
    ["yquake2", "baseq2", "pk3"],
    ["dhewm3", "base", "pk4"],
  ] as const
) {
  Deno.test(`${profile}: a member of an unknown method hides a readable one below it`, async () => {
    const [low, high] = ["a", "b"].map((name) => `${directory}/${name}.${suffix}`);
    await using root = await installation({ [`${low}`]: zipOf("c/x.cfg"), [`${high}`]: unknown });
    const view = scan(root.path, { profile }).view();
    assertEquals(winner(root.path, view, "c/x.cfg"), high);
    assertEquals(candidates(root.path, view, "c/x.cfg").map(({ source, usable }) => [source, usable]), [
      [high, true],
      [low, true],
    ]);
    assertEquals(view.snapshot.damageOf(view.tree.entries[view.tree.find("c/x.cfg")] ?? 0), "unsupported-method");
  });
}

// unzOpenCurrentFile: Quake3e code/qcommon/unzip.c, OpenJK lib/minizip/unzip.c, iortcw MP/code/zlib-1.2.11/unzip.c,
// ioquake3 code/qcommon/unzip.c, yquake2 src/common/unzip/unzip.c, dhewm3 neo/framework/minizip/unzip.cpp; q2pro
// src/common/files.c 924, 2320: check_header, get_file_info; FWGS/xash3d-fwgs filesystem/zip.c 313; ezquake-source
// src/vfs_zip.c 160
for (
  const [profile, directory, suffix] of [
    ["quake3e", "baseq3", "pk3"],
    ["openjk", "base", "pk3"],
    ["iortcw-mp", "main", "pk3"],
    ["yquake2", "baseq2", "pk3"],
    ["dhewm3", "base", "pk4"],
    ["q2pro", "baseq2", "pkz"],
    ["xash3d", "valve", "pk3"],
    ["ezquake", "id1", "pk3"],
  ] as const
) {
  Deno.test(`${profile}: an encrypted member hides a readable one below it`, async () => {
    const [low, high] = ["a", "b"].map((name) => `${directory}/${name}.${suffix}`);
    const encrypted = zip([{ name: "c/x.cfg", content: "secret", flags: 1 }]);
    await using root = await installation({ [`${low}`]: zipOf("c/x.cfg"), [`${high}`]: encrypted });
    const view = scan(root.path, { profile }).view();
    assertEquals(winner(root.path, view, "c/x.cfg"), high);
    assertEquals(
      candidates(root.path, view, "c/x.cfg").map(({ source, usable, damaged }) => [source, usable, damaged]),
      [
        [high, true, "c/x.cfg is encrypted"],
        [low, true, undefined],
      ],
    );
  });
}

// DarkPlaces fs.c: PK3_BuildFileList; QuakeSpasm-Spiked Quake/fs_zip.c 398
for (const profile of ["darkplaces", "qss"]) {
  Deno.test(`${profile}: an encrypted member is skipped`, async () => {
    const encrypted = zip([{ name: "c/x.cfg", content: "secret", flags: 1 }]);
    await using root = await installation({ "id1/pak0.pk3": zipOf("c/x.cfg"), "id1/pak1.pk3": encrypted });
    assertEquals(winner(root.path, scan(root.path, { profile }).view(), "c/x.cfg"), "id1/pak0.pk3");
    await Deno.remove(`${root.path}/id1/pak0.pk3`);
    assertEquals(winner(root.path, scan(root.path, { profile }).view(), "c/x.cfg"), null);
  });
}

Deno.test("generic: a member of an unknown method comes last, as other damaged ones do", async () => {
  await using root = await installation({ "a.zip": zipOf("c/x.cfg"), "b.zip": unknown });
  assertEquals(winner(root.path, scan(root.path, { profile: "generic" }).view(), "c/x.cfg"), "a.zip");
});

Deno.test("an engine may skip members of methods that it does not read, known to pakfs or not", async () => {
  const ioquake3 = profileNamed("ioquake3");
  if (!ioquake3) throw new Error("ioquake3 is missing");
  const profile = {
    ...ioquake3,
    name: "mine",
    memberMethods: { reads: ["store", "deflate"], others: "skipped", encrypted: "skipped", skipsEmpty: false },
  } as const;
  const zstandard = zip([{ name: "c/x.cfg", content: "zstandard", method: 93 }]);
  await using root = await installation({
    "baseq3/a.pk3": zipOf("c/x.cfg"),
    "baseq3/b.pk3": unknown,
    "baseq3/c.pk3": zstandard,
  });
  const view = scan(root.path, { profile }).view();
  assertEquals(winner(root.path, view, "c/x.cfg"), "baseq3/a.pk3");
  const rows = candidates(root.path, view, "c/x.cfg").map(({ source, reason }) => [source, reason]);
  assertEquals(rows.slice(1).sort(), [
    ["baseq3/b.pk3", "ioquake3 skips members compressed with an unknown method"],
    ["baseq3/c.pk3", "ioquake3 skips members compressed with zstd"],
  ]);
});
