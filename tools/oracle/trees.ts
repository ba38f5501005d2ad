/**
 * Random installations for a real engine: every file is a script that prints which file it is.
 * @module
 */
import type { GameOptions } from "../../index/columns/game.ts";
import { pak, wad2, zip } from "../../tests/formats/bytes.ts";
import type { Files } from "../../tests/index/fixtures.ts";
import { Chance } from "./random.ts";

/** Parts of a kind of installation. */
export interface TreeKind {
  /** Base directories, highest first. */
  readonly roots: readonly string[];
  readonly base: string;
  /** Game directories that may be put on top of the base, each the last searched first. */
  readonly stacks: readonly [readonly string[], ...(readonly string[])[]];
  /** Game directories next to these; default: none. */
  readonly besides?: readonly string[];
  /** Folders of a game directory that packs are put into sometimes; default: one that no engine looks into. */
  readonly folders?: readonly [string, ...string[]];
  /** Whether the same path in two packs is a tie that the engine leaves to chance, so that it must not occur. */
  readonly distinctOffsets?: boolean;
  /** Beginnings of pack names. */
  readonly packNames: readonly [string, ...string[]];
  readonly packEndings: readonly [string, ...string[]];
  /** Characters for further pack names. */
  readonly packCharacters: string;
  /** Percentage of names that continue with such characters. */
  readonly oddNames: number;
  /** Ending of directories that are packs. */
  readonly packDirectory: string | null;
  /** Packs that an engine looks for in its base directories themselves. */
  readonly enginePacks: readonly string[];
  /** Most packs in one directory. */
  readonly maxPacks: number;
  /** Whether a pack may be empty. */
  readonly emptyPacks: boolean;
  /** Whether a pack may hold a name more than once, in any case. */
  readonly duplicates: boolean;
  /** Paths of further scripts. */
  readonly scripts: readonly string[];
  /** Paths that are left out of those that all have; default: none. */
  readonly withoutScripts?: readonly string[];
  /** Whether a directory may hold loose files whose names differ only in case. */
  readonly looseTwins: boolean;
  /** Whether a directory may hold directories whose names differ only in case; default: it may. */
  readonly directoryTwins?: boolean;
  /** How names in packs may be written otherwise than they are requested. */
  readonly oddMembers: readonly OddMember[];
  /** Whether members of zips may be compressed by an unknown method. */
  readonly unknownMethods: boolean;
  /** Whether a pack may be in another format than its ending promises. */
  readonly mixedFormats: boolean;
  /** Names of packs whose order the engine leaves to chance: one for each ending. */
  readonly unordered: RegExp | null;
  /** Whether members of zips may be encrypted; default: none is. */
  readonly encrypted?: boolean;
  /** Whether two packs of a directory may have names that differ only in case; default: no. */
  readonly packTwins?: boolean;
  /** Whether paths are requested with backslashes too; default: no. */
  readonly backslashes?: boolean;
  /** Names of empty members by which the engine leaves a pack out; default: none. */
  readonly marks?: readonly string[];
  /** Name of a file that lists packs of its directory; default: no engine reads one. */
  readonly list?: string;
  /** Packs in packs; default: none. */
  readonly nested?: NestedKind;
  /** Names of lumps in WADs; default: no packs are WADs. */
  readonly lumps?: readonly [string, ...string[]];
}

/** Packs in packs. */
export interface NestedKind {
  /** Endings of their names. */
  readonly endings: readonly [string, ...string[]];
  /** Whether packs in packs read a list as directories do. */
  readonly lists: boolean;
}

/** How a name in a pack is written: after `./` or `/`, with two slashes, or with backslashes or colons instead of slashes. */
export type OddMember = "dot" | "rooted" | "double" | "backslash" | "colon";

/** A name of 56 bytes, which fills the field of a Quake PAK and leaves no room for the end. */
export const fullName = `sub/${"f".repeat(48)}.cfg`;

