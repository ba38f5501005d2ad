/**
 * Dependencies of packs: `DEPS` and `DELETED` of the Daemon engine (src/common/FileSystem.cpp: `InternalLoadPak`,
 * `ParseDeps`, `ParseDeleted`). A pack is loaded before its dependencies, depth first, and no pack is loaded twice.
 * @module
 */
import { join } from "@std/path";
import { isDirectorySource } from "../columns/source.ts";
import {
  comparePaks,
  compareVersions,
  type Dependencies,
  type PakName,
  pakNameOf,
  pathInDirectory,
} from "../../engines/mod.ts";
import { fileText, memberText } from "./member_text.ts";
import { type DeletedFile, fileListFormat, type FoundDirectory, type FoundPack, type ListedSource } from "./plan.ts";

/** Maximum packs in all lists of a game, and files that they hide. */
const maxListed = 100_000;
/** Maximum messages about one game's packs. */
const maxProblems = 32;

/** Separators between words: `isspace` of C within a line. */
const spaces = /[ \t\v\f\r]+/;

/** A pack with a valid name for the engine. */
interface Pak extends PakName {
  readonly pack: FoundPack;
  readonly directory: string;
  readonly rootIndex: number;
}

/** Packs that are loaded for one pack, with the rest of the lists of packs in progress. */
interface Loading {
  readonly pak: Pak;
  readonly lines: readonly (readonly string[])[];
  next: number;
}

/** Load order, and files that are hidden by it. */
export interface LoadedPaks {
  readonly list: readonly ListedSource[];
  readonly deleted: readonly DeletedFile[];
}

/** Determines which packs of a game are loaded, from their dependency lists. */
export class PakLoader {
  readonly #names: Dependencies;
  readonly #problems = new Set<string>();
  readonly #byName = new Map<string, Pak[]>();
  readonly #needed = new Map<Pak, readonly (readonly string[])[]>();

