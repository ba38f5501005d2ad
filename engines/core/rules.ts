/**
 * Rules of profiles. Each compares two candidates or abstains; the first rule that does not abstain decides, and
 * describes its reason in a sentence.
 * @module
 */
import { comparePackNames, secondKey } from "./pack_names.ts";
import { belowLoose, tieKey } from "./pack_order.ts";
import type { PackRule } from "./pack_steps.ts";
import { type Candidate, modLevels } from "./candidate.ts";
import type { Profile } from "./profile.ts";
import type { RuleName } from "./rule_names.ts";

/** Context of a game for the sentences of rules. */
export interface RuleContext {
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** Roots, highest first. */
  readonly roots: readonly string[];
  /** The profile's steps, which the groups of packs index. */
  readonly packs: readonly PackRule[];
}

/** Returns the context of a game. */
export function ruleContext(
  { profile, roots }: { readonly profile: Profile; readonly roots: readonly string[] },
): RuleContext {
  return {
    engine: profile.engine,
    roots,
    packs: profile.packs,
  };
}

interface Rule {
  /** Negative if `a` comes first, positive if `b` does, 0 if the rule abstains. */
  compare(a: Candidate, b: Candidate): number;
  /** Reason why `winner` came before `loser`. */
  because(winner: Candidate, loser: Candidate, context: RuleContext): string;
}

function looseRank({ source }: Candidate): number {
  if (source.kind === "loose") return 1;
  return source.group === belowLoose ? 2 : 0;
}

function areZips(a: Candidate, b: Candidate): boolean {
  return a.source.format === "zip" && b.source.format === "zip";
}

/** Returns whether a candidate's pack is inside the other's pack, at any depth. */
function isWithin({ nestedPack: inner }: Candidate, { nestedPack: outer }: Candidate): boolean {
  return inner !== undefined && (outer === undefined || inner.path.startsWith(`${outer.path}/`));
}

function nestedName({ source, nestedPack }: Candidate): string {
  return nestedPack === undefined ? source.name : `${source.name}/${nestedPack.path}`;
}

/** Returns whether one of two packs is in a directory that is a pack, to which such orders apply. */
function isBetween(...candidates: readonly Candidate[]): boolean {
  return candidates.some(({ source }) => source.folder !== "" && !Number.isInteger(source.order));
}

function pathOf({ source }: Candidate): string {
  return source.folder === "" ? source.name : `${source.folder}/${source.name}`;
}

function packSentence(winner: Candidate, loser: Candidate): string {
  return `${winner.source.name} is searched before ${loser.source.name}`;
}

function shownSource({ source }: Candidate): string {
  return source.kind === "loose" ? `${source.gameDirectory}/` : source.name;
}

function numberSentence(winner: Candidate, loser: Candidate): string {
  return Math.floor(winner.source.order) > Math.floor(loser.source.order)
    ? `${winner.source.name} has a higher number than ${loser.source.name}, and the higher number wins`
    : `${winner.source.name} is loaded after ${loser.source.name}, and the pack that is loaded last wins`;
}

function nameSentence(winner: Candidate, loser: Candidate, { engine, packs }: RuleContext): string {
  if (areTied(winner, loser, packs)) {
    return `undetermined: ${engine} takes ${winner.source.name} and ${loser.source.name} for one name, and the listing ` +
      "of the directory decides; rename one if it matters";
  }
  return `${winner.source.name} sorts after ${loser.source.name}, and the pack that sorts last wins`;
}

/** Returns whether the order of two packs comes from the directory listing. */
function areTied(a: Candidate, b: Candidate, packs: readonly PackRule[]): boolean {
  const keys = [a, b].map(({ source: { group, name, identity: { mtime } } }) => tieKey(packs[group], { name, mtime }));
  return keys[0] !== undefined && keys[0] === keys[1] && a.source.group === b.source.group &&
    a.source.folder === b.source.folder && areBeside(a, b);
}

function secondOf({ source }: Candidate): string {
  return secondKey(source.identity.mtime);
}

function listingSentence(winner: Candidate, loser: Candidate, engine: string): string {
  return `undetermined: ${winner.source.name} sorts after ${loser.source.name}, but ${engine} loads such packs in ` +
    "whatever order the directory lists them; rename one if it matters";
}

/** Returns whether two candidates are in the same game directory of the same root. */
function areBeside(a: Candidate, b: Candidate): boolean {
  return a.source.gameDirectory === b.source.gameDirectory && a.source.rootIndex === b.source.rootIndex;
}

