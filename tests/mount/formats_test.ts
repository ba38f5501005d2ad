import { assertEquals, assertMatch } from "@std/assert";
import { anachronoxDat, hex, join, packedDaikatanaPak, rff, text } from "../formats/bytes.ts";
import { type Seed, seeds } from "../formats/seeds.ts";
import { writeFiles } from "../index/fixtures.ts";
import { manifest, run, workspace } from "./mounting.ts";

/** Compressible bytes that differ in every part. */
function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index} of a long text\n`).join("");
}

/** Members of each compression that are too large for the session thread, and one too large for memory. */
function largeSeeds(): Seed[] {
  const content = lines(20_000);
  const many = 400_000;
  const zeros = new Uint8Array(65 * many);
  return [
    {
      title: "large zlib",
      format: "anachronox-dat",
      bytes: anachronoxDat([["long.txt", content]]),
      files: { "long.txt": text(content) },
    },
    {
      title: "large encrypted",
      format: "rff",
      bytes: rff(0x301, [{ name: "LONG", extension: "TXT", content, encrypted: true }], (offset) => offset * 2),
      files: { "LONG.TXT": text(content) },
    },
    {
      title: "large runs",
      format: "daikatana-pak",
      bytes: packedDaikatanaPak([
        ["zeros.bsp", join(new Uint8Array(many).fill(0x7f), hex("ff")), zeros.length],
        ["some.bsp", join(new Uint8Array(many / 100).fill(0x7f), hex("00 41 ff")), zeros.length / 100 + 1],
      ]),
      files: { "zeros.bsp": zeros, "some.bsp": join(zeros.subarray(0, zeros.length / 100), text("A")) },
    },
  ];
}

async function checksum(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice())).toHex();
}

Deno.test("members of every format read from a mount as they were packed", async () => {
  await using here = await workspace();
  const all = [...seeds, ...largeSeeds()];
  await writeFiles(here.path, Object.fromEntries(all.map(({ bytes }, index) => [`archives/${index}.pak`, bytes])));
  const mounted = await here.pakfs(
    "mount",
    `${here.path}/archives`,
    "--profile",
    "generic",
    "--show-packs",
    here.mountPoint,
  );
  assertEquals(mounted.code, 0);
  // One seed is a zip after two other bytes.
  assertMatch(mounted.stderr, /^pakfs: .*: not all of the file is listed: the file has 2 bytes before the zip$/m);
  const expected = await Promise.all(
    all.flatMap(({ files }, index) =>
      Object.entries(files).map(async ([path, content]) => `${await checksum(content)}  ${index}.pak/${path}`)
    ),
  );
  const root = `${here.mountPoint}/.packs/archives/archives`;
  assertEquals(await manifest(root), expected.sort());
  // This pass reads from the caches of kernel and daemon, and in chunks.
  assertEquals(await manifest(root), expected.sort());
  const index = all.findIndex(({ title }) => title === "large encrypted");
  const { stdout } = await run("dd", [
    `if=${root}/${index}.pak/LONG.TXT`,
    "bs=1",
    "skip=250",
    "count=20",
    "status=none",
  ]);
  assertEquals(stdout, lines(100).slice(250, 270));
});

Deno.test("a damaged Daikatana member is an I/O error in a mount, its neighbour reads", async () => {
  await using here = await workspace();
  await writeFiles(here.path, {
    "pak1.pak": packedDaikatanaPak([
      ["bad.wal", hex("00 41 c0 00 ff"), 3],
      ["good.wal", hex("00 41 ff"), 1],
      ["bomb.wal", hex("7f ff"), 1_000_000],
    ]),
  });
  await here.mount(`${here.path}/pak1.pak`);
  const read = (name: string) => run("cat", [`${here.mountPoint}/${name}`], { environment: { LC_ALL: "C" } });
  assertEquals(await read("good.wal"), { code: 0, stdout: "A", stderr: "" });
  for (const name of ["bad.wal", "bomb.wal"]) {
    // deno-lint-ignore no-await-in-loop -- one after another
    const { code, stdout, stderr } = await read(name);
    assertEquals([code, stdout], [1, ""]);
    assertMatch(stderr, /Input\/output error\n$/);
  }
});
