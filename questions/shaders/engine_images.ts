/**
 * Paths that engines try for the picture of a name, in order.
 * @module
 */
import {
  type Candidate,
  decide,
  type Decision,
  type Family,
  isDoom3,
  type LumpRules,
  pictures,
  type PictureSearch,
  profiles,
  type RuleName,
  type ShaderDialect,
} from "../../engines/mod.ts";
import { none } from "../../index/mod.ts";
import type { View } from "../../views/mod.ts";
import { doomPaths, everyDoomPath } from "./doom_paths.ts";

/** Returns the family of a view's engine; for an unknown engine, detected from the view's files. */
function familyOf(view: View, dialect: ShaderDialect, hasShaders: boolean): Family {
  const { game: { profile }, tree } = view;
  if (hasShaders && profile.familyWithShaders !== null) return profile.familyWithShaders;
  if (profile.family !== null) return profile.family;
  if (hasShaders) return isDoom3(dialect) ? "doom3" : "quake3";
  if (["PLAYPAL", "lumps/PLAYPAL"].some((path) => tree.find(path) !== none) || hasDoomMap(view)) return "doom";
  if (tree.find("pics/colormap.pcx") !== none) return "quake2";
  return tree.find("gfx/palette.lmp") === none ? "quake3" : "quake";
}

/** Returns whether a view has a Doom map as lumps: `maps/MAP01/THINGS`. */
function hasDoomMap({ tree }: View): boolean {
  return tree.childrenAt("maps").some((node) =>
    tree.isDirectory(node) &&
    ["THINGS", "TEXTMAP"].some((lump) => tree.find(`maps/${tree.nameOf(node)}/${lump}`) !== none)
  );
}

const familySearches: Readonly<Record<Family, PictureSearch>> = {
  quake: pictures(["tga", "png", "jpg", "pcx"]),
  quake2: pictures(["tga", "png", "jpg"]),
  quake3: pictures(["png", "tga", "jpg", "jpeg", "pcx", "bmp"]),
  doom3: pictures(["tga", "jpg"]),
  doom: pictures([]),
};

/** Formats of Quake 2 that newer engines replace with other formats. */
const replaced: ReadonlySet<string> = new Set(["wal", "pcx"]);

/** Extensions that any engine tries, Quake 2's included. */
const everyExtension = [
  ...profiles.map((profile) => profile.pictures ?? pictures([])),
  ...Object.values(familySearches),
].reduce(
  (all, { extensions }) => all.union(new Set(extensions)),
  replaced,
);

/** All folders that any engine searches for names without a folder. */
const everyFolder: ReadonlySet<string> = new Set(profiles.flatMap((profile) => profile.pictures?.folders ?? []));

/** Returns the path of a name: file systems of engines read `\\` as `/`, and skip a leading slash. */
export function pathOfName(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\/+/, "");
}

/** Returns all paths that any engine may try for the picture of a name. */
export function everyImagePath(written: string): string[] {
  const name = pathOfName(written);
  const plain = withoutExtension(name);
  const whole = new Set([name, plain]);
  const everywhere = name.includes("/") ? [] : Array.from(everyFolder, (folder) => `${folder}/${plain}`);
  const named = Array.from(everyExtension, (extension) => [...whole, ...everywhere].map((one) => `${one}.${extension}`))
    .flat();
  return [name, ...named, `dds/${plain}.dds`, ...extensionOf(name) === "" ? everyDoomPath(name) : []];
}

/** Searches of one engine. */
export class EngineImages {
  readonly family: Family;
  readonly #search: PictureSearch;
  readonly #rules: readonly RuleName[];
  readonly #lumps: LumpRules | undefined;

  /** @param hasShaders Whether the view defines shaders. */
  constructor(view: View, dialect: ShaderDialect, hasShaders: boolean) {
    const { pictures: own, rules: all } = view.game.profile;
    this.family = familyOf(view, dialect, hasShaders);
    this.#lumps = view.game.profile.loadList?.lumps;
    this.#search = own ?? familySearches[this.family];
    this.#rules = dialect.reading === "ranked" ? all : [...this.#search.rules, "extension"];
  }

  /**
   * Returns the paths that the engine tries for a name, in order.
   * @param isSurface Whether it is the name of a surface instead of an image in a shader.
   */
  paths(written: string, isSurface: boolean): string[] {
    const name = pathOfName(written);
    if (this.family === "doom") {
      return doomPaths(isSurface && !name.includes("/") ? "texture" : "image", name, this.#lumps);
    }
    if (this.#search.own === "only") return originalPaths(name, isSurface);
    if (this.family === "doom3") {
      const plain = this.#search.extensions.includes(extensionOf(name)) ? withoutExtension(name) : name;
      return [...pathsOf(name, this.#search), `dds/${plain}.dds`];
    }
    if (this.family === "quake2" && replaced.has(extensionOf(name))) {
      return [...this.#search.extensions.map((extension) => `${withoutExtension(name)}.${extension}`), name];
    }
    const paths = pathsOf(name, this.#search);
    const folders = name.includes("/") ? [] : this.#search.folders;
    return [...folders.flatMap((folder) => paths.map((path) => `${folder}/${path}`)), ...paths];
  }

  /** Decides between the files at two of these paths. */
  decide(a: Candidate, b: Candidate): Decision {
    return decide(this.#rules, a, b);
  }

  /** Returns the order of the files at two of these paths; 0 for files at one path, which the view's rules order. */
  compare(a: Candidate, b: Candidate): number {
    const { order, rule } = this.decide(a, b);
    return rule === "index-order" ? 0 : order;
  }
}

function pathsOf(name: string, { extensions, own, keepsUnknown }: PictureSearch): string[] {
  const known = extensionOf(name);
  if (extensions.length === 0) return known === "" ? [] : [name];
  const plain = extensions.includes(known) || !keepsUnknown ? withoutExtension(name) : name;
  const all = extensions.map((extension) => `${plain}.${extension}`);
  if (own === "in order" || !extensions.includes(known)) return all;
  return [name, ...all.filter((_, index) => extensions[index] !== known)];
}

/** The original Quake III tries `.jpg` only after `.tga`, and an image without extension only for surfaces. */
function originalPaths(name: string, isSurface: boolean): string[] {
  const extension = extensionOf(name);
  const whole = extension === "" && isSurface ? `${name}.tga` : name;
  if (extensionOf(whole) === "tga") return [whole, `${withoutExtension(whole)}.jpg`];
  return ["jpg", "pcx", "bmp"].includes(extension) ? [name] : [];
}

/** Returns a path without its extension. */
export function withoutExtension(path: string): string {
  return path.replace(/\.[^./]*$/, "");
}

/** Returns the extension of a path in lower case, without the dot; empty if it has none. */
export function extensionOf(path: string): string {
  return /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
