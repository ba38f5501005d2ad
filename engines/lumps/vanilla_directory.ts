/**
 * The directory of lumps that Chocolate Doom makes from all files: W_AddFile, W_MergeFile, W_NWTMergeFile and
 * W_NWTDashMerge of its w_wad.c and w_merge.c. Lookups return the last lump of a name; the tables of sprites and flats
 * hold the lumps between the last markers.
 * @module
 */
import { append } from "../../formats/parts.ts";
import { dropped, type LumpFile, namespaceCode } from "./lump_file.ts";

/** Result of loading all files. */
export interface VanillaLumps {
  /** Number of the namespace of each lump, or {@linkcode dropped}. */
  readonly codes: readonly Uint8Array[];
  /** Lumps of sections that a lookup finds instead of a lump with the same name outside sections. */
  readonly found: readonly (readonly number[])[];
}

/** Returns the namespace or removal of the lumps of each file. */
export function vanillaDirectory(files: readonly LumpFile[]): VanillaLumps {
  const directory = new VanillaDirectory(files);
  for (const [number, file] of files.entries()) directory.add(number, file);
  return directory.lumps();
}

/** Part of the list of lumps: between two markers, which are excluded. */
interface Section {
  readonly start: number;
  readonly end: number;
}

/** Rotations of one frame of a sprite, by the lumps that show them. */
type Frames = Map<string, number[]>;

class VanillaDirectory {
  readonly #names: string[];
  readonly #firsts: number[];
  readonly #files: readonly LumpFile[];
  /** For each replaced lump, the lump of the same name that replaced it. */
  readonly #replaced = new Map<number, number>();
  /** Sprites that have lost their names. */
  readonly #nameless = new Set<number>();
  #lumps: number[] = [];

  constructor(files: readonly LumpFile[]) {
    this.#files = files;
    this.#names = files.flatMap((file) => file.names);
    let first = 0;
    this.#firsts = files.map(({ names }) => (first += names.length) - names.length);
  }

