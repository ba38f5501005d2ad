/**
 * Plans of games from their settings alone: games with missing roots, and single archives.
 * @module
 */
import { generic } from "../../engines/generic.ts";
import { basename, extname, resolve } from "@std/path";
import { nameHashFunctions, variantNamed } from "../../formats/parts.ts";
import { GameError, nameOfRoots, requestedProfile } from "../../games/mod.ts";
import type { GameOptions, NameSettings } from "../columns/game.ts";
import { identityFrom, unknownIdentity } from "../columns/identity.ts";
import { certainPack, type GamePlan } from "./plan.ts";
import type { RootPresence } from "./root_presence.ts";

/**
 * Returns the settings of a game that need no knowledge of its files.
 * @throws {GameError} like {@linkcode nameSettings}.
 */
export function settingsOf(options: GameOptions, presence: RootPresence | undefined) {
  const { pure = null, strict = false, nested = false, followSymlinks = false } = options;
  return { pure, names: nameSettings(options, presence), strict, nested, followSymlinks };
}

/** Returns the plan of a game whose roots do not exist yet. */
export function awaitedGame(
  options: GameOptions,
  roots: readonly string[],
  presence: RootPresence | undefined,
): GamePlan {
  const profile = requestedProfile(options.profile ?? generic.name);
  const first = nameOfRoots(roots);
  return {
    name: options.name ?? first,
    profile,
    because: options.profile === undefined ? "nothing of it is there yet" : "it was requested",
    roots,
    base: options.base ?? profile.bases[0] ?? first,
    gameDirectories: [],
    directories: [],
    ...settingsOf(options, presence),
    archive: null,
  };
}

/**
 * Returns the plan of a single archive: a game with one pack.
 * @throws {GameError} if it is not a regular file.
 */
export function archiveAlone(path: string, options: GameOptions, presence: RootPresence | undefined): GamePlan {
  const profile = requestedProfile(options.profile ?? generic.name);
  const name = basename(path);
  const information = Deno.statSync(path);
  if (!information.isFile) throw new GameError(`${path}: not a regular file`, path);
  return {
    name: options.name ?? basename(path, extname(path)),
    profile,
    because: "it is one archive",
    roots: [path],
    base: name,
    gameDirectories: [name],
    directories: [],
    ...settingsOf(options, presence),
    pure: null,
    archive: certainPack(path, information),
  };
}

/**
 * Returns the settings for recovering names. A list on a file system that does not reply has an unknown identity.
 * @throws {GameError} if a list is no file, or the hash is unknown.
 */
function nameSettings({ names = [], hash }: GameOptions, presence: RootPresence | undefined): NameSettings {
  if (hash !== undefined && !variantNamed(hash)) {
    throw new GameError(
      `unknown hash ${hash}; known: ${nameHashFunctions.join(", ")}, with +lower or +upper, +backslash, ` +
        "+leading and +rootless where they apply",
      hash,
    );
  }
  const lists = names.map((name) => {
    const path = resolve(name);
    if (presence?.silenceOf(path) !== undefined) return { path, identity: unknownIdentity };
    const information = itemAt(path);
    if (!information?.isFile) throw new GameError(`list of names not found: ${name}`, name);
    return { path, identity: identityFrom(information) };
  });
  return { lists, hash: hash ?? null };
}

/** Returns the attributes of a file; `undefined` if it is missing or not accessible. */
export function itemAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}
