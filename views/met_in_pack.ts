/**
 * Finds the winner among equal names in a pack like DarkPlaces, which uses a binary search over names sorted without
 * case: `FS_AddFileToPack` and `FS_FindFile` of DarkPlaces' fs.c.
 * @module
 */
import { searched } from "../engines/mod.ts";
import { at, isDirectorySource, ownEntryCount, type Snapshot, type Source } from "../index/mod.ts";
import { damageNames, isTypedWad } from "../formats/parts.ts";

/** Number of compared bytes of a name in a Quake PAK and in a zip (`packfile_t`). */
const comparedBytes = { pak: 55, other: 127 } as const;

const known = new WeakMap<Source, ReadonlySet<number>>();

/** Returns whether the search finds an entry instead of the others with its name in its pack. */
export function isFoundByBinarySearch(snapshot: Snapshot, source: Source, entry: number): boolean {
  if (isDirectorySource(source)) return false;
  // Only lumps that a search finds are listed.
  if (isTypedWad(source.format)) return true;
  const passed = known.getOrInsertComputed(source, () => passedEntries(snapshot, source));
  return !passed.has(entry - source.firstEntry);
}

/** Returns the rows of a source that the search does not find, because it finds another with the same name. */
function passedEntries(snapshot: Snapshot, source: Source): Set<number> {
  const rows = sortedRows(snapshot, source);
  const passed = new Set<number>();
  for (let first = 0; first < rows.length;) {
    let end = first + 1;
    while (rows[end]?.key === rows[first]?.key && end < rows.length) end++;
    if (end - first > 1) {
      const met = searched(rows.length, first, end);
      rows.slice(first, end).forEach(({ row }, index) => first + index === met || passed.add(row));
    }
    first = end;
  }
  return passed;
}

/** Returns the files of a pack in the engine's order: equal names keep the order of the pack. */
function sortedRows(snapshot: Snapshot, source: Source): { readonly key: string; readonly row: number }[] {
  const { entryNodes, entryDamage } = snapshot.columns;
  const compared = source.format === "quake-pak" ? comparedBytes.pak : comparedBytes.other;
  const rows: { key: string; row: number }[] = [];
  for (let row = 0; row < ownEntryCount(source); row++) {
    const entry = source.firstEntry + row;
    if (snapshot.isDirectory(entry) || damageNames[at(entryDamage, entry)] === "encrypted") continue;
    const name = snapshot.rawNameOf(entry) ?? encoder.encode(snapshot.pathOf(at(entryNodes, entry)));
    rows.push({ key: keyOf(name.subarray(0, compared)), row });
  }
  return rows.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : a.row - b.row);
}

const encoder = new TextEncoder();

/** Returns a string that sorts like `strcasecmp`. */
function keyOf(name: Uint8Array): string {
  const nul = name.indexOf(0);
  let key = "";
  for (const byte of nul < 0 ? name : name.subarray(0, nul)) {
    key += String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
  }
  return key;
}
