// deno-lint-ignore-file no-await-in-loop -- one read after the other
/** Members with seek points, read without a kernel: every segment alone must equal that part of the whole. */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { ShownIndex } from "../../mount/shown_indexes.ts";
import { seekFileName, segmentBytes, segmentCount, segmentEnd } from "../../index/cache/seek_points.ts";
import type { Catalog } from "../../views/catalog.ts";
import { SeekPointCache } from "../../mount/seek_point_cache.ts";
import { SeekPointMaker } from "../../mount/decoding/seek_point_maker.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { verification } from "../../mount/shared/entry_states.ts";
import type { MadeSeekPoints } from "../../mount/shared/seek_members.ts";
import type { SlotParts } from "../../mount/decoding/slot_decoding.ts";
import { zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { content, ContentModel } from "./content_model.ts";

const maxRead = 128 * 1024;
/** The last segment of a member of this size is more than half as long as the others. */
const size = 9 * 1024 * 1024 + 700_077;
/** Sizes of members; the first can have seek points. */
const members = { large: size, small: 8 * 1024 * 1024 - 1, stored: size, damaged: size, nested: size };

function install(root: string, names: readonly (keyof typeof members)[]): Promise<void> {
  const packed = names.filter((name) => name !== "nested").map((name) => ({ name, length: members[name] })).map((
    { name, length },
  ) => ({
    name,
    content: content(name, length),
    method: name === "stored" ? 0 : 8,
    ...(name === "damaged" ? { crc: 5 } : {}),
  }));
  const nested = zip([{ name: "nested", content: content("nested", size), method: 8 }]);
  const outer = names.includes("nested") ? { "c.pk3": zip([{ name: "in.zip", content: nested }]) } : {};
  return writeFiles(`${root}/game`, { "a.pk3": zip(packed), "b.txt": "b", ...outer });
}

interface Installation {
  readonly catalog: Catalog;
  readonly entry: number;
  readonly bytes: Uint8Array;
  entryOf(name: string): number;
}

async function installation(
  root: string,
  names: readonly (keyof typeof members)[] = ["large"],
): Promise<Installation> {
  await install(root, names);
  const catalog = scan(`${root}/game`, { profile: "generic", nested: true });
  const entryOf = (name: string) =>
    Array.from({ length: catalog.snapshot.entryCount }, (_, entry) => entry)
      .find((entry) => catalog.snapshot.memberOf(entry).split("/").at(-1) === name) ?? -1;
  return { catalog, entryOf, entry: entryOf("large"), bytes: content("large", size) };
}

/** Time at which files written just now are settled. */
const later = () => Date.now() + 3_600_000;

/** Reads all members once, as a mount that stores seek points; returns the new ones. */
async function firstMount(
  { catalog, entryOf }: Installation,
  directory: string,
  { began = later(), isStopping = false, names = ["large"], times = 1 } = {},
): Promise<MadeSeekPoints[]> {
  const made: MadeSeekPoints[] = [];
  const memory = new DecodeMemory(createDecodeBuffers(0));
  const noted: SlotParts[] = [];
  const makers: SeekPointMaker[] = [];
  await using model = new ContentModel(catalog, directory, undefined, {
    seekDirectory: `${directory}/seek`,
    onWorked: (parts, slot) => {
      if (isStopping) parts.memory.askToStop();
      const maker = makers[0] ?? new SeekPointMaker(parts.memory, (points) => made.push(points));
      makers[0] = maker;
      for (let time = 0; time < times; time++) maker.note(parts, slot, began);
      noted.push(parts);
    },
  });
  for (const name of names) {
    const answer = await model.readNow(entryOf(name), 7, 10);
    if (name === "damaged") assertEquals(answer, Errno.EIO);
    else assertEquals(answer, content(name, 17).subarray(7));
  }
  assertEquals(noted.length, names.length);
  assert(!memory.isStopping);
  for (const maker of makers) {
    let steps = 0;
    while (maker.hasWork && steps < 10_000) {
      maker.step();
      steps++;
    }
    assert(!maker.hasWork && (steps === 0 || steps > 3), `${steps} steps`);
    maker.end();
  }
  return made;
}

async function keep(directory: string, { member, bytes }: MadeSeekPoints): Promise<string> {
  await Deno.mkdir(`${directory}/seek`, { recursive: true });
  const path = `${directory}/seek/${seekFileName(member)}`;
  await Deno.writeFile(path, bytes, { mode: 0o600 });
  return path;
}

/** A later mount, which knows of the seek points. */
function laterMount({ catalog, entry }: Installation, directory: string, ring = 8 * 1024 * 1024): ContentModel {
  const model = new ContentModel(catalog, directory, undefined, { ring, seekDirectory: `${directory}/seek` });
  model.states.setSeekable(entry);
  return model;
}

Deno.test(
  "points are made of large deflated members that were verified, and of no others",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    const names = ["large", "small", "stored", "damaged", "nested"] as const;
    const installed = await installation(directory.path, names);
    const made = await firstMount(installed, directory.path, { names: [...names] });
    assertEquals(made.map(({ entry, version }) => [entry, version]), [[installed.entry, 0]]);
    assertEquals(await firstMount(installed, directory.path, { isStopping: true }), []);
    // The other members wait until they are decompressed again.
    assertEquals((await firstMount(installed, directory.path, { times: 6 })).length, 4);
    // The pack may have changed unnoticed just before.
    assertEquals(await firstMount(installed, directory.path, { began: 0 }), []);
  },
);

