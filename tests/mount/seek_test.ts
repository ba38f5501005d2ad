import { assert, assertEquals, assertThrows } from "@std/assert";
import { constants as zlib, crc32, deflateRawSync } from "node:zlib";
import {
  descriptionSize,
  encodeSeekPoints,
  parseSeekPoints,
  seekFileName,
  type SeekMember,
  type SeekPoints,
  segmentBytes,
  segmentCount,
  segmentEnd,
  titleBytes,
  windowBytes,
} from "../../index/cache/seek_points.ts";
import { joined } from "../../formats/core/cursor.ts";
import { identityFrom } from "../../index/columns/identity.ts";
import { makePoints } from "../../mount/decoding/seek_point_maker.ts";
import { SegmentReader } from "../../mount/decoding/segment_reader.ts";
import { SeekPointCache } from "../../mount/seek_point_cache.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { needs } from "../support/programs.ts";
import { settle } from "../support/settle.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { together } from "../support/together.ts";
import { changeOneByte, python, pythonJson, until, type Workspace, workspace } from "./mounting.ts";

/** Bytes of half the entropy of random ones, the same each time. */
function textLike(size: number): Uint8Array<ArrayBuffer> {
  let state = 1;
  return new Uint8Array(size).map(() => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return 64 + (state >>> 28);
  });
}

const size = 9 * 1024 * 1024 + 77;

/** A pack that is one deflated member, and its content next to it. */
async function rawPack(directory: string, content: Uint8Array, data: Uint8Array): Promise<SeekMember> {
  const path = `${directory}/pack`;
  await Deno.writeFile(path, data);
  await Deno.writeFile(`${directory}/content`, content);
  const identity = identityFrom(await Deno.stat(path));
  return { path, identity, offset: 0, compressedSize: data.length, size: content.length, crc32: crc32(content) };
}

/** Makes the seek points of a member; undefined if it has none. */
function madePoints(library: FileCalls, directory: string, member: SeekMember): Uint8Array<ArrayBuffer> | undefined {
  const [pack, content] = ["pack", "content"].map((name) => library.openForReading(`${directory}/${name}`));
  const work = makePoints(library, member, { pack: pack ?? -1, content: content ?? -1 }, () => 0);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Reads all segments by the seek points in `directory`, and compares them with the content. */
function assertSegments(library: FileCalls, directory: string, member: SeekMember, content: Uint8Array): void {
  using reader = new SegmentReader(library, directory);
  const pack = library.openForReading(member.path);
  for (let segment = segmentCount(content.length) - 1; segment >= 0; segment--) {
    const expected = content.subarray(segment * segmentBytes, segmentEnd(content.length, segment));
    const target = new Uint8Array(expected.length);
    reader.read(member, segment, pack, target);
    assert(expected.every((byte, index) => byte === target[index]), `segment ${segment} has other bytes`);
  }
  library.close(pack);
}

async function namesIn(directory: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(directory), ({ name }) => name)).sort();
}

const text = textLike(size);
const ends = [100_001, 2_097_152, 5_000_000, size];
const flushed = ends.map((end, index) =>
  deflateRawSync(text.subarray(ends[index - 1] ?? 0, end), {
    finishFlush: end === size ? zlib.Z_FINISH : zlib.Z_SYNC_FLUSH,
  })
);
const streams: Record<string, { content: Uint8Array; data: Uint8Array }> = {
  "the default level": { content: text, data: deflateRawSync(text) },
  "the fixed code": { content: text, data: deflateRawSync(text, { strategy: zlib.Z_FIXED }) },
  "stored blocks": { content: text, data: deflateRawSync(text, { level: 0 }) },
  "small blocks": { content: text, data: deflateRawSync(text, { memLevel: 1, level: 1 }) },
  "empty blocks": { content: text, data: joined(...flushed) },
  "zeros": { content: new Uint8Array(size), data: deflateRawSync(new Uint8Array(size)) },
};
for (const [name, { content, data }] of Object.entries(streams)) {
  Deno.test(`each segment of a member is decompressed alone: ${name}`, needs("libdeflate.so.0"), async () => {
    await using directory = await temporaryDirectory();
    using library = new FileCalls();
    const member = await rawPack(directory.path, content, data);
    const bytes = madePoints(library, directory.path, member);
    assert(bytes, "no points were made");
    await Deno.writeFile(`${directory.path}/${seekFileName(member)}`, bytes);
    assertSegments(library, directory.path, member, content);
  });
}

Deno.test(
  "data that zlib takes for damaged, and those of another size, get no points",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    using library = new FileCalls();
    const data = deflateRawSync(text);
    const cut = await rawPack(directory.path, text, data.subarray(0, -100));
    assertThrows(() => madePoints(library, directory.path, cut), Error, "blocks of deflated data");
    const member = await rawPack(directory.path, text, data);
    assertEquals(madePoints(library, directory.path, { ...member, size: size - 1 }), undefined);
    assertEquals(madePoints(library, directory.path, { ...member, size: size + 1 }), undefined);
  },
);