  /** Loads a file according to its switch. */
  add(number: number, { how, names }: LumpFile): void {
    const first = this.#firsts[number] ?? 0;
    const added = names.map((_, index) => first + index);
    const flats = this.#section(this.#lumps, ["F_START"], ["F_END"]);
    const sprites = this.#section(this.#lumps, ["S_START"], ["S_END"]);
    // The engine refuses to start with an IWAD without these sections.
    if (how === null || how === "-file" || !flats || !sprites) append(this.#lumps, added);
    else if (how === "-merge") this.#merge(added);
    else if (how === "-nwtmerge") this.#empty(added, sprites);
    else {
      if (how === "-af" || how === "-aa") this.#replace(added, flats);
      if (how === "-as" || how === "-aa") this.#replace(added, sprites);
    }
  }

  lumps(): VanillaLumps {
    const codes = this.#codes();
    const found = this.#foundInSections(codes);
    const part = <T>(of: (first: number, end: number) => T) =>
      this.#files.map(({ names }, number) => of(this.#firsts[number] ?? 0, (this.#firsts[number] ?? 0) + names.length));
    return {
      codes: part((first, end) => codes.subarray(first, end)),
      found: part((first, end) => found.filter((lump) => lump >= first && lump < end).map((lump) => lump - first)),
    };
  }

  /** Returns the lumps of sections that come after all others of their name, if some are in no section. */
  #foundInSections(codes: Uint8Array): number[] {
    const last = new Map(this.#lumps.map((lump): [string, number] => [this.#nameOf(lump), lump]));
    const outside = new Set(this.#lumps.filter((lump) => codes[lump] === 0).map((lump) => this.#nameOf(lump)));
    return Array.from(last).filter(([name, lump]) => outside.has(name) && codes[lump] !== 0 && codes[lump] !== dropped)
      .map(([, lump]) => lump).sort((a, b) => a - b);
  }

  #codes(): Uint8Array {
    const codes = new Uint8Array(this.#names.length).fill(dropped);
    const kept = this.#lumps;
    const last = (name: string) => kept.findLastIndex((lump) => this.#names[lump] === name);
    const sections = ([["S", "sprites"], ["F", "flats"]] as const).map(([letter, namespace]) => ({
      start: last(`${letter}_START`),
      end: last(`${letter}_END`),
      code: namespaceCode(namespace),
    }));
    for (const [index, lump] of kept.entries()) {
      const section = sections.find(({ start, end }) => start >= 0 && index > start && index < end);
      codes[lump] = this.#nameless.has(lump) ? dropped : section?.code ?? 0;
    }
    // A later file replaces lumps later.
    for (const [lump, other] of Array.from(this.#replaced).reverse()) codes[lump] = codes[other] ?? dropped;
    return codes;
  }

  #nameOf(lump: number): string {
    return this.#names[lump] ?? "";
  }

  /** Returns the lumps between the first markers of a list. */
  #section(lumps: readonly number[], starts: readonly string[], ends: readonly string[]): Section | undefined {
    const find = (names: readonly string[]) => {
      for (const name of names) {
        const index = lumps.findIndex((lump) => this.#names[lump] === name);
        if (index >= 0) return index;
      }
      return -1;
    };
    const start = find(starts);
    const end = find(ends);
    return start >= 0 && end > start ? { start: start + 1, end } : undefined;
  }

  #between(lumps: readonly number[], section: Section | undefined): number[] {
    return section ? lumps.slice(section.start, section.end) : [];
  }

  /**
   * `-merge`: flats replace flats of the same name, sprites replace sprites by frame and rotation, and all other lumps
   * come last.
   */
  #merge(added: readonly number[]): void {
    const flats = this.#between(added, this.#section(added, ["F_START", "FF_START"], ["F_END", "FF_END"]));
    const sprites = this.#between(added, this.#section(added, ["S_START", "SS_START"], ["S_END", "SS_END"]));
    const flatNames = new Map(flats.map((lump): [string, number] => [this.#nameOf(lump), lump]));
    const frames: Frames = new Map();
    const own = this.#between(this.#lumps, this.#section(this.#lumps, ["S_START"], ["S_END"]));
    for (const lump of [...own, ...sprites]) {
      for (const { key, rotations } of framesOf(this.#nameOf(lump))) {
        const shown = frames.getOrInsertComputed(key, () => Array.from({ length: 9 }, () => -1));
        for (const rotation of rotations) shown[rotation] = lump;
      }
    }
    const isNeeded = (lump: number) => {
      const found = framesOf(this.#nameOf(lump));
      return found.length === 0 ||
        found.some(({ key, rotations }) => rotations.some((rotation) => frames.get(key)?.[rotation] === lump));
    };
    this.#lumps = [
      ...this.#own(flats, sprites, flatNames, isNeeded),
      ...this.#outside(added),
    ];
  }

  /** Returns the existing lumps, with merged ones at the ends of their sections. */
  #own(
    flats: readonly number[],
    sprites: readonly number[],
    flatNames: ReadonlyMap<string, number>,
    isNeeded: (lump: number) => boolean,
  ): number[] {
    const merged: number[] = [];
    let section = "";
    for (const lump of this.#lumps) {
      const name = this.#nameOf(lump);
      if (section === "F") {
        if (name === "F_END") append(merged, flats);
        else {
          const other = flatNames.get(name);
          if (other !== undefined) {
            this.#replaced.set(lump, other);
            continue;
          }
        }
      } else if (section === "S") {
        if (name === "S_END") append(merged, sprites.filter(isNeeded));
        else if (!isNeeded(lump)) continue;
      }
      merged.push(lump);
      if (section === "" && /^[FS]_START$/.test(name)) section = name[0] ?? "";
      else if (section !== "" && name === `${section}_END`) section = "";
    }
    return merged;
  }

  /** Returns the lumps of a merged file that are in no section of sprites or flats, without the markers. */
  #outside(added: readonly number[]): number[] {
    let section = "";
    return added.filter((lump) => {
      const name = this.#nameOf(lump);
      const [, start] = /^(F|S)\1?_START$/.exec(name) ?? [];
      if (section === "") {
        section = start ?? "";
        return start === undefined;
      }
      if (name === `${section}_END` || name === `${section}${section}_END`) section = "";
      return false;
    });
  }

  /** `-nwtmerge`: existing sprites with a name in the file lose their names, and the file itself is dropped. */
  #empty(added: readonly number[], { start, end }: Section): void {
    const names = new Set(added.map((lump) => this.#nameOf(lump)));
    for (const lump of this.#lumps.slice(start, end)) {
      if (!names.has(this.#nameOf(lump))) continue;
      this.#names[lump] = "";
      this.#nameless.add(lump);
    }
  }

  /** `-af` and `-as`: content is replaced in place; the first lump of the file is never found. */
  #replace(added: readonly number[], { start, end }: Section): void {
    const byName = new Map(added.map((lump): [string, number] => [this.#nameOf(lump), lump]).reverse());
    for (let index = start; index < end; index++) {
      const lump = this.#lumps[index] ?? 0;
      const other = byName.get(this.#nameOf(lump));
      if (other === undefined || other === added[0]) continue;
      this.#replaced.set(lump, other);
      this.#lumps[index] = other;
    }
  }
}

/** Returns the frames and rotations in a sprite's name; none if it is no sprite. */
function framesOf(name: string): { readonly key: string; readonly rotations: readonly number[] }[] {
  const isSprite = name.length > 5 && /\d/.test(name[5] ?? "") && (name.length === 6 || /\d/.test(name[7] ?? ""));
  if (!isSprite) return [];
  return [4, 6].filter((index) => index < name.length).map((index) => {
    const angle = Number(name[index + 1]);
    return {
      key: name.slice(0, 4) + name[index],
      rotations: angle === 0 ? [0, 1, 2, 3, 4, 5, 6, 7] : [angle - 1],
    };
  });
}
