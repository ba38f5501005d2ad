// deno-lint-ignore-file no-await-in-loop -- one read after the other
/** Chunks of members as queries read them: in this thread, and by the thread of a remote file system. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ContentReader } from "../../../index/content/content_reader.ts";
import { RemoteReaders } from "../../../index/content/remote/remote_readers.ts";
import { RemoteSources } from "../../../index/content/remote/remote_sources.ts";
import { RoutedContent } from "../../../index/content/remote/routed_content.ts";
import { ArchiveError } from "../../../formats/core/errors.ts";
import { isDirectorySource } from "../../../index/columns/source.ts";
import type { Catalog } from "../../../views/catalog.ts";
import { zip } from "../../formats/bytes.ts";
import { seeds } from "../../formats/seeds.ts";
import { pakOf, scan, writeFiles } from "../fixtures.ts";
import { python, until } from "../../mount/mounting.ts";
import { numbersFrom, seed } from "../../support/chance.ts";
import { needs } from "../../support/programs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** Reads of each reader. */
const rounds = Number(Deno.env.get("PAKFS_READER_ROUNDS") ?? 150);

/** Slightly more than the cached bytes of members that are slow to decompress. */
const slowSize = 2 ** 21 + 77;

/** A reader and its resources. */
interface Opened extends AsyncDisposable {
  readonly reader: ContentReader;
}

const readers: Record<string, (catalog: Catalog, directory: string) => Opened> = {
  "in this thread": ({ snapshot }) => {
    const reader = new ContentReader(snapshot);
    return { reader, [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose]() };
  },
  "by the thread of a remote file system": (catalog, directory) => {
    const table = `20 1 8:1 / / rw - ext4 x rw\n21 1 0:50 / ${directory} rw - nfs4 x rw\n`;
    const threads = new RemoteReaders(new RemoteSources({ readTable: () => table, timeout: 60_000 }));
    const reader = new RoutedContent(catalog, threads);
    assert(reader.isRemote(0));
    return {
      reader,
      async [Symbol.asyncDispose](): Promise<void> {
        await reader[Symbol.asyncDispose]();
        threads[Symbol.dispose]();
      },
    };
  },
};

/** Compressible text that differs at each offset. */
function lines(size: number): Uint8Array {
  const text = Array.from({ length: Math.ceil(size / 8) }, (_, line) => String(line).padStart(7) + "\n").join("");
  return new TextEncoder().encode(text.slice(0, size));
}

/** Writes a zip with two members that are slow to decompress and too large for the cache. */
const writeSlow = `
import sys, zipfile
path, source = sys.argv[1:]
content = open(source, "rb").read()
for name, method in (("lzma", zipfile.ZIP_LZMA), ("bzip2", zipfile.ZIP_BZIP2)):
    with zipfile.ZipFile(path, "a", method) as archive:
        archive.writestr(name, content)
`;

interface Content {
  readonly entry: number;
  /** null: damaged. */
  readonly bytes: Uint8Array | null;
}

async function install(root: string): Promise<{ catalog: Catalog; contents: Content[]; slow: Content[] }> {
  const slowBytes = lines(slowSize);
  const deflated = lines(90_000);
  await writeFiles(`${root}/game`, {
    ...Object.fromEntries(seeds.map(({ bytes }, index) => [`seed${index}.pak`, bytes])),
    "a.pk3": zip([
      { name: "deflated", content: deflated, method: 8 },
      { name: "stored", content: lines(70_000) },
      { name: "damaged", content: lines(5000), method: 8, crc: 5 },
      { name: "nothing", content: "", crc: 5 },
      { name: "empty", content: "" },
    ]),
    "loose.dat": lines(50_000),
  });
  await Deno.writeFile(`${root}/slow`, slowBytes);
  await python(writeSlow, `${root}/game/slow.pk3`, `${root}/slow`);
  const catalog = scan(`${root}/game`, { profile: "generic" });
  const { snapshot } = catalog;
  const known: Record<string, Record<string, Uint8Array | null>> = {
    "a.pk3": {
      deflated,
      stored: lines(70_000),
      damaged: null,
      nothing: null,
      empty: new Uint8Array(0),
    },
    "slow.pk3": { lzma: slowBytes, bzip2: slowBytes },
    game: { "loose.dat": lines(50_000) },
    ...Object.fromEntries(seeds.map(({ files }, index) => [`seed${index}.pak`, files])),
  };
  const contents = Array.from({ length: snapshot.entryCount }, (_, entry) => {
    const name = snapshot.sourceOf(entry).path.split("/").at(-1) ?? "";
    return { name, entry, bytes: known[name]?.[snapshot.memberOf(entry)] };
  }).filter((content): content is Content & { name: string } => content.bytes !== undefined);
  assert(contents.length > 2 * seeds.length);
  const isSlow = ({ name }: { name: string }) => name === "slow.pk3";
  return { catalog, contents: contents.filter((content) => !isSlow(content)), slow: contents.filter(isSlow) };
}

