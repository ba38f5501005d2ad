/**
 * The data that is measured on: a tree like a game's, on the native filesystem, and archives made of it. Made once and
 * kept in a cache directory.
 * @module
 */
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { createArchive } from "@pakfs/pakfs/formats";
import { numbersFrom } from "../../tests/support/chance.ts";

/** How the members of an archive are packed. */
export type Compression = "deflated" | "stored";

/** Amount of data. */
export interface DataSize {
  /** Number of small files. */
  readonly files: number;
  /** Bytes of each small file. */
  readonly fileBytes: number;
  /** Number of files between small and large, of 64 KiB to 1 MiB. */
  readonly middleFiles: number;
  /** Bytes of the largest file. */
  readonly largeBytes: number;
  /** Bytes of the second largest file. */
  readonly secondBytes: number;
}

const mebibyte = 1024 * 1024;

/** The sizes of a full run: 500 MB in all. */
export const fullSize: DataSize = {
  files: 20_000,
  fileBytes: 4096,
  middleFiles: 150,
  largeBytes: 256 * mebibyte,
  secondBytes: 64 * mebibyte,
};
/** The sizes of a run with `--quick`. */
export const quickSize: DataSize = {
  files: 2000,
  fileBytes: 4096,
  middleFiles: 15,
  largeBytes: 16 * mebibyte,
  secondBytes: 8 * mebibyte,
};

/** Paths and sizes of the data. */
export interface BenchData extends DataSize {
  /** The tree on the native filesystem. */
  readonly tree: string;
  /** Archives of the tree. */
  readonly archives: Readonly<Record<Compression, string>>;
  /** Bytes of the archives. */
  readonly archiveBytes: Readonly<Record<Compression, number>>;
  /** Images of the tree that the kernel's squashfs reads; null without `mksquashfs`. */
  readonly images: Readonly<Record<Compression, string>> | null;
  /** Names the small files in archive order: CRC-32 in hex, size, path, separated by tabs. */
  readonly list: string;
  /** Names all files in the same way. */
  readonly wholeList: string;
  /** Number of all files. */
  readonly totalFiles: number;
  /** Bytes of all files. */
  readonly totalBytes: number;
  /** Path of the first small file in the tree. */
  readonly firstPath: string;
  /** Path of the largest file in the tree. */
  readonly largePath: string;
  /** CRC-32 of the largest file, in hex. */
  readonly largeChecksum: string;
  /** Path of the second largest file in the tree. */
  readonly secondPath: string;
}

/** Version of the data. Raise it when the content changes: older data are then rebuilt. */
const generation = 2;
const filesPerDirectory = 100;
const wordCount = 2048;
// Both come before all others in the archives: readers at once can be busy with the rest meanwhile.
const largePath = "cinematics/intro.roq";
const secondPath = "cinematics/outro.roq";

/** Content that deflate shrinks to somewhat more than half, as it does with the textures and sounds of games. */
class ContentMaker {
  readonly #random = numbersFrom(0x2545f491);
  readonly #words: Uint8Array[];

  constructor() {
    this.#words = Array.from({ length: wordCount }, () => {
      const word = new Uint8Array(3 + this.#random(10));
      for (let index = 0; index < word.length; index++) word[index] = (this.#random(2 ** 32) >>> 8) % 256;
      return word;
    });
  }

