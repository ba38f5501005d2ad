/**
 * Finds the palettes of a view's indexed pictures.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { readBuildPalette } from "../pictures/art.ts";
import { type Palette, readPalette } from "../pictures/palette.ts";
import { pcxPalette } from "../pictures/pcx.ts";
import type { Surroundings } from "./converter.ts";

/** Games whose pictures have no colours of their own. */
export type PaletteGame = "quake" | "quake2" | "doom" | "build";

interface KnownPalette {
  readonly qpath: string;
  readonly read: typeof readPalette;
}

const quake: KnownPalette = { qpath: "gfx/palette.lmp", read: readPalette };
/** The palette that a WAD of textures has, if it is opened as an archive. */
const textureWad: KnownPalette = { qpath: "PALETTE.palette", read: readPalette };
const quake2: KnownPalette = { qpath: "pics/colormap.pcx", read: pcxPalette };
const doom: KnownPalette = { qpath: "PLAYPAL", read: readPalette };
const build: KnownPalette = { qpath: "PALETTE.DAT", read: readBuildPalette };

/**
 * Palettes by game, in the order in which they are tried; a WAD that is opened as an archive has its lumps in `lumps/`.
 */
const palettes: Readonly<Record<PaletteGame, readonly KnownPalette[]>> = {
  quake: [quake, quake2, textureWad],
  quake2: [quake2, quake],
  doom: [doom, { ...doom, qpath: "lumps/PLAYPAL" }],
  build: [build],
};

/**
 * Reads a palette from a palette file: a PCX, or the first 768 bytes of any other file.
 * @throws {MediaError} if it has none.
 */
export function readPaletteFile(bytes: Uint8Array, origin: string): Palette {
  const isPcx = bytes[0] === 0x0a && bytes.length > 128 + 769 && bytes.at(-769) === 0x0c;
  return isPcx ? pcxPalette(bytes, origin) : readPalette(bytes, origin);
}

/** Throws for an unreadable palette. */
function refuse(qpath: string, error: unknown): void {
  if (!(error instanceof MediaError)) throw error;
  throw new MediaError(`${qpath}: ${error.message}`, { cause: error });
}

/**
 * Returns the palette of a view; undefined if it has none.
 * @param game Game of the picture, whose palette is tried first.
 * @param onUnreadable Called with an unreadable palette before the next is tried; by default it throws.
 */
export async function viewPalette(
  surroundings: Pick<Surroundings, "file" | "palette">,
  game: PaletteGame,
  onUnreadable: (qpath: string, error: unknown) => void = refuse,
): Promise<Palette | undefined> {
  if (surroundings.palette) return surroundings.palette;
  for (const { qpath, read } of palettes[game]) {
    try {
      // deno-lint-ignore no-await-in-loop -- the next is only read if this one is missing
      const file = await surroundings.file(qpath);
      if (file) return read(file.bytes, qpath);
    } catch (error) {
      onUnreadable(qpath, error);
    }
  }
  return undefined;
}

/** Palette of a view without one: using it throws {@linkcode MediaError}. */
export const unknownPalette: Palette = {
  get colours(): Uint8Array {
    const known = [quake, quake2, doom, build].map(({ qpath }) => qpath).join(", ");
    throw new MediaError(`no palette: the view has none of ${known}; give one with --palette FILE`);
  },
  origin: "unknown",
};
