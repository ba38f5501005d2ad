/**
 * Packs and files of an index that the limits of an engine exclude.
 * @module
 */
import type { EngineLimit } from "../engines/mod.ts";
import { at, type Game, ownEntryCount, type Snapshot, type Source } from "../index/mod.ts";

/** Returns the bytes of an entry's name as spelled in its archive. */
function memberNameBytes(snapshot: Snapshot, entry: number): number {
  const { entryRawNames, rawNameStarts, entryNodes } = snapshot.columns;
  const raw = at(entryRawNames, entry);
  if (raw !== 0) return at(rawNameStarts, raw) - at(rawNameStarts, raw - 1);
  return pathBytes(snapshot, at(entryNodes, entry));
}

/** Returns the bytes of a node's path. */
export function pathBytes(snapshot: Snapshot, node: number): number {
  const { nodeParents, nodeNames, nameStarts } = snapshot.columns;
  let bytes = -1;
  for (let step = node; step !== 0; step = at(nodeParents, step)) {
    const name = at(nodeNames, step);
    bytes += 1 + at(nameStarts, name + 1) - at(nameStarts, name);
  }
  return Math.max(0, bytes);
}

/** Returns the amount of an entry that counts towards a limit; 0 if the limit does not apply. */
export function entryMeasure(snapshot: Snapshot, { kind }: EngineLimit, source: Source, entry: number): number {
  if (kind === "pack-name") return source.format === "quake-pak" ? memberNameBytes(snapshot, entry) : 0;
  if (kind === "path-name") return pathBytes(snapshot, at(snapshot.columns.entryNodes, entry));
  return 0;
}

/**
 * Returns the number of files that a pack holds beyond a limit of the engine, with its consequence, as a clause; null if
 * it is within the limits.
 * @param isStrict Whether only limits count beyond which the engine refuses the pack.
 */
export function excessFiles({ profile }: Game, source: Source, isStrict: boolean): string | null {
  const count = ownEntryCount(source);
  const limit = source.format !== "quake-pak"
    ? undefined
    : profile.limits.find(({ kind, most, refuses }) =>
      kind === "pack-files" && (!isStrict || refuses === "pack") && count > most
    );
  return limit ? `holds ${count} files; with more than ${limit.most} ${profile.engine} ${limit.then}` : null;
}

/** Returns the reason why a strict engine would not load a pack, as a clause, or null. */
export function packRefusal(game: Game, source: Source): string | null {
  const excess = game.strict ? excessFiles(game, source, true) : null;
  return excess === null ? null : `${source.name} ${excess}`;
}

/** Returns the reason why a strict engine would not find a file, as a clause, or null. */
export function fileRefusal(game: Game, snapshot: Snapshot, source: Source, entry: number): string | null {
  if (!game.strict) return null;
  for (const limit of game.profile.limits) {
    if (limit.refuses !== "file") continue;
    const bytes = entryMeasure(snapshot, limit, source, entry);
    if (bytes > limit.most) {
      return `its name has ${bytes} bytes; with more than ${limit.most} ${game.profile.engine} ${limit.then}`;
    }
  }
  return null;
}
