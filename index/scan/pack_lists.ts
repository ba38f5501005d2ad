/**
 * Reads the text files that list the packs of an engine.
 * @module
 */
import { join } from "@std/path";
import { messageOf } from "../../formats/parts.ts";
import { type PackLists, type Profile, readPackList } from "../../engines/mod.ts";
import { itemAt } from "./game_settings.ts";

/** Maximum bytes of a list of packs. */
const maxListBytes = 1024 * 1024;

/** Returns the lists of packs in a game directory; an unreadable list is a problem. */
export function packListsIn(gameDirectory: string, { packs }: Profile, problems: string[]): PackLists {
  const lists = new Map<string, ReadonlyMap<string, readonly number[]>>();
  for (const rule of packs) {
    if (rule.kind !== "listed") continue;
    const path = join(gameDirectory, rule.file);
    const information = itemAt(path);
    if (!information?.isFile) continue;
    if (information.size > maxListBytes) {
      problems.push(`${path}: not read: ${information.size} bytes; a list of packs has at most ${maxListBytes}`);
      continue;
    }
    try {
      lists.set(rule.file, readPackList(Deno.readTextFileSync(path), rule));
    } catch (error) {
      problems.push(`${path} cannot be read: ${messageOf(error)}`);
    }
  }
  return lists;
}
