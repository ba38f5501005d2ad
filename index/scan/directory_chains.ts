/**
 * Directories that are searched below a game directory according to its settings: `basedir` and `fallback_dir` in
 * `gameinfo.txt` and `liblist.gam` of games for GoldSrc (FWGS/xash3d-fwgs filesystem/gameinfo.c).
 * @module
 */
import { join } from "@std/path";
import { messageOf } from "../../formats/parts.ts";
import type { DirectoryChain, Profile } from "../../engines/mod.ts";
import { itemAt } from "./game_settings.ts";

/** Maximum bytes of a file with game settings. */
const maxBytes = 64 * 1024;

/**
 * Returns the names of the directories searched below each game directory, lowest first; absent: the base.
 * @param names Names of the game directories.
 */
export function directoryChains(
  { chain }: Profile,
  base: string,
  names: readonly string[],
  roots: readonly string[],
  problems: string[],
): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, readonly string[]>();
  if (!chain) return below;
  for (const name of names) {
    const settings = roots.map((root) => settingsIn(join(root, name), chain, problems)).find((found) => found !== null);
    if (!settings) continue;
    const wanted = [settings.get(chain.base) ?? base, settings.get(chain.fallback) ?? ""].filter((one) => one !== "");
    for (const one of wanted.filter((other) => !names.includes(other))) {
      problems.push(`${name}: its settings name ${one.slice(0, 80)}, which is no game directory; it is not searched`);
    }
    const chained = wanted.filter((one) => names.includes(one) && one !== name);
    if (chained.join("\0") !== base) below.set(name, Array.from(new Set(chained)));
  }
  return below;
}

/** Returns the settings of a game directory, or null if it has none. */
function settingsIn(
  directory: string,
  { files }: DirectoryChain,
  problems: string[],
): ReadonlyMap<string, string> | null {
  const found = files.flatMap((file) => {
    const path = join(directory, file);
    const information = itemAt(path);
    return information?.isFile ? [{ path, size: information.size, mtime: information.mtime?.getTime() ?? 0 }] : [];
  });
  // The first file is used, unless a later one is newer.
  const [first] = found.toSorted((a, b) => b.mtime - a.mtime);
  if (!first) return null;
  if (first.size > maxBytes) {
    problems.push(`${first.path}: not read: ${first.size} bytes; at most ${maxBytes}`);
    return null;
  }
  try {
    const lines = Deno.readTextFileSync(first.path).matchAll(/^[ \t]*"?(\w+)"?[ \t]+"?([^"\r\n]*)/gm);
    return new Map(Array.from(lines, ([, key = "", value = ""]) => [key.toLowerCase(), value.trim()]));
  } catch (error) {
    problems.push(`${first.path} cannot be read: ${messageOf(error)}`);
    return null;
  }
}
