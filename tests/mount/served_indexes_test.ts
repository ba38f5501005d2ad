// deno-lint-ignore-file no-await-in-loop -- one step after the other
/** Indexes that replace one another while files are open and decoders at work: bytes, and descriptors. */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { type SlotParts, slotParts, workOnSlot } from "../../mount/decoding/slot_decoding.ts";
import { GameFileSystem } from "../../mount/session/game_file_system.ts";
import { HandedRequests } from "../../mount/session/handed_requests.ts";
import { MemberCache } from "../../mount/session/member_cache.ts";
import { ReadAhead } from "../../mount/session/read_ahead.ts";
import { ServedIndexes } from "../../mount/session/served_indexes.ts";
import { Counters, createCounterBuffer } from "../../mount/shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { ShownIndex } from "../../mount/shown_indexes.ts";
import { Catalog } from "../../views/catalog.ts";
import type { Tree } from "../../views/tree.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { replierOf } from "../support/replier.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { content, FailingLibrary } from "./content_model.ts";
import { ask, lookup, type Node, rootNode } from "./kernel_requests.ts";

const packs = ["a.pk3", "b.pk3"];
const members = { "small.dat": 5000, "large.dat": 70_000, "stored.dat": 80_000, "huge.dat": 150_000 };
const layout = { view: "q/base", showPacks: false, showAs: false };

/** A file that a program has open. */
interface OpenFile {
  readonly node: Node;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Number of the index at the time of opening. */
  readonly version: number;
}

