/**
 * The data that is measured on: a tree like a game's, on the native filesystem, and archives made of it. Made once and
 * kept in a cache directory.
 * @module
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createArchive } from "@pakfs/pakfs/formats";

/** How the members of an archive are packed. */
export type Packing = "deflated" | "stored";

/** How much data there is. */
export interface DataSize {
  /** Number of small files. */
  readonly files: number;
  /** Bytes of each small file. */
  readonly fileBytes: number;
  /** Bytes of the one large file. */
  readonly largeBytes: number;
}

/** The sizes of a full run. */
export const fullSize: DataSize = { files: 20_000, fileBytes: 4096, largeBytes: 256 * 1024 * 1024 };
/** The sizes of a run with `--quick`. */
export const quickSize: DataSize = { files: 2000, fileBytes: 4096, largeBytes: 32 * 1024 * 1024 };

/** Where the data lies, and what it is. */
export interface BenchData extends DataSize {
  /** The tree on the native filesystem. */
  readonly tree: string;
  /** Archives of the tree. */
  readonly archives: Readonly<Record<Packing, string>>;
  /** Bytes of the archives. */
  readonly archiveBytes: Readonly<Record<Packing, number>>;
  /** Names the small files in archive order: CRC-32 in hex, size, path, separated by tabs. */
  readonly list: string;
  /** Path of the first small file in the tree. */
  readonly firstPath: string;
  /** Path of the large file in the tree. */
  readonly largePath: string;
  /** CRC-32 of the large file, in hex. */
  readonly largeChecksum: string;
}

/** To be raised when the data would come out differently: what was made before is then made anew. */
const generation = 1;
const filesPerDirectory = 100;
const wordCount = 2048;
const largePath = "video/intro.roq";

/** Numbers that look random and are the same in every run (xorshift, after Marsaglia 2003). */
class Sequence {
  #state = 0x2545f491;

  next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state >>> 0;
  }
}

/** Content that deflate shrinks to somewhat more than half, as it does with the textures and sounds of games. */
class ContentMaker {
  readonly #sequence = new Sequence();
  readonly #words: Uint8Array[];

  constructor() {
    this.#words = Array.from({ length: wordCount }, () => {
      const word = new Uint8Array(3 + this.#sequence.next() % 10);
      for (let index = 0; index < word.length; index++) word[index] = (this.#sequence.next() >>> 8) % 256;
      return word;
    });
  }

  make(size: number): Uint8Array<ArrayBuffer> {
    const content = new Uint8Array(size);
    for (let done = 0; done < size;) {
      // The product of two uniform numbers makes some words common and most rare.
      const place = (this.#sequence.next() % wordCount) * (this.#sequence.next() % wordCount) / wordCount;
      const word = this.#words[Math.floor(place)] ?? new Uint8Array(1);
      content.set(word.subarray(0, size - done), done);
      done += word.length;
    }
    return content;
  }
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}

function smallPath(index: number): string {
  const directory = String(Math.floor(index / filesPerDirectory)).padStart(3, "0");
  return `textures/set${directory}/wall${String(index % filesPerDirectory).padStart(2, "0")}.tga`;
}

async function writeTree(directory: string, size: DataSize): Promise<{ list: string; largeChecksum: string }> {
  const maker = new ContentMaker();
  const lines: string[] = [];
  for (let index = 0; index < size.files; index++) {
    const path = smallPath(index);
    const content = maker.make(size.fileBytes);
    // deno-lint-ignore no-await-in-loop -- directories before their files
    if (index % filesPerDirectory === 0) await Deno.mkdir(join(directory, path, ".."), { recursive: true });
    // deno-lint-ignore no-await-in-loop -- one content in memory at a time
    await Deno.writeFile(join(directory, path), content);
    lines.push(`${hex(crc32(content))}\t${content.length}\t${path}\n`);
  }
  await Deno.mkdir(join(directory, largePath, ".."), { recursive: true });
  using large = await Deno.open(join(directory, largePath), { write: true, createNew: true });
  let checksum = 0;
  for (let done = 0; done < size.largeBytes;) {
    const part = maker.make(Math.min(1024 * 1024, size.largeBytes - done));
    for (let written = 0; written < part.length;) {
      // deno-lint-ignore no-await-in-loop -- a short write is followed by the rest
      written += await large.write(part.subarray(written));
    }
    checksum = crc32(part, checksum);
    done += part.length;
  }
  return { list: lines.join(""), largeChecksum: hex(checksum) };
}

/** What `manifest.json` holds: written last, so that its presence means that all is there. */
type Manifest = Pick<BenchData, "archiveBytes" | "largeChecksum">;

async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function make(folder: string, size: DataSize, tell: (text: string) => void): Promise<Manifest> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const tree = join(folder, "tree");
  tell(`making data in ${folder}: ${size.files} files`);
  const { list, largeChecksum } = await writeTree(tree, size);
  await Deno.writeTextFile(join(folder, "members.tsv"), list);
  tell("packing: deflated");
  const deflated = await createArchive(join(folder, "deflated.pk3"), tree, { method: "deflate" });
  tell("packing: stored");
  const stored = await createArchive(join(folder, "stored.pk3"), tree, { method: "store" });
  const manifest = { largeChecksum, archiveBytes: { deflated: deflated.bytes, stored: stored.bytes } };
  await Deno.writeTextFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return manifest;
}

/** The data of that size below `cache`, made if it is not there yet. `tell` hears what takes long. */
export async function prepareData(cache: string, size: DataSize, tell: (text: string) => void): Promise<BenchData> {
  const folder = join(cache, `${size.files}x${size.fileBytes}+${size.largeBytes}-${generation}`);
  const manifest = await readManifest(join(folder, "manifest.json")) ?? await make(folder, size, tell);
  return {
    ...size,
    ...manifest,
    tree: join(folder, "tree"),
    archives: { deflated: join(folder, "deflated.pk3"), stored: join(folder, "stored.pk3") },
    list: join(folder, "members.tsv"),
    firstPath: smallPath(0),
    largePath,
  };
}

/** Reads a file to its end, so that it is in the page cache. */
export async function readThrough(path: string): Promise<void> {
  using file = await Deno.open(path);
  const buffer = new Uint8Array(1024 * 1024);
  // deno-lint-ignore no-await-in-loop -- one part after the other
  while (await file.read(buffer) !== null);
}
