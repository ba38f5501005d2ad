/**
 * Shared between the session and the converters: the names of converted files, and the inputs that conversions
 * requested. Converters record inputs before they reply, and the session reads these notes, since a result is outdated
 * when one of its inputs changes.
 * @module
 */
import { at, none } from "../../index/mod.ts";
import { everyImagePath } from "../../questions/mod.ts";
import { judgedCandidates, type View } from "../../views/mod.ts";

/** Inputs of a conversion. */
export interface ConversionInputs {
  /** Upper and lower half of the id of the converted file. */
  readonly high: number;
  readonly low: number;
  /**
   * Paths in the view, joined with {@linkcode pathSeparator}; a path with a trailing slash stands for all files there.
   * See also {@linkcode anyImage} and {@linkcode everyCopy}.
   */
  readonly paths: string;
}

/** Separates paths: no path contains it. */
export const pathSeparator = "\0";

/** Maximum bytes of the paths of one conversion. */
const maxPathBytes = 64 * 1024;
const control = { written: 0, taken: 1, isLost: 2 } as const;
const controlWords = 3;
/** Length of the paths in bytes, and both halves of the id. */
const headerWords = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Row of the table of converters, as far as names depend on it. */
interface NamingRow<Format> {
  readonly to: Format;
  /** Whether the content of a file decides. */
  readonly isByContent: boolean;
}

/**
 * Returns the format in which a file is shown, from the rows for its path: a listing reads no content. Lumps have no
 * extension: their directory must determine one format.
 */
export function shownFormat<Format>(rows: readonly NamingRow<Format>[], extension: string): Format | undefined {
  if (extension !== "") return rows.find(({ isByContent }) => !isByContent)?.to;
  const [first] = rows;
  // Text is shown unchanged.
  return first && first.to !== "txt" && rows.every(({ to }) => to === first.to) ? first.to : undefined;
}

/** Extension in {@linkcode anyImage}. */
const anyExtension = ".*";

/** Returns the note for the images of a name with any extension. */
export function anyImage(name: string): string {
  return `${name}${anyExtension}`;
}

/** End of {@linkcode everyCopy}. */
const anyCopy = "//";

/** Returns the note for all files at a path, not only the winner. */
export function everyCopy(path: string): string {
  return `${path}${anyCopy}`;
}

/** Returns the entries of all files at the path of such a note; undefined for other notes. */
export function copiesAt(view: View, noted: string): number[] | undefined {
  if (!noted.endsWith(anyCopy)) return undefined;
  return judgedCandidates(view, noted.slice(0, -anyCopy.length)).map(({ entry }) => entry);
}

/** Returns the paths that a note stands for. */
export function pathsOf(noted: string): string[] {
  return noted.endsWith(anyExtension) ? everyImagePath(noted.slice(0, -anyExtension.length)) : [noted];
}

/** Returns the entry for a path in a view, or {@linkcode none}, like its tree, which need not be resolved. */
export function entryAt(view: View, qpath: string): number {
  const [winner] = judgedCandidates(view, qpath);
  return winner?.reason === null ? winner.entry : none;
}

/** Notes of one converter, which only this converter adds and only the session thread reads. */
export class InputNotes {
  readonly #control: Int32Array;
  readonly #ring: Uint32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#control = new Int32Array(buffer, 0, controlWords);
    this.#ring = new Uint32Array(buffer, controlWords * 4);
  }

  /** Records the requested paths of a conversion; if there is no space, records that notes were lost. */
  add({ high, low, paths }: ConversionInputs): void {
    const text = encoder.encode(paths);
    const padded = new Uint8Array(Math.ceil(text.length / 4) * 4);
    padded.set(text);
    const words = [text.length, high, low, ...new Uint32Array(padded.buffer)];
    const written = Atomics.load(this.#control, control.written);
    const used = (written - Atomics.load(this.#control, control.taken) + this.#ring.length) % this.#ring.length;
    if (text.length > maxPathBytes || used + words.length >= this.#ring.length) {
      Atomics.store(this.#control, control.isLost, 1);
      return;
    }
    for (const [index, word] of words.entries()) this.#ring[(written + index) % this.#ring.length] = word;
    Atomics.store(this.#control, control.written, (written + words.length) % this.#ring.length);
  }

  /** Returns whether notes were lost since the last call: any conversion may have requested any file. */
  takeLoss(): boolean {
    return Atomics.exchange(this.#control, control.isLost, 0) !== 0;
  }

  /** Returns whether the notes should be read soon. */
  get isHalfFull(): boolean {
    const written = Atomics.load(this.#control, control.written);
    return (written - Atomics.load(this.#control, control.taken) + this.#ring.length) % this.#ring.length >
      this.#ring.length / 2;
  }

  /** Yields the notes added since the last call. */
  *take(): Generator<ConversionInputs> {
    const written = Atomics.load(this.#control, control.written);
    for (let start = Atomics.load(this.#control, control.taken); start !== written;) {
      const word = (index: number) => at(this.#ring, (start + index) % this.#ring.length);
      const length = word(0);
      const textWords = Uint32Array.from({ length: Math.ceil(length / 4) }, (_, index) => word(headerWords + index));
      const paths = decoder.decode(new Uint8Array(textWords.buffer, 0, length));
      const note = { high: word(1), low: word(2), paths };
      start = (start + headerWords + textWords.length) % this.#ring.length;
      Atomics.store(this.#control, control.taken, start);
      yield note;
    }
  }
}
