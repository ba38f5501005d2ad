/**
 * Converts files, and keeps the results on disk for all programs of this user.
 *
 * A result is kept under the SHA-256 of the converters, its format, and the path and bytes of its file. It lists what else
 * its conversion requested, each with the SHA-256 of the answer, and is used only while all of them are answered alike:
 * neither the view nor its source matters, no time of a file is trusted, and a refresh invalidates nothing here.
 * @module
 */
import { dirname, join } from "@std/path";
import { crypto } from "../../formats/parts.ts";
import { ownFileBytes, programDigest, writeOwnFile } from "../../system/mod.ts";
import {
  type LoadedFile,
  type NamedFile,
  startBytes,
  type Target,
  type WholeSurroundings,
} from "../convert/converter.ts";
import { accepting, convertersOf } from "../convert/table.ts";
import { MediaError, Reader } from "../core/reader.ts";
import type { Palette } from "../pictures/palette.ts";
import { compressedPng } from "../pictures/png_writer.ts";
import { isWav } from "../sounds/wav.ts";
import { thumbnail } from "./thumbnail.ts";

/** Result of a conversion: a format that converters write, a PNG that is compressed, or a small picture for lists. */
export type Wanted = Target | "compressed" | "thumbnail";

/** Answers what a conversion needs besides its file. */
export type Answers = WholeSurroundings & { readonly palette?: Palette | undefined };

/** Bytes of a file; larger ones are not converted, and so not read. */
export const maxConvertedFile = 256 * 1024 * 1024;
/** Larger results are not kept; bytes. */
const maxResult = 32 * 1024 * 1024;
/** Maximum bytes of the list of what a conversion requested: its result is not kept if it requests more. */
const maxDescription = 64 * 1024;
/** Bytes of all results, and that a program writes before it removes the oldest. */
const usualBounds = { all: 512 * 1024 * 1024, written: 64 * 1024 * 1024 };
const ending = ".converted";
/** Characters of a digest. */
const digestLength = 64;

/** An answer that a conversion got: a question, a name, and the digest of the answer. */
type Input = readonly [what: keyof WholeSurroundings, name: string, digest: string];

/** Returns the SHA-256 of strings and bytes. */
function digestOf(...parts: readonly (Uint8Array | string)[]): string {
  const hash = crypto().createHash("sha256");
  for (const part of parts) hash.update(typeof part === "string" ? `${part.length} ${part} ` : part);
  return hash.digest().toHex();
}

/** An answer to a lookup. */
export type Answer = NamedFile | string | readonly LoadedFile[] | undefined;

function isList(answer: Answer): answer is readonly LoadedFile[] {
  return Array.isArray(answer);
}

function answerDigest(answer: Answer): string {
  if (answer === undefined) return "none";
  if (isList(answer)) return digestOf(...answer.flatMap(({ qpath, source, bytes }) => [qpath, source, bytes]));
  return typeof answer === "string" ? digestOf(answer) : digestOf(answer.qpath, answer.bytes);
}

/** Options of {@linkcode Conversions}. */
export interface ConversionsOptions {
  /** Word that is another one for every version of the converters. */
  readonly program?: string;
  /** Maximum bytes of all results, when a program removes the oldest: after it has written as much as `written`. */
  readonly bounds?: { readonly all: number; readonly written: number };
  /** Does work that waits for the disk. */
  readonly onDisk?: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** Converts files, or finds results of earlier conversions. */
export class Conversions {
  /** Number of conversions, without those whose results were kept. */
  converted = 0;
  readonly #directory: string | undefined;
  readonly #program: string;
  readonly #bounds: { readonly all: number; readonly written: number };
  readonly #onDisk: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly #mayWrite: boolean;
  /** Bytes since the oldest were removed. Programs that write little remove seldom. */
  #written: number;

  /** @param directory Directory of the results; undefined: none are kept. */
  constructor(directory: string | undefined, options: ConversionsOptions = {}) {
    const { program = directory && programDigest(), bounds = usualBounds, onDisk = (work) => work() } = options;
    this.#directory = program && directory;
    this.#program = program ?? "";
    this.#bounds = bounds;
    this.#onDisk = onDisk;
    this.#written = Math.random() * bounds.written;
    this.#mayWrite = directory !== undefined &&
      Deno.permissions.querySync({ name: "write", path: directory }).state === "granted";
  }

  /**
   * Returns a file in another format.
   * @throws {MediaError} if it, or a file that it needs, is damaged, or if it is of a kind that is not converted.
   */
  async get(file: NamedFile, to: Wanted, surroundings: Answers): Promise<Uint8Array> {
    const path = this.#pathOf(file, to, surroundings);
    const kept = await this.#kept(path, surroundings);
    if (kept) return kept;
    const noted = new NotedInputs(surroundings);
    const bytes = await this.#convert(file, to, noted);
    if (path !== undefined && !noted.areUnsure) await this.#keep(path, noted.inputs, bytes);
    return bytes;
  }

  async #convert(file: NamedFile, to: Wanted, surroundings: Answers): Promise<Uint8Array> {
    const { qpath, bytes } = file;
    if (to === "compressed") {
      const png = await this.#kept(this.#pathOf(file, "png", surroundings), surroundings);
      return compressedPng(png ?? await this.#convert(file, "png", surroundings));
    }
    const converter = to === "thumbnail"
      ? { convert: thumbnail }
      : accepting(convertersOf(qpath, to), bytes.subarray(0, startBytes), bytes.length);
    // Only rare encodings are converted; programs play the others.
    if (!converter && to === "wav" && isWav(new Reader(bytes))) return bytes;
    if (!converter) throw new MediaError(`it is of a kind that is not converted to ${to}`);
    const result = await converter.convert(file, surroundings);
    this.converted++;
    return result;
  }

