/**
 * The real Chocolate Doom and Crispy Doom against the index: random WADs and command lines, whose patches and sprites
 * they read when they start. The lumps read must equal a view's.
 *
 * `PAKFS_ORACLE_TREES` sets the number of lists, `PAKFS_SEED` repeats an earlier run.
 */
import { assert, assertEquals } from "@std/assert";
import { at, none } from "../../index/columns/columns.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { View } from "../../views/view.ts";
import { seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { writeFiles } from "./fixtures.ts";
import { patches, randomLumps } from "../../tools/oracle/chocolate.ts";
import { readLumps } from "../../tools/oracle/doom_lumps.ts";

const listCount = Number(Deno.env.get("PAKFS_ORACLE_TREES") ?? 8);

/** Lumps that a view has in a directory, or of some names, as file and offset. */
function lumpsOf({ tree, snapshot }: View, root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const node = tree.find(path);
    const entry = node === none ? none : at(tree.entries, node);
    if (entry === none) return [];
    return [`${snapshot.sourceOf(entry).path.slice(root.length + 1)} ${at(snapshot.columns.entryOffsets, entry)}`];
  }).sort();
}

function sprites({ tree }: View): string[] {
  const directory = tree.find("sprites");
  if (directory === none) return [];
  const first = at(tree.firstChildren, directory);
  return Array.from({ length: at(tree.childCounts, directory) }, (_, index) => `sprites/${tree.nameOf(first + index)}`);
}

async function compare(profile: string, number: number): Promise<void> {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  const { files, list, autoload } = randomLumps(number, `${profile}-doom`);
  await writeFiles(root, files);
  const words = list.map((word) => word.startsWith("-") ? word : `${root}/${word}`);
  const iwad = `${root}/doom2.wad`;
  const sources = [iwad, ...words.filter((word) => !word.startsWith("-"))];
  const view = scanCatalog([{ sources, iwad, files: words, autoload: `${root}/${autoload}`, profile }])
    .view();
  const { read, said } = await readLumps(`${profile}-doom`, root, [...list, "-nogui", "-window"]);
  const what = `PAKFS_SEED=${number} PAKFS_ORACLE_TREES=1, ${list.join(" ")}\n${said.slice(-600)}`;
  const ours = lumpsOf(view, root, [...patches, ...sprites(view)]);
  const named = new Set(ours);
  // The engine also reads lumps of one name in its table of sprites, and shows the last.
  const others = candidates(view, root, list.includes("-nwtmerge"));
  const isCompared = (lump: string) => named.has(lump) || others.has(lump);
  assertEquals(Array.from(read).filter(isCompared).sort(), ours, what);
}

/**
 * Patches and sprites of all files, but for sprites that share a name.
 * @param hasNameless Whether sprites may have lost their names: they are read, and cannot be found.
 */
function candidates(view: View, root: string, hasNameless: boolean): Set<string> {
  const { snapshot } = view;
  const { entryNodes, entryOffsets, entrySizes } = snapshot.columns;
  const found = new Set<string>();
  const seen = new Map<string, number>();
  for (let entry = 0; entry < snapshot.entryCount; entry++) {
    const path = snapshot.pathOf(at(entryNodes, entry));
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (at(entrySizes, entry) === 0) continue;
    if (hasNameless && view.refusal(entry) !== null) continue;
    const isSprite = path.startsWith("sprites/") && view.refusal(entry) === null;
    if (isSprite && seen.has(name)) continue;
    if (isSprite) seen.set(name, entry);
    if (patches.includes(name) || /^(TROO|POSS)/.test(name)) {
      found.add(`${snapshot.sourceOf(entry).path.slice(root.length + 1)} ${at(entryOffsets, entry)}`);
    }
  }
  return found;
}

for (const profile of ["chocolate", "crispy"]) {
  Deno.test({
    name: `${profile}: the real engine reads the lumps that we say on ${listCount} lists from seed ${seed}`,
    ...needs(`debian:${profile}-doom`, "strace"),
    fn: async () => {
      assert(listCount > 0);
      for (let number = 0; number < listCount; number++) {
        // deno-lint-ignore no-await-in-loop -- one engine at a time
        await compare(profile, seed + number);
      }
    },
  });
}
