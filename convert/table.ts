/**
 * The table of converters.
 * @module
 */
import { extensionOf } from "../media/file_kind.ts";
import type { Converter, Target } from "./converter.ts";
import { pictureConverters } from "./pictures.ts";

/** All converters; of those for one file the first is the usual one. */
export const converters: readonly Converter[] = [...pictureConverters];

const byExtension = new Map<string, Converter[]>();
for (const converter of converters) {
  for (const extension of converter.extensions) {
    const known = byExtension.get(extension);
    if (known) known.push(converter);
    else byExtension.set(extension, [converter]);
  }
}

/** Returns the converters for a file, by its path; the first is the usual one. */
export function convertersOf(qpath: string): readonly Converter[] {
  const rows = byExtension.get(extensionOf(qpath)) ?? [];
  return rows.filter(({ paths }) => !paths || paths.test(qpath.toLowerCase()));
}

/** Returns the converter for a file, to a format or the usual one; undefined if it has none. */
export function converterOf(qpath: string, to?: Target): Converter | undefined {
  return convertersOf(qpath).find((converter) => to === undefined || converter.to === to);
}
