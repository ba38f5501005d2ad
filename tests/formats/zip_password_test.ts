// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Encrypted zips as 7-Zip and Info-ZIP's zip write them. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ArchiveError, DamagedMemberError, extractArchive, openArchive } from "../../formats/mod.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { jsonRows, runLine } from "../repl/harness.ts";
import { join, output, source, string, text, u16, zip } from "./bytes.ts";

const password = "a pass word!";
const random = numbersFrom(seed);
const contents: Readonly<Record<string, Uint8Array>> = {
  "empty.txt": new Uint8Array(),
  "noise.bin": Uint8Array.from({ length: 70_001 }, () => random(256)),
  "text.txt": new TextEncoder().encode("a line that repeats itself\n".repeat(20_000)),
  // More than is read at once.
  "zeros.bin": new Uint8Array(17 * 1024 * 1024),
};

async function writeContents(directory: string): Promise<void> {
  await Deno.mkdir(directory);
  await Promise.all(
    Object.entries(contents).map(([name, content]) => Deno.writeFile(`${directory}/${name}`, content)),
  );
}

Deno.test("AES of a strength or maker that is unknown is an encrypted member, whatever the password", () => {
  const data = Uint8Array.from({ length: 64 }, () => random(256));
  for (
    const [strength, maker] of [[0, "AE"], [1, "AE"], [3, "AE"], [4, "AE"], [255, "AE"], [1, "XE"], [1, "AX"]] as const
  ) {
    const extra = join(u16(0x9901, 7, 2), text(maker), Uint8Array.of(strength), u16(8));
    const member = {
      name: "a",
      compressed: data,
      method: 99,
      flags: 1,
      size: 100,
      localExtra: extra,
      centralExtra: extra,
    };
    using archive = openArchive(source(zip([member]), "a.zip"), { password });
    const isKnown = maker === "AE" && strength >= 1 && strength <= 3;
    const message = isKnown ? "encrypted with another password" : "a is encrypted";
    const { message: said } = assertThrows(() => archive.read("a"), DamagedMemberError, message);
    assertEquals(said.includes("another password"), isKnown, said);
  }
});

const encryptions = [
  ["-mem=ZipCrypto", "-mm=Deflate"],
  ["-mem=AES128", "-mm=Deflate"],
  ["-mem=AES192", "-mm=BZip2"],
  ["-mem=AES256", "-mm=LZMA"],
];

for (const options of encryptions) {
  Deno.test(
    `a zip that 7-Zip encrypts (${options.join(" ")}) is read with its password only`,
    needs("debian:7zip"),
    async () => {
      await using directory = await temporaryDirectory();
      const { path } = directory;
      await writeContents(`${path}/contents`);
      const program = `${debianPackage("7zip")}/usr/bin/7zz`;
      await output(program, "a", "-bso0", "-tzip", `-p${password}`, ...options, `${path}/a.zip`, `${path}/contents/.`);

      using archive = openArchive(`${path}/a.zip`, { password });
      const names = Array.from(archive, ({ qpath }) => qpath);
      assertEquals(names.sort(), Object.keys(contents).sort());
      for (const [name, wanted] of Object.entries(contents).slice(0, 3)) {
        const content = archive.read(name);
        assert(content.length === wanted.length && content.every((byte, index) => byte === wanted[index]), name);
      }
      const extracted = await extractArchive(archive, `${path}/out`);
      assertEquals([extracted.files, extracted.problems], [4, []]);
      await output("diff", "-r", `${path}/contents`, `${path}/out`);

      using without = openArchive(`${path}/a.zip`);
      assertThrows(() => without.read("text.txt"), DamagedMemberError, "text.txt is encrypted");
      // One of 256 wrong passwords passes the first check.
      const messages = await Promise.all(["a", "b", "c", "d", "e"].map(async (one) => {
        using wrong = openArchive(`${path}/a.zip`, { password: one });
        assertThrows(() => wrong.read("noise.bin"), DamagedMemberError, "noise.bin is");
        const failure = await assertRejects(() => Array.fromAsync(wrong.stream("text.txt")), DamagedMemberError);
        return failure.message;
      }));
      assert(messages.some((message) => message.endsWith("text.txt is encrypted with another password")), messages[0]);

      if (options[0] === "-mem=ZipCrypto") return;
      const bytes = await Deno.readFile(`${path}/a.zip`);
      const { offsets } = archive.table;
      const offset = archive.find("text.txt")?.offset ?? 0;
      const end = Math.min(...offsets.subarray(0, archive.table.length).filter((other) => other > offset));
      bytes[end - 1] = (bytes[end - 1] ?? 0) ^ 1;
      using changed = openArchive(source(bytes), { password });
      assertThrows(() => changed.read("text.txt"), DamagedMemberError, "encrypted data were changed");
      await assertRejects(
        () => Array.fromAsync(changed.stream("text.txt")),
        DamagedMemberError,
        "encrypted data were changed",
      );
    },
  );
}

Deno.test("a zip that Info-ZIP encrypts is extracted with --password, and verified", needs("debian:zip"), async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await writeContents(`${path}/contents`);
  const program = `${debianPackage("zip")}/usr/bin/zip`;
  await output("sh", "-c", 'cd "$1/contents" && "$2" -q -P secret ../a.zip *', "sh", path, program);
  const verified = await runLine(`archive verify ${path}/a.zip --password secret`);
  assertEquals([verified.code, verified.err], [0, "4 files, all sound\n"]);
  const extracted = await runLine(`archive extract ${path}/a.zip -o ${path}/out --password secret --json`);
  assertEquals((jsonRows(extracted.out) as { files: number }[])[0]?.files, 4);
  await output("diff", "-r", `${path}/contents`, `${path}/out`);
  const wrong = await runLine(`archive verify ${path}/a.zip --password wrong`);
  assertEquals(wrong.code, 1);
  assertEquals((await runLine(`archive verify ${path}/a.zip`)).code, 1);
});

Deno.test("no change of an encrypted zip gives wrong bytes or other errors", needs("debian:7zip"), async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await Deno.mkdir(`${path}/contents`);
  await Deno.writeTextFile(`${path}/contents/a.txt`, "some words that are encrypted");
  const program = `${debianPackage("7zip")}/usr/bin/7zz`;
  for (const encryption of ["-mem=ZipCrypto", "-mem=AES256"]) {
    await output(program, "a", "-bso0", "-tzip", "-psecret", encryption, `${path}/a.zip`, `${path}/contents/.`);
    const bytes = await Deno.readFile(`${path}/a.zip`);
    await Deno.remove(`${path}/a.zip`);
    for (let run = 0; run < 300; run++) {
      const changed = bytes.slice();
      changed[random(changed.length)] = random(256);
      try {
        using archive = openArchive(source(changed), { password: "secret" });
        for (const { qpath } of archive) {
          const streamed = run % 2 === 0 ? undefined : await Array.fromAsync(archive.stream(qpath));
          assertEquals(string(streamed ? join(...streamed) : archive.read(qpath)), "some words that are encrypted");
        }
      } catch (error) {
        assert(error instanceof ArchiveError, `run ${run} of PAKFS_SEED=${seed}: ${error}`);
      }
    }
  }
});
