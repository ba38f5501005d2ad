/**
 * Verified large stored members, carried over to later indexes and mounts, so that their bytes are checked only once
 * while their pack is unchanged. Main thread.
 * @module
 */
import { messageOf, methodCode } from "../formats/parts.ts";
import {
  at,
  beyond,
  isDirectorySource,
  isSameIdentity,
  isSettled,
  readVerifiedPacks,
  type Snapshot,
  type Source,
  type VerifiedMember,
  type VerifiedPack,
  writeVerifiedPacks,
} from "../index/mod.ts";
import { inlineLimit } from "./shared/decode_memory.ts";
import { verification } from "./shared/entry_states.ts";
import type { ShownIndex } from "./shown_indexes.ts";

/** Interval of checks for newly verified members; milliseconds. */
const writingPause = 60_000;

/** A shown index, and its members that are worth recording. */
interface Followed {
  readonly index: ShownIndex;
  /** Large stored members of each pack. */
  readonly entries: ReadonlyMap<Source, readonly number[]>;
}

/** Storage of verified members across mounts. */
export interface VerifiedCache {
  readonly directory: string;
  /** Called with a message if stored data are not used, or cannot be written. */
  readonly onProblem: (sentence: string) => void;
}

/** Records verified members of the indexes of one mount. */
export class VerifiedEntries {
  readonly #cache: VerifiedCache | undefined;
  /** Verified packs by path. */
  readonly #packs = new Map<string, VerifiedPack>();
  #followed: Followed | undefined;
  #hasUnwritten = false;
  #hasEnded = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param cache Storage; undefined: only while the mount lives.
   */
  constructor(cache: VerifiedCache | undefined) {
    this.#cache = cache;
  }

  /** Reads the verified members of earlier mounts, and marks them in the shown index. Never fails. */
  async read(): Promise<void> {
    if (!this.#cache) return;
    try {
      for (const pack of (await readVerifiedPacks(this.#cache.directory)).reverse()) this.#packs.set(pack.path, pack);
    } catch (error) {
      this.#cache.onProblem(messageOf(error));
    }
    if (this.#followed) this.#mark(this.#followed);
  }

  /** Starts writing periodically. */
  startWriting(): void {
    if (this.#hasEnded) return;
    this.#timer = setInterval(() => void this.write(), writingPause);
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Adopts another index, before any thread gets it, and marks known members of its packs.
   * @param now Time before any of its members is verified; milliseconds since the epoch.
   */
  follow(index: ShownIndex, now: number = Date.now()): void {
    this.#collect();
    this.#followed = { index, entries: largeEntries(index, now) };
    this.#mark(this.#followed);
  }

  /** Writes the members verified since the last call. Never fails. */
  async write(): Promise<void> {
    this.#collect();
    if (!this.#cache || !this.#hasUnwritten) return;
    this.#hasUnwritten = false;
    try {
      await writeVerifiedPacks(this.#cache.directory, Array.from(this.#packs.values()).reverse());
    } catch (error) {
      this.#cache.onProblem(messageOf(error));
    }
  }

  /** Writes for the last time. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    await this.write();
  }

  /** Marks known members. */
  #mark({ index: { snapshot, states }, entries }: Followed): void {
    for (const [source, large] of entries) {
      const pack = this.#packs.get(source.path);
      if (!pack || !isSameIdentity(pack.identity, source.identity)) continue;
      const members = new Map(pack.members.map((member) => [member.offset, member]));
      for (const entry of large) {
        const member = members.get(at(snapshot.columns.entryOffsets, entry));
        if (!member || !isSameMember(snapshot, entry, member, source)) continue;
        states.dataOffsets[entry] = member.dataOffset;
        // Damage that was found meanwhile is kept.
        Atomics.compareExchange(states.verified, entry, verification.unknown, verification.sound);
      }
    }
  }

  /** Collects newly verified members of the shown index. */
  #collect(): void {
    if (!this.#followed) return;
    const { index: { snapshot, states }, entries } = this.#followed;
    for (const [{ path, identity }, large] of entries) {
      const members = large.filter((entry) => states.soundOffset(entry) > 0).map((entry): VerifiedMember => ({
        offset: at(snapshot.columns.entryOffsets, entry),
        dataOffset: states.soundOffset(entry),
        size: at(snapshot.columns.entrySizes, entry),
        crc32: at(snapshot.columns.entryCrcs, entry),
      }));
      if (members.length === 0) continue;
      const known = this.#packs.get(path);
      const isKnown = known?.members.length === members.length && isSameIdentity(known.identity, identity) &&
        members.every(({ offset }, index) => offset === known.members[index]?.offset);
      if (!isKnown) this.#hasUnwritten = true;
      // After members that were collected before.
      this.#packs.delete(path);
      this.#packs.set(path, { path, identity, members });
    }
  }
}

/**
 * Returns the members worth storing: members of packs whose later changes would show. New members are verified after
 * `now`: if the last change of a pack is settled by then, a change after the verification has another ctime.
 */
function largeEntries({ snapshot, remotes }: ShownIndex, now: number): Map<Source, readonly number[]> {
  const found = new Map<Source, readonly number[]>();
  for (const source of snapshot.sources) {
    const isKept = !isDirectorySource(source) && !source.byteLayout && remotes[source.id] === 0 &&
      isSettled(source.identity, now);
    const large = isKept ? largeEntriesOf(snapshot, source) : [];
    if (large.length > 0) found.set(source, large);
  }
  return found;
}

/** Members by source: indexes share unchanged sources. */
const knownLarge = new WeakMap<Source, readonly number[]>();
const nothing: readonly number[] = [];

function largeEntriesOf(snapshot: Snapshot, source: Source): readonly number[] {
  const known = knownLarge.get(source);
  if (known) return known;
  const { entrySizes, entryMethods, entryCompressedSizes } = snapshot.columns;
  const large: number[] = [];
  for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
    const size = entrySizes[entry] ?? beyond(entrySizes);
    if (size <= inlineLimit) continue;
    const isStored = at(entryMethods, entry) === methodCode.store && at(entryCompressedSizes, entry) === size;
    if (isStored && snapshot.crcOf(entry) !== null) large.push(entry);
  }
  const found = large.length > 0 ? large : nothing;
  knownLarge.set(source, found);
  return found;
}

function isSameMember(snapshot: Snapshot, entry: number, member: VerifiedMember, { identity }: Source): boolean {
  const { entryOffsets, entrySizes } = snapshot.columns;
  return member.offset === at(entryOffsets, entry) && member.size === at(entrySizes, entry) &&
    member.crc32 === snapshot.crcOf(entry) && member.dataOffset >= member.offset &&
    member.dataOffset + member.size <= identity.size && snapshot.columns.entryDamage[entry] === 0;
}
