/**
 * Reads `TEXTURES` of GZDoom: textures composed of other pictures.
 *
 * `texture NAME, 64, 64 { XScale 2 Patch NAME, 0, 0 { FlipX Rotate 90 Alpha 0.5 Style Translucent } }`; also `walltexture`,
 * `flat`, `sprite` and `graphic`. `define NEW OLD WIDTH HEIGHT` shows a picture in a higher resolution. (GZDoom
 * src/gamedata/textures/multipatchtexturebuilder.cpp, `ParseTexture`, `ParsePatch`.)
 * @module
 */
import type { ComposedTexture, TextureLayer } from "./composed_texture.ts";
import { DoomText, type DoomWord } from "./core/doom_words.ts";

/** A texture that `TEXTURES` defines. */
export interface DefinedTexture extends ComposedTexture {
  /** Whether only a picture in a higher resolution is defined. */
  readonly isReplacement: boolean;
  /** Whether it is only used if its patches exist. */
  readonly isOptional: boolean;
  /** Position in the file. */
  readonly offset: number;
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
      const name = text.next()?.text ?? "";
      const from = text.peek()?.line === word?.line ? text.next()?.text ?? "" : name;
      if (name === "") continue;
      const layers = [{ name: from, left: 0, top: 0 }];
      found.push({ ...at, ...{ name, width: 0, height: 0, layers, isOptional: false, isReplacement: true } });
      continue;
    }
    if (!defining.has(kind)) continue;
    const isOptional = text.take("optional");
    const name = text.next()?.text ?? "";
    const sizes: number[] = [];
    while (!text.isAtEnd && text.peek()?.text !== "{" && !defining.has(text.peek()?.text.toLowerCase() ?? "")) {
      const value = text.next();
      if (value?.kind === "word") sizes.push(whole(value));
    }
    const [width = 0, height = 0] = sizes;
    const body = bodyOf(text.block() ?? []);
    if (name !== "") found.push({ ...at, name, width, height, ...body, isOptional, isReplacement: false });
  }
  return found;
}

/** Returns a number of pixels. */
function whole(word: DoomWord | undefined): number {
  return Math.trunc(Number(word?.text)) || 0;
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
