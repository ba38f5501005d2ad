/**
 * Converted files below `.as` for the session thread: their names, and the changes of a refresh. The converters do
 * everything else. Loaded on first lookup, since most mounts never show any.
 *
 * A view below `.as` is a second {@linkcode MountedTree} over the view's own tree. Its directories and converted files
 * have separate ids; all other files share the view's ids, and with them their pages in the kernel.
 * @module
 */
import type { FuseRequest } from "deno-fuse-ffi";
import { at, none, type Snapshot } from "../../index/mod.ts";
import { EntryComparison, type Tree, type View } from "../../views/mod.ts";
import { extensionOf, lumpEnding, startBytes } from "../../media/mod.ts";
import { type MountLayout, sameName } from "../layout/mount_layout.ts";
import type { ConversionChanges, MountedTree } from "../layout/mounted_tree.ts";
import { copiesAt, entryAt, InputNotes, pathSeparator, pathsOf, shownFormat } from "../shared/conversions.ts";
import type { RequestOrder } from "../shared/request_queue.ts";
import type { ConvertedKind } from "../shared/thread_messages.ts";
import type { HandedRequests } from "./handed_requests.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Converter of large models and maps: each may take seconds, and much memory. */
const largeModels = 0;
/** Extension of converted models and maps. */
const modelEnding = "glb";
/** Minimum bytes of a large model or map. Smaller ones are distributed over the threads like pictures. */
const largeModel = 1024 * 1024;
/** Maximum number of converted files whose inputs are recorded; beyond this, any refresh gives all of them new ids. */
const maxNoted = 262_144;

/** Converted files of one tree, by the requested paths of their conversions: upper and lower halves of their ids. */
type NotedInputs = Map<string, Set<number>>;

/** The index whose files are shown. */
export interface ConvertedIndex {
  readonly layout: Pick<MountLayout, "numberOf">;
  readonly content: {
    readonly version: number;
    /** Returns the beginning of a file, if it is there without waiting. */
    startOf(entry: number, length: number): Uint8Array | undefined;
  };
  /** Number of each source's remote file system; absent if all are local. */
  readonly remotes?: Uint8Array;
}

/** Names of converted files, and the inputs of their conversions. Session thread only. */
export class ConvertedFiles {
  readonly #kinds: ReadonlyMap<string, readonly ConvertedKind[]>;
  readonly #requests: HandedRequests;
  readonly #notes: readonly InputNotes[];
  /** Trees by upper half of the ids. */
  readonly #noted = new Map<number, NotedInputs>();
  #notedCount = 0;
  #isLost = false;
  readonly #remoteViews = new WeakMap<View, boolean>();
  /** Endings of lumps by index and entry: a listing reads each once. */
  readonly #lumps = new WeakMap<Snapshot, Map<number, string | undefined>>();

  constructor(kinds: readonly ConvertedKind[], requests: HandedRequests, notes: readonly SharedArrayBuffer[]) {
    const byExtension = new Map<string, ConvertedKind[]>();
    for (const kind of kinds) {
      for (const extension of kind.extensions) {
        byExtension.set(extension, [...byExtension.get(extension) ?? [], kind]);
      }
    }
    this.#kinds = byExtension;
    this.#requests = requests;
    this.#notes = notes.map((buffer) => new InputNotes(buffer));
  }

  /** Returns the name of a child as a converted file; undefined if it is shown as it is. */
  nameOf(
    { tree }: MountedTree,
    directory: number,
    child: number,
    { content }: Pick<ConvertedIndex, "content">,
  ): Uint8Array | undefined {
    const node = at(tree.nodes, child);
    const ending = this.#endingOf(tree, child, () => tree.pathOf(directory), content);
    if (ending === undefined || tree.snapshot.unclashed(node) !== node) return undefined;
    const name = withEnding(tree.snapshot.nameBytes(node), ending);
    // An original file with that name has priority.
    return tree.listedChild(directory, name) === none ? name : undefined;
  }

  /** Returns the child whose converted file has a name, or {@linkcode none}. */
  childOf(
    mounted: MountedTree,
    directory: number,
    name: Uint8Array,
    index: Pick<ConvertedIndex, "content">,
  ): number {
    const dot = name.lastIndexOf(0x2e);
    const { tree } = mounted;
    if (dot <= 0 || !tree.isDirectory(directory)) return none;
    const child = tree.findChild(directory, name.subarray(0, dot));
    if (child === none || tree.isDirectory(child)) return none;
    const shown = this.nameOf(mounted, directory, child, index);
    const ending = shown && shown.subarray(shown.lastIndexOf(0x2e));
    return ending && sameName(ending, name.subarray(dot)) ? child : none;
  }

