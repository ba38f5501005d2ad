// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Mutants of every format's seeds: reading any bytes may fail only with a typed error. A few
 * hundred mutants per seed in every run; `deno task fuzz` makes 20,000. A failure names the seed of its random numbers:
 * `PAKFS_SEED` repeats it, `PAKFS_MUTATION_RUNS` says how many.
 * @module
 */
import { assert } from "@std/assert";
import { crc32 } from "node:zlib";
import { codecs } from "../../formats/codecs/codecs.ts";
import { joinFiles } from "../../formats/joined_reader.ts";
import { memberStream, readMember } from "../../formats/member.ts";
import {
  Archive,
  ArchiveError,
  type ArchiveFormat,
  type ByteReader,
  MemoryReader,
  openArchive,
} from "../../formats/mod.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import { join } from "./bytes.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { compareOutcomes } from "../support/outcomes.ts";
import { mutate, nestedSeed } from "./mutants.ts";
import { seeds } from "./seeds.ts";

/** Counts reads: a reader that loops, or trusts a number for its memory, reads too much. */
class CountedReader extends MemoryReader {
  bytesRead = 0;
  reads = 0;

  override read(offset: number, length: number): Uint8Array {
    this.bytesRead += length;
    this.reads++;
    return super.read(offset, length);
  }
}

/** Listing reads headers and tables at most a few times, and no reader makes more reads than the file has bytes. */
function requireModest(source: CountedReader): void {
  assert(source.bytesRead <= 16 * source.size + 1024 * 1024, `${source.bytesRead} bytes of ${source.size} were read`);
  assert(source.reads <= source.size + 100, `${source.reads} reads of ${source.size} bytes`);
}

/** Returns the result of an action, or `undefined` for an {@linkcode ArchiveError}; any other error fails the test. */
async function attempt<T>(what: string, action: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    assert(error instanceof ArchiveError, `${what}: ${Deno.inspect(error)}`);
    assert(error.message.length < 4096, `${what}: a message of ${error.message.length} characters`);
    return undefined;
  }
}

async function exerciseMember(archive: Archive, source: ByteReader, index: number): Promise<void> {
  const { format, table } = archive;
  const { qpath, size, packedSize, method, damaged } = archive.row(index);
  const what = `${format.name} ${qpath}`;
  assert(!/(^|\/)(\.\.?)?(\/|$)/.test(qpath), JSON.stringify(qpath));
  if (damaged === undefined) {
    assert(size <= packedSize * codecs[method].maxRatio, `${what}: ${size} bytes cannot come of ${packedSize}`);
    assert(packedSize <= source.size, `${what}: ${packedSize} compressed bytes in ${source.size}`);
  }
  const whole = await attempt(what, () => readMember(source, format, table, index));
  const streamed = await attempt(
    what,
    async () => join(...await Array.fromAsync(memberStream(source, format, table, index))),
  );
  assert((whole === undefined) === (streamed === undefined), `${what} (${method}): whole and stream disagree`);
  if (!whole || !streamed) return;
  assert(damaged === undefined, `${what} was read although it is marked: ${damaged}`);
  assert(whole.length === size && streamed.length === size, `${what}: a wrong number of bytes`);
  assert(whole.every((byte, position) => byte === streamed[position]), `${what}: whole and stream differ`);
  const crc = table.crc(index);
  if (crc !== undefined) assert(crc32(whole) === crc, `${what}: wrong bytes`);
}

/** Reads all of `bytes`, as `format` and as their detected format. */
async function exercise(bytes: Uint8Array, format: ArchiveFormat): Promise<void> {
  const detected = detectFormat(new MemoryReader(bytes));
  for (const tried of new Set([format, detected ?? format])) {
    const source = new CountedReader(bytes, "mutant");
    const table = await attempt(tried.name, () => tried.read(source));
    requireModest(source);
    if (table) await exerciseMembers(new Archive(joinFiles(source, tried, table), tried, table));
  }
  const nested = await attempt(format.name, () => openArchive(new MemoryReader(bytes, "mutant"), { nested: true }));
  if (nested && nested.table.nested.length > 0) await exerciseMembers(nested);
}

async function exerciseMembers(archive: Archive): Promise<void> {
  for (let index = 0; index < archive.table.length; index++) {
    if (!archive.table.isDirectory(index)) await exerciseMember(archive, archive.source, index);
  }
}

/** Maximum milliseconds of a mutant in a fuzz run; exceeding it twice in a row fails. */
const longestMutant = 1000;
const isFuzzRun = Deno.env.has("PAKFS_MUTATION_RUNS");
/** Maximum memory of the process after a fuzz run of one seed, in bytes. */
const maxMemory = 2 * 1024 ** 3;

async function timed(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Returns everything that a reader reports of an archive and its members. */
async function outcome(bytes: Uint8Array, format: ArchiveFormat): Promise<unknown[]> {
  const source = new MemoryReader(bytes, "/mutant");
  const found: unknown[] = [detectFormat(source)?.name];
  const table = format.read(source);
  const archive = new Archive(joinFiles(source, format, table), format, table);
  for (let index = 0; index < table.length; index++) {
    found.push(archive.row(index), table.crc(index));
    if (table.isDirectory(index)) continue;
    found.push(await Promise.try(readMember, archive.source, format, table, index).catch((error: Error) => error));
  }
  return found;
}

for (const [number, { title, format: name, bytes }] of seeds.entries()) {
  Deno.test(`what is read of ${title}, and of damaged archives like it, is what it was`, async () => {
    const format = formatNamed(name);
    assert(format);
    const list = new URL("./outcomes.txt", import.meta.url);
    await compareOutcomes(list, `${number + 1}, ${title}`, bytes, (mutant) => outcome(mutant, format));
  });
}

for (const { title, format: name, bytes } of [...seeds, nestedSeed]) {
  Deno.test(`no mutant of ${title} does more than throw an ArchiveError`, async () => {
    const format = formatNamed(name);
    assert(format);
    // Archives in archives take twenty times as many reads as any other seed.
    const runs = Number(Deno.env.get("PAKFS_MUTATION_RUNS") ?? (title === nestedSeed.title ? 15 : 300));
    const below = numbersFrom(seed);
    await exercise(bytes, format);
    for (let run = 0; run < runs; run++) {
      const mutant = mutate(bytes, below);
      try {
        const slow = await timed(() => exercise(mutant, format)) > longestMutant;
        if (isFuzzRun && slow && await timed(() => exercise(mutant, format)) > longestMutant) {
          throw new Error("takes more than a second");
        }
      } catch (error) {
        throw new Error(`PAKFS_SEED=${seed}, mutant ${run} of ${title}`, { cause: error });
      }
    }
    if (isFuzzRun) assert(Deno.memoryUsage().rss < maxMemory, `${Deno.memoryUsage().rss} bytes of memory`);
  });
}