Deno.test(
  "reads all over a member decompress only the segments that they are in, each once as long as there is room",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    const installed = await installation(directory.path);
    const { entry, bytes } = installed;
    const [points] = await firstMount(installed, directory.path);
    assert(points);
    await keep(directory.path, points);
    const chance = numbersFrom(seed);
    // The ring has space for all segments.
    await using model = laterMount(installed, directory.path, 32 * 1024 * 1024);
    const touched = new Set<number>();
    const asked: ReturnType<ContentModel["read"]>[] = [];
    for (let round = 0; round < 60; round++) {
      const offset = chance(size);
      // Reads are too small to count as sequential.
      asked.push(model.read(entry, offset, 1 + chance(60_000)));
      touched.add(Math.floor(offset / segmentBytes));
      if (chance(3) === 0) model.decode();
      if (chance(5) === 0) await model.finish();
    }
    await model.finish();
    for (const { answer, offset, size } of asked) assertEquals(answer, bytes.subarray(offset, offset + size));
    assertEquals([model.counters.segments, model.counters.decoded], [touched.size, 0]);
    assertEquals(model.reports, []);
    // The overlap of segments can be read from the last byte of a segment on; beyond it, the member is decompressed as
    // a whole.
    const overlap = segmentEnd(size, 0) - segmentBytes;
    for (const [length, decoded] of [[overlap + 1, 0], [overlap + 2, 1]] as const) {
      const offset = segmentBytes - 1;
      assertEquals(await model.readNow(entry, offset, length), bytes.subarray(offset, offset + length));
      assertEquals(model.counters.decoded, decoded);
    }
  },
);

Deno.test(
  "a reader in order waits once, if the ring has room for the segments ahead of it",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    const installed = await installation(directory.path);
    const { entry, bytes } = installed;
    const [points] = await firstMount(installed, directory.path);
    assert(points);
    await keep(directory.path, points);
    const segments = segmentCount(size);
    const whole = 3 * segmentEnd(size, 0);
    for (
      const [ring, count, waits] of [[whole, maxRead, 1], [whole - 64, maxRead, segments], [whole, 60_000, segments]]
    ) {
      await using model = laterMount(installed, directory.path, ring);
      let waited = 0;
      for (let offset = 0; offset < size; offset += count ?? 1) {
        const asked = model.read(entry, offset, count ?? 1);
        if (asked.answer === undefined) waited++;
        await model.finish();
        assertEquals(asked.answer, bytes.subarray(offset, offset + (count ?? 1)));
      }
      // Reading the first half of a segment does not prefetch the next one.
      assertEquals([waited, model.counters.segments, model.counters.decoded], [waits, segments, 0], `${ring} ${count}`);
      assertEquals([model.busySlots, model.reports], [0, []]);
    }
    // Without space for one segment the member is decompressed as a whole.
    await using model = laterMount(installed, directory.path, 2 * segmentEnd(size, 0) - 64);
    assertEquals(await model.readNow(entry, 0, 10), bytes.subarray(0, 10));
    assertEquals([model.counters.segments, model.counters.decoded], [0, 1]);
  },
);

