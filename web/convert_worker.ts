/**
 * A thread that converts files. It opens none: what it needs besides the file itself, it asks the server for. Results are
 * kept on disk, if a directory is given.
 * @module
 */
import {
  accepting,
  convertersOf,
  isWav,
  MediaError,
  type NamedFile,
  Reader,
  type Surroundings,
  type Target,
  type WholeSurroundings,
} from "../media/mod.ts";
import { crypto } from "../formats/parts.ts";
import { OwnChannel } from "../system/mod.ts";
import { KeptConversions, pruneConversions } from "./kept_conversions.ts";
import { thumbnail } from "./thumbnail.ts";

/** Result of a conversion: a small picture for lists, or one of the formats that converters write. */
export type Wanted = Target | "thumbnail";

/** Answers what a conversion needs besides its file. */
export type Finder = (
  needed: { readonly what: keyof WholeSurroundings; readonly name: string },
) => Promise<NamedFile | string | undefined>;

/** Converts one file at a time. */
export type FileConverter = typeof convert;

async function need<Found extends NamedFile | string>(
  what: keyof WholeSurroundings,
  name: string,
): Promise<Found | undefined> {
  return await channel.ask({ what, name }).catch(({ message }) => {
    throw new MediaError(message);
  }) as Found | undefined;
}

const surroundings: WholeSurroundings = {
  file: (qpath) => need("file", qpath),
  image: (name) => need("image", name),
  shader: (name) => need("shader", name),
};

async function converted(file: NamedFile, to: Wanted, surroundings: Surroundings): Promise<Uint8Array> {
  if (to === "thumbnail") return await thumbnail(file, surroundings);
  const converter = accepting(convertersOf(file.qpath, to), file.bytes, file.bytes.length);
  // Only rare encodings are converted; browsers play the others.
  if (!converter && to === "wav" && isWav(new Reader(file.bytes))) return file.bytes;
  if (!converter) throw new MediaError(`it is of a kind that is not converted to ${to}`);
  return await converter.convert(file, surroundings);
}

/** Maximum bytes that a thread writes, and that are left on disk when it begins to keep results. */
const room = { written: 128 * 1024 * 1024, left: 512 * 1024 * 1024 } as const;
/** Digest of the program, of whose modules a build makes one file; modules by themselves may change at any time. */
const program = import.meta.url.endsWith(".js")
  ? crypto().createHash("sha256").update(Deno.readFileSync(new URL(import.meta.url))).digest("hex")
  : undefined;
let kept: KeptConversions | undefined;

async function convert(
  { to, directory, ...file }: NamedFile & { readonly to: Wanted; readonly directory: string | undefined },
  transfer: Transferable[],
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (directory !== undefined && program !== undefined && !kept) {
      kept = new KeptConversions(directory, program, room.written);
      void pruneConversions(directory, room.left).catch(() => {});
    }
    const result = kept
      ? await kept.get(file, to, surroundings, (noted) => converted(file, to, noted))
      : await converted(file, to, surroundings);
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
