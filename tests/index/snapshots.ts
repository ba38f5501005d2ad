/**
 * Snapshots made of lists instead of archives.
 * @module
 */
import { damageCode, entryIsDirectory, EntryTable } from "../../formats/core/entry_table.ts";
import { SnapshotBuilder } from "../../index/columns/snapshot_builder.ts";
import type { Snapshot } from "../../index/columns/snapshot.ts";
import type { SourceDescription } from "../../index/columns/source.ts";
import type { ModelEntry } from "./model.ts";

/** A table with these members; an entry's size is its number plus one, so that none is empty. */
export function tableOf(entries: readonly ModelEntry[]): EntryTable {
  const table = new EntryTable();
  for (const [index, { path, isDirectory, isDamaged, offset = 0 }] of entries.entries()) {
    table.add(new TextEncoder().encode(path), {
      offset,
      packedSize: index + 1,
      size: index + 1,
      mtime: 0,
      crc32: 0,
      method: 0,
      flags: isDirectory ? entryIsDirectory : 0,
      damage: isDamaged ? damageCode["past-end"] : damageCode.none,
    });
  }
  return table;
}

/** A pack named after its number, with arbitrary other fields. */
export function description(changes: Partial<SourceDescription> = {}): SourceDescription {
  return {
    game: 0,
    gameDirectory: "base",
    rootIndex: 0,
    kind: "pack",
    format: "zip",
    path: "/game/base/pak0.pk3",
    name: "pak0.pk3",
    folder: "",
    group: 0,
    order: 0,
    ignored: null,
    byteLayout: null,
    identity: { device: 0, inode: 0, size: 0, mtime: 0, ctime: 0 },
    failure: null,
    readAt: 0,
    recovery: null,
    ...changes,
  };
}

/** A snapshot with one pack for each list. */
export function snapshotOf(sources: readonly (readonly ModelEntry[])[]): Snapshot {
  const builder = new SnapshotBuilder();
  for (const entries of sources) builder.addSource(description(), tableOf(entries));
  return builder.finish();
}
