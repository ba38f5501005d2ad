/**
 * Decides how a file is shown, by its path and its first bytes: the same for every program.
 * @module
 */
import { mimeTypeOf } from "../file_kind.ts";
import { isRareWav } from "../sounds/samples.ts";
import { startBytes, type Target } from "./converter.ts";
import { accepting, convertersOf } from "./table.ts";
import { isText } from "./text.ts";

/** Kind of a file, in the words of a person. */
export type ShownKind = "picture" | "sound" | "music" | "model" | "text" | "data";

/** How a file is shown. */
export interface Showing {
  readonly kind: ShownKind;
  /** Format that browsers and editors open; null if they open the file itself. */
  readonly to: Target | null;
  /** All formats that the file is converted to, the default one first. */
  readonly targets: readonly Target[];
}

const kinds: Readonly<Record<Target, ShownKind>> = {
  png: "picture",
  wav: "sound",
  mid: "music",
  glb: "model",
  svg: "picture",
  json: "text",
  txt: "text",
};

/**
 * Returns how a file is shown.
 * @param start Its first {@linkcode startBytes}, or all of it.
 */
export function showingOf(qpath: string, start: Uint8Array, fileSize: number): Showing {
  const rows = convertersOf(qpath).filter((row) => row.accepts?.(start, fileSize) ?? true);
  const targets = [...new Set(rows.map(({ to }) => to))];
  const shown = (kind: ShownKind, to: Target | null = null): Showing => ({ kind, to, targets });
  const [type] = mimeTypeOf(qpath, start).split("/");
  if (type === "image") return shown("picture");
  if (type === "audio") return isRareWav(start) ? shown("sound", "wav") : shown("sound");
  const row = accepting(rows, start, fileSize);
  if (row) return shown(kinds[row.to], row.isCopy ? null : row.to);
  return shown(isText(start.subarray(0, startBytes)) ? "text" : "data");
}

/**
 * Returns the format that a file without an extension becomes where all files are converted; undefined if it stays as it
 * is: what no one opens, and text, which any program opens.
 * @param start Its first {@linkcode startBytes}, or all of it.
 */
export function lumpEnding(qpath: string, start: Uint8Array, fileSize: number): Target | undefined {
  const row = accepting(convertersOf(qpath), start, fileSize);
  return row?.isCopy && row.to === "txt" ? undefined : row?.to;
}
