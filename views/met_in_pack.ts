/**
 * DarkPlaces finds one of several equal names in a pack by binary search over names sorted without case:
 * `FS_AddFileToPack` and `FS_FindFile` of DarkPlaces' fs.c.
 * @module
 */
import { searched } from "../engines/mod.ts";
import { at, isDirectorySource, ownEntryCount, type Snapshot, type Source } from "../index/mod.ts";
import { damageNames, isTypedWad } from "../formats/parts.ts";

/** Bytes of a name in a Quake PAK and in a zip that are compared (`packfile_t`). */
const comparedBytes = { pak: 55, other: 127 } as const;

const known = new WeakMap<Source, ReadonlySet<number>>();

/** Returns whether the search finds an entry rather than the others of its name in its pack. */
export function isFoundByBinarySearch(snapshot: Snapshot, source: Source, entry: number): boolean {
  if (isDirectorySource(source)) return false;
  // Of lumps only those are listed that a search finds.
  if (isTypedWad(source.format)) return true;
  let passed = known.get(source);
  if (!passed) {
    passed = passedEntries(snapshot, source);
    known.set(source, passed);
  }
  return !passed.has(entry - source.firstEntry);
}

/** Returns the rows of a source that the search does not find, because it finds another of their name. */
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

/** Returns the files of a pack as the engine sorts them: equal names stay in the order of the pack. */
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

/** Returns a string that sorts as `strcasecmp` orders names. */
function keyOf(name: Uint8Array): string {
  const nul = name.indexOf(0);
  let key = "";
  for (const byte of nul < 0 ? name : name.subarray(0, nul)) {
    key += String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
  }
  return key;
}
