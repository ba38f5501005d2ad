/**
 * A thread that converts files. It opens none: what it needs besides the file itself, it asks the server for. Results are
 * kept on disk, if a directory is given.
 * @module
 */
import type { LoadedFile, NamedFile, WholeSurroundings } from "../convert/converter.ts";
import { MediaError } from "../core/reader.ts";
import type { Palette } from "../pictures/palette.ts";
import { OwnChannel } from "../../system/mod.ts";
import { type Answer, Conversions, type Wanted } from "./conversions.ts";

/** Answers what a conversion needs besides its file. */
export type Finder = (
  needed: { readonly what: keyof WholeSurroundings; readonly name: string },
) => Promise<Answer>;

/** Converts one file at a time. */
export type FileConverter = typeof convert;

async function need<Found extends Answer>(what: keyof WholeSurroundings, name: string): Promise<Found> {
  return await channel.ask({ what, name }).catch(({ message }) => {
    throw new MediaError(message);
  }) as Found;
}

const surroundings: WholeSurroundings = {
  file: (qpath) => need<NamedFile | undefined>("file", qpath),
  files: (qpath) => need<readonly LoadedFile[]>("files", qpath),
  image: (name) => need("image", name),
  shader: (name) => need("shader", name),
};

let conversions: Conversions | undefined;

/** A file to convert. */
interface Order extends NamedFile {
  readonly to: Wanted;
  readonly palette: Palette | undefined;
  readonly directory: string | undefined;
}

async function convert(
  { to, palette, directory, ...file }: Order,
  transfer: Transferable[],
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    conversions ??= new Conversions(directory);
    const result = await conversions.get(file, to, { ...surroundings, palette });
    // A part of a larger buffer is copied, and so is one that is shared.
    const isWhole = result.buffer instanceof ArrayBuffer && result.buffer.byteLength === result.length;
    const bytes = isWhole ? result as Uint8Array<ArrayBuffer> : result.slice();
    transfer.push(bytes.buffer);
    return bytes;
  } catch (error) {
    if (error instanceof MediaError) throw error;
    // Ends the thread, and the server reports it.
    reportError(error);
    return await new Promise<never>(() => {});
  }
}

const channel = new OwnChannel<never, never, Finder, FileConverter>(undefined, convert);