Deno.test(
  "a file of points that is damaged, of another file, impossible, or that others may write is not used",
  needs("libdeflate.so.0"),
  async () => {
    await using directory = await temporaryDirectory();
    using library = new FileCalls();
    const member = await rawPack(directory.path, text, deflateRawSync(text));
    const path = `${directory.path}/${seekFileName(member)}`;
    const bytes = madePoints(library, directory.path, member) ?? new Uint8Array(0);
    const pack = library.openForReading(member.path);
    const read = (segment: number, of: SeekMember = member) => {
      using reader = new SegmentReader(library, directory.path);
      reader.read(of, segment, pack, new Uint8Array(segmentEnd(size, segment) - segment * segmentBytes));
    };
    const windowsOffset = titleBytes + descriptionSize(bytes);
    const points = parseSeekPoints(bytes.subarray(0, windowsOffset), member);
    const windows = bytes.subarray(windowsOffset);
    const first = points.segments[0];
    const withSegment = (changes: Partial<SeekPoints["segments"][number]>): SeekPoints => ({
      ...points,
      segments: points.segments.map((segment, index) => index === 1 ? { ...segment, ...changes } : segment),
    });
    const changed = (offset: number) => bytes.map((byte, index) => index === offset ? byte ^ 1 : byte);
    const cases: readonly (readonly [string, Uint8Array])[] = [
      ["too short", bytes.subarray(0, 20)],
      ["version", changed(18)],
      ["checksum", changed(titleBytes + 40)],
      ["window", changed(windowsOffset + windowBytes + 5)],
      ["another file", encodeSeekPoints({ ...points, member: { ...member, crc32: 1 } }, windows)],
      ["invalid", encodeSeekPoints(withSegment({ end: size + 1 }), windows)],
      ["invalid", encodeSeekPoints(withSegment({ endBit: member.compressedSize * 8 + 1 }), windows)],
      ["invalid", encodeSeekPoints(withSegment({ start: segmentBytes + 1 }), windows)],
      ["invalid", encodeSeekPoints({ ...points, segments: points.segments.slice(1) }, windows)],
      ["points are wrong", encodeSeekPoints(withSegment({ startBit: (first?.startBit ?? 0) + 1 }), windows)],
      ["other bytes were verified", encodeSeekPoints(withSegment({ crc32: 7 }), windows)],
    ];
    for (const [reason, content] of cases) {
      // deno-lint-ignore no-await-in-loop -- one file for all
      await Deno.writeFile(path, content);
      assertThrows(() => read(1), Error, reason);
    }
    await Deno.writeFile(path, bytes);
    read(1);
    await Deno.chmod(path, 0o620);
    assertThrows(() => read(1), Error, "other users can write to it");
    assertThrows(() => read(1, { ...member, crc32: member.crc32 ^ 1 }), Error, "cannot be opened");
    library.close(pack);
  },
);

Deno.test("files of points take no more than 64 MiB, and the oldest go first", async () => {
  await using directory = await temporaryDirectory();
  const cache = new SeekPointCache({ directory: directory.path, onProblem: (sentence) => assertEquals(sentence, "") });
  const seek = `${directory.path}/seek`;
  await Deno.mkdir(seek);
  const hour = 3600_000;
  const [most, few] = [30 * 1024 * 1024, 1000];
  // Files left by a process are removed after an hour, and the oldest ones if they exceed the limit.
  const ages = {
    "a.seek": [0, most],
    "young.tmp": [hour - 60_000, few],
    "old.tmp": [hour + 60_000, few],
    "b.seek": [2 * hour, most],
    "c.seek": [3 * hour, most],
    "d.seek": [4 * hour, few],
  };
  for (const [name, [age = 0, length]] of Object.entries(ages)) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await Deno.writeFile(`${seek}/${name}`, new Uint8Array(1));
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.truncate(`${seek}/${name}`, length);
    const time = new Date(Date.now() - 1000 - age);
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.utime(`${seek}/${name}`, time, time);
  }
  const identity = { device: 1, inode: 2, size: 3, mtime: 4, ctime: 5 };
  const member = { path: "/p.pk3", identity, offset: 0, compressedSize: 1, size, crc32: 0 };
  const { stat } = Deno;
  // The cache of another daemon removes a file in the meantime.
  Reflect.set(Deno, "stat", async (path: string) => {
    if (path.endsWith("d.seek")) await Deno.remove(path);
    return await stat(path);
  });
  try {
    cache.add({ member, version: 0, entry: 0, bytes: new Uint8Array(100) });
    await cache.end();
  } finally {
    Reflect.set(Deno, "stat", stat);
  }
  assertEquals(await namesIn(seek), [
    seekFileName(member),
    "a.seek",
    "b.seek",
    "young.tmp",
  ]);
});

const test = together("points of a large member, from one mount to the next", needs("python3", "libdeflate.so.0"));

/** Writes a zip with one deflated member of 12 MiB. */
const writePack = `
import random, sys, zipfile
data = random.Random(7).randbytes(6 << 20).hex().encode()
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("large.bin", data)
`;

