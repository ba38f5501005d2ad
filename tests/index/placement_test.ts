import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { scanCatalog } from "../support/catalogs.ts";
import { isSameByteLayout } from "../../index/columns/byte_layout.ts";
import { ownEntryCount } from "../../index/columns/source.ts";
import { packChecksum } from "../../index/checksums/pack_checksum.ts";
import { at, none } from "../../index/columns/columns.ts";
import type { Catalog } from "../../views/catalog.ts";
import { text, vpk, wad, zip } from "../formats/bytes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { anHourLater, writeFiles } from "./fixtures.ts";

const directory = vpk([
  { path: "a.txt", content: "one", part: 0, offset: 0 },
  { path: "b.txt", content: "two", part: 1, offset: 0 },
], "");

function rows(catalog: Catalog): string[] {
  const { snapshot } = catalog;
  const [pack] = catalog.packs;
  assert(pack);
  return Array.from({ length: pack.entryCount }, (_, index) => {
    const entry = pack.firstEntry + index;
    return `${snapshot.memberOf(entry)} ${snapshot.formatOf(entry)} ${snapshot.damageOf(entry)}`;
  });
}

Deno.test("the location of a stored file is where its bytes are, in the archive or in a part of it", async () => {
  await using temporary = await temporaryDirectory();
  const contents = ["in part 0", "second in part 0", "in part 1", "in the directory file"];
  const [first = "", second = "", third = "", own = ""] = contents;
  const ownPart = 0x7fff;
  const files = [
    { path: "a.txt", content: first, part: 0, offset: 0 },
    { path: "b.txt", content: second, part: 0, offset: first.length },
    { path: "c.txt", content: third, part: 1, offset: 2 },
    { path: "d.txt", content: own, part: ownPart, offset: 3 },
  ];
  await writeFiles(temporary.path, {
    "game/x_dir.vpk": vpk(files, `...${own}`),
    "game/x_000.vpk": first + second,
    "game/x_001.vpk": `..${third}`,
  });
  const { snapshot, packs } = scanCatalog([{ sources: [`${temporary.path}/game`] }]);
  const [pack] = packs;
  assert(pack);
  for (const [index, content] of contents.entries()) {
    const { offset, part } = snapshot.locationOf(pack.firstEntry + index);
    assertEquals(part, index === 3 ? undefined : `${temporary.path}/game/x_00${index === 2 ? 1 : 0}.vpk`);
    // deno-lint-ignore no-await-in-loop -- one file after the other
    const bytes = await Deno.readFile(part ?? pack.path);
    assertEquals(bytes.subarray(offset, offset + content.length), text(content));
  }
});

Deno.test("a part that comes, changes or goes is noticed though the directory file is the same", async () => {
  await using temporary = await temporaryDirectory();
  await writeFiles(temporary.path, { "game/x_dir.vpk": directory, "game/x_000.vpk": "one" });
  const game = { sources: [`${temporary.path}/game`] };
  const first = scanCatalog([game]);
  assertEquals(rows(first), ["a.txt vpk none", "b.txt vpk missing-part"]);
  assertEquals(first.packs.map(({ name }) => name), ["x_dir.vpk"], "parts are no packs");

  await writeFiles(temporary.path, { "game/x_001.vpk": "two" });
  const second = scanCatalog([game], { previous: first });
  assertEquals(rows(second), ["a.txt vpk none", "b.txt vpk none"]);

  await writeFiles(temporary.path, { "game/x_000.vpk": "ONE" });
  const third = scanCatalog([game], { previous: second });
  assertEquals(rows(third), rows(second));
  assert(
    !isSameByteLayout(second.packs[0]?.byteLayout ?? null, third.packs[0]?.byteLayout ?? null),
    "its identity is new",
  );

  await Deno.remove(`${temporary.path}/game/x_001.vpk`);
  assertEquals(rows(scanCatalog([game], { previous: third })), rows(first));
});

