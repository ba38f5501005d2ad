/**
 * Source directories that are not there any more while a game is served: a disk was pulled, a server cannot be reached,
 * or somebody is about to put another in its place. What was known of them is kept, so that the other sources stay as
 * they are, nothing that loses becomes a winner, and all is well when they are back.
 * @module
 */
import { join } from "node:path";
import type { Game } from "../game.ts";
import type { Source } from "../source.ts";
import type { EarlierIndex } from "./earlier.ts";
import type { FoundDirectory, FoundPack, GamePlan, Listing } from "./plan.ts";

/** Source directories as they were when they were seen last. */
export class SourceRoots {
  readonly #seen = new Map<string, Pick<Deno.FileInfo, "dev" | "ino">>();

  /** Why a source directory cannot be indexed as it is now, to go on after its path; null if it can. */
  absence(path: string): string | null {
    try {
      const information = Deno.statSync(path);
      const before = this.#seen.get(path);
      const isOther = before !== undefined && (before.dev !== information.dev || before.ino !== information.ino);
      // A mount point without its disk is an empty directory.
      if (information.isDirectory && isEmpty(path) && isOther) return "is empty, and not the directory it was";
      this.#seen.set(path, { dev: information.dev, ino: information.ino });
      return null;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "is not there";
      return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
    }
  }
}

function isEmpty(path: string): boolean {
  for (const _item of Deno.readDirSync(path)) return false;
  return true;
}

/** What is said of a source directory that is kept. */
export function keptSentence(path: string, absence: string): string {
  return `${path} ${absence}; what was found there before is kept, and cannot be read until it is back`;
}

/** A game as an earlier index knows it: nothing of it is looked at. */
export function keptGame(earlier: EarlierIndex, game: Game): GamePlan {
  const { name, profile, because, sourceDirectories, base, pure, names, strict, nested, followSymlinks } = game;
  const shared = { name, profile, because, sourceDirectories, base, pure, names, strict, nested, followSymlinks };
  const gameDirectories = game.gameDirectories.map((directory) => directory.name);
  if (game.isArchive) {
    const [source] = sourcesOf(earlier, game);
    return { ...shared, gameDirectories, directories: [], archive: source ? keptPack(source) : null };
  }
  const directories = gameDirectories.flatMap((directory) =>
    sourceDirectories.flatMap((_, place) => keptDirectory(earlier, game, directory, place))
  );
  return { ...shared, gameDirectories, directories, archive: null };
}

/** What an earlier index knows of a game directory in the base directory of number `sourceDirectory`. */
export function keptDirectory(
  earlier: EarlierIndex,
  game: Game,
  name: string,
  sourceDirectory: number,
): FoundDirectory[] {
  const sources = sourcesOf(earlier, game).filter((source) =>
    source.gameDirectory === name && source.sourceDirectory === sourceDirectory
  );
  const loose = sources.find(({ kind }) => kind === "loose");
  if (!loose) return [];
  const packs = sources.filter(({ kind }) => kind === "pack");
  const enginePack = packs.find((pack) => pack.path === enginePackPath(game, sourceDirectory));
  return [{
    name,
    sourceDirectory,
    path: loose.path,
    packs: packs.filter((pack) => pack !== enginePack).map(keptPack),
    enginePack: enginePack ? keptPack(enginePack) : null,
    loose: kept(loose),
  }];
}

/** Names of the game directories that an earlier index found in a base directory. */
export function keptNames(earlier: EarlierIndex, game: Game, sourceDirectory: number): string[] {
  return sourcesOf(earlier, game)
    .filter((source) => source.kind === "loose" && source.sourceDirectory === sourceDirectory)
    .map((source) => source.gameDirectory);
}

/** The base game directory as the scanner looks for it: empty where base directories are themselves the game directory. */
export function knownBase(earlier: EarlierIndex, game: Game): string {
  const loose = sourcesOf(earlier, game).find(({ kind }) => kind === "loose");
  return loose && game.sourceDirectories.includes(loose.path) ? "" : game.base;
}

function sourcesOf(earlier: EarlierIndex, game: Game): Source[] {
  return earlier.snapshot.sources.filter((source) => source.game === game.id);
}

function enginePackPath({ profile, sourceDirectories }: Game, sourceDirectory: number): string | null {
  const root = sourceDirectories[sourceDirectory];
  return profile.enginePack && root !== undefined ? join(root, profile.enginePack.name) : null;
}

function keptPack(source: Source): FoundPack {
  const { name, path, folder, identity } = source;
  return { name, path, folder, isCertain: true, identity, listing: kept(source) };
}

function kept(source: Source): Listing {
  return { kind: "kept", source };
}
