// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Reads of the mount under random schedules and failing files: always the right bytes or an error, and every request is
 * answered.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { MemberDecoder } from "../../mount/decoding/member_decoder.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { verification } from "../../mount/shared/entry_states.ts";
import { pak, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { catalogOf, entriesOf } from "./content_files.ts";
import { type AskedRead, content, ContentModel, modelRing } from "./content_model.ts";

const maxRead = 128 * 1024;

Deno.test("under random schedules every read is answered once, with the right bytes, and everything is given back", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  const entries = Array.from(entriesOf(catalog).values());
  const chance = numbersFrom(seed);
  const rounds = Number(Deno.env.get("PAKFS_CONTENT_ROUNDS") ?? 1500);
  await using model = new ContentModel(catalog, directory.path);
  const { library } = model;
  const sizeOf = (entry: number) => catalog.snapshot.columns.entrySizes[entry] ?? 0;
  const asked: { read: ReturnType<ContentModel["read"]>; bytes: Uint8Array | null; mayFail: boolean }[] = [];
  let answered = 0;
  let isFailing = false;
  const counted = { reads: 0, bytes: 0, failedReads: 0 };
  const small = entries.filter(({ size }) => size <= 64 * 1024);
  const ask = () => {
    const some = chance(3) === 0 ? small : entries;
    const { entry, bytes, size } = some[chance(some.length)] ?? { entry: 0, bytes: null, size: 0 };
    // The session prepares entries that will probably be read next; some of them are.
    if (chance(3) === 0) model.content.prepare(entry);
    if (chance(9) === 0) model.content.prepare(small[chance(small.length)]?.entry ?? 0);
    if (chance(9) === 0) model.content.aheadDescriptor(entry);
    assert(model.content.canLookUp(entry));
    const offset = chance(4) === 0 ? 0 : chance(size + 2);
    const count = 1 + chance(maxRead);
    counted.reads++;
    if (model.states.verified[entry] !== verification.damaged) {
      counted.bytes += Math.max(0, Math.min(count, size - offset));
    }
    asked.push({ read: model.read(entry, offset, count), bytes, mayFail: isFailing });
  };
  model.onStep = () => {
    // While files fail, each step of a decoder may cause several others: the last ones are only waited for.
    if (asked.length > 10_000) return;
    for (let count = chance(4); count > 0; count--) ask();
  };
  for (let round = 0; round < rounds; round++) {
    const kind = chance(8);
    if (kind < 4) ask();
    else if (kind < 7) model.decode();
    else await new Promise<void>((resolve) => setTimeout(resolve, 0));
    if (chance(40) === 0) {
      const fails: boolean = !isFailing;
      // Waiting reads may see either state, as may reads requested until all fields are set.
      isFailing = true;
      for (const one of asked) one.mayFail = true;
      library.isFull = fails && chance(2) === 0;
      library.hasNoFiles = fails && chance(2) === 0;
      library.readError = fails && chance(2) === 0 ? Errno.EIO : 0;
      library.openError = fails && chance(2) === 0 ? Errno.ETIMEDOUT : 0;
      library.isChanged = fails && chance(3) === 0;
      isFailing = fails;
    }
    if (round % 100 !== 99) continue;
    await model.finish();
    assertEquals([model.waiting, model.busySlots], [0, 0]);
    for (const { read, bytes, mayFail } of asked.splice(0)) {
      answered++;
      if (read.answer === Errno.EIO) counted.failedReads++;
      if (read.answer instanceof Uint8Array && read.answer.length === 0) {
        assert(read.offset >= sizeOf(read.entry), "a file ends too early");
        continue;
      }
      const expected = bytes?.subarray(read.offset, read.offset + read.size);
      if (expected && read.answer instanceof Uint8Array) assertEquals(read.answer, expected);
      else if (read.answer === Errno.EIO || read.answer === Errno.EAGAIN) {
        assert(mayFail || (bytes === null && read.answer === Errno.EIO), `a sound member gave error ${read.answer}`);
      } else throw new Error(`a damaged member, or error ${read.answer}`);
    }
  }
  const { reads, bytes, failedReads } = model.counters;
  assertEquals({ reads, bytes, failedReads }, counted);
  assertEquals(model.failures.reduce((sum, count) => sum + count), counted.failedReads);
  // Thousands of requests have waited: none of their slots may be lost.
  assert(answered > rounds / 2, `${answered} reads`);
  library.isFull = library.hasNoFiles = library.isChanged = false;
  library.readError = library.openError = 0;
  model.onStep = () => {};
  for (const { entry, bytes } of entries) {
    assertEquals(await model.readNow(entry, 0, 100), bytes?.subarray(0, 100) ?? Errno.EIO, "when all is well again");
    const hasSum = catalog.snapshot.crcOf(entry) !== null;
    if (bytes && hasSum) {
      assertEquals(model.states.verified[entry], verification.sound, catalog.snapshot.memberOf(entry));
    }
  }
});

