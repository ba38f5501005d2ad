/**
 * Textures that Doom's engines compose from patches: `TEXTURE1` and `TEXTURE2` with `PNAMES`, and GZDoom's `TEXTURES`.
 * @module
 */
import {
  type ComposedTexture,
  MediaError,
  readComposedTextures,
  Reader,
  readTextureDefinitions,
} from "../../media/mod.ts";
import { needed, type Reference } from "./reference.ts";

/** A definition in a file. */
export interface DoomDefinition {
  readonly type: "texture" | "actor" | "sound" | "sequence";
  readonly name: string;
  /** Position in the file. */
  readonly offset: number;
  /** Line of the name; 0 in binary files. */
  readonly line: number;
  readonly references: readonly Reference[];
  /** Whether nothing shows it but what names it. */
  readonly isOnlyNamed?: boolean;
}

/** Returns references to the patches of a texture, each once. */
function patchesOf({ layers }: ComposedTexture): Reference[] {
  const names = new Map(layers.map(({ name }) => [name.toLowerCase(), name]));
  return Array.from(names.values(), (name) => {
    return needed("image", name.includes("/") ? name : `patches/${name.toUpperCase()}`, "patch");
  });
}

/**
 * Reads `TEXTURE1` or `TEXTURE2`.
 * @param patchNames `PNAMES`; undefined if there is none.
 * @throws {MediaError} if one of them is damaged.
 */
export function readTexture1(bytes: Uint8Array, patchNames: Uint8Array | undefined): DoomDefinition[] {
  if (!patchNames) throw new MediaError("there is no PNAMES with the names of its patches");
  const reader = new Reader(bytes);
  return readComposedTextures(bytes, patchNames).map((texture, index) => {
    const offset = reader.u32(4 + index * 4);
    return { type: "texture", name: texture.name, offset, line: 0, references: patchesOf(texture) };
  });
}

/**
 * Reads `TEXTURES`.
 * @throws {MediaError} if it has too many words.
 */
export function readTextures(bytes: Uint8Array): DoomDefinition[] {
  return readTextureDefinitions(bytes).map((texture) => {
    const { name, offset, line, isOptional, isSurface } = texture;
    const references = patchesOf(texture).map((reference) => ({ ...reference, isOptional }));
    return { type: "texture", name, offset, line, references, isOnlyNamed: isSurface };
  });
}