/** An installation, and what to ask of it. */
export interface RandomTree {
  readonly files: Files;
  /** Mods on the search path, the last searched first. */
  readonly mods: readonly string[];
  readonly questions: readonly string[];
  /** Options of the game. */
  readonly options?: Omit<GameOptions, "sources">;
}

/** Paths of scripts, in lower case. */
const scripts = [
  "one.cfg",
  "two.cfg",
  "sub/three.cfg",
  "sub/deep/four.cfg",
  "other-dir/five_x.cfg",
  "six 6.cfg",
  "two..dots.cfg",
  "sub/.hidden.cfg",
  "co::lon.cfg",
];

/** A number that no compression method of zip has. */
const unknownMethod = 77;

/** Length of the shortest script: sizes distinguish all files. */
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
  const maker = new TreeMaker(kind, chance);
  const mods = Array.from(new Set(kind.stacks.flat()));
  for (const root of kind.roots) {
    for (const name of kind.enginePacks) if (chance.happens(40)) maker.addPack(`${root}/${name}`);
    for (const directory of new Set([kind.base, ...mods, ...kind.besides ?? []])) {
      if (chance.happens(80)) maker.addDirectory(`${root}/${directory}`);
    }
  }
  const names = Object.keys(maker.files);
  const isThere = (mod: string) => kind.roots.some((root) => names.some((name) => name.startsWith(`${root}/${mod}/`)));
  const stack = chance.pick(kind.stacks).filter(isThere);
  return {
    files: maker.files,
    mods: stack,
    questions: Array.from(new Set([...maker.asked, ...respelled(maker.asked, chance)])).map((path) =>
      kind.backslashes && path.length !== fullName.length && chance.happens(10) ? path.replaceAll("/", "\\") : path
    ),
  };
}

/** Each path with every component spelled as in any of the paths, so that directories and files of two spellings meet. */
function respelled(paths: ReadonlySet<string>, chance: Chance): string[] {
  const known = new Map<string, string[]>();
  const spellingsOf = (parts: readonly string[], depth: number) => {
    const key = parts.slice(0, depth + 1).join("/").toLowerCase();
    const spellings = known.get(key) ?? [];
    known.set(key, spellings);
    return spellings;
  };
  for (const path of paths) {
    for (const [depth, part] of path.split("/").entries()) spellingsOf(path.split("/"), depth).push(part);
  }
  return Array.from(paths).flatMap((path) =>
    [1, 2].map(() =>
      path.split("/").map((part, depth, parts) => {
        const spellings = spellingsOf(parts, depth);
        return spellings[chance.below(spellings.length)] ?? part;
      }).join("/")
    )
  );
}

class TreeMaker {
  readonly files: Record<string, Uint8Array | string> = {};
  readonly asked: Set<string>;
  readonly #scripts: readonly string[];
  readonly #kind: TreeKind;
  readonly #chance: Chance;
  #count = 0;
  #zips = 0;

