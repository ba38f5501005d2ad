/**
 * Namespaces of the lumps of one WAD in GZDoom: `FWadFile::SetNamespace` and `SkinHack` of
 * src/common/filesystem/source/file_wad.cpp.
 * @module
 */
import { isMarker, type LumpFile, namespaceCode } from "./lump_file.ts";

/** Prefixes of markers, in search order: a lump keeps the first namespace that it gets. */
const sections = [
  ["S", namespaceCode("sprites")],
  ["F", namespaceCode("flats")],
  ["C", namespaceCode("colormaps")],
  ["A", namespaceCode("acs")],
  ["TX", namespaceCode("textures")],
  ["V", namespaceCode("voices")],
  ["HI", namespaceCode("hires")],
  ["VX", namespaceCode("voxels")],
] as const;

/** Minimum size of a sprite lump. */
const minSprite = 8;

/** Returns the number of each lump's namespace. */
export function wadNamespaces({ names, sizes }: Pick<LumpFile, "names" | "sizes">): Uint8Array {
  const codes = new Uint8Array(names.length);
  if (names.some((name) => name.startsWith("S_SKIN"))) return codes.fill(namespaceCode("skins"));
  for (const [prefix, code] of sections) {
    for (const { start, end } of blocks(names, `${prefix}_START`, `${prefix}_END`)) {
      for (let index = start; index < end; index++) {
        const isEmptySprite = prefix === "S" && (sizes[index] ?? 0) < minSprite;
        if (codes[index] === 0 && !isEmptySprite) codes[index] = code;
      }
    }
  }
  return codes;
}

/**
 * Returns the blocks between markers: the first of several start markers, the last of several end markers; without an
 * end marker, up to the end of the WAD.
 */
function blocks(names: readonly string[], start: string, end: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let first = -1;
  let last = -1;
  for (const [index, name] of names.entries()) {
    if (isMarker(name, start)) {
      if (last >= 0) {
        found.push({ start: first + 1, end: last });
        first = -1;
        last = -1;
      }
      if (first < 0) first = index;
    } else if (first >= 0 && isMarker(name, end)) last = index;
  }
  if (first >= 0) found.push({ start: first + 1, end: last < 0 ? names.length : last });
  return found;
}
