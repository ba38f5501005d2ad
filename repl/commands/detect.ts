/**
 * Commands that find games without a daemon: `detect`, and `games --installed`.
 *
 * The detection is loaded when one of these commands runs, so that the others start without it.
 * @module
 */
import type { Evidence, GameDirectoryFinding, GameReport, InstalledGames } from "../../games/mod.ts";
import { command, type Context, type Results } from "../command/command.ts";
import { continuedCommand, counted } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { type CarefulReader, shellWord } from "../../system/mod.ts";
import { oneRow, tableOf } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import { CommandError } from "../output/failure.ts";
import type { DetectAnswer, DetectOrder } from "./detect_worker.ts";

/** Maximum ignored files in a report; `--json` lists all. */
const maxIgnored = 10;

const nothingFound =
  "no game found; looked in the libraries of Steam, GOG, Heroic and Lutris, in ~/games and ~/Games, in the " +
  "system's game directories and in engines' directories in your home; name another directory: pakfs detect DIR";

/** Rows whose name is shown once. */
function named(name: string, rows: readonly Part[][]): (readonly [string, ...Part[]])[] {
  return rows.map((cells, index) => [index === 0 ? name : "", ...cells] as const);
}

function shownEvidence({ path, says }: Evidence): Part[] {
  return [path, says];
}

function shownDirectory({ name, role, title, signs }: GameDirectoryFinding): Part[] {
  const what = [...title === null ? [] : [title], ...signs].join(", ");
  return [
    { text: name, style: role === "base" ? "winner" : "directory" },
    what === "" ? "no packs, loose files only" : what,
  ];
}

/** Returns the engines of a game, and whether the choice matters. */
function engineLines({ engines: [chosen = "", ...others], sources }: GameReport, clauses: readonly string[]): Part[][] {
  const source = shellWord(sources.at(-1)?.path ?? "");
  return [
    [`${chosen} (chosen), ${others.join(", ")}`],
    ...clauses.map((clause) => [clause]),
    [{ text: `"pakfs which FILE --all-engines --source ${source}" compares them`, style: "dim" }],
  ];
}

/**
 * @param clauses Differences of other engines.
 */
function printReport(page: Page, report: GameReport, clauses: readonly string[]): void {
  const { edition, engines, evidence, gameDirectories, ignored, others } = report;
  page.line({ text: report.title, style: "heading" }, `  profile ${report.profile}`);
  const packs = gameDirectories.filter(({ role }) => role === "mission pack");
  const mods = gameDirectories.filter(({ role }) => role === "mod");
  const base = gameDirectories.filter(({ role }) => role === "base");
  const shownIgnored = ignored.slice(0, maxIgnored).map(({ path, reason }): Part[] => [path, reason]);
  const more = ignored.length - shownIgnored.length;
  const fields = [
    ...named("because", evidence.length > 0 ? evidence.map(shownEvidence) : [["no engine's directories were found"]]),
    ...named("played by", engines.length < 2 ? [] : engineLines(report, clauses)),
    ...named("searched", report.sources.map(({ path, origin }) => [path, { text: origin, style: "dim" }])),
    ...named("base game", base.map(shownDirectory)),
    ...edition ? named("edition", [[edition.name, edition.because]]) : [],
    ...named("mission packs", packs.map(shownDirectory)),
    ...named("mods", mods.map(shownDirectory)),
    ...named("see also", others.map(({ path, says }) => [path, says])),
    ...named("not used", [...shownIgnored, ...more > 0 ? [[`and ${more} more, see --json`]] : []]),
  ];
  const width = fields.reduce((max, [name]) => Math.max(max, name.length), 0);
  // A single sentence spans all columns.
  for (const [first, ...rest] of runsOf(fields, (a, b) => a.length === b.length)) {
    page.cells([first, ...rest].map(([name, ...cells]) => [
      { text: `  ${name.padEnd(width)}`, style: "heading" },
      ...cells,
    ]));
  }
  for (const warning of report.warnings) page.line({ text: `  warning: ${warning}`, style: "unusable" });
  page.line();
  for (const line of report.toml.trimEnd().split("\n")) page.line(`    ${line}`);
  page.line();
  const { terminal, columns } = page.screen;
  const command = terminal ? continuedCommand(report.command, columns - 4) : [report.command];
  for (const line of command) page.line(`    ${line}`);
}

