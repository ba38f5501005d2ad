/**
 * The paths that an index depends on.
 * @module
 */
import { basename, extname } from "@std/path";
import { isInside } from "../../formats/parts.ts";
import { type Game, isDirectorySource, isUnion } from "../../index/mod.ts";
import type { Catalog } from "../../views/mod.ts";
import { type FileSystems, readFileSystems } from "../../system/mod.ts";

/** A directory with its whole content, or a file. */
export interface WatchTarget {
  /** Absolute path. */
  readonly path: string;
  /** For a file: whether a name next to it matters. Absent for a directory. */
  readonly matches?: (name: string) => boolean;
}

/** Maximum number of watched links out of roots. */
const maxLinks = 1000;

/**
 * Returns the targets for a catalog: roots, archives that are games, lists of names, and the targets of packs and game
 * directories that are links.
 * @param except Directories that are never watched: the daemon's mounts.
 */
export function watchTargets(catalog: Catalog, except: readonly string[] = []): WatchTarget[] {
  const targets = new Map<string, WatchTarget>();
  const add = (target: WatchTarget) => {
    if (!except.some((path) => isInside(target.path, path))) targets.set(target.path, target);
  };
  for (const game of catalog.games) {
    for (const path of game.roots) {
      const isFile = game.isArchive || isLoadedFile(catalog, game, path);
      if (isFile) add(game.loads ? fileTarget(path) : archiveTarget(path));
      else add({ path });
    }
    for (const { path } of game.names.lists) add(fileTarget(path));
  }
  const fileSystems = readFileSystems();
  const roots = Array.from(targets.keys(), (path) => fileSystems.followed(path));
  for (const target of linkTargets(catalog, roots, fileSystems)) add(target);
  return Array.from(targets.values());
}

/** Returns whether a root is a file that an engine for Doom loads or that is in a union, instead of a directory. */
function isLoadedFile({ snapshot }: Catalog, game: Game, path: string): boolean {
  const { id, loads } = game;
  if (!loads && !isUnion(game)) return false;
  return snapshot.sources.some((source) => source.game === id && source.path === path && source.format !== "pk3dir") ||
    !snapshot.sources.some((source) => source.game === id && isInside(source.path, path));
}

/** Returns the target for an archive. Its parts have similar names: `pak01_dir.vpk`, `pak01_000.vpk`. */
function archiveTarget(path: string): WatchTarget {
  const stem = basename(path, extname(path)).replace(/_dir$/i, "");
  return { path, matches: (name) => name.startsWith(stem) };
}

function fileTarget(path: string): WatchTarget {
  const own = basename(path);
  return { path, matches: (name) => name === own };
}

/** Returns the targets of sources that are links out of the `roots`. */
function linkTargets({ snapshot }: Catalog, roots: readonly string[], fileSystems: FileSystems): WatchTarget[] {
  const found: WatchTarget[] = [];
  for (const source of snapshot.sources) {
    const path = fileSystems.followed(source.path);
    const isLink = path !== source.path && !roots.some((root) => isInside(path, root));
    if (isLink) found.push(isDirectorySource(source) ? { path } : fileTarget(path));
    if (found.length === maxLinks) break;
  }
  return found;
}

/** Returns a key of a target: its path, and whether it is a directory or a file. */
export function targetKey({ path, matches }: WatchTarget): string {
  return `${matches ? "file" : "directory"} ${path}`;
}

/** Returns whether two lists hold the same targets. */
export function sameTargets(a: readonly WatchTarget[], b: readonly WatchTarget[]): boolean {
  return a.length === b.length && a.every((target, index) => {
    const other = b[index];
    return other !== undefined && targetKey(target) === targetKey(other);
  });
}
