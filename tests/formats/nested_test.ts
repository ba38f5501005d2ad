import { assertEquals, assertStringIncludes } from "@std/assert";
import { extractArchive, openArchive, verifyArchive } from "../../formats/mod.ts";
import { addEmbeddedWads } from "../../formats/nested.ts";
import { archiveFormats, detectFormat, formatForFileName } from "../../formats/table.ts";
import { join, pak, recased, source, string, text, u32, vpk, wad, wadEntry, withDirectory, zip } from "./bytes.ts";

const lumps = wad([["PLAYPAL", "palette"], ["E1M1", ""], ["THINGS", "things"]]);
const wadFiles = ["lumps/PLAYPAL", "lumps/E1M1", "maps/E1M1/THINGS"];

function listed(bytes: Uint8Array): string[] {
  using archive = openArchive(source(bytes, "outer"), { nested: true });
  return Array.from(archive, ({ qpath }) => qpath);
}

Deno.test("a stored archive in an archive is a directory next to the file, read in place", () => {
  const outer = pak([["maps/x.bsp", "bsp"], ["gfx.wad", lumps], ["a.txt", "a"]]);
  using plain = openArchive(source(outer));
  assertEquals(Array.from(plain).length, 3, "only when requested");
  using archive = openArchive(source(outer, "/q/pak0.pak", 9), { nested: true });
  assertEquals(Array.from(archive, ({ qpath }) => qpath), [
    "maps/x.bsp",
    "gfx.wad",
    "a.txt",
    ...wadFiles.map((path) => `gfx.wad.d/${path}`),
  ]);
  const row = archive.find("gfx.wad.d/lumps/PLAYPAL");
  assertEquals([row?.format, row?.source, row?.method, row?.mtime], ["wad", "/q/pak0.pak", "store", 9]);
  assertEquals(string(outer.subarray(row?.offset, (row?.offset ?? 0) + 7)), "palette", "an offset in the outer file");
  assertEquals(string(archive.read("gfx.wad.d/maps/E1M1/THINGS")), "things");
  assertEquals(archive.read("gfx.wad"), lumps);
  assertEquals(archive.warnings, []);
});

Deno.test("a compressed archive in an archive is decompressed, to any of four depths", async () => {
  let bytes = lumps;
  for (const name of ["d.wad", "c.zip", "b.pk3", "a.pk3", "z.zip"]) bytes = zip([{ name, content: bytes, method: 8 }]);
  using archive = openArchive(source(bytes, "outer.zip"), { nested: true });
  const deepest = "z.zip.d/a.pk3.d/b.pk3.d/c.zip.d/d.wad";
  assertEquals(Array.from(archive, ({ qpath }) => qpath).at(-1), deepest, "the fifth stays a file");
  assertEquals(archive.read(deepest), lumps);
  for await (const { ok, problem } of verifyArchive(archive)) assertEquals(ok, true, problem ?? "");
});

Deno.test("a file may be an archive whatever the case of its extension, and is written in the format of its name", () => {
  for (const { extensions, name } of archiveFormats) {
    for (const extension of extensions) {
      for (const spelled of [extension, recased(extension), recased(extension, 1), extension.toUpperCase()]) {
        const outer = pak([[`maps/a${spelled}`, lumps]]);
        assertEquals(listed(outer).slice(1), wadFiles.map((path) => `maps/a${spelled}.d/${path}`), name);
        assertEquals(formatForFileName(`a${spelled}`), formatForFileName(`a${extension}`));
        assertEquals(formatForFileName(`a${spelled}`)?.extensions.includes(extension), true);
      }
    }
  }
});

Deno.test("members whose path would be too long with that of their archive are not shown, and counted", () => {
  const name = (length: number) => "d/".repeat(length).slice(0, length - 2) + "xx";
  // A path is up to 2,048 bytes long; the archive is shown as `a.zip.d/`.
  const inner = zip([2039, 2040, 2041, 2048].map((length) => ({ name: name(length), content: "x" })));
  using archive = openArchive(source(pak([["a.zip", inner]])), { nested: true });
  assertEquals(Array.from(archive, ({ qpath }) => qpath.length), [5, 2047, 2048]);
  assertEquals(archive.warnings, ["a.zip: 2 of its files have too long paths and are not shown"]);
});

Deno.test("packed and stored archives lie in each other", () => {
  const inner = zip([{ name: "x.txt", content: "packed ".repeat(50), method: 8 }, { name: "w.wad", content: lumps }]);
  const bytes = zip([{ name: "m.pak", content: pak([["in.pk3", inner], ["t", "text"]]), method: 8 }]);
  using archive = openArchive(source(bytes, "outer.zip"), { nested: true });
  assertEquals(string(archive.read("m.pak.d/in.pk3.d/x.txt")), "packed ".repeat(50));
  assertEquals(string(archive.read("m.pak.d/in.pk3.d/w.wad.d/lumps/PLAYPAL")), "palette");
  assertEquals(archive.find("m.pak.d/in.pk3.d/x.txt")?.format, "zip");
  assertEquals(archive.find("m.pak.d/t")?.format, "quake-pak");
});

