/**
 * What is told of a game that was found: engine, directories, and how to give it to pakfs.
 * @module
 */
import { basename } from "node:path";
import type { Profile } from "../profiles/profile.ts";
import { tomlPaths, tomlString, tomlTexts } from "../settings/toml.ts";
import { detectGame } from "./detect_game.ts";
import type { Evidence } from "./evidence.ts";
import {
  type GameDirectories,
  type GameDirectoryFinding,
  type IgnoredFinding,
  inspectGameDirectories,
} from "./game_directories.ts";
import type { KnownGame } from "./known_games.ts";
import { spellingProblemsIn } from "./spelling.ts";

/** A base directory of a game. */
export interface SourceFinding {
  /** Absolute path. */
  readonly path: string;
  /** How it was found: `it was asked for`, `Steam installed it as "Quake"`. */
  readonly origin: string;
}

/** A directory of the same game that is not among the sources. */
export interface OtherFinding {
  /** Absolute path. */
  readonly path: string;
  /** What it is, to go on after its path. */
  readonly says: string;
}

/** Which edition of the game it is. */
export interface Edition {
  /** What it is called. */
  readonly name: "registered" | "shareware" | "demo";
  /** What says so, one sentence. */
  readonly because: string;
}

/** Everything found out about one game: the row of `pakfs detect`. */
export interface GameReport {
  /** Name for the configuration. */
  readonly name: string;
  /** What players call it. */
  readonly title: string;
  /** Name of the profile. */
  readonly profile: string;
  /** What speaks for the profile; empty if nothing was found. */
  readonly evidence: readonly Evidence[];
  /** Base directories, highest first, as the engine orders them. */
  readonly sources: readonly SourceFinding[];
  /** Base game directory; empty where the sources are themselves game directories. */
  readonly base: string;
  /** Which edition it is, where there are several and that can be told. */
  readonly edition: Edition | null;
  /** The base first, then mission packs, then mods by name. */
  readonly gameDirectories: readonly GameDirectoryFinding[];
  /** What is there and not used. */
  readonly ignored: readonly IgnoredFinding[];
  /** Directories of the same game that are not among the sources. */
  readonly others: readonly OtherFinding[];
  /** What keeps the engine from finding it. */
  readonly warnings: readonly string[];
  /** The game for the configuration file. */
  readonly toml: string;
  /** The command that mounts it, but for the mount point. */
  readonly command: string;
}

/** What a report is made from. */
export interface FoundGame {
  readonly known: KnownGame | undefined;
  readonly profile: string;
  readonly evidence: readonly Evidence[];
  readonly sources: readonly SourceFinding[];
  readonly others: readonly OtherFinding[];
}

/**
 * Looks closer at a game and reports.
 * @param takenNames Names that other games have already.
 * @throws {GameError} if the profile does not fit the directories.
 */
export function reportGame(found: FoundGame, takenNames: ReadonlySet<string> = new Set()): GameReport {
  const { known, sources, evidence, others } = found;
  const paths = sources.map(({ path }) => path);
  const { profile, base } = detectGame(paths, { profile: found.profile });
  const isEmptyHanded = evidence.length === 0;
  const inspected: GameDirectories = isEmptyHanded
    ? { found: [], ignored: [], registered: null }
    : inspectGameDirectories(paths, profile, base);
  const gameDirectories = inspected.found.filter(({ role }) => role !== "other");
  const name = freeName(known?.name ?? basename(paths.at(-1) ?? ""), takenNames);
  return {
    name,
    title: known?.title ?? (isEmptyHanded ? "Unknown" : profile.engine),
    profile: profile.name,
    evidence,
    sources,
    base,
    edition: editionOf(base, inspected.registered),
    gameDirectories,
    ignored: inspected.ignored,
    others,
    warnings: spellingProblemsIn(paths, profile, base),
    toml: tomlOf(name, profile, paths, inspected.found),
    command: commandOf(name, profile, paths),
  };
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(/[/\0]/g, "_").replace(/^\.+/, "") || "game";
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
  return name;
}

function editionOf(base: string, registered: string | null): Edition | null {
  if (base === "demoq3") return { name: "demo", because: "demoq3 is the base game directory of the demo" };
  if (base.toLowerCase() !== "id1") return null;
  if (registered !== null) return { name: "registered", because: `${registered} has gfx/pop.lmp` };
  return { name: "shareware", because: `nothing that is loaded from ${base} has gfx/pop.lmp` };
}

/** Where there are directories that are no mods, those that are are named: else each would be a view. */
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

/** A word as a shell reads it. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
