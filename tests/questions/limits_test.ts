import { assertEquals } from "@std/assert";
import type { Catalog } from "../../views/catalog.ts";
import { limitRows } from "../../questions/limits.ts";
import type { View } from "../../views/view.ts";
import { openLocal } from "../../service/local.ts";
import { text } from "../formats/bytes.ts";
import { candidates, type Files, installation, pakOf, scan, winner, zipOf } from "../index/fixtures.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);

/** A PAK of that many empty files: `first`, `f0`, `f1`, ... */
function pakOfMany(count: number): Uint8Array {
  const bytes = new Uint8Array(12 + count * 64);
  const view = new DataView(bytes.buffer);
  bytes.set(text("PACK"));
  view.setUint32(4, 12, true);
  view.setUint32(8, count * 64, true);
  for (let index = 0; index < count; index++) {
    const start = 12 + index * 64;
    bytes.set(text(index === 0 ? "first" : `f${index - 1}`), start);
    view.setUint32(start + 56, 12, true);
  }
  return bytes;
}

const long = (length: number) => `d/${"x".repeat(length - 2)}`;

async function withCatalog(
  files: Files,
  profile: string,
  strict: boolean,
  body: (catalog: Catalog, root: string) => void,
): Promise<void> {
  await using root = await installation(files);
  body(scan(root.path, { profile, strict, name: "game" }), root.path);
}

function limit(view: View, kind: string) {
  const row = limitRows(view).find((row) => row.limit === kind);
  return row && [row.most, row.largest, row.over, row.offenders.map(({ member, value }) => [member, value])];
}

const isEnforced = (view: View, kind: string) => limitRows(view).find((row) => row.limit === kind)?.enforced;

// Facts of each engine: WinQuake/common.c, quakespasm Quake/common.c, darkplaces fs.c, Quake-2 and yquake2 filesystems.
const packLimits: readonly (readonly [profile: string, base: string, most: number, refuses: boolean])[] = [
  ["quake", "id1", 2048, true],
  ["quakespasm", "id1", 2048, true],
  ["darkplaces", "id1", 65536, true],
  ["quake2", "baseq2", 4096, true],
  ["yquake2", "baseq2", 4096, false],
];
for (const [profile, base, most, refuses] of packLimits) {
  Deno.test(`${profile}: a PAK of ${most} files is within the limit, one of ${most + 1} is not`, async () => {
    const files = (count: number) => ({
      [`${base}/pak0.pak`]: pakOfMany(count),
      [`${base}/first`]: "",
    });
    await withCatalog(files(most), profile, true, (catalog, root) => {
      assertEquals(limit(catalog.view(), "pack-files"), [most, most, 0, []]);
      assertEquals(catalog.view().treeBytes, 0, "a pack is measured without a tree of its view");
      assertEquals(winner(root, catalog.view(), "f0"), `${base}/pak0.pak`);
    });
    await withCatalog(files(most + 1), profile, false, (catalog, root) => {
      assertEquals(limit(catalog.view(), "pack-files"), [most, most + 1, 1, [[null, most + 1]]]);
      assertEquals(winner(root, catalog.view(), "f0"), `${base}/pak0.pak`, "only reported");
      assertEquals(isEnforced(catalog.view(), "pack-files"), false);
    });
    await withCatalog(files(most + 1), profile, true, (catalog, root) => {
      const view = catalog.view();
      assertEquals(winner(root, view, "f0"), refuses ? null : `${base}/pak0.pak`);
      assertEquals(view.searchPath.length, refuses ? 1 : 2);
      assertEquals(isEnforced(view, "pack-files"), refuses);
      if (refuses) assertEquals(winner(root, view, "first"), `loose ${base}`);
      assertEquals(limit(view, "pack-files"), [most, most + 1, 1, [[null, most + 1]]], "what is left out is reported");
    });
  });
}

Deno.test("which says why a strict engine does not load a pack", async () => {
  await withCatalog({ "id1/pak0.pak": pakOfMany(2049) }, "quake", true, (catalog, root) => {
    const [row] = candidates(root, catalog.view(), "f0");
    assertEquals(row?.usable, false);
    assertEquals(row?.reason, "pak0.pak holds 2049 files; with more than 2048 Quake refuses to start");
  });
});

Deno.test("a name that fills its field in a PAK is beyond the limit, and lost under strict rules", async () => {
  const files = { "id1/pak0.pak": pakOf(long(55), long(56)), [`id1/${long(56)}`]: "", [`id1/${long(80)}`]: "" };
  await withCatalog(files, "quakespasm", false, (catalog, root) => {
    assertEquals(limit(catalog.view(), "pack-name"), [55, 56, 1, [[long(56), 56]]], "loose files have no such field");
    assertEquals(winner(root, catalog.view(), long(56)), "loose id1");
  });
  await withCatalog(files, "quakespasm", true, (catalog, root) => {
    const view = catalog.view();
    assertEquals(winner(root, view, long(55)), "id1/pak0.pak");
    assertEquals(winner(root, view, long(56)), "loose id1");
    assertEquals(winner(root, view, long(80)), "loose id1");
    assertEquals(
      candidates(root, view, long(56)).map((row) => row.reason),
      [
        null,
        "its name fills all 56 bytes of its field, and QuakeSpasm reads on into the numbers after it",
      ],
    );
    assertEquals(
      view.losersTo(view.tree.entries[view.tree.find(long(56))] ?? 0, long(56)).length,
      0,
      "what is lost is not shadowed",
    );
  });
});

