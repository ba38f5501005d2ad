/**
 * References between files: `needs`, `used-by`, `missing`.
 * @module
 */
import { basename } from "@std/path";
import { exitCodes, UsageError } from "../../system/mod.ts";
import type { NeedRow, ReferrerRow, UserRow } from "../../protocol/rows.ts";
import {
  command,
  type Context,
  firstWord,
  type Input,
  inView,
  type Results,
  rowsOf,
  type RunnableCommand,
  slowRowsOf,
} from "../command/command.ts";
import { resolveQpath } from "../command/session.ts";
import type { DownloadRow } from "../rows/client_rows.ts";
import { counted, humanSize } from "../output/human.ts";
import { showDownloads } from "./map_rotation.ts";
import { showProviders } from "./providers.ts";
import type { Page } from "../output/page.ts";
import { eachRow, type Result, rowsShownAs, type RowStream, tableOf } from "../output/results.ts";
import type { Part } from "../output/text.ts";

/** Display of rows. */
type Shown = Pick<Result<NeedRow>, "print">;

/** Totals of a command's rows. */
class Counts {
  readonly files = new Set<string>();
  missing = 0;
  unreadable = 0;
  bytes = 0;

  /** Returns the same rows, and counts them. */
  of(rows: RowStream<NeedRow>): RowStream<NeedRow> {
    return rows.filter(({ source, qpath, size, problem }) => {
      if (problem !== null) this.unreadable++;
      if (qpath === null) this.missing++;
      else if (!this.files.has(`${source} ${qpath}`)) {
        this.files.add(`${source} ${qpath}`);
        this.bytes += size ?? 0;
      }
      return true;
    });
  }

  get text(): string {
    const missing = this.missing === 0 ? "nothing missing" : `${this.missing} missing`;
    const unreadable = this.unreadable === 0 ? "" : `, ${this.unreadable} cannot be read`;
    const files = this.files.size === 0 ? "" : `${counted(this.files.size, "file")}, ${humanSize(this.bytes)}, `;
    return `${files}${missing}${unreadable}`;
  }
}

function sourceText({ source, gameDirectory }: Pick<NeedRow, "source" | "gameDirectory">): string {
  if (source === null) return "missing";
  const name = basename(source);
  return name === gameDirectory ? `${name}/` : `${gameDirectory}/${name}`;
}

/** Returns whether items of a kind are part of a file that may contain others. */
function isDefined(kind: NeedRow["kind"]): boolean {
  return kind === "shader" || kind === "definition";
}

function nameCell({ qpath, name, kind, problem }: NeedRow): Part {
  if (qpath === null) return { text: name, style: "unusable" };
  const text = isDefined(kind) ? `${name} (${qpath})` : name;
  return problem === null ? text : { text: `${text}  cannot be read: ${problem}`, style: "unusable" };
}

/** Prints a tree: each row below the first item that refers to it. */
function treeOf(rows: RowStream<NeedRow>): Shown {
  return {
    async print(page) {
      const below = new Map<string | null, NeedRow[]>();
      for await (const row of rows) below.getOrInsert(row.by, []).push(row);
      printBranches(page, { below, printed: new Set() }, null, "");
    },
  };
}

/** Rows by the name of the item that refers to them, and the printed ones: several may have the same name. */
interface Branches {
  readonly below: ReadonlyMap<string | null, readonly NeedRow[]>;
  readonly printed: Set<NeedRow>;
}

function printBranches(page: Page, branches: Branches, of: string | null, lead: string): void {
  const { below, printed } = branches;
  const rows = (below.get(of) ?? []).filter((row) => !printed.has(row));
  for (const row of rows) printed.add(row);
  rows.forEach((row, index) => {
    const isLast = index === rows.length - 1;
    const branch = of === null ? "" : isLast ? "└── " : "├── ";
    page.line(lead + branch, nameCell(row), { text: `  ${sourceText(row)}`, style: "dim" });
    printBranches(page, branches, row.name, of === null ? "" : lead + (isLast ? "    " : "│   "));
  });
}

