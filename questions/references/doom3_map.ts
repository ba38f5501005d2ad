/**
 * References of Doom 3's maps: entities in `.map`, materials of surfaces in `.proc`, both text. Sources:
 * id-Software/DOOM-3 neo/idlib/MapFile.cpp, neo/renderer/RenderWorld_load.cpp.
 * @module
 */
import { type Entity, MediaError } from "../../media/mod.ts";
import { entityReferences } from "./entities.ts";
import { withoutExtension } from "../shaders/engine_images.ts";
import { needed, optional, type Reference } from "./reference.ts";

/** Files next to a map: surfaces, collision, paths of characters of each size, and its script. */
const compiled = ["proc", "cm"] as const;
const besides = ["aas32", "aas48", "aas96", "aas_mancubus", "aas_cyberdemon", "aas_sabaoth", "script"] as const;

/**
 * Returns the references of a map's entities, and the files next to it.
 * @throws {MediaError} if it is not a map.
 */
export function readDoom3Map(bytes: Uint8Array, { qpath }: { readonly qpath: string }): Reference[] {
  const path = withoutExtension(qpath);
  return [
    ...compiled.map((extension) => needed("file", `${path}.${extension}`, "compiled map")),
    ...besides.map((extension) => optional("file", "side file", `${path}.${extension}`)),
    ...entityReferences(readEntities(bytes), "doom3"),
  ];
}

const latin = new TextDecoder("windows-1252");
const lineFeed = 0x0a;
const quote = 0x22;
const slash = 0x2f;
const opening = 0x7b;
const closing = 0x7d;

/** Entities are braces with keys and values, and inner braces of brushes and patches, whose strings are ignored. */
function readEntities(bytes: Uint8Array): Entity[] {
  const entities: Entity[] = [];
  let entity = new Map<string, string>();
  let key: string | undefined;
  let depth = 0;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset];
    if (byte === opening) {
      if (depth++ === 0) entity = new Map();
    } else if (byte === closing) {
      if (depth === 0) throw new MediaError("a brace closes no entity", { offset });
      if (--depth === 0) entities.push(entity);
    } else if (byte === slash && bytes[offset + 1] === slash) {
      offset = endOf(bytes, lineFeed, offset);
    } else if (byte === quote) {
      const end = endOf(bytes, quote, offset);
      if (depth === 1) {
        const text = latin.decode(bytes.subarray(offset + 1, end));
        if (key !== undefined) entity.set(key, text);
        key = key === undefined ? text : undefined;
      }
      offset = end;
    }
  }
  if (depth !== 0) throw new MediaError("the last entity is not closed");
  return entities;
}

/** Returns the offset of the next such byte after `offset`, or the end. */
function endOf(bytes: Uint8Array, byte: number, offset: number): number {
  const end = bytes.indexOf(byte, offset + 1);
  return end < 0 ? bytes.length : end;
}

/** Bytes before a string that show its role. */
const maxRole = 80;

/**
 * Returns the materials of the surfaces of a compiled map. A surface is a brace that begins with its material; the other
 * strings are names of models, which follow a comment or the brace of their `model`.
 * @throws {MediaError} if it is no compiled map.
 */
export function readDoom3Surfaces(bytes: Uint8Array): Reference[] {
  if (!/^\s*"?mapProcFile/.test(latin.decode(bytes.subarray(0, maxRole)))) {
    throw new MediaError("it does not begin like a compiled map", { offset: 0 });
  }
  const names = new Set<string>();
  for (let start = bytes.indexOf(quote); start >= 0; start = bytes.indexOf(quote, start + 1)) {
    const end = endOf(bytes, quote, start);
    const before = latin.decode(bytes.subarray(Math.max(0, start - maxRole), start));
    if (/\{\s*$/.test(before) && !/model\s*\{\s*$/i.test(before)) {
      names.add(latin.decode(bytes.subarray(start + 1, end)));
    }
    start = end;
  }
  return Array.from(names, (name) => needed("texture", name, "surface"));
}
