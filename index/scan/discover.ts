/**
 * Discovers games and their game directories, which `game_directory.ts` reads. No archive is opened.
 *
 * Roots are given highest first for every profile. In `generic` the later pack name of a directory wins, and each root
 * is itself the game directory. In all other profiles every subdirectory is a game directory, except hidden ones and
 * `*.app`.
 * @module
 */
import { join, resolve } from "@std/path";
import {
  detectGame,
  existing,
  findEvidence,
  GameError,
  isDirectory,
  nameOfRoots,
  subdirectories,
} from "../../games/mod.ts";
import type { LookAtFile } from "../columns/identity.ts";
import type { GameOptions } from "../columns/game.ts";
import { generic } from "../../engines/generic.ts";
import { type Profile, rootCompanion, shellWord } from "../../engines/mod.ts";
import { directoriesIn, directoryNames, inOrder } from "./directory_names.ts";
import { PakLoader } from "./dependencies.ts";
import { directoryChains } from "./directory_chains.ts";
import { enginePackOf, otherEnginePacks } from "./engine_packs.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import { GameDirectoryReader } from "./game_directory.ts";
import { awaitedSentence, keptSentence, KnownGame, unreadListSentence } from "./known_game.ts";
import { isEmpty, type RootPresence } from "./root_presence.ts";
import { archiveAlone, awaitedGame, nameSettings, unusedName } from "./game_settings.ts";
import { LinkBoundary } from "./link_boundary.ts";
import { listDetection, planLists } from "./load_plan.ts";
import { planUnion, unionProfile } from "./union_plan.ts";
import { SourcePaths } from "./source_paths.ts";
import type { FoundDirectory, GamePlan, ScanPlan } from "./plan.ts";

/**
 * Discovers the directories of all games.
 * @param earlier An earlier index: directories are compared with it instead of listed again if possible.
 * @param presence If given, missing roots are problems instead of errors: their content in the earlier index is kept,
 *   and games without any existing root are empty.
 * @param look Reads file attributes more precisely than Deno.
 * @throws {GameError} if a game's directories, profile or base are invalid, and no earlier content can be kept.
 */
export function discoverGames(
  games: readonly GameOptions[],
  earlier?: EarlierIndex,
  presence?: RootPresence,
  look?: LookAtFile,
): ScanPlan {
  const plans: GamePlan[] = [];
  const problems: string[] = [];
  for (const options of games) {
    const plan = new GameDiscovery(plans.length, options, earlier, problems, presence, look).run();
    plans.push({ ...plan, name: unusedName(plan.name, plans) });
  }
  return { games: plans, problems };
}

class GameDiscovery {
  readonly #game: number;
  readonly #earlier: EarlierIndex | undefined;
  readonly #problems: string[];
  readonly #presence: RootPresence | undefined;
  readonly #look: LookAtFile | undefined;
  readonly #options: GameOptions;
  /** Absolute paths of the sources. */
  readonly #paths: readonly string[];
  /** Directories that links may point into; null: anywhere. */
  readonly #boundary: LinkBoundary | null;
  readonly #reader: GameDirectoryReader;

  constructor(
    game: number,
    options: GameOptions,
    earlier: EarlierIndex | undefined,
    problems: string[],
    presence: RootPresence | undefined,
    look: LookAtFile | undefined,
  ) {
    this.#game = game;
    this.#options = options;
    this.#earlier = earlier;
    this.#problems = problems;
    this.#presence = presence;
    this.#look = look;
    this.#paths = options.sources.map((path) => resolve(path));
    const answering = this.#paths.filter((path) => presence?.silenceOf(path) === undefined);
    this.#boundary = options.followSymlinks ? null : new LinkBoundary(answering, options.mods);
    const isNested = options.nested ?? false;
    this.#reader = new GameDirectoryReader({ game, earlier, boundary: this.#boundary, isNested, look, problems });
  }

  run(): GamePlan {
    const [options, paths, presence] = [this.#options, this.#paths, this.#presence];
    if (!presence) return this.#plan(options);
    for (const path of options.names?.map((name) => resolve(name)) ?? []) {
      const silence = presence.silenceOf(path);
      if (silence !== undefined) this.#problems.push(unreadListSentence(path, silence));
    }
    const absences = paths.map((path) => presence.absence(path));
    const known = this.#known(paths);
    for (const [index, absence] of absences.entries()) {
      if (absence === null) continue;
      const path = paths[index] ?? "";
      this.#problems.push(known?.holds(index) ? keptSentence(path, absence) : awaitedSentence(path, absence));
    }
    const isWhole = absences.every((absence) => absence === null);
    // With a list of files, only the IWAD must exist.
    const isListed = options.iwad !== undefined;
    const isAway = isListed ? absences[0] !== null : !absences.includes(null);
    if (!isWhole && isAway) return known?.plan() ?? awaitedGame(options, paths, presence);
    try {
      return isWhole || isListed ? this.#plan(options) : this.#lookAtRest(options, known, paths, absences);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      if (known) {
        this.#problems.push(`${error.message}; meanwhile, ${known.game.name} is unchanged`);
        return known.plan();
      }
      // The mount point of a disk that is not mounted yet is usually an empty directory.
      if (isWhole && !paths.every((path) => isDirectory(path) && isEmpty(path))) throw error;
      this.#problems.push(`${error.message}; meanwhile, it is not shown`);
      return awaitedGame(options, paths, presence);
    }
  }

