/**
 * Files with the same bytes, in packs and loose, with any names.
 * @module
 */
import {
  at,
  type IndexHashes,
  isDirectorySource,
  packSubject,
  type Snapshot,
  type Source,
  sourceOfSubject,
  subjectBytes,
} from "../index/mod.ts";
import type { Catalog } from "../views/mod.ts";
import { distinctSources, filesOf } from "./hash.ts";
import { ContentList, contentSteps, hexOf } from "./content_steps.ts";
import { LastResult } from "./last_result.ts";
import type { PagedQuestion, Position, QuestionContext, Step } from "./question.ts";

/** One of several files with the same bytes. */
export interface DuplicateFile {
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** Name inside `source`, as spelled in the archive; empty for the pack itself. */
  member: string;
  /** Name of its game. */
  game: string;
  /** Name of its game directory. */
  gameDirectory: string;
}

/** Files with the same bytes. */
export interface DuplicateRow {
  /** SHA-256 of the files, 64 hex digits; null for a file that cannot be read. */
  sha256: string | null;
  /** Decompressed bytes of each file. */
  size: number;
  /** Number of files. */
  count: number;
  /** Bytes of all copies but one; several names of the same stored bytes are no copies. */
  wasted: number;
  /** The files, at most 1000. */
  files: DuplicateFile[];
  /** Reason why the file cannot be read; absent if it can. */
  problem?: string;
}

/** Parameters of `duplicates`. */
export interface DuplicatesParameters {
  /** Name of a view: only its search path; default: all games. */
  view?: string;
  /** Whether whole packs are compared instead of their files. */
  packs?: boolean;
  /** Minimum size in bytes, inclusive; default 1. */
  minSize?: number;
}

/**
 * Lists files with the same bytes, the most wasteful first, and finally unreadable files. Reads only files that share
 * their size and, if stored, their CRC-32 with others.
 */
export const duplicates: PagedQuestion<DuplicatesParameters, DuplicateRow> = {
  parameters: { view: "string", packs: "flag", minSize: "count" },
  list: (context, parameters, from) => duplicateSteps(context, searchFor(context.catalog, parameters), from),
};

function* duplicateSteps(context: QuestionContext, search: Search, from: Position): Generator<Step<DuplicateRow>> {
  const hashes = context.hashes();
  let before = 0;
  for (const listOf of [() => search.first, () => search.second(hashes)]) {
    const list = listOf();
    const end = before + list.subjects.length;
    if (from.at < end) {
      const start = { at: Math.max(0, from.at - before), part: 0 };
      const place = { before, continues: true };
      yield* contentSteps<DuplicateRow>({ work: hashes, ended: context.ended }, list, start, () => [], place);
    }
    before = end;
  }
  const groups = search.groups(hashes);
  for (let index = Math.max(0, from.at - before); index < groups.length; index++) {
    const group = groups[index];
    if (!group) return;
    const next = index + 1 < groups.length ? { at: before + index + 1, part: 0 } : null;
    yield { row: search.row(hashes, group), next };
  }
}

const last = new LastResult<Catalog, string, Search>();

function searchFor(catalog: Catalog, { view, packs = false, minSize = 1 }: DuplicatesParameters): Search {
  return last.of(catalog, JSON.stringify([view, packs, minSize]), () => {
    const wanted = catalog.optionalView(view);
    const sources = distinctFiles(wanted ? wanted.searchPath : catalog.snapshot.sources);
    const subjects = packs ? packsAmong(catalog.snapshot, sources) : filesAmong(catalog, sources);
    return new Search(catalog, subjects, minSize);
  });
}

/** Returns sources without duplicate names of the same file or directory. */
function distinctFiles(sources: readonly Source[]): Source[] {
  const inodes = new Set<string>();
  return distinctSources(sources).filter(({ identity: { device, inode }, failure }) => {
    const key = `${device} ${inode}`;
    if (failure !== null || (inode !== 0 && inodes.has(key))) return false;
    inodes.add(key);
    return true;
  });
}

function* packsAmong(snapshot: Snapshot, sources: readonly Source[]): Generator<number> {
  for (const source of sources) {
    if (source.kind === "pack" && !isDirectorySource(source)) yield packSubject(snapshot, source);
  }
}

function* filesAmong(catalog: Catalog, sources: readonly Source[]): Generator<number> {
  for (const source of sources) yield* filesOf(catalog, source);
}

/** Files with the same bytes, or an unreadable file. */
interface Group {
  readonly subjects: readonly number[];
  readonly wasted: number;
}

/** Maximum files of a row. */
const maxFiles = 1000;

