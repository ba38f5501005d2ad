/**
 * Images and sounds in materials of Doom 3. Sources: id-Software/DOOM-3 neo/renderer/Material.cpp `ParseMaterial`,
 * `ParseStage`, neo/renderer/Image_program.cpp `R_ParsePastImageProgram`, neo/renderer/Image_files.cpp
 * `R_LoadCubeImages`.
 *
 * The value of a directive is a name, or an expression: `addnormals(a, heightmap(b, 4))`. A name that begins with `_`
 * is a built-in image of the engine.
 * @module
 */
import { Doom3Lexer } from "../../engines/mod.ts";
import { needed, type Reference } from "./reference.ts";

const imageDirectives: ReadonlySet<string> = new Set([
  "map",
  "bumpmap",
  "diffusemap",
  "specularmap",
  "lightfalloffimage",
  "fragmentmap",
]);
const cubeSides: Readonly<Record<string, readonly string[]>> = {
  cubemap: ["_px", "_nx", "_py", "_ny", "_pz", "_nz"],
  cameracubemap: ["_forward", "_back", "_left", "_right", "_up", "_down"],
};
/** Functions of image expressions. */
const functions: ReadonlySet<string> = new Set([
  "heightmap",
  "addnormals",
  "smoothnormals",
  "add",
  "scale",
  "invertalpha",
  "invertcolor",
  "makeintensity",
  "makealpha",
  "downsize",
]);
/** Words before the name of an image. */
const imageOptions: ReadonlySet<string> = new Set([
  ...["nearest", "linear", "clamp", "noclamp", "zeroclamp", "alphazeroclamp", "forcehighquality", "uncompressed"],
  ...["highquality", "nopicmip", "vertexprogram", "fragmentprogram"],
]);

/** Returns the references of one material: `text` is from its name or type to its closing brace. */
export function doom3MaterialReferences(text: Uint8Array): Reference[] {
  const lexer = new Doom3Lexer(text);
  const references: Reference[] = [];
  const add = (name: string, why: string, sides: readonly string[] = [""]) => {
    if (name === "" || name.startsWith("_")) return;
    for (const side of sides) references.push(needed("image", `${name}${side}`, why));
  };
  const isAtBrace = () => lexer.isBrace("{") || lexer.isBrace("}");
  let depth = 0;
  let isAhead = false;
  while (isAhead || lexer.next()) {
    isAhead = false;
    if (lexer.isBrace("{")) depth++;
    else if (lexer.isBrace("}")) depth--;
    if (depth === 0 || isAtBrace()) continue;
    const word = lexer.text.toLowerCase();
    if (imageDirectives.has(word)) isAhead = readExpression(lexer, (name) => add(name, word));
    else if (Object.hasOwn(cubeSides, word)) {
      if (lexer.next()) add(lexer.text, word, cubeSides[word]);
    } else if (word === "videomap") {
      if (!lexer.next() || (lexer.text.toLowerCase() === "loop" && !lexer.next())) break;
      isAhead = isAtBrace();
      if (!isAhead) references.push(needed("video", lexer.text, "videomap"));
    }
  }
  return references;
}

/** Reads a name or an expression; returns whether it ended at a brace, which is the lexer's current token. */
function readExpression(lexer: Doom3Lexer, onName: (name: string) => void): boolean {
  let open = 0;
  while (lexer.next()) {
    if (lexer.isBrace("{") || lexer.isBrace("}")) return true;
    const word = lexer.text.toLowerCase();
    if (word === "(") open++;
    else if (word === ")") open--;
    else if (lexer.kind === "mark" || lexer.kind === "number" || imageOptions.has(word)) continue;
    else if (functions.has(word)) continue;
    else onName(lexer.text);
    if (open <= 0) return false;
  }
  return false;
}
