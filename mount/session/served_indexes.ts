/**
 * The indexes that the session serves, with the parts for each, until nothing reads its files any more.
 * @module
 */
import { indexFrom, type IndexParts } from "../../index/mod.ts";
import { Catalog, type Tree } from "../../views/mod.ts";
import { MemberDecoder } from "../decoding/member_decoder.ts";
import { type LayoutOptions, MountLayout } from "../layout/mount_layout.ts";
import type { CachedName } from "../layout/mounted_tree.ts";
import { catalogAfter } from "../shared/catalog_messages.ts";
import { DecompressedArchives } from "../shared/decompressed_archives.ts";
import { EntryStates } from "../shared/entry_states.ts";
import type { IndexVersion, ReplaceMessage } from "../shared/thread_messages.ts";
import type { GameFileSystem } from "./game_file_system.ts";
import type { HandedRequests } from "./handed_requests.ts";
import { ReadHandler, type ReadHandlerParts } from "./read_handler.ts";
import type { Shown } from "./shown.ts";

/** Parts that all indexes share. */
export type ServingTools =
  & Pick<ReadHandlerParts, "library" | "memory" | "slots" | "replier" | "counters" | "report" | "watches">
  & {
    readonly remoteReads: HandedRequests;
    /** Called with the number of an index and a tree of one of its views, when that was requested. */
    readonly onTree: (version: number, view: string, tree: Tree) => void;
  };

/** A shown index, with its open files. */
interface Serving extends Shown {
  readonly catalog: Catalog;
  readonly content: ReadHandler;
}

function servingOf(tools: ServingTools, version: IndexVersion, options: LayoutOptions, previous?: Serving): Serving {
  const catalog = version.catalog instanceof Catalog ? version.catalog : new Catalog(indexFrom(version.catalog));
  const { snapshot } = catalog;
  // First, as it fails if the view at the root is missing: nothing must be closed then.
  const layout = new MountLayout(
    catalog,
    { ...options, games: version.games },
    previous?.layout,
    ({ name, tree }) => tools.onTree(version.number, name, tree),
  );
  const content = new ReadHandler({
    ...tools,
    snapshot,
    version: version.number,
    states: new EntryStates(version.entries),
    decoder: new MemberDecoder(snapshot, tools.library),
    decompressed: new DecompressedArchives(snapshot, version.decompressed),
    failures: new Uint32Array(version.failures),
    remote: { numbers: new Uint8Array(version.remotes), reads: tools.remoteReads },
  });
  return { catalog, layout, snapshot, content, remotes: new Uint8Array(version.remotes) };
}

/** The shown index, the previous one, and older ones whose files a decoder still reads. */
export class ServedIndexes implements Disposable {
  readonly #tools: ServingTools;
  readonly #options: LayoutOptions;
  /** The index that the main thread sent last, which may not have been shown because of an error. */
  #sent: IndexParts;
  #shown: Serving;
  #before: Serving | undefined;
  #leaving: Serving[] = [];

  constructor(tools: ServingTools, first: IndexVersion, options: LayoutOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#sent = first.catalog;
    this.#shown = servingOf(tools, first, options);
  }

  get shown(): Shown {
    return this.#shown;
  }

  /**
   * Shows another index; returns what the kernel must forget.
   * @throws {ViewError} if it lacks the view at the root: then the mount is unchanged.
   */
  show({ version, catalog }: ReplaceMessage, fileSystem: GameFileSystem): readonly CachedName[] {
    this.#sent = catalogAfter(this.#sent, catalog);
    const next = servingOf(this.#tools, { ...version, catalog: this.#sent }, this.#options, this.#shown);
    const names = next.layout.replacePrevious(fileSystem.conversionChanges(next.layout));
    if (this.#before) this.#leaving.push(this.#before);
    this.#before = this.#shown;
    this.#shown = next;
    names.push(...fileSystem.show(next));
    this.#leaving = this.#leaving.filter(({ content }) => {
      if (!content.isBusy) content[Symbol.dispose]();
      return content.isBusy;
    });
    return names;
  }

  [Symbol.dispose](): void {
    for (const { content } of [this.#shown, ...(this.#before ? [this.#before] : []), ...this.#leaving]) {
      content[Symbol.dispose]();
    }
  }
}
