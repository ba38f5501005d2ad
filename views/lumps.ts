/**
 * Decisions of a list of files beyond single paths: lumps that the engine drops, maps that are loaded as a whole, and
 * folders of archives whose paths lumps of WADs can win.
 * @module
 */
import { entryIsDropped } from "../formats/parts.ts";
import { at, beyond, none, type PlayedGame } from "../index/mod.ts";
import { sharedFolders } from "../engines/mod.ts";

/** Directory of the lumps of maps. */
const mapsDirectory = "maps";
/** Formats whose members have full paths. */
const fullPathFormats: ReadonlySet<string> = new Set(["zip", "quake-pak", "pk3dir", "grp", "rff", "hog"]);

/** Lumps of a view with a list of files. */
export class Lumps {
  readonly #view: PlayedGame;
  /** Index on the search path of each source. */
  readonly #ranks: ReadonlyMap<number, number>;
  /** For the fold node of a map's directory: the lump that opens the loaded map, or {@linkcode none}. */
  readonly #maps = new Map<number, number>();
  /** Node of the directory of maps, or {@linkcode none}. */
  readonly #directory: number;

  constructor(view: PlayedGame) {
    this.#view = view;
    this.#directory = view.snapshot.findNode(mapsDirectory, true);
    this.#ranks = new Map(view.searchPath.map(({ id }, rank) => [id, rank]));
  }

  /** Returns the reason why the engine does not use an entry, as a clause, or null. */
  refusal(entry: number): string | null {
    const { snapshot, game } = this.#view;
    const { engine } = game.profile;
    if ((at(snapshot.columns.entryFlags, entry) & entryIsDropped) !== 0) {
      return `${engine} drops it when it loads ${snapshot.sourceOf(entry).name}`;
    }
    const map = this.#mapOf(entry);
    if (map === none || this.#hasFullPath(entry)) return null;
    const opener = this.#openerOf(map);
    if (this.#isPartOf(entry, opener)) return null;
    const name = snapshot.nameOf(map);
    return opener === none
      ? `${engine} loads no ${name} from lumps`
      : `${engine} loads ${name} with the lumps after it in ${snapshot.sourceOf(opener).name} alone`;
  }

  /** Yields the entries that {@linkcode Lumps.refusal} rejects. */
  *refused(): Generator<number> {
    const { snapshot, game } = this.#view;
    const { entryFlags, entryNodes, nodeParents } = snapshot.columns;
    for (const { game: owner, firstEntry, entryCount } of snapshot.sources) {
      if (owner !== game.id) continue;
      let lastDirectory: number = none;
      let opener: number | undefined;
      for (let entry = firstEntry; entry < firstEntry + entryCount; entry++) {
        const directory = nodeParents[entryNodes[entry] ?? beyond(entryNodes)] ?? beyond(nodeParents);
        // Lumps of a map are adjacent.
        if (directory !== lastDirectory) {
          const map = this.#mapOf(entry);
          opener = map === none ? undefined : this.#openerOf(map);
        }
        lastDirectory = directory;
        const isDropped = ((entryFlags[entry] ?? beyond(entryFlags)) & entryIsDropped) !== 0;
        const isElsewhere = opener !== undefined && !this.#isPartOf(entry, opener) && !this.#hasFullPath(entry);
        if (isDropped || isElsewhere) yield entry;
      }
    }
  }

  /**
   * Returns the entries of WADs that are candidates for a path in a folder of archives, such as `graphics/TITLEPIC`.
   */
  sharedCandidates(node: number): number[] {
    const { snapshot, game } = this.#view;
    const { nodeParents } = snapshot.columns;
    if (node === none || game.profile.loadList?.lumps !== "gzdoom") return [];
    const folder = at(nodeParents, node);
    if (folder === 0 || at(nodeParents, folder) !== 0) return [];
    return sharedFolders.includes(snapshot.nameOf(folder).toLowerCase()) ? this.#lumpsNamedAs(node) : [];
  }

  /** Yields the listed paths of folders of archives for which lumps of WADs may be candidates. */
  *sharedNodes(): Generator<number> {
    const { snapshot, game } = this.#view;
    const { childStarts, nodeOrder, nodeFolds } = snapshot.columns;
    if (game.profile.loadList?.lumps !== "gzdoom") return;
    for (const folder of sharedFolders) {
      const node = snapshot.findNode(folder, true);
      if (node === none || node === 0) continue;
      for (let position = at(childStarts, node); position < at(childStarts, node + 1); position++) {
        const child = at(nodeOrder, position);
        if (at(nodeFolds, child) === child && this.#lumpsNamedAs(child).length > 0) yield child;
      }
    }
  }

  /** Returns the lumps of WADs, outside all folders, with the name of a node that any file has. */
  #lumpsNamedAs(node: number): number[] {
    const { snapshot } = this.#view;
    const { names, nameStarts, nodeNames } = snapshot.columns;
    // A refresh keeps the names of deleted files.
    if (snapshot.candidatesOf(node, true).length === 0) return [];
    const name = at(nodeNames, node);
    const lump = snapshot.findChild(0, names, at(nameStarts, name), at(nameStarts, name + 1), true);
    return snapshot.candidatesOf(lump, true)
      .filter((entry) => !fullPathFormats.has(snapshot.formatOf(entry)));
  }

  /** Returns the fold node of the map's directory with an entry, or {@linkcode none}. */
  #mapOf(entry: number): number {
    const { nodeParents, entryNodes, nodeFolds } = this.#view.snapshot.columns;
    const above = at(nodeParents, at(entryNodes, entry));
    if (above === 0 || this.#directory === none || at(nodeFolds, at(nodeParents, above)) !== this.#directory) {
      return none;
    }
    return at(nodeFolds, above);
  }

  /** Returns whether an entry is a file of an archive, which GZDoom finds by its full path whatever map it lies next to. */
  #hasFullPath(entry: number): boolean {
    const { snapshot, game } = this.#view;
    return game.profile.loadList?.lumps === "gzdoom" && fullPathFormats.has(snapshot.formatOf(entry));
  }

