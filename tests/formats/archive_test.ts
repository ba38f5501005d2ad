// deno-lint-ignore-file no-await-in-loop -- cases run one after another, to see which one fails
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import {
  ArchiveError,
  createArchive,
  DamagedMemberError,
  extractArchive,
  type FormatName,
  openArchive,
  UnknownFormatError,
  UnwritableError,
  verifyArchive,
} from "../../formats/mod.ts";
import { needs } from "../support/programs.ts";
import { output, pak, pakEntry, source, string, text, withDirectory, zip } from "./bytes.ts";

const files: Readonly<Record<string, string>> = {
  "autoexec.cfg": "fov 100\n",
  "maps/e1m1.bsp": "bsp ".repeat(5000),
  "maps/empty": "",
  "sound/misc/r_tele1.wav": "\0\x01\x02",
  "with space (1).txt": "x",
};

async function sample(directory: string): Promise<string> {
  const root = `${directory}/mod`;
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeFile(`${root}/${path}`, text(content));
    await Deno.utime(`${root}/${path}`, new Date(1e12), new Date(1e12));
  }
  return root;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test("create, list, extract: what comes out is what went in", needs("unzip"), async () => {
  await withDirectory(async (directory) => {
    const root = await sample(directory);
    for (const [name, format] of [["out.pak", "quake-pak"], ["out.pk3", "zip"]] as const) {
      const path = `${directory}/${name}`;
      const seen: string[] = [];
      const result = await createArchive(path, root, { onProgress: (done, total) => seen.push(`${done}/${total}`) });
      assertEquals(result, { format, files: 5, bytes: (await Deno.stat(path)).size });
      assertEquals(seen.at(-1), "5/5");
      using archive = openArchive(path);
      assertEquals([...archive].map(({ qpath }) => qpath), Object.keys(files).sort());
      for (const [member, content] of Object.entries(files)) {
        assertEquals(string(archive.read(member)), content);
        assertEquals(await new Response(archive.stream(member)).text(), content);
      }
      assertEquals((await Array.fromAsync(verifyArchive(archive))).filter(({ ok }) => !ok), []);
      const extracted = `${directory}/from-${format}`;
      assertEquals(await extractArchive(archive, extracted), {
        files: 5,
        bytes: 20012,
        problems: [],
        renamed: [],
        leftOut: [],
      });
      await output("diff", "-r", root, extracted);
      const mtime = (await Deno.stat(`${extracted}/maps/e1m1.bsp`)).mtime?.getTime() ?? 0;
      assertEquals(
        format === "zip" ? mtime : Math.floor(mtime),
        format === "zip" ? 1e12 : Math.floor(archive.source.mtime),
      );
    }
    await output(
      "sh",
      "-c",
      `mkdir "$1/unzipped" && unzip -q "$1/out.pk3" -d "$1/unzipped" && diff -r "$1/mod" "$1/unzipped"`,
      "sh",
      directory,
    );
    const listed = string(await output("unzip", "-Z1", `${directory}/out.pk3`)).trim().split("\n");
    assertEquals(listed, Object.keys(files).sort());
  });
});

Deno.test("the same directory gives the same archive, and nothing else is left next to it", async () => {
  await withDirectory(async (directory) => {
    const root = await sample(directory);
    for (const format of ["zip", "quake-pak"] as const) {
      // The output may be in the archived directory: the new archive must not contain it.
      await createArchive(`${root}/self.bin`, root, { format });
      const first = await Deno.readFile(`${root}/self.bin`);
      await createArchive(`${root}/self.bin`, root, { format });
      assertEquals(await Deno.readFile(`${root}/self.bin`), first);
      await Deno.remove(`${root}/self.bin`);
    }
    assertEquals((await Array.fromAsync(Deno.readDir(root))).map(({ name }) => name).sort(), [
      "autoexec.cfg",
      "maps",
      "sound",
      "with space (1).txt",
    ]);
    const fixed = await createArchive(`${directory}/a.zip`, root, { mtime: 0, method: "store" });
    assert(fixed.bytes > 20012);
  });
});

