/**
 * Limits of written formats. Each writer checks them before it reads the first content, as far as sizes are known, and
 * again while it writes.
 * @module
 */
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry } from "../core/format.ts";
import { grouped } from "../core/grouped.ts";
import { maxDeflateRatio, maxEntryCount } from "../core/limits.ts";

/** Limits of a format. */
interface WriteLimits {
  /** Name for messages. */
  readonly title: string;
  /** Maximum bytes of the archive, and of a file in it. */
  readonly maxBytes: number;
  /** The maximum as text. */
  readonly maxTitle: string;
  /** Bytes of the header. */
  readonly header: number;
  /** Bytes of a file's record in the table. */
  readonly record: number;
}

/** Limits by the name of the format. */
const limits = {
  // Engines read offsets and lengths as signed 32-bit integers.
  "quake-pak": { title: "a Quake PAK", maxBytes: 2 ** 31 - 1, maxTitle: "2 GiB", header: 12, record: 64 },
  wad: { title: "a WAD", maxBytes: 2 ** 31 - 1, maxTitle: "2 GiB", header: 12, record: 16 },
  "dragonnest-pak": { title: "a Dragon Nest pak", maxBytes: 2 ** 32 - 1, maxTitle: "4 GiB", header: 1024, record: 316 },
  "hashed-pack": { title: "a hashed pack", maxBytes: 2 ** 32 - 1, maxTitle: "4 GiB", header: 8, record: 16 },
  zip: { title: "a zip", maxBytes: Number.MAX_SAFE_INTEGER, maxTitle: "8 PiB", header: 22, record: 46 },
} as const satisfies Readonly<Record<string, WriteLimits>>;

/** Remaining space of a written archive. */
export class ArchiveRoom {
  readonly #limits: WriteLimits;
  readonly #archive: string;
  /** Bytes of the header, the table and the files so far. */
  #used: number;

  /**
   * @param archive Path of the archive, for messages.
   * @throws {UnwritableError} if the archive would have more files than are read.
   */
  constructor(format: keyof typeof limits, count: number, archive: string) {
    this.#limits = limits[format];
    this.#archive = archive;
    this.#used = this.#limits.header + count * this.#limits.record;
    if (count <= maxEntryCount) return;
    throw new UnwritableError(
      `it would have ${grouped(count)} files; archives of more than ${grouped(maxEntryCount)} are not read`,
      { path: archive, expected: maxEntryCount, actual: count },
    );
  }

  /**
   * Subtracts the size of a file.
   * @throws {UnwritableError} if there is not enough space.
   */
  take({ path: member }: Pick<WriteEntry, "path">, size: number, packedSize: number = size): void {
    const { title, maxBytes, maxTitle } = this.#limits;
    this.#used += packedSize;
    const actual = Math.max(this.#used, size);
    if (actual <= maxBytes) return;
    throw new UnwritableError(
      `${member} would reach past ${maxTitle}, the maximum of ${title}; leave it out or write a pk3`,
      { path: this.#archive, member, expected: maxBytes, actual },
    );
  }
}

/**
 * Checks entries against the limits of a format, as far as their sizes are known.
 * @param isStored Whether contents are stored; otherwise the maximum compression is assumed.
 * @throws {UnwritableError} if they cannot fit.
 */
export function requireRoom(
  format: keyof typeof limits,
  entries: readonly WriteEntry[],
  archive: string,
  isStored: boolean,
): void {
  const room = new ArchiveRoom(format, entries.length, archive);
  for (const entry of entries) {
    const { size = 0 } = entry;
    room.take(entry, size, isStored ? size : Math.ceil(size / maxDeflateRatio));
  }
}
