/**
 * Decompresses inner archives to files, the outermost first. For decoders.
 * @module
 */
import { locateEntry, none, type Snapshot } from "../../index/mod.ts";
import type { FileCalls } from "../../system/mod.ts";
import type { MemberDecoder } from "./member_decoder.ts";
import { openDescriptor } from "./descriptor_files.ts";
import type { DecompressedArchives } from "../shared/decompressed_archives.ts";

/** Parts of an {@linkcode ArchiveDecompressor}. */
export interface ArchiveDecompressorParts {
  readonly snapshot: Snapshot;
  readonly library: FileCalls;
  readonly decoder: MemberDecoder;
  readonly decompressed: DecompressedArchives;
  /** Directory for the files. */
  readonly spillDirectory: string;
}

/** Opens the decompressed files with the bytes of entries. */
export class ArchiveDecompressor {
  readonly #parts: ArchiveDecompressorParts;
  readonly #isStopping: () => boolean;

  /**
   * @param isStopping Called periodically during long work, which stops if it returns true.
   */
  constructor(parts: ArchiveDecompressorParts, isStopping: () => boolean) {
    this.#parts = parts;
    this.#isStopping = isStopping;
  }

  /**
   * Returns the descriptor of the decompressed file with an entry's bytes. It stays open until the mount ends.
   * @throws {ArchiveError} if the outer archive is damaged, or has changed since it was indexed.
   * @throws {Error} if the disk has no room for the file.
   */
  async descriptorOf(entry: number): Promise<number> {
    const { snapshot, decompressed } = this.#parts;
    const source = snapshot.sourceOf(entry);
    const { file } = locateEntry(snapshot, entry);
    if (file.archive === none) {
      throw new RangeError(`Cannot decompress file ${file.number} of ${file.path}: it is on disk`);
    }
    return await decompressed.obtain(source, file.number, () => this.#decompress(file.archive), this.#isStopping);
  }

  /** Decompresses an entry that is an archive; its own outer archive may have to be decompressed first. */
  async #decompress(entry: number): Promise<number> {
    const { snapshot, library, decoder, spillDirectory } = this.#parts;
    const { file } = locateEntry(snapshot, entry);
    using resources = new DisposableStack();
    const descriptor = file.archive === none
      ? resources.adopt(openDescriptor(library, file), (opened) => library.close(opened))
      : await this.descriptorOf(entry);
    return await decoder.spill(entry, descriptor, spillDirectory);
  }
}
