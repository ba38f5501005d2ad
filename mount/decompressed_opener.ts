/**
 * Makes the files that compressed archives in archives decompress to, the outermost first. For decoders.
 * @module
 */
import { placeAt } from "../formats/core/ranges.ts";
import type { Snapshot } from "../index/columns/snapshot.ts";
import type { CLibrary } from "../system/c_library.ts";
import type { MemberDecoder } from "./member_decoder.ts";
import { openPlaced } from "./placed_reader.ts";
import type { DecompressedFiles } from "./decompressed_files.ts";

/** What it works with. */
export interface DecompressedOpenerParts {
  readonly snapshot: Snapshot;
  readonly library: CLibrary;
  readonly decoder: MemberDecoder;
  readonly decompressed: DecompressedFiles;
  /** Directory for the files. */
  readonly spillDirectory: string;
}

/** Opens the decompressed files that entries lie in. */
export class DecompressedOpener {
  readonly #parts: DecompressedOpenerParts;
  readonly #isStopping: () => boolean;

  /** @param isStopping Asked now and then during long work, which is given up if it says so. */
  constructor(parts: DecompressedOpenerParts, isStopping: () => boolean) {
    this.#parts = parts;
    this.#isStopping = isStopping;
  }

  /**
   * Descriptor of the decompressed file that an entry lies in. It stays open until the mount ends.
   * @throws {ArchiveError} if the archive around it is damaged, or has changed since it was indexed.
   * @throws {Error} if there is no room for the file.
   */
  async descriptorOf(entry: number): Promise<number> {
    const { snapshot, decompressed } = this.#parts;
    const source = snapshot.sourceOf(entry);
    const { placement, firstEntry } = source;
    const offset = snapshot.columns.entryOffsets[entry] ?? 0;
    const number = placement ? placeAt(placement.ranges, offset).file : 0;
    const file = placement?.files[number];
    if (file?.kind !== "decompressed") {
      throw new RangeError(`Cannot decompress file ${number} of ${source.path}: it is on disk`);
    }
    return await decompressed.obtain(source, number, () => this.#decompress(firstEntry + file.row), this.#isStopping);
  }

  /** Decompresses an entry that is an archive itself; its own file may have to be made first. */
  async #decompress(entry: number): Promise<number> {
    const { snapshot, library, decoder, spillDirectory } = this.#parts;
    const source = snapshot.sourceOf(entry);
    const { placement } = source;
    if (!placement) throw new RangeError(`Cannot decompress an archive in ${source.path}: it has none`);
    const place = placeAt(placement.ranges, snapshot.columns.entryOffsets[entry] ?? 0);
    using mapped = new DisposableStack();
    if (placement.files[place.file]?.kind === "decompressed") {
      return await decoder.spill(entry, await this.descriptorOf(entry), spillDirectory, mapped);
    }
    const descriptor = openPlaced(library, source, placement, place.file);
    try {
      return await decoder.spill(entry, descriptor, spillDirectory, mapped);
    } finally {
      library.close(descriptor);
    }
  }
}
