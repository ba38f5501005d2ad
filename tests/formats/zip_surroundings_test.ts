/**
 * Files that hold zips among other bytes: every omission from a list has a warning, and a file that begins like another
 * format is not taken for the zip in it.
 */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { gzipSync } from "node:zlib";
import { ArchiveError, MemoryReader, openArchive, verifyArchive } from "../../formats/mod.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { join, padded, pak, string, text, u32, zip } from "./bytes.ts";
import { cpio as cpioOf, tar as tarOf } from "./foreign_samples.ts";

const named = (files: readonly Uint8Array[]) => files.map((content, index) => ({ name: `${index}.zip`, content }));
const tar = (files: readonly Uint8Array[]) => tarOf(named(files));
const cpio = (files: readonly Uint8Array[]) => cpioOf(named(files));

function ar(files: readonly Uint8Array[], first = ""): Uint8Array {
  const record = (name: string, bytes: Uint8Array) => {
    const header = `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}`;
    return join(
      text(`${header}${String(bytes.length).padEnd(10)}\`\n`),
      padded(bytes, bytes.length + bytes.length % 2),
    );
  };
  const start = first === "" ? [] : [record(first, text("2.0\n"))];
  return join(text("!<arch>\n"), ...start, ...files.map((bytes, index) => record(`${index}.zip`, bytes)));
}

/** Bytes that are no zip, and the zips after each other. */
const after = (start: Uint8Array) => (files: readonly Uint8Array[]) => join(start, ...files);

const filler = (length: number) => Uint8Array.from({ length }, (_, index) => 0x80 + index % 101);

const containers: Readonly<Record<string, (zips: readonly Uint8Array[]) => Uint8Array>> = {
  tar,
  cpio,
  ar,
  deb: (files) => ar(files, "debian-binary"),
  squashfs: after(join(text("hsqs"), filler(92))),
  "7z": after(join(Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4), filler(24))),
  gzip: (files) => Uint8Array.from(gzipSync(tar(files), { level: 0 })),
  sqlite: after(join(text("SQLite format 3\0"), filler(84))),
  wav: after(join(text("RIFF"), u32(5000), text("WAVEfmt "), filler(60))),
  doc: after(join(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), filler(504))),
  pdf: after(text("%PDF-1.7\n1 0 obj <<>> endobj\n")),
  html: after(text("<!doctype html><title>none</title>\n")),
  exe: after(join(text("MZ"), filler(300))),
  program: after(join(Uint8Array.of(0x7f), text("ELF"), filler(300))),
  "wrong pak": (files) => join(text("JACK"), pak(files.map((bytes, index) => [`${index}.zip`, bytes])).subarray(4)),
  joined: after(new Uint8Array()),
  "joined after nothing": after(zip([])),
  stored: (files) => zip(files.map((content, index) => ({ name: `${index}.pk3`, content }))),
};

const zips = [1, 2, 3].map((number) =>
  zip([
    { name: `maps/${number}.bsp`, content: `map ${number} `.repeat(30) },
    { name: `zip${number}.txt`, content: "some text ".repeat(number), method: 8 },
  ])
);

/** Returns whether a file is refused or listed, perhaps with warnings about skipped bytes. */
async function listed(bytes: Uint8Array, path: string) {
  try {
    using archive = openArchive(new MemoryReader(bytes, path));
    const problems = await Array.fromAsync(verifyArchive(archive));
    return {
      names: Array.from(archive, ({ member }) => member).sort(),
      warnings: archive.warnings.filter((warning) => / of the file is listed: /.test(warning)),
      isSound: problems.every(({ ok }) => ok),
    };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return null;
  }
}

/** Each container around one, two and three zips, whole and cut at ten places. libarchive reads three of them. */
const samples = Object.entries(containers).flatMap(([name, contain]) =>
  [1, 2, 3].flatMap((count) => {
    const whole = contain(zips.slice(0, count));
    return Array.from({ length: 11 }, (_, cut) => ({
      name: `${name} of ${count}, ${cut === 0 ? "whole" : `cut ${cut}`}`,
      // Number of zips that libarchive lists, where it is installed.
      files: name === "tar" || name === "cpio" ? count : 0,
      isZip: cut === 0 && (name === "stored" || (name === "joined" && count === 1)),
      bytes: cut === 0 ? whole : whole.subarray(0, Math.floor(whole.length * (1 - cut / 11))),
    }));
  })
);

Deno.test("zips among other bytes, whole and cut, are never listed as the whole file without a warning", async () => {
  for (const { name, isZip, files, bytes } of samples) {
    // deno-lint-ignore no-await-in-loop -- one file after another
    const result = await listed(bytes, name);
    if (files > 0) {
      assert(!result || !result.isSound || result.warnings.length > 0 || result.names.length === files, name);
    } else if (isZip) assertEquals([result?.warnings, result?.isSound], [[], true], name);
    else assert(result === null || result.warnings.length > 0, name);
  }
});

