/** Large members, decompressed with a few megabytes of memory. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { ArchiveError } from "../../formats/core/errors.ts";
import { MemberDecoder } from "../../mount/decoding/member_decoder.ts";
import { MemoryWindows, windowBytes } from "../../system/memory_windows.ts";
import { join, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { content, FailingLibrary } from "./content_model.ts";

const chance = numbersFrom(seed);
const noise = new Uint32Array(20 * windowBytes / 4).map(() => chance(2 ** 32));
const mixed = join(
  new Uint8Array(noise.buffer, 0, 3 * windowBytes + 5),
  new Uint8Array(9 * windowBytes),
  content("text", 4 * windowBytes),
  new Uint8Array(noise.buffer, 0, 2 * windowBytes),
);
const members: Record<string, { content: Uint8Array; level: number }> = {
  "stored blocks": { content: new Uint8Array(noise.buffer), level: 0 },
  zeros: { content: new Uint8Array(48 * windowBytes + 1), level: 1 },
  mixed: { content: mixed, level: 1 },
  "larger zeros": { content: new Uint8Array(65 * windowBytes), level: 1 },
};

/** Runs `body` with a decoder, its library, and a function that spills a member by name. */
async function withDecoder(
  names: readonly string[],
  body: (library: FailingLibrary, spill: (name: string) => Promise<number>, stop: () => void) => Promise<void>,
): Promise<void> {
  await using directory = await temporaryDirectory();
  const files = names.flatMap((name) => {
    const { content, level } = members[name] ?? { content: new Uint8Array(0), level: 0 };
    const compressed = new Uint8Array(deflateRawSync(content, { level }));
    const damaged = compressed.slice();
    damaged.fill(0x55, damaged.length * 0.7, damaged.length * 0.7 + 9);
    return [{ name, content, method: 8, compressed }, {
      name: `damaged ${name}`,
      content,
      method: 8,
      compressed: damaged,
    }];
  });
  await writeFiles(`${directory.path}/game`, { "a.pk3": zip(files) });
  const { snapshot } = scan(`${directory.path}/game`, { profile: "generic" });
  using library = new FailingLibrary();
  let isStopping = false;
  using decoder = new MemberDecoder(snapshot, library, () => isStopping);
  const pack = library.openForReading(`${directory.path}/game/a.pk3`);
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  const spill = (name: string) =>
    decoder.spill(entries.find((entry) => snapshot.memberOf(entry) === name) ?? -1, pack, directory.path);
  await body(library, spill, () => isStopping = true);
  assertEquals([...library.open], [pack], "all other files are closed");
  library.close(pack);
}

for (const name of ["stored blocks", "zeros", "mixed"]) {
  Deno.test(`a large member is decompressed into a file a part at a time: ${name}`, () =>
    withDecoder([name], async (library, spill) => {
      const file = await spill(name);
      const expected = members[name]?.content ?? new Uint8Array(0);
      const actual = new Uint8Array(expected.length + 1);
      assertEquals(library.readFully(file, actual, 0), expected.length);
      assert(expected.every((byte, index) => byte === actual[index]), "other bytes");
      library.close(file);
      await assertRejects(() => spill(`damaged ${name}`), ArchiveError);
    }));
}

Deno.test("a large member takes few megabytes of memory while it is decompressed", () =>
  withDecoder(["zeros"], async (library, spill) => {
    using windows = new MemoryWindows(true);
    if (!windows.isLimited) return; // this kernel lets no program wait for page faults
    const peak = () => Number(/^VmHWM:\s+(\d+)/m.exec(library.readText("/proc/self/status"))?.[1]) * 1024;
    await Deno.writeTextFile("/proc/self/clear_refs", "5");
    const before = peak();
    library.close(await spill("zeros"));
    assert(peak() - before < 24 * windowBytes, `${peak() - before} bytes`);
  }));

Deno.test("without a way to wait for page faults no large member is in memory as a whole", () =>
  withDecoder(["larger zeros", "mixed"], async (library, spill) => {
    const { prototype } = MemoryWindows;
    const isLimited = Object.getOwnPropertyDescriptor(prototype, "isLimited") ?? {};
    const { reserve } = prototype;
    let reserved = 0;
    try {
      // As in containers whose rules for system calls forbid userfaultfd(2).
      Object.defineProperty(prototype, "isLimited", { get: () => false, configurable: true });
      prototype.reserve = function (size, use) {
        reserved += size;
        return reserve.call(this, size, use);
      };
      for (const [name, isWhole] of [["mixed", true], ["larger zeros", false]] as const) {
        reserved = 0;
        // deno-lint-ignore no-await-in-loop -- one after the other
        const file = await spill(name);
        const size = members[name]?.content.length ?? 0;
        const last = new Uint8Array(2);
        assertEquals([library.readFully(file, last, size - 1), reserved > 0], [1, isWhole], name);
        library.close(file);
      }
    } finally {
      Object.defineProperty(prototype, "isLimited", isLimited);
      prototype.reserve = reserve;
    }
  }));

Deno.test("decompressing a large member ends early where reading or writing fails, or the mount ends", () =>
  withDecoder(["mixed"], async (library, spill, stop) => {
    const { readAt, writeAt } = library;
    for (const isReading of [true, false]) {
      for (const after of [1, 5]) {
        let calls = 0;
        if (isReading) library.readAt = (...call) => ++calls > after ? -5 : readAt.apply(library, call);
        else library.writeAt = (...call) => ++calls <= after && writeAt.apply(library, call);
        // deno-lint-ignore no-await-in-loop -- one after the other
        await assertRejects(() => spill("mixed"), Error, isReading ? "EIO" : "is the disk full?");
        assert(calls > after);
        Object.assign(library, { readAt, writeAt });
      }
    }
    library.close(await spill("mixed"));
    stop();
    await assertRejects(() => spill("mixed"), Error, "the mount is ending");
  }));
