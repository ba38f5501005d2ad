import { FileCalls } from "../../system/file_calls.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { deserializeLists, serializeLists } from "../../index/scan/serialized_lists.ts";
import { openArchive } from "../../index/content/archive_reader.ts";
import { readArchives } from "../../index/scan/read_archives.ts";
import { readPack, requireFewDirectories, type UnreadArchive } from "../../index/scan/read_pack.ts";
import { isSameTable } from "../../index/columns/entry_tables.ts";
import { ArchiveQueue } from "../../index/scan/archive_queue.ts";
import { EntryTable } from "../../formats/core/entry_table.ts";
import { formatNamed, LimitError, MemoryReader } from "../../formats/parts.ts";
import { RawNames } from "../../formats/core/raw_names.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { FakeWorker, withFakeWorkers } from "../support/fake_worker.ts";
import { singleLumpFormat } from "../../engines/lumps/lump_tables.ts";
import { indexGames } from "../../index/scan/scanner.ts";
import { pak, text, vpk, zip } from "../formats/bytes.ts";
import { samples, tar } from "../formats/foreign_samples.ts";
import { needs } from "../support/programs.ts";
import { type Files, installation, pakOf, zipOf } from "./fixtures.ts";

/** Packs of all kinds: sound, empty, broken, with odd names, damaged members, warnings and archives in them. */
function packs(count: number): Files {
  const kinds: (() => Uint8Array | string)[] = [
    () => zipOf("a.txt", "b/c.txt"),
    () => pakOf("x"),
    () => zipOf(),
    () => "no archive",
    () => pak([["../up", "x"], [Uint8Array.of(0x81, 0x2e, 0x74), "z"]]),
    () => zip([{ name: "odd", content: "odd", method: 99 }, { name: "fine", content: "fine" }]),
    () => zip([{ name: "inner.pak", content: pakOf("deep.txt", "deeper.txt") }]),
    () => zipOf("cut").subarray(0, 40),
    () => vpk([{ path: "a.txt", content: "own", preload: 1, part: 0x7fff, offset: 0 }], "wn"),
  ];
  return Object.fromEntries(
    Array.from(
      { length: count },
      (_, index) => [`pack${String(index).padStart(3, "0")}`, kinds[index % kinds.length]?.() ?? ""],
    ),
  );
}

async function archiveAt(path: string): Promise<UnreadArchive> {
  const { size, mtime, ctime } = await Deno.stat(path);
  return {
    path,
    size,
    mtime: mtime?.getTime() ?? 0,
    ctime: ctime?.getTime() ?? 0,
    nested: true,
    packFormat: null,
    lumps: null,
    smallInZips: false,
    colonsInZips: false,
    search: null,
    lumpTypes: false,
    isAlone: false,
  };
}

Deno.test("lists survive being packed for another thread, whatever is in them", async () => {
  await using root = await installation(packs(9));
  const archives = await Promise.all(
    Array.from({ length: 9 }, (_, index) => archiveAt(`${root.path}/pack00${index}`)),
  );
  const lists = archives.map((archive) => readPack(archive));
  assert(lists.some(({ table }) => table.nested.length > 0 && table.layout !== undefined));
  assert(lists.some(({ table }) => table.nested.length === 0 && table.layout !== undefined));
  assert(lists.some(({ table }) => table.rawNames.size > 0));
  assert(lists.some(({ table }) => table.foreignMethods.size > 0));
  assert(lists.some(({ table }) => table.warnings.length > 0));
  assert(lists.some(({ failure }) => failure !== null));
  const { lists: compressed, columns } = serializeLists(lists);
  const copies = deserializeLists(structuredClone({ lists: compressed, columns }));
  assertEquals(copies.length, lists.length);
  for (const [index, copy] of copies.entries()) {
    const list = lists[index];
    assert(list);
    assert(isSameTable(copy.table, list.table), `pack ${index}`);
    // Lists every field: new fields of tables must be serialized, too.
    for (const [key, value] of Object.entries(list.table)) {
      if (ArrayBuffer.isView(value)) continue;
      assertEquals(Object.entries(copy.table).find(([other]) => other === key)?.[1], value, key);
    }
    assertEquals([copy.format, copy.failure], [list.format, list.failure]);
    assertEquals(Object.keys(copy.table), Object.keys(list.table));
  }
});

