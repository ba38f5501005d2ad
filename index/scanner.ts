/**
 * Reads base directories into a snapshot: which game directories there are, which packs, which loose files.
 * No payload is read.
 * @module
 */
import { existsSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { FileSource } from "../formats/byte_source.ts";
import { readDirectory } from "../formats/directory.ts";
import { EntryTable } from "../formats/entry_table.ts";
import { archiveFormats, detectFormat, formatNamed } from "../formats/table.ts";
import { Catalog } from "./catalog.ts";
import { detectGame, requestedProfile } from "./detect/detect_game.ts";
import { isDirectory, subdirectories } from "./detect/directory.ts";
import { type Game, type GameDirectory, GameError, type GameOptions } from "./game.ts";
import { packDirectoryEndings, packFileEndings, placePacks } from "./pack_order.ts";
import type { Profile } from "./profiles.ts";
import { SnapshotBuilder } from "./snapshot_builder.ts";
import type { Identity, Source } from "./source.ts";

/** Told while indexing: how many packs are done, of how many known so far, and which is next. */
export type ScanProgress = (done: number, known: number, name: string) => void;

/** Options of {@linkcode scanGames}. */
export interface ScanOptions {
  /** Told while indexing. */
  readonly onProgress?: ScanProgress;
  /** Stops the scan with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A pack or pack directory that was opened for its list of members. */
interface OpenedPack {
  readonly name: string;
  readonly path: string;
  /** Folder of the game directory that it was found in; empty: none. */
  readonly folder: string;
  readonly format: string;
  readonly table: EntryTable;
  readonly failure: string | null;
  readonly identity: Identity;
}

const packEndings: ReadonlySet<string> = new Set([
  ...archiveFormats.flatMap((format) => format.extensions),
  ".pak",
  ".zip",
]);

/**
 * Indexes games.
 * @throws {GameError} if a game's directories, profile or base are not what they should be.
 */
export function scanGames(games: readonly GameOptions[], options: ScanOptions = {}): Catalog {
  const scanner = new Scanner(options);
  for (const game of games) scanner.scan(game);
  return scanner.finish();
}

class Scanner {
  readonly #builder = new SnapshotBuilder();
  readonly #games: Game[] = [];
  readonly #problems: string[] = [];
  readonly #options: ScanOptions;
  #done = 0;
  #known = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  finish(): Catalog {
    return new Catalog({ snapshot: this.#builder.finish(), games: this.#games, problems: this.#problems });
  }

  scan(options: GameOptions): void {
    if (options.sources.length === 0) throw new GameError("A game needs at least one directory", "sources");
    const paths = options.sources.map(existing);
    const first = paths[0] ?? "";
    if (paths.length === 1 && !isDirectory(first)) {
      this.#addArchive(first, options);
      return;
    }
    const file = paths.find((path) => !isDirectory(path));
    if (file !== undefined) {
      throw new GameError(`${file} is a file; an archive is mounted alone, base directories together`, file);
    }
    this.#addGame(paths, options);
  }

  #addGame(sourceDirectories: readonly string[], options: GameOptions): void {
    const { profile, because, base } = detectGame(sourceDirectories, options);
    const name = this.#freeName(options.name ?? gameName(sourceDirectories[0] ?? "", base));
    const id = this.#games.length;
    const packEntries = new Map<number, number>();
    const gameDirectories: GameDirectory[] = [];
    for (const directory of directoryNames(profile, base, sourceDirectories, options.mods)) {
      const sources: number[] = [];
      for (const [place, sourceDirectory] of sourceDirectories.entries()) {
        const path = base === "" ? sourceDirectory : join(sourceDirectory, directory);
        if (!isDirectory(path) || !this.#isReadable(path)) continue;
        const packs = ["", ...profile.packFolders.map(({ name }) => name)]
          .flatMap((folder) => this.#openPacks(path, folder, profile));
        if (directory === base) this.#openEnginePack(sourceDirectory, profile, packs);
        const owner = { game: id, gameDirectory: directory, sourceDirectory: place };
        sources.push(...this.#addDirectory(path, profile, packs, owner, packEntries));
      }
      if (sources.length > 0) gameDirectories.push({ name: directory, sources });
    }
    const shownBase = base === "" ? basename(sourceDirectories[0] ?? "") : base;
    this.#games.push({
      id,
      name,
      profile,
      because,
      sourceDirectories,
      base: shownBase,
      isArchive: false,
      gameDirectories,
      packEntries,
      pure: options.pure ?? null,
    });
  }

  /** One archive alone: a game with a single pack. */
  #addArchive(path: string, options: GameOptions): void {
    const profile = requestedProfile(options.profile ?? "generic");
    const pack = this.#openPack(path, basename(path));
    if (pack.failure !== null) {
      throw new GameError(pack.failure.includes(path) ? pack.failure : `${path}: ${pack.failure}`, path);
    }
    const id = this.#games.length;
    const name = this.#freeName(options.name ?? basename(path, extname(path)));
    const source = this.#builder.addSource({
      game: id,
      gameDirectory: pack.name,
      sourceDirectory: 0,
      kind: "pack",
      format: pack.format,
      path,
      name: pack.name,
      folder: "",
      group: 0,
      order: 0,
      ignored: null,
      identity: pack.identity,
    }, pack.table);
    this.#games.push({
      id,
      name,
      profile: withDuplicates(profile, formatNamed(pack.format)?.duplicates ?? "last"),
      because: "it is one archive",
      sourceDirectories: [path],
      base: pack.name,
      isArchive: true,
      gameDirectories: [{ name: pack.name, sources: [source.id] }],
      packEntries: new Map(),
      pure: null,
    });
  }

  #openPacks(gameDirectory: string, folder: string, profile: Profile): OpenedPack[] {
    const packs: OpenedPack[] = [];
    const directory = join(gameDirectory, folder);
    if (folder !== "" && (!isDirectory(directory) || !this.#isReadable(directory))) return packs;
    const endings = packEndings.union(new Set(packFileEndings(profile.packs)));
    const names = Array.from(Deno.readDirSync(directory), (item) => item.name).sort();
    const candidates = names.filter((name) =>
      endings.has(extname(name).toLowerCase()) || isPackDirectory(directory, name, profile)
    );
    this.#known += candidates.length;
    for (const name of candidates) {
      this.#options.signal?.throwIfAborted();
      this.#options.onProgress?.(this.#done, this.#known, name);
      const path = join(directory, name);
      if (isPackDirectory(directory, name, profile)) {
        if (this.#isReadable(path)) packs.push({ ...openPackDirectory(path, name), folder });
      } else if (isFile(path)) packs.push({ ...this.#openPack(path, name), folder });
      this.#done++;
    }
    return packs;
  }

  /** Whether a directory can be listed; if not, that is a problem, but no reason not to index the others. */
  #isReadable(path: string): boolean {
    try {
      Deno.readDirSync(path)[Symbol.iterator]();
      return true;
    } catch (error) {
      this.#problems.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  #openEnginePack(sourceDirectory: string, profile: Profile, packs: OpenedPack[]): void {
    if (!profile.enginePack) return;
    const path = join(sourceDirectory, profile.enginePack.name);
    if (isFile(path)) packs.push(this.#openPack(path, profile.enginePack.name));
  }

  /** Opens an archive for its list; a failure is kept as a sentence, so that the others are still indexed. */
  #openPack(path: string, name: string): OpenedPack {
    const unread = { name, path, folder: "", format: "unknown", table: new EntryTable() };
    try {
      using file = new FileSource(path);
      const identity = identityOf(path);
      const format = detectFormat(file);
      if (!format) {
        this.#problems.push(`${path}: is not an archive in any known format`);
        return { ...unread, identity, failure: "it is not an archive in any known format" };
      }
      return { name, path, folder: "", format: format.name, table: format.read(file), failure: null, identity };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#problems.push(message.includes(path) ? message : `${path}: ${message}`);
      return { ...unread, identity: identityOf(path), failure: message };
    }
  }

  #addDirectory(
    path: string,
    profile: Profile,
    packs: readonly OpenedPack[],
    owner: { game: number; gameDirectory: string; sourceDirectory: number },
    packEntries: Map<number, number>,
  ): number[] {
    const added: number[] = [];
    const enginePack = profile.enginePack;
    const isEnginePack = (pack: OpenedPack) => pack.name === enginePack?.name && join(path, pack.name) !== pack.path;
    const placed = packs.filter((pack) => !isEnginePack(pack));
    const places = placePacks(
      profile.packs,
      placed.map((pack) => ({
        name: pack.name,
        isDirectory: pack.format === "pk3dir",
        files: pack.table.length,
        failure: pack.failure,
      })),
      profile.engine,
    );
    const used = new Map<string, number>();
    for (const pack of packs) {
      const place = isEnginePack(pack)
        ? { group: 0, order: enginePack?.order ?? 0, ignored: pack.failure }
        : places[placed.indexOf(pack)] ?? { group: 0, order: 0, ignored: null };
      const { name, folder, format, identity, table } = pack;
      const ignored = place.ignored ?? profile.packFolders.find((known) => known.name === folder)?.ignored ?? null;
      const description = {
        ...owner,
        ...place,
        ignored,
        kind: "pack" as const,
        format,
        path: pack.path,
        name,
        folder,
        identity,
      };
      const source = this.#builder.addSource(description, table);
      added.push(source.id);
      if (ignored === null && !isEnginePack(pack)) used.set(join(folder, name), source.id);
    }
    const loose = this.#addLoose(path, profile, owner);
    for (const [entry, id] of packFilesAmong(loose.source, loose.table, used)) packEntries.set(entry, id);
    added.push(loose.source.id);
    return added;
  }

  #addLoose(
    path: string,
    profile: Profile,
    owner: { game: number; gameDirectory: string; sourceDirectory: number },
  ): { source: Source; table: EntryTable } {
    const isPackDirectory = (name: string, isDirectoryItem: boolean) =>
      isDirectoryItem && !name.includes("/") && isPackName(name, profile);
    const table = readDirectory(path, { skip: isPackDirectory, links: "all" });
    const source = this.#builder.addSource({
      ...owner,
      kind: "loose",
      format: "loose",
      path,
      name: owner.gameDirectory,
      folder: "",
      group: -1,
      order: 0,
      ignored: null,
      identity: identityOf(path),
    }, table);
    for (const warning of table.warnings) this.#problems.push(warning);
    return { source, table };
  }

  #freeName(wanted: string): string {
    const plain = wanted.replaceAll(/[/\0]/g, "_").replace(/^\.+/, "") || "game";
    const taken = new Set(this.#games.map((game) => game.name));
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    return name;
  }
}

