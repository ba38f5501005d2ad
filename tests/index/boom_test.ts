/**
 * The real dsda-doom against the index: random WADs and command lines. The tables that it reads, the options that it
 * prints, the patches of DEHACKED that it names and the pictures that it misses must equal a view's.
 *
 * `PAKFS_ORACLE_TREES` sets the number of lists, `PAKFS_SEED` repeats an earlier run.
 */
import { assert, assertEquals } from "@std/assert";
import { basename } from "@std/path";
import { at, none } from "../../index/columns/columns.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { View } from "../../views/view.ts";
import { whichCandidates } from "../../views/which.ts";
import { seed } from "../support/chance.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { writeFiles } from "./fixtures.ts";
import { autoload, patches, randomBoomLumps, tableNames } from "../../tools/oracle/boom.ts";
import { readLumps } from "../../tools/oracle/doom_lumps.ts";

const listCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 8);
const portWad = "dsda-doom.wad";

/** Returns the file that answers a path and the offset in it; null for none. */
function lumpAt({ tree, snapshot }: View, path: string): { file: string; offset: number; size: number } | null {
  const node = tree.find(path);
  const entry = node === none ? none : at(tree.entries, node);
  if (entry === none) return null;
  const { entryOffsets, entrySizes } = snapshot.columns;
  return { file: snapshot.sourceOf(entry).path, offset: at(entryOffsets, entry), size: at(entrySizes, entry) };
}

/** Returns whether reads of a file can be observed: only in WADs whose lumps lie far apart. */
function isSeen(file: string): boolean {
  return /\.wad$/i.test(file) && basename(file) !== portWad;
}

async function readAt({ file, offset, size }: { file: string; offset: number; size: number }): Promise<string> {
  return new TextDecoder().decode((await Deno.readFile(file)).subarray(offset, offset + size));
}

async function compare(number: number): Promise<void> {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  const { files, list } = randomBoomLumps(number);
  await writeFiles(root, files);
  await Deno.copyFile(`${debianPackage("dsda-doom")}/usr/share/dsda-doom/${portWad}`, `${root}/${portWad}`);
  const words = list.map((word) => word.startsWith("-") ? word : `${root}/${word}`);
  const iwad = `${root}/doom2.wad`;
  const sources = [iwad, ...words.filter((word) => !word.startsWith("-"))];
  const view = scanCatalog([{ sources, iwad, files: words, autoload: `${root}/${autoload}`, profile: "boom" }]).view();
  const { read, said } = await readLumps("dsda-doom", root, [...list, "-nodraw"]);
  const what = `PAKFS_SEED=${number} PAKFS_ORACLE_TREES=1, ${list.join(" ")}\n${said.slice(-900)}`;

  const tables = tableNames.flatMap((name) => lumpAt(view, `port/${name}`) ?? []).filter(({ file }) => isSeen(file));
  assertEquals(
    Array.from(read).sort(),
    tables.map(({ file, offset }) => `${file.slice(root.length + 1)} ${offset}`).sort(),
    what,
  );

  const options = lumpAt(view, "OPTIONS");
  const printed = /^dsda_LumpOptions: (.*)$/m.exec(said)?.[1]?.replace(" =", "");
  assertEquals(printed, options ? (await readAt(options)).trim() : undefined, what);

  const named = Array.from(
    said.matchAll(/^Loading DEH lump from (.*)$/gm),
    ([, path = ""]) => path.slice(root.length + 1),
  );
  const holders = whichCandidates(view, "DEHACKED").filter(({ usable }) => usable).map(({ source }) =>
    source.slice(root.length + 1)
  );
  assertEquals(new Set(named), new Set(holders), what);

  // Without its tables the engine ends before it looks for pictures.
  if (tableNames.some((name) => !lumpAt(view, `port/${name}`))) return;
  const missing = Array.from(said.matchAll(/Missing patch (\d+) in/g), ([, index]) => patches[Number(index)]);
  assertEquals(missing, patches.filter((name) => !lumpAt(view, name) && !lumpAt(view, `sprites/${name}`)), what);
}

Deno.test({
  name: `boom: the real engine finds the lumps that we say on ${listCount} lists from seed ${seed}`,
  ...needs("debian:dsda-doom", "strace"),
  fn: async () => {
    assert(listCount > 0);
    for (let number = 0; number < listCount; number++) {
      // deno-lint-ignore no-await-in-loop -- one engine at a time
      await compare(seed + number);
    }
  },
});
