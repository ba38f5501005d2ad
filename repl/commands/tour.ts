/**
 * A walk through what is mounted: `tour`. The launcher runs it after `demo`.
 * @module
 */
import { join } from "@std/path";
import { exitCodes, shellWord } from "../../system/mod.ts";
import { demoHighlights } from "../../daemon/mod.ts";
import type { MountRow } from "../../protocol/rows.ts";
import { ask, command, type Context, fieldsOf, type Results, rowsOf } from "../command/command.ts";
import { prepare, run } from "../shell/execute.ts";
import { CommandError } from "../output/failure.ts";
import { counted } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow, textOnly } from "../output/results.ts";
import type { TourRow } from "../rows/client_rows.ts";

/** Maximum displayed lines of another program's output. */
const maxLines = 12;
/** Extensions of files with lines of text. */
const textExtensions = ["cfg", "txt", "shader", "def", "mtr", "ent", "lst", "rc"];

/** Items that the tour shows. */
interface Sights {
  /** View for most steps. */
  readonly view: string;
  /** Directories that are listed. */
  readonly directories: readonly string[];
  /** Arguments of `grep`; undefined if there are no text files. */
  readonly search: readonly string[] | undefined;
  /** File with several candidates, if any, else any file; undefined if the view is empty. */
  readonly contested: string | undefined;
  /** File of a game with other rules. */
  readonly elsewhere: { readonly view: string; readonly qpath: string } | undefined;
  /** Map whose needs are listed; undefined for games that may lack some. */
  readonly map: { readonly view: string; readonly qpath: string } | undefined;
  /** Arguments of `find`. */
  readonly found: readonly string[];
}

function printHeading(page: Page, shows: string, shown: string): void {
  page.line();
  page.line({ text: shows, style: "heading" });
  page.line({ text: `$ ${shown}`, style: "dim" });
}

/** Runs another program on the mount, as a user would in a shell. */
async function* showProgram(shows: string, program: string, args: readonly string[]): Results<TourRow> {
  const line = [program, ...args].map(shellWord).join(" ");
  yield textOnly((page) => printHeading(page, shows, line));
  const { stdout, stderr, code } = await new Deno.Command(program, { args: [...args], stdin: "null" }).output();
  // grep exits with 1 if no line matches.
  if (code > 1 || stderr.length > 0) {
    throw new CommandError(`${program} failed: ${new TextDecoder().decode(stderr).trim()}`);
  }
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  yield oneRow({ shows, command: line, lines }, (page) => {
    for (const printed of lines.slice(0, maxLines)) page.line(printed);
    if (lines.length > maxLines) page.line({ text: `... ${lines.length - maxLines} more`, style: "dim" });
  });
}

/** Runs a command of pakfs. */
async function* showCommand(context: Context, shows: string, words: readonly string[]): Results<TourRow> {
  const line = ["pakfs", ...words.map(shellWord)].join(" ");
  yield oneRow({ shows, command: line }, (page) => printHeading(page, shows, line));
  const { commands, session, output, signal } = context;
  const code = await run(prepare(words, commands, []), { commands, session, output, signal, remembers: false });
  if (code !== exitCodes.ok) throw new CommandError(`"${words.join(" ")}" failed`);
}

async function first<Row>(rows: AsyncIterable<Row>): Promise<Row | undefined> {
  for await (const row of rows) return row;
  return undefined;
}

/** Returns a file with several candidates in a view, else any file. */
async function contestedIn(context: Context, view: string): Promise<string | undefined> {
  const lost = await first(rowsOf(context, "shadowed", { view, limit: 1 }));
  return (lost ?? await first(fieldsOf(context, "find", { view, patterns: ["**"], limit: 1 }, ["qpath"])))?.qpath;
}

