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
  unusedName,
} from "../../games/mod.ts";
import type { LookAtFile } from "../columns/identity.ts";
import type { GameOptions } from "../columns/game.ts";
import { generic } from "../../engines/generic.ts";
import { type Dependencies, rootCompanion } from "../../engines/mod.ts";
import { shellWord } from "../../system/mod.ts";
import { directoriesIn, directoryNames, inOrder } from "./directory_names.ts";
import { PakLoader } from "./dependencies.ts";
import { directoryChains } from "./directory_chains.ts";
import { enginePackOf, otherEnginePacks } from "./engine_packs.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import { type Discovery, GameDirectoryReader } from "./game_directory.ts";
import { awaitedSentence, EarlierGame, keptSentence, unreadListSentence } from "./known_game.ts";
import { isEmpty, type RootPresence } from "./root_presence.ts";
import { archiveAlone, awaitedGame, settingsOf } from "./game_settings.ts";
import { LinkBoundary } from "./link_boundary.ts";
import { listDetection, planLists } from "./load_plan.ts";
import { isUnion, planUnion, unionProfile } from "./union_plan.ts";
import { SourcePaths } from "./source_paths.ts";
import type { FoundDirectory, GamePlan, GameRules, ScanPlan } from "./plan.ts";

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
    const plan = new GameDiscovery({ game: plans.length, earlier, look, problems }, options, presence).run();
    plans.push({ ...plan, name: unusedName(plan.name, new Set(plans.map(({ name }) => name))) });
  }
  return { games: plans, problems };
}

class GameDiscovery {
  readonly #shared: Discovery;
  readonly #options: GameOptions;
  readonly #presence: RootPresence | undefined;
  /** Absolute paths of the sources: the roots, or the files of a list or a union. */
  readonly #roots: readonly string[];
  /** Directories that links may point into; null: anywhere. */
  readonly #boundary: LinkBoundary | null;
  readonly #reader: GameDirectoryReader;

