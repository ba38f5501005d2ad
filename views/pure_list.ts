/**
 * Pure lists: the packs that a pure server allows, in its order. Quake III's engines identify packs by a checksum of
 * their members; users also by name.
 * @module
 */
import { type Game, isDirectorySource, packChecksum, type Snapshot, type Source } from "../index/mod.ts";
import { checksumOf } from "./view_settings.ts";

/** One word of a pure list, and its pack. */
export interface PureListItem {
  /** The word: a checksum, or a pack's name with or without its extension and game directory. */
  readonly word: string;
  /** The requested checksum, signed; null for a name without a pack. */
  readonly checksum: number | null;
  /** The pack, or null if it is missing. */
  readonly source: Source | null;
}

/** A pure list, resolved against the packs of a game. */
export interface PureList {
  readonly items: readonly PureListItem[];
  /** Returns the index of a pack on the list; `Infinity` if it is not listed, or is another copy of a listed pack. */
  position(source: Source): number;
  /** Whether a pack is on the list: any pack with a checksum of the list is. */
  lists(source: Source): boolean;
}

/**
 * Finds the packs of a list. Among packs with the same checksum it uses the one in the first game directory and highest
 * root, as in `FS_ReorderPurePaks` of ioquake3's code/qcommon/files.c; the others are allowed too. With a setting of
 * the profile, all copies share one position.
 * @param gameDirectories Game directories of the view, the first searched first.
 */
export function resolvePureList(
  snapshot: Snapshot,
  game: Game,
  words: readonly string[],
  gameDirectories: readonly string[],
): PureList {
  const rank = (source: Source) => {
    const index = gameDirectories.indexOf(source.gameDirectory);
    return index < 0 ? gameDirectories.length : index;
  };
  const packs = snapshot.sources
    .filter((source) => source.game === game.id && source.kind === "pack" && source.ignored === null)
    .filter((source) => !isDirectorySource(source))
    .sort((a, b) => rank(a) - rank(b) || a.rootIndex - b.rootIndex || a.id - b.id);
  const checksumOfPack = (source: Source) => packChecksum(snapshot, game.profile, source)?.checksum ?? null;
  const byChecksum = firstByKey(packs, (pack) => [checksumOfPack(pack)]);
  const byName = firstByKey(packs, namesOf);
  const items = words.map((word): PureListItem => {
    const checksum = checksumOf(word);
    if (checksum !== null) return { word, checksum, source: byChecksum.get(checksum) ?? null };
    const source = byName.get(word.toLowerCase()) ?? null;
    return { word, checksum: source && checksumOfPack(source), source };
  });
  const positions = new Map<Source, number>();
  items.forEach(({ source }, index) => {
    if (source && !positions.has(source)) positions.set(source, index);
  });
  const checksums = new Set(items.map((item) => item.checksum));
  if (game.profile.pure?.allCopies === true) {
    for (const pack of packs) {
      const index = items.findIndex(({ checksum }) => checksum !== null && checksum === checksumOfPack(pack));
      if (index >= 0) positions.set(pack, index);
    }
  }
  return {
    items,
    position: (source) => positions.get(source) ?? Number.POSITIVE_INFINITY,
    lists(source) {
      const checksum = source.kind === "pack" ? checksumOfPack(source) : null;
      return positions.has(source) || (checksum !== null && checksums.has(checksum));
    },
  };
}

/** Returns the first pack of each key: both the list and the path can be long. */
function firstByKey<Key>(packs: readonly Source[], keysOf: (pack: Source) => readonly Key[]): ReadonlyMap<Key, Source> {
  const found = new Map<Key, Source>();
  for (const pack of packs) {
    for (const key of keysOf(pack)) if (!found.has(key)) found.set(key, pack);
  }
  return found;
}

/** Returns the words that identify a pack, in lower case: `pak0`, `pak0.pk3` or `baseq3/pak0`. */
function namesOf(pack: Source): string[] {
  const name = pack.name.toLowerCase();
  const short = name.replace(/\.[^.]*$/, "");
  const directory = pack.gameDirectory.toLowerCase();
  return [name, short, `${directory}/${name}`, `${directory}/${short}`];
}