/** Paths below a directory that this process has open. */
function openBelow(directory: string): string[] {
  return Array.from(Deno.readDirSync("/proc/self/fd"), ({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return ""; // the descriptor of the listing
    }
  }).filter((path) => path.startsWith(`${directory}/`));
}

for (const [title, open] of Object.entries(readers)) {
  Deno.test(
    `pieces of members in any order equal the whole, and damage is an error: read ${title}`,
    needs("python3"),
    async () => {
      await using directory = await temporaryDirectory();
      const { catalog, contents, slow } = await install(directory.path);
      const { snapshot } = catalog;
      const chance = numbersFrom(seed);
      const check = async (reader: ContentReader, { entry, bytes }: Content, offset: number, length: number) => {
        const text = `${snapshot.sourceOf(entry).path} ${snapshot.memberOf(entry)} from ${offset}, PAKFS_SEED=${seed}`;
        if (bytes) {
          return assertEquals(await reader.read(entry, offset, length), bytes.slice(offset, offset + length), text);
        }
        const error = await assertRejects(() => reader.read(entry, offset, length), ArchiveError, undefined, text);
        const { path } = snapshot.sourceOf(entry);
        assertEquals([(error as ArchiveError).path, error.message.split(`${path}: `).length], [path, 2], error.message);
        await assertRejects(() => reader.readRemote(entry), ArchiveError, undefined, text);
      };
      {
        await using opened = open(catalog, directory.path);
        const { reader } = opened;
        for (let round = 0; round < rounds; round++) {
          // Several concurrent reads wait for one another.
          await Promise.all(Array.from({ length: 1 + chance(3) }, () => {
            const content = contents[chance(contents.length)] ?? { entry: 0, bytes: null };
            const size = content.bytes?.length ?? 10;
            const offset = chance(4) === 0 ? 0 : chance(size);
            return check(reader, content, offset, 1 + chance(chance(2) === 0 ? size + 10 : 100));
          }));
          const { entry, bytes } = contents[chance(contents.length)] ?? { entry: 0, bytes: null };
          if (bytes) assertEquals(await reader.readRemote(entry), bytes);
        }
        // Reads run in order, over a gap, once back, and alternate with another reader.
        const [first, second] = slow;
        assert(first && second);
        const pieces = [[0, 10], [10, 5000], [700_000, 700_000], [slowSize - 10, 100], [5, 5]] as const;
        for (const [offset, length] of pieces) await check(reader, first, offset, length);
        await check(reader, second, 600_000, 1000);
        await check(reader, first, 100, 1000);
        assertEquals((await reader.read(second.entry, slowSize, 5)).length, 0);
        await reader[Symbol.asyncDispose]();
        await until("nothing is open", () => Promise.resolve(openBelow(directory.path).length === 0));
        // A read that began before a refresh ends after it.
        await Promise.all([check(reader, first, 0, 10).catch(() => {}), reader[Symbol.asyncDispose]()]);
        if (title === "in this thread") await check(reader, second, 5, 10);
        await until("nothing is open", () => Promise.resolve(openBelow(directory.path).length === 0));
      }
    },
  );

  Deno.test(
    `compressed bytes are where the offset says, and a file that changed is an error: read ${title}`,
    needs("python3"),
    async () => {
      await using directory = await temporaryDirectory();
      const { catalog, contents } = await install(directory.path);
      const { snapshot } = catalog;
      await using opened = open(catalog, directory.path);
      const { reader } = opened;
      let compared = 0;
      for (const { entry, bytes } of contents) {
        const source = snapshot.sourceOf(entry);
        if (!bytes || isDirectorySource(source) || source.byteLayout || snapshot.methodOf(entry) !== "store") continue;
        const offset = await reader.dataOffset(entry);
        assert(offset !== null);
        const file = await Deno.readFile(source.path);
        assertEquals(file.subarray(offset, offset + bytes.length), bytes, `${source.path} ${snapshot.memberOf(entry)}`);
        compared++;
      }
      assert(compared > seeds.length / 2);
      const entryOf = (name: string) => contents.find(({ entry }) => snapshot.memberOf(entry) === name)?.entry ?? -1;
      const [stored, loose] = [entryOf("stored"), entryOf("loose.dat")];
      await Deno.writeFile(`${directory.path}/game/a.pk3`, zip([{ name: "stored", content: lines(70_000) }]));
      await Deno.writeFile(`${directory.path}/game/loose.dat`, lines(50_001));
      for (const entry of [stored, loose]) {
        const error = await assertRejects(() => reader.read(entry, 1, 10), ArchiveError, "changed or deleted");
        assert((error as ArchiveError).path?.startsWith(`${directory.path}/game`));
      }
      assertEquals(await reader.dataOffset(stored), null);
      await Deno.remove(`${directory.path}/game/a.pk3`);
      await assertRejects(() => reader.read(stored, 1, 10), ArchiveError, "changed or deleted");
      assertEquals(openBelow(directory.path), []);
    },
  );
}

