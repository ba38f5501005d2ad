/**
 * Names of files in the bytes of files whose format pakfs does not parse for references: menus, configuration, scripts,
 * and the strings of game code (`progs.dat`, `.qvm`, DLLs). For a name that code builds, only its format string is
 * known: `models/players/%s/head.md3`.
 * @module
 */
import { compilePathGlob } from "../../formats/parts.ts";
import { at, none } from "../../index/mod.ts";
import type { Family, ReferenceKind } from "../../engines/mod.ts";
import { MediaError } from "../../media/mod.ts";
import type { View } from "../../views/mod.ts";
import { filesAfter } from "../find.ts";
import { extensionOf, pathOfName, withoutExtension } from "../shaders/engine_images.ts";
import { optional, type Reference } from "./reference.ts";
import type { ReferenceResolver } from "./thing.ts";
import { StemSet, wordsOf } from "./words.ts";

/** Maximum bytes of a file. */
export const maxNamingFile = 16 * 1024 * 1024;
/** Maximum names and format strings of one file. */
const maxNames = 100_000;
const maxFormats = 2000;
/** Maximum work of matching the format strings of one file with paths. */
const maxWork = 50_000_000;

/** Kinds of references that a name may have. */
const kinds = ["texture", "image", "model", "sound", "music", "video", "file"] as const satisfies ReferenceKind[];

/** Names that engines build on their own, so that they need not occur in code. */
const composed: Readonly<Record<Family, readonly string[]>> = {
  quake: ["gfx/%s", "crosshairs/%s", "particles/%s", "fonts/%s"],
  quake2: ["pics/%s", "players/%s/%s"],
  quake3: ["models/players/%s/%s", "models/players/heads/%s/%s", "sound/player/%s/%s", "fonts/%s"],
  doom: [],
  doom3: ["fonts/%s/%s", "guis/assets/loading/%s"],
};

/** Directories whose files are chosen by maps, so that format strings in code are ignored. */
const ofMaps = /^(?:maps|levelshots)\//i;

