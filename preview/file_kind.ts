/**
 * What kind of file a preview is asked of: by its first bytes, as engines are often given a file under another's name;
 * by its name where the format has no mark.
 * @module
 */
import { isBsp } from "./bsp.ts";
import { isJpeg } from "./jpeg.ts";
import { isModel } from "./quake_model.ts";
import { isPng } from "./png.ts";
import { Reader } from "./reader.ts";
import { isSprite, isSpriteList } from "./sprite.ts";
import { isTextureWad } from "./wad.ts";
import { isWav } from "./wav.ts";

/** Files that are one picture. */
export type PictureKind = "lmp" | "mip" | "wal" | "pcx" | "tga" | "png" | "jpeg";
/** Files that have a preview. */
export type FileKind = PictureKind | "wav" | "map" | "model" | "wad" | "entities" | "sprite" | "sprite list";

/** Kinds by extension, where the first bytes are no help. The last three are lumps of a mounted WAD. */
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

/** What a file is; undefined if there is no preview of it. */
export function fileKindOf(qpath: string, bytes: Uint8Array): FileKind | undefined {
  if (isPng(bytes)) return "png";
  if (isJpeg(bytes)) return "jpeg";
  const reader = new Reader(bytes);
  if (isWav(reader)) return "wav";
  if (isModel(reader)) return "model";
  if (isTextureWad(reader)) return "wad";
  if (isSprite(reader)) return "sprite";
  if (isSpriteList(reader)) return "sprite list";
  const named = byExtension.get(/\.([^./]+)$/.exec(qpath)?.[1]?.toLowerCase() ?? "");
  // Four bytes of a number are little to go by: only under a map's name, or none that is known.
  return named ?? (isBsp(reader) ? "map" : undefined);
}

const pictureKinds: ReadonlySet<string> = new Set<PictureKind>(["lmp", "mip", "wal", "pcx", "tga", "png", "jpeg"]);

/** Whether a file of this kind is one picture. */
export function isPicture(kind: FileKind): kind is PictureKind {
  return pictureKinds.has(kind);
}