Deno.test("of files on a remote file system this thread asks for nothing, and hands their reads on", async () => {
  await using directory = await temporaryDirectory();
  const members = [5, 5000, 70_000, 0].flatMap((size) =>
    [0, 8].map((method) => ({
      name: `${size}-${method}`,
      content: content("x", size),
      method,
      crc: size === 0 ? 1 : undefined,
    }))
  );
  for (const place of ["baseq3", "far"]) {
    await writeFiles(`${directory.path}/game/${place}`, {
      "a.pk3": zip(members.map(({ crc, ...member }) => crc === undefined ? member : { ...member, crc })),
      "b.pak": pak([["plain", "plain"]]),
      "loose.txt": "loose",
      "empty.txt": "",
    });
  }
  const catalog = scan(`${directory.path}/game`, { profile: "ioquake3" });
  const { snapshot } = catalog;
  const isFar = (entry: number) => snapshot.sourceOf(entry).path.includes("/far");
  const remotes = Uint8Array.from(snapshot.sources, ({ path }) => path.includes("/far") ? 1 : 0);
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  assert(entries.some(isFar) && !entries.every(isFar));
  for (const entry of entries) {
    await using model = new ContentModel(catalog, directory.path, remotes);
    let calls = 0;
    const count =
      <Parameters extends unknown[], Result>(call: (...parameters: Parameters) => Result) =>
      (...parameters: Parameters): Result => {
        calls++;
        return call.apply(model.library, parameters);
      };
    const { library, content: handler } = model;
    library.openForReading = count(library.openForReading);
    library.openBelow = count(library.openBelow);
    library.readAt = count(library.readAt);
    library.information = count(library.information);
    const size = snapshot.columns.entrySizes[entry] ?? 0;
    const isDoubtful = snapshot.isDoubtfullyEmpty(entry);
    const text = `${snapshot.sourceOf(entry).path} ${snapshot.memberOf(entry)}`;
    assertEquals([handler.isKnownToBeSound(entry), calls], [!isDoubtful, 0], text);
    assertEquals(handler.canLookUp(entry), !isDoubtful, text);
    if (isDoubtful && !isFar(entry)) {
      const first = calls;
      assertEquals([handler.canLookUp(entry), calls, model.reports.length], [false, first, 1], "known to be damaged");
    }
    if (isDoubtful) assertEquals([calls > 0, model.counters.failedReads], isFar(entry) ? [false, 1] : [true, 2], text);
    calls = 0;
    const isSmall = size > 0 && size <= 64 * 1024;
    handler.prepare(entry);
    assertEquals(calls > 0, isSmall && !isFar(entry), `${text} is prepared`);
    calls = 0;
    const descriptor = handler.aheadDescriptor(entry);
    assertEquals(
      [descriptor >= 0, calls > 0 && isFar(entry)],
      [isSmall && !isFar(entry), false],
      `${text} is read ahead`,
    );
    const asked = model.read(entry, 0, 10);
    await model.finish();
    assertEquals([calls > 0 && isFar(entry), model.waiting], [false, isFar(entry) ? 1 : 0], text);
    const handed = model.handed.waiting().map(({ version, entry, offset, size }) => ({ version, entry, offset, size }));
    assertEquals(handed, isFar(entry) ? [{ version: 0, entry, offset: 0, size: 10 }] : []);
    if (!isFar(entry) && !isDoubtful) assertEquals((asked.answer as Uint8Array).length, Math.min(size, 10), text);
  }
});