/** A search for files with the same bytes. */
class Search {
  /** Files without a CRC-32 whose size others share. */
  readonly first: ContentList;
  readonly #catalog: Catalog;
  readonly #snapshot: Snapshot;
  /** Files with a CRC-32 whose size others share. */
  readonly #listed: readonly number[];
  #second: ContentList | undefined;
  #groups: readonly Group[] | undefined;

  constructor(catalog: Catalog, subjects: Iterable<number>, minSize: number) {
    this.#catalog = catalog;
    this.#snapshot = catalog.snapshot;
    const sizeOf = (subject: number) => subjectBytes(this.#snapshot, subject);
    const all = Array.from(subjects).filter((subject) => sizeOf(subject) >= Math.max(1, minSize));
    const equal = repeated(all, sizeOf);
    const isListed = (subject: number) => this.#crcOf(subject) !== null;
    this.first = new ContentList(this.#snapshot, equal.filter((subject) => !isListed(subject)));
    this.#listed = equal.filter(isListed);
  }

  /** Returns the files whose CRC-32 others share; those of the first list may have been computed. */
  second(hashes: IndexHashes): ContentList {
    if (this.#second) return this.#second;
    const sums = [...this.#listed, ...this.first.subjects.filter((subject) => hashes.isKnown(subject))];
    const firsts = new Set(this.first.subjects);
    const sumOf = (subject: number) =>
      subjectBytes(this.#snapshot, subject) * 2 ** 32 + (this.#crcOf(subject) ?? hashes.crc32Of(subject));
    const subjects = repeated(sums, sumOf).filter((subject) => !firsts.has(subject));
    return this.#second = new ContentList(this.#snapshot, subjects);
  }

  /** Returns the files with the same bytes, and unreadable files. */
  groups(hashes: IndexHashes): readonly Group[] {
    if (this.#groups) return this.#groups;
    const byHash = new Map<string, number[]>();
    const unreadable: Group[] = [];
    for (const subject of [...this.first.subjects, ...this.second(hashes).subjects]) {
      if (!hashes.isKnown(subject)) {
        unreadable.push({ subjects: [subject], wasted: 0 });
        continue;
      }
      byHash.getOrInsert(hexOf(hashes.sha256Of(subject)), []).push(subject);
    }
    const groups = Array.from(byHash.values(), (subjects): Group => {
      const copies = new Set(subjects.map((subject) => this.#storageOf(subject))).size;
      return { subjects: subjects.sort((a, b) => a - b), wasted: (copies - 1) * this.#sizeOf({ subjects }) };
    }).filter(({ wasted }) => wasted > 0);
    const first = ({ subjects: [subject = 0] }: Group) => subject;
    groups.sort((a, b) => b.wasted - a.wasted || this.#sizeOf(b) - this.#sizeOf(a) || first(a) - first(b));
    return this.#groups = [...groups, ...unreadable.sort((a, b) => first(a) - first(b))];
  }

  row(hashes: IndexHashes, group: Group): DuplicateRow {
    const { subjects, wasted } = group;
    const [first = 0] = subjects;
    const problem = hashes.problemOf(first);
    return {
      sha256: hashes.isKnown(first) ? hexOf(hashes.sha256Of(first)) : null,
      size: this.#sizeOf(group),
      count: subjects.length,
      wasted,
      files: subjects.slice(0, maxFiles).map((subject) => this.#file(subject)),
      ...problem !== undefined && { problem },
    };
  }

  #file(subject: number): DuplicateFile {
    const { path, game, gameDirectory } = sourceOfSubject(this.#snapshot, subject);
    return {
      source: path,
      member: subject < this.#snapshot.entryCount ? this.#snapshot.memberOf(subject) : "",
      game: this.#catalog.games[game]?.name ?? "",
      gameDirectory,
    };
  }

  #sizeOf({ subjects: [first = 0] }: Pick<Group, "subjects">): number {
    return subjectBytes(this.#snapshot, first);
  }

  #crcOf(subject: number): number | null {
    return subject < this.#snapshot.entryCount ? this.#snapshot.crcOf(subject) : null;
  }

  /** Returns a string that is equal for names of the same stored bytes. */
  #storageOf(subject: number): string {
    const source = sourceOfSubject(this.#snapshot, subject);
    if (subject >= this.#snapshot.entryCount || isDirectorySource(source)) return String(subject);
    return `${source.id}:${at(this.#snapshot.columns.entryOffsets, subject)}`;
  }
}

/** Returns the subjects that share their key with another. */
function repeated(subjects: readonly number[], keyOf: (subject: number) => number): number[] {
  const counts = new Map<number, number>();
  for (const subject of subjects) {
    const key = keyOf(subject);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return subjects.filter((subject) => (counts.get(keyOf(subject)) ?? 0) > 1);
}
