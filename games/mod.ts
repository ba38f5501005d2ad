/**
 * Interface of the games for other rooms: the finder of games and installations, and its report.
 * @module
 */
export type { KnownGame } from "./core/game.ts";
export { detectGame, type Detection, requestedProfile } from "./detect/detect_game.ts";
export { detectGames } from "./detect/detect_games.ts";
export { existing, isDirectory, lookInto, subdirectories, withEnding, withoutPaths } from "./detect/directory.ts";
export { ownSurroundings, type Surroundings } from "./detect/engine_homes.ts";
export { type Evidence, findEvidence } from "./detect/evidence.ts";
export type { GameDirectoryFinding, GameDirectoryRole, IgnoredFinding } from "./detect/game_directories.ts";
export { type GameRoots, installedRoots } from "./detect/installation.ts";
export { type InstalledGames, rootsOf } from "./detect/installed.ts";
export { isIwad, iwadOf, iwadsIn } from "./detect/iwad_files.ts";
export { knownGameNamed } from "./detect/recognised.ts";
export type { Edition, GameReport, OtherFinding, SourceFinding } from "./detect/report.ts";
export { spellingProblems, spellingProblemsIn } from "./detect/spelling.ts";
export { parseValvePairs, type ValvePair } from "./detect/valve_data.ts";
export { doom } from "./doom.ts";
export { chosenByUser, enginesOf } from "./engines_of_game.ts";
export { GameError, nameOfRoots, unusedName } from "./game_error.ts";