Deno.test("a part that was exchanged is noticed however old the archive's own file is", async () => {
  await using temporary = await temporaryDirectory();
  await writeFiles(temporary.path, { "game/x_dir.vpk": directory, "game/x_000.vpk": "one", "game/x_001.vpk": "two" });
  const options = [{ sources: [`${temporary.path}/game`], profile: "generic" }];
  using _later = anHourLater();
  const first = scanCatalog(options);
  const same = scanCatalog(options, { previous: first });
  assertStrictEquals(same.packs[0]?.byteLayout, first.packs[0]?.byteLayout, "nothing has changed");
  await Deno.writeTextFile(`${temporary.path}/game/x_000.vpk`, "ONE");
  await Deno.utime(`${temporary.path}/game/x_000.vpk`, 1_000_000, 1_000_000);
  const next = scanCatalog(options, { previous: same });
  assertEquals(next.packs[0]?.byteLayout, scanCatalog(options).packs[0]?.byteLayout);
  assert(!isSameByteLayout(first.packs[0]?.byteLayout ?? null, next.packs[0]?.byteLayout ?? null));
});

Deno.test("members of archives in packs are listed after the pack's own, and count for nothing that an engine counts", async () => {
  await using temporary = await temporaryDirectory();
  const inner = wad([["PLAYPAL", "palette"]]);
  await writeFiles(temporary.path, { "q3/baseq3/pak0.pk3": zip([{ name: "x.wad", content: inner, method: 8 }]) });
  const plain = scanCatalog([{ sources: [`${temporary.path}/q3`] }]);
  const nested = scanCatalog([{ sources: [`${temporary.path}/q3`], nested: true }], { previous: plain });
  assertEquals(rows(plain), ["x.wad zip none"]);
  assertEquals(rows(nested), ["x.wad zip none", "x.wad.d/lumps/PLAYPAL wad none"]);
  assertEquals(nested.packs.map(ownEntryCount), [1]);
  const checksums = [plain, nested].map(({ snapshot, packs: [pack] }) =>
    pack && packChecksum(snapshot, undefined, pack)
  );
  assertEquals(checksums[0], checksums[1]);
  assertEquals(nested.games[0]?.nested, true);
  assert(nested.view().tree.find("x.wad.d/lumps/PLAYPAL") !== 0xffffffff);
  assertEquals(rows(scanCatalog([{ sources: [`${temporary.path}/q3`] }], { previous: nested })), rows(plain));
  assertEquals(text("palette").length, nested.snapshot.columns.entrySizes[1]);
});

Deno.test("of archives of one name in several packs, members of the one that is loaded are shown alone", async () => {
  await using temporary = await temporaryDirectory();
  await writeFiles(temporary.path, {
    "q3/baseq3/pak0.pk3": zip([{ name: "x.wad", content: wad([["ONE", "1"], ["BOTH", "1"]]) }]),
    "q3/baseq3/pak1.pk3": zip([{ name: "x.wad", content: wad([["TWO", "2"], ["BOTH", "22"]]) }]),
  });
  const { tree, snapshot } = scanCatalog([{ sources: [`${temporary.path}/q3`], nested: true }]).view();
  const sizes = ["ONE", "TWO", "BOTH"].map((name) => {
    const node = tree.find(`x.wad.d/lumps/${name}`);
    return node === none ? null : snapshot.columns.entrySizes[at(tree.entries, node)];
  });
  assertEquals(sizes, [null, 1, 2]);
});

Deno.test("under the generic profile a directory of WADs is one tree, the later name first", async () => {
  await using temporary = await temporaryDirectory();
  await writeFiles(temporary.path, {
    "wads/a.wad": wad([["ONE", "from a"], ["BOTH", "a"]]),
    "wads/b.wad": wad([["TWO", "from b"], ["BOTH", "longer b"]]),
  });
  const catalog = scanCatalog([{ sources: [`${temporary.path}/wads`] }]);
  const { tree, snapshot } = catalog.view();
  const sizes = ["ONE", "TWO", "BOTH"].map((name) =>
    snapshot.columns.entrySizes[tree.entries[tree.find(`lumps/${name}`)] ?? 0]
  );
  assertEquals(sizes, [6, 6, 8]);
  assertEquals(catalog.problems, []);
});
