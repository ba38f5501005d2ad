/**
 * All answers of an index, as strings that do not depend on its numbers.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { packChecksum } from "../../index/checksums/pack_checksum.ts";
import { none } from "../../index/columns/columns.ts";
import type { Game } from "../../index/columns/game.ts";
import { isSameTable, sourceTable } from "../../index/columns/entry_tables.ts";
import { TreeRows } from "../../questions/rows.ts";
import type { Catalog } from "../../views/catalog.ts";
import { reportChanges } from "../../views/changes.ts";
import type { Tree } from "../../views/tree.ts";
import type { View } from "../../views/view.ts";
import { joinBytes, JsonBytes } from "../../system/mod.ts";
import { whichCandidates } from "../../views/which.ts";

/** Returns the paths that differ between two trees. */
export function treeChanges(before: Tree, after: Tree): { qpath: string; change: string; isDirectory: boolean }[] {
  const found: ReturnType<typeof treeChanges> = [];
  reportChanges(before, after, (change, tree, node) => {
    found.push({ qpath: tree.pathOf(node), change, isDirectory: tree.isDirectory(node) });
  });
  return found;
}

function rowsOf(view: View): unknown[] {
  const rows: unknown[] = [];
  const all = new TreeRows(view);
  for (let node = view.tree.following(0); node !== none; node = view.tree.following(node)) {
    const row = all.of(node);
    if (row.type === "file") {
      const json = new JsonBytes();
      all.write(json, node, row.qpath);
      assertEquals(new TextDecoder().decode(joinBytes(json.parts).bytes), JSON.stringify(row));
    }
    rows.push(row);
  }
  return rows;
}

/** Keys of a game, and of a single archive, in the order in which recorded outcomes have them. */
const gameKeys = "loads chosen otherEnginePacks id name profile because roots base gameDirectories isArchive pure " +
  "strict nested followSymlinks names addons";
const archiveKeys = "id name profile because roots base isArchive gameDirectories pure names strict nested " +
  "followSymlinks";

function inOrder({ packEntries: _, ...game }: Game): Record<string, unknown> {
  const keys = (game.isArchive ? archiveKeys : gameKeys).split(" ");
  return Object.fromEntries(Object.entries(game).sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b)));
}

/** Returns all answers of an index, as strings that do not depend on its numbers. */
export function answers(catalog: Catalog, paths: Iterable<string>) {
  return {
    problems: catalog.problems,
    games: catalog.games.map((game) => ({ ...inOrder(game), hidden: game.packEntries.size })),
    sources: catalog.snapshot.sources.map(({ readAt: _, ...source }) => source),
    views: catalog.views.map((view) => ({
      name: view.name,
      path: view.searchPath.map((source) => source.id),
      rows: rowsOf(view),
      which: Array.from(paths, (path) => whichCandidates(view, path)),
    })),
  };
}

function pathsOf(catalog: Catalog): Set<string> {
  const { snapshot } = catalog;
  const paths = new Set<string>();
  for (let node = 1; node < snapshot.nodeCount; node++) paths.add(snapshot.pathOf(node));
  return paths;
}

/** Returns facts that are equal for equal indexes and quick to compute. */
export function fingerprint({ problems, games, snapshot, views, packs }: Catalog): string {
  return JSON.stringify([
    problems,
    games.map(({ packEntries, ...game }) => [game, Array.from(packEntries)]),
    snapshot.sources.map(({ readAt: _, ...source }) => source),
    packs.map((source) => packChecksum(snapshot, games[source.game]?.profile, source)),
    views.map((view) => [
      view.name,
      view.searchPath.map(({ id }) => id),
      Array.from(
        view.tree.entries.subarray(0, view.tree.length),
        (
          entry,
          node,
        ) => [
          view.tree.pathOf(node),
          entry === none ? "" : snapshot.memberOf(entry),
          snapshot.columns.entrySources[entry],
        ],
      ),
    ]),
  ]);
}

/** Compares a refreshed index with one made from scratch. */
export function assertSame(refreshed: Catalog, fresh: Catalog): void {
  const paths = pathsOf(refreshed).union(pathsOf(fresh));
  assertEquals(answers(refreshed, paths), answers(fresh, paths));
  for (const [id, source] of refreshed.snapshot.sources.entries()) {
    const other = fresh.snapshot.sources[id];
    assert(other);
    assert(isSameTable(sourceTable(refreshed.snapshot, source), sourceTable(fresh.snapshot, other)), source.path);
  }
}