/** Compares shaders by their distance to the selected game: `special_shaders` of Chomenor's fs_lookup.c. */
function isSpecialShader({ isShader, modLevel, coreRank, purePosition }: Candidate): boolean {
  return isShader === true && (modLevel >= modLevels.override || coreRank > 0 || Number.isFinite(purePosition));
}

const rules: Readonly<Record<RuleName, Rule>> = {
  "source-list": {
    compare: (a, b) => a.listPosition - b.listPosition,
    because: (winner, loser) =>
      `the game's list of search paths names ${shownSource(winner)} before ${shownSource(loser)}`,
  },
  "dependency-order": {
    compare: (a, b) => a.listPosition - b.listPosition,
    because: (winner, loser, { engine }) =>
      `${winner.source.name} is loaded before ${loser.source.name}, and ${engine} keeps the first file of a name`,
  },
  "load-order": {
    compare: (a, b) => a.listPosition - b.listPosition,
    because: (winner, loser) =>
      `${winner.source.name} is loaded after ${loser.source.name}, and the file that is loaded last wins`,
  },
  "game-directory": {
    compare: (a, b) => a.gameDirectoryRank - b.gameDirectoryRank,
    because: (winner, loser) => `${winner.source.gameDirectory} is searched before ${loser.source.gameDirectory}`,
  },
  "source-directory": {
    compare: (a, b) => a.source.rootIndex - b.source.rootIndex || Number(a.isBelowInRoot) - Number(b.isBelowInRoot),
    because: ({ source: winner }, { source: loser }, { roots }) =>
      winner.rootIndex === loser.rootIndex
        ? `${winner.gameDirectory} is searched before ${loser.gameDirectory}`
        : `${roots[winner.rootIndex]} is searched before ${roots[loser.rootIndex]}`,
  },
  "base-game": {
    compare: (a, b) => a.baseRank - b.baseRank,
    because: (winner, loser) =>
      `${winner.source.gameDirectory} is a later base game than ${loser.source.gameDirectory}, and of one root the ` +
      "last is searched first",
  },
  "pack-over-loose": {
    compare: (a, b) => looseRank(a) - looseRank(b),
    because: (winner, loser, { engine }) =>
      loser.source.group === belowLoose
        ? `${engine} searches its own ${loser.source.name} after everything next to it`
        : areBeside(winner, loser)
        ? `${winner.source.name} is a pack, and ${engine} searches the packs of a directory before its loose files`
        : `${winner.source.name} is a pack, and ${engine} searches all packs before any loose file`,
  },
  "loose-over-pack": {
    compare: (a, b) => Number(b.source.kind === "loose") - Number(a.source.kind === "loose"),
    because: (winner, loser, { engine }) =>
      areBeside(winner, loser)
        ? `${engine} searches the loose files of a directory before packs such as ${loser.source.name}`
        : `${engine} searches all loose files before any pack, such as ${loser.source.name}`,
  },
  "pack-type": {
    compare: (a, b) => b.source.group - a.source.group,
    because: (winner, loser, { engine, packs }) =>
      `${packSentence(winner, loser)}: ${engine} searches ${packs[winner.source.group]?.title ?? "packs"} before ` +
      `${packs[loser.source.group]?.title ?? "others"}`,
  },
  "pack-number": {
    compare: (a, b) => b.source.order - a.source.order,
    because: (winner, loser, { engine }) =>
      Number.isInteger(winner.source.order) && Number.isInteger(loser.source.order)
        ? numberSentence(winner, loser)
        : `${packSentence(winner, loser)}: ${engine} places its own pack between pak0.pak and pak1.pak`,
  },
  "pack-name": {
    compare: (a, b) => b.source.order - a.source.order,
    because: nameSentence,
  },
  "pack-number-or-listing": {
    compare: (a, b) => b.source.order - a.source.order,
    because: (winner, loser, { engine, packs }) =>
      packs[winner.source.group]?.kind === "numbered"
        ? numberSentence(winner, loser)
        : listingSentence(winner, loser, engine),
  },
  "pack-order": {
    compare: (a, b) => b.source.order - a.source.order,
    because: (winner, loser, context) => {
      const { engine, packs } = context;
      const step = packs[winner.source.group];
      if (winner.source.folder !== loser.source.folder && isBetween(winner, loser)) {
        return `${pathOf(winner)} is searched before ${
          pathOf(loser)
        }: ${engine} searches packs in a directory that is a ` +
          "pack together with it";
      }
      if (step?.kind === "numbered") return numberSentence(winner, loser);
      if (step?.kind === "listed") {
        return `${step.file} names ${winner.source.name} after ${loser.source.name}, and the later line wins`;
      }
      if (step?.collation === "listing") return listingSentence(winner, loser, engine);
      if (step?.collation === "newest" && secondOf(winner) !== secondOf(loser)) {
        return `${winner.source.name} was changed after ${loser.source.name}, and ${engine} then searches it first`;
      }
      return nameSentence(winner, loser, context);
    },
  },
  "nested-pack": {
    compare: (a, b) => a.source === b.source ? (a.nestedPack?.rank ?? 0) - (b.nestedPack?.rank ?? 0) : 0,
    because: (winner, loser, { engine }) => {
      const isAbove = (winner.nestedPack?.rank ?? 0) < 0;
      return isWithin(winner, loser) || isWithin(loser, winner)
        ? `${engine} searches packs in a pack ${isAbove ? "before" : "after"} the pack around them, and ` +
          `${nestedName(isAbove ? winner : loser)} lies in ${nestedName(isAbove ? loser : winner)}`
        : `${nestedName(winner)} is loaded after ${nestedName(loser)}, and the pack that is loaded last wins`;
    },
  },
  "first-in-pack": {
    compare: (a, b) => a.source === b.source ? a.entry - b.entry : 0,
    because: (winner, _loser, { engine }) =>
      `${winner.source.name} holds the name more than once, and ${engine} takes the first`,
  },
  "last-in-pack": {
    compare: (a, b) => a.source === b.source ? b.entry - a.entry : 0,
    because: (winner, _loser, { engine }) =>
      `${winner.source.name} holds the name more than once, and ${engine} takes the last`,
  },
  "last-stored": {
    compare: (a, b) => a.source === b.source || areZips(a, b) ? b.offset - a.offset : 0,
    because: (winner, loser, { engine }) =>
      winner.source === loser.source
        ? `${winner.source.name} holds the name more than once, and ${engine} takes the one that is stored last`
        : `nothing else decides between two packs called ${winner.source.name}, and ${engine} takes what is stored ` +
          `further back: at byte ${winner.offset}, not ${loser.offset}`,
  },
  "pure-list": {
    compare: (a, b) => {
      if (a.purePosition !== b.purePosition) return a.purePosition - b.purePosition;
      return Number.isFinite(a.purePosition) ? Number(a.isDownload) - Number(b.isDownload) : 0;
    },
    because: (winner, loser) =>
      winner.purePosition === loser.purePosition
        ? `${winner.source.name} is on the pure list, and the copy of it in ${loser.source.folder}/ comes after it`
        : Number.isFinite(loser.purePosition)
        ? `${winner.source.name} stands before ${loser.source.name} on the pure list`
        : `${winner.source.name} is on the pure list, whose packs are searched first`,
  },
  "special-shader": {
    compare: (a, b) => Number(isSpecialShader(b)) - Number(isSpecialShader(a)),
    because: (winner, _loser, { engine }) =>
      `it is a shader of ${winner.source.name}, and ${engine} prefers shaders of the current mod, of packs that come ` +
      "with the game and of those on the pure list",
  },
  "shader-over-image": {
    compare: (a, b) => Number(b.isShader ?? false) - Number(a.isShader ?? false),
    because: (_winner, _loser, { engine }) => `${engine} prefers a shader to an image of the same name`,
  },
  "extension": {
    compare: (a, b) => (a.extension?.rank ?? 0) - (b.extension?.rank ?? 0),
    because: ({ extension: first }, { extension: second }, { engine }) =>
      `${engine} prefers ${first?.name ?? "other"} files to ${second?.name ?? "other"} files of the same name`,
  },
  "mod-directory": {
    compare(a, b) {
      if (Math.max(a.modLevel, b.modLevel) < modLevels.override) return 0;
      return b.modLevel - a.modLevel || a.gameDirectoryRank - b.gameDirectoryRank;
    },
    because: (winner, loser, { engine }) =>
      winner.modLevel === modLevels.current
        ? `${winner.source.gameDirectory} is the current mod, which ${engine} searches before ${loser.source.gameDirectory}`
        : `${engine} searches ${winner.source.gameDirectory} before ${loser.source.gameDirectory} in every mod`,
  },
  "core-pack": {
    compare: (a, b) => b.coreRank - a.coreRank,
    because: (winner, loser, { engine }) =>
      loser.coreRank > 0
        ? `${winner.source.name} and ${loser.source.name} come with the game, and ${engine} ranks ${winner.source.name} higher`
        : `${winner.source.name} comes with the game, and ${engine} searches such packs first`,
  },
  "current-map": {
    compare: (a, b) => Number(b.isMapPack) - Number(a.isMapPack),
    because: (winner, _loser, { engine }) =>
      `the map that is played is from ${winner.source.name}, and ${engine} takes its files from there first`,
  },
  "inactive-mod": {
    compare: (a, b) => Number(a.modLevel === modLevels.inactive) - Number(b.modLevel === modLevels.inactive),
    because: (_winner, loser, { engine }) =>
      `${loser.source.gameDirectory} is not the current mod, and ${engine} searches other mods last`,
  },
  "downloads": {
    compare: (a, b) => Number(a.isDownload) - Number(b.isDownload),
    because: (_winner, loser, { engine }) =>
      `${loser.source.name} was downloaded, and ${engine} searches ${loser.source.folder}/ last`,
  },
  "pack-name-anywhere": {
    compare: (a, b) => {
      if (a.source === b.source || a.source.kind === "loose" || b.source.kind === "loose") return 0;
      return comparePackNames(b.source.name, a.source.name, "chomenor");
    },
    because: (winner, loser, { engine }) =>
      `${winner.source.name} sorts after ${loser.source.name}, and ${engine} takes the pack that sorts last, ` +
      "whichever base directory it is in",
  },
  "own-spelling": {
    compare: (a, b) => a.source === b.source && a.source.kind === "loose" ? Number(b.isAsked) - Number(a.isAsked) : 0,
    because: (_winner, _loser, { engine }) => `it is spelled as it was requested, and ${engine} looks for that first`,
  },
  "case-match": {
    compare: (a, b) => Number(b.isAsked) - Number(a.isAsked),
    because: (winner) => `it is spelled as it was requested, in ${winner.source.name}`,
  },
  "met-in-pack": {
    compare: (a, b) =>
      a.source === b.source ? Number(b.isMet?.() ?? false) - Number(a.isMet?.() ?? false) || b.entry - a.entry : 0,
    because: (winner, _loser, { engine }) =>
      `${winner.source.name} holds the name more than once, and ${engine} takes the one that its binary search meets first`,
  },
  "pack-over-loose-guess": {
    compare: (a, b) => looseRank(a) - looseRank(b),
    because: (winner, _loser, { engine }) =>
      `${winner.source.name} is a pack; that ${engine} prefers packs to loose files is a guess, as nothing says that it ` +
      "reads loose files at all",
  },
  "first-name-guess": {
    compare: (a, b) => a.source.order - b.source.order,
    because: (winner, loser, { engine }) =>
      `${winner.source.name} sorts before ${loser.source.name}; that ${engine} takes the first is a guess from how packs ` +
      "that replace others are named",
  },
  "later-pack": {
    compare: (a, b) => b.source.order - a.source.order,
    because: (winner, loser) =>
      `${winner.source.name} is registered after ${loser.source.name}, by their names, and the pack registered last wins`,
  },
};

