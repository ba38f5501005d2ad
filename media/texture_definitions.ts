/**
 * Reads `TEXTURES` of GZDoom: textures composed of other pictures.
 *
 * `texture NAME, 64, 64 { XScale 2 Patch NAME, 0, 0 { FlipX Rotate 90 Alpha 0.5 Style Translucent } }`; also `walltexture`,
 * `flat`, `sprite` and `graphic`. `define PATH WIDTH HEIGHT` shows a picture as the texture of its name. (GZDoom
 * src/common/textures/multipatchtexturebuilder.cpp `ParseTexture`, `ParsePatch`; texturemanager.cpp `ParseTextureDef`.)
 * @module
 */
import type { ComposedTexture, TextureLayer } from "./composed_texture.ts";
import { DoomText, type DoomWord } from "./core/doom_words.ts";

/** A texture that `TEXTURES` defines. */
export interface DefinedTexture extends ComposedTexture {
  /** Whether it is a single picture in another size. */
  readonly isReplacement: boolean;
  /** Whether it is only used if its patches exist. */
  readonly isOptional: boolean;
  /** Whether it is for walls or floors, not a sprite or a picture. */
  readonly isSurface: boolean;
  /** Position in the file. */
  readonly offset: number;
  /** Position after it. */
  readonly end: number;
  /** Line of the name. */
  readonly line: number;
}

const defining = new Set(["texture", "walltexture", "flat", "sprite", "graphic"]);
const layering = /^(?:patch|graphic|sprite|flat|texture)$/i;
/** Properties of a layer that are not drawn. */
const undrawn = new Set(["translation", "blend", "useoffsets"]);
/** Styles that mix a layer with those before it, and those that replace what is before. */
const styles: Readonly<Record<string, TextureLayer["style"]>> = {
  ...{ copy: "copy", translucent: "mix", overlay: "mix", copyalpha: "mix", add: "add" },
};

/**
 * Reads `TEXTURES`.
 * @throws {MediaError} if it has too many words.
 */
export function readTextureDefinitions(bytes: Uint8Array): DefinedTexture[] {
  const text = new DoomText(bytes);
  const found: DefinedTexture[] = [];
  while (!text.isAtEnd) {
    const word = text.next();
    const kind = word?.text.toLowerCase() ?? "";
    if (kind === "remap") {
      text.next();
      continue;
    }
    const at = { offset: word?.offset ?? 0, line: word?.line ?? 0 };
    if (kind === "define") {
      const path = text.next()?.text ?? "";
      text.take("force32bit");
      const sizes = sizesFrom(text);
      const name = path.replace(/^.*\//s, "").replace(/\.[^.]*$/, "").slice(0, 8);
      const layers = [{ name: path, left: 0, top: 0 }];
      const kinds = { isOptional: false, isReplacement: true, isSurface: true };
      if (name !== "") found.push({ ...at, ...kinds, name, ...sizes, layers, end: text.end });
      continue;
    }
    if (!defining.has(kind)) continue;
    const isOptional = text.take("optional");
    const name = text.next()?.text ?? "";
    const sizes = sizesFrom(text);
    const body = bodyOf(text.block() ?? []);
    const kinds = { isOptional, isReplacement: false, isSurface: kind !== "sprite" && kind !== "graphic" };
    if (name !== "") found.push({ ...at, ...kinds, name, ...sizes, ...body, end: text.end });
  }
  return found;
}

/** `TEXTURES` with what is left of it. */
export interface PrunedDefinitions {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kept: readonly DefinedTexture[];
  /** Number of textures that are left out. */
  readonly omitted: number;
}

/**
 * Leaves textures out of `TEXTURES`; all else stays as it is.
 * @throws {MediaError} as {@linkcode readTextureDefinitions}.
 */
export function prunedDefinitions(bytes: Uint8Array, isKept: (texture: DefinedTexture) => boolean): PrunedDefinitions {
  const left = new Uint8Array(bytes.length);
  const kept: DefinedTexture[] = [];
  let [length, start, omitted] = [0, 0, 0];
  const copyTo = (end: number) => {
    const part = bytes.subarray(start, Math.max(start, end));
    left.set(part, length);
    length += part.length;
  };
  for (const texture of readTextureDefinitions(bytes)) {
    if (isKept(texture)) kept.push(texture);
    else {
      copyTo(texture.offset);
      start = texture.end;
      while (blank.has(bytes[start] ?? 0)) start++;
      if (bytes[start] === newline) start++;
      omitted++;
    }
  }
  copyTo(bytes.length);
  return { bytes: left.slice(0, length), kept, omitted };
}

/** Spaces at the end of a line, and the end itself. */
const blank = new Set(Array.from(" \t\r", (letter) => letter.charCodeAt(0)));
const newline = 10;

/** Returns a number of pixels. */
function whole(word: DoomWord | undefined): number {
  return Math.trunc(Number(word?.text)) || 0;
}

/** Reads a width and height. */
function sizesFrom(text: DoomText): { width: number; height: number } {
  const sizes: number[] = [];
  while (/^(?:,|[-+.\d].*)$/.test(text.peek()?.text ?? "")) {
    const value = text.next();
    if (value?.kind === "word") sizes.push(whole(value));
  }
  const [width = 0, height = 0] = sizes;
  return { width, height };
}

function bodyOf(words: readonly DoomWord[]): Pick<ComposedTexture, "layers" | "scaleX" | "scaleY" | "unfollowed"> {
  const layers: { -readonly [Key in keyof TextureLayer]: TextureLayer[Key] }[] = [];
  const scales: { scaleX?: number; scaleY?: number } = {};
  const unfollowed = new Set<string>();
  let depth = 0;
  for (const [index, { kind, text }] of words.entries()) {
    if (kind === "symbol") depth += text === "{" ? 1 : text === "}" ? -1 : 0;
    if (kind !== "word") continue;
    const [key, value] = [text.toLowerCase(), words[index + 1]?.text ?? ""];
    const last = layers.at(-1);
    if (depth === 0) {
      if (key === "xscale") scales.scaleX = Number(value) || 1;
      if (key === "yscale") scales.scaleY = Number(value) || 1;
      if (!layering.test(text) || value === "" || words[index + 1]?.kind === "symbol") continue;
      const numbers = words.slice(index + 2, index + 6).filter((word) => word.kind === "word");
      layers.push({ name: value, left: whole(numbers[0]), top: whole(numbers[1]) });
    } else if (!last) continue;
    else if (key === "flipx") last.isFlippedX = true;
    else if (key === "flipy") last.isFlippedY = true;
    else if (key === "rotate") last.turns = (Math.round(Number(value) / 90) % 4 + 4) % 4 || 0;
    else if (key === "alpha") last.opacity = Math.min(1, Math.max(0, Number(value) || 0));
    else if (key === "style") {
      const style = styles[value.toLowerCase()];
      if (style) last.style = style;
      else unfollowed.add(`style ${value}`);
    } else if (undrawn.has(key)) unfollowed.add(text);
  }
  return { ...scales, layers, ...unfollowed.size > 0 && { unfollowed: [...unfollowed] } };
}