Deno.test(
  "a member that is read all over again and again, and one whose points are wrong, is decompressed as a whole",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    const installed = await installation(directory.path);
    const { entry, bytes } = installed;
    const [points] = await firstMount(installed, directory.path);
    assert(points);
    const path = await keep(directory.path, points);
    const most = 2 * segmentCount(size) + 16;
    {
      // The ring has space for one segment.
      await using model = laterMount(installed, directory.path, 2 * segmentEnd(size, 0));
      for (let turn = 0; turn < most + 10; turn++) {
        const offset = (turn % 4) * segmentBytes + turn;
        assertEquals(await model.readNow(entry, offset, 100), bytes.subarray(offset, offset + 100));
        assertEquals(model.counters.segments, Math.min(turn + 1, most + 1));
        assertEquals(model.states.isSeekable(entry), turn < most);
      }
      assertEquals([model.counters.decoded, model.reports.length], [1, 0]);
    }
    for (const damage of ["window", "missing", "pack"]) {
      await keep(directory.path, points);
      if (damage === "window") {
        await Deno.writeFile(path, points.bytes.with(points.bytes.length - 9, 1 ^ (points.bytes.at(-9) ?? 0)));
      }
      if (damage === "missing") await Deno.remove(path);
      await using model = laterMount(installed, directory.path);
      if (damage === "pack") model.library.readError = Errno.EIO;
      const last = size - 100;
      const answer = await model.readNow(entry, last, 100);
      assertEquals(answer, damage === "pack" ? Errno.EIO : bytes.subarray(last), damage);
      assertEquals([model.states.isSeekable(entry), model.reports.length], [false, damage === "pack" ? 2 : 1], damage);
      model.library.readError = 0;
      assertEquals(await model.readNow(entry, 5, 10), bytes.subarray(5, 15));
      assertEquals([model.states.verified[entry], model.counters.segments], [verification.sound, 0]);
    }
  },
);

Deno.test(
  "members whose points are kept are known in every index with them, those of other files and too long ones are not",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    const installed = await installation(directory.path);
    const { catalog, entry } = installed;
    const [made] = await firstMount(installed, directory.path);
    assert(made);
    const problems: string[] = [];
    const cacheOf = (path: string) => new SeekPointCache({ directory: path, onProblem: (text) => problems.push(text) });
    const follow = (cache: SeekPointCache, number: number) => {
      const index = new ShownIndex(number, catalog, []);
      cache.follow(index);
      return () => Array.from(index.states.verified).flatMap((state, one) => state === 3 ? [one] : []);
    };
    const cache = cacheOf(directory.path);
    await cache.read();
    const first = follow(cache, 0);
    cache.add({ ...made, version: 1 });
    await cache.end();
    assertEquals([first(), follow(cache, 1)()], [[], [entry]], "points of an index that is no longer shown");
    cache.add({ ...made, version: 1 });
    const second = follow(cacheOf(`${directory.path}/none`), 1);
    await cache.end();
    assertEquals(second(), []);
    {
      const later = cacheOf(directory.path);
      const seekable = follow(later, 0);
      assertEquals(seekable(), []);
      await later.read();
      assertEquals(seekable(), [entry]);
      const other = { ...made.member, crc32: made.member.crc32 ^ 1 };
      for (const [bytes, isKept] of [[20 * 2 ** 20, true], [20 * 2 ** 20 + 1, false]] as const) {
        later.add({ ...made, member: { ...other, offset: bytes }, bytes: new Uint8Array(bytes) });
        await later.end();
        const path = `${directory.path}/seek/${seekFileName({ ...other, offset: bytes })}`;
        assertEquals(
          await Deno.stat(path).then(({ size, mode }) => [size, (mode ?? 0) & 0o777], () => null),
          isKept ? [bytes, 0o600] : null,
        );
      }
    }
    assertEquals(problems, []);
    await Deno.writeTextFile(`${directory.path}/file`, "no directory");
    const failing = cacheOf(`${directory.path}/file`);
    await failing.read();
    failing.add(made);
    await failing.end();
    assertEquals(problems.map((text) => /not written: |Not a directory/.test(text)), [true, true], problems.join("\n"));
    assertEquals(new SeekPointCache(undefined).directory, undefined);
  },
);