  constructor(shared: Discovery, options: GameOptions, presence: RootPresence | undefined) {
    this.#shared = shared;
    this.#options = options;
    this.#presence = presence;
    this.#roots = options.sources.map((path) => resolve(path));
    const answering = this.#roots.filter((path) => presence?.silenceOf(path) === undefined);
    this.#boundary = options.followSymlinks ? null : new LinkBoundary(answering, options.mods);
    this.#reader = new GameDirectoryReader({
      ...shared,
      boundary: this.#boundary,
      isNested: options.nested ?? false,
    });
  }

  run(): GamePlan {
    const [options, roots, presence] = [this.#options, this.#roots, this.#presence];
    const { problems } = this.#shared;
    if (!presence) return this.#plan();
    for (const path of options.names?.map((name) => resolve(name)) ?? []) {
      const silence = presence.silenceOf(path);
      if (silence !== undefined) problems.push(unreadListSentence(path, silence));
    }
    const absences = roots.map((path) => presence.absence(path));
    const known = this.#known();
    for (const [index, absence] of absences.entries()) {
      if (absence === null) continue;
      const path = roots[index] ?? "";
      problems.push(known?.holds(index) ? keptSentence(path, absence) : awaitedSentence(path, absence));
    }
    const isWhole = absences.every((absence) => absence === null);
    // With a list of files, only the IWAD must exist.
    const isListed = options.iwad !== undefined;
    const isAway = isListed ? absences[0] !== null : !absences.includes(null);
    if (!isWhole && isAway) return known?.plan() ?? awaitedGame(options, roots, presence);
    try {
      return isWhole || isListed ? this.#plan() : this.#lookAtRest(known, absences);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      if (known) {
        problems.push(`${error.message}; meanwhile, ${known.game.name} is unchanged`);
        return known.plan();
      }
      // The mount point of a disk that is not mounted yet is usually an empty directory.
      if (isWhole && !roots.every((path) => isDirectory(path) && isEmpty(path))) throw error;
      problems.push(`${error.message}; meanwhile, it is not shown`);
      return awaitedGame(options, roots, presence);
    }
  }

  /** Returns the game in an earlier index, if that has content from the same directories. */
  #known(): EarlierGame | undefined {
    const { earlier, game: number } = this.#shared;
    const game = earlier?.game(number);
    if (!game || !earlier || game.roots.join("\0") !== this.#roots.join("\0")) return undefined;
    return game.gameDirectories.length > 0 ? new EarlierGame(earlier, game) : undefined;
  }

  /** Checks the existing base directories against the known game; missing ones keep their content. */
  #lookAtRest(known: EarlierGame | undefined, absences: readonly (string | null)[]): GamePlan {
    const [options, roots] = [this.#options, this.#roots];
    const present = roots.filter((_, index) => absences[index] === null);
    const rules = known?.rules ?? detectGame(present, options);
    const { profile, base } = rules;
    const before = roots.flatMap((_, index) => absences[index] === null ? [] : known?.names(index) ?? []);
    const mods = options.mods?.filter((mod) => present.some((directory) => isDirectory(join(directory, mod))));
    const found = [...mods ?? present.flatMap((root) => directoriesIn(root, profile)), ...before];
    const names = base === "" ? [nameOfRoots(roots)] : inOrder(found, base, profile, present);
    const directories = names.flatMap((name) =>
      roots.flatMap((_, index) =>
        absences[index] === null ? this.#directoryIn(index, name, rules) : known?.directory(name, index) ?? []
      )
    );
    return this.#planOf(rules, names, directories);
  }

  #plan(): GamePlan {
    const options = this.#options;
    if (options.sources.length === 0) {
      throw new GameError("game without a source; name at least one directory", "sources");
    }
    const listed = options.union ? undefined : listDetection(this.#roots, options);
    if (listed) return this.#loadedFiles(listed);
    const paths = options.sources.map(existing);
    const first = paths[0] ?? "";
    if (options.union) return this.#union();
    if (paths.length === 1 && !isDirectory(first)) return archiveAlone(first, options, this.#presence);
    const file = paths.find((path) => !isDirectory(path));
    if (file === undefined) return this.#installation();
    const isOfGame = options.profile === undefined && paths.some((path) => isDirectory(path) && findEvidence([path]));
    if (!isOfGame && (options.profile ?? generic.name) === generic.name) return this.#union();
    const alone = `name an archive alone ("pakfs mount ${shellWord(file)} MOUNTPOINT"), or the directory of its game`;
    throw new GameError(`${file} is a file, and the roots of a game are directories; ${alone}`, file);
  }

  #union(): GamePlan {
    const links = this.#boundary?.rule(undefined) ?? "all";
    const plan = planUnion(this.#roots, { ...this.#shared, profile: unionProfile(), links });
    return { ...this.#planOf(plan, [plan.base], plan.directories, plan.base), lists: plan.lists };
  }

  #installation(): GamePlan {
    const rules = detectGame(this.#roots, this.#options);
    const { profile, base } = rules;
    if (profile.loadList) return this.#loadedFiles(rules);
    if (profile.sourceList !== null) return this.#listedSources(rules, profile.sourceList);
    if (profile.dependencies !== null) return this.#loadedPaks(rules, profile.dependencies);
    const names = this.#namesOf(rules);
    const plan = this.#planOf(rules, names, this.#directoriesOf(names, rules));
    return { ...plan, below: directoryChains(profile, base, plan.gameDirectories, this.#roots, this.#shared.problems) };
  }

  /** Returns the plan of a game that loads lists of files, one per IWAD. */
  #loadedFiles({ profile, because }: Pick<GameRules, "profile" | "because">): GamePlan {
    const [options, roots] = [this.#options, this.#roots];
    const list = profile.loadList;
    if (!list) throw new RangeError(`Cannot plan files: ${profile.name} loads no list`);
    const { directories, lists, loads } = planLists(roots, {
      ...this.#shared,
      options: options.iwad === undefined ? options : { ...options, iwad: resolve(options.iwad) },
      profile,
      list,
      links: this.#boundary?.rule(undefined) ?? "all",
      awaitsFiles: this.#presence !== undefined,
    });
    const names = directories.map(({ name }) => name);
    const base = names[0] ?? "";
    const isOne = directories.length === 1 && !isDirectory(roots[0] ?? "");
    const name = isOne ? base : nameOfRoots(roots);
    return { ...this.#planOf({ profile, because, base }, names, directories, name), lists, loads };
  }

  /** Returns the plan of a game whose game directories list their sources in a file. */
  #listedSources(rules: GameRules, file: string): GamePlan {
    const lists = new Map(
      this.#namesOf(rules).flatMap((name) => {
        const found = this.#roots.map((root, index) =>
          new SourcePaths(root, index, name, file, this.#shared.problems).read()
        ).filter((list) => list !== null);
        return found.length > 0 ? [[name, found.flat()] as const] : [];
      }),
    );
    const places = Array.from(lists.values()).flat();
    const names = Array.from(new Set([rules.base, ...lists.keys(), ...places.map(({ directory }) => directory)]));
    return { ...this.#planOf(rules, names, this.#directoriesOf(names, rules)), lists };
  }

  /** Returns the plan of a game whose packs have dependencies. */
  #loadedPaks(rules: GameRules, dependencies: Dependencies): GamePlan {
    const { base } = rules;
    const directories = this.#directoriesOf([base], rules);
    const loader = new PakLoader(dependencies, directories);
    const { list, deleted } = loader.load();
    const plan = this.#planOf(rules, [base], directories);
    this.#shared.problems.push(...loader.problems);
    return { ...plan, lists: new Map([[base, list]]), deleted: new Map([[base, deleted]]) };
  }

  #namesOf({ profile, base }: GameRules): string[] {
    return directoryNames(profile, base, this.#roots, this.#options.mods);
  }

  /** @param name Name of a game that its options do not name; default: that of its first root. */
  #planOf(
    { profile, because, base }: GameRules,
    names: readonly string[],
    directories: readonly FoundDirectory[],
    name?: string,
  ): GamePlan {
    const [options, roots] = [this.#options, this.#roots];
    const first = nameOfRoots(roots);
    return {
      ...settingsOf(options, this.#presence),
      name: options.name ?? name ?? (first || base),
      profile,
      because,
      roots,
      base: base === "" ? first : base,
      gameDirectories: names.filter((name) => directories.some((directory) => directory.name === name)),
      directories,
      archive: null,
      ...options.with ? { chosen: options.with } : {},
      ...isUnion({ because })
        ? {}
        : { otherEnginePacks: otherEnginePacks(roots.filter((root) => !this.#presence?.absence(root)), profile) },
    };
  }

  /** Returns game directories in all roots. */
  #directoriesOf(names: readonly string[], rules: GameRules): FoundDirectory[] {
    return names.flatMap((name) => this.#roots.flatMap((_, index) => this.#directoryIn(index, name, rules)));
  }

  /** Returns a game directory in a root, or nothing if it has none with that name. */
  #directoryIn(rootIndex: number, name: string, rules: GameRules): FoundDirectory[] {
    const { profile, base } = rules;
    const root = this.#roots[rootIndex] ?? "";
    const own = rootCompanion(root, profile);
    if (own !== undefined) return own === name ? this.#directoryAt(root, rootIndex, name, rules) : [];
    if (profile.companions.some((one) => one.isRoot && one.name === name)) return [];
    if (base === "" || !profile.foldDirectories) {
      return this.#directoryAt(base === "" ? root : join(root, name), rootIndex, name, rules);
    }
    const isSpelling = (other: string) => other.toLowerCase() === name.toLowerCase();
    const spellings = isDirectory(root) ? subdirectories(root).filter(isSpelling) : [];
    return spellings.sort((a, b) => Number(b === name) - Number(a === name))
      .flatMap((spelling) => this.#directoryAt(join(root, spelling), rootIndex, name, rules));
  }

  #directoryAt(path: string, rootIndex: number, name: string, { profile, base }: GameRules): FoundDirectory[] {
    if (!isDirectory(path)) return [];
    if (name !== base && this.#reader.isBeyond(path, name)) return [];
    const enginePack = name === base ? enginePackOf(this.#roots, rootIndex, profile) : null;
    const found = this.#reader.read({ name, rootIndex, path, enginePack }, profile);
    return found ? [found] : [];
  }
}