/** Decision between two candidates. */
export interface Decision {
  /** Negative if the first candidate comes first. Zero only for the same entry. */
  readonly order: number;
  /** The rule that decided. */
  readonly rule: RuleName | "index-order";
}

/** Compares two candidates by a profile's rules. If all abstain, the order of the index decides. */
export function decide(names: readonly RuleName[], a: Candidate, b: Candidate): Decision {
  for (const name of names) {
    const order = rules[name].compare(a, b);
    if (order !== 0) return { order, rule: name };
  }
  return { order: a.source.id - b.source.id || a.entry - b.entry, rule: "index-order" };
}

/** Returns the order of {@linkcode decide} alone, for sorting many. */
export function candidateOrder(names: readonly RuleName[]): (a: Candidate, b: Candidate) => number {
  const compares = names.map((name) => rules[name].compare);
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return a.source.id - b.source.id || a.entry - b.entry;
  };
}

/** Returns the sentence for a decision. */
export function explain(rule: Decision["rule"], winner: Candidate, loser: Candidate, context: RuleContext): string {
  if (rule === "index-order") {
    return `undetermined: no rule decides between ${winner.source.path} and ${loser.source.path}, and pakfs takes what it ` +
      "indexed first";
  }
  return rules[rule].because(winner, loser, context);
}