Deno.test("what is listed of zips among other bytes is what Python lists", needs("python3"), async () => {
  await using directory = await temporaryDirectory();
  const paths = samples.map((_, index) => `${directory.path}/${index}`);
  await Promise.all(samples.map(({ bytes }, index) => Deno.writeFile(paths[index] ?? "", bytes)));
  const script = new URL("zips.py", import.meta.url).pathname;
  const python = new Deno.Command("python3", { args: [script, "list"], stdin: "piped", stdout: "piped" }).spawn();
  const writer = python.stdin.getWriter();
  await writer.write(text(paths.map((path) => `${path}\n`).join("")));
  await writer.close();
  const lists = string((await python.output()).stdout).trim().split("\n");
  let compared = 0;
  for (const [index, { name, files, bytes }] of samples.entries()) {
    if (files > 0) continue;
    const members = JSON.parse(lists[index] ?? "") as readonly [string, number][] | null;
    // deno-lint-ignore no-await-in-loop -- one file after another
    const result = await listed(bytes, name);
    // One of several joined zips may be cut; Python then also takes the last whole one.
    if (!result || !members) continue;
    assertEquals(result.names, members.map(([member]) => member).sort(), name);
    compared++;
  }
  assert(compared > 50, `${compared} compared`);
});

const problemOf = (bytes: Uint8Array) =>
  assertThrows(() => openArchive(new MemoryReader(bytes, "x.pk3")), Error).message;

Deno.test("a file of another format with a zip in it is refused by its name, with what to do", () => {
  const refused = ["ar", "deb", "squashfs", "gzip", "sqlite", "wav", "doc"];
  const messages = refused.map((name) => problemOf(containers[name]?.(zips) ?? new Uint8Array()));
  assertEquals(messages, [
    'x.pk3: an ar archive, which is not read; extract it first: "ar x FILE"',
    'x.pk3: a package of Debian, which is not read; extract it first: "ar x FILE"',
    'x.pk3: a squashfs image, which is not read; extract it first: "unsquashfs FILE"',
    'x.pk3: compressed by gzip, which is not read; extract it first: "gunzip -k FILE"',
    ...["sqlite", "wav", "doc"].map((kind) =>
      `x.pk3: a file of the kind ${kind} with a zip in it, not an archive; ` +
      '"archive extract FILE --format zip -o DIR" extracts that zip'
    ),
  ]);
});

Deno.test("as a zip by name, the last zip of a file of another format is listed and not sound", async () => {
  using archive = openArchive(new MemoryReader(tar(zips), "x.tar"), { format: "zip" });
  assertEquals(Array.from(archive, ({ qpath }) => qpath), ["maps/3.bsp", "zip3.txt"]);
  const [before] = archive.warnings;
  assertMatch(
    before ?? "",
    /^only a part .*: the file is a tar archive; this is the last zip in it, with [\d,]+ bytes before it$/,
  );
  const [first] = await Array.fromAsync(verifyArchive(archive));
  assertEquals(first, { member: "", ok: false, problem: `x.tar: ${before}` });
});

Deno.test("programs, documents and unknown bytes may carry a zip: it is sound, and the warning counts the bytes", async () => {
  const one = zips.slice(0, 1);
  for (const name of ["pdf", "html", "exe", "program", "wrong pak"]) {
    const bytes = containers[name]?.(one) ?? new Uint8Array();
    // deno-lint-ignore no-await-in-loop -- one file after another
    const result = await listed(bytes, name);
    assertEquals(result?.isSound, true, name);
    assertMatch(
      result?.warnings.join() ?? "",
      /^not all of the file is listed: the file has [\d,]+ bytes (before|after) the zip/,
    );
  }
});

Deno.test("half a download whose last whole member is a pk3 is not sound", async () => {
  const whole = containers["stored"]?.(zips) ?? new Uint8Array();
  const half = whole.subarray(0, whole.length - 170);
  const result = await listed(half, "half.pk3");
  assertEquals(result?.names, ["maps/3.bsp", "zip3.txt"]);
  assertEquals(result?.isSound, false);
  assertMatch(result?.warnings[0] ?? "", /cut short, or several zips joined; this is the last/);
});

Deno.test("padding after a zip and the mark of a split one before it are nothing that is left out", async () => {
  const [one = new Uint8Array()] = zips;
  const marked = zip([{ name: "a.txt", content: "a" }], { junk: Uint8Array.of(0x50, 0x4b, 0x30, 0x30) });
  for (const bytes of [join(one, new Uint8Array(700)), join(one, text("\r\n")), marked]) {
    // deno-lint-ignore no-await-in-loop -- one file after another
    assertEquals((await listed(bytes, "x.zip"))?.warnings, []);
  }
});