  /** @param directories The game directory in each root, the highest first. */
  constructor(names: Dependencies, directories: readonly FoundDirectory[]) {
    this.#names = names;
    for (const { name: directory, rootIndex, packs } of directories) {
      for (const pack of packs) {
        const parts = pakNameOf(pathInDirectory(pack), names.legacy);
        if (parts) this.#byName.getOrInsert(parts.name, []).push({ ...parts, pack, directory, rootIndex });
        else if (/\.dpk(dir)?$/.test(pack.name)) {
          this.#problems.add(`${pack.path} is not loaded: it is not called NAME_VERSION; rename it`);
        }
      }
    }
    // Among equals the pack of the higher root comes last: it is chosen.
    for (const paks of this.#byName.values()) paks.sort((a, b) => comparePaks(a, b) || b.rootIndex - a.rootIndex);
  }

  /** Returns the packs in load order, and the word by which a view chooses each optional pack. */
  load(): LoadedPaks {
    const { base, maps } = this.#names;
    const first = this.#find(base);
    if (!first) this.#problems.add(`no pack called ${base}: nothing is loaded unless a view chooses it`);
    const loaded = new Set(first ? this.#loadedWith(first) : []);
    const others = Array.from(this.#byName.keys()).sort().flatMap((name) => this.#find(name) ?? [])
      .filter((pak) => !loaded.has(pak));
    const isMap = ({ name }: Pak) => name.startsWith(maps);
    const listed = (pak: Pak, choice: string | null) => this.#loadedWith(pak).map((one) => sourceOf(one, choice));
    const list = [
      ...others.filter((pak) => !isMap(pak)).flatMap((pak) => listed(pak, pak.name)),
      ...first ? listed(first, null) : [],
      ...others.filter(isMap).flatMap((pak) => listed(pak, pak.name)),
    ];
    if (list.length > maxListed) this.#problems.add(`packs need others ${list.length} times; ${maxListed} are read`);
    const deleted = Array.from(this.#needed.keys()).flatMap((pak) => this.#deleted(pak));
    return { list: list.slice(0, maxListed), deleted: deleted.slice(0, maxListed) };
  }

  /** Messages about packs that are missing, in a cycle or invalidly named. */
  get problems(): string[] {
    const all = Array.from(this.#problems);
    const more = all.length - maxProblems;
    return more > 0 ? [...all.slice(0, maxProblems), `${more} more problems of packs that need others`] : all;
  }

  /** Returns the chosen pack for a name: the highest version, or the requested one. Packs with a prefix come first. */
  #find(name: string, version?: string): Pak | undefined {
    for (const prefix of this.#names.prefixes) {
      const found = this.#findNamed(`${prefix}/${name}`, version);
      if (found) return found;
    }
    return this.#findNamed(name, version);
  }

  #findNamed(name: string, version?: string): Pak | undefined {
    const paks = this.#byName.get(name) ?? [];
    if (version === undefined) return paks.at(-1);
    const last = paks.findLast((pak) => compareVersions(pak.version, version) <= 0);
    return last?.version === version ? last : undefined;
  }

  /** Returns a pack and its dependencies in load order. */
  #loadedWith(first: Pak): Pak[] {
    const loaded = new Set<Pak>([first]);
    const open: Loading[] = [{ pak: first, lines: this.#lines(first), next: 0 }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const line = top.lines[top.next++];
      if (!line) {
        open.pop();
        continue;
      }
      const [name = "", version, ...more] = line;
      const where = `${top.pak.pack.path}: ${this.#names.file}`;
      if (more.length > 0) {
        this.#problems.add(`${where}: "${line.join(" ").slice(0, 80)}" is not a pack and a version; left out`);
        continue;
      }
      const pak = this.#find(name, version);
      if (!pak) {
        this.#problems.add(
          `${where} names ${[name, version].join(" ").trim()}, which is missing; nothing after it is loaded`,
        );
        return Array.from(loaded);
      }
      if (loaded.has(pak)) {
        if (open.some((one) => one.pak === pak)) {
          this.#problems.add(`${where} names ${name}, which needs this pack itself; each is loaded once`);
        }
        continue;
      }
      loaded.add(pak);
      open.push({ pak, lines: this.#lines(pak), next: 0 });
    }
    return Array.from(loaded);
  }

  #lines(pak: Pak): readonly (readonly string[])[] {
    return this.#needed.getOrInsertComputed(pak, () => {
      const lines = this.#text(pak, this.#names.file).split("\n");
      return lines.map((line) => line.split(spaces).filter((word) => word !== "")).filter(({ length }) => length > 0);
    });
  }

  /** Returns the files that a pack hides. On each line, the path follows the pack's name. */
  #deleted(pak: Pak): DeletedFile[] {
    const { pack, directory, rootIndex } = pak;
    return this.#text(pak, this.#names.deleted).split("\n").flatMap((line): DeletedFile[] => {
      const [, of = "", path = ""] = /^[ \t\v\f\r]*([^ \t\v\f\r]+)[ \t\v\f\r]+([^]+)$/.exec(line) ?? [];
      return of === "" ? [] : [{ directory, rootIndex, pack: pathInDirectory(pack), of, path }];
    });
  }

  /** Returns the text of a list; packs without a version have none. */
  #text({ pack, version }: Pak, member: string): string {
    if (version === "") return "";
    // The list of an unchanged archive is known too.
    const isDirectory = pack.fileList !== null && isDirectorySource({ format: fileListFormat(pack.fileList) });
    const { text, problem } = isDirectory
      ? fileText(join(pack.path, member))
      : memberText(pack.path, pack.identity, member);
    if (problem !== undefined) this.#problems.add(`${pack.path}: ${member} ${problem}`);
    return text;
  }
}

function sourceOf({ directory, rootIndex, pack }: Pak, choice: string | null): ListedSource {
  return { directory, rootIndex, pack: pathInDirectory(pack), choice };
}
