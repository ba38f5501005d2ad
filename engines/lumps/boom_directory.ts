/**
 * The directory of lumps that Boom's descendants make of all files together: `W_CoalesceMarkedResource` of dsda-doom's,
 * PrBoom+'s and Woof's w_wad.c, `coalesceMarkedResources` of Eternity's. A section that a file opens and does not end continues in the files after it.
 * @module
 */
import { dropped, isMarker, type LumpFile, namespaceCode } from "./lump_file.ts";

/** Markers in the order in which the engine's rules collect their lumps. */
const sectionsOf = {
  boom: [
    ["S", namespaceCode("sprites")],
    ["F", namespaceCode("flats")],
    ["C", namespaceCode("colormaps")],
    ["B", namespaceCode("port")],
    ["HI", namespaceCode("hires")],
  ],
  woof: [
    ["AC", namespaceCode("actors")],
    ["TX", namespaceCode("textures")],
    ["S", namespaceCode("sprites")],
    ["F", namespaceCode("flats")],
    ["C", namespaceCode("colormaps")],
    ["VX", namespaceCode("voxels")],
    ["HI", namespaceCode("hires")],
  ],
  eternity: [
    ["S", namespaceCode("sprites")],
    ["F", namespaceCode("flats")],
    ["C", namespaceCode("colormaps")],
    ["T", namespaceCode("port")],
    ["A", namespaceCode("acs")],
    ["TX", namespaceCode("textures")],
    // source/w_wad.cpp: WadNamespace::checkLump leaves them out.
    ["HI", dropped],
  ],
} as const;

/** Maximum bytes of a sprite that counts as deleted. */
const emptySprite = 8;

/**
 * Returns the number of the namespace of each lump of each file, or {@linkcode dropped}.
 * @param positions Position of each lump of all files: among equal names the highest wins in a view.
 */
export function boomDirectory(
  rules: keyof typeof sectionsOf,
  files: readonly LumpFile[],
  positions: readonly number[],
): Uint8Array[] {
  const names = files.flatMap((file) => file.names);
  const sizes = files.flatMap((file) => Array.from(file.sizes));
  const codes = new Uint8Array(names.length);
  let order = Array.from(names.keys());
  for (const [prefix, code] of sectionsOf[rules]) {
    const marked: number[] = [];
    const others: number[] = [];
    let isMarked = false;
    for (const lump of order) {
      const name = names[lump] ?? "";
      if (isMarker(name, `${prefix}_START`)) isMarked = true;
      else if (isMarker(name, `${prefix}_END`)) isMarked = false;
      else if (!isMarked) others.push(lump);
      else if (prefix === "S" && (sizes[lump] ?? 0) <= emptySprite) codes[lump] = dropped;
      else if (prefix === "F" && rules === "eternity" && sizes[lump] === 0) codes[lump] = dropped;
      else {
        codes[lump] = code;
        marked.push(lump);
      }
    }
    order = [...others, ...marked];
  }
  dropHidden(names, codes, order, positions);
  let first = 0;
  return files.map((file) => codes.subarray(first, first += file.names.length));
}

/**
 * Drops lumps that a view would find although the engine finds others: an unclosed section moves lumps of earlier files
 * after it, and the files of an archive are not added in its order.
 */
function dropHidden(
  names: readonly string[],
  codes: Uint8Array,
  order: readonly number[],
  positions: readonly number[],
): void {
  const found = new Map<string, number>();
  const positionOf = (lump: number) => positions[lump] ?? lump;
  for (const lump of order) found.set(`${codes[lump]} ${names[lump]}`, lump);
  for (const lump of order) {
    const answering = found.get(`${codes[lump]} ${names[lump]}`) ?? lump;
    if (codes[lump] !== dropped && positionOf(lump) > positionOf(answering)) codes[lump] = dropped;
  }
}