Deno.test("an archive that would lack something is not written", async () => {
  await withDirectory(async (directory) => {
    const root = await sample(directory);
    const refused = async (sentence: string, name = "x.pk3", format?: FormatName): Promise<void> => {
      const path = `${directory}/${name}`;
      await assertRejects(() => createArchive(path, root, format ? { format } : {}), UnwritableError, sentence);
      assertEquals((await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name), ["mod"]);
    };
    await refused(
      "choose quake-pak (.pak) or wad (.wad) or dragonnest-pak (.pak) or zip (.pk3, .pk4, .pkz) or hashed-pack (.pack)",
      "x.unknown",
    );
    await Deno.symlink("/etc/passwd", `${root}/passwd`);
    await refused("passwd is a symbolic link that leads out");
    await Deno.remove(`${root}/passwd`);
    await Deno.writeTextFile(`${root}/back\\slash`, "");
    await refused('the name "back\\\\slash" cannot be kept');
    await Deno.remove(`${root}/back\\slash`);
    await Deno.mkdir(`${root}/${"d".repeat(50)}`);
    await Deno.writeTextFile(`${root}/${"d".repeat(50)}/longer`, "");
    await refused("the name is 57 bytes long", "x.pak");
    const signal = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => createArchive(`${directory}/x.pk3`, root, { signal }), Error, "enough");
    await assertRejects(() => createArchive(`${directory}/x.pk3`, `${root}/nothing`), Deno.errors.NotFound);
    assertEquals((await Array.fromAsync(Deno.readDir(directory))).length, 1);
  });
});

Deno.test("opening what is no archive says what it is", async () => {
  assertThrows(
    () => openArchive(source(text("hsqs"), "a.pk3")),
    UnknownFormatError,
    'a.pk3: a squashfs image, which is not read; extract it first: "unsquashfs FILE"',
  );
  assertThrows(
    () => openArchive(source(text("Game"), "a.pk3")),
    UnknownFormatError,
    'a.pk3: not an archive of a known format (it starts with "Game"); "pakfs formats" lists them',
  );
  assertThrows(
    () => openArchive(source(Uint8Array.of(0x1f, 0x8b), "a")),
    UnknownFormatError,
    "it starts with the bytes 1f 8b",
  );
  assertThrows(() => openArchive(source(new Uint8Array(), "a")), UnknownFormatError, "it is empty");
  const program = text(`MZ${"\0".repeat(100)}`);
  assertThrows(() => openArchive(source(program, "a.exe")), UnknownFormatError, "a.exe: a program of Windows");
  const page = text("<!DOCTYPE html><html><head><title>404</title></head></html>");
  assertThrows(() => openArchive(source(page, "a.zip")), UnknownFormatError, "a.zip: a web page, not an archive");
  await withDirectory((directory) => {
    assertThrows(() => openArchive(directory), UnknownFormatError, "is a directory");
    assertThrows(() => openArchive(`${directory}/nothing`), Deno.errors.NotFound);
  });
});

Deno.test("a missing file is named, with the one that differs only in case", () => {
  using archive = openArchive(source(pak([["Maps/E1M1.bsp", "x"]])));
  assertEquals(archive.find("maps/e1m1.bsp"), undefined);
  assertThrows(
    () => archive.read("maps/e1m1.bsp"),
    ArchiveError,
    "has no file maps/e1m1.bsp; did you mean Maps/E1M1.bsp?",
  );
  assertThrows(() => archive.stream("other"), ArchiveError, "has no file other");
});

Deno.test("extraction never leaves its directory", async () => {
  await withDirectory(async (directory) => {
    const outputDirectory = `${directory}/out`;
    await Deno.mkdir(`${outputDirectory}/real`, { recursive: true });
    await Deno.symlink("../..", `${outputDirectory}/link`);
    await Deno.symlink("../victim", `${outputDirectory}/file`);
    await Deno.writeTextFile(`${directory}/victim`, "untouched");
    using archive = openArchive(source(pak([
      ["../escape", "1"],
      ["link/inside", "2"],
      ["file", "3"],
      ["real/fine", "4"],
      ["/absolute", "5"],
      ["..\\..\\windows", "6"],
    ])));
    const { files, problems } = await extractArchive(archive, outputDirectory);
    assertEquals([files, problems.length], [5, 1]);
    assertEquals(problems[0]?.member, "link/inside");
    assertStringIncludes(problems[0]?.problem ?? "", "is a symbolic link, which is not followed");
    const found = string(await output("sh", "-c", `cd "$1" && find . -type f | LC_ALL=C sort`, "sh", directory));
    assertEquals(found.trim().split("\n"), [
      "./out/_unsafe/__/__/windows",
      "./out/_unsafe/__/escape",
      "./out/absolute",
      "./out/file",
      "./out/real/fine",
      "./victim",
    ]);
    assertEquals(await Deno.readTextFile(`${directory}/victim`), "untouched");
    assertEquals(await Deno.readTextFile(`${outputDirectory}/file`), "3", "the link itself was replaced");
  });
});

