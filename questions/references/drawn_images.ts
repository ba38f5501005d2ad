/**
 * Images that represent a shader or material as one picture.
 * @module
 */
import { doom3MaterialReferences } from "./doom3_material.ts";
import { quake3ShaderReferences } from "./quake3_shader.ts";

/** Origins of images in materials of Doom 3, the most telling first; others are not colours. */
const materialOrder = ["diffusemap", "map", "cubemap", "cameracubemap"];

/**
 * Returns the names of the images that a shader of Quake III or a material of Doom 3 draws, the first to be tried first:
 * images of stages in their order, then of the sky.
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
