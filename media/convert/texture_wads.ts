/**
 * Converters of the WADs that maps of Quake and Half-Life have their textures from.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { type Palette, readPalette } from "../pictures/palette.ts";
import { emptyPicture, type Picture } from "../pictures/picture.ts";
import { compressedPng, storedPng } from "../pictures/png_writer.ts";
import { drawSheet, rowsLayout } from "../pictures/sheet.ts";
import { decodeLump, isTextureWad, type Lump, readWad } from "../pictures/wad.ts";
import type { Converter, NamedFile, Part, Surroundings } from "./converter.ts";
import { unknownPalette, viewPalette } from "./palette.ts";

/** Lump with the size of its picture. */
interface PictureLump extends Lump {
  readonly width: number;
  readonly height: number;
}

function hasSize(lump: Lump): lump is PictureLump {
  return lump.width !== null && lump.height !== null;
}

/** Returns the pictures of a WAD, and the palette for those without one: its own, else the view's. */
async function openWad({ bytes }: NamedFile, surroundings: Surroundings) {
  const lumps = readWad(bytes);
  const own = lumps.find(({ type, size }) => type === "palette" && size >= 768);
  const palette: Palette = surroundings.palette ??
    (own && readPalette(new Reader(bytes).slice(own.offset, own.size, own.name), own.name)) ??
    await viewPalette(surroundings, "quake") ?? unknownPalette;
  // Engines take the first lump of a name.
  const first = new Map(lumps.filter(hasSize).toReversed().map((lump) => [lump.name.toLowerCase(), lump]));
  return { lumps: [...first.values()].toReversed(), draw: (lump: Lump) => decodeLump(bytes, lump, palette).picture };
}

/** Draws all pictures on one sheet; damaged ones are empty. */
async function wadSheet(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const { lumps, draw } = await openWad(file, surroundings);
  const drawn = (lump: PictureLump): Picture => {
    try {
      return draw(lump);
    } catch (error) {
      if (!(error instanceof MediaError) || lumps.length === 1) throw error;
      return emptyPicture(1, 1);
    }
  };
  return storedPng(drawSheet(lumps, drawn, rowsLayout));
}

async function wadParts(file: NamedFile, surroundings: Surroundings): Promise<Part[]> {
  const { lumps, draw } = await openWad(file, surroundings);
  const folder = file.qpath.replace(/^.*\//s, "").replace(/\.[^.]*$/, "");
  return lumps.map((lump) => ({
    name: `${folder}/${lump.name.toLowerCase()}`,
    convert: () => Promise.resolve(compressedPng(storedPng(draw(lump)))),
  }));
}

/** Converters of WADs of textures. */
export const textureWadConverters: readonly Converter[] = [{
  name: "wad-png",
  title: "texture WADs: a sheet, or each texture in a folder",
  extensions: ["wad"],
  to: "png",
  accepts: (start) => isTextureWad(new Reader(start)),
  convert: wadSheet,
  parts: wadParts,
}];
