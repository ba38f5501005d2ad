/**
 * The remote file systems that sources are on, numbered, and which of them do not answer.
 * @module
 */
import { at } from "../../columns/columns.ts";
import { isDirectorySource, type Source } from "../../columns/source.ts";
import type { Game } from "../../columns/game.ts";
import { FileSystems, type RemoteFileSystem } from "../../../system/mod.ts";

/** Numbers fit in a byte; file systems beyond share the last one. */
const maxNumber = 255;

/** Attributes of a source that decide which file system it is on. */
type LocatedSource = Pick<Source, "id" | "game" | "path" | "format" | "identity" | "byteLayout">;

/** An index whose sources are looked at. */
interface Sources {
  readonly games: readonly Pick<Game, "followSymlinks">[];
  readonly snapshot: { readonly sources: readonly LocatedSource[] };
}

/** Remote file systems by number, for the life of a daemon. Main thread only. */
export class RemoteSources {
  readonly #readTable: () => string;
  readonly #report: (sentence: string, isProblem: boolean) => void;
  readonly #numbers = new Map<string, number>();
  readonly #known: RemoteFileSystem[] = [];
  /** By number: who has found out that the file system does not answer. */
  readonly #hung = new Map<number, Set<string>>();
  readonly #ownMounts: () => readonly string[];
  #table = "";
  #fileSystems = new FileSystems("");
  /** Numbers of the sources of the last index and of some before it, by path and inode. */
  #found = new Map<string, number>();
  /** Table of mounts by which {@linkcode #found} was made. */
  #foundTable = "";
  /** Sources that were asked about last, with their numbers. */
  #last: { readonly sources: readonly LocatedSource[]; readonly numbers: Uint8Array } | undefined;

  /**
   * @param readTable Returns the text of `/proc/self/mountinfo`, empty where that cannot be read.
   * @param report Called when a file system no longer answers, and when it does again.
   * @param ownMounts Returns where this daemon itself mounts.
   */
  constructor(
    readTable: () => string,
    report: (sentence: string, isProblem: boolean) => void,
    ownMounts: () => readonly string[] = () => [],
  ) {
    this.#ownMounts = ownMounts;
    this.#readTable = readTable;
    this.#report = report;
  }

  /**
   * Returns for each source the number of its remote file system, 0 for a local one. A source keeps its number while its
   * file system is unmounted: it may be mounted again at any moment, and hang.
   */
  numbersOf({ games, snapshot }: Sources): Uint8Array {
    this.#renew();
    const numbers = new Uint8Array(snapshot.sources.length);
    if (this.#known.length === 0 && !this.#fileSystems.hasRemotes) return numbers;
    const isSameTable = this.#foundTable === this.#table;
    const last = isSameTable ? this.#last : undefined;
    if (last?.sources === snapshot.sources) return last.numbers;
    // Sources that have left the index are dropped from time to time.
    const before = this.#found;
    if (before.size > 2 * snapshot.sources.length) this.#found = new Map();
    for (const source of snapshot.sources) {
      const { id, path, identity, game } = source;
      if (last?.sources[id] === source && !isDirectorySource(source) && this.#found === before) {
        numbers[id] = at(last.numbers, id);
        continue;
      }
      const follows = isDirectorySource(source) && games[game]?.followSymlinks === true;
      const key = `${identity.inode} ${follows} ${path}`;
      const earlier = before.get(key);
      const number = isSameTable && earlier !== undefined ? earlier : this.#look(source, follows) || (earlier ?? 0);
      this.#found.set(key, number);
      numbers[id] = number;
    }
    this.#last = { sources: snapshot.sources, numbers };
    this.#foundTable = this.#table;
    return numbers;
  }

  /** Returns the number of the remote file system that a path is on or has below it, 0 if it has none. */
  numberOf(path: string): number {
    this.#renew();
    return this.#numberFor(this.#fileSystems.remoteIn(path));
  }

  /** Returns whether a path is on a remote file system. */
  isRemote(path: string): boolean {
    this.#renew();
    return this.#fileSystems.remoteOf(path) !== undefined;
  }

  /** Returns the file system of a number. */
  fileSystem(number: number): RemoteFileSystem | undefined {
    return this.#known[number - 1];
  }

  /**
   * Notes whether a file system answers.
   * @param asker Who has asked it: each takes back only what it has said.
   */
  note(number: number, asker: string, isHung: boolean): void {
    const askers = this.#hung.get(number) ?? new Set();
    const before = askers.size;
    if (isHung) askers.add(asker);
    else askers.delete(asker);
    this.#hung.set(number, askers);
    if (before === 0 && isHung) this.#report(hungSentence(this.fileSystem(number)), true);
    else if (before > 0 && askers.size === 0) {
      this.#report(`${describeFileSystem(this.fileSystem(number))} answers again`, false);
    }
  }

  /** Returns whether a file system was found not to answer. */
  isHung(number: number): boolean {
    return (this.#hung.get(number)?.size ?? 0) > 0;
  }

  /** Returns a sentence for each file system that does not answer. */
  problems(): string[] {
    return this.#known.flatMap((fileSystem, index) => this.isHung(index + 1) ? [hungSentence(fileSystem)] : []);
  }

  #renew(): void {
    const table = this.#readTable();
    if (table === this.#table) return;
    this.#table = table;
    this.#fileSystems = new FileSystems(table, this.#ownMounts());
  }

  #look(source: LocatedSource, follows: boolean): number {
    const { path, byteLayout } = source;
    const fileSystems = this.#fileSystems;
    // Links out of a directory may lead to any remote file system: only a look at each file would say.
    if (follows) return this.#numberFor(fileSystems.remoteIn(path) ?? fileSystems.remoteIn("/"));
    const parts = byteLayout?.files.flatMap((file) => file.kind === "disk" ? [file.path] : []) ?? [];
    const remotes = isDirectorySource(source)
      ? [fileSystems.remoteIn(path)]
      : [path, ...parts].map((part) => fileSystems.remoteOf(part));
    return this.#numberFor(remotes.find((remote) => remote !== undefined));
  }

  #numberFor(fileSystem: RemoteFileSystem | undefined): number {
    if (!fileSystem) return 0;
    const known = this.#numbers.get(fileSystem.device);
    if (known !== undefined) return known;
    const number = Math.min(maxNumber, this.#known.length + 1);
    this.#numbers.set(fileSystem.device, number);
    if (number > this.#known.length) this.#known.push(fileSystem);
    return number;
  }
}

/** Returns where a file system is mounted, and its type. */
export function describeFileSystem(fileSystem: RemoteFileSystem | undefined): string {
  return fileSystem ? `${fileSystem.mountPoint} (${fileSystem.type})` : "a remote file system";
}

function hungSentence(fileSystem: RemoteFileSystem | undefined): string {
  return `${
    describeFileSystem(fileSystem)
  } does not answer; what is on it stays as it was and cannot be read until it does`;
}
