/**
 * Searches files that are unreachable from maps, and from names in menus, configuration and game code: a walk like that
 * of `needs`, which also follows exits of maps, and reads names in files of unknown formats.
 * @module
 */
import { at, none } from "../../index/mod.ts";
import type { Family } from "../../engines/mod.ts";
import { filesAfter } from "../find.ts";
import type { Reading, UndecidedRow, UnusedFiles } from "../reference_rows.ts";
import { everyImagePath, extensionOf, withoutExtension } from "../shaders/engine_images.ts";
import type { FileThing, ReferenceResolver } from "./thing.ts";
import { isReadByItself, readerOf } from "./readers.ts";
import type { Walk } from "./walk.ts";

const pictures = ["tga", "jpg", "jpeg", "png", "dds", "pcx", "bmp", "webp"];
const sounds = ["wav", "ogg", "opus", "mp3", "flac"];

/** Kinds of files that have no references and are loaded by name. */
const leaves: Readonly<Record<Family, ReadonlySet<string>>> = {
  quake: new Set([...pictures, ...sounds, "mdl", "spr", "lit", "vis", "it", "s3m", "xm", "mod", "umx"]),
  quake2: new Set([...pictures, ...sounds, "wal", "cin"]),
  quake3: new Set([...pictures, ...sounds, "aas", "roq", "cin", "ogv"]),
  doom: new Set(),
  doom3: new Set([
    ...[...pictures, ...sounds, "md5anim", "cm", "roq", "bik", "aas32", "aas48", "aas96"],
    ...["aas_mancubus", "aas_cyberdemon", "aas_sabaoth"],
  ]),
};

/**
 * Files of shaders, definitions and lists of maps: the engine reads all of them, and their definitions are followed.
 */
const definitions: Readonly<Record<Family, ReadonlySet<string>>> = {
  quake: new Set(["shader", "skin"]),
  quake2: new Set(),
  quake3: new Set(["shader", "arena"]),
  doom: new Set(),
  doom3: new Set(["mtr", "def", "sndshd", "skin", "prt"]),
};

/** Texts for people, which may list every file, archives, and recorded games. */
const noNames = new RegExp(
  "^(?:read_?me|licen[cs]e|copying|change|credits|authors|contributors)|" +
    "\\.(?:md|html?|pdf|rtf|doc|pk3|pk4|pkz|pak|zip|7z|rar|dem|dm2|dm_\\d+|mvd|sav)$",
  "i",
);

