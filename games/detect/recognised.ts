/**
 * Identifies the known game in a directory.
 * @module
 */
import { basename, join } from "@std/path";
import type { KnownGame, KnownPack } from "../core/game.ts";
import { games } from "../table.ts";
import { fileSize, lookInto, spelledAs } from "./directory.ts";

const knownPacks = games.flatMap(({ packs = [] }) => packs);

/** Returns the official packs in a base directory, by their paths and sizes. */
export function packsOfGames(directory: string): readonly (KnownPack & { readonly found: string })[] {
  const bases = lookInto(directory).directories;
  return knownPacks.flatMap((pack) => {
    const [base = "", name = ""] = pack.path.split("/");
    const spelled = spelledAs(bases, base);
    const file = spelled === undefined ? undefined : spelledAs(lookInto(join(directory, spelled)).files, name);
    if (spelled === undefined || file === undefined) return [];
    const found = join(directory, spelled, file);
    return fileSize(found) === pack.size ? [{ ...pack, found }] : [];
  });
}

/** Names that identify a game. */
export interface GameNames {
  /** Files next to the game directories, and the name of the directory that holds them. */
  readonly beside: readonly string[];
  readonly gameDirectories: readonly string[];
  /** Returns the names in a game directory. */
  inside(gameDirectory: string): readonly string[];
  /** Paths below the base directory, in lower case, and sizes of packs. */
  packs(): Iterable<Pick<KnownPack, "path" | "size">>;
}

/** Returns the game with such names. */
export function knownGameNamed({ beside, gameDirectories, inside, packs }: GameNames): KnownGame | undefined {
  let sized: ReturnType<typeof packs> | undefined;
  const hasPack = (own: readonly KnownPack[]) =>
    own.length > 0 &&
    Array.from(sized ??= Array.from(packs())).some(({ path, size }) =>
      own.some((pack) => pack.path === path && pack.size === size)
    );
  return games.find((game) => {
    const { bases, next: mark, ownFile, packs: own = [] } = game;
    const file = fileOf(game);
    const base = bases.map((name) => spelledAs(gameDirectories, name)).find((name) => name !== undefined);
    if (base !== undefined) {
      if (ownFile && inside(base).some((name) => ownFile.test(name))) return true;
      if (hasPack(own)) return true;
    }
    if (mark !== undefined && !beside.some((name) => mark.test(name))) return false;
    if (bases.length === 0) return file !== null && beside.some((name) => file.test(name));
    return base !== undefined && (file === null || inside(base).some((name) => file.test(name)));
  });
}

/** Returns the file that the base of a game must hold; null for none. */
function fileOf({ signature, file }: KnownGame): RegExp | null {
  if (file !== undefined) return file;
  if (signature.kind !== "base") return signature.kind === "pack" ? signature.name : null;
  const { inside = null, packs } = signature;
  return packs === undefined ? inside : new RegExp(`\\${packs}$`, "i");
}

/** Returns the game of a base directory. */
export function knownGameIn(directory: string): KnownGame | undefined {
  const { directories, files } = lookInto(directory);
  return knownGameNamed({
    beside: [...files, ...directories, basename(directory)],
    gameDirectories: directories,
    inside(base) {
      const listing = lookInto(join(directory, base));
      return [...listing.files, ...listing.directories];
    },
    packs: () => packsOfGames(directory),
  });
}

/** Returns the title of a game directory over `base`, or null. */
export function titleOf(base: string, gameDirectory: string): string | null {
  const isBase = (name: string) => name.toLowerCase() === base.toLowerCase();
  const titles = games.filter(({ bases }) => bases.some(isBase)).map(({ mods = {} }) =>
    mods[gameDirectory.toLowerCase()]
  );
  return titles.find((title) => title !== undefined) ?? null;
}