  /** Returns the game in an earlier index, if that has content from the same directories. */
  #known(paths: readonly string[]): KnownGame | undefined {
    const game = this.#earlier?.game(this.#game);
    if (!game || !this.#earlier || game.roots.join("\0") !== paths.join("\0")) return undefined;
    return game.gameDirectories.length > 0 ? new KnownGame(this.#earlier, game) : undefined;
  }

  /** Checks the existing base directories against the known game; missing ones keep their content. */
  #lookAtRest(
    options: GameOptions,
    known: KnownGame | undefined,
    roots: readonly string[],
    absences: readonly (string | null)[],
  ): GamePlan {
    const present = roots.filter((_, index) => absences[index] === null);
    const { profile, because, base } = known?.rules ?? detectGame(present, options);
    const before = roots.flatMap((_, index) => absences[index] === null ? [] : known?.names(index) ?? []);
    const mods = options.mods?.filter((mod) => present.some((directory) => isDirectory(join(directory, mod))));
    const found = [...mods ?? present.flatMap((root) => directoriesIn(root, profile)), ...before];
    const names = base === "" ? [nameOfRoots(roots)] : inOrder(found, base, profile, present);
    const directories = names.flatMap((name) =>
      roots.flatMap((_, index) =>
        absences[index] === null
          ? this.#directoryIn(roots, index, name, base, profile)
          : known?.directory(name, index) ?? []
      )
    );
    return this.#planOf({ profile, because, base, names, directories, roots }, options);
  }

  #plan(options: GameOptions): GamePlan {
    if (options.sources.length === 0) {
      throw new GameError("game without a source; name at least one directory", "sources");
    }
    const listed = listDetection(options.sources.map((path) => resolve(path)), options);
    if (listed) return this.#loadedFiles(options.sources.map((path) => resolve(path)), listed, options);
    const paths = options.sources.map(existing);
    const first = paths[0] ?? "";
    if (options.union) return this.#union(paths, options);
    if (paths.length === 1 && !isDirectory(first)) return archiveAlone(first, options, this.#presence);
    const file = paths.find((path) => !isDirectory(path));
    if (file === undefined) return this.#installation(paths, options);
    const isOfGame = options.profile === undefined && paths.some((path) => isDirectory(path) && findEvidence([path]));
    if (!isOfGame && (options.profile ?? generic.name) === generic.name) return this.#union(paths, options);
    const alone = `name an archive alone ("pakfs mount ${shellWord(file)} MOUNTPOINT"), or the directory of its game`;
    throw new GameError(`${file} is a file, and the roots of a game are directories; ${alone}`, file);
  }

  #union(paths: readonly string[], options: GameOptions): GamePlan {
    const { lists, ...found } = planUnion(paths, {
      game: this.#game,
      profile: unionProfile(),
      earlier: this.#earlier,
      links: this.#boundary?.rule(undefined) ?? "all",
      look: this.#look,
      problems: this.#problems,
    });
    const { base: name } = found;
    return { ...this.#planOf({ ...found, names: [name], roots: paths }, { name, ...options }), lists };
  }

