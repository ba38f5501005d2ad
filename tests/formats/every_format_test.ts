// deno-lint-ignore-file no-await-in-loop -- formats are looked at one after another, to see which one fails
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ArchiveError, extractArchive, openArchive, UnknownFormatError, verifyArchive } from "../../formats/mod.ts";
import { foreignFormats } from "../../formats/archives/foreign.ts";
import { locateMember, readMember } from "../../formats/member.ts";
import { archiveFormats } from "../../formats/table.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { join, source, text, withDirectory } from "./bytes.ts";
import { mutate, nestedSeed } from "./mutants.ts";
import { seeds } from "./seeds.ts";

Deno.test("every format has a seed", () => {
  assertEquals(
    // foreign_test.ts has samples of the other programs' formats.
    archiveFormats.filter((format) => !foreignFormats.includes(format)).map(({ name }) => name)
      .filter((name) => !seeds.some(({ format }) => format === name)),
    [],
  );
});

Deno.test("every format is known by its content, whatever the file is called", () => {
  for (const { title, format, bytes } of seeds) {
    for (const name of ["a.pak", "a.zip", "a.dat", "no ending"]) {
      using archive = openArchive(source(bytes, name));
      assertEquals(archive.format.name, format, `${title} as ${name}`);
    }
  }
});

Deno.test("of no format a member beyond the table is read", () => {
  for (const { title, bytes } of seeds) {
    using archive = openArchive(source(bytes, title));
    const { table, format } = archive;
    for (const index of [-1, table.length, table.length + 7, NaN]) {
      assertThrows(() => locateMember(archive.source, format, table, index), RangeError, "Cannot find member", title);
      assertThrows(() => readMember(archive.source, format, table, index), RangeError, undefined, title);
    }
  }
});

Deno.test("whatever is wrong with an archive, no file stays open", async () => {
  const below = numbersFrom(seed);
  await withDirectory((directory) => {
    const openFiles = () => Array.from(Deno.readDirSync("/proc/self/fd")).length;
    const before = openFiles();
    for (const { title, bytes } of [...seeds, nestedSeed]) {
      for (let run = 0; run < 8; run++) {
        Deno.writeFileSync(`${directory}/a_dir.vpk`, mutate(bytes, below));
        try {
          using archive = openArchive(`${directory}/a_dir.vpk`, { nested: run % 2 === 0 });
          for (const { qpath } of archive) archive.read(qpath);
        } catch (error) {
          if (!(error instanceof ArchiveError)) throw error;
        }
        assertEquals(openFiles(), before, title);
      }
    }
  });
});

Deno.test("what is no regular file is not opened, and nothing stays open", async () => {
  await withDirectory((directory) => {
    const refused = [directory, "/dev/null"];
    const openFiles = () => Array.from(Deno.readDirSync("/proc/self/fd")).length;
    const before = openFiles();
    for (const path of refused) assertThrows(() => openArchive(path), ArchiveError);
    assertEquals(openFiles(), before);
    return Promise.resolve();
  });
});

Deno.test("every format is listed, read, streamed, verified and extracted", async () => {
  await withDirectory(async (directory) => {
    for (const { title, format, bytes, files } of seeds) {
      using archive = openArchive(source(bytes, title));
      const expected = Object.entries(files).map(([path, { length }]) => [path, length]);
      assertEquals([...archive].map(({ qpath, size }) => [qpath, size]), expected, title);
      const methods = archive.format.methods as readonly string[];
      for (const { qpath, method } of archive) {
        assertEquals(methods.includes(method), true, `${title}: ${format} does not say that it has ${method}`);
        assertEquals(archive.read(qpath), files[qpath], `${title}: ${qpath}`);
        assertEquals(join(...await Array.fromAsync(archive.stream(qpath))), files[qpath], `${title}: ${qpath}`);
      }
      const seen: (readonly [done: number, total: number, share: number])[] = [];
      const onProgress = (...progress: [number, number, number]) => seen.push(progress);
      for await (const { member, ok, problem } of verifyArchive(archive, { onProgress })) {
        assertEquals(ok, true, `${member}: ${problem}`);
      }
      // Progress after each row is the share of bytes so far, and never less before the next row.
      const sizes = Array.from(archive.table.sizes.subarray(0, archive.table.length));
      const all = sizes.reduce((sum, size) => sum + size, 0);
      const shares = sizes.map((_, row) => sizes.slice(0, row + 1).reduce((sum, size) => sum + size, 0) / all);
      for (const [row, share] of shares.entries()) {
        assertEquals(seen.find(([done]) => done === row + 1), [row + 1, sizes.length, share], title);
      }
      assert(seen.every(([, , share], index) => share >= (seen[index - 1]?.[2] ?? 0)), title);
      const output = `${directory}/${title.replaceAll(" ", "_")}`;
      const result = await extractArchive(archive, output);
      assertEquals([result.files, result.problems], [expected.length, []]);
      for (const [path, content] of Object.entries(files)) {
        assertEquals(await Deno.readFile(`${output}/${path}`), content, `${title}: ${path}`);
      }
    }
  });
});

Deno.test("no reader takes another format's archive, or one that is cut short, without an error of its own", () => {
  for (const { title, format: own, bytes } of seeds) {
    for (const format of archiveFormats) {
      // The archive in a map is a zip at its end.
      if (format.name !== own && !(own === "source-bsp" && format.name === "zip")) {
        assertThrows(() => format.read(source(bytes)), ArchiveError, "", `${format.name}: ${title}`);
      }
      for (let length = 0; length < bytes.length; length++) {
        try {
          format.read(source(bytes.subarray(0, length)));
        } catch (error) {
          assertEquals(error instanceof ArchiveError, true, `${format.name}, ${title}, ${length} bytes: ${error}`);
        }
      }
    }
  }
});

Deno.test("an archive at the end of another is not detected as the outer one", () => {
  const inner = seeds.find(({ title }) => title === "a zip")?.bytes ?? new Uint8Array();
  const grpWithZip = join(text("KenSilverman\x01\0\0\0INNER.ZIP\0\0\0"), new Uint8Array(4), inner);
  new DataView(grpWithZip.buffer).setUint32(28, inner.length, true);
  using archive = openArchive(source(grpWithZip));
  assertEquals([archive.format.name, archive.find("INNER.ZIP")?.size], ["grp", inner.length]);
  assertEquals(archive.read("INNER.ZIP"), inner);
  assertThrows(() => openArchive(source(text("nothing of the kind"))), UnknownFormatError);
});
