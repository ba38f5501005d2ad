// deno-lint-ignore-file no-await-in-loop -- one request after the other
/** A converter without a kernel, under random requests, compared with converting each file alone. */
import { assert, assertEquals } from "@std/assert";
import { Errno, type NodeAttributes } from "deno-fuse-ffi";
import type { Surroundings } from "../../media/convert/converter.ts";
import { convertersOf } from "../../media/convert/table.ts";
import { ConvertedIndex, ConverterThread, serveConversions } from "../../mount/converting/converter_thread.ts";
import { ClaimedRequest } from "../../mount/remote/claimed_request.ts";
import { InputNotes } from "../../mount/shared/conversions.ts";
import { createCounterBuffer, readCounters } from "../../mount/shared/counters.ts";
import { IndexVersions } from "../../mount/shared/index_versions.ts";
import {
  attributesWanted,
  createInputNotes,
  createRequestQueueBuffer,
  RequestQueue,
} from "../../mount/shared/request_queue.ts";
import { ShownIndex } from "../../mount/shown_indexes.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { u32, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { mdl, testPalette } from "../media/handmade.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { replierOf } from "../support/replier.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const year = 365 * 24 * 3600;
const umask = 0o227;

/** A picture of Quake. */
function lmp(width: number, height: number, colour: number): Uint8Array {
  return new Uint8Array([...u32(width, height), ...new Uint8Array(width * height).fill(colour)]);
}

const files: Readonly<Record<string, Uint8Array>> = {
  "gfx/palette.lmp": testPalette(),
  "gfx/a.lmp": lmp(40, 30, 7),
  "gfx/b.lmp": lmp(300, 200, 9),
  "gfx/short.lmp": lmp(100, 100, 1).subarray(0, 5000),
  "gfx/pop.lmp": new TextEncoder().encode("xy"),
  "gfx/empty.lmp": new Uint8Array(0),
  "gfx/wrong.lmp": lmp(20, 20, 3),
  "progs/player.mdl": mdl(),
  "progs/cut.mdl": mdl().subarray(0, 90),
};
/** A member whose content does not match its checksum in the pack. */
const damaged = "gfx/wrong.lmp";
const loose = "gfx/loose.lmp";
const all: Readonly<Record<string, Uint8Array>> = { ...files, [loose]: lmp(10, 10, 4) };

/** Returns a file's conversion by the table; null if it fails. Adds the requested files to `inputs`. */
async function resultOf(qpath: string, inputs: string[]): Promise<Uint8Array | null> {
  const file = (path: string) => {
    if (!inputs.includes(path)) inputs.push(path);
    return Promise.resolve(all[path] && { qpath: path, bytes: all[path] });
  };
  const surroundings: Surroundings = { file, image: file, shader: () => Promise.resolve(undefined) };
  const bytes = all[qpath];
  if (!bytes || qpath === damaged) return null;
  return await convertersOf(qpath)[0]?.convert({ qpath, bytes }, surroundings).catch(() => null) ?? null;
}

type Given = { errno: number } | { bytes: Uint8Array } | { size: number; timeout: number; mode: number; kind: string };

