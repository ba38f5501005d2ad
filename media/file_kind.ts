/**
 * Detects the kind of a file: by its first bytes, since files often have the name of another format; by name if the
 * format has no signature.
 * @module
 */
import { contentType } from "../formats/parts.ts";
import { isBsp } from "./maps/bsp.ts";
import { isPatch } from "./pictures/doom_picture.ts";
import { Reader } from "./core/reader.ts";
import { isTextureWad } from "./pictures/wad.ts";
import { dmxLength } from "./sounds/samples.ts";

const pictureKinds = [
  ...["lmp", "mip", "wal", "pcx", "tga", "png", "jpeg", "m8", "m32", "dds", "ftx", "vtf", "bmp", "gif"] as const,
  ...["patch", "flat", "playpal", "colormap"] as const,
] as const;
/** Kinds of files that are a single picture. */
export type PictureKind = typeof pictureKinds[number];
/** Kinds of files with a preview. */
export type FileKind =
  | PictureKind
  | "wav"
  | "dmx"
  | "ogg"
  | "flac"
  | "mp3"
  | "map"
  | "model"
  | "wad"
  | "entities"
  | "sprite"
  | "sprite list"
  | "textures";

/** Kinds by detected extension, regardless of the name. */
const byContent: ReadonlyMap<string, FileKind> = new Map<string, FileKind>([
  ["png", "png"],
  ["jpg", "jpeg"],
  ["dds", "dds"],
  ["vtf", "vtf"],
  ["gif", "gif"],
  ["wav", "wav"],
  ["ogg", "ogg"],
  ["flac", "flac"],
  ["mp3", "mp3"],
  ["mdl", "model"],
  ["md2", "model"],
  ["md3", "model"],
  ["mdc", "model"],
  ["iqm", "model"],
  ["spr", "sprite"],
  ["sp2", "sprite list"],
]);

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
  ["mp3", "mp3"],
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
  ["miptex2", "mip"],
  ["decal", "mip"],
  ["m8", "m8"],
  ["m32", "m32"],
  ["dds", "dds"],
  ["ftx", "ftx"],
  ["vtf", "vtf"],
  ["bmp", "bmp"],
  ["gif", "gif"],
]);

/** Returns the extension of a path in lower case, without the number of repeated lumps (`~2`); "" if there is none. */
export function extensionOf(qpath: string): string {
  return /\.([^./]+?)(?:~\d+)?$/.exec(qpath)?.[1]?.toLowerCase() ?? "";
}

/** Bytes of a colour map's table: an index per colour. */
const colourMapRow = 256;
/** Bytes of a picture of 320 x 200 pixels without a header. */
const screenBytes = 320 * 200;

/**
 * Returns the kind of a lump of Doom, whose path has no extension; undefined if it is no picture.
 * @param start The file, or its beginning.
 */
export function lumpKindOf(qpath: string, start: Uint8Array, fileSize = start.length): PictureKind | undefined {
  const names = qpath.toLowerCase().split("/");
  const [name = "", directory = ""] = [names.at(-1), names.at(-2)];
  if (/^playpal(~\d+)?$/.test(name)) return "playpal";
  const isColourMap = directory === "colormaps" || /^colormap(~\d+)?$/.test(name);
  if (isColourMap && fileSize >= colourMapRow * 2) return "colormap";
  if (directory === "flats") return fileSize >= 64 * 64 ? "flat" : undefined;
  if (isPatch(start, fileSize)) return "patch";
  return fileSize === screenBytes ? "flat" : undefined;
}

/** Returns the kind of a file; undefined if it has no preview. */
export function fileKindOf(qpath: string, bytes: Uint8Array): FileKind | undefined {
  const kind = byContent.get(contentType(bytes, bytes.length));
  if (kind !== undefined) return kind;
  const reader = new Reader(bytes);
  if (isTextureWad(reader)) return "wad";
  const extension = extensionOf(qpath);
  if (/(?:^|\/)texture[12](?:~\d+)?$/i.test(qpath)) return "textures";
  const named = extension === "" ? lumpKindOf(qpath, bytes) : byExtension.get(extension);
  if (named === undefined && extension === "" && dmxLength(bytes, bytes.length) !== undefined) return "dmx";
  // A four-byte version number is weak evidence: accepted only with a map's extension, or an unknown one.
  return named ?? (isBsp(reader) ? "map" : undefined);
}

/** Returns whether a file of this kind is one picture. */
export function isPicture(kind: FileKind): kind is PictureKind {
  return (pictureKinds as readonly string[]).includes(kind);
}

/** MIME types that browsers display, by detected extension. */
const mimeTypes: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["webp", "image/webp"],
  ["ogg", "audio/ogg"],
  ["wav", "audio/wav"],
  ["flac", "audio/flac"],
]);

/**
 * Returns the MIME type of a picture or sound by its bytes; every other file is an octet stream, which no browser runs.
 */
export function mimeTypeOf(qpath: string, bytes: Uint8Array): string {
  const type = mimeTypes.get(contentType(bytes, bytes.length));
  // An MP3 may have any first bytes.
  return type ?? (extensionOf(qpath) === "mp3" ? "audio/mpeg" : "application/octet-stream");
}