Deno.test("over many refreshes open files have their own bytes or fail, and two indexes have descriptors", async () => {
  await using directory = await temporaryDirectory();
  const base = `${directory.path}/q/base`;
  const chance = numbersFrom(seed);
  let stamp = 0;
  const contents = new Map<string, Uint8Array>();
  const packOf = (pack: string) => {
    const own = `${pack[0]}${++stamp}`;
    return zip(
      Object.entries(members).map(([name, size]) => {
        const bytes = content(`${own}${name}`, size);
        contents.set(`${pack[0]}-${name}`, bytes);
        return { name: `${pack[0]}-${name}`, content: bytes, method: name === "stored.dat" ? 0 : 8 };
      }).concat([{ name: `${pack[0]}.zip`, method: 8, content: inner(own, pack[0] ?? "") }]),
    );
  };
  const inner = (own: string, letter: string): Uint8Array<ArrayBuffer> => {
    const bytes = content(`${own}in`, 90_000);
    contents.set(`${letter}.zip.d/in.dat`, bytes);
    return zip([{ name: "in.dat", content: bytes, method: 8 }]).slice();
  };
  const change = async () => {
    const pack = packs[chance(3)];
    if (pack) {
      await writeFiles(directory.path, { new: packOf(pack) });
      // No two changes share a tick of the file system's clock.
      await Deno.utime(`${directory.path}/new`, 1_000_000 + stamp, 1_000_000 + stamp);
      await Deno.rename(`${directory.path}/new`, `${base}/${pack}`);
    } else {
      contents.set("loose.dat", content(`loose${++stamp}`, 3000));
      await writeFiles(base, { "loose.dat": contents.get("loose.dat") ?? "" });
      await Deno.utime(`${base}/loose.dat`, 1_000_000 + stamp, 1_000_000 + stamp);
    }
  };
  await writeFiles(base, Object.fromEntries(packs.map((pack) => [pack, packOf(pack)])));
  contents.set("loose.dat", content("loose", 3000));
  await writeFiles(base, { "loose.dat": contents.get("loose.dat") ?? "" });
  const games = [{ name: "q", profile: "generic", base: "base", sources: [`${directory.path}/q`], nested: true }];
  let catalog = scanCatalog(games);
  let number = 0;

  const library = new FailingLibrary();
  const memory = new DecodeMemory(createDecodeBuffers(512 * 1024));
  const slots = new MemberCache(memory, (descriptor) => library.close(descriptor), 2 ** 20);
  const counters = new Counters(createCounterBuffer(1), 0);
  const reports: string[] = [];
  const asked = new Map<bigint, (answer: Uint8Array | number) => void>();
  const give = (address: bigint, answer: Uint8Array | number) => {
    const take = asked.get(address);
    assert(take && asked.delete(address), "a request is answered once");
    take(answer);
  };
  const replier = replierOf({
    error: give,
    buffer: (address, bytes) => give(address, bytes.slice()),
  });
  const report = (message: string) => void reports.push(message);
  const tools = { library, memory, slots, replier, counters, report };
  const remoteReads = new HandedRequests([], replier, () => {});
  let index = new ShownIndex(number, catalog, ["q"]);
  const versions = new Map([[0, index.version]]);
  const decoders = new Map<number, SlotParts>();
  /** Numbers of the indexes with a view resolved by the session. */
  const resolved = new Set<number>();
  const onTree = (version: number, view: string, { parts }: Tree) => {
    assertEquals(view, layout.view);
    resolved.add(version);
    // The main thread need not resolve it again.
    const own = new Catalog(catalog.index).view(view);
    const posted = structuredClone(parts);
    own.adopt(posted);
    assert(own.tree.parts.winners === posted.winners, "the other thread resolved it once more");
  };
  const served = new ServedIndexes({ ...tools, remoteReads, onTree }, index.version, layout);
  const files = new GameFileSystem(
    served.shown,
    { counters, readAhead: new ReadAhead(memory), onListAgain: () => {} },
    { userId: 0, groupId: 0, generation: 0, mounted: 0, umask: 0 },
    () => {},
  );
  const decode = async () => {
    const slot = memory.takeQueued();
    if (slot < 0) return false;
    const version = versions.get(memory.version(slot));
    assert(version);
    const parts = decoders.get(version.number) ?? slotParts({ ...tools, spillDirectory: directory.path }, version);
    decoders.set(version.number, parts);
    await workOnSlot(parts, slot);
    return true;
  };
  const finish = async () => {
    while (await decode());
    assertEquals(asked.size, 0);
  };
  const nodeOf = (path: string): Node | undefined => {
    let node: Node | undefined = rootNode;
    for (const name of path.split("/")) node = node && lookup(files, node, name).node;
    return node;
  };
  const counted = { right: 0, failed: 0, refreshes: 0 };
  const open: OpenFile[] = [];
  const check = (file: OpenFile, offset: number, size: number, isChanged: boolean, answer: Uint8Array | number) => {
    const text = `${file.name} of ${file.version} in ${number}, PAKFS_SEED=${seed}`;
    if (answer instanceof Uint8Array) {
      counted.right++;
      return assertEquals(answer, file.bytes.subarray(offset, offset + size), text);
    }
    counted.failed++;
    assert(isChanged && answer === Errno.EIO, `error ${answer} for ${text}`);
  };
  for (let step = 0; step < 400; step++) {
    const kind = chance(10);
    if (kind === 0) {
      for (let changes = chance(3); changes > 0; changes--) await change();
      showNext();
      counted.refreshes++;
      // Files opened under earlier indexes are no longer checked.
      open.splice(0, Math.max(0, open.length - 30));
    } else if (kind < 4) {
      const [name = "", bytes] = Array.from(contents)[chance(contents.size)] ?? [];
      const node = nodeOf(name);
      assert(node && bytes, name);
      open.push({ node, name, bytes, version: number });
    } else if (kind < 8) {
      const file = open[chance(open.length)];
      if (!file) continue;
      const offset = chance(file.bytes.length);
      const size = Math.min(1 + chance(100_000), file.bytes.length - offset);
      // The file may change before a decoder reads it.
      const isChanged = () => contents.get(file.name) !== file.bytes;
      const take = (answer: Uint8Array | number) => check(file, offset, size, isChanged(), answer);
      const { high, low } = file.node;
      let answer: Uint8Array | number | undefined;
      const { address } = ask((request) =>
        files.read(
          {
            ...request,
            replyData: (bytes) => {
              answer = bytes.slice();
              request.replyError(0);
            },
            replyError: (errno) => {
              answer = errno;
              request.replyError(errno);
            },
            detach: () => {
              const address = request.detach();
              asked.set(address, take);
              return address;
            },
          },
          high,
          low,
          offset,
          size,
        )
      );
      if (address === undefined) take(answer ?? -1);
    } else await decode();
    if (step % 50 !== 49) continue;
    await finish();
    showNext();
    showNext();
    // No slot is busy, and no read has come since.
    const inFiles = Array.from({ length: 4096 }, (_, slot) => slot).filter((slot) => memory.result(slot) >= 0).length;
    assert(library.open.size <= inFiles, `${library.open.size} descriptors, ${inFiles} of members, in step ${step}`);
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 25, `${count} ${kind}`);
  assertEquals(reports.filter((text) => !/changed or deleted/.test(text)), []);
  assertEquals(resolved.size, number + 1);
  for (const { decoder } of decoders.values()) decoder[Symbol.dispose]();
  served[Symbol.dispose]();
  slots[Symbol.dispose]();
  assertEquals(library.open, new Set());
  library[Symbol.dispose]();

  /** Shows an index of the current files. */
  function showNext(): void {
    catalog = scanCatalog(games, { previous: catalog, previousNumbers: [0] });
    number++;
    const before = index;
    index = new ShownIndex(number, catalog, ["q"]);
    versions.set(number, index.version);
    served.show(index.replacing(before), files);
  }
});
