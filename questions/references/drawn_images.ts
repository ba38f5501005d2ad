/**
 * Images that represent a shader or material as one picture.
 * @module
 */
import { doom3MaterialReferences } from "./doom3_material.ts";
import { quake3ShaderReferences } from "./quake3_shader.ts";

/** Kinds of images in materials of Doom 3, the most representative first; other kinds are not colours. */
const materialOrder = ["diffusemap", "map", "cubemap", "cameracubemap"];

/**
 * Returns the names of the images that a shader of Quake III or a material of Doom 3 draws, in the order in which they
 * are tried: images of stages, then of the sky.
 * @param text The definition, from its name or type to its closing brace.
 * @param isMaterial Whether it is a material of Doom 3.
 */
export function drawnImages(text: Uint8Array, isMaterial: boolean): string[] {
  if (!isMaterial) {
    const images = quake3ShaderReferences(text).filter(({ kind }) => kind === "image");
    const [skies, stages] = [true, false].map((isSky) => images.filter(({ why }) => (why === "sky box") === isSky));
    return [...stages ?? [], ...skies ?? []].flatMap(({ names }) => names);
  }
  return doom3MaterialReferences(text)
    .filter(({ kind, why }) => kind === "image" && materialOrder.includes(why))
    .sort((a, b) => materialOrder.indexOf(a.why) - materialOrder.indexOf(b.why))
    .flatMap(({ names }) => names);
}
