/**
 * Loose files: the spellings that find them, and paths that an engine reads only from loose files or the base
 * directory.
 *
 * Engines that fold the case of names look up names of packs in a table, but loose files in the file system, which on
 * Linux is case-sensitive.
 * @module
 */
import { at, entriesOf, isDirectorySource, type PlayedGame, type Snapshot, type Source } from "../index/mod.ts";
import type { LooseCase, LooseOnly } from "../engines/mod.ts";

/**
 * Returns whether a request for `asked` finds the loose file `path`; both without a leading slash, equal except for
 * case.
 */
export function findsLoose(rule: LooseCase, path: string, asked: string): boolean {
  if (rule === "small-directory") return !hasCapitals(directoryOf(path));
  if (rule === "any" || path === asked) return true;
  return (rule !== "own" && !hasCapitals(path)) || (rule === "own-or-one-case" && !hasSmallLetters(path));
}

/** Returns the reason why a loose file is not found, a clause after its spelling. */
export function looseCaseSentence(rule: LooseCase, engine: string): string {
  return rule === "small-directory"
    ? `${engine} finds loose files only in directories that are named in small letters`
    : `${engine} finds loose files only by their own spelling`;
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function hasCapitals(text: string): boolean {
  return /[A-Z]/.test(text);
}

function hasSmallLetters(text: string): boolean {
  return /[a-z]/.test(text);
}

/**
 * Returns whether a loose file is found, by its node and the node with the requested spelling ({@linkcode none} if
 * there is none); a faster {@linkcode findsLoose} for nodes.
 */
export function looseFinder(rule: LooseCase, snapshot: Snapshot): (node: number, asked: number) => boolean {
  const { nodeParents } = snapshot.columns;
  const isSmallPath = pathsOf(snapshot, (name) => !hasCapitals(name));
  const isCapitalPath = pathsOf(snapshot, (name) => !hasSmallLetters(name));
  if (rule === "any") return () => true;
  if (rule === "small-directory") return (node) => isSmallPath(at(nodeParents, node));
  if (rule === "own") return (node, asked) => node === asked;
  if (rule === "own-or-small") return (node, asked) => node === asked || isSmallPath(node);
  return (node, asked) => node === asked || isSmallPath(node) || isCapitalPath(node);
}

/** Returns a test of nodes whose own name, and those of all directories above, pass `isSuch`. */
function pathsOf(snapshot: Snapshot, isSuch: (name: string) => boolean): (node: number) => boolean {
  const { nodeParents, nodeNames } = snapshot.columns;
  const names = new Map<number, boolean>();
  const directories = new Map<number, boolean>([[0, true]]);
  const isSuchName = (node: number) => {
    const name = at(nodeNames, node);
    const known = names.get(name) ?? isSuch(snapshot.nameOf(node));
    names.set(name, known);
    return known;
  };
  const isSuchDirectory = (directory: number): boolean => {
    const known = directories.get(directory) ??
      (isSuchName(directory) && isSuchDirectory(at(nodeParents, directory)));
    directories.set(directory, known);
    return known;
  };
  return (node) => node === 0 || (isSuchName(node) && isSuchDirectory(at(nodeParents, node)));
}

/** Returns whether packs, and directories that are packs, are skipped for a path. */
export function skippedFor(
  rules: readonly LooseOnly[],
  asked: string,
): { readonly packs: boolean; readonly packDirectories: boolean } {
  return {
    packs: rules.some((rule) => holdsFor(rule, asked, rule.anyCase)),
    packDirectories: rules.some((rule) => rule.packDirectories && holdsFor(rule, asked, false)),
  };
}

/** Returns whether a rule can apply to a path, or to a path below it. */
export function mayHoldBelow(rule: LooseOnly, path: string): boolean {
  const wanted = rule.anyCase ? path.toLowerCase() : path;
  return rule.path.startsWith(`${wanted}/`) || holdsFor(rule, path, rule.anyCase);
}

function holdsFor({ path }: LooseOnly, asked: string, anyCase: boolean): boolean {
  const wanted = anyCase ? asked.toLowerCase() : asked;
  return path.endsWith("/") ? wanted.startsWith(path) : wanted === path;
}

/** Returns the rules that apply in a view. */
export function looseOnlyRules(view: PlayedGame): readonly LooseOnly[] {
  return view.game.profile.looseOnly.filter((rule) => !rule.withoutMod || view.isBase);
}

/** Returns the reason why a source is skipped when `asked` is requested, as a clause, or null. */
export function looseOnlyReason(view: PlayedGame, source: Source, asked: string): string | null {
  const { baseOnly, engine, ignoreCase } = view.game.profile;
  const isBaseOnly = baseOnly.includes(ignoreCase ? asked.toLowerCase() : asked);
  if (isBaseOnly && source.gameDirectory !== view.game.base) {
    return `${engine} takes ${asked} from ${view.game.base} only`;
  }
  if (source.kind === "loose") return null;
  const rule = looseOnlyRules(view).find((known) => isSkipped(source, skippedFor([known], asked)));
  if (!rule) return null;
  const what = rule.path.endsWith("/") ? `files of ${rule.path}` : rule.path;
  return `${view.game.profile.engine} never takes ${what} from a pack${
    rule.withoutMod ? " while no mod is played" : ""
  }`;
}

/** Returns whether a source is skipped. */
export function isSkipped(source: Source, { packs, packDirectories }: ReturnType<typeof skippedFor>): boolean {
  if (source.kind === "loose") return false;
  return isDirectorySource(source) ? packDirectories : packs;
}

/** Yields entries that an engine skips because they are outside the base game directory. */
export function* baseOnlyEntries({ snapshot, game }: PlayedGame): Generator<number> {
  const { baseOnly, ignoreCase } = game.profile;
  for (const path of baseOnly) {
    for (const entry of snapshot.candidatesOf(snapshot.findNode(path, ignoreCase), ignoreCase)) {
      if (snapshot.sourceOf(entry).gameDirectory !== game.base) yield entry;
    }
  }
}

/** Yields entries of packs that a case-sensitive engine skips. */
export function looseOnlyEntries(view: PlayedGame): IteratorObject<number> {
  const { snapshot } = view;
  const rules = looseOnlyRules(view);
  const packs = rules.length === 0 ? [] : view.searchPath.filter((source) => !isDirectorySource(source));
  return entriesOf(packs).filter((entry) =>
    skippedFor(rules, snapshot.pathOf(at(snapshot.columns.entryNodes, entry))).packs
  );
}