/** Quotes a name for Graphviz. */
function quotedName(name: string): string {
  return `"${name.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Prints the graph of all references in the Graphviz language. */
function graphOf(rows: RowStream<NeedRow>): Shown {
  return {
    async print(page) {
      page.line("digraph needs {");
      page.line("  rankdir=LR; node [shape=box];");
      for await (const { name, kind, qpath, needs } of rows) {
        const label = kind === "file" ? name : `${name}\n${kind}`;
        const colour = qpath === null ? ", color=red, fontcolor=red" : "";
        page.line(`  ${quotedName(name)} [label=${quotedName(label).replaceAll("\n", "\\n")}${colour}];`);
        for (const other of needs) page.line(`  ${quotedName(name)} -> ${quotedName(other)};`);
      }
      page.line("}");
    },
  };
}

function shownAs(input: Input, rows: RowStream<NeedRow>): Shown {
  if (input.options.flag("tree")) return treeOf(rows);
  if (input.options.flag("dot")) return graphOf(rows);
  return tableOf(rows, [
    { title: "KIND", cell: ({ kind }) => kind },
    { title: "NAME", cell: nameCell },
    {
      title: "FROM",
      cell: (row) => row.qpath === null ? { text: "missing", style: "unusable" } : sourceText(row),
    },
    { title: "WHY", cell: ({ why }) => ({ text: why, style: "dim" }) },
    { title: "FOR", cell: ({ by }) => ({ text: by ?? "", style: "dim" }) },
  ]);
}

/** Returns the names typed by the user: names of files are relative to the current directory. */
export function neededNames(context: Context, words: readonly string[]): string[] {
  return words.map((word) =>
    word.includes("/") || context.directory !== "" ? resolveQpath(context.directory, word) : word
  );
}

/** Reports the gaps of the result, if any, for requested files. */
export async function remarkUnfollowed(context: Context, files: readonly string[] = []): Promise<void> {
  for await (const { name, reason } of rowsOf(context, "unfollowed", { ...inView(context), files: [...files] })) {
    context.output.remark(`${reason} (${name})`);
  }
}

async function* showNeeds(context: Context, input: Input): Results<NeedRow | DownloadRow> {
  const { options, words } = input;
  if (options.flag("list")) return yield* showDownloads(context, input);
  if (words.length === 0) throw new UsageError("needs takes a FILE, a MOD, or --list FILE");
  if (options.flag("tree") && options.flag("dot")) throw new UsageError("choose one of --tree and --dot");
  const without = options.value("without");
  const counts = new Counts();
  const rows = counts.of(slowRowsOf(context, "needs", {
    ...inView(context),
    files: neededNames(context, words),
    ...(options.flag("missing") ? { missing: true } : {}),
    ...(options.flag("own") ? { own: true } : {}),
    ...(without === undefined ? {} : { without }),
  }));
  yield rowsShownAs(rows, shownAs(input, rows));
  if (!options.flag("dot")) {
    context.output.remark(counts.text);
    await remarkUnfollowed(context, neededNames(context, words));
  }
  return counts.missing + counts.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
}

const needs = command({
  name: "needs",
  group: "Ask",
  scope: "anywhere",
  rows: ["NeedRow", "DownloadRow"],
  summary: "list everything that the engine would load for a map, model, shader or mod, and what is missing",
  arguments: [{ name: "FILE|MOD", kind: "qpath", optional: true, repeated: true }],
  options: [
    { name: "missing", summary: "only what is missing" },
    { name: "own", summary: "without files of the base game's packs" },
    { name: "without", value: "VIEW", kind: "view", summary: "without files that VIEW has, with the same bytes" },
    {
      name: "list",
      value: "FILE",
      kind: "file",
      summary: "the packs that players of a map rotation must download in addition to the base game",
    },
    { name: "tree", summary: "each file below the one that refers to it" },
    { name: "dot", summary: "the graph of all references, for Graphviz" },
  ],
  details: [
    "FILE is a map (its name is enough), a model, a skin, or the name of a shader or definition; MOD is a game " +
    "directory or pack, for all of its files.",
    "Follows textures, shaders with the images of all their stages, sky boxes, models with their skins, sounds and " +
    "music of entities, and files next to the map (.aas, .lit, .ent, .vis, level shot, .arena), each looked up as " +
    "in the view's engine. Optional files are listed if they exist, maps that exits lead to if they are missing. " +
    "Files that the game's own code loads for items, weapons and monsters are not listed.",
    "For Doom, Heretic, Hexen and Strife: walls with their patches, floors, things with their frames and sounds, " +
    "sky, music and lumps of maps in all formats, as TEXTURE1, TEXTURES, ANIMDEFS, SNDINFO, SNDSEQ, MAPINFO, " +
    "UMAPINFO, DECORATE and ZScript name them. Names that code computes or DEHACKED changes by number are not " +
    "followed; the result reports this.",
    "--list reads a rotation: one map per line, comments after # and //, or lines of a server's configuration such " +
    'as set d1 "map q3dm1; set nextmap vstr d2". It prints the size of each pack, the bytes and number of its files ' +
    "that the maps need, and the number of maps.",
    "The exit code is 1 if anything is missing or cannot be read.",
  ],
  examples: [
    { line: "needs maps/q3dm1.bsp --tree", does: "everything for one map" },
    { line: "needs mymap --missing", does: "files that players would not see" },
    { line: "needs --list rotation.cfg", does: "packs that clients of a server must download" },
    { line: "needs mymap --own --json", does: "files that a release must contain, one object per line" },
  ],
  run: showNeeds,
});

function referrerText({ name, kind, qpath }: ReferrerRow): string {
  return isDefined(kind) ? `${name} (${qpath})` : name;
}

function userCell(row: UserRow): Part {
  const name = referrerText(row);
  return row.problem === null ? name : { text: `${name}  cannot be read: ${row.problem}`, style: "unusable" };
}

const usedBy = command({
  name: "used-by",
  group: "Ask",
  scope: "anywhere",
  rows: ["UserRow"],
  summary: "list the maps, models and shaders that refer to a file",
  arguments: [{ name: "FILE", kind: "qpath" }],
  options: [],
  details: [
    "FILE is a path of the view or the name of a shader. Reads all maps, models and shaders of the view once; the " +
    "daemon keeps their references until a refresh. Maps that show an image through a shader are listed too, with " +
    "the shader; under Doom 3 so are references through definitions of entities, models, sounds and skins, which " +
    "FILE may name too, and under Doom through composed textures, classes and sounds.",
    "The exit code is 1 if a file cannot be read, because it may refer to FILE.",
  ],
  examples: [
    { line: "used-by textures/base_wall/c_met5_2.tga", does: "the shaders and maps that show an image" },
    { line: "used-by sound/movers/doors/dr1_strt.wav", does: "the maps that play a sound" },
  ],
  async *run(context, { words }) {
    const name = neededNames(context, [firstWord(words)])[0] ?? "";
    const counts = { users: 0, unreadable: 0 };
    const rows = slowRowsOf(context, "users", { ...inView(context), name }).filter(({ problem }) => {
      if (problem === null) counts.users++;
      else counts.unreadable++;
      return true;
    });
    yield tableOf(rows, [
      { title: "KIND", cell: ({ kind }) => kind },
      { title: "NAME", cell: userCell },
      { title: "FROM", cell: sourceText },
      { title: "WHY", cell: ({ why }) => ({ text: why, style: "dim" }) },
      { title: "THROUGH", cell: ({ through }) => ({ text: through ?? "", style: "dim" }) },
    ]);
    const users = counts.users === 0 ? `nothing refers to ${name}` : counted(counts.users, "user");
    context.output.remark(counts.unreadable === 0 ? users : `${users}, ${counts.unreadable} cannot be read`);
    await remarkUnfollowed(context);
    return counts.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

const missing = command({
  name: "missing",
  group: "Ask",
  scope: "anywhere",
  rows: ["MissingRow", "ProviderRow"],
  summary: "check all maps, models and shaders for files that the view lacks",
  arguments: [{ name: "PACK|MOD", kind: "source", optional: true }],
  options: [
    {
      name: "library",
      value: "DIR",
      kind: "file",
      repeatable: true,
      summary: "list archives of this directory that have files that a map, model or mod (as for needs) lacks",
    },
  ],
  details: [
    "Under Doom 3 definitions are checked too. PACK or MOD checks only its own maps, models and shaders; files that " +
    "they need may come from anywhere. The exit code is 1 if anything is missing or cannot be read, so that a build " +
    "can stop. needs MAP --missing checks a single map.",
    "--library reads the archives in a directory and below, which no engine has to search. It lists each archive " +
    "with the files that it has and a map (or without arguments, the view's game directory) lacks, also those that " +
    "files of other archives need, and marks a smallest set of archives that has all of them. Above 10 archives it " +
    "no longer tries every set, but takes the archive with the most missing files first. The exit code is 1 if files " +
    "stay missing.",
  ],
  examples: [
    { line: "missing", does: "everything that is missing in the view" },
    { line: "missing mymod --view quake3/mymod", does: "files that a mod lacks" },
    { line: "missing mymap --library ~/downloads", does: "downloads that complete a map" },
  ],
  async *run(context, input) {
    if (input.options.flag("library")) return yield* showProviders(context, input, neededNames(context, input.words));
    const { words: [source] } = input;
    const params = { ...inView(context), ...(source === undefined ? {} : { source }) };
    const counts = { files: 0, names: 0, unreadable: 0 };
    const rows = slowRowsOf(context, "missing", params).filter(({ missing, problem }) => {
      if (missing.length > 0) counts.files++;
      if (problem !== null) counts.unreadable++;
      counts.names += missing.length;
      return true;
    });
    yield eachRow(rows, (page, row) => {
      page.line({ text: referrerText(row), style: "heading" }, { text: `  ${sourceText(row)}`, style: "dim" });
      if (row.problem !== null) page.line({ text: `  cannot be read: ${row.problem}`, style: "unusable" });
      for (const { name, why } of row.missing) {
        page.line({ text: `  ${name}`, style: "unusable" }, { text: `  ${why}`, style: "dim" });
      }
    });
    const found = counts.files === 0
      ? "nothing missing"
      : `${counts.names} missing, in ${counted(counts.files, "file or shader", "files or shaders")}`;
    context.output.remark(counts.unreadable === 0 ? found : `${found}, ${counts.unreadable} cannot be read`);
    await remarkUnfollowed(context);
    return counts.files + counts.unreadable > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

/** Commands about the needs of files, in help order. */
export const needCommands: readonly RunnableCommand[] = [needs, usedBy, missing];
