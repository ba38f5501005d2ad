import { assert, assertEquals, assertMatch } from "@std/assert";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { hex, join, pak, pakEntry, text, u32, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { pythonJson, workspace } from "./mounting.ts";

/** For each path `ok` and the content's length, or the error's name: for reading all, its end, and a memory map. */
const readAll = `
import errno, json, mmap, os, sys
root, *paths = sys.argv[1:]
def outcome(attempt):
    try:
        return attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
def whole(path):
    with open(path, "rb") as file:
        return "ok %d" % len(file.read())
def end(path):
    file = os.open(path, os.O_RDONLY)
    try:
        return "ok %d" % len(os.pread(file, 10, max(0, os.fstat(file).st_size - 3)))
    finally:
        os.close(file)
results = {}
for path in paths:
    results[path] = [outcome(lambda: whole(os.path.join(root, path))), outcome(lambda: end(os.path.join(root, path))),
                     outcome(lambda: whole(os.path.join(root, path)))]
print(json.dumps(results))
`;

const content = "deflated text, and more of it; ".repeat(3000);
const large = "some much longer deflated text, ".repeat(60_000);

/** `bytes` with one byte in the middle changed. */
function broken(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 0x55;
  return copy;
}

const compressed = new Uint8Array(deflateRawSync(content));

/** Deflated as by a program that never writes the final block. */
function openEnded(value: string): Uint8Array {
  return new Uint8Array(deflateRawSync(value, { finishFlush: constants.Z_SYNC_FLUSH }));
}
const packedLarge = new Uint8Array(deflateRawSync(large));

/** A member with stored bytes `bytes`, marked as deflated. */
function deflated(name: string, bytes: Uint8Array, decompressed: string) {
  return { name, content: bytes, size: decompressed.length, crc: crc32(decompressed) };
}

/** A zip of members whose method fields are then set to deflate; `wrong header` loses its local signature. */
function zipWithDeflate(members: Parameters<typeof zip>[0], names: readonly string[]): Uint8Array {
  const archive = zip(members);
  const view = new DataView(archive.buffer);
  for (let position = 0; position + 46 < archive.length; position++) {
    const signature = view.getUint32(position, true);
    const [method, lengthAt, nameAt] = signature === 0x04034b50 ? [8, 26, 30] : [10, 28, 46];
    if (signature !== 0x04034b50 && signature !== 0x02014b50) continue;
    const length = view.getUint16(position + lengthAt, true);
    const name = new TextDecoder().decode(archive.subarray(position + nameAt, position + nameAt + length));
    if (names.includes(name)) view.setUint16(position + method, 8, true);
    if (name === "wrong header" && method === 8) view.setUint32(position, 0, true);
  }
  return archive;
}

Deno.test("a damaged member is EIO each time, and its neighbours read well", needs("python3"), async () => {
  const hello = "hello hello hello hello hello hello";
  const damaged = ["endless and cut", "flipped", "large flipped", "short", "long", "cut", "not deflate"];
  const bytes = zipWithDeflate([
    deflated("good", compressed, content),
    deflated("no end mark", openEnded(content), content),
    deflated("large, no end mark", openEnded(large), large),
    deflated("endless and cut", openEnded(content).subarray(0, -20), content),
    deflated("empty", new Uint8Array(), ""),
    deflated("flipped", broken(compressed), content),
    deflated("large flipped", broken(packedLarge), large),
    deflated("good large", packedLarge, large),
    deflated("short", compressed, content + "x"),
    deflated("long", compressed, content.slice(0, -1)),
    deflated("cut", compressed.subarray(0, compressed.length - 20), content),
    deflated("not deflate", text("\xff".repeat(200)), "x".repeat(500)),
    { name: "stored", content: "stored" },
    { name: "stored with a wrong CRC", content: "stored", crc: 0x12345678 },
    { name: "large stored with a wrong CRC", content: large, crc: 0x12345678 },
    { name: "large stored", content: large },
    { name: "past the end", content: "x", packedSize: 1_000_000, size: 1_000_000 },
    { name: "sizes differ", content: "xyz", size: 1 },
    { name: "encrypted", content: "x", flags: 1 },
    { name: "XZ", content: "x", method: 95 },
    {
      name: "lzma",
      content: hello,
      method: 14,
      compressed: hex("090405005d0000010000341949ee8de9576f34ae2bfffffbc54000"),
    },
    { name: "shortened lzma", content: hello, method: 14, compressed: hex("090405005d0000010000341949ee8de957") },
    { name: "bomb", content: "x", method: 8, size: 3_000_000_000 },
    { name: "wrong header", content: "x" },
    { name: "last", content: "the last" },
  ], ["good", "good large", "no end mark", "large, no end mark", "empty", ...damaged]);
  await using here = await workspace();
  await writeFiles(here.path, { "game/baseq3/pak0.pk3": bytes });
  await here.mount(`${here.path}/game`);
  const bad = [...damaged, "shortened lzma", "stored with a wrong CRC", "large stored with a wrong CRC"];
  const listed = ["past the end", "sizes differ", "encrypted", "XZ", "bomb", "wrong header"];
  const good = {
    "good": content.length,
    "good large": large.length,
    "no end mark": content.length,
    "large, no end mark": large.length,
    "empty": 0,
    "lzma": hello.length,
    "stored": 6,
    "large stored": large.length,
    "last": 8,
  };
  const root = `${here.mountPoint}/game/baseq3`;
  const results = await pythonJson(readAll, root, ...bad, ...listed, ...Object.keys(good));
  assertEquals(results, {
    ...Object.fromEntries([...bad, ...listed].map((name) => [name, ["EIO", "EIO", "EIO"]])),
    ...Object.fromEntries(
      Object.entries(good).map(([name, size]) => [name, [`ok ${size}`, `ok ${Math.min(size, 3)}`, `ok ${size}`]]),
    ),
  });
  const { problems, counters } = await here.status();
  for (const name of bad) {
    const reports = problems.filter((problem) => problem.includes(`: ${name} `));
    assertEquals(reports.length, 1, `${name} is reported once: ${problems.join("; ")}`);
    assertMatch(reports[0] ?? "", /^\/.*\/pak0\.pk3: .+ (is damaged|decompresses)/);
  }
  assert((counters.failedReads ?? 0) > 0);
});

Deno.test("PAK entries past the end are EIO, and their neighbours read well", needs("python3"), async () => {
  const sound = pak([["first", "one"], ["last", "three"]]);
  const [view] = [new DataView(sound.buffer)];
  const table = sound.subarray(view.getUint32(4, true));
  const data = sound.subarray(12, view.getUint32(4, true));
  const entries = join(
    table,
    pakEntry("past", 1_000_000, 5),
    pakEntry("partly past", 14, 100_000),
    pakEntry("far past", 0xfffffff0, 0xfffffff0),
    pakEntry("empty past", 0xfffffff0, 0),
  );
  const archive = join(text("PACK"), u32(12 + data.length, entries.length), data, entries);
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/pak0.pak": archive });
  await here.mount(`${here.path}/quake`);
  const root = `${here.mountPoint}/quake/id1`;
  const eio = ["EIO", "EIO", "EIO"];
  assertEquals(
    await pythonJson(readAll, root, "first", "last", "past", "partly past", "far past"),
    {
      "first": ["ok 3", "ok 3", "ok 3"],
      "last": ["ok 5", "ok 3", "ok 5"],
      past: eio,
      "partly past": eio,
      "far past": eio,
    },
  );
});

Deno.test("a damaged pack is an ordinary file, and the other packs are mounted", needs("python3"), async () => {
  const whole = pak([["cut", "lost"], ["other", "lost"]]);
  await using here = await workspace();
  await writeFiles(here.path, {
    "quake/id1/pak0.pak": pak([["good", "content"]]),
    "quake/id1/pak1.pak": whole.subarray(0, whole.length - 100),
    "quake/id1/pak2.pak": "not a pack",
  });
  const { code, stderr } = await here.pakfs("mount", `${here.path}/quake`, here.mountPoint);
  assertEquals(code, 0);
  const { problems } = await here.status();
  assertEquals(problems.length, 2);
  for (const name of ["pak1.pak", "pak2.pak"]) {
    assert(problems.some((problem) => problem.startsWith(`${here.path}/quake/id1/${name}: `)), problems.join("\n"));
    assert(stderr === "" || stderr.includes(name), "if anything is said, it is about these");
  }
  assertEquals(await pythonJson(readAll, `${here.mountPoint}/quake/id1`, "good", "pak2.pak"), {
    "good": ["ok 7", "ok 3", "ok 7"],
    "pak2.pak": ["ok 10", "ok 3", "ok 10"],
  });
});
