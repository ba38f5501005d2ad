/**
 * Makes the files that packed archives in archives unpack to, the outermost first. For decoders.
 * @module
 */
import { placeAt } from "../formats/core/ranges.ts";
import type { Snapshot } from "../index/columns/snapshot.ts";
import type { CLibrary } from "../system/c_library.ts";
import type { MemberDecoder } from "./member_decoder.ts";
import { openPlaced } from "./placed_source.ts";
import type { UnpackedFiles } from "./unpacked_files.ts";

/** What it works with. */
export interface UnpackedOpenerParts {
  readonly snapshot: Snapshot;
  readonly library: CLibrary;
  readonly decoder: MemberDecoder;
  readonly unpacked: UnpackedFiles;
  /** Directory for the files. */
  readonly spillDirectory: string;
}

/** Opens the unpacked files that entries lie in. */
export class UnpackedOpener {
  readonly #parts: UnpackedOpenerParts;
  readonly #isStopping: () => boolean;

  /** @param isStopping Asked now and then during long work, which is given up if it says so. */
  constructor(parts: UnpackedOpenerParts, isStopping: () => boolean) {
    this.#parts = parts;
    this.#isStopping = isStopping;
  }

  /**
   * Descriptor of the unpacked file that an entry lies in. It stays open until the mount ends.
   * @throws {ArchiveError} if the archive around it is damaged, or has changed since it was indexed.
   * @throws {Error} if there is no room for the file.
   */
  async descriptorOf(entry: number): Promise<number> {
    const { snapshot, unpacked } = this.#parts;
    const source = snapshot.sourceOf(entry);
    const { placement, firstEntry } = source;
    const offset = snapshot.columns.entryOffsets[entry] ?? 0;
    const number = placement ? placeAt(placement.ranges, offset).file : 0;
    const file = placement?.files[number];
    if (file?.kind !== "unpacked") {
      throw new RangeError(`Cannot unpack file ${number} of ${source.path}: it is on disk`);
    }
    return await unpacked.obtain(source, number, () => this.#unpack(firstEntry + file.row), this.#isStopping);
  }

  /** Unpacks an entry that is an archive itself; its own file may have to be made first. */
  async #unpack(entry: number): Promise<number> {
    const { snapshot, library, decoder, spillDirectory } = this.#parts;
    const source = snapshot.sourceOf(entry);
    const { placement } = source;
    if (!placement) throw new RangeError(`Cannot unpack an archive in ${source.path}: it has none`);
    const place = placeAt(placement.ranges, snapshot.columns.entryOffsets[entry] ?? 0);
    using mapped = new DisposableStack();
    if (placement.files[place.file]?.kind === "unpacked") {
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
