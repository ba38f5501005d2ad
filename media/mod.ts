/**
 * Interface of pictures, sounds, models and maps for other rooms: their kinds, readers, converters and previews.
 * @module
 */
export { ConversionThreads, DroppedError } from "./conversions/conversion_threads.ts";
export { Conversions, maxConvertedFile, type Wanted } from "./conversions/conversions.ts";
export {
  type Converter,
  type LoadedFile,
  type NamedFile,
  startBytes,
  type Target,
  targets,
  type WholeSurroundings,
} from "./convert/converter.ts";
export { type PaletteGame, readPaletteFile, viewPalette } from "./convert/palette.ts";
export { doomMapOf } from "./convert/doom_maps.ts";
export { DoomTextures } from "./convert/doom_textures.ts";
export { type DecodedPicture, pictureOf } from "./convert/pictures.ts";
export { lumpEnding, type Showing, showingOf, type ShownKind } from "./convert/showing.ts";
export { accepting, converters, convertersOf } from "./convert/table.ts";
export { DoomText, type DoomWord, doomWords } from "./core/doom_words.ts";
export { MediaError, Reader } from "./core/reader.ts";
export { prunedTextures, readPatchTextures } from "./doom_lumps.ts";
export { extensionOf, fileKindOf, isPicture, mimeTypeOf, type PictureKind } from "./file_kind.ts";
export { type GameMap, readBsp } from "./maps/bsp.ts";
export { type DoomMap, type DoomSurface, lumpsOfMapWad, textMapBlocks } from "./maps/doom_map.ts";
export { countClasses, type Entity, parseEntities } from "./maps/entities.ts";
export { asePath } from "./models/ase.ts";
export { decodeMdlSkin } from "./models/mdl.ts";
export type { Model, Point } from "./models/model.ts";
export { readModel } from "./models/model_file.ts";
export { readSkin } from "./models/skin.ts";
export { type ComposedTexture, readComposedTextures } from "./composed_texture.ts";
export { prunedDefinitions, readTextureDefinitions } from "./texture_definitions.ts";
export { builtInPalette, type Palette } from "./pictures/palette.ts";
export { emptyPicture, hasTransparency, type Picture } from "./pictures/picture.ts";
export { encodePng } from "./pictures/png_writer.ts";
export { decodeMip } from "./pictures/quake_picture.ts";
export { decodeFrame, frameSheet, isSprite, readSprite, readSpriteList } from "./pictures/sprite.ts";
export { decodeLump, readWad } from "./pictures/wad.ts";
export {
  detectedGraphics,
  type Graphics,
  graphicsChoices,
  showsAnyColour,
  type TerminalEnvironment,
} from "./preview/graphics.ts";
export { halfBlocks } from "./preview/half_blocks.ts";
export { kittyPicture } from "./preview/kitty.ts";
export { fittingSize, flattened, type Room, scaled } from "./preview/scale.ts";
export { sixelPicture } from "./preview/sixel.ts";
export { decodeDmx, encodeWav } from "./sounds/samples.ts";
export { readCompressedSound } from "./sounds/compressed.ts";
export { readWav, type Sound } from "./sounds/wav.ts";
