// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import {
  readVerifiedPacks,
  type VerifiedMember,
  verifiedPacksName,
  writeVerifiedPacks,
} from "../../index/cache/verified_packs.ts";
import { crc32 } from "../../formats/core/crc32.ts";
import { scanGames } from "../../index/scan/scanner.ts";
import { createEntryBuffers, EntryStates } from "../../mount/shared/entry_states.ts";
import { VerifiedEntries } from "../../mount/verified_entries.ts";
import { vpk, zip } from "../formats/bytes.ts";
import { settle } from "../support/settle.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { changeOneByte, pythonJson, type Workspace, workspace } from "./mounting.ts";

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
// Python's own zlib computed it.
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

/** Mounts the pack, reads its member and ends the daemon; returns what was read, and how many members were verified. */
async function readOnce(here: Workspace, pack: string): Promise<{ read: unknown; verified: number | undefined }> {
  await here.mount(pack);
  const read = await pythonJson(readWhole, `${here.mountPoint}/music.ogg`);
  const { counters } = await here.status();
  await here.stop();
  return { read, verified: counters?.decoded };
}

Deno.test("a large stored member is verified once, not by every mount", async () => {
  await using here = await workspace();
  const pack = await settledPack(here);
  const read = await expected();
  assertEquals(await readOnce(here, pack), { read, verified: 1 });
  assertEquals(await readOnce(here, pack), { read, verified: 0 });
});

Deno.test("a pack that changed under its old size and time is verified again, and its damage is EIO", async () => {
  await using here = await workspace();
  const pack = await settledPack(here);
  assertEquals(await readOnce(here, pack), { read: await expected(), verified: 1 });
  assertEquals(await changeOneByte(pack), true);
  assertEquals((await readOnce(here, pack)).read, "EIO");
});

Deno.test("a list of verified members that was damaged, or that others may write, is not believed", async () => {
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
});

Deno.test("members of a pack that changed a moment before are not remembered: it may change again unnoticed", async () => {
  await using directory = await temporaryDirectory();
  const pack = `${directory.path}/one.pk3`;
  await Deno.writeFile(pack, zip([{ name: "music.ogg", content }]));
  const { snapshot } = await scanGames([{ sources: [pack] }]);
  const changed = snapshot.sources[0]?.identity.ctime ?? 0;
  const remembered = async (now: number) => {
    const cache = `${directory.path}/cache`;
    const verified = new VerifiedEntries({ directory: cache, onProblem: (sentence) => assertEquals(sentence, "") });
    const entries = createEntryBuffers(snapshot.entryCount);
    verified.follow(snapshot, { entries, remotes: new SharedArrayBuffer(snapshot.sources.length) }, now);
    new EntryStates(entries).setSound(0, 39);
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
  for (const behind of [0, 1]) {
    const path = `${directory.path}/one${behind}.vpk`;
    await Deno.writeFile(
      path,
      vpk([{ path: "a.txt", content: letters, part: 0x7fff, offset: 0 }], letters + "x".repeat(behind)),
    );
    const { snapshot } = scanGames([{ sources: [path] }]);
    const identity = snapshot.sources[0]?.identity;
    assert(identity);
    const offset = identity.size - size - behind;
    const right: VerifiedMember = { offset, dataOffset: offset, size, crc32: crc32(new TextEncoder().encode(letters)) };
    const believed = async (change: Partial<VerifiedMember>, changedIdentity: Partial<typeof identity> = {}) => {
      const member = { ...right, ...change };
      await writeVerifiedPacks(cache, [{ path, identity: { ...identity, ...changedIdentity }, members: [member] }]);
      const verified = new VerifiedEntries({ directory: cache, onProblem: (sentence) => assertEquals(sentence, "") });
      const entries = createEntryBuffers(snapshot.entryCount);
      const remotes = new SharedArrayBuffer(snapshot.sources.length);
      verified.follow(snapshot, { entries, remotes }, identity.ctime + 5000);
      await verified.read();
      return new EntryStates(entries).soundOffset(0) === member.dataOffset;
    };
    assertEquals(await believed({}), true, `${behind} bytes behind the member`);
    // A header in front of the data may be of any length, as far as the file goes.
    assertEquals(await believed({ dataOffset: offset + behind }), true);
    assertEquals(await believed({ dataOffset: offset + behind + 1 }), false);
    assertEquals(await believed({ dataOffset: offset - 1 }), false);
    for (const field of ["offset", "size", "crc32"] as const) {
      for (const more of [-1, 1]) {
        assertEquals(await believed({ [field]: right[field] + more }), false, `${field} ${more}`);
      }
    }
    for (const field of ["inode", "size", "mtime", "ctime"] as const) {
      assertEquals(await believed({}, { [field]: identity[field] + 1 }), false, field);
    }
  }
});
