// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { deflateContents } from "../../formats/archives/zip_writer.ts";
import { ArchiveRoom } from "../../formats/archives/write_limits.ts";
import type { GivenBytes, WriteEntry } from "../../formats/core/format.ts";
import {
  ArchiveError,
  createArchive,
  type FormatName,
  openArchive,
  UnwritableError,
  verifyArchive,
} from "../../formats/mod.ts";
import { formatNamed } from "../../formats/table.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { smallDisk } from "../support/small_disk.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { output, source, string } from "./bytes.ts";

const mebibyte = 1024 * 1024;
const formats: readonly (readonly [FormatName, ("store" | "deflate")?])[] = [
  ["zip"],
  ["zip", "store"],
  ["quake-pak"],
  ["dragonnest-pak"],
  ["hashed-pack"],
  ["hashed-pack", "store"],
];

const text = new TextEncoder().encode("a line that repeats itself, and repeats itself\n".repeat(220_000));
const noise = new Uint8Array(10 * mebibyte + 3);
const random = numbersFrom(seed);
for (let index = 0; index < noise.length; index++) noise[index] = random(256);

/** A file that can only be read in chunks; `change` makes it longer or shorter than its declared size. */
function largeEntry(path: string, content: Uint8Array, change = 0): WriteEntry {
  return {
    path,
    size: content.length + change,
    content: () => {
      throw new Error(`${path} was read as a whole`);
    },
    async *pieces() {
      for (let start = 0; start < content.length; start += 700_001) yield content.subarray(start, start + 700_001);
    },
  };
}

function smallEntry(path: string, content: string): WriteEntry {
  return { path, content: () => new TextEncoder().encode(content) };
}

/** The written archive, and the maximum bytes of contents in one chunk. */
async function written(format: FormatName, entries: readonly WriteEntry[], method?: "store" | "deflate") {
  let bytes = new Uint8Array(40 * mebibyte);
  let size = 0;
  let maxChunk = 0;
  const given: GivenBytes = {
    replace: (position, replaced) => {
      assert(position + replaced.length <= size);
      bytes.set(replaced, position);
      return Promise.resolve();
    },
    takeBack: (position) => {
      assert(position <= size);
      size = position;
      return Promise.resolve();
    },
  };
  const write = formatNamed(format)?.write;
  assert(write);
  for await (const chunk of write(entries, { path: "out", given, ...(method && { method }) })) {
    maxChunk = Math.max(maxChunk, chunk.length);
    bytes.set(chunk, size);
    size += chunk.length;
  }
  bytes = bytes.subarray(0, size);
  return { bytes, maxChunk };
}

for (const [format, method] of formats) {
  const name = method ? `${format} (${method})` : format;
  Deno.test(`${name}: large contents are written in pieces, and read back`, async () => {
    const entries = [
      smallEntry("a.cfg", "first"),
      largeEntry("b.bin", noise),
      largeEntry("c.txt", text),
      smallEntry("d.cfg", "last"),
    ];
    const { bytes, maxChunk } = await written(format, entries, method);
    assert(maxChunk < 2 * mebibyte, `${maxChunk} bytes at once`);
    using archive = openArchive(source(bytes), { format, names: entries.map(({ path }) => path) });
    assertEquals(string(archive.read("a.cfg")), "first");
    assert(archive.read("b.bin").every((byte, index) => byte === noise[index]));
    assertEquals(archive.find("b.bin")?.size, noise.length);
    assert(archive.read("c.txt").every((byte, index) => byte === text[index]));
    assertEquals(string(archive.read("d.cfg")), "last");
    if (method !== "store" && format !== "quake-pak") assert(bytes.length < noise.length + text.length / 2);
    for await (const { member, problem } of verifyArchive(archive)) assertEquals(problem, null, member);
  });

  Deno.test(`${name}: a large content that is longer or shorter than it was is an error`, async () => {
    for (const [change, problem] of [[1, "is now"], [-1, "is now longer"]] as const) {
      const failure = await assertRejects(() => written(format, [largeEntry("c.txt", text, change)], method));
      assert(failure instanceof UnwritableError, String(failure));
      assertStringIncludes(failure.message, `c.txt was ${text.length + change} bytes long and ${problem}`);
    }
  });
}

Deno.test(
  "a zip of large files is what unzip takes for one, whole and the same each time",
  needs("unzip"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await Deno.mkdir(`${path}/mod`);
    await Deno.writeFile(`${path}/mod/z.bin`, noise);
    await Deno.writeFile(`${path}/mod/text.txt`, text);
    for (const name of ["a.pk3", "b.pk3"]) {
      const { bytes } = await createArchive(`${path}/${name}`, `${path}/mod`);
      assertEquals((await Deno.stat(`${path}/${name}`)).size, bytes);
    }
    assertStringIncludes(string(await output("unzip", "-t", `${path}/a.pk3`)), "No errors detected");
    assertStringIncludes(string(await output("unzip", "-v", `${path}/a.pk3`)), "Stored");
    await output("cmp", `${path}/a.pk3`, `${path}/b.pk3`);
  },
);

