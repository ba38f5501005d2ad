/**
 * Hashes of files: a view's files by name, and all members of packs.
 * @module
 */
import {
  at,
  type IndexHashes,
  none,
  packSubject,
  type Source,
  sourceHasName,
  sourceOfSubject,
  subjectBytes,
  unknownFormat,
} from "../index/mod.ts";
import type { Catalog, View } from "../views/mod.ts";
import { Contest } from "./contest.ts";
import { filterTest, type FindFilters } from "./filters.ts";
import { findFiles } from "./find.ts";
import { ContentList, contentSteps, crcHex, hexOf } from "./content_steps.ts";
import { LastResult } from "./last_result.ts";
import { packNamed } from "./named_sources.ts";
import { type PagedQuestion, QuestionError, type ViewParameter, withPatterns } from "./question.ts";

/** A file with its hashes. */
export interface HashRow {
  /** Path in the view; for a member that no view shows, its path in the pack. */
  qpath: string;
  /** The view, as `game/gamedirectory`; null if no view searches the pack. */
  view: string | null;
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** Name inside `source`, as spelled in the archive; empty for the file `source` itself. */
  member: string;
  /** Decompressed bytes. */
  size: number;
  /** 64 hex digits; null if the file cannot be read. */
  sha256: string | null;
  /** Eight hex digits, even if the archive stores none; null if the file cannot be read. */
  crc32: string | null;
  /** Whether the view shows this file instead of another with the same path. */
  wins: boolean;
  /** Reason why the file, or its content, cannot be read; absent if it can. */
  problem?: string;
}

/** Parameters of `hash`. */
export interface HashParameters extends ViewParameter {
  /** Patterns as for `find`; a pack's file name, path or end of a path stands for all its members. */
  patterns?: string[];
  /** Conditions on the files; unreadable archives are listed regardless of them. */
  filters?: FindFilters;
  /** Whether to also hash the files that lose to a matching file. */
  losers?: boolean;
  /** SHA-256 or, with eight hex digits, CRC-32: lists only files with this hash, and unreadable files. */
  equal?: string;
  /** Whether all files of all packs and game directories are hashed, and unreadable archives as a whole. */
  everything?: boolean;
}

/** Lists files of a view and members of packs with their SHA-256 and CRC-32. */
export const hash: PagedQuestion<HashParameters, HashRow> = {
  parameters: {
    view: "string",
    patterns: "strings",
    filters: "filters",
    losers: "flag",
    equal: "string",
    everything: "flag",
  },
  list: (context, parameters, from) => {
    const { catalog } = context;
    const targets = targetsOf(catalog, parameters);
    const { list } = targets;
    const hashes = context.hashes();
    return contentSteps({ work: hashes, ended: context.ended }, list, from, (index) => {
      const subject = list.subjects[index] ?? 0;
      const { snapshot } = catalog;
      const source = sourceOfSubject(snapshot, subject);
      const isWhole = subject >= snapshot.entryCount;
      const isKnown = hashes.isKnown(subject);
      if (isKnown && !targets.isWanted(hashes, subject)) return [];
      const problem = hashes.problemOf(subject) ?? (isWhole ? brokenArchive(source) : undefined);
      return [{
        ...targets.placeOf(index),
        source: source.path,
        member: isWhole ? "" : snapshot.memberOf(subject),
        size: subjectBytes(snapshot, subject),
        sha256: isKnown ? hexOf(hashes.sha256Of(subject)) : null,
        crc32: isKnown ? crcHex(hashes.crc32Of(subject)) : null,
        wins: targets.wins(index),
        ...problem !== undefined && { problem },
      }];
    });
  },
};

/** Returns the reason why an archive cannot be read; undefined for a file that is no archive. */
function brokenArchive({ path, failure }: Source): string | undefined {
  if (failure === null || failure === unknownFormat) return undefined;
  return failure.includes(path) ? failure : `${path}: ${failure}`;
}

/** Files to hash, and their locations. */
interface Targets {
  /** Returns whether a file has the requested hash, if any. */
  isWanted(hashes: IndexHashes, subject: number): boolean;
  readonly list: ContentList;
  placeOf(index: number): Pick<HashRow, "qpath" | "view">;
  wins(index: number): boolean;
}

const last = new LastResult<Catalog, string, Targets>();

function targetsOf(catalog: Catalog, parameters: HashParameters): Targets {
  const { view, patterns, filters, losers, equal, everything } = parameters;
  const key = JSON.stringify([view, patterns, filters, losers, equal, everything]);
  return last.of(catalog, key, () => findTargets(catalog, parameters));
}

