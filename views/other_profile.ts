/**
 * A game with the rules of another engine, without reading files again: its packs are sorted in that engine's order,
 * while columns and entries are unchanged. If the index lacks files that the engine would read, this is an error.
 * @module
 */
import { at, directoryNameOf, entriesOf, type Game, hasNestedPacks, Snapshot, type Source } from "../index/mod.ts";
import { isTypedWad } from "../formats/parts.ts";
import {
  enginePackOrder,
  filledPack,
  innerCompanions,
  loadedLists,
  orderPacks,
  packDirectoryEndings,
  packEndings,
  packFileEndings,
  type Profile,
  rootCompanion,
} from "../engines/mod.ts";
import { ViewError } from "./view_error.ts";

/** A game, and the snapshot of its sources. */
export interface PlacedGame {
  readonly snapshot: Snapshot;
  readonly game: Game;
}

/**
 * Returns a game with the rules of another profile.
 * @throws {ViewError} if it must be indexed again with that profile.
 */
export function underProfile(snapshot: Snapshot, game: Game, profile: Profile): PlacedGame {
  const obstacle = game.isArchive
    ? "it is one archive"
    : game.profile.loadList || profile.loadList
    ? `its lumps are named by the engine's rules; "pakfs diff --engine ${profile.name}" compares them`
    : unread(snapshot, game, profile);
  if (obstacle !== null) {
    const what = profile.name === game.profile.name ? "settings of its engine" : profile.name;
    throw new ViewError(`${game.name} cannot be compared under ${what}: ${obstacle}`, []);
  }
  const sources = [...snapshot.sources];
  for (const packs of packsByDirectory(snapshot, game)) place(packs, { ...game, profile }, game.profile, sources);
  for (const source of snapshot.sources) {
    if (source.game === game.id && isEnginePack(game, source)) {
      sources[source.id] = placedEnginePack(source, game.profile, profile);
    }
  }
  const placed = new Snapshot(snapshot.columns, sources, snapshot.clashes, snapshot.numbering);
  const packMembers = Array.from(game.packEntries).filter(([entry]) => snapshot.sourceOf(entry).kind === "pack");
  const packEntries = new Map([...packMembers, ...packFiles(placed, game)]);
  return { snapshot: placed, game: { ...game, profile, packEntries } };
}

/** Gives the packs of one game directory in one root the order of a profile. */
function place(
  packs: readonly Source[],
  game: Game,
  own: Profile,
  sources: Source[],
): void {
  const { profile } = game;
  const [first] = packs;
  const orders = orderPacks(
    profile.packs,
    packs.map(({ name, folder, format, entryCount, failure, identity: { mtime } }) => ({
      name,
      folder,
      format,
      failure,
      mtime,
      isDirectory: format === "pk3dir",
      files: entryCount,
    })),
    profile.engine,
    loadedLists(own.packs, packs),
    first ? filledPack(game, { name: first.gameDirectory, rootIndex: first.rootIndex }) : null,
  );
  for (const [index, source] of packs.entries()) {
    const order = orders[index];
    if (!order) continue;
    const isInFolder = source.folder !== "" && !profile.packsInFolders &&
      !profile.packFolders.some(({ name }) =>
        name === (profile.foldDirectories ? source.folder.toLowerCase() : source.folder)
      );
    const ignored = isInFolder ? `${profile.engine} loads no packs in ${source.folder}/` : order.ignored;
    const { inner: _ofOwn, ...unordered } = source;
    sources[source.id] = { ...unordered, ...order, ignored };
  }
}

/** Returns the packs of each game directory in each root, without those next to the game directories. */
function packsByDirectory(snapshot: Snapshot, game: Game): Source[][] {
  const found = new Map<string, Source[]>();
  for (const source of snapshot.sources) {
    if (source.game !== game.id || source.kind !== "pack" || isEnginePack(game, source)) continue;
    found.getOrInsert(source.path.slice(0, -source.name.length), []).push(source);
  }
  return Array.from(found.values());
}

