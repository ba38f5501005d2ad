// deno-lint-ignore-file no-await-in-loop -- mutants are read one after another, to see which one fails
import { assert } from "@std/assert";
import { crc32 } from "node:zlib";
import { Archive, ArchiveError, archiveFormats, detectFormat, memberStream, readMember } from "../../formats/mod.ts";
import { join, pak, source, text, u16, u32, u64, zip } from "./bytes.ts";

/** Marsaglia's xorshift: the same mutants from the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const interesting = [0, 1, 2, 0x7f, 0x80, 0xff, 0x5c, 0x2e, 0x2f];
const interesting32 = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 64, 46, 22];

function mutate(bytes: Uint8Array, below: (limit: number) => number): Uint8Array {
  let mutant: Uint8Array = bytes.slice();
  for (let change = 1 + below(4); change > 0; change--) {
    const at = below(mutant.length || 1);
    const kind = below(7);
    if (kind === 0) mutant[at] = interesting[below(interesting.length)] ?? 0;
    else if (kind === 1) mutant[at] = (mutant[at] ?? 0) ^ (1 << below(8));
    else if (kind === 2) {
      mutant.set(u32(interesting32[below(interesting32.length)] ?? 0).subarray(0, mutant.length - at), at);
    } else if (kind === 3) mutant.set(u16(below(65536)).subarray(0, mutant.length - at), at);
    else if (kind === 4) mutant = mutant.slice(0, at);
    else if (kind === 5) mutant = join(mutant.subarray(0, at), mutant.subarray(at + 1 + below(20)));
    else mutant = join(mutant.subarray(0, at), mutant.subarray(at, at + below(80)), mutant.subarray(at));
  }
  return mutant;
}

/** Reads everything there is in `bytes`. All that may come of damage is an {@linkcode ArchiveError}. */
async function exercise(bytes: Uint8Array): Promise<void> {
  const opened = source(bytes);
  detectFormat(opened);
  for (const format of archiveFormats) {
    let archive: Archive;
    try {
      archive = new Archive(opened, format, format.read(opened));
    } catch (error) {
      assert(error instanceof ArchiveError, `${format.name}: ${error}`);
      continue;
    }
    for (const { qpath, size } of archive) {
      assert(!/(^|\/)(\.\.?)?(\/|$)/.test(qpath), JSON.stringify(qpath));
      const index = archive.indexOf(qpath) ?? 0;
      if (size > 1e6) continue;
      let whole: Uint8Array | undefined;
      try {
        whole = readMember(opened, format, archive.table, index);
      } catch (error) {
        assert(error instanceof ArchiveError, `${format.name} ${qpath}: ${error}`);
      }
      let streamed: Uint8Array | undefined;
      try {
        streamed = join(...await Array.fromAsync(memberStream(opened, format, archive.table, index)));
      } catch (error) {
        assert(error instanceof ArchiveError, `${format.name} ${qpath}: ${error}`);
      }
      assert((whole === undefined) === (streamed === undefined), `${qpath}: whole and stream disagree`);
      const crc = archive.table.crc(index);
      if (whole && crc !== undefined) assert(crc32(whole) === crc, `${qpath}: wrong bytes`);
    }
  }
}

const seeds: Readonly<Record<string, Uint8Array>> = {
  "Quake PAK": pak([["maps/a.bsp", "abc"], ["b", ""], ["x".repeat(56), "y".repeat(100)], ["..\\c", "c"]]),
  zip: zip([
    { name: "dir/" },
    { name: "a.txt", content: "hello ".repeat(40), method: 8 },
    { name: Uint8Array.of(0x81, 0x2e), content: "stored", centralExtra: join(u16(0x5455, 5), text("\x01"), u32(7)) },
    { name: "../up", content: "up", descriptor: true },
  ], { comment: text("a comment"), junk: text("#!") }),
  "zip with 64-bit fields": zip([
    { name: "a", content: "one" },
    {
      name: "b",
      content: "three",
      size: 0xffffffff,
      packedSize: 0xffffffff,
      centralExtra: join(u16(1, 16), u64(5, 5)),
    },
  ], { zip64: true }),
};

for (const [name, bytes] of Object.entries(seeds)) {
  Deno.test(`no mutant of a ${name} does more than throw an ArchiveError`, async () => {
    const seed = Number(Deno.env.get("PAKFS_MUTATION_SEED") ?? crypto.getRandomValues(new Uint32Array(1))[0]);
    const runs = Number(Deno.env.get("PAKFS_MUTATION_RUNS") ?? 400);
    const below = random(seed);
    await exercise(bytes);
    for (let run = 0; run < runs; run++) {
      const mutant = mutate(bytes, below);
      try {
        await exercise(mutant);
      } catch (error) {
        throw new Error(`PAKFS_MUTATION_SEED=${seed}, mutant ${run}`, { cause: error });
      }
    }
  });
}