Deno.test("a VPK in a zip is read, with files that are partly preloaded", () => {
  const inner = vpk([
    { path: "a.txt", content: "split", preload: 2, part: 0x7fff, offset: 1 },
    { path: "b.txt", content: "whole", part: 0x7fff, offset: 4 },
    { path: "c.txt", content: "gone", part: 1, offset: 0 },
  ], ".litwhole");
  for (const method of [0, 8]) {
    using archive = openArchive(source(zip([{ name: "x_dir.vpk", content: inner, method }])), { nested: true });
    assertEquals(string(archive.read("x_dir.vpk.d/a.txt")), "split");
    assertEquals(string(archive.read("x_dir.vpk.d/b.txt")), "whole");
    assertStringIncludes(archive.find("x_dir.vpk.d/c.txt")?.damaged ?? "", "missing");
    assertEquals(archive.warnings, ["x_dir.vpk: x_001.vpk is missing; 1 file cannot be read"]);
  }
});

Deno.test("where WADs are wanted, archives of other formats and other files are not looked into", () => {
  const members: [string, Uint8Array | string, string | undefined][] = [
    ["a.wad", lumps, undefined],
    ["b.wad", pak([["x", "x"]]), "its format is quake-pak, not wad"],
    ["c.wad", zip([{ name: "x", content: "x" }]), "its format is zip, not wad"],
    ["d.wad", vpk([{ path: "x.txt", content: "x", part: 0x7fff, offset: 0 }], "x"), "its format is vpk, not wad"],
    ["e.wad", "no archive", undefined],
    ["f.wad", lumps, undefined],
  ];
  for (const method of [0, 8]) {
    const outer = source(zip(members.map(([name, content]) => ({ name, content, method }))), "outer.zip");
    const format = detectFormat(outer);
    const table = format?.read(outer);
    if (!format || !table) throw new Error("no such format");
    addEmbeddedWads(outer, format, table, members.map((_member, row) => row));
    const paths = Array.from({ length: table.length }, (_, row) => table.path(row));
    const found = ["a.wad", "f.wad"].flatMap((name) => wadFiles.map((path) => `${name}.d/${path}`));
    assertEquals(paths, [...members.map(([name]) => name), ...found]);
    assertEquals(
      table.warnings,
      members.flatMap(([name, , fault]) =>
        fault === undefined ? [] : [`${name} is not shown as a directory: ${fault}`]
      ),
    );
  }
});

Deno.test("which of several counts is decided by the archive they are in", () => {
  const inner = zip([{ name: "a", content: "first" }, { name: "a", content: "last" }]);
  const other = zip([{ name: "b", content: "other" }]);
  const bytes = pak([["in.pk3", inner], ["in.pk3", other]]);
  assertEquals(listed(bytes), ["in.pk3", "in.pk3", "in.pk3.d/a"]);
  using archive = openArchive(source(bytes), { nested: true });
  assertEquals(string(archive.read("in.pk3.d/a")), "last");
});

Deno.test("what is no archive, or a damaged one, stays a file", () => {
  assertEquals(listed(pak([["a.wad", "no archive"], ["b.pak", ""]])), ["a.wad", "b.pak"]);
  const bytes = pak([["a.wad", lumps.subarray(0, 30)], ["b.wad", lumps]]);
  using archive = openArchive(source(bytes, "pak0.pak"), { nested: true });
  assertEquals(Array.from(archive).length, 5);
  assertEquals(archive.warnings, [
    "a.wad is not shown as a directory: the file table (at byte 25, 48 bytes) lies outside the file " +
    "(30 bytes); the file is cut short",
  ]);
});

Deno.test("an archive in a zip is not looked into if its own checksum is wrong", () => {
  for (const method of [0, 8]) {
    const bytes = zip([{ name: "a.wad", content: lumps, method, crc: 1 }]);
    using archive = openArchive(source(bytes, "a.zip"), { nested: true });
    assertEquals(Array.from(archive, ({ qpath }) => qpath), ["a.wad"]);
    assertStringIncludes(
      archive.warnings[0] ?? "",
      "a.wad is not shown as a directory: a.wad is damaged: its checksum",
    );
  }
});

Deno.test("an archive that contains itself, as far as that goes, ends", () => {
  // The only lump of this WAD is the whole WAD.
  const bytes = join(text("PWAD"), u32(1, 12), wadEntry("A.WAD", 0, 28));
  assertEquals(listed(bytes), [1, 2, 3, 4, 5].map((depth) => `${"lumps/A.WAD.d/".repeat(depth - 1)}lumps/A.WAD`));
});

Deno.test("a compressed archive that claims too much is not decompressed", () => {
  const noise = new Uint8Array(600_000);
  for (let start = 0; start < noise.length; start += 60_000) {
    crypto.getRandomValues(noise.subarray(start, start + 60_000));
  }
  const bytes = zip([{ name: "big.pak", content: noise, method: 8, size: 600_000_000 }]);
  using archive = openArchive(source(bytes, "a.zip"), { nested: true });
  const [first] = archive;
  assertEquals(first?.size, 600_000_000);
  assertStringIncludes(archive.warnings.join(), "decompresses to 600,000,000 bytes, too much to look into");
});

Deno.test("archives in archives are extracted next to themselves", async () => {
  await withDirectory(async (directory) => {
    using archive = openArchive(source(zip([{ name: "gfx/gfx.wad", content: lumps, method: 8 }])), { nested: true });
    const { files, problems } = await extractArchive(archive, directory);
    assertEquals([files, problems], [4, []]);
    assertEquals(await Deno.readTextFile(`${directory}/gfx/gfx.wad.d/maps/E1M1/THINGS`), "things");
    assertEquals(await Deno.readFile(`${directory}/gfx/gfx.wad`), lumps);
  });
});