/** Reads a few bytes at many offsets, then all, and compares; prints the error's name on failure. */
const compare = `
import errno, json, os, random, sys
data = random.Random(7).randbytes(6 << 20).hex().encode()
file = os.open(sys.argv[1], os.O_RDONLY)
try:
    same = all(os.pread(file, 9000, offset) == data[offset:offset + 9000]
               for offset in [len(data) - 4096, 0, (2 << 20) - 4096, (4 << 20) - 5, 7 << 20, 3])
    print(json.dumps([same, open(sys.argv[1], "rb").read() == data]))
except OSError as error:
    print(json.dumps(errno.errorcode[error.errno]))
`;

async function largePack(here: Workspace): Promise<string> {
  const pack = `${here.path}/one.pk3`;
  await python(writePack, pack);
  await settle();
  return pack;
}

/**
 * Mounts a pack, compares its member, and unmounts.
 * @param isKept Whether the points are as they are to be before the mount ends, if it makes any.
 */
async function readOnce(here: Workspace, pack: string, isKept?: (directory: string) => Promise<boolean>) {
  await here.mount(pack);
  const read = await pythonJson(compare, `${here.mountPoint}/large.bin`);
  if (isKept) await until("the points are kept", () => isKept(seekDirectory(here)));
  const { counters } = await here.status();
  await here.stop();
  return { read, decoded: counters?.decoded, isCut: (counters?.segments ?? 0) > 0 };
}

function seekDirectory(here: Workspace): string {
  return `${here.path}/cache/pakfs/index/seek`;
}

/** Whether a directory has seek points. */
async function hasPoints(directory: string): Promise<boolean> {
  const names = await namesIn(directory).catch(() => []);
  return names.some((name) => name.endsWith(".seek"));
}

const whole = { read: [true, true], decoded: 1, isCut: false };
const cut = { read: [true, true], decoded: 0, isCut: true };

test("a large deflated member is decompressed as a whole once, and by its segments after that", async () => {
  await using here = await workspace();
  const pack = await largePack(here);
  assertEquals(await readOnce(here, pack, hasPoints), whole);
  assertEquals(await readOnce(here, pack), cut);
});

/** Reads throughout the member, new pages each time, and compares. */
const jump = `
import json, os, random, sys
data = random.Random(7).randbytes(6 << 20).hex().encode()
file = os.open(sys.argv[1], os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
offsets = [turn * 65536 + segment * (2 << 20) for turn in range(25) for segment in range(6)]
print(json.dumps(all(os.pread(file, 4096, offset) == data[offset:offset + 4096] for offset in offsets)))
`;

test("a member that is read all over again and again is decompressed as a whole", async () => {
  await using here = await workspace();
  const pack = await largePack(here);
  assertEquals(await readOnce(here, pack, hasPoints), whole);
  await here.mount(pack);
  assertEquals(await pythonJson(jump, `${here.mountPoint}/large.bin`), true);
  const { counters } = await here.status();
  assertEquals([counters?.decoded, (counters?.segments ?? 0) > 16], [1, true]);
  await here.stop();
});

test("points that are damaged are not used, and made again", async () => {
  await using here = await workspace();
  const pack = await largePack(here);
  assertEquals(await readOnce(here, pack, hasPoints), whole);
  const directory = seekDirectory(here);
  const [name] = await namesIn(directory);
  const bytes = await Deno.readFile(`${directory}/${name}`);
  const damaged = bytes.map((byte, index) => index === bytes.length - 9 ? byte ^ 4 : byte);
  await Deno.writeFile(`${directory}/${name}`, damaged);
  const isRepaired = async () => crc32(await Deno.readFile(`${directory}/${name}`)) === crc32(bytes);
  const { read, decoded } = await readOnce(here, pack, isRepaired);
  assertEquals([read, (decoded ?? 0) > 0], [[true, true], true]);
  assertEquals(await readOnce(here, pack), cut);
});

test("points that claim to be of a pack which was changed do not make its damage readable", async () => {
  await using here = await workspace();
  const pack = await largePack(here);
  assertEquals(await readOnce(here, pack, hasPoints), whole);
  const directory = seekDirectory(here);
  const [name] = await namesIn(directory);
  const bytes = await Deno.readFile(`${directory}/${name}`);
  assertEquals(await changeOneByte(pack), true);
  await settle();
  // The changed pack is a different file, so its seek points have another name.
  const before = JSON.parse(
    new TextDecoder().decode(bytes.subarray(titleBytes, titleBytes + descriptionSize(bytes))),
  ) as SeekPoints;
  const member = { ...before.member, identity: identityFrom(await Deno.stat(pack)) };
  const windowsOffset = titleBytes + descriptionSize(bytes);
  const windows = bytes.subarray(windowsOffset);
  assertEquals((await readOnce(here, pack)).read, "EIO");
  await Deno.writeFile(`${directory}/${seekFileName(member)}`, encodeSeekPoints({ ...before, member }, windows), {
    mode: 0o600,
  });
  assertEquals((await readOnce(here, pack)).read, "EIO");
});
