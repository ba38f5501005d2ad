/**
 * Game directories in an earlier index, so that a directory with unchanged names is checked file by file.
 * @module
 */
import { isNameless } from "../../formats/parts.ts";
import { type Identity, identityFrom } from "../columns/identity.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import { isDirectorySource, type Source } from "../columns/source.ts";
import { pathInDirectory, type Profile, sharedEndings } from "../../engines/mod.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import { itemAt } from "./game_settings.ts";
import { checkDirectory, type DirectoryQuestion, endingOf, type KnownNames } from "./list_directory.ts";
import type { FileList, FoundDirectory, FoundPack } from "./plan.ts";

/** The files of a game directory that are packs. Depends on names alone, so that later indexes can use it. */
interface PackRows {
  /** The rules by which packs were found. */
  readonly profile: Profile;
  /** Nodes of the loose files, and their numbering. */
  readonly nodes: Uint32Array;
  readonly numbering: number;
  /** Paths of the packs. */
  readonly paths: readonly string[];
  /** For each row of the loose files: index of its pack, or -1. */
  readonly ofRow: Int32Array;
  /** Indexes of packs without a row: directories, and links that point outside the game's directories. */
  readonly others: ReadonlySet<number>;
  /** Whether every file that may be a pack is one. */
  readonly areAll: boolean;
  /** Names in directories that were listed again. */
  readonly names: KnownNames;
}

/** Packs of game directories, by index and path. */
const keptRows = new WeakMap<IndexedGames, Map<string, PackRows>>();

/** Stores for an index the known game directories of the previous one. */
export function inheritRows(before: IndexedGames, after: IndexedGames): void {
  const rows = keptRows.get(before);
  // A copy: two indexes derived from one number new names differently.
  if (rows) keptRows.set(after, new Map(rows));
}

/** A game directory of an earlier index. */
interface KnownDirectory {
  readonly loose: Source;
  /** Packs in the order in which they were found. */
  readonly packs: readonly Source[];
  readonly rows: PackRows;
}

/** A game directory to check. */
export interface KnownDirectoryQuestion extends Pick<DirectoryQuestion, "links"> {
  /** Number of the game. */
  readonly game: number;
  readonly profile: Profile;
  /** Absolute path. */
  readonly path: string;
  /** Absolute path of the engine's own pack, which is outside the directory, or null. */
  readonly enginePack: string | null;
  /** Returns whether a file may be a pack, by its path below the directory. */
  readonly mayBePack: (relativePath: string) => boolean;
  /** Returns a directory that is a pack; `undefined` if it no longer is. */
  readonly packDirectory: (source: Source) => FoundPack | undefined;
}

/**
 * Checks each file of a game directory once. Returns the content; `undefined` if an earlier index does not have the
 * directory, or names have changed.
 */
export function checkKnownDirectory(
  index: EarlierIndex,
  question: KnownDirectoryQuestion,
): { readonly packs: FoundDirectory["packs"]; readonly loose: FileList } | undefined {
  const known = knownDirectory(index, question);
  if (!known?.rows.areAll) return undefined;
  const { packs, rows: { ofRow, others, names } } = known;
  const directories = new Set(packs.filter(isDirectorySource).map(pathInDirectory));
  const { packsInPackDirectories, nestedPacks } = question.profile;
  if ((packsInPackDirectories || nestedPacks) && directories.size > 0) return undefined;
  const changed = new Map<number, Identity>();
  try {
    const loose = checkDirectory({
      path: question.path,
      format: "loose",
      skip: (relativePath, isDirectory) => isDirectory && directories.has(relativePath),
      packs: { packs, ofRow, onChange: (pack, identity) => changed.set(pack, identity) },
      names,
      links: question.links,
      earlier: known.loose,
      index,
    });
    if (!loose) return undefined;
    const found: FoundPack[] = [];
    for (const [number, pack] of packs.entries()) {
      const again = isDirectorySource(pack)
        ? question.packDirectory(pack)
        : foundPack(index, pack, others.has(number) ? identityAt(pack.path) : changed.get(number) ?? pack.identity);
      if (!again) return undefined;
      found.push(again);
    }
    return { packs: found, loose };
  } catch {
    return undefined; // a file was deleted meanwhile
  }
}

