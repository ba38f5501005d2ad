/**
 * Reads skins of Quake III: lines `surface,shader` (ioquake/ioq3 code/renderergl1/tr_image.c `RE_RegisterSkin`).
 * @module
 */
const latin = new TextDecoder("windows-1252");

/** Returns the surfaces of a skin, in lower case, with the names of their shaders. */
export function readSkin(bytes: Uint8Array): [surface: string, shader: string][] {
  return latin.decode(bytes).split("\n").flatMap((line): [string, string][] => {
    const [surface = "", ...names] = line.replaceAll('"', "").split(",");
    const name = names.join(",").trim();
    return name === "" ? [] : [[surface.trim().toLowerCase(), name]];
  });
}
