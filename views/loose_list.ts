/**
 * Engines that list all files once, and look up requested names in that list without case: ezQuake. Only the first
 * source with the name in any spelling is searched, and loose files are opened with the requested spelling.
 * @module
 */
import { type Candidate, decide } from "../engines/mod.ts";
import { at, entriesOf, type GameDirectory, isDirectorySource, type PlayedGame, type Source } from "../index/mod.ts";

/** The part of a view that a list of its files needs. */
interface ListingView extends PlayedGame {
  readonly gameDirectory: GameDirectory;
  candidatesOf(node: number): readonly number[];
  candidate(entry: number, asked: string): Candidate<Source>;
  isUsable(entry: number, asked: string): boolean;
  finds(entry: number, asked: string): boolean;
}

/** Returns the sources whose loose files the engine opens by path if its list lacks them, in order. */
export function openedSources({ game, isBase, gameDirectory, searchPath }: ListingView): readonly Source[] {
  const { looseList } = game.profile;
  if (looseList === null) return [];
  const opened = [...looseList.opens, isBase ? looseList.opensForBase : gameDirectory.name];
  return opened.flatMap((name) => searchPath.filter((one) => one.kind === "loose" && one.gameDirectory === name));
}

/** Returns whether a file is loose and not in the list. */
export function isUnlisted({ snapshot, game }: ListingView, entry: number): boolean {
  if (game.profile.looseList === null || !isDirectorySource(snapshot.sourceOf(entry))) return false;
  return /(^|\/)\./.test(snapshot.pathOf(at(snapshot.columns.entryNodes, entry)));
}

/** Returns the reason why a file outside the list is not found, as a clause. */
export function unlistedReason({ game }: ListingView): string {
  return `a part of its path begins with a dot, and ${game.profile.engine} does not list such files`;
}

/** Returns the reason why the list does not find a file with the requested spelling, as a clause, or null. */
export function listReason(view: ListingView, entry: number, asked: string): string | null {
  const { snapshot, game: { profile } } = view;
  if (profile.looseList === null) return null;
  const { first, isFound } = firstListed(view, entry, asked);
  if (isFound) return isUnlisted(view, entry) ? unlistedReason(view) : null;
  const opened = openedSources(view);
  const isBefore = (one: number) =>
    opened.indexOf(snapshot.sourceOf(one)) < opened.indexOf(snapshot.sourceOf(entry)) &&
    opened.includes(snapshot.sourceOf(one)) && view.isUsable(one, asked) && view.finds(one, asked);
  if (opened.includes(snapshot.sourceOf(entry))) {
    const before = view.candidatesOf(at(snapshot.columns.entryNodes, entry)).find(isBefore);
    return before === undefined ? null : `${profile.engine} opens ${snapshot.sourceOf(before).gameDirectory} before`;
  }
  if (!first) return null;
  return `${first.source.gameDirectory} holds ${
    snapshot.memberOf(first.entry)
  }, and ${profile.engine} looks for other ` +
    "spellings there alone";
}

/** The first listed file of a path, and whether its source has one that the requested spelling finds. */
interface FirstListed {
  readonly fold: number;
  readonly asked: string;
  readonly first: Candidate<Source> | undefined;
  readonly isFound: boolean;
}

/** The last path of each view: all files of a path are judged one after another. */
const last = new WeakMap<ListingView, FirstListed>();

function firstListed(view: ListingView, entry: number, asked: string): FirstListed {
  const { snapshot, game: { profile } } = view;
  const node = at(snapshot.columns.entryNodes, entry);
  const fold = at(snapshot.columns.nodeFolds, node);
  const known = last.get(view);
  if (known?.fold === fold && known.asked === asked) return known;
  const [first, ...others] = view.candidatesOf(node)
    .filter((one) => !snapshot.isDirectory(one) && !isUnlisted(view, one) && view.isUsable(one, asked))
    .map((one) => view.candidate(one, asked))
    .sort((a, b) => decide(profile.rules, a, b).order);
  const isFound = first !== undefined &&
    [first, ...others].some((one) => one.source === first.source && view.finds(one.entry, asked));
  const found = { fold, asked, first, isFound };
  last.set(view, found);
  return found;
}

/** Yields the loose files of a view that are not in the list. */
export function unlistedEntries(view: ListingView): IteratorObject<number> {
  const sources = view.game.profile.looseList === null ? [] : view.searchPath.filter(isDirectorySource);
  return entriesOf(sources).filter((entry) => isUnlisted(view, entry));
}
