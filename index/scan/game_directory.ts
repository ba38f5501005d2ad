/**
 * Lists one game directory: its packs, the directories that count as packs, and its loose files. No archive is opened.
 * @module
 */
import { join } from "@std/path";
import { archiveOfPart, EntryTable, type LinkRule, messageOf } from "../../formats/parts.ts";
import { lookInto } from "../../games/mod.ts";
import { packEndings, packFileEndings, type Profile, sharedEndings } from "../../engines/mod.ts";
import { type Identity, identityFrom, type LookAtFile } from "../columns/identity.ts";
import { isDirectorySource } from "../columns/source.ts";
import { isPackName } from "./directory_names.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import { itemAt } from "./game_settings.ts";
import { linkAdvice, type LinkBoundary } from "./link_boundary.ts";
import { checkKnownDirectory } from "./known_directory.ts";
import { type DirectoryQuestion, endingOf, folderOf, listDirectory, nameOf } from "./list_directory.ts";
import { packListsIn } from "./pack_lists.ts";
import type { FileList, FoundDirectory, FoundPack } from "./plan.ts";

/** Files and directories of one folder that may be packs, by name. */
class PackNames {
  readonly archives = new Map<string, Identity>();
  readonly directories = new Set<string>();
}

/** Files and directories of one game directory that may be packs, by folder. */
class PackFolders {
  /** Endings of the names of packs. */
  readonly endings: ReadonlySet<string>;
  readonly #profile: Profile;
  /** Names by folder; the game directory itself has the empty name. */
  readonly folders: Map<string, PackNames>;

  constructor(profile: Profile) {
    this.#profile = profile;
    this.endings = packEndings.union(new Set(packFileEndings(profile.packs)));
    const folders = ["", ...profile.packFolders.map(({ name }) => name)];
    this.folders = new Map(folders.map((folder) => [folder, new PackNames()]));
  }

  /** Returns the names in a folder; undefined if the engine loads no packs from it. */
  in(folder: string): PackNames | undefined {
    return this.#isLoaded(folder)
      ? this.folders.getOrInsertComputed(folder, () => new PackNames())
      : this.folders.get(folder);
  }

  mayBePack(relativePath: string): boolean {
    return this.endings.has(endingOf(relativePath)) && this.#isLoaded(folderOf(relativePath));
  }

  /** Returns the names of a folder with a file that may be a pack; undefined for other files. */
  of(relativePath: string): PackNames | undefined {
    return this.endings.has(endingOf(relativePath)) ? this.in(folderOf(relativePath)) : undefined;
  }

  #isLoaded(folder: string): boolean {
    const { foldDirectories, packsInFolders } = this.#profile;
    return packsInFolders || this.folders.has(foldDirectories ? folder.toLowerCase() : folder);
  }
}

/** How one directory is listed. */
type ListOptions = Pick<DirectoryQuestion, "skip" | "onItem"> & Pick<LinkRule, "isReportedOnly">;

/** Parts that all steps of discovering one game share. */
export interface Discovery {
  /** Number of the game. */
  readonly game: number;
  /** An earlier index: directories are compared with it instead of listed again if possible. */
  readonly earlier: EarlierIndex | undefined;
  /** Reads file attributes more precisely than Deno. */
  readonly look: LookAtFile | undefined;
  /** Receives a message for each omission. */
  readonly problems: string[];
}

/** Parts that all directories of a game share. */
export interface GameDirectorySettings extends Discovery {
  /** Directories that links may point into; null: anywhere. */
  readonly boundary: LinkBoundary | null;
  /** Whether inner archives are listed. */
  readonly isNested: boolean;
}

/** Reads the directories of one game. */
export class GameDirectoryReader {
  readonly #settings: GameDirectorySettings;

  constructor(settings: GameDirectorySettings) {
    this.#settings = settings;
  }