function findTargets(catalog: Catalog, parameters: HashParameters): Targets {
  const { view: name, patterns = [], filters, losers, everything } = parameters;
  if (patterns.length === 0 && !everything) throw new QuestionError("invalid", `"patterns" is empty`);
  const digest = parameters.equal?.toLowerCase();
  if (digest !== undefined && !/^(?:[\da-f]{8}|[\da-f]{64})$/.test(digest)) {
    throw new QuestionError("invalid", `"equal" must be a SHA-256 of 64 hex digits or a CRC-32 of 8, not "${digest}"`);
  }
  const wantedCrc = digest?.length === 8 ? Number.parseInt(digest, 16) : undefined;
  const { snapshot } = catalog;
  /** Returns whether a file may have the requested hash according to the index. */
  const mayBe = (subject: number) => {
    if (wantedCrc === undefined || subject >= snapshot.entryCount) return true;
    return (snapshot.crcOf(subject) ?? wantedCrc) === wantedCrc;
  };
  const subjects: number[] = [];
  /** Nodes of the view's tree for the first targets. */
  const nodes: number[] = [];
  /** The view in which each target is shown, if any. */
  const views: (View | undefined)[] = [];
  const isPack = (pattern: string) => catalog.packs.some((source) => sourceHasName(source, pattern));
  const wanted = everything ? [] : patterns.filter((pattern) => !isPack(pattern));
  if (wanted.length > 0) {
    const view = catalog.view(name);
    const contest = new Contest(view);
    for (const node of withPatterns(() => findFiles(view, wanted, filters))) {
      if (node === none) continue;
      const entries = [contest.winnerOf(node), ...losers ? contest.losersAt(node) : []];
      for (const entry of entries.filter(mayBe)) {
        subjects.push(entry);
        nodes.push(node);
        views.push(view);
      }
    }
  }
  const requested = catalog.optionalView(name);
  const sources = everything
    ? distinctSources(catalog.snapshot.sources)
    : patterns.filter(isPack).map((pattern) => packNamed(catalog, requested, pattern));
  const passes = filterTest(snapshot, snapshot.sources, filters ?? {});
  for (const source of sources) {
    // In a loop: the number of spread arguments is limited.
    if (source.failure === null) {
      for (const entry of filesOf(catalog, source)) if (mayBe(entry) && passes(entry)) subjects.push(entry);
    } else subjects.push(packSubject(catalog.snapshot, source));
    const view = viewOf(catalog, source, requested);
    while (views.length < subjects.length) views.push(view);
  }
  const pathOf = (index: number) => {
    const subject = subjects[index] ?? 0;
    if (subject >= snapshot.entryCount) return sourceOfSubject(snapshot, subject).name;
    return snapshot.pathOf(at(snapshot.columns.entryNodes, subject));
  };
  const nodeOf = (index: number) => nodes[index] ?? views[index]?.tree.find(pathOf(index)) ?? none;
  return {
    isWanted: (hashes, subject) =>
      digest === undefined ||
      digest === (digest.length === 8 ? crcHex(hashes.crc32Of(subject)) : hexOf(hashes.sha256Of(subject))),
    list: new ContentList(snapshot, subjects),
    placeOf: (index) => {
      const view = views[index];
      const node = nodes[index];
      const qpath = view && node !== undefined ? view.tree.pathOf(node) : pathOf(index);
      return { qpath, view: view?.name ?? null };
    },
    wins: (index) => {
      const node = nodeOf(index);
      return node !== none && views[index]?.tree.entryOf(node) === subjects[index];
    },
  };
}

/** Returns the view in which a pack is shown: the requested one, else its game directory's. */
function viewOf(catalog: Catalog, source: Source, wanted: View | undefined): View | undefined {
  if (wanted?.searches(source.id)) return wanted;
  return catalog.views.find((view) =>
    view.game.id === source.game && view.gameDirectory.name === source.gameDirectory && view.searches(source.id)
  );
}

/** Returns sources without duplicates of the same file or directory: games can share them. */
export function distinctSources(sources: readonly Source[]): Source[] {
  return Array.from(new Map(sources.toReversed().map((source) => [source.path, source])).values()).reverse();
}

/** Yields the files of a source, without directories and without packs, which are separate sources. */
export function* filesOf({ snapshot, games }: Pick<Catalog, "snapshot" | "games">, source: Source): Generator<number> {
  const packs = games[source.game]?.packEntries;
  for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
    if (!snapshot.isDirectory(entry) && packs?.has(entry) !== true) yield entry;
  }
}
