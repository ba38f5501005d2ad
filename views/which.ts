/**
 * The winner of a path, the other candidates, and the reason why each of them loses.
 * @module
 */
import { damageSentence } from "../formats/parts.ts";
import { at, none, type Snapshot, type Source } from "../index/mod.ts";
import { listReason } from "./loose_list.ts";
import { looseCaseSentence, looseOnlyReason } from "./loose_files.ts";
import { type Candidate, decide, explain, ruleContext } from "../engines/mod.ts";
import { aliasReason } from "./aliases.ts";
import { programFile } from "./program_pack.ts";
import { mapBeside, sideFileReason } from "./side_files.ts";
import type { View } from "./view.ts";

/** A candidate of a path. */
export interface CandidateRow {
  /** Rank: 1 is the winner. */
  rank: number;
  /**
   * Absolute path of the pack, or of the directory a loose file was found under, or the name of a pack inside the engine's
   * program.
   */
  source: string;
  /** Name inside `source`, as spelled in the archive. */
  member: string;
  /** Whether it is in a pack. */
  kind: "pack" | "loose";
  /** Name of its game directory. */
  gameDirectory: string;
  /** Decompressed bytes. */
  size: number;
  /** Whether the engine would use it without a better candidate. */
  usable: boolean;
  /** Reason why it is not usable, or null. */
  reason: string | null;
  /** Reason why it cannot be read, although the engine would choose it. */
  damaged?: string;
  /** The rule that ranked it below the winner, or null. */
  decidedBy: string | null;
  /** Sentence of the rule, or null. */
  because: string | null;
}

/** A candidate for comparison by rules, and the reason why it is not usable, or null. */
export interface JudgedCandidate extends Candidate<Source> {
  readonly reason: string | null;
}

/**
 * Returns all candidates of a path in a view, winner first, unusable ones last. The cost is proportional to their
 * number.
 */
export function whichCandidates(view: View, qpath: string): CandidateRow[] {
  const considered = judgedCandidates(view, qpath);
  const winner = considered[0];
  const rows = considered.map((candidate, index) => candidateRow(view, candidate, winner, index + 1));
  const inProgram = programFile(view, view.requestedPath(qpath));
  return inProgram ? [...rows, { ...inProgram, ...unread, rank: rows.length + 1, member: qpath }] : rows;
}

/** Fields of the row of a file that pakfs does not read. */
const unread = { kind: "pack", size: 0, usable: false, decidedBy: null, because: null } as const;

/** Returns the candidates that {@linkcode whichCandidates} makes rows of, in the same order. */
export function judgedCandidates(view: View, requested: string): JudgedCandidate[] {
  const { snapshot, game } = view;
  const qpath = view.requestedPath(requested);
  const { ignoreCase, rules } = game.profile;
  const exact = snapshot.unclashed(snapshot.findNode(qpath, ignoreCase));
  const node = exact === none ? snapshot.unclashed(snapshot.findNode(qpath, true)) : exact;
  const asked = exact === none || ignoreCase ? spelled(snapshot, qpath) : snapshot.pathOf(exact);
  return view.candidatesOf(node, asked)
    .filter((entry) => !snapshot.isDirectory(entry) && snapshot.sourceOf(entry).game === game.id)
    .map((entry) => ({ ...view.candidate(entry, asked), reason: unusableReason(view, entry, asked) }))
    .sort((a, b) => Number(a.reason !== null) - Number(b.reason !== null) || decide(rules, a, b).order);
}

/** Returns the row of a candidate among others; `winner` is the first of them. */
export function candidateRow(
  view: View,
  candidate: JudgedCandidate,
  winner: Candidate | undefined,
  rank: number,
): CandidateRow {
  const { snapshot, game } = view;
  const isLoser = winner !== undefined && candidate !== winner && candidate.reason === null;
  const damage = candidate.reason === null ? entryDamage(view, candidate.entry) : null;
  const rule = isLoser ? decide(game.profile.rules, winner, candidate).rule : null;
  return {
    rank,
    source: candidate.source.path,
    member: snapshot.memberOf(candidate.entry),
    kind: candidate.source.kind,
    gameDirectory: candidate.source.gameDirectory,
    size: at(snapshot.columns.entrySizes, candidate.entry),
    usable: candidate.reason === null,
    reason: candidate.reason,
    ...damage === null ? {} : { damaged: damage },
    decidedBy: rule,
    because: rule && winner ? `${explain(rule, winner, candidate, ruleContext(game))}.` : null,
  };
}

/**
 * Returns the requested path without redundant slashes, and without the suffix that distinguishes a file from a
 * directory.
 */
function spelled(snapshot: Snapshot, qpath: string): string {
  const node = snapshot.findNode(qpath, false);
  const file = snapshot.unclashed(node);
  if (file !== node) return snapshot.pathOf(file);
  return qpath.split("/").filter((part) => part !== "" && part !== ".").join("/");
}

/** Returns the reason why an entry cannot be used in a view for the requested spelling `asked`, or null. */
function unusableReason(view: View, entry: number, asked: string): string | null {
  const { snapshot, game } = view;
  const source = snapshot.sourceOf(entry);
  const absence = view.absence(source);
  if (absence !== null) return absence;
  if (source.ignored !== null) return `${source.name} is not loaded: ${source.ignored}`;
  if (view.hides(entry)) return "it is a pack on the search path, not a file of the view";
  const damage = view.refusal(entry) ?? looseOnlyReason(view, source, asked) ??
    (view.takes(entry) ? null : entryDamage(view, entry));
  if (damage !== null) return damage;
  if (!view.finds(entry, asked)) {
    const { ignoreCase, looseCase, engine } = game.profile;
    const spelling = snapshot.pathOf(at(snapshot.columns.entryNodes, entry));
    return ignoreCase
      ? `it is spelled "${spelling}", and ${looseCaseSentence(looseCase, engine)}`
      : `it is spelled "${spelling}", and ${engine} is case-sensitive`;
  }
  return aliasReason(view, entry, asked) ?? listReason(view, entry, asked) ??
    mapAbove(view, source, asked)?.reason ?? null;
}

/** A map for which an engine opens a file and then ignores it, as that belongs to a map from another directory. */
export interface MapAbove {
  /** The file of the map. */
  readonly map: number;
  /** Reason why the other file is ignored, as a clause. */
  readonly reason: string;
}

/** Returns the map for which a file of `source` is ignored, or null. */
export function mapAbove(view: View, source: Source, asked: string): MapAbove | null {
  const path = mapBeside(view, asked);
  const loaded = path === null
    ? undefined
    : judgedCandidates(view, path).find((candidate) => candidate.reason === null);
  if (path === null || !loaded) return null;
  const reason = sideFileReason(view, source.gameDirectory, path, loaded.source.gameDirectory);
  return reason === null ? null : { map: loaded.entry, reason };
}

/** Returns the damage of an entry that its listing shows, as a sentence, or null. */
export function entryDamage(view: View, entry: number): string | null {
  const { snapshot } = view;
  const damage = snapshot.damageOf(entry);
  if (damage === "none") return null;
  const { entryOffsets, entryCompressedSizes, entrySizes } = snapshot.columns;
  return damageSentence(damage, {
    member: snapshot.memberOf(entry),
    offset: at(entryOffsets, entry),
    packedSize: at(entryCompressedSizes, entry),
    size: at(entrySizes, entry),
  });
}