/** Returns whether references to and from files of a kind are known. */
export function isFollowed(qpath: string, family: Family): boolean {
  // Other lumps of Doom may be chosen by the engine, or by numbers.
  if (family === "doom") {
    return !isReadByItself(qpath) &&
      (/^(?:flats|textures|patches)\//i.test(qpath) || readerOf(qpath, family) !== undefined);
  }
  return readerOf(qpath, family) !== undefined || leaves[family].has(extensionOf(qpath));
}

/** Returns whether a file is searched for names of others. */
function namesOthers(qpath: string, family: Family): boolean {
  return !isFollowed(qpath, family) && !definitions[family].has(extensionOf(qpath)) &&
    !noNames.test(qpath.slice(qpath.lastIndexOf("/") + 1));
}

/** Returns the files of a view whose names of other files always count. */
export function namingFiles({ view }: ReferenceResolver, family: Family): FileThing[] {
  const { tree } = view;
  const found: FileThing[] = [];
  for (const node of filesAfter(tree, 0)) {
    const entry = node === none ? none : at(tree.entries, node);
    if (entry === none || !namesOthers(tree.nameOf(node), family)) continue;
    found.push({ type: "file", key: `file ${entry}`, entry, qpath: tree.pathOf(node) });
  }
  return found;
}

/** Suffixes of pictures that engines draw together with the picture of the name before them. */
const withPicture =
  /_(?:norm|normal|bump|gloss|spec|glow|luma|pants|shirt|reflect|upper|lower|light|local|nh?|s|h|r|d)$/i;
/** Parts of a Half-Life model in separate files. */
const partOfModel = /(?:t|\d\d)\.mdl$/i;

/** Game code: QuakeC, Quake III's virtual machine, libraries. */
const code = /(?:progs\.dat|\.qvm|\.dll|\.so|\.dylib)$/i;

/** The search, as its walk advances. */
export class UnusedSearch implements UnusedFiles {
  readonly #resolver: ReferenceResolver;
  readonly #family: Family;
  readonly #walk: Walk;
  readonly #sources: ReadonlySet<number>;
  #result: { readonly files: readonly number[]; readonly undecided: readonly UndecidedRow[] } | undefined;

  /**
   * @param sources Numbers of the packs and directories whose files are checked.
   */
  constructor(resolver: ReferenceResolver, family: Family, walk: Walk, sources: ReadonlySet<number>) {
    this.#resolver = resolver;
    this.#family = family;
    this.#walk = walk;
    this.#sources = sources;
  }

  get length(): number {
    return this.#walk.length;
  }

  async advance(index: number, reading: Reading): Promise<void> {
    await this.#walk.advance(index, reading);
  }

  get files(): readonly number[] {
    return this.#found.files;
  }

  get undecided(): readonly UndecidedRow[] {
    return this.#found.undecided;
  }

  get #found() {
    return this.#result ??= this.#decide();
  }

  #decide() {
    const { tree, snapshot } = this.#resolver.view;
    const reached = new Set<number | string>();
    const names = new Set<string>();
    const undecided = new Map<string, UndecidedRow>();
    let hasCode = false;
    for (const { thing, problem } of this.#walk.reached()) {
      reached.add(thing.entry).add(this.#memberOf(thing.entry));
      if (problem !== null) {
        const qpath = thing.type === "file" ? thing.qpath : thing.definition.file.qpath;
        const size = at(snapshot.columns.entrySizes, thing.entry);
        undecided.set(`unreadable ${qpath}`, { reason: "unreadable", name: qpath, files: 1, size, problem });
      }
      if (thing.type !== "file") continue;
      hasCode ||= code.test(thing.qpath);
      names.add(thing.qpath.toLowerCase());
      names.add(withoutExtension(thing.qpath).toLowerCase());
    }
    if (!hasCode && this.#family !== "doom") {
      undecided.set("code", { reason: "code", name: "", files: 0, size: 0, problem: null });
    }
    const leaveOut = (reason: UndecidedRow["reason"], name: string, size: number) => {
      const row = undecided.get(`${reason} ${name}`) ?? { reason, name, files: 0, size: 0, problem: null };
      undecided.set(`${reason} ${name}`, { ...row, files: row.files + 1, size: row.size + size });
    };
    const files: number[] = [];
    for (const node of filesAfter(tree, 0)) {
      const entry = node === none ? none : at(tree.entries, node);
      if (entry === none || !this.#sources.has(snapshot.sourceOf(entry).id)) continue;
      const qpath = tree.pathOf(node);
      const extension = extensionOf(qpath);
      if (this.#isLumpOfFile(entry, extension)) continue;
      const size = at(snapshot.columns.entrySizes, entry);
      if (definitions[this.#family].has(extension)) continue;
      if (!isFollowed(qpath, this.#family)) leaveOut("kind", extension, size);
      else if (reached.has(entry) || reached.has(this.#memberOf(entry)) || isPart(qpath, names)) continue;
      else if (this.#replaces(entry, qpath)) leaveOut("replaces", extension, size);
      else files.push(node);
    }
    return { files, undecided: [...undecided.values()] };
  }

  /** Returns a key of the archive member of an entry: GZDoom shows a member by its path and as a lump. */
  #memberOf(entry: number): number | string {
    if (this.#family !== "doom") return entry;
    const { snapshot } = this.#resolver.view;
    return `${snapshot.sourceOf(entry).id} ${at(snapshot.columns.entryOffsets, entry)} ${snapshot.memberOf(entry)}`;
  }

  /** Returns whether an entry is the lump of a file that also has a path. */
  #isLumpOfFile(entry: number, extension: string): boolean {
    return this.#family === "doom" && extension === "" &&
      extensionOf(this.#resolver.view.snapshot.memberOf(entry)) !== "";
  }

  /** Returns whether another directory or pack has a file that the engine would load with this name. */
  #replaces(entry: number, qpath: string): boolean {
    const { snapshot, tree, game: { profile } } = this.#resolver.view;
    const isOther = (file: number) => {
      const { id } = snapshot.sourceOf(file);
      return this.#resolver.view.searches(id) && !this.#sources.has(id);
    };
    const node = at(snapshot.columns.entryNodes, entry);
    if (snapshot.candidatesOf(node, profile.ignoreCase).some(isOther)) return true;
    if (!pictures.includes(extensionOf(qpath))) return false;
    return everyImagePath(qpath).map((path) => tree.entryAt(path)).some((found) => found !== none && isOther(found));
  }
}

/** Returns whether a file is a part of a reachable file: `NAME_norm.tga`, `NAME.mdl_0.skin`. */
function isPart(qpath: string, names: ReadonlySet<string>): boolean {
  const path = qpath.toLowerCase();
  const plain = withoutExtension(path);
  if (withPicture.test(plain) && names.has(plain.replace(withPicture, ""))) return true;
  if (names.has(path.replace(partOfModel, ".mdl"))) return true;
  for (let end = path.search(/[^/]*$/); end < path.length; end++) {
    const isBorder = path[end] === "_" || path[end] === ".";
    const name = path.slice(0, end);
    if (isBorder && /\.\w+$/.test(name) && names.has(name)) return true;
  }
  return false;
}
