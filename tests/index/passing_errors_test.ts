/** Packs that cannot be read for a moment: the error is not cached, and the next scan reads them as they are. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { deflateSync } from "node:zlib";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import type { Catalog } from "../../views/catalog.ts";
import { readPack } from "../../index/scan/read_pack.ts";
import { deserializeLists, serializeLists } from "../../index/scan/serialized_lists.ts";
import { scanCatalog, type ScanCatalogOptions } from "../support/catalogs.ts";
import { hashedPack } from "../formats/hashed.ts";
import { settle } from "../support/settle.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary.ts";
import { writeFiles, zipOf } from "./fixtures.ts";

/** Scans a game whose directory is missing just while its pack is opened; the pack itself is not touched. */
function scanWhileAway({ path }: TemporaryDirectory, options: ScanCatalogOptions = {}, profile = "ioquake3") {
  let isAway = false;
  const catalog = scanCatalog([{ sources: [`${path}/game`], profile }], {
    ...options,
    onProgress: () => {
      if (isAway) return;
      Deno.renameSync(`${path}/game`, `${path}/away`);
      isAway = true;
    },
  });
  if (isAway) Deno.renameSync(`${path}/away`, `${path}/game`);
  return { catalog, isAway };
}

const scan = ({ path }: TemporaryDirectory, options: ScanCatalogOptions = {}) =>
  scanCatalog([{ sources: [`${path}/game`], profile: "ioquake3" }], options);

Deno.test("a pack that could not be opened is read by the next scan, although its file has not changed", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, { "game/baseq3/pak0.pk3": zipOf("a.txt") });
  await settle();
  const { catalog } = scanWhileAway(directory);
  assertStringIncludes(catalog.problems.join(), "pak0.pk3");
  const next = scan(directory, { previous: catalog });
  assertEquals(next.problems, []);
  assertEquals(next.view().tree.pathOf(next.view().tree.find("a.txt")), "a.txt");
});

Deno.test("what is known of a pack that is still the same file stays while it cannot be read", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, { "game/baseq3/pak0.pk3": zipOf("a.txt") });
  // The pack is young enough for the next scan to read it again.
  const previous = scan(directory);
  const { catalog, isAway } = scanWhileAway(directory, { previous });
  if (!isAway) return; // the machine was slow: it was old enough to be trusted
  assertStringIncludes(catalog.problems.join(), "its earlier content is kept");
  assertEquals(catalog.view().tree.pathOf(catalog.view().tree.find("a.txt")), "a.txt");
  const next = scan(directory, { previous: catalog });
  assertEquals(next.problems, []);
  assertEquals(next.view().tree.pathOf(next.view().tree.find("a.txt")), "a.txt");
});

Deno.test("an I/O error while a pack is read may pass, as what other threads read too", () => {
  // The first page is never mapped: reading it fails with EIO.
  const archive = {
    path: "/proc/self/mem",
    size: 4096,
    mtime: 0,
    ctime: 0,
    nested: false,
    packFormat: null,
    lumps: null,
    smallInZips: false,
    colonsInZips: false,
    search: null,
    lumpTypes: false,
    isAlone: false,
  };
  const list = readPack(archive);
  assertEquals([list.mayPass, list.failure], [true, "/proc/self/mem: cannot be read at byte 0: EIO"]);
  assertEquals(deserializeLists(serializeLists([list]))[0]?.mayPass, true);
});

Deno.test("what is no archive stays none until its file changes", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, { "game/baseq3/pak0.pk3": "no archive" });
  await settle();
  const catalog = scan(directory);
  assertEquals(catalog.problems.length, 1);
  assertEquals(scanWhileAway(directory, { previous: catalog }).isAway, false, "it was opened again");
});

Deno.test("names that were found for a pack stay while it cannot be read", async () => {
  await using directory = await temporaryDirectory();
  const variant = variantNamed("crc32+lower+backslash");
  const compressed = new Uint8Array(deflateSync("text"));
  const pack = hashedPack([{ hash: variant ? hashName("maps/start.ent", variant) : 0, data: compressed, size: 4 }]);
  await writeFiles(directory.path, { "game/a.pack": pack, "game/b.pack": pack, "game/maps/start.ent": "loose" });
  await settle();
  const games = [{ sources: [`${directory.path}/game`], profile: "hashed" }];
  const namesOf = (catalog: Catalog) =>
    catalog.packs.map((
      { firstEntry, name },
    ) => [name, catalog.snapshot.pathOf(catalog.snapshot.columns.entryNodes[firstEntry] ?? 0)]);
  const named = [["a.pack", "maps/start.ent"], ["b.pack", "maps/start.ent"]];
  const previous = scanCatalog(games);
  assertEquals(namesOf(previous).map(([, path]) => path), ["maps/start.ent", "maps/start.ent"]);
  // One pack has changed, so names are searched again, which reads the other pack.
  await writeFiles(directory.path, { "game/b.pack": pack });
  const { catalog } = scanWhileAway(directory, { previous }, "hashed");
  assertEquals(namesOf(catalog).find(([name]) => name === "a.pack"), named[0]);
  const next = scanCatalog(games, { previous: catalog });
  assertEquals([next.problems, namesOf(next).sort()], [[], named]);
});
