// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import {
  readVerifiedPacks,
  type VerifiedMember,
  verifiedPacksName,
  writeVerifiedPacks,
} from "../../index/cache/verified_packs.ts";
import { crc32 } from "../../formats/core/crc32.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { verification } from "../../mount/shared/entry_states.ts";
import { ShownIndex } from "../../mount/shown_indexes.ts";
import { VerifiedEntries } from "../../mount/verified_entries.ts";
import { pak, vpk, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { settle } from "../support/settle.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { changeOneByte, pythonJson, until, type Workspace, workspace } from "./mounting.ts";

/** Size and CRC-32 of a file as a program reads it, or the error's name. */
const readWhole = `
import errno, json, sys, zlib
try:
    with open(sys.argv[1], "rb") as file:
        content = file.read()
    print(json.dumps([len(content), zlib.crc32(content)]))
except OSError as error:
    print(json.dumps(errno.errorcode[error.errno]))
`;

const content = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) >>> 7);
// Python's zlib computes the expected CRC-32.
const expected = async () =>
  await pythonJson(
    "import json, zlib; c = bytes((i * i >> 7) & 255 for i in range(300_000)); print(json.dumps([len(c), zlib.crc32(c)]))",
  );

/** A pack with one large stored member, old enough to be trusted. */
async function settledPack(here: Workspace): Promise<string> {
  const pack = `${here.path}/one.pk3`;
  await Deno.writeFile(pack, zip([{ name: "music.ogg", content }]));
  await settle();
  return pack;
}

/** Mounts the pack, reads its member and ends the daemon; returns the result, and the number of verified members. */
async function readOnce(here: Workspace, pack: string): Promise<{ read: unknown; verified: number | undefined }> {
  await here.mount(pack);
  const read = await pythonJson(readWhole, `${here.mountPoint}/music.ogg`);
  const { counters } = await here.status();
  await here.stop();
  return { read, verified: counters?.decoded };
}

Deno.test("a large stored member is verified once, not by every mount", needs("python3"), async () => {
  await using here = await workspace();
  const pack = await settledPack(here);
  const read = await expected();
  assertEquals(await readOnce(here, pack), { read, verified: 1 });
  assertEquals(await readOnce(here, pack), { read, verified: 0 });
});

Deno.test(
  "a pack that changed under its old size and time is verified again, and its damage is EIO",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const pack = await settledPack(here);
    assertEquals(await readOnce(here, pack), { read: await expected(), verified: 1 });
    assertEquals(await changeOneByte(pack), true);
    assertEquals((await readOnce(here, pack)).read, "EIO");
  },
);

Deno.test(
  "a list of verified members that was damaged, or that others may write, is not believed",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const pack = await settledPack(here);
    const read = await expected();
    const caches = `${here.path}/cache`;
    const listed = `${caches}/pakfs/index/${verifiedPacksName}`;
    assertEquals(await readOnce(here, pack), { read, verified: 1 });

    const text = await Deno.readTextFile(listed);
    await Deno.writeTextFile(listed, text.replace('"dataOffset":', '"dataOffset":1'));
    assertEquals(await readOnce(here, pack), { read, verified: 1 });
    assertEquals(await readOnce(here, pack), { read, verified: 0 });

    await Deno.chmod(listed, 0o622);
    assertEquals(await readOnce(here, pack), { read, verified: 1 });
  },
);

Deno.test("members of a pack that changed a moment before are not remembered: it may change again unnoticed", async () => {
  await using directory = await temporaryDirectory();
  const pack = `${directory.path}/one.pk3`;
  await Deno.writeFile(pack, zip([{ name: "music.ogg", content }]));
  const catalog = scanCatalog([{ sources: [pack] }]);
  const changed = catalog.snapshot.sources[0]?.identity.ctime ?? 0;
  const remembered = async (now: number) => {
    const cache = `${directory.path}/cache`;
    const verified = new VerifiedEntries({ directory: cache, onProblem: (sentence) => assertEquals(sentence, "") });
    const index = new ShownIndex(0, catalog, []);
    verified.follow(index, now);
    index.states.setSound(0, 39);
    await verified.write();
    return (await readVerifiedPacks(cache)).flatMap(({ members }) => members);
  };
  assertEquals(await remembered(changed + 20), []);
  assertEquals((await remembered(changed + 5000)).map(({ dataOffset, size }) => [dataOffset, size]), [[39, 300_000]]);
});

