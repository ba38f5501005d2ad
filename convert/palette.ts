/**
 * Finds the colours of a view's indexed pictures.
 * @module
 */
import { MediaError } from "../media/core/reader.ts";
import { type Palette, readPalette } from "../media/pictures/palette.ts";
import { pcxPalette } from "../media/pictures/pcx.ts";
import type { Surroundings } from "./converter.ts";

/** Games whose pictures have no colours of their own. */
export type PaletteGame = "quake" | "quake2";

const palettes: Readonly<Record<PaletteGame, { qpath: string; read: typeof readPalette }>> = {
  quake: { qpath: "gfx/palette.lmp", read: readPalette },
  quake2: { qpath: "pics/colormap.pcx", read: pcxPalette },
};

/** Refuses a palette that cannot be read. */
function refuse(qpath: string, error: unknown): void {
  if (!(error instanceof MediaError)) throw error;
  throw new MediaError(`${qpath}: ${error.message}`, { cause: error });
}

/**
 * Returns the palette of a view; undefined if it has none.
 * @param game Game of the picture: its palette is looked up first.
 * @param onUnreadable Called with a palette that cannot be read, before the next is tried; by default it throws.
 */
export async function viewPalette(
  surroundings: Pick<Surroundings, "file">,
  game: PaletteGame,
  onUnreadable: (qpath: string, error: unknown) => void = refuse,
): Promise<Palette | undefined> {
  const order: readonly PaletteGame[] = game === "quake" ? ["quake", "quake2"] : ["quake2", "quake"];
  for (const which of order) {
    const { qpath, read } = palettes[which];
    try {
      // deno-lint-ignore no-await-in-loop -- the second is only read if the first is missing
      const file = await surroundings.file(qpath);
      if (file) return read(file.bytes, qpath);
    } catch (error) {
      onUnreadable(qpath, error);
    }
  }
  return undefined;
}

/** Colours of a view without a palette: to use them throws {@linkcode MediaError}. */
export const unknownPalette: Palette = {
  get colours(): Uint8Array {
    const known = Object.values(palettes).map(({ qpath }) => qpath).join(" nor ");
    throw new MediaError(`its colours are unknown: the view has neither ${known}`);
  },
  origin: "unknown",
};
