// deno-lint-ignore-file no-await-in-loop -- one archive after the other, to see which one fails
/**
 * Archives of other programs, which libarchive reads in a process of its own: lists and contents equal other readers',
 * and every fault of an archive is an error or a warning with a sentence.
 */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { FileByteReader } from "../../formats/core/byte_reader.ts";
import {
  ArchiveError,
  CorruptArchiveError,
  extractArchive,
  MemoryReader,
  openArchive,
  verifyArchive,
} from "../../formats/mod.ts";
import { isOmission } from "../../formats/core/omissions.ts";
import { foreignFormats } from "../../formats/archives/foreign.ts";
import { detectFormat } from "../../formats/table.ts";
import { Libarchive, type UnpackedFormat } from "../../formats/unpacking/libarchive.ts";
import type { SpooledList } from "../../formats/unpacking/spool_file.ts";
import { unpack, UnpackError } from "../../formats/unpacking/unpack.ts";
import { seed } from "../support/chance.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { join, string, text, zip } from "./bytes.ts";
import { cpio, sampleFiles, samples, tar } from "./foreign_samples.ts";
import { MemoryOutput } from "./memory_output.ts";
import { seeds } from "./seeds.ts";

const library = needs("libarchive.so.13");

function contents(archive: Iterable<{ readonly qpath: string }> & { read(path: string): Uint8Array }) {
  return Object.fromEntries(
    Array.from(archive, ({ qpath }) => [qpath, string(archive.read(qpath))] as const).sort(([a], [b]) =>
      a < b ? -1 : 1
    ),
  );
}

/** Extracts an archive in this process. */
function listOf(format: UnpackedFormat, bytes: Uint8Array, maxBytes = 2 ** 20): SpooledList & { output: MemoryOutput } {
  using libarchive = Libarchive.open();
  assert(libarchive);
  const output = new MemoryOutput();
  return { ...unpack(libarchive, format, Uint8Array.from(bytes), output, { maxBytes }), output };
}

function filesOf({ entries, output }: ReturnType<typeof listOf>): Record<string, string> {
  const files = entries.filter(([, , , , , isDirectory, damage]) => !isDirectory && damage === "none");
  return Object.fromEntries(files.map(([name, offset, size]) => [name, string(output.bytes(offset, size))]));
}

Deno.test("every format of other programs has a sample, is detected by its content, and no other archive is", () => {
  const foreign = foreignFormats.map(({ name }) => name);
  assertEquals([...samples.keys()].sort(), [...foreign].sort());
  for (const [format, bytes] of samples) assertEquals(detectFormat(new MemoryReader(bytes, "x.pak"))?.name, format);
  for (const { bytes, format } of seeds) assertEquals(detectFormat(new MemoryReader(bytes))?.name, format);
});

Deno.test("archives of other programs are listed, read, verified and extracted", library, async () => {
  await using directory = await temporaryDirectory();
  for (const [format, bytes] of samples) {
    const path = `${directory.path}/a.${format}`;
    await Deno.writeFile(path, bytes);
    // The archive is in a file, and in memory as if inside another archive.
    for (const from of [path, new MemoryReader(bytes, "inner")]) {
      using archive = openArchive(from);
      assertEquals([archive.format.name, archive.warnings, contents(archive)], [format, [], sampleFiles]);
      const rows = await Array.fromAsync(verifyArchive(archive));
      assert(rows.length === 3 && rows.every(({ ok }) => ok), format);
      const { files, problems } = await extractArchive(
        archive,
        `${directory.path}/${format}-${archive.source.path === path}`,
      );
      assertEquals([files, problems], [3, []]);
      assertEquals(await Deno.readTextFile(`${directory.path}/${format}-true/maps/a.bsp`), sampleFiles["maps/a.bsp"]);
    }
  }
});

Deno.test(
  "archives of other programs hold what 7-Zip extracts from them",
  needs("libarchive.so.13", "debian:7zip"),
  async () => {
    await using directory = await temporaryDirectory();
    const program = `${debianPackage("7zip")}/usr/bin/7zz`;
    // Debian's 7-Zip reads no RAR.
    for (const [format, bytes] of Array.from(samples).filter(([name]) => name !== "rar")) {
      const path = `${directory.path}/a.${format}`;
      await Deno.writeFile(path, bytes);
      const args = ["x", "-y", `-o${directory.path}/7zip-${format}`, path];
      const { success } = await new Deno.Command(program, { args, stdout: "null", stderr: "null" }).output();
      assert(success, format);
      using archive = openArchive(path);
      for (const { qpath } of archive) {
        assertEquals(archive.read(qpath), await Deno.readFile(`${directory.path}/7zip-${format}/${qpath}`), format);
      }
    }
  },
);