Deno.test("a record is believed if it is of this very member and its bytes lie in the file, up to its last byte", async () => {
  await using directory = await temporaryDirectory();
  const cache = `${directory.path}/cache`;
  const letters = "letters ".repeat(40_000);
  const size = letters.length;
  for (const trailing of [0, 1]) {
    const path = `${directory.path}/one${trailing}.vpk`;
    await Deno.writeFile(
      path,
      vpk([{ path: "a.txt", content: letters, part: 0x7fff, offset: 0 }], letters + "x".repeat(trailing)),
    );
    const catalog = scanCatalog([{ sources: [path] }]);
    const identity = catalog.snapshot.sources[0]?.identity;
    assert(identity);
    const offset = identity.size - size - trailing;
    const right: VerifiedMember = { offset, dataOffset: offset, size, crc32: crc32(new TextEncoder().encode(letters)) };
    const believed = async (change: Partial<VerifiedMember>, changedIdentity: Partial<typeof identity> = {}) => {
      const member = { ...right, ...change };
      await writeVerifiedPacks(cache, [{ path, identity: { ...identity, ...changedIdentity }, members: [member] }]);
      const verified = new VerifiedEntries({ directory: cache, onProblem: (sentence) => assertEquals(sentence, "") });
      const index = new ShownIndex(0, catalog, []);
      verified.follow(index, identity.ctime + 5000);
      await verified.read();
      return index.states.soundOffset(0) === member.dataOffset;
    };
    assertEquals(await believed({}), true, `${trailing} bytes after the member`);
    // A header before the data may be of any length, as far as the file goes.
    assertEquals(await believed({ dataOffset: offset + trailing }), true);
    assertEquals(await believed({ dataOffset: offset + trailing + 1 }), false);
    assertEquals(await believed({ dataOffset: offset - 1 }), false);
    for (const field of ["offset", "size", "crc32"] as const) {
      for (const more of [-1, 1]) {
        assertEquals(await believed({ [field]: right[field] + more }), false, `${field} ${more}`);
      }
    }
    for (const field of ["inode", "size", "mtime", "ctime"] as const) {
      // Deno asks for whole seconds of the ctime.
      const change = field === "ctime" ? 1000 : 1;
      assertEquals(await believed({}, { [field]: identity[field] + change }), false, field);
    }
  }
});

