// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Extraction with failures: each file must be complete or missing, no temporary file may stay, and the result must
 * report the fate of each member.
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { walk } from "@std/fs";
import { type Archive, ArchiveError, extractArchive, openArchive } from "../../formats/mod.ts";
import { smallDisk } from "../support/small_disk.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type HandMember, source, text, zip } from "./bytes.ts";

const large = "a large member is extracted in pieces; ".repeat(450_000);

function open(members: readonly HandMember[]): Archive {
  return openArchive(source(zip(members), "x.pk3"));
}

/** Paths of all files below a directory, sorted. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await Array.fromAsync(walk(directory, { includeDirs: false }));
  return entries.map(({ path }) => path.slice(directory.length + 1)).sort();
}

Deno.test("a full disk ends the extraction, with whole files only and a sentence on how far it came", async () => {
  for (const length of [1, 50_000, 400_000]) {
    await using disk = await smallDisk("1m");
    if (!disk) return; // in a container without the right
    const contents = Array.from({ length: 2000 }, (_, index) => String(index % 10).repeat(length));
    const archive = open(contents.map((content, index) => ({ name: `d/${index}`, content, method: 8 })));
    const failure = await assertRejects(() => extractArchive(archive, `${disk.path}/out`), ArchiveError);
    const files = await filesIn(disk.path);
    for (const file of files) {
      const index = Number(file.slice("out/d/".length));
      assertEquals(await Deno.readTextFile(`${disk.path}/${file}`) === contents[index], true, file);
    }
    assert(files.length < contents.length);
    assertEquals(
      failure.message,
      `x.pk3: the disk is full after ${files.length} of 2000 files (${files.length * length} bytes); ` +
        `d/${files.length} and those after it were not extracted`,
    );
  }
});

Deno.test("a full disk leaves nothing of a member that is extracted in pieces", async () => {
  await using disk = await smallDisk("1m");
  if (!disk) return; // in a container without the right
  const archive = open([{ name: "small", content: "small" }, { name: "large", content: large, method: 8 }]);
  const failure = await assertRejects(() => extractArchive(archive, disk.path), ArchiveError);
  assertStringIncludes(failure.message, "the disk is full after 1 of 2 files (5 bytes); large and those after it");
  assertEquals(await filesIn(disk.path), ["small"]);
});

/** Each entry makes one member of an archive fail in one step of its extraction. */
const faults: readonly (readonly [string, (archive: Archive, directory: string) => Promise<void>, string])[] = [
  ["a directory has its name", async (_, directory) => {
    await Deno.mkdir(`${directory}/maps/bad/in the way`, { recursive: true });
  }, "maps/bad cannot be written: Is a directory (os error 21)"],
  ["its bytes are others", (archive) => {
    archive.table.crcs[1] = 1;
    return Promise.resolve();
  }, "maps/bad is damaged: its checksum"],
  ["its data are cut short", (archive) => {
    archive.table.compressedSizes[1] = (archive.table.compressedSizes[1] ?? 0) - 5;
    return Promise.resolve();
  }, "maps/bad is damaged"],
];

for (const [fault, cause, problem] of faults) {
  for (const [kind, content] of [["small", "bad ".repeat(50)], ["large", large]] as const) {
    Deno.test(`a ${kind} member fails since ${fault}: it is named, the others are whole, nothing partial stays`, async () => {
      await using directory = await temporaryDirectory();
      const archive = open([
        { name: "maps/good", content: "good" },
        { name: "maps/bad", content, method: 8 },
        { name: "maps/other", content: "other" },
      ]);
      await cause(archive, directory.path);
      const { files, bytes, problems } = await extractArchive(archive, directory.path);
      assertEquals([files, bytes], [2, 9]);
      assertEquals(problems.map(({ member }) => member), ["maps/bad"]);
      assertStringIncludes(problems[0]?.problem ?? "", problem);
      assert(!problems[0]?.problem.includes(".part"), problems[0]?.problem);
      assertEquals(await filesIn(directory.path), ["maps/good", "maps/other"]);
    });
  }
}

Deno.test("an extraction that is stopped within a member leaves nothing of it", async () => {
  await using directory = await temporaryDirectory();
  const archive = open([{ name: "small", content: "small" }, { name: "large", content: large, method: 8 }]);
  const stopping = new AbortController();
  const { signal } = stopping;
  const onProgress = () => queueMicrotask(() => stopping.abort(new Error("enough")));
  await assertRejects(() => extractArchive(archive, directory.path, { signal, onProgress }), Error, "enough");
  assertEquals(await filesIn(directory.path), ["small"]);
});

Deno.test("members of one path: what is left out is named, unless its bytes are the same", async () => {
  await using directory = await temporaryDirectory();
  const archive = open([
    { name: "a.cfg", content: "first" },
    { name: "./a.cfg", content: "second" },
    { name: "/a.cfg", content: "third" },
    { name: "b.cfg", content: "same" },
    { name: "b.cfg", content: "same" },
    { name: "c.cfg", content: "c" },
    { name: "d.cfg", content: "another length", crc: 0 },
    { name: "d.cfg" },
  ]);
  const { files, leftOut, problems } = await extractArchive(archive, directory.path);
  assertEquals([files, leftOut, problems], [4, ["a.cfg", "a.cfg", "d.cfg"], []]);
  assertEquals(await Deno.readTextFile(`${directory.path}/a.cfg`), "third");
  const chosen = await extractArchive(archive, directory.path, { patterns: ["c.cfg"] });
  assertEquals([chosen.files, chosen.leftOut], [1, []]);
});

Deno.test("a file that is a directory for others never takes another file's name", async () => {
  await using directory = await temporaryDirectory();
  const archive = open([
    { name: "sound", content: "file" },
    { name: "sound/x.wav", content: "x" },
    { name: "sound~file", content: "other" },
    { name: "sound~file~file/y", content: "y" },
  ]);
  const { files, renamed, problems } = await extractArchive(archive, directory.path);
  assertEquals([files, problems], [4, []]);
  assertEquals(renamed, [{ member: "sound", path: "sound~file~file~file" }]);
  assertEquals(await filesIn(directory.path), [
    "sound/x.wav",
    "sound~file",
    "sound~file~file/y",
    "sound~file~file~file",
  ]);
  assertEquals(await Deno.readFile(`${directory.path}/sound~file`), text("other"));
});

Deno.test("a byte order mark at the start of a name is a part of it", async () => {
  await using directory = await temporaryDirectory();
  const names = ["\ufeffa", "a"];
  const archive = open(names.map((name) => ({ name, content: name })));
  assertEquals([...archive].map(({ qpath }) => qpath), names);
  const { files, leftOut } = await extractArchive(archive, directory.path);
  assertEquals([files, leftOut], [2, []]);
  for (const name of names) assertEquals(await Deno.readFile(`${directory.path}/${name}`), text(name));
});

Deno.test("two files that are directories for others get different names", async () => {
  await using directory = await temporaryDirectory();
  const names = ["a", "a/x", "a~file", "a~file/y"];
  const { renamed } = await extractArchive(open(names.map((name) => ({ name, content: name }))), directory.path);
  assertEquals(renamed.map(({ path }) => path), ["a~file~file", "a~file~file~file"]);
  assertEquals(await Deno.readTextFile(`${directory.path}/a~file~file`), "a");
  assertEquals(await Deno.readTextFile(`${directory.path}/a~file~file~file`), "a~file");
});