Deno.test("tar archives compressed by gzip and Zstandard are read under a name that says so", library, async () => {
  await using directory = await temporaryDirectory();
  const bytes = samples.get("tar") ?? new Uint8Array();
  const compressed = { "a.tar.gz": gzipSync(bytes), "a.TGZ": gzipSync(bytes), "a.tar.zst": zstdCompressSync(bytes) };
  for (const [name, content] of Object.entries(compressed)) {
    await Deno.writeFile(`${directory.path}/${name}`, content);
    using archive = openArchive(`${directory.path}/${name}`);
    assertEquals([archive.format.name, contents(archive)], ["tar", sampleFiles]);
  }
  await Deno.writeFile(`${directory.path}/log.gz`, gzipSync("a log"));
  assertThrows(() => openArchive(`${directory.path}/log.gz`), ArchiveError, "gunzip -k");
  await Deno.writeFile(`${directory.path}/log.tar.gz`, gzipSync("a log"));
  assertThrows(() => openArchive(`${directory.path}/log.tar.gz`), ArchiveError, "cannot be read");
});

Deno.test("a RAR in which no file is found is damaged, not empty", library, async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/a.rar`;
  await Deno.writeFile(path, text("Rar!\x1a\x07\x01\x00"));
  assertThrows(() => openArchive(path), CorruptArchiveError, "no file was found in it: it is damaged or cut short");
});

Deno.test("an archive that is cut short is refused, or what is missing of it is said", library, () => {
  for (const [format, whole] of samples) {
    for (let cut = 1; cut <= 10; cut++) {
      const bytes = whole.subarray(0, Math.floor(whole.length * (1 - cut / 11)));
      const what = `${format}, ${bytes.length} of ${whole.length} bytes`;
      try {
        const list = listOf(format as UnpackedFormat, bytes);
        const isDamaged = list.entries.some(([, , , , , , damage]) => damage !== "none");
        for (const [name, content] of Object.entries(filesOf(list))) assertEquals(content, sampleFiles[name], what);
        const isWhole = Object.keys(filesOf(list)).length === 3;
        assert(isWhole || isDamaged || list.warnings.some(isOmission), what);
      } catch (error) {
        assert(error instanceof UnpackError, what);

        assert(!error.message.includes("error -"), what);
      }
    }
  }
});

Deno.test("links are files as in zips, other names of a file have its bytes, and devices are counted", library, () => {
  const inTar = listOf(
    "tar",
    tar([
      { name: "./maps/a.bsp", content: "map" },
      { name: "link", type: "2", target: "../../etc/passwd" },
      { name: "hard", type: "1", target: "./maps/a.bsp" },
      { name: "lost", type: "1", target: "nowhere" },
      { name: "device", type: "3" },
    ]),
  );
  assertEquals(filesOf(inTar), { "maps/a.bsp": "map", "link": "../../etc/passwd", "hard": "map" });
  assertEquals(inTar.entries.find(([name]) => name === "lost")?.[6], "missing-target");
  assertEquals(inTar.warnings, ["not all of the file is listed: 1 device, pipe or socket is left out"]);
  // In newc, the last of several hard links has the data.
  const names = { links: 3, inode: 7 };
  const inCpio = listOf(
    "cpio",
    cpio([{ name: "a", ...names }, { name: "b", ...names }, { name: "c", content: "x", ...names }]),
  );
  assertEquals(filesOf(inCpio), { a: "x", b: "x", c: "x" });
});

Deno.test("names lead out of no archive, and an archive that unpacks to too much is refused", library, () => {
  const reader = new MemoryReader(tar([{ name: "../../up", content: "x" }, { name: "/etc/passwd", content: "y" }]));
  using archive = openArchive(reader);
  assertEquals(Object.keys(contents(archive)), ["_unsafe/__/__/up", "etc/passwd"]);
  const bomb = gzipSync(tar([{ name: "zeros", content: new Uint8Array(2 ** 20) }]));
  assertThrows(() => listOf("tar", bomb, 1000), UnpackError, "unpacks to more than 1,000 bytes");
  const claims = tar([{ name: "huge", size: 2 ** 33 - 1, content: "x" }]);
  assertThrows(() => listOf("tar", claims), UnpackError, "unpacks to more than");
});

Deno.test("damage in one file leaves the others readable", library, async () => {
  const sample = samples.get("rar") ?? new Uint8Array();
  const damaged = sample.slice();
  const at = new TextDecoder("latin1").decode(damaged).indexOf("map data");
  damaged[at + 20] = 0x21;
  using archive = openArchive(new MemoryReader(damaged, "a.rar"));
  const rows = await Array.fromAsync(verifyArchive(archive), ({ member, ok, problem }) => ({ member, ok, problem }));
  assertEquals(rows.map(({ member, ok }) => [member, ok]), [["readme.txt", true], ["maps/a.bsp", false], [
    "empty",
    true,
  ]]);
  assertMatch(rows[1]?.problem ?? "", /maps\/a\.bsp: its data are damaged or cut short; this file cannot be read/);
});

Deno.test("archives of other programs in archives are listed and read with nested", library, () => {
  const inner = Array.from(samples, ([name, content]) => ({ name: `x.${name}`, content }));
  const outer = zip([...inner, ...inner.map((file) => ({ ...file, name: `packed/${file.name}`, method: 8 as const }))]);
  using archive = openArchive(
    new MemoryReader(join(outer), "outer.zip"),
    { nested: true },
  );
  assertEquals(archive.warnings, []);
  for (const name of samples.keys()) {
    for (const directory of ["", "packed/"]) {
      const path = `${directory}x.${name}.d/maps/a.bsp`;
      assertEquals(string(archive.read(path)), sampleFiles["maps/a.bsp"], path);
    }
  }
});

Deno.test("what is unpacked is kept, and unpacked again once the archive has changed", library, async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/a.tar`;
  const partOf = () => {
    using archive = openArchive(path);
    return archive.find("a")?.part ?? "";
  };
  await Deno.writeFile(path, tar([{ name: "a", content: "one" }]));
  const first = partOf();
  const { mtime, mode } = await Deno.stat(first);
  assertEquals([partOf(), (await Deno.stat(first)).mtime, (mode ?? 0) & 0o777], [first, mtime, 0o600]);
  // A daemon reads files by a reader of its own, which the archive owns.
  const file = new FileByteReader(path);
  const beside = (name: string) => file.beside(name);
  using byOther = openArchive(Object.assign(new MemoryReader(await Deno.readFile(path), path, file.mtime), { beside }));
  assertEquals(byOther.find("a")?.part, first);
  file.close();
  // A file of the cache that is removed stays readable where it is open.
  using opened = openArchive(path);
  assertEquals(string(opened.read("a")), "one");
  await Deno.remove(first);
  assertEquals([string(opened.read("a")), partOf()], ["one", first]);
  await Deno.writeFile(path, tar([{ name: "a", content: "three" }]));
  using archive = openArchive(path);
  assertEquals([string(archive.read("a")), partOf() === first], ["three", false]);
  // A damaged file of the cache is replaced, or its members are damaged: wrong bytes are never returned.
  await Deno.writeTextFile(partOf(), "short");
  using again = openArchive(path);
  assertEquals(string(again.read("a")), "three");
  const spooled = await Deno.readFile(partOf());
  spooled.set(text("thr!e"));
  await Deno.writeFile(partOf(), spooled);
  using changed = openArchive(path);
  assertThrows(() => changed.read("a"), ArchiveError, "its checksum is");
});

