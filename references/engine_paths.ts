/**
 * Paths that an engine tries for a name, in its order. Fact sources: ioquake/ioq3 code/renderergl2/tr_image.c
 * `R_LoadImage`, code/renderergl1/tr_model.c `RE_RegisterModel`, code/client/snd_codec.c `S_CodecGetSound`,
 * code/client/cl_cin.c; id-Software/Quake-III-Arena code/renderer/tr_image.c, tr_shader.c; sezero/quakespasm
 * Quake/image.c, bgmusic.c; yquake2/yquake2 src/client/refresh/files/stb.c; id-Software/DOOM-3
 * neo/renderer/Image_files.cpp, Image_load.cpp.
 * @module
 */
import { imageExtensions } from "../index/profiles/rules.ts";
import type { ShaderIndex } from "../index/shaders/shader_index.ts";
import { none } from "../index/columns/columns.ts";
import { extensionOf, type Family, type ReferenceKind, withoutExtension } from "./reference.ts";

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
export function familyOf({ view, rules, definitionCount }: ShaderIndex): Family {
  const { kin } = view.game.profile;
  const known = families[kin];
  if (known !== undefined) return withShaders.has(kin) && definitionCount > 0 ? "quake3" : known;
  if (definitionCount > 0) return rules.name === "doom3" ? "doom3" : "quake3";
  if (view.tree.find("pics/colormap.pcx") !== none) return "quake2";
  return view.tree.find("gfx/palette.lmp") === none ? "quake3" : "quake";
}

/** Extensions that one engine tries, in its order. */
interface EngineExtensions {
  readonly images: readonly string[];
  readonly models: readonly string[];
  readonly sounds: readonly string[];
  readonly music: readonly string[];
  /** Kinds of references that the engine does not follow. */
  readonly ignores?: readonly ReferenceKind[];
}

const quake3Extensions: EngineExtensions = {
  images: imageExtensions,
  models: ["iqm", "mdr", "md3"],
  sounds: ["wav", "ogg", "opus"],
  music: ["wav", "ogg", "opus"],
};
const quakeMusic = ["ogg", "opus", "mp3", "flac", "wav", "it", "s3m", "xm", "mod", "umx"];
const quakeExtensions: EngineExtensions = {
  images: ["tga", "png", "jpg", "pcx"],
  models: [],
  sounds: [],
  music: quakeMusic,
};
const quake2Extensions: EngineExtensions = { images: ["tga", "png", "jpg"], models: [], sounds: [], music: [] };
const doom3Extensions: EngineExtensions = { images: ["tga", "jpg"], models: [], sounds: ["wav", "ogg"], music: [] };

const byFamily: Readonly<Record<Family, EngineExtensions>> = {
  quake: quakeExtensions,
  quake2: quake2Extensions,
  quake3: quake3Extensions,
  doom3: doom3Extensions,
};
const byProfile: Readonly<Record<string, EngineExtensions>> = {
  quake: { ...quakeExtensions, images: [], ignores: ["sky", "side", "music"] },
  quakespasm: { ...quakeExtensions, images: ["tga", "pcx"] },
  quake2: { ...quake2Extensions, images: [], ignores: ["side", "music"] },
  quake3: { images: [], models: [], sounds: [], music: [] },
};

/** Returns paths with the name's own extension first, then with each other that the engine tries. */
function withExtensions(name: string, extensions: readonly string[]): string[] {
  const own = extensionOf(name);
  if (extensions.length === 0) return own === "" ? [] : [name];
  if (!extensions.includes(own)) return extensions.map((extension) => `${name}.${extension}`);
  const others = extensions.filter((extension) => extension !== own);
  return [name, ...others.map((extension) => `${withoutExtension(name)}.${extension}`)];
}

/** The original Quake III tries `.jpg` after `.tga` only, and an image without extension for surfaces only. */
function originalImage(kind: ReferenceKind, name: string): string[] {
  const extension = extensionOf(name);
  const whole = extension === "" && kind === "texture" ? `${name}.tga` : name;
  if (extensionOf(whole) === "tga") return [whole, `${withoutExtension(whole)}.jpg`];
  return ["jpg", "pcx", "bmp"].includes(extension) ? [name] : [];
}

/** Paths of one engine. */
export class EnginePaths {
  readonly family: Family;
  readonly #isOriginal: boolean;
  readonly #extensions: EngineExtensions;

  constructor(shaders: ShaderIndex) {
    const { name, kin } = shaders.view.game.profile;
    this.family = familyOf(shaders);
    this.#isOriginal = kin === "quake3";
    this.#extensions = byProfile[name] ?? byFamily[this.family];
  }

  /** Returns whether the engine follows references of a kind. */
  follows(kind: ReferenceKind): boolean {
    return !this.#extensions.ignores?.includes(kind);
  }

  /** Returns the paths that the engine tries for a name, in its order. */
  of(kind: ReferenceKind, written: string): string[] {
    const name = written.replaceAll("\\", "/").replace(/^\/+/, "");
    const { images, models, sounds, music } = this.#extensions;
    if (kind === "texture" || kind === "image" || kind === "sky") return this.#imagePaths(kind, name, images);
    if (kind === "model") return models.length === 0 ? [name] : withExtensions(name, models);
    if (kind === "sound") return this.#soundPaths(name, sounds);
    if (kind === "music") return music.length === 0 ? [name] : withExtensions(name, music);
    if (kind === "definition") return [];
    if (kind === "video") return [name.includes("/") || this.family !== "quake3" ? name : `video/${name}`];
    return [name];
  }

  #imagePaths(kind: ReferenceKind, name: string, extensions: readonly string[]): string[] {
    if (this.#isOriginal) return originalImage(kind, name);
    if (this.family === "doom3") {
      const plain = ["tga", "jpg"].includes(extensionOf(name)) ? withoutExtension(name) : name;
      return [...withExtensions(name, extensions), `dds/${plain}.dds`];
    }
    const own = extensionOf(name);
    // Textures and skins of Quake 2 are of formats that later engines replace.
    if (this.family === "quake2" && (own === "wal" || own === "pcx")) {
      return [name, ...extensions.map((extension) => `${withoutExtension(name)}.${extension}`)];
    }
    return withExtensions(name, extensions);
  }

  #soundPaths(name: string, extensions: readonly string[]): string[] {
    if (this.family === "quake") return [`sound/${name}`];
    if (this.family === "quake2") return [name.startsWith("#") ? name.slice(1) : `sound/${name}`];
    return extensions.length === 0 ? [name] : withExtensions(name, extensions);
  }
}