for (const profile of ["quake3", "ioquake3"]) {
  Deno.test(`${profile}: names of more than 63 bytes are beyond the limit`, async () => {
    const files = { "baseq3/pak0.pk3": zipOf(long(63), long(64)), [`baseq3/${long(70)}`]: "" };
    await withCatalog(files, profile, false, (catalog) => {
      assertEquals(limit(catalog.view(), "path-name")?.slice(0, 3), [63, 70, 2]);
    });
    await withCatalog(files, profile, true, (catalog, root) => {
      assertEquals(winner(root, catalog.view(), long(63)), "baseq3/pak0.pk3");
      assertEquals(winner(root, catalog.view(), long(64)), null);
      assertEquals(winner(root, catalog.view(), long(70)), null);
      assertEquals(catalog.view().tree.fileCount, 1);
    });
  });
}

Deno.test("bytes of names count, not characters", async () => {
  const name = `${"ä".repeat(31)}a`;
  await withCatalog({ "baseq3/pak0.pk3": zipOf(name, `${name}a`) }, "ioquake3", false, (catalog) => {
    assertEquals(limit(catalog.view(), "path-name"), [63, 64, 1, [[`${name}a`, 64]]]);
  });
});

Deno.test("quake3: more than 1024 packs in one directory, and more than 4096 shader files", async () => {
  const packs = Object.fromEntries(many(1025).map((name) => [`baseq3/${name}.pk3`, zipOf("x")]));
  const shaders = zipOf(...many(4097).map((name) => `scripts/${name}.shader`), "scripts/x.txt", "scripts/sub/y.shader");
  await withCatalog({ ...packs, "mod/pak0.pk3": shaders }, "quake3", true, (catalog) => {
    const view = catalog.view("mod");
    assertEquals(limit(view, "directory-packs"), [1024, 1025, 1, [[null, 1025]]]);
    assertEquals(limit(view, "shader-files"), [4096, 4097, 1, [[null, 4097]]]);
    assertEquals(view.searchPath.length, 1028, "it is unknown which are left out");
    assertEquals(limitRows(view).map((row) => [row.limit, row.enforced]), [
      ["path-name", true],
      ["directory-packs", false],
      ["shader-files", false],
    ]);
  });
});

Deno.test("packs are counted by directory, in each root", async () => {
  const counts: Readonly<Record<string, number>> = { "one/baseq3": 3, "one/mod": 2, "two/baseq3": 4, "two/mod": 1 };
  await using root = await installation(Object.fromEntries(
    Object.entries(counts).flatMap(([directory, count]) =>
      many(count).map((name) => [`${directory}/${name}.pk3`, zipOf("x")])
    ),
  ));
  const view = scan(root.path, { sources: ["one", "two"], profile: "quake3" }).view("mod");
  assertEquals(limitRows(view).find((row) => row.limit === "directory-packs")?.largest, 4);
});

Deno.test("Quake3e reads four times as many shader files, and OpenJK's are in shaders/", async () => {
  const shaders = zipOf(...many(4097).map((name) => `scripts/${name}.shader`), "shaders/x.shader", "shaders/y.shader");
  const count = async (profile: string, base: string) => {
    const rows: unknown[] = [];
    await withCatalog({ [`${base}/pak0.pk3`]: shaders }, profile, false, (catalog) => {
      rows.push(...limit(catalog.view(base), "shader-files")?.slice(0, 3) ?? []);
    });
    return rows;
  };
  assertEquals(await count("quake3e", "baseq3"), [16384, 4097, 0]);
  assertEquals(await count("openjk", "base"), [4096, 2, 0]);
});

Deno.test("only the first offenders are listed, all are counted", async () => {
  const names = Array.from({ length: 30 }, (_, index) => long(60 + index));
  await withCatalog(
    { "id1/pak0.pak": pakOf("a"), "id1/pak1.pak": pakOf(...names.map((name) => name.slice(0, 56))) },
    "quake",
    false,
    (catalog) => {
      const [, , over, offenders] = limit(catalog.view(), "pack-name") ?? [];
      assertEquals([over, (offenders as unknown[]).length], [30, 20]);
    },
  );
});

Deno.test("packs and status warn of packs beyond a limit", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOfMany(2049), "id1/pak1.pak": pakOf("a") });
  const sentence = "it holds 2049 files; with more than 2048 Quake refuses to start";
  await using connection = await openLocal({ sources: [root.path], profile: "quake" });
  const { rows } = await connection.call("packs", {});
  assertEquals(rows.map(({ usable, warnings }) => [usable, warnings]), [[true, [sentence]], [true, []]]);
  assertEquals((await connection.call("status", {})).problems, [`${root.path}/id1/pak0.pak: ${sentence}`]);
  await using strict = await openLocal({ sources: [root.path], profile: "quake", strict: true });
  const view = (await strict.call("views", {})).rows[0]?.view ?? "";
  const [first] = (await strict.call("packs", { view })).rows;
  assertEquals([first?.usable, first?.reason, first?.warnings], [
    false,
    "pak0.pak holds 2049 files; with more than 2048 Quake refuses to start",
    [],
  ]);
});
