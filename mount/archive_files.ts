/**
 * The open files of the mount: archives, kept open and bounded in number, and loose files. A file that is no longer the
 * one that was indexed is refused, so that no wrong bytes are ever served.
 * @module
 */
import { Errno, errnoName } from "deno-fuse-ffi";
import { placeAt } from "../formats/core/ranges.ts";
import { formatNamed } from "../formats/table.ts";
import { formatOf, type Placement } from "../index/columns/placement.ts";
import { isAbsolute } from "node:path";
import { filePathOf } from "../index/views/which.ts";
import type { Snapshot } from "../index/columns/snapshot.ts";
import { isDirectorySource, type Source } from "../index/columns/source.ts";
import { isIndexedDirectory, isIndexedFile, isUnchangedEntry } from "../index/columns/unchanged.ts";
import type { CLibrary, FileInformation } from "../system/c_library.ts";
import type { DecompressedFiles } from "./decompressed_files.ts";

/** Descriptors kept open at most; the usual limit of a process is 1,024. */
const maxOpen = 400;

/** Longest header in front of a member's data: that of a zip, with name and extra field. */
const longestMemberHeader = 30 + 2 * 65535;

/** Where the bytes of an entry can be read. */
export interface EntryPlace {
  /** Descriptor of the file that they begin in; negative where a decoder must make that file first. */
  readonly descriptor: number;
  /** To be added to the entry's offset to get the place in that file. */
  readonly shift: number;
  /** All of them are in that file. */
  readonly isWhole: boolean;
}

/** Opens what entries lie in. Session thread only. */
export class ArchiveFiles implements Disposable {
  readonly #snapshot: Snapshot;
  readonly #library: CLibrary;
  readonly #decompressed: DecompressedFiles;
  /** Descriptor by key, oldest first: `source` for archives, `-1 - entry` for loose files, else the file's path. */
  readonly #open = new Map<number | string, number>();
  readonly #isBusy: (fileDescriptor: number) => boolean;

  /** @param isBusy Whether a decoder still reads from a descriptor; such a one is not closed. */
  constructor(
    snapshot: Snapshot,
    library: CLibrary,
    decompressed: DecompressedFiles,
    isBusy: (fileDescriptor: number) => boolean,
  ) {
    this.#decompressed = decompressed;
    this.#snapshot = snapshot;
    this.#library = library;
    this.#isBusy = isBusy;
  }

  /** Why the last file was refused: the error of opening it; `undefined`: it is gone or has changed. */
  failure: string | undefined;

  /** Where an entry's bytes are; `undefined` if their file cannot be opened, or is no longer the one that was indexed. */
  placeOf(entry: number): EntryPlace | undefined {
    const source = this.#snapshot.sourceOf(entry);
    if (source.placement) return this.#placeIn(source, source.placement, entry);
    const isLoose = isDirectorySource(source);
    const key = isLoose ? -1 - entry : source.id;
    const descriptor = this.#open.get(key) ??
      (isLoose ? this.#openLoose(key, source, entry) : this.#openFile(key, source.path));
    if (descriptor < 0) return undefined;
    const now = this.#library.information(descriptor);
    if (now && isUnchangedEntry(this.#snapshot, entry, now)) return { descriptor, shift: 0, isWhole: true };
    this.#refuse(key, now, () => this.#pathOf(source, entry));
    return undefined;
  }

  /** Whether a decoder still reads from one of the files. */
  get isBusy(): boolean {
    return this.#open.values().some((descriptor) => this.#isBusy(descriptor));
  }

  /** Closes everything. */
  [Symbol.dispose](): void {
    for (const descriptor of this.#open.values()) this.#library.close(descriptor);
    this.#open.clear();
  }

  #placeIn(source: Source, placement: Placement, entry: number): EntryPlace | undefined {
    const { entryOffsets, entryCompressedSizes } = this.#snapshot.columns;
    const offset = entryOffsets[entry] ?? 0;
    const place = placeAt(placement.ranges, offset);
    const file = placement.files[place.file];
    const hasHeader = formatNamed(formatOf(this.#snapshot, entry))?.dataOffset !== undefined;
    const length = (entryCompressedSizes[entry] ?? 0) + (hasHeader ? longestMemberHeader : 0);
    const isWhole = placement.ranges.starts.length === 1 || place.length >= length;
    const shift = place.offset - offset;
    if (file?.kind !== "disk") {
      return { descriptor: this.#decompressed.descriptorOf(source, place.file), shift, isWhole };
    }
    const descriptor = this.#open.get(file.path) ?? this.#openFile(file.path, file.path);
    if (descriptor < 0) return undefined;
    const now = this.#library.information(descriptor);
    if (now && isIndexedFile(file.identity, now)) return { descriptor, shift, isWhole };
    this.#refuse(file.path, now, () => file.path);
    return undefined;
  }

  #pathOf(source: Source, entry: number): string {
    return filePathOf(source, this.#snapshot.memberOf(entry));
  }

  /** Closes a file that cannot be asked what it is now, or is no longer the one that was indexed. */
  #refuse(key: number | string, now: FileInformation | undefined, pathOf: () => string): void {
    this.failure = now ? undefined : `${pathOf()}: cannot be read: ${errnoName(this.#library.errorNumber())}`;
    this.#forget(key);
  }

  /**
   * Opens a loose file below the directory that was indexed: another directory that was put in its place may hold a file
   * of the same name, size and time.
   */
  #openLoose(key: number | string, source: Source, entry: number): number {
    const member = this.#snapshot.memberOf(entry);
    if (isAbsolute(member)) return this.#openFile(key, member);
    // Not while the directory is in use.
    if (this.#open.size >= maxOpen) this.#closeOldest();
    const directoryKey = `directory ${source.path}`;
    const directory = this.#open.get(directoryKey) ?? this.#openFile(directoryKey, source.path);
    if (directory < 0) return directory;
    const now = this.#library.information(directory);
    if (now && isIndexedDirectory(source.identity, now)) return this.#keep(key, member, directory);
    this.#refuse(directoryKey, now, () => source.path);
    return -Errno.ENOENT;
  }

  #openFile(key: number | string, path: string): number {
    if (this.#open.size >= maxOpen) this.#closeOldest();
    return this.#keep(key, path);
  }

  /** Opens a file, below a directory that is open if one is given. */
  #keep(key: number | string, path: string, directory?: number): number {
    const descriptor = directory === undefined
      ? this.#library.openForReading(path)
      : this.#library.openBelow(directory, path);
    if (descriptor >= 0) this.#open.set(key, descriptor);
    const isGone = descriptor >= 0 || descriptor === -Errno.ENOENT || descriptor === -Errno.ENOTDIR;
    this.failure = isGone ? undefined : `${path}: cannot be opened: ${errnoName(-descriptor)}`;
    return descriptor;
  }

  #closeOldest(): void {
    for (const [key, descriptor] of this.#open) {
      if (this.#isBusy(descriptor)) continue;
      this.#open.delete(key);
      this.#library.close(descriptor);
      return;
    }
  }

  #forget(key: number | string): void {
    const descriptor = this.#open.get(key);
    if (descriptor === undefined || this.#isBusy(descriptor)) return;
    this.#open.delete(key);
    this.#library.close(descriptor);
  }
}
