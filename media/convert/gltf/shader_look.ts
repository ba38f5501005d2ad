/**
 * Approximates shaders of Quake III for viewers with only opaque, alpha-tested and blended surfaces.
 * @module
 */

/** Look of a surface. */
export interface Look {
  readonly opacity?: "mask" | "blend";
  /** Whether its colour is added to the background, so that black is invisible. */
  readonly isAdded?: boolean;
  readonly isTwoSided?: boolean;
  /** Whether it is not drawn, or only as sky or fog. */
  readonly isHidden?: boolean;
}

const token = /\/\/[^\n]*|\/\*[^]*?\*\/|\n|"([^"\n]*)"|[{}]|[^\s"{}]+/g;

/** Lines of a definition with the depth of their braces, in lower case. */
function linesOf(definition: string): { depth: number; words: string[] }[] {
  const lines: { depth: number; words: string[] }[] = [];
  let depth = 0;
  let words: string[] = [];
  for (const [whole, quoted] of definition.matchAll(token)) {
    if (whole.startsWith("//") || whole.startsWith("/*")) continue;
    if (whole !== "\n" && whole !== "{" && whole !== "}") {
      words.push((quoted ?? whole).toLowerCase());
      continue;
    }
    if (words.length > 0) lines.push({ depth, words });
    words = [];
    if (whole === "{") {
      depth++;
      lines.push({ depth, words: ["{"] });
    } else if (whole === "}") depth--;
  }
  return lines;
}

/** Blend functions whose surfaces add light. */
const added: ReadonlySet<string> = new Set(["add", "gl_one gl_one", "gl_src_alpha gl_one"]);

/**
 * Returns the look of a shader by its definition, with or without its name. The first stage decides
 * whether the background shows through (id-Software/Quake-III-Arena code/renderer/tr_shader.c, `FinishShader`).
 */
export function lookOf(definition: string): Look {
  let look: Look = {};
  let stages = 0;
  let isMaterial = false;
  for (const { depth, words: [key, ...values] } of linesOf(definition)) {
    const value = values.join(" ");
    if (depth === 1) {
      const isTwoSided = key === "cull" && ["none", "disable", "twosided"].includes(value) || key === "twosided";
      if (isTwoSided) look = { ...look, isTwoSided };
      // Doom 3 also names pictures outside stages.
      if (key?.endsWith("map")) isMaterial = true;
      const isHidden = key === "surfaceparm" && ["nodraw", "sky"].includes(value) || key === "skyparms";
      if (isHidden) look = { ...look, isHidden };
    } else if (depth === 2) {
      if (key === "{") stages++;
      if (stages !== 1) continue;
      if (key === "alphafunc" || key === "alphatest") look = { ...look, opacity: "mask" };
      if (key === "blendfunc" && value !== "gl_one gl_zero") {
        look = { ...look, opacity: look.opacity ?? "blend", isAdded: added.has(value) };
      }
    }
  }
  return stages > 0 || isMaterial ? look : { ...look, isHidden: true };
}