Deno.test("damaged members are reported, the others extracted, and nothing partial stays", async () => {
  await withDirectory(async (directory) => {
    const bytes = zip([{ name: "a", content: "bad" }, { name: "b", content: "good" }, {
      name: "c",
      content: "c",
      method: 14,
    }]);
    bytes[31] = 0x21;
    using archive = openArchive(source(bytes, "x.pk3"));
    const { files, problems } = await extractArchive(archive, directory);
    assertEquals([files, problems.map(({ member }) => member)], [1, ["a", "c"]]);
    assertEquals((await Array.fromAsync(Deno.readDir(directory))).map(({ name }) => name), ["b"]);
    const rows = await Array.fromAsync(verifyArchive(archive));
    assertEquals(rows.map(({ member, ok }) => [member, ok]), [["a", false], ["b", true], ["c", false]]);
    assertStringIncludes(rows[0]?.problem ?? "", "x.pk3: a is damaged: its checksum is");
  });
});

Deno.test("patterns choose, empty directories are made, and a file that is also a directory gets a suffix", async () => {
  await withDirectory(async (directory) => {
    const bytes = zip([
      { name: "sound", content: "file" },
      { name: "sound/x.WAV", content: "x" },
      { name: "empty/deep/" },
      { name: "a", content: "1" },
      { name: "a", content: "22" },
    ]);
    using archive = openArchive(source(bytes));
    assertEquals((await extractArchive(archive, `${directory}/all`)).problems, []);
    assertEquals(await Deno.readTextFile(`${directory}/all/sound~file`), "file");
    assertEquals(await Deno.readTextFile(`${directory}/all/sound/x.WAV`), "x");
    assertEquals(await Deno.readTextFile(`${directory}/all/a`), "22", "the one that read() gives");
    assert((await Deno.stat(`${directory}/all/empty/deep`)).isDirectory);
    const chosen = await extractArchive(archive, `${directory}/some`, { patterns: ["*.wav", "/a"], ignoreCase: true });
    assertEquals(chosen.files, 2);
    assert(!await exists(`${directory}/some/sound~file`) && !await exists(`${directory}/some/empty`));
    const signal = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => extractArchive(archive, directory, { signal }), Error, "enough");
  });
});

Deno.test("a large member is streamed with its checksum, and a reader may stop early", async () => {
  const content = new Uint8Array(40 * 1024 * 1024);
  for (let index = 0; index < content.length; index += 97) content[index] = index % 251;
  const good = zip([{ name: "large", content, method: 8 }, { name: "stored", content }]);
  await withDirectory(async (directory) => {
    await Deno.writeFile(`${directory}/a.pk3`, good);
    using archive = openArchive(`${directory}/a.pk3`);
    const result = await extractArchive(archive, `${directory}/out`);
    assertEquals([result.files, result.problems], [2, []]);
    for (const name of ["large", "stored"]) {
      assertEquals(
        (await Deno.readFile(`${directory}/out/${name}`)).every((byte, index) => byte === content[index]),
        true,
      );
      let first = 0;
      for await (const chunk of archive.stream(name)) {
        first = chunk.length;
        break;
      }
      assert(first > 0 && first <= 256 * 1024);
    }
    assertEquals((await Array.fromAsync(verifyArchive(archive))).map(({ ok }) => ok), [true, true]);
  });
  const bad = good.slice();
  bad[bad.length - 200_000] = (bad[bad.length - 200_000] ?? 0) ^ 1;
  using archive = openArchive(source(bad));
  assertEquals((await Array.fromAsync(verifyArchive(archive))).map(({ ok }) => ok), [true, false]);
  let received = 0;
  await assertRejects(
    async () => {
      for await (const chunk of archive.stream("stored")) received += chunk.length;
    },
    DamagedMemberError,
    "checksum",
  );
  assertEquals(received, content.length, "the damage shows only at the end");
});

Deno.test("an opened file is closed with its archive", async () => {
  await withDirectory(async (directory) => {
    await Deno.writeFile(`${directory}/a.pak`, pak([["a", "x"]]));
    const archive = openArchive(`${directory}/a.pak`);
    archive[Symbol.dispose]();
    assertThrows(() => archive.read("a"), Error);
    await Deno.writeFile(`${directory}/b.pak`, pakEntry("a", 0, 0));
    const openFiles = async () => (await Array.fromAsync(Deno.readDir("/proc/self/fd"))).length;
    const before = await openFiles();
    for (let attempt = 0; attempt < 20; attempt++) assertThrows(() => openArchive(`${directory}/b.pak`));
    assertEquals(await openFiles(), before);
  });
});
