/**
 * Which spellings find a loose file, for engines that fold the case of names in packs: there they look into a table of
 * their own, but for loose files they ask the file system, which on Linux tells capitals from small letters.
 * @module
 */
import type { Snapshot } from "../columns/snapshot.ts";

/**
 * Spellings that find a loose file: any; any, but none if its directory has capitals; only its own; or its own, and any
 * if its own has small letters only.
 */
export type LooseCase = "any" | "small-directory" | "own" | "own-or-small";

/** Whether asking for `asked` finds the loose file `path`; both without a leading slash, equal but for case. */
export function findsLoose(rule: LooseCase, path: string, asked: string): boolean {
  if (rule === "small-directory") return !hasCapitals(directoryOf(path));
  if (rule === "any" || path === asked) return true;
  return rule === "own-or-small" && !hasCapitals(path);
}

/** Why a loose file is not found, to go on after its own spelling. */
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

/**
 * Returns whether a loose file is found, by its node and the node that is spelled as the path that is asked for
 * ({@linkcode none} if no node is); {@linkcode findsLoose} for nodes, quick where it is asked often.
 */
export function looseFinder(rule: LooseCase, snapshot: Snapshot): (node: number, asked: number) => boolean {
  const { nodeParents, nodeNames } = snapshot.columns;
  const smallNames = new Map<number, boolean>();
  const smallPaths = new Map<number, boolean>([[0, true]]);
  const isSmallName = (node: number) => {
    const name = nodeNames[node] ?? 0;
    const known = smallNames.get(name) ?? !hasCapitals(snapshot.nameOf(node));
    smallNames.set(name, known);
    return known;
  };
  const isSmallPath = (directory: number): boolean => {
    const known = smallPaths.get(directory) ??
      (isSmallName(directory) && isSmallPath(nodeParents[directory] ?? 0));
    smallPaths.set(directory, known);
    return known;
  };
  if (rule === "any") return () => true;
  if (rule === "small-directory") return (node) => isSmallPath(nodeParents[node] ?? 0);
  if (rule === "own") return (node, asked) => node === asked;
  return (node, asked) => node === asked || (isSmallName(node) && isSmallPath(nodeParents[node] ?? 0));
}
