/**
 * Kinds of files that refer to others, with the readers of their references: pure functions over bytes. A new kind is a
 * row of `table`.
 * @module
 */
import { append } from "../../formats/parts.ts";
import {
  isSprite,
  MediaError,
  parseEntities,
  readBsp,
  Reader,
  readModel,
  readSkin,
  readSpriteList,
} from "../../media/mod.ts";
import { mapLumpReader, readMapWad } from "./doom_map.ts";
import { readScripts, readWords } from "./doom_names.ts";
import { readDoom3Map, readDoom3Surfaces } from "./doom3_map.ts";
import { readAse, readLwo, readMd5Mesh } from "./doom3_models.ts";
import { entityReferences } from "./entities.ts";
import { extensionOf, withoutExtension } from "../shaders/engine_images.ts";
import type { Family } from "../../engines/mod.ts";
import { needed, optional, type Reference } from "./reference.ts";

/** A file to read references from. */
export interface ReferringFile {
  /** Path in the view. */
  readonly qpath: string;
  /** Rules for resolving names. */
  readonly family: Family;
  /** Whether the classes of a map's entities play the sounds of Quake III. */
  readonly hasQuake3Classes: boolean;
  /** Whether a lump belongs to a map in Hexen's format. */
  readonly isHexenMap?: boolean;
}

/** Kind of a file that refers to others. */
export interface FileReader {
  readonly kind: "map" | "model" | "sprite" | "skin" | "file";
  /** Maximum bytes of a file. */
  readonly maxBytes: number;
  /**
   * Returns the references in a file.
   * @throws {MediaError} if it is damaged, or has an unknown version.
   */
  read(bytes: Uint8Array, file: ReferringFile): Reference[];
}

const mebibyte = 1024 * 1024;
/** Maximum references of one file. */
const maxReferences = 100_000;

/** Names that map compilers write for surfaces without a texture. */
const noTexture: ReadonlySet<string> = new Set(["noshader", ""]);

const map: FileReader = {
  kind: "map",
  maxBytes: 512 * mebibyte,
  read(bytes, file) {
    const { format, textures, fogs, lightPictures, entities } = readBsp(bytes);
    const references = besideMap(file);
    const isQuake3 = format === "Quake 3" || format === "RTCW or Quake Live";
    const family: Family = isQuake3 ? "quake3" : format === "Quake 2" ? "quake2" : "quake";
    for (const { name, surfaces, offset } of textures) {
      if (isQuake3) {
        if (surfaces > 0 && !noTexture.has(name.toLowerCase())) references.push(needed("texture", name, "surface"));
      } else if (family === "quake2") {
        if (name !== "") references.push(...quake2Texture(name));
      } else if (name !== "") references.push(...quakeTexture(name, offset !== null, file, format));
    }
    for (const name of fogs) if (name !== "") references.push(needed("texture", name, "fog"));
    // DarkPlaces model_brush.c: Mod_Q3BSP_LoadLightmaps; OpenJK rd-rend2/tr_bsp.cpp: R_LoadLightmaps
    for (let page = 0; page < lightPictures; page++) {
      const path = `${withoutExtension(file.qpath)}/lm_${String(page).padStart(4, "0")}`;
      references.push(optional("image", "light", path));
    }
    append(references, entityReferences(entities, family, file.hasQuake3Classes));
    if (format === "Half-Life") {
      const world = entities.find((entity) => entity.get("classname") === "worldspawn");
      for (const path of (world?.get("wad") ?? "").split(";")) {
        const name = path.replaceAll("\\", "/").split("/").at(-1)?.trim() ?? "";
        if (name !== "") references.push(needed("file", name, '"wad" of worldspawn'));
      }
    }
    return references;
  },
};

/** Quake 2 loads `textures/NAME.wal`; newer engines show another image of that name instead, if it exists. */
function quake2Texture(name: string): Reference[] {
  const path = `textures/${name}`;
  return [needed("texture", `${path}.wal`, "surface"), optional("image", "replacement of a texture", path)];
}

/** Quake's textures are in the map; newer engines show an image of that name instead, if it exists. */
function quakeTexture(name: string, isEmbedded: boolean, { qpath }: ReferringFile, format: string): Reference[] {
  const base = withoutExtension(qpath).split("/").at(-1) ?? "";
  const plain = name.replace(/^\*/, "#").toLowerCase();
  const names = [`textures/${base}/${plain}`, `textures/${plain}`] as const;
  if (!isEmbedded && format !== "Half-Life") return [{ kind: "image", names, why: "surface", isOptional: false }];
  const lights = ["_glow", "_luma"].map((suffix) =>
    optional("image", "glow of a texture", `${names[0]}${suffix}`, `${names[1]}${suffix}`)
  );
  return [optional("image", "replacement of a texture", ...names), ...lights];
}

/** Files next to a map that engines load with it if they exist. */
const sideFiles: Readonly<Record<Family, readonly (readonly [extension: string, why: string])[]>> = {
  quake: [["lit", "coloured light"], ["ent", "entities"], ["vis", "visibility"]],
  quake2: [["ent", "entities"]],
  quake3: [["aas", "paths of bots"]],
  doom3: [],
  doom: [],
};

function besideMap({ qpath, family }: ReferringFile): Reference[] {
  const path = withoutExtension(qpath);
  const found = sideFiles[family].map(([extension, why]) => optional("side", why, `${path}.${extension}`));
  if (family === "quake3") {
    found.push(optional("texture", "level shot", `levelshots/${path.replace(/^maps\//i, "")}.tga`));
    // Nexuiz and Xonotic: qcsrc/menu/xonotic/maplist
    found.push(optional("image", "level shot", path));
  }
  return found;
}

