/**
 * The command `show`: pictures, sounds, maps and models. Its code is loaded on first use.
 * @module
 */
import { command } from "../command/command.ts";
import { paletteOption } from "../command/palette_option.ts";
import { graphicsChoices } from "../../media/mod.ts";

export const show = command({
  name: "show",
  aliases: ["preview"],
  group: "Browse",
  scope: "anywhere",
  live: true,
  rows: ["PictureRow", "SoundRow", "MapRow", "EntitiesRow", "ModelRow", "SpriteRow", "TextureWadRow", "TexturesRow"],
  summary: "show a picture, or describe a sound, map or model",
  arguments: [{ name: "QPATH", kind: "qpath" }],
  options: [
    {
      name: "texture",
      short: "t",
      value: "NAME",
      summary: "a texture of a map, a WAD or TEXTURE1, a skin of an MDL, a frame of an SPR",
    },
    paletteOption,
    { name: "png", value: "FILE", kind: "file", summary: "write the picture to a file" },
    {
      name: "graphics",
      value: "HOW",
      choices: graphicsChoices,
      summary: "how to show pictures; default: $PAKFS_GRAPHICS, else what the terminal supports",
    },
    { name: "width", value: "COLUMNS", summary: "maximum width of a picture; default: the terminal's width" },
    { name: "long", short: "l", summary: "list all textures of a map or WAD, all skins and frames of a model" },
  ],
  details: [
    "Pictures: LMP, PCX, TGA, PNG, JPEG, WAL, MIP, SPR, and the textures inside maps and WADs. Colours come from the " +
    "view's gfx/palette.lmp or pics/colormap.pcx; without them show uses guessed colours and reports it. Without a " +
    "terminal or colour (NO_COLOR) a line describes the picture.",
    "TEXTURE1 of Doom lists its textures with their patches; --texture NAME draws one. Sounds of Doom are shown as " +
    "WAVs are; Ogg (Vorbis, Opus, FLAC), FLAC and MP3 with their length and tags.",
    "For a map show lists the textures that the view lacks: for Quake 3 names without a shader or an image, and " +
    "shaders with missing images; for Quake 2 textures without a file; for Doom names of walls and floors. The same " +
    "applies to the skins of an MD2, MD3 or IQM, and the frames of an SP2.",
  ],
  examples: [
    { line: "show gfx/conback.lmp", does: "a picture in the terminal" },
    { line: "show maps/start.bsp --texture sky1 --png sky.png", does: "one texture of a map, as a file" },
    { line: "show maps/q3dm1.bsp", does: "its entities and missing textures" },
  ],
  async *run(context, input) {
    const { show } = await import("../show/show.ts");
    yield* show(context, input);
  },
});