Deno.test("two tables are the same only if no column, name or warning of one differs", async () => {
  await using root = await installation({ "a.pak": pak([["a", "x"], [Uint8Array.of(0x81, 0x2e, 0x74), "z"]]) });
  const archive = await archiveAt(`${root.path}/a.pak`);
  const made = () => readPack(archive).table;
  assert(isSameTable(made(), made()));
  const columns = Object.entries(made()).filter(([, value]) => ArrayBuffer.isView(value)).map(([key]) => key);
  assert(columns.length > 8);
  const changes: readonly ((table: EntryTable) => unknown)[] = [
    ...columns.map((key) => (table: EntryTable) => {
      const values: unknown = Reflect.get(table, key);
      assert(values instanceof Uint8Array || values instanceof Uint32Array || values instanceof Float64Array);
      values[1] = (values[1] ?? 0) + 1;
    }),
    (table) => table.length--,
    (table) => table.warnings.push("one"),
    ...[[], [0x81, 0x2e], [0x81, 0x2e, 0x75]].map((bytes) => (table: EntryTable) => {
      table.rawNames = new RawNames();
      if (bytes.length > 0) table.rawNames.set(1, Uint8Array.from(bytes));
    }),
  ];
  for (const change of changes) {
    const table = made();
    change(table);
    assert(!isSameTable(table, made()) && !isSameTable(made(), table), String(change));
  }
});

Deno.test("threads that help read the same lists, in the same order", async () => {
  await using root = await installation(packs(200));
  const archives = await Promise.all(
    Array.from({ length: 200 }, (_, index) => archiveAt(`${root.path}/pack${String(index).padStart(3, "0")}`)),
  );
  const reported: number[] = [];
  // Without a timeout the other threads start after the first few archives, and then need some time.
  const lists = await readArchives(archives, {
    timeout: -1,
    helpers: 2,
    onProgress: (done) => {
      const end = performance.now() + (reported.push(done) === 2 ? 400 : 0);
      while (performance.now() < end);
    },
  });
  assertEquals(lists.length, 200);
  for (const [index, archive] of archives.entries()) {
    const list = lists[index];
    const alone = readPack(archive);
    assert(list && isSameTable(list.table, alone.table), archive.path);
    assertEquals([list.format, list.failure, list.table.nested], [alone.format, alone.failure, alone.table.nested]);
  }
  assertEquals(reported.toSorted((a, b) => a - b), reported);
});

Deno.test("what a thread had taken before it failed is read by this one", async () => {
  await using root = await installation(packs(20));
  const archives = await Promise.all(
    Array.from({ length: 20 }, (_, index) => archiveAt(`${root.path}/pack${String(index).padStart(3, "0")}`)),
  );
  const taken = new Set<number>();
  await withFakeWorkers(async () => {
    const lists = await readArchives(archives, {
      timeout: -1,
      helpers: 2,
      onProgress: (done) => {
        for (const [number, worker] of FakeWorker.all.entries()) {
          const memory: unknown = Reflect.get(worker.posted[0] ?? {}, "memory");
          assert(memory instanceof SharedArrayBuffer);
          const part = new ArchiveQueue(archives.length, memory).take();
          if (part) taken.add(part.start);
          if (done > 5 + number) worker.fail("broken");
        }
      },
    });
    assertEquals(serializeLists(lists), serializeLists(archives.map((archive) => readPack(archive))));
  });
  assert(taken.size > 5 && taken.size < archives.length);
});

