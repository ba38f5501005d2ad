/**
 * Games and their search paths: `games`, `views`, `path`.
 * @module
 */
import { command, namedView, rowsOf } from "../command/command.ts";
import { grouped } from "../output/human.ts";
import { tableOf } from "../output/results.ts";
import { installedGames } from "./detect.ts";

export const games = command({
  name: "games",
  group: "Ask",
  scope: "anywhere",
  rows: ["GameRow", "GameReport"],
  summary: "list the games and their engine rules",
  arguments: [],
  options: [{ name: "installed", summary: "search this machine instead of asking the daemon" }],
  examples: [
    { line: "games", does: "every game, its profile and why that profile" },
    { line: "games --installed", does: "games of Steam, GOG, the system and your home" },
  ],
  async *run(context, { options }) {
    if (options.flag("installed")) {
      yield* installedGames(context);
      return;
    }
    yield tableOf(rowsOf(context, "games", {}), [
      { title: "GAME", cell: (row) => row.game },
      { title: "PROFILE", cell: (row) => ({ text: row.profile, style: "dim" }) },
      { title: "VIEWS", align: "right", cell: (row) => grouped(row.views) },
      { title: "PACKS", align: "right", isOptional: true, cell: (row) => grouped(row.packs) },
      { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
      { title: "BASE", isOptional: true, cell: (row) => row.base },
      {
        title: "SOURCES; WHY THE PROFILE",
        isProse: true,
        cell: (row) => `${row.sources.join(", ")}; ${row.because}`,
      },
    ]);
  },
});

export const views = command({
  name: "views",
  group: "Ask",
  scope: "anywhere",
  rows: ["ViewRow"],
  summary: "list the views: one resolved tree for every game directory",
  arguments: [],
  options: [],
  examples: [{ line: "views", does: "every view and its game directories, best first" }],
  async *run(context) {
    yield tableOf(rowsOf(context, "views", {}), [
      { title: "VIEW", cell: (row) => row.base ? row.view : { text: row.view, style: "directory" } },
      { title: "PROFILE", cell: (row) => ({ text: row.profile, style: "dim" }) },
      { title: "PACKS", align: "right", cell: (row) => grouped(row.packs) },
      { title: "GAME DIRECTORIES", cell: (row) => row.gameDirectories.join(" > ") },
    ]);
  },
});

export const path = command({
  name: "path",
  group: "Ask",
  scope: "anywhere",
  rows: ["PathRow"],
  summary: "print the engine's search path of a view, best first",
  arguments: [{ name: "VIEW", kind: "view", optional: true }],
  options: [],
  examples: [
    { line: "path", does: "search path of the current view" },
    { line: "path quake/hipnotic", does: "search path of another view" },
  ],
  async *run(context, input) {
    yield tableOf(rowsOf(context, "path", namedView(context, input)), [
      { title: "RANK", align: "right", cell: (row) => String(row.rank) },
      { title: "GAME DIRECTORY", cell: (row) => row.gameDirectory },
      { title: "FORMAT", cell: (row) => ({ text: row.format, style: "dim" }) },
      { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
      { title: "SOURCE", cell: (row) => row.source },
    ]);
  },
});
