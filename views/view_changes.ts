/**
 * Differences between the views of two indexes.
 * @module
 */
import type { Catalog } from "./catalog.ts";
import { type ChangeKind, reportChanges } from "./changes.ts";
import { Tree } from "./tree.ts";
import type { View } from "./view.ts";
import { ViewError } from "./view_error.ts";

/** Differences of one view. */
export interface ViewDifference {
  /** Name of the view. */
  readonly view: string;
  /** Whether the view itself was added or removed, or only its content differs. */
  readonly change: ChangeKind;
  /** Number of files, by kind of change. */
  readonly files: Readonly<Record<ChangeKind, number>>;
  /** The first changed files, in the order of a walk. */
  readonly sample: readonly { readonly qpath: string; readonly change: ChangeKind }[];
}

/**
 * Yields the views that differ between both indexes, one by one: each needs a walk through its trees, so a caller can
 * yield in between.
 * @param names The views to compare; default: all, except those created on request.
 * @param most Maximum named paths per view.
 */
export function* viewDifferences(
  before: Catalog,
  after: Catalog,
  names: readonly string[] | undefined,
  most: number,
): Generator<ViewDifference> {
  for (const name of new Set(names ?? [...before.views, ...after.views].map((view) => view.name))) {
    const difference = compare(name, viewOf(before, name), viewOf(after, name), most);
    if (difference) yield difference;
  }
}

function viewOf(catalog: Catalog, name: string): View | undefined {
  try {
    return catalog.view(name);
  } catch (error) {
    if (error instanceof ViewError) return undefined;
    throw error;
  }
}

function compare(
  name: string,
  old: View | undefined,
  now: View | undefined,
  most: number,
): ViewDifference | undefined {
  if (old && now && hasSamePath(old, now)) return undefined;
  const known = old ?? now;
  if (!known) return undefined;
  const nothing = emptyTree(known);
  const files: Record<ChangeKind, number> = { added: 0, removed: 0, changed: 0 };
  const sample: { qpath: string; change: ChangeKind }[] = [];
  reportChanges(old?.tree ?? nothing, now?.tree ?? nothing, (change, tree, node) => {
    if (tree.isDirectory(node)) return;
    files[change]++;
    if (sample.length < most) sample.push({ qpath: tree.pathOf(node), change });
  });
  const change = !old ? "added" : !now ? "removed" : "changed";
  const isSame = files.added + files.removed + files.changed === 0;
  return change === "changed" && isSame ? undefined : { view: name, change, files, sample };
}

/** Returns whether both views search the same unchanged sources, which share their identity objects. */
function hasSamePath(old: View, now: View): boolean {
  return old.searchPath.length === now.searchPath.length && now.searchPath.every((source, index) => {
    const known = old.searchPath[index];
    return known?.identity === source.identity && known.byteLayout === source.byteLayout &&
      known.readAt === source.readAt && known.path === source.path;
  });
}

function emptyTree({ snapshot }: View): Tree {
  return new Tree(snapshot, { searchPath: [], ignoreCase: false, duplicates: "first" });
}
