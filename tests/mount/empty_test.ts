// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Members that claim to be empty: the kernel reads no bytes of them, so faults are found on lookup. */
import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { output, python, run, workspace } from "./mounting.ts";

const bytes = (...values: number[]) => new Uint8Array(values);
const something = new Uint8Array(deflateRawSync(Buffer.from("something ".repeat(20))));

const sound = [
  { name: "stored", content: "" },
  { name: "deflated", content: "", method: 8, compressed: bytes(3, 0) },
  { name: "without data", content: "", method: 8, compressed: bytes() },
  { name: "flushed", content: "", method: 8, compressed: bytes(0, 0, 0, 0xff, 0xff, 3, 0) },
];
const damaged = [
  { name: "checksum", content: "", crc: 0x1234_5678 },
  { name: "deflated checksum", content: "", method: 8, compressed: bytes(3, 0), crc: 0x1234_5678 },
  { name: "stored size", content: "something", size: 0 },
  { name: "size", content: "something", method: 8, compressed: something, size: 0 },
  { name: "size and checksum", content: "something", method: 8, compressed: something, size: 0, crc: 0 },
  { name: "encrypted", content: "", flags: 1 },
];

/** Opens each file of a directory, in order of names: its bytes, or the error. */
const opener = `
import errno, os, sys
for name in sorted(os.listdir(sys.argv[1])):
    try:
        with open(os.path.join(sys.argv[1], name), "rb") as file:
            print(name, file.read())
    except OSError as error:
        print(name, errno.errorcode[error.errno])
`;

Deno.test(
  "a damaged member that claims to be empty is listed and is EIO, and empty ones read as such",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const members = [...sound, ...damaged].map((member) => ({ ...member, name: `empty/${member.name}` }));
    await writeFiles(here.path, { "game/baseq3/pak0.pk3": zip([...members, { name: "full", content: "full" }]) });
    await here.mount("--profile", "ioquake3", `${here.path}/game`);
    const expected = [
      ...sound.map(({ name }) => `${name} b''`),
      ...damaged.map(({ name }) => `${name} EIO`),
    ].sort();
    for (const directory of ["game/baseq3/empty", ".packs/game/baseq3/pak0.pk3/empty"]) {
      const path = `${here.mountPoint}/${directory}`;
      const listed = await output("ls", path);
      assertEquals(listed.trim().split("\n").sort(), [...sound, ...damaged].map(({ name }) => name).sort());
      for (let time = 0; time < 2; time++) {
        const opened = await python(opener, path);
        assertEquals(opened.trim().split("\n").sort(), expected, directory);
        // Lists with attributes, as a sorted listing does.
        assertMatch((await run("ls", ["-l", path])).stderr, /checksum': Input\/output error/);
      }
    }
    for (const { name } of sound) {
      assertEquals(await here.pakfs("cat", `empty/${name}`), { code: 0, stdout: "", stderr: "" });
    }
    for (const { name } of damaged) {
      const { code, stderr } = await here.pakfs("cat", `empty/${name}`);
      assertEquals(code, 1, name);
      assertMatch(stderr, new RegExp(`empty/${name}`));
    }
    const extracted = await here.pakfs("extract", "-o", `${here.path}/out`, "empty/*");
    assertEquals(extracted.code, 1);
    assertEquals(
      (await output("ls", `${here.path}/out/empty`)).trim().split("\n").sort(),
      sound.map(({ name }) => name).sort(),
    );
  },
);
