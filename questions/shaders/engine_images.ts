/**
 * Paths at which engines look for the picture of a name, in their order. Fact sources: ioquake/ioq3
 * code/renderergl1/tr_image.c, ec-/Quake3e code/renderer/tr_image.c, iortcw MP/code/renderer/tr_image.c, etlegacy
 * src/renderercommon/tr_common.c and zturtleman/spearmint code/renderergl1/tr_image.c (`R_LoadImage`); JACoders/OpenJK
 * codemp/rd-common/tr_image_load.cpp; DaemonEngine/Daemon src/engine/renderer/tr_image.cpp (`R_FindImageLoader`);
 * id-Software/Quake-III-Arena code/renderer/tr_image.c, tr_shader.c; `Image_LoadImage` in image.c of sezero/quakespasm,
 * andrei-drexler/ironwail, Novum/vkQuake and Shpoike/Quakespasm; DarkPlaces image.c (`loadimagepixelsbgra`);
 * fte-team/fteqw engine/client/image.c (`r_defaultimageextensions`); ezquake src/r_texture_load.c;
 * yquake2 src/client/refresh/files/stb.c; skullernet/q2pro src/refresh/images.c (`try_other_formats`);
 * id-Software/DOOM-3 neo/renderer/Image_files.cpp, Image_load.cpp.
 * @module
 */
import { none } from "../../index/columns/columns.ts";
import type { Candidate } from "../../engines/core/candidate.ts";
import type { RuleName } from "../../engines/core/profile.ts";
import { decide, type Decision } from "../../engines/core/rules.ts";
import type { View } from "../../views/view.ts";
import type { ShaderRulesName } from "./shader_rules.ts";

/** Family of engines that name and load files alike. */
export type Family = "quake" | "quake2" | "quake3" | "doom3";

/** Families by the profile whose engine it is. */
const families: Readonly<Record<string, Family>> = {
  quake: "quake",
  quakespasm: "quake",
  darkplaces: "quake",
  ftequake: "quake",
  ezquake: "quake",
  xash3d: "quake",
  quake2: "quake2",
  yquake2: "quake2",
  q2pro: "quake2",
  q2rtx: "quake2",
  ioquake3: "quake3",
  quake3: "quake3",
  chomenor: "quake3",
  "iortcw-mp": "quake3",
  "iortcw-sp": "quake3",
  dhewm3: "doom3",
};

/** Engines of Quake that have shaders of Quake III too. */
const withShaders: ReadonlySet<string> = new Set(["darkplaces", "ftequake"]);

/** Returns the family of a view's engine; of an unknown engine by the files of the view. */
function familyOf(view: View, rules: ShaderRulesName, hasShaders: boolean): Family {
  const { kin } = view.game.profile;
  const known = families[kin];
  if (known !== undefined) return withShaders.has(kin) && hasShaders ? "quake3" : known;
  if (hasShaders) return rules === "doom3" ? "doom3" : "quake3";
  if (view.tree.find("pics/colormap.pcx") !== none) return "quake2";
  return view.tree.find("gfx/palette.lmp") === none ? "quake3" : "quake";
}

/** How an engine looks for the picture of a name. */
interface ImageSearch {
  /** Extensions in the order in which it tries them; empty: a name is a path. */
  readonly extensions: readonly string[];
  /** Where it tries the extension that a name has, if that is one of these. */
  readonly own: "first" | "in order";
  /** Whether an extension that it does not know is part of the name; otherwise others replace it. */
  readonly keepsUnknown: boolean;
  /** Rules that decide between pictures of different extensions before the order of these does. */
  readonly rules: readonly RuleName[];
}

function search(extensions: readonly string[], row: Partial<ImageSearch> = {}): ImageSearch {
  return { extensions, own: "first", keepsUnknown: true, rules: [], ...row };
}

const ioquake3 = search(["png", "tga", "jpg", "jpeg", "pcx", "bmp"]);
const rtcw = search(["tga", "jpg", "jpeg", "png", "pcx", "bmp"]);
const q2pro = search(["png", "jpg", "tga"]);
const doom3 = search(["tga", "jpg"]);