const model: FileReader = {
  kind: "model",
  maxBytes: 128 * mebibyte,
  read(bytes, { qpath, family }) {
    const { format, skins, surfaces } = readModel(bytes);
    const names = surfaces.length > 0 ? surfaces.flatMap(({ shaders }) => shaders) : skins;
    const found: Reference[] = [];
    if (format === "MD2") append(found, names.map((name) => needed("image", name, "skin")));
    else if (format !== "MDL") append(found, names.map((name) => needed("surface", name, "surface")));
    const path = withoutExtension(qpath);
    if ((format === "MD3" || format === "MDC") && family === "quake3" && !/_[12]$/.test(path)) {
      for (const level of [`${path}_1`, `${path}_2`]) {
        found.push(optional("file", "model for a distance", `${level}.md3`, `${level}.mdc`));
      }
    }
    return found.filter(({ names: [name] }) => name !== "");
  },
};

const sprite: FileReader = {
  kind: "sprite",
  maxBytes: 16 * mebibyte,
  read(bytes) {
    const reader = new Reader(bytes);
    // DarkPlaces takes any sprite by its beginning (model_shared.c); one of Quake has its pictures itself.
    if (isSprite(reader)) return [];
    return readSpriteList(reader).map(({ name }) => needed("image", name, "frame"));
  },
};

const latin = new TextDecoder("windows-1252");

const skin: FileReader = {
  kind: "skin",
  maxBytes: mebibyte,
  read: (bytes) =>
    readSkin(bytes).flatMap(([surface, name]) => surface.startsWith("tag_") ? [] : [needed("texture", name, "skin")]),
};

/** Entities that replace a map's. */
const entities: FileReader = {
  kind: "map",
  maxBytes: 32 * mebibyte,
  read: (bytes, { family }) => entityReferences(parseEntities(latin.decode(bytes)), family),
};

/** Readers by the extension of files. */
const table: Readonly<Record<string, FileReader>> = {
  bsp: map,
  md2: model,
  md3: model,
  iqm: model,
  sp2: sprite,
  skin,
  ent: entities,
  lwo: { kind: "model", maxBytes: 64 * mebibyte, read: readLwo },
  ase: { kind: "model", maxBytes: 64 * mebibyte, read: readAse },
  md5mesh: { kind: "model", maxBytes: 64 * mebibyte, read: readMd5Mesh },
  map: { kind: "map", maxBytes: 256 * mebibyte, read: readDoom3Map },
  proc: { kind: "map", maxBytes: 256 * mebibyte, read: readDoom3Surfaces },
};

/** Text lumps that engines always read. */
const doomTexts = new RegExp(
  "^(?:lumps/)?(?:modeldef|voxeldef|gldefs|doomdefs|htcdefs|hexndefs|strfdefs|terrain|decaldef|sbarinfo|menudef|" +
    "lockdefs|fontdefs|musinfo|dialogue|keyconf|dehacked)(?:~\\d+)?$",
);

/** Returns whether a lump of Doom is always read, or may be: a text, or scripts that others load. */
export function isReadByItself(qpath: string): boolean {
  const path = qpath.toLowerCase();
  return doomTexts.test(path) || path.startsWith("acs/");
}

/** Text lumps, compiled scripts, and maps in separate WADs, by their paths in lower case, for Doom's engines. */
const doomTable: readonly (readonly [path: RegExp, reader: FileReader])[] = [
  [/^maps\/[^/]+\.wad$/, { kind: "map", maxBytes: 256 * mebibyte, read: readMapWad }],
  [/^(?:maps\/[^/]+\/behavior|acs\/[^/]+)$/, { kind: "file", maxBytes: 16 * mebibyte, read: readScripts }],
  [doomTexts, { kind: "file", maxBytes: 16 * mebibyte, read: readWords }],
];

/** Returns the reader of a lump to which a name in Doom's engines refers. */
function doomReaderOf(qpath: string): FileReader | undefined {
  const path = qpath.toLowerCase();
  const read = /^maps\/[^/]+\/[^/]+$/.test(path) ? mapLumpReader(path.slice(path.lastIndexOf("/") + 1)) : undefined;
  if (read) {
    return { kind: "map", maxBytes: 256 * mebibyte, read: (bytes, { isHexenMap = false }) => read(bytes, isHexenMap) };
  }
  return doomTable.find(([pattern]) => pattern.test(path))?.[1];
}

/** Kinds of files that only Doom 3 reads. */
const onlyDoom3: ReadonlySet<string> = new Set(["map", "proc", "lwo", "ase", "md5mesh"]);

/** Models of Doom's newer engines. */
const modelOfDoom: ReadonlySet<string> = new Set(["md2", "md3", "iqm"]);

/** Returns the reader of a file; undefined if files of this kind have no references. */
export function readerOf(qpath: string, family: Family): FileReader | undefined {
  const extension = extensionOf(qpath);
  if (family === "doom") return doomReaderOf(qpath) ?? (modelOfDoom.has(extension) ? model : undefined);
  // Skins of Doom 3 are declarations.
  const isOther = family === "doom3" ? extension === "skin" : onlyDoom3.has(extension);
  return isOther || !Object.hasOwn(table, extension) ? undefined : table[extension];
}

/**
 * Returns the references in a file, without duplicates.
 * @throws {MediaError} like {@linkcode FileReader.read}, or if there are too many.
 */
export function readReferences(reader: FileReader, bytes: Uint8Array, file: ReferringFile): Reference[] {
  const found = new Map<string, Reference>();
  for (const reference of reader.read(bytes, file)) {
    const key = `${reference.kind} ${reference.names.join(" ")}`.toLowerCase();
    if (found.get(key)?.isOptional ?? true) found.set(key, reference);
    if (found.size > maxReferences) throw new MediaError(`it names more than ${maxReferences} files`);
  }
  return [...found.values()];
}
