/**
 * Finding out which game directories, packs and loose files there are. No archive is opened.
 * @module
 */
import { existsSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { LinkRule } from "../../formats/directory.ts";
import { EntryTable } from "../../formats/entry_table.ts";
import { archiveOfPart } from "../../formats/table.ts";
import { nameHashFunctions, variantNamed } from "../../formats/name_hashes.ts";
import { detectGame, requestedProfile } from "../detect/detect_game.ts";
import { isDirectory, subdirectories } from "../detect/directory.ts";
import { type Game, GameError, type GameOptions, type NameSettings } from "../game.ts";
import { packEndings, sharedEndings } from "../pack_endings.ts";
import { packDirectoryEndings, packFileEndings } from "../pack_order.ts";
import type { Profile } from "../profiles.ts";
import { type Identity, identityFrom } from "../source.ts";
import type { EarlierIndex } from "./earlier.ts";
import { keptDirectory, keptGame, keptNames, keptSentence, knownBase, type SourceRoots } from "./kept.ts";
import { linkAdvice, LinkBoundary } from "./link_boundary.ts";
import { type DirectoryQuestion, listDirectory } from "./list_directory.ts";
import type { FoundDirectory, FoundPack, GamePlan, Listing, ScanPlan } from "./plan.ts";

/**
 * Looks at the directories of all games.
 * @param earlier What an earlier index knows: directories are checked against it instead of listed anew where possible.
 * @param roots Given, what the earlier index knows of source directories and games that are gone is kept.
 * @throws {GameError} if a game's directories, profile or base are not what they should be, and nothing can be kept.
 */
export function discoverGames(games: readonly GameOptions[], earlier?: EarlierIndex, roots?: SourceRoots): ScanPlan {
  const plans: GamePlan[] = [];
  const problems: string[] = [];
  for (const options of games) {
    const discovery = new GameDiscovery(plans.length, earlier, problems, roots);
    const plan = discovery.run(options);
    plans.push({ ...plan, name: freeName(plan.name, plans) });
  }
  return { games: plans, problems };
}

/** Files and directories of one folder that may be packs, by name. */
class PackNames {
  readonly archives = new Map<string, Identity>();
  readonly directories = new Set<string>();
}

/** How one directory is listed. */
type ListOptions = Pick<DirectoryQuestion, "skip" | "onItem"> & Pick<LinkRule, "isToldOnly">;

class GameDiscovery {
  readonly #game: number;
  readonly #earlier: EarlierIndex | undefined;
  readonly #problems: string[];
  readonly #roots: SourceRoots | undefined;
  #boundary: LinkBoundary | null = null;

  constructor(game: number, earlier: EarlierIndex | undefined, problems: string[], roots: SourceRoots | undefined) {
    this.#game = game;
    this.#earlier = earlier;
    this.#problems = problems;
    this.#roots = roots;
  }

  run(options: GameOptions): GamePlan {
    const paths = options.sources.map((path) => resolve(path));
    this.#boundary = options.followSymlinks ? null : new LinkBoundary(paths, options.mods);
    const absences = paths.map((path) => this.#roots?.absence(path) ?? null);
    const earlier = this.#earlier;
    const known = this.#roots && earlier?.catalog.games[this.#game];
    if (!known || !earlier || known.sourceDirectories.join("\0") !== paths.join("\0")) return this.#look(options);
    for (const [place, absence] of absences.entries()) {
      if (absence !== null) this.#problems.push(keptSentence(paths[place] ?? "", absence));
    }
    if (!absences.includes(null)) return keptGame(earlier, known);
    try {
      return absences.some((absence) => absence !== null)
        ? this.#lookAtRest(options, earlier, known, absences)
        : this.#look(options);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      this.#problems.push(`${error.message}; until that is so, ${known.name} stays as it was`);
      return keptGame(earlier, known);
    }
  }

  /** Looks at the base directories that are there, by what is known of the game; the others stay as they were. */
  #lookAtRest(
    options: GameOptions,
    earlier: EarlierIndex,
    known: Game,
    absences: readonly (string | null)[],
  ): GamePlan {
    const { profile, because, sourceDirectories } = known;
    const base = knownBase(earlier, known);
    const present = sourceDirectories.filter((_, place) => absences[place] === null);
    const before = sourceDirectories.flatMap((_, place) =>
      absences[place] === null ? [] : keptNames(earlier, known, place)
    );
    const mods = options.mods?.filter((mod) => present.some((directory) => isDirectory(join(directory, mod))));
    const found = [...mods ?? present.flatMap(subdirectories), ...before];
    const names = base === "" ? [basename(sourceDirectories[0] ?? "")] : inOrder(found, base, profile);
    const directories = names.flatMap((name) =>
      sourceDirectories.flatMap((root, place) =>
        absences[place] === null
          ? this.#directoryIn(root, place, name, base, profile)
          : keptDirectory(earlier, known, name, place)
      )
    );
    return this.#planOf({ profile, because, base, names, directories, sourceDirectories }, options);
  }

  #look(options: GameOptions): GamePlan {
    if (options.sources.length === 0) throw new GameError("A game needs at least one directory", "sources");
    const paths = options.sources.map(existing);
    const first = paths[0] ?? "";
    if (paths.length === 1 && !isDirectory(first)) return archiveAlone(first, options);
    const file = paths.find((path) => !isDirectory(path));
    if (file === undefined) return this.#installation(paths, options);
    throw new GameError(`${file} is a file; an archive is mounted alone, base directories together`, file);
  }

  #installation(sourceDirectories: readonly string[], options: GameOptions): GamePlan {
    const { profile, because, base } = detectGame(sourceDirectories, options);
    const gameDirectories = directoryNames(profile, base, sourceDirectories, options.mods);
    const directories = gameDirectories.flatMap((name) =>
      sourceDirectories.flatMap((root, place) => this.#directoryIn(root, place, name, base, profile))
    );
    return this.#planOf({ profile, because, base, names: gameDirectories, directories, sourceDirectories }, options);
  }

  #planOf(
    found: Pick<GamePlan, "profile" | "because" | "base" | "directories" | "sourceDirectories"> & {
      readonly names: readonly string[];
    },
    options: GameOptions,
  ): GamePlan {
    const { profile, because, base, names, directories, sourceDirectories } = found;
    const first = basename(sourceDirectories[0] ?? "");
    return {
      name: options.name ?? (first || base),
      profile,
      because,
      sourceDirectories,
      base: base === "" ? first : base,
      gameDirectories: names.filter((name) => directories.some((directory) => directory.name === name)),
      directories,
      pure: options.pure ?? null,
      names: nameSettings(options),
      strict: options.strict ?? false,
      nested: options.nested ?? false,
      followSymlinks: options.followSymlinks ?? false,
      archive: null,
    };
  }

  /** A game directory in a base directory; nothing if it has none of that name. */
  #directoryIn(root: string, sourceDirectory: number, name: string, base: string, profile: Profile): FoundDirectory[] {
    const path = base === "" ? root : join(root, name);
    if (!isDirectory(path)) return [];
    if (name !== base && this.#boundary?.isBeyond(path, name)) {
      this.#problems.push(
        `${path} is a symbolic link that leads out of the game's directories; left out; ${linkAdvice}`,
      );
      return [];
    }
    const enginePack = name === base ? enginePackIn(root, profile) : null;
    const found = this.#gameDirectory({ name, sourceDirectory, path, enginePack }, profile);
    return found ? [found] : [];
  }

  /** Whether a directory is left out, which is said, because it is a link to elsewhere. */
  #isBeyond(path: string, name: string): boolean {
    if (!this.#boundary?.isBeyond(path, name)) return false;
    this.#problems.push(`${path} is a symbolic link that leads out of the game's directories; left out; ${linkAdvice}`);
    return true;
  }

  #gameDirectory(
    place: Pick<FoundDirectory, "name" | "sourceDirectory" | "path" | "enginePack">,
    profile: Profile,
  ): FoundDirectory | undefined {
    const { path } = place;
    /** By folder, the game directory itself under the empty name. */
    const folders = new Map(
      ["", ...profile.packFolders.map(({ name }) => name)].map((folder) => [folder, new PackNames()]),
    );
    const endings = packEndings.union(new Set(packFileEndings(profile.packs)));
    // Where names are known to be unchanged, nobody tells of directories that are packs.
    for (const { folder, name } of this.#earlier?.packDirectories(this.#game, path) ?? []) {
      folders.get(folder)?.directories.add(name);
    }
    const isPackFile = (relativePath: string) =>
      folders.has(folderOf(relativePath)) && endings.has(endingOf(relativePath));
    const loose = this.#looseFiles(path, profile, {
      // What is a pack by its name alone may lie elsewhere: it is opened as a pack, and not shown as a file.
      isToldOnly: (relativePath) => isPackFile(relativePath) && !sharedEndings.has(endingOf(relativePath)),
      skip: (relativePath, isDirectoryItem) => {
        if (!isDirectoryItem || !isPackName(relativePath, profile)) return false;
        const names = folders.get(folderOf(relativePath));
        names?.directories.add(nameOf(relativePath));
        return names !== undefined;
      },
      onItem: (relativePath, information) => {
        if (!information.isFile || !isPackFile(relativePath)) return;
        folders.get(folderOf(relativePath))?.archives.set(nameOf(relativePath), identityFrom(information));
      },
    });
    if (!loose) return undefined;
    // Nor of packs that lie elsewhere.
    for (const { folder, name } of this.#earlier?.packFiles(this.#game, path) ?? []) {
      const information = folders.get(folder)?.archives.has(name) ? undefined : itemAt(join(path, folder, name));
      if (information?.isFile) folders.get(folder)?.archives.set(name, identityFrom(information));
    }
    const packs = Array.from(folders, ([folder, names]) => this.#packs(join(path, folder), folder, names, profile));
    return { ...place, packs: packs.flat().filter((pack) => this.#mayBePack(pack, profile, loose)), loose };
  }

  #packs(path: string, folder: string, { archives, directories }: PackNames, profile: Profile): FoundPack[] {
    return [...archives.keys(), ...directories].sort().flatMap((name) => {
      if (archives.has(archiveOfPart(name) ?? "")) return []; // a part of an archive is no pack
      const identity = archives.get(name);
      if (!identity) return this.#packDirectory(join(path, name), name, folder, profile);
      const isCertain = !sharedEndings.has(extname(name).toLowerCase());
      return [{ name, path: `${path}/${name}`, folder, isCertain, identity, listing: null }];
    });
  }

  /** Whether a file with an ending of all kinds of files is worth opening: not if it was no archive and is unchanged. */
  #mayBePack({ isCertain, path }: FoundPack, profile: Profile, loose: Listing): boolean {
    return isCertain || loose.kind === "read" ||
      this.#earlier?.source(this.#game, profile, "pack", path) !== undefined;
  }

  /** If a game directory cannot be read, that is a problem, but no reason not to index the others. */
  #looseFiles(path: string, profile: Profile, options: ListOptions): Listing | undefined {
    try {
      return this.#list("loose", path, profile, options);
    } catch (error) {
      this.#problems.push(`${path} cannot be read: ${sentenceOf(error)}`);
      return undefined;
    }
  }

  /** A directory that counts as a pack; nothing if it has gone, or was a link to something else. */
  #packDirectory(path: string, name: string, folder: string, profile: Profile): FoundPack[] {
    const information = itemAt(path);
    if (!information?.isDirectory || this.#isBeyond(path, name)) return [];
    const identity = identityFrom(information);
    const pack = { name, path, folder, isCertain: true, identity };
    try {
      return [{ ...pack, listing: this.#list("pk3dir", path, profile, {}) }];
    } catch (error) {
      const unread = { format: "pk3dir", table: new EntryTable(), failure: sentenceOf(error) };
      return [{ ...pack, listing: { kind: "read", ...unread, identity, readAt: Date.now() } }];
    }
  }

  #list(
    format: "loose" | "pk3dir",
    path: string,
    profile: Profile,
    { isToldOnly, ...options }: ListOptions,
  ): Listing {
    const index = this.#earlier;
    const isAlike = index?.catalog.games[this.#game]?.followSymlinks === (this.#boundary === null);
    const earlier = isAlike
      ? index?.source(this.#game, profile, format === "loose" ? "loose" : "pack", path)
      : undefined;
    const links = this.#boundary?.rule(isToldOnly) ?? "all";
    return listDirectory({ path, format, ...options, links, earlier, index });
  }
}

/** One archive alone: a game with a single pack. */
function archiveAlone(path: string, options: GameOptions): GamePlan {
  const profile = requestedProfile(options.profile ?? "generic");
  const name = basename(path);
  return {
    name: options.name ?? basename(path, extname(path)),
    profile,
    because: "it is one archive",
    sourceDirectories: [path],
    base: name,
    gameDirectories: [name],
    directories: [],
    pure: null,
    names: nameSettings(options),
    strict: options.strict ?? false,
    nested: options.nested ?? false,
    followSymlinks: options.followSymlinks ?? false,
    archive: { name, path, folder: "", isCertain: true, identity: identityFrom(Deno.statSync(path)), listing: null },
  };
}

/**
 * What names are found with.
 * @throws {GameError} if a list is no file, or the hash is none that is known.
 */
function nameSettings({ names = [], hash }: GameOptions): NameSettings {
  if (hash !== undefined && !variantNamed(hash)) {
    throw new GameError(
      `There is no hash "${hash}"; it is one of ${nameHashFunctions.join(", ")}, with +lower or +upper, +backslash, ` +
        "+leading and +rootless where they apply",
      hash,
    );
  }
  const lists = names.map((name) => {
    const path = resolve(name);
    const information = itemAt(path);
    if (!information?.isFile) throw new GameError(`There is no list of names ${name}`, name);
    return { path, identity: identityFrom(information) };
  });
  return { lists, hash: hash ?? null };
}

function enginePackIn(root: string, profile: Profile): FoundPack | null {
  if (!profile.enginePack) return null;
  const { name } = profile.enginePack;
  const path = join(root, name);
  const information = itemAt(path);
  if (!information?.isFile) return null;
  return { name, path, folder: "", isCertain: true, identity: identityFrom(information), listing: null };
}

/** What the file system says of what is at `path`; nothing of what is not there or cannot be looked at. */
function itemAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Absolute path of something that is there. */
function existing(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return absolute;
  throw new GameError(`${path} does not exist; name a game's directory or an archive`, path);
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
  return inOrder(mods ?? sourceDirectories.flatMap(subdirectories), base, profile);
}

function inOrder(names: readonly string[], base: string, profile: Profile): string[] {
  const others = new Set(names.filter((name) => name !== base && !isPackName(name, profile)));
  return [base, ...Array.from(others).sort()];
}

/** The folder of a path below a game directory; empty for what is at its top. */
function folderOf(relativePath: string): string {
  const end = relativePath.lastIndexOf("/");
  return end < 0 ? "" : relativePath.slice(0, end);
}

/** The last component of a path below a game directory. */
function nameOf(relativePath: string): string {
  return relativePath.slice(relativePath.lastIndexOf("/") + 1);
}

/** The ending of a path's last component with its dot, in small letters; empty for names that have none but it. */
function endingOf(relativePath: string): string {
  const dot = relativePath.lastIndexOf(".");
  return dot > relativePath.lastIndexOf("/") + 1 ? relativePath.slice(dot).toLowerCase() : "";
}

/** Engines compare the ending without case. */
function isPackName(name: string, profile: Profile): boolean {
  const lower = name.toLowerCase();
  return packDirectoryEndings(profile.packs).some((ending) => lower.endsWith(ending));
}

/** A name for the game that can be a directory's and that no other game has. */
function freeName(wanted: string, games: readonly GamePlan[]): string {
  const plain = wanted.replaceAll(/[/\0]/g, "_").replace(/^\.+/, "") || "game";
  const taken = new Set(games.map((game) => game.name));
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
  return name;
}