Deno.test("small files are read ahead, unless their archive must be decompressed itself", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  await using model = new ContentModel(catalog, directory.path);
  for (const isMade of [false, true]) {
    for (const [name, { entry, bytes, size }] of entriesOf(catalog)) {
      const isSmall = size <= 64 * 1024 && !(bytes === null && isMade);
      assertEquals(
        model.content.aheadDescriptor(entry) >= 0,
        isSmall && !name.startsWith("inner"),
        `${name} ${isMade}`,
      );
      if (!isMade) await model.readNow(entry, 0, 1);
    }
  }
});

Deno.test("while all memory is in use, members that fit into it are still read, and others later", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  await using model = new ContentModel(catalog, directory.path);
  const entries = entriesOf(catalog);
  const inUse = ["deflated-200000", "deflated-70000", "inner.zip.d/deflated-70000"].map((name) => {
    const { entry, bytes } = entries.get(name) ?? { entry: -1, bytes: null };
    return { read: model.read(entry, 0, maxRead), bytes };
  });
  // The slots outside the ring are busy as well.
  model.fillSlots();
  for (const [name, { entry, bytes, size }] of entries) {
    if (inUse.some(({ read }) => read.entry === entry) || size <= 1 || /stored|plain|loose/.test(name)) continue;
    const fits = size <= modelRing / 2 && !name.startsWith("inner");
    const { answer } = model.read(entry, 1, 100);
    if (!fits) assertEquals(answer, Errno.EAGAIN, name);
    else assertEquals(answer, bytes?.subarray(1, 101) ?? Errno.EIO, name);
  }
  model.freeSlots();
  await model.finish();
  for (const { read, bytes } of inUse) assertEquals(read.answer, bytes?.subarray(0, maxRead));
});

Deno.test("what cannot be read because the mount ends is no problem to report", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  for (const name of ["deflated-70000", "deflated-400000", "stored-400000", "inner.zip.d/deflated-5000"]) {
    for (const isEnding of [false, true]) {
      await using model = new ContentModel(catalog, directory.path);
      const asked = model.read(entriesOf(catalog).get(name)?.entry ?? -1, 0, 10);
      model.library.readError = Errno.EIO;
      if (isEnding) model.askToStop();
      await model.finish();
      assertEquals([asked.answer, model.reports.length], [Errno.EIO, isEnding ? 0 : 1], name);
    }
  }
});

Deno.test("a read that failed can be repeated as soon as it is answered", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  for (const name of ["deflated-70000", "deflated-400000", "stored-400000"]) {
    const { entry = -1, bytes = null } = entriesOf(catalog).get(name) ?? {};
    await using model = new ContentModel(catalog, directory.path);
    const first = model.read(entry, 0, 10);
    let second: AskedRead | undefined;
    first.onAnswered = () => {
      model.library.readError = 0;
      second = model.read(entry, 0, 10);
    };
    model.library.readError = Errno.EIO;
    await model.finish();
    assertEquals([first.answer, second?.answer], [Errno.EIO, bytes?.subarray(0, 10)], name);
  }
});

Deno.test("an empty member that was found sound is listed with its attributes from then on", async () => {
  await using directory = await temporaryDirectory();
  // An empty block with an explicit length takes more bytes than the shortest one.
  const compressed = new Uint8Array([1, 0, 0, 255, 255]);
  const members = [
    { name: "sound", content: "", method: 8, compressed },
    { name: "damaged", content: "", method: 8, compressed, crc: 5 },
  ];
  await writeFiles(`${directory.path}/game`, { "a.pk3": zip(members), "b.txt": "b" });
  const catalog = scan(`${directory.path}/game`, { profile: "generic" });
  const { snapshot } = catalog;
  await using model = new ContentModel(catalog, directory.path);
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  const doubtful = entries.filter((entry) => snapshot.isDoubtfullyEmpty(entry));
  assertEquals(doubtful.length, 2);
  for (const entry of doubtful) {
    const isSound = snapshot.memberOf(entry) === "sound";
    const { content: handler } = model;
    assertEquals(
      [handler.isKnownToBeSound(entry), handler.canLookUp(entry), handler.isKnownToBeSound(entry)],
      [false, isSound, isSound],
      snapshot.memberOf(entry),
    );
  }
});