function placedEnginePack(source: Source, own: Profile, { engine, enginePack, packs }: Profile): Source {
  const isPlacedAlike = (["numbered", "listed"] as const)
    .every((kind) =>
      packs.findIndex((step) => step.kind === kind) === own.packs.findIndex((step) => step.kind === kind)
    );
  if (isAlike(enginePack, own.enginePack) && isPlacedAlike) return source;
  if (enginePack?.name !== source.name) return { ...source, ignored: `${engine} does not load it` };
  return { ...source, ...enginePackOrder({ enginePack, packs }) };
}

function isEnginePack({ roots, profile }: Game, source: Source): boolean {
  return source.name === profile.enginePack?.name && roots.some((root) => source.path === `${root}/${source.name}`);
}

/** Yields the loose files that are packs on the search path. */
function* packFiles(snapshot: Snapshot, game: Game): Generator<[entry: number, pack: number]> {
  for (const pack of snapshot.sources) {
    if (pack.game !== game.id || pack.kind !== "pack" || isEnginePack(game, pack) || isTypedWad(pack.format)) continue;
    const node = snapshot.findNode(pack.folder === "" ? pack.name : `${pack.folder}/${pack.name}`, false);
    for (const entry of snapshot.candidatesOf(node, false)) {
      const { kind, gameDirectory, rootIndex } = snapshot.sourceOf(entry);
      const isBeside = gameDirectory === pack.gameDirectory && rootIndex === pack.rootIndex;
      if (kind === "loose" && isBeside && at(snapshot.columns.entryNodes, entry) === node) yield [entry, pack.id];
    }
  }
}

/** Returns the content that an engine needs and the index lacks, as a clause, or null. */
function unread(snapshot: Snapshot, game: Game, profile: Profile): string | null {
  const own = game.profile;
  if (game.nested) return "archives in packs are shown as directories";
  const isSmall = profile.memberNames?.smallInZips === true;
  if (isSmall !== (own.memberNames?.smallInZips === true)) {
    const capital = memberLike(snapshot, game, /[A-Z]/);
    if (capital !== null) return `${capital} counts in small letters ${isSmall ? "there" : "here only"}`;
  }
  const isSlash = profile.memberNames?.colonsInZips === true;
  if (isSlash !== (own.memberNames?.colonsInZips === true)) {
    const colon = memberLike(snapshot, game, /:/);
    if (colon !== null) return `the colon of ${colon} counts as a slash ${isSlash ? "there" : "here only"}`;
  }
  // A setting of the same engine does not change such a root.
  const root = profile.name === own.name
    ? undefined
    : game.roots.find((path) => rootCompanion(path, own) !== rootCompanion(path, profile));
  if (root !== undefined) return `${root} is a game directory itself to one engine, and not to the other`;
  const nested = nestedObstacle(snapshot, game, profile);
  if (nested !== null) return nested;
  if (profile.sourceList !== own.sourceList || !isAlike(profile.dependencies, own.dependencies)) {
    return `${profile.engine} orders packs by other lists`;
  }
  if (profile.foldDirectories !== own.foldDirectories && hasSpellings(snapshot, game)) {
    const { engine } = profile.foldDirectories ? profile : own;
    return `${engine} takes game directories whose names differ only in case for one`;
  }
  const { enginePack } = profile;
  if (enginePack && game.otherEnginePacks?.includes(enginePack.name)) return `${enginePack.name} would be a pack`;
  const isPackDirectory = endsWith(
    packDirectoryEndings(profile.packs).filter((ending) => !packDirectoryEndings(own.packs).includes(ending)),
  );
  const known = packEndings.union(new Set(packFileEndings(own.packs)));
  const isPackFile = endsWith(packFileEndings(profile.packs).filter((ending) => !known.has(ending)));
  // A list that is parsed in the same way is identified by the packs that it loaded, but a replacing list not always.
  const lists = profile.packs.flatMap((step) => {
    const isKnown = step.kind === "listed" && !step.replacesSorted && own.packs.some((one) => isAlike(one, step));
    return step.kind !== "listed" || isKnown ? [] : [step.file];
  });
  const folders = searchedFolders(profile).filter((name) => !searchedFolders(own).includes(name));
  for (const { entry, node } of topEntries(snapshot, game)) {
    const name = snapshot.nameOf(node).toLowerCase();
    const isDirectory = snapshot.isDirectory(entry);
    if (isDirectory ? isPackDirectory(name) : isPackFile(name)) return `${name} would be a pack`;
    if (isDirectory ? folders.includes(name) : lists.includes(name)) return `${name} would be read`;
  }
  return null;
}

