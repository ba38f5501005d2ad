/**
 * Text lumps in archives that list files for GZDoom to load: `GAMEINFO` of the files on its command line
 * (`ParseGameInfo` of d_main.cpp), and `IWADINFO` of archives that are whole games (`ParseIWadInfo` of d_iwad.cpp).
 * @module
 */
import { dirname, join } from "@std/path";
import { type Archive, ArchiveError, DamagedMemberError, openArchive, readMember } from "../../formats/parts.ts";
import { at } from "../columns/columns.ts";
import { comparedName, type DoomGame, gzdoomMembers, type Iwad } from "../../engines/mod.ts";
import { itemAt } from "./game_settings.ts";

/** Maximum bytes of such a lump. */
const maxBytes = 1024 * 1024;

const games = ["doom", "heretic", "hexen", "strife", "chex"] as const satisfies readonly DoomGame[];

/** Facts that an archive of a whole game states about itself. */
export interface IwadInformation extends Pick<Iwad, "game" | "autoname"> {
  /** Names of files next to it that are loaded after it. */
  readonly loads: readonly string[];
}

/** Returns the content of `IWADINFO` in an archive; `undefined` if there is none, or it cannot be read. */
export function iwadInformation(path: string): IwadInformation | undefined {
  if (!/\.(ipk3|iwad|ipk7)$/i.test(path)) return undefined;
  const text = textOf(path, "IWADINFO");
  if (text === undefined) return undefined;
  const values = valuesIn(text);
  const [game = ""] = values.get("game") ?? [];
  return {
    game: games.find((name) => name === game.toLowerCase()) ?? "doom",
    autoname: values.get("autoname")?.[0]?.toLowerCase() ?? "",
    loads: (values.get("load") ?? []).filter((name) => isBeside(name)),
  };
}

/**
 * Returns the files that `GAMEINFO` loads before the command line's; the last `GAMEINFO` counts.
 * @param paths Absolute paths of the files of the command line.
 * @param problems Receives a message for each omitted file.
 */
export function gameInfoFiles(paths: readonly string[], problems: string[]): string[] {
  for (const path of paths.toReversed()) {
    const text = textOf(path, "GAMEINFO");
    if (text === undefined) continue;
    return (valuesIn(text).get("load") ?? []).flatMap((name) => {
      const file = isBeside(name) ? join(dirname(path), name) : undefined;
      if (file !== undefined && itemAt(file)) return [file];
      problems.push(`${path}: its GAMEINFO loads ${name}, which is not next to it; left out`);
      return [];
    });
  }
  return [];
}

/** Returns whether a name exists in the directory of the file that contains it. */
function isBeside(name: string): boolean {
  return !name.startsWith("/") && !/[\\\0]/.test(name) && !name.split("/").includes("..");
}

/** Returns the values of each key, in lower case. `{`, `}` and the text before them are skipped. */
function valuesIn(text: string): Map<string, string[]> {
  const words = Array.from(
    text.matchAll(/\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|;[^\n]*|"([^"\n]*)"?|[={},]|[^\s={},;"]+/g),
    ([word, quoted]) => quoted ?? word,
  ).filter((word) => !/^(\/\/|\/\*|;)/.test(word));
  const values = new Map<string, string[]>();
  for (const [index, word] of words.entries()) {
    if (word !== "=") continue;
    const found: string[] = [];
    for (let next = index + 1; next < words.length; next += 2) {
      found.push(words[next] ?? "");
      if (words[next + 1] !== ",") break;
    }
    const key = words[index - 1]?.toLowerCase() ?? "";
    values.set(key, [...values.get(key) ?? [], ...found]);
  }
  return values;
}

/** Returns the text of the last lump with a name outside all namespaces; `undefined` if it is missing. */
function textOf(path: string, lump: string): string | undefined {
  if (!itemAt(path)?.isFile) return undefined;
  try {
    using archive = openArchive(path);
    const { source, format, table } = archive;
    const row = rowOf(archive, lump);
    if (row < 0 || at(table.sizes, row) > maxBytes) return undefined;
    return new TextDecoder().decode(readMember(source, format, table, row));
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof DamagedMemberError || error instanceof Deno.errors.NotFound) {
      return undefined;
    }
    throw error;
  }
}

function rowOf({ table, format }: Archive, lump: string): number {
  const rows = Array.from({ length: table.length }, (_, row) => row).filter((row) => !table.isDirectory(row));
  if (format.name === "wad") {
    return rows.findLast((row) => comparedName(table.rawNames.get(row) ?? table.pathBytes(row)) === lump) ?? -1;
  }
  const files = rows.map((row) => ({ row, path: table.path(row), isReadable: true }));
  return gzdoomMembers(files, [], "").findLast((member) => !member.isDropped && member.lump === lump)?.row ?? -1;
}