Deno.test("more requests than can wait at one time can wait one after another", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  const entry = entriesOf(catalog).get("deflated-70000")?.entry ?? -1;
  const bytes = content("deflated70000", 70_000);
  await using model = new ContentModel(catalog, directory.path);
  for (let round = 0; round < 3; round++) {
    const reads = Array.from({ length: 2000 }, (_, index) => model.read(entry, index, 10));
    await model.finish();
    for (const read of reads) assertEquals(read.answer, bytes.subarray(read.offset, read.offset + 10));
    // The ring is overwritten, so that the next round waits again.
    for (const name of ["deflated-200000", "stored-200000", `deflated-${modelRing / 2}`]) {
      await model.readNow(entriesOf(catalog).get(name)?.entry ?? -1, 0, 10);
    }
  }
});

const nestedNames = ["inner.zip.d/deflated-5000", "inner.zip.d/stored-70000"];
const ownNames = ["deflated-5000", "deflated-70000", "deflated-400000", "stored-70000", "stored-400000"];
for (const name of [...ownNames, ...nestedNames, "plain", "loose.dat"]) {
  Deno.test(`an error of reading is no damage: ${name} is read again, and the error is reported with its file`, async () => {
    await using directory = await temporaryDirectory();
    const catalog = await catalogOf(directory.path);
    const { entry, bytes } = entriesOf(catalog).get(name) ?? { entry: -1, bytes: null };
    const isInFile = name === "deflated-400000" || name.startsWith("inner");
    for (const fail of ["read", "short", "open", ...(isInFile ? ["room", "files"] as const : [])] as const) {
      await using model = new ContentModel(catalog, directory.path);
      const { library } = model;
      library.isFull = fail === "room";
      library.hasNoFiles = fail === "files";
      if (fail === "read") library.readError = Errno.ETIMEDOUT;
      else if (fail === "open") library.openError = Errno.ENOTCONN;
      else if (fail === "short") library.shortBy = 1_000_000;
      assertEquals(await model.readNow(entry, 0, 100), Errno.EIO);
      const reason = {
        read: "ETIMEDOUT",
        open: "ENOTCONN",
        short: /ends at byte \d+ now/,
        room: "is the disk full?",
        files: "Cannot make a temporary file in",
      }[fail];
      const [report = ""] = model.reports;
      assert(typeof reason === "string" ? report.includes(reason) : reason.test(report), report);
      assert(report.includes(fail === "files" ? directory.path : `${directory.path}/game`), report);
      assertEquals(model.states.verified[entry], verification.unknown);
      library.readError = library.openError = library.shortBy = 0;
      library.isFull = library.hasNoFiles = false;
      assertEquals(await model.readNow(entry, 0, 100), bytes?.subarray(0, 100));
    }
  });
}

Deno.test("a damaged member of any size is reported by its name, and not decompressed again", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  for (const [name, { entry, bytes }] of entriesOf(catalog)) {
    if (bytes) continue;
    await using model = new ContentModel(catalog, directory.path);
    assertEquals(await model.readNow(entry, 0, 100), Errno.EIO);
    assertEquals(model.states.verified[entry], verification.damaged, name);
    assertEquals([model.reports.length, model.reports[0]?.includes(name)], [1, true], model.reports.join("\n"));
    assertEquals(await model.readNow(entry, 0, 50), Errno.EIO);
    assertEquals(model.reports.length, 1);
  }
});

Deno.test("a file that gives fewer bytes than are requested is an error, not its end", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  for (const name of ["loose.dat", "plain", "stored-400000", "deflated-400000"]) {
    const { entry, bytes } = entriesOf(catalog).get(name) ?? { entry: -1, bytes: null };
    await using model = new ContentModel(catalog, directory.path);
    assertEquals(await model.readNow(entry, 0, 1000), bytes?.subarray(0, 1000));
    let reads = 0;
    const { readAt } = model.library;
    // The first half is decompressed, then an error follows.
    model.library.readAt = (descriptor, target, offset) =>
      reads++ === 0 ? readAt.call(model.library, descriptor, target.subarray(0, 500), offset) : -Errno.EIO;
    assertEquals(await model.readNow(entry, 1000, 1000), Errno.EIO);
    model.library.readAt = readAt;
    assertEquals(await model.readNow(entry, 1000, 1000), bytes?.subarray(1000, 2000));
  }
});

