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
    /** Packs by folder; the game directory itself has the empty name. */
    const folders = new Map(
      ["", ...profile.packFolders.map(({ name }) => name)].map((folder) => [folder, new PackNames()]),
    );
    const endings = packEndings.union(new Set(packFileEndings(profile.packs)));
    const isPackFolder = (folder: string) =>
      profile.packsInFolders || folders.has(profile.foldDirectories ? folder.toLowerCase() : folder);
    const namesIn = (folder: string) => {
      const known = folders.get(folder);
      if (known || !isPackFolder(folder)) return known;
      const names = new PackNames();
      folders.set(folder, names);
      return names;
    };
    const mayBePack = (relativePath: string) =>
      endings.has(endingOf(relativePath)) && isPackFolder(folderOf(relativePath));
    const checked = this.#checked(directory, profile, mayBePack);
    if (checked) return checked;
    const known = this.#settings.earlier?.packsOf(this.#settings.game, profile, path) ?? [];
    // If names are unchanged, directories that are packs are not reported.
    for (const { folder, name } of known.filter(isDirectorySource)) namesIn(folder)?.directories.add(name);
    const packNames = (relativePath: string) =>
      endings.has(endingOf(relativePath)) ? namesIn(folderOf(relativePath)) : undefined;
    const loose = this.#looseFiles(path, profile, {
      // A file that is a pack because of its name alone may be a link to the outside: it is opened as a pack, and not
      // shown as a file.
      isReportedOnly: (relativePath) =>
        packNames(relativePath) !== undefined && !sharedEndings.has(endingOf(relativePath)),
      skip: (relativePath, isDirectoryItem) => {
        if (!isDirectoryItem || !isPackName(relativePath, profile)) return false;
        const folder = folderOf(relativePath);
        if (folder !== "" && !profile.packsInFolders) return false;
        namesIn(folder)?.directories.add(nameOf(relativePath));
        return true;
      },
      onItem: (relativePath, information) => {
        if (!information.isFile) return;
        packNames(relativePath)?.archives.set(nameOf(relativePath), identityFrom(information));
      },
    });
    if (!loose) return undefined;
    // Packs that are links to the outside are omitted too.
    for (const { folder, name } of known.filter((pack) => !isDirectorySource(pack))) {
      const information = folders.get(folder)?.archives.has(name) ? undefined : itemAt(join(path, folder, name));
      if (information?.isFile) namesIn(folder)?.archives.set(name, identityFrom(information));
    }
    const packs = Array.from(folders, ([folder, names]) => this.#packs(join(path, folder), folder, names, profile));
    const found = packs.flat();
    const { packsInPackDirectories, nestedPacks } = profile;
    const inner = packsInPackDirectories || nestedPacks
      ? found.flatMap((pack) =>
        this.#packsInside(
          pack,
          path,
          packsInPackDirectories ? Array.from(folders.keys()) : [""],
          nestedPacks ? new Set(nestedPacks.suffixes) : endings,
          profile,
        )
      )
      : [];
    const innerLists = new Map(
      nestedPacks
        ? inner.map(({ folder }) => [folder, packListsIn(join(path, folder), profile, this.#settings.problems)])
        : [],
    );
    const lists = packListsIn(path, profile, this.#settings.problems);
    return {
      ...directory,
      lists,
      innerLists,
      packs: [...found, ...inner].filter((pack) => this.#mayBePack(pack, profile, loose)),
      loose,
    };
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
  #looseFiles(path: string, profile: Profile, options: ListOptions): FileList | undefined {
    try {
      return this.#list("loose", path, profile, options);
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
