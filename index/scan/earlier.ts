/**
 * What an earlier index knows, and whether it is still true.
 * @module
 */
import { join } from "node:path";
import type { EntryTable } from "../../formats/entry_table.ts";
import type { Catalog } from "../catalog.ts";
import { hasSameParts, placementOf, samePlacement } from "../placement.ts";
import type { Profile } from "../profiles.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Identity, sameIdentity, type Source } from "../source.ts";
import type { Listing } from "./plan.ts";
import type { PackList } from "./read_pack.ts";
import { isSettled } from "./settled.ts";
import { sameTable, sourceTable } from "./source_table.ts";

/** The sources of an earlier catalog, by game and path. */
export class EarlierIndex {
  readonly catalog: Catalog;
  readonly #sources = new Map<string, Source>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
    for (const source of catalog.snapshot.sources) {
      this.#sources.set(keyOf(source.game, source.kind, source.path), source);
    }
  }

  /** The earlier snapshot. */
  get snapshot(): Snapshot {
    return this.catalog.snapshot;
  }

  /** The source that stood at `path` of that game, if the game's rules are still the same. */
  source(game: number, profile: Profile | undefined, kind: Source["kind"], path: string): Source | undefined {
    if (this.catalog.games[game]?.profile.name !== profile?.name) return undefined;
    return this.#sources.get(keyOf(game, kind, path));
  }

  /** The directories in one game directory that counted as packs. */
  packDirectories(game: number, path: string): Pick<Source, "folder" | "name">[] {
    return this.snapshot.sources.filter((source) =>
      source.format === "pk3dir" && source.game === game && source.path === join(path, source.folder, source.name)
    );
  }

  /** Whether what was read of an archive must still be true, as its file was not touched since. */
  isTrue(source: Source, identity: Identity): boolean {
    return sameIdentity(source.identity, identity) && isSettled(identity, source.readAt) &&
      hasSameParts(source.placement);
  }

  /**
   * The listing to go on with after a source was read again: the earlier one if it says the same of the same file.
   * @param readAt When it was read.
   */
  settle(earlier: Source | undefined, list: PackList, identity: Identity, readAt: number): Listing {
    if (earlier && sameIdentity(earlier.identity, identity) && this.#says(earlier, list)) {
      earlier.readAt = readAt;
      return { kind: "kept", source: earlier };
    }
    return { kind: "read", ...list, identity, readAt };
  }

  /** The earlier table of a source. */
  tableOf(source: Source): EntryTable {
    return sourceTable(this.snapshot, source);
  }

  #says(earlier: Source, { format, failure, table }: PackList): boolean {
    return earlier.format === format && earlier.failure === failure && earlier.entryCount === table.length &&
      sameTable(this.tableOf(earlier), table) &&
      samePlacement(earlier.placement, placementOf(earlier.path, earlier.identity, table));
  }
}

function keyOf(game: number, kind: string, path: string): string {
  return `${game} ${kind} ${path}`;
}