/** Returns the names of folders in game directories that hold packs or are searched themselves. */
function searchedFolders(profile: Profile): string[] {
  return [...profile.packFolders.map(({ name }) => name), ...innerCompanions(profile)];
}

function isAlike(one: object | null, other: object | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Returns an inner pack that only one of the engines searches, or that they search in different positions, as a clause,
 * or null.
 */
function nestedObstacle(snapshot: Snapshot, { id, profile: own }: Game, profile: Profile): string | null {
  const { nestedPacks } = profile;
  const { columns: { entryNodes, nodeParents } } = snapshot;
  const isSearchAlike = isAlike([nestedPacks, profile.packs], [own.nestedPacks, own.packs]);
  const isLumpAlike = profile.memberNames?.lumpTypes === true === (own.memberNames?.lumpTypes === true);
  const directories = new Set(
    snapshot.sources.flatMap(({ game, format, path }) => game === id && format === "pk3dir" ? [path] : []),
  );
  for (const source of snapshot.sources) {
    if (source.game !== id || source.kind !== "pack") continue;
    if (own.nestedPacks && directories.has(source.path.slice(0, -source.name.length - 1))) {
      return `${source.folder}/${source.name} is a pack in a directory that is one`;
    }
    if (!isLumpAlike && isTypedWad(source.format)) return `${source.name} has other names of lumps there`;
    if (isSearchAlike) continue;
    if (hasNestedPacks(source)) return `${source.name} holds packs that are searched in another order, or not at all`;
    if (nestedPacks === null) continue;
    const isPack = endsWith(nestedPacks.suffixes);
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      const node = at(entryNodes, entry);
      const isElsewhere = nestedPacks.order === "steps" && at(nodeParents, node) !== 0;
      if (isElsewhere || snapshot.isDirectory(entry)) continue;
      const name = snapshot.nameOf(node).toLowerCase();
      if (isPack(name)) return `${name} in ${source.name} would be a pack`;
    }
  }
  return null;
}

/** Returns the name of a matching member of a zip, as spelled in the archive, or null. */
function memberLike(snapshot: Snapshot, game: Game, pattern: RegExp): string | null {
  const zips = snapshot.sources.filter(({ game: owner, format }) => owner === game.id && format === "zip");
  const members = entriesOf(zips).filter((entry) => !snapshot.isDirectory(entry)).map((entry) =>
    snapshot.memberOf(entry)
  );
  return members.find((member) => pattern.test(member)) ?? null;
}

/** Returns whether names of game directories on disk differ only in case. */
function hasSpellings({ sources }: Snapshot, { id }: Game): boolean {
  const names = new Set(sources.filter(({ game, kind }) => game === id && kind === "loose").map(directoryNameOf));
  return new Set(Array.from(names, (name) => name.toLowerCase())).size < names.size;
}

function endsWith(endings: readonly string[]): (name: string) => boolean {
  return (name) => endings.some((ending) => name.endsWith(ending));
}

/** Yields the loose files and directories at the top level of the game directories. */
function topEntries(snapshot: Snapshot, game: Game): IteratorObject<{ entry: number; node: number }> {
  const { entryNodes, nodeParents } = snapshot.columns;
  const loose = snapshot.sources.filter(({ game: owner, kind }) => owner === game.id && kind === "loose");
  return entriesOf(loose).map((entry) => ({ entry, node: at(entryNodes, entry) }))
    .filter(({ node }) => at(nodeParents, node) === 0);
}
