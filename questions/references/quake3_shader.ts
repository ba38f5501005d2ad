/**
 * Images in shaders of Quake III. Sources: ioquake/ioq3 code/renderergl1/tr_shader.c `ParseShader`, `ParseStage`,
 * `ParseSkyParms`; iortcw/iortcw and etlegacy/etlegacy for directives that only these have.
 *
 * Parameters of a directive are on its line. Outside stages the rest of the line belongs to the directive, inside them
 * several directives may share a line. Names that begin with `$` or `*` are built-in images of the engine.
 * @module
 */
import { Quake3Tokens } from "../shaders/quake3_tokens.ts";
import { needed, type Reference, skySides } from "./reference.ts";

/** Directives of a stage with one image. */
const oneImage: ReadonlySet<string> = new Set(["map", "clampmap", "mapcomp", "mapnocomp", "lightmap"]);
/** Directives of a stage with a frequency and images to the end of the line. */
const severalImages: ReadonlySet<string> = new Set([
  "animmap",
  "clampanimmap",
  "animmapcomp",
  "animmapnocomp",
  "oneshotanimmap",
  "oneshotclampanimmap",
]);
/** Maximum images of an animation: `MAX_IMAGE_ANIMATIONS`; later games have more. */
const maxAnimation = 64;
/** Sky boxes in early shaders that no file has. */
const noSkyBox: ReadonlySet<string> = new Set(["-", "", "full", "half"]);

interface Token {
  readonly text: string;
  readonly line: number;
}

/** Returns the references of one shader: `text` is from its name to its closing brace. */
export function quake3ShaderReferences(text: Uint8Array): Reference[] {
  const references: Reference[] = [];
  const tokens = tokensOf(text);
  let position = 0;
  let depth = 0;
  /** Returns the next word of a line; empty at its end. */
  const parameter = (line: number): string => {
    const token = tokens[position];
    if (token?.line !== line || token.text === "{" || token.text === "}") return "";
    position++;
    return token.text;
  };
  const addImage = (name: string, why: string) => {
    if (name !== "" && name !== "-" && !/^[$*]/.test(name)) references.push(needed("image", name, why));
  };
  // The name is the first word.
  for (position = 1; position < tokens.length;) {
    const token = tokens[position++];
    if (!token) break;
    const { line } = token;
    const word = token.text.toLowerCase();
    if (word === "{") depth++;
    else if (word === "}") depth--;
    else if (depth > 1 && oneImage.has(word)) addImage(parameter(line), "stage");
    else if (depth > 1 && severalImages.has(word)) {
      parameter(line);
      for (let count = 0; count < maxAnimation; count++) {
        const name = parameter(line);
        if (name === "") break;
        addImage(name, "animated stage");
      }
    } else if (depth > 1 && word === "videomap") {
      const name = parameter(line);
      if (name !== "") references.push(needed("video", name, "stage"));
    } else if (depth === 1) {
      if (word === "skyparms") {
        const [outer, , inner] = [parameter(line), parameter(line), parameter(line)];
        for (const box of [outer, inner]) {
          if (noSkyBox.has(box.toLowerCase())) continue;
          for (const side of skySides) references.push(needed("image", `${box}_${side}.tga`, "sky box"));
        }
      }
      while (parameter(line) !== "");
    }
  }
  return references;
}

function tokensOf(text: Uint8Array): Token[] {
  const tokens = new Quake3Tokens(text);
  const found: Token[] = [];
  while (tokens.next()) found.push({ text: tokens.text, line: tokens.line });
  return found;
}