/** Finds items to show in a mount: the demo's, or those of its games. */
async function sightsOf(context: Context, { mount, rootView, games }: MountRow): Promise<Sights> {
  const views = (await Array.fromAsync(rowsOf(context, "views", {}))).filter(({ game }) => games.includes(game));
  const { contested, contestedPk3, map, word } = demoHighlights;
  const nameOf = ({ game, mod }: { readonly game: string; readonly mod: string }) => `${game}/${mod}`;
  if ([contested, contestedPk3].every((file) => views.some(({ view }) => view === nameOf(file)))) {
    const view = nameOf(contested);
    return {
      view,
      directories: [join(mount, contested.game), join(mount, view)],
      search: ["-rl", word, join(mount, view)],
      contested: contested.qpath,
      elsewhere: { view: nameOf(contestedPk3), qpath: contestedPk3.qpath },
      map: { view: nameOf(map), qpath: map.qpath },
      found: ["*.wav"],
    };
  }
  const shown = views.find(({ view }) => view === rootView) ?? views.find(({ base }) => !base) ?? views[0];
  if (!shown) throw new CommandError(`${mount} shows no game`);
  const { view, game } = shown;
  const directory = rootView === null ? join(mount, view) : mount;
  const texts = { view, patterns: ["**"], filters: { extensions: textExtensions, minSize: 1 }, limit: 1 };
  const text = await first(fieldsOf(context, "find", texts, ["qpath"]));
  const other = rootView === null ? views.find((one) => one.game !== game && one.base)?.view : undefined;
  const qpath = other === undefined ? undefined : await contestedIn(context, other);
  return {
    view,
    directories: rootView === null ? [join(mount, game), directory] : [directory],
    search: text && ["-n", "-m", "5", ".", join(directory, text.qpath)],
    contested: await contestedIn(context, view),
    elsewhere: other !== undefined && qpath !== undefined ? { view: other, qpath } : undefined,
    map: undefined,
    found: ["--size", "+64k"],
  };
}

async function* takeTour(context: Context): Results<TourRow> {
  const { mounts: [mounted] } = await ask(context, "status", {});
  if (!mounted) {
    throw new CommandError(
      'nothing is mounted to walk through; "pakfs demo" mounts a sample installation, "pakfs mount" your games',
    );
  }
  const { mount, games, packs, files } = mounted;
  const { view, directories, search, contested, elsewhere, map, found } = await sightsOf(context, mounted);
  const counts = [counted(games.length, "game"), counted(packs, "pack"), counted(files, "file")];
  yield textOnly((page) => page.line(`At ${mount}: ${counts.join(", ")}.`));
  yield* showProgram("Every game and mod is an ordinary folder:", "ls", directories);
  if (search) yield* showProgram("Any program can read it, through all packs at once:", "grep", search);
  if (contested !== undefined) {
    const words = ["which", contested, "--view", view];
    yield* showCommand(context, "Where does this file come from, and why?", words);
  }
  if (elsewhere) {
    const words = ["which", elsewhere.qpath, "--view", elsewhere.view];
    yield* showCommand(context, "Each engine has its own rules:", words);
  }
  if (map) {
    const words = ["needs", map.qpath, "--view", map.view];
    yield* showCommand(context, "Everything that a map needs, and where it comes from:", words);
  }
  const words = ["find", ...found, "--view", view, "--limit", "5"];
  yield* showCommand(context, "Find files by name, size or pack:", words);
  yield textOnly((page) => {
    page.line();
    page.line(`It stays mounted. Explore it with any program, or with pakfs; "pakfs help" lists the commands.`);
    page.line(`To unmount: pakfs unmount ${shellWord(mount)}`);
  });
}

export const tour = command({
  name: "tour",
  group: "Start",
  scope: "anywhere",
  live: true,
  rows: ["TourRow"],
  summary: "walk through the mounted games",
  arguments: [],
  options: [],
  details: ["Tries commands on the games of the first mount: the sample installation of demo, or your own."],
  examples: [{ line: "tour", does: "what demo shows after mounting" }],
  run: takeTour,
});
