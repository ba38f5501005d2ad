/**
 * Paths that an engine tries for a name, in its order. Fact sources: ioquake/ioq3 code/renderergl1/tr_model.c
 * `RE_RegisterModel`, code/client/snd_codec.c `S_CodecGetSound`, code/client/cl_cin.c; sezero/quakespasm Quake/bgmusic.c.
 * @module
 */
import {
  type EngineImages,
  extensionOf,
  type Family,
  pathOfName,
  withoutExtension,
} from "../index/shaders/engine_images.ts";
import type { ShaderIndex } from "../index/shaders/shader_index.ts";
import type { ReferenceKind } from "./reference.ts";

/** Extensions that one engine tries, in its order. */
interface EngineExtensions {
  readonly models: readonly string[];
  readonly sounds: readonly string[];
  readonly music: readonly string[];
  /** Kinds of references that the engine does not follow. */
  readonly ignores?: readonly ReferenceKind[];
}

const named: EngineExtensions = { models: [], sounds: [], music: [] };

const byFamily: Readonly<Record<Family, EngineExtensions>> = {
  quake: { ...named, music: ["ogg", "opus", "mp3", "flac", "wav", "it", "s3m", "xm", "mod", "umx"] },
  quake2: named,
  quake3: { models: ["iqm", "mdr", "md3"], sounds: ["wav", "ogg", "opus"], music: ["wav", "ogg", "opus"] },
  doom3: { ...named, sounds: ["wav", "ogg"] },
};
const byProfile: Readonly<Record<string, EngineExtensions>> = {
  quake: { ...named, ignores: ["sky", "side", "music"] },
  quake2: { ...named, ignores: ["side", "music"] },
  quake3: named,
};

/** Returns paths with the name's own extension first, then with each other that the engine tries. */
function withExtensions(name: string, extensions: readonly string[]): string[] {
  const own = extensionOf(name);
  if (!extensions.includes(own)) return extensions.map((extension) => `${name}.${extension}`);
  const others = extensions.filter((extension) => extension !== own);
  return [name, ...others.map((extension) => `${withoutExtension(name)}.${extension}`)];
}

/** Paths of one engine. */
export class EnginePaths {
  readonly family: Family;
  readonly #images: EngineImages;
  readonly #extensions: EngineExtensions;

  constructor({ view, images }: ShaderIndex) {
    this.family = images.family;
    this.#images = images;
    this.#extensions = byProfile[view.game.profile.name] ?? byFamily[this.family];
  }

  /** Returns whether the engine follows references of a kind. */
  follows(kind: ReferenceKind): boolean {
    return !this.#extensions.ignores?.includes(kind);
  }

  /** Returns the paths that the engine tries for a name, in its order. */
  of(kind: ReferenceKind, written: string): string[] {
    const name = pathOfName(written);
    const { models, sounds, music } = this.#extensions;
    if (kind === "texture" || kind === "image" || kind === "sky") return this.#imagePaths(kind, name);
    if (kind === "model") return models.length === 0 ? [name] : withExtensions(name, models);
    if (kind === "sound") return this.#soundPaths(name, sounds);
    if (kind === "music") return music.length === 0 ? [name] : withExtensions(name, music);
    if (kind === "definition") return [];
    if (kind === "video") return [name.includes("/") || this.family !== "quake3" ? name : `video/${name}`];
    return [name];
  }

  #imagePaths(kind: ReferenceKind, name: string): string[] {
    const paths = this.#images.paths(name, kind === "texture");
    // Engines that show another picture instead of one of Quake 2 do not need it.
    return this.family === "quake2" && paths.at(-1) === name ? [name, ...paths.slice(0, -1)] : paths;
  }

  #soundPaths(name: string, extensions: readonly string[]): string[] {
    if (this.family === "quake") return [`sound/${name}`];
    if (this.family === "quake2") return [name.startsWith("#") ? name.slice(1) : `sound/${name}`];
    return extensions.length === 0 ? [name] : withExtensions(name, extensions);
  }
}
