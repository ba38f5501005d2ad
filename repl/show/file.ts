/**
 * Reads the file to show.
 * @module
 */
import type { Palette } from "../../media/mod.ts";
import { shellWord } from "../../system/mod.ts";
import { ask, type Context, inView } from "../command/command.ts";
import { content } from "../command/content.ts";
import { CommandError } from "../output/failure.ts";
import { Progress } from "../output/progress.ts";
import { humanSize } from "../output/human.ts";

/** A context with the palette given by the user. */
export interface ShownContext extends Context {
  readonly palette?: Palette | undefined;
}

/** A file of the view, in memory. */
export interface ShownFile {
  readonly qpath: string;
  /** The view, as `game/gamedirectory`. */
  readonly view: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Maximum size of a file to show, in bytes. */
export const maxFile = 256 * 1024 * 1024;

/**
 * Reads a file of the current view.
 * @throws {RpcError} if it is missing or cannot be read.
 * @throws {CommandError} if it is a directory or too large.
 */
export async function wholeFile(context: Context, qpath: string): Promise<ShownFile> {
  const row = await ask(context, "stat", { ...inView(context), qpath });
  if (row.type === "directory") {
    throw new CommandError(`${row.qpath} is a directory; ls ${shellWord(row.qpath)} lists it`);
  }
  if (row.size > maxFile) {
    throw new CommandError(
      `${row.qpath}: ${humanSize(row.size)} exceed the limit of ${humanSize(maxFile)}; use extract`,
    );
  }
  const progress = new Progress(context.output);
  const bytes = new Uint8Array(row.size);
  let length = 0;
  for await (const piece of content(context, qpath)) {
    if (length + piece.length > bytes.length) throw new CommandError(`${row.qpath} grew while it was read`);
    bytes.set(piece, length);
    length += piece.length;
    progress.update(() => `${row.qpath}: ${humanSize(length)} of ${humanSize(row.size)}`);
  }
  progress.end();
  return { qpath: row.qpath, view: row.view, bytes: bytes.subarray(0, length) };
}
