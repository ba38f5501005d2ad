/**
 * Recovers the names of members of hashed packs from the game's other files, after the lists of all archives were read
 * and before they become one index, so that everything else treats them like any other name.
 * @module
 */
import {
  addNested,
  EntryTable,
  FileByteReader,
  formatNamed,
  isNameless,
  isUnnamed,
  memberHash,
  memberHashes,
  type NameRecovery,
  type RecoveredNames,
  recoverNames,
  variantNamed,
  withNames,
} from "../../formats/parts.ts";
import type { NameSettings } from "../columns/game.ts";
import { type Identity, isSameIdentity, unknownIdentity } from "../columns/identity.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import type { FileLists } from "./assemble.ts";
import { gameDictionary, type SearchedSource } from "./dictionary.ts";
import { fitsKind, relatedPaths } from "./path_strings.ts";
import { archivesOf, type FileList, fileListFormat, type FoundPack, type GamePlan, type ScanPlan } from "./plan.ts";
import { type PackList, readPack } from "./read_pack.ts";

/** Maximum expected hits by chance for trying related paths. */
const maxChanceHits = 0.5;

/** Returns whether names are recovered from the same inputs as before, as far as lists are accessible. */
function isSameNameSettings(before: NameSettings, now: NameSettings): boolean {
  const { hash, lists } = before;
  return hash === now.hash && lists.length === now.lists.length && lists.every(({ path, identity }, index) => {
    const list = now.lists[index];
    return list?.path === path && (isUnread(list) || isSameIdentity(list.identity, identity));
  });
}

/** Returns whether a list cannot be read because its file system does not reply. */
function isUnread({ identity }: { readonly identity: Identity }): boolean {
  return isSameIdentity(identity, unknownIdentity);
}

/**
 * Returns the lists of a plan's archives, with recovered names for packs without names. Games without such packs cost
 * nothing, and unchanged games keep their names.
 * @throws the signal's reason.
 */
export function withRecoveredNames(
  plan: ScanPlan,
  fileLists: FileLists,
  earlier: EarlierIndex | undefined,
  signal: AbortSignal | undefined,
): FileLists {
  const hashed = Array.from(archivesOf(plan)).filter(({ pack }) => isHashed(fileLists.get(pack)));
  if (hashed.length === 0) return fileLists;
  const named = new Map(fileLists);
  for (const id of new Set(hashed.map(({ game }) => game))) {
    const game = plan.games[id];
    if (!game || !hasChanged(game, id, fileLists, earlier)) continue;
    const recovery = new GameRecovery(game, id, fileLists, earlier);
    const packs = hashed.filter((found) => found.game === id).map(({ pack }) => pack);
    for (const [pack, fileList] of recovery.run(packs, signal)) named.set(pack, fileList);
  }
  return named;
}

function isHashed(fileList: FileList | undefined): boolean {
  return fileList !== undefined && isNameless(fileListFormat(fileList));
}

function hasChanged(game: GamePlan, id: number, fileLists: FileLists, earlier: EarlierIndex | undefined): boolean {
  const before = earlier?.game(id);
  if (!before || !isSameNameSettings(before.names, game.names)) return true;
  return Array.from(fileListsOf(game, fileLists)).some(({ fileList }) => fileList.kind !== "kept");
}

/** Yields every list of a game, with the path of its source. */
function* fileListsOf(
  { archive, directories }: GamePlan,
  fileLists: FileLists,
): Generator<{ readonly path: string; readonly fileList: FileList }> {
  const packs = [
    ...(archive ? [archive] : []),
    ...directories.flatMap(({ packs, enginePack }) => enginePack ? [...packs, enginePack] : packs),
  ];
  for (const pack of packs) {
    const fileList = pack.fileList ?? fileLists.get(pack);
    if (fileList) yield { path: pack.path, fileList };
  }
  for (const { path, loose } of directories) if (loose) yield { path, fileList: loose };
}

/** Finds the names of one game's packs. */
class GameRecovery {
  readonly #game: GamePlan;
  readonly #id: number;
  readonly #fileLists: FileLists;
  readonly #earlier: EarlierIndex | undefined;

  constructor(game: GamePlan, id: number, fileLists: FileLists, earlier: EarlierIndex | undefined) {
    this.#game = game;
    this.#id = id;
    this.#fileLists = fileLists;
    this.#earlier = earlier;
  }

