// deno-lint-ignore-file no-await-in-loop -- one file after the other
import { assert, assertEquals, assertThrows } from "@std/assert";
import { FuseError } from "deno-fuse-ffi";
import { MemberDecoder } from "../../mount/decoding/member_decoder.ts";
import { PageCacheFiller } from "../../mount/decoding/page_cache_filler.ts";
import { Counters, createCounterBuffer, readCounters } from "../../mount/shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { createEntryBuffers, EntryStates, verification } from "../../mount/shared/entry_states.ts";
import { isDirectorySource } from "../../index/columns/source.ts";
import { pak, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { seeds } from "../formats/seeds.ts";
import { ContentModel, FailingLibrary } from "./content_model.ts";
import { ContentReader } from "../../index/content/content_reader.ts";

const contents: Readonly<Record<string, string>> = {
  "loose.txt": "loose ".repeat(900),
  "plain.txt": "plain ".repeat(700),
  "stored.txt": "stored ".repeat(500),
  "deflated.txt": "deflated ".repeat(800),
  "damaged.txt": "damaged ".repeat(300),
};

/** Files that may change during a read. */
class ChangingLibrary extends FailingLibrary {
  /** Called before and after each read. */
  meanwhile: () => void = () => {};

  override readAt(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    this.meanwhile();
    const count = super.readAt(fileDescriptor, bytes, offset);
    this.meanwhile();
    return count;
  }
}

Deno.test("pages that are filled ahead are the indexed bytes, whatever becomes of the files meanwhile", async () => {
  await using directory = await temporaryDirectory();
  const game = `${directory.path}/game`;
  const member = (name: string, method: number) => ({ name, content: contents[name] ?? "", method });
  const files = {
    "loose.txt": contents["loose.txt"] ?? "",
    "a.pak": pak([["plain.txt", contents["plain.txt"] ?? ""]]),
    "b.pk3": zip([member("stored.txt", 0), member("deflated.txt", 8), { ...member("damaged.txt", 8), crc: 1 }]),
  };
  await writeFiles(game, files);
  let { snapshot } = scan(game, { profile: "generic" });
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry)
    .filter((entry) => snapshot.memberOf(entry) in contents);
  assertEquals(entries.length, Object.keys(contents).length);
  using library = new ChangingLibrary();
  const memory = new DecodeMemory(createDecodeBuffers(0));
  const stored: [high: number, low: number, offset: number, bytes: Uint8Array][] = [];
  let outcome: () => boolean = () => true;
  let closed = 0;
  const store = {
    store: (high: number, low: number, offset: number, bytes: Uint8Array) => {
      stored.push([high, low, offset, bytes.slice()]);
      return outcome();
    },
    close: () => void closed++,
    [Symbol.dispose]: () => void closed++,
  };
  const filler = new PageCacheFiller(memory, library, store);
  const chance = numbersFrom(seed);
  const counts = createCounterBuffer(1);
  const counters = new Counters(counts, 0);
  let taken = 0;
  for (let round = 0; round < 400; round++) {
    const entry = entries[chance(entries.length)] ?? 0;
    const name = snapshot.memberOf(entry);
    const source = snapshot.sourceOf(entry);
    const path = isDirectorySource(source) ? `${game}/${name}` : source.path;
    const states = new EntryStates(createEntryBuffers(snapshot.entryCount));
    const isKnownDamaged = chance(8) === 0;
    if (isKnownDamaged) states.verified[entry] = verification.damaged;
    const descriptor = library.openForReading(path);
    using decoder = new MemberDecoder(snapshot, library);
    // Every third file changes at some moment, to bytes of the same length.
    let moment = chance(3) === 0 ? chance(4) : -1;
    const willChange = moment >= 0;
    const original = await Deno.readFile(path);
    const { mtime } = await Deno.stat(path);
    library.meanwhile = () => {
      if (moment-- === 0) Deno.writeFileSync(path, original.map((byte) => byte ^ 1));
    };
    library.readError = chance(8) === 0 ? 5 : 0;
    library.shortBy = chance(8) === 0 ? 1 : 0;
    const kind = chance(4);
    outcome = () => {
      if (kind === 0) throw new FuseError("no memory");
      return kind !== 1;
    };
    const note = {
      stream: 3,
      epoch: memory.ahead.begin(3),
      index: 1,
      version: 0,
      entry,
      descriptor,
      high: 7,
      low: round,
    };
    filler.fill(note, { snapshot, states, decoder, counters });
    const text = `${name}, round ${round}, PAKFS_SEED=${seed}`;
    const mayFail = willChange || library.readError !== 0 || library.shortBy !== 0 || name === "damaged.txt";
    const pages = stored.splice(0);
    assert(pages.length === 1 || ((mayFail || isKnownDamaged) && pages.length === 0), text);
    for (const [high, low, offset, bytes] of pages) {
      assertEquals([high, low, offset], [7, round, 0]);
      assertEquals(new TextDecoder().decode(bytes), contents[name], text);
      assert(!isKnownDamaged && name !== "damaged.txt", text);
    }
    const isTaken = pages.length === 1 && kind > 1;
    if (isTaken) taken++;
    assertEquals(memory.ahead.takeUnknown(3), pages.length === 1 && !isTaken, text);
    if (pages.length === 1 && source.format === "zip") assertEquals(states.verified[entry], verification.sound);
    library.meanwhile = () => {};
    library.close(descriptor);
    if (!willChange) continue;
    await Deno.writeFile(path, original);
    if (mtime) await Deno.utime(path, mtime, mtime);
    ({ snapshot } = scan(game, { profile: "generic" }));
  }
  assertEquals(readCounters(counts).readAhead, taken);
  assert(taken > 50);
  library.readError = library.shortBy = 0;
  outcome = () => {
    throw new TypeError("a mistake");
  };
  using decoder = new MemberDecoder(snapshot, library);
  const states = new EntryStates(createEntryBuffers(snapshot.entryCount));
  const [entry = 0] = entries.filter((one) => snapshot.memberOf(one) === "loose.txt");
  const descriptor = library.openForReading(`${game}/loose.txt`);
  const note = { stream: 3, epoch: 1, index: 1, version: 0, entry, descriptor, high: 7, low: 1 };
  const parts = { snapshot, states, decoder, counters };
  assertThrows(() => filler.fill(note, parts), TypeError);
  stored.length = 0;
  memory.refuseNotifications();
  filler.fill(note, parts);
  assertEquals(stored, [], "the session is about to end");
  library.close(descriptor);
  assertEquals(library.open.size, 0);
  filler[Symbol.dispose]();
  assertEquals(closed, 1);
});

