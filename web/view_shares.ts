/**
 * Sums up the files that each pack and directory of a view provides, for its map.
 * @module
 */
import { type Caller, maxPageSize, rowPages } from "../protocol/mod.ts";

/** Files of a view from one directory of a source. */
export interface DirectoryShare {
  /** First component of their paths; empty for files at the top level. */
  readonly name: string;
  files: number;
  size: number;
}

/** A source of a view: its visible files, and the number of its losing files. */
export interface SourceShare {
  readonly rank: number;
  readonly source: string;
  readonly kind: "pack" | "loose";
  readonly gameDirectory: string;
  files: number;
  size: number;
  /** Files that the view does not show. */
  shadowed: number;
  readonly directories: DirectoryShare[];
}

/** Returns the shares of all sources of a view, in the order of its search path. */
export async function viewShares(caller: Caller, view: string, signal: AbortSignal): Promise<SourceShare[]> {
  const shares = new Map<string, { share: SourceShare; directories: Map<string, DirectoryShare>; all: number }>();
  for await (const rows of rowPages(caller, "path", { view }, { signal })) {
    for (const { rank, source, kind, gameDirectory, files } of rows) {
      const share = { rank, source, kind, gameDirectory, files: 0, size: 0, shadowed: 0, directories: [] };
      shares.set(source, { share, directories: new Map(), all: files });
    }
  }
  const params = { view, patterns: ["**"], fields: ["qpath", "size", "source"], limit: maxPageSize };
  for await (const rows of rowPages(caller, "find", params, { signal })) {
    for (const { qpath, size, source } of rows) {
      const found = shares.get(source);
      if (!found) continue;
      const slash = qpath.indexOf("/");
      const name = slash < 0 ? "" : qpath.slice(0, slash);
      let directory = found.directories.get(name);
      if (!directory) found.directories.set(name, directory = { name, files: 0, size: 0 });
      for (const sum of [found.share, directory]) {
        sum.files++;
        sum.size += size;
      }
    }
  }
  return Array.from(shares.values(), ({ share, directories, all }) => ({
    ...share,
    shadowed: Math.max(0, all - share.files),
    directories: Array.from(directories.values()).sort((a, b) => b.size - a.size),
  }));
}
