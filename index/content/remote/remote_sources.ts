/**
 * The remote file systems that the sources of indexes are on.
 * @module
 */
import { at } from "../../columns/columns.ts";
import { isDirectorySource, type Source } from "../../columns/source.ts";
import type { Game } from "../../columns/game.ts";
import { RemoteFileSystems } from "../../../system/mod.ts";

/** Attributes of a source that determine its file system. */
type LocatedSource = Pick<Source, "id" | "game" | "path" | "format" | "identity" | "byteLayout">;

/** An index whose sources are checked. */
interface Sources {
  readonly games: readonly Pick<Game, "followSymlinks">[];
  readonly snapshot: { readonly sources: readonly LocatedSource[] };
}

/** The list of remote file systems, which finds those of sources. */
export class RemoteSources extends RemoteFileSystems {
  /** Numbers of the sources of the last index and of some before it, by path and inode. */
  #found = new Map<string, number>();
  /** Table of mounts from which {@linkcode #found} was derived. */
  #foundTable = "";
  /** Sources of the last call, with their numbers. */
  #last: { readonly sources: readonly LocatedSource[]; readonly numbers: Uint8Array } | undefined;

  /**
   * Returns for each source the number of its remote file system, 0 for a local one. A source keeps its number while its
   * file system is unmounted: it may be mounted again at any moment, and hang.
   */
  numbersOf({ games, snapshot }: Sources): Uint8Array {
    const { table, hasRemotes } = this.renewed();
    const numbers = new Uint8Array(snapshot.sources.length);
    if (!hasRemotes) return numbers;
    const isSameTable = this.#foundTable === table;
    const last = isSameTable ? this.#last : undefined;
    if (last?.sources === snapshot.sources) return last.numbers;
    // Sources that are no longer in the index are dropped from time to time.
    const before = this.#found;
    if (before.size > 2 * snapshot.sources.length) this.#found = new Map();
    for (const source of snapshot.sources) {
      const { id, path, identity, game } = source;
      if (last?.sources[id] === source && !isDirectorySource(source) && this.#found === before) {
        numbers[id] = at(last.numbers, id);
        continue;
      }
      const follows = isDirectorySource(source) && games[game]?.followSymlinks === true;
      const key = `${identity.inode} ${follows} ${path}`;
      const earlier = before.get(key);
      const number = isSameTable && earlier !== undefined ? earlier : this.#look(source, follows) || (earlier ?? 0);
      this.#found.set(key, number);
      numbers[id] = number;
    }
    this.#last = { sources: snapshot.sources, numbers };
    this.#foundTable = table;
    return numbers;
  }

  #look(source: LocatedSource, follows: boolean): number {
    const { path, byteLayout } = source;
    const { fileSystems } = this;
    // Links out of a directory may lead to any remote file system: only a look at each file would say.
    if (follows) return this.numberFor(fileSystems.remoteIn(path) ?? fileSystems.remoteIn("/"));
    const parts = byteLayout?.files.flatMap((file) => file.kind === "disk" ? [file.path] : []) ?? [];
    const remotes = isDirectorySource(source)
      ? [fileSystems.remoteIn(path)]
      : [path, ...parts].map((part) => fileSystems.remoteOf(part));
    return this.numberFor(remotes.find((remote) => remote !== undefined));
  }
}