  /** Returns whether a directory is omitted, with a message, because it is a link to a directory outside. */
  isBeyond(path: string, name: string): boolean {
    if (!this.#settings.boundary?.isBeyond(path, name)) return false;
    this.#settings.problems.push(
      `${path} is a symbolic link that leads out of the game's directories; left out; ${linkAdvice}`,
    );
    return true;
  }

  /** Returns a game directory with its packs and loose files; `undefined` if it cannot be read. */
  read(
    directory: Pick<FoundDirectory, "name" | "rootIndex" | "path" | "enginePack">,
    profile: Profile,
  ): FoundDirectory | undefined {
    const { path } = directory;
    const { earlier, game, problems } = this.#settings;
    const names = new PackFolders(profile);
    const checked = this.#checked(directory, profile, (relativePath) => names.mayBePack(relativePath));
    if (checked) return checked;
    const known = earlier?.packsOf(game, profile, path) ?? [];
    // If names are unchanged, directories that are packs are not reported.
    for (const { folder, name } of known.filter(isDirectorySource)) names.in(folder)?.directories.add(name);
    const loose = this.#looseFiles(path, profile, names);
    if (!loose) return undefined;
    // Packs that are links to the outside are omitted too.
    for (const { folder, name } of known.filter((pack) => !isDirectorySource(pack))) {
      const information = names.folders.get(folder)?.archives.has(name) ? undefined : itemAt(join(path, folder, name));
      if (information?.isFile) names.in(folder)?.archives.set(name, identityFrom(information));
    }
    const outer = Array.from(names.folders, ([folder, own]) => this.#packs(join(path, folder), folder, own, profile))
      .flat();
    const { packsInPackDirectories, nestedPacks } = profile;
    const folders = packsInPackDirectories ? Array.from(names.folders.keys()) : [""];
    const endings = nestedPacks ? new Set(nestedPacks.suffixes) : names.endings;
    const inner = packsInPackDirectories || nestedPacks
      ? outer.flatMap((pack) => this.#packsInside(pack, path, folders, endings, profile))
      : [];
    const listsIn = (folder: string) => packListsIn(join(path, folder), profile, problems);
    const innerLists = new Map(nestedPacks ? inner.map(({ folder }) => [folder, listsIn(folder)]) : []);
    const packs = [...outer, ...inner].filter((pack) => this.#mayBePack(pack, profile, loose));
    return { ...directory, lists: listsIn(""), innerLists, packs, loose };
  }

  /**
   * Returns a game directory whose names all equal those in an earlier index; `undefined` if checking each file once
   * does not prove this.
   */
  #checked(
    directory: Pick<FoundDirectory, "name" | "rootIndex" | "path" | "enginePack">,
    profile: Profile,
    mayBePack: (relativePath: string) => boolean,
  ): FoundDirectory | undefined {
    const index = this.#settings.earlier;
    const game = index?.game(this.#settings.game);
    const isAlike = game?.followSymlinks === (this.#settings.boundary === null) &&
      game.nested === this.#settings.isNested;
    if (!index || !isAlike) return undefined;
    const problemCount = this.#settings.problems.length;
    const found = checkKnownDirectory(index, {
      game: this.#settings.game,
      profile,
      path: directory.path,
      enginePack: directory.enginePack?.path ?? null,
      mayBePack,
      links: this.#settings.boundary?.rule(mayBePack) ?? "all",
      packDirectory: ({ path, name, folder }) => this.#packDirectory(path, name, folder, profile)[0],
    });
    if (found) return { ...directory, ...found, lists: packListsIn(directory.path, profile, this.#settings.problems) };
    this.#settings.problems.length = problemCount;
    return undefined;
  }

  #packs(path: string, folder: string, { archives, directories }: PackNames, profile: Profile): FoundPack[] {
    return [...archives.keys(), ...directories].sort().flatMap((name) => {
      if (archives.has(archiveOfPart(name) ?? "")) return []; // a part of an archive is no pack
      const identity = archives.get(name);
      if (!identity) return this.#packDirectory(join(path, name), name, folder, profile);
      const isCertain = !sharedEndings.has(endingOf(name));
      return [{ name, path: `${path}/${name}`, folder, isCertain, identity, fileList: null }];
    });
  }

  /** Archives in a directory that is a pack, in the same folders as in the outer game directory. */
  #packsInside(
    pack: FoundPack,
    gameDirectory: string,
    folders: readonly string[],
    endings: ReadonlySet<string>,
    profile: Profile,
  ): FoundPack[] {
    if (pack.fileList === null) return [];
    return folders.flatMap((folder) => {
      const inside = folder === "" ? pack.name : `${pack.name}/${folder}`;
      const names = new PackNames();
      for (const name of lookInto(join(gameDirectory, inside)).files) {
        const information = endings.has(endingOf(name)) ? itemAt(join(gameDirectory, inside, name)) : undefined;
        if (!information?.isFile || this.#settings.boundary?.isBeyond(join(gameDirectory, inside, name), name)) {
          continue;
        }
        names.archives.set(name, identityFrom(information));
      }
      return this.#packs(join(gameDirectory, inside), inside, names, profile);
    });
  }

  /** Returns whether a file with a generic extension is worth opening: not if it is unchanged and was no archive. */
  #mayBePack({ isCertain, path }: FoundPack, profile: Profile, loose: FileList): boolean {
    return isCertain || loose.kind !== "kept" ||
      this.#settings.earlier?.source(this.#settings.game, profile, "pack", path) !== undefined;
  }

  /** An unreadable game directory is a problem, but the others are still indexed. */
  #looseFiles(path: string, profile: Profile, names: PackFolders): FileList | undefined {
    try {
      return this.#list("loose", path, profile, {
        // A file that is a pack because of its name alone may be a link to the outside: it is opened as a pack, and not
        // shown as a file.
        isReportedOnly: (relativePath) =>
          names.of(relativePath) !== undefined && !sharedEndings.has(endingOf(relativePath)),
        skip: (relativePath, isDirectoryItem) => {
          if (!isDirectoryItem || !isPackName(relativePath, profile)) return false;
          const folder = folderOf(relativePath);
          if (folder !== "" && !profile.packsInFolders) return false;
          names.in(folder)?.directories.add(nameOf(relativePath));
          return true;
        },
        onItem: (relativePath, information) => {
          if (information.isFile) names.of(relativePath)?.archives.set(nameOf(relativePath), identityFrom(information));
        },
      });
    } catch (error) {
      this.#settings.problems.push(`${path} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Returns a directory that counts as a pack; nothing if it was deleted, or was a link to something else. */
  #packDirectory(path: string, name: string, folder: string, profile: Profile): FoundPack[] {
    const information = itemAt(path);
    if (!information?.isDirectory || this.isBeyond(path, name)) return [];
    const identity = identityFrom(information);
    const pack = { name, path, folder, isCertain: true, identity };
    try {
      return [{ ...pack, fileList: this.#list("pk3dir", path, profile, {}) }];
    } catch (error) {
      const unread = { format: "pk3dir", table: new EntryTable(), failure: messageOf(error) };
      return [{ ...pack, fileList: { kind: "read", ...unread, identity, readAt: Date.now() } }];
    }
  }

  #list(
    format: "loose" | "pk3dir",
    path: string,
    profile: Profile,
    { isReportedOnly, ...options }: ListOptions,
  ): FileList {
    const index = this.#settings.earlier;
    const isAlike = index?.game(this.#settings.game)?.followSymlinks === (this.#settings.boundary === null);
    const earlier = isAlike
      ? index?.source(this.#settings.game, profile, format === "loose" ? "loose" : "pack", path)
      : undefined;
    const links = this.#settings.boundary?.rule(isReportedOnly) ?? "all";
    return listDirectory({ path, format, ...options, links, earlier, index, look: this.#settings.look });
  }
}