  run(packs: readonly FoundPack[], signal: AbortSignal | undefined): Map<FoundPack, FileList> {
    // Keeps the names of a pack that cannot be read at the moment.
    const lists = new Map(
      packs.map((pack) => [pack, this.#freshList(pack)] as const).filter(([, { mayPass }]) => !mayPass),
    );
    const problems: string[] = [];
    const dictionary = gameDictionary(
      this.#game.names.lists.filter((list) => !isUnread(list)).map(({ path }) => path),
      this.#game.names.lists.some(isUnread) ? this.#knownNames(packs) : [],
      [...this.#sources(packs), ...Array.from(lists, ([{ path }, list]) => ({ path, ...list }))],
      problems,
      signal,
    );
    const variant = this.#game.names.hash === null ? undefined : variantNamed(this.#game.names.hash);
    const found = new Map<FoundPack, FileList>();
    for (const [pack, list] of lists) {
      signal?.throwIfAborted();
      const names = recoverNames(memberHashes(list.table), dictionary, variant);
      const all = withRelated(list.table, names, dictionary);
      const table = withNames(list.table, all.names);
      table.warnings.push(...warningsOf(all), ...problems);
      if (this.#game.nested) listNested(pack.path, list.format, table);
      found.set(pack, this.#fileList(pack, { ...list, table }, recoveryOf(all)));
    }
    return found;
  }

  /** Returns the list without recovered names, since an earlier list may have outdated ones. */
  #freshList(pack: FoundPack): PackList {
    const fileList = this.#fileLists.get(pack);
    if (fileList?.kind === "read") return fileList;
    const { path, identity: { size, mtime, ctime } } = pack;
    const { packFormat } = this.#game.profile;
    const asStored = { smallInZips: false, colonsInZips: false, lumpTypes: false };
    const plain = { nested: false, lumps: null, ...asStored, search: null, isAlone: false };
    return readPack({ path, size, mtime, ctime, packFormat, ...plain });
  }

  /** Yields the names that packs had before. */
  *#knownNames(packs: readonly FoundPack[]): Generator<string> {
    for (const { path } of packs) {
      const source = this.#earlier?.source(this.#id, this.#game.profile, "pack", path);
      const table = source && this.#earlier?.tableOf({ kind: "kept", source });
      for (let index = 0; table && index < table.length; index++) {
        if (!isUnnamed(table.path(index))) yield table.path(index);
      }
    }
  }

  /** Returns all sources of the game but `packs`. */
  #sources(packs: readonly FoundPack[]): SearchedSource[] {
    const without = new Set(packs.map(({ path }) => path));
    return Array.from(fileListsOf(this.#game, this.#fileLists)).filter(({ path }) => !without.has(path))
      .map(({ path, fileList }) => {
        const table = this.#earlier?.tableOf(fileList) ??
          (fileList.kind === "read" ? fileList.table : new EntryTable());
        return { path, format: fileListFormat(fileList), table };
      });
  }

  #fileList(pack: FoundPack, list: PackList, recovery: NameRecovery): FileList {
    const known = this.#earlier?.source(this.#id, this.#game.profile, "pack", pack.path);
    const before = this.#fileLists.get(pack);
    const readAt = before?.kind === "read" ? before.readAt : Date.now();
    const fileList = this.#earlier?.settle(known, list, pack.identity, readAt);
    const isSame = fileList?.kind === "kept" && sameRecovery(fileList.source.recovery, recovery);
    return isSame ? fileList : { kind: "read", ...list, identity: pack.identity, readAt, recovery };
  }
}

/** Lists the members of inner archives whose own names are now known. */
function listNested(path: string, format: string, table: EntryTable): void {
  const archive = formatNamed(format);
  if (!archive) return;
  using file = new FileByteReader(path);
  addNested(file, archive, table);
}

function sameRecovery(a: NameRecovery | null, b: NameRecovery): boolean {
  return a !== null && JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Adds names that scripts write without or with another extension, if the content has a matching type. There are many,
 * so they are tried only for members without a name, and do not influence the choice of the hash function.
 */
function withRelated(table: EntryTable, found: RecoveredNames, dictionary: readonly string[]): RecoveredNames {
  const variant = found.hash === null ? undefined : variantNamed(found.hash);
  if (!variant) return found;
  const kinds = new Map<number, string>();
  for (let index = 0; index < table.length; index++) {
    const hash = memberHash(table, index);
    const path = table.path(index);
    if (!found.names.has(hash)) kinds.set(hash, path.slice(path.lastIndexOf(".") + 1));
  }
  if (kinds.size === 0) return found;
  const related = dictionary.flatMap(relatedPaths);
  if (kinds.size * related.length / 2 ** 32 > maxChanceHits) return found;
  const { names } = recoverNames(kinds.keys(), related, variant);
  const all = new Map(found.names);
  for (const [hash, path] of names) if (fitsKind(path, kinds.get(hash) ?? "")) all.set(hash, path);
  return { ...found, names: all, named: all.size };
}

function warningsOf({ collisions }: NameRecovery): string[] {
  return collisions.map(({ hash, names }) =>
    `${names.join(" and ")} have the same hash (${hash}); the file is shown as the first of them`
  );
}

function recoveryOf({ hash, files, named, tried, expected, collisions }: RecoveredNames): NameRecovery {
  return { hash, files, named, tried, expected, collisions };
}
