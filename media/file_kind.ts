/**
 * Detects the kind of a file: by its first bytes, since files often have the name of another format; by its name where
 * the format has no signature.
 * @module
 */
import { isBsp } from "./maps/bsp.ts";
import { isJpeg } from "./pictures/jpeg.ts";
import { isModel } from "./models/model_file.ts";
import { isPng } from "./pictures/png.ts";
import { Reader } from "./core/reader.ts";
import { isSprite, isSpriteList } from "./pictures/sprite.ts";
import { isTextureWad } from "./pictures/wad.ts";
import { isWav } from "./sounds/wav.ts";

/** Files that are one picture. */
export type PictureKind = "lmp" | "mip" | "wal" | "pcx" | "tga" | "png" | "jpeg";
/** Files that have a preview. */
export type FileKind = PictureKind | "wav" | "map" | "model" | "wad" | "entities" | "sprite" | "sprite list";

/** Kinds by extension, for formats without a signature. The last three are lumps of a mounted WAD. */
const byExtension: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ["lmp", "lmp"],
  ["mip", "mip"],
  ["wal", "wal"],
  ["pcx", "pcx"],
  ["tga", "tga"],
  ["png", "png"],
  ["jpg", "jpeg"],
  ["jpeg", "jpeg"],
  ["wav", "wav"],
  ["bsp", "map"],
  ["mdl", "model"],
  ["md2", "model"],
  ["md3", "model"],
  ["iqm", "model"],
  ["spr", "sprite"],
  ["sp2", "sprite list"],
  ["ent", "entities"],
  ["qpic", "lmp"],
  ["palette", "lmp"],
  ["miptex", "mip"],
]);

/** Returns the extension of a path in lower case, without the number of repeated lumps (`~2`); "" if it has none. */
export function extensionOf(qpath: string): string {
  return /\.([^./]+?)(?:~\d+)?$/.exec(qpath)?.[1]?.toLowerCase() ?? "";
}

/** Returns the kind of a file; undefined if it has no preview. */
export function fileKindOf(qpath: string, bytes: Uint8Array): FileKind | undefined {
  if (isPng(bytes)) return "png";
  if (isJpeg(bytes)) return "jpeg";
  const reader = new Reader(bytes);
  if (isWav(reader)) return "wav";
  if (isModel(reader)) return "model";
  if (isTextureWad(reader)) return "wad";
  if (isSprite(reader)) return "sprite";
  if (isSpriteList(reader)) return "sprite list";
  const named = byExtension.get(extensionOf(qpath));
  // A number of four bytes is weak evidence: accepted only for a map's name, or an unknown one.
  return named ?? (isBsp(reader) ? "map" : undefined);
}

const pictureKinds: ReadonlySet<string> = new Set<PictureKind>(["lmp", "mip", "wal", "pcx", "tga", "png", "jpeg"]);

/** Returns whether a file of this kind is one picture. */
export function isPicture(kind: FileKind): kind is PictureKind {
  return pictureKinds.has(kind);
}