  /**
   * Queues a request about a converted file for its thread.
   * @param size Bytes to read, or the kind of a request for attributes.
   */
  hand(
    request: FuseRequest,
    { layout, content, remotes }: ConvertedIndex,
    { mounted, index }: { readonly mounted: MountedTree; readonly index: number },
    { offset, size }: Pick<RequestOrder, "offset" | "size">,
  ): void {
    const { tree, view } = mounted;
    if (!view) throw new RangeError("Cannot convert a file of a pack alone: the engine's view is not known");
    const ending = this.#endingOf(tree, index, () => tree.pathOf(at(tree.parents, index)), content);
    const [high, low] = [mounted.highOf(index), mounted.lowOf(index)];
    const last = this.#requests.length - 1;
    const thread = this.#isRemote(view, remotes)
      ? last
      : ending === modelEnding && at(tree.snapshot.columns.entrySizes, at(tree.entries, index)) >= largeModel
      ? largeModels
      : largeModels + 1 + low % (last - largeModels - 1);
    this.#requests.hand(request, thread, {
      version: content.version,
      entry: at(tree.entries, index),
      offset,
      size,
      high,
      low,
      view: layout.numberOf(view),
      node: at(tree.nodes, index),
    });
    if (this.#notes[thread]?.isHalfFull) this.#takeNotes();
  }

  /** Returns the changes of converted files when another index replaces one. */
  changes(before: MountLayout, after: MountLayout): ConversionChanges {
    const stale = new Map<number, Set<number>>();
    const add = (high: number, low: number) => {
      const lows = stale.get(high) ?? new Set();
      stale.set(high, lows.add(low));
    };
    // Running converters read files of the earlier index. Their inputs are recorded before they reply.
    for (const { high, low } of this.#requests.waiting()) add(high, low);
    this.#takeNotes();
    for (const [high, noted] of this.#noted) {
      const old = before.tree(high);
      const now = old && after.tree(old.number);
      const isSame = old && now ? inputComparison(old, now) : () => false;
      for (const [paths, lows] of noted) {
        if (!this.#isLost && paths.split(pathSeparator).every(isSame)) continue;
        for (const low of lows) add(high, low);
        this.#notedCount -= lows.size;
        noted.delete(paths);
      }
      if (noted.size === 0) this.#noted.delete(high);
    }
    const isAllStale = this.#isLost;
    this.#isLost = false;
    return {
      isStale: (high, low) => isAllStale || stale.get(high)?.has(low) === true,
      convertedNames: (name) => this.#endings(decoder.decode(name)).map((ending) => withEnding(name, ending)),
    };
  }

  #takeNotes(): void {
    for (const notes of this.#notes) {
      if (notes.takeLoss()) this.#isLost = true;
      for (const { high, low, paths } of notes.take()) {
        const noted = this.#noted.get(high) ?? new Map<string, Set<number>>();
        this.#noted.set(high, noted);
        const lows = noted.get(paths) ?? new Set();
        noted.set(paths, lows);
        const count = lows.size;
        this.#notedCount += lows.add(low).size - count;
      }
    }
    if (this.#notedCount <= maxNoted) return;
    this.#noted.clear();
    this.#notedCount = 0;
    this.#isLost = true;
  }

  #endingOf(
    tree: Tree,
    child: number,
    directory: () => string,
    content: ConvertedIndex["content"],
  ): string | undefined {
    const name = tree.nameOf(child);
    const kinds = this.#kindsOf(name);
    if (!kinds) return undefined;
    let path: string | undefined;
    const pathOf = () => path ??= `${directory()}/${name}`.replace(/^\//, "").toLowerCase();
    const extension = extensionOf(name);
    const found = kinds.filter(({ paths }) => !paths || paths.test(pathOf()));
    const byName = shownFormat(found, extension);
    if (extension !== "" || found.length === 0) return byName;
    const entry = tree.entries[child] ?? none;
    const known = this.#lumps.get(tree.snapshot) ?? new Map<number, string | undefined>();
    this.#lumps.set(tree.snapshot, known);
    if (known.has(entry)) return known.get(entry);
    const start = entry === none ? undefined : content.startOf(entry, startBytes);
    const size = entry === none ? 0 : at(tree.snapshot.columns.entrySizes, entry);
    const ending = start ? lumpEnding(pathOf(), start, size) : byName;
    known.set(entry, ending);
    return ending;
  }

  /** Returns the extensions of all names that a converted file may have, in any directory. */
  #endings(name: string): string[] {
    return Array.from(new Set(this.#kindsOf(name)?.map(({ to }) => to)));
  }

  #kindsOf(name: string): readonly ConvertedKind[] | undefined {
    return this.#kinds.get(extensionOf(name));
  }

  #isRemote(view: View, remotes: Uint8Array | undefined): boolean {
    if (!remotes) return false;
    const known = this.#remoteViews.get(view) ?? view.searchPath.some(({ id }) => at(remotes, id) !== 0);
    this.#remoteViews.set(view, known);
    return known;
  }
}

/** Returns a function that checks whether a requested path of a conversion has the same file in both. */
function inputComparison(before: MountedTree, after: MountedTree): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const [old, now] = [before.view, after.view];
  if (!old || !now) return () => false;
  const entries = new EntryComparison(old.snapshot, now.snapshot);
  const isSame = (path: string): boolean => {
    const isDirectory = path.endsWith("/");
    const entriesIn = (mounted: MountedTree, view: View) =>
      copiesAt(view, path) ??
        (isDirectory ? entriesBelow(mounted, path) : pathsOf(path).map((one) => entryAt(view, one)));
    const [was, is] = [entriesIn(before, old), entriesIn(after, now)];
    return was.length === is.length && was.every((entry, index) => {
      const other = is[index] ?? none;
      return entry === none || other === none ? entry === other : entries.isSame(entry, other);
    });
  };
  return (path) => {
    const result = known.get(path) ?? isSame(path);
    known.set(path, result);
    return result;
  };
}

/** Returns the entries of the files below a directory. */
function entriesBelow({ tree }: MountedTree, path: string): number[] {
  const top = tree.find(path);
  const found: number[] = [];
  if (top === none) return found;
  for (let node = top; node !== none; node = tree.following(node, top)) found.push(at(tree.entries, node));
  return found;
}

function withEnding(name: Uint8Array, ending: string): Uint8Array {
  const whole = new Uint8Array(name.length + 1 + ending.length);
  whole.set(name);
  whole.set(encoder.encode(`.${ending}`), name.length);
  return whole;
}
