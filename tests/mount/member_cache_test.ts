/** The cache of decompressed members under random schedules, compared with the rules for memory that others read. */
import { assert, assertEquals } from "@std/assert";
import { type IndexedEntry, MemberCache } from "../../mount/session/member_cache.ts";
import { createDecodeBuffers, DecodeMemory, slotKind, slotStatus } from "../../mount/shared/decode_memory.ts";
import { numbersFrom, seed } from "../support/chance.ts";

const ring = 4096;
const spillLimit = 5000;
/** Files at most. */
const maxSpilled = 4;

/** A member with a slot. */
interface Member {
  readonly entry: IndexedEntry;
  readonly slot: number;
  readonly kind: number;
  readonly length: number;
  readonly archive: number;
  state: "working" | "answering" | "ready" | "failed";
  /** Its file. */
  result: number;
}

Deno.test("members stay until others need their room, what is in use is not overwritten, and files are closed once", () => {
  const chance = numbersFrom(seed);
  const memory = new DecodeMemory(createDecodeBuffers(ring));
  const open = new Set<number>();
  const closeFile = (file: number) => assert(open.delete(file), `${file} was not open`);
  const cache = new MemberCache(memory, closeFile, spillLimit, maxSpilled);
  let members: Member[] = [];
  let nextFile = 0;
  const counted = { wraps: 0, full: 0, evicted: 0, again: 0, tooMany: 0 };
  const isBusy = ({ state }: Member) => state === "working" || state === "answering";
  const rangeOf = ({ slot, length }: Member) => [memory.start(slot), memory.start(slot) + length] as const;
  const inRing = () => members.filter(({ kind }) => kind === slotKind.memory);
  const isFound = ({ entry, slot }: Member) => cache.slotOf(entry) === slot;
  const filesIn = (some: readonly Member[]) => some.filter(({ kind }) => kind === slotKind.file);
  const bytesIn = (some: readonly Member[]) => some.reduce((sum, { length }) => sum + length, 0);
  const some = <Item>(items: readonly Item[]) => items[chance(items.length)];

  const allocate = (kind: number, entry: IndexedEntry, length: number) => {
    const archive = chance(9);
    const before = members;
    const newest = inRing().at(-1);
    const slot = kind === slotKind.memory
      ? cache.allocateInRing(entry, length, archive)
      : cache.allocateOutside(entry, length, archive, kind);
    if (slot < 0) {
      assert(kind === slotKind.memory && (length > ring || inRing().some(isBusy)), "there was room");
      counted.full++;
      members = members.filter((one) => one.kind !== slotKind.memory || isBusy(one) || isFound(one));
      return;
    }
    assert(!before.some((one) => one.slot === slot && isBusy(one)), "a slot in use is given away");
    const added: Member = { entry, slot, kind, length, archive, state: "working", result: -1 };
    assertEquals([memory.entry(slot), memory.version(slot), memory.fileDescriptor(slot), memory.kind(slot)], [
      entry.entry,
      entry.version,
      archive,
      kind,
    ]);
    const [start, end] = rangeOf(added);
    assert(kind !== slotKind.memory || (start % 64 === 0 && end <= ring));
    const isWrap = kind === slotKind.memory && start === 0 && newest !== undefined;
    if (isWrap) counted.wraps++;
    members = [
      ...before.filter((one) => {
        if (one.kind !== slotKind.memory || kind !== slotKind.memory) return isBusy(one) || isFound(one);
        const [from, to] = rangeOf(one);
        const overlaps = from < Math.ceil(length / 64) * 64 + start && to > start;
        assert(!overlaps || !isBusy(one), "memory in use is given away");
        if (overlaps) assert(!isFound(one), "a member is found whose memory is another's");
        // Members after the end of the newest one leave when the ring restarts.
        const mayLeave = overlaps || one.state === "failed" || (isWrap && newest && from >= memory.start(newest.slot));
        if (!mayLeave) assert(isFound(one), "a member has left although its room is free");
        return !overlaps && isFound(one);
      }),
      added,
    ];
    if (kind === slotKind.memory) return;
    const left = filesIn(before).filter((one) => !members.includes(one) && one.state === "ready");
    counted.evicted += left.length;
    const bytes = bytesIn(filesIn(members));
    const isFile = kind === slotKind.file;
    const count = filesIn(members).length;
    const isWithin = bytes <= spillLimit && count <= maxSpilled;
    if (isFile) assert(isWithin || filesIn(members).every(isBusy), `${bytes} bytes in ${count} files`);
    const last = left.at(-1);
    const hasRoom = last && bytes + last.length <= spillLimit && count < maxSpilled;
    assert(!hasRoom, "a file has left although it has room");
    if (last && bytes + last.length <= spillLimit) counted.tooMany++;
  };

  for (let step = 0; step < 30_000; step++) {
    const kind = chance(8);
    const entry = { version: chance(2), entry: chance(60), ...(chance(2) === 0 ? { segment: chance(3) } : {}) };
    if (kind < 4) {
      const known = members.find(isFound) && cache.slotOf(entry);
      const slot = known ?? cache.slotOf(entry);
      const isKnown = slot >= 0;
      // Members with different versions, entries or segments differ.
      if (isKnown) assertEquals(members.find((one) => one.slot === slot)?.entry, entry, `step ${step}`);
      members = members.filter((one) => isBusy(one) || isFound(one));
      if (isKnown) counted.again++;
      else if (kind < 3) allocate(slotKind.memory, entry, 1 + chance(chance(40) === 0 ? 2 * ring : 700));
      else allocate(chance(3) === 0 ? slotKind.verify : slotKind.file, entry, 1 + chance(2500));
    } else if (kind < 6) {
      const member = some(members.filter(({ state }) => state === "working"));
      if (!member) continue;
      const isReady = chance(4) > 0;
      if (isReady && member.kind === slotKind.file) open.add(member.result = nextFile++);
      memory.publish(member.slot, isReady ? slotStatus.ready : slotStatus.failed, member.result);
      member.state = "answering";
    } else {
      const member = some(members.filter(({ state }) => state === "answering"));
      if (!member) continue;
      memory.release(member.slot);
      member.state = memory.status(member.slot) === slotStatus.ready ? "ready" : "failed";
      // One that has failed is tried again.
      if (member.state === "failed") assertEquals(cache.slotOf(member.entry), -1);
    }
    members = members.filter((one) => isBusy(one) || isFound(one));
    const text = `step ${step}, PAKFS_SEED=${seed}`;
    assertEquals(new Set(members.map(({ slot }) => slot)).size, members.length, text);
    for (const member of members) {
      assert(isFound(member), text);
      if (member.result >= 0) {
        assertEquals([memory.result(member.slot), open.has(member.result)], [member.result, true]);
      }
    }
    assertEquals(
      open.size,
      members.filter(({ result }) => result >= 0).length,
      `files of no member are open in ${text}`,
    );
    const archive = chance(9);
    assertEquals(cache.isBusy(archive), members.some((one) => isBusy(one) && one.archive === archive), text);
    const version = chance(3);
    assertEquals(
      cache.isWorkingFor(version),
      members.some((one) => isBusy(one) && one.entry.version === version),
      text,
    );
  }
  for (const [name, count] of Object.entries(counted)) assert(count > 50, `${count} ${name}`);
  cache[Symbol.dispose]();
  assertEquals(open.size, 0);
  cache[Symbol.dispose]();
});
