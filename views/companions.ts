/**
 * Companions of game directories: directories such as `mod_hd` that are searched with `mod`.
 * @module
 */
import type { Game, GameDirectory } from "../index/mod.ts";
import type { Companion } from "../engines/mod.ts";

/** An existing companion, and the word that adds it to a view; null: always searched. */
interface Found {
  readonly name: string;
  readonly isBelow: boolean;
  readonly choice: string | null;
}

/** Returns the directories that are searched for some game directories, in load order, with their companions. */
export function withCompanions(game: Game, stack: readonly string[], chosen: readonly string[]): string[] {
  const played = stack.at(-1);
  const names = stack.flatMap((name) => {
    const found = companionsOf(game, name, name === played).filter(({ choice }) =>
      choice === null || chosen.includes(choice)
    );
    const named = (isBelow: boolean) => found.filter((one) => one.isBelow === isBelow).map((one) => one.name);
    return [...named(true), name, ...named(false)];
  });
  // An already loaded directory keeps its position.
  return names.filter((name, index) => names.indexOf(name) === index);
}

/** Returns the words for companions of a game. */
export function companionChoices(game: Game): string[] {
  const words = game.gameDirectories.flatMap(({ name, list = [] }) =>
    [...list, ...companionsOf(game, name, true)].map(({ choice }) => choice)
  );
  return Array.from(new Set(words.filter((word) => word !== null)));
}

/** Returns whether a game directory is only searched with another one, without a separate view. */
export function isCompanion(game: Game, { name, list }: GameDirectory): boolean {
  if (game.profile.sourceList !== null) return list === undefined;
  return game.profile.companions.some((companion) =>
    (companion.isRoot && companion.name === name) || companion.name.includes("{game}") &&
      game.gameDirectories.some((other) =>
        other.name !== name && matches(game, companion, { directory: other.name, isPlayed: true }, name) !== null
      )
  );
}

/** Returns the game directory below which, in each root, another is searched that lies in it; undefined if none is. */
export function directoryAround({ profile }: Game, name: string): string | undefined {
  const start = "{game}/";
  const inside = profile.companions.filter((one) => one.isBelow && one.name.startsWith(start))
    .map((one) => one.name.slice(start.length - 1)).find((path) => name.endsWith(path));
  return inside === undefined ? undefined : name.slice(0, -inside.length);
}

function companionsOf(game: Game, directory: string, isPlayed: boolean): Found[] {
  return game.profile.companions.flatMap((companion) =>
    game.gameDirectories.flatMap(({ name }) => {
      const word = matches(game, companion, { directory, isPlayed }, name);
      return word === null ? [] : [{ name, isBelow: companion.isBelow, choice: word.choice }];
    })
  );
}

/** Words of other companions, which are not languages. */
const noLanguages: ReadonlySet<string> = new Set(["addon", "hd", "lv", "downloads"]);

function matches(
  game: Game,
  companion: Companion,
  { directory, isPlayed }: { readonly directory: string; readonly isPlayed: boolean },
  name: string,
): Pick<Found, "choice"> | null {
  const isBase = directory === game.base;
  const has = { all: true, base: isBase, mods: !isBase, played: isPlayed };
  if (!has[companion.of]) return null;
  const wanted = companion.name.replaceAll("{game}", directory);
  const [before = "", after] = wanted.split("{language}");
  if (after === undefined) return name === wanted ? { choice: companion.choice } : null;
  const language = name.slice(before.length, name.length - after.length);
  const isLanguage = name === before + language + after && /^[a-z]+$/i.test(language) && !noLanguages.has(language);
  return isLanguage ? { choice: companion.choice?.replaceAll("{language}", language) ?? null } : null;
}
