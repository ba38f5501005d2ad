/**
 * Results of conversions on disk, from one visit of the page to the next.
 *
 * A result is kept under the SHA-256 of its program, its format, and the path and bytes of its file. It lists what else
 * its conversion requested, each with the SHA-256 of the answer, and is used only while all of them are answered alike:
 * neither the view nor its source matters, and no time of a file is trusted.
 * @module
 */
import { join } from "node:path";
import { crypto } from "../formats/parts.ts";
import { readOwnFile, writeOwnFile } from "../index/mod.ts";
import type { NamedFile, Surroundings, WholeSurroundings } from "../media/mod.ts";

/** Larger results are not kept; bytes. */
const maxResult = 32 * 1024 * 1024;
/** Maximum bytes of the description of a result: it is not kept if its conversion requests more. */
const maxDescription = 64 * 1024;
const ending = ".converted";

/** An answer that a conversion got: a question, a name, and the digest of the answer. */
type Input = readonly [what: keyof WholeSurroundings, name: string, digest: string];

/** Bytes of files that are added one after the other, as a word. */
function digestOf(...parts: readonly (Uint8Array | string)[]): string {
  const hash = crypto().createHash("sha256");
  for (const part of parts) hash.update(typeof part === "string" ? `${part.length} ${part} ` : part);
  return hash.digest().toHex();
}

function answerDigest(answer: NamedFile | string | undefined): string {
  if (answer === undefined) return "none";
  return typeof answer === "string" ? digestOf(answer) : digestOf(answer.qpath, answer.bytes);
}

/** Keeps results of conversions in a directory. */
export class KeptConversions {
  readonly #directory: string;
  readonly #program: string;
  #room: number;

  /**
   * @param program Word that is another one for every version of the converters.
   * @param room Maximum bytes that are written.
   */
  constructor(directory: string, program: string, room: number) {
    this.#directory = directory;
    this.#program = program;
    this.#room = room;
  }

  /** Returns the kept result for a file, or what `convert` returns, which is kept. */
  async get(
    file: NamedFile,
    to: string,
    surroundings: WholeSurroundings,
    convert: (surroundings: Surroundings) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const path = join(this.#directory, digestOf(this.#program, to, file.qpath, file.bytes) + ending);
    const kept = readKept(path);
    if (kept && await areAnsweredAlike(kept.inputs, surroundings)) return kept.bytes;
    const noted = new NotedInputs(surroundings);
    const bytes = await convert(noted);
    if (!noted.hasFailed) await this.#keep(path, noted.inputs, bytes);
    return bytes;
  }

  async #keep(path: string, inputs: readonly Input[], bytes: Uint8Array): Promise<void> {
    const description = new TextEncoder().encode(`${JSON.stringify({ inputs, digest: digestOf(bytes) })}\n`);
    const size = description.length + bytes.length;
    if (bytes.length > maxResult || description.length > maxDescription || size > this.#room) return;
    this.#room -= size;
    // Where it cannot be written, it is converted again the next time.
    await writeOwnFile(this.#directory, path, [description, bytes]).catch(() => {});
  }
}

/** Returns a kept result; undefined if there is none, or it is not as it was written. */
function readKept(path: string): { readonly inputs: readonly Input[]; readonly bytes: Uint8Array } | undefined {
  try {
    const whole = readOwnFile(path, maxDescription + maxResult, ({ size, read }) => {
      const bytes = new Uint8Array(size);
      read(bytes);
      return bytes;
    });
    const end = whole.indexOf(10);
    const { inputs, digest } = JSON.parse(new TextDecoder().decode(whole.subarray(0, end)));
    const bytes = whole.slice(end + 1);
    return digestOf(bytes) === digest ? { inputs, bytes } : undefined;
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
class NotedInputs implements Surroundings {
  readonly #surroundings: WholeSurroundings;
  readonly #inputs = new Map<string, Input>();
  /** Whether a request had no answer. */
  hasFailed = false;

  constructor(surroundings: WholeSurroundings) {
    this.#surroundings = surroundings;
  }

  get inputs(): readonly Input[] {
    return Array.from(this.#inputs.values());
  }

  file(qpath: string): Promise<NamedFile | undefined> {
    return this.#noted("file", qpath, this.#surroundings.file(qpath));
  }

  image(name: string): Promise<NamedFile | undefined> {
    return this.#noted("image", name, this.#surroundings.image(name));
  }

  shader(name: string): Promise<string | undefined> {
    return this.#noted("shader", name, this.#surroundings.shader(name));
  }

  async #noted<Found extends NamedFile | string>(
    what: keyof WholeSurroundings,
    name: string,
    answer: Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    try {
      const found = await answer;
      this.#inputs.set(`${what} ${name}`, [what, name, answerDigest(found)]);
      return found;
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}

/** Removes the oldest results of a directory until those left have at most `most` bytes. */
export async function pruneConversions(directory: string, most: number): Promise<void> {
  const files: { readonly path: string; readonly size: number; readonly time: number }[] = [];
  try {
    for await (const { name, isFile } of Deno.readDir(directory)) {
      if (!isFile || !name.includes(ending)) continue;
      const path = join(directory, name);
      const found = await Deno.lstat(path).catch(() => undefined); // another process may remove it
      if (found) files.push({ path, size: found.size, time: found.mtime?.getTime() ?? 0 });
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  let bytes = 0;
  for (const { path, size } of files.sort((a, b) => b.time - a.time)) {
    bytes += size;
    // deno-lint-ignore no-await-in-loop -- few are removed
    if (bytes > most) await Deno.remove(path).catch(() => {});
  }
}
