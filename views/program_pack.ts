/**
 * The pack inside an engine's program: its files win over others, but pakfs does not read them.
 * @module
 */
import type { Game, PlayedGame, Snapshot, Source } from "../index/mod.ts";
import { filledPack } from "../engines/mod.ts";

/** A pack inside a program on a search path. */
export interface PlacedProgramPack {
  /** Name in place of a path. */
  readonly source: string;
  /** Name of the game directory it counts to. */
  readonly gameDirectory: string;
  readonly files: readonly string[];
  /** Sources that are searched after it, in their order. */
  readonly below: readonly Source[];
}

/** Returns the pack inside the engine's program; undefined if there is none, or it is not loaded. */
export function programPackOf(
  { sources }: Snapshot,
  game: Pick<Game, "id" | "base" | "profile" | "roots">,
  searchPath: readonly Source[],
): PlacedProgramPack | undefined {
  const { id, base, profile: { engine, programPack } } = game;
  if (programPack === null) return undefined;
  const { name, files } = programPack;
  const followed = sources.find((source) =>
    source.game === id && source.folder === "" && source.failure === null &&
    source.name === filledPack(game, { name: source.gameDirectory, rootIndex: source.rootIndex })
  );
  if (!followed) return undefined;
  const { rootIndex } = followed;
  const isBelow = (source: Source) => source.kind === "loose" || source === followed || source.group < followed.group;
  return {
    source: `${name} inside ${engine}`,
    gameDirectory: base,
    files,
    below: searchPath.filter((source) =>
      source.gameDirectory === base &&
      (source.rootIndex > rootIndex || (source.rootIndex === rootIndex && isBelow(source)))
    ),
  };
}

/** Yields entries that lose to files inside the engine's program, and why. */
export function* belowProgramPack(
  snapshot: Snapshot,
  game: Game,
  searchPath: readonly Source[],
): Generator<[number, string]> {
  const pack = programPackOf(snapshot, game, searchPath);
  const below = new Set(pack?.below.map(({ id }) => id));
  for (const path of pack?.files ?? []) {
    for (const entry of snapshot.candidatesOf(snapshot.findNode(path, false), false)) {
      const source = snapshot.sourceOf(entry);
      if (below.has(source.id)) {
        yield [entry, `${game.profile.engine} has ${path} inside its program, and loads that one`];
      }
    }
  }
}

/** Returns the file inside the engine's program that has a path, and why pakfs does not show it; undefined if none has. */
export function programFile(
  { snapshot, game, searchPath }: PlayedGame,
  qpath: string,
): { readonly source: string; readonly gameDirectory: string; readonly reason: string } | undefined {
  const pack = programPackOf(snapshot, game, searchPath);
  if (!pack?.files.includes(qpath)) return undefined;
  const { source, gameDirectory } = pack;
  return {
    source,
    gameDirectory,
    reason: `${game.profile.engine} has it inside its program, which pakfs does not read`,
  };
}