/** Searches by the name of a profile, or of the one whose engine it is. */
const searches: Readonly<Record<string, ImageSearch>> = {
  quake: search([]),
  quakespasm: search(["tga", "pcx"]),
  ironwail: search(["png", "tga", "jpg", "pcx", "lmp"]),
  vkquake: search(["png", "tga", "jpg", "pcx", "lmp"], { rules: ["game-directory"] }),
  qss: search(["dds", "tga", "png", "jpeg", "jpg", "pcx"]),
  darkplaces: search(["tga", "png", "jpg", "pcx", "wal"], { own: "in order" }),
  ftequake: search(["dds", "ktx", "tga", "png", "jpg", "pcx"]),
  quake2: search([]),
  q2pro,
  q2rtx: q2pro,
  chomenor: search(ioquake3.extensions, { own: "in order", keepsUnknown: false }),
  quake3: search(["tga", "jpg"]),
  "iortcw-mp": rtcw,
  "iortcw-sp": rtcw,
  openjk: search(["jpg", "png", "tga"], { keepsUnknown: false }),
  spearmint: search(["tga", "jpg", "jpeg", "png", "ftx", "dds", "pcx", "bmp"]),
  daemon: search(["webp", "png", "tga", "jpg", "jpeg", "dds", "crn", "ktx"], { rules: ["dependency-order"] }),
};

const familySearches: Readonly<Record<Family, ImageSearch>> = {
  quake: search(["tga", "png", "jpg", "pcx"]),
  quake2: search(["tga", "png", "jpg"]),
  quake3: ioquake3,
  doom3,
};

/** Formats of Quake 2 whose pictures newer engines replace by those of other formats. */
const replaced: ReadonlySet<string> = new Set(["wal", "pcx"]);

/** Extensions that any engine tries, those of Quake 2 included. */
const everyExtension = Object.values({ ...searches, ...familySearches }).reduce(
  (all, { extensions }) => all.union(new Set(extensions)),
  replaced,
);

/** Returns the path that a name means: file systems of engines read `\\` as `/`, and skip a slash before it. */
export function pathOfName(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\/+/, "");
}

/** Returns all paths at which any engine may look for the picture of a name. */
export function everyImagePath(written: string): string[] {
  const name = pathOfName(written);
  const plain = withoutExtension(name);
  const whole = new Set([name, plain]);
  const named = Array.from(everyExtension, (extension) => Array.from(whole, (one) => `${one}.${extension}`)).flat();
  return [name, ...named, `dds/${plain}.dds`];
}

/** Searches of one engine. */
export class EngineImages {
  readonly family: Family;
  readonly #isOriginal: boolean;
  readonly #search: ImageSearch;
  readonly #rules: readonly RuleName[];

  /** @param hasShaders Whether the view defines shaders. */
  constructor(view: View, rules: ShaderRulesName, hasShaders: boolean) {
    const { name, kin, rules: all } = view.game.profile;
    this.family = familyOf(view, rules, hasShaders);
    this.#isOriginal = kin === "quake3";
    this.#search = searches[name] ?? searches[kin] ?? familySearches[this.family];
    this.#rules = rules === "chomenor" ? all : [...this.#search.rules, "extension"];
  }

  /**
   * Returns the paths that the engine tries for a name, in its order.
   * @param isSurface Whether it is the name of a surface, not that of an image in a shader.
   */
  paths(written: string, isSurface: boolean): string[] {
    const name = pathOfName(written);
    if (this.#isOriginal) return originalPaths(name, isSurface);
    if (this.family === "doom3") {
      const plain = doom3.extensions.includes(extensionOf(name)) ? withoutExtension(name) : name;
      return [...pathsOf(name, doom3), `dds/${plain}.dds`];
    }
    if (this.family === "quake2" && replaced.has(extensionOf(name))) {
      return [...this.#search.extensions.map((extension) => `${withoutExtension(name)}.${extension}`), name];
    }
    return pathsOf(name, this.#search);
  }

  /** Decides between the files at two of these paths. */
  decide(a: Candidate, b: Candidate): Decision {
    return decide(this.#rules, a, b);
  }

  /** Returns the order of the files at two of these paths, which is 0 for files of one path that the view's rules order. */
  compare(a: Candidate, b: Candidate): number {
    const { order, rule } = this.decide(a, b);
    return rule === "index-order" ? 0 : order;
  }
}

function pathsOf(name: string, { extensions, own, keepsUnknown }: ImageSearch): string[] {
  const known = extensionOf(name);
  if (extensions.length === 0) return known === "" ? [] : [name];
  const plain = extensions.includes(known) || !keepsUnknown ? withoutExtension(name) : name;
  const all = extensions.map((extension) => `${plain}.${extension}`);
  if (own === "in order" || !extensions.includes(known)) return all;
  return [name, ...all.filter((_, index) => extensions[index] !== known)];
}

/** The original Quake III tries `.jpg` after `.tga` only, and an image without extension for surfaces only. */
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

/** Returns the extension of a path in small letters, without the dot; empty if it has none. */
export function extensionOf(path: string): string {
  return /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