Deno.test("reading ahead pauses as soon as a read waits or the mount ends, and holds no file meanwhile", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, { "a.pak": pak([["a.txt", "a"], ["b.txt", "b"]]) });
  const { snapshot } = scan(`${directory.path}/a.pak`, {});
  using library = new FailingLibrary();
  using decoder = new MemberDecoder(snapshot, library);
  const descriptor = library.openForReading(`${directory.path}/a.pak`);
  const parts = {
    snapshot,
    decoder,
    states: new EntryStates(createEntryBuffers(snapshot.entryCount)),
    counters: new Counters(createCounterBuffer(1), 0),
  };
  const chance = numbersFrom(seed);
  for (let round = 0; round < 200; round++) {
    const memory = new DecodeMemory(createDecodeBuffers(0));
    const stored: number[] = [];
    const store = {
      store: (_high: number, low: number) => stored.push(low) > 0,
      close: () => {},
      [Symbol.dispose]: () => {},
    };
    using filler = new PageCacheFiller(memory, library, store);
    const epoch = memory.ahead.begin(1);
    const count = 1 + chance(6);
    for (let index = 0; index < count; index++) {
      const note = { stream: 1, epoch, index: 10 + index, version: index % 3, entry: index % 2, high: 1, low: index };
      memory.ahead.put({ ...note, descriptor });
    }
    // A read or the end may come while the index of a note is fetched.
    const interruption = chance(count + 2);
    const event = chance(2);
    let asked = 0;
    const isKnown = (version: number) => version !== 2;
    await filler.fillNoted(5, (version) => {
      if (asked++ === interruption) event === 0 ? memory.enqueue(0) : memory.askToStop();
      return Promise.resolve(isKnown(version) ? parts : undefined);
    });
    const reached = Math.min(count, interruption + 1);
    assertEquals(asked, reached);
    const isCut = event === 1 && interruption < count;
    const expected = Array.from({ length: reached }, (_, index) => index).filter((index) =>
      isKnown(index % 3) && !(isCut && index === interruption)
    );
    assertEquals(stored, expected, `round ${round}, PAKFS_SEED=${seed}`);
    assertEquals(memory.ahead.isBusy(descriptor), reached < count, "only notes that are left need it");
  }
  library.close(descriptor);
});

Deno.test("what is read ahead of archives of every format is what reading gives", async () => {
  await using directory = await temporaryDirectory();
  const game = `${directory.path}/game`;
  const archives = seeds.map(({ bytes }, index) => [`${index}.pak`, bytes] as const);
  await writeFiles(game, { ...Object.fromEntries(archives), "loose.txt": "loose", "empty.txt": "" });
  const catalog = scan(game, { profile: "generic", nested: true });
  const { snapshot } = catalog;
  const memory = new DecodeMemory(createDecodeBuffers(0));
  await using model = new ContentModel(catalog, directory.path);
  await using reader = new ContentReader(snapshot);
  using decoder = new MemberDecoder(snapshot, model.library);
  const counters = new Counters(createCounterBuffer(1), 0);
  const states = new EntryStates(createEntryBuffers(snapshot.entryCount));
  const stored: Uint8Array[] = [];
  const store = {
    store: (_high: number, _low: number, _offset: number, bytes: Uint8Array) => stored.push(bytes.slice()) > 0,
    close: () => {},
    [Symbol.dispose]: () => {},
  };
  using filler = new PageCacheFiller(memory, model.library, store);
  const formats = new Set<string>();
  for (let entry = 0; entry < snapshot.entryCount; entry++) {
    const descriptor = model.content.aheadDescriptor(entry);
    if (descriptor < 0) continue;
    formats.add(snapshot.sourceOf(entry).format);
    const note = { stream: 0, epoch: memory.ahead.begin(0), index: 9, version: 0, entry, descriptor, high: 1, low: 1 };
    filler.fill(note, { snapshot, states, decoder, counters });
    const bytes = await reader.read(entry, 0, 2 ** 20).catch(() => undefined);
    const text = `${snapshot.sourceOf(entry).path} ${snapshot.memberOf(entry)}`;
    assertEquals(stored.pop(), bytes, text);
  }
  assert(formats.size > seeds.length / 2, `only ${[...formats].join()}`);
});