  #installation(roots: readonly string[], options: GameOptions): GamePlan {
    const { profile, because, base } = detectGame(roots, options);
    if (profile.loadList) return this.#loadedFiles(roots, { profile, because }, options);
    if (profile.sourceList !== null) return this.#listedSources(roots, { profile, because, base }, options);
    if (profile.dependencies !== null) return this.#loadedPaks(roots, { profile, because, base }, options);
    const gameDirectories = directoryNames(profile, base, roots, options.mods);
    const directories = gameDirectories.flatMap((name) =>
      roots.flatMap((_, index) => this.#directoryIn(roots, index, name, base, profile))
    );
    const plan = this.#planOf({ profile, because, base, names: gameDirectories, directories, roots }, options);
    return { ...plan, below: directoryChains(profile, base, plan.gameDirectories, roots, this.#problems) };
  }

  /** Returns the plan of a game that loads lists of files, one per IWAD. */
  #loadedFiles(
    roots: readonly string[],
    { profile, because }: Pick<GamePlan, "profile" | "because">,
    options: GameOptions,
  ): GamePlan {
    const list = profile.loadList;
    if (!list) throw new RangeError(`Cannot plan files: ${profile.name} loads no list`);
    const { directories, lists, loads } = planLists(roots, {
      options: options.iwad === undefined ? options : { ...options, iwad: resolve(options.iwad) },
      profile,
      list,
      game: this.#game,
      earlier: this.#earlier,
      links: this.#boundary?.rule(undefined) ?? "all",
      look: this.#look,
      awaitsFiles: this.#presence !== undefined,
      problems: this.#problems,
    });
    const names = directories.map(({ name }) => name);
    const base = names[0] ?? "";
    const isOne = directories.length === 1 && !isDirectory(roots[0] ?? "");
    const name = options.name ?? (isOne ? base : nameOfRoots(roots));
    return {
      ...this.#planOf({ profile, because, base, names, directories, roots }, { ...options, name }),
      lists,
      loads,
    };
  }

  /** Returns the plan of a game whose game directories list their sources. */
  #listedSources(
    roots: readonly string[],
    { profile, because, base }: Pick<GamePlan, "profile" | "because" | "base">,
    options: GameOptions,
  ): GamePlan {
    const lists = new Map(
      directoryNames(profile, base, roots, options.mods).flatMap((name) => {
        const found = roots.map((root, index) =>
          new SourcePaths(root, index, name, profile.sourceList ?? "", this.#problems).read()
        ).filter((list) => list !== null);
        return found.length > 0 ? [[name, found.flat()] as const] : [];
      }),
    );
    const places = Array.from(lists.values()).flat();
    const names = Array.from(new Set([base, ...lists.keys(), ...places.map(({ directory }) => directory)]));
    const directories = names.flatMap((name) =>
      roots.flatMap((_, index) => this.#directoryIn(roots, index, name, base, profile))
    );
    return { ...this.#planOf({ profile, because, base, names, directories, roots }, options), lists };
  }

  /** Returns the plan of a game whose packs have dependencies. */
  #loadedPaks(
    roots: readonly string[],
    { profile, because, base }: Pick<GamePlan, "profile" | "because" | "base">,
    options: GameOptions,
  ): GamePlan {
    const directories = roots.flatMap((_, index) => this.#directoryIn(roots, index, base, base, profile));
    const plan = this.#planOf({ profile, because, base, names: [base], directories, roots }, options);
    if (!profile.dependencies) return plan;
    const loader = new PakLoader(profile.dependencies, directories);
    const { list, deleted } = loader.load();
    this.#problems.push(...loader.problems);
    return { ...plan, lists: new Map([[base, list]]), deleted: new Map([[base, deleted]]) };
  }

  #planOf(
    found: Pick<GamePlan, "profile" | "because" | "base" | "directories" | "roots"> & {
      readonly names: readonly string[];
    },
    options: GameOptions,
  ): GamePlan {
    const { profile, because, base, names, directories, roots } = found;
    const first = nameOfRoots(roots);
    return {
      name: options.name ?? (first || base),
      profile,
      because,
      roots,
      base: base === "" ? first : base,
      gameDirectories: names.filter((name) => directories.some((directory) => directory.name === name)),
      directories,
      pure: options.pure ?? null,
      names: nameSettings(options, this.#presence),
      strict: options.strict ?? false,
      nested: options.nested ?? false,
      followSymlinks: options.followSymlinks ?? false,
      archive: null,
      ...options.with ? { chosen: options.with } : {},
      otherEnginePacks: otherEnginePacks(roots.filter((root) => !this.#presence?.absence(root)), profile),
    };
  }

  /** Returns a game directory in a base directory, or nothing if it has none with that name. */
  #directoryIn(
    roots: readonly string[],
    rootIndex: number,
    name: string,
    base: string,
    profile: Profile,
  ): FoundDirectory[] {
    const root = roots[rootIndex] ?? "";
    const own = rootCompanion(root, profile);
    if (own !== undefined) return own === name ? this.#directoryAt(root, roots, rootIndex, name, base, profile) : [];
    if (profile.companions.some((one) => one.isRoot && one.name === name)) return [];
    if (base === "" || !profile.foldDirectories) {
      return this.#directoryAt(base === "" ? root : join(root, name), roots, rootIndex, name, base, profile);
    }
    const spellings = isDirectory(root) ? subdirectories(root).filter((other) => isSameFolded(other, name)) : [];
    return spellings.sort((a, b) => Number(b === name) - Number(a === name))
      .flatMap((spelling) => this.#directoryAt(join(root, spelling), roots, rootIndex, name, base, profile));
  }

  #directoryAt(
    path: string,
    roots: readonly string[],
    rootIndex: number,
    name: string,
    base: string,
    profile: Profile,
  ): FoundDirectory[] {
    if (!isDirectory(path)) return [];
    if (name !== base && this.#reader.isBeyond(path, name)) return [];
    const enginePack = name === base ? enginePackOf(roots, rootIndex, profile) : null;
    const found = this.#reader.read({ name, rootIndex, path, enginePack }, profile);
    return found ? [found] : [];
  }
}

function isSameFolded(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