  #pathOf({ qpath, bytes }: NamedFile, to: Wanted, { palette }: Answers): string | undefined {
    if (this.#directory === undefined) return undefined;
    const name = digestOf(this.#program, to, qpath, palette ? palette.colours.toHex() : "", bytes);
    return join(this.#directory, name + ending);
  }

  /** Returns the kept result of a path, if what its conversion requested is answered alike. */
  async #kept(path: string | undefined, surroundings: Answers): Promise<Uint8Array | undefined> {
    if (path === undefined) return undefined;
    const kept = await this.#onDisk(() => Promise.resolve(readKept(path)));
    return kept && await areAnsweredAlike(kept.inputs, surroundings) ? kept.bytes : undefined;
  }

  async #keep(path: string, inputs: readonly Input[], bytes: Uint8Array): Promise<void> {
    const description = new TextEncoder().encode(`${JSON.stringify(inputs)}\n`);
    if (!this.#mayWrite || bytes.length > maxResult || description.length > maxDescription) return;
    const pieces = [new TextEncoder().encode(digestOf(description, bytes)), description, bytes];
    this.#written += digestLength + description.length + bytes.length;
    // Where it cannot be written, it is converted again the next time.
    await this.#onDisk(async () => {
      await writeOwnFile(dirname(path), path, pieces);
      if (this.#written < this.#bounds.written) return;
      this.#written = 0;
      await pruneConversions(dirname(path), this.#bounds.all);
    }).catch(() => {});
  }
}

/** Returns a kept result; undefined if there is none, or it is not as it was written. */
function readKept(path: string): { readonly inputs: readonly Input[]; readonly bytes: Uint8Array } | undefined {
  try {
    const whole = ownFileBytes(path, digestLength + maxDescription + maxResult);
    const [digest, rest] = [whole.subarray(0, digestLength), whole.subarray(digestLength)];
    if (digestOf(rest) !== new TextDecoder().decode(digest)) return undefined;
    const end = rest.indexOf(10) + 1;
    return { inputs: JSON.parse(new TextDecoder().decode(rest.subarray(0, end))), bytes: rest.subarray(end) };
  } catch {
    return undefined;
  }
}

async function areAnsweredAlike(inputs: readonly Input[], surroundings: WholeSurroundings): Promise<boolean> {
  try {
    for (const [what, name, digest] of inputs) {
      // deno-lint-ignore no-await-in-loop -- most have one, and the first that differs is enough
      if (answerDigest(await surroundings[what](name)) !== digest) return false;
    }
    return true;
  } catch {
    return false; // the conversion says why it cannot be read
  }
}

/** Answers as others do, and notes the digests. */
class NotedInputs implements Answers {
  readonly palette: Palette | undefined;
  readonly #surroundings: WholeSurroundings;
  readonly #inputs = new Map<string, Input>();
  /** Whether a request had no answer, or two. */
  areUnsure = false;

  constructor(surroundings: Answers) {
    this.palette = surroundings.palette;
    this.#surroundings = surroundings;
  }

  get inputs(): readonly Input[] {
    return Array.from(this.#inputs.values());
  }

  file(qpath: string): Promise<NamedFile | undefined> {
    return this.#noted("file", qpath, this.#surroundings.file(qpath));
  }

  files(qpath: string): Promise<readonly LoadedFile[]> {
    return this.#noted("files", qpath, this.#surroundings.files(qpath));
  }

  image(name: string): Promise<NamedFile | undefined> {
    return this.#noted("image", name, this.#surroundings.image(name));
  }

  shader(name: string): Promise<string | undefined> {
    return this.#noted("shader", name, this.#surroundings.shader(name));
  }

  async #noted<Found extends Answer>(
    what: keyof WholeSurroundings,
    name: string,
    answer: Promise<Found>,
  ): Promise<Found> {
    try {
      const found = await answer;
      const [key, digest] = [`${what} ${name}`, answerDigest(found)];
      if ((this.#inputs.get(key)?.[2] ?? digest) !== digest) this.areUnsure = true;
      this.#inputs.set(key, [what, name, digest]);
      return found;
    } catch (error) {
      this.areUnsure = true;
      throw error;
    }
  }
}

/** Removes the oldest results of a directory until those left have at most `most` bytes. */
export async function pruneConversions(directory: string, most: number): Promise<void> {
  const files: { readonly path: string; readonly size: number; readonly time: number }[] = [];
  for await (const { name, isFile } of Deno.readDir(directory)) {
    if (!isFile || !name.includes(ending)) continue;
    const path = join(directory, name);
    const found = await Deno.lstat(path).catch(() => undefined); // another process may remove it
    if (found) files.push({ path, size: found.size, time: found.mtime?.getTime() ?? 0 });
  }
  let bytes = 0;
  for (const { path, size } of files.sort((a, b) => b.time - a.time)) {
    bytes += size;
    // deno-lint-ignore no-await-in-loop -- few are removed
    if (bytes > most) await Deno.remove(path).catch(() => {});
  }
}
