/**
 * Finds the games that Steam has installed, by its libraries and their manifests.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "@std/path";
import { exists, isDirectory, lookInto } from "./directory.ts";
import { blockOf, parseValveData, textOf, type ValveBlock } from "./valve_data.ts";

/** An installed game. */
export interface SteamApp {
  /** Steam's app id. */
  readonly id: number;
  readonly name: string;
  /** Absolute path of an existing directory. */
  readonly path: string;
}

/** Games of a Steam installation. */
export interface SteamContent {
  readonly apps: readonly SteamApp[];
  /** A message for each file that could not be parsed. */
  readonly problems: readonly string[];
}

/** Maximum libraries of one installation. */
const maxLibraries = 64;
/** Maximum manifests of one library. */
const maxManifests = 10_000;

/**
 * Directories of Steam installations below the home: the launcher's own link (Valve's `steam.sh`), the default, Debian's
 * package (`~/.steam/debian-installation`), Flatpak (com.valvesoftware.Steam) and snap.
 */
export const steamDirectories: readonly string[] = [
  ".steam/steam",
  ".local/share/Steam",
  ".steam/debian-installation",
  ".var/app/com.valvesoftware.Steam/.local/share/Steam",
  ".var/app/com.valvesoftware.Steam/.steam/steam",
  ".var/app/com.valvesoftware.Steam/data/Steam",
  "snap/steam/common/.local/share/Steam",
];

/**
 * Returns the games of a Steam installation, in all of its libraries.
 * @param wanted App ids of the games to find.
 */
export function steamApps(steam: string, wanted: ReadonlySet<number>): SteamContent {
  const problems: string[] = [];
  const apps: SteamApp[] = [];
  for (const library of libraries(steam, problems)) {
    const directory = join(library, "steamapps");
    for (const name of lookInto(directory).files.slice(0, maxManifests)) {
      const id = Number(/^appmanifest_(\d{1,10})\.acf$/.exec(name)?.[1] ?? Number.NaN);
      if (!wanted.has(id)) continue;
      const app = readManifest(directory, name, id, problems);
      if (app) apps.push(app);
    }
  }
  return { apps, problems };
}

/**
 * Returns the libraries in `libraryfolders.vdf`, in its format since 2021 (a block with `path`) or before (the path).
 */
function libraries(steam: string, problems: string[]): string[] {
  const found = new Set<string>([steam]);
  for (const name of ["steamapps/libraryfolders.vdf", "config/libraryfolders.vdf"]) {
    const list = blockOf(readValveData(join(steam, name), problems), "libraryfolders");
    for (const [key, value] of list) {
      const path = typeof value === "string" ? value : textOf(value, "path");
      if (/^\d+$/.test(key) && path !== undefined && isAbsolute(path) && found.size < maxLibraries) found.add(path);
    }
  }
  return Array.from(found);
}

function readManifest(directory: string, name: string, id: number, problems: string[]): SteamApp | undefined {
  const state = blockOf(readValveData(join(directory, name), problems), "appstate");
  const installed = textOf(state, "installdir");
  // Name of a single directory: a path could lead out of the library.
  if (installed === undefined || installed.includes("/") || /^\.{0,2}$/.test(installed)) return undefined;
  const path = join(directory, "common", installed);
  return isDirectory(path) ? { id, name: textOf(state, "name") ?? installed, path } : undefined;
}

/** Returns the data of a file in Valve's format; empty if it is missing, with a problem if it is invalid. */
function readValveData(path: string, problems: string[]): ValveBlock {
  try {
    const text = readSmallText(path);
    return text === undefined ? new Map() : parseValveData(text);
  } catch (error) {
    problems.push(`${path}: ${messageOf(error)}`);
    return new Map();
  }
}

/** Maximum bytes of a settings file. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Returns the text of a file, or undefined if it does not exist.
 * @throws {RangeError} if it is too large for a settings file.
 * @throws {Error} if it cannot be read.
 */
export function readSmallText(path: string): string | undefined {
  // Reading a pipe could block indefinitely.
  const information = exists(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (!information?.isFile()) return undefined;
  if (information.size > maxBytes) throw new RangeError(`it is larger than ${maxBytes} bytes`);
  return readFileSync(path, "utf8");
}
