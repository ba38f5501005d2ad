/**
 * What can be told to be wrong with a member from its record alone, before any of its data is read.
 * @module
 */
import { codecs } from "../codecs/codecs.ts";
import { damageCode, type EntryFields, type Method, methodCode, methodNames } from "../core/entry_table.ts";
import { maxDecompressedSize } from "../core/limits.ts";

const maxRatios = methodNames.map((method: Method) => codecs[method].maxRatio);

/**
 * Code of the damage of a member whose sizes cannot be true under its method, whatever its data; else of `none`.
 */
export function sizeDamage({ packedSize, size, method }: EntryFields): number {
  const ratio = maxRatios[method] ?? 0;
  if (method === methodCode.unsupported) return damageCode["unsupported-method"];
  if (ratio === 1) return size === packedSize ? damageCode.none : damageCode["size-mismatch"];
  return size > packedSize * ratio || size > maxDecompressedSize ? damageCode["too-large"] : damageCode.none;
}

/** Code of the damage of a member whose data do not lie within the archive, or that {@linkcode sizeDamage} finds. */
export function recordDamage(fields: EntryFields, archiveSize: number): number {
  return fields.offset + fields.packedSize > archiveSize ? damageCode["past-end"] : sizeDamage(fields);
}