Deno.test("an archive that is unpacked first is left to another thread, once", needs("libarchive.so.13"), async () => {
  await using root = await installation({
    "big.tar": tar([{ name: "a", content: "x".repeat(2 ** 20) }]),
    "b.zip": zipOf("b"),
    "around.zip": zip([{ name: "a.tar", content: tar([{ name: "a", content: "x".repeat(2 ** 20) }]) }]),
  });
  const around = await archiveAt(`${root.path}/around.zip`);
  await withFakeWorkers(async () => {
    const reading = readArchives([around], { helpers: 0 });
    const [worker] = FakeWorker.all;
    assertEquals(Reflect.get(worker?.posted[0] ?? {}, "archives"), [around], "so is one with an archive in it");
    worker?.fail("broken");
    const [list] = await reading;
    assertEquals([list?.format, list?.table.nested.map(({ format }) => format)], ["zip", ["tar"]]);
  });
  const paths = ["big.tar", "b.zip"].map((name) => `${root.path}/${name}`);
  const archives = (await Promise.all(paths.map(archiveAt)))
    .map((archive) => ({ ...archive, nested: false, isAlone: true }));
  const left: unknown[] = [];
  const read = () =>
    withFakeWorkers(async () => {
      let isReading = true;
      const reading = readArchives(archives, { helpers: 0 }).finally(() => isReading = false);
      for (let failed = 0; isReading;) {
        // deno-lint-ignore no-await-in-loop -- until the thread is started, or is not needed
        await new Promise((resolve) => setTimeout(resolve, 1));
        const worker = FakeWorker.all[failed];
        if (!worker) continue;
        failed++;
        left.push(Reflect.get(worker.posted[0] ?? {}, "archives"));
        worker.fail("broken");
      }
      const lists = await reading;
      assertEquals(lists.map(({ format, table }) => [format, table.length]), [["tar", 1], ["zip", 1]]);
    });
  await read();
  assertEquals(left, [[archives[0]]]);
  await read();
  assertEquals(left.length, 1);
  await Deno.writeFile(`${root.path}/other.tar`, tar([{ name: "a", content: "z".repeat(2 ** 20) }]));
  const other = { ...await archiveAt(`${root.path}/other.tar`), isAlone: true };
  await withFakeWorkers(async () => {
    const controller = new AbortController();
    const reading = readArchives([other], { helpers: 0, signal: controller.signal });
    const stopped = assertRejects(() => reading, Error, "enough");
    controller.abort(new Error("enough"));
    await stopped;
    const [started] = FakeWorker.all[0]?.posted ?? [];
    const queue = new ArchiveQueue(1, Reflect.get(started ?? {}, "memory"));
    assertEquals(queue.take(), undefined, "a thread that was stopped begins no other archive");
  });
  await Deno.writeFile(`${root.path}/big.tar`, tar([{ name: "b", content: "y".repeat(2 ** 20 + 1000) }]));
  const changed = { ...await archiveAt(`${root.path}/big.tar`), isAlone: true };
  const [list] = await readArchives([changed]);
  assertEquals([list?.format, list?.failure, list?.table.path(0)], ["tar", null, "b"]);
});

Deno.test("as many threads help as are requested, or as there are further processors, up to three", async () => {
  await using root = await installation(packs(4));
  const archives = await Promise.all(Array.from({ length: 4 }, (_, index) => archiveAt(`${root.path}/pack00${index}`)));
  const counts: number[] = [];
  for (const options of [{}, { helpers: 0 }, { helpers: 5 }]) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await withFakeWorkers(async () => {
      await readArchives(archives, {
        timeout: -1,
        ...options,
        onProgress: (done) => {
          if (done < 3) return;
          counts.push(FakeWorker.all.length);
          for (const worker of FakeWorker.all) worker.fail("ended");
        },
      });
    });
  }
  assertEquals(counts, [Math.min(3, navigator.hardwareConcurrency - 1), 0, 5]);
});

Deno.test("reading with helpers can be stopped", async () => {
  await using root = await installation({ "a.pk3": zipOf("a") });
  const archives = Array(20_000).fill(await archiveAt(`${root.path}/a.pk3`));
  const controller = new AbortController();
  const reason = new Error("enough");
  const reading = readArchives(archives, {
    timeout: -1,
    helpers: 2,
    signal: controller.signal,
    onProgress: (done) => {
      if (done > 300) controller.abort(reason);
    },
  });
  await assertRejects(() => reading, Error, "enough");
});

