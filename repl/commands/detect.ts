/**
 * Finding games without a daemon: `detect`, and the list behind `games --installed`.
 *
 * The look for games is loaded when one of these commands runs, so that the others start without it.
 * @module
 */
import type { Evidence } from "../../index/detect/evidence.ts";
import type { GameDirectoryFinding } from "../../index/detect/game_directories.ts";
import type { GameReport } from "../../index/detect/report.ts";
import type { RunnableCommand } from "../command/command.ts";
import type { Output } from "../output/output.ts";
import { counted, Table } from "../output/render.ts";
import type { Part } from "../output/text.ts";

/** Ignored files that are told one by one; `--json` tells all. */
const maxIgnored = 10;

function fields(output: Output, rows: readonly (readonly [name: string, ...cells: Part[]])[]): void {
  const table = new Table(output, [{ title: "" }, { title: "" }, { title: "" }]);
  for (const [name, ...cells] of rows) table.add({ text: `  ${name}`, style: "heading" }, ...cells);
  table.end();
}

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

function printReport(output: Output, report: GameReport): void {
  const { edition, evidence, gameDirectories, ignored, others } = report;
  output.line({ text: report.title, style: "heading" }, `  profile ${report.profile}`);
  const packs = gameDirectories.filter(({ role }) => role === "mission pack");
  const mods = gameDirectories.filter(({ role }) => role === "mod");
  const base = gameDirectories.filter(({ role }) => role === "base");
  const shownIgnored = ignored.slice(0, maxIgnored).map(({ path, reason }): Part[] => [path, reason]);
  const more = ignored.length - shownIgnored.length;
  fields(output, [
    ...named("because", evidence.length > 0 ? evidence.map(shownEvidence) : [["no engine's directories were found"]]),
    ...named("searched", report.sources.map(({ path, origin }) => [path, { text: origin, style: "dim" }])),
    ...named("base game", base.map(shownDirectory)),
    ...edition ? named("edition", [[edition.name, edition.because]]) : [],
    ...named("mission packs", packs.map(shownDirectory)),
    ...named("mods", mods.map(shownDirectory)),
    ...named("see also", others.map(({ path, says }) => [path, says])),
    ...named("not used", [...shownIgnored, ...more > 0 ? [[`and ${more} more, see --json`]] : []]),
  ]);
  for (const warning of report.warnings) output.line({ text: `  warning: ${warning}`, style: "unusable" });
  output.line();
  for (const line of report.toml.trimEnd().split("\n")) output.line(`    ${line}`);
  output.line();
  output.line(`    ${report.command}`);
}

function printReports(output: Output, reports: readonly GameReport[]): void {
  for (const [index, report] of reports.entries()) {
    if (output.json) output.row(report);
    else {
      if (index > 0) output.line();
      printReport(output, report);
    }
  }
}

const detect: RunnableCommand = {
  name: "detect",
  group: "Start",
  scope: "anywhere",
  rows: ["GameReport"],
  summary: "find games: what a directory holds, and why; without DIR, what is on this machine",
  arguments: [{ name: "DIR", kind: "file", optional: true, repeated: true }],
  options: [],
  details: [
    "Tells for each game the engine rules that fit and what speaks for them, the directories that are searched (those " +
    "that an engine keeps in your home first), the base game, mission packs and mods with what makes them such, what " +
    "is not used and why, and the lines for the configuration file.",
    "Without DIR it looks where Steam, GOG, Heroic and Lutris install, into the system's game directories, and into " +
    "those that engines keep in your home. No daemon is needed.",
  ],
  examples: [
    { line: "detect ~/games/quake", does: "what is in there?" },
    { line: "detect --json", does: "every game on this machine, one object each" },
  ],
  run: async ({ output }, { words }) => {
    const { detectDirectories, findInstalledGames } = await import("../../index/detect/installed.ts");
    const { ownSurroundings } = await import("../../index/detect/places.ts");
    const { unresponsivePaths } = await import("../../system/unresponsive_paths.ts");
    const { GameError } = await import("../../index/profiles/game.ts");
    const surroundings = ownSurroundings();
    const isEverywhere = words.length === 0;
    const [silent] = await unresponsivePaths(words);
    if (silent !== undefined) throw new GameError(`${silent} does not answer`, silent);
    const found = isEverywhere ? findInstalledGames(surroundings) : detectDirectories(words, surroundings);
    for (const problem of found.problems) output.warning(problem);
    printReports(output, found.games);
    if (isEverywhere) output.remark(`${counted(found.games.length, "game")} found`);
  },
};

/** Lists the games that are on this machine, for `games --installed`. */
export async function listInstalled(output: Output): Promise<void> {
  const { findInstalledGames } = await import("../../index/detect/installed.ts");
  const { ownSurroundings } = await import("../../index/detect/places.ts");
  const { games, problems } = findInstalledGames(ownSurroundings());
  for (const problem of problems) output.warning(problem);
  const table = new Table(output, [
    { title: "GAME" },
    { title: "PROFILE" },
    { title: "MODS", align: "right" },
    { title: "BASE" },
    { title: "SOURCES" },
  ]);
  for (const report of games) {
    if (output.json) output.row(report);
    else {
      const { name, profile, base, gameDirectories, sources } = report;
      const mods = gameDirectories.filter(({ role }) => role !== "base").length;
      table.add(
        name,
        { text: profile, style: "dim" },
        String(mods),
        base === "" ? "." : base,
        sources.map(({ path }) => path).join(", "),
      );
    }
  }
  table.end();
  output.remark(`${counted(games.length, "game")} found; detect tells more, detect DIR about one`);
}

/** Commands of this file. */
export const detectCommands: readonly RunnableCommand[] = [detect];