Deno.test("a zip whose contents are deflated elsewhere, in any order, is the same, and so is its first error", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const chance = numbersFrom(seed);
  const made = Array.from({ length: 300 }, (_, index): WriteEntry => {
    const start = chance(text.length / 2);
    const content = chance(20)
      ? text.slice(start, start + chance(chance(8) ? 3000 : 800_000))
      : noise.slice(0, chance(9000));
    return { path: `${index}`, size: content.length, content: () => content };
  });
  const entries = [...made, largeEntry("large", text), { path: "empty", content: () => new Uint8Array(0) }];
  let [running, most] = [0, 0];
  const deflate = async (contents: readonly Uint8Array[]) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, chance(20)));
    running--;
    return await deflateContents(contents);
  };
  const done: number[] = [];
  await createArchive(`${path}/a.zip`, entries, { mtime: 0 });
  await createArchive(`${path}/b.zip`, entries, { mtime: 0, deflate, onProgress: (count) => done.push(count) });
  await output("cmp", `${path}/a.zip`, `${path}/b.zip`);
  assertEquals(done, entries.map((_, index) => index + 1));
  assert(most > 1);
  const damaged = entries.map((entry, index) => index % 100 === 57 ? { ...entry, size: 1_000_000_000 } : entry);
  const failures = await Promise.all(
    [undefined, deflate].map((one) =>
      assertRejects(() => createArchive(`${path}/c.zip`, damaged, one ? { deflate: one } : {}), UnwritableError)
    ),
  );
  assertEquals(failures[0]?.message, failures[1]?.message);
  assertEquals((await Array.fromAsync(Deno.readDir(path))).length, 2);
});

Deno.test("entries of a class are written, with a time for all too", async () => {
  class Entry implements WriteEntry {
    readonly #text = "from a class";
    get path(): string {
      return "a.txt";
    }
    content(): Uint8Array {
      return new TextEncoder().encode(this.#text);
    }
  }
  await using directory = await temporaryDirectory();
  for (const options of [{}, { mtime: 1e12 }]) {
    const path = `${directory.path}/a.zip`;
    await createArchive(path, [new Entry()], options);
    using archive = openArchive(path);
    assertEquals(string(archive.read("a.txt")), "from a class");
  }
});

Deno.test("an archive is not put into itself, whatever paths lead to it", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await Deno.mkdir(`${path}/mod`);
  await Deno.symlink("mod", `${path}/link`);
  await Deno.writeTextFile(`${path}/mod/a.txt`, "a");
  const paths = [["mod", "mod"], ["mod", "link"], ["link", "mod"], ["link", "mod/../link"]] as const;
  for (const [from, to] of paths) {
    const { files } = await createArchive(`${path}/${to}/a.pk3`, `${path}/${from}`);
    assertEquals(files, 1, `${from} into ${to}`);
  }
});

Deno.test("a full disk leaves no part of a new archive, and says how far it came", async () => {
  await using disk = await smallDisk("2m");
  if (!disk) return; // in a container without the right
  await using directory = await temporaryDirectory();
  for (const [name, size] of [["a", 1000], ["b", 1_500_000], ["c", 1_500_000]] as const) {
    await Deno.writeFile(`${directory.path}/${name}`, noise.subarray(0, size));
  }
  for (const name of ["x.pk3", "x.pak"]) {
    const failure = await assertRejects(() => createArchive(`${disk.path}/${name}`, directory.path), ArchiveError);
    assertEquals(
      failure.message,
      `${disk.path}/${name}: the disk is full after 2 of 3 files; the new archive was removed`,
    );
    assertEquals(await Array.fromAsync(Deno.readDir(disk.path)), []);
  }
});

Deno.test("an archive that cannot be put in its place leaves nothing, and its temporary name is not shown", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await Deno.mkdir(`${path}/mod/x.pk3/in the way`, { recursive: true });
  await Deno.writeTextFile(`${path}/mod/a.cfg`, "a");
  const messages = await Promise.all(
    [`${path}/mod/x.pk3`, `${path}/nowhere/x.pk3`].map(async (target) => {
      const failure = await assertRejects(() => createArchive(target, `${path}/mod`), ArchiveError);
      return failure.message.slice(target.length);
    }),
  );
  assertEquals(messages, [
    ": cannot be written: Is a directory (os error 21)",
    ": cannot be written: No such file or directory (os error 2)",
  ]);
  assertEquals((await Array.fromAsync(Deno.readDir(`${path}/mod`))).map(({ name }) => name).sort(), ["a.cfg", "x.pk3"]);
});

/** An entry of some size, whose content must not be read. */
const unread = (path: string, size: number): WriteEntry => ({
  path,
  size,
  content: () => {
    throw new Error(`${path} was read`);
  },
});

for (const [name, limit] of [["quake-pak", "2 GiB"], ["dragonnest-pak", "4 GiB"], ["hashed-pack", "4 GiB"]] as const) {
  Deno.test(`${name}: files that cannot fit are refused before the first is read`, async () => {
    const format = formatNamed(name);
    const bytes = limit === "2 GiB" ? 2 ** 31 : 2 ** 32;
    const cases: (readonly [WriteEntry[], "store"?])[] = [[[unread("a", 10), unread("large", bytes)]]];
    // Two members exceed the limit together if nothing shrinks.
    const halves = [unread("a", bytes / 2), unread("large", bytes / 2 - 8)];
    if (name !== "dragonnest-pak") cases.push([halves, "store"]);
    for (const [entries, method] of cases) {
      const chunks = format?.write?.(entries, { path: "out", ...method && { method } });
      const { message } = await assertRejects(() => Array.fromAsync(chunks ?? []), UnwritableError);
      assertMatch(message, new RegExp(`^out: (?:a|large) would reach past ${limit}, the maximum of `));
    }
  });
}

Deno.test("files that together do not fit are refused as soon as that is known", () => {
  const room = new ArchiveRoom("hashed-pack", 3, "out");
  room.take({ path: "a" }, 2 ** 31, 2 ** 31);
  room.take({ path: "b" }, 2 ** 31, 2 ** 31 - 8 - 3 * 16 - 1);
  assertThrows(() => room.take({ path: "c" }, 1, 1), UnwritableError, "out: c would reach past 4 GiB");
  assertThrows(() => new ArchiveRoom("zip", 1_000_001, "out"), UnwritableError, "it would have 1,000,001 files");
});
