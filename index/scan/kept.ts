/**
 * Source directories that are not there any more while a game is served: a disk was pulled, a server cannot be reached,
 * or somebody is about to put another in its place. What was known of them is kept, so that the other sources stay as
 * they are, nothing that loses becomes a winner, and all is well when they are back. Those that never were there are waited for.
 * @module
 */
import { join } from "node:path";
import type { Game } from "../profiles/game.ts";
import type { Source } from "../columns/source.ts";
import type { EarlierIndex } from "./earlier.ts";
import type { FoundDirectory, FoundPack, GamePlan, Listing } from "./plan.ts";

/** What {@linkcode RootPresence} knows. */
export interface RootPresenceState {
  readonly there: ReadonlyMap<string, string>;
  readonly seen: ReadonlyMap<string, string | null>;
  readonly silences: ReadonlyMap<string, string>;
}

/** Source directories as they were when they were looked at. */
export class RootPresence {
  /** Device and inode of each when it was there last. */
  readonly #there = new Map<string, string>();
  /** As {@linkcode RootPresence.seen} tells it. */
  readonly #seen = new Map<string, string | null>();
  /** Why directories cannot be looked at, to go on after their paths: doing it would hang. */
  #silences: ReadonlyMap<string, string> = new Map();

  /** Restores what another thread knows. */
  static from(state: RootPresenceState): RootPresence {
    const presence = new RootPresence();
    presence.restore(state);
    return presence;
  }

  /** What is known, for another thread. */
  state(): RootPresenceState {
    return { there: this.#there, seen: this.#seen, silences: this.#silences };
  }

  /** Takes over what another thread has found out. */
  restore({ there, seen, silences }: RootPresenceState): void {
    for (const [path, identity] of there) this.#there.set(path, identity);
    for (const [path, identity] of seen) this.#seen.set(path, identity);
    this.#silences = silences;
  }

  /** From now on these directories, and no others, are not looked at: their file systems do not answer. */
  silence(silences: ReadonlyMap<string, string>): void {
    this.#silences = silences;
  }

  /** Whether a directory is not to be looked at. */
  isSilent(path: string): boolean {
    return this.#silences.has(path);
  }

  /** Why a source directory cannot be indexed as it is now, to go on after its path; null if it can. */
  absence(path: string): string | null {
    this.#seen.set(path, null);
    const silence = this.#silences.get(path);
    if (silence !== undefined) return silence;
    try {
      const information = Deno.statSync(path);
      const identity = identityOf(information);
      this.#seen.set(path, identity);
      const before = this.#there.get(path);
      const isOther = before !== undefined && before !== identity;
      // A mount point without its disk is an empty directory.
      if (information.isDirectory && isEmpty(path) && isOther) return "is empty, and not the directory it was";
      this.#there.set(path, identity);
      return null;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "is not there";
      return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
    }
  }

  /**
   * Device and inode of what was at `path` when it was looked at last, as {@linkcode identityOf} writes them; null if
   * nothing was, undefined if nobody has looked.
   */
  seen(path: string): string | null | undefined {
    return this.#seen.get(path);
  }
}

/** Which file or directory this is: device and inode. */
export function identityOf({ dev, ino }: Pick<Deno.FileInfo, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** Whether nothing is in a directory. */
export function isEmpty(path: string): boolean {
  for (const _item of Deno.readDirSync(path)) return false;
  return true;
}

/** What is said of a source directory that is kept. */
export function keptSentence(path: string, absence: string): string {
  return `${path} ${absence}; what was found there before is kept, and cannot be read until it is back`;
}

/** What is said of a source directory that was never there. */
export function awaitedSentence(path: string, absence: string): string {
  return `${path} ${absence}; it is shown when it is there`;
}

/** A game as an earlier index knows it. */
export class KnownGame {
  /** The game of the earlier index. */
  readonly game: Game;
  readonly #sources: readonly Source[];

  /** @param game One of the games of `earlier`. */
  constructor(earlier: EarlierIndex, game: Game) {
    this.game = game;
    this.#sources = earlier.snapshot.sources.filter((source) => source.game === game.id);
  }

  /** Its rules, and the base game directory: empty where base directories are themselves the game directory. */
  get rules(): Pick<GamePlan, "profile" | "because" | "base"> {
    const { profile, because, base, roots } = this.game;
    const loose = this.#sources.find(({ kind }) => kind === "loose");
    return { profile, because, base: loose && roots.includes(loose.path) ? "" : base };
  }

  /** Whether something was found in the base directory of number `rootIndex`. */
  holds(rootIndex: number): boolean {
    return this.#sources.some((source) => source.rootIndex === rootIndex);
  }

  /** The whole game as it was: nothing of it is looked at. */
  plan(): GamePlan {
    const { name, profile, because, roots, base, pure, names, strict, nested, followSymlinks } = this.game;
    const shared = { name, profile, because, roots, base, pure, names, strict, nested, followSymlinks };
    const gameDirectories = this.game.gameDirectories.map((directory) => directory.name);
    if (this.game.isArchive) {
      const [source] = this.#sources;
      return { ...shared, gameDirectories, directories: [], archive: source ? keptPack(source) : null };
    }
    const directories = gameDirectories.flatMap((directory) =>
      roots.flatMap((_, place) => this.directory(directory, place))
    );
    return { ...shared, gameDirectories, directories, archive: null };
  }

  /** What was found of a game directory in the base directory of number `rootIndex`. */
  directory(name: string, rootIndex: number): FoundDirectory[] {
    const sources = this.#sources.filter((source) => source.gameDirectory === name && source.rootIndex === rootIndex);
    const packs = sources.filter(({ kind }) => kind === "pack");
    const enginePack = packs.find((pack) => pack.path === enginePackPath(this.game, rootIndex));
    return sources.filter(({ kind }) => kind === "loose").map((loose, place) => ({
      name,
      rootIndex,
      path: loose.path,
      packs: packs.filter((pack) => pack !== enginePack && pack.path.startsWith(`${loose.path}/`)).map(keptPack),
      enginePack: enginePack && place === 0 ? keptPack(enginePack) : null,
      loose: kept(loose),
    }));
  }

  /** Names of the game directories that were found in a base directory. */
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
  return { name, path, folder, isCertain: true, identity, listing: kept(source) };
}

function kept(source: Source): Listing {
  return { kind: "kept", source };
}
