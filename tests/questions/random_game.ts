/**
 * Random games as plain lists, each game's catalog, and its expected views, computed with plain maps and loops.
 * @module
 */
import fc from "../support/fast_check.ts";
import { damageCode, entryHasCrc, entryIsDirectory, EntryTable } from "../../formats/core/entry_table.ts";
import { Catalog } from "../../views/catalog.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profileNamed } from "../../engines/table.ts";
import { SnapshotBuilder } from "../../index/columns/snapshot_builder.ts";
import { fold } from "../index/model.ts";
import { description } from "../index/snapshots.ts";

/** One member of a source. */
export interface RandomFile {
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isDamaged: boolean;
  readonly size: number;
  readonly crc: number | null;
}

/** One pack, or the loose files of a game directory. */
export interface RandomSource {
  readonly gameDirectory: string;
  readonly isLoose: boolean;
  readonly order: number;
  readonly files: readonly RandomFile[];
}

/** One game. */
export interface RandomGame {
  readonly profile: Profile;
  readonly sources: readonly RandomSource[];
}

/** The game directories; the first is the base. */
export const directories = ["base", "mod", "other"];

// A few names, to cause collisions: in one archive, across archives, in other case, as file and as directory.
const component = fc.constantFrom("a", "A", "b", "ab", "aB", "a~file", "ä", "_");
const file: fc.Arbitrary<RandomFile> = fc.record({
  path: fc.array(component, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  isDirectory: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  isDamaged: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  size: fc.integer({ min: 0, max: 2 }),
  crc: fc.constantFrom(null, 1, 2),
});

/** A profile that finds loose files in any spelling; other tests cover exact spelling. */
const profile: fc.Arbitrary<Profile> = fc.constantFrom("quake", "quake2", "ioquake3", "quake3").map((name) => {
  const known = profileNamed(name);
  if (!known) throw new Error(`unknown profile ${name}`);
  return { ...known, looseCase: "any" };
});

/** Games with a few sources; the orders of the packs of a directory are all different, its loose files are one source. */
export const randomGame: fc.Arbitrary<RandomGame> = fc.record({
  profile,
  sources: fc.array(
    fc.record({
      gameDirectory: fc.constantFrom(...directories),
      isLoose: fc.boolean(),
      order: fc.integer({ min: 0, max: 20 }),
      files: fc.array(file, { maxLength: 10 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
}).map(({ profile, sources }) => ({
  profile,
  sources: sources.map((source, index) => ({
    ...source,
    order: source.order * 10 + index,
    isLoose: source.isLoose &&
      !sources.slice(0, index).some((other) => other.isLoose && other.gameDirectory === source.gameDirectory),
  })),
}));

/** The catalog of a game. Entries are numbered in the order of sources and files. */
export function catalogOf({ profile, sources }: RandomGame): Catalog {
  const builder = new SnapshotBuilder();
  for (const [number, source] of sources.entries()) {
    const table = new EntryTable();
    for (const { path, size, crc, isDirectory, isDamaged } of source.files) {
      table.add(new TextEncoder().encode(path), {
        offset: 0,
        packedSize: size,
        size,
        mtime: 0,
        crc32: crc ?? 0,
        method: 0,
        flags: (isDirectory ? entryIsDirectory : 0) + (crc === null ? 0 : entryHasCrc),
        damage: isDamaged ? damageCode["past-end"] : damageCode.none,
      });
    }
    builder.addSource(
      description({
        gameDirectory: source.gameDirectory,
        kind: source.isLoose ? "loose" : "pack",
        format: source.isLoose ? "loose" : "zip",
        path: `/game/${number}`,
        name: source.isLoose ? source.gameDirectory : `pack${number}`,
        group: source.isLoose ? -1 : 0,
        order: source.order,
      }),
      table,
    );
  }
  const gameDirectories = directories.map((name) => ({
    name,
    sources: sources.flatMap((source, number) => source.gameDirectory === name ? [number] : []),
  }));
  const game = {
    id: 0,
    name: "game",
    profile,
    because: "",
    roots: ["/game"],
    base: "base",
    isArchive: false,
    pure: null,
    names: { lists: [], hash: null },
    strict: false,
    nested: false,
    followSymlinks: false,
    gameDirectories,
    packEntries: new Map(),
  };
  return new Catalog({ snapshot: builder.finish(), games: [game], problems: [] });
}

/** A file of a view, by the numbers of its entry and its source. */
export interface ModelHolder {
  readonly entry: number;
  readonly source: number;
  readonly file: RandomFile;
}

/** Files with one path. */
export interface ModelPath {
  /** Sound files, the winner first. */
  readonly sound: ModelHolder[];
  /** Damaged files, in search order. */
  readonly damaged: ModelHolder[];
}

/** The paths of a view with search order `stack`: checks every file of every source. */
export function modelView({ profile, sources }: RandomGame, stack: readonly string[]): Map<string, ModelPath> {
  const looseFirst = profile.rules.includes("loose-over-pack");
  const firstEntry: number[] = [];
  let next = 0;
  for (const source of sources) {
    firstEntry.push(next);
    next += source.files.length;
  }
  const searched = sources.map((source, number) => ({ ...source, number }))
    .filter((source) => stack.includes(source.gameDirectory))
    .sort((a, b) =>
      stack.indexOf(a.gameDirectory) - stack.indexOf(b.gameDirectory) ||
      (looseFirst ? Number(b.isLoose) - Number(a.isLoose) : Number(a.isLoose) - Number(b.isLoose)) ||
      b.order - a.order
    );
  const paths = new Map<string, ModelPath>();
  for (const { number, files } of searched) {
    const listed = files.map((file, index) => ({ file, source: number, entry: (firstEntry[number] ?? 0) + index }));
    for (const holder of profile.duplicates === "first" ? listed : listed.toReversed()) {
      if (holder.file.isDirectory) continue;
      const key = profile.ignoreCase ? fold(holder.file.path) : holder.file.path;
      const path = paths.get(key) ?? { sound: [], damaged: [] };
      paths.set(key, path);
      (holder.file.isDamaged ? path.damaged : path.sound).push(holder);
    }
  }
  return paths;
}

/** The winner of a path: the first sound file, else the first damaged one. */
export function modelWinner(path: ModelPath | undefined): ModelHolder | undefined {
  return path?.sound[0] ?? path?.damaged[0];
}
