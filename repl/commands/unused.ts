/**
 * Unreachable files: `unused`.
 * @module
 */
import { exitCodes, quoted } from "../../system/mod.ts";
import type { FileRow, UndecidedRow } from "../../protocol/rows.ts";
import { command, type Context, type Input, inView, rowsOf, slowRowsOf } from "../command/command.ts";
import { counted, humanSize } from "../output/human.ts";
import { linesOf, tableOf } from "../output/results.ts";
import { longColumns, qpathOf } from "./long_listing.ts";
import { neededNames, remarkUnfollowed } from "./needs.ts";

/** Reports the gaps of the list, and returns whether it may be wrong. */
async function remarkUndecided(context: Context, rows: AsyncIterable<UndecidedRow>): Promise<boolean> {
  const leftOut = { kind: { files: 0, names: [] as string[] }, replaces: { files: 0, names: [] as string[] } };
  let unreadable = false;
  for await (const { reason, name, files, problem } of rows) {
    if (reason === "unreadable") {
      unreadable = true;
      context.output.warning(`${name}: cannot be read; files that it refers to may be listed: ${problem}`);
      continue;
    }
    if (reason === "code") {
      context.output.remark(
        "no game code in the view (progs.dat, .qvm, DLL): files that only code names may be listed",
      );
      continue;
    }
    leftOut[reason].files += files;
    leftOut[reason].names.push(name === "" ? "no extension" : `.${name}`);
  }
  const { kind, replaces } = leftOut;
  if (kind.files > 0) {
    const verb = kind.files === 1 ? "is" : "are";
    context.output.remark(
      `${counted(kind.files, "file")} of kinds that pakfs does not follow ${verb} not listed: ${
        kind.names.sort().join(", ")
      }`,
    );
  }
  if (replaces.files > 0) {
    const verb = replaces.files === 1 ? "replaces a file" : "replace files";
    context.output.remark(
      `${counted(replaces.files, "file")} that ${verb} of other packs, which may need it: not listed`,
    );
  }
  return unreadable;
}

function parametersOf(context: Context, { options, words }: Input) {
  const source = options.value("in");
  return {
    ...inView(context),
    ...(words.length === 0 ? {} : { maps: neededNames(context, words) }),
    ...(source === undefined ? {} : { source }),
  };
}

export const unused = command({
  name: "unused",
  group: "Ask",
  scope: "anywhere",
  rows: ["FileRow"],
  summary: "list files of a mod that no map, menu, configuration or game code reaches",
  arguments: [{ name: "MAP", kind: "qpath", optional: true, repeated: true }],
  options: [
    {
      name: "in",
      value: "PACK|DIR",
      kind: "source",
      summary: "check this pack or game directory; default: the view's, without the base game's packs",
    },
    { name: "delete-list", summary: "only names in the pack or directory, one per line, for rm and zip -d" },
  ],
  details: [
    "Starts from all maps of the mod, or of the view if the mod has none, or from MAP; follows the same references " +
    "as needs, and exits to other maps. Names in menus, configuration and scripts, and strings of progs.dat, .qvm " +
    "and DLLs count as used, also as formats with a directory such as models/players/%s/head.md3. The command does " +
    "not know names that code builds in other ways: read the list before you delete.",
    "Doom: patches only of walls and floors in TEXTURES that nothing shows are listed; archive create --needs leaves " +
    "these definitions out, too. Patches of TEXTURE1 are not: engines refuse a table without them.",
    "Never listed: files of kinds that pakfs does not follow, which are counted; and files that replace a file of " +
    "another pack or directory, whose users may need them.",
    "The exit code is 1 if a file cannot be read: files that it refers to may then be listed.",
  ],
  examples: [
    { line: "unused --view quake/mymod", does: "files that a mod could omit" },
    { line: "unused mymap1 mymap2 --in mymod.pk3", does: "files that a release of two maps does not need" },
    { line: "unused --delete-list | zip -d mymod.pk3 -@", does: "remove it, in a shell" },
  ],
  async *run(context, input) {
    const sources = new Set<string>();
    const found = { files: 0, bytes: 0 };
    const params = parametersOf(context, input);
    const rows = slowRowsOf(context, "unused", params).filter((row: FileRow) => {
      found.files++;
      found.bytes += row.size;
      sources.add(row.source);
      return true;
    });
    const isList = input.options.flag("delete-list");
    yield isList ? linesOf(rows, ({ member }) => member) : tableOf(rows, longColumns(qpathOf));
    if (isList && sources.size > 1) {
      const [first = ""] = sources;
      context.output.warning(`files of ${sources.size} packs and directories; choose one: --in ${quoted(first)}`);
    }
    const total = found.files === 0
      ? "nothing is unused"
      : `${counted(found.files, "file")}, ${humanSize(found.bytes)}`;
    context.output.remark(total);
    await remarkUnfollowed(context);
    return await remarkUndecided(context, rowsOf(context, "undecided", params)) ? exitCodes.failed : exitCodes.ok;
  },
});
