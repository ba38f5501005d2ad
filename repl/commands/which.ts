/**
 * The origin of a file: `which`.
 * @module
 */
import { quoted, UsageError, withShortHome } from "../../system/mod.ts";
import type { CandidateRow, HashRow, WhichResult } from "../../protocol/rows.ts";
import { errorCodes, RpcError } from "../../protocol/mod.ts";
import { ask, command, type Context, firstWord, inView, type Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { hashedFiles, hashGiven, hashOption } from "./find.ts";
import { counted, humanSize, wrapped } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { eachRow, oneRow } from "../output/results.ts";
import { resolveQpath } from "../command/session.ts";
import { type Part, shortenedText } from "../output/text.ts";

/** Columns before the first candidate's path. */
const rankWidth = 5;

/** The requested path, whether a candidate is the winner, and the screen. */
interface Shown {
  readonly qpath: string;
  readonly won: boolean;
  readonly screen: Page["screen"];
}

/** Returns the source of a candidate, with its name in the pack only if the spelling differs. */
function headline(candidate: CandidateRow, { qpath, won, screen }: Shown): Part[] {
  const path = candidate.kind === "loose" ? `${candidate.source}/${candidate.member}` : candidate.source;
  const location = screen.terminal
    ? shortenedText(withShortHome(path, screen.environment.HOME), screen.columns - rankWidth)
    : path;
  const member = candidate.kind === "loose" || candidate.member === qpath ? "" : ` : ${candidate.member}`;
  const rank = String(candidate.rank).padStart(3);
  const facts: Part = { text: `  ${candidate.gameDirectory}, ${humanSize(candidate.size)}`, style: "dim" };
  if (!candidate.usable) return [{ text: `${rank}  ${location}${member}`, style: "unusable" }, facts];
  return [rank, "  ", won ? { text: location, style: "winner" } : location, member, facts];
}

function sentence(candidate: CandidateRow, won: boolean): string {
  if (!candidate.usable) return `not usable: ${withoutStop(candidate.reason ?? "no reason given")}`;
  if (won && candidate.damaged !== undefined) {
    return `the engine takes this one, and cannot read it: ${withoutStop(candidate.damaged)}`;
  }
  if (won) return "the engine loads this one";
  const rule = candidate.decidedBy === null ? "" : ` [${candidate.decidedBy}]`;
  return `${withoutStop(candidate.because ?? "ranks below the one above")}${rule}`;
}

/** Returns a sentence without its full stop, to append to it. */
function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function print(page: Page, result: WhichResult): void {
  const { candidates } = result;
  const indent = " ".repeat(5);
  // In a file or a pipe each sentence is one line.
  const width = page.screen.terminal ? Math.min(page.screen.columns, 100) - indent.length : Number.POSITIVE_INFINITY;
  page.line(
    { text: result.qpath, style: "heading" },
    `  ${result.view}, rules of ${result.profile}, ${counted(candidates.length, "candidate")}`,
  );
  candidates.forEach((candidate, index) => {
    const won = index === 0 && candidate.usable;
    page.line(...headline(candidate, { qpath: result.qpath, won, screen: page.screen }));
    for (const line of wrapped(sentence(candidate, won), width)) page.line(indent, line);
  });
}

/** Prints one line for each engine, with its winner. */
function printEngines(page: Page, { qpath, view, engines = [] }: WhichResult): void {
  page.line({ text: qpath, style: "heading" }, `  ${view}, ${counted(engines.length, "engine")}`);
  page.cells(engines.map(({ profile, winner, same, reason }): Part[] => {
    const location = winner === null
      ? reason ?? "no such file"
      : winner.kind === "loose"
      ? `${winner.source}/${winner.member}`
      : winner.source;
    const mark = same === null ? "not compared" : same ? "" : "differs";
    return [
      { text: `  ${profile}`, style: "heading" },
      { text: location, style: winner === null ? "unusable" : same ? "dim" : "winner" },
      { text: mark, style: "unusable" },
    ];
  }));
}

/** Returns the reason why a path has no candidate: it is a directory, or it is missing, with similar paths. */
async function missingFile(context: Context, { qpath, view }: WhichResult): Promise<RpcError> {
  const message = `no file ${quoted(qpath)} in ${view}`;
  try {
    const { type } = await ask(context, "stat", { ...inView(context), qpath });
    if (type === "file") return new RpcError({ code: errorCodes.notFound, message });
    const data = { errno: "EISDIR", path: qpath };
    return new RpcError({ code: errorCodes.invalidParams, message: `${qpath} is a directory`, data });
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== errorCodes.notFound) throw error;
    const suggestions = error.data?.suggestions;
    return new RpcError({ code: errorCodes.notFound, message, ...suggestions && { data: { suggestions } } });
  }
}

/** Prints every file with certain bytes, including losing ones, of the view or of all games. */
async function* showHolders(context: Context, equal: string): Results<HashRow> {
  const view = inView(context);
  const scope = view.view === undefined ? { everything: true } : { ...view, patterns: ["*"], losers: true };
  let found = 0;
  const rows = hashedFiles(context, { ...scope, equal }).filter(() => ++found > 0);
  yield eachRow(rows, (page, { qpath, view, source, member, wins }) => {
    const place = member === "" || member === qpath ? source : `${source} : ${member}`;
    page.line({ text: qpath, style: "heading" }, `  ${view ?? "no view"}, `, wins ? "shown" : "loses");
    page.line(" ".repeat(rankWidth), place);
  });
  if (found === 0) throw new CommandError(`no file has the hash ${equal}`);
}

export const which = command({
  name: "which",
  aliases: ["why"],
  group: "Ask",
  scope: "anywhere",
  rows: ["WhichResult", "HashRow"],
  summary: "show which file the engine loads, and why the others lose",
  arguments: [{ name: "QPATH", kind: "qpath", optional: true }],
  options: [
    { name: "all-engines", summary: "one line per engine that plays the game, with the file that it loads" },
    { ...hashOption, summary: "instead of QPATH: every file with this SHA-256, or CRC-32 of 8 digits, under any name" },
  ],
  details: [
    "Lists every candidate, the winner first. A sentence explains why each of the others lost, with the engine's rule in " +
    "brackets; unusable files come last.",
  ],
  examples: [{ line: "which gfx/palette.lmp", does: "the winner, what it shadows, and the rules that decided" }, {
    line: "which gfx/palette.lmp --all-engines",
    does: "the file that each engine of the game loads",
  }, { line: "which --hash 1d39ef26", does: "every file with these bytes, under any name" }],
  async *run(context, input) {
    const { words, options } = input;
    const equal = hashGiven(input);
    if ((equal === undefined) === (words.length === 0)) {
      throw new UsageError("which needs QPATH; usage: which QPATH, or which --hash HEX");
    }
    if (equal !== undefined) return yield* showHolders(context, equal);
    const isOfAll = options.flag("all-engines");
    const qpath = resolveQpath(context.directory, firstWord(words));
    const result = await ask(context, "which", {
      ...inView(context),
      qpath,
      ...isOfAll ? { engines: true } : {},
    });
    if (isOfAll && result.engines?.some(({ winner }) => winner !== null)) {
      yield oneRow(result, (page) => printEngines(page, result));
      return;
    }
    const isFound = result.candidates.length > 0;
    yield oneRow(result, (page) => isFound ? print(page, result) : undefined);
    if (isFound) return;
    throw await missingFile(context, result);
  },
});
