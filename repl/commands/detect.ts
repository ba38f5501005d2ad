/**
 * Finding games without a daemon: `detect`, and the list behind `games --installed`.
 *
 * The look for games is loaded when one of these commands runs, so that the others start without it.
 * @module
 */
import type { Evidence, GameDirectoryFinding, GameReport, InstalledGames } from "../../index/detect/mod.ts";
import { command, type Context, type Results } from "../command/command.ts";
import { continuedCommand, counted } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow, tableOf } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import { modules } from "../command/modules.ts";
import { mountTableText } from "../command/names.ts";

/** Maximum ignored files in a report; `--json` lists all. */
const maxIgnored = 10;

/** Rows whose name is shown once. */
function named(name: string, rows: readonly Part[][]): (readonly [string, ...Part[]])[] {
  return rows.map((cells, index) => [index === 0 ? name : "", ...cells] as const);
}

function shownEvidence({ path, says }: Evidence): Part[] {
  return [path, says];
}

function shownDirectory({ name, role, title, signs }: GameDirectoryFinding): Part[] {
  const what = [...title === null ? [] : [title], ...signs].join(", ");
  return [{ text: name, style: role === "base" ? "winner" : "directory" }, what === "" ? "nothing in it" : what];
}

/** Returns the engines of a game, and whether the choice matters. */
function engineLines([chosen = "", ...others]: readonly string[], clauses: readonly string[]): Part[][] {
  return [
    [`${chosen} (chosen), ${others.join(", ")}`],
    ...clauses.map((clause) => [clause]),
    [{ text: "which FILE --all-engines compares them", style: "dim" }],
  ];
}

/** Indexes a game that several engines play, and returns what would differ under the others, as clauses. */
async function clausesOf({ engines, name, profile, sources, base }: GameReport): Promise<string[]> {
  // Engines that load lists of files name them each in its own way, so that no two trees can be compared.
  if (engines.length < 2 || base === "") return [];
  const { engineClausesOf } = await modules.local();
  return await engineClausesOf({ name, profile, sources: sources.map(({ path }) => path) });
}

/** @param clauses What would differ under other engines. */
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
    ...named("played by", engines.length < 2 ? [] : engineLines(engines, clauses)),
    ...named("searched", report.sources.map(({ path, origin }) => [path, { text: origin, style: "dim" }])),
    ...named("base game", base.map(shownDirectory)),
    ...edition ? named("edition", [[edition.name, edition.because]]) : [],
    ...named("mission packs", packs.map(shownDirectory)),
    ...named("mods", mods.map(shownDirectory)),
    ...named("see also", others.map(({ path, says }) => [path, says])),
    ...named("not used", [...shownIgnored, ...more > 0 ? [[`and ${more} more, see --json`]] : []]),
  ];
  const width = fields.reduce((max, [name]) => Math.max(max, name.length), 0);
  // A sentence alone takes the room of all columns.
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

/** Returns items in groups of neighbours that are alike. */
function runsOf<Item>(items: readonly Item[], areAlike: (a: Item, b: Item) => boolean): [Item, ...Item[]][] {
  const runs: [Item, ...Item[]][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && areAlike(last[0], item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

/**
 * Finds the games in directories, or without any on this machine. Looks at nothing on a file system that does not
 * answer, and reports that as a problem.
 * @throws {GameError} if a directory does not exist or does not answer.
 */
export async function findGames(directories: readonly string[]): Promise<InstalledGames> {
  const [{ detectGames, GameError, withoutPaths }, { unresponsivePaths }, { FileSystems }] = await Promise.all([
    modules.detect(),
    modules.unresponsivePaths(),
    modules.fileSystems(),
  ]);
  const [hung] = await unresponsivePaths(directories);
  if (hung !== undefined) throw new GameError(`${hung} does not answer`, hung);
  // Without permission to start a program nothing is known of mounts.
  const fileSystems = new FileSystems(await mountTableText().catch(() => ""));
  /** By mount point: whether it answers. */
  const answers = new Map<string, boolean>();
  for (;;) {
    const unknown = new Set<string>();
    const hides = (path: string) => {
      const mountPoint = fileSystems.remoteOf(path)?.mountPoint;
      if (mountPoint === undefined) return false;
      if (!answers.has(mountPoint)) unknown.add(mountPoint);
      return answers.get(mountPoint) !== true;
    };
    try {
      const found = withoutPaths(hides, () => detectGames(directories.length === 0 ? undefined : directories));
      const silent = Array.from(answers).filter(([, isAnswering]) => !isAnswering);
      const problems = silent.map(([path]) => `${path} does not answer; games on it are left out`);
      if (unknown.size === 0) return { games: found.games, problems: [...problems, ...found.problems] };
    } catch (error) {
      if (unknown.size === 0) throw error;
    }
    // deno-lint-ignore no-await-in-loop -- what answers may lead to others
    const silent = await unresponsivePaths(Array.from(unknown));
    for (const path of unknown) answers.set(path, !silent.has(path));
  }
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
    const { games, problems } = await findGames(words);
    for (const problem of problems) output.warning(problem);
    for (const [index, report] of games.entries()) {
      yield oneRow(report, async (page) => {
        if (index > 0) page.line();
        printReport(page, report, await clausesOf(report));
      });
    }
    if (isEverywhere && games.length === 0) {
      output.remark(
        "no game found; looked in the libraries of Steam, GOG, Heroic and Lutris, in ~/games and ~/Games, in the " +
          "system's game directories and in those of engines in your home; name another directory: pakfs detect DIR",
      );
    } else if (isEverywhere) output.remark(`${counted(games.length, "game")} found`);
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
  output.remark(`${counted(games.length, "game")} found; detect shows details, detect DIR those of one`);
}
