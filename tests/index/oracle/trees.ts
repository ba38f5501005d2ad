/**
 * Random installations for a real engine: every file is a script that prints which file it is.
 * @module
 */
import { pak, zip } from "../../formats/bytes.ts";
import type { Files } from "../fixtures.ts";
import { Chance } from "./random.ts";

/** What a kind of installation is made of. */
export interface TreeKind {
  /** Base directories, highest first. */
  readonly roots: readonly string[];
  readonly base: string;
  readonly mods: readonly [string, string];
  /** Beginnings of pack names. */
  readonly packNames: readonly [string, ...string[]];
  readonly packEndings: readonly [string, ...string[]];
  /** Characters for further pack names. */
  readonly packCharacters: string;
  /** Ending of directories that are packs. */
  readonly packDirectory: string | null;
  /** Most packs in one directory. */
  readonly mostPacks: number;
  /** Whether a pack may hold a name more than once, in any case. */
  readonly duplicates: boolean;
  /** Whether a zip may hold names with backslashes. */
  readonly backslashes: boolean;
}

/** An installation, and what to ask of it. */
export interface RandomTree {
  readonly files: Files;
  /** Mods on the search path, the last searched first. */
  readonly mods: readonly string[];
  readonly questions: readonly string[];
}

/** Paths of scripts, in small letters. */
const scripts = [
  "one.cfg",
  "two.cfg",
  "sub/three.cfg",
  "sub/deep/four.cfg",
  "other-dir/five_x.cfg",
  "six 6.cfg",
] as const;

/** Length of the shortest script: sizes tell files apart, so that none is like another. */
const shortest = 24;

/** A script that prints its number, and is as long as no other. */
export function scriptOf(number: number): string {
  return `echo "answer ${number}"\n`.padEnd(shortest + number, "\n");
}

/** The number of a script of that many bytes. */
export function scriptNumber(size: number): number {
  return size - shortest;
}

/** Name and text of a script. */
type Member = readonly [name: string, text: string];

/** The installation of that seed. */
export function randomTree(kind: TreeKind, seed: number): RandomTree {
  const chance = new Chance(seed);
  const files: Record<string, Uint8Array | string> = {};
  const asked = new Set<string>(scripts);
  let count = 0;
  const script = () => scriptOf(count++);
  const spelled = () => {
    const name = chance.pick(scripts);
    const spelling = chance.happens(75) ? name : misspelled(name, chance);
    asked.add(spelling);
    return spelling;
  };
  const addLoose = (place: string, members: readonly Member[]) => {
    for (const [name, text] of members) files[`${place}/${name}`] = text;
  };
  for (const root of kind.roots) {
    for (const directory of [kind.base, ...kind.mods]) {
      if (chance.happens(20)) continue;
      const place = `${root}/${directory}`;
      const folded = new Set<string>();
      for (let number = chance.below(kind.mostPacks + 1); number > 0; number--) {
        const name = packName(kind, chance);
        // Which of two names that differ only in case comes first is left to qsort.
        if (folded.has(name.toLowerCase())) continue;
        folded.add(name.toLowerCase());
        const members = Array.from({ length: 1 + chance.below(6) }, () => [spelled(), script()] as const);
        if (kind.packDirectory !== null && chance.happens(25)) {
          addLoose(`${place}/${withoutEnding(name)}${kind.packDirectory}`, members);
        } else files[`${place}/${name}`] = archive(kind, name, members, chance);
      }
      const loose = chance.happens(40) ? 0 : chance.below(4);
      addLoose(place, Array.from({ length: loose }, () => [spelled(), script()] as const));
    }
  }
  const [lower, upper] = kind.mods;
  const mods = chance.pick([[], [upper], [lower, upper]]);
  return { files, mods, questions: Array.from(asked) };
}

/** Of names that differ only in case, the last. */
function withoutTwins(members: readonly Member[]): Member[] {
  return Array.from(new Map(members.map((member) => [member[0].toLowerCase(), member])).values());
}

function misspelled(name: string, chance: Chance): string {
  return Array.from(name, (letter) => chance.happens(30) ? letter.toUpperCase() : letter).join("").replace(
    /\.cfg$/i,
    ".cfg",
  );
}

function withoutEnding(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

function packName(kind: TreeKind, chance: Chance): string {
  const characters = Array.from(kind.packCharacters);
  const letter = () => characters[chance.below(characters.length)] ?? "x";
  let name: string = chance.pick(kind.packNames);
  if (chance.happens(30)) name = "";
  while (name === "" || chance.happens(25)) name += letter();
  return `${name}${chance.pick(kind.packEndings)}`;
}

function archive(
  kind: TreeKind,
  name: string,
  wanted: readonly Member[],
  chance: Chance,
): Uint8Array {
  const members = kind.duplicates ? wanted : withoutTwins(wanted);
  if (name.toLowerCase().endsWith(".pak")) return pak(members);
  return zip(members.map(([member, content]) => ({
    name: kind.backslashes && chance.happens(10) ? member.replaceAll("/", "\\") : member,
    content,
  })));
}
