/**
 * Names of files in the bytes of files whose format pakfs does not read for references: menus, configuration, scripts,
 * and the strings of game code (`progs.dat`, `.qvm`, DLLs). A name that code puts together is known as far as its format
 * string says: `models/players/%s/head.md3`.
 * @module
 */
import { at, none } from "../../index/mod.ts";
import type { Family, ReferenceKind } from "../../engines/mod.ts";
import type { View } from "../../views/mod.ts";
import { filesAfter } from "../find.ts";
import { extensionOf, pathOfName, withoutExtension } from "../shaders/engine_images.ts";
import { optional, type Reference } from "./reference.ts";
import type { ReferenceResolver } from "./thing.ts";

/** Maximum bytes of a file that is read. */
export const maxNamingFile = 32 * 1024 * 1024;
/** Maximum characters of a name. */
const maxName = 128;

/** Kinds of references that a name may mean. */
const kinds = ["texture", "image", "model", "sound", "music", "video", "file"] as const satisfies ReferenceKind[];

/** Names that engines put together themselves, and that no code has to name. */
const composed: Readonly<Record<Family, readonly string[]>> = {
  quake: ["gfx/%s", "crosshairs/%s", "particles/%s", "fonts/%s"],
  quake2: ["pics/%s", "players/%s/%s"],
  quake3: ["models/players/%s/%s", "models/players/heads/%s/%s", "sound/player/%s/%s", "fonts/%s"],
  doom3: ["fonts/%s/%s", "guis/assets/loading/%s"],
};

/** Directories whose files are chosen by a map, whatever code says. */
const ofMaps = /^(?:maps|levelshots)\//i;

const latin = new TextDecoder("windows-1252");
const words = /[^\0-\x20"';,{}()<>|=`\x7f-\xff\u0100-\uffff]+/g;
const wildcards = /%[-+ #0]*\d*(?:\.\d+)?l?([sdiuxcf])/gi;

/** Returns the words of a text or program, and its strings with blanks. */
function namesIn(bytes: Uint8Array): Set<string> {
  const text = latin.decode(bytes);
  const found = new Set<string>();
  for (const [word] of text.matchAll(words)) if (word.length > 1 && word.length <= maxName) found.add(word);
  for (const string of text.split(/["\0\n]/)) {
    if (string.length <= maxName && string.includes(" ") && string.includes("/")) found.add(string.trim());
  }
  return found;
}

/** Finds the files of a view that names in other files mean. */
export class NamedFiles {
  readonly #resolver: ReferenceResolver;
  readonly #shaders: readonly string[];
  readonly #known = new Map<string, readonly Reference[]>();
  #nodes: ReadonlyMap<string, readonly number[]> | undefined;

  /** @param shaders Names of shaders and definitions, as `TYPE NAME` unless they are surfaces. */
  constructor(resolver: ReferenceResolver, shaders: readonly string[]) {
    this.#resolver = resolver;
    this.#shaders = shaders;
  }

  /** Returns references to what the engine finds by itself. */
  ofEngine(family: Family): Reference[] {
    return composed[family].flatMap((pattern) => this.#composed(pattern));
  }

  /** Returns references to the files that a file names. */
  of(bytes: Uint8Array): Reference[] {
    return Array.from(namesIn(bytes)).flatMap((name) => {
      const known = this.#known.get(name);
      if (known) return known;
      const found = this.#references(name);
      // Words that are no names are forgotten: a program has many.
      if (found.length > 0) this.#known.set(name, found);
      return found;
    });
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

  /** Returns references to the files of a format string with a directory. */
  #composed(written: string): Reference[] {
    const pattern = pathOfName(written);
    const fixed = pattern.slice(0, pattern.indexOf("%"));
    const directory = fixed.slice(0, fixed.lastIndexOf("/") + 1);
    if (directory === "" || ofMaps.test(directory)) return [];
    let end = 0;
    let source = "";
    for (const { 0: wildcard, 1: type = "", index } of pattern.matchAll(wildcards)) {
      source += RegExp.escape(pattern.slice(end, index)) + (type.toLowerCase() === "c" ? "[^/]" : "[^/]*");
      end = index + wildcard.length;
    }
    const whole = new RegExp(`^(?:sound/)?${source}${RegExp.escape(pattern.slice(end))}(?:\\.\\w+)?$`, "i");
    return ["", "sound/"].flatMap((before) => this.#below(before + directory))
      .filter(({ names: [path] }) => whole.test(path));
  }

  #below(directory: string): Reference[] {
    const { tree } = this.#resolver.view;
    const top = tree.find(directory);
    if (top === none || !tree.isDirectory(top)) return [];
    const found: Reference[] = [];
    for (let node = tree.following(top, top); node !== none; node = tree.following(node, top)) {
      if (!tree.isDirectory(node)) found.push(this.#file(node));
    }
    return found;
  }

  #file(node: number): Reference {
    return optional("file", "name", this.#resolver.view.tree.pathOf(node));
  }

  /** Files by their names without directory and extension, in small letters; shaders and definitions have no file. */
  get #byStem(): ReadonlyMap<string, readonly number[]> {
    return this.#nodes ??= filesByStem(this.#resolver.view, this.#shaders);
  }
}

function stemOf(name: string): string {
  return withoutExtension(name.slice(name.lastIndexOf("/") + 1)).replace(/^\*/, "").toLowerCase();
}

function filesByStem({ tree }: View, shaders: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const node of filesAfter(tree, 0)) {
    if (node === none || at(tree.entries, node) === none) continue;
    const stem = stemOf(tree.nameOf(node));
    const known = found.get(stem);
    if (known) known.push(node);
    else found.set(stem, [node]);
  }
  for (const name of shaders) if (!found.has(stemOf(name))) found.set(stemOf(name), []);
  return found;
}
