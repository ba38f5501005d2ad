/**
 * Reports on a detected game: engine, directories, and how to configure it.
 * @module
 */
import { basename } from "@std/path";
import { nameOfRoots, unusedName } from "../game_error.ts";
import { enginesOf } from "../engines_of_game.ts";
import { type Profile, tomlPaths, tomlString, tomlTexts } from "../../engines/mod.ts";
import { shellWord } from "../../system/mod.ts";
import { detectGame } from "./detect_game.ts";
import type { Surroundings } from "./engine_homes.ts";
import type { Evidence } from "./evidence.ts";
import {
  type GameDirectories,
  type GameDirectoryFinding,
  type IgnoredFinding,
  inspectGameDirectories,
} from "./game_directories.ts";
import { inspectIwads } from "./iwad_files.ts";
import type { KnownGame } from "../core/game.ts";
import { packsOfGames } from "./recognised.ts";
import { spellingProblemsIn } from "./spelling.ts";

/** A base directory of a game. */
export interface SourceFinding {
  /** Absolute path. */
  readonly path: string;
  /** How it was found: `it was requested`, `Steam installed it as "Quake"`. */
  readonly origin: string;
}

/** A directory of the same game that is not among the sources. */
export interface OtherFinding {
  /** Absolute path. */
  readonly path: string;
  /** End of a sentence that begins with the path. */
  readonly says: string;
}

/** Edition of a game. */
export interface Edition {
  /** Name. */
  readonly name: "registered" | "shareware" | "demo";
  /** The reason, one sentence. */
  readonly because: string;
}

/** Report on one game: the row of `pakfs detect`. */
export interface GameReport {
  /** Name for the configuration. */
  readonly name: string;
  /** Title that players know. */
  readonly title: string;
  /** Name of the profile. */
  readonly profile: string;
  /** Names of the profiles that play the game, the chosen one first; empty for unknown games. */
  readonly engines: readonly string[];
  /** Evidence for the profile; empty if there is none. */
  readonly evidence: readonly Evidence[];
  /** Base directories, highest first, in the engine's order. */
  readonly sources: readonly SourceFinding[];
  /** Base game directory; empty if the sources are themselves game directories. */
  readonly base: string;
  /** Edition, if the game has several and it can be determined. */
  readonly edition: Edition | null;
  /** The base first, then mission packs, then mods by name. */
  readonly gameDirectories: readonly GameDirectoryFinding[];
  /** Files and directories that are not used. */
  readonly ignored: readonly IgnoredFinding[];
  /** Directories of the same game that are not among the sources. */
  readonly others: readonly OtherFinding[];
  /** Reasons why the engine would not find the game. */
  readonly warnings: readonly string[];
  /** The game for the configuration file. */
  readonly toml: string;
  /** The command that mounts it, with a placeholder for the mount point. */
  readonly command: string;
}

/** Findings for a report. */
export interface FoundGame {
  readonly known: KnownGame | undefined;
  /** Packs that are identified by their sizes. */
  readonly packs: readonly Evidence[];
  readonly sources: readonly SourceFinding[];
  readonly others: readonly OtherFinding[];
}

/**
 * Inspects a game and reports on it.
 * @param usedNames Names of other games.
 * @throws {GameError} if the profile does not fit the directories.
 */
export function reportGame(
  found: FoundGame,
  surroundings: Surroundings,
  usedNames: ReadonlySet<string> = new Set(),
): GameReport {
  const { known, sources, packs, others } = found;
  const paths = sources.map(({ path }) => path);
  const detected = detectGame(paths, {}, surroundings);
  const { profile, base } = detected;
  const evidence = [...detected.evidence, ...packs];
  const isEmptyHanded = evidence.length === 0;
  const inspected: GameDirectories = isEmptyHanded
    ? { found: [], ignored: [], registered: null }
    : profile.loadList
    ? inspectIwads(paths)
    : inspectGameDirectories(paths, profile, base);
  const titles = profile.loadList ? inspected.found.map(({ title }) => title).join(", ") : "";
  const gameDirectories = inspected.found.filter(({ role }) => role !== "other");
  const name = unusedName(known?.name ?? nameOfRoots(paths.slice(-1)), usedNames);
  return {
    name,
    title: titles || (known?.title ?? (isEmptyHanded ? "Unknown" : profile.engine)),
    profile: profile.name,
    engines: isEmptyHanded ? [] : enginesOf({ profile, base }),
    evidence,
    sources,
    base,
    edition: editionOf(base, inspected.registered) ?? demoOf(paths),
    gameDirectories,
    ignored: inspected.ignored,
    others,
    warnings: spellingProblemsIn(paths, profile, base),
    toml: tomlOf(name, profile, paths, inspected.found),
    command: commandOf(name, profile, paths),
  };
}

function editionOf(base: string, registered: string | null): Edition | null {
  if (base === "demoq3") return { name: "demo", because: "demoq3 is the base game directory of the demo" };
  if (base.toLowerCase() !== "id1") return null;
  if (registered !== null) return { name: "registered", because: `${registered} has gfx/pop.lmp` };
  return { name: "shareware", because: `nothing that is loaded from ${base} has gfx/pop.lmp` };
}

/** Returns the edition of a demo, whose pack is identified by its size. */
function demoOf(roots: readonly string[]): Edition | null {
  const demo = roots.flatMap(packsOfGames).find(({ of }) => of.startsWith("the demo of"));
  return demo ? { name: "demo", because: `${demo.found} has the size of ${demo.of}'s` } : null;
}

/**
 * Returns the game as TOML. Mods are listed only if there are other directories, since each of these would become a
 * view.
 */
function tomlOf(
  name: string,
  profile: Profile,
  sources: readonly string[],
  gameDirectories: readonly GameDirectoryFinding[],
): string {
  const mods = gameDirectories.filter(({ role }) => role === "mission pack" || role === "mod");
  const hasOthers = gameDirectories.some(({ role }) => role === "other");
  const lines = [
    "[[game]]",
    `name = ${tomlString(name)}`,
    `profile = ${tomlString(profile.name)}`,
    `sources = ${tomlPaths(sources)}`,
    ...hasOthers ? [`mods = ${tomlTexts(mods.map((directory) => directory.name))}`] : [],
  ];
  return lines.join("\n") + "\n";
}

function commandOf(name: string, profile: Profile, sources: readonly string[]): string {
  const game = basename(sources[0] ?? "") === name ? [] : ["--game", shellWord(name)];
  return ["pakfs mount --profile", profile.name, ...game, ...sources.map(shellWord), "MOUNTPOINT"].join(" ");
}
