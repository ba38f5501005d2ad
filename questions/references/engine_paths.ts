/**
 * Paths that an engine tries for a name, in its order.
 * @module
 */
import {
  type Family,
  type FileSearch,
  type LumpRules,
  pathsAlone,
  quakeMusic,
  type ReferenceKind,
} from "../../engines/mod.ts";
import { doomPaths } from "../shaders/doom_paths.ts";
import { type EngineImages, extensionOf, pathOfName, withoutExtension } from "../shaders/engine_images.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";

/** Files of engines without a known search order. */
const byFamily: Readonly<Record<Family, FileSearch>> = {
  quake: quakeMusic,
  quake2: pathsAlone,
  quake3: {
    ...pathsAlone,
    models: ["iqm", "mdr", "md3"],
    sounds: ["wav", "ogg", "opus"],
    music: ["wav", "ogg", "opus"],
  },
  doom3: { ...pathsAlone, sounds: ["wav", "ogg"] },
  doom: pathsAlone,
};

/** Returns paths with the name's own extension first, then with the other extensions of the engine. */
function withExtensions(name: string, extensions: readonly string[]): string[] {
  const own = extensionOf(name);
  if (!extensions.includes(own)) return extensions.map((extension) => `${name}.${extension}`);
  const others = extensions.filter((extension) => extension !== own);
  return [name, ...others.map((extension) => `${withoutExtension(name)}.${extension}`)];
}

/** Returns the kind of a reference, where the name of a surface names a texture. */
export function textureOr(kind: ReferenceKind): Exclude<ReferenceKind, "surface"> {
  return kind === "surface" ? "texture" : kind;
}

/** Paths of one engine. */
export class EnginePaths {
  readonly family: Family;
  readonly #images: EngineImages;
  readonly #files: FileSearch;
  readonly #lumps: LumpRules | undefined;

  constructor({ view, images }: ShaderIndex) {
    this.family = images.family;
    this.#images = images;
    this.#files = view.game.profile.files ?? byFamily[this.family];
    this.#lumps = view.game.profile.loadList?.lumps;
  }

  /** Whether the classes of a map's entities play the sounds of Quake III. */
  get hasQuake3Classes(): boolean {
    return this.family === "quake3" && this.#files.playsQuake3Classes;
  }

  /** Returns whether the engine follows references of a kind. */
  follows(kind: ReferenceKind): boolean {
    return !this.#files.ignores.includes(kind);
  }

  /** Returns the paths that the engine tries for a name, in order. */
  of(referenceKind: ReferenceKind, written: string): string[] {
    const kind = textureOr(referenceKind);
    const name = pathOfName(written);
    if (this.family === "doom") return doomPaths(kind, name, this.#lumps);
    const { sounds, music } = this.#files;
    if (kind === "texture" || kind === "image" || kind === "sky") return this.#imagePaths(kind, name);
    if (kind === "model") return this.#modelPaths(name);
    if (kind === "sound") return this.#soundPaths(name, sounds);
    if (kind === "music") return music.length === 0 ? [name] : withExtensions(name, music);
    if (kind === "definition") return [];
    if (kind === "map") return [`maps/${name}.${this.family === "doom3" ? "map" : "bsp"}`];
    if (kind === "video") return [name.includes("/") || this.family !== "quake3" ? name : `video/${name}`];
    return [name];
  }

  #imagePaths(kind: ReferenceKind, name: string): string[] {
    const paths = this.#images.paths(name, kind === "texture");
    // Engines that show another picture instead of one of Quake 2 do not need it.
    return this.family === "quake2" && paths.at(-1) === name ? [name, ...paths.slice(0, -1)] : paths;
  }

  #modelPaths(name: string): string[] {
    const { models, likeModels } = this.#files;
    const paths = models.length === 0 ? [name] : withExtensions(name, models);
    if (!likeModels.includes(extensionOf(name))) return paths;
    const alike = likeModels.map((extension) => `${withoutExtension(name)}.${extension}`);
    return [...new Set([...alike, ...paths])];
  }

  #soundPaths(name: string, extensions: readonly string[]): string[] {
    if (this.#files.soundsAnywhere) {
      const paths = /^sound\//i.test(name) ? [name] : [`sound/${name}`, name];
      return paths.flatMap((path) => /\.wav$/i.test(path) ? [path, path.replace(/wav$/i, "ogg")] : [path]);
    }
    if (this.family === "quake") return [`sound/${name}`];
    if (this.family === "quake2") return [name.startsWith("#") ? name.slice(1) : `sound/${name}`];
    return extensions.length === 0 ? [name] : withExtensions(name, extensions);
  }
}
