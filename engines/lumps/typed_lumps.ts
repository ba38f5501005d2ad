/**
 * Lumps of WAD2 and WAD3 with the names by which Xash3D finds them: an extension for the type, and the WAD's name as
 * directory, or none. `W_Open` and `FS_FindFile_WAD` of FWGS/xash3d-fwgs filesystem/wad.c.
 *
 * Every lump of a Half-Life WAD is listed twice, as `gfx/conchars.lmp` and `conchars.lmp`, since Xash3D finds it by
 * both. Xash3D also finds lumps with further directories (`a/gfx/conchars.lmp`) and without extension: these names are
 * not listed.
 * @module
 */
import { elementAt, entryIsRepeated, EntryTable, lumpType } from "../../formats/parts.ts";
import { searched } from "../core/binary_search.ts";

/** Extensions by type; lumps of other types are found without one. */
const endings: ReadonlyMap<number, string> = new Map([
  [64, ".pal"],
  [65, ".dds"],
  [66, ".lmp"],
  [67, ".mip"],
  [68, ".txt"],
  [70, ".fnt"],
]);

const picture = 66;
const script = 68;
/** Number of compared bytes of a name. */
const comparedBytes = 15;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A lump for comparison. */
interface Lump {
  readonly row: number;
  readonly name: string;
  readonly type: number;
}

/**
 * Returns the table of a WAD with each lump that a search finds, twice: in a directory named after the WAD, and
 * without.
 * @param format Name of its format.
 * @param wad File name.
 */
export function typedLumps(listed: EntryTable, format: string, wad: string): EntryTable {
  const lumps = lumpsOf(listed, format);
  const base = wad.replace(/\.[^.]*$/, "").toLowerCase();
  const table = new EntryTable();
  const add = (prefix: string, flag: number) => {
    for (const { row, name, type } of lumps) {
      const fields = listed.fields(row);
      fields.flags |= flag;
      const path = encoder.encode(`${prefix}${name}${endings.get(type) ?? ""}`);
      table.add(path, fields, listed.rawNames.get(row) ?? listed.pathBytes(row));
    }
  };
  add(`${base}/`, 0);
  add("", entryIsRepeated);
  table.warnings.push(...listed.warnings);
  const missing = listed.length - lumps.length;
  if (missing > 0) table.warnings.push(`${missing} of its lumps have names that the engine does not find`);
  return table;
}

/** Returns the lumps that are found, in order. */
function lumpsOf(listed: EntryTable, format: string): Lump[] {
  const sorted = Array.from({ length: listed.length }, (_, row) => lumpAt(listed, row, format))
    .sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : b.type - a.type || a.row - b.row);
  const found: Lump[] = [];
  for (let first = 0; first < sorted.length;) {
    const { name, type } = elementAt(sorted, first);
    let end = first + 1;
    while (sorted[end]?.name === name && sorted[end]?.type === type) end++;
    // Paths are truncated at these characters.
    if (name !== "" && !/[/\\:]/.test(name)) found.push(elementAt(sorted, searched(sorted.length, first, end)));
    first = end;
  }
  return found.sort((a, b) => a.row - b.row);
}

function lumpAt(listed: EntryTable, row: number, format: string): Lump {
  const path = listed.path(row);
  const raw = listed.rawNames.get(row) ?? encoder.encode(path.slice(0, path.lastIndexOf(".")));
  const end = raw.indexOf(0);
  const text = decoder.decode(raw.slice(0, Math.min(comparedBytes, end < 0 ? raw.length : end)));
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\*([^*]*)$/, "!$1");
  const type = lumpType(path, format);
  return { row, name, type: type === script && name === "conchars" ? picture : type };
}