Deno.test("a member that was decompressed is not decompressed again for the next read", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  await using model = new ContentModel(catalog, directory.path);
  let reads = 0;
  const { readAt } = model.library;
  model.library.readAt = (...parameters) => {
    reads++;
    return readAt.apply(model.library, parameters);
  };
  const small = entriesOf(catalog).get("deflated-5000") ?? { entry: -1, bytes: null };
  assertEquals(await model.readNow(small.entry, 0, 5000), small.bytes);
  assertEquals(reads, 1, "its header is read with it");
  for (const name of ["deflated-70000", "deflated-200000"]) {
    const { entry, bytes, size } = entriesOf(catalog).get(name) ?? { entry: -1, bytes: null, size: 0 };
    for (let offset = 0; offset < size; offset += maxRead) {
      const before = reads;
      const count = Math.min(maxRead, size - offset);
      assertEquals(await model.readNow(entry, offset, count), bytes?.subarray(offset, offset + count));
      assertEquals(reads > before, offset === 0, `${name} at ${offset}`);
    }
    const before = reads;
    assertEquals(await model.readNow(entry, 0, 1000), bytes?.subarray(0, 1000));
    assertEquals(reads, before, name);
  }
  // Stored members are verified once, and then read from their pack.
  const stored = ["stored-70000", "stored-200000", "stored-400000"].map((name) => entriesOf(catalog).get(name));
  const before = model.counters.decoded ?? 0;
  for (let round = 0; round < 3; round++) {
    for (const known of stored) {
      const { entry, bytes } = known ?? small;
      const asked = model.read(entry, 9, 1000);
      assertEquals(asked.answer === undefined, round === 0);
      await model.finish();
      assertEquals(asked.answer, bytes?.subarray(9, 1009));
    }
  }
  assertEquals(model.counters.decoded, before + stored.length);
});

Deno.test("a small file that was prepared is read without another call, once, and no other has its bytes", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  for (const [name, { entry, bytes, size }] of entriesOf(catalog)) {
    await using model = new ContentModel(catalog, directory.path);
    let reads = 0;
    const { readAt } = model.library;
    model.library.readAt = (...parameters) => {
      reads++;
      return readAt.apply(model.library, parameters);
    };
    model.content.prepare(entry);
    const isSmall = size <= 64 * 1024 && !name.startsWith("inner");
    assertEquals(reads > 0, isSmall, name);
    if (!isSmall) continue;
    for (const isFirst of [true, false]) {
      const before = reads;
      assertEquals(await model.readNow(entry, 0, size), bytes ?? Errno.EIO, name);
      // A damaged member is not decompressed again.
      assertEquals(reads === before, bytes === null ? !isFirst : isFirst, name);
    }
  }
});

Deno.test("a pack that changes between the check of a member and its answer is an I/O error", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  const entries = entriesOf(catalog);
  const { entry, size } = entries.get("stored-400000") ?? { entry: -1, size: 0 };
  await using model = new ContentModel(catalog, directory.path);
  const asked = model.read(entry, size - 100, 100);
  assertEquals(asked.answer, undefined);
  model.onStep = () => Deno.utimeSync(`${directory.path}/game/a.pk3`, 1, 1);
  await model.finish();
  assertEquals(asked.answer, Errno.EIO);
  assertEquals(model.reports.map((report) => /changed or deleted/.test(report)), [true]);
});

Deno.test("verifying a large member is given up as soon as the mount ends, and is no damage", async () => {
  await using directory = await temporaryDirectory();
  const catalog = await catalogOf(directory.path);
  const { entry } = entriesOf(catalog).get("stored-400000") ?? { entry: -1 };
  using library = new FileCalls();
  const descriptor = library.openForReading(`${directory.path}/game/a.pk3`);
  for (const isStopping of [false, true]) {
    using decoder = new MemberDecoder(catalog.snapshot, library, () => isStopping);
    if (isStopping) assertThrows(() => decoder.verify(entry, descriptor), Error, "the mount is ending");
    else assert(decoder.verify(entry, descriptor) > 0);
  }
  library.close(descriptor);
});