  constructor(kind: TreeKind, chance: Chance) {
    this.#kind = kind;
    this.#chance = chance;
    const { withoutScripts = [] } = kind;
    this.#scripts = [...scripts.filter((path) => !withoutScripts.includes(path)), ...kind.scripts];
    this.asked = new Set(this.#scripts);
  }

  addDirectory(path: string): void {
    const { maxPacks, packDirectory, unordered, list, folders = ["sub"], packTwins = false } = this.#kind;
    const chance = this.#chance;
    const used = new Set<string>();
    for (let number = chance.below(maxPacks + 1); number > 0; number--) {
      const name = this.#packName();
      // Which of two names that differ only in case comes first is left to qsort.
      const key = unordered?.test(name) ? endingOf(name) : packTwins ? name : name.toLowerCase();
      if (used.has(key)) continue;
      used.add(key);
      const directory = name.slice(0, -endingOf(name).length) + packDirectory;
      const within = chance.happens(folders.length * 5) ? `${path}/${chance.pick(folders)}` : path;
      if (packDirectory === null || chance.happens(75)) this.addPack(`${within}/${name}`);
      else if (!used.has(directory.toLowerCase())) {
        used.add(directory.toLowerCase());
        this.#addLoose(`${within}/${directory}`, 1 + chance.below(6));
        for (const [inner, content] of this.#nested(1, true)) this.files[`${within}/${directory}/${inner}`] = content;
      }
    }
    this.#addLoose(path, chance.happens(40) ? 0 : chance.below(4));
    if (list !== undefined && chance.happens(30)) {
      const present = Object.keys(this.files).filter((file) => file.startsWith(`${path}/`)).flatMap((file) => {
        const name = file.slice(path.length + 1);
        return name.includes("/") ? [] : [name];
      });
      const listed = present.filter(() => chance.happens(50)).sort(() => chance.below(3) - 1);
      this.files[`${path}/${list}`] = [...listed, "missing.pak"].join("\n");
    }
  }

  addPack(path: string): void {
    const { emptyPacks } = this.#kind;
    const count = emptyPacks && !this.#isOfEngine(path) && this.#chance.happens(8) ? 0 : 1 + this.#chance.below(6);
    this.files[path] = this.#archive(path, this.#members(count));
  }

  #addLoose(path: string, count: number): void {
    const members = this.#members(count);
    const { looseTwins, directoryTwins = true } = this.#kind;
    const spelled = directoryTwins ? members : inOneSpelling(members);
    const wanted = looseTwins ? spelled : withoutTwins(spelled);
    for (const [name, text] of wanted) this.files[`${path}/${name}`] = text;
  }

  #members(count: number): Member[] {
    return Array.from({ length: count }, () => [this.#scriptName(), scriptOf(this.#count++)] as const);
  }

  #scriptName(): string {
    const name = this.#scripts[this.#chance.below(this.#scripts.length)] ?? "";
    const spelling = this.#chance.happens(60)
      ? name
      : this.#chance.happens(50)
      ? misspelled(name, this.#chance)
      : name.replaceAll(/\b[a-z](?=[^/]*\/)/g, (letter) => letter.toUpperCase());
    this.asked.add(spelling);
    return spelling;
  }

  #packName(): string {
    const { packCharacters, packNames, packEndings, oddNames } = this.#kind;
    const chance = this.#chance;
    const characters = Array.from(packCharacters);
    const letter = () => characters[chance.below(characters.length)] ?? "x";
    let name: string = chance.pick(packNames);
    if (chance.happens(oddNames)) name = "";
    // A name that is nothing but its ending.
    if (chance.happens(oddNames / 10)) return chance.pick(packEndings);
    while (name === "" || chance.happens(oddNames * 0.8)) name += letter();
    return `${name}${chance.pick(packEndings)}`;
  }

  #archive(path: string, wanted: readonly Member[], depth = 0): Uint8Array {
    const { duplicates, mixedFormats, distinctOffsets = false, lumps, marks = [] } = this.#kind;
    if (lumps && endingOf(path).toLowerCase() === ".wad" && !this.#chance.happens(5)) return this.#wad(lumps);
    const scripts = (duplicates ? wanted : withoutTwins(wanted))
      .map(([name, content]) => [this.#chance.happens(10) ? this.#oddName(name) : name, content] as const);
    const isPak = endingOf(path).toLowerCase() === ".pak";
    const isOther = mixedFormats && !this.#isOfEngine(path) && this.#chance.happens(10);
    // Readers of zips find the end of one that is stored in a Quake PAK.
    const members = isOther ? scripts : [...scripts, ...this.#nested(depth)];
    if (isPak !== isOther) return pak(members);
    const first = distinctOffsets ? [{ name: "first.txt", content: "x".repeat(++this.#zips) }] : [];
    const marked = marks.filter(() => this.#chance.happens(8)).map((name) => ({ name, content: "" }));
    return zip([
      ...first,
      ...marked,
      // Engines that skip members leave out packs whose members are all skipped, which decides no file.
      ...members.map(([name, content], index) => ({
        name,
        ...index > 0 && this.#isEncrypted() ? { content: encrypted(content), flags: 1, method: 0 } : {
          content,
          method: index > 0 && this.#hasUnknownMethod() ? unknownMethod : this.#isDeflated() ? 8 : 0,
        },
      })),
    ]);
  }

  /** A WAD of scripts, and sometimes of other lumps. */
  #wad(names: readonly [string, ...string[]]): Uint8Array {
    const script = 68;
    const lumps = Array.from({ length: this.#chance.below(8) }, () => {
      const type = this.#chance.happens(85) ? script : this.#chance.pick([0, 64, 66, 67, 70]);
      return [misspelled(this.#chance.pick(names), this.#chance), type, scriptOf(this.#count++)] as const;
    });
    return wad2(this.#chance.happens(50) ? "WAD2" : "WAD3", lumps);
  }

  /**
   * Packs in a pack, and a list of them sometimes. In a directory none are in folders, whose lists pakfs does not read,
   * and which differ from others only in case.
   */
  #nested(depth: number, isDirectory = false): (readonly [name: string, content: Uint8Array | string])[] {
    const { nested, list } = this.#kind;
    const packs = new Map<string, readonly [string, Uint8Array | string]>();
    if (nested === undefined || depth > 2) return [];
    for (let number = this.#chance.happens(50) ? this.#chance.below(4) : 0; number > 0; number--) {
      const name = `${this.#chance.pick(this.#kind.packNames)}${this.#chance.pick(nested.endings)}`;
      const path = !isDirectory && this.#chance.happens(10) ? `sub/${name}` : name;
      packs.set(path.toLowerCase(), [path, this.#archive(path, this.#members(1 + this.#chance.below(4)), depth + 1)]);
    }
    const names = Array.from(packs.values(), ([name]) => name);
    if (nested.lists && list !== undefined && names.length > 0 && this.#chance.happens(30)) {
      packs.set(list, [list, names.sort(() => this.#chance.below(3) - 1).join("\n")]);
    }
    return Array.from(packs.values());
  }

  #isDeflated(): boolean {
    return this.#kind.nested !== undefined && this.#chance.happens(40);
  }

  #isOfEngine(path: string): boolean {
    return this.#kind.enginePacks.some((name) => path.endsWith(`/${name}`));
  }

  #isEncrypted(): boolean {
    return this.#kind.encrypted === true && this.#chance.happens(4);
  }

  #hasUnknownMethod(): boolean {
    return this.#kind.unknownMethods && this.#chance.happens(4);
  }

  #oddName(name: string): string {
    const { oddMembers } = this.#kind;
    if (name.length === fullName.length) return name;
    switch (oddMembers[this.#chance.below(oddMembers.length)]) {
      case "dot":
        return `./${name}`;
      case "rooted":
        return `/${name}`;
      case "double":
        return name.replace("/", "//");
      case "backslash":
        return name.replaceAll("/", "\\");
      case "colon":
        return name.replaceAll("/", ":");
      default:
        return name;
    }
  }
}

/** Bytes that no engine takes for a script. */
function encrypted(content: Uint8Array | string): Uint8Array {
  const text = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return text.map((byte) => byte ^ 0xaa);
}

/** Returns the last of the members whose names differ only in case. */
function withoutTwins(members: readonly Member[]): Member[] {
  return Array.from(new Map(members.map((member) => [member[0].toLowerCase(), member])).values());
}

/** All directories as they are spelled first. */
function inOneSpelling(members: readonly Member[]): Member[] {
  const known = new Map<string, string>();
  return members.map(([name, text]) => {
    const parts = name.split("/");
    const spelled = parts.map((part, depth) => {
      const key = parts.slice(0, depth + 1).join("/").toLowerCase();
      if (depth < parts.length - 1 && !known.has(key)) known.set(key, part);
      return known.get(key) ?? part;
    });
    return [spelled.join("/"), text] as const;
  });
}

function misspelled(name: string, chance: Chance): string {
  return Array.from(name, (letter) => chance.happens(30) ? letter.toUpperCase() : letter).join("").replace(
    /\.cfg$/i,
    ".cfg",
  );
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf("."));
}
