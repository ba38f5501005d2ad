/**
 * Paths for which an engine opens loose files of another name.
 * @module
 */
import { at, type PlayedGame, type Snapshot } from "../index/mod.ts";

/** The path of the loose file that a requested path opens where there is one. */
function opened({ aliases }: PlayedGame["game"]["profile"], asked: string): string | undefined {
  return aliases.length === 0 ? undefined : aliases.find(({ path }) => path === asked.toLowerCase())?.opens;
}

function looseFiles(snapshot: Snapshot, path: string): number[] {
  return snapshot.candidatesOf(snapshot.findNode(path, false), false).filter((entry) =>
    snapshot.sourceOf(entry).kind === "loose" && !snapshot.isDirectory(entry)
  );
}

/** Returns the loose files of another name that a requested path opens. */
export function aliasEntries({ snapshot, game, searchPath }: PlayedGame, asked: string): number[] {
  const path = opened(game.profile, asked);
  if (path === undefined) return [];
  return looseFiles(snapshot, path).filter((entry) => searchPath.includes(snapshot.sourceOf(entry)));
}

/** Returns why a loose file is passed over for one of another name in its directory, as a clause, or null. */
export function aliasReason(view: PlayedGame, entry: number, asked: string): string | null {
  const { snapshot, game: { profile } } = view;
  const source = snapshot.sourceOf(entry);
  const path = source.kind === "loose" ? opened(profile, asked) : undefined;
  if (path === undefined || snapshot.pathOf(at(snapshot.columns.entryNodes, entry)) === path) return null;
  const isThere = aliasEntries(view, asked).some((other) => snapshot.sourceOf(other) === source);
  return isThere ? `${profile.engine} opens ${path} of the same directory for it` : null;
}

/**
 * Returns the files of another name by the paths, in lower case, that they answer where no file has these; undefined if
 * there are none.
 * @param firstOf Returns the file that is searched first.
 */
export function aliasFiles(
  view: PlayedGame,
  firstOf: (entries: readonly number[]) => number | undefined,
): ReadonlyMap<string, number> | undefined {
  const found = view.game.profile.aliases.flatMap(({ path }) => {
    const first = firstOf(aliasEntries(view, path));
    return first === undefined ? [] : [[path, first] as const];
  });
  return found.length === 0 ? undefined : new Map(found);
}

/** Yields the nodes of paths that files of another name may answer. */
export function* aliasNodes({ snapshot, game: { profile } }: PlayedGame): Generator<number> {
  for (const { path } of profile.aliases) {
    const { entryNodes } = snapshot.columns;
    yield* new Set(snapshot.candidatesOf(snapshot.findNode(path, true), true).map((entry) => at(entryNodes, entry)));
  }
}
