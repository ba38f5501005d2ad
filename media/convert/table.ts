/**
 * The table of converters.
 * @module
 */
import { extensionOf } from "../file_kind.ts";
import type { Converter, Target } from "./converter.ts";
import { doomTextureConverters } from "./doom_textures.ts";
import { mapConverters } from "./maps.ts";
import { modelConverters } from "./models.ts";
import { pictureConverters } from "./pictures.ts";
import { playerConverters } from "./players.ts";
import { soundConverters } from "./sounds.ts";
import { textConverters } from "./text.ts";
import { textureWadConverters } from "./texture_wads.ts";

/** All converters; the first one for a file is its default. */
export const converters: readonly Converter[] = [
  ...pictureConverters,
  ...soundConverters,
  ...modelConverters,
  ...playerConverters,
  ...mapConverters,
  ...textConverters,
  ...doomTextureConverters,
  ...textureWadConverters,
];

const byExtension = new Map<string, Converter[]>();
for (const converter of converters) {
  for (const extension of converter.extensions) {
    const known = byExtension.get(extension);
    if (known) known.push(converter);
    else byExtension.set(extension, [converter]);
  }
}

/** Returns the converters for a file, by its path, to a format or to any; the first that accepts it is the default. */
export function convertersOf(qpath: string, to?: Target): readonly Converter[] {
  const rows = byExtension.get(extensionOf(qpath)) ?? [];
  return rows.filter((row) => (to === undefined || row.to === to) && (row.paths?.test(qpath.toLowerCase()) ?? true));
}

/** Returns the first of these converters that accepts a file, by its first {@linkcode startBytes}. */
export function accepting(
  candidates: readonly Converter[],
  start: Uint8Array,
  fileSize: number,
): Converter | undefined {
  return candidates.find((converter) => converter.accepts?.(start, fileSize) ?? true);
}