Deno.test(
  "a long read can be aborted between two pieces, and the next one starts again",
  needs("python3"),
  async () => {
    await using directory = await temporaryDirectory();
    const { catalog, slow } = await install(directory.path);
    await using reader = new ContentReader(catalog.snapshot);
    const entry = slow[0]?.entry ?? -1;
    await assertRejects(() => reader.read(entry, 0, 10, AbortSignal.abort()), DOMException);
    const controller = new AbortController();
    const reading = reader.read(entry, 0, slowSize, controller.signal);
    const waiting = reader.read(entry, 7, 9);
    setTimeout(() => controller.abort());
    await assertRejects(() => reading, DOMException);
    assertEquals(await waiting, lines(16).subarray(7));
  },
);

Deno.test("a file whose name begins with a byte order mark is not the one without", async () => {
  await using directory = await temporaryDirectory();
  const marked = "\ufeffa.txt";
  await writeFiles(directory.path, { "a.txt": "a.txt", [marked]: marked, "b.pak": pakOf("\ufeffc", "c") });
  const { snapshot } = scan(directory.path, { profile: "generic" });
  await using reader = new ContentReader(snapshot);
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  const names = entries.map((entry) => snapshot.memberOf(entry)).filter((name) => name !== "b.pak");
  assertEquals(names.toSorted(), ["a.txt", "c", marked, "\ufeffc"]);
  for (const entry of entries) {
    const name = snapshot.memberOf(entry);
    if (!name.endsWith("a.txt")) continue;
    assertEquals(reader.readWhole(entry), new TextEncoder().encode(name));
  }
});

Deno.test("a member has another word once its bytes may be others, and the same one otherwise", async () => {
  await using directory = await temporaryDirectory();
  const game = `${directory.path}/game`;
  await writeFiles(game, { "a.pak": pakOf("one", "two"), "b.pak": pakOf("three"), "x.txt": "x", "d/y.txt": "y" });
  const words = async () => {
    const { snapshot } = scan(game, { profile: "generic" });
    await using reader = new ContentReader(snapshot);
    const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
    return new Map(entries.map((entry) => [snapshot.memberOf(entry), reader.versionOf(entry)]));
  };
  const names = ["one", "two", "three", "x.txt", "d/y.txt"];
  const first = await words();
  assertEquals(new Set(names.map((name) => first.get(name))).size, names.length);
  const changes: readonly (readonly [changed: readonly string[], change: () => Promise<unknown>])[] = [
    [[], () => writeFiles(game, { "c.pak": pakOf("four"), "a.txt": "a" })],
    [["one", "two"], () => writeFiles(game, { "a.pak": pakOf("one", "two!") })],
    [["three"], () => Deno.utime(`${game}/b.pak`, 5, 5)],
    [["x.txt"], () => writeFiles(game, { "x.txt": "xx" })],
    [["d/y.txt"], () => Deno.utime(`${game}/d/y.txt`, 5, 5)],
    // A second directory with an equal file.
    [["d/y.txt"], async () => {
      await writeFiles(game, { "e/y.txt": "y" });
      await Deno.utime(`${game}/e/y.txt`, 5, 5);
      await Deno.rename(`${game}/d`, `${directory.path}/d`);
      await Deno.rename(`${game}/e`, `${game}/d`);
    }],
  ];
  let before = first;
  for (const [changed, change] of changes) {
    await change();
    const now = await words();
    const others = names.filter((name) => now.get(name) !== before.get(name) && now.has(name));
    assertEquals(others, changed.filter((name) => now.has(name)));
    before = now;
  }
});

Deno.test("reads that wait for the thread of a remote file system fail when the daemon ends", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(`${directory.path}/game`, { "a.pak": pakOf("a.txt"), "b.txt": "b" });
  const catalog = scan(`${directory.path}/game`, { profile: "generic" });
  const table = `20 1 8:1 / / rw - ext4 x rw\n21 1 0:50 / ${directory.path} rw - nfs4 x rw\n`;
  using threads = new RemoteReaders(new RemoteSources({ readTable: () => table, timeout: 60_000 }));
  const reader = new RoutedContent(catalog, threads);
  const reads = [reader.read(0, 0, 1), reader.readRemote(1), reader.read(1, 0, 1)];
  threads[Symbol.dispose]();
  for (const read of reads) await assertRejects(() => read, ArchiveError, "the daemon is ending");
  await reader[Symbol.asyncDispose]();
});
