/**
 * Files of Quake III that list maps for its menus: `scripts/*.arena` and `scripts/arenas.txt`, `{ map "q3dm1" ... }`. (ioquake/ioq3
 * code/game/g_bot.c `G_LoadArenas`, code/q3_ui/ui_gameinfo.c.)
 * @module
 */
import { ArchiveError } from "../../formats/mod.ts";
import { at } from "../../index/mod.ts";
import type { Reading } from "../reference_rows.ts";
import type { View } from "../../views/mod.ts";
import { withoutExtension } from "../shaders/engine_images.ts";
import { optional, type Reference } from "./reference.ts";

/** Maximum number of read files; the engine reads 1024 maps. */
const maxFiles = 1024;
/** Maximum bytes of a file: `MAX_ARENAS_TEXT`. */
const maxBytes = 8192;

/** The arena files of one view. */
export class ArenaFiles {
  readonly #view: View;
  #byMap: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(view: View) {
    this.#view = view;
  }

  /** Returns the arena files that list a map. */
  async of(map: string, reading: Reading): Promise<Reference[]> {
    this.#byMap ??= await this.#read(reading);
    const name = withoutExtension(map).replace(/^maps\//i, "").toLowerCase();
    return (this.#byMap.get(name) ?? []).map((path) => optional("file", "arena", path));
  }

  async #read(reading: Reading): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    const { tree, snapshot } = this.#view;
    const decoder = new TextDecoder("windows-1252");
    for (const node of this.#files()) {
      const entry = at(tree.entries, node);
      const size = at(snapshot.columns.entrySizes, entry);
      if (size >= maxBytes) continue;
      try {
        // deno-lint-ignore no-await-in-loop -- one small file after the other
        const text = decoder.decode(await reading.read(entry, 0, size));
        for (const [, map = ""] of text.matchAll(/(?:^|[\s{"])map"?\s+"?([^"\s}]+)/gi)) {
          const files = found.getOrInsert(map.toLowerCase(), []);
          const path = tree.pathOf(node);
          if (!files.includes(path)) files.push(path);
        }
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
      }
    }
    return found;
  }

  #files(): number[] {
    const { tree } = this.#view;
    const isArenas = (node: number) => /(?:\.arena|^arenas\.txt)$/i.test(tree.nameOf(node));
    return tree.childrenAt("scripts").filter((node) => !tree.isDirectory(node) && isArenas(node)).slice(0, maxFiles);
  }
}