Deno.test("each request is answered once with what converting the file alone gives, which is done once while it is kept", async () => {
  await using directory = await temporaryDirectory();
  const game = `${directory.path}/quake`;
  const packed = Object.entries(files).map(([name, content]) => ({
    name,
    content,
    method: 8,
    ...(name === damaged ? { crc: 5 } : {}),
  }));
  await writeFiles(game, { "id1/pak0.pk3": zip(packed), [`id1/${loose}`]: all[loose] ?? "" });
  const catalog = scanCatalog([{ name: "q", profile: "darkplaces", sources: [game] }]);
  const { snapshot } = catalog;
  const view = catalog.views.findIndex(({ name }) => name === "q/id1");
  const { tree } = catalog.views[view] ?? catalog.view();
  const failures = new SharedArrayBuffer(4 * snapshot.sources.length);
  const versionOf = (number: number) => ({ ...new ShownIndex(number, catalog, []).version, failures });
  const chance = numbersFrom(seed);
  const results = new Map<string, Uint8Array | null>();
  const inputs = new Map<string, string[]>();
  for (const qpath of Object.keys(all)) {
    const own: string[] = [];
    results.set(qpath, await resultOf(qpath, own));
    inputs.set(qpath, own);
  }
  assertEquals(inputs.get(loose), ["gfx/palette.lmp"]);
  const beginning = { bytes: results.get(loose)?.subarray(0, 10) ?? new Uint8Array(0) };
  assertEquals(Array.from(results).filter(([, bytes]) => bytes === null).map(([qpath]) => qpath).sort(), [
    "gfx/empty.lmp",
    "gfx/pop.lmp",
    "gfx/short.lmp",
    damaged,
    "progs/cut.mdl",
  ]);
  // Memory has space for all results, for few, and for one at a time.
  for (const [cacheBytes, spillLimit] of [[2 ** 24, 2 ** 24], [4000, 3000], [0, 0]] as const) {
    const buffer = createRequestQueueBuffer();
    const queue = new RequestQueue(buffer);
    const inputNotes = createInputNotes();
    const notes = new InputNotes(inputNotes);
    const counters = createCounterBuffer(3);
    const given: Given[] = [];
    const noted = new Map<string, string[]>();
    const give = (answer: Given) => {
      // Dependencies of a result are known before it is returned.
      for (const { high, low, paths } of notes.take()) noted.set(`${high} ${low}`, paths.split("\0"));
      given.push(answer);
    };
    const described = (kind: string, attributes: NodeAttributes) => {
      const { size, entryTimeout: timeout, mode, nodeHigh, nodeLow, generation } = attributes;
      assertEquals([nodeHigh, nodeLow, generation], [asked?.high, asked?.low, 56]);
      give({ size, timeout, mode, kind });
    };
    const replier = replierOf({
      error: (_address, errno) => give({ errno }),
      buffer: (_address, bytes) => give({ bytes: bytes.slice() }),
      entry: (_address, attributes) => described("entry", attributes),
      attributes: (_address, attributes) => described("attributes", attributes),
    });
    const reports: string[] = [];
    using library = new FileCalls();
    using hand = new ClaimedRequest(queue, replier);
    const files = { spillDirectory: directory.path, convertedDirectory: undefined };
    const start = {
      cacheBytes,
      spillLimit,
      ...files,
      umask,
      generation: 56,
      counters,
      thread: 2,
      inputNotes,
      queue: buffer,
    };
    using thread = new ConverterThread(
      start,
      library,
      hand,
      (message, source) => reports.push(`${source}: ${message}`),
    );
    const dropped: number[] = [];
    let paletteReads = 0;
    using versions = new IndexVersions<ConvertedIndex>(versionOf(4), {
      make: (version) => {
        const index = new ConvertedIndex(version);
        const { content } = index;
        const { read } = content;
        content.read = (...parameters) => {
          if (snapshot.memberOf(parameters[0]) === "gfx/palette.lmp") paletteReads++;
          return read.apply(content, parameters);
        };
        return index;
      },
      drop: ({ content, catalog }) => {
        dropped.push(catalog.views.length);
        void content[Symbol.asyncDispose]();
      },
      ask: (number) => Promise.resolve(number < 3 ? undefined : versionOf(number)),
    });
    let asked: { readonly high: number; readonly low: number } | undefined;
    let unique = 0n;
    /** Makes one request and waits for its answer. */
    const ask = async (
      qpath: string,
      { offset = 0, size, version = 4, high = 2 ** 31 + 7, oldest }: {
        offset?: number;
        size: number;
        version?: number;
        high?: number;
        oldest?: number;
      },
    ): Promise<Given> => {
      const index = tree.find(qpath);
      const [entry = 0, node = 0] = [tree.entries[index], tree.nodes[index]];
      asked = { high, low: node };
      unique++;
      assert(
        queue.put({ address: unique, unique, process: 1, version, entry, offset, size, view, node, high, low: node }),
      );
      const before = given.length;
      await serveConversions(
        queue,
        {
          of: (number) => {
            if (oldest === undefined) queue.stop();
            else queue.tidy(oldest);
            return versions.of(number);
          },
          forgetBefore: (number) => {
            versions.forgetBefore(number);
            queue.stop();
          },
        },
        hand,
        thread,
      );
      new Int32Array(buffer)[1] = 0;
      assert(!queue.isStopping);
      assertEquals([given.length, queue.waiting().length], [before + 1, 0], "a request is answered once");
      return given.at(-1) ?? { errno: 0 };
    };
    const convertedCount = () => readCounters(counters).converted;
    const qpaths = Object.keys(all);
    let failedReads = 0;
    let seenBytes = 0;
    let reads = 0;
    for (let round = 0; round < 300; round++) {
      const qpath = qpaths[chance(qpaths.length)] ?? "";
      const bytes = results.get(qpath) ?? null;
      const original = all[qpath]?.length ?? 0;
      const text = `${qpath} in round ${round} with ${cacheBytes} bytes, PAKFS_SEED=${seed}`;
      const kind = chance(4);
      const before = convertedCount();
      if (kind === 0) {
        const offset = chance((bytes?.length ?? original) + 5);
        const size = 1 + chance(2000);
        const answer = await ask(qpath, { offset, size });
        if (bytes) {
          const expected = bytes.subarray(offset, offset + size);
          assertEquals(answer, { bytes: expected }, text);
          seenBytes += expected.length;
          reads++;
        } else {
          assertEquals(answer, { errno: Errno.EIO }, text);
          failedReads++;
        }
      } else {
        const wanted =
          ([attributesWanted.ofNode, attributesWanted.ofName, attributesWanted.ofForgottenName] as const)[kind - 1] ??
            -1;
        const answer = await ask(qpath, { size: wanted });
        if (!bytes && original === 0) {
          // The kernel would not read an empty file.
          assertEquals(answer, { errno: Errno.EIO }, text);
          failedReads++;
        } else {
          assertEquals(answer, {
            size: bytes?.length ?? original,
            timeout: wanted === attributesWanted.ofForgottenName ? 0 : year,
            mode: 0o100000 | (0o666 & ~umask),
            kind: wanted === attributesWanted.ofNode ? "attributes" : "entry",
          }, text);
        }
      }
      assert(convertedCount() <= before + 1);
    }
    // The palette is read for its size, for its own conversion, and once for all other conversions.
    if (cacheBytes > 5000) assert(paletteReads <= 3, `${paletteReads} reads of the palette`);
    const counts = readCounters(counters);
    assertEquals([counts.reads, counts.bytes, counts.failedReads], [reads, seenBytes, failedReads]);
    assertEquals(new Uint32Array(failures).reduce((sum, count) => sum + count), failedReads);
    new Uint32Array(failures).fill(0);
    const good = Array.from(results.values()).filter((bytes) => bytes !== null).length;
    if (cacheBytes > 5000) assertEquals(convertedCount(), good, "each is converted once");
    else assert(convertedCount() > good * 3);
    for (const qpath of qpaths.filter((one) => results.get(one))) {
      const low = tree.nodes[tree.find(qpath)];
      assertEquals(noted.get(`${2 ** 31 + 7} ${low}`), inputs.get(qpath), qpath);
    }
    const lasting = reports.map((report) => report.replace(/ cannot be converted: .*/, ""));
    assert(
      lasting.every((report) => report.startsWith(`${game}/id1/pak0.pk3: ${game}/id1/pak0.pk3: `)),
      lasting.join("\n"),
    );
    if (cacheBytes > 5000) assertEquals(new Set(lasting).size, lasting.length, "each is reported once");

    // A file that is unreadable now may be readable later; a released index answers no request.
    const fresh = { high: 5, size: 10 };
    await Deno.rename(`${game}/id1`, `${game}/away`);
    assertEquals(await ask(loose, fresh), { errno: Errno.EIO });
    assertEquals(await ask(loose, { ...fresh, size: attributesWanted.ofName }), { errno: Errno.EIO });
    assert(reports.at(-1)?.includes("changed or deleted"));
    await Deno.rename(`${game}/away`, `${game}/id1`);
    assertEquals(await ask(loose, fresh), beginning);
    assertEquals(await ask(loose, { ...fresh, version: 2 }), { errno: Errno.EIO });
    assertEquals(await ask(loose, { ...fresh, version: 3, high: 6 }), beginning);
    assertEquals(dropped.length, 0);
    const last = { ...fresh, version: 5, high: 7, oldest: 5 };
    assertEquals(await ask(loose, last), beginning);
    assertEquals(dropped.length, 2);
    new Uint32Array(failures).fill(0);
  }
});
