import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join, pakEntry, text, u32 } from "../formats/bytes.ts";
import { scan } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { ContentModel } from "./content_model.ts";
import { output, python, pythonJson, run, until, workspace } from "./mounting.ts";

/** Bytes at chosen offsets of a file, in hexadecimal; and its size. */
const readAt = `
import json, os, sys
path, *offsets = sys.argv[1:]
file = os.open(path, os.O_RDONLY)
print(json.dumps([os.fstat(file).st_size] + [os.pread(file, 8, int(offset)).hex() for offset in offsets]))
`;

const zeros = "0000000000000000";

function hexOf(bytes: string): string {
  return new TextEncoder().encode(bytes).toHex();
}

/** Writes pieces at their offsets into a file that is otherwise a hole. */
async function writeSparse(path: string, size: number, pieces: readonly (readonly [number, Uint8Array])[]) {
  using file = await Deno.open(path, { write: true, create: true });
  await file.truncate(size);
  for (const [offset, bytes] of pieces) {
    // deno-lint-ignore no-await-in-loop -- one position at a time
    await file.seek(offset, Deno.SeekMode.Start);
    // deno-lint-ignore no-await-in-loop -- as above
    await file.write(bytes);
  }
}

Deno.test("a loose file of more than 4 GiB reads right at every offset", needs("python3"), async () => {
  await using here = await workspace();
  await Deno.mkdir(`${here.path}/quake/id1`, { recursive: true });
  const size = 5 * 2 ** 30 + 3;
  const offsets = [0, 2 ** 31 - 4, 2 ** 32 - 4, 2 ** 32 + 4096, size - 8];
  const pieces = offsets.map((offset, index) => [offset, text(`piece ${index}.`)] as const);
  await writeSparse(`${here.path}/quake/id1/big.dat`, size, pieces);
  await here.mount(`${here.path}/quake`);
  const path = `${here.mountPoint}/quake/id1/big.dat`;
  assertEquals(await pythonJson(readAt, path, ...offsets.map(String), String(2 ** 32 + 100), String(size - 3)), [
    size,
    ...offsets.map((_, index) => hexOf(`piece ${index}.`)),
    zeros,
    hexOf(" 4."),
  ]);
});

Deno.test("PAK members at offsets past 2 GiB and close to 4 GiB read right", needs("python3"), async () => {
  await using here = await workspace();
  await Deno.mkdir(`${here.path}/quake/id1`, { recursive: true });
  const table = join(
    pakEntry("at 2 GiB", 2 ** 31 - 4, 8),
    pakEntry("behind 2 GiB", 2 ** 31 + 1000, 8),
    pakEntry("near 4 GiB", 2 ** 32 - 9, 8),
    pakEntry("long", 2 ** 31 - 1000, 2 ** 31 + 500),
  );
  await writeSparse(`${here.path}/quake/id1/pak0.pak`, 2 ** 32 - 1, [
    [0, join(text("PACK"), u32(12, table.length), table)],
    [2 ** 31 - 4, text("over it.")],
    [2 ** 31 + 1000, text("behind..")],
    [2 ** 32 - 9, text("the end.")],
  ]);
  await here.mount(`${here.path}/quake`);
  const root = `${here.mountPoint}/quake/id1`;
  assertEquals(await pythonJson(readAt, `${root}/at 2 GiB`, "0"), [8, hexOf("over it.")]);
  assertEquals(await pythonJson(readAt, `${root}/behind 2 GiB`, "0"), [8, hexOf("behind..")]);
  assertEquals(await pythonJson(readAt, `${root}/near 4 GiB`, "0"), [8, hexOf("the end.")]);
  assertEquals(await pythonJson(readAt, `${root}/long`, "996", "2000", String(2 ** 31 + 492)), [
    2 ** 31 + 500,
    hexOf("over it."),
    hexOf("behind.."),
    zeros,
  ]);
});

