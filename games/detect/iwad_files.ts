/**
 * IWADs on disk: detects the game of a WAD by its lumps.
 * @module
 */
import { basename, extname, join } from "@std/path";
import { detectFormat, FileByteReader } from "../../formats/parts.ts";
import { comparedName, type Iwad, iwadWith } from "../../engines/mod.ts";
import { type Listing, lookInto } from "./directory.ts";
import type { GameDirectories } from "./game_directories.ts";

/** Maximum number of opened WADs in a directory. */
const maxOpened = 500;

/** Returns whether a file begins like an IWAD, the WAD of a whole game. */
export function isIwad(path: string): boolean {
  try {
    using file = new FileByteReader(path);
    return file.size >= 12 && String.fromCharCode(...file.read(0, 4)) === "IWAD";
  } catch {
    return false; // missing, unreadable or no file
  }
}

/** Returns the game of an IWAD; `undefined` if it is unreadable or unknown. */
export function iwadOf(path: string): Iwad | undefined {
  try {
    using file = new FileByteReader(path);
    const format = detectFormat(file);
    if (format?.name !== "wad") return undefined;
    const table = format.read(file);
    const names = new Set<string>();
    for (let row = 0; row < table.length; row++) {
      names.add(comparedName(table.rawNames.get(row) ?? table.pathBytes(row)));
    }
    return iwadWith(names);
  } catch {
    return undefined; // unreadable or damaged
  }
}

/** An IWAD in a directory. */
export interface FoundIwad {
  /** Absolute path. */
  readonly path: string;
  readonly iwad: Iwad;
}

/** Returns the IWADs of known games in a directory, by name. */
export function iwadsIn({ path, files }: Listing): FoundIwad[] {
  return files.filter((name) => /^\.i?wad$/i.test(extname(name))).slice(0, maxOpened).map((name) => join(path, name))
    .filter(isIwad).flatMap((file) => {
      const iwad = iwadOf(file);
      return iwad ? [{ path: file, iwad }] : [];
    });
}

/** Extensions of files that engines load after an IWAD. */
const loadedEndings = /^\.(wad|pk3|pk7|ipk3|pke)$/i;

/**
 * Inspects directories with IWADs: each IWAD is a game directory, and other files are loaded only if they are listed.
 */
export function inspectIwads(roots: readonly string[]): GameDirectories {
  const listings = roots.map(lookInto);
  const found = listings.flatMap(iwadsIn);
  const iwads = new Set(found.map(({ path }) => path));
  const others = listings.flatMap(({ path, files }) => files.map((name) => join(path, name)))
    .filter((path) => loadedEndings.test(extname(path)) && !iwads.has(path));
  return {
    found: found.map(({ path, iwad: { title } }) => ({
      name: basename(path, extname(path)),
      role: "base",
      title,
      signs: [basename(path)],
      packs: 1,
    })),
    ignored: others.map((path) => ({
      path,
      reason: "it is loaded only if it is named after an IWAD: --iwad IWAD FILE",
    })),
    registered: null,
  };
}
