/**
 * A game in an earlier index, kept while its roots are missing.
 * @module
 */
import { join } from "@std/path";
import { loadedLists, pathInDirectory } from "../../engines/mod.ts";
import { type Game, plannedGame } from "../columns/game.ts";
import type { Source } from "../columns/source.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import {
  type DeletedFile,
  type FileList,
  type FoundDirectory,
  type FoundPack,
  type GamePlan,
  type GameRules,
  listedDirectory,
  type ListedSource,
} from "./plan.ts";

/** Returns the message for a root that is kept. */
export function keptSentence(path: string, absence: string): string {
  return `${path} ${absence}; its known files are kept, and cannot be read until it is back`;
}

/** Returns the message for a root that has never existed. */
export function awaitedSentence(path: string, absence: string): string {
  return `${path} ${absence}; it appears once it is available`;
}

/** Returns the message for a list of names on a file system that does not reply. */
export function unreadListSentence(path: string, silence: string): string {
  return `${path} ${silence}; names that were found with it are kept, and others are found once it answers`;
}

/** A game in an earlier index. */
export class EarlierGame {
  /** The game of the earlier index. */
  readonly game: Game;
  readonly #sources: readonly Source[];

  /** @param game One of the games of `earlier`. */
  constructor(earlier: EarlierIndex, game: Game) {
    this.game = game;
    this.#sources = earlier.snapshot.sources.filter((source) => source.game === game.id);
  }

  /** Returns its rules, and the base game directory: empty if base directories are themselves the game directory. */
  get rules(): GameRules {
    const { profile, because, base, roots } = this.game;
    const loose = this.#sources.find(({ kind }) => kind === "loose");
    return { profile, because, base: loose && roots.includes(loose.path) ? "" : base };
  }

  /** Returns whether the base directory number `rootIndex` had content. */
  holds(rootIndex: number): boolean {
    return this.#sources.some((source) => source.rootIndex === rootIndex);
  }

  /** Returns the whole game unchanged, without accessing files. */
  plan(): GamePlan {
    const { loads, roots } = this.game;
    const shared = plannedGame(this.game);
    const gameDirectories = this.game.gameDirectories.map((directory) => directory.name);
    if (this.game.isArchive) {
      const [source] = this.#sources;
      return { ...shared, gameDirectories, directories: [], archive: source ? keptPack(source) : null };
    }
    const directories = loads
      ? gameDirectories.map((directory) => this.#loadedDirectory(directory))
      : gameDirectories.flatMap((directory) => roots.flatMap((_, index) => this.directory(directory, index)));
    const below = new Map(this.game.gameDirectories.flatMap(({ name, below: names }) => names ? [[name, names]] : []));
    return {
      ...shared,
      gameDirectories,
      directories,
      archive: null,
      below,
      ...this.#sourceLists(),
    };
  }

  /** Returns the files that are loaded with an IWAD. */
  #loadedDirectory(name: string): FoundDirectory {
    const packs = this.#sources.filter((source) => source.gameDirectory === name).map(keptPack);
    return listedDirectory(name, this.game.roots[0] ?? "", packs).directory;
  }

  /** Returns the lists of sources, and the files that they hide, from the game. */
  #sourceLists(): Pick<GamePlan, "lists" | "deleted"> {
    const lists = this.game.gameDirectories.flatMap(({ name, list }) => {
      const named = list?.flatMap(({ source: id, choice }): ListedSource[] => {
        const source = this.#sources.find((one) => one.id === id);
        if (!source) return [];
        const { gameDirectory: directory, rootIndex, kind } = source;
        const path = this.game.loads ? { path: source.path } : {};
        return [{ directory, rootIndex, pack: kind === "pack" ? pathInDirectory(source) : null, ...path, choice }];
      });
      return named ? [[name, named] as const] : [];
    });
    const deleted = this.game.gameDirectories.map(({ name, deleted: files = [] }) =>
      [
        name,
        files.flatMap(({ source: id, of, path }): DeletedFile[] => {
          const source = this.#sources.find((one) => one.id === id);
          if (!source) return [];
          return [{
            directory: source.gameDirectory,
            rootIndex: source.rootIndex,
            pack: pathInDirectory(source),
            of,
            path,
          }];
        }),
      ] as const
    );
    return lists.length === 0 ? {} : { lists: new Map(lists), deleted: new Map(deleted) };
  }

  /** Returns the content of a game directory in a root. */
  directory(name: string, rootIndex: number): FoundDirectory[] {
    const sources = this.#sources.filter((source) => source.gameDirectory === name && source.rootIndex === rootIndex);
    const packs = sources.filter(({ kind }) => kind === "pack");
    const enginePack = packs.find((pack) => pack.path === enginePackPath(this.game, rootIndex));
    return sources.filter(({ kind }) => kind === "loose").map((loose, index) => ({
      name,
      rootIndex,
      path: loose.path,
      packs: packs.filter((pack) => pack !== enginePack && pack.path.startsWith(`${loose.path}/`)).map(keptPack),
      enginePack: enginePack && index === 0 ? keptPack(enginePack) : null,
      lists: loadedLists(this.game.profile.packs, packs),
      loose: kept(loose),
    }));
  }

  /** Returns the names of the game directories that were found in a base directory. */
  names(rootIndex: number): string[] {
    return this.#sources
      .filter((source) => source.kind === "loose" && source.rootIndex === rootIndex)
      .map((source) => source.gameDirectory);
  }
}

function enginePackPath({ profile, roots }: Game, rootIndex: number): string | null {
  const root = roots[rootIndex];
  return profile.enginePack && root !== undefined ? join(root, profile.enginePack.name) : null;
}

function keptPack(source: Source): FoundPack {
  const { name, path, folder, identity } = source;
  return { name, path, folder, isCertain: true, identity, fileList: kept(source) };
}

function kept(source: Source): FileList {
  return { kind: "kept", source };
}
