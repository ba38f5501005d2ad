/**
 * Dragon Nest paks laid out by hand, with every peculiarity of real ones.
 * @module
 */
import { join, padded, text, u32 } from "./bytes.ts";

/** A record of a Dragon Nest pak, its integers in their order. */
export function dragonNestRecord(name: Uint8Array, ...integers: readonly number[]): Uint8Array {
  return join(padded(name, 256), u32(...integers), new Uint8Array(44));
}

/** A member as it is to be laid out. */
export interface DragonNestMember {
  readonly name: Uint8Array | string;
  /** Bytes in the pak. */
  readonly data: Uint8Array;
  /** Decompressed size in the record. */
  readonly size: number;
  /** Offset of the data in the record; default: the true one. */
  readonly offset?: number;
  /** Old bytes after the data, which count as allocated. */
  readonly padding?: Uint8Array;
  /** Puts the decompressed size first. */
  readonly swapped?: boolean;
}

/** Further parts of a pak. */
export interface DragonNestLayout {
  /** Offset of the data. */
  readonly start?: number;
  /** Bytes between the data and the records. */
  readonly gap?: number;
  /** Bytes after the records. */
  readonly tail?: Uint8Array;
}

/** A Dragon Nest pak of `members`. */
export function dragonNestPak(members: readonly DragonNestMember[], layout: DragonNestLayout = {}): Uint8Array {
  const start = layout.start ?? 1024;
  let position = start;
  const records = members.map(({ name, data, size, offset, padding, swapped }) => {
    const allocated = data.length + (padding?.length ?? 0);
    const sizes = swapped === true ? [size, data.length] : [data.length, size];
    const field = typeof name === "string" ? text(name) : name;
    const record = dragonNestRecord(field, ...sizes, allocated, offset ?? position);
    position += allocated;
    return record;
  });
  const header = join(
    padded(text("EyedentityGames Packing File 0.1"), 256),
    u32(0x0b, members.length, position + (layout.gap ?? 0)),
    new Uint8Array(756),
  );
  return join(
    header.subarray(0, start),
    ...members.flatMap(({ data, padding }) => [data, padding ?? new Uint8Array()]),
    new Uint8Array(layout.gap ?? 0),
    ...records,
    layout.tail ?? new Uint8Array(),
  );
}
