/**
 * Describes why listed members cannot be read.
 * @module
 */
import { grouped } from "./grouped.ts";
import { elementAt } from "./cursor.ts";
import { type Damage, damageNames, type EntryTable, methodNames } from "./entry_table.ts";
import { foreignMethod } from "./zip_methods.ts";

/** Details of a damaged member for its message. Sizes and offsets in bytes. */
export interface DamageDetails {
  /** Display path of the member. */
  readonly member: string;
  /** Offset of its record in the archive. */
  readonly offset?: number | undefined;
  /** Compressed size. */
  readonly packedSize?: number | bigint | undefined;
  /** Decompressed size. */
  readonly size?: number | bigint | undefined;
  /** Zip's number of the compression method, for `unsupported-method`. */
  readonly methodNumber?: number | undefined;
}

function count(value: number | bigint | undefined): string {
  if (value === undefined) return "an unknown number of";
  // Larger numbers are rounded, so the message gives a bound.
  const isExact = typeof value === "bigint" || value <= Number.MAX_SAFE_INTEGER;
  return isExact ? grouped(value) : `more than ${grouped(Number.MAX_SAFE_INTEGER)}`;
}

/**
 * Describes in one sentence why a member cannot be read. Empty for `none`.
 */
export function damageSentence(damage: Damage, details: DamageDetails): string {
  const { member, offset, packedSize, size } = details;
  switch (damage) {
    case "none":
      return "";
    case "past-end":
      return `${member}: its data (${count(packedSize)} bytes at byte ${count(offset)}) reaches past the end; ` +
        "this file cannot be read, the others can";
    case "encrypted":
      return `${member} is encrypted`;
    case "unsupported-method": {
      if (details.methodNumber === undefined) return `${member} uses an unknown compression`;
      const { name, readers } = foreignMethod(details.methodNumber);
      return `${member} uses ${name}, which is not read here; ${readers}`;
    }
    case "overlap":
      return `${member}: its data at byte ${count(offset)} is claimed by another member or the table as well; ` +
        "the archive is damaged or a zip bomb, so this file is not read";
    case "bad-local-header":
      return `${member}: the header before its data, at byte ${count(offset)}, does not belong to it`;
    case "too-large":
      return `${member} claims to decompress to ${count(size)} bytes from ${
        count(packedSize)
      }, which is impossible; not read`;
    case "bad-name":
      return `${member} has a name that cannot be shown`;
    case "size-mismatch":
      return `${member} is stored without compression, but its compressed size of ${count(packedSize)} bytes differs ` +
        `from its size of ${count(size)}`;
    case "missing-part":
      return `${member}: its data lies in a part of the archive that is missing; the others can be read`;
    case "unreadable":
      return `${member}: its data are damaged or cut short; this file cannot be read`;
    case "missing-target":
      return `${member} is a link to a file that the archive does not hold`;
    case "unknown-size":
      return `${member}: the archive does not give its size, and its data (${count(packedSize)} bytes at byte ` +
        `${count(offset)}) cannot be decompressed to learn it: they are damaged or far too large`;
  }
}

/** Returns the message for member `index` of `table`, or `undefined` if the member is valid. */
export function memberDamage(table: EntryTable, index: number): string | undefined {
  const damage = elementAt(damageNames, elementAt(table.damage, index));
  if (damage === "none") return undefined;
  return damageSentence(damage, {
    member: table.path(index),
    offset: table.offsets[index],
    packedSize: table.compressedSizes[index],
    size: table.sizes[index],
    ...table.exactSizes.get(index),
    methodNumber: elementAt(methodNames, elementAt(table.methods, index)) === "unsupported"
      ? table.foreignMethods.get(index)
      : undefined,
  });
}
