/**
 * Archives of games on the Source engine: addons of Garry's Mod, and archives in maps.
 */
import { assertEquals, assertThrows } from "@std/assert";
import { openArchive, verifyArchive } from "../../formats/mod.ts";
import { needs } from "../support/programs.ts";
import { gma, hex, join, source, sourceBsp, string, text, u32, u64, withDirectory, zip } from "./bytes.ts";

Deno.test("an addon of another version, without its end, or with sizes beyond it says so", async () => {
  const sound = gma([["a.txt", "abc"], ["b.txt", "de"]]);
  for (const [version, extra] of [[1, ""], [2, "needed\0\0"], [3, "\0"]] as const) {
    const header = join(text(`GMAD${String.fromCharCode(version)}`), u64(0, 0), text(`${extra}t\0d\0a\0`), u32(1));
    const entry = join(u32(1), text("a.txt\0"), u64(3), u32(0), u32(0));
    using archive = openArchive(source(join(header, entry, text("abc"))));
    assertEquals(string(archive.read("a.txt")), "abc");
  }
  const later = sound.slice();
  later[4] = 4;
  assertThrows(() => openArchive(source(later)), Error, "version 4 of Garry's Mod addons is not known");
  assertThrows(() => openArchive(source(sound.subarray(0, 60))), Error, "the file is cut short");
  using cut = openArchive(source(sound.subarray(0, sound.length - 5)));
  const rows = await Array.fromAsync(verifyArchive(cut), ({ member, ok }) => [member, ok]);
  assertEquals(rows, [["a.txt", true], ["b.txt", false]]);
});

Deno.test("a checksum that an addon has is compared, and a long table is read to its end", () => {
  using wrong = openArchive(source(gma([["a.txt", "abc", 1]])));
  assertThrows(() => wrong.read("a.txt"), Error, "its checksum is 352441c2, but the archive says 00000001");
  const files = Array.from({ length: 5000 }, (_, index) => [`materials/${index}.vmt`, String(index)] as const);
  using archive = openArchive(source(gma(files)));
  assertEquals(string(archive.read("materials/4999.vmt")), "4999");
});

Deno.test("the archive in a map is found in both orders of lumps, and a map without one is no archive", () => {
  const inner = zip([{ name: "materials/a.vmt", content: "abc" }]);
  for (const before of [0, 4]) {
    using archive = openArchive(source(sourceBsp(inner, before), "maps/a.bsp"));
    assertEquals([archive.format.name, archive.warnings], ["source-bsp", []]);
    assertEquals(string(archive.read("materials/a.vmt")), "abc");
    assertEquals(archive.find("materials/a.vmt")?.offset, 1032 + 100);
  }
  assertThrows(() => openArchive(source(sourceBsp(text("no zip"), 0), "maps/a.bsp")), Error, "not an archive");
});

const list = `import io, json, struct, sys, zipfile
data = open(sys.argv[1], "rb").read()
offset, length = struct.unpack_from("<ii", data, 8 + 40 * 16)
archive = zipfile.ZipFile(io.BytesIO(data[offset:offset + length]))
print(json.dumps({name: archive.read(name).decode("latin1") for name in archive.namelist()}))`;

Deno.test("the archive in a map holds what Python finds in its lump", needs("python3"), async () => {
  await withDirectory(async (directory) => {
    const inner = zip([
      { name: "materials/a.vmt", content: "abc ".repeat(50), method: 8 },
      {
        name: "sound/b.wav",
        content: "hello hello hello hello hello hello",
        method: 14,
        compressed: hex("090405005d0000010000341949ee8de9576f34ae2bfffffbc54000"),
      },
    ]);
    const path = `${directory}/a.bsp`;
    await Deno.writeFile(path, sourceBsp(inner));
    const { stdout } = await new Deno.Command("python3", { args: ["-c", list, path] }).output();
    using archive = openArchive(path);
    const found = Object.fromEntries(Array.from(archive, ({ qpath }) => [qpath, string(archive.read(qpath))]));
    assertEquals(found, JSON.parse(string(stdout)));
  });
});
