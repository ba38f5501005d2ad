/**
 * Search path of a view.
 * @module
 */
import { programPackOf } from "../views/mod.ts";
import { fileCount } from "./source_counts.ts";
import { numbered, type PagedQuestion, type ViewParameter } from "./question.ts";

/** A row of `path`: a source on a view's search path, the highest priority first. */
export interface PathRow {
  /** Rank on the search path; 1 is searched first. */
  rank: number;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Absolute path of the pack or directory, or the name of a pack inside the engine's program. */
  source: string;
  /** Archive or `.pk3dir`, or a directory of loose files. */
  kind: "pack" | "loose";
  /** Name of an archive format, `pk3dir`, `loose`, or `unknown` if it could not be read. */
  format: string;
  /** Name of its game directory. */
  gameDirectory: string;
  /** Number of files. */
  files: number;
}

/** Lists a view's search path, the highest priority first. */
export const path: PagedQuestion<ViewParameter, PathRow> = {
  parameters: { view: "string" },
  list: ({ catalog }, parameters, from) => {
    const view = catalog.view(parameters.view);
    const rows = view.searchPath.map((source): Omit<PathRow, "rank" | "view"> => ({
      source: source.path,
      kind: source.kind,
      format: source.format,
      gameDirectory: source.gameDirectory,
      files: fileCount(view.snapshot, source, (entry) => view.hides(entry)),
    }));
    const inner = programPackOf(view.snapshot, view.game, view.searchPath);
    if (inner) {
      const { source, gameDirectory, files, below: [first] } = inner;
      const index = first ? view.searchPath.indexOf(first) : rows.length;
      rows.splice(index, 0, { source, kind: "pack", format: "unknown", gameDirectory, files: files.length });
    }
    return numbered(rows.map((row, index): PathRow => ({ rank: index + 1, view: view.name, ...row })), from);
  },
};
