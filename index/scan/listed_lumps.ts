/**
 * Names of lumps that depend on all files of a list: under Boom and the original, a section that one file
 * opens continues in the next, and files merge into those before them; GZDoom renames some lumps of other games.
 *
 * Engines for Doom look lumps up by namespace and eight characters, so paths in their views consist of both. They are
 * computed when a list of files is indexed, and a list is always read again as a whole. Another engine's names require
 * that too, except in `which --all-engines`, which computes names of WAD lumps from the index.
 * @module
 */
import { EntryTable } from "../../formats/parts.ts";
import { type FileTable, listedTables, lumpSwitch, type Profile, renamedLumps } from "../../engines/mod.ts";
import type { LoadedFiles } from "../columns/game.ts";
import type { FileLists } from "./assemble.ts";
import type { FileList, FoundDirectory, FoundPack, ScanPlan } from "./plan.ts";

type ReadList = FileList & { readonly kind: "read" };

/** Returns the file lists of a plan with the lump names that result from the lists. */
export function withListedLumps(plan: ScanPlan, fileLists: FileLists): FileLists {
  const named = new Map(fileLists);
  for (const { profile, directories, loads } of plan.games) {
    for (const [index, loaded] of (loads ?? []).entries()) {
      const directory = directories[index];
      if (directory) nameLumps(profile, directory, loaded, named);
    }
  }
  return named;
}

function nameLumps(
  { loadList, engine }: Profile,
  { packs }: FoundDirectory,
  { files }: LoadedFiles,
  fileLists: Map<FoundPack, FileList>,
): void {
  if (!loadList) return;
  const read = packs.flatMap((pack, index): { pack: FoundPack; fileList: ReadList; file: FileTable }[] => {
    const fileList = fileLists.get(pack) ?? pack.fileList;
    const how = files[index]?.how ?? null;
    if (fileList?.kind !== "read" || fileList.failure !== null) return [];
    const { table, format } = fileList;
    if (loadList.maxLumps !== null && how !== null && table.length > loadList.maxLumps) {
      const failure = `it has ${table.length} lumps; with more than ${loadList.maxLumps} ${engine} refuses to start`;
      fileLists.set(pack, { ...fileList, table: new EntryTable(), failure });
      return [];
    }
    return [{ pack, fileList, file: { table, format, path: pack.path, how: lumpSwitch(loadList, how) } }];
  });
  const [iwad] = packs;
  const named = read.map(({ file }) => file);
  const tables = loadList.lumps === "gzdoom"
    ? renamedLumps(named)
    : listedTables(loadList.lumps, named, iwad?.lumps?.filters ?? []);
  for (const [index, { pack, fileList }] of read.entries()) {
    fileLists.set(pack, { ...fileList, table: tables[index] ?? fileList.table });
  }
}