Deno.test("indexGames finds what one thread alone finds", async () => {
  const named = Object.entries(packs(60)).map(([name, content]) => [`baseq3/${name}.pk3`, content] as const);
  await using root = await installation({ ...Object.fromEntries(named), "baseq3/loose.txt": text("loose") });
  const games = [{ sources: [root.path], profile: "ioquake3", nested: true }];
  const alone = scanCatalog(games);
  const helped = await indexGames(games);
  // Each index has a random seed for its table of names.
  const columnsOf = ({ snapshot }: Pick<typeof alone, "snapshot">) => {
    const { nodeTable, nodeSeed: _, ...columns } = snapshot.columns;
    return { ...columns, nodeTable: nodeTable.length };
  };
  assertEquals(columnsOf(helped), columnsOf(alone));
  assertEquals(helped.problems, alone.problems);
  const sources = ({ snapshot }: Pick<typeof alone, "snapshot">) =>
    snapshot.sources.map(({ readAt: _, ...source }) => source);
  assertEquals(sources(helped), sources(alone));
});

Deno.test("archives that are read by system calls have the same lists and the same failures", async () => {
  await using root = await installation(packs(9));
  const archives = await Promise.all(
    Array.from({ length: 9 }, (_, index) => archiveAt(`${root.path}/pack00${index}`)),
  );
  const [first] = archives;
  assert(first);
  await Deno.writeFile(`${root.path}/short`, (await Deno.readFile(first.path)).subarray(0, 20));
  assertEquals((await new Deno.Command("mkfifo", { args: [`${root.path}/pipe`] }).output()).code, 0);
  const others = ["short", "pipe", "missing"].map((name) => `${root.path}/${name}`);
  // The first page of its memory is never mapped: reading it is EIO.
  for (const path of [...others, "/proc/self/mem"]) archives.push({ ...first, path });
  using calls = new FileCalls();
  for (const archive of archives) {
    const list = readPack(archive, (path, known) => openArchive(calls, path, known));
    assertEquals(serializeLists([list]), serializeLists([readPack(archive)]), archive.path);
  }
});

Deno.test(
  "archives of other programs are read alone, and as packs only by the engine that loads them",
  needs("libarchive.so.13"),
  async () => {
    const archives = Array.from(samples, ([name, bytes]) => [`${name}.pk3`, bytes] as const);
    await using root = await installation(Object.fromEntries(archives));
    for (const [name] of samples) {
      // deno-lint-ignore no-await-in-loop -- one archive after the other
      const archive = await archiveAt(`${root.path}/${name}.pk3`);
      const formatOf = (changes: Partial<UnreadArchive>) => readPack({ ...archive, ...changes }).format;
      assertEquals([formatOf({}), formatOf({ isAlone: true })], ["unknown", name]);
      const { format, table } = readPack({
        ...archive,
        lumps: { rules: "gzdoom", filters: [], engine: "GZDoom" },
      });
      assertEquals([format, table.length > 2], name === "7z" ? ["7z", true] : [singleLumpFormat, false], name);
    }
  },
);

Deno.test("an archive is refused whose names are deeper than those of any game, and no other", () => {
  const tableOf = (depth: number) => {
    const members = Array.from({ length: 30 }, (_, n) => ({ name: `${n}/${"a/".repeat(depth - 1)}b`, content: "" }));
    return formatNamed("zip")?.read(new MemoryReader(zip(members), "a.zip")) ?? new EntryTable();
  };
  requireFewDirectories(tableOf(26), "a.zip", 300);
  requireFewDirectories(tableOf(1000), "a.zip");
  const message = "its files are in over 780 directories; that many are not indexed";
  assertThrows(() => requireFewDirectories(tableOf(27), "a.zip", 300), LimitError, message);
});
