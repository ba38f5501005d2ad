/**
 * Declarations in Doom 3's `materials/*.mtr`, as its engine finds them: `[type] name { ... }`. Source:
 * id-Software/DOOM-3 neo/framework/DeclManager.cpp `idDeclFile::LoadAndParse`, `MakeNameCanonical`.
 * @module
 */
import { Doom3Lexer } from "../../engines/mod.ts";
import type { Definition, ScanWarning, ShaderScan } from "./shader_scan.ts";

/** Types that the engine and the game's code define, in lower case. */
const types: ReadonlySet<string> = new Set([
  "table",
  "material",
  "skin",
  "sound",
  "entitydef",
  "mapdef",
  "fx",
  "particle",
  "articulatedfigure",
  "pda",
  "email",
  "video",
  "audio",
  "model",
  "export",
]);
/** Type of declarations for the model exporter, which the engine skips. */
const skippedType = "export";

/** Returns a name as the engine compares it: lower case, `/` for `\`, without extension. */
export function canonicalName(name: string): string {
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? name : name.slice(0, dot)).replaceAll("\\", "/").toLowerCase();
}

/** Reads the declarations of a file. Declarations without a type are of type `material`. */
export function scanDoom3Declarations(bytes: Uint8Array): ShaderScan {
  const lexer = new Doom3Lexer(bytes);
  const definitions: Definition[] = [];
  const warnings: ScanWarning[] = [];
  const warn = (message: string, line = lexer.line) => warnings.push({ line, message });
  const skipNameless = () => {
    warn("a block has no name");
    lexer.skipBraces(1);
  };
  for (;;) {
    const start = lexer.position;
    if (!lexer.next()) {
      if (lexer.error !== null) warn(`${lexer.error}; Doom 3 reads this file no further`);
      break;
    }
    const offset = lexer.start;
    const word = lexer.text.toLowerCase();
    const isTyped = types.has(word);
    if (isTyped && !lexer.next()) {
      warn(`${lexer.error ?? `no declaration follows "${word}"`}; Doom 3 reads this file no further`);
      break;
    }
    const name = lexer.text;
    if (name === "{") {
      skipNameless();
      continue;
    }
    if (isTyped && word === skippedType) {
      lexer.skipBraces(0);
      continue;
    }
    const { start: nameOffset, line } = lexer;
    if (!lexer.next()) {
      warn(`${lexer.error ?? `"${name}" has no block`}; Doom 3 reads this file no further`, line);
      break;
    }
    if (lexer.text !== "{") {
      warn(`"${name}" has no block but "${lexer.text}"`, line);
      continue;
    }
    // A quoted brace counts here, but opens nothing.
    const isClosed = !lexer.isBrace("{") || lexer.skipBraces(1);
    if (!isClosed) {
      warn(`the block of "${name}" is not closed${lexer.error === null ? "" : `: ${lexer.error}`}`, line);
    }
    const type = isTyped ? word : "material";
    definitions.push({ type, name: canonicalName(name), start, offset, end: lexer.position, nameOffset, line });
  }
  return { definitions, warnings };
}