/** Absolute path of something that is there. */
function existing(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return absolute;
  throw new GameError(`${path} does not exist; name a game's directory or an archive`, path);
}

/** Whether there is a file: neither a device or pipe, which could be waited on for ever, nor a link to nothing. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** All zero for what has gone meanwhile. */
function identityOf(path: string): Identity {
  const information = statSync(path, { throwIfNoEntry: false });
  return {
    device: information?.dev ?? 0,
    inode: information?.ino ?? 0,
    size: information?.size ?? 0,
    mtime: information?.mtimeMs ?? 0,
  };
}

function isPackDirectory(directory: string, name: string, profile: Profile): boolean {
  return isPackName(name, profile) && isDirectory(join(directory, name));
}

function openPackDirectory(path: string, name: string): OpenedPack {
  const table = readDirectory(path, { links: "all" });
  return { name, path, folder: "", format: "pk3dir", table, failure: null, identity: identityOf(path) };
}

/** The profile of an archive alone: of several members of one name it shows the one that its format's engine takes. */
function withDuplicates(profile: Profile, duplicates: "first" | "last"): Profile {
  const others = profile.rules.filter((rule) => !rule.endsWith("-in-pack") && rule !== "last-stored");
  return { ...profile, duplicates, rules: [...others, `${duplicates}-in-pack`] };
}

