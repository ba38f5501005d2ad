// deno-lint-ignore-file no-await-in-loop -- one queue after the other
/** Reads passed to the thread of a remote file system: each is answered once, with the bytes of its index. */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { FileCalls } from "../../system/file_calls.ts";
import { Counters, createCounterBuffer } from "../../mount/shared/counters.ts";
import { createDecodeBuffers, DecodeMemory, slotCount } from "../../mount/shared/decode_memory.ts";
import { IndexVersions } from "../../mount/shared/index_versions.ts";
import { createRequestQueueBuffer, noConvertedNode, RequestQueue } from "../../mount/shared/request_queue.ts";
import type { IndexVersion } from "../../mount/shared/thread_messages.ts";
import { ShownIndex } from "../../mount/shown_indexes.ts";
import { ClaimedRequest } from "../../mount/remote/claimed_request.ts";
import { failWaiting } from "../../mount/session/handed_requests.ts";
import { MemberCache } from "../../mount/session/member_cache.ts";
import { type RemoteParts, remoteParts, serveReads } from "../../mount/remote/remote_reads.ts";
import type { Catalog } from "../../views/catalog.ts";
import { pak, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { replierOf } from "../support/replier.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Bytes that differ at each offset, by name and index. */
function content(name: string, number: number, size: number): Uint8Array<ArrayBuffer> {
  const lines = Array.from(
    { length: Math.ceil(size / 8) },
    (_, line) => `${line}${name}${number}`.padStart(8).slice(-8),
  );
  return new TextEncoder().encode(lines.join("")).slice(0, size);
}

const sizes = [3, 5000, 70_000, 300_000];

/** Writes files whose bytes identify their index; files called "same" are the same in all. */
async function write(root: string, number: number): Promise<void> {
  const members = sizes.flatMap((size) =>
    [0, 8].map((method) => ({ name: `${method}-${size}`, content: content("m", number, size), method }))
  );
  await writeFiles(root, {
    "packed.pk3": zip([...members, { name: "damaged", content: content("d", number, 90_000), method: 8, crc: 1 }]),
    "plain.pak": pak([["plain", content("p", number, 100_000)]]),
    "loose.dat": content("l", number, 90_000 + number),
    "outer.pk3": zip([{ name: "inner.zip", content: zip(members), method: 8 }]),
  });
  if (number === 3) {
    await writeFiles(root, {
      "same.dat": content("s", 0, 80_000),
      "same.pk3": zip([{ name: "same", content: content("s", 0, 80_000), method: 8 }]),
    });
  }
}

/** Bytes of an entry in an index, by its number; null: it is damaged, undefined: not compared. */
function bytesOf({ snapshot }: Catalog, entry: number, number: number): Uint8Array | null | undefined {
  const name = snapshot.memberOf(entry);
  if (name === "damaged") return null;
  if (name.startsWith("same") && name !== "same.pk3") return content("s", 0, 80_000);
  if (name === "plain") return content("p", number, 100_000);
  if (name === "loose.dat") return content("l", number, 90_000 + number);
  const size = /^(?:inner\.zip\.d\/)?\d-(\d+)$/.exec(name)?.[1];
  return size === undefined ? undefined : content("m", number, Number(size));
}

Deno.test("reads of any index are answered once with its bytes, or fail; interrupted ones are answered by no other", async () => {
  await using directory = await temporaryDirectory();
  const chance = numbersFrom(seed);
  const catalogs = new Map<number, Catalog>();
  for (const number of [3, 4]) {
    await write(`${directory.path}/game`, number);
    catalogs.set(number, scan(`${directory.path}/game`, { profile: "generic", nested: true }));
  }
  const versionOf = (number: number): IndexVersion | undefined => {
    const catalog = catalogs.get(number);
    return catalog && new ShownIndex(number, catalog, []).version;
  };
  const first = versionOf(4);
  assert(first);
  const counted = { right: 0, changed: 0, damaged: 0, unknown: 0, interrupted: 0 };
  for (let round = 0; round < 12; round++) {
    const queue = new RequestQueue(createRequestQueueBuffer());
    const asked = new Map<bigint, { readonly number: number; readonly entry: number; offset: number; size: number }>();
    const answered = (address: bigint) => {
      const request = asked.get(address);
      assert(request && asked.delete(address), "a request is answered twice");
      if (asked.size === 0) queue.tidy(5);
      return request;
    };
    const mayInterrupt = () => {
      if (chance(5) > 0) return;
      const waiting = queue.waiting();
      const unique = waiting[chance(waiting.length)]?.unique;
      failWaiting(
        queue,
        {
          error: (address) => {
            counted.interrupted++;
            answered(address);
          },
        },
        Errno.EINTR,
        (one) => one.unique === unique,
      );
    };
    const replier = replierOf({
      error: (address, errno) => {
        assert(queue.isAnswering);
        const { number, entry } = answered(address);
        assertEquals(errno, Errno.EIO);
        const catalog = catalogs.get(number);
        if (!catalog) counted.unknown++;
        else if (bytesOf(catalog, entry, number) === null) counted.damaged++;
        else {
          assert(number === 3, "a sound file of the index cannot be read");
          counted.changed++;
        }
        mayInterrupt();
      },
      buffer: (address, given) => {
        assert(queue.isAnswering);
        const { number, entry, offset, size } = answered(address);
        const catalog = catalogs.get(number);
        assert(catalog, "an index that is not known has answered");
        const bytes = bytesOf(catalog, entry, number);
        assert(bytes !== null, "damaged bytes");
        if (bytes) {
          assertEquals(
            given,
            bytes.subarray(offset, offset + size),
            `${catalog.snapshot.memberOf(entry)} of ${number}`,
          );
        }
        counted.right++;
        mayInterrupt();
      },
    });
    using library = new FileCalls();
    using hand = new ClaimedRequest(queue, replier);
    const memory = new DecodeMemory(createDecodeBuffers(256 * 1024));
    using slots = new MemberCache(memory, (descriptor) => library.close(descriptor), 2 ** 20);
    const tools = {
      memory,
      library,
      replier: hand,
      counters: new Counters(createCounterBuffer(1), 0),
      report: () => {},
      spillDirectory: directory.path,
    };
    using versions = new IndexVersions<RemoteParts>(first, {
      make: (version) => remoteParts(tools, slots, version),
      drop: ({ content }) => content[Symbol.dispose](),
      ask: (number) => Promise.resolve(versionOf(number)),
    });
    for (let unique = 1; unique <= 60; unique++) {
      const number = [2, 3, 4, 4, 4][chance(5)] ?? 0;
      const { snapshot } = catalogs.get(number) ?? { snapshot: first.catalog.snapshot };
      const entry = chance(snapshot.columns.entrySources.length);
      const length = snapshot.columns.entrySizes[entry] ?? 0;
      const [offset, size] = [chance(2) * chance(length), 1 + chance(100_000)];
      const address = BigInt(round * 1000 + unique);
      asked.set(address, { number, entry, offset, size });
      const about = { process: 1, version: number, entry, offset, size, ...noConvertedNode };
      assert(queue.put({ address, unique: BigInt(unique), ...about }));
    }
    let oldest = 0;
    await serveReads(queue, {
      of: (number) => versions.of(number),
      forgetBefore: (number) => {
        oldest = number;
        versions.forgetBefore(number);
        queue.stop();
      },
    }, hand);
    for (let slot = 0; slot < slotCount; slot++) assert(memory.isIdle(slot), "a slot is never given back");
    assertEquals([asked.size, queue.waiting().length, oldest], [0, 0, 5]);
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 10, `${count} ${kind}`);
});