Deno.test("of random mounts and refreshes each knows what was verified of packs that are as they were, and nothing else", async () => {
  await using directory = await temporaryDirectory();
  const game = `${directory.path}/game`;
  const cache = { directory: `${directory.path}/cache`, onProblem: (sentence: string) => assertEquals(sentence, "") };
  const chance = numbersFrom(seed);
  const limit = 64 * 1024;
  const members = [
    { name: "first.ogg", length: limit + 1, method: 0, isLarge: true },
    { name: "second.ogg", length: 70_000, method: 0, isLarge: true },
    { name: "small.ogg", length: limit, method: 0, isLarge: false },
    { name: "packed.ogg", length: 70_000, method: 8, isLarge: false },
  ];
  const isLarge = new Map(members.map(({ name, isLarge }) => [name, isLarge]));
  const packs = ["a.pk3", "b.pk3", "c.pk3"];
  const put = async (name: string) => {
    const letter = String.fromCharCode(97 + chance(26));
    const packed = members.map(({ name, length, method }) => ({ name, content: letter.repeat(length), method }));
    await writeFiles(directory.path, { new: zip(packed) });
    await Deno.rename(`${directory.path}/new`, `${game}/${name}`);
  };
  await writeFiles(game, {
    "loose.ogg": "l".repeat(70_000),
    // PAKs have no checksums.
    "d.pak": pak([["plain.ogg", "p".repeat(70_000)]]),
  });
  for (const name of packs) await put(name);
  /** Verified members by pack: the pack's file, and their names. */
  type Known = Map<string, { readonly file: string; readonly names: ReadonlySet<string> }>;
  let written: Known = new Map();
  const counted = { kept: 0, changed: 0, lost: 0, remote: 0 };
  for (let mount = 0; mount < 40; mount++) {
    const verified = new VerifiedEntries(cache);
    let known: Known = new Map();
    let catalog = scan(game, { profile: "generic" });
    let { snapshot } = catalog;
    let { states, remotes } = new ShownIndex(0, catalog, []);
    let sound = new Set<number>();
    const packOf = (entry: number) => {
      const { id, path, identity } = snapshot.sourceOf(entry);
      return { path, file: JSON.stringify(identity), isRemote: remotes[id] !== 0, isPack: path.endsWith(".pk3") };
    };
    const entries = () => Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
    const isRemembered = (entry: number) =>
      isLarge.get(snapshot.memberOf(entry)) === true && packOf(entry).isPack && !packOf(entry).isRemote;
    const mark = () => {
      for (const entry of entries().filter(isRemembered)) {
        const { path, file } = packOf(entry);
        const pack = known.get(path);
        if (pack?.file === file && pack.names.has(snapshot.memberOf(entry))) sound.add(entry);
        else if (pack?.names.has(snapshot.memberOf(entry))) counted.changed++;
      }
    };
    const collect = () => {
      const byPack = Map.groupBy(
        entries().filter((entry) => isRemembered(entry) && sound.has(entry)),
        (entry) => packOf(entry).path,
      );
      for (const [path, own] of byPack) {
        const names = new Set(own.map((entry) => snapshot.memberOf(entry)));
        known.set(path, { file: packOf(own[0] ?? 0).file, names });
      }
    };
    const follow = () => {
      const index = new ShownIndex(0, catalog, []);
      ({ states, remotes } = index);
      for (const { id, path } of snapshot.sources) {
        if (!path.endsWith("b.pk3") || chance(3) > 0) continue;
        remotes[id] = 1;
        counted.remote++;
      }
      sound = new Set();
      verified.follow(index, Date.now() + 3_600_000);
      mark();
    };
    const check = () => {
      const found = entries().filter((entry) => states.soundOffset(entry) > 0);
      assertEquals(new Set(found), sound, `mount ${mount}, PAKFS_SEED=${seed}`);
      counted.kept += found.length;
    };
    follow();
    await verified.read();
    known = new Map(written);
    mark();
    check();
    for (let step = chance(6); step > 0; step--) {
      const kind = chance(4);
      if (kind === 0) {
        await put(packs[chance(packs.length)] ?? "");
        collect();
        catalog = scan(game, { profile: "generic" });
        snapshot = catalog.snapshot;
        follow();
      } else if (kind === 1) {
        await verified.write();
        collect();
        written = new Map(known);
      } else {
        const entry = chance(snapshot.entryCount);
        if (kind === 2 && chance(4) === 0) {
          states.verified[entry] = verification.damaged;
          sound.delete(entry);
        } else {
          states.setSound(entry, (snapshot.columns.entryOffsets[entry] ?? 0) + 40);
          sound.add(entry);
        }
      }
      check();
    }
    // A killed mount has already written its names.
    if (chance(3) === 0) counted.lost++;
    else {
      await verified.end();
      collect();
      written = new Map(known);
    }
    const files = new Map((await readVerifiedPacks(cache.directory)).map(({ path, members }) => [path, members]));
    for (const [path, { names }] of written) assertEquals(files.get(path)?.length, names.size, `${path} in ${mount}`);
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 5, `${count} ${kind}`);
});

Deno.test("what was verified is written once a minute until the mount ends", async () => {
  await using directory = await temporaryDirectory();
  const pack = `${directory.path}/one.pk3`;
  await Deno.writeFile(pack, zip([{ name: "music.ogg", content }]));
  const index = new ShownIndex(0, scanCatalog([{ sources: [pack] }]), []);
  const cache = `${directory.path}/cache`;
  const verified = new VerifiedEntries({ directory: cache, onProblem: (sentence) => assertEquals(sentence, "") });
  verified.follow(index, Date.now() + 3_600_000);
  const { setInterval, clearInterval } = globalThis;
  const timers = new Map<number, () => void>();
  Object.assign(globalThis, {
    setInterval: (call: () => void, pause: number) => timers.set(pause, call).size,
    clearInterval: (timer: number | undefined) => timer === 1 && timers.clear(),
  });
  try {
    verified.startWriting();
    index.states.setSound(0, 39);
    timers.get(60_000)?.();
    await until("it is written", async () => (await readVerifiedPacks(cache)).length > 0);
    // Without new names nothing is written.
    await Deno.remove(cache, { recursive: true });
    await verified.end();
    assertEquals([await readVerifiedPacks(cache), timers.size], [[], 0]);
    verified.startWriting();
    assertEquals(timers.size, 0, "it has ended");
  } finally {
    Object.assign(globalThis, { setInterval, clearInterval });
  }
});
