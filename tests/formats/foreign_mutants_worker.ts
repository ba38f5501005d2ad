/**
 * A process that decompresses mutants of the samples in memory: `foreign_mutants_worker.ts SEED RUNS`. A crash of the
 * library ends only this process, not the tests.
 * @module
 */
import { crc32 } from "node:zlib";
import { Libarchive, type UnpackedFormat } from "../../formats/unpacking/libarchive.ts";
import { unpack, UnpackError } from "../../formats/unpacking/unpack.ts";
import { numbersFrom } from "../support/chance.ts";
import { sampleFiles, samples } from "./foreign_samples.ts";
import { MemoryOutput } from "./memory_output.ts";
import { mutate } from "./mutants.ts";

/** Maximum decompressed bytes of a mutant. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum milliseconds for one mutant on a busy machine. */
const longest = 2000;
/** Maximum growth of the process, in bytes. */
const maxGrowth = 512 * 1024 * 1024;

/** Formats with checksums of contents. */
const checked: ReadonlySet<string> = new Set(["7z", "rar", "lha"]);

function isEqual(bytes: Uint8Array, content: string): boolean {
  return bytes.every((byte, index) => byte === content.charCodeAt(index));
}

const [seed = "1", runs = "1"] = Deno.args;
const below = numbersFrom(Number(seed));
using library = Libarchive.open();
if (!library) throw new Error("libarchive is missing");
const counts = { listed: 0, damaged: 0, refused: 0 };
const before = Deno.memoryUsage().rss;
for (const [format, bytes] of samples) {
  for (let run = 0; run < Number(runs); run++) {
    const mutant = Uint8Array.from(mutate(bytes, below));
    const output = new MemoryOutput();
    const start = performance.now();
    try {
      const { entries, dataSize, warnings } = unpack(library, format as UnpackedFormat, mutant, output, { maxBytes });
      for (const [name, offset, size, crc, , isDirectory, damage] of entries) {
        if (isDirectory || damage !== "none") continue;
        const content = output.bytes(offset, size);
        const original = checked.has(format) ? sampleFiles[name] : undefined;
        const isChanged = original !== undefined && original.length === size && !isEqual(content, original);
        if (offset + size > dataSize || crc32(content) !== crc || isChanged) throw new Error(`wrong bytes of ${name}`);
      }
      counts[warnings.length > 0 || entries.some(([, , , , , , damage]) => damage !== "none") ? "damaged" : "listed"]++;
    } catch (error) {
      if (!(error instanceof UnpackError)) throw new Error(`mutant ${run} of ${format}`, { cause: error });
      counts.refused++;
    }
    const time = performance.now() - start;
    if (time > longest) throw new Error(`mutant ${run} of ${format} takes ${time} ms`);
  }
}
const growth = Deno.memoryUsage().rss - before;
if (growth > maxGrowth) throw new Error(`${growth} bytes more memory`);
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(counts)));
