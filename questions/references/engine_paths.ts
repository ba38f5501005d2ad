/**
 * Paths that an engine tries for a name, in its order. Fact sources: ioquake/ioq3 code/renderergl1/tr_model.c
 * `RE_RegisterModel`, code/client/snd_codec.c `S_CodecGetSound`, code/client/cl_cin.c, and the same files of ec-/Quake3e,
 * zturtleman/spearmint, iortcw and etlegacy; JACoders/OpenJK codemp/client/snd_mem.cpp `S_LoadSound_FileLoadAndNameAdjuster`;
 * DaemonEngine/Daemon src/engine/audio/SoundCodec.cpp; sezero/quakespasm Quake/bgmusic.c.
 * @module
 */
import { type EngineImages, extensionOf, type Family, pathOfName, withoutExtension } from "../shaders/engine_images.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import type { ReferenceKind } from "./reference.ts";

/** Extensions that one engine tries, in its order. */
interface EngineExtensions {
  /** Empty: a name is a path. */
  readonly models: readonly string[];
  /** Extensions of models that each mean all of these, in this order. */
  readonly likeModels?: readonly string[];
  readonly sounds: readonly string[];
  readonly music: readonly string[];
  /** Kinds of references that the engine does not follow. */
  readonly ignores?: readonly ReferenceKind[];
  /** Whether the classes of its game play other sounds than those of Quake III; the map names neither. */
  readonly hasOtherClasses?: boolean;
}

const named: EngineExtensions = { models: [], sounds: [], music: [] };

const byFamily: Readonly<Record<Family, EngineExtensions>> = {
  quake: { ...named, music: ["ogg", "opus", "mp3", "flac", "wav", "it", "s3m", "xm", "mod", "umx"] },
  quake2: named,
  quake3: { models: ["iqm", "mdr", "md3"], sounds: ["wav", "ogg", "opus"], music: ["wav", "ogg", "opus"] },
  doom3: { ...named, sounds: ["wav", "ogg"] },
};
const rtcw: EngineExtensions = {
  models: ["iqm", "mdr", "mds", "mdc", "md3"],
  likeModels: ["mdc", "md3"],
  sounds: ["wav", "ogg", "opus"],
  music: ["wav", "ogg", "opus"],
  hasOtherClasses: true,
};

const byProfile: Readonly<Record<string, EngineExtensions>> = {
  quake: { ...named, ignores: ["sky", "side", "music"] },
  quake2: { ...named, ignores: ["side", "music"] },
  quake3: named,
  quake3e: { models: ["iqm", "mdr", "md3"], sounds: ["wav", "ogg"], music: ["wav", "ogg"] },
  spearmint: {
    models: ["iqm", "mdr", "md3", "mdc", "mds", "mdm", "mdx", "tan"],
    sounds: ["wav", "mp3", "ogg", "opus"],
    music: ["wav", "mp3", "ogg", "opus"],
  },
  "iortcw-mp": rtcw,
  "iortcw-sp": rtcw,
  etlegacy: { ...named, likeModels: ["md3", "mdc"], hasOtherClasses: true },
  openjk: { ...named, sounds: ["wav", "mp3"], music: ["mp3", "wav"], hasOtherClasses: true },
  daemon: { ...named, sounds: ["wav", "opus", "ogg"], music: ["wav", "opus", "ogg"], hasOtherClasses: true },
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

  /** Whether the classes of a map's entities play the sounds of Quake III. */
  get hasQuake3Classes(): boolean {
    return this.family === "quake3" && this.#extensions.hasOtherClasses !== true;
  }

  /** Returns whether the engine follows references of a kind. */
  follows(kind: ReferenceKind): boolean {
    return !this.#extensions.ignores?.includes(kind);
  }

  /** Returns the paths that the engine tries for a name, in its order. */
  of(kind: ReferenceKind, written: string): string[] {
    const name = pathOfName(written);
    const { sounds, music } = this.#extensions;
    if (kind === "texture" || kind === "image" || kind === "sky") return this.#imagePaths(kind, name);
    if (kind === "model") return this.#modelPaths(name);
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

  #modelPaths(name: string): string[] {
    const { models, likeModels = [] } = this.#extensions;
    const paths = models.length === 0 ? [name] : withExtensions(name, models);
    if (!likeModels.includes(extensionOf(name))) return paths;
    const alike = likeModels.map((extension) => `${withoutExtension(name)}.${extension}`);
    return [...new Set([...alike, ...paths])];
  }

  #soundPaths(name: string, extensions: readonly string[]): string[] {
    if (this.family === "quake") return [`sound/${name}`];
    if (this.family === "quake2") return [name.startsWith("#") ? name.slice(1) : `sound/${name}`];
    return extensions.length === 0 ? [name] : withExtensions(name, extensions);
  }
}