function identityAt(path: string): Identity | undefined {
  const information = itemAt(path);
  return information?.isFile ? identityFrom(information) : undefined;
}

function foundPack(index: EarlierIndex, source: Source, identity: Identity | undefined): FoundPack | undefined {
  if (!identity) return undefined;
  const { name, path, folder } = source;
  // The names of hashed packs depend on the game's other files.
  const isKept = !isNameless(source.format) && index.isTrue(source, identity);
  const fileList = isKept ? { kind: "kept", source } as const : null;
  return { name, path, folder, isCertain: !sharedEndings.has(endingOf(name)), identity, fileList };
}

/** Returns a game directory of an earlier index; `undefined` if it was not found by the same rules. */
function knownDirectory(index: EarlierIndex, key: KnownDirectoryQuestion): KnownDirectory | undefined {
  const loose = index.source(key.game, key.profile, "loose", key.path);
  if (!loose) return undefined;
  const { sources } = index.snapshot;
  let first = loose.id;
  while (first > 0 && isBeside(sources[first - 1], loose)) first--;
  const packs = sources.slice(first, loose.id).filter(({ path }) => path !== key.enginePack);
  const kept = keptRows.getOrInsertComputed(index.index, () => new Map());
  const known = kept.get(key.path);
  const rows = known?.profile === key.profile && fits(index, known, loose, packs)
    ? known
    : packRows(index, key, loose, packs);
  kept.set(key.path, rows);
  return { loose, packs, rows };
}

/** Returns whether a source is a pack of the directory of loose files `loose`, which follow their packs. */
function isBeside(source: Source | undefined, loose: Source): boolean {
  return source?.kind === "pack" && source.game === loose.game && source.gameDirectory === loose.gameDirectory &&
    source.rootIndex === loose.rootIndex;
}

function nodesOf({ snapshot }: EarlierIndex, { firstEntry, entryCount }: Source): Uint32Array {
  return snapshot.columns.entryNodes.subarray(firstEntry, firstEntry + entryCount);
}

/** Returns whether rows match this directory: the same paths in the same order. */
function fits(index: EarlierIndex, rows: PackRows, loose: Source, packs: readonly Source[]): boolean {
  const nodes = nodesOf(index, loose);
  return rows.numbering === index.snapshot.numbering && rows.nodes.length === nodes.length &&
    rows.paths.length === packs.length && packs.every(({ path }, number) => rows.paths[number] === path) &&
    nodes.every((node, row) => rows.nodes[row] === node);
}

function packRows(
  index: EarlierIndex,
  { path: directory, profile, mayBePack }: KnownDirectoryQuestion,
  loose: Source,
  packs: readonly Source[],
): PackRows {
  const { snapshot } = index;
  const numbers = new Map(
    packs.flatMap((pack, number) => isDirectorySource(pack) ? [] : [[pack.path, number] as const]),
  );
  const ofRow = new Int32Array(loose.entryCount).fill(-1);
  const others = new Set(packs.keys());
  let areAll = true;
  for (let row = 0; row < loose.entryCount; row++) {
    const entry = loose.firstEntry + row;
    if (snapshot.isDirectory(entry)) continue;
    const member = snapshot.memberOf(entry);
    if (!mayBePack(member)) continue;
    const number = numbers.get(`${directory}/${member}`);
    if (number === undefined) areAll = false;
    else {
      ofRow[row] = number;
      others.delete(number);
    }
  }
  const nodes = nodesOf(index, loose).slice();
  return {
    profile,
    nodes,
    numbering: snapshot.numbering,
    paths: packs.map(({ path }) => path),
    ofRow,
    others,
    areAll,
    names: new Map(),
  };
}
