/**
 * Which spellings find a loose file, for engines that fold the case of names in packs: there they look into a table of
 * their own, but for loose files they ask the file system, which on Linux tells capitals from small letters.
 * @module
 */
import type { Snapshot } from "./snapshot.ts";

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

/** How a loose file is found: as it is asked for, after everything that is, or not at all. */
export type Finding = "own" | "otherwise" | "never";

/**
 * How a loose file is found when it is asked for by its own name, in its directory as a tree spells it. `directories`
 * names for each fold node the node that spells it.
 */
export function findsUnderTree(
  rule: LooseCase,
  snapshot: Snapshot,
  directories: Uint32Array,
): (node: number) => Finding {
  if (rule === "any") return () => "own";
  const { nodeParents, nodeNames, nodeFolds } = snapshot.columns;
  const known = new Map<number, { own: boolean; small: boolean }>([[0, { own: true, small: true }]]);
  const small = new Map<number, boolean>();
  const isSmall = (node: number) => {
    const name = nodeNames[node] ?? 0;
    const answer = small.get(name) ?? !hasCapitals(snapshot.nameOf(node));
    small.set(name, answer);
    return answer;
  };
  const directorySpelling = (node: number): { own: boolean; small: boolean } => {
    const answer = known.get(node);
    if (answer) return answer;
    const above = directorySpelling(nodeParents[node] ?? 0);
    const spelling = directories[nodeFolds[node] ?? node] ?? 0;
    const found = { own: above.own && nodeNames[spelling] === nodeNames[node], small: above.small && isSmall(node) };
    known.set(node, found);
    return found;
  };
  return (node) => {
    const directory = directorySpelling(nodeParents[node] ?? 0);
    if (rule === "small-directory") return directory.small ? "own" : "never";
    if (directory.own) return "own";
    return rule === "own-or-small" && directory.small && isSmall(node) ? "otherwise" : "never";
  };
}