/** Writes an archive: first a hole of 4 GiB, which becomes a member without data being written. Prints the offsets. */
const writeZip64 = `
import json, struct, sys, zlib
path = sys.argv[1]
# Each member is a mark, zeros, a mark. The long one's checksum was made once, since that takes seconds.
members = [(b"one.bin", 256 << 24, 0x1d2a5d60), (b"two.bin", 8, zlib.crc32(b"begin..." + bytes(8) + b"...end!!"))]
records = []
with open(path, "wb") as file:
    for name, gap, crc in members:
        offset, size = file.tell(), gap + 16
        extra = struct.pack("<HHQQ", 1, 16, size, size)
        file.write(struct.pack("<4s5H3I2H", b"PK\\3\\4", 45, 0, 0, 0, 0x21, crc, 0xffffffff, 0xffffffff, len(name), len(extra)))
        file.write(name + extra + b"begin...")
        file.seek(gap, 1)
        file.write(b"...end!!")
        records.append((name, offset, size, crc))
    start = file.tell()
    for name, offset, size, crc in records:
        extra = struct.pack("<HHQQQ", 1, 24, size, size, offset) if offset > 0xfffffffe else struct.pack("<HHQQ", 1, 16, size, size)
        file.write(struct.pack("<4s6H3I5H2I", b"PK\\1\\2", 45, 45, 0, 0, 0, 0x21, crc, 0xffffffff, 0xffffffff, len(name), len(extra),
                               0, 0, 0, 0, min(offset, 0xffffffff)) + name + extra)
    end = file.tell()
    file.write(struct.pack("<4sQ2H2I4Q", b"PK\\6\\6", 44, 45, 45, 0, 0, 2, 2, end - start, start))
    file.write(struct.pack("<4sIQI", b"PK\\6\\7", 0, end, 1))
    file.write(struct.pack("<4s4H2IH", b"PK\\5\\6", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0))
print(json.dumps([offset for _, offset, _, _ in records]))
`;

/** Size of the zip's long member. */
const longSize = 2 ** 32 + 16;

Deno.test(
  "zip64 members of more than 4 GiB, and at an offset of more than 4 GiB, are mounted",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await Deno.mkdir(`${here.path}/game/baseq3`, { recursive: true });
    const offsets = await pythonJson(writeZip64, `${here.path}/game/baseq3/pak0.pk3`);
    assertEquals(offsets, [0, longSize + 30 + 7 + 20]);
    await here.mount(`${here.path}/game`);
    const root = `${here.mountPoint}/game/baseq3`;
    assertEquals(await output("stat", "-c", "%s", `${root}/one.bin`), `${longSize}\n`);
    const [begin, end] = [hexOf("begin..."), hexOf("...end!!")];
    assertEquals(await pythonJson(readAt, `${root}/two.bin`, "0", "8", "16"), [24, begin, zeros, end]);
  },
);

Deno.test(
  "a stored member of more than 4 GiB is verified to its end, and read at every offset",
  needs("python3"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await pythonJson(writeZip64, `${path}/a.pk3`);
    const catalog = scan(`${path}/a.pk3`, {});
    await using model = new ContentModel(catalog, path);
    let read = 0;
    const { readAt } = model.library;
    // Reading a hole takes ten times as long as its checksum, so most of the checksum is computed here.
    model.library.readAt = (descriptor, target, offset) => {
      read += target.length;
      const isHole = offset > 2 ** 20 && offset + target.length < 2 ** 32 - 2 ** 20;
      if (!isHole) return readAt.call(model.library, descriptor, target, offset);
      target.fill(0);
      return target.length;
    };
    const texts = [[0, "begin..."], [2 ** 31, "\0".repeat(8)], [2 ** 32, "\0".repeat(8)], [
      longSize - 8,
      "...end!!",
    ]] as const;
    const answers = texts.map(([offset]) => model.read(0, offset, 8));
    await model.finish();
    assertEquals(answers.map(({ answer }) => answer), texts.map(([, expected]) => text(expected)));
    assert(read >= longSize, "all of it was verified");
    const before = read;
    assertEquals(await model.readNow(0, longSize - 8, 100), text("...end!!"));
    assertEquals(read - before, 8, "once");
  },
);