/** Groups equal neighbours. */
function runsOf<Item>(items: readonly Item[], areAlike: (a: Item, b: Item) => boolean): [Item, ...Item[]][] {
  const runs: [Item, ...Item[]][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && areAlike(last[0], item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** Finds games in a separate process. */
type GameReader = CarefulReader<DetectOrder, DetectAnswer>;

async function gameReader(): Promise<GameReader> {
  const { CarefulReader } = await import("../../system/reader_process.ts");
  return new CarefulReader(new URL("./detect_worker.ts", import.meta.url));
}

/**
 * Finds the games in directories, or without arguments on this machine. Skips file systems that do not reply, and
 * reports them as problems.
 * @throws {CommandError} if a directory does not exist or its file system does not reply.
 */
async function findWith(reader: GameReader, directories: readonly string[]): Promise<InstalledGames> {
  const answer = await reader.ask({ find: directories });
  if ("failure" in answer) throw new CommandError(answer.failure);
  if (!("games" in answer)) throw new RangeError("Cannot find games: they were not looked for");
  const silent = reader.silent.map((path) => `${path} does not answer; games on it are left out`);
  return { games: answer.games, problems: [...silent, ...answer.problems] };
}

/** Finds games like `detect`. */
export async function findGames(directories: readonly string[]): Promise<InstalledGames> {
  await using reader = await gameReader();
  return await findWith(reader, directories);
}

/** Returns the differences of other engines that play a game, as clauses; none if it stops replying. */
async function clausesOf(reader: GameReader, game: GameReport): Promise<readonly string[]> {
  // Engines that load lists of files use different names for them, so that no two trees can be compared.
  if (game.engines.length < 2 || game.base === "") return [];
  const answer = await reader.ask({ compare: game }).catch(() => undefined);
  return answer && "clauses" in answer ? answer.clauses : [];
}

export const detect = command({
  name: "detect",
  group: "Start",
  scope: "anywhere",
  rows: ["GameReport"],
  summary: "find the games in a directory, or without DIR on this machine",
  arguments: [{ name: "DIR", kind: "file", optional: true, repeated: true }],
  options: [],
  details: [
    "Shows for each game the engine rules and the evidence for them, the directories searched (those in your home " +
    "first), the base game, mission packs and mods and why, files that are not used and why, and the lines for the " +
    "configuration file.",
    "Without DIR it searches the libraries of Steam, GOG, Heroic and Lutris, the system's game directories, and the " +
    "directories of engines in your home. No daemon is needed.",
  ],
  examples: [
    { line: "detect ~/games/quake", does: "list the games in a directory" },
    { line: "detect --json", does: "every game on this machine, one object each" },
  ],
  async *run({ output }, { words }) {
    const isEverywhere = words.length === 0;
    await using reader = await gameReader();
    const { games, problems } = await findWith(reader, words);
    for (const problem of problems) output.warning(problem);
    for (const [index, report] of games.entries()) {
      yield oneRow(report, async (page) => {
        if (index > 0) page.line();
        printReport(page, report, await clausesOf(reader, report));
      });
    }
    if (isEverywhere) output.remark(games.length === 0 ? nothingFound : `${counted(games.length, "game")} found`);
  },
});

/** Yields the games on this machine, for `games --installed`. */
export async function* installedGames({ output }: Context): Results<GameReport> {
  const { games, problems } = await findGames([]);
  for (const problem of problems) output.warning(problem);
  const mods = ({ gameDirectories }: GameReport) => gameDirectories.filter(({ role }) => role !== "base").length;
  yield tableOf(games, [
    { title: "GAME", cell: (report) => report.name },
    { title: "TITLE", cell: (report) => report.title },
    { title: "PROFILE", cell: ({ profile }) => profile },
    { title: "MODS", align: "right", isOptional: true, cell: (report) => String(mods(report)) },
    { title: "BASE", isOptional: true, cell: ({ base }) => base === "" ? "." : base },
    {
      title: "SOURCES; OTHER ENGINES",
      isProse: true,
      cell: ({ sources, engines }) =>
        [sources.map(({ path }) => path).join(", "), engines.slice(1).join(", ")].filter((part) => part !== "").join(
          "; ",
        ),
    },
  ]);
  const found = `${counted(games.length, "game")} found; detect shows details, detect DIR only one game's`;
  output.remark(games.length === 0 ? nothingFound : found);
}