  /** Returns the lump that opens the map of a directory; {@linkcode none} if a file of an archive, or nothing, does. */
  #openerOf(map: number): number {
    return this.#maps.getOrInsertComputed(map, () => this.#findOpener(map));
  }

  #findOpener(map: number): number {
    const { snapshot } = this.#view;
    const name = snapshot.nameBytes(map);
    const found = this.#last(
      snapshot.findChild(0, name, 0, name.length, true),
      ({ format }) => !fullPathFormats.has(format),
    );
    const text = snapshot.nameOf(map);
    const files = [".wad", ".map"].map((ending) =>
      this.#last(snapshot.findNode(`maps/${text}${ending}`, true), () => true)
    );
    return files.some((file) => file !== none && this.#isLater(file, found)) ? none : found;
  }

  /** Returns the entry of a node that is loaded last. */
  #last(node: number, accepts: (entry: { readonly format: string }) => boolean): number {
    const { snapshot } = this.#view;
    let last: number = none;
    for (const entry of snapshot.candidatesOf(node, true)) {
      if (!this.#ranks.has(at(snapshot.columns.entrySources, entry)) || snapshot.isDirectory(entry)) continue;
      if ((at(snapshot.columns.entryFlags, entry) & entryIsDropped) !== 0) continue;
      if (accepts({ format: snapshot.formatOf(entry) }) && this.#isLater(entry, last)) last = entry;
    }
    return last;
  }

  #isLater(entry: number, other: number): boolean {
    if (other === none) return true;
    const rankOf = (one: number) => this.#ranks.get(at(this.#view.snapshot.columns.entrySources, one)) ?? Infinity;
    return rankOf(entry) === rankOf(other) ? entry > other : rankOf(entry) < rankOf(other);
  }

  /** Returns whether an entry is in the same WAD as the lump that opens a map, after it. */
  #isPartOf(entry: number, opener: number): boolean {
    const { snapshot } = this.#view;
    return opener !== none && entry > opener && snapshot.sourceOf(entry) === snapshot.sourceOf(opener) &&
      snapshot.archiveOf(entry) === snapshot.archiveOf(opener);
  }
}

/** Returns the lumps of a view; `undefined` if its engine searches directories. */
export function lumpsOf(view: PlayedGame): Lumps | undefined {
  return view.game.profile.loadList === null ? undefined : new Lumps(view);
}