/** Runs `openArchive` in a process that may start only one program instead of the unpacker. */
async function messageWith(unpacker: string): Promise<string> {
  await using directory = await temporaryDirectory();
  const program = `${directory.path}/unpacker`;
  await Deno.writeTextFile(program, `#!/bin/sh\n${unpacker}\n`, { mode: 0o755 });
  await Deno.writeFile(`${directory.path}/a.tar`, tar([{ name: "a", content: "one" }]));
  const formats = new URL("../../formats/mod.ts", import.meta.url).href;
  const script = `import { openArchive } from "${formats}";
    try { openArchive("a.tar"); } catch (error) { console.log(error.name + ": " + error.message); }`;
  await Deno.writeTextFile(`${directory.path}/script.ts`, script);
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--cached-only", "--no-check", "--config", config, "--allow-read"],
      ...[
        "--ignore-env",
        "--allow-env=PAKFS_UNPACKER,XDG_CACHE_HOME,HOME",
        `--allow-run=${program}`,
        `${directory.path}/script.ts`,
      ],
    ],
    cwd: directory.path,
    env: { PAKFS_UNPACKER: program, XDG_CACHE_HOME: directory.path },
  }).output();
  return string(stdout).trim() || string(stderr);
}

Deno.test("without libarchive the format is named and the package that reads it", async () => {
  const answer = `printf %s '{"kind":"missing-library","message":""}'; exit 1`;
  assertEquals(
    await messageWith(answer),
    "ReadError: a.tar: tar archives are read by libarchive, which is not installed: install libarchive13",
  );
});

Deno.test("a library that crashes is an error of that archive", async () => {
  assertEquals(
    await messageWith("kill -SEGV $$"),
    "CorruptArchiveError: a.tar: cannot be read: libarchive, which reads it in a process of its own, ended with SIGSEGV",
  );
});

Deno.test("no mutant of archives of other programs gives wrong bytes, takes long or crashes", library, async () => {
  const runs = Deno.env.get("PAKFS_MUTATION_RUNS") ?? "60";
  const program = new URL("./foreign_mutants_worker.ts", import.meta.url).pathname;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--cached-only", "--config", config, "-A", program, String(seed), runs],
  }).output();
  assert(success, string(stderr));
  const { listed, damaged, refused } = JSON.parse(string(stdout));
  assert(listed > 0 && damaged > 0 && refused > 0, string(stdout));
});