  make(size: number): Uint8Array<ArrayBuffer> {
    const content = new Uint8Array(size);
    for (let done = 0; done < size;) {
      // The product of two uniform numbers makes some words common and most rare.
      const position = this.#random(wordCount) * this.#random(wordCount) / wordCount;
      const word = this.#words[Math.floor(position)] ?? new Uint8Array(1);
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

/** Bytes of one of the files between small and large: 64 KiB to 1 MiB, in the mean half of that. */
function middleSize(index: number): number {
  return 64 * 1024 * (1 + index * 7 % 16);
}

interface FilePlan {
  readonly path: string;
  readonly bytes: number;
}

/** All files in archive order: by path. */
function planOf(size: DataSize): FilePlan[] {
  return [
    { path: largePath, bytes: size.largeBytes },
    { path: secondPath, bytes: size.secondBytes },
    ...Array.from({ length: size.middleFiles }, (_, index) => (
      { path: `maps/map${String(index).padStart(3, "0")}.bsp`, bytes: middleSize(index) }
    )),
    ...Array.from({ length: size.files }, (_, index) => ({ path: smallPath(index), bytes: size.fileBytes })),
  ];
}

/** Writes a file of that content, and answers with its CRC-32. */
async function writeContent(path: string, bytes: number, maker: ContentMaker): Promise<number> {
  using file = await Deno.open(path, { write: true, createNew: true });
  let checksum = 0;
  for (let done = 0; done < bytes;) {
    const part = maker.make(Math.min(mebibyte, bytes - done));
    for (let written = 0; written < part.length;) {
      // deno-lint-ignore no-await-in-loop -- a short write is followed by the rest
      written += await file.write(part.subarray(written));
    }
    checksum = crc32(part, checksum);
    done += part.length;
  }
  return checksum;
}

/** Writes the tree; answers with the lines of the lists: CRC-32, size and path of each file. */
async function writeTree(directory: string, plan: readonly FilePlan[]): Promise<string[]> {
  const maker = new ContentMaker();
  const folders = new Set(plan.map(({ path }) => dirname(path)));
  // deno-lint-ignore no-await-in-loop -- directories before their files
  for (const folder of folders) await Deno.mkdir(join(directory, folder), { recursive: true });
  const lines: string[] = [];
  for (const { path, bytes } of plan) {
    // deno-lint-ignore no-await-in-loop -- one content in memory at a time
    lines.push(`${hex(await writeContent(join(directory, path), bytes, maker))}\t${bytes}\t${path}\n`);
  }
  return lines;
}

/** Makes an image for `squashfuse` unless there is one. False if `mksquashfs` is missing. */
async function makeImage(tree: string, image: string, compression: Compression, report: (text: string) => void) {
  if (await Deno.stat(image).then(() => true, () => false)) return true;
  const compressed = compression === "deflated" ? ["-comp", "gzip"] : ["-noI", "-noD", "-noF", "-noX"];
  const args = [tree, `${image}.part`, ...compressed, "-noappend", "-all-root", "-no-xattrs", "-quiet", "-no-progress"];
  report(`making ${image}`);
  try {
    const { success } = await new Deno.Command("mksquashfs", { args, stdout: "null", stderr: "null" }).output();
    if (success) await Deno.rename(`${image}.part`, image);
    return success;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    report("mksquashfs is not installed and squashfuse left out; to have it: apt-get install squashfs-tools");
    return false;
  }
}

/** Content of `manifest.json`, which is written last: its presence means that the data are complete. */
type Manifest = Pick<BenchData, "archiveBytes" | "largeChecksum">;

async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function make(folder: string, size: DataSize, report: (text: string) => void): Promise<Manifest> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(folder, { recursive: true });
  const tree = join(folder, "tree");
  const plan = planOf(size);
  report(`making data in ${folder}: ${plan.length} files`);
  const lines = await writeTree(tree, plan);
  await Deno.writeTextFile(join(folder, "members.tsv"), lines.slice(-size.files).join(""));
  await Deno.writeTextFile(join(folder, "all_members.tsv"), lines.join(""));
  report("packing: deflated");
  const deflated = await createArchive(join(folder, "deflated.pk3"), tree, { method: "deflate" });
  report("packing: stored");
  const stored = await createArchive(join(folder, "stored.pk3"), tree, { method: "store" });
  const manifest = {
    largeChecksum: lines[0]?.slice(0, 8) ?? "",
    archiveBytes: { deflated: deflated.bytes, stored: stored.bytes },
  };
  await Deno.writeTextFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return manifest;
}

/** The data of that size below `cache`, made if it is not there yet. `report` hears what takes long. */
export async function prepareData(cache: string, size: DataSize, report: (text: string) => void): Promise<BenchData> {
  const folder = join(cache, `${size.files}x${size.fileBytes}+${size.largeBytes}-${generation}`);
  const manifest = await readManifest(join(folder, "manifest.json")) ?? await make(folder, size, report);
  const tree = join(folder, "tree");
  const images = { deflated: join(folder, "deflated.squashfs"), stored: join(folder, "stored.squashfs") };
  const hasImages = await makeImage(tree, images.deflated, "deflated", report) &&
    await makeImage(tree, images.stored, "stored", report);
  const plan = planOf(size);
  return {
    ...size,
    ...manifest,
    tree,
    archives: { deflated: join(folder, "deflated.pk3"), stored: join(folder, "stored.pk3") },
    images: hasImages ? images : null,
    list: join(folder, "members.tsv"),
    wholeList: join(folder, "all_members.tsv"),
    totalFiles: plan.length,
    totalBytes: plan.reduce((sum, { bytes }) => sum + bytes, 0),
    firstPath: smallPath(0),
    largePath,
    secondPath,
  };
}

/** Reads a file to its end, so that it is in the page cache. */
export async function readThrough(path: string): Promise<void> {
  using file = await Deno.open(path);
  const buffer = new Uint8Array(mebibyte);
  // deno-lint-ignore no-await-in-loop -- one part after the other
  while (await file.read(buffer) !== null);
}
