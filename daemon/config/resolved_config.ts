/**
 * The configuration as it takes effect: with defaults filled in and each game detected.
 * @module
 */
import { resolve } from "@std/path";
import { detectGame, GameError, nameOfRoots, spellingProblemsIn, withoutPaths } from "../../games/mod.ts";
import { type GameOptions, listDetection } from "../../index/mod.ts";
import { profileToml, tomlCommentText, tomlPaths, tomlString, tomlTexts } from "../../engines/mod.ts";
import { defaultCacheBytes, defaultHungSeconds } from "./defaults.ts";
import { CarefulReader } from "../../system/mod.ts";
import { socketPath } from "../../protocol/mod.ts";
import { type Config, ConfigError, readConfigIfThere, silentConfigSentence } from "./config_file.ts";
import { configPath } from "./paths.ts";

/** A game as it takes effect. */
export interface ResolvedGame {
  readonly name: string;
  readonly profile: string | null;
  /** Reason for the profile. */
  readonly because: string | null;
  readonly sources: readonly string[];
  /** The IWAD, of a game that loads a list of files. */
  readonly iwad: string | null;
  /** Arguments of the list of files, switches included. */
  readonly files: readonly string[] | null;
  /** Files that are always loaded: a directory, or an INI file. */
  readonly autoload: string | null;
  readonly base: string | null;
  /** Game directories other than the base; null for all. */
  readonly mods: readonly string[] | null;
  readonly pure: readonly string[] | null;
  /** Arguments of `:with=` that apply to all views. */
  readonly with: readonly string[] | null;
  /** Whether archives in packs are shown as directories too. */
  readonly nested: boolean;
  /** Whether symbolic links that point outside the game's directories are followed. */
  readonly followSymlinks: boolean;
  /** Whether files beyond the engine's limits are hidden. */
  readonly strict: boolean;
  /** Files with candidate names for hashed packs. */
  readonly names: readonly string[] | null;
  /** Hash of the names in hashed packs; null: detected. */
  readonly hash: string | null;
  /** Reason why the game cannot be indexed, or null. */
  readonly problem: string | null;
  /** Existing files that the engine does not find. */
  readonly warnings: readonly string[];
}

/** The configuration as it takes effect: the row of `pakfs config`. */
export interface ResolvedConfig {
  /** Path of the file. */
  readonly path: string;
  /** Whether the file exists. */
  readonly exists: boolean;
  readonly mount: string | null;
  readonly socket: string;
  /** Bytes of memory for decompressed files. */
  readonly cache: number;
  /** Whether changes on disk are watched. */
  readonly watch: boolean;
  /** Options of the mount. */
  readonly options: readonly string[];
  /** Whether `.packs` is listed. */
  readonly showPacks: boolean;
  /** Whether `.as` is listed. */
  readonly showAs: boolean;
  /** How reads behave on a file system that does not reply. */
  readonly hung: "wait" | "error";
  /** Seconds without a reply after which a file system counts as hung. */
  readonly hungAfter: number;
  readonly games: readonly ResolvedGame[];
  /** Names of the custom profiles. */
  readonly profiles: readonly string[];
}

/** The configuration as a row and as TOML. */
export interface ShownConfig {
  readonly resolved: ResolvedConfig;
  /** The configuration as TOML. */
  readonly toml: string;
}

/**
 * Reads the configuration and fills in its defaults, in a separate process, since games may be on file systems that
 * hang.
 * @param option Value of `--config`.
 * @throws {ConfigError} if it is not valid.
 */
export async function resolveConfig(option: string | undefined): Promise<ShownConfig> {
  await using reader = new CarefulReader<ConfigOrder, ConfigAnswer>(new URL("./config_worker.ts", import.meta.url));
  const answer = await reader.ask({ path: configPath(option) });
  if ("message" in answer) throw new ConfigError(answer.message);
  return answer;
}

/** A configuration to resolve. */
export interface ConfigOrder {
  readonly path: string;
}

/** The configuration, or its error. */
export type ConfigAnswer = ShownConfig | { readonly message: string };

/**
 * Reads a configuration and fills in its defaults.
 * @param hides Returns whether the file system of a path does not reply.
 * @throws {ConfigError} if it is not valid.
 */