const wildcards = /%[-+ #0]*\d*(?:\.\d+)?l?([sdiuxcf])/gi;

/**
 * Returns the words that pass a test.
 * @throws {MediaError} if there are too many.
 */
function namesIn(words: Iterable<string>, mayBeName: (word: string) => boolean): Set<string> {
  const found = new Set<string>();
  for (const word of words) {
    if (found.has(word) || !mayBeName(word)) continue;
    if (found.size >= maxNames) throw new MediaError(`it has more than ${maxNames} names of files`);
    found.add(word);
  }
  return found;
}

/** Finds the files of a view for names in other files. */
export class NamedFiles {
  readonly #resolver: ReferenceResolver;
  readonly #shaders: readonly string[];
  readonly #known = new Map<string, readonly Reference[]>();
  readonly #work = { steps: 0 };
  readonly #directories = new Map<string, readonly Reference[]>();
  #nodes: ReadonlyMap<string, readonly number[]> | undefined;
  #stems: StemSet | undefined;

  /** @param shaders Names of shaders and definitions. */
  constructor(resolver: ReferenceResolver, shaders: readonly string[]) {
    this.#resolver = resolver;
    this.#shaders = shaders;
  }

  /** Returns references to files that the engine loads on its own. */
  ofEngine(family: Family): Reference[] {
    return composed[family].flatMap((pattern) => this.#composed(pattern));
  }

  /**
   * Returns references to the files named in a file.
   * @throws {MediaError} if there are too many names.
   */
  of(bytes: Uint8Array): Reference[] {
    this.#stems ??= new StemSet(this.#byStem.keys());
    const names = namesIn(
      wordsOf(bytes, this.#stems),
      (word) => this.#byStem.has(stemOf(pathOfName(word))) || this.#hasDirectory(word),
    );
    this.#work.steps = 0;
    let formats = 0;
    for (const name of names) if (name.includes("%")) formats++;
    if (formats > maxFormats) throw new MediaError(`it has more than ${maxFormats} format strings of files`);
    return Array.from(names).flatMap((name) => this.#known.getOrInsertComputed(name, () => this.#references(name)));
  }

  #references(written: string): Reference[] {
    if (written.includes("%")) return this.#composed(written);
    const name = pathOfName(written);
    const nodes = this.#byStem.get(stemOf(name));
    if (!nodes) return [];
    // Sounds of the player's model: `*jump1.wav`.
    if (name.startsWith("*")) return nodes.map((node) => this.#file(node));
    const references = kinds.map((kind) => optional(kind, "name", name));
    if (extensionOf(name) === "") references.push(optional("sound", "name", `${name}.wav`));
    references.push(optional("image", "name", `pics/${name}.pcx`));
    for (const type of ["entitydef", "model", "sound", "skin", "particle"]) {
      references.push(optional("definition", "name", `${type} ${name}`));
    }
    return references.filter((reference) => this.#resolver.resolve(reference).type !== "missing");
  }

  /** Returns whether a word is a format string whose directory exists. */
  #hasDirectory(word: string): boolean {
    return word.includes("%") && this.#directoriesOf(word).some((directory) => this.#below(directory).length > 0);
  }

  /** Returns the directories of the files that match a format string; none if it begins with a placeholder. */
  #directoriesOf(format: string): string[] {
    const fixed = pathOfName(format.slice(0, format.indexOf("%")));
    const directory = fixed.slice(0, fixed.lastIndexOf("/") + 1);
    return directory === "" || ofMaps.test(directory) ? [] : [directory, `sound/${directory}`];
  }

  /** Returns references to the files that match a format string with a directory. */
  #composed(format: string): Reference[] {
    const parts = pathOfName(format).split(wildcards);
    // Every second part is the type of a placeholder.
    const glob = parts.map((part, index) => index % 2 === 0 ? literal(part) : part.toLowerCase() === "c" ? "?" : "*");
    const pattern = glob.join("").replaceAll(/\*+/g, "*");
    const tests = [pattern, `${pattern}.*`, `sound/${pattern}`, `sound/${pattern}.*`]
      .map((one) => compilePathGlob(one, { ignoreCase: true, work: this.#work }));
    return this.#directoriesOf(format).flatMap((directory) => this.#below(directory))
      .filter(({ names: [path] }) => {
        if (this.#work.steps > maxWork) throw new MediaError("it has format strings of too many files");
        return tests.some((test) => test.after(test.start, path).accepts);
      });
  }

  /** Returns references to the files below a directory. */
  #below(directory: string): readonly Reference[] {
    const known = this.#directories.get(directory);
    if (known) return known;
    const { tree } = this.#resolver.view;
    const top = tree.find(directory);
    const isDirectory = top !== none && tree.isDirectory(top);
    const found = isDirectory ? Array.from(tree.files(top), (node) => this.#file(node)) : [];
    if (found.length > 0) this.#directories.set(directory, found);
    return found;
  }

  #file(node: number): Reference {
    return optional("file", "name", this.#resolver.view.tree.pathOf(node));
  }

  /** Nodes of files by base name without extension, in lower case; none for shaders and definitions. */
  get #byStem(): ReadonlyMap<string, readonly number[]> {
    return this.#nodes ??= filesByStem(this.#resolver.view, this.#shaders);
  }
}

/** Escapes the special characters of patterns. */
function literal(text: string): string {
  return text.replaceAll(/[*?[\]{}\\]/g, "\\$&");
}

function stemOf(name: string): string {
  return withoutExtension(name.slice(name.lastIndexOf("/") + 1)).replace(/^\*/, "").toLowerCase();
}

function filesByStem({ tree }: View, shaders: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const node of filesAfter(tree, 0)) {
    if (node === none || at(tree.entries, node) === none) continue;
    found.getOrInsert(stemOf(tree.nameOf(node)), []).push(node);
  }
  for (const name of shaders) found.getOrInsert(stemOf(name), []);
  return found;
}
