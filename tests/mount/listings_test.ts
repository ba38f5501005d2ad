/** Order of listings, generated names, and attributes in listings of large indexes. */
import { assert, assertEquals } from "@std/assert";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { lookup, type Node, read, rootNode } from "./kernel_requests.ts";
import { idOf, list, openFiles } from "./shown_files.ts";

Deno.test("directories above the trees are listed by their bytes, packs of one name by numbers, and few views are made", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  const pack = (text: string) => pak([[`${text}.txt`, text]]);
  const names = ["é", "b", "ab", "a b", "B", "a", "aB", "a-", "zz"];
  await Promise.all(
    ["one", "two", "three"].map((own) =>
      writeFiles(`${root}/${own}`, { "base/pak0.pak": pack(own), "mod/x.txt": "x", "other/y.txt": "y" })
    ),
  );
  const sources = ["one", "two", "three"].map((own) => `${root}/${own}`);
  const catalog = scanCatalog(names.map((name) => ({ name, profile: "generic", base: "base", sources })));
  const { files, show } = openFiles(catalog, { view: null, showPacks: true, showAs: true, umask: 0 });
  const namesIn = (node: Node) => list(files, node, false, () => 2).map(({ name }) => name).slice(2);
  const nodeAt = (path: string) => {
    let node: Node | undefined = rootNode;
    for (const name of path.split("/")) node = node && lookup(files, node, name).node;
    return node ?? rootNode;
  };
  const bytesOf = (name: string) => new TextEncoder().encode(name).toHex();
  const compare = (a: string, b: string) => bytesOf(a) < bytesOf(b) ? -1 : 1;
  assertEquals(namesIn(rootNode), [".as", ".packs", ...names].toSorted(compare));
  for (const path of [".as", ".packs"]) assertEquals(namesIn(nodeAt(path)), names.toSorted(compare));
  for (const path of ["a", ".as/a", ".packs/a"]) assertEquals(namesIn(nodeAt(path)), ["base", "mod", "other"], path);
  const packs = namesIn(nodeAt(".packs/a/base"));
  assertEquals(packs, ["pak0.pak", "pak0.pak~2", "pak0.pak~3"]);
  assertEquals(packs.flatMap((name) => namesIn(nodeAt(`.packs/a/base/${name}`))).sort(), [
    "one.txt",
    "three.txt",
    "two.txt",
  ]);

  const made = [
    "mod+other",
    "other+mod",
    "base+mod",
    "mod+base",
    "base+other",
    "other+base",
    "other+mod+base",
    "mod:pure=pak0",
  ]
    .flatMap((view) => names.map((name) => [name, view] as const));
  const ids = () =>
    made.map(([name, view]) => {
      const { node, missingFor } = lookup(files, nodeAt(name), view);
      return node ? idOf(node) : missingFor;
    });
  assertEquals(lookup(files, nodeAt("a"), "base+none").missingFor, 0);
  const first = ids();
  assertEquals(new Set(first.slice(0, 64)).size, 64);
  // Another refresh may free space for the other names.
  assertEquals(first.slice(64), made.slice(64).map(() => 0));
  show(catalog);
  assertEquals(ids(), first, "the same after a refresh");
});

Deno.test("of a large index attributes are listed as long as they are of use, and again once they are", async () => {
  await using directory = await temporaryDirectory();
  const [directories, each] = [40, 850];
  const packOf = (count: number) =>
    pak(Array.from({ length: count * each }, (_, n) => [`d${Math.floor(n / each)}/${n % each}/`.slice(0, -1), "x"]));
  await writeFiles(directory.path, { "large/base/a.pak": packOf(directories), "small/base/a.pak": packOf(3) });
  const [large, small] = ["large", "small"].map((name) =>
    scanCatalog([{ name: "q", profile: "generic", base: "base", sources: [`${directory.path}/${name}`] }])
  );
  assert(large && small);
  const again: string[][] = [];
  const memory = new DecodeMemory(createDecodeBuffers(0));
  const { files, show } = openFiles(large, { view: "q/base", showPacks: false, showAs: false, umask: 0 }, {
    memory,
    onListAgain: (nodes) => again.push(nodes.map(idOf)),
  });
  const chance = numbersFrom(seed);
  const directoryAt = (number: number) => lookup(files, rootNode, `d${number}`).node ?? rootNode;
  const wholeIn = (number: number) => {
    const names = list(files, directoryAt(number), true, () => 1 + chance(400)).slice(2);
    assertEquals(names.length, each);
    return names.filter(({ attributes }) => attributes).length;
  };
  // Listing names alone requests no attributes.
  for (let number = 0; number < directories; number++) list(files, directoryAt(number), false, () => Infinity);
  const counts = Array.from({ length: directories }, (_, number) => wholeIn(number));
  // One in 256 is left out.
  assertEquals(counts, Array.from(counts, (_, number) => number === 0 ? each - 3 : number === 1 ? each - 3 : 0));
  assertEquals(list(files, rootNode, true, () => Infinity).filter(({ attributes }) => !attributes), []);
  const bare = [rootNode, ...Array.from({ length: directories - 2 }, (_, number) => directoryAt(number + 2))].map(idOf);
  for (let file = 0; file < 200; file++) {
    assertEquals(again.length, file < 64 ? 0 : 1);
    assert(lookup(files, directoryAt(39), String(file)).node);
  }
  assertEquals(again.map((ids) => Array.from(new Set(ids)).sort()), [bare.sort()]);
  assertEquals(wholeIn(7), each - 3);
  // Files are read ahead for a sequential reader while they belong to the current index.
  const listed = list(files, directoryAt(5), true, () => Infinity).slice(2);
  for (const { node } of listed.slice(0, 5)) read(files, node);
  assert(memory.ahead.isWaiting);
  show(small);
  assertEquals(memory.ahead.take(1), undefined);
  for (let round = 0; round < 3; round++) {
    for (const number of [0, 1, 2]) assertEquals(wholeIn(number), each, "a small index");
  }
});