/** The base game directory first, then all others by name. */
function directoryNames(
  profile: Profile,
  base: string,
  sourceDirectories: readonly string[],
  mods: readonly string[] | undefined,
): string[] {
  if (base === "") return [basename(sourceDirectories[0] ?? "")];
  const missing = mods?.find((mod) => !sourceDirectories.some((directory) => isDirectory(join(directory, mod))));
  if (missing !== undefined) {
    throw new GameError(`There is no game directory "${missing}" in ${sourceDirectories.join(", ")}`, missing);
  }
  const found = mods ?? sourceDirectories.flatMap(subdirectories);
  const others = new Set(found.filter((name) => name !== base && !isPackName(name, profile)));
  return [base, ...Array.from(others).sort()];
}

/** Engines compare the ending without case. */
function isPackName(name: string, profile: Profile): boolean {
  const lower = name.toLowerCase();
  return packDirectoryEndings(profile.packs).some((ending) => lower.endsWith(ending));
}

/** A game is named after its first base directory. */
function gameName(sourceDirectory: string, base: string): string {
  return basename(sourceDirectory) || base;
}

/** Loose files at the top of a game directory that are packs on its search path. */
function* packFilesAmong(
  source: Source,
  table: EntryTable,
  packs: ReadonlyMap<string, number>,
): Generator<[entry: number, source: number]> {
  if (packs.size === 0) return;
  for (let index = 0; index < table.length; index++) {
    const id = packs.get(table.path(index));
    if (id !== undefined) yield [source.firstEntry + index, id];
  }
}
