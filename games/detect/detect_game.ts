/**
 * Chooses the profile and the base game directory for a set of base directories.
 *
 * Detection runs in the client instead of the daemon: the user's home matters, and no daemon exists yet. It finds the
 * roots (`games/detect/installation.ts`); the engine depends only on the roots, so a daemon that receives them decides
 * like the client.
 * @module
 */
import { generic } from "../../engines/generic.ts";
import {
  checkProfile,
  packFileEndings,
  type Profile,
  profileNamed,
  profiles,
  SettingError,
  withSettings,
} from "../../engines/mod.ts";
import { compileGlob } from "../../formats/parts.ts";
import { basename, join } from "@std/path";
import { basesPlayed, chosenByUser, playSameGame } from "../engines_of_game.ts";
import { GameError } from "../game_error.ts";
import { exists, isDirectory, listingOf, lookInto, spelledAs, subdirectories } from "./directory.ts";
import { engineAt, ownSurroundings, type Surroundings } from "./engine_homes.ts";
import { type Evidence, findEvidence } from "./evidence.ts";

/** Rules and base game directory that the user chose. */
export interface WantedRules {
  readonly profile?: string | Profile;
  /** Profiles that a program in the roots selects, if none is chosen. */
  readonly ownEngines?: readonly Profile[];
  readonly base?: string;
  readonly with?: readonly string[];
}

/** Profile and base game directory of a game, with the reason. */
export interface Detection {
  readonly profile: Profile;
  readonly because: string;
  /** Evidence for the profile; empty if nothing was found, or the user chose. */
  readonly evidence: readonly Evidence[];
  /** Base game directory; empty if the source directory is itself the game directory. */
  readonly base: string;
}

/**
 * Decides profile and base: for `detect`, `init`, `mount`, `--source` and games of a configuration.
 * @param surroundings Identifies the roots that are directories of engines in the home.
 * @throws {GameError} for an unknown profile, a base that does not exist, or a directory that cannot be read.
 */
export function detectGame(
  roots: readonly string[],
  wanted: WantedRules,
  surroundings: Surroundings = ownSurroundings(),
): Detection {
  for (const directory of roots) listingOf(directory);
  const { with: words = [] } = wanted;
  const found = wanted.profile === undefined
    ? ownEngine(roots, wanted.ownEngines) ?? guessProfile(roots, surroundings)
    : { profile: requestedProfile(wanted.profile), because: chosenByUser, evidence: [], base: undefined };
  const profile = withSettings(found.profile, words);
  const { base, because, evidence } = found;
  return { profile, because, evidence, base: chooseBase(profile, roots, wanted.base, base) };
}

/**
 * Returns the profile with that name, or a given profile after a check.
 * @throws {GameError} if the name is unknown, or the profile cannot work.
 */
export function requestedProfile(wanted: string | Profile): Profile {
  if (typeof wanted !== "string") return profiles.includes(wanted) ? wanted : checked(wanted);
  const profile = profileNamed(wanted);
  if (profile) return profile;
  const known = profiles.map(({ name }) => name).join(", ");
  throw new GameError(`unknown profile ${wanted}; profiles are ${known}`, wanted);
}

function checked(profile: Profile): Profile {
  try {
    checkProfile(profile);
    return profile;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new GameError(`profile ${profile.name}: ${error.message}`, profile.name);
  }
}

/** A detection before the base is chosen. */
type Guess = Omit<Detection, "base"> & { readonly base: string | undefined };

/** Decides by the programs that profiles of the configuration name, or returns undefined. */
function ownEngine(roots: readonly string[], engines: readonly Profile[] = []): Guess | undefined {
  for (const profile of engines) {
    const isNamed = profile.programs.map((program) => compileGlob(program, { ignoreCase: true }));
    const [path] = roots.flatMap((root) =>
      lookInto(root).files.filter((name) => isNamed.some((matches) => matches(name))).map((name) => join(root, name))
    );
    if (path === undefined) continue;
    const says = `belongs to ${profile.engine}`;
    return { profile: checked(profile), because: `${path} ${says}`, evidence: [{ path, says }], base: undefined };
  }
  return undefined;
}

/**
 * Decides by the installation, or by the directory of an engine in the home if the installation's files do not identify
 * an engine.
 */
function guessProfile(
  roots: readonly string[],
  surroundings: Surroundings,
): Guess {
  const homes = roots.flatMap((path) => {
    const engine = engineAt(path, surroundings);
    return engine ? [{ path, engine }] : [];
  });
  const found = findEvidence(roots.filter((path) => homes.every((home) => home.path !== path))) ?? findEvidence(roots);
  if (!found) {
    return {
      profile: required(generic.name),
      because: "no engine's directories were found",
      evidence: [],
      base: undefined,
    };
  }
  const { because, evidence, isDefault, base } = found;
  const profile = required(found.profile);
  const home = isDefault ? homes.find(({ engine }) => playSameGame(engine.profile, profile.name)) : undefined;
  if (!home || home.engine.profile === profile.name) return { profile, because, evidence, base };
  const says = `is where ${home.engine.engine} keeps its own files`;
  return {
    profile: required(home.engine.profile),
    because: `${home.path} ${says}`,
    evidence: [...evidence, { path: home.path, says }],
    base,
  };
}

function required(name: string): Profile {
  const profile = profileNamed(name);
  if (!profile) throw new RangeError(`Cannot find the built-in profile "${name}"`);
  return profile;
}

function chooseBase(profile: Profile, roots: readonly string[], wanted?: string, found?: string): string {
  const has = (name: string) => roots.some((directory) => isDirectory(join(directory, name)));
  if (wanted !== undefined) {
    if (has(wanted)) return wanted;
    throw new GameError(`no base game directory "${wanted}" in ${roots.join(", ")}`, wanted);
  }
  if (profile.bases.length === 0) return "";
  // The spelling found in one root may differ from the one in another root that engines require.
  const known = basesPlayed(profile);
  const bases = [...known.filter((name) => name.toLowerCase() === found?.toLowerCase()), ...known];
  const usual = bases.find(has);
  if (usual !== undefined) return usual;
  const { sourceList } = profile;
  const listing = sourceList === null
    ? undefined
    : roots.flatMap((directory) =>
      subdirectories(directory).filter((name) => lookInto(join(directory, name)).files.includes(sourceList))
    )[0];
  if (listing !== undefined) return listing;
  const misspelled = misspelledBase(bases, roots);
  if (misspelled !== undefined) return misspelled;
  const withPack0 = roots.flatMap((directory) =>
    subdirectories(directory).filter((name) => exists(join(directory, name, firstPack(profile))))
  );
  if (withPack0[0] !== undefined) return withPack0[0];
  const paths = roots.join(", ");
  const hint = roots.some((directory) => exists(join(directory, "pak0.pak")))
    ? `; ${basename(paths)} looks like a game directory itself: name the directory above it`
    : "; name it with --base, or use --profile generic";
  throw new GameError(
    `${paths} has none of the base game directories of ${profile.engine} (${profile.bases.join(", ")})${hint}`,
    paths,
  );
}

/**
 * Finds a base game directory in another case, such as `Id1` in Steam's Quake: the engine finds it only if it ignores
 * case.
 */
function misspelledBase(bases: readonly string[], roots: readonly string[]): string | undefined {
  const names = roots.flatMap(subdirectories);
  return bases.map((base) => spelledAs(names, base)).find((name) => name !== undefined);
}

/** Returns the name of the first pack of every base game directory of an engine. */
function firstPack({ packs }: Profile): string {
  return `pak0${packFileEndings(packs)[0] ?? ".pak"}`;
}