/** Writes a zip with one deflated member: zeros between two marks, of the requested size. */
const writeDeflated = `
import sys, zipfile
path, megabytes = sys.argv[1], int(sys.argv[2])
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    archive.writestr("small.txt", "small")
    with archive.open("huge.bin", "w", force_zip64=True) as member:
        member.write(b"begin...")
        for _ in range(megabytes):
            member.write(bytes(1 << 20))
        member.write(b"...end!!")
`;

Deno.test(
  "a deflated member too large for memory is decompressed to disk and reads right",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await Deno.mkdir(`${here.path}/game/baseq3`, { recursive: true });
    await python(writeDeflated, `${here.path}/game/baseq3/pak0.pk3`, "300");
    await here.mount(`${here.path}/game`);
    const size = 300 * 2 ** 20 + 16;
    const root = `${here.mountPoint}/game/baseq3`;
    assertEquals(await pythonJson(readAt, `${root}/huge.bin`, String(size - 8), "0", String(2 ** 27), "4"), [
      size,
      hexOf("...end!!"),
      hexOf("begin..."),
      zeros,
      hexOf("n...") + zeros.slice(8),
    ]);
    const sum = await python(
      `
import hashlib, sys
sum = hashlib.sha256()
with open(sys.argv[1], "rb") as file:
    while piece := file.read(1 << 20):
        sum.update(piece)
expected = hashlib.sha256(b"begin...")
for _ in range(300):
    expected.update(bytes(1 << 20))
expected.update(b"...end!!")
print(sum.digest() == expected.digest())
`,
      `${root}/huge.bin`,
    );
    assertEquals(sum, "True\n");
    assertEquals((await here.status()).counters.decoded, 1);
  },
);

Deno.test("a large member that is damaged at its end is EIO, not its beginning", needs("python3"), async () => {
  await using here = await workspace();
  await Deno.mkdir(`${here.path}/game/baseq3`, { recursive: true });
  const archive = `${here.path}/game/baseq3/pak0.pk3`;
  await python(writeDeflated, archive, "40");
  // The compressed data end right before the central directory: their last bytes are overwritten.
  await python(
    `
import sys, zipfile
path = sys.argv[1]
with zipfile.ZipFile(path) as archive:
    start = archive.start_dir
with open(path, "r+b") as file:
    file.seek(start - 30)
    file.write(b"\\0\\1\\2\\3")
`,
    archive,
  );
  await here.mount(`${here.path}/game`);
  const outcome = await python(
    `
import errno, os, sys
root = sys.argv[1]
file = os.open(root + "/huge.bin", os.O_RDONLY)
for offset in (0, 1000, os.fstat(file).st_size - 8):
    try:
        print(os.pread(file, 8, offset))
    except OSError as error:
        print(errno.errorcode[error.errno])
print(open(root + "/small.txt").read())
`,
    `${here.mountPoint}/game/baseq3`,
  );
  assertEquals(outcome, "EIO\nEIO\nEIO\nsmall\n");
});

Deno.test(
  "a member that could not be decompressed to disk can be read as soon as there is room",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await Deno.mkdir(`${here.path}/game/baseq3`, { recursive: true });
    await python(writeDeflated, `${here.path}/game/baseq3/pak0.pk3`, "20");
    here.environment.PAKFS_SPILL_DIRECTORY = `${here.path}/spill`;
    await here.mount(`${here.path}/game`);
    const huge = `${here.mountPoint}/game/baseq3/huge.bin`;
    const refused = await run("cat", [huge]);
    assertEquals([refused.code, refused.stdout], [1, ""]);
    assertStringIncludes(refused.stderr, "Input/output error");
    await Deno.mkdir(`${here.path}/spill`);
    // The kernel reads ahead: an attempt that began before space was free may still run.
    await until("the member is read", async () => (await run("cmp", [huge, huge])).code === 0);
    assertEquals((await output("sh", "-c", 'cat "$1" | wc -c', "sh", huge)).trim(), String(20 * 2 ** 20 + 16));
    assertEquals(await output("tail", "-c", "8", huge), "...end!!");
  },
);