export async function configAt(path: string, hides: (path: string) => boolean): Promise<ShownConfig> {
  if (hides(path)) throw new ConfigError(silentConfigSentence(path));
  const config = await readConfigIfThere(path);
  const games = config?.games.map((game) => withoutPaths(hides, () => resolveGame(game, hides))) ?? [];
  const resolved: ResolvedConfig = {
    path,
    exists: config !== undefined,
    mount: config?.mount ?? null,
    socket: config?.socket ?? socketPath(undefined),
    cache: config?.cache ?? defaultCacheBytes,
    watch: config?.watch ?? true,
    options: config?.options ?? [],
    showPacks: config?.showPacks ?? false,
    showAs: config?.showAs ?? false,
    hung: config?.hung ?? "wait",
    hungAfter: config?.hungAfter ?? defaultHungSeconds,
    games,
    profiles: config?.profiles.map(({ name }) => name) ?? [],
  };
  return { resolved, toml: tomlOf(resolved, config) };
}

function resolveGame(game: GameOptions, hides: (path: string) => boolean): ResolvedGame {
  const { name, sources, mods = null, pure = null, with: words = null, iwad = null, files = null, autoload = null } =
    game;
  const { nested = false, followSymlinks = false, strict = false, names = null, hash = null } = game;
  const lists = { sources, iwad, files, autoload, mods, pure, with: words };
  const shared = { ...lists, nested, followSymlinks, strict, names, hash };
  const defaultName = name ?? nameOfRoots(sources);
  try {
    const hung = sources.find(hides);
    if (hung !== undefined) throw new GameError(`${hung} does not answer`, hung);
    const { profile, because, base } = listDetection(sources, game) ?? detectGame(sources, game);
    const warnings = spellingProblemsIn(sources.map((path) => resolve(path)), profile, base);
    return { name: defaultName, profile: profile.name, because, ...shared, base, problem: null, warnings };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    const profile = typeof game.profile === "object" ? game.profile.name : game.profile ?? null;
    const base = game.base ?? null;
    return { name: defaultName, profile, because: null, ...shared, base, problem: error.message, warnings: [] };
  }
}

function tomlOf(resolved: ResolvedConfig, config: Config | undefined): string {
  const { path, exists, mount, socket, cache, watch, options, showPacks, showAs, hung, hungAfter } = resolved;
  const top = [
    `# ${path}${exists ? "" : " does not exist; these are the defaults"}`,
    ...mount === null ? [] : [`mount = ${tomlString(mount)}`],
    `socket = ${tomlString(socket)}`,
    `cache = ${tomlString(String(cache))}`,
    `watch = ${watch}`,
    ...options.length === 0 ? [] : [`options = ${tomlTexts(options)}`],
    ...showPacks ? ["showPacks = true"] : [],
    ...showAs ? ["showAs = true"] : [],
    `hung = ${tomlString(hung)}`,
    `hungAfter = ${hungAfter}`,
  ];
  const profiles = config?.profiles.map(profileToml) ?? [];
  return [top.join("\n") + "\n", ...resolved.games.map(gameToml), ...profiles].join("\n");
}

function gameToml(game: ResolvedGame): string {
  const { name, profile, because, sources, iwad, files, autoload, base, mods, pure, with: words } = game;
  const { problem, warnings, names, hash } = game;
  const flags = (["nested", "followSymlinks", "strict"] as const).filter((key) => game[key]);
  const lines = [
    ...warnings.map((warning) => `# warning: ${tomlCommentText(warning)}`),
    ...problem === null ? [] : [`# problem: ${tomlCommentText(problem)}`],
    "[[game]]",
    `name = ${tomlString(name)}`,
    ...profile === null
      ? []
      : [`profile = ${tomlString(profile)}${because === null ? "" : ` # ${tomlCommentText(because)}`}`],
    ...iwad === null
      ? [`sources = ${tomlPaths(sources)}`]
      : [`iwad = ${tomlString(iwad)}`, ...files === null ? [] : [`files = ${tomlTexts(files)}`]],
    ...autoload === null ? [] : [`autoload = ${tomlString(autoload)}`],
    ...base === null || base === "" ? [] : [`base = ${tomlString(base)}`],
    ...mods === null ? [] : [`mods = ${tomlTexts(mods)}`],
    ...pure === null ? [] : [`pure = ${tomlTexts(pure)}`],
    ...words === null ? [] : [`with = ${tomlTexts(words)}`],
    ...flags.map((key) => `${key} = true`),
    ...names === null ? [] : [`names = ${tomlPaths(names)}`],
    ...hash === null ? [] : [`hash = ${tomlString(hash)}`],
  ];
  return lines.join("\n") + "\n";
}
