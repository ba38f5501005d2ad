/**
 * Which profile and which base game directory fit a set of base directories.
 * @module
 */
import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { FileSource } from "../formats/byte_source.ts";
import { detectFormat } from "../formats/table.ts";
import { GameError } from "./game.ts";
import { packFileEndings } from "./pack_order.ts";
import { type Profile, profileNamed, profiles } from "./profiles.ts";

/** What was decided for a game, and why. */
export interface Detection {
  readonly profile: Profile;
  readonly because: string;
  /** Base game directory; empty where the source directory is itself the game directory. */
  readonly base: string;
}

/** Whether `path` is a directory, and one that may be looked at. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // above it is what may not be looked into, or is no directory
  }
}

/**
 * Names of the directories in `path`, sorted; hidden ones and `*.app` left out, as engines do.
 * @throws {GameError} if `path` cannot be read.
 */
export function subdirectories(path: string): string[] {
  const names: string[] = [];
  for (const item of itemsOf(path)) {
    if (item.name.startsWith(".") || item.name.endsWith(".app")) continue;
    if (item.isDirectory || (item.isSymlink && isDirectory(join(path, item.name)))) names.push(item.name);
  }
  return names.sort();
}

function itemsOf(path: string): Deno.DirEntry[] {
  try {
    return Array.from(Deno.readDirSync(path));
  } catch (error) {
    throw new GameError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, path);
  }
}

/**
 * Decides profile and base.
 * @throws {GameError} for an unknown profile, a base that is nowhere, or a directory that cannot be read.
 */
export function detectGame(
  sourceDirectories: readonly string[],
  wanted: { readonly profile?: string; readonly base?: string },
): Detection {
  for (const directory of sourceDirectories) itemsOf(directory);
  const found = wanted.profile === undefined ? guessProfile(sourceDirectories) : namedProfile(wanted.profile);
  return { ...found, base: chooseBase(found.profile, sourceDirectories, wanted.base) };
}

function namedProfile(name: string): { profile: Profile; because: string } {
  const profile = profileNamed(name);
  if (profile) return { profile, because: "it was asked for" };
  throw new GameError(
    `There is no profile "${name}"; there are ${profiles.map((known) => known.name).join(", ")}`,
    name,
  );
}

function guessProfile(sourceDirectories: readonly string[]): { profile: Profile; because: string } {
  for (const directory of sourceDirectories) {
    if (isDirectory(join(directory, "id1"))) {
      return existsSync(join(directory, "quakespasm.pak"))
        ? { profile: required("quakespasm"), because: `${directory} has id1 and quakespasm.pak` }
        : { profile: required("quake"), because: `${directory} has id1` };
    }
  }
  for (const directory of sourceDirectories) {
    if (isDirectory(join(directory, "baseq2"))) {
      return { profile: required("yquake2"), because: `${directory} has baseq2` };
    }
    if (hasPack(join(directory, "base"), ".pk4")) {
      return { profile: required("dhewm3"), because: `${join(directory, "base")} has pk4 files` };
    }
  }
  for (const directory of sourceDirectories) {
    for (const name of subdirectories(directory)) {
      if (hasPack(join(directory, name), ".pk3")) {
        return { profile: required("ioquake3"), because: `${join(directory, name)} has pk3 files` };
      }
    }
  }
  for (const directory of sourceDirectories) {
    const pak = dragonNestPakIn(directory);
    if (pak !== undefined) return { profile: required("dragonnest"), because: `${pak} is a Dragon Nest pak` };
  }
  return { profile: required("generic"), because: "no engine's directories were found" };
}

function required(name: string): Profile {
  const profile = profileNamed(name);
  if (!profile) throw new RangeError(`Cannot find the built-in profile "${name}"`);
  return profile;
}

/** Path of a `Resource*.pak` of Dragon Nest, or `undefined`. Other games call packs so too, so one is looked into. */
function dragonNestPakIn(directory: string): string | undefined {
  for (const { name } of itemsOf(directory)) {
    if (!/^resource.*\.pak$/i.test(name)) continue;
    const path = join(directory, name);
    try {
      using file = new FileSource(path);
      return detectFormat(file)?.name === "dragonnest-pak" ? path : undefined;
    } catch {
      continue; // one that cannot be read says nothing about the game
    }
  }
  return undefined;
}

function hasPack(directory: string, suffix: string): boolean {
  try {
    return Array.from(Deno.readDirSync(directory)).some((item) => item.name.toLowerCase().endsWith(suffix));
  } catch {
    return false; // a directory that cannot be read says nothing about the game
  }
}

function chooseBase(profile: Profile, sourceDirectories: readonly string[], wanted?: string): string {
  const has = (name: string) => sourceDirectories.some((directory) => isDirectory(join(directory, name)));
  if (wanted !== undefined) {
    if (has(wanted)) return wanted;
    throw new GameError(`There is no base game directory "${wanted}" in ${sourceDirectories.join(", ")}`, wanted);
  }
  if (profile.bases.length === 0) return "";
  const usual = profile.bases.find(has);
  if (usual !== undefined) return usual;
  const withPack0 = sourceDirectories.flatMap((directory) =>
    subdirectories(directory).filter((name) => existsSync(join(directory, name, firstPack(profile))))
  );
  if (withPack0[0] !== undefined) return withPack0[0];
  const places = sourceDirectories.join(", ");
  const hint = sourceDirectories.some((directory) => existsSync(join(directory, "pak0.pak")))
    ? `; ${basename(places)} looks like a game directory itself: name the directory above it`
    : "; name it with --base, or use --profile generic";
  throw new GameError(
    `${places} has none of the base game directories of ${profile.engine} (${profile.bases.join(", ")})${hint}`,
    places,
  );
}

/** Name of the pack that every base game directory of an engine begins with. */
function firstPack({ packs }: Profile): string {
  return `pak0${packFileEndings(packs)[0] ?? ".pak"}`;
}
